//! The command line: its commands, their arguments and their help.

use std::path::PathBuf;

use clap::{ArgGroup, Args, Parser, Subcommand};
use clap_complete::Shell;

use crate::render::{ColorChoice, Format};

/// A typed tensor language for neural networks
#[derive(Parser, Debug)]
#[command(name = "linnet", version, about, subcommand_required = true)]
#[command(after_help = "Exit status: 0 ok, 1 faults in the input, 2 a wrong command line.")]
pub struct Cli {
    #[command(subcommand)]
    pub command: Command,

    /// When to use colour
    #[arg(
        long,
        global = true,
        value_enum,
        default_value = "auto",
        value_name = "WHEN"
    )]
    pub color: ColorChoice,
}

#[derive(Subcommand, Debug)]
pub enum Command {
    /// Check files, or all files of folders, with everything they import
    Check(CheckArgs),
    /// The same as `check --strict`
    Lint(CheckArgs),
    /// Format files in place, or standard input
    Fmt(FmtArgs),
    /// Show what the compiler sees in a file
    Inspect(InspectArgs),
    /// Make a new package in a folder of its name
    Init(InitArgs),
    /// Explain a diagnostic code
    Explain(ExplainArgs),
    /// Print a completion script for a shell
    Completions(CompletionsArgs),
    /// Print the manual page
    Man,
}

#[derive(Args, Debug)]
pub struct CheckArgs {
    /// Files, or folders that are searched for `.linnet` files
    #[arg(required = true, value_name = "PATH")]
    pub paths: Vec<PathBuf>,

    /// Let warnings fail the check
    #[arg(long)]
    pub strict: bool,

    /// The same as `--format json`
    #[arg(long, conflicts_with = "format")]
    pub json: bool,

    /// How to report
    #[arg(long, value_enum, default_value = "text", value_name = "FORMAT")]
    pub format: Format,

    /// Prove the package under this `[bindings.NAME]` of its `linnet.toml`; without it, under each
    #[arg(long, value_name = "NAME")]
    pub binding: Option<String>,

    /// Compare the parameters with the headers of a SafeTensors file, folder or index
    #[arg(long, value_name = "FILE-OR-DIR")]
    pub weights: Option<PathBuf>,

    /// Take the names of the tensors from this `bindings.json`, not from that of the package
    #[arg(long, value_name = "FILE", requires = "weights")]
    pub names: Option<PathBuf>,

    /// Check again whenever a file changes, until Ctrl-C
    #[arg(long)]
    pub watch: bool,

    #[command(flatten)]
    pub std: StdArgs,
}

#[derive(Args, Debug)]
pub struct StdArgs {
    /// Take the standard library from this folder, as LINNET_STD does
    #[arg(long = "std", value_name = "DIR")]
    pub dir: Option<PathBuf>,
}

#[derive(Args, Debug)]
pub struct FmtArgs {
    /// Files, folders, or `-` for standard input to standard output
    #[arg(required = true, value_name = "PATH")]
    pub paths: Vec<PathBuf>,

    /// Write nothing; fail where a file is not formatted
    #[arg(long)]
    pub check: bool,

    /// Write nothing; print what would change
    #[arg(long)]
    pub diff: bool,
}

#[derive(Args, Debug)]
#[command(group(ArgGroup::new("what").required(true).args(["tokens", "ast", "parameters"])))]
pub struct InspectArgs {
    #[arg(value_name = "FILE")]
    pub file: PathBuf,

    /// The tokens, spaces and comments included
    #[arg(long)]
    pub tokens: bool,

    /// The syntax tree
    #[arg(long)]
    pub ast: bool,

    /// The parameters, buffers and state of each block
    #[arg(long)]
    pub parameters: bool,

    /// Print JSON
    #[arg(long)]
    pub json: bool,

    #[command(flatten)]
    pub std: StdArgs,
}

#[derive(Args, Debug)]
pub struct InitArgs {
    /// The package's name: letters, digits, `-` and `_`, a letter first
    #[arg(value_name = "NAME", value_parser = crate::cmd::init::parse_name)]
    pub name: String,
}

#[derive(Args, Debug)]
pub struct ExplainArgs {
    /// A code such as E2203
    #[arg(value_name = "CODE")]
    pub code: String,
}

#[derive(Args, Debug)]
pub struct CompletionsArgs {
    #[arg(value_enum, value_name = "SHELL")]
    pub shell: Shell,
}

impl CheckArgs {
    pub fn format(&self) -> Format {
        if self.json { Format::Json } else { self.format }
    }
}
