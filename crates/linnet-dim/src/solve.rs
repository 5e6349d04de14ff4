//! Solving an equation for one symbol.

use crate::{Dim, Facts, Sym};

impl Facts {
    /// Solves `lhs == rhs` for `unknown`, where it is linear in it and the division is provably
    /// exact. The solution put for the unknown provably makes the two sides equal.
    pub fn solve(&self, lhs: &Dim, unknown: Sym, rhs: &Dim) -> Option<Dim> {
        let (factor, rest) = lhs.sub(rhs).linear_in(unknown)?;
        let target = rest.neg();
        let solution = match factor.as_int() {
            Some(1) => target,
            Some(-1) => rest,
            Some(c) if c < 0 => rest.div(&factor.neg()),
            Some(_) => target.div(&factor),
            None => match target.exact_quotient(&factor) {
                Some(quotient) => quotient,
                None if self.positive(&factor) => target.div(&factor),
                None if self.positive(&factor.neg()) => rest.div(&factor.neg()),
                None => return None,
            },
        };
        let put = |d: &Dim| d.subst(&mut |s| (s == unknown).then(|| solution.clone()));
        self.equal(&put(lhs), &put(rhs)).then_some(solution)
    }
}
