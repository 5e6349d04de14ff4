//! Linear combinations of interned monomials.

use crate::dim::gcd;

/// An interned monomial.
pub(super) type MonoId = u32;
/// The empty monomial, whose coefficient is the constant term.
pub(super) const ONE: MonoId = 0;

/// A polynomial: monomials in order of their ids with coefficients that are never zero.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Debug)]
pub(super) struct Expr(Vec<(MonoId, i128)>);

impl Expr {
    pub(super) fn constant(v: i128) -> Expr {
        Expr::term(ONE, v)
    }

    pub(super) fn term(mono: MonoId, coef: i128) -> Expr {
        Expr(if coef == 0 {
            Vec::new()
        } else {
            vec![(mono, coef)]
        })
    }

    /// All terms, the constant one first.
    pub(super) fn terms(&self) -> &[(MonoId, i128)] {
        &self.0
    }

    /// All terms but the constant one.
    pub(super) fn monos(&self) -> &[(MonoId, i128)] {
        match self.0.first() {
            Some((ONE, _)) => &self.0[1..],
            _ => &self.0,
        }
    }

    /// The constant term.
    pub(super) fn shift(&self) -> i128 {
        match self.0.first() {
            Some((ONE, c)) => *c,
            _ => 0,
        }
    }

    pub(super) fn is_zero(&self) -> bool {
        self.0.is_empty()
    }

    pub(super) fn as_const(&self) -> Option<i128> {
        self.monos().is_empty().then(|| self.shift())
    }

    pub(super) fn coef(&self, mono: MonoId) -> i128 {
        self.0
            .binary_search_by_key(&mono, |t| t.0)
            .map_or(0, |i| self.0[i].1)
    }

    /// `self + k * other`; `None` where it overflows.
    pub(super) fn plus(&self, other: &Expr, k: i128) -> Option<Expr> {
        let mut out = Vec::with_capacity(self.0.len() + other.0.len());
        let (mut i, mut j) = (0, 0);
        loop {
            let (mono, coef) = match (self.0.get(i), other.0.get(j)) {
                (None, None) => return Some(Expr(out)),
                (Some(&(m, c)), Some(&(n, d))) if m == n => {
                    (i, j) = (i + 1, j + 1);
                    (m, c.checked_add(d.checked_mul(k)?)?)
                }
                (Some(&(m, c)), Some(&(n, _))) if m < n => {
                    i += 1;
                    (m, c)
                }
                (Some(&(m, c)), None) => {
                    i += 1;
                    (m, c)
                }
                (_, Some(&(n, d))) => {
                    j += 1;
                    (n, d.checked_mul(k)?)
                }
            };
            if coef != 0 {
                out.push((mono, coef));
            }
        }
    }

    pub(super) fn minus(&self, other: &Expr) -> Option<Expr> {
        self.plus(other, -1)
    }

    pub(super) fn shifted(&self, k: i128) -> Option<Expr> {
        self.plus(&Expr::constant(k), 1)
    }

    pub(super) fn scaled(&self, k: i128) -> Option<Expr> {
        Expr::default().plus(self, k)
    }

    pub(super) fn negated(&self) -> Option<Expr> {
        self.scaled(-1)
    }

    /// `-self - 1`: what is `>= 0` exactly where `self >= 0` fails.
    pub(super) fn refuting(&self) -> Option<Expr> {
        self.negated()?.shifted(-1)
    }

    /// Sums terms in any order.
    pub(super) fn collect(mut terms: Vec<(MonoId, i128)>) -> Option<Expr> {
        terms.sort_unstable_by_key(|t| t.0);
        let mut out: Vec<(MonoId, i128)> = Vec::with_capacity(terms.len());
        for (mono, coef) in terms {
            match out.last_mut() {
                Some(last) if last.0 == mono => last.1 = last.1.checked_add(coef)?,
                _ => out.push((mono, coef)),
            }
        }
        out.retain(|t| t.1 != 0);
        Some(Expr(out))
    }

    /// The greatest common divisor of all coefficients but the constant; 0 for a constant.
    pub(super) fn content(&self) -> i128 {
        self.monos().iter().fold(0, |g, t| gcd(g, t.1))
    }

    /// Divides each coefficient, the constant one rounded down.
    pub(super) fn div_floor(&self, k: i128) -> Expr {
        let divided = self.0.iter().map(|&(m, c)| (m, c.div_euclid(k)));
        Expr(divided.filter(|t| t.1 != 0).collect())
    }

    /// For a row that says `self >= 0` over the integers: the strongest such row.
    pub(super) fn tightened(self) -> Expr {
        match self.content() {
            0 | 1 => self,
            g => self.div_floor(g),
        }
    }
}
