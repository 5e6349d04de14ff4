//! The prover by example: each line of `tests/data/*.txt` is a question with its answer.
//!
//! `facts |- goal : answer`, where the answer is `proved` (with `by` the facts that are needed, counted
//! from 1), `refuted`, or `unknown`, both of them with `needs` the constraint that is suggested.
//! Symbols are dimensions (`>= 0`) unless `~A` says among the facts that `A` is any integer.

#[allow(dead_code)] // the oracle has its own use of it
#[path = "common/notation.rs"]
mod notation;

use std::fs;
use std::path::Path;

use linnet_dim::{Facts, Sym, Verdict};
use notation::Reader;

struct Question {
    text: String,
    facts: Facts,
    goal: linnet_dim::Constraint,
    names: Vec<String>,
    answer: String,
}

/// Reads a line of a data file.
fn question(line: &str) -> Question {
    let (text, answer) = line.rsplit_once(" : ").expect("an answer after ` : `");
    let (facts, goal) = text.split_once("|-").expect("`|-`");
    let mut reader = Reader::new();
    let (signed, facts): (Vec<&str>, Vec<&str>) = split_top(facts)
        .into_iter()
        .map(str::trim)
        .filter(|f| !f.is_empty())
        .partition(|f| f.starts_with('~'));
    let facts: Vec<_> = facts.iter().map(|f| reader.claim(f).constraint()).collect();
    let goal = reader.claim(goal).constraint();
    let natural = (0..reader.names.len())
        .filter(|&i| !signed.contains(&format!("~{}", reader.names[i]).as_str()))
        .map(|i| Sym(i as u32));
    Question {
        text: text.trim().to_owned(),
        facts: Facts::new(natural, facts),
        goal,
        names: reader.names,
        answer: answer.trim().to_owned(),
    }
}

/// Splits at commas outside parentheses.
fn split_top(text: &str) -> Vec<&str> {
    let (mut depth, mut from, mut parts) = (0, 0, Vec::new());
    for (at, c) in text.char_indices() {
        match c {
            '(' => depth += 1,
            ')' => depth -= 1,
            ',' if depth == 0 => {
                parts.push(&text[from..at]);
                from = at + 1;
            }
            _ => {}
        }
    }
    parts.push(&text[from..]);
    parts
}

impl Question {
    fn name(&self, s: Sym) -> String {
        self.names[s.0 as usize].clone()
    }

    /// What the prover says, in as much detail as the expected answer has.
    fn said(&self) -> String {
        let names = |s| self.name(s);
        let needs = || match self.facts.missing(&self.goal) {
            Some(c) if self.answer.contains(" needs ") => format!(" needs {}", c.display(&names)),
            None if self.answer.contains(" needs ") => " needs nothing".to_owned(),
            _ => String::new(),
        };
        match self.facts.prove(&self.goal) {
            Verdict::Proved(proof) if self.answer.contains(" by") => {
                let used: Vec<String> = proof.used.iter().map(|i| (i + 1).to_string()).collect();
                format!("proved by {}", used.join(" "))
                    .trim_end()
                    .to_owned()
            }
            Verdict::Proved(_) => "proved".to_owned(),
            Verdict::Refuted(example) => {
                if self.answer.contains(" where ") {
                    let values = example
                        .values
                        .iter()
                        .map(|(s, v)| format!("{} = {v}", names(*s)));
                    return format!("refuted where {}", values.collect::<Vec<_>>().join(", "));
                }
                format!("refuted{}", needs())
            }
            Verdict::Unknown(_) => format!("unknown{}", needs()),
        }
    }
}

fn check(file: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/data")
        .join(file);
    let text = fs::read_to_string(&path).expect("a data file");
    let mut wrong = Vec::new();
    let (mut count, mut in_section) = (0, usize::MAX);
    for (number, line) in text.lines().enumerate() {
        if line.starts_with("## ") {
            assert!(
                in_section >= 5,
                "{file}:{}: the section before has fewer than 5 cases",
                number + 1
            );
            in_section = 0;
        }
        if line.trim().is_empty() || line.starts_with('#') {
            continue;
        }
        let question = question(line);
        (count, in_section) = (count + 1, in_section.saturating_add(1));
        let said = question.said();
        if said != question.answer {
            let (text, answer) = (&question.text, &question.answer);
            wrong.push(format!(
                "{file}:{}: {text}\n    expected {answer}\n    got      {said}",
                number + 1
            ));
        }
    }
    assert!(count > 0 && in_section >= 5, "{file} has too few cases");
    assert!(
        wrong.is_empty(),
        "{} of {count} wrong:\n{}",
        wrong.len(),
        wrong.join("\n")
    );
}

#[test]
fn what_must_be_proven() {
    check("proved.txt");
}

#[test]
fn what_must_not_be_proven() {
    check("traps.txt");
}

#[test]
fn what_is_suggested() {
    check("missing.txt");
}
