//! Rounds of everything, until nothing new comes out.

use std::sync::Arc;

use super::expr::Expr;
use super::{AtomId, Engine, Key};

/// The most rounds.
const MAX_ROUNDS: usize = 10;

impl Engine {
    /// Brings everything to its normal form under all facts.
    pub(super) fn saturate(&mut self) {
        let mut completed = false;
        for _ in 0..MAX_ROUNDS {
            if !std::mem::take(&mut self.dirty) {
                if std::mem::replace(&mut completed, true) || self.rules.len() < 2 {
                    break;
                }
                self.complete_rules();
                if !self.dirty {
                    break;
                }
            }
            self.reduce_rules();
            self.renew_rows();
            self.renew_atoms();
            self.opposite_rows();
            self.use_nonzero();
            if self.refuted || self.spend(1).is_none() {
                break;
            }
        }
    }

    /// Rewrites the rows by the rules.
    fn renew_rows(&mut self) {
        let dirty = self.dirty;
        for row in std::mem::take(&mut self.rows) {
            self.push_row(row);
        }
        self.dirty = dirty;
    }

    /// Rewrites the operands of atoms; an atom whose operands changed equals what they make now.
    fn renew_atoms(&mut self) {
        for atom in 0..self.atoms.len() as AtomId {
            let data = &self.atoms[atom as usize];
            if data.free {
                continue;
            }
            let key = data.key.clone();
            if let Some((renewed, changed)) = self.renewed(atom, &key)
                && changed
                && let Some(this) = self.atom_expr(atom)
                && let Some(equation) = renewed.minus(&this)
                && let Some(equation) = self.normal(&equation)
                && !equation.is_zero()
            {
                self.assume_zero(&equation);
            }
        }
    }

    /// What an atom is under the facts known now, and whether that may be news.
    fn renewed(&mut self, atom: AtomId, key: &Arc<Key>) -> Option<(Expr, bool)> {
        let this = self.atom_expr(atom)?;
        match &**key {
            Key::Sym(_) | Key::Fresh(_) | Key::Op(_) => Some((this, false)),
            Key::Div(a, b) => {
                let (x, y) = (self.normal(a)?, self.normal(b)?);
                let proper = self.atoms[atom as usize].proper;
                if !proper && self.is_positive(&y) {
                    self.make_proper(atom)?;
                    self.dirty = true;
                }
                Some((self.quotient(&x, &y)?, true))
            }
            Key::Rem(a, b) => {
                let (x, y) = (self.normal(a)?, self.normal(b)?);
                Some((self.remainder(&x, &y)?, true))
            }
            Key::Min(args) => {
                let args: Option<Vec<Expr>> = args.iter().map(|a| self.normal(a)).collect();
                Some((self.minimum(args?)?, true))
            }
        }
    }

    /// `p >= 0` and `-p >= 0` say `p == 0`.
    fn opposite_rows(&mut self) {
        let mut equal = Vec::new();
        for (i, row) in self.rows.iter().enumerate() {
            let Some(opposite) = row.negated() else {
                continue;
            };
            if self.rows[..i].contains(&opposite) {
                equal.push(row.clone());
            }
        }
        for row in equal {
            self.assume_zero(&row);
        }
    }

    /// `p != 0` and `p >= 0` say `p >= 1`.
    fn use_nonzero(&mut self) {
        for expr in std::mem::take(&mut self.nonzero) {
            let expr = self.normal(&expr).unwrap_or(expr);
            let Some(negated) = expr.negated() else {
                continue;
            };
            if let Some(c) = expr.as_const() {
                self.refuted |= c == 0;
            } else if self.at_least_zero(&expr) {
                if let Some(row) = expr.shifted(-1) {
                    self.push_row(row);
                }
            } else if self.at_least_zero(&negated) {
                if let Some(row) = negated.shifted(-1) {
                    self.push_row(row);
                }
            } else {
                self.nonzero.push(expr);
            }
        }
    }
}
