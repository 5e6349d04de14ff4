//! What a contributor runs: `cargo xtask test`, `bench`, `fuzz` and `gen`.
//!
//! ```text
//! test ──▶ suites (cargo, the built `linnet`, snippets of the docs) ──▶ counts, one table
//! gen  ──▶ a generated Linnet package, or its Python twin
//! bench ─▶ gen, then `linnet`, `ty` and `pyright` on it, and the in-process harness ──▶ one table
//! fuzz ──▶ builds and drives the fuzzer
//! ```
//!
//! This binary links nothing of the product: it runs the built `linnet` and the two examples
//! `fuzz` (`fuzz/`) and `harness` (`harness/`), which do. It installs what it needs from package
//! registries into folders below `target/xtask`, and never asks for input.

mod bench;
mod console;
mod fuzz;
mod generate;
mod install;
mod process;
mod test;
mod workspace;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

/// A result whose error is the message to show.
pub type Result<T> = std::result::Result<T, String>;

/// Tasks for those who work on Linnet
#[derive(Parser)]
#[command(name = "cargo xtask", bin_name = "cargo xtask")]
struct Cli {
    #[command(subcommand)]
    task: Task,
}

#[derive(Subcommand)]
enum Task {
    /// Install what the tests need, and run all of them
    Test(test::TestArgs),
    /// Measure, beside other checkers
    Bench(bench::BenchArgs),
    /// Look for inputs that break the product
    Fuzz(fuzz::FuzzArgs),
    /// Write a generated workspace for measurements
    Gen(generate::GenArgs),
}

fn main() -> ExitCode {
    let outcome = match Cli::parse().task {
        Task::Test(args) => test::run(&args),
        Task::Bench(args) => bench::run(&args),
        Task::Fuzz(args) => fuzz::run(&args),
        Task::Gen(args) => generate::run(&args),
    };
    match outcome {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(message) => {
            eprintln!("error: {message}");
            ExitCode::FAILURE
        }
    }
}
