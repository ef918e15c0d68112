//! Makes of a sandbox and a command what is needed to start it: the plan, the environment, and the folders that are the server's own.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

use super::files::RealFiles;
use super::plan::{Access, Grant, SandboxPlan};
use super::programs::{self, Place};
use super::{Sandbox, SandboxError, SandboxMode, exclusions, system};
use crate::server::ServerCommand;

/// Variables that lead to folders of the user's, and are not handed on.
const LEADING_OUT: &[&str] = &[
    "XDG_CACHE_HOME",
    "XDG_CONFIG_HOME",
    "XDG_DATA_HOME",
    "XDG_RUNTIME_DIR",
    "npm_config_cache",
    "NPM_CONFIG_CACHE",
    "UV_CACHE_DIR",
];
/// Variables that name files or folders, several of them with colons in between, which a program reads.
const NAMING: &[&str] = &[
    "SSL_CERT_FILE",
    "SSL_CERT_DIR",
    "NODE_EXTRA_CA_CERTS",
    "REQUESTS_CA_BUNDLE",
    "CURL_CA_BUNDLE",
    "PIP_CERT",
    "PYTHONPATH",
    "NODE_PATH",
    "LD_LIBRARY_PATH",
];

/// A server that is ready to be started in its sandbox.
#[derive(Debug)]
pub(crate) struct Prepared {
    pub(crate) plan: SandboxPlan,
    /// The program, as found.
    pub(crate) program: PathBuf,
    /// The whole environment.
    pub(crate) environment: BTreeMap<OsString, OsString>,
    /// The folder for temporary files, which goes with the process.
    pub(crate) temporary: tempfile::TempDir,
}

/// Why a server could not be made ready.
#[derive(Debug)]
pub(crate) enum NotReady {
    Sandbox(SandboxError),
    System(std::io::Error),
}

impl From<SandboxError> for NotReady {
    fn from(error: SandboxError) -> NotReady {
        NotReady::Sandbox(error)
    }
}

impl From<std::io::Error> for NotReady {
    fn from(error: std::io::Error) -> NotReady {
        NotReady::System(error)
    }
}

impl Prepared {
    /// Looks at the program, makes the server's own folders, and plans. `environment` is what every server gets, without what is
    /// configured for this one.
    pub(crate) fn new(
        sandbox: &Sandbox,
        command: &ServerCommand,
        mut environment: BTreeMap<OsString, OsString>,
    ) -> Result<Prepared, NotReady> {
        let real_home = environment.get(&OsString::from("HOME")).map(PathBuf::from);
        for name in LEADING_OUT {
            environment.remove(&OsString::from(name));
        }
        let temporary = tempfile::Builder::new().prefix("askback-sandbox-").tempdir()?;
        let home = match &sandbox.home {
            Some(home) => home.clone(),
            None => temporary.path().join("home"),
        };
        make_private(&home)?;
        let own = |name: &str, path: &Path| (OsString::from(name), path.as_os_str().to_owned());
        environment.extend([own("HOME", &home)]);
        environment.extend(["TMPDIR", "TMP", "TEMP"].map(|name| own(name, temporary.path())));
        let set = |environment: &mut BTreeMap<OsString, OsString>| {
            environment.extend(command.env.iter().map(|(name, value)| (name.into(), value.into())));
        };
        set(&mut environment);
        let here = std::env::current_dir()?;
        let folder = command.cwd.as_ref().map_or(here.clone(), |folder| here.join(folder));
        let path = environment.get(&OsString::from("PATH")).map(|path| std::env::split_paths(path).collect());
        let place = Place { home: real_home.as_deref(), folder: &folder, path: path.unwrap_or_default() };
        let needs = programs::needs(&command.program, &command.args, &place, &RealFiles);
        if let Some(program) = needs.container {
            return Err(SandboxError::Container { program }.into());
        }
        let Some(program) = needs.program else {
            return Err(std::io::Error::from(nix::errno::Errno::ENOENT).into());
        };
        environment.extend(needs.variables.iter().map(|(name, path)| own(name, path)));
        if needs.uv {
            environment.extend([own("UV_PROJECT_ENVIRONMENT", &home.join("uv-project"))]);
        }
        set(&mut environment);
        let mut to_run = needs.grants;
        for name in NAMING {
            let paths = environment.get(&OsString::from(name)).into_iter().flat_map(std::env::split_paths);
            let paths = paths.filter(|path| path.is_absolute() && !place.too_wide(path));
            to_run.extend(paths.map(|path| Grant::new(path, Access::Run)));
        }
        if command.cwd.is_some() && !place.too_wide(&folder) {
            to_run.push(Grant::new(&folder, Access::Run));
        }
        let mut grants: Vec<Grant> = system::grants().collect();
        for grant in to_run {
            grants.extend(exclusions::without_excluded(grant, &sandbox.roots)?);
        }
        grants.extend([Grant::required(&home, Access::Write), Grant::required(temporary.path(), Access::Write)]);
        grants.extend(sandbox.read.iter().map(|path| Grant::required(path, Access::Run)));
        grants.extend(sandbox.write.iter().map(|path| Grant::required(path, Access::Write)));
        let of_roots = match sandbox.mode {
            SandboxMode::Roots => Access::Write,
            SandboxMode::ReadOnly => Access::Run,
        };
        for root in &sandbox.roots {
            grants.extend(exclusions::grants(root, of_roots)?);
        }
        let plan = SandboxPlan::new(grants, sandbox.network.clone(), sandbox.unix_sockets);
        Ok(Prepared { plan, program, environment, temporary })
    }
}

/// Makes a folder that only the user can look into.
fn make_private(folder: &Path) -> std::io::Result<()> {
    let mut builder = std::fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(folder)
}
