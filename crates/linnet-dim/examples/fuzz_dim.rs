//! Compares the prover with brute force on fresh cases: `fuzz_dim [--seed N] [--count N] [--gaps]`.
//!
//! Prints each wrong answer, shrunk, and fails; `--gaps` also prints what is true for all small
//! values and not proven, where all divisors are positive.

use std::process::ExitCode;
use std::time::{SystemTime, UNIX_EPOCH};

#[path = "../tests/common/generate.rs"]
mod generate;
#[allow(dead_code)]
#[path = "../tests/common/notation.rs"]
mod notation;
#[path = "../tests/common/oracle.rs"]
mod oracle;

use generate::Generator;
use oracle::Said;

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().collect();
    let number = |name: &str| {
        let at = args.iter().position(|a| a == name)?;
        args.get(at + 1)?.parse::<u64>().ok()
    };
    let now = SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .map_or(1, |d| d.as_nanos() as u64);
    let seed = number("--seed").unwrap_or(now % 1_000_000_000);
    let count = number("--count").unwrap_or(100_000);
    let gaps = args.iter().any(|a| a == "--gaps");
    println!("seed {seed}, {count} cases");
    let mut generator = Generator::new(seed);
    let (mut proved, mut refuted, mut unknown, mut faults) = (0, 0, 0, 0);
    for _ in 0..count {
        let case = generator.case();
        match case.check() {
            Ok(Said::Proved) => proved += 1,
            Ok(Said::Refuted) => refuted += 1,
            Ok(Said::Unknown) => {
                unknown += 1;
                if gaps && case.is_proper() && case.seems_true() {
                    println!("not proven: {case}");
                }
            }
            Err(fault) => {
                faults += 1;
                println!("WRONG: {} at {:?}: {case}", fault.why, fault.values);
                println!("       shrunk: {}", case.shrunk());
            }
        }
    }
    println!("proved {proved}, refuted {refuted}, unknown {unknown}, wrong {faults}");
    if faults == 0 {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    }
}
