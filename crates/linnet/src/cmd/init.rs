//! `linnet init`: a new package that checks clean.

use std::fs;
use std::io;
use std::path::Path;

use linnet_syntax::SyntaxKind;

use crate::cli::InitArgs;
use crate::exit::{self, Exit};
use crate::walk::describe;

const MANIFEST: &str = include_str!("../../templates/linnet.toml");
const LIB: &str = include_str!("../../templates/lib.linnet");
const README: &str = include_str!("../../templates/README.md");
const GITIGNORE: &str = include_str!("../../templates/gitignore");

pub fn run(args: &InitArgs) -> Exit {
    let name = &args.name;
    let folder = Path::new(name);
    match make(folder, name) {
        Ok(()) => {
            exit::say(&format!(
                "made the package `{name}`; check it with `linnet check {name}`"
            ));
            Exit::Ok
        }
        Err(message) => exit::fail(&message, Exit::Faults),
    }
}

/// The name of a package: what a module's path can begin with, where `-` stands for `_`.
pub fn parse_name(name: &str) -> Result<String, String> {
    let fits = name.starts_with(|c: char| c.is_ascii_alphabetic())
        && name
            .chars()
            .all(|c| c.is_ascii_alphanumeric() || c == '_' || c == '-');
    if !fits {
        return Err("a name has letters, digits, `-` and `_`, and begins with a letter".to_owned());
    }
    let module = name.replace('-', "_");
    if module == "std" || SyntaxKind::from_word(&module).is_some() {
        return Err(format!("`{module}` is a reserved word"));
    }
    Ok(name.to_owned())
}

fn make(folder: &Path, name: &str) -> Result<(), String> {
    let shown = folder.display();
    match fs::read_dir(folder) {
        Ok(mut entries) => {
            if entries.next().is_some() {
                return Err(format!("the folder `{shown}` exists and is not empty"));
            }
        }
        Err(error) if error.kind() == io::ErrorKind::NotFound => {}
        Err(error) if error.kind() == io::ErrorKind::NotADirectory => {
            return Err(format!("`{shown}` exists and is no folder"));
        }
        Err(error) => return Err(format!("`{shown}` cannot be used: {}", describe(&error))),
    }
    fs::create_dir_all(folder.join("src")).map_err(|e| cannot_write(folder, &e))?;
    let module = name.replace('-', "_");
    let files = [
        ("linnet.toml", MANIFEST),
        ("src/lib.linnet", LIB),
        ("README.md", README),
        (".gitignore", GITIGNORE),
    ];
    for (path, template) in files {
        let text = template
            .replace("{name}", name)
            .replace("{module}", &module);
        let path = folder.join(path);
        fs::write(&path, text).map_err(|e| cannot_write(&path, &e))?;
    }
    Ok(())
}

fn cannot_write(path: &Path, error: &io::Error) -> String {
    format!(
        "`{}` cannot be written: {}",
        path.display(),
        describe(error)
    )
}
