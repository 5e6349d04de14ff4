//! The forms of reports: text, JSON, GitHub and SARIF.

use serde_json::{Value, json};

use crate::setup::{BROKEN, CLEAN, Folder, UNUSED};

/// Two functions of one name: a fault with a related place, behind characters of several bytes.
const TWICE: &str = "module twice

/* é🐦 */ fn one(x: f32) -> f32 {
    return x
}

/* é🐦 */ fn one(x: f32) -> f32 {
    return x
}
";

#[test]
fn json_of_a_clean_file() {
    let folder = Folder::new("");
    folder.write("clean.linnet", CLEAN);
    let run = folder.run("check --json clean.linnet").exits(0);
    let expected = json!({
        "version": 1,
        "diagnostics": [],
        "summary": {"errors": 0, "warnings": 0},
    });
    assert_eq!(run.json(), expected);
    assert_eq!(run.stderr, "");
    assert!(run.stdout.ends_with("}\n"));
    assert_eq!(
        folder.run("check --format json clean.linnet").stdout,
        run.stdout
    );
}

#[test]
fn json_positions() {
    let folder = Folder::new("");
    folder.write("sub/twice.linnet", TWICE);
    let run = folder.run("check --json sub").exits(1);
    let json = run.json();
    assert_eq!(json["summary"], json!({"errors": 1, "warnings": 0}));
    let fault = &json["diagnostics"][0];
    let second = TWICE.rfind("one").unwrap();
    assert_eq!(fault["code"], "E1204");
    assert_eq!(fault["severity"], "error");
    // `/* é🐦 */ fn ` has 12 characters in 16 bytes.
    assert_eq!(
        fault["location"],
        json!({
            "file": "sub/twice.linnet",
            "start": {"line": 7, "column": 13, "offset": second},
            "end": {"line": 7, "column": 16, "offset": second + 3},
        })
    );
    let first = TWICE.find("one").unwrap();
    let related = &fault["related"][0];
    assert_eq!(
        related["location"]["start"],
        json!({"line": 3, "column": 13, "offset": first})
    );
    assert!(related["message"].is_string());
    let keys: Vec<&String> = fault.as_object().unwrap().keys().collect();
    let mut expected = [
        "code", "fixes", "help", "label", "location", "message", "notes", "related", "severity",
    ];
    expected.sort_unstable();
    assert_eq!(keys, expected);
}

#[test]
fn json_fixes() {
    let folder = Folder::new("");
    folder.write("unused.linnet", UNUSED);
    let run = folder.run("check --json unused.linnet").exits(0);
    let json = run.json();
    assert_eq!(json["summary"], json!({"errors": 0, "warnings": 1}));
    let fault = &json["diagnostics"][0];
    assert_eq!(
        (&fault["code"], &fault["severity"]),
        (&json!("W1001"), &json!("warning"))
    );
    let edit = &fault["fixes"][0]["edits"][0];
    assert!(fault["fixes"][0]["title"].is_string());
    let at = |end: &str| edit["location"][end]["offset"].as_u64().unwrap() as usize;
    let mut fixed = UNUSED.to_owned();
    fixed.replace_range(
        at("start")..at("end"),
        edit["replacement"].as_str().unwrap(),
    );
    folder.write("unused.linnet", &fixed);
    folder.run("check --strict unused.linnet").exits(0);
}

#[test]
fn json_of_what_cannot_be_read() {
    let folder = Folder::new("");
    let run = folder.run("check --json none.linnet").exits(1);
    let json = run.json();
    let start = json!({"line": 1, "column": 1, "offset": 0});
    assert_eq!(
        json["diagnostics"][0]["location"],
        json!({"file": "none.linnet", "start": start, "end": start})
    );
}

#[test]
fn reports_are_ordered_by_file_and_place() {
    let folder = Folder::new("");
    folder.write("b.linnet", TWICE);
    folder.write(
        "a.linnet",
        format!("{TWICE}fn two(x: f32, x: f32) -> f32 {{\n    return x\n}}\n"),
    );
    let json = folder.run("check --json b.linnet a.linnet").exits(1).json();
    let order: Vec<(&str, u64)> = json["diagnostics"]
        .as_array()
        .unwrap()
        .iter()
        .map(|d| {
            let at = &d["location"];
            (
                at["file"].as_str().unwrap(),
                at["start"]["line"].as_u64().unwrap(),
            )
        })
        .collect();
    assert_eq!(order, [("a.linnet", 7), ("a.linnet", 10), ("b.linnet", 7)]);
}

