//! A progress bar on a terminal, once the work has taken long enough for one to be welcome.

use std::io::IsTerminal;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::sync::{Mutex, MutexGuard, OnceLock};
use std::thread::JoinHandle;
use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::exit::Exit;

/// Work that is done before this is not accompanied.
const PATIENCE: Duration = Duration::from_millis(500);

/// The bar on the screen, which Ctrl-C must clear away as well.
static SHOWN: Mutex<Option<ProgressBar>> = Mutex::new(None);
static WATCHING: AtomicBool = AtomicBool::new(false);

/// The status of a process that Ctrl-C ended, as shells have it.
const INTERRUPTED: i32 = 130;

/// Shows how much of the work is done, or nothing where nobody looks.
pub struct Progress {
    /// The thread that brings up the bar when the work takes long; it ends with its channel.
    waiter: Option<(Sender<()>, JoinHandle<()>)>,
}

impl Progress {
    pub fn new(wanted: bool) -> Self {
        if !wanted || !std::io::stderr().is_terminal() {
            return Progress { waiter: None };
        }
        let (ended, end) = channel();
        let wait = move || {
            if end.recv_timeout(PATIENCE) == Err(RecvTimeoutError::Timeout) {
                end_cleanly_on_ctrl_c();
                *shown() = Some(new_bar());
            }
        };
        let thread = std::thread::Builder::new().spawn(wait);
        Progress {
            // Without a thread the work goes on unseen.
            waiter: thread.ok().map(|thread| (ended, thread)),
        }
    }

    /// `done` of `total` modules are checked; may be called from any thread.
    pub fn set(&self, done: usize, total: usize) {
        if self.waiter.is_none() {
            return;
        }
        if let Some(bar) = &*shown() {
            if bar.length() != Some(total as u64) {
                bar.set_length(total as u64);
                bar.set_style(style("checking {bar:40} {pos}/{len} modules"));
            }
            bar.set_position(done as u64);
        }
    }

    /// Clears the bar away.
    pub fn finish(self) {
        if let Some((ended, thread)) = self.waiter {
            drop(ended);
            // It only ever waits and draws.
            let _ = thread.join();
            clear();
        }
    }
}

fn shown() -> MutexGuard<'static, Option<ProgressBar>> {
    SHOWN
        .lock()
        .unwrap_or_else(|poisoned| poisoned.into_inner())
}

fn clear() {
    if let Some(bar) = shown().take() {
        bar.finish_and_clear();
    }
}

/// Until the first module is checked it is not known how many there are.
fn new_bar() -> ProgressBar {
    let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr())
        .with_style(style("{spinner} reading modules"));
    bar.enable_steady_tick(Duration::from_millis(100));
    bar
}

fn style(template: &str) -> ProgressStyle {
    ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar())
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
            clear();
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
