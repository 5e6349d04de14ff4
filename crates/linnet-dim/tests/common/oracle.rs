//! Random facts and goals, and the truth about them by trying all small values.

use std::fmt;

use linnet_dim::{Facts, Sym, Verdict};

use super::notation::{Beyond, Claim, Op, Reader, Term, letter};

/// A generated question.
#[derive(Clone, Debug)]
pub struct Case {
    /// For each symbol, whether it is known not to be negative.
    pub natural: Vec<bool>,
    pub facts: Vec<Claim>,
    pub goal: Claim,
}

/// What the prover said.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Said {
    Proved,
    Refuted,
    Unknown,
}

/// A wrong answer.
#[derive(Clone, Debug)]
pub struct Fault {
    pub why: &'static str,
    pub values: Vec<i128>,
}

impl fmt::Display for Case {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let facts: Vec<String> = self.facts.iter().map(Claim::to_string).collect();
        write!(f, "{} |- {}", facts.join(", "), self.goal)?;
        let any: Vec<String> = (0..self.natural.len() as u32)
            .filter(|s| !self.natural[*s as usize])
            .map(letter)
            .collect();
        if any.is_empty() {
            Ok(())
        } else {
            write!(f, "   (any sign: {})", any.join(", "))
        }
    }
}

/// Different functions for what a division by zero or less could mean.
const BEYOND: [Beyond; 3] = [
    |_, _, _| 0,
    |op, a, b| if op == Op::Div { a + 3 * b + 1 } else { a - b },
    |op, a, b| {
        if op == Op::Div {
            7 - 2 * a
        } else {
            a * a + 5 * b - 2
        }
    },
];

impl Case {
    pub fn facts(&self) -> Facts {
        let natural = (0..self.natural.len()).filter(|s| self.natural[*s]);
        Facts::new(
            natural.map(|s| Sym(s as u32)),
            self.facts.iter().map(Claim::constraint),
        )
    }

