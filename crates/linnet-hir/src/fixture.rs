//! Several files in one text, for tests: `//- /path` begins a file.

use std::path::Path;

use crate::db::{Db, RootDatabase, SourceFile};

/// The files of a fixture, in order, each with its path and text.
///
/// Text before the first marker is the file `/test.linnet`.
pub fn split(fixture: &str) -> Vec<(String, String)> {
    let mut files: Vec<(String, String)> = Vec::new();
    for line in fixture.split_inclusive('\n') {
        if let Some(path) = line.strip_prefix("//- ") {
            files.push((path.trim().to_owned(), String::new()));
            continue;
        }
        if files.is_empty() {
            if line.trim().is_empty() {
                continue;
            }
            files.push(("/test.linnet".to_owned(), String::new()));
        }
        if let Some((_, text)) = files.last_mut() {
            text.push_str(line);
        }
    }
    files
}

/// A database in memory that holds the files of a fixture, and its `.linnet` files in order.
pub fn load(fixture: &str) -> (RootDatabase, Vec<SourceFile>) {
    let mut db = RootDatabase::in_memory();
    let mut files = Vec::new();
    for (path, text) in split(fixture) {
        db.set_file_text(Path::new(&path), Some(text));
        if path.ends_with(".linnet") {
            files.push(db.file(Path::new(&path)));
        }
    }
    (db, files)
}
