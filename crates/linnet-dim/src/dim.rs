//! Dimension terms in canonical form: sparse polynomials over atoms.
//!
//! An atom is a symbol or an operation that does not distribute (`/`, `%`, `min`, `max`). Two terms
//! that are equal as polynomials over equal atoms are the same value, so most equalities are decided
//! by `==`. Only simplifications that hold for all integers happen here; what needs facts belongs to
//! the prover.

mod arith;
mod display;
mod divide;
mod eval;

use std::cmp::Ordering;
use std::hash::{Hash, Hasher};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering as Atomic};

use rustc_hash::FxHasher;

pub(crate) use divide::gcd;
pub use eval::EvalError;

/// A symbol of a dimension term, numbered by whoever owns the names.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Sym(pub u32);

/// More terms than this in one polynomial and the operation stays an atom of its own.
const MAX_TERMS: usize = 128;
/// A term with more nodes than this is replaced by an opaque atom.
const MAX_SIZE: u32 = 4096;
/// A term nested deeper than this is replaced by an opaque atom, so that recursion stays bounded.
const MAX_DEPTH: u16 = 64;
/// More arguments than this are not flattened into one `min` or `max`.
const MAX_ARGS: usize = 16;

/// A dimension expression in canonical form; cheap to clone and to compare.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Dim(Repr);

#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
enum Repr {
    Int(i64),
    Sym(Sym),
    Poly(Arc<Poly>),
}

/// A product of atoms, sorted, with repetition; never empty.
pub(crate) type Mono = Arc<[Atom]>;

/// A polynomial that is neither a small integer nor a lone symbol.
pub(crate) struct Poly {
    /// The constant term.
    pub(crate) constant: i128,
    /// The other terms, sorted by monomial, coefficients never zero.
    pub(crate) terms: Box<[(Mono, i128)]>,
    hash: u64,
    size: u32,
    depth: u16,
}

/// What a monomial is made of.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Atom {
    Sym(Sym),
    Op(Arc<Op>),
}

/// An operation that polynomials cannot express.
pub(crate) struct Op {
    pub(crate) kind: OpKind,
    pub(crate) args: Box<[Dim]>,
    hash: u64,
    size: u32,
    depth: u16,
}

/// The operations that stay atoms.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) enum OpKind {
    /// Floor division of two arguments.
    Div,
    /// The remainder of floor division.
    Rem,
    /// The least of two or more arguments.
    Min,
    /// The greatest of two or more arguments.
    Max,
    /// A sum too large to expand.
    Add,
    /// A product too large to expand.
    Mul,
    /// A term too large to keep, equal only to itself; the arguments are its symbols.
    Opaque(u64),
}

impl Dim {
    /// The integer `v`.
    pub fn int(v: i64) -> Dim {
        Dim(Repr::Int(v))
    }

    /// The symbol `s`.
    pub fn sym(s: Sym) -> Dim {
        Dim(Repr::Sym(s))
    }

    /// The value, where the term is an integer that fits `i64`.
    pub fn as_int(&self) -> Option<i64> {
        match self.0 {
            Repr::Int(v) => Some(v),
            _ => None,
        }
    }

    /// The symbol, where the term is nothing but one.
    pub fn as_sym(&self) -> Option<Sym> {
        match self.0 {
            Repr::Sym(s) => Some(s),
            _ => None,
        }
    }

    /// The value, where the term is an integer of any width.
    pub(crate) fn as_const(&self) -> Option<i128> {
        match &self.0 {
            Repr::Int(v) => Some(i128::from(*v)),
            Repr::Sym(_) => None,
            Repr::Poly(p) => p.terms.is_empty().then_some(p.constant),
        }
    }

    /// The integer `v` of any width.
    pub(crate) fn wide(v: i128) -> Dim {
        Dim::from_parts(v, Vec::new())
    }

    /// The constant term.
    pub(crate) fn constant(&self) -> i128 {
        match &self.0 {
            Repr::Int(v) => i128::from(*v),
            Repr::Sym(_) => 0,
            Repr::Poly(p) => p.constant,
        }
    }

    /// The terms but the constant one, with shared monomials.
    pub(crate) fn terms(&self) -> Vec<(Mono, i128)> {
        match &self.0 {
            Repr::Int(_) => Vec::new(),
            Repr::Sym(s) => vec![(Arc::from([Atom::Sym(*s)]), 1)],
            Repr::Poly(p) => p.terms.to_vec(),
        }
    }

    /// The operation, where the term is nothing but one.
    pub(crate) fn as_op(&self) -> Option<&Arc<Op>> {
        match &self.0 {
            Repr::Poly(p) if p.constant == 0 => match &*p.terms {
                [(m, 1)] => match &**m {
                    [Atom::Op(op)] => Some(op),
                    _ => None,
                },
                _ => None,
            },
            _ => None,
        }
    }

