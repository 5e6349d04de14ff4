//! Explanations: which facts a proof needs, and which fact is missing.

use crate::dim::{Atom, OpKind};
use crate::{Constraint, Dim, Facts, Rel, Sym};

/// The most constraints that are left out one by one to see which ones a proof needs.
const MAX_TRIALS: usize = 48;
/// The most constraints that are tried as the missing one.
const MAX_CANDIDATES: usize = 16;
/// The most of them for which a proof is attempted.
const MAX_PROOFS: usize = 5;

/// The kinds of suggestions, the most natural first.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord)]
enum Class {
    /// A divisor is positive.
    Divisor,
    /// The goal itself, where it is simple, or simpler relations of its symbols.
    Plain,
    /// An operation simplifies.
    Operation,
    /// Two symbols are equal.
    Symbols,
    /// A dividend is below its divisor, or not.
    Bound,
    /// The goal itself.
    Whole,
}

impl Facts {
    /// The constraints that a proof of the goal needs: without any one of them it fails.
    pub(crate) fn used(&self, goal: &Constraint) -> Vec<usize> {
        let all = self.constraints();
        let mut kept: Vec<usize> = (0..all.len()).collect();
        let proves = |kept: &[usize]| {
            let constraints = kept.iter().map(|&i| all[i].clone());
            Facts::new(self.nonnegative_syms().iter().copied(), constraints).holds(goal)
        };
        if all.len() > MAX_TRIALS {
            return kept;
        }
        if proves(&[]) {
            return Vec::new();
        }
        let mut at = kept.len();
        while at > 0 {
            at -= 1;
            let mut fewer = kept.clone();
            fewer.remove(at);
            if proves(&fewer) {
                kept = fewer;
            }
        }
        kept
    }

    /// A constraint under which the goal is provable and the facts still can hold, as short and
    /// natural as one can be found. Answers for a refuted goal too.
    pub fn missing(&self, goal: &Constraint) -> Option<Constraint> {
        let mut candidates = self.candidates(goal);
        candidates.sort_by_key(|(class, c)| (*class, size(c)));
        let (mut tried, mut proofs) = (Vec::new(), 0);
        for (class, candidate) in candidates {
            // the goal itself, last of all, gets its turn in any case
            let full = tried.len() >= MAX_CANDIDATES || proofs >= MAX_PROOFS;
            if (full && class != Class::Whole) || tried.contains(&candidate) {
                continue;
            }
            let facts = self.with([], [candidate.clone()]);
            if !facts.models().is_empty() && !facts.falsified(goal) {
                if facts.holds(goal) {
                    return Some(candidate);
                }
                proofs += 1;
            }
            tried.push(candidate);
        }
        None
    }

    /// Constraints that often settle goals of this form, the most natural class first.
    fn candidates(&self, goal: &Constraint) -> Vec<(Class, Constraint)> {
        let mut all: Vec<(Class, Constraint)> = Vec::new();
        let zero = Dim::int(0);
        let mut add = |class: Class, lhs: Dim, rel: Rel, rhs: &Dim| {
            if all.len() < 4 * MAX_CANDIDATES {
                all.push((class, self.tidy(&Constraint::new(lhs, rel, rhs.clone()))));
            }
        };
        for divisor in goal.divisors() {
            add(Class::Divisor, divisor, Rel::Gt, &zero);
        }
        let diff = goal.lhs.sub(&goal.rhs);
        let class = if is_plain(goal) {
            Class::Plain
        } else {
            Class::Whole
        };
        add(class, goal.lhs.clone(), goal.rel, &goal.rhs);
        diff.visit_ops(&mut |op| {
            // An opaque term of numbers alone has no operands.
            let (Some(a), Some(b)) = (op.args.first(), op.args.last()) else {
                return;
            };
            match op.kind {
                OpKind::Div | OpKind::Rem => {
                    add(Class::Operation, a.rem(b), Rel::Eq, &zero);
                    for (mono, _) in a.terms() {
                        for factor in mono.iter() {
                            let factor = Dim::product(std::slice::from_ref(factor), 1);
                            add(Class::Operation, factor.rem(b), Rel::Eq, &zero);
                        }
                    }
                    add(Class::Bound, a.clone(), Rel::Ge, b);
                    add(Class::Bound, a.clone(), Rel::Lt, b);
                }
                OpKind::Min | OpKind::Max => {
                    add(Class::Operation, a.clone(), Rel::Le, b);
                    add(Class::Operation, b.clone(), Rel::Le, a);
                }
                _ => {}
            }
        });
        let mut syms: Vec<Sym> = Vec::new();
        goal.visit_syms(&mut |s| {
            if !syms.contains(&s) {
                syms.push(s);
            }
        });
        syms.truncate(6);
        if goal.rel == Rel::Eq {
            let reduced = Constraint::new(self.without_common(&diff, true), Rel::Eq, zero.clone());
            let class = if is_plain(&reduced) {
                Class::Plain
            } else {
                Class::Whole
            };
            add(class, reduced.lhs, Rel::Eq, &zero);
            for (i, &a) in syms.iter().enumerate() {
                for &b in &syms[..i] {
                    // only where the two sides are alike but for this
                    let mut same = |s| (s == a).then(|| Dim::sym(b));
                    if goal.lhs.subst(&mut same) == goal.rhs.subst(&mut same) {
                        add(Class::Symbols, Dim::sym(b), Rel::Eq, &Dim::sym(a));
                    }
                }
            }
        } else {
            for (i, &a) in syms.iter().enumerate() {
                add(Class::Plain, Dim::sym(a), Rel::Gt, &zero);
                for &b in &syms[..i] {
                    add(Class::Plain, Dim::sym(a), Rel::Le, &Dim::sym(b));
                    add(Class::Plain, Dim::sym(b), Rel::Le, &Dim::sym(a));
                }
            }
        }
        all
    }

