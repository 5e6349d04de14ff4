//! One target's runs, in a process that may die of them.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{Seek, SeekFrom, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use crate::Args;
use crate::corpus::Corpus;
use crate::growth;
use crate::rng::Rng;
use crate::shrink::shrink;
use crate::supervise::{keep, show};
use crate::targets::{Check, Target};

/// The stack of an ordinary thread of a server.
const STACK: usize = 2 << 20;

/// The exit status of a worker that was stopped because an input took too long.
pub const ENDLESS: i32 = 97;

/// After so many different faults a worker stops.
const MOST_FAULTS: usize = 10;

/// How long one fault may be shrunk.
const SHRINKING: Duration = Duration::from_secs(20);

/// When the current input began, in milliseconds since [`BEGIN`]; 0 between inputs.
static SINCE: AtomicU64 = AtomicU64::new(0);
static BEGIN: Mutex<Option<Instant>> = Mutex::new(None);
/// Where the last panic happened, and what it said.
static PANIC: Mutex<String> = Mutex::new(String::new());

fn now() -> u64 {
    let mut begin = BEGIN.lock().unwrap_or_else(|e| e.into_inner());
    begin.get_or_insert_with(Instant::now).elapsed().as_millis() as u64 + 1
}

/// Ends the process when an input takes longer than the limit; keeps panics quiet.
fn watch(limit: Duration) {
    std::panic::set_hook(Box::new(|info| {
        *PANIC.lock().unwrap_or_else(|e| e.into_inner()) = format!("{info}").replace('\n', " ");
    }));
    now();
    std::thread::spawn(move || {
        loop {
            std::thread::sleep(Duration::from_millis(100));
            let since = SINCE.load(Ordering::Relaxed);
            if since > 0 && now() > since + limit.as_millis() as u64 {
                println!("an input takes longer than {} s", limit.as_secs());
                std::process::exit(ENDLESS);
            }
        }
    });
}

/// Runs one input; a panic is a fault like any other.
pub fn guarded<T>(run: impl FnOnce() -> Result<T, String>) -> Result<T, String> {
    SINCE.store(now(), Ordering::Relaxed);
    let outcome = catch_unwind(AssertUnwindSafe(run));
    SINCE.store(0, Ordering::Relaxed);
    outcome.unwrap_or_else(|_| Err(PANIC.lock().unwrap_or_else(|e| e.into_inner()).clone()))
}

/// What faults have in common: the place of a panic, or the first words.
fn signature(fault: &str) -> String {
    let line = fault.lines().next().unwrap_or_default();
    if line.starts_with("panicked at ") {
        return line.split(": ").next().unwrap_or(line).to_owned();
    }
    line.split(':').next().unwrap_or(line).to_owned()
}

/// Where the input that a worker is at is kept, for whom it leaves behind.
pub struct State(File);

impl State {
    pub fn create(path: &Path) -> Result<State, String> {
        let file = File::create(path);
        file.map(State)
            .map_err(|error| format!("cannot write {}: {error}", path.display()))
    }

    pub fn set(&mut self, run: u64, input: &[u8]) {
        let file = &mut self.0;
        let written = file
            .set_len(0)
            .and_then(|()| file.seek(SeekFrom::Start(0)))
            .and_then(|_| file.write_all(&run.to_le_bytes()))
            .and_then(|()| file.write_all(input));
        if let Err(error) = written {
            eprintln!("cannot keep the input: {error}");
        }
    }

    /// The run and the input that a dead worker was at.
    pub fn read(path: &Path) -> Option<(u64, Vec<u8>)> {
        let bytes = std::fs::read(path).ok()?;
        let (run, input) = bytes.split_first_chunk()?;
        Some((u64::from_le_bytes(*run), input.to_vec()))
    }
}

/// Runs a target until time or runs are used up; whether nothing was found.
pub fn run(args: &Args, name: &str, state: &Path, limit: Duration) -> Result<bool, String> {
    watch(limit);
    let corpus = Corpus::load()?;
    let mut state = State::create(state)?;
    on_small_stack(move || {
        let Some(target) = Target::named(name) else {
            return growth::run(&mut state);
        };
        let (runs, faults) = runs(args, target, &corpus, &mut state);
        println!("# {runs} runs");
        Ok(faults == 0)
    })
}

