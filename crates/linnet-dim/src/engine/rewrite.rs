//! Equalities as rewrite rules.
//!
//! An equality eliminates an atom that stands alone in it; one over the integers without such an
//! atom is brought there by Euclid's algorithm where it is linear; any other rewrites its leading
//! monomial.

use std::cmp::Ordering;
use std::sync::Arc;

use super::expr::{Expr, MonoId, ONE};
use super::{AtomId, Engine, Key, MAX_LEN, Rule};
use crate::Rel;

/// More rewriting steps than this for one polynomial and it is left as it is.
const MAX_STEPS: usize = 200;
/// More rules than this are not kept.
const MAX_RULES: usize = 24;

impl Engine {
    /// The polynomial after all rules; an equal one in any case.
    pub(super) fn normal(&mut self, expr: &Expr) -> Option<Expr> {
        if !self.eliminated && self.rules.is_empty() {
            return Some(expr.clone());
        }
        let mut expr = expr.clone();
        for _ in 0..MAX_STEPS {
            let Some((gone, instead)) = self.step(&expr)? else {
                return Some(expr);
            };
            self.spend(expr.terms().len() + instead.terms().len())?;
            expr = expr.plus(&gone, -1)?.plus(&instead, 1)?;
            if expr.terms().len() > MAX_LEN {
                return None;
            }
        }
        Some(expr)
    }

    /// One rewriting step: the term that goes and what comes for it.
    fn step(&mut self, expr: &Expr) -> Option<Option<(Expr, Expr)>> {
        for &(mono, coef) in expr.monos() {
            let valued = |&&a: &&AtomId| self.atoms[a as usize].value.is_some();
            if let Some(&atom) = self.factors(mono).iter().find(valued)
                && let Some(value) = self.atoms[atom as usize].value.clone()
            {
                let lone = self.mono_of(atom)?;
                let others = Expr::term(self.mono_div(mono, lone)?, coef);
                return Some(Some((Expr::term(mono, coef), self.times(&value, &others)?)));
            }
            for i in 0..self.rules.len() {
                let (lead, by) = (self.rules[i].lead, self.rules[i].coef);
                let times = coef.div_euclid(by);
                if times != 0 && self.divides(lead, mono) {
                    let rest = self.rules[i].rest.clone();
                    let others = Expr::term(self.mono_div(mono, lead)?, times);
                    let gone = Expr::term(mono, times.checked_mul(by)?);
                    return Some(Some((gone, self.times(&rest, &others)?)));
                }
            }
        }
        Some(None)
    }

    /// Whether each atom of `a` is in `b`, as often.
    pub(super) fn divides(&self, a: MonoId, b: MonoId) -> bool {
        let (mut take, from) = (self.factors(a), self.factors(b));
        if take.len() > from.len() {
            return false;
        }
        for atom in from {
            if take.first() == Some(atom) {
                take = &take[1..];
            }
        }
        take.is_empty()
    }

    /// Adds the fact `expr == 0`.
    pub(super) fn assume_zero(&mut self, expr: &Expr) -> Option<()> {
        let mut expr = self.normal(expr)?;
        let mut avoid = None;
        // each turn of Euclid's algorithm makes the least coefficient smaller
        for _ in 0..40 {
            self.spend(1 + expr.terms().len())?;
            expr = self.reduced_equation(&expr)?;
            if expr.is_zero() {
                return Some(());
            }
            if expr.as_const().is_some() {
                self.refuted = true;
                return Some(());
            }
            if avoid.is_none() {
                avoid = self.exact_division(&expr);
            }
            match self.euclid(&expr, avoid)? {
                Some(smaller) => expr = smaller,
                None => break,
            }
        }
        self.orient(&expr, avoid)
    }

    /// Divides an equation by what all its terms share, where that is not zero.
    fn reduced_equation(&mut self, expr: &Expr) -> Option<Expr> {
        let mut expr = expr.clone();
        let g = expr.content();
        if g > 1 {
            if expr.shift() % g != 0 {
                return Some(Expr::constant(1)); // no integer solution
            }
            expr = expr.div_floor(g);
        }
        if expr.shift() == 0 {
            for atom in self.shared_atoms(&expr) {
                let lone = self.atom_expr(atom)?;
                if self.is_positive(&lone) {
                    expr = self.without(&expr, atom)?;
                }
            }
        }
        Some(expr)
    }

    /// The atoms that every term has, as often as every term has them.
    pub(super) fn shared_atoms(&self, expr: &Expr) -> Vec<AtomId> {
        let mut terms = expr.terms().iter();
        let Some(first) = terms.next() else {
            return Vec::new();
        };
        let mut shared = self.factors(first.0).to_vec();
        for t in terms {
            let mut factors = self.factors(t.0).to_vec();
            shared.retain(|a| match factors.iter().position(|f| f == a) {
                Some(i) => {
                    factors.remove(i);
                    true
                }
                None => false,
            });
        }
        shared
    }

