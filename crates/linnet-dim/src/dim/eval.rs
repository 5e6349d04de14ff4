//! Walking terms: symbols, substitution, evaluation.

use std::fmt;
use std::sync::Arc;

use rustc_hash::FxHashSet;

use super::{Atom, Dim, Op, OpKind, Repr, Sym};

/// Why a term has no value.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum EvalError {
    /// A symbol without a value.
    Unbound(Sym),
    /// A value, or the term itself, is too large.
    Overflow,
    /// This divisor is zero or negative.
    Divisor(Dim),
}

impl fmt::Display for EvalError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            EvalError::Unbound(_) => f.write_str("a dimension has no value"),
            EvalError::Overflow => f.write_str("a dimension is too large"),
            EvalError::Divisor(_) => f.write_str("a divisor is not positive"),
        }
    }
}

impl std::error::Error for EvalError {}

impl Dim {
    /// Calls `f` with each symbol, at least once.
    pub fn visit_syms(&self, f: &mut dyn FnMut(Sym)) {
        self.visit_syms_once(&mut FxHashSet::default(), f);
    }

    /// `seen` are the opaque terms that were looked into: they alone may hold very many symbols.
    fn visit_syms_once(&self, seen: &mut FxHashSet<u64>, f: &mut dyn FnMut(Sym)) {
        match &self.0 {
            Repr::Int(_) => {}
            Repr::Sym(s) => f(*s),
            Repr::Poly(p) => {
                for atom in p.terms.iter().flat_map(|t| t.0.iter()) {
                    match atom {
                        Atom::Sym(s) => f(*s),
                        Atom::Op(op) => {
                            if let OpKind::Opaque(id) = op.kind
                                && !seen.insert(id)
                            {
                                continue;
                            }
                            op.args.iter().for_each(|a| a.visit_syms_once(seen, f));
                        }
                    }
                }
            }
        }
    }

    /// Calls `f` with each operation, inner ones first.
    pub(crate) fn visit_ops(&self, f: &mut dyn FnMut(&Arc<Op>)) {
        if let Repr::Poly(p) = &self.0 {
            for atom in p.terms.iter().flat_map(|t| t.0.iter()) {
                if let Atom::Op(op) = atom {
                    op.args.iter().for_each(|a| a.visit_ops(f));
                    f(op);
                }
            }
        }
    }

    /// Calls `f` with each number in the term but 1 and -1.
    pub(crate) fn visit_numbers(&self, f: &mut dyn FnMut(i128)) {
        let mut all = vec![self.constant()];
        all.extend(self.terms().iter().map(|t| t.1));
        all.into_iter()
            .filter(|n| !(-1..=1).contains(n))
            .for_each(&mut *f);
        if let Repr::Poly(p) = &self.0 {
            for atom in p.terms.iter().flat_map(|t| t.0.iter()) {
                if let Atom::Op(op) = atom {
                    op.args.iter().for_each(|a| a.visit_numbers(f));
                }
            }
        }
    }

    /// Whether `s` stands in the term.
    pub fn mentions(&self, s: Sym) -> bool {
        let mut found = false;
        self.visit_syms(&mut |t| found |= s == t);
        found
    }

    /// Every divisor of a `/` or `%` in the term, each once, inner ones first.
    pub fn divisors(&self) -> Vec<Dim> {
        let mut all = Vec::new();
        self.visit_ops(&mut |op| {
            if matches!(op.kind, OpKind::Div | OpKind::Rem) && !all.contains(&op.args[1]) {
                all.push(op.args[1].clone());
            }
        });
        all
    }

