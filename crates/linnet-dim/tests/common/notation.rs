//! A small notation for tests: `H % N == 0, N > 0 |- N * (H / N) == H`.
//!
//! Terms are kept as they were written, apart from [`Dim`], so that the canonical form can be
//! compared with plain arithmetic.

use std::fmt;

use linnet_dim::{Constraint, Dim, Rel, Sym};

/// A term as written.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Term {
    Int(i64),
    Sym(u32),
    Op(Op, Box<Term>, Box<Term>),
}

#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Op {
    Add,
    Sub,
    Mul,
    Div,
    Rem,
    Min,
    Max,
}

/// A relation between two terms.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Claim {
    pub lhs: Term,
    pub rel: Rel,
    pub rhs: Term,
}

/// What a division by zero or less gives: any function will do, so tests try several.
pub type Beyond = fn(Op, i128, i128) -> i128;

impl Term {
    pub fn op(op: Op, a: Term, b: Term) -> Term {
        Term::Op(op, Box::new(a), Box::new(b))
    }

    pub fn dim(&self) -> Dim {
        match self {
            Term::Int(v) => Dim::int(*v),
            Term::Sym(s) => Dim::sym(Sym(*s)),
            Term::Op(op, a, b) => {
                let (a, b) = (a.dim(), b.dim());
                match op {
                    Op::Add => a.add(&b),
                    Op::Sub => a.sub(&b),
                    Op::Mul => a.mul(&b),
                    Op::Div => a.div(&b),
                    Op::Rem => a.rem(&b),
                    Op::Min => Dim::min(&a, &b),
                    Op::Max => Dim::max(&a, &b),
                }
            }
        }
    }

    /// The value; divisions by what is not positive go to `beyond`.
    pub fn eval(&self, values: &[i128], beyond: Beyond) -> i128 {
        match self {
            Term::Int(v) => i128::from(*v),
            Term::Sym(s) => values[*s as usize],
            Term::Op(op, a, b) => {
                let (a, b) = (a.eval(values, beyond), b.eval(values, beyond));
                match op {
                    Op::Add => a + b,
                    Op::Sub => a - b,
                    Op::Mul => a * b,
                    Op::Div | Op::Rem if b <= 0 => beyond(*op, a, b),
                    Op::Div => a.div_euclid(b),
                    Op::Rem => a.rem_euclid(b),
                    Op::Min => a.min(b),
                    Op::Max => a.max(b),
                }
            }
        }
    }

    /// Puts a term for each symbol.
    pub fn with(&self, terms: &[Term]) -> Term {
        match self {
            Term::Int(v) => Term::Int(*v),
            Term::Sym(s) => terms[*s as usize].clone(),
            Term::Op(op, a, b) => Term::op(*op, a.with(terms), b.with(terms)),
        }
    }

    pub fn divides(&self) -> bool {
        match self {
            Term::Op(op, a, b) => matches!(op, Op::Div | Op::Rem) || a.divides() || b.divides(),
            _ => false,
        }
    }

    fn level(&self) -> u8 {
        match self {
            Term::Int(v) if *v < 0 => 0,
            Term::Op(Op::Add | Op::Sub, ..) => 0,
            Term::Op(Op::Mul | Op::Div | Op::Rem, ..) => 1,
            _ => 2,
        }
    }
}

impl From<i64> for Term {
    fn from(v: i64) -> Term {
        Term::Int(v)
    }
}

impl Claim {
    pub fn constraint(&self) -> Constraint {
        Constraint::new(self.lhs.dim(), self.rel, self.rhs.dim())
    }

    pub fn eval(&self, values: &[i128], beyond: Beyond) -> bool {
        self.rel
            .holds(self.lhs.eval(values, beyond), self.rhs.eval(values, beyond))
    }

    pub fn divides(&self) -> bool {
        self.lhs.divides() || self.rhs.divides()
    }
}

/// The name of a symbol in generated cases.
pub fn letter(s: u32) -> String {
    char::from(b'A' + s as u8).to_string()
}

impl fmt::Display for Term {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let wrapped = |f: &mut fmt::Formatter<'_>, t: &Term, least: u8| {
            if t.level() < least {
                write!(f, "({t})")
            } else {
                write!(f, "{t}")
            }
        };
        match self {
            Term::Int(v) => write!(f, "{v}"),
            Term::Sym(s) => f.write_str(&letter(*s)),
            Term::Op(Op::Min, a, b) => write!(f, "min({a}, {b})"),
            Term::Op(Op::Max, a, b) => write!(f, "max({a}, {b})"),
            Term::Op(op, a, b) => {
                let (sign, level) = match op {
                    Op::Add => ("+", 0),
                    Op::Sub => ("-", 0),
                    Op::Mul => ("*", 1),
                    Op::Div => ("/", 1),
                    _ => ("%", 1),
                };
                wrapped(f, a, level)?;
                write!(f, " {sign} ")?;
                wrapped(f, b, level + 1)
            }
        }
    }
}