    /// Builds the canonical value of a sum; `terms` are sorted, distinct and non-zero.
    fn from_parts(constant: i128, terms: Vec<(Mono, i128)>) -> Dim {
        if terms.is_empty()
            && let Ok(v) = i64::try_from(constant)
        {
            return Dim::int(v);
        }
        if constant == 0
            && let [(m, 1)] = &terms[..]
            && let [Atom::Sym(s)] = **m
        {
            return Dim::sym(s);
        }
        let (mut size, mut depth) = (1u32, 0);
        let mut hasher = FxHasher::default();
        constant.hash(&mut hasher);
        for (mono, coef) in &terms {
            coef.hash(&mut hasher);
            size += 1;
            for atom in &**mono {
                atom.hash(&mut hasher);
                size = size.saturating_add(atom.size());
                depth = depth.max(atom.depth());
            }
        }
        let dim = Dim(Repr::Poly(Arc::new(Poly {
            constant,
            terms: terms.into(),
            hash: hasher.finish(),
            size,
            depth,
        })));
        if size > MAX_SIZE {
            Dim::opaque(&[dim])
        } else {
            dim
        }
    }

    /// An operation as a term of its own.
    fn op(kind: OpKind, args: Vec<Dim>) -> Dim {
        let (mut size, mut depth) = (1u32, 0);
        let mut hasher = FxHasher::default();
        kind.hash(&mut hasher);
        for arg in &args {
            arg.hash(&mut hasher);
            size = size.saturating_add(arg.size());
            depth = depth.max(arg.depth());
        }
        if matches!(kind, OpKind::Opaque(_)) {
            (size, depth) = (1, 0);
        }
        if size > MAX_SIZE || depth >= MAX_DEPTH {
            return Dim::opaque(&args);
        }
        let op = Op {
            kind,
            args: args.into(),
            hash: hasher.finish(),
            size,
            depth: depth + 1,
        };
        Dim::from_parts(0, vec![(Arc::from([Atom::Op(Arc::new(op))]), 1)])
    }

    /// An atom that stands for a term too large to keep: equal to itself alone.
    fn opaque(args: &[Dim]) -> Dim {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        let mut syms = Vec::new();
        args.iter()
            .for_each(|a| a.visit_syms(&mut |s| syms.push(s)));
        syms.sort_unstable();
        syms.dedup();
        let id = NEXT.fetch_add(1, Atomic::Relaxed);
        Dim::op(OpKind::Opaque(id), syms.into_iter().map(Dim::sym).collect())
    }

    /// How many nodes the term has.
    pub(crate) fn size(&self) -> u32 {
        match &self.0 {
            Repr::Poly(p) => p.size,
            _ => 1,
        }
    }

    fn depth(&self) -> u16 {
        match &self.0 {
            Repr::Poly(p) => p.depth,
            _ => 0,
        }
    }
}

impl Atom {
    fn size(&self) -> u32 {
        match self {
            Atom::Sym(_) => 1,
            Atom::Op(op) => op.size,
        }
    }

    fn depth(&self) -> u16 {
        match self {
            Atom::Sym(_) => 0,
            Atom::Op(op) => op.depth,
        }
    }
}

impl From<i64> for Dim {
    fn from(v: i64) -> Dim {
        Dim::int(v)
    }
}

impl From<Sym> for Dim {
    fn from(s: Sym) -> Dim {
        Dim::sym(s)
    }
}

// The hashes are kept in the nodes, so that unequal terms are told apart without a walk.

impl PartialEq for Poly {
    fn eq(&self, other: &Poly) -> bool {
        std::ptr::eq(self, other)
            || (self.hash == other.hash
                && self.constant == other.constant
                && self.terms == other.terms)
    }
}

impl Eq for Poly {}

impl Hash for Poly {
    fn hash<H: Hasher>(&self, state: &mut H) {
        state.write_u64(self.hash);
    }
}

impl Ord for Poly {
    fn cmp(&self, other: &Poly) -> Ordering {
        if std::ptr::eq(self, other) {
            return Ordering::Equal;
        }
        self.terms
            .cmp(&other.terms)
            .then(self.constant.cmp(&other.constant))
    }
}

impl PartialOrd for Poly {
    fn partial_cmp(&self, other: &Poly) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Op {
    fn eq(&self, other: &Op) -> bool {
        std::ptr::eq(self, other)
            || (self.hash == other.hash && self.kind == other.kind && self.args == other.args)
    }
}

impl Eq for Op {}

impl Hash for Op {
    fn hash<H: Hasher>(&self, state: &mut H) {
        state.write_u64(self.hash);
    }
}

impl Ord for Op {
    fn cmp(&self, other: &Op) -> Ordering {
        if std::ptr::eq(self, other) {
            return Ordering::Equal;
        }
        // sizes tell most large terms apart at once
        self.kind
            .cmp(&other.kind)
            .then(self.size.cmp(&other.size))
            .then_with(|| self.args.cmp(&other.args))
    }
}

impl PartialOrd for Op {
    fn partial_cmp(&self, other: &Op) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}
