//! What a program needs besides the system to run at all: where it is installed, its interpreter, and the code that it is told to run.
//!
//! Owns what is known of node, python, uv and their like. Whatever else is named on a command line is not granted: it is for the roots and
//! the user's own lists to say what a server works on.

use std::path::{Path, PathBuf};

use super::files::Files;
use super::plan::{Access, Grant};

/// How many interpreters and wrappers are followed.
const MOST_STEPS: usize = 5;

/// Folders of the home in which programs are installed by managers of versions, each with the variable that says where it is.
const MANAGERS: &[(&str, &str)] = &[
    (".pyenv", "PYENV_ROOT"),
    (".nvm", "NVM_DIR"),
    (".volta", "VOLTA_HOME"),
    (".asdf", "ASDF_DATA_DIR"),
    (".rbenv", "RBENV_ROOT"),
    (".local/share/mise", "MISE_DATA_DIR"),
    (".local/share/fnm", "FNM_DIR"),
    (".bun", "BUN_INSTALL"),
    (".deno", "DENO_INSTALL"),
    (".rustup", "RUSTUP_HOME"),
];

/// Folders of the home that are never granted as a whole, since secrets of other programs lie in them.
const NEVER_WHOLE: &[&str] =
    &[".local", ".local/share", ".local/state", ".local/lib", ".config", ".cache", ".cargo", "Library", "Documents"];

/// Programs whose work is done by a process of somebody else's.
const CONTAINER_ENGINES: &[&str] = &["docker", "podman", "nerdctl", "flatpak", "snap", "systemd-run", "sudo", "ssh"];

/// Where a program runs.
pub(crate) struct Place<'a> {
    /// The user's home.
    pub(crate) home: Option<&'a Path>,
    /// The folder in which the program is started.
    pub(crate) folder: &'a Path,
    /// The folders in which programs are looked for.
    pub(crate) path: Vec<PathBuf>,
}

/// What was found out about a command.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Needs {
    /// The program itself; nothing if there is none of that name.
    pub(crate) program: Option<PathBuf>,
    pub(crate) grants: Vec<Grant>,
    /// Variables that say where things are which are usually found by the home.
    pub(crate) variables: Vec<(&'static str, PathBuf)>,
    /// Whether it is `uv`, which makes a folder of its own in the project that it runs.
    pub(crate) uv: bool,
    /// A program among these that has its work done elsewhere.
    pub(crate) container: Option<String>,
}

/// What this command needs.
pub(crate) fn needs(program: &str, args: &[String], place: &Place<'_>, files: &dyn Files) -> Needs {
    let mut needs = Needs::default();
    follow(program, args, place, files, MOST_STEPS, &mut needs);
    needs
}

fn follow(program: &str, args: &[String], place: &Place<'_>, files: &dyn Files, steps: usize, needs: &mut Needs) {
    let Some(found) = place.find(program, files) else { return };
    if needs.program.is_none() {
        needs.program = Some(found.clone());
    }
    let name = base_name(Path::new(program));
    if CONTAINER_ENGINES.contains(&name.as_str()) {
        needs.container.get_or_insert(name.clone());
    }
    let real = files.resolve(&found).unwrap_or_else(|| found.clone());
    for path in [&found, &real] {
        installed(path, place, files, needs);
    }
    let code = code(&name, args, needs);
    for path in code {
        let path = place.folder.join(path);
        if files.is_file(&path) || files.is_folder(&path) {
            needs.grants.extend(package(&path, place, files).into_iter().map(|path| Grant::new(path, Access::Run)));
        }
    }
    let Some(steps) = steps.checked_sub(1) else { return };
    if name == "env" {
        let rest = args.iter().position(|word| !word.starts_with('-') && !word.contains('='));
        if let Some((program, args)) = rest.and_then(|at| args[at..].split_first()) {
            follow(program, args, place, files, steps, needs);
        }
    }
    // A script is run by another program, which gets it as its argument.
    let text = files.beginning(&real).unwrap_or_default();
    if let Some(line) = text.strip_prefix("#!").and_then(|text| text.lines().next()) {
        let mut words: Vec<String> = line.split_whitespace().map(str::to_owned).collect();
        words.retain(|word| word != "-S");
        if let Some((program, before)) = words.split_first() {
            let script = real.display().to_string();
            let args: Vec<String> = before.iter().cloned().chain([script]).chain(args.iter().cloned()).collect();
            follow(program, &args, place, files, steps, needs);
        }
    }
}

