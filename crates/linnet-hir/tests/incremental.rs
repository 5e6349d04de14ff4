//! What an edit makes the database compute again, counted by query.

use std::collections::BTreeMap;

use linnet_hir::check::{CheckOptions, check_all, diagnostics};
use linnet_hir::db::{Db, RootDatabase, SourceFile};
use linnet_hir::fixture;

const WORKSPACE: &str = r#"
//- /p/linnet.toml
[package]
name = "p"
version = "0.1.0"
//- /p/src/shapes.linnet
module shapes

pub const WIDTH = 4

pub fn scale(x: Tensor[WIDTH; f32]) -> Tensor[WIDTH; f32] {
    let factor: f32 = 2.0
    return x * factor
}

pub fn shift(x: Tensor[WIDTH; f32]) -> Tensor[WIDTH; f32] {
    return x + 1.0
}
//- /p/src/model.linnet
module model

use std.nn.activations::{relu}
use crate.shapes::{WIDTH, scale, shift}

pub fn scaled(x: Tensor[WIDTH; f32]) -> Tensor[WIDTH; f32] {
    return scale(x)
}

pub fn shifted(x: Tensor[WIDTH; f32]) -> Tensor[WIDTH; f32] {
    return relu(shift(x))
}
//- /p/src/other.linnet
module other

pub fn alone(x: f32) -> f32 {
    return x
}
"#;

/// A database with everything checked once.
struct Checked {
    db: RootDatabase,
    files: Vec<SourceFile>,
}

impl Checked {
    fn new() -> Checked {
        let (db, files) = fixture::load(WORKSPACE);
        let checked = Checked { db, files };
        assert_eq!(checked.codes(), [""; 0]);
        checked.db.take_executed();
        checked
    }

    fn codes(&self) -> Vec<String> {
        let diags = self
            .files
            .iter()
            .flat_map(|file| diagnostics(&self.db, *file));
        diags.map(|diag| diag.code.to_string()).collect()
    }

    /// Replaces text in one file, checks everything, and counts what was executed for it.
    fn edit(&mut self, name: &str, from: &str, to: &str) -> BTreeMap<String, usize> {
        let path = format!("/p/src/{name}.linnet");
        let file = self.db.file(path.as_ref());
        let text = linnet_hir::db::text(&self.db, file).to_owned();
        assert!(text.contains(from), "{from} is not in {name}");
        self.db
            .set_file_text(path.as_ref(), Some(text.replace(from, to)));
        self.codes();
        let mut counts = BTreeMap::new();
        for query in self.db.take_executed() {
            *counts.entry(query).or_default() += 1;
        }
        counts
    }
}

fn count(counts: &BTreeMap<String, usize>, query: &str) -> usize {
    counts.get(query).copied().unwrap_or(0)
}

/// Queries that give meaning, apart from those that only read the text again.
const MEANING: [&str; 6] = [
    "header",
    "sig",
    "infer",
    "module_scope",
    "imports",
    "item_cycles",
];

#[test]
fn nothing_is_computed_twice() {
    let mut checked = Checked::new();
    assert_eq!(checked.codes(), [""; 0]);
    assert_eq!(checked.db.take_executed(), [""; 0]);
    // The same text is no edit.
    assert_eq!(checked.edit("shapes", "2.0", "2.0"), BTreeMap::new());
}

#[test]
fn an_edit_in_a_body_infers_that_body_alone() {
    let mut checked = Checked::new();
    let counts = checked.edit("shapes", "let factor: f32 = 2.0", "let factor: f32 = 3.0");
    assert_eq!(count(&counts, "parse"), 1, "{counts:?}");
    assert_eq!(count(&counts, "infer"), 1, "{counts:?}");
    for query in [
        "header",
        "sig",
        "module_scope",
        "imports",
        "item_cycles",
        "module_items",
    ] {
        assert_eq!(count(&counts, query), 0, "{query}: {counts:?}");
    }
    // A fault that comes and goes.
    let counts = checked.edit("shapes", "let factor: f32 = 3.0", "let factor: f32 = true");
    assert_eq!(count(&counts, "infer"), 1, "{counts:?}");
    assert_eq!(checked.codes(), ["E2101"]);
    checked.edit("shapes", "let factor: f32 = true", "let factor: f32 = 2.0");
    assert_eq!(checked.codes(), [""; 0]);
}

#[test]
fn white_space_and_comments_change_no_meaning() {
    let mut checked = Checked::new();
    for (from, to) in [
        ("module shapes\n", "module shapes\n\n\n// a comment\n"),
        ("    let factor", "    // why\n    let factor"),
        ("pub fn shift", "/// Adds one.\npub fn shift"),
        ("x * factor", "x   *   factor"),
        ("x: Tensor[WIDTH; f32]", "x  :  Tensor[ WIDTH;f32 ]"),
    ] {
        let counts = checked.edit("shapes", from, to);
        assert_eq!(count(&counts, "parse"), 1, "{to}: {counts:?}");
        for query in MEANING {
            assert_eq!(count(&counts, query), 0, "{query} after {to}: {counts:?}");
        }
        assert_eq!(count(&counts, "file_report"), 0, "{to}: {counts:?}");
    }
}

