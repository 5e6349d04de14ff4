//! What `README.md`, `CONTRIBUTING.md` and `docs/` show is run.
//!
//! - ` ```linnet `: checks clean under `--strict`. A `module` line is added where there is none.
//! - ` ```linnet,fails(E2203) `: gives exactly these codes.
//! - ` ```linnet,fragment `: not a whole program; it is not checked.
//! - ` ```console,test `: each line that begins with `$ ` is run and must succeed, or with
//!   `console,test,fails` must end with 1. `linnet` is the built one, in a folder of the document's
//!   own that holds a copy of `examples/`; `cd` is known; `cargo run` runs in the repository.

use std::path::{Path, PathBuf};

use serde_json::Value;

use super::markdown::{Fence, fences};
use super::{Counts, quietly};
use crate::Result;
use crate::process::{capture, cargo, command, shown};
use crate::workspace::{Workspace, copy_folder, files_below, read, write};

pub fn run(workspace: &Workspace) -> Result<Counts> {
    let mut counts = Counts::default();
    let mut documents = ["README.md", "CONTRIBUTING.md"]
        .map(|name| workspace.root.join(name))
        .to_vec();
    documents.extend(files_below(&workspace.root.join("docs"), &["md"])?);
    let scratch = workspace.empty_folder("docs")?;
    let mut generated = command("python3");
    generated
        .current_dir(&workspace.root)
        .args(["docs/generate.py", "--check"]);
    println!("$ {}", shown(&generated));
    counts.add("what is generated is up to date", quietly(&mut generated));
    for document in documents {
        let name = document.strip_prefix(&workspace.root).unwrap_or(&document);
        let name = name.display().to_string();
        let folder = scratch.join(name.replace(['/', '\\', '.'], "-"));
        let found = match fences(&read(&document)?) {
            Ok(found) => found,
            Err(line) => {
                counts.add(
                    &format!("{name}:{line}"),
                    Err("a fence is never closed".to_owned()),
                );
                continue;
            }
        };
        copy_folder(&workspace.root.join("examples"), &folder.join("examples"))?;
        let mut shell = Shell {
            workspace,
            folder: folder.clone(),
        };
        for fence in found {
            let outcome = match fence.language.as_str() {
                "linnet" if !fence.has("fragment") => {
                    let file = folder.join(format!("line_{}.linnet", fence.line));
                    snippet(workspace, &file, &fence)
                }
                "console" if fence.has("test") => shell.run(&fence),
                _ => continue,
            };
            println!("{name}:{}", fence.line);
            counts.add(&format!("{name}:{}", fence.line), outcome);
        }
    }
    Ok(counts)
}

type Outcome = std::result::Result<(), String>;

/// Checks a snippet of Linnet.
fn snippet(workspace: &Workspace, file: &Path, fence: &Fence) -> Outcome {
    write(file, &program(fence))?;
    let mut linnet = command(workspace.linnet()?);
    linnet.args(["check", "--strict", "--json"]).arg(file);
    let captured = capture(&mut linnet)?;
    let report: Value = serde_json::from_str(&captured.stdout)
        .map_err(|_| format!("no JSON: {}{}", captured.stdout, captured.stderr))?;
    let faults = report["diagnostics"].as_array().into_iter().flatten();
    let mut found: Vec<&str> = Vec::new();
    let mut lines = String::new();
    for fault in faults {
        let code = fault["code"].as_str().unwrap_or_default();
        let (line, message) = (&fault["location"]["start"]["line"], &fault["message"]);
        lines.push_str(&format!("  line {line}: {code} {message}\n"));
        found.push(code);
    }
    found.sort_unstable();
    let mut expected: Vec<&str> = match fence.argument("fails") {
        Some(codes) => codes
            .split([',', ' '])
            .filter(|code| !code.is_empty())
            .collect(),
        None => Vec::new(),
    };
    expected.sort_unstable();
    if fence.has("fails") || (fence.argument("fails").is_some() && expected.is_empty()) {
        return Err("`fails` names its codes: `fails(E2203)`".to_owned());
    }
    if found == expected {
        Ok(())
    } else {
        Err(format!("expected {expected:?}, found\n{lines}"))
    }
}

/// The snippet as a file in which every line has the number that it has in the document.
fn program(fence: &Fence) -> String {
    let first = fence
        .text
        .lines()
        .map(str::trim)
        .find(|line| !line.is_empty() && !line.starts_with("//"));
    let has_module = first.is_some_and(|line| line.starts_with("module "));
    let heading = if has_module { "" } else { "module snippet" };
    format!("{}{heading}\n{}", "\n".repeat(fence.line - 1), fence.text)
}

/// Runs the commands of one document, each block in the folder where the last one left off.
struct Shell<'a> {
    workspace: &'a Workspace,
    folder: PathBuf,
}

impl Shell<'_> {
    fn run(&mut self, fence: &Fence) -> Outcome {
        let commands: Vec<&str> = fence
            .text
            .lines()
            .filter_map(|line| line.trim().strip_prefix("$ "))
            .collect();
        if commands.is_empty() {
            return Err("no line begins with `$ `".to_owned());
        }
        for line in commands {
            let words = words(line);
            let words: Vec<&str> = words.iter().map(String::as_str).collect();
            let mut command = match words.as_slice() {
                ["cd", folder] => {
                    self.folder.push(folder);
                    continue;
                }
                ["linnet", arguments @ ..] => {
                    let mut linnet = command(self.workspace.linnet()?);
                    linnet.args(arguments).current_dir(&self.folder);
                    linnet
                }
                ["cargo", "run", arguments @ ..] => {
                    let mut cargo = cargo(&self.workspace.root);
                    cargo.arg("run").args(arguments);
                    cargo
                }
                _ => return Err(format!("the tests cannot run `{line}`")),
            };
            let captured = capture(&mut command)?;
            let wanted = if fence.has("fails") { 1 } else { 0 };
            if captured.status.code() != Some(wanted) {
                let output = format!("{}{}", captured.stdout, captured.stderr);
                let name = shown(&command);
                return Err(format!(
                    "$ {name}\n{output}must end with {wanted}: {}",
                    captured.status
                ));
            }
        }
        Ok(())
    }
}

/// Splits a command line at spaces; quotes keep words together, `#` begins a comment.
fn words(line: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quote = None;
    for c in line.chars() {
        match (quote, c) {
            (Some(q), _) if c == q => quote = None,
            (Some(_), _) => word.get_or_insert_default().push(c),
            (None, '"' | '\'') => {
                quote = Some(c);
                word.get_or_insert_default();
            }
            (None, '#') if word.is_none() => break,
            (None, _) if c.is_whitespace() => words.extend(word.take()),
            (None, _) => word.get_or_insert_default().push(c),
        }
    }
    words.extend(word);
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fence(line: usize, text: &str) -> Fence {
        Fence {
            line,
            language: "linnet".into(),
            attributes: Vec::new(),
            text: text.into(),
        }
    }

    #[test]
    fn lines_keep_their_numbers() {
        let whole = program(&fence(3, "module a\n"));
        assert_eq!(whole, "\n\n\nmodule a\n");
        let part = program(&fence(3, "// why\nconst A = 1\n"));
        assert_eq!(part, "\n\nmodule snippet\n// why\nconst A = 1\n");
    }

    #[test]
    fn command_lines_are_split() {
        assert_eq!(
            words("linnet check  'a b' x=\"\" # why"),
            ["linnet", "check", "a b", "x="]
        );
    }
}