    /// Calls `f` with all small values under which all facts hold, until it answers true.
    fn any_model(&self, mut f: impl FnMut(&[i128], Beyond) -> bool) -> Option<Vec<i128>> {
        let divides = self.goal.divides() || self.facts.iter().any(Claim::divides);
        let (low, high) = if self.natural.len() > 3 {
            (-2, 5)
        } else {
            (-4, 8)
        };
        for &beyond in &BEYOND[..if divides { BEYOND.len() } else { 1 }] {
            let start: Vec<i128> = self
                .natural
                .iter()
                .map(|n| if *n { 0 } else { low })
                .collect();
            let mut values = start.clone();
            'all: loop {
                if self.facts.iter().all(|fact| fact.eval(&values, beyond)) && f(&values, beyond) {
                    return Some(values);
                }
                for at in 0..values.len() {
                    if values[at] < high {
                        values[at] += 1;
                        continue 'all;
                    }
                    values[at] = start[at];
                }
                break;
            }
        }
        None
    }

    /// Compares the canonical form with plain arithmetic, and with its own text read back.
    fn check_terms(&self) -> Result<(), Fault> {
        let claims = self.facts.iter().chain([&self.goal]);
        for term in claims.flat_map(|c| [&c.lhs, &c.rhs]) {
            let dim = term.dim();
            for at in 0..5 {
                let value = |s: usize| {
                    let v = (at * 7 + s as i128 * 5 + 1) % 9;
                    if self.natural[s] { v } else { v - 4 }
                };
                let values: Vec<i128> = (0..self.natural.len()).map(value).collect();
                // where no divisor below 1 is left, there is one answer whatever they mean
                if let Ok(found) = dim.eval(&mut |s| Some(values[s.0 as usize]))
                    && BEYOND
                        .iter()
                        .any(|beyond| term.eval(&values, *beyond) != found)
                {
                    return Err(Fault {
                        why: "the canonical form has another value",
                        values,
                    });
                }
            }
            let text = dim.display(&|s| letter(s.0)).to_string();
            let mut reader = Reader::new();
            reader.names = (0..self.natural.len() as u32).map(letter).collect();
            if reader.term(&text).dim() != dim {
                return Err(Fault {
                    why: "the text reads back as another term",
                    values: Vec::new(),
                });
            }
        }
        Ok(())
    }

    /// Asks, and compares the answer with the truth.
    pub fn check(&self) -> Result<Said, Fault> {
        self.check_terms()?;
        let facts = self.facts();
        let goal = self.goal.constraint();
        if facts.contradiction()
            && let Some(values) = self.any_model(|_, _| true)
        {
            return Err(Fault {
                why: "the facts do not contradict each other",
                values,
            });
        }
        let verdict = facts.prove(&goal);
        if matches!(verdict, Verdict::Proved(_)) != facts.holds(&goal) {
            return Err(Fault {
                why: "`prove` and `holds` disagree",
                values: Vec::new(),
            });
        }
        match verdict {
            Verdict::Proved(proof) => {
                if let Some(values) = self.any_model(|v, beyond| !self.goal.eval(v, beyond)) {
                    return Err(Fault {
                        why: "proved, but false",
                        values,
                    });
                }
                let used: Vec<Claim> = proof.used.iter().map(|&i| self.facts[i].clone()).collect();
                if used.len() < self.facts.len() {
                    let fewer = Case {
                        facts: used,
                        ..self.clone()
                    };
                    if let Some(values) = fewer.any_model(|v, beyond| !self.goal.eval(v, beyond)) {
                        return Err(Fault {
                            why: "the facts used do not suffice",
                            values,
                        });
                    }
                }
                Ok(Said::Proved)
            }
            Verdict::Refuted(example) => {
                let given = |s: usize| {
                    example
                        .values
                        .iter()
                        .find(|v| v.0.0 as usize == s)
                        .map(|v| v.1)
                };
                let mut values: Vec<i128> = Vec::new();
                for s in 0..self.natural.len() {
                    values.push(given(s).unwrap_or(0));
                }
                let fits = |c: &Claim| {
                    // symbols that the example leaves out stand in facts that do not matter
                    let mut known = true;
                    c.constraint()
                        .visit_syms(&mut |s| known &= given(s.0 as usize).is_some());
                    let value = c.constraint().eval(&mut |s| given(s.0 as usize));
                    (!known && value.is_err()) || value == Ok(true)
                };
                let natural = (0..values.len()).all(|s| !self.natural[s] || values[s] >= 0);
                let falsifies = goal.eval(&mut |s| given(s.0 as usize)) == Ok(false);
                if !natural || !falsifies || !self.facts.iter().all(fits) {
                    return Err(Fault {
                        why: "the counterexample is none",
                        values,
                    });
                }
                Ok(Said::Refuted)
            }
            Verdict::Unknown(missing) => {
                if let Some(constraint) = missing.constraint
                    && !facts.with([], [constraint]).holds(&goal)
                {
                    return Err(Fault {
                        why: "what is missing does not help",
                        values: Vec::new(),
                    });
                }
                Ok(Said::Unknown)
            }
        }
    }

    /// Whether all divisors of the goal are provably positive.
    pub fn is_proper(&self) -> bool {
        let facts = self.facts();
        self.goal
            .constraint()
            .divisors()
            .iter()
            .all(|d| facts.positive(d))
    }

    /// Whether the goal holds for all small values under which the facts hold, and there are some.
    pub fn seems_true(&self) -> bool {
        self.any_model(|_, _| true).is_some()
            && self
                .any_model(|v, beyond| !self.goal.eval(v, beyond))
                .is_none()
    }

    /// The smallest case found that is still wrong.
    pub fn shrunk(&self) -> Case {
        let mut best = self.clone();
        'again: loop {
            for smaller in best.smaller() {
                if smaller.check().is_err() {
                    best = smaller;
                    continue 'again;
                }
            }
            return best;
        }
    }

    fn smaller(&self) -> Vec<Case> {
        let mut all = Vec::new();
        for at in 0..self.facts.len() {
            let mut facts = self.facts.clone();
            facts.remove(at);
            all.push(Case {
                facts,
                ..self.clone()
            });
        }
        for goal in smaller_claims(&self.goal) {
            all.push(Case {
                goal,
                ..self.clone()
            });
        }
        for at in 0..self.facts.len() {
            for fact in smaller_claims(&self.facts[at]) {
                let mut facts = self.facts.clone();
                facts[at] = fact;
                all.push(Case {
                    facts,
                    ..self.clone()
                });
            }
        }
        all
    }
}

fn smaller_claims(claim: &Claim) -> Vec<Claim> {
    let left = smaller_terms(&claim.lhs).into_iter().map(|lhs| Claim {
        lhs,
        ..claim.clone()
    });
    let right = smaller_terms(&claim.rhs).into_iter().map(|rhs| Claim {
        rhs,
        ..claim.clone()
    });
    left.chain(right).collect()
}

fn smaller_terms(term: &Term) -> Vec<Term> {
    match term {
        Term::Int(0) => Vec::new(),
        Term::Int(v) => vec![Term::Int(v - v.signum())],
        Term::Sym(_) => vec![Term::Int(0), Term::Int(1)],
        Term::Op(op, a, b) => {
            let mut all = vec![(**a).clone(), (**b).clone()];
            all.extend(
                smaller_terms(a)
                    .into_iter()
                    .map(|a| Term::op(*op, a, (**b).clone())),
            );
            all.extend(
                smaller_terms(b)
                    .into_iter()
                    .map(|b| Term::op(*op, (**a).clone(), b)),
            );
            all
        }
    }
}
