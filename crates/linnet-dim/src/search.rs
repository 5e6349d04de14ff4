//! Small cases: values of the symbols under which constraints hold.

use rustc_hash::FxHashMap;

use crate::dim::Atom;
use crate::{Constraint, Dim, Facts, Rel, Sym};

/// The most partial assignments that a search for a counterexample looks at.
const MAX_NODES: u32 = 6_000;
/// The same for one model of the facts.
const MAX_MODEL_NODES: u32 = 1_500;
/// How many models are kept.
const MODELS: u64 = 3;
/// A list of facts longer than this has no models looked for.
const MAX_CONSTRAINTS: usize = 64;

/// A case in which all facts hold.
pub(crate) struct Model {
    values: FxHashMap<Sym, i128>,
    seed: u64,
}

impl Model {
    /// The value of a symbol; of one that the facts do not mention, any that is not negative.
    pub(crate) fn value(&self, s: Sym) -> i128 {
        // no small multiples of each other, so that hardly anything holds by accident
        const OTHERS: [i128; 8] = [7, 11, 5, 13, 17, 9, 19, 23];
        self.values
            .get(&s)
            .copied()
            .unwrap_or_else(|| OTHERS[mix(s, self.seed) as usize % 8])
    }
}

/// A few different cases in which all facts hold.
pub(crate) fn models(facts: &Facts) -> Vec<Model> {
    let constraints = facts.constraints();
    if constraints.len() > MAX_CONSTRAINTS {
        return Vec::new();
    }
    let mut models = Vec::new();
    for seed in 0..MODELS {
        let mut search = Search::new(facts, constraints.to_vec(), seed);
        match search.run(MAX_MODEL_NODES) {
            Some(values) => models.push(Model {
                values: values.into_iter().collect(),
                seed,
            }),
            None => break,
        }
    }
    models
}

/// A case in which the facts hold and the goal does not: the symbols that the goal depends on.
pub(crate) fn falsify(facts: &Facts, goal: &Constraint) -> Option<Vec<(Sym, i128)>> {
    if facts.constraints().len() > MAX_CONSTRAINTS {
        return None;
    }
    let (near, far) = connected(facts.constraints(), goal);
    // what the goal does not depend on must be possible all the same
    if !far.is_empty() && facts.models().is_empty() {
        Search::new(facts, far, 0).run(MAX_MODEL_NODES)?;
    }
    let mut constraints = vec![goal.negate()];
    constraints.extend(near);
    let mut values = Search::new(facts, constraints, 0).run(MAX_NODES)?;
    values.sort_unstable();
    Some(values)
}

/// Parts the facts into those that share symbols with the goal, step by step, and the others.
fn connected(facts: &[Constraint], goal: &Constraint) -> (Vec<Constraint>, Vec<Constraint>) {
    let mut syms = syms_of(std::slice::from_ref(goal));
    let (mut near, mut far) = (Vec::new(), facts.to_vec());
    loop {
        let (joins, rest): (Vec<_>, Vec<_>) = far.into_iter().partition(|fact| {
            let mut touches = false;
            fact.visit_syms(&mut |s| touches |= syms.contains(&s));
            touches
        });
        if joins.is_empty() {
            return (near, rest);
        }
        syms.extend(syms_of(&joins));
        near.extend(joins);
        far = rest;
    }
}

fn syms_of(constraints: &[Constraint]) -> Vec<Sym> {
    let mut syms = Vec::new();
    constraints
        .iter()
        .for_each(|c| c.visit_syms(&mut |s| syms.push(s)));
    syms.sort_unstable();
    syms.dedup();
    syms
}

fn mix(s: Sym, seed: u64) -> u64 {
    let x = (u64::from(s.0) + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15)
        ^ seed.wrapping_mul(0xD1B5_4A32_D192_ED03);
    x.wrapping_mul(0xBF58_476D_1CE4_E5B9) >> 40
}

/// A depth-first search in a fixed order.
struct Search<'a> {
    facts: &'a Facts,
    /// Symbols in the order in which they get their values.
    order: Vec<Sym>,
    /// For each place in the order, the constraints that are complete with it.
    checks: Vec<Vec<Constraint>>,
    /// For each place, `a` and `b` of equations `a * s + b == 0` that are complete with it.
    forced: Vec<Vec<(Dim, Dim)>>,
    /// A constraint without symbols fails.
    absurd: bool,
    values: Vec<i128>,
    places: FxHashMap<Sym, usize>,
    pool: Vec<i128>,
    seed: u64,
    nodes: u32,
}

