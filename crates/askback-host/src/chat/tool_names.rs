//! What a model calls a tool by: `server__tool`.
//!
//! The name follows from the two names alone, so that it stays the same whatever else is connected. Providers take at most 64 characters
//! of `A-Z a-z 0-9 _ -`.

/// The most characters that providers take.
const LONGEST: usize = 64;
/// The characters of a mark: an underscore and sixteen digits.
const MARK: usize = 17;

/// The name for a model. Two different pairs never have the same one, but for a coincidence of 64 bits.
pub fn tool_name(server: &str, tool: &str) -> String {
    let plain = format!("{server}__{tool}");
    // Where the server's name has no separator in it, the first separator of the whole is the one between the two.
    let is_clear = !server.is_empty() && !tool.is_empty() && !server.contains("__") && !server.ends_with('_');
    if is_clear && plain.len() <= LONGEST && plain.bytes().all(is_taken) && !looks_marked(&plain) {
        return plain;
    }
    let mut name: String = plain.chars().map(|c| if c.is_ascii() && is_taken(c as u8) { c } else { '_' }).collect();
    name.truncate(LONGEST - MARK);
    format!("{name}_{:016x}", digest(server, tool))
}

fn is_taken(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'-'
}

/// Whether a name could pass for one with a mark; such a name gets a mark of its own.
fn looks_marked(name: &str) -> bool {
    let Some((_, mark)) = name.rsplit_once('_') else { return false };
    mark.len() == MARK - 1 && mark.bytes().all(|byte| byte.is_ascii_hexdigit())
}

/// FNV-1a over both names, apart.
fn digest(server: &str, tool: &str) -> u64 {
    let bytes = server.bytes().chain([0xff]).chain(tool.bytes());
    bytes.fold(0xcbf2_9ce4_8422_2325, |digest, byte| (digest ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn usual_names_stay_as_they_are() {
        assert_eq!(tool_name("travel", "book_vacation"), "travel__book_vacation");
        assert_eq!(tool_name("a", "b__c"), "a__b__c");
    }

    #[test]
    fn names_that_could_be_taken_for_another_are_marked() {
        let pairs = [
            ("a__b", "c"),
            ("a", "b__c"),
            ("a_", "_b"),
            ("a", "__b"),
            ("a", "_b"),
            ("a.b", "c"),
            ("a b", "c"),
            ("a_b", "c"),
            ("", "a"),
            ("预订", "航班"),
            ("预约", "航班"),
        ];
        let names: std::collections::BTreeSet<String> =
            pairs.iter().map(|(server, tool)| tool_name(server, tool)).collect();
        assert_eq!(names.len(), pairs.len(), "{names:?}");
    }

    #[test]
    fn a_name_cannot_pass_for_the_marked_name_of_another() {
        let marked = tool_name("a.b", "c");
        let (server, tool) = marked.split_once("__").expect("it has two parts");
        assert_ne!(tool_name(server, tool), marked);
    }

    #[test]
    fn every_name_is_one_that_providers_take() {
        for (server, tool) in [("travel", "x".repeat(200)), ("旅行", "预订 航班".to_owned()), ("", String::new())]
        {
            let name = tool_name(server, &tool);
            assert!(name.len() <= LONGEST && name.bytes().all(is_taken), "{name}");
        }
        assert_ne!(tool_name("s", &"x".repeat(200)), tool_name("s", &"x".repeat(201)));
    }
}