    /// Divides each term by an atom that every term has.
    pub(super) fn without(&mut self, expr: &Expr, atom: AtomId) -> Option<Expr> {
        let lone = self.mono_of(atom)?;
        let terms: Option<Vec<(MonoId, i128)>> = expr
            .terms()
            .iter()
            .map(|&(m, c)| Some((self.mono_div(m, lone)?, c)))
            .collect();
        Expr::collect(terms?)
    }

    /// Finds a division `q = a / b` such that the equation says `a == b * q + s` without `q` in
    /// `s`: then it says all that there is to know about `q`, whose operands may be forgotten.
    fn exact_division(&mut self, expr: &Expr) -> Option<AtomId> {
        let mut atoms: Vec<AtomId> = expr
            .monos()
            .iter()
            .flat_map(|t| self.factors(t.0))
            .copied()
            .collect();
        atoms.sort_unstable();
        atoms.dedup();
        for q in atoms {
            let data = &self.atoms[q as usize];
            let Key::Div(a, b) = &*data.key.clone() else {
                continue;
            };
            if !data.proper || data.free {
                continue;
            }
            let lone = self.atom_expr(q)?;
            let product = self.times(b, &lone)?;
            let rest = a.minus(&product)?;
            for sign in [1, -1] {
                let Some(s) = rest.plus(expr, -sign).and_then(|s| self.normal(&s)) else {
                    continue;
                };
                if !self.has_atom(&s, q) && !self.has_atom(a, q) {
                    // 0 <= s < b is what is left of the division
                    self.push_row(s.clone());
                    self.push_row(b.minus(&s)?.shifted(-1)?);
                    self.atoms[q as usize].free = true;
                    return Some(q);
                }
            }
        }
        None
    }

    /// One turn of Euclid's algorithm on a linear equation in which no atom stands alone with
    /// coefficient 1: replaces an atom by a new unknown and gives the smaller equation.
    fn euclid(&mut self, expr: &Expr, avoid: Option<AtomId>) -> Option<Option<Expr>> {
        if self
            .lone_terms(expr, avoid)
            .iter()
            .any(|t| t.1.unsigned_abs() == 1)
        {
            return Some(None);
        }
        let lone = self.lone_terms(expr, None);
        let Some(&(atom, coef)) = lone.iter().min_by_key(|t| t.1.unsigned_abs()) else {
            return Some(None);
        };
        let m = coef.checked_abs()?;
        let helps = lone.iter().any(|t| t.1 % m != 0)
            && expr
                .monos()
                .iter()
                .all(|t| t.1 % m == 0 || self.factors(t.0).len() == 1);
        if m == 1 || !helps || self.value_would_loop(expr, atom) {
            return Some(None);
        }
        let this = self.mono_of(atom)?;
        let others = expr.plus(&Expr::term(this, coef), -1)?;
        let fresh = self.fresh()?;
        let fresh = self.atom_expr(fresh)?;
        // sign * m * x + others == 0 with x := t - sign * floor(others / m)
        let floors = others.div_floor(m);
        let value = fresh.plus(&floors, -coef.signum())?;
        let left = others.plus(&floors, -m)?;
        self.eliminate(atom, value)?;
        Some(Some(left.plus(&fresh, coef)?))
    }

    /// Atoms that stand in the polynomial once, alone in their term, and could be eliminated.
    fn lone_terms(&self, expr: &Expr, avoid: Option<AtomId>) -> Vec<(AtomId, i128)> {
        let lone = expr.monos().iter().filter_map(|&(mono, coef)| {
            let &[atom] = self.factors(mono) else {
                return None;
            };
            let elsewhere = expr
                .monos()
                .iter()
                .any(|&(other, _)| other != mono && self.factors(other).contains(&atom));
            (!elsewhere && Some(atom) != avoid).then_some((atom, coef))
        });
        lone.collect()
    }

    /// Whether eliminating `atom` by this equation would write it in terms of itself.
    fn value_would_loop(&mut self, expr: &Expr, atom: AtomId) -> bool {
        let Some(this) = self.mono_of(atom) else {
            return true;
        };
        let Some(others) = expr.plus(&Expr::term(this, expr.coef(this)), -1) else {
            return true;
        };
        self.has_deep(&others, atom)
    }

