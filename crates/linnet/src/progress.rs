//! A progress bar on a terminal, once the work has taken long enough for one to be welcome.

use std::io::IsTerminal;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::exit::Exit;

/// Work that is done before this is not accompanied.
const PATIENCE: Duration = Duration::from_millis(500);

/// The bar that Ctrl-C must clear away.
static SHOWN: OnceLock<ProgressBar> = OnceLock::new();
static WATCHING: AtomicBool = AtomicBool::new(false);

/// The status of a process that Ctrl-C ended, as shells have it.
const INTERRUPTED: i32 = 130;

/// Shows how much of the work is done, or nothing where nobody looks.
pub struct Progress {
    start: Instant,
    visible: bool,
}

impl Progress {
    pub fn new(wanted: bool) -> Self {
        Progress {
            start: Instant::now(),
            visible: wanted && std::io::stderr().is_terminal(),
        }
    }

    /// `done` of `total` steps are done; may be called from any thread.
    pub fn set(&self, done: usize, total: usize) {
        if !self.visible || self.start.elapsed() < PATIENCE {
            return;
        }
        let bar = SHOWN.get_or_init(|| {
            end_cleanly_on_ctrl_c();
            new_bar()
        });
        bar.set_length(total as u64);
        bar.set_position(done as u64);
    }

    /// Clears the bar away.
    pub fn finish(self) {
        if let Some(bar) = SHOWN.get() {
            bar.finish_and_clear();
            bar.reset();
        }
    }
}

fn new_bar() -> ProgressBar {
    let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr());
    match ProgressStyle::with_template("checking {bar:40} {pos}/{len} modules") {
        Ok(style) => bar.with_style(style),
        Err(_) => bar,
    }
}

/// From here on Ctrl-C is the way to end, and no failure.
pub fn watching() {
    WATCHING.store(true, Ordering::Relaxed);
    end_cleanly_on_ctrl_c();
}

/// Ctrl-C leaves no half-drawn bar behind. Installed only where there is something to clear.
fn end_cleanly_on_ctrl_c() {
    static INSTALLED: OnceLock<()> = OnceLock::new();
    INSTALLED.get_or_init(|| {
        // Without a handler Ctrl-C still ends the process, only less tidily.
        let _ = ctrlc::set_handler(|| {
            if let Some(bar) = SHOWN.get() {
                bar.finish_and_clear();
            }
            let watching = WATCHING.load(Ordering::Relaxed);
            let status = if watching {
                i32::from(Exit::Ok.status())
            } else {
                INTERRUPTED
            };
            std::process::exit(status);
        });
    });
}
