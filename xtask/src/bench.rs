//! `cargo xtask bench`: how fast things are, beside `ty` and `pyright` on a Python twin.
//!
//! Figures are medians of several runs in fresh processes; nothing here is ever asserted.

mod lsp;
mod measure;
mod peers;
mod report;

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use clap::Args;
use serde_json::Value;

use self::measure::{Sample, measure};
use self::peers::Peers;
use self::report::{Cell, Report};
use crate::Result;
use crate::generate::{Language, Size, write_workspace};
use crate::process::{capture, command, shown};
use crate::workspace::Workspace;

#[derive(Args)]
pub struct BenchArgs {
    /// Smaller workspaces and fewer runs
    #[arg(long)]
    quick: bool,

    /// Measure Linnet alone
    #[arg(long)]
    no_peers: bool,

    /// Put the table into docs/benchmarks.md
    #[arg(long, conflicts_with = "quick")]
    write: bool,
}

/// What is measured, and how often.
struct Plan {
    size: Size,
    /// Runs in a fresh process.
    runs: usize,
    /// Runs of a checker that takes long.
    slow_runs: usize,
    /// Runs of a short process.
    short_runs: usize,
    /// Edits in the running process.
    edits: usize,
    /// Passes over the workspace of lexer, parser and formatter.
    passes: usize,
}

const SEED: u64 = 1;

/// The example whose check is timed, and the size of its Python counterpart.
const EXAMPLE: &str = "examples/llama";
const EXAMPLE_TWIN: Size = Size {
    lines: 480,
    modules: 5,
    seed: SEED,
};

const FULL: Plan = Plan {
    size: Size {
        lines: 100_000,
        modules: 1_000,
        seed: SEED,
    },
    runs: 7,
    slow_runs: 1,
    short_runs: 41,
    edits: 41,
    passes: 7,
};

const QUICK: Plan = Plan {
    size: Size {
        lines: 10_000,
        modules: 100,
        seed: SEED,
    },
    runs: 3,
    slow_runs: 1,
    short_runs: 11,
    edits: 11,
    passes: 3,
};

pub fn run(args: &BenchArgs) -> Result<bool> {
    let workspace = Workspace::find()?;
    let plan = if args.quick { QUICK } else { FULL };
    let harness = workspace.example("harness")?;
    let linnet = workspace.linnet()?;
    let peers = if args.no_peers {
        None
    } else {
        Some(Peers::install(&workspace)?)
    };

    let folder = workspace.empty_folder("bench/workspaces")?;
    let generate = |name: &str, language: Language, size: Size| -> Result<PathBuf> {
        let out = folder.join(name);
        write_workspace(&out, language, size)?;
        Ok(out)
    };
    let twice = Size {
        lines: 2 * plan.size.lines,
        modules: 2 * plan.size.modules,
        ..plan.size
    };
    let one = generate("linnet", Language::Linnet, plan.size)?;
    let two = generate("linnet-twice", Language::Linnet, twice)?;

    let mut report = Report::new();
    let check = |folder: &Path| {
        let mut check = command(linnet);
        check.current_dir(&workspace.root).arg("check").arg(folder);
        check
    };
    let cold = median(plan.runs, || check(&one))?;
    let cold_twice = median(plan.runs, || check(&two))?;
    let example = median(plan.short_runs, || check(Path::new(EXAMPLE)))?;
    let edit = harness_json(&harness, "edit", &one, plan.edits)?;
    let text = harness_json(&harness, "text", &one, plan.passes)?;

    let lines = thousands(plan.size.lines);
    let modules = thousands(plan.size.modules);
    let check_name = format!("{lines} lines in {modules} modules, cold");
    report.row(&check_name, "< 1 s", Cell::Seconds(cold.wall));
    report.row(
        "its peak memory",
        "< 400 MB",
        Cell::Megabytes(cold.peak_megabytes),
    );
    let factor = cold_twice.wall.as_secs_f64() / cold.wall.as_secs_f64();
    report.row(
        "twice the lines and modules",
        "< 2.2 times",
        Cell::Times(factor),
    );
    let number = |json: &Value, key: &str| json[key].as_f64().unwrap_or(f64::NAN);
    let edit = Duration::from_secs_f64(number(&edit, "median_ms") / 1e3);
    report.row(
        "after an edit of one body, all diagnostics again",
        "< 5 ms",
        Cell::Seconds(edit),
    );
    report.row(
        &format!("`{EXAMPLE}`, cold"),
        "< 40 ms",
        Cell::Seconds(example.wall),
    );
    report.row("lexer", "", Cell::Rate(number(&text, "lex")));
    report.row(
        "parser, tree included",
        "> 20 MB/s",
        Cell::Rate(number(&text, "parse")),
    );
    report.row(
        "formatter, parsing included",
        "> 5 MB/s",
        Cell::Rate(number(&text, "format")),
    );

    if let Some(peers) = peers {
        let one = generate("python", Language::Python, plan.size)?;
        let two = generate("python-twice", Language::Python, twice)?;
        let small = generate("python-small", Language::Python, EXAMPLE_TWIN)?;
        for peer in peers.all() {
            let runs = if peer.slow { plan.slow_runs } else { plan.runs };
            let cold = median(runs, || peer.check(&one))?;
            let cold_twice = median(runs, || peer.check(&two))?;
            let edit = peer.edit(&one, plan.edits.min(11))?;
            let small = median(plan.short_runs.min(11), || peer.check(&small))?;
            let factor = cold_twice.wall.as_secs_f64() / cold.wall.as_secs_f64();
            report.peer(
                &peer.name_and_version,
                vec![
                    Cell::Seconds(cold.wall),
                    Cell::Megabytes(cold.peak_megabytes),
                    Cell::Times(factor),
                    Cell::Seconds(edit),
                    Cell::Seconds(small.wall),
                ],
            );
        }
    }
    let table = report.table();
    println!("\n{table}");
    if args.write {
        report::write(&workspace.root.join("docs/benchmarks.md"), &table)?;
        println!("wrote docs/benchmarks.md");
    }
    Ok(true)
}

/// The median run of a command that must succeed, after one that warms the caches.
fn median(runs: usize, make: impl Fn() -> Command) -> Result<Sample> {
    println!("$ {} ({runs} runs)", shown(&make()));
    measure(&mut make())?;
    let mut samples = Vec::with_capacity(runs);
    for _ in 0..runs {
        samples.push(measure(&mut make())?);
    }
    samples.sort_by_key(|sample| sample.wall);
    Ok(samples.swap_remove(runs / 2))
}

fn harness_json(harness: &Path, what: &str, folder: &Path, rounds: usize) -> Result<Value> {
    let mut harness = command(harness);
    harness.arg(what).arg(folder).arg(rounds.to_string());
    println!("$ {}", shown(&harness));
    let captured = capture(&mut harness)?;
    if !captured.status.success() {
        return Err(format!(
            "`{}` failed:\n{}",
            shown(&harness),
            captured.stderr
        ));
    }
    serde_json::from_str(&captured.stdout).map_err(|_| format!("no JSON: {}", captured.stdout))
}

/// `100,000`
fn thousands(number: usize) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    #[test]
    fn thousands_are_set_apart() {
        assert_eq!(super::thousands(100_000), "100,000");
        assert_eq!(super::thousands(999), "999");
        assert_eq!(super::thousands(1_234_567), "1,234,567");
    }
}
