//! `[[roots]]` and `servers.NAME.roots`: the folders that servers may be told of, and what is never told.
//!
//! Owns the shape of these tables. Whether a folder is there is looked at later, and again and again.

use askback_core::roots::{Exclusions, RootOrigin, looks_like_uri};
use askback_host::roots::RootSource;
use serde::Deserialize;

use super::{Config, Reader};
use crate::failure::Failure;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RootText {
    path: String,
    name: Option<String>,
    #[serde(default)]
    exclude: Vec<String>,
}

/// The roots of one table; what they exclude is added to what is excluded already.
pub(super) fn read(
    reader: &Reader<'_>,
    roots: Vec<RootText>,
    server: Option<&str>,
    exclude: &mut Vec<(String, String)>,
) -> Result<Vec<RootSource>, Failure> {
    let origin = if server.is_some() { RootOrigin::ServerConfig } else { RootOrigin::Config };
    let table = server.map_or_else(|| "roots".to_owned(), |name| format!("servers.{name}.roots"));
    let mut sources = Vec::new();
    for RootText { path, name, exclude: globs } in roots {
        if path.is_empty() {
            return Err(reader.failure("config-value", &format!("{table}.path"), &path));
        }
        let source = match looks_like_uri(&path) {
            true => RootSource::uri(&path, name, origin),
            false => RootSource::folder(&reader.path(&path), name, origin),
        };
        let folder = source.folder.as_ref().map(|folder| folder.display().to_string()).unwrap_or_default();
        for glob in globs {
            let pair = (folder.clone(), glob);
            if Exclusions::new([(pair.0.as_str(), pair.1.as_str())]).is_err() {
                return Err(reader.failure("config-value", &format!("{table}.exclude"), &pair.1));
            }
            exclude.push(pair);
        }
        sources.push(match server {
            Some(server) => source.only_for(server),
            None => source,
        });
    }
    Ok(sources)
}

impl Config {
    /// The configured roots that are for all servers, then those that are for one.
    pub(crate) fn root_sources(&self) -> impl Iterator<Item = &RootSource> {
        self.roots.iter().chain(self.servers.values().flat_map(|server| &server.roots))
    }
}
