//! Every answer of the prover against the truth for small values.

#[path = "common/generate.rs"]
mod generate;
#[allow(dead_code)]
#[path = "common/notation.rs"]
mod notation;
#[allow(dead_code)]
#[path = "common/oracle.rs"]
mod oracle;

use generate::Generator;
use oracle::{Case, Said};

/// Asks `count` generated questions and demands that a good share of them is answered.
fn run(seed: u64, count: usize) {
    let mut generator = Generator::new(seed);
    let mut proved = 0;
    let mut wrong: Vec<(Case, String)> = Vec::new();
    for _ in 0..count {
        let case = generator.case();
        match case.check() {
            Ok(Said::Proved) => proved += 1,
            Ok(_) => {}
            Err(fault) if wrong.len() < 3 => {
                wrong.push((case, format!("{} at {:?}", fault.why, fault.values)));
            }
            Err(_) => {}
        }
    }
    let shown: Vec<String> = wrong
        .iter()
        .map(|(c, why)| format!("{why}: {c}\n  shrunk: {}", c.shrunk()))
        .collect();
    assert!(shown.is_empty(), "seed {seed}:\n{}", shown.join("\n"));
    assert!(
        proved * 4 > count,
        "seed {seed}: only {proved} of {count} proven"
    );
}

// 100,000 questions in all; several tests, so that they run side by side

#[test]
fn generated_questions_1() {
    run(1, 25_000);
}

#[test]
fn generated_questions_2() {
    run(2, 25_000);
}

#[test]
fn generated_questions_3() {
    run(3, 25_000);
}

#[test]
fn generated_questions_4() {
    run(4, 25_000);
}

/// The oracle itself must be able to fail: a claim that is false is found to be false.
#[test]
fn the_oracle_sees_what_is_false() {
    let mut reader = notation::Reader::new();
    let case = |facts, goal, reader: &mut notation::Reader<'static>| Case {
        facts: reader.claims(facts),
        goal: reader.claim(goal),
        natural: vec![true; 2],
    };
    let rounding = case("B > 0", "A / B * B == A", &mut reader);
    assert!(!rounding.seems_true());
    let exact = case("B > 0, A % B == 0", "A / B * B == A", &mut reader);
    assert!(exact.seems_true());
    let by_zero = case("A % B == 0", "A / B * B == A", &mut reader);
    assert!(!by_zero.seems_true());
}
