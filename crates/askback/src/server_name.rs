//! What a server that was given after `--` is called.

/// Programs that run another one: the name is that one's.
const RUNNERS: &[&str] =
    &["npx", "bunx", "uvx", "pipx", "node", "nodejs", "bun", "deno", "python", "python3", "uv", "pnpm"];
/// Options of those that take a value in the next word.
const WITH_VALUE: &[&str] =
    &["-p", "--package", "--from", "--with", "--python", "-c", "--call", "--registry", "-r", "--require", "--import"];
/// Words after which the package or script comes.
const SKIPPED: &[&str] = &["run", "dlx", "tool", "exec"];

/// Folders that programs are built into.
const BUILT: &[&str] = &["", ".", "..", "dist", "build", "out", "lib", "src"];

/// The name of the program, or of the package or script where the program only runs that.
pub(crate) fn name_of(command: &[String]) -> String {
    let Some((program, rest)) = command.split_first() else { return String::new() };
    let program = base(program);
    let runner = RUNNERS.contains(&program) || program.starts_with("python3.");
    if !runner {
        return program.to_owned();
    }
    let mut words = rest.iter();
    while let Some(word) = words.next() {
        if word == "-m" {
            return words.next().map_or_else(|| program.to_owned(), |module| base(module).to_owned());
        }
        if WITH_VALUE.contains(&word.as_str()) {
            words.next();
        } else if !word.starts_with('-') && !SKIPPED.contains(&word.as_str()) {
            return package(word);
        }
    }
    program.to_owned()
}

/// The name of a package or script, without scope, version and ending.
fn package(word: &str) -> String {
    let last = base(word);
    let without_version = match last.char_indices().skip(1).find(|(_, c)| *c == '@') {
        Some((at, _)) => &last[..at],
        None => last,
    };
    let without_version = without_version.split("==").next().unwrap_or(without_version);
    let ending =
        [".js", ".mjs", ".cjs", ".ts", ".py"].into_iter().find_map(|ending| without_version.strip_suffix(ending));
    match ending.unwrap_or(without_version) {
        "" => word.to_owned(),
        // Every other package is built to an index: the folder that it belongs to says more.
        "index" => word.rsplit(['/', '\\']).skip(1).find(|part| !BUILT.contains(part)).unwrap_or("index").to_owned(),
        name => name.to_owned(),
    }
}

fn base(path: &str) -> &str {
    path.rsplit(['/', '\\']).next().filter(|last| !last.is_empty()).unwrap_or(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(line: &str, name: &str) {
        let command: Vec<String> = line.split_whitespace().map(str::to_owned).collect();
        assert_eq!(name_of(&command), name, "{line}");
    }

    #[test]
    fn servers_are_named_after_what_runs() {
        check("/usr/bin/my-server --x", "my-server");
        check("npx -y @modelcontextprotocol/server-everything@2026.8.31 stdio", "server-everything");
        check("npx --package x@1 server-x", "server-x");
        check("uvx mcp-server-git", "mcp-server-git");
        check("uvx --from git+x mcp-server-git==1.2", "mcp-server-git");
        check("node build/index.js stdio", "index");
        check("node /x/server-everything/dist/index.js stdio", "server-everything");
        check("python3 -m mcp_server_time", "mcp_server_time");
        check("python3.12 /srv/travel.py", "travel");
        check("uv run server.py", "server");
        check("askback demo server", "askback");
        check("node", "node");
    }
}