#[test]
fn a_changed_signature_infers_its_users_and_no_others() {
    let mut checked = Checked::new();
    // `scale` itself and `scaled`, which calls it; not `shift`, `shifted` or `alone`.
    let counts = checked.edit("shapes", "pub fn scale(x:", "pub fn scale(y:");
    assert_eq!(checked.codes(), ["E1201"]);
    assert_eq!(count(&counts, "infer"), 2, "{counts:?}");
    assert_eq!(count(&counts, "sig"), 1, "{counts:?}");
}

#[test]
fn an_item_more_changes_nothing_in_other_modules() {
    let mut checked = Checked::new();
    // It may change what a name means in its own module, where three are inferred; `model` is left alone.
    let more = "module shapes\n\nfn unused_elsewhere(x: f32) -> f32 {\n    return x\n}\n";
    let counts = checked.edit("shapes", "module shapes\n", more);
    assert!(count(&counts, "infer") <= 3, "{counts:?}");
    assert!(count(&counts, "sig") <= 4, "{counts:?}");
    assert_eq!(count(&counts, "file_report"), 1, "{counts:?}");
}

#[test]
fn an_item_that_moves_is_the_same_item() {
    let mut checked = Checked::new();
    let path = "/p/src/shapes.linnet";
    let text = linnet_hir::db::text(&checked.db, checked.files[0]).to_owned();
    let (head, shift) = text.split_at(text.find("pub fn shift").expect("it is there"));
    let (start, scale) = head.split_at(head.find("pub fn scale").expect("it is there"));
    checked
        .db
        .set_file_text(path.as_ref(), Some(format!("{start}{shift}\n{scale}")));
    checked.codes();
    let executed = checked.db.take_executed();
    for query in ["sig", "header", "infer"] {
        assert!(
            !executed.iter().any(|name| name == query),
            "{query}: {executed:?}"
        );
    }
}

#[test]
fn the_standard_library_is_never_read_again() {
    let mut checked = Checked::new();
    let counts = checked.edit("model", "relu(shift(x))", "relu(shift(x + 1.0))");
    assert_eq!(count(&counts, "front"), 1, "{counts:?}");
    assert_eq!(count(&counts, "infer"), 1, "{counts:?}");
}

#[test]
fn a_module_that_comes_and_goes() {
    let mut checked = Checked::new();
    checked.edit(
        "other",
        "module other\n",
        "module other\n\nuse crate.late::{LATE}\n",
    );
    assert_eq!(checked.codes(), ["E1202"]);
    let late = "/p/src/late.linnet".as_ref();
    checked
        .db
        .set_file_text(late, Some("module late\n\npub const LATE = 1\n".to_owned()));
    assert_eq!(checked.codes(), ["W1001"]);
    checked.db.set_file_text(late, None);
    assert_eq!(checked.codes(), ["E1202"]);
}

#[test]
fn a_manifest_that_changes() {
    let mut checked = Checked::new();
    checked.edit(
        "other",
        "module other\n",
        "module other\n\nuse dep::{ONE}\n",
    );
    assert_eq!(checked.codes(), ["E1202"]);
    let mut set = |path: &str, text: &str| {
        checked
            .db
            .set_file_text(path.as_ref(), Some(text.to_owned()));
    };
    set("/d/linnet.toml", "[package]\nname = 'd'\nversion = '1'\n");
    set("/d/src/lib.linnet", "module d\n\npub const ONE = 1\n");
    let head = "[package]\nname = 'p'\nversion = '1'\n";
    set(
        "/p/linnet.toml",
        &format!("{head}[dependencies]\ndep = {{ path = '../d' }}\n"),
    );
    assert_eq!(checked.codes(), ["W1001"]);
    checked
        .db
        .set_file_text("/p/linnet.toml".as_ref(), Some(head.to_owned()));
    assert_eq!(checked.codes(), ["E1202"]);
}

#[test]
fn a_cycle_that_comes_and_goes() {
    let mut checked = Checked::new();
    checked.edit(
        "shapes",
        "module shapes\n",
        "module shapes\n\nuse crate.model::{scaled}\n",
    );
    // Both ends say so; what was imported is unknown and raises nothing more.
    assert_eq!(checked.codes(), ["E1206", "E1206"]);
    checked.edit(
        "shapes",
        "module shapes\n\nuse crate.model::{scaled}\n",
        "module shapes\n",
    );
    assert_eq!(checked.codes(), [""; 0]);
}

#[test]
fn an_edit_waits_for_no_memo_of_untouched_files() {
    // The other files are not even looked at: their queries are valid by durability, or by what they read.
    let (mut db, _) = fixture::load(WORKSPACE);
    let roots =
        ["shapes", "model", "other"].map(|name| db.file(format!("/p/src/{name}.linnet").as_ref()));
    let first = check_all(&db, &roots, CheckOptions::default());
    assert_eq!((first.functions, first.files.len()), (5, 4));
    db.take_executed();
    db.set_file_text(
        "/p/src/other.linnet".as_ref(),
        Some("module other\n".to_owned()),
    );
    let second = check_all(&db, &roots, CheckOptions::default());
    assert_eq!(second.functions, 4);
    let executed = db.take_executed();
    assert_eq!(
        executed
            .iter()
            .filter(|name| *name == "file_report")
            .count(),
        1,
        "{executed:?}"
    );
}
