//! Questions: each tier stronger and dearer than the one before, case analysis last.

use super::expr::Expr;
use super::{AtomId, Engine, FUEL_GOAL, Key};
use crate::{Dim, Rel};

/// The most cases that one question is split into.
const MAX_CASES: u32 = 40;
/// The most splits inside each other.
const MAX_NESTED: u32 = 4;

/// What is asked: `expr rel 0`, or whether the facts contradict each other.
enum Goal {
    Zero(Expr),
    NonZero(Expr),
    AtLeastZero(Expr),
    False,
}

impl Engine {
    /// Whether the facts imply `diff rel 0`. The engine has seen the goal afterwards.
    pub(crate) fn proves(&mut self, diff: &Dim, rel: Rel) -> bool {
        self.fuel = FUEL_GOAL;
        if self.refuted {
            return true;
        }
        self.try_proves(diff, rel).unwrap_or(false)
    }

    fn try_proves(&mut self, diff: &Dim, rel: Rel) -> Option<bool> {
        let diff = self.read(diff)?;
        let goal = match rel {
            Rel::Eq => Goal::Zero(diff),
            Rel::Ne => Goal::NonZero(diff),
            Rel::Ge => Goal::AtLeastZero(diff),
            Rel::Gt => Goal::AtLeastZero(diff.shifted(-1)?),
            Rel::Le => Goal::AtLeastZero(diff.negated()?),
            Rel::Lt => Goal::AtLeastZero(diff.refuting()?),
        };
        Some(self.decide(&goal, &mut MAX_CASES.clone(), 0))
    }

    /// Whether the facts contradict each other.
    pub(crate) fn contradiction(&mut self) -> bool {
        self.fuel = FUEL_GOAL;
        self.decide(&Goal::False, &mut MAX_CASES.clone(), 0)
    }

    fn decide(&mut self, goal: &Goal, cases: &mut u32, nested: u32) -> bool {
        self.refuted
            || self.tiers(goal).unwrap_or(false)
            || self.split(goal, cases, nested).unwrap_or(false)
    }

    /// Everything but case analysis.
    fn tiers(&mut self, goal: &Goal) -> Option<bool> {
        match goal {
            Goal::AtLeastZero(expr) => self.at_least(expr),
            Goal::Zero(expr) => {
                let expr = self.normal(expr)?;
                if let Some(c) = expr.as_const() {
                    return Some(c == 0);
                }
                let mut reduced = expr.clone();
                if expr.shift() == 0 {
                    for atom in self.shared_atoms(&expr) {
                        reduced = self.without(&reduced, atom)?;
                    }
                }
                if reduced != expr && self.both_signs(&reduced) == Some(true) {
                    return Some(true);
                }
                self.both_signs(&expr)
            }
            Goal::NonZero(expr) => {
                let expr = self.normal(expr)?;
                let opposite = expr.negated()?;
                if self.nonzero.contains(&expr)
                    || self.nonzero.contains(&opposite)
                    || self.at_least(&expr.shifted(-1)?)?
                    || self.at_least(&opposite.shifted(-1)?)?
                {
                    return Some(true);
                }
                let mut equal = self.clone();
                equal.assume_zero(&expr)?;
                equal.saturate();
                let absurd = equal.refuted || equal.tiers(&Goal::False) == Some(true);
                self.fuel = equal.fuel;
                Some(absurd)
            }
            Goal::False => {
                let all = self.rows.clone();
                if self.infeasible(&all) == Some(true) {
                    return Some(true);
                }
                self.infeasible_with_products(&all)
            }
        }
    }

    /// Whether `expr >= 0` and `-expr >= 0`.
    fn both_signs(&mut self, expr: &Expr) -> Option<bool> {
        Some(self.at_least(expr)? && self.at_least(&expr.negated()?)?)
    }

