//! A mutational fuzzer over the product: `fuzz [TARGET..] [--seconds S | --runs N] [--seed N] [--smoke]`.
//!
//! ```text
//! corpus (tests/spec, tests/corpus, std, examples) ──mutate──▶ input ──target──▶ ok, or a fault
//! fault ──minimise──▶ tests/corpus/crashes/TARGET-N
//! ```
//!
//! Each target prints one line, `fuzz TARGET: ok, N runs ..` or `fuzz TARGET: FAILED ..`. With `--smoke` the seed and
//! the number of runs are fixed, so that two runs do the same.

mod corpus;
mod mutate;
#[path = "../src/generate/rng.rs"]
mod rng;
mod targets;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Mutex;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use corpus::Corpus;
use rng::Rng;
use targets::{Input, TARGETS, Target};

/// One input may take this long, on a loaded machine too.
const HANG: Duration = Duration::from_secs(30);
/// How many smaller inputs are tried for one that fails.
const SHRINK_TRIES: usize = 400;
/// The main thread of a program has as much.
const STACK: usize = 8 << 20;

/// What runs now, for the watchdog: since when, under which target, and the input.
static CURRENT: Mutex<Option<(Instant, &'static str, Vec<u8>)>> = Mutex::new(None);

struct Options {
    targets: Vec<&'static Target>,
    seconds: Option<u64>,
    runs: Option<usize>,
    seed: u64,
}

fn main() -> ExitCode {
    let options = match options() {
        Ok(options) => options,
        Err(message) => {
            eprintln!("error: {message}");
            return ExitCode::from(2);
        }
    };
    // A panic is a finding, and reported as one.
    std::panic::set_hook(Box::new(|_| {}));
    std::thread::spawn(watchdog);
    let worker = std::thread::Builder::new()
        .stack_size(STACK)
        .spawn(move || run(&options));
    match worker.map(|w| w.join()) {
        Ok(Ok(true)) => ExitCode::SUCCESS,
        _ => ExitCode::FAILURE,
    }
}

fn options() -> Result<Options, String> {
    let now = SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .map_or(1, |d| d.as_nanos() as u64);
    let mut options = Options {
        targets: Vec::new(),
        seconds: None,
        runs: None,
        seed: now % 1_000_000_000,
    };
    let mut args = std::env::args().skip(1);
    while let Some(arg) = args.next() {
        let mut number = || {
            let value = args.next().unwrap_or_default();
            value
                .parse::<u64>()
                .map_err(|_| format!("`{arg}` takes a number"))
        };
        match arg.as_str() {
            "--seconds" => options.seconds = Some(number()?),
            "--runs" => options.runs = Some(number()? as usize),
            "--seed" => options.seed = number()?,
            "--smoke" => (options.seed, options.runs) = (1, Some(0)),
            name => match TARGETS.iter().find(|t| t.name == name) {
                Some(target) => options.targets.push(target),
                None => {
                    let known: Vec<&str> = TARGETS.iter().map(|t| t.name).collect();
                    return Err(format!(
                        "no target `{name}`; there are {}",
                        known.join(", ")
                    ));
                }
            },
        }
    }
    if options.targets.is_empty() {
        options.targets = TARGETS.iter().collect();
    }
    Ok(options)
}

fn run(options: &Options) -> bool {
    let corpus = Corpus::read(&root());
    let mut sound = true;
    for target in &options.targets {
        // `--smoke` asks for each target's own number.
        let runs = match options.runs {
            Some(0) => Some(target.smoke_runs),
            other => other,
        };
        sound &= fuzz(target, &corpus, options.seed, runs, options.seconds);
    }
    sound
}

/// The repository: this program is built inside it.
fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

fn fuzz(
    target: &'static Target,
    corpus: &Corpus,
    seed: u64,
    runs: Option<usize>,
    seconds: Option<u64>,
) -> bool {
    let start = Instant::now();
    let seconds = seconds.or(if runs.is_none() { Some(60) } else { None });
    println!("fuzz {}: seed {seed}", target.name);
    let inputs = corpus.inputs(target.input);
    let mut done = 0;
    // The corpus itself comes first: what once failed is in it.
    for index in 0.. {
        let over = seconds.is_some_and(|s| start.elapsed().as_secs() >= s);
        let enough = runs.is_some_and(|runs| index >= inputs.len() + runs);
        if over || enough {
            break;
        }
        let input = match inputs.get(index) {
            Some(input) => input.clone(),
            None => {
                let mut rng = Rng::stream(seed, index as u64);
                mutate::mutated(&mut rng, inputs)
            }
        };
        done += 1;
        if let Err(fault) = attempt(target, &input) {
            let smaller = minimise(target, input);
            let path = keep(target, &smaller);
            println!(
                "fuzz {}: FAILED after {done} runs (seed {seed}): {fault}",
                target.name
            );
            println!("  input: {}", path.display());
            return false;
        }
    }
    println!(
        "fuzz {}: ok, {done} runs in {:.1} s",
        target.name,
        start.elapsed().as_secs_f64()
    );
    true
}

fn attempt(target: &'static Target, input: &[u8]) -> Result<(), String> {
    set_current(Some((Instant::now(), target.name, input.to_vec())));
    let outcome = catch_unwind(AssertUnwindSafe(|| (target.run)(input)));
    set_current(None);
    outcome.unwrap_or_else(|panic| {
        let message = panic
            .downcast_ref::<String>()
            .cloned()
            .or_else(|| panic.downcast_ref::<&str>().map(|s| (*s).to_owned()));
        Err(format!("panic: {}", message.unwrap_or_default()))
    })
}

fn set_current(current: Option<(Instant, &'static str, Vec<u8>)>) {
    *CURRENT.lock().unwrap_or_else(|e| e.into_inner()) = current;
}

/// Ends the program with the input at fault where one takes too long.
fn watchdog() {
    loop {
        std::thread::sleep(Duration::from_millis(500));
        let current = CURRENT.lock().unwrap_or_else(|e| e.into_inner()).clone();
        if let Some((since, name, input)) = current
            && since.elapsed() > HANG
            && let Some(target) = TARGETS.iter().find(|t| t.name == name)
        {
            let path = keep(target, &input);
            println!("fuzz {name}: FAILED, no answer in {} s", HANG.as_secs());
            println!("  input: {}", path.display());
            std::process::exit(1);
        }
    }
}

/// Leaves out halves, quarters and so on of the lines, then of the bytes, as long as the target still fails.
fn minimise(target: &'static Target, input: Vec<u8>) -> Vec<u8> {
    let mut best = input;
    let mut tries = 0;
    for by_lines in [true, false] {
        let mut parts = 2;
        while tries < SHRINK_TRIES {
            let pieces: Vec<Vec<u8>> = match by_lines {
                true => best
                    .split_inclusive(|b| *b == b'\n')
                    .map(<[u8]>::to_vec)
                    .collect(),
                false => best.iter().map(|b| vec![*b]).collect(),
            };
            let size = pieces.len().div_ceil(parts).max(1);
            let mut smaller = None;
            for skip in (0..pieces.len()).step_by(size) {
                tries += 1;
                let rest: Vec<u8> = pieces
                    .iter()
                    .enumerate()
                    .filter(|(i, _)| !(skip..skip + size).contains(i))
                    .flat_map(|(_, p)| p.clone())
                    .collect();
                if rest.len() < best.len() && attempt(target, &rest).is_err() {
                    smaller = Some(rest);
                    break;
                }
                if tries >= SHRINK_TRIES {
                    break;
                }
            }
            match smaller {
                Some(rest) => best = rest,
                None if size == 1 => break,
                None => parts *= 2,
            }
        }
    }
    best
}

/// Writes an input that fails where it becomes part of the corpus.
fn keep(target: &Target, input: &[u8]) -> PathBuf {
    let folder = root().join("tests/corpus/crashes");
    let _ = std::fs::create_dir_all(&folder);
    let extension = match target.input {
        Input::Source => "linnet",
        Input::Manifest => "toml",
        Input::Weights => "safetensors",
    };
    let number = input
        .iter()
        .fold(0u32, |h, b| h.wrapping_mul(31).wrapping_add(u32::from(*b)));
    let path = folder.join(format!("{}-{number:08x}.{extension}", target.name));
    if let Err(error) = std::fs::write(&path, input) {
        println!("  the input cannot be written: {error}");
    }
    path
}
