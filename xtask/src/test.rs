//! `cargo xtask test`: every suite, its counts and its time, and one table at the end.

mod code;
mod docs;
mod fuzz;
mod markdown;
mod minilm;
mod sources;

use std::process::Command;
use std::time::{Duration, Instant};

use clap::Args;
use clap::builder::PossibleValuesParser;

use crate::Result;
use crate::console::{aligned, seconds};
use crate::process::{self, Finished};
use crate::workspace::Workspace;

#[derive(Args)]
pub struct TestArgs {
    /// Run only these suites
    #[arg(long, value_name = "SUITE", num_args = 1.., value_parser = names())]
    only: Vec<String>,

    /// Name the suites and what each does, and run none
    #[arg(long)]
    list: bool,
}

/// One kind of test.
struct Suite {
    name: &'static str,
    about: &'static str,
    run: fn(&Workspace) -> Result<Counts>,
}

/// All suites, the quick ones that find most first. A new kind of test is a line here.
const SUITES: &[Suite] = &[
    Suite {
        name: "fmt-check",
        about: "the Rust code is formatted",
        run: code::fmt_check,
    },
    Suite {
        name: "clippy",
        about: "the Rust code has no warnings",
        run: code::clippy,
    },
    Suite {
        name: "build",
        about: "the command builds as users run it",
        run: code::build,
    },
    Suite {
        name: "rust",
        about: "the tests of all crates",
        run: code::rust,
    },
    Suite {
        name: "spec",
        about: "the language's conformance cases",
        run: code::spec,
    },
    Suite {
        name: "std",
        about: "the standard library checks clean",
        run: sources::std,
    },
    Suite {
        name: "examples",
        about: "the examples check clean",
        run: sources::examples,
    },
    Suite {
        name: "generated",
        about: "generated workspaces check clean",
        run: sources::generated,
    },
    Suite {
        name: "fmt",
        about: "library and examples are formatted",
        run: sources::fmt,
    },
    Suite {
        name: "minilm",
        about: "an example fits its real checkpoint",
        run: minilm::run,
    },
    Suite {
        name: "fuzz-smoke",
        about: "a fixed number of fuzz runs",
        run: fuzz::smoke,
    },
    Suite {
        name: "docs",
        about: "what the documents show is true",
        run: docs::run,
    },
];

fn names() -> PossibleValuesParser {
    PossibleValuesParser::new(SUITES.iter().map(|suite| suite.name))
}

/// What a suite found.
#[derive(Default)]
struct Counts {
    passed: usize,
    failed: usize,
    ignored: usize,
    /// What to show again at the end, one text for each fault.
    faults: Vec<String>,
}

impl Counts {
    /// Counts one test, and keeps the fault if it has one.
    fn add(&mut self, name: &str, outcome: std::result::Result<(), String>) {
        match outcome {
            Ok(()) => self.passed += 1,
            Err(fault) => {
                self.failed += 1;
                println!("FAILED {name}\n{fault}");
                self.faults.push(format!("{name}\n{fault}"));
            }
        }
    }

    /// Counts a command that fails for a reason which no test reported.
    fn add_status(&mut self, finished: &Finished) {
        if finished.status.success() {
            return;
        }
        if self.failed == 0 {
            self.failed = 1;
        }
        self.faults
            .push(format!("({})\n{}", finished.status, finished.tail));
    }
}

/// Runs the suites that were asked for; whether all of them passed.
pub fn run(args: &TestArgs) -> Result<bool> {
    if args.list {
        let rows: Vec<_> = SUITES
            .iter()
            .map(|suite| format!("{:<12}{}", suite.name, suite.about))
            .collect();
        println!("{}", rows.join("\n"));
        return Ok(true);
    }
    let workspace = Workspace::find()?;
    let start = Instant::now();
    let wanted = |suite: &&Suite| args.only.is_empty() || args.only.iter().any(|n| n == suite.name);
    let mut results: Vec<(&str, Counts, Duration)> = Vec::new();
    for suite in SUITES.iter().filter(wanted) {
        println!("\n==== {}: {}", suite.name, suite.about);
        let start = Instant::now();
        let mut counts = (suite.run)(&workspace).unwrap_or_else(|fault| {
            println!("{fault}");
            Counts {
                failed: 1,
                faults: vec![fault],
                ..Counts::default()
            }
        });
        if counts.passed + counts.failed == 0 {
            counts.failed = 1;
            counts.faults.push("this suite ran nothing".to_owned());
        }
        let time = start.elapsed();
        println!(
            "---- {}: {} passed, {} failed in {}",
            suite.name,
            counts.passed,
            counts.failed,
            seconds(time)
        );
        results.push((suite.name, counts, time));
    }
    println!();
    for (name, counts, _) in &results {
        for fault in &counts.faults {
            println!("==== failed: {name}: {fault}\n");
        }
    }
    let (table, passed, failed) = summary(&results);
    println!("{table}");
    println!("in {}", seconds(start.elapsed()));
    println!("{passed} passed, {failed} failed");
    Ok(failed == 0)
}

/// The table of suites, and how many tests passed and failed in all.
fn summary(results: &[(&str, Counts, Duration)]) -> (String, usize, usize) {
    let heading = ["suite", "passed", "failed", "ignored", "time"];
    let mut rows = vec![heading.map(String::from).to_vec()];
    let (mut passed, mut failed) = (0, 0);
    for (name, counts, time) in results {
        passed += counts.passed;
        failed += counts.failed;
        let numbers = [counts.passed, counts.failed, counts.ignored];
        let mut row = vec![(*name).to_owned()];
        row.extend(numbers.map(|n| n.to_string()));
        row.push(seconds(*time));
        rows.push(row);
    }
    (aligned(&rows), passed, failed)
}

/// Runs a quick command in silence; on failure the fault holds what it printed.
fn quietly(command: &mut Command) -> std::result::Result<(), String> {
    let captured = process::capture(command)?;
    if captured.status.success() {
        return Ok(());
    }
    let name = process::shown(command);
    let output = format!("{}{}", captured.stdout, captured.stderr);
    Err(format!("$ {name}\n{output}({})", captured.status))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_summary_adds_all_suites() {
        let counts = |passed, failed| Counts {
            passed,
            failed,
            ..Counts::default()
        };
        let results = [
            ("one", counts(3, 0), Duration::from_secs(1)),
            ("another", counts(4, 2), Duration::from_secs(2)),
        ];
        let (table, passed, failed) = summary(&results);
        assert_eq!((passed, failed), (7, 2));
        assert_eq!(table.lines().count(), 3);
    }

    #[test]
    fn a_failed_command_counts_once() {
        let mut counts = Counts::default();
        let finished = process::stream(process::command("sh").args(["-c", "exit 1"]), |_| {});
        counts.add_status(&finished.expect("runs"));
        assert_eq!(counts.failed, 1);
    }
}
