//! Floor division and remainder, as far as they simplify without any fact.

use super::{Atom, Dim, Mono, OpKind};

impl Dim {
    /// `self / other`, rounded down.
    #[allow(clippy::should_implement_trait)]
    pub fn div(&self, other: &Dim) -> Dim {
        match other.as_const() {
            Some(1) => self.clone(),
            Some(c) if c > 1 => self.div_const(c).unwrap_or_else(|| self.opaque_div(other)),
            _ => self.opaque_div(other),
        }
    }

    /// `self % other`: the remainder of the division that rounds down.
    #[allow(clippy::should_implement_trait)]
    pub fn rem(&self, other: &Dim) -> Dim {
        match other.as_const() {
            Some(1) => Dim::int(0),
            Some(c) if c > 1 => self.rem_const(c).unwrap_or_else(|| self.opaque_rem(other)),
            _ => self.opaque_rem(other),
        }
    }

    fn opaque_div(&self, other: &Dim) -> Dim {
        Dim::op(OpKind::Div, vec![self.clone(), other.clone()])
    }

    fn opaque_rem(&self, other: &Dim) -> Dim {
        Dim::op(OpKind::Rem, vec![self.clone(), other.clone()])
    }

    /// Division by `c > 1`: what divides exactly moves out, nested divisions join.
    fn div_const(&self, c: i128) -> Option<Dim> {
        let mut out: Vec<(Mono, i128)> = Vec::new();
        let mut rest: Vec<(Mono, i128)> = Vec::new();
        for (mono, coef) in self.terms() {
            if coef % c == 0 {
                out.push((mono, coef / c))
            } else {
                rest.push((mono, coef))
            }
        }
        let whole = Dim::from_parts(self.constant().div_euclid(c), out);
        let k = self.constant().rem_euclid(c);
        if rest.is_empty() {
            return Some(whole);
        }
        // (x / d + k) / c == (x + k * d) / (c * d)
        if let [(mono, 1)] = &rest[..]
            && let [Atom::Op(op)] = &**mono
            && op.kind == OpKind::Div
            && let Some(d) = op.args[1].as_int()
            && d > 1
            && let Some(cd) = c
                .checked_mul(i128::from(d))
                .and_then(|cd| i64::try_from(cd).ok())
        {
            let shift = Dim::wide(k.checked_mul(i128::from(d))?);
            return Some(whole.add(&op.args[0].add(&shift).div(&Dim::int(cd))));
        }
        let g = rest.iter().fold(c, |g, t| gcd(g, t.1));
        rest.iter_mut().for_each(|t| t.1 /= g);
        let rest = Dim::from_parts(k.div_euclid(g), rest);
        Some(whole.add(&Dim::op(OpKind::Div, vec![rest, Dim::wide(c / g)])))
    }

    /// Remainder by `c > 1`: coefficients count modulo `c`, a common factor moves out.
    fn rem_const(&self, c: i128) -> Option<Dim> {
        let mut rest = self.terms();
        rest.iter_mut().for_each(|t| t.1 = t.1.rem_euclid(c));
        rest.retain(|t| t.1 != 0);
        let k = self.constant().rem_euclid(c);
        if rest.is_empty() {
            return Some(Dim::wide(k));
        }
        let g = rest.iter().fold(gcd(c, k), |g, t| gcd(g, t.1));
        if g > 1 {
            rest.iter_mut().for_each(|t| t.1 /= g);
            let inner = Dim::from_parts(k / g, rest).rem(&Dim::wide(c / g));
            return Some(Dim::wide(g).mul(&inner));
        }
        // (x % d + k) % c == (x + k) % c where c divides d
        if let [(mono, 1)] = &rest[..]
            && let [Atom::Op(op)] = &**mono
            && op.kind == OpKind::Rem
            && let Some(d) = op.args[1].as_int()
            && d > 0
            && i128::from(d) % c == 0
        {
            return op.args[0].plus(&Dim::wide(k), 1)?.rem_const(c);
        }
        Some(Dim::op(
            OpKind::Rem,
            vec![Dim::from_parts(k, rest), Dim::wide(c)],
        ))
    }
}

/// The greatest common divisor, never negative where one fits.
pub(crate) fn gcd(a: i128, b: i128) -> i128 {
    let (mut a, mut b) = (a.unsigned_abs(), b.unsigned_abs());
    while b != 0 {
        if let (Ok(mut x), Ok(mut y)) = (u64::try_from(a), u64::try_from(b)) {
            // nearly always, and several times faster
            while y != 0 {
                (x, y) = (y, x % y);
            }
            return i128::from(x);
        }
        (a, b) = (b, a % b);
    }
    // only gcd(MIN, MIN) and gcd(MIN, 0) do not fit: 1 divides as well
    i128::try_from(a).unwrap_or(1)
}
