//! Starts a worker for each target, and takes care of what kills one.

use std::fmt::Write as _;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use crate::Args;
use crate::corpus::root;
use crate::names;
use crate::shrink::shrink;
use crate::targets::Target;
use crate::worker::{ENDLESS, State};

/// After so many dead workers a target has failed enough.
const MOST_DEATHS: usize = 5;

/// How long an input that kills workers may be shrunk.
const SHRINKING: Duration = Duration::from_secs(60);

/// Longer inputs are not shown.
const SHOWN: usize = 600;

const SMOKE_SEED: u64 = 1;

/// Runs the targets; whether nothing was found.
pub fn run(args: &Args) -> Result<bool, String> {
    let now = SystemTime::now().duration_since(UNIX_EPOCH);
    let fresh = now.map_or(1, |time| time.as_nanos() as u64 % 1_000_000_000);
    let seed = if args.smoke {
        SMOKE_SEED
    } else {
        args.seed.unwrap_or(fresh)
    };
    let mut targets: Vec<&str> = names();
    // Times are not for tests.
    targets.retain(|name| !args.smoke || *name != "growth");
    if !args.targets.is_empty() {
        targets = args.targets.iter().map(String::as_str).collect();
    }
    let mut clean = true;
    for name in targets {
        let (start, mut runs) = (Instant::now(), 0);
        let faulty = target(args, name, seed, &mut runs)?;
        clean &= !faulty;
        let result = if faulty { "FAILED" } else { "ok" };
        let time = start.elapsed().as_secs_f64();
        println!("fuzz {name}: {result}, {runs} runs in {time:.1} s, seed {seed}");
    }
    Ok(clean)
}

/// Runs one target; whether something was found.
fn target(args: &Args, name: &str, seed: u64, runs: &mut u64) -> Result<bool, String> {
    let state = scratch()?.join(format!("{name}.input"));
    let start = Instant::now();
    let mut faulty = false;
    let mut from = 0;
    for _ in 0..MOST_DEATHS {
        let mut worker = this_program()?;
        worker.arg(name).arg("--worker").arg(&state);
        worker.args(["--seed", &seed.to_string(), "--from", &from.to_string()]);
        let aside = args.smoke || args.aside;
        if aside {
            worker.arg("--aside");
        }
        let smoke_runs = Target::named(name).map(|target| target.smoke_runs);
        if let Some(wanted) = if args.smoke { smoke_runs } else { args.runs } {
            worker.args(["--runs", &wanted.to_string()]);
        } else {
            let left = Duration::from_secs(args.seconds).saturating_sub(start.elapsed());
            worker.args(["--seconds", &left.as_secs().to_string()]);
        }
        let status = follow(worker, runs)?;
        match status.code() {
            Some(0) => return Ok(faulty),
            Some(1) => return Ok(true),
            Some(2) => return Err(format!("the worker of {name} could not start")),
            _ => {}
        }
        faulty = true;
        let Some((run, input)) = State::read(&state) else {
            return Err(format!(
                "the worker of {name} died ({status}) before its first input"
            ));
        };
        *runs += run + 1 - from;
        println!("{name} dies of run {run} ({status})");
        if let Some(target) = Target::named(name) {
            let small = shrink_dead(target, &state, input, status)?;
            show(&small);
            keep(target, &small, aside);
        } else {
            show(&input);
            return Ok(true);
        }
        from = run + 1;
    }
    Ok(true)
}

/// Shows what a worker prints, and counts its runs.
fn follow(mut worker: Command, runs: &mut u64) -> Result<ExitStatus, String> {
    let fault = |error: std::io::Error| format!("cannot run a worker: {error}");
    let mut child = worker
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .spawn()
        .map_err(fault)?;
    if let Some(output) = child.stdout.take() {
        for line in BufReader::new(output).lines().map_while(Result::ok) {
            match line
                .strip_prefix("# ")
                .and_then(|rest| rest.strip_suffix(" runs"))
            {
                Some(count) => *runs += count.parse::<u64>().unwrap_or(0),
                None => println!("{line}"),
            }
        }
    }
    child.wait().map_err(fault)
}

/// Shrinks an input that ends the process, each try in a process of its own.
fn shrink_dead(
    target: &Target,
    state: &Path,
    input: Vec<u8>,
    death: ExitStatus,
) -> Result<Vec<u8>, String> {
    let file = state.with_extension("try");
    let program = this_program()?.get_program().to_owned();
    // An endless input costs the whole limit each time.
    let time = if death.code() == Some(ENDLESS) {
        SHRINKING * 2
    } else {
        SHRINKING
    };
    Ok(shrink(input, time, |candidate| {
        let mut one = Command::new(&program);
        one.arg(target.name).arg("--input").arg(&file);
        one.stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null());
        std::fs::write(&file, candidate).is_ok()
            && one
                .status()
                .is_ok_and(|status| !matches!(status.code(), Some(0..=2)))
    }))
}

fn this_program() -> Result<Command, String> {
    let program = std::env::current_exe().map_err(|error| format!("who am I? {error}"))?;
    Ok(Command::new(program))
}

/// A folder below the target folder, in which the examples are.
fn scratch() -> Result<PathBuf, String> {
    let program = std::env::current_exe().map_err(|error| format!("who am I? {error}"))?;
    let target = program.ancestors().nth(3).unwrap_or(&program);
    let folder = target.join("xtask").join("fuzz");
    std::fs::create_dir_all(&folder)
        .map_err(|error| format!("cannot make {}: {error}", folder.display()))?;
    Ok(folder)
}

/// Prints an input if it is short.
pub fn show(input: &[u8]) {
    if input.len() <= SHOWN {
        println!("  with: {:?}", String::from_utf8_lossy(input));
    } else {
        println!("  with an input of {} bytes", input.len());
    }
}

/// Writes an input that fails, for the fix and as a test after it.
pub fn keep(target: &Target, input: &[u8], aside: bool) {
    let folder = if aside {
        // A test run changes nothing that is committed.
        scratch().map(|folder| folder.join("crashes"))
    } else {
        Ok(root().join("tests/corpus/crashes"))
    };
    let mut name = String::new();
    let _ = write!(
        name,
        "{}-{:016x}.{}",
        target.name,
        hash(input),
        target.extensions[0]
    );
    let written = folder.and_then(|folder| {
        let path = folder.join(name);
        let made = std::fs::create_dir_all(&folder);
        let written = made.and_then(|()| std::fs::write(&path, input));
        written.map(|()| path).map_err(|error| error.to_string())
    });
    match written {
        Ok(path) => println!("  written to {}", path.display()),
        Err(error) => println!("  cannot be written: {error}"),
    }
}

/// FNV-1a.
fn hash(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3)
    })
}
