//! Saving an itinerary in a folder that the user has opened, and nowhere else.

use std::path::{Path, PathBuf};

use rmcp::model::{CallToolResult, Tool, ToolAnnotations};
use serde_json::json;

use crate::input_schema::schema_requiring;
use crate::root_folders;
use crate::server::Travel;
use crate::talk::{Interruption, Talk, Told, told};

pub(crate) fn tool() -> Tool {
    let properties = json!({
        "title": { "type": "string", "description": "Title of the itinerary" },
        "text": { "type": "string", "description": "The itinerary, as Markdown" },
        "path": {
            "type": "string",
            "description": "File to write, relative to the first open folder; itineraries/TITLE.md if left out",
        },
    });
    Tool::new(
        "save_itinerary",
        "Saves an itinerary as a Markdown file in the first folder that the user has opened. Asks for the open folders.",
        schema_requiring(properties, &["title", "text"]),
    )
    .with_title("Save an itinerary")
    .with_annotations(ToolAnnotations::new().read_only(false).destructive(true).idempotent(true).open_world(false))
}

pub(crate) fn tell(_: &Travel, talk: &mut Talk) -> Told<CallToolResult> {
    let title = talk.required_text("title")?.to_owned();
    let text = talk.required_text("text")?.to_owned();
    let path = match talk.text("path")? {
        Some(path) => PathBuf::from(path),
        None => Path::new("itineraries").join(format!("{}.md", slug(&title))),
    };
    let root = first_open_folder(&talk.roots("folders")?).ok_or_else(|| {
        Interruption::Failed("Nothing was saved: no folder is open, or none of them exists.".to_owned())
    })?;
    let file = root_folders::write_inside(&root, &path, &format!("# {title}\n\n{text}\n"))
        .map_err(|refusal| Interruption::Failed(format!("Nothing was saved at {}: {refusal}.", path.display())))?;
    Ok(told(
        format!("The itinerary “{title}” is saved as {}.", file.display()),
        json!({ "title": title, "file": file.to_string_lossy(), "root": root.to_string_lossy() }),
    ))
}

/// The first root that is a folder of this machine.
pub(crate) fn first_open_folder(uris: &[String]) -> Option<PathBuf> {
    uris.iter().filter_map(|uri| root_folders::folder(uri)).find(|folder| folder.is_dir())
}

/// A file name made of a title: small letters and digits of any script, joined by hyphens.
fn slug(title: &str) -> String {
    let lower = title.to_lowercase();
    let words: Vec<&str> = lower.split(|each: char| !each.is_alphanumeric()).filter(|word| !word.is_empty()).collect();
    let slug: String = words.join("-").chars().take(60).collect();
    if slug.is_empty() { "itinerary".to_owned() } else { slug }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn titles_become_file_names() {
        assert_eq!(slug("Barcelona: 3 days!"), "barcelona-3-days");
        assert_eq!(slug("巴塞罗那 之旅"), "巴塞罗那-之旅");
        assert_eq!(slug("../.."), "itinerary");
    }
}
