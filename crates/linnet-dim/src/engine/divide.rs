//! Divisions, remainders, and `min`/`max`, as atoms with their bounds.

use super::expr::{Expr, MonoId};
use super::{AtomId, Engine, Key, MAX_LEN};
use crate::dim::gcd;

/// More ways than this to write a dividend are not tried.
const MAX_FORMS: usize = 24;

impl Engine {
    /// `a / b`, both normal.
    pub(super) fn quotient(&mut self, a: &Expr, b: &Expr) -> Option<Expr> {
        if !self.is_positive(b) {
            let atom = self.atom(Key::Div(a.clone(), b.clone()))?;
            return self.atom_expr(atom);
        }
        let (mut a, mut b) = (a.clone(), b.clone());
        let mut whole = Expr::default();
        for _ in 0..16 {
            self.spend(1 + a.terms().len())?;
            let (exact, rest) = self.split_exact(&a, &b)?;
            whole = whole.plus(&exact, 1)?;
            a = rest;
            if a.is_zero() {
                return Some(whole);
            }
            if !self.cancel(&mut a, &mut b)? && !self.join_nested(&mut a, &mut b)? {
                break;
            }
        }
        if let (Some(x), Some(y)) = (a.as_const(), b.as_const())
            && y > 0
        {
            return whole.shifted(x.div_euclid(y));
        }
        if let Some(exact) = self.exact_by_rules(&a, &b)? {
            return whole.plus(&exact, 1);
        }
        if self.at_least_zero(&a) {
            if self.at_least_zero(&b.minus(&a)?.shifted(-1)?) {
                return Some(whole);
            }
        } else if self.at_least_zero(&a.plus(&b, 1)?) && self.at_least_zero(&a.refuting()?) {
            return whole.shifted(-1);
        }
        let atom = self.atom(Key::Div(a.clone(), b.clone()))?;
        self.make_proper(atom)?;
        whole.plus(&self.atom_expr(atom)?, 1)
    }

    /// `a / b` where rules read from right to left make it exact: of two divisors of one term, rewriting shows one.
    fn exact_by_rules(&mut self, a: &Expr, b: &Expr) -> Option<Option<Expr>> {
        let mut forms = vec![a.clone()];
        let mut next = 0;
        while next < forms.len() && forms.len() < MAX_FORMS {
            let form = forms[next].clone();
            next += 1;
            for i in 0..self.rules.len() {
                let rule = self.rules[i].clone();
                let &[(from, by)] = rule.rest.terms() else {
                    continue;
                };
                self.spend(1 + form.terms().len())?;
                let mut turned = form.clone();
                for &(mono, coef) in form.terms() {
                    if coef.checked_rem(by)? == 0 && self.divides(from, mono) {
                        let others = self.mono_div(mono, from)?;
                        let lead = self.mono_mul(rule.lead, others)?;
                        let times = coef.checked_div(by)?.checked_mul(rule.coef)?;
                        turned = turned
                            .plus(&Expr::term(mono, coef), -1)?
                            .plus(&Expr::term(lead, times), 1)?;
                    }
                }
                if forms.contains(&turned) {
                    continue;
                }
                let (exact, rest) = self.split_exact(&turned, b)?;
                if rest.is_zero() {
                    return Some(Some(exact));
                }
                forms.push(turned);
            }
        }
        Some(None)
    }

    /// `a % b`, both normal.
    pub(super) fn remainder(&mut self, a: &Expr, b: &Expr) -> Option<Expr> {
        if !self.is_positive(b) {
            let atom = self.atom(Key::Rem(a.clone(), b.clone()))?;
            return self.atom_expr(atom);
        }
        let quotient = self.quotient(a, b)?;
        let product = self.times(b, &quotient)?;
        let rest = a.minus(&product)?;
        self.normal(&rest)
    }

    /// Writes down what is known of a division by a positive divisor.
    pub(super) fn make_proper(&mut self, atom: AtomId) -> Option<()> {
        let data = &mut self.atoms[atom as usize];
        let Key::Div(a, b) = &*data.key.clone() else {
            return None;
        };
        if std::mem::replace(&mut data.proper, true) {
            return Some(());
        }
        let q = self.atom_expr(atom)?;
        let product = self.times(b, &q)?;
        let rest = a.minus(&product)?;
        if self.at_least_zero(a) {
            self.push_row(q.clone());
            self.push_row(a.minus(&q)?);
        }
        self.push_row(b.minus(&rest)?.shifted(-1)?);
        self.push_row(rest);
        Some(())
    }

    /// Parts `a` into `b * exact + rest`.
    fn split_exact(&mut self, a: &Expr, b: &Expr) -> Option<(Expr, Expr)> {
        let lead = b
            .terms()
            .iter()
            .copied()
            .max_by(|x, y| self.compare(x.0, y.0));
        let (lead, by) = lead?;
        let (mut exact, mut rest) = (Expr::default(), a.clone());
        for _ in 0..64 {
            let mut next: Option<(MonoId, i128)> = None;
            for &(mono, coef) in rest.terms() {
                // a leading minus would round the wrong way round: exact division only
                let times = if by > 0 {
                    coef.div_euclid(by)
                } else if coef.checked_rem(by)? == 0 {
                    coef.checked_div(by)?
                } else {
                    0
                };
                if times != 0
                    && self.divides(lead, mono)
                    && next.is_none_or(|n| self.compare(mono, n.0).is_gt())
                {
                    next = Some((mono, times));
                }
            }
            let Some((mono, times)) = next else { break };
            let part = Expr::term(self.mono_div(mono, lead)?, times);
            exact = exact.plus(&part, 1)?;
            let gone = self.times(b, &part)?;
            rest = rest.minus(&gone)?;
            self.spend(rest.terms().len())?;
            if rest.terms().len() > MAX_LEN {
                return None;
            }
        }
        Some((exact, rest))
    }