    fn at_least(&mut self, expr: &Expr) -> Option<bool> {
        let expr = self.normal(expr)?;
        if self.at_least_zero(&expr) {
            return Some(true);
        }
        // m * rest >= 0 where m >= 0 and rest >= 0
        let rest = self.without_natural(&expr)?;
        if rest != expr && self.at_least(&rest) == Some(true) {
            return Some(true);
        }
        let against = expr.refuting()?.tightened();
        if against.as_const().is_some() {
            return Some(false);
        }
        let mut seeds = vec![against];
        self.positive_factors(&mut seeds);
        self.infeasible_with_products(&seeds)
    }

    /// Case analysis on what a `min` is, on which side of zero a `!=` lies, and on zero itself.
    fn split(&mut self, goal: &Goal, cases: &mut u32, nested: u32) -> Option<bool> {
        if nested >= MAX_NESTED {
            return Some(false);
        }
        let Some(branches) = self.branches(goal, nested)? else {
            return Some(false);
        };
        *cases = cases.checked_sub(branches.len() as u32)?;
        for (equal, rows) in branches {
            let mut case = self.clone();
            for row in rows {
                case.push_row(row);
            }
            if let Some(equal) = equal {
                case.assume_zero(&equal)?;
            }
            case.saturate();
            let done = case.decide(goal, cases, nested + 1);
            self.fuel = case.fuel;
            if !done {
                return Some(false);
            }
        }
        Some(true)
    }

    /// Cases of which one must hold: an equation and rows each.
    #[allow(clippy::type_complexity)]
    fn branches(
        &mut self,
        goal: &Goal,
        nested: u32,
    ) -> Option<Option<Vec<(Option<Expr>, Vec<Expr>)>>> {
        let expr = match goal {
            Goal::Zero(e) | Goal::NonZero(e) | Goal::AtLeastZero(e) => self.normal(e)?,
            Goal::False => Expr::default(),
        };
        // the goal's own atoms first, then those of the facts
        let mut atoms = self.atoms_within(&expr);
        let own = atoms.len();
        for row in &self.rows.clone() {
            for atom in self.atoms_within(row) {
                if !atoms.contains(&atom) {
                    atoms.push(atom);
                }
            }
        }
        for &atom in &atoms {
            let data = &self.atoms[atom as usize];
            let Key::Min(args) = &*data.key.clone() else {
                continue;
            };
            if data.value.is_some() {
                continue;
            }
            let least = self.atom_expr(atom)?;
            let mut branches = Vec::new();
            for arg in args {
                let rows: Option<Vec<Expr>> = args.iter().map(|other| other.minus(arg)).collect();
                branches.push((Some(least.minus(arg)?), rows?));
            }
            return Some(Some(branches));
        }
        if let Some(expr) = self.nonzero.first().cloned() {
            self.nonzero.remove(0);
            let (above, below) = (expr.shifted(-1)?, expr.refuting()?);
            return Some(Some(vec![(None, vec![above]), (None, vec![below])]));
        }
        // an equation is not worth it, nor are many cases of this kind
        if nested > 1 || !matches!(goal, Goal::AtLeastZero(_)) {
            return Some(None);
        }
        for &atom in &atoms[..own] {
            let data = &self.atoms[atom as usize];
            let product = |t: &(u32, i128)| {
                let factors = self.factors(t.0);
                factors.len() > 1 && factors.contains(&atom)
            };
            if data.lo == Some(0) && data.value.is_none() && expr.monos().iter().any(product) {
                let this = self.atom_expr(atom)?;
                return Some(Some(vec![
                    (Some(this.clone()), Vec::new()),
                    (None, vec![this.shifted(-1)?]),
                ]));
            }
        }
        Some(None)
    }

    /// The atoms of a polynomial and of the operands of its atoms.
    fn atoms_within(&self, expr: &Expr) -> Vec<AtomId> {
        let mut found: Vec<AtomId> = Vec::new();
        let mut at = 0;
        let mut todo = vec![expr];
        loop {
            for e in todo.drain(..) {
                for t in e.monos() {
                    for &atom in self.factors(t.0) {
                        if !found.contains(&atom) {
                            found.push(atom);
                        }
                    }
                }
            }
            let Some(&atom) = found.get(at) else {
                return found;
            };
            at += 1;
            todo.extend(Engine::operands(&self.atoms[atom as usize]));
        }
    }
}
