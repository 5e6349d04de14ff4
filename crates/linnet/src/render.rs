//! What a run reports, in the form that was asked for.

pub mod ariadne;
pub mod github;
pub mod json;
pub mod sarif;

use std::io::IsTerminal;

use clap::ValueEnum;

use crate::exit::{self, Exit};
use crate::report::Reports;

/// The form of reports.
#[derive(Copy, Clone, PartialEq, Eq, Debug, ValueEnum)]
pub enum Format {
    /// Source excerpts on standard error
    Text,
    /// One JSON document on standard output
    Json,
    /// GitHub workflow commands on standard output
    Github,
    /// A SARIF 2.1.0 log on standard output
    Sarif,
}

/// When to use colour.
#[derive(Copy, Clone, PartialEq, Eq, Debug, ValueEnum)]
pub enum ColorChoice {
    /// On a terminal, unless NO_COLOR is set
    Auto,
    Always,
    Never,
}

impl ColorChoice {
    /// Whether standard error gets colour.
    pub fn on_stderr(self) -> bool {
        let wanted = || {
            let set = |name| std::env::var_os(name).is_some_and(|value| !value.is_empty());
            let dumb = std::env::var_os("TERM").is_some_and(|term| term == "dumb");
            !set("NO_COLOR") && !dumb && std::io::stderr().is_terminal()
        };
        match self {
            ColorChoice::Always => true,
            ColorChoice::Never => false,
            ColorChoice::Auto => wanted(),
        }
    }
}

/// Shows all reports and ends as `exit`, or as `Faults` where they cannot be written.
pub fn show(reports: &Reports, format: Format, color: ColorChoice, exit: Exit) -> Exit {
    match format {
        Format::Text => {
            let mut renderer = ariadne::Renderer::new(reports, color.on_stderr());
            for report in &reports.list {
                exit::say_raw(&renderer.render(report));
            }
            exit
        }
        Format::Json => exit::print(&json::render(reports), exit),
        Format::Github => exit::print(&github::render(reports), exit),
        Format::Sarif => exit::print(&sarif::render(reports), exit),
    }
}
