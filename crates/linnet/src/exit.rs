//! How the process ends: its exit status, and what is written to standard output on the way.

use std::io::{self, ErrorKind, Write};
use std::process::ExitCode;

/// The three ways a command ends.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Exit {
    Ok,
    /// Faults in the input.
    Faults,
    /// A wrong command line.
    Usage,
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> ExitCode {
        ExitCode::from(exit.status())
    }
}

impl Exit {
    pub fn status(self) -> u8 {
        match self {
            Exit::Ok => 0,
            Exit::Faults => 1,
            Exit::Usage => 2,
        }
    }

    /// `Ok` or `Faults`.
    pub fn faults_if(any: bool) -> Exit {
        if any { Exit::Faults } else { Exit::Ok }
    }
}

/// Writes all of `bytes` to standard output and ends as `exit`.
///
/// A reader that went away (`linnet … | head`) is no fault; a full disk is one.
pub fn print(bytes: &[u8], exit: Exit) -> Exit {
    let mut out = io::stdout().lock();
    match out.write_all(bytes).and_then(|()| out.flush()) {
        Ok(()) => exit,
        Err(error) if error.kind() == ErrorKind::BrokenPipe => exit,
        Err(error) => {
            say(&format!("error: cannot write to standard output: {error}"));
            Exit::Faults
        }
    }
}

/// Writes a line to standard error, where it can be written.
pub fn say(line: &str) {
    say_raw(&format!("{line}\n"));
}

/// Writes a text to standard error in one piece.
pub fn say_raw(text: &str) {
    // Nothing is left to tell it to when this fails.
    let _ = io::stderr().lock().write_all(text.as_bytes());
}

/// An error of a command as a whole, on standard error.
pub fn fail(message: &str, exit: Exit) -> Exit {
    say(&format!("error: {message}"));
    exit
}
