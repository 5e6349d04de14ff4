//! `linnet explain`, and the examples in its manual.
//!
//! Every entry has a wrong program, which must give its code, and a right one, which must check clean.
//! What the wrong ones look like on a terminal is kept in `tests/rendered`; `UPDATE_EXPECT=1` renews it.

use crate::setup::{Folder, Run};

const MANUAL: &str = include_str!("../../src/explain.txt");

/// Codes that are kept and mean nothing.
const UNUSED_CODES: [&str; 2] = ["E2126", "E2127"];

/// An entry of the manual.
struct Entry {
    code: String,
    text: String,
}

fn entries() -> Vec<Entry> {
    let blocks = MANUAL.strip_prefix("# ").unwrap().split("\n# ");
    blocks
        .map(|block| {
            let (head, text) = block.split_once('\n').unwrap();
            let (code, _) = head.split_once(' ').unwrap();
            Entry {
                code: code.to_owned(),
                text: text.to_owned(),
            }
        })
        .collect()
}

impl Entry {
    /// The files of the example under a heading, `Wrong` or `Right`.
    fn example(&self, heading: &str) -> Folder {
        let folder = Folder::new("");
        let mut path = None;
        let mut current = String::new();
        let mut text = String::new();
        let mut files = Vec::new();
        for line in self.text.lines().chain([""]) {
            if let Some(head) = line.strip_suffix(':').filter(|_| !line.starts_with(' ')) {
                let (word, place) = head.split_once(" in ").unwrap_or((head, "example.linnet"));
                let word = word.trim_end_matches(',');
                if ["Wrong", "Right", "in"].contains(&word) || head.starts_with("in ") {
                    if let Some(path) = path.take() {
                        files.push((current.clone(), path, std::mem::take(&mut text)));
                    }
                    let place = head.strip_prefix("in ").unwrap_or(place);
                    if word == "Wrong" || word == "Right" {
                        current = word.to_owned();
                    }
                    path = Some(place.to_owned());
                    continue;
                }
            }
            if path.is_some() && (line.is_empty() || line.starts_with("    ")) {
                text.push_str(line.strip_prefix("    ").unwrap_or(line));
                text.push('\n');
            } else if let Some(path) = path.take() {
                files.push((current.clone(), path, std::mem::take(&mut text)));
            }
        }
        files.extend(path.map(|path| (current, path, text)));
        let mut package = false;
        for (word, path, text) in files.iter().filter(|(word, ..)| word == heading) {
            package |= path.starts_with("src/") || path == "linnet.toml";
            let text = text.trim_end();
            let module = if path == "example.linnet" {
                "module example\n\n"
            } else {
                ""
            };
            folder.write(path, format!("{module}{text}\n"));
            assert!(!text.is_empty(), "{} {word}", self.code);
        }
        if package && !folder.path("linnet.toml").exists() {
            let manifest = "[package]\nname = \"example\"\nversion = \"0.1.0\"\n";
            folder.write("linnet.toml", manifest);
        } else if package {
            folder.write("src/lib.linnet", "module example\n");
        }
        folder
    }
}

fn summary_removed(run: &Run) -> String {
    let text = run.stderr.trim_end();
    let end = text.rfind("\nchecked ").map_or(0, |at| at + 1);
    let lines = text[..end].trim_end().lines();
    lines.map(|line| format!("{}\n", line.trim_end())).collect()
}

#[test]
fn every_code_has_an_entry_once_and_in_order() {
    let codes: Vec<String> = entries().into_iter().map(|entry| entry.code).collect();
    let mut sorted = codes.clone();
    sorted.sort();
    sorted.dedup();
    assert_eq!(codes, sorted);
    for code in UNUSED_CODES {
        assert!(!codes.contains(&code.to_owned()));
    }
}

#[test]
fn wrong_examples_give_their_code_and_nothing_else() {
    let mut wrong = Vec::new();
    for entry in entries() {
        let folder = entry.example("Wrong");
        let run = folder.run("check --json .");
        let mut codes = run.codes();
        codes.dedup();
        if codes != [entry.code.as_str()] {
            wrong.push(format!(
                "{}: {codes:?}\n{}",
                entry.code,
                folder.run("check .").stderr
            ));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn right_examples_are_clean() {
    let mut wrong = Vec::new();
    for entry in entries() {
        // Short examples may leave things unused; those of warnings may not.
        let command = if entry.code.starts_with('W') {
            "lint"
        } else {
            "check"
        };
        let run = entry.example("Right").run(&format!("{command} ."));
        if run.status != Some(0) {
            wrong.push(format!("{}:\n{}", entry.code, run.stderr));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn how_each_code_looks() {
    for entry in entries() {
        let run = entry.example("Wrong").run("check .");
        let path = format!("../rendered/{}.txt", entry.code);
        expect_test::expect_file![path].assert_eq(&summary_removed(&run));
    }
}

#[test]
fn explain_prints_an_entry() {
    let folder = Folder::new("");
    for code in ["E2203", "e2203", " E2203 "] {
        let run = folder.run_args(["explain", code]).exits(0);
        assert!(
            run.stdout.starts_with("E2203: a `reshape` whose counts"),
            "{}",
            run.stdout
        );
        assert!(run.stdout.contains("\nWrong:\n") && run.stdout.contains("\nRight:\n"));
        assert!(!run.stdout.contains("E2204"), "{}", run.stdout);
    }
}

#[test]
fn explain_of_an_unknown_code() {
    let folder = Folder::new("");
    folder
        .run("explain E2293")
        .exits(2)
        .stderr_has(&["there is no code `E2293`; did you mean `E2203`?"]);
    let run = folder
        .run("explain nonsense")
        .exits(2)
        .stderr_has(&["there is no code"]);
    assert!(!run.stderr.contains("did you mean"), "{}", run.stderr);
    folder.run_args(["explain", ""]).exits(2);
    folder.run_args(["explain", "é"]).exits(2);
}
