//! Prints the tree and the faults of a file, or with `--bench` how fast it is parsed.
//!
//! `cargo run --release -p linnet-syntax --example syntax -- [--bench] FILE`

use std::{env, fs, process::ExitCode, time::Instant};

fn main() -> ExitCode {
    let mut args: Vec<String> = env::args().skip(1).collect();
    let bench = args.first().is_some_and(|arg| arg == "--bench");
    if bench {
        args.remove(0);
    }
    let [path] = args.as_slice() else {
        eprintln!("usage: syntax [--bench] FILE");
        return ExitCode::from(2);
    };
    let text = match fs::read_to_string(path) {
        Ok(text) => text,
        Err(error) => {
            eprintln!("{path}: {error}");
            return ExitCode::FAILURE;
        }
    };
    if bench {
        measure("lex", &text, linnet_syntax::lex);
        measure("parse", &text, |text| {
            linnet_syntax::parse(text).errors.len()
        });
    } else {
        let parse = linnet_syntax::parse(&text);
        print!("{:#?}", parse.syntax());
        for error in parse.errors() {
            println!(
                "{} {:?} {} ({})",
                error.code, error.range, error.message, error.label
            );
        }
    }
    ExitCode::SUCCESS
}

/// The best of ten runs. The results are kept, as a database keeps them: freeing so many small
/// pieces would disturb the runs after it.
fn measure<T>(what: &str, text: &str, run: impl Fn(&str) -> T) {
    let mut results = Vec::new();
    let mut best = f64::INFINITY;
    for _ in 0..10 {
        let start = Instant::now();
        results.push(run(text));
        best = best.min(start.elapsed().as_secs_f64());
    }
    let megabytes = text.len() as f64 / 1e6;
    println!("{what}: {:.1} MB/s of {megabytes:.3} MB", megabytes / best);
}