#[test]
fn github_commands() {
    let folder = Folder::new("");
    folder.write("twice.linnet", TWICE);
    folder.write("unused.linnet", UNUSED);
    let run = folder
        .run("check --format github twice.linnet unused.linnet")
        .exits(1);
    let lines: Vec<&str> = run.stdout.lines().collect();
    assert_eq!(lines.len(), 2, "{}", run.stdout);
    let error = "::error file=twice.linnet,line=7,endLine=7,col=13,endColumn=16,title=E1204::";
    assert!(lines[0].starts_with(error), "{}", lines[0]);
    assert!(
        lines[1].starts_with("::warning file=unused.linnet,line=3,"),
        "{}",
        lines[1]
    );
    run.stderr_has(&["checked "]);
}

#[test]
fn sarif_log() {
    let folder = Folder::new("");
    folder.write("a b/twice.linnet", TWICE);
    folder.write("unused.linnet", UNUSED);
    let run = folder.run("check --format sarif .").exits(1);
    assert_eq!(run.stderr, "");
    let log = run.json();
    assert_eq!(log["version"], "2.1.0");
    let run = &log["runs"][0];
    assert_eq!(run["columnKind"], "unicodeCodePoints");
    let driver = &run["tool"]["driver"];
    assert_eq!(driver["name"], "linnet");
    let rules: Vec<&Value> = driver["rules"].as_array().unwrap().iter().collect();
    let ids: Vec<&str> = rules
        .iter()
        .map(|rule| rule["id"].as_str().unwrap())
        .collect();
    assert_eq!(ids, ["E1204", "W1001"]);
    assert_eq!(rules[1]["defaultConfiguration"]["level"], "warning");
    assert!(rules[0]["shortDescription"]["text"].is_string());

    let results = run["results"].as_array().unwrap();
    assert_eq!(results.len(), 2);
    for result in results {
        let index = result["ruleIndex"].as_u64().unwrap() as usize;
        assert_eq!(result["ruleId"], rules[index]["id"]);
        assert!(!result["message"]["text"].as_str().unwrap().is_empty());
    }
    let place = &results[0]["locations"][0]["physicalLocation"];
    assert_eq!(place["artifactLocation"]["uri"], "a%20b/twice.linnet");
    let second = TWICE.rfind("one").unwrap();
    assert_eq!(
        place["region"],
        json!({
            "startLine": 7, "startColumn": 13, "endLine": 7, "endColumn": 16,
            "byteOffset": second, "byteLength": 3,
        })
    );
    assert_eq!(
        results[0]["relatedLocations"][0]["physicalLocation"]["region"]["startLine"],
        3
    );
    let change = &results[1]["fixes"][0]["artifactChanges"][0];
    assert_eq!(change["artifactLocation"]["uri"], "unused.linnet");
    assert!(
        change["replacements"][0]["deletedRegion"]["byteLength"]
            .as_u64()
            .unwrap()
            > 0
    );
}

#[test]
fn text_shows_related_places_and_fixes() {
    let folder = Folder::new("");
    folder.write("twice.linnet", TWICE);
    folder.write("unused.linnet", UNUSED);
    let run = folder.run("check twice.linnet unused.linnet").exits(1);
    run.stderr_has(&[
        "[E1204] Error:",
        "twice.linnet:7:13",
        " 3 │ /* é🐦 */ fn one",
        " 7 │ /* é🐦 */ fn one",
        "[W1001] Warning:",
        "unused.linnet:3:",
        "Help",
        "remove the whole `use`",
    ]);
}

#[test]
fn text_shows_related_places_in_other_files() {
    // The other file has wide characters in front of the place: its column counts characters.
    let folder = Folder::new(
        "//- linnet.toml
[package]
name = \"p\"
version = \"0.1.0\"
//- src/lib.linnet
module p

use crate.inner::hidden

pub fn f(x: f32) -> f32 {
    return hidden(x)
}
//- src/inner.linnet
module inner

/* 🐦🐦🐦🐦🐦🐦🐦🐦 */ fn hidden(x: f32) -> f32 {
    return x
}
",
    );
    let run = folder.run("check --json src/lib.linnet").exits(1);
    assert_eq!(run.codes(), ["E1203"]);
    let related = run.json()["diagnostics"][0]["related"][0].clone();
    assert_eq!(related["location"]["file"], "src/inner.linnet");
    let start = &related["location"]["start"];
    let place = format!("src/inner.linnet:{}:{}", start["line"], start["column"]);
    folder
        .run("check src/lib.linnet")
        .exits(1)
        .stderr_has(&["src/lib.linnet:3:", &place]);
}

#[test]
fn a_broken_file_is_no_worse_in_other_forms() {
    let folder = Folder::new("");
    folder.write("broken.linnet", BROKEN);
    for format in ["text", "json", "github", "sarif"] {
        folder
            .run(&format!("check --format {format} broken.linnet"))
            .exits(1);
    }
}