impl Place<'_> {
    fn find(&self, program: &str, files: &dyn Files) -> Option<PathBuf> {
        if program.contains('/') {
            return Some(self.folder.join(program)).filter(|path| files.is_file(path));
        }
        self.path.iter().map(|folder| self.folder.join(folder).join(program)).find(|path| files.is_file(path))
    }

    /// Whether a folder holds more than one thing, so that granting it would grant what nobody thought of.
    pub(crate) fn too_wide(&self, folder: &Path) -> bool {
        let of_home = self
            .home
            .is_some_and(|home| home.starts_with(folder) || NEVER_WHOLE.iter().any(|name| home.join(name) == *folder));
        let is_a_home =
            folder.parent().is_some_and(|above| above == Path::new("/home") || above == Path::new("/Users"));
        of_home || is_a_home || folder.components().count() <= 2 || std::env::temp_dir() == *folder
    }
}

fn base_name(path: &Path) -> String {
    let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    name.strip_suffix(".exe").map_or(name.clone(), str::to_owned)
}

/// Where a program is installed.
fn installed(path: &Path, place: &Place<'_>, files: &dyn Files, needs: &mut Needs) {
    let mut grant = |path: &Path| needs.grants.push(Grant::new(path, Access::Run));
    grant(path);
    let manager = place.home.and_then(|home| {
        MANAGERS.iter().map(|(folder, name)| (home.join(folder), *name)).find(|(folder, _)| path.starts_with(folder))
    });
    if let Some((folder, name)) = manager {
        grant(&folder);
        needs.variables.push((name, folder));
        return;
    }
    // What lies in a `node_modules` needs what lies beside it there.
    for modules in path.ancestors().filter(|folder| folder.file_name().is_some_and(|name| name == "node_modules")) {
        grant(modules);
    }
    let Some(prefix) =
        path.parent().filter(|folder| folder.file_name().is_some_and(|name| name == "bin" || name == "Scripts"))
    else {
        return;
    };
    let Some(prefix) = prefix.parent() else { return };
    // A virtual environment names the installation that it was made from.
    let config = files.beginning(&prefix.join("pyvenv.cfg")).unwrap_or_default();
    let home = config.lines().filter_map(|line| line.split_once('=')).find(|(key, _)| key.trim() == "home");
    if let Some(base) =
        home.and_then(|(_, folder)| Path::new(folder.trim()).parent()).filter(|base| !place.too_wide(base))
    {
        grant(base);
    }
    if !place.too_wide(prefix) {
        grant(prefix);
    }
}

/// The code that a program is told to run, as written on its command line.
fn code(name: &str, args: &[String], needs: &mut Needs) -> Vec<String> {
    let stem = name.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.');
    match stem {
        "node" | "nodejs" | "bun" | "tsx" | "ts-node" | "deno" => {
            let with_code = ["-r", "--require", "--import", "--loader", "--experimental-loader"];
            script(args, &with_code, &["-e", "--eval", "-p", "--print"], &["run"])
        }
        "python" | "pythonw" | "pypy" => script(args, &[], &["-c", "-m"], &[]),
        "ruby" | "perl" | "php" | "sh" | "bash" | "zsh" | "dash" | "dotnet" => script(args, &[], &["-e", "-c"], &[]),
        "java" => values(args, &["-jar", "-cp", "-classpath", "--class-path"]),
        "uv" | "uvx" => {
            needs.uv = true;
            let mut found = values(args, &["--directory", "--project", "--from", "--with-editable"]);
            if let Some(at) = args.iter().position(|word| word == "run") {
                found.extend(args[at + 1..].iter().find(|word| word.ends_with(".py")).cloned());
            }
            found
        }
        "npx" | "npm" | "pnpm" | "yarn" | "bunx" => {
            let with_code = ["--prefix", "--package", "-p", "-C", "--dir"];
            let mut found = script(args, &with_code, &["-c", "--call"], &["exec", "run", "dlx", "x"]);
            // The name of a package is no path.
            found.retain(|word| word.starts_with(['.', '/']));
            found
        }
        _ => Vec::new(),
    }
}

