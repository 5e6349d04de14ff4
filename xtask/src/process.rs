//! Running other programs: no standard input, no colours, output shown as it comes and kept.

use std::collections::VecDeque;
use std::ffi::OsStr;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Command, ExitStatus, Stdio};

use crate::Result;

/// How many of a program's last lines are kept for the report of a failure.
const TAIL: usize = 120;

/// A command that never asks, never colours, and knows that nobody watches.
pub fn command(program: impl AsRef<OsStr>) -> Command {
    let mut command = Command::new(program);
    command
        .stdin(Stdio::null())
        .env("CI", "true")
        .env("NO_COLOR", "1")
        .env("CARGO_TERM_COLOR", "never")
        .env("CARGO_TERM_PROGRESS_WHEN", "never")
        .env("PIP_DISABLE_PIP_VERSION_CHECK", "1")
        .env("PIP_NO_INPUT", "1")
        .env_remove("LINNET_STD");
    command
}

/// `cargo`, in the workspace's root.
pub fn cargo(root: &Path) -> Command {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut command = command(cargo);
    command.current_dir(root);
    command
}

/// What a finished program left behind.
pub struct Finished {
    pub status: ExitStatus,
    /// The last lines of its output and errors, in the order they came.
    pub tail: String,
}

/// A program's output in full.
pub struct Captured {
    pub status: ExitStatus,
    pub stdout: String,
    pub stderr: String,
}

/// The command as one would type it.
pub fn shown(command: &Command) -> String {
    let words = std::iter::once(command.get_program()).chain(command.get_args());
    let words: Vec<_> = words.map(|word| word.to_string_lossy()).collect();
    words.join(" ")
}

/// Runs a command, prints each line as it comes, and shows it to `on_line`.
pub fn stream(command: &mut Command, mut on_line: impl FnMut(&str)) -> Result<Finished> {
    println!("$ {}", shown(command));
    let fault = |error: std::io::Error, name: &str| format!("cannot run `{name}`: {error}");
    let name = shown(command);
    let (reader, writer) = std::io::pipe().map_err(|e| fault(e, &name))?;
    let errors = writer.try_clone().map_err(|e| fault(e, &name))?;
    let child = command.stdout(writer).stderr(errors).spawn();
    // The command keeps its ends of the pipe open, and with them this end waiting.
    command.stdout(Stdio::null()).stderr(Stdio::null());
    let mut child = child.map_err(|e| fault(e, &name))?;
    let mut reader = BufReader::new(reader);
    let mut tail: VecDeque<String> = VecDeque::new();
    let mut bytes = Vec::new();
    loop {
        bytes.clear();
        match reader.read_until(b'\n', &mut bytes) {
            Ok(0) | Err(_) => break,
            Ok(_) => {}
        }
        let line = String::from_utf8_lossy(&bytes);
        let line = line.trim_end_matches(['\n', '\r']);
        println!("{line}");
        on_line(line);
        if tail.len() == TAIL {
            tail.pop_front();
        }
        tail.push_back(line.to_owned());
    }
    let _ = std::io::stdout().flush();
    let status = child.wait().map_err(|e| fault(e, &name))?;
    let tail = Vec::from(tail).join("\n");
    Ok(Finished { status, tail })
}

/// Runs a command in silence and returns all it printed.
pub fn capture(command: &mut Command) -> Result<Captured> {
    let output = command
        .output()
        .map_err(|error| format!("cannot run `{}`: {error}", shown(command)))?;
    Ok(Captured {
        status: output.status,
        stdout: String::from_utf8_lossy(&output.stdout).into_owned(),
        stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
    })
}

/// Runs a command that must succeed, showing its output as it comes.
pub fn must(command: &mut Command) -> Result<()> {
    let finished = stream(command, |_| {})?;
    if finished.status.success() {
        Ok(())
    } else {
        let name = shown(command);
        Err(format!(
            "`{name}` failed ({})\n{}",
            finished.status, finished.tail
        ))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn output_and_errors_come_in_order_and_are_kept() {
        let mut seen = Vec::new();
        let mut sh = command("sh");
        sh.args(["-c", "echo one; echo two >&2; exit 3"]);
        let finished = stream(&mut sh, |line| seen.push(line.to_owned())).expect("runs");
        assert_eq!(seen, ["one", "two"]);
        assert_eq!(finished.tail, "one\ntwo");
        assert_eq!(finished.status.code(), Some(3));
    }

    #[test]
    fn standard_input_is_empty() {
        let captured = capture(command("cat").arg("-")).expect("runs");
        assert!(captured.status.success());
        assert_eq!(captured.stdout, "");
    }

    #[test]
    fn a_missing_program_is_named() {
        let error = must(&mut command("no-such-program-here")).expect_err("missing");
        assert!(error.contains("no-such-program-here"), "{error}");
    }
}
