//! `linnet man`: the manual page, all commands on one page.

use clap::{Command, CommandFactory};

use crate::cli::Cli;
use crate::exit::{self, Exit};

pub fn run() -> Exit {
    match page() {
        Ok(page) => exit::print(&page, Exit::Ok),
        Err(error) => exit::fail(
            &format!("cannot make the manual page: {error}"),
            Exit::Faults,
        ),
    }
}

fn page() -> std::io::Result<Vec<u8>> {
    let mut command = Cli::command();
    command.build();
    let mut page = Vec::new();
    let man = clap_mangen::Man::new(command.clone());
    man.render_title(&mut page)?;
    man.render_name_section(&mut page)?;
    man.render_synopsis_section(&mut page)?;
    man.render_description_section(&mut page)?;
    for sub in command
        .get_subcommands()
        .filter(|sub| sub.get_name() != "help")
    {
        render_command(sub, &mut page)?;
    }
    man.render_options_section(&mut page)?;
    man.render_extra_section(&mut page)?;
    man.render_version_section(&mut page)?;
    Ok(page)
}

/// A section for one command: its usage and its options.
fn render_command(command: &Command, page: &mut Vec<u8>) -> std::io::Result<()> {
    let mut text = format!(".SH \"LINNET {}\"\n", command.get_name().to_uppercase());
    if let Some(about) = command.get_about() {
        text.push_str(&format!("{}\n", escape(&about.to_string())));
    }
    let usage = command.clone().render_usage().to_string();
    text.push_str(&format!(".PP\n\\fB{}\\fR\n", escape(usage.trim())));
    for arg in command.get_arguments().filter(|arg| !arg.is_global_set()) {
        let mut names = Vec::new();
        names.extend(arg.get_short().map(|short| format!("-{short}")));
        names.extend(arg.get_long().map(|long| format!("--{long}")));
        let value = arg
            .get_value_names()
            .filter(|_| arg.get_action().takes_values())
            .and_then(|names| names.first())
            .map(|name| name.to_string());
        names.extend(value);
        let help = arg.get_help().map(ToString::to_string).unwrap_or_default();
        text.push_str(&format!(
            ".TP\n\\fB{}\\fR\n{}\n",
            escape(&names.join(" ")),
            escape(&help)
        ));
        let values = arg.get_possible_values();
        if !values.is_empty() && arg.get_action().takes_values() {
            let names: Vec<&str> = values.iter().map(|value| value.get_name()).collect();
            text.push_str(&format!("One of {}.\n", escape(&names.join(", "))));
        }
    }
    page.extend(text.as_bytes());
    Ok(())
}

/// Text that the formatter of manual pages takes as it stands.
fn escape(text: &str) -> String {
    let escaped = text.replace('\\', "\\e").replace('-', "\\-");
    if escaped.starts_with(['.', '\'']) {
        format!("\\&{escaped}")
    } else {
        escaped
    }
}
