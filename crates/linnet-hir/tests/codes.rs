//! The examples of `linnet explain`: each raises its code and no other, and raises nothing once put right.

use linnet_hir::check::{diagnostics, manifest_diagnostics};
use linnet_hir::codes::CODES;
use linnet_hir::db::{Db, RootDatabase};
use linnet_hir::fixture;

/// The code and message of everything found in the files of a fixture.
fn found(text: &str) -> Vec<(String, String)> {
    let mut db = RootDatabase::in_memory();
    let files = fixture::split(text);
    for (path, text) in &files {
        db.set_file_text(path.as_ref(), Some(text.clone()));
    }
    let diags = files.iter().flat_map(|(path, _)| {
        let file = db.file(path.as_ref());
        if path.ends_with(".toml") {
            manifest_diagnostics(&db, file)
        } else {
            diagnostics(&db, file)
        }
    });
    diags
        .map(|diag| {
            (
                diag.code.to_string(),
                format!("{} ({})", diag.message, diag.label),
            )
        })
        .collect()
}

#[test]
fn every_example_raises_its_code() {
    let mut faults = String::new();
    for info in CODES.iter() {
        let of_example = found(info.example);
        if of_example.is_empty() || of_example.iter().any(|(code, _)| code != info.code) {
            faults.push_str(&format!("{}, the example: {of_example:#?}\n", info.code));
        }
        let of_fixed = found(info.fixed);
        if !of_fixed.is_empty() {
            faults.push_str(&format!("{}, put right: {of_fixed:#?}\n", info.code));
        }
    }
    assert!(faults.is_empty(), "{faults}");
}