impl<'a> Search<'a> {
    fn new(facts: &'a Facts, constraints: Vec<Constraint>, seed: u64) -> Search<'a> {
        let mut order: Vec<Sym> = Vec::new();
        let mut left: Vec<(Constraint, Vec<Sym>)> = constraints
            .into_iter()
            .map(|c| (c.clone(), syms_of(&[c])))
            .collect();
        let mut checks: Vec<Vec<Constraint>> = Vec::new();
        let mut absurd = false;
        let pool = pool(&left);
        // the constraint with the fewest open symbols comes next
        while let Some(at) = (0..left.len()).min_by_key(|&i| left[i].1.len()) {
            let (constraint, open) = left.remove(at);
            for s in open {
                order.push(s);
                checks.push(Vec::new());
                left.iter_mut().for_each(|l| l.1.retain(|o| *o != s));
            }
            match checks.last_mut() {
                Some(last) => last.push(constraint),
                None => absurd |= constraint.eval(&mut |_| None) != Ok(true),
            }
        }
        let places = order.iter().enumerate().map(|(i, s)| (*s, i)).collect();
        let forced = order
            .iter()
            .zip(&checks)
            .map(|(s, checks)| {
                let equations = checks.iter().filter(|c| c.rel == Rel::Eq);
                equations
                    .filter_map(|c| c.lhs.sub(&c.rhs).linear_in(*s))
                    .collect()
            })
            .collect();
        Search {
            facts,
            order,
            checks,
            forced,
            absurd,
            values: Vec::new(),
            places,
            pool,
            seed,
            nodes: 0,
        }
    }

    fn run(&mut self, limit: u32) -> Option<Vec<(Sym, i128)>> {
        if self.absurd {
            return None;
        }
        self.nodes = limit;
        // values still to try, for each place
        let mut open: Vec<Vec<i128>> = Vec::new();
        loop {
            if self.values.len() == self.order.len() {
                return Some(
                    self.order
                        .iter()
                        .copied()
                        .zip(self.values.iter().copied())
                        .collect(),
                );
            }
            let mut candidates = self.candidates(self.values.len());
            candidates.reverse();
            open.push(candidates);
            // the next value that fits, one place back where there is none
            loop {
                let at = open.len().checked_sub(1)?;
                self.values.truncate(at);
                let Some(value) = open[at].pop() else {
                    open.pop();
                    continue;
                };
                self.nodes = self.nodes.checked_sub(1)?;
                self.values.push(value);
                if self.checks[at].iter().all(|c| self.check(c)) {
                    break;
                }
            }
        }
    }

    fn check(&self, constraint: &Constraint) -> bool {
        constraint.eval(&mut |s| self.value(s)) == Ok(true)
    }

    fn value(&self, s: Sym) -> Option<i128> {
        self.values.get(*self.places.get(&s)?).copied()
    }

    fn candidates(&self, at: usize) -> Vec<i128> {
        let sym = self.order[at];
        let natural = self.facts.nonnegative_syms().binary_search(&sym).is_ok();
        for (a, b) in &self.forced[at] {
            let value = |d: &Dim| d.eval(&mut |s| self.value(s)).ok();
            if let (Some(a), Some(b)) = (value(a), value(b))
                && a != 0
            {
                let x = b
                    .checked_neg()
                    .filter(|b| b % a == 0)
                    .and_then(|b| b.checked_div(a));
                return x.filter(|x| !natural || *x >= 0).into_iter().collect();
            }
        }
        let mut all = self.pool.clone();
        if natural {
            all.retain(|v| *v >= 0);
        }
        if self.seed > 0 {
            // another model: other values first
            let len = all.len().clamp(1, 6);
            all[..len].rotate_left(mix(sym, self.seed) as usize % len);
        }
        all
    }
}

/// Values worth trying: small ones, those around the constraints' own numbers, then multiples.
fn pool(constraints: &[(Constraint, Vec<Sym>)]) -> Vec<i128> {
    let mut numbers: Vec<i128> = Vec::new();
    for (c, _) in constraints {
        c.lhs.visit_numbers(&mut |n| numbers.push(n));
        c.rhs.visit_numbers(&mut |n| numbers.push(n));
    }
    let mut pool: Vec<i128> = vec![2, 3, 1, 4, 5, 6, 0, 8, 7, 9, -1, -2, 12];
    let mut add = |n: Option<i128>| {
        if let Some(n) = n
            && pool.len() < 48
            && !pool.contains(&n)
        {
            pool.push(n);
        }
    };
    for &n in &numbers {
        for near in [
            Some(n),
            n.checked_add(1),
            n.checked_sub(1),
            n.checked_mul(2),
            n.checked_mul(3),
            n.checked_neg(),
        ] {
            add(near);
        }
    }
    for &n in numbers.iter().take(8) {
        for &m in numbers.iter().take(8) {
            add(n.checked_mul(m));
        }
    }
    pool
}

impl Dim {
    /// `a` and `b` with `self == a * s + b` and no `s` in them, `a` not plainly zero.
    pub(crate) fn linear_in(&self, s: Sym) -> Option<(Dim, Dim)> {
        let (mut a, mut b) = (Vec::new(), Vec::new());
        for (mono, coef) in self.terms() {
            match mono.iter().filter(|atom| **atom == Atom::Sym(s)).count() {
                0 => b.push((mono, coef)),
                1 => {
                    let others = mono.iter().filter(|atom| **atom != Atom::Sym(s));
                    a.push((others.cloned().collect::<Vec<Atom>>(), coef));
                }
                _ => return None,
            }
        }
        let factor = a.iter().fold(Dim::int(0), |sum, (mono, coef)| {
            sum.add(&Dim::product(mono, *coef))
        });
        let rest = Dim::collect(self.constant(), b)?;
        (factor != Dim::int(0) && !factor.mentions(s) && !rest.mentions(s))
            .then_some((factor, rest))
    }
}