/// The values of options that name code, and the first word that is no option.
fn script(args: &[String], with_code: &[&str], instead: &[&str], commands: &[&str]) -> Vec<String> {
    let mut found = Vec::new();
    let mut words = args.iter();
    while let Some(word) = words.next() {
        if with_code.contains(&word.as_str()) {
            found.extend(words.next().cloned());
        } else if let Some((_, value)) = word.split_once('=').filter(|(option, _)| with_code.contains(option)) {
            found.push(value.to_owned());
        } else if instead.contains(&word.as_str()) {
            break;
        } else if !word.starts_with('-') && !commands.contains(&word.as_str()) {
            found.push(word.clone());
            break;
        }
    }
    found
}

fn values(args: &[String], options: &[&str]) -> Vec<String> {
    let mut found = Vec::new();
    for (at, word) in args.iter().enumerate() {
        if options.contains(&word.as_str()) {
            found.extend(args.get(at + 1).cloned());
        } else if let Some((_, value)) = word.split_once('=').filter(|(option, _)| options.contains(option)) {
            found.push(value.to_owned());
        }
    }
    found
}

/// The package that a file of code belongs to, and the packages beside it: the nearest folder that says of itself that it is one. A file
/// that lies about in a folder of many things is granted alone.
fn package(path: &Path, place: &Place<'_>, files: &dyn Files) -> Vec<PathBuf> {
    let real = files.resolve(path).unwrap_or_else(|| path.to_owned());
    let mut found = vec![path.to_owned(), real.clone()];
    found.retain(|path| !files.is_folder(path) || !place.too_wide(&real));
    let folder = if files.is_folder(&real) { Some(real.as_path()) } else { real.parent() };
    let Some(folder) = folder else { return found };
    let wide = |folder: &&Path| place.too_wide(folder);
    let is_package = |folder: &&Path| {
        ["package.json", "pyproject.toml", "setup.py", "deno.json"].iter().any(|name| files.is_file(&folder.join(name)))
    };
    for modules in real.ancestors().filter(|folder| folder.file_name().is_some_and(|name| name == "node_modules")) {
        found.push(modules.to_owned());
    }
    let mut above = folder.ancestors().take_while(|folder| !wide(folder));
    match above.clone().find(is_package) {
        Some(package) => {
            found.push(package.to_owned());
            // Packages that are shared by several of one workspace lie further up.
            let modules = above.by_ref().map(|folder| folder.join("node_modules"));
            found.extend(modules.filter(|folder| files.is_folder(folder)));
        }
        None if !wide(&folder) => found.push(folder.to_owned()),
        None => {}
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sandbox::files::tests::Imagined;
    use crate::sandbox::{Network, SandboxPlan};

    /// A workplace with most of what programs are installed with.
    fn files() -> Imagined {
        Imagined::new(&[
            ("/usr/bin/node", "\u{7f}ELF"),
            ("/usr/bin/npx", "-> /usr/lib/node_modules/npm/bin/npx-cli.js"),
            ("/usr/lib/node_modules/npm/bin/npx-cli.js", "#!/usr/bin/env node\n"),
            ("/usr/bin/env", "\u{7f}ELF"),
            ("/usr/bin/docker", "\u{7f}ELF"),
            ("/home/ada/.pyenv/shims/python3", "#!/usr/bin/env bash\n"),
            ("/home/ada/.local/bin/uvx", "\u{7f}ELF"),
            ("/home/ada/.local/bin/uv", "\u{7f}ELF"),
            ("/home/ada/.local/bin/notes", "-> /home/ada/.local/share/uv/tools/notes/bin/notes"),
            ("/home/ada/.local/share/uv/tools/notes/bin/notes", "#!/home/ada/.local/share/uv/tools/notes/bin/python\n"),
            (
                "/home/ada/.local/share/uv/tools/notes/bin/python",
                "-> /home/ada/.local/share/uv/python/cpython-3.13/bin/python3",
            ),
            (
                "/home/ada/.local/share/uv/tools/notes/pyvenv.cfg",
                "home = /home/ada/.local/share/uv/python/cpython-3.13/bin\n",
            ),
            ("/home/ada/.local/share/uv/python/cpython-3.13/bin/python3", "\u{7f}ELF"),
            ("/home/ada/.local/share/keyrings/login", "secret"),
            ("/home/ada/.ssh/id", "secret"),
            ("/home/ada/server.js", "//"),
            ("/home/ada/code/tool/package.json", "{}"),
            ("/home/ada/code/tool/dist/index.js", "//"),
            ("/home/ada/code/node_modules/zod/index.js", "//"),
            ("/home/ada/code/weather/pyproject.toml", ""),
            ("/home/ada/code/weather/.env", "secret"),
            ("/home/ada/peers/node_modules/@x/fs/package.json", "{}"),
            ("/home/ada/peers/node_modules/@x/fs/dist/index.js", "//"),
            ("/home/ada/peers/notes.txt", ""),
        ])
    }

    /// The command can run these, and read none of those.
    fn check(command: &str, can: &[&str], cannot: &[&str]) -> Needs {
        let path = ["/home/ada/.pyenv/shims", "/home/ada/.local/bin", "/usr/bin"].map(PathBuf::from).to_vec();
        let place = Place { home: Some(Path::new("/home/ada")), folder: Path::new("/home/ada/work"), path };
        let words: Vec<String> = command.split(' ').map(str::to_owned).collect();
        let needs = needs(&words[0], &words[1..], &place, &files());
        let plan = SandboxPlan::new(needs.grants.iter().cloned(), Network::Any, false);
        for path in can {
            assert!(plan.allows(Path::new(path), Access::Run), "{command}: {path}\n{plan:#?}");
        }
        for path in
            cannot.iter().chain(&["/home/ada/.ssh/id", "/home/ada/.local/share/keyrings/login", "/home/ada/work/x"])
        {
            assert!(!plan.allows(Path::new(path), Access::Read), "{command}: {path}\n{plan:#?}");
        }
        needs
    }

    #[test]
    fn node_and_the_package_of_its_script() {
        let tool = "/home/ada/code/tool/dist/index.js";
        check(
            &format!("node {tool}"),
            &["/usr/bin/node", tool, "/home/ada/code/node_modules/zod/index.js"],
            &["/home/ada/code/weather/.env"],
        );
        let fs = "/home/ada/peers/node_modules/@x/fs/dist/index.js";
        check(&format!("node --enable-source-maps {fs} /home/ada/code"), &[fs], &["/home/ada/peers/notes.txt", tool]);
        check(&format!("env A=b node --require {tool} {fs}"), &[fs, tool], &[]);
        check("node /home/ada/server.js", &["/home/ada/server.js"], &["/home/ada/code/weather/.env"]);
        check("node -e 1 /home/ada/code/weather/.env", &[], &["/home/ada/code/weather/.env"]);
    }

    #[test]
    fn npx_is_a_script_of_node() {
        let needs = check(
            "npx -y @x/fs /home/ada/code",
            &["/usr/lib/node_modules/npm/bin/npx-cli.js"],
            &["/home/ada/code/weather/.env"],
        );
        assert_eq!(needs.program, Some("/usr/bin/npx".into()));
    }

    #[test]
    fn python_of_a_manager_and_of_an_environment() {
        let needs = check("python3 -m weather", &["/home/ada/.pyenv/versions/3.13/bin/python"], &[]);
        assert!(needs.variables.contains(&("PYENV_ROOT", "/home/ada/.pyenv".into())));
        let python = "/home/ada/.local/share/uv/python/cpython-3.13/lib/os.py";
        check("notes", &["/home/ada/.local/share/uv/tools/notes/lib/x.py", python], &["/home/ada/.local/bin/uvx"]);
    }

    #[test]
    fn uv_and_the_project_that_it_runs() {
        let needs = check("uv --directory /home/ada/code/weather run weather", &["/home/ada/code/weather/src"], &[]);
        assert!(needs.uv);
        check("uvx mcp-server-time", &["/home/ada/.local/bin/uvx"], &["/home/ada/.local/bin/notes"]);
    }

    #[test]
    fn a_home_is_never_granted_because_code_is_run_there() {
        for command in
            ["uv --directory /home/ada run x.py", "node /home/ada", "npx --prefix /home/ada x", "npx -y /home"]
        {
            check(command, &[], &["/home/ada/server.js", "/home/ada/code/weather/.env"]);
        }
    }

    #[test]
    fn a_container_is_not_held_by_a_sandbox() {
        assert_eq!(check("docker run -i x", &[], &[]).container.as_deref(), Some("docker"));
        assert_eq!(check("env A=b docker run x", &[], &[]).container.as_deref(), Some("docker"));
    }

    #[test]
    fn what_is_not_there_is_not_granted() {
        assert_eq!(check("nothing-of-the-sort", &[], &[]), Needs::default());
    }
}
