//! Sums, products, `min` and `max`.

use std::sync::Arc;

use super::{Atom, Dim, MAX_ARGS, MAX_TERMS, Mono, OpKind, Repr, Sym};

impl Dim {
    /// `self + other`.
    #[allow(clippy::should_implement_trait)] // by reference and never failing, as the other operations
    pub fn add(&self, other: &Dim) -> Dim {
        if let (Repr::Int(a), Repr::Int(b)) = (&self.0, &other.0) {
            return Dim::wide(i128::from(*a) + i128::from(*b));
        }
        self.plus(other, 1)
            .unwrap_or_else(|| sorted_op(OpKind::Add, self, other))
    }

    /// `self - other`.
    #[allow(clippy::should_implement_trait)]
    pub fn sub(&self, other: &Dim) -> Dim {
        if self == other {
            return Dim::int(0);
        }
        self.plus(other, -1)
            .unwrap_or_else(|| sorted_op(OpKind::Add, self, &other.neg()))
    }

    /// `-self`.
    #[allow(clippy::should_implement_trait)]
    pub fn neg(&self) -> Dim {
        Dim::int(-1).mul(self)
    }

    /// `self * other`.
    #[allow(clippy::should_implement_trait)]
    pub fn mul(&self, other: &Dim) -> Dim {
        match (self.as_const(), other.as_const()) {
            (Some(0), _) | (_, Some(0)) => return Dim::int(0),
            (Some(1), _) => return other.clone(),
            (_, Some(1)) => return self.clone(),
            _ => {}
        }
        self.times(other)
            .unwrap_or_else(|| sorted_op(OpKind::Mul, self, other))
    }

    /// The lesser of two terms. Write `Dim::min(&a, &b)`: `a.min(b)` of owned terms is
    /// [`Ord::min`], which compares how terms are written.
    pub fn min(&self, other: &Dim) -> Dim {
        self.extremum(other, OpKind::Min)
    }

    /// The greater of two terms; see [`Dim::min`] for how to call it.
    pub fn max(&self, other: &Dim) -> Dim {
        self.extremum(other, OpKind::Max)
    }

    /// `self + k * other`, unless it overflows or grows too large.
    pub(super) fn plus(&self, other: &Dim, k: i128) -> Option<Dim> {
        let constant = self
            .constant()
            .checked_add(other.constant().checked_mul(k)?)?;
        let (left, right) = (self.terms(), other.terms());
        let mut terms = Vec::with_capacity(left.len() + right.len());
        let (mut left, mut right) = (left.into_iter().peekable(), right.into_iter().peekable());
        loop {
            let order = match (left.peek(), right.peek()) {
                (Some(l), Some(r)) => l.0.cmp(&r.0),
                (Some(_), None) => std::cmp::Ordering::Less,
                (None, Some(_)) => std::cmp::Ordering::Greater,
                (None, None) => break,
            };
            let l = if order.is_le() { left.next() } else { None };
            let r = if order.is_ge() { right.next() } else { None };
            let right_coef = r.as_ref().map_or(Some(0), |r| r.1.checked_mul(k))?;
            let coef = l.as_ref().map_or(0, |l| l.1).checked_add(right_coef)?;
            if coef != 0
                && let Some((mono, _)) = l.or(r)
            {
                terms.push((mono, coef));
            }
        }
        (terms.len() <= MAX_TERMS).then(|| Dim::from_parts(constant, terms))
    }

    fn times(&self, other: &Dim) -> Option<Dim> {
        let (a, b) = (self.constant(), other.constant());
        let (left, right) = (self.terms(), other.terms());
        if (left.len() + 1) * (right.len() + 1) > 8 * MAX_TERMS {
            return None;
        }
        let mut terms: Vec<(Mono, i128)> = Vec::new();
        for (m, c) in &left {
            if b != 0 {
                terms.push((m.clone(), c.checked_mul(b)?));
            }
            for (n, d) in &right {
                terms.push((merge(m, n), c.checked_mul(*d)?));
            }
        }
        if a != 0 {
            for (n, d) in &right {
                terms.push((n.clone(), d.checked_mul(a)?));
            }
        }
        Dim::collect(a.checked_mul(b)?, terms)
    }

    /// Builds a term from summands in any order.
    pub(crate) fn collect(constant: i128, mut terms: Vec<(Mono, i128)>) -> Option<Dim> {
        terms.sort_by(|x, y| x.0.cmp(&y.0));
        let mut sum: Vec<(Mono, i128)> = Vec::with_capacity(terms.len());
        for (mono, coef) in terms {
            match sum.last_mut() {
                Some(last) if last.0 == mono => last.1 = last.1.checked_add(coef)?,
                _ => sum.push((mono, coef)),
            }
        }
        sum.retain(|t| t.1 != 0);
        (sum.len() <= MAX_TERMS).then(|| Dim::from_parts(constant, sum))
    }

