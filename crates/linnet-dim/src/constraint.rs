//! Relations between terms, as a `where` clause writes them.

use std::fmt::{self, Display, Formatter};

use crate::{Dim, EvalError, Sym};

/// How two terms relate.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Rel {
    /// `==`
    Eq,
    /// `!=`
    Ne,
    /// `<`
    Lt,
    /// `<=`
    Le,
    /// `>`
    Gt,
    /// `>=`
    Ge,
}

impl Rel {
    /// The relation that holds exactly where this one does not.
    pub fn negate(self) -> Rel {
        match self {
            Rel::Eq => Rel::Ne,
            Rel::Ne => Rel::Eq,
            Rel::Lt => Rel::Ge,
            Rel::Ge => Rel::Lt,
            Rel::Gt => Rel::Le,
            Rel::Le => Rel::Gt,
        }
    }

    /// The relation with its sides exchanged.
    pub fn flip(self) -> Rel {
        match self {
            Rel::Eq | Rel::Ne => self,
            Rel::Lt => Rel::Gt,
            Rel::Gt => Rel::Lt,
            Rel::Le => Rel::Ge,
            Rel::Ge => Rel::Le,
        }
    }

    /// Whether the relation holds between two integers.
    pub fn holds(self, lhs: i128, rhs: i128) -> bool {
        match self {
            Rel::Eq => lhs == rhs,
            Rel::Ne => lhs != rhs,
            Rel::Lt => lhs < rhs,
            Rel::Le => lhs <= rhs,
            Rel::Gt => lhs > rhs,
            Rel::Ge => lhs >= rhs,
        }
    }

    /// The operator as source text.
    pub fn as_str(self) -> &'static str {
        match self {
            Rel::Eq => "==",
            Rel::Ne => "!=",
            Rel::Lt => "<",
            Rel::Le => "<=",
            Rel::Gt => ">",
            Rel::Ge => ">=",
        }
    }
}

/// A relation between two terms: a fact, or what is to be proven.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Constraint {
    /// The left side.
    pub lhs: Dim,
    /// The relation.
    pub rel: Rel,
    /// The right side.
    pub rhs: Dim,
}

impl Constraint {
    /// `lhs rel rhs`.
    pub fn new(lhs: Dim, rel: Rel, rhs: Dim) -> Constraint {
        Constraint { lhs, rel, rhs }
    }

    /// The constraint that holds exactly where this one does not.
    pub fn negate(&self) -> Constraint {
        Constraint {
            lhs: self.lhs.clone(),
            rel: self.rel.negate(),
            rhs: self.rhs.clone(),
        }
    }

    /// Replaces symbols on both sides, as [`Dim::subst`] does.
    pub fn subst(&self, f: &mut dyn FnMut(Sym) -> Option<Dim>) -> Constraint {
        Constraint {
            lhs: self.lhs.subst(f),
            rel: self.rel,
            rhs: self.rhs.subst(f),
        }
    }

    /// Whether it holds under the values of `f`.
    ///
    /// # Errors
    /// Where one of the sides has no value, as in [`Dim::eval`].
    pub fn eval(&self, f: &mut dyn FnMut(Sym) -> Option<i128>) -> Result<bool, EvalError> {
        Ok(self.rel.holds(self.lhs.eval(f)?, self.rhs.eval(f)?))
    }

    /// Calls `f` with each symbol of both sides.
    pub fn visit_syms(&self, f: &mut dyn FnMut(Sym)) {
        self.lhs.visit_syms(f);
        self.rhs.visit_syms(f);
    }

    /// Every divisor in it, each once.
    pub fn divisors(&self) -> Vec<Dim> {
        let mut all = self.lhs.divisors();
        let right = self
            .rhs
            .divisors()
            .into_iter()
            .filter(|d| !all.contains(d))
            .collect::<Vec<_>>();
        all.extend(right);
        all
    }

    /// The constraint as source text, symbols written by `names`.
    pub fn display<'a>(&'a self, names: &'a dyn Fn(Sym) -> String) -> impl Display + 'a {
        Shown(self, names)
    }
}

struct Shown<'a>(&'a Constraint, &'a dyn Fn(Sym) -> String);

impl Display for Shown<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let Shown(c, names) = self;
        write!(
            f,
            "{} {} {}",
            c.lhs.display(names),
            c.rel.as_str(),
            c.rhs.display(names)
        )
    }
}
