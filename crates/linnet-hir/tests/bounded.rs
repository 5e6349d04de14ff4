//! Small texts that once took time beyond measure: each is checked well within a test's patience.

use std::path::Path;

use linnet_hir::check::diagnostics;
use linnet_hir::db::{Db, RootDatabase};

fn codes(text: &str) -> Vec<&'static str> {
    let mut db = RootDatabase::in_memory();
    let path = Path::new("/bounded.linnet");
    db.set_file_text(path, Some(format!("module bounded\n\n{text}")));
    let file = db.file(path);
    diagnostics(&db, file).iter().map(|d| d.code.0).collect()
}

/// A literal on the left learns its dtype without being inferred again.
#[test]
fn nested_selects() {
    let mut expr = "x".to_owned();
    for _ in 0..60 {
        expr = format!("select({expr} > 0.0, 1.0, 2.0) + x");
    }
    let text = format!("fn one(x: f32) -> f32 {{\n    return {expr}\n}}\n");
    assert_eq!(codes(&text), [""; 0]);
}

/// The body of a loop whose head is broken is judged once.
#[test]
fn nested_broken_loops() {
    let text = format!(
        "fn one(x: f32) -> f32 {{\n{}let _y = x\n{}return x\n}}\n",
        "while {\n".repeat(100),
        "}\n".repeat(100)
    );
    assert!(codes(&text).iter().all(|code| *code == "E1101"));
}

/// Arguments beside an unknown name are inferred once.
#[test]
fn nested_concats() {
    let mut expr = "x".to_owned();
    for _ in 0..60 {
        expr = format!("concat({expr}, bad = 1)");
    }
    let text = format!("fn one(x: Tensor[2; f32]) -> Tensor[2; f32] {{\n    return {expr}\n}}\n");
    assert!(codes(&text).iter().all(|code| *code == "E2102"));
}