    fn extremum(&self, other: &Dim, kind: OpKind) -> Dim {
        let mut all: Vec<Dim> = Vec::new();
        for side in [self, other] {
            match side.as_op() {
                Some(op) if op.kind == kind => all.extend(op.args.iter().cloned()),
                _ => all.push(side.clone()),
            }
        }
        if all.len() > MAX_ARGS {
            all = vec![self.clone(), other.clone()];
        }
        all.sort();
        all.dedup();
        // of two arguments a constant apart only one can be the answer
        let mut kept: Vec<Dim> = Vec::new();
        for arg in all {
            match kept.iter().position(|k| k.same_terms(&arg)) {
                None => kept.push(arg),
                Some(i) => {
                    let (old, new) = (kept[i].constant(), arg.constant());
                    if (kind == OpKind::Min && new < old) || (kind == OpKind::Max && new > old) {
                        kept[i] = arg;
                    }
                }
            }
        }
        kept.sort();
        match &kept[..] {
            [one] => one.clone(),
            _ => Dim::op(kind, kept),
        }
    }
}

impl Dim {
    /// `coef` times the product of atoms.
    pub(crate) fn product(atoms: &[Atom], coef: i128) -> Dim {
        if atoms.is_empty() || coef == 0 {
            return Dim::wide(coef);
        }
        let mut atoms = atoms.to_vec();
        atoms.sort();
        Dim::from_parts(0, vec![(Arc::from(atoms), coef)])
    }

    /// Whether the two differ by a constant.
    fn same_terms(&self, other: &Dim) -> bool {
        match (&self.0, &other.0) {
            (Repr::Poly(a), Repr::Poly(b)) => a.terms == b.terms,
            (Repr::Int(_), Repr::Int(_)) => true,
            (Repr::Sym(a), Repr::Sym(b)) => a == b,
            (Repr::Sym(s), Repr::Poly(p)) | (Repr::Poly(p), Repr::Sym(s)) => match &*p.terms {
                [(m, 1)] => **m == [Atom::Sym(*s)],
                _ => false,
            },
            (Repr::Int(_), Repr::Poly(p)) | (Repr::Poly(p), Repr::Int(_)) => p.terms.is_empty(),
            (Repr::Int(_), Repr::Sym(_)) | (Repr::Sym(_), Repr::Int(_)) => false,
        }
    }

    /// Whether it is a sum of products of such symbols, each with a positive coefficient.
    pub(crate) fn is_sum_of(&self, natural: &dyn Fn(Sym) -> bool) -> bool {
        match &self.0 {
            Repr::Int(_) => true,
            Repr::Sym(s) => natural(*s),
            Repr::Poly(p) => p
                .terms
                .iter()
                .all(|(m, c)| *c > 0 && m.iter().all(|a| matches!(a, Atom::Sym(s) if natural(*s)))),
        }
    }

    /// `q` with `self == q * by` as polynomials.
    pub(crate) fn exact_quotient(&self, by: &Dim) -> Option<Dim> {
        let (lead, lead_coef) = by
            .terms()
            .into_iter()
            .max_by(|x, y| by_degree(&x.0, &y.0))?;
        let (mut rest, mut quotient) = (self.clone(), Dim::int(0));
        for _ in 0..MAX_TERMS {
            let Some((mono, coef)) = rest
                .terms()
                .into_iter()
                .max_by(|x, y| by_degree(&x.0, &y.0))
            else {
                break;
            };
            let mut left = mono.to_vec();
            for atom in &*lead {
                left.remove(left.iter().position(|l| l == atom)?);
            }
            if coef.checked_rem(lead_coef)? != 0 {
                return None;
            }
            let part = Dim::product(&left, coef.checked_div(lead_coef)?);
            quotient = quotient.add(&part);
            rest = rest.sub(&part.mul(by));
        }
        (rest == Dim::int(0)).then_some(quotient)
    }
}

/// A monomial order: by degree, then by atoms.
fn by_degree(a: &Mono, b: &Mono) -> std::cmp::Ordering {
    a.len().cmp(&b.len()).then_with(|| a.cmp(b))
}

/// A commutative operation that could not be expanded.
fn sorted_op(kind: OpKind, a: &Dim, b: &Dim) -> Dim {
    let (a, b) = if a <= b { (a, b) } else { (b, a) };
    Dim::op(kind, vec![a.clone(), b.clone()])
}

/// The product of two monomials.
fn merge(a: &Mono, b: &Mono) -> Mono {
    let mut atoms: Vec<Atom> = a.iter().chain(b.iter()).cloned().collect();
    atoms.sort();
    Arc::from(atoms)
}
