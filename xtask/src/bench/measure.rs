//! One run of a program: its time and its memory.

use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use crate::Result;
use crate::process::shown;

/// What a run took.
#[derive(Clone, Copy)]
pub struct Sample {
    pub wall: Duration,
    /// The most memory it had at once; NaN where the system does not say.
    pub peak_megabytes: f64,
}

/// How often the peak is looked at; it only grows, so that little is missed at the end.
const LOOK: Duration = Duration::from_millis(2);

/// Runs a command that must succeed; what it prints is thrown away.
pub fn measure(command: &mut Command) -> Result<Sample> {
    let name = shown(command);
    command.stdout(Stdio::null()).stderr(Stdio::null());
    let start = Instant::now();
    let mut child = command
        .spawn()
        .map_err(|error| format!("cannot run `{name}`: {error}"))?;
    let status_file = format!("/proc/{}/status", child.id());
    let done = AtomicBool::new(false);
    let (status, wall, peak) = std::thread::scope(|scope| {
        let looking = scope.spawn(|| {
            let mut peak = f64::NAN;
            while !done.load(Ordering::Relaxed) {
                peak = peak_megabytes(&status_file).unwrap_or(peak);
                std::thread::sleep(LOOK);
            }
            peak
        });
        let status = child.wait();
        let wall = start.elapsed();
        done.store(true, Ordering::Relaxed);
        (status, wall, looking.join().unwrap_or(f64::NAN))
    });
    match status {
        Ok(status) if status.success() => Ok(Sample {
            wall,
            peak_megabytes: peak,
        }),
        Ok(status) => Err(format!("`{name}` failed ({status})")),
        Err(error) => Err(format!("cannot wait for `{name}`: {error}")),
    }
}

/// The peak resident size in a process's status file.
fn peak_megabytes(status_file: &str) -> Option<f64> {
    let status = std::fs::read_to_string(status_file).ok()?;
    let line = status.lines().find(|line| line.starts_with("VmHWM:"))?;
    let kibibytes: f64 = line.split_whitespace().nth(1)?.parse().ok()?;
    Some(kibibytes * 1024.0 / 1e6)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_run_has_a_time() {
        let sample = measure(Command::new("sleep").arg("0.05")).expect("runs");
        assert!(sample.wall >= Duration::from_millis(50));
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_run_has_a_peak() {
        let sample = measure(Command::new("sleep").arg("0.05")).expect("runs");
        assert!(sample.peak_megabytes > 0.1);
    }

    #[test]
    fn a_failure_is_no_figure() {
        assert!(measure(&mut Command::new("false")).is_err());
    }
}
