//! The conformance cases of `tests/spec`: every expected diagnostic, and no other (see the README there).

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use linnet_hir::check::{diagnostics, manifest_diagnostics};
use linnet_hir::db::{Db, RootDatabase, StdSource, shown_text};

/// Line numbers from 1, each with the codes expected or found there, sorted.
type Codes = BTreeMap<usize, Vec<String>>;

fn spec_root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/spec")
}

fn sorted(dir: &Path) -> Vec<PathBuf> {
    let mut out: Vec<PathBuf> = std::fs::read_dir(dir)
        .expect("a folder")
        .map(|e| e.expect("an entry").path())
        .collect();
    out.sort();
    out
}

/// Reads `//~ E2203 E2201`, `//~^ E1101` (and `#~` in manifests).
fn expectations(text: &str, marker: &str) -> Codes {
    let mut out = Codes::new();
    for (i, line) in text.lines().enumerate() {
        let Some(at) = line.find(marker) else {
            continue;
        };
        let rest = &line[at + marker.len()..];
        let up = rest.chars().take_while(|c| *c == '^').count();
        let codes = rest[up..].split_whitespace().map(str::to_string);
        out.entry(i + 1 - up).or_default().extend(codes);
    }
    for codes in out.values_mut() {
        codes.sort();
    }
    out
}

struct Case {
    name: String,
    files: Vec<PathBuf>,
}

fn collect(dir: &Path, files: &mut Vec<PathBuf>) {
    for path in sorted(dir) {
        if path.is_dir() {
            collect(&path, files);
        } else if path.extension().is_some_and(|e| e == "linnet") || path.ends_with("linnet.toml") {
            files.push(path);
        }
    }
}

fn cases() -> Vec<Case> {
    let root = spec_root();
    let mut out = Vec::new();
    for area in sorted(&root).into_iter().filter(|p| p.is_dir()) {
        for path in sorted(&area) {
            let name = path
                .strip_prefix(&root)
                .expect("below")
                .display()
                .to_string();
            if path.is_dir() {
                let mut files = Vec::new();
                collect(&path, &mut files);
                out.push(Case { name, files });
            } else if path.extension().is_some_and(|e| e == "linnet") {
                out.push(Case {
                    name,
                    files: vec![path],
                });
            }
        }
    }
    out
}

fn run(case: &Case) -> Result<(), String> {
    let db = RootDatabase::new(StdSource::Embedded);
    let mut faults = String::new();
    for path in &case.files {
        let file = db.file(path);
        // What stands after a byte that source cannot hold counts here, though nobody else reads it.
        let bytes = std::fs::read(path).expect("a file");
        let whole = String::from_utf8_lossy(&bytes);
        let text = shown_text(&db, file);
        let toml = path.ends_with("linnet.toml");
        let expected = expectations(&whole, if toml { "#~" } else { "//~" });
        let diags = if toml {
            manifest_diagnostics(&db, file)
        } else {
            diagnostics(&db, file)
        };
        let mut found = Codes::new();
        let mut shown = String::new();
        for d in &diags {
            let line = text[..usize::from(d.span.range.start())]
                .matches('\n')
                .count()
                + 1;
            found.entry(line).or_default().push(d.code.to_string());
            shown.push_str(&format!(
                "    {line}: {} {} ({})\n",
                d.code, d.message, d.label
            ));
        }
        for codes in found.values_mut() {
            codes.sort();
        }
        if expected != found {
            let file = path.strip_prefix(spec_root()).unwrap_or(path).display();
            faults.push_str(&format!(
                "  {file}\n   expected {expected:?}\n   found\n{shown}"
            ));
        }
    }
    if faults.is_empty() {
        Ok(())
    } else {
        Err(faults)
    }
}

#[test]
fn conformance() {
    let only = std::env::var("SPEC").unwrap_or_default();
    let mut counts: BTreeMap<String, (usize, usize)> = BTreeMap::new();
    let mut report = String::new();
    for case in cases().iter().filter(|c| c.name.contains(&only)) {
        let area = case.name.split('/').next().unwrap_or_default().to_string();
        let entry = counts.entry(area).or_default();
        match run(case) {
            Ok(()) => entry.0 += 1,
            Err(faults) => {
                entry.1 += 1;
                report.push_str(&faults);
            }
        }
    }
    let (passed, failed) = counts
        .values()
        .fold((0, 0), |(p, f), (a, b)| (p + a, f + b));
    for (area, (p, f)) in &counts {
        println!("spec {area}: {p} passed, {f} failed");
    }
    println!("spec: {passed} passed, {failed} failed");
    assert!(passed + failed > 0, "no case ran");
    assert!(
        failed == 0,
        "{failed} of {} cases fail:\n{report}",
        passed + failed
    );
}

/// Every code has at least two cases, and the suite does not shrink.
#[test]
fn coverage() {
    let mut seen: BTreeMap<String, usize> = BTreeMap::new();
    let cases = cases();
    for case in &cases {
        for path in &case.files {
            let Ok(bytes) = std::fs::read(path) else {
                continue;
            };
            let text = String::from_utf8_lossy(&bytes);
            let marker = if path.ends_with("linnet.toml") {
                "#~"
            } else {
                "//~"
            };
            let mut here: Vec<String> = expectations(&text, marker)
                .into_values()
                .flatten()
                .collect();
            here.sort();
            here.dedup();
            for code in here {
                *seen.entry(code).or_default() += 1;
            }
        }
    }
    assert!(cases.len() >= 250, "{} cases", cases.len());
    let few: Vec<&str> = linnet_hir::codes::CODES
        .iter()
        .map(|c| c.code)
        .filter(|c| seen.get(*c).copied().unwrap_or(0) < 2)
        .collect();
    assert!(few.is_empty(), "codes with fewer than two cases: {few:?}");
}
