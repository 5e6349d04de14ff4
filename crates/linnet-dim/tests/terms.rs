//! Terms, solving and contradictions by example, and terms too large for anybody.

#[allow(dead_code)]
#[path = "common/notation.rs"]
mod notation;

use std::fs;
use std::path::Path;

use linnet_dim::{Constraint, Dim, EvalError, Facts, Rel, Sym, Verdict};
use notation::Reader;

/// The lines `question : answer` of a data file.
fn lines(file: &str) -> Vec<(String, String)> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/data")
        .join(file);
    let text = fs::read_to_string(&path).expect("a data file");
    let lines = text
        .lines()
        .filter(|l| !l.trim().is_empty() && !l.starts_with('#'));
    let split = |line: &str| {
        let (question, answer) = line.rsplit_once(" : ").expect("an answer after ` : `");
        (question.to_owned(), answer.trim().to_owned())
    };
    let lines: Vec<_> = lines.map(split).collect();
    assert!(lines.len() >= 10, "{file} has too few cases");
    lines
}

fn check(file: &str, answer: impl Fn(&str) -> String) {
    let mut wrong = Vec::new();
    for (question, expected) in lines(file) {
        let found = answer(&question);
        if found != expected {
            wrong.push(format!(
                "{question}\n    expected {expected}\n    got      {found}"
            ));
        }
    }
    assert!(wrong.is_empty(), "{file}:\n{}", wrong.join("\n"));
}

fn facts_of<'a>(text: &'a str, reader: &mut Reader<'a>) -> Facts {
    let (signed, text) = match text.trim().strip_prefix('~') {
        Some(rest) => rest.split_once(',').expect("a fact"),
        None => ("", text),
    };
    let constraints: Vec<Constraint> = reader.claims(text).iter().map(|c| c.constraint()).collect();
    let natural = (0..reader.names.len()).filter(|&i| reader.names[i] != signed);
    Facts::new(
        natural.map(|i| Sym(i as u32)).collect::<Vec<_>>(),
        constraints,
    )
}

#[test]
fn display() {
    check("display.txt", |question| {
        let mut reader = Reader::new();
        let dim = reader.term(question).dim();
        dim.display(&|s| reader.name(s)).to_string()
    });
}

#[test]
fn solve() {
    check("solve.txt", |question| {
        let mut reader = Reader::new();
        let (facts, equation) = question.split_once("|-").expect("`|-`");
        let facts = facts_of(facts, &mut reader);
        let unknown = match reader.term("U") {
            notation::Term::Sym(s) => Sym(s),
            _ => unreachable!("a name is a symbol"),
        };
        let equation = reader.claim(equation).constraint();
        let facts = facts.with((0..reader.names.len()).map(|i| Sym(i as u32)), []);
        match facts.solve(&equation.lhs, unknown, &equation.rhs) {
            Some(dim) => dim.display(&|s| reader.name(s)).to_string(),
            None => "none".to_owned(),
        }
    });
}

#[test]
fn contradiction() {
    check("contradiction.txt", |question| {
        let facts = facts_of(question, &mut Reader::new());
        if facts.contradiction() {
            "contradiction"
        } else {
            "possible"
        }
        .to_owned()
    });
}

#[test]
fn evaluation_says_what_is_wrong() {
    let mut reader = Reader::new();
    let dim = reader.term("(A + B) / (A - B)").dim();
    let eval = |a, b| dim.eval(&mut |s| [a, b].get(s.0 as usize).copied().flatten());
    assert_eq!(eval(Some(7), Some(4)), Ok(3));
    assert_eq!(eval(Some(7), None), Err(EvalError::Unbound(Sym(1))));
    let divisor = reader.term("A - B").dim();
    assert_eq!(eval(Some(4), Some(4)), Err(EvalError::Divisor(divisor)));
    assert_eq!(eval(Some(i128::MAX), Some(1)), Err(EvalError::Overflow));
}

