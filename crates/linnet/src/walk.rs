//! From the paths of a command line to the files they mean.
//!
//! A folder is searched for `.linnet` files. Hidden entries and what a `.gitignore` names are left out;
//! links are followed, and one that leads into a loop is a fault.

use std::collections::HashSet;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use ignore::WalkBuilder;

/// What was found, in the order of the command line, sorted within each folder.
#[derive(Debug, Default)]
pub struct Found {
    /// Paths as the user would write them, each file once.
    pub files: Vec<PathBuf>,
    pub faults: Vec<(PathBuf, String)>,
}

/// Finds the files that `paths` mean.
pub fn find(paths: &[PathBuf]) -> Found {
    let mut found = Found::default();
    let mut seen = HashSet::new();
    for path in paths {
        match std::fs::metadata(path) {
            Err(error) => found.faults.push((path.clone(), describe(&error))),
            Ok(meta) if meta.is_dir() && !is_source(path) => search(path, &mut found, &mut seen),
            // A folder of a source's name is reported when it is read, like any other file.
            Ok(_) => add(path.clone(), &mut found, &mut seen),
        }
    }
    found
}

/// Whether a path is named like a source.
pub fn is_source(path: &Path) -> bool {
    path.extension() == Some(OsStr::new("linnet"))
}

/// Why a path cannot be used, for people.
pub fn describe(error: &std::io::Error) -> String {
    use std::io::ErrorKind;
    match error.kind() {
        ErrorKind::NotFound | ErrorKind::NotADirectory => "there is no such file or folder".into(),
        ErrorKind::PermissionDenied => "permission denied".into(),
        _ => {
            // The number behind the system's words says nothing to a reader.
            let text = error.to_string();
            match text.split_once(" (os error") {
                Some((words, _)) => words.to_lowercase(),
                None => text,
            }
        }
    }
}

fn add(path: PathBuf, found: &mut Found, seen: &mut HashSet<PathBuf>) {
    let real = path.canonicalize().unwrap_or_else(|_| path.clone());
    if seen.insert(real) {
        found.files.push(path);
    }
}

fn search(folder: &Path, found: &mut Found, seen: &mut HashSet<PathBuf>) {
    let before = found.files.len() + found.faults.len();
    let mut walk = WalkBuilder::new(folder);
    walk.follow_links(true)
        .require_git(false)
        .git_global(false)
        .ignore(false)
        .sort_by_file_name(OsStr::cmp);
    let mut inside_source: Option<PathBuf> = None;
    for entry in walk.build() {
        match entry {
            Ok(entry) => {
                let path = entry.path();
                // A folder of a source's name is a fault as a whole; its contents are none of ours.
                if inside_source
                    .as_ref()
                    .is_some_and(|dir| path.starts_with(dir))
                {
                    continue;
                }
                let is_dir = entry.file_type().is_some_and(|kind| kind.is_dir());
                if is_source(path) && entry.depth() > 0 {
                    if is_dir {
                        inside_source = Some(path.to_path_buf());
                    }
                    add(plain(path, folder), found, seen);
                }
            }
            Err(error) => {
                if let Some(fault) = fault(&error, folder) {
                    found.faults.push(fault);
                }
            }
        }
    }
    if found.files.len() + found.faults.len() == before && !holds_seen(folder, seen) {
        let text = "there is no `.linnet` file in this folder".to_owned();
        found.faults.push((folder.to_path_buf(), text));
    }
}

/// Whether files of the folder were found before, by way of another path.
fn holds_seen(folder: &Path, seen: &HashSet<PathBuf>) -> bool {
    folder
        .canonicalize()
        .is_ok_and(|folder| seen.iter().any(|file| file.starts_with(&folder)))
}

/// `./a.linnet`, which a search of `.` finds, is `a.linnet`.
fn plain(path: &Path, folder: &Path) -> PathBuf {
    let here = folder == Path::new(".");
    let stripped = path.strip_prefix(".").ok().filter(|_| here);
    stripped.unwrap_or(path).to_path_buf()
}

/// What an error of the search means; nothing where it concerns no source.
fn fault(error: &ignore::Error, folder: &Path) -> Option<(PathBuf, String)> {
    let mut path = None;
    let mut inner = error;
    loop {
        match inner {
            ignore::Error::WithPath { path: at, err } => {
                path = Some(at.clone());
                inner = err;
            }
            ignore::Error::WithDepth { err, .. } | ignore::Error::WithLineNumber { err, .. } => {
                inner = err;
            }
            ignore::Error::Loop { ancestor, child } => {
                let text = format!(
                    "this link leads back to {}: a loop",
                    plain(ancestor, folder).display()
                );
                return Some((plain(child, folder), text));
            }
            ignore::Error::Io(error) => {
                let path = path?;
                // A dead link is a fault only where a source should be.
                let dead = error.kind() == std::io::ErrorKind::NotFound;
                let matters = is_source(&path) || !dead;
                return matters.then(|| (plain(&path, folder), describe(error)));
            }
            // A malformed line of a `.gitignore` ignores nothing.
            ignore::Error::Glob { .. } => return None,
            ignore::Error::Partial(_) => return None,
            other => return Some((path.unwrap_or_default(), other.to_string())),
        }
    }
}
