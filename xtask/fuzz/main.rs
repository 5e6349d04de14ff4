//! The fuzzer: mutated sources, manifests and checkpoint headers through each part of the product.
//!
//! ```text
//! corpus ──▶ mutate (seed, run) ──▶ target.check(input) ──▶ ok, or a fault: shrink, write, go on
//! ```
//!
//! A target runs in a worker process of its own. The worker catches panics and broken promises; a
//! stack overflow or an endless loop ends the worker, and its parent takes the input from the file
//! in which the worker keeps it. Run `n` of a seed is the same on every machine with the same corpus.

mod corpus;
mod growth;
mod mutate;
#[path = "../src/generate/rng.rs"]
mod rng;
mod shrink;
mod supervise;
mod targets;
mod worker;

use std::process::ExitCode;
use std::time::Duration;

use clap::Parser;
use clap::builder::PossibleValuesParser;

use targets::TARGETS;

/// Look for inputs that break the lexer, parser, formatter, checker or readers
#[derive(Parser)]
#[command(name = "cargo xtask fuzz")]
struct Args {
    /// The targets; all of them if none is named
    #[arg(value_name = "TARGET", value_parser = PossibleValuesParser::new(names()))]
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

    /// Where the worker keeps the input that it is at
    #[arg(long, value_name = "FILE", hide = true)]
    worker: Option<std::path::PathBuf>,

    /// The first run of this worker
    #[arg(long, value_name = "N", hide = true, default_value_t = 0)]
    from: u64,

    /// Leave the corpus alone: write what is found below the target folder
    #[arg(long)]
    aside: bool,
}

/// How long one input may take before it counts as endless, on a loaded machine too.
const LIMIT: Duration = Duration::from_secs(20);

fn names() -> Vec<&'static str> {
    let targets = TARGETS.iter().map(|target| target.name);
    targets.chain(["growth"]).collect()
}

fn main() -> ExitCode {
    let args = Args::parse();
    let outcome = match (&args.input, &args.worker, args.targets.as_slice()) {
        (Some(input), _, [target]) => worker::check_one(target, input, LIMIT),
        (Some(_), ..) => Err("one input goes to one target".to_owned()),
        (None, Some(state), [target]) => worker::run(&args, target, state, LIMIT),
        _ => supervise::run(&args),
    };
    match outcome {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(message) => {
            eprintln!("error: {message}");
            ExitCode::from(2)
        }
    }
}