#[test]
fn symbols_and_divisors() {
    let mut reader = Reader::new();
    let dim = reader.term("A / N + min(B, A % (N * M)) + A / N").dim();
    let mut syms = Vec::new();
    dim.visit_syms(&mut |s| syms.push(reader.name(s)));
    syms.sort();
    syms.dedup();
    assert_eq!(syms, ["A", "B", "M", "N"]);
    let (a, c) = (reader.term("A").dim(), reader.term("C").dim());
    assert!(dim.mentions(a.as_sym().unwrap()) && !dim.mentions(c.as_sym().unwrap()));
    let divisors: Vec<String> = dim
        .divisors()
        .iter()
        .map(|d| d.display(&|s| reader.name(s)).to_string())
        .collect();
    assert_eq!(divisors.len(), 2, "{divisors:?}");
    assert!(divisors.contains(&"N".to_owned()) && divisors.contains(&"N * M".to_owned()));
}

#[test]
fn substitution_simplifies() {
    let mut reader = Reader::new();
    let dim = reader.term("N * (H / N) + max(H, K)").dim();
    let values = reader.claims("N == 4, H == 8 * D, K == 8 * D + 1");
    let found = dim.subst(&mut |s| {
        let value = values.iter().find(|v| v.lhs.dim() == Dim::sym(s))?;
        Some(value.rhs.dim())
    });
    assert_eq!(found, reader.term("8 * D + 8 * D + 1").dim());
    // all at once: the new H is not replaced again
    let swapped = reader.term("H - N").dim().subst(&mut |s| {
        let other = if reader.name(s) == "H" { "N" } else { "H" };
        let at = reader.names.iter().position(|n| n == other)?;
        Some(Dim::sym(Sym(at as u32)))
    });
    assert_eq!(swapped, reader.term("N - H").dim());
}

#[test]
fn facts_are_compared_by_content() {
    let mut reader = Reader::new();
    let one = facts_of("H % N == 0, N > 0", &mut reader);
    let two = facts_of("H % N == 0, N > 0", &mut reader);
    assert_eq!(one, two);
    one.holds(&reader.claim("H / N * N == H").constraint());
    assert_eq!(one, two, "what was asked does not matter");
    assert_ne!(one, facts_of("N > 0", &mut reader));
    assert_ne!(one, one.with([Sym(9)], []));
}

#[test]
fn answers_do_not_depend_on_earlier_questions() {
    let questions = [
        ("A <= B, N > 0", "A / N <= B / N"),
        ("A <= B, N > 0", "A / N < B / N"),
        ("A <= B, N > 0", "min(A, B) * N == A * N"),
        ("A <= B, N > 0", "B / N - A / N >= 0"),
    ];
    for first in &questions {
        for second in &questions {
            let mut reader = Reader::new();
            let facts = facts_of(first.0, &mut reader);
            let (first, second) = (
                reader.claim(first.1).constraint(),
                reader.claim(second.1).constraint(),
            );
            let alone = facts.with([], []).holds(&second);
            facts.holds(&first);
            assert_eq!(facts.holds(&second), alone);
        }
    }
}

fn sym(i: u32) -> Dim {
    Dim::sym(Sym(i))
}

#[test]
fn nesting_without_end() {
    type Step = fn(&Dim, u32) -> Dim;
    let steps: [Step; 8] = [
        |d, i| d.div(&sym(i % 7)),
        |d, i| sym(i % 7).div(d),
        |d, i| d.rem(&sym(i)),
        |d, i| Dim::min(d, &sym(i % 100).mul(d)),
        |d, _| d.mul(d).add(&Dim::int(1)),
        |d, i| d.add(&sym(i)),
        |d, i| {
            Dim::max(
                &d.div(&Dim::int(3)),
                &sym(i % 100).add(&d.rem(&Dim::int(5))),
            )
        },
        |d, _| d.mul(&Dim::int(i64::MAX)),
    ];
    for step in steps {
        let mut dim = sym(0);
        for i in 0..20_000 {
            dim = step(&dim, i);
        }
        let same = dim.clone();
        assert!(Facts::new([], []).equal(&dim, &same));
        assert!(dim.mentions(Sym(0)));
        let other = dim.subst(&mut |s| (s == Sym(0)).then(|| Dim::int(3)));
        assert!(!other.mentions(Sym(0)));
        // whatever it is, it is not said to be something else
        assert!(!Facts::new([Sym(0)], []).equal(&dim, &other));
        let _ = dim.eval(&mut |_| Some(2));
        let _ = dim.display(&|s| format!("S{}", s.0)).to_string();
    }
}