/// Runs where stacks are as small as they get.
fn on_small_stack<T: Send>(run: impl FnOnce() -> Result<T, String> + Send) -> Result<T, String> {
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new()
            .stack_size(STACK)
            .spawn_scoped(scope, run);
        let thread = thread.map_err(|error| format!("no thread: {error}"))?;
        thread
            .join()
            .unwrap_or_else(|_| Err("the fuzzer itself panicked".to_owned()))
    })
}

fn runs(args: &Args, target: &Target, corpus: &Corpus, state: &mut State) -> (u64, usize) {
    let start = Instant::now();
    let committed: Vec<&(PathBuf, Vec<u8>)> = corpus
        .committed
        .iter()
        .filter(|(path, _)| target.accepts(path))
        .collect();
    let seed = args.seed.unwrap_or(0);
    let mut check: Check = (target.check)();
    let mut faults: BTreeMap<String, ()> = BTreeMap::new();
    let mut run = args.from;
    // The committed files are the first runs; all others are drawn.
    loop {
        let file = committed.get(run as usize);
        let drawn = run.saturating_sub(committed.len() as u64);
        let done = match args.runs {
            Some(runs) => drawn >= runs,
            None => start.elapsed() >= Duration::from_secs(args.seconds),
        };
        if (file.is_none() && done) || faults.len() >= MOST_FAULTS {
            return (run - args.from, faults.len());
        }
        let input = match file {
            Some((_, bytes)) => Ok(bytes.clone()),
            None => guarded(|| Ok((target.input)(corpus, &mut Rng::stream(seed, drawn)))),
        };
        let outcome = input.and_then(|input| {
            state.set(run, &input);
            guarded(|| check(&input)).map_err(|fault| {
                report(
                    target,
                    &input,
                    &fault,
                    file.map(|f| &*f.0),
                    args.aside,
                    &mut faults,
                )
            })
        });
        if let Err(fault) = outcome {
            if !fault.is_empty() {
                println!("{}: the mutation of run {run} fails: {fault}", target.name);
                faults.insert(fault, ());
            }
            // What a panic leaves behind is not to be trusted.
            check = (target.check)();
        }
        run += 1;
    }
}

/// Tells of a fault, smaller, once for each way to fail; the empty string, since all is said.
fn report(
    target: &Target,
    input: &[u8],
    fault: &str,
    committed: Option<&Path>,
    aside: bool,
    faults: &mut BTreeMap<String, ()>,
) -> String {
    let signature_of = signature(fault);
    if faults.insert(signature_of.clone(), ()).is_some() {
        return String::new();
    }
    if let Some(path) = committed {
        println!("{} fails on {}: {fault}", target.name, path.display());
        return String::new();
    }
    let fails = |candidate: &[u8]| {
        let mut check = (target.check)();
        guarded(|| check(candidate)).is_err_and(|fault| signature(&fault) == signature_of)
    };
    let small = shrink(input.to_vec(), SHRINKING, fails);
    let mut check = (target.check)();
    let fault = guarded(|| check(&small))
        .err()
        .unwrap_or_else(|| fault.to_owned());
    println!("{} fails: {fault}", target.name);
    show(&small);
    keep(target, &small, aside);
    String::new()
}

/// Checks one file, and says what is wrong with it.
pub fn check_one(name: &str, file: &Path, limit: Duration) -> Result<bool, String> {
    let Some(target) = Target::named(name) else {
        return Err(format!("`{name}` takes no input"));
    };
    let input =
        std::fs::read(file).map_err(|error| format!("cannot read {}: {error}", file.display()))?;
    watch(limit);
    on_small_stack(move || {
        let mut check = (target.check)();
        match guarded(|| check(&input)) {
            Ok(()) => Ok(true),
            Err(fault) => {
                println!("{name} fails: {fault}");
                Ok(false)
            }
        }
    })
}

#[cfg(test)]
mod tests {
    use super::signature;

    #[test]
    fn faults_of_one_kind_have_one_signature() {
        let one = signature("a fix breaks the syntax: `name it a`");
        assert_eq!(one, signature("a fix breaks the syntax: `name it b`"));
        let panic = signature("panicked at crates/a.rs:1:2: no such 3");
        assert_eq!(panic, signature("panicked at crates/a.rs:1:2: no such 4"));
        assert_ne!(panic, signature("panicked at crates/a.rs:9:2: no such 4"));
    }
}
