//! The checker, on files and packages, from nothing and after edits.

use std::path::Path;

use linnet_hir::check::{diagnostics, manifest_diagnostics};
use linnet_hir::codes::explain;
use linnet_hir::db::{Db, RootDatabase, SourceFile, shown_text};
use linnet_hir::diag::{Diagnostic, Severity, Span};
use linnet_hir::fixture;
use linnet_syntax::parse;

use super::syntax::{apply, place};

/// What stands between the two versions of an edit, on a line of its own.
pub const EDIT: &str = "//= edit";

/// After so many inputs a database is given up: it keeps every name that it has seen.
const INPUTS: usize = 400;

/// The path of an input that is a single file.
const FILE: &str = "/input.linnet";

/// Checks one input after the other in one database, as an editor does.
pub struct Checker {
    db: RootDatabase,
    inputs: usize,
    /// The files of the last input.
    files: Vec<String>,
}

impl Checker {
    pub fn new() -> Checker {
        Checker {
            db: RootDatabase::in_memory(),
            inputs: 0,
            files: Vec::new(),
        }
    }

    pub fn check(&mut self, input: String) -> Result<(), String> {
        self.inputs += 1;
        if self.inputs > INPUTS {
            *self = Checker::new();
        }
        let files = files(&input);
        self.set(&files);
        let mut all = Vec::new();
        for (path, _) in &files {
            let found = look(&self.db, path)?;
            all.push(found);
        }
        // A single file that can be formatted means the same afterwards.
        if let [(path, text)] = files.as_slice()
            && let Ok(formatted) = linnet_fmt::format(text)
        {
            self.set(&[(path.clone(), formatted.clone())]);
            let (before, after) = (codes(&all[0]), codes(&look(&self.db, path)?));
            if before != after {
                return Err(format!(
                    "formatting changes the diagnostics: {before:?} became {after:?}\n{formatted}"
                ));
            }
        }
        Ok(())
    }

    /// Only these files exist.
    fn set(&mut self, files: &[(String, String)]) {
        for path in &self.files {
            if !files.iter().any(|(new, _)| new == path) {
                self.db.set_file_text(Path::new(path), None);
            }
        }
        for (path, text) in files {
            self.db.set_file_text(Path::new(path), Some(text.clone()));
        }
        self.files = files.iter().map(|(path, _)| path.clone()).collect();
        self.db.take_executed();
    }
}

/// The files of an input.
fn files(input: &str) -> Vec<(String, String)> {
    if input.starts_with("//- ") {
        // A fixture may name any path; one that is no file of a package says nothing.
        let mut files = fixture::split(input);
        files.retain(|(path, _)| path.starts_with('/'));
        return files;
    }
    vec![(FILE.to_owned(), input.to_owned())]
}

/// The diagnostics of a file, which must be sound.
fn look(db: &RootDatabase, path: &str) -> Result<Vec<Diagnostic<Span>>, String> {
    let file = db.file(Path::new(path));
    let found = if path.ends_with("linnet.toml") {
        manifest_diagnostics(db, file)
    } else {
        diagnostics(db, file)
    };
    for diagnostic in &found {
        sound(db, file, diagnostic).map_err(|fault| {
            format!(
                "{fault}: {} {} in {path}",
                diagnostic.code, diagnostic.message
            )
        })?;
    }
    let is_error = |d: &Diagnostic<Span>| d.severity() == Severity::Error;
    if found.iter().any(is_error) && !found.iter().all(is_error) {
        return Err(format!("warnings beside errors: in {path}"));
    }
    Ok(found)
}

/// Places lie in their files, codes are known, fixes can be applied.
fn sound(db: &RootDatabase, file: SourceFile, diagnostic: &Diagnostic<Span>) -> Result<(), String> {
    let inside = |span: &Span| place(shown_text(db, span.file), span.range);
    if diagnostic.span.file != file {
        return Err("a diagnostic of another file".to_owned());
    }
    inside(&diagnostic.span)?;
    for (span, _) in &diagnostic.related {
        inside(span)?;
    }
    if explain(diagnostic.code.0).is_none() {
        return Err("an unknown code".to_owned());
    }
    if diagnostic.message.is_empty() {
        return Err("an empty message".to_owned());
    }
    for fix in &diagnostic.fixes {
        let Some((first, _)) = fix.edits.first() else {
            return Err("a fix without edits".to_owned());
        };
        let text = shown_text(db, first.file);
        let mut edits = Vec::new();
        for (span, new) in &fix.edits {
            if span.file != first.file {
                return Err("a fix in two files".to_owned());
            }
            inside(span)?;
            edits.push((span.range, new.clone()));
        }
        edits.sort_by_key(|(range, _)| (range.start(), range.end()));
        let fixed = apply(text, &edits)?;
        // What has syntax errors may show more of them once the first is gone.
        if parse(text).errors().is_empty() && !parse(&fixed).errors().is_empty() {
            return Err(format!("a fix breaks the syntax: `{}`", fix.title));
        }
    }
    Ok(())
}

fn codes(found: &[Diagnostic<Span>]) -> Vec<&'static str> {
    let mut codes: Vec<&str> = found.iter().map(|d| d.code.0).collect();
    codes.sort_unstable();
    codes
}

/// After an edit, and after its undoing, all is as if checked from nothing.
pub fn incremental(input: String) -> Result<(), String> {
    let separator = format!("\n{EDIT}\n");
    let Some((before, after)) = input.split_once(&separator) else {
        return Ok(());
    };
    let (before, after) = (files(before), files(after));
    let mut checker = Checker::new();
    let fresh_before = checked(&mut checker, &before);
    let edited = checked(&mut checker, &after);
    let undone = checked(&mut checker, &before);
    let fresh_after = checked(&mut Checker::new(), &after);
    same("an edit", &fresh_after, &edited)?;
    same("undoing an edit", &fresh_before, &undone)
}

fn same(what: &str, fresh: &[String], found: &[String]) -> Result<(), String> {
    if fresh == found {
        return Ok(());
    }
    let only = |a: &[String], b: &[String]| -> String {
        a.iter()
            .filter(|line| !b.contains(line))
            .map(|line| format!("  {line}\n"))
            .collect()
    };
    Err(format!(
        "{what} gives other diagnostics\n only from nothing:\n{} only after it:\n{}",
        only(fresh, found),
        only(found, fresh)
    ))
}

/// Everything said about these files, as text.
fn checked(checker: &mut Checker, files: &[(String, String)]) -> Vec<String> {
    checker.set(files);
    let db = &checker.db;
    let mut said = Vec::new();
    for (path, _) in files {
        let file = db.file(Path::new(path));
        let found = if path.ends_with("linnet.toml") {
            manifest_diagnostics(db, file)
        } else {
            diagnostics(db, file)
        };
        said.extend(found.iter().map(|d| {
            let related: Vec<_> = d
                .related
                .iter()
                .map(|(span, text)| format!("{} {:?} {text}", span.file.path(db), span.range))
                .collect();
            format!(
                "{path} {:?} {} {} [{}] {related:?} {:?} {:?}",
                d.span.range, d.code, d.message, d.label, d.notes, d.help
            )
        }));
    }
    said
}
