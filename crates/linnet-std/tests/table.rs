//! The embedded table and the folder it is made from.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// All `.linnet` files below the library's root, by their path relative to it.
fn files_on_disk() -> BTreeMap<String, String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("std");
    let mut folders: Vec<PathBuf> = vec![root.clone()];
    let mut files = BTreeMap::new();
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).expect("a readable folder") {
            let path = entry.expect("a readable entry").path();
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            let relative = path.strip_prefix(&root).expect("a path below the root");
            let name = relative.to_str().expect("a UTF-8 name").replace('\\', "/");
            files.insert(name, fs::read_to_string(&path).expect("a readable file"));
        }
    }
    files
}

#[test]
fn the_table_is_the_folder() {
    let embedded: BTreeMap<String, String> = linnet_std::sources()
        .iter()
        .map(|&(_, file, text)| (file.to_owned(), text.to_owned()))
        .collect();
    assert_eq!(
        embedded.len(),
        linnet_std::sources().len(),
        "a file is listed twice"
    );
    assert_eq!(embedded, files_on_disk());
}

#[test]
fn a_module_is_named_by_its_file_and_first_line() {
    for &(module, file, text) in linnet_std::sources() {
        let from_file = format!("std.{}", file.trim_end_matches(".linnet").replace('/', "."));
        assert_eq!(module, from_file);
        assert_eq!(
            text.lines().next(),
            Some(format!("module {module}").as_str()),
            "{file}"
        );
    }
}

#[test]
fn modules_are_sorted_and_found() {
    assert!(linnet_std::modules().is_sorted());
    for &(module, _, text) in linnet_std::sources() {
        assert_eq!(linnet_std::source(module), Some(text));
    }
    for absent in [
        "",
        "std",
        "std.nn",
        "std.nn.linea",
        "std.nn.linears",
        "nn.linear",
    ] {
        assert_eq!(linnet_std::source(absent), None, "{absent}");
    }
}

#[test]
fn lines_fit_and_ops_are_documented() {
    for &(_, file, text) in linnet_std::sources() {
        assert!(text.ends_with('\n') && !text.ends_with("\n\n"), "{file}");
        let mut previous = "";
        for (number, line) in text.lines().enumerate() {
            let at = format!("{file}:{}", number + 1);
            assert!(line.chars().count() <= 100, "{at} is too long");
            assert!(
                !line.contains('\t') && line.trim_end() == line,
                "{at} has stray white space"
            );
            if line.trim_start().starts_with("pub ") {
                assert!(
                    previous.trim_start().starts_with("///"),
                    "{at} has no doc comment"
                );
            }
            previous = line;
        }
    }
}

#[test]
fn every_op_says_what_it_accumulates_in() {
    for &(_, file, text) in linnet_std::sources() {
        let mut doc = String::new();
        for line in text.lines() {
            if let Some(comment) = line.strip_prefix("///") {
                doc.push_str(comment);
                continue;
            }
            if let Some(op) = line.strip_prefix("pub op ") {
                let name = op.split(['<', '(']).next().unwrap_or(op);
                assert!(
                    doc.contains("ccumulat"),
                    "{file}: {name} does not say what it accumulates in"
                );
            }
            doc.clear();
        }
    }
}
