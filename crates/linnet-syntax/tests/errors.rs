//! The faults of broken texts, case by case.
//!
//! `tests/data/errors/*.txt` hold cases of the form
//!
//! ```text
//! === what is tested
//! source
//! ---
//! line:column `marked text` CODE message; help; fix
//! ```
//!
//! A source without a `module` line gets one before it, not counted as a line. `UPDATE_EXPECT=1`
//! writes what is found now; read the difference before keeping it.

use std::{fmt::Write as _, fs, path::PathBuf};

use linnet_syntax::{Parse, SyntaxError, parse};

const HEADER: &str = "module m\n";

#[test]
fn broken_texts_have_the_faults_written_beside_them() {
    let mut files = 0;
    for path in data("errors") {
        let text = fs::read_to_string(&path).unwrap();
        expect_test::expect_file![&path].assert_eq(&with_found_faults(&text));
        files += 1;
    }
    assert!(files >= 5, "the cases were not found");
}

#[test]
fn a_fix_leaves_no_fault_of_its_own_behind() {
    let mut fixes = 0;
    for path in data("errors") {
        let text = fs::read_to_string(&path).unwrap();
        for (title, source) in cases(&text) {
            let (before, parse, _) = parse_case(source);
            for error in parse.errors() {
                let Some(fix) = &error.fix else { continue };
                let after = linnet_syntax::parse(&apply(&before, error));
                let stays = after
                    .errors
                    .iter()
                    .any(|other| other.message == error.message);
                let repeated = parse
                    .errors()
                    .iter()
                    .filter(|other| other.message == error.message)
                    .count()
                    > 1;
                assert!(
                    after.errors.len() <= parse.errors.len() && (!stays || repeated),
                    "{title}: {} leaves {:?}",
                    fix.title,
                    after.errors
                );
                fixes += 1;
            }
        }
    }
    assert!(fixes >= 20, "only {fixes} fixes were tried");
}

fn apply(text: &str, error: &SyntaxError) -> String {
    let mut text = text.to_owned();
    let mut edits = error.fix.clone().unwrap().edits;
    edits.sort_by_key(|(range, _)| std::cmp::Reverse(range.start()));
    for (range, new) in edits {
        text.replace_range(std::ops::Range::<usize>::from(range), &new);
    }
    text
}

fn data(folder: &str) -> Vec<PathBuf> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR"))
        .join("tests/data")
        .join(folder);
    let mut paths: Vec<_> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    paths.sort();
    paths
}

/// The titles and sources of the cases in a file.
fn cases(text: &str) -> impl Iterator<Item = (&str, &str)> {
    text.split("=== ").skip(1).map(|case| {
        let (title, rest) = case.split_once('\n').unwrap_or((case, ""));
        let source = rest.split("\n---\n").next().unwrap_or("");
        (title, source)
    })
}

/// The text parsed, what came of it, and the length of the header put before the source.
fn parse_case(source: &str) -> (String, Parse, usize) {
    // `\u{..}`-style escapes keep the case files readable.
    let source = source
        .replace("<NUL>", "\0")
        .replace("<BOM>", "\u{feff}")
        .replace("<NBSP>", "\u{a0}");
    let bare = source.starts_with("<BARE>\n");
    let source = source.strip_prefix("<BARE>\n").unwrap_or(&source);
    let header = if bare || source.contains("module ") {
        ""
    } else {
        HEADER
    };
    let text = format!("{header}{source}");
    let parse = parse(&text);
    assert_eq!(
        parse.syntax().to_string(),
        text,
        "the tree prints back differently"
    );
    (text, parse, header.len())
}

fn with_found_faults(text: &str) -> String {
    let mut out = String::new();
    out.push_str(text.split("=== ").next().unwrap_or(""));
    for (title, source) in cases(text) {
        let (parsed, parse, header) = parse_case(source);
        write!(out, "=== {title}\n{source}\n---\n").unwrap();
        for error in parse.errors() {
            writeln!(out, "{}", describe(&parsed, header, error)).unwrap();
        }
        out.push('\n');
    }
    out
}

fn describe(text: &str, header: usize, error: &SyntaxError) -> String {
    let start = usize::from(error.range.start());
    let before = &text[header.min(start)..start];
    let line = before.matches('\n').count() + 1;
    let column = before.chars().rev().take_while(|c| *c != '\n').count() + 1;
    let marked = &text[std::ops::Range::<usize>::from(error.range)];
    let mut out = format!(
        "{line}:{column} `{}` {} {}",
        marked.escape_debug(),
        error.code,
        error.message
    );
    if let Some(help) = &error.help {
        write!(out, "; help: {help}").unwrap();
    }
    if let Some(fix) = &error.fix {
        write!(out, "; fix: {}", fix.title).unwrap();
    }
    out
}
