//! `cargo xtask fuzz`: builds the fuzzer (`fuzz/`) and the prover's own, and runs them.

use std::process::Command;
use std::time::{Duration, Instant};

use clap::Args;

use crate::Result;
use crate::process::{cargo, command, stream};
use crate::workspace::Workspace;

/// The target that the dimension crate brings itself.
const DIM: &str = "dim";

/// Questions in one run of that target's program.
const BATCH: u64 = 100_000;

#[derive(Args)]
pub struct FuzzArgs {
    /// lexer, parser, formatter, checker, incremental, manifest, weights, growth, dim; all if none is named
    #[arg(value_name = "TARGET")]
    targets: Vec<String>,

    /// How long each target runs
    #[arg(long, value_name = "S", default_value_t = 60, conflicts_with = "runs")]
    seconds: u64,

    /// How many runs each target makes
    #[arg(long, value_name = "N")]
    runs: Option<u64>,

    /// Where the random numbers begin; another one each time if not given
    #[arg(long, value_name = "N")]
    seed: Option<u64>,

    /// A fixed number of runs from a fixed seed, as in the tests
    #[arg(long, conflicts_with_all = ["runs", "seconds", "seed"])]
    smoke: bool,

    /// Check this one input and say what is wrong with it
    #[arg(long, value_name = "FILE")]
    input: Option<std::path::PathBuf>,
}

/// Runs the targets; whether nothing was found.
pub fn run(args: &FuzzArgs) -> Result<bool> {
    let workspace = Workspace::find()?;
    let all = args.targets.is_empty();
    let others: Vec<&String> = args.targets.iter().filter(|name| *name != DIM).collect();
    let mut clean = true;
    if all || !others.is_empty() {
        let mut fuzzer = command(workspace.example("fuzz")?);
        fuzzer.args(others);
        let options = [
            ("--seconds", Some(args.seconds)),
            ("--runs", args.runs),
            ("--seed", args.seed),
        ];
        for (name, value) in options {
            let replaced = name == "--seconds" && (args.runs.is_some() || args.smoke);
            if let Some(value) = value.filter(|_| !replaced) {
                fuzzer.arg(name).arg(value.to_string());
            }
        }
        if args.smoke {
            fuzzer.arg("--smoke");
        }
        if let Some(input) = &args.input {
            fuzzer.arg("--input").arg(input);
        }
        clean &= stream(&mut fuzzer, |_| {})?.status.success();
    }
    // The tests of its crate ask a fixed number of questions; more of the same says nothing.
    let dim = args.targets.iter().any(|name| name == DIM) || (all && !args.smoke);
    if dim && args.input.is_none() {
        clean &= prover(&workspace, args)?;
    }
    Ok(clean)
}

/// Compares the prover with brute force on fresh questions.
fn prover(workspace: &Workspace, args: &FuzzArgs) -> Result<bool> {
    let start = Instant::now();
    let mut batch = 0;
    loop {
        let mut fuzz: Command = cargo(&workspace.root);
        fuzz.args([
            "run",
            "--release",
            "--quiet",
            "-p",
            "linnet-dim",
            "--example",
            "fuzz_dim",
            "--",
        ]);
        fuzz.args(["--count", &args.runs.unwrap_or(BATCH).to_string()]);
        if let Some(seed) = args.seed {
            fuzz.args(["--seed", &(seed + batch).to_string()]);
        }
        if !stream(&mut fuzz, |_| {})?.status.success() {
            return Ok(false);
        }
        batch += 1;
        if args.runs.is_some() || args.smoke || start.elapsed() > Duration::from_secs(args.seconds)
        {
            return Ok(true);
        }
    }
}