impl fmt::Display for Claim {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {} {}", self.lhs, self.rel.as_str(), self.rhs)
    }
}

/// Reads the notation; symbols are numbered as they come.
pub struct Reader<'a> {
    rest: &'a str,
    pub names: Vec<String>,
}

impl<'a> Reader<'a> {
    pub fn new() -> Reader<'a> {
        Reader {
            rest: "",
            names: Vec::new(),
        }
    }

    pub fn claims(&mut self, text: &'a str) -> Vec<Claim> {
        self.rest = text.trim();
        let mut claims = Vec::new();
        while !self.rest.is_empty() {
            claims.push(self.relation());
            if !self.rest.is_empty() {
                assert!(self.eat(","), "expected `,` before `{}`", self.rest);
            }
        }
        claims
    }

    pub fn claim(&mut self, text: &'a str) -> Claim {
        let mut claims = self.claims(text);
        assert!(claims.len() == 1, "expected one constraint: {text}");
        claims.remove(0)
    }

    pub fn term(&mut self, text: &'a str) -> Term {
        self.rest = text.trim();
        let term = self.sum();
        assert!(self.rest.is_empty(), "left over: `{}`", self.rest);
        term
    }

    pub fn name(&self, s: Sym) -> String {
        self.names[s.0 as usize].clone()
    }

    fn relation(&mut self) -> Claim {
        let lhs = self.sum();
        let rels = [
            ("==", Rel::Eq),
            ("!=", Rel::Ne),
            ("<=", Rel::Le),
            (">=", Rel::Ge),
            ("<", Rel::Lt),
            (">", Rel::Gt),
        ];
        let Some((_, rel)) = rels.into_iter().find(|(sign, _)| self.eat(sign)) else {
            panic!("expected a relation before `{}`", self.rest);
        };
        Claim {
            lhs,
            rel,
            rhs: self.sum(),
        }
    }

    fn sum(&mut self) -> Term {
        let mut term = self.product();
        loop {
            let op = match () {
                () if self.eat("+") => Op::Add,
                () if self.eat("-") => Op::Sub,
                () => return term,
            };
            term = Term::op(op, term, self.product());
        }
    }

    fn product(&mut self) -> Term {
        let mut term = self.unary();
        loop {
            let op = match () {
                () if self.eat("*") => Op::Mul,
                () if self.eat("/") => Op::Div,
                () if self.eat("%") => Op::Rem,
                () => return term,
            };
            term = Term::op(op, term, self.unary());
        }
    }

    fn unary(&mut self) -> Term {
        if self.eat("-") {
            return match self.unary() {
                Term::Int(v) => Term::Int(-v),
                other => Term::op(Op::Sub, Term::Int(0), other),
            };
        }
        if self.eat("(") {
            let term = self.sum();
            assert!(self.eat(")"), "expected `)` before `{}`", self.rest);
            return term;
        }
        let end = self
            .rest
            .find(|c: char| !c.is_ascii_alphanumeric() && c != '_')
            .unwrap_or(self.rest.len());
        let (word, rest) = self.rest.split_at(end);
        assert!(!word.is_empty(), "expected a term before `{rest}`");
        self.rest = rest.trim_start();
        if let Ok(v) = word.parse() {
            return Term::Int(v);
        }
        if matches!(word, "min" | "max") && self.eat("(") {
            let op = if word == "min" { Op::Min } else { Op::Max };
            let a = self.sum();
            assert!(self.eat(","), "expected `,` before `{}`", self.rest);
            let b = self.sum();
            assert!(self.eat(")"), "expected `)` before `{}`", self.rest);
            return Term::op(op, a, b);
        }
        let at = self
            .names
            .iter()
            .position(|n| n == word)
            .unwrap_or_else(|| {
                self.names.push(word.to_owned());
                self.names.len() - 1
            });
        Term::Sym(at as u32)
    }

    fn eat(&mut self, sign: &str) -> bool {
        match self.rest.strip_prefix(sign) {
            Some(rest) => {
                self.rest = rest.trim_start();
                true
            }
            None => false,
        }
    }
}
