//! `linnet explain`, and how each code looks when it is reported.
//!
//! The examples of the manual are checked one by one where they are written; here the program is run on
//! them, and what it prints is kept in `tests/rendered`. `UPDATE_EXPECT=1` renews that.

use linnet_hir::codes::{CODES, CodeInfo};

use crate::setup::{Folder, Run};

/// The files of an example; one without paths is one file outside a package.
fn example(text: &str) -> Folder {
    if text.contains("//- ") {
        return Folder::new(&text.replace("//- /", "//- "));
    }
    let folder = Folder::new("");
    folder.write("example.linnet", text);
    folder
}

/// The codes that have an example; the others are about files that are no source.
fn examples() -> impl Iterator<Item = &'static CodeInfo> {
    CODES.iter().filter(|info| !info.example.is_empty())
}

fn summary_removed(run: &Run) -> String {
    let text = run.stderr.trim_end();
    let end = text.rfind("\nchecked ").map_or(0, |at| at + 1);
    format!("{}\n", text[..end].trim_end())
}

#[test]
fn wrong_examples_give_their_code_and_nothing_else() {
    let mut wrong = Vec::new();
    for info in examples() {
        let folder = example(info.example);
        let mut codes = folder.run("check --json .").codes();
        codes.dedup();
        if codes != [info.code] {
            let stderr = folder.run("check .").stderr;
            wrong.push(format!("{}: {codes:?}\n{stderr}", info.code));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn right_examples_are_clean() {
    for info in examples() {
        example(info.fixed).run("lint .").exits(0);
    }
}

#[test]
fn how_each_code_looks() {
    for info in examples() {
        let run = example(info.example).run("check .");
        let path = format!("../rendered/{}.txt", info.code);
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
        assert!(
            run.stdout.contains("\nWrong:\n\n    module "),
            "{}",
            run.stdout
        );
        assert!(
            run.stdout.contains("\nRight:\n\n    module "),
            "{}",
            run.stdout
        );
        assert!(
            run.stdout.lines().all(|line| line.chars().count() <= 100),
            "{}",
            run.stdout
        );
        assert!(!run.stdout.contains("E2204"), "{}", run.stdout);
    }
}

/// What the tests of weights report is explained as well, without programs.
#[test]
fn explain_of_codes_about_weights() {
    for code in 5003..=5008 {
        let run = Folder::new("").run(&format!("explain E{code}")).exits(0);
        assert!(
            run.stdout.starts_with(&format!("E{code}: ")),
            "{}",
            run.stdout
        );
        assert!(!run.stdout.contains("Wrong:"), "{}", run.stdout);
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