#[test]
fn a_term_too_large_is_not_taken_for_another() {
    // f(2) and f(3) collapse, and must not collapse into one
    let deep = |start: &Dim| (1..200).fold(start.clone(), |d, i| d.div(&sym(i)));
    let (two, three) = (deep(&Dim::int(2)), deep(&Dim::int(3)));
    let facts = Facts::new([], []);
    assert!(!facts.equal(&two, &three));
    let general = deep(&sym(0));
    let at = |v| general.subst(&mut |s| (s == Sym(0)).then(|| Dim::int(v)));
    assert!(!facts.equal(&at(2), &at(3)));
}

#[test]
fn numbers_at_the_edge() {
    let facts = Facts::new([Sym(0)], []);
    let (least, most) = (Dim::int(i64::MIN), Dim::int(i64::MAX));
    for a in [&least, &most, &sym(0)] {
        for b in [&least, &most, &sym(0), &Dim::int(-1), &Dim::int(0)] {
            for dim in [a.add(b), a.sub(b), a.mul(b), a.div(b), a.rem(b), a.neg()] {
                let square = dim.mul(&dim).mul(&dim.mul(&dim));
                let _ = facts.prove(&Constraint::new(square.clone(), Rel::Ge, dim.clone()));
                let _ = facts.prove(&Constraint::new(square.div(&dim), Rel::Eq, dim));
            }
        }
    }
    assert_eq!(most.add(&Dim::int(1)).sub(&most), Dim::int(1));
    assert_eq!(
        least.div(&Dim::int(-1)).eval(&mut |_| None),
        Err(EvalError::Divisor(Dim::int(-1)))
    );
}

#[test]
fn facts_without_end() {
    // a chain, a grid of products, and a heap of divisions: answers may be `unknown`, but come
    let chain: Vec<Constraint> = (0..3_000)
        .map(|i| Constraint::new(sym(i), Rel::Le, sym(i + 1)))
        .collect();
    let products: Vec<Constraint> = (0..60)
        .map(|i| {
            Constraint::new(
                sym(i).mul(&sym(i + 1)),
                Rel::Eq,
                sym(i + 2).mul(&sym(i + 3)),
            )
        })
        .collect();
    let divisions: Vec<Constraint> = (0..60)
        .map(|i| {
            Constraint::new(
                sym(i).rem(&sym(i + 1).add(&sym(i + 2))),
                Rel::Eq,
                Dim::int(0),
            )
        })
        .collect();
    let choices: Vec<Constraint> = (0..40)
        .map(|i| Constraint::new(Dim::min(&sym(i), &sym(i + 1)), Rel::Ne, sym(i + 2)))
        .collect();
    for constraints in [chain, products, divisions, choices] {
        let facts = Facts::new((0..4_000).map(Sym), constraints);
        let goal = Constraint::new(sym(0).mul(&sym(5)), Rel::Le, sym(9).add(&sym(4)));
        assert!(!matches!(facts.prove(&goal), Verdict::Proved(_)));
        assert!(!facts.contradiction());
    }
}

#[test]
fn facts_are_shared_between_threads() {
    let mut reader = Reader::new();
    let facts = facts_of("H % N == 0, N > 0", &mut reader);
    let goal = reader.claim("K * H / N == K * (H / N)").constraint();
    let answers: Vec<bool> = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..4)
            .map(|_| scope.spawn(|| facts.clone().holds(&goal)))
            .collect();
        threads
            .into_iter()
            .map(|t| t.join().expect("no panic"))
            .collect()
    });
    assert_eq!(answers, [true; 4]);
}
