//! `linnet completions`: a script that completes commands and options in a shell.

use clap::CommandFactory;

use crate::cli::{Cli, CompletionsArgs};
use crate::exit::{self, Exit};

pub fn run(args: &CompletionsArgs) -> Exit {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "linnet", &mut script);
    exit::print(&script, Exit::Ok)
}
