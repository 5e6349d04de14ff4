//! The command line of Linnet.
//!
//! ```text
//! cli (arguments) ─▶ cmd::* ─▶ engine (database) ─▶ report (plain data) ─▶ render::{ariadne, json, github, sarif}
//! ```
//!
//! Nothing here knows how anything is computed: a command finds its files ([`walk`]), asks the database,
//! and shows what it says. Standard output carries what was asked for, standard error what people read.

mod binding;
mod cli;
mod cmd;
mod engine;
mod exit;
mod explain;
mod parallel;
mod progress;
mod read;
mod render;
mod report;
mod walk;
mod watch;
mod weights;

use std::process::ExitCode;

use clap::Parser;

use crate::cli::{Cli, Command};

/// Checking makes millions of small objects; the system's allocator costs a quarter of the time.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    let cli = Cli::parse();
    let color = cli.color;
    let exit = match &cli.command {
        Command::Check(args) => cmd::check::run(args, false, color),
        Command::Lint(args) => cmd::check::run(args, true, color),
        Command::Fmt(args) => cmd::fmt::run(args, color),
        Command::Inspect(args) => cmd::inspect::run(args, color),
        Command::Init(args) => cmd::init::run(args),
        Command::Explain(args) => cmd::explain::run(args),
        Command::Completions(args) => cmd::completions::run(args),
        Command::Man => cmd::man::run(),
    };
    exit.into()
}