    /// Divides both sides by a common factor that is positive.
    fn cancel(&mut self, a: &mut Expr, b: &mut Expr) -> Option<bool> {
        let mut changed = false;
        let g = gcd(a.content(), gcd(b.content(), b.shift()));
        if g > 1 {
            // floor((g * x + k) / (g * y)) == floor((x + floor(k / g)) / y)
            (*a, *b) = (a.div_floor(g), b.div_floor(g));
            changed = true;
        }
        if a.shift() == 0 && b.shift() == 0 {
            let theirs = self.shared_atoms(b);
            let mut ours = self.shared_atoms(a);
            for atom in theirs {
                let Some(at) = ours.iter().position(|o| *o == atom) else {
                    continue;
                };
                ours.remove(at);
                let lone = self.atom_expr(atom)?;
                if self.is_positive(&lone) {
                    *a = self.without(a, atom)?;
                    *b = self.without(b, atom)?;
                    changed = true;
                }
            }
        }
        Some(changed)
    }

    /// `(x / y + z) / b == (x + y * z) / (y * b)`, where only one division stands in it.
    fn join_nested(&mut self, a: &mut Expr, b: &mut Expr) -> Option<bool> {
        let mut inner: Option<AtomId> = None;
        for &(mono, coef) in a.monos() {
            for &atom in self.factors(mono) {
                let data = &self.atoms[atom as usize];
                if !matches!(*data.key, Key::Div(..)) || !data.proper || data.free {
                    continue;
                }
                if inner.is_some() || coef != 1 || self.factors(mono).len() != 1 {
                    return Some(false);
                }
                inner = Some(atom);
            }
        }
        let Some(atom) = inner else {
            return Some(false);
        };
        let key = self.atoms[atom as usize].key.clone();
        let Key::Div(x, y) = &*key else {
            return Some(false);
        };
        let (x, y) = (self.normal(x)?, self.normal(y)?);
        let z = a.minus(&self.atom_expr(atom)?)?;
        let scaled = self.times(&z, &y)?;
        let joined = self.times(&y, b)?;
        *a = self.normal(&x.plus(&scaled, 1)?)?;
        *b = self.normal(&joined)?;
        Some(true)
    }

    /// The least of the arguments.
    pub(super) fn minimum(&mut self, args: Vec<Expr>) -> Option<Expr> {
        let mut all: Vec<Expr> = Vec::with_capacity(args.len());
        for arg in args {
            match self.as_minimum(&arg) {
                Some(inner) => {
                    for i in inner {
                        all.push(self.normal(&i)?);
                    }
                }
                None => all.push(arg),
            }
        }
        all.sort();
        all.dedup();
        if all.len() > 16 {
            return None;
        }
        // whoever is never below another one does not count
        let mut kept: Vec<Expr> = Vec::new();
        for arg in all {
            let mut needed = true;
            for other in &kept {
                needed = needed && !self.at_least_zero(&arg.minus(other)?);
            }
            if needed {
                let mut still = Vec::with_capacity(kept.len() + 1);
                for other in kept {
                    if !self.at_least_zero(&other.minus(&arg)?) {
                        still.push(other);
                    }
                }
                still.push(arg);
                kept = still;
            }
        }
        if let [one] = &kept[..] {
            return Some(one.clone());
        }
        kept.sort();
        let atom = self.atom(Key::Min(kept.clone()))?;
        let least = self.atom_expr(atom)?;
        if !std::mem::replace(&mut self.atoms[atom as usize].proper, true) {
            let bound = kept.iter().map(|a| self.lower(a)).min().flatten();
            if let Some(bound) = bound {
                self.push_row(least.shifted(bound.checked_neg()?)?);
            }
            for arg in &kept {
                self.push_row(arg.minus(&least)?);
            }
        }
        Some(least)
    }

    /// The greatest of the arguments.
    pub(super) fn maximum(&mut self, args: Vec<Expr>) -> Option<Expr> {
        if let [a, b] = &args[..] {
            // so that min(a, b) + max(a, b) == a + b without a proof
            let least = self.minimum(vec![a.clone(), b.clone()])?;
            return a.plus(b, 1)?.minus(&least);
        }
        let negated: Option<Vec<Expr>> = args.iter().map(Expr::negated).collect();
        self.minimum(negated?)?.negated()
    }

    fn as_minimum(&self, expr: &Expr) -> Option<Vec<Expr>> {
        let &[(mono, 1)] = expr.terms() else {
            return None;
        };
        let &[atom] = self.factors(mono) else {
            return None;
        };
        match &*self.atoms[atom as usize].key {
            Key::Min(args) => Some(args.clone()),
            _ => None,
        }
    }
}
