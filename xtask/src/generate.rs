//! `cargo xtask gen`: a generated workspace of a given size, and its twin in Python.
//!
//! [`plan`](plan::plan) draws modules, imports and exports from a seed. Each language renders the
//! same plan in modules of the same number of lines: what every module exports first, then its
//! block, which uses all that it imports, then private functions until the module is full.

mod linnet;
mod plan;
mod python;
pub mod rng;

use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};

use crate::Result;
use crate::workspace::write;

#[derive(Args)]
pub struct GenArgs {
    /// Lines in all
    #[arg(long, default_value_t = 100_000)]
    lines: usize,

    /// Modules in all
    #[arg(long, default_value_t = 1_000)]
    modules: usize,

    /// The folder to write; it must be new or empty
    #[arg(long, value_name = "DIR")]
    out: PathBuf,

    #[arg(long, value_enum, default_value = "linnet")]
    lang: Language,

    #[arg(long, default_value_t = 1)]
    seed: u64,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum, Debug)]
pub enum Language {
    Linnet,
    Python,
}

/// What a workspace is generated from.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Size {
    pub lines: usize,
    pub modules: usize,
    pub seed: u64,
}

/// A generated file: its path in the workspace, and its text.
type File = (String, String);

/// Fewer lines than this do not hold what a module exports and uses.
const LEAST_LINES: usize = 95;

pub fn run(args: &GenArgs) -> Result<bool> {
    let size = Size {
        lines: args.lines,
        modules: args.modules,
        seed: args.seed,
    };
    let empty = args
        .out
        .read_dir()
        .map_or(!args.out.exists(), |mut dir| dir.next().is_none());
    if !empty {
        return Err(format!("{} is not an empty folder", args.out.display()));
    }
    write_workspace(&args.out, args.lang, size)?;
    println!(
        "wrote {} lines in {} modules to {}",
        args.lines,
        args.modules,
        args.out.display()
    );
    Ok(true)
}

/// Writes a workspace.
pub fn write_workspace(out: &Path, language: Language, size: Size) -> Result<()> {
    for (path, text) in generate(language, size)? {
        write(&out.join(path), &text)?;
    }
    Ok(())
}

fn generate(language: Language, size: Size) -> Result<Vec<File>> {
    if size.modules == 0 || size.lines / size.modules < LEAST_LINES {
        return Err(format!("a module needs {LEAST_LINES} lines"));
    }
    let plan = plan::plan(size.lines, size.modules, size.seed);
    Ok(match language {
        Language::Linnet => linnet::render(&plan, size.seed),
        Language::Python => python::render(&plan, size.seed),
    })
}

/// Lines of a file in the making.
#[derive(Default)]
struct Lines(Vec<String>);

impl Lines {
    /// Adds a text, line by line.
    fn add(&mut self, text: impl AsRef<str>) {
        self.0.extend(text.as_ref().lines().map(String::from));
    }

    fn blank(&mut self) {
        self.0.push(String::new());
    }

    fn len(&self) -> usize {
        self.0.len()
    }

    fn text(&self) -> String {
        let mut text = self.0.join("\n");
        text.push('\n');
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SIZE: Size = Size {
        lines: 2_000,
        modules: 20,
        seed: 7,
    };

    #[test]
    fn lines_and_modules_are_as_asked() {
        for (language, extension) in [(Language::Linnet, ".linnet"), (Language::Python, ".py")] {
            let files = generate(language, SIZE).expect("fits");
            let modules: Vec<_> = files
                .iter()
                .filter(|(path, _)| path.ends_with(extension) && !path.starts_with("twin_std"))
                .filter(|(path, _)| !path.ends_with("__init__.py"))
                .collect();
            assert_eq!(modules.len(), SIZE.modules, "{language:?}");
            let lines: usize = modules.iter().map(|(_, text)| text.lines().count()).sum();
            assert_eq!(lines, SIZE.lines, "{language:?}");
        }
    }

    #[test]
    fn a_seed_decides_everything() {
        let of = |seed| generate(Language::Linnet, Size { seed, ..SIZE }).expect("fits");
        assert_eq!(of(7), of(7));
        assert_ne!(of(7), of(8));
    }

    #[test]
    fn too_short_modules_are_refused() {
        assert!(
            generate(
                Language::Linnet,
                Size {
                    lines: 100,
                    modules: 10,
                    seed: 1
                }
            )
            .is_err()
        );
    }
}