    /// Makes an equation a rule.
    fn orient(&mut self, expr: &Expr, avoid: Option<AtomId>) -> Option<()> {
        let mut best: Option<(u8, AtomId, i128)> = None;
        for (atom, coef) in self.lone_terms(expr, None) {
            if coef.unsigned_abs() != 1 || self.value_would_loop(expr, atom) {
                continue;
            }
            let rank = match &*self.atoms[atom as usize].key {
                _ if Some(atom) == avoid => 0,
                Key::Sym(_) => 1,
                Key::Fresh(_) => 2,
                _ => 3,
            };
            if best.is_none_or(|(r, a, _)| (rank, atom) > (r, a)) {
                best = Some((rank, atom, coef));
            }
        }
        if let Some((_, atom, coef)) = best {
            let this = self.mono_of(atom)?;
            let others = expr.plus(&Expr::term(this, coef), -1)?;
            return self.eliminate(atom, others.scaled(-coef)?);
        }
        if self.rules.len() >= MAX_RULES {
            return self.keep_as_rows(expr);
        }
        let shuns = |m: MonoId| avoid.is_some_and(|q| self.factors(m).contains(&q));
        let lead = expr
            .monos()
            .iter()
            .max_by(|x, y| {
                let rank =
                    |t: &(MonoId, i128)| (!shuns(t.0), avoid.is_some() || t.1.unsigned_abs() == 1);
                rank(x).cmp(&rank(y)).then_with(|| self.compare(x.0, y.0))
            })
            .copied();
        let (lead, coef) = lead?;
        let others = expr.plus(&Expr::term(lead, coef), -1)?;
        let rest = Arc::new(others.scaled(-coef.signum())?);
        self.rules.push(Rule {
            lead,
            coef: coef.checked_abs()?,
            rest,
        });
        self.dirty = true;
        Some(())
    }

    fn keep_as_rows(&mut self, expr: &Expr) -> Option<()> {
        self.push_row(expr.clone());
        self.push_row(expr.negated()?);
        Some(())
    }

    /// The rule `atom == value`.
    fn eliminate(&mut self, atom: AtomId, value: Expr) -> Option<()> {
        let data = &mut self.atoms[atom as usize];
        if data.value.is_some() {
            return None; // rewriting gave up halfway
        }
        data.value = Some(Arc::new(value));
        self.eliminated = true;
        self.dirty = true;
        Some(())
    }

    /// The order of monomials: by degree, then by atoms, later ones greater.
    pub(super) fn compare(&self, a: MonoId, b: MonoId) -> Ordering {
        let (x, y) = (self.factors(a), self.factors(b));
        x.len()
            .cmp(&y.len())
            .then_with(|| x.iter().rev().cmp(y.iter().rev()))
    }

    /// Rewrites rules by each other, and adds what pairs of them say together.
    pub(super) fn reduce_rules(&mut self) -> Option<()> {
        let old = std::mem::take(&mut self.rules);
        for rule in old {
            let lead = Expr::term(rule.lead, rule.coef);
            let stays = self.normal(&lead).as_ref() == Some(&lead);
            match (stays, self.normal(&rule.rest)) {
                (true, Some(rest)) if rest == *rule.rest => self.rules.push(rule),
                (true, Some(rest)) => self.rules.push(Rule {
                    rest: Arc::new(rest),
                    ..rule
                }),
                _ => {
                    let equation = lead.minus(&rule.rest)?;
                    self.assume_zero(&equation);
                }
            }
        }
        Some(())
    }

    /// Consequences of two rules whose leading monomials overlap, once.
    pub(super) fn complete_rules(&mut self) -> Option<()> {
        let rules = self.rules.clone();
        for (i, a) in rules.iter().enumerate().take(6) {
            for b in rules[..i].iter() {
                if a.coef != 1 || b.coef != 1 {
                    continue;
                }
                let common = self.common(a.lead, b.lead)?;
                if common == ONE {
                    continue;
                }
                let (p, q) = (
                    self.mono_div(b.lead, common)?,
                    self.mono_div(a.lead, common)?,
                );
                let left = self.times(&a.rest, &Expr::term(p, 1))?;
                let right = self.times(&b.rest, &Expr::term(q, 1))?;
                let equation = self.normal(&left.minus(&right)?)?;
                if equation.terms().len() <= 6 {
                    self.assume_rel(&equation, Rel::Eq)?;
                }
            }
        }
        Some(())
    }

    /// The atoms that two monomials share.
    pub(super) fn common(&mut self, a: MonoId, b: MonoId) -> Option<MonoId> {
        let mut others = self.factors(b).to_vec();
        let mut shared = self.factors(a).to_vec();
        shared.retain(|x| match others.iter().position(|o| o == x) {
            Some(i) => {
                others.remove(i);
                true
            }
            None => false,
        });
        self.mono(&shared)
    }
}