    /// The constraint as a person would write it: common factors gone, no minus where a plus on
    /// the other side does, `> 0` for `>= 1`.
    pub fn tidy(&self, constraint: &Constraint) -> Constraint {
        let diff = constraint.lhs.sub(&constraint.rhs);
        let (mut diff, mut rel) = match constraint.rel {
            Rel::Le | Rel::Lt => (diff.neg(), constraint.rel.flip()),
            rel => (diff, rel),
        };
        if rel == Rel::Gt {
            (diff, rel) = (diff.sub(&Dim::int(1)), Rel::Ge);
        }
        let g = diff.terms().iter().fold(0, |g, t| crate::dim::gcd(g, t.1));
        let exact = g > 1 && diff.constant() % g == 0;
        if g > 1 && (exact || rel == Rel::Ge) {
            let terms = diff.terms().into_iter().map(|(m, c)| (m, c / g)).collect();
            diff = Dim::collect(diff.constant().div_euclid(g), terms).unwrap_or(diff);
        }
        diff = self.without_common(&diff, false);
        let (mut left, mut right) = (Vec::new(), Vec::new());
        for (mono, coef) in diff.terms() {
            match coef.checked_neg() {
                Some(opposite) if coef < 0 => right.push((mono, opposite)),
                _ => left.push((mono, coef)),
            }
        }
        let mut shift = diff.constant();
        if rel == Rel::Ge && shift < 0 && !left.is_empty() {
            (shift, rel) = (shift + 1, Rel::Gt);
        }
        if rel == Rel::Gt && shift != 0 {
            (shift, rel) = (shift - 1, Rel::Ge);
        }
        let whole = Constraint::new(diff.clone(), rel, Dim::int(0));
        let Some(opposite) = shift.checked_neg() else {
            return whole;
        };
        let (to_left, to_right) = if shift > 0 { (shift, 0) } else { (0, opposite) };
        let (Some(lhs), Some(rhs)) = (Dim::collect(to_left, left), Dim::collect(to_right, right))
        else {
            return whole;
        };
        if lhs.as_const().is_some() && rhs.as_const().is_none() {
            return Constraint::new(rhs, rel.flip(), lhs);
        }
        Constraint::new(lhs, rel, rhs)
    }

    /// The polynomial without the atoms that all its terms share: those that are positive, or all.
    fn without_common(&self, diff: &Dim, all: bool) -> Dim {
        if diff.constant() != 0 {
            return diff.clone();
        }
        let terms = diff.terms();
        let Some((first, _)) = terms.first() else {
            return diff.clone();
        };
        let mut shared: Vec<Atom> = first.to_vec();
        for (mono, _) in &terms {
            shared = intersect(&shared, mono);
        }
        shared.retain(|a| all || self.positive(&Dim::product(std::slice::from_ref(a), 1)));
        if shared.is_empty() {
            return diff.clone();
        }
        let mut sum = Dim::int(0);
        for (mono, coef) in terms {
            let mut rest = mono.to_vec();
            for atom in &shared {
                if let Some(i) = rest.iter().position(|r| r == atom) {
                    rest.remove(i);
                }
            }
            sum = sum.add(&Dim::product(&rest, coef));
        }
        sum
    }
}

fn intersect(a: &[Atom], b: &[Atom]) -> Vec<Atom> {
    let mut b = b.to_vec();
    let mut common = a.to_vec();
    common.retain(|x| match b.iter().position(|y| x == y) {
        Some(i) => {
            b.remove(i);
            true
        }
        None => false,
    });
    common
}

/// Whether a goal is as simple as its own suggestion would be: no operation but one remainder.
fn is_plain(goal: &Constraint) -> bool {
    let mut operations = 0;
    let mut count = |dim: &Dim| dim.visit_ops(&mut |_| operations += 1);
    count(&goal.lhs);
    count(&goal.rhs);
    let lone = |dim: &Dim| dim.as_op().is_some_and(|op| op.kind == OpKind::Rem);
    operations == 0 || (operations == 1 && (lone(&goal.lhs) || lone(&goal.rhs)))
}

fn size(constraint: &Constraint) -> u32 {
    constraint.lhs.size() + constraint.rhs.size()
}
