//! The globs of exclusions: whether a path is one that a root leaves out.

use std::path::Path;

use super::{SandboxError, SandboxRoot};

/// What says of a path whether it, or a folder that it lies in, is excluded from this root.
///
/// # Errors
/// The first glob that is none.
pub(super) fn excluding(root: &SandboxRoot) -> Result<impl Fn(&Path) -> bool + '_, SandboxError> {
    let (mut from_the_root, mut from_the_top) = (Vec::new(), Vec::new());
    for glob in &root.exclude {
        let parts: Vec<&str> = glob.trim_start_matches("./").split('/').filter(|part| !part.is_empty()).collect();
        let double = parts.iter().filter(|part| **part == "**").count();
        let dots = parts.iter().any(|part| matches!(*part, "." | ".."));
        if parts.is_empty() || double > 4 || dots || glob.contains(['[', '{', '\\']) {
            return Err(SandboxError::Glob { glob: glob.clone() });
        }
        if glob.starts_with('/') { from_the_top.push(parts) } else { from_the_root.push(parts) }
    }
    let real = root.path.canonicalize().unwrap_or_else(|_| root.path.clone());
    Ok(move |path: &Path| {
        let below = path.strip_prefix(&root.path).or_else(|_| path.strip_prefix(&real));
        below.is_ok_and(|below| {
            let whole = [root.path.join(below), real.join(below)];
            excluded(&from_the_root, below)
                || whole.iter().any(|path| path.strip_prefix("/").is_ok_and(|path| excluded(&from_the_top, path)))
        })
    })
}

/// Whether globs exclude a path below the root, itself or by a folder above it.
fn excluded(globs: &[Vec<&str>], below: &Path) -> bool {
    let parts: Vec<String> = below.iter().map(|part| part.to_string_lossy().into_owned()).collect();
    (1..=parts.len()).any(|count| globs.iter().any(|glob| matches(glob, &parts[..count])))
}

fn matches(glob: &[&str], parts: &[String]) -> bool {
    match glob.split_first() {
        None => parts.is_empty(),
        Some((&"**", rest)) => (0..=parts.len()).any(|count| matches(rest, &parts[count..])),
        Some((first, rest)) => {
            parts.split_first().is_some_and(|(part, others)| matches_part(first, part) && matches(rest, others))
        }
    }
}

fn matches_part(glob: &str, part: &str) -> bool {
    let (glob, part): (Vec<char>, Vec<char>) = (glob.chars().collect(), part.chars().collect());
    // The last star, and where it began to take in characters: it takes in one more whenever the rest does not fit.
    let (mut at, mut in_part, mut star) = (0, 0, None);
    while in_part < part.len() {
        match glob.get(at) {
            Some('*') => {
                star = Some((at, in_part));
                at += 1;
            }
            Some(c) if *c == '?' || *c == part[in_part] => {
                at += 1;
                in_part += 1;
            }
            _ => {
                let Some((star_at, taken)) = star else { return false };
                star = Some((star_at, taken + 1));
                (at, in_part) = (star_at + 1, taken + 1);
            }
        }
    }
    glob[at..].iter().all(|c| *c == '*')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stars_within_a_name() {
        for (glob, part, fits) in [
            ("*", "", true),
            ("*.key", "a.key", true),
            ("*.key", ".key", true),
            ("a*b*c", "aXbYbZc", true),
            ("a*b*c", "aXbYbZ", false),
            ("?", "é", true),
            ("?", "", false),
        ] {
            assert_eq!(matches_part(glob, part), fits, "{glob} {part}");
        }
    }

    #[test]
    fn a_glob_counts_from_the_root_or_from_the_top() {
        for (glob, path, fits) in [
            ("finance", "/w/finance/pay", true),
            ("finance", "/w/a/finance", false),
            ("**/finance", "/w/a/finance/pay", true),
            ("/w/finance/**", "/w/finance/pay", true),
            ("/finance", "/w/finance", false),
            ("finance", "/elsewhere/finance", false),
        ] {
            let root = SandboxRoot { path: "/w".into(), exclude: vec![glob.into()] };
            assert_eq!(excluding(&root).unwrap()(Path::new(path)), fits, "{glob} {path}");
        }
    }

    #[test]
    fn what_is_no_glob_here_is_refused() {
        for glob in ["[a]", "{a,b}", "a\\b", "", "/", "../x", "/w/../x"] {
            let root = SandboxRoot { path: "/".into(), exclude: vec![glob.into()] };
            assert!(matches!(excluding(&root).err(), Some(SandboxError::Glob { .. })), "{glob}");
        }
    }
}
