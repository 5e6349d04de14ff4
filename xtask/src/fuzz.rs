//! `cargo xtask fuzz`: builds the fuzzers and lets them run on fresh seeds.

use crate::Result;
use crate::process::{cargo, command, must};
use crate::workspace::Workspace;

/// Look for inputs that break the product
#[derive(clap::Args)]
pub struct FuzzArgs {
    /// What to fuzz: lexer, parser, formatter, checker, manifest, weights, dim; all if none is named
    targets: Vec<String>,
    /// How long, for each target (60 if neither this nor `--runs` is given)
    #[arg(long, conflicts_with = "runs")]
    seconds: Option<u64>,
    /// How many inputs, for each target
    #[arg(long)]
    runs: Option<u64>,
    /// The seed, to repeat a run; fresh if not given
    #[arg(long)]
    seed: Option<u64>,
}

pub fn run(args: &FuzzArgs) -> Result<bool> {
    let workspace = Workspace::find()?;
    let (dim, others): (Vec<&String>, Vec<&String>) =
        args.targets.iter().partition(|t| *t == "dim");
    let mut sound = true;
    if args.targets.is_empty() || !others.is_empty() {
        let mut fuzz = command(workspace.example("fuzz")?);
        fuzz.current_dir(&workspace.root).args(&others);
        for (option, value) in [
            ("--seconds", args.seconds),
            ("--runs", args.runs),
            ("--seed", args.seed),
        ] {
            if let Some(value) = value {
                fuzz.arg(option).arg(value.to_string());
            }
        }
        sound &= fuzz
            .status()
            .map_err(|e| format!("the fuzzer does not start: {e}"))?
            .success();
    }
    if args.targets.is_empty() || !dim.is_empty() {
        let mut build = cargo(&workspace.root);
        build.args([
            "build",
            "--release",
            "-p",
            "linnet-dim",
            "--example",
            "fuzz_dim",
        ]);
        must(&mut build)?;
        let mut fuzz = cargo(&workspace.root);
        fuzz.args([
            "run",
            "--release",
            "-q",
            "-p",
            "linnet-dim",
            "--example",
            "fuzz_dim",
            "--",
        ]);
        // The prover's cases are counted: some 20,000 a second.
        let count = args
            .runs
            .unwrap_or_else(|| args.seconds.unwrap_or(60) * 20_000);
        fuzz.arg("--count").arg(count.to_string());
        if let Some(seed) = args.seed {
            fuzz.arg("--seed").arg(seed.to_string());
        }
        sound &= fuzz
            .status()
            .map_err(|e| format!("the fuzzer does not start: {e}"))?
            .success();
    }
    Ok(sound)
}
