//! Measures inside one process, for `cargo xtask bench`: `harness edit|text FOLDER ROUNDS`.
//!
//! - `edit`: one function's body changes, and the diagnostics of all files are computed again.
//! - `text`: how fast the files are lexed, parsed and formatted, on one thread.
//!
//! Prints one JSON object.

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, Instant};

use linnet_hir::check::{CheckOptions, check_all, diagnostics};
use linnet_hir::db::{RootDatabase, SourceFile, StdSource};

/// What the threads of an editor's server have: queries then need not ask for more.
const STACK: usize = 256 << 20;

fn main() -> ExitCode {
    let measuring = std::thread::Builder::new().stack_size(STACK).spawn(measure);
    match measuring.map(std::thread::JoinHandle::join) {
        Ok(Ok(exit)) => exit,
        _ => ExitCode::FAILURE,
    }
}

fn measure() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [what, folder, rounds] = args.as_slice() else {
        eprintln!("usage: harness edit|text FOLDER ROUNDS");
        return ExitCode::from(2);
    };
    let outcome = match (what.as_str(), rounds.parse(), sources(Path::new(folder))) {
        ("edit", Ok(rounds), Ok(files)) => edit(&files, rounds),
        ("text", Ok(rounds), Ok(files)) => text(&files, rounds),
        (_, _, Err(error)) => Err(format!("{folder}: {error}")),
        _ => Err("a wrong command line".to_owned()),
    };
    match outcome {
        Ok(json) => {
            println!("{json}");
            ExitCode::SUCCESS
        }
        Err(fault) => {
            eprintln!("harness: {fault}");
            ExitCode::FAILURE
        }
    }
}

/// The Linnet files below a folder with their texts, sorted.
fn sources(folder: &Path) -> std::io::Result<Vec<(PathBuf, String)>> {
    let mut files = Vec::new();
    let mut folders = vec![folder.canonicalize()?];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder)? {
            let path = entry?.path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|e| e == "linnet") {
                let text = std::fs::read_to_string(&path)?;
                files.push((path, text));
            }
        }
    }
    files.sort();
    Ok(files)
}

/// The number of diagnostics in all files.
fn faults(db: &RootDatabase, roots: &[SourceFile]) -> usize {
    roots.iter().map(|file| diagnostics(db, *file).len()).sum()
}

fn edit(files: &[(PathBuf, String)], rounds: usize) -> Result<String, String> {
    let mut db = RootDatabase::new(StdSource::Embedded);
    let roots: Vec<SourceFile> = files.iter().map(|(path, _)| db.open(path)).collect();
    check_all(&db, &roots, CheckOptions::default());
    let before = faults(&db, &roots);
    let mut times = Vec::new();
    // Modules from all parts of the workspace: many others depend on the first ones.
    for round in 0..rounds {
        let (path, text) = &files[round * files.len() / rounds];
        let at = number_in_body(text).ok_or("no number stands in a body")?;
        let with = |number: usize| {
            let mut changed = text.clone();
            changed.replace_range(at..at + 4, &format!("0.{number}"));
            changed
        };
        // The editor opens the file and it is diagnosed; what is timed is an edit after that.
        db.set_file_text(path, Some(with(101)));
        faults(&db, &roots);
        let changed = with(102 + round);
        let start = Instant::now();
        db.set_file_text(path, Some(changed));
        let after = faults(&db, &roots);
        times.push(start.elapsed());
        if after != before {
            return Err(format!("{before} diagnostics became {after}"));
        }
    }
    // A figure for an edit that nobody notices would say nothing.
    let (path, text) = &files[files.len() / 2];
    let at = number_in_body(text).ok_or("no number stands in a body")?;
    let mut broken = text.clone();
    broken.replace_range(at..at + 4, "true");
    db.set_file_text(path, Some(broken));
    if faults(&db, &roots) == before {
        return Err("a fault was not seen".to_owned());
    }
    times.sort();
    let ms = |time: Duration| time.as_secs_f64() * 1e3;
    Ok(format!(
        "{{\"median_ms\":{:.3},\"worst_ms\":{:.3},\"edits\":{rounds}}}",
        ms(times[times.len() / 2]),
        ms(times[times.len() - 1]),
    ))
}

/// Where a number such as `0.25` stands in a body.
fn number_in_body(text: &str) -> Option<usize> {
    let is_number = |word: &str| {
        word.strip_prefix("0.")
            .is_some_and(|d| d.len() == 2 && d.bytes().all(|b| b.is_ascii_digit()))
    };
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        if line.starts_with("    let ") {
            let mut from = 0;
            while let Some(at) = line[from..].find("0.") {
                let at = from + at;
                if line.get(at..at + 4).is_some_and(is_number) {
                    return Some(start + at);
                }
                from = at + 2;
            }
        }
        start += line.len();
    }
    None
}

fn text(files: &[(PathBuf, String)], rounds: usize) -> Result<String, String> {
    let bytes: usize = files.iter().map(|(_, text)| text.len()).sum();
    let rate = |run: &dyn Fn(&str) -> Result<(), String>| -> Result<f64, String> {
        let mut times = Vec::new();
        for _ in 0..rounds {
            let start = Instant::now();
            for (path, text) in files {
                run(text).map_err(|error| format!("{}: {error}", path.display()))?;
            }
            times.push(start.elapsed());
        }
        times.sort();
        Ok(bytes as f64 / 1e6 / times[times.len() / 2].as_secs_f64())
    };
    let lex = rate(&|text| {
        std::hint::black_box(linnet_syntax::lex(text));
        Ok(())
    })?;
    let parse = rate(&|text| {
        std::hint::black_box(linnet_syntax::parse(text));
        Ok(())
    })?;
    let format = rate(&|text| {
        let formatted = linnet_fmt::format(text).map_err(|error| error.to_string())?;
        std::hint::black_box(formatted);
        Ok(())
    })?;
    Ok(format!(
        "{{\"megabytes\":{:.2},\"lex\":{lex:.1},\"parse\":{parse:.1},\"format\":{format:.1}}}",
        bytes as f64 / 1e6
    ))
}
