//! Random facts and goals, and the truth about them by trying all small values.

use std::fmt;

use linnet_dim::{Facts, Rel, Sym, Verdict};

use super::notation::{Beyond, Claim, Op, Term, letter};

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

    /// Asks, and compares the answer with the truth.
    pub fn check(&self) -> Result<Said, Fault> {
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

/// A generator of cases; the same seed gives the same cases on every machine.
pub struct Generator {
    state: u64,
    syms: u32,
}

impl Generator {
    pub fn new(seed: u64) -> Generator {
        let state = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ 0x5DEE_CE66_D1CE_5EED;
        Generator {
            state: state | 1,
            syms: 3,
        }
    }

    fn below(&mut self, n: u64) -> u64 {
        self.state ^= self.state << 13;
        self.state ^= self.state >> 7;
        self.state ^= self.state << 17;
        (self.state >> 11) % n
    }

    fn pick<T: Clone>(&mut self, from: &[T]) -> T {
        from[self.below(from.len() as u64) as usize].clone()
    }

    pub fn case(&mut self) -> Case {
        self.syms = 2 + self.below(3) as u32;
        let all_natural = self.below(4) > 0;
        let natural = (0..self.syms)
            .map(|_| all_natural || self.below(2) > 0)
            .collect();
        let count = self.below(5);
        let facts: Vec<Claim> = (0..count).map(|_| self.fact()).collect();
        let goal = match self.below(3) {
            0 => self.claim(2),
            1 => self.law(),
            _ => self.near(&facts),
        };
        Case {
            natural,
            facts,
            goal,
        }
    }

    fn sym(&mut self) -> Term {
        Term::Sym(self.below(u64::from(self.syms)) as u32)
    }

    /// A small term, often a symbol.
    fn small(&mut self) -> Term {
        match self.below(8) {
            0 => Term::Int(self.below(5) as i64),
            1 => Term::op(Op::Mul, Term::Int(2 + self.below(2) as i64), self.sym()),
            2 => Term::op(Op::Add, self.sym(), Term::Int(self.below(4) as i64)),
            3 => Term::op(Op::Mul, self.sym(), self.sym()),
            _ => self.sym(),
        }
    }

    fn term(&mut self, depth: u32) -> Term {
        if depth == 0 || self.below(5) == 0 {
            return match self.below(4) {
                0 => Term::Int(self.below(7) as i64 - 2),
                _ => self.sym(),
            };
        }
        use Op::{Add, Div, Max, Min, Mul, Rem, Sub};
        let op = self.pick(&[Add, Add, Sub, Sub, Mul, Mul, Div, Div, Rem, Min, Max]);
        let a = self.term(depth - 1);
        let b = match op {
            Div | Rem if self.below(3) > 0 => {
                self.pick(&[Term::Int(2), Term::Int(3), Term::Int(4)])
            }
            _ => self.term(depth - 1),
        };
        Term::op(op, a, b)
    }

    fn claim(&mut self, depth: u32) -> Claim {
        let shallower = depth - self.below(2) as u32;
        let (lhs, rhs) = (self.term(depth), self.term(shallower));
        let rel = self.pick(&[
            Rel::Eq,
            Rel::Eq,
            Rel::Ne,
            Rel::Lt,
            Rel::Le,
            Rel::Gt,
            Rel::Ge,
        ]);
        Claim { lhs, rel, rhs }
    }

    fn fact(&mut self) -> Claim {
        let zero = Term::Int(0);
        match self.below(8) {
            0 | 1 => Claim {
                lhs: self.sym(),
                rel: Rel::Gt,
                rhs: zero,
            },
            2 | 3 => {
                let (a, b) = (self.small(), self.small());
                Claim {
                    lhs: Term::op(Op::Rem, a, b),
                    rel: Rel::Eq,
                    rhs: zero,
                }
            }
            4 => Claim {
                lhs: self.sym(),
                rel: Rel::Eq,
                rhs: self.term(1),
            },
            5 => {
                let (a, b) = (self.small(), self.small());
                Claim {
                    lhs: Term::op(Op::Div, a, b),
                    rel: Rel::Eq,
                    rhs: self.small(),
                }
            }
            6 => Claim {
                lhs: self.small(),
                rel: self.pick(&[Rel::Le, Rel::Lt]),
                rhs: self.small(),
            },
            _ => self.claim(2),
        }
    }

    /// A goal made of the facts' own sides, a little changed.
    fn near(&mut self, facts: &[Claim]) -> Claim {
        if facts.is_empty() {
            return self.claim(2);
        }
        let (a, b) = (self.pick(facts), self.pick(facts));
        let side = |g: &mut Generator, c: &Claim| {
            if g.below(2) == 0 {
                c.lhs.clone()
            } else {
                c.rhs.clone()
            }
        };
        let (left, right) = (side(self, &a), side(self, &b));
        let left = match self.below(6) {
            0 => Term::op(Op::Mul, left, self.sym()),
            1 => Term::op(Op::Div, left, self.small()),
            2 => Term::op(Op::Rem, left, self.small()),
            3 => Term::op(Op::Add, left, self.small()),
            _ => left,
        };
        let rel = self.pick(&[Rel::Eq, Rel::Le, Rel::Ge, Rel::Gt, Rel::Ne]);
        Claim {
            lhs: left,
            rel,
            rhs: right,
        }
    }

    /// Something like a law of arithmetic, true or nearly so.
    fn law(&mut self) -> Claim {
        use Op::{Add, Div, Max, Min, Mul, Rem, Sub};
        let (a, b, n) = (self.small(), self.small(), self.small());
        let op = Term::op;
        let (a2, n2) = (a.clone(), n.clone());
        let (lhs, rhs) = match self.below(16) {
            0 => (op(Mul, op(Div, a, n.clone()), n), a2),
            1 => (op(Rem, op(Mul, b, a), n), Term::Int(0)),
            2 => (
                op(Div, op(Mul, b.clone(), a), n),
                op(Mul, b, op(Div, a2, n2)),
            ),
            3 => (
                op(Div, op(Add, a, op(Mul, b.clone(), n.clone())), n),
                op(Add, op(Div, a2, n2), b),
            ),
            4 => (
                op(Div, op(Div, a, n), b.clone()),
                op(Div, a2, op(Mul, n2, b)),
            ),
            5 => (
                op(Add, op(Min, a.clone(), b.clone()), op(Max, a, b.clone())),
                op(Add, a2, b),
            ),
            6 => (
                op(Min, a.clone(), op(Min, b.clone(), n.clone())),
                op(Min, op(Min, n, b), a),
            ),
            7 => (
                op(
                    Mul,
                    op(Div, op(Sub, op(Add, a, n.clone()), Term::Int(1)), n.clone()),
                    n,
                ),
                a2,
            ),
            8 => (op(Rem, a, n), n2),
            9 => (
                op(
                    Add,
                    op(Div, a.clone(), n.clone()),
                    op(Div, b.clone(), n.clone()),
                ),
                op(Div, op(Add, a, b), n),
            ),
            10 => (
                op(
                    Add,
                    op(Mul, n.clone(), op(Div, a.clone(), n.clone())),
                    op(Rem, a, n),
                ),
                a2,
            ),
            11 => (
                op(Mul, op(Add, a.clone(), b.clone()), n.clone()),
                op(Add, op(Mul, a, n.clone()), op(Mul, b, n)),
            ),
            12 => (op(Max, a.clone(), op(Min, a, b)), a2),
            13 => (
                op(Rem, op(Rem, a, op(Mul, n.clone(), b)), n),
                op(Rem, a2, n2),
            ),
            14 => (op(Mul, a, n), op(Mul, b, n2)),
            _ => (
                op(Div, op(Mul, a, n.clone()), op(Mul, b.clone(), n)),
                op(Div, a2, b),
            ),
        };
        let rel = self.pick(&[
            Rel::Eq,
            Rel::Eq,
            Rel::Eq,
            Rel::Ge,
            Rel::Le,
            Rel::Lt,
            Rel::Ne,
        ]);
        Claim { lhs, rel, rhs }
    }
}