    /// Replaces the symbols for which `f` has a term, all at once.
    pub fn subst(&self, f: &mut dyn FnMut(Sym) -> Option<Dim>) -> Dim {
        match &self.0 {
            Repr::Int(_) => self.clone(),
            Repr::Sym(s) => f(*s).unwrap_or_else(|| self.clone()),
            Repr::Poly(p) => {
                let mut any = false;
                self.visit_syms(&mut |s| any = any || f(s).is_some());
                if !any {
                    return self.clone();
                }
                let mut sum = Dim::wide(p.constant);
                for (mono, coef) in &p.terms {
                    let mut product = Dim::wide(*coef);
                    for atom in &**mono {
                        product = product.mul(&match atom {
                            Atom::Sym(s) => f(*s).unwrap_or_else(|| Dim::sym(*s)),
                            Atom::Op(op) => op.subst(f),
                        });
                    }
                    sum = sum.add(&product);
                }
                sum
            }
        }
    }

    /// The value under `f`, which gives each symbol its own.
    ///
    /// # Errors
    /// A symbol without a value, a divisor below 1, or a value beyond `i128`.
    pub fn eval(&self, f: &mut dyn FnMut(Sym) -> Option<i128>) -> Result<i128, EvalError> {
        match &self.0 {
            Repr::Int(v) => Ok(i128::from(*v)),
            Repr::Sym(s) => f(*s).ok_or(EvalError::Unbound(*s)),
            Repr::Poly(p) => {
                let mut sum = p.constant;
                for (mono, coef) in &p.terms {
                    let mut product = *coef;
                    for atom in &**mono {
                        let value = match atom {
                            Atom::Sym(s) => f(*s).ok_or(EvalError::Unbound(*s))?,
                            Atom::Op(op) => op.eval(f)?,
                        };
                        product = product.checked_mul(value).ok_or(EvalError::Overflow)?;
                    }
                    sum = sum.checked_add(product).ok_or(EvalError::Overflow)?;
                }
                Ok(sum)
            }
        }
    }
}

impl Op {
    fn subst(self: &Arc<Op>, f: &mut dyn FnMut(Sym) -> Option<Dim>) -> Dim {
        let args: Vec<Dim> = self.args.iter().map(|a| a.subst(f)).collect();
        let fold = |join: fn(&Dim, &Dim) -> Dim| {
            args[1..]
                .iter()
                .fold(args[0].clone(), |sum, arg| join(&sum, arg))
        };
        match self.kind {
            _ if *args == *self.args => Dim::from_op(self.clone()),
            OpKind::Div => args[0].div(&args[1]),
            OpKind::Rem => args[0].rem(&args[1]),
            OpKind::Min => fold(Dim::min),
            OpKind::Max => fold(Dim::max),
            OpKind::Add => fold(Dim::add),
            OpKind::Mul => fold(Dim::mul),
            // what it stood for is gone: another instance is another value
            OpKind::Opaque(_) => Dim::opaque(&args),
        }
    }

    fn eval(&self, f: &mut dyn FnMut(Sym) -> Option<i128>) -> Result<i128, EvalError> {
        if matches!(self.kind, OpKind::Opaque(_)) {
            return Err(EvalError::Overflow);
        }
        let mut value = self.args[0].eval(f)?;
        for arg in &self.args[1..] {
            let next = arg.eval(f)?;
            value = match self.kind {
                OpKind::Div | OpKind::Rem if next <= 0 => {
                    return Err(EvalError::Divisor(arg.clone()));
                }
                OpKind::Div => value.div_euclid(next),
                OpKind::Rem => value.rem_euclid(next),
                OpKind::Min => value.min(next),
                OpKind::Max => value.max(next),
                OpKind::Add => value.checked_add(next).ok_or(EvalError::Overflow)?,
                OpKind::Mul => value.checked_mul(next).ok_or(EvalError::Overflow)?,
                OpKind::Opaque(_) => return Err(EvalError::Overflow),
            };
        }
        Ok(value)
    }
}

impl Dim {
    fn from_op(op: Arc<Op>) -> Dim {
        Dim::from_parts(0, vec![(Arc::from([Atom::Op(op)]), 1)])
    }
}
