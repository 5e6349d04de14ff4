//! The prover's working state: what the facts say, in a form that answers questions.
//!
//! Terms become polynomials over numbered atoms. Equalities rewrite them ([`rewrite`]), divisions
//! by what is provably positive turn into fresh unknowns with their bounds ([`divide`]), and what
//! order is left is settled by linear elimination ([`order`]) after a few rounds of everything
//! ([`saturate`]) and some case analysis ([`split`]). Each step spends fuel, so that the answer
//! comes in bounded time and is the same on every machine.

mod divide;
mod expr;
mod fm;
mod order;
mod rewrite;
mod saturate;
mod split;

use std::sync::Arc;

use rustc_hash::FxHashMap;

use crate::dim::{Atom, Op, OpKind};
use crate::{Constraint, Dim, Rel, Sym};
use expr::{Expr, MonoId, ONE};

/// A numbered atom.
type AtomId = u32;

/// Steps for reading a list of facts.
const FUEL_FACTS: u32 = 50_000;
/// Steps for one question.
const FUEL_GOAL: u32 = 50_000;
/// More atoms than this and nothing new is looked at.
const MAX_ATOMS: usize = 400;
/// More monomials than this and nothing new is looked at.
const MAX_MONOS: usize = 6_000;
/// A product of more atoms than this is not formed.
const MAX_DEGREE: usize = 24;
/// A polynomial with more terms than this is not formed.
const MAX_LEN: usize = 160;

/// What an atom stands for.
#[derive(PartialEq, Eq, Hash)]
enum Key {
    Sym(Sym),
    /// An unknown integer made up here.
    Fresh(u32),
    Div(Expr, Expr),
    /// Only under a divisor that may not be positive; else it is `a - b * (a / b)`.
    Rem(Expr, Expr),
    Min(Vec<Expr>),
    /// A term that is equal to itself and about which nothing else is known.
    Op(Arc<Op>),
}

#[derive(Clone)]
struct AtomData {
    key: Arc<Key>,
    /// The rule that eliminates the atom.
    value: Option<Arc<Expr>>,
    lo: Option<i128>,
    hi: Option<i128>,
    /// A division whose divisor is provably positive.
    proper: bool,
    /// A division about which its equations say everything, so that its operands no longer matter.
    free: bool,
}

/// `coef * lead == rest`, read from left to right.
#[derive(Clone)]
struct Rule {
    lead: MonoId,
    coef: i128,
    rest: Arc<Expr>,
}

/// Facts in working form.
#[derive(Clone)]
pub(crate) struct Engine {
    nonneg: Arc<[Sym]>,
    atoms: Vec<AtomData>,
    atom_ids: FxHashMap<Arc<Key>, AtomId>,
    monos: Vec<Arc<[AtomId]>>,
    mono_ids: FxHashMap<Arc<[AtomId]>, MonoId>,
    /// Whether any atom has a value.
    eliminated: bool,
    rules: Vec<Rule>,
    /// Each `>= 0`.
    rows: Vec<Expr>,
    /// Each `!= 0`.
    nonzero: Vec<Expr>,
    /// The facts contradict each other.
    refuted: bool,
    /// Something changed since the last round of saturation.
    dirty: bool,
    fuel: u32,
}

impl Engine {
    /// Reads facts; `nonneg` is sorted.
    pub(crate) fn new(nonneg: Arc<[Sym]>, constraints: &[Constraint]) -> Engine {
        let mut engine = Engine {
            nonneg,
            atoms: Vec::new(),
            atom_ids: FxHashMap::default(),
            monos: Vec::new(),
            mono_ids: FxHashMap::default(),
            eliminated: false,
            rules: Vec::new(),
            rows: Vec::new(),
            nonzero: Vec::new(),
            refuted: false,
            dirty: false,
            fuel: FUEL_FACTS,
        };
        let one: Arc<[AtomId]> = Arc::from([]);
        engine.monos.push(one.clone());
        engine.mono_ids.insert(one, ONE);
        // bounds first: they say which divisors are positive
        let (equal, bounds): (Vec<_>, Vec<_>) = constraints.iter().partition(|c| c.rel == Rel::Eq);
        for constraint in bounds.into_iter().chain(equal) {
            engine.assume(constraint);
        }
        engine.saturate();
        engine
    }

    /// Adds a fact. What cannot be represented is left out, which is sound.
    fn assume(&mut self, fact: &Constraint) -> Option<()> {
        let diff = self.read(&fact.lhs.sub(&fact.rhs))?;
        self.assume_rel(&diff, fact.rel)
    }

    /// Adds `diff rel 0`.
    fn assume_rel(&mut self, diff: &Expr, rel: Rel) -> Option<()> {
        match rel {
            Rel::Eq => self.assume_zero(diff)?,
            Rel::Ne => {
                self.nonzero.push(diff.clone());
                self.dirty = true;
            }
            Rel::Ge => self.push_row(diff.clone()),
            Rel::Gt => self.push_row(diff.shifted(-1)?),
            Rel::Le => self.push_row(diff.negated()?),
            Rel::Lt => self.push_row(diff.refuting()?),
        }
        Some(())
    }

    /// Takes `n` steps of what is left.
    fn spend(&mut self, n: usize) -> Option<()> {
        self.fuel = self.fuel.checked_sub(u32::try_from(n).ok()?)?;
        Some(())
    }

    /// A term as a polynomial over atoms, rewritten by the equalities known so far.
    fn read(&mut self, dim: &Dim) -> Option<Expr> {
        let mut summands = vec![(ONE, dim.constant())];
        let mut products: Vec<Expr> = Vec::new();
        for (mono, coef) in dim.terms() {
            let mut id = ONE;
            let mut product: Option<Expr> = None;
            for atom in &*mono {
                let factor = match atom {
                    Atom::Sym(s) => self.atom(Key::Sym(*s))?,
                    Atom::Op(op) => {
                        let value = self.read_op(op)?;
                        product = Some(match product {
                            None => value,
                            Some(p) => self.times(&p, &value)?,
                        });
                        continue;
                    }
                };
                let factor = self.mono_of(factor)?;
                id = self.mono_mul(id, factor)?;
            }
            match product {
                None => summands.push((id, coef)),
                Some(p) => products.push(self.times(&p, &Expr::term(id, coef))?),
            }
        }
        let mut sum = Expr::collect(summands)?;
        for product in &products {
            sum = sum.plus(product, 1)?;
        }
        self.spend(sum.terms().len())?;
        self.normal(&sum)
    }

    fn read_op(&mut self, op: &Arc<Op>) -> Option<Expr> {
        if matches!(op.kind, OpKind::Add | OpKind::Mul | OpKind::Opaque(_)) {
            let atom = self.atom(Key::Op(op.clone()))?;
            return self.atom_expr(atom);
        }
        let args: Option<Vec<Expr>> = op.args.iter().map(|a| self.read(a)).collect();
        let args = args?;
        match op.kind {
            OpKind::Div => self.quotient(&args[0], &args[1]),
            OpKind::Rem => self.remainder(&args[0], &args[1]),
            OpKind::Min => self.minimum(args),
            _ => self.maximum(args),
        }
    }

    /// The number of an atom, made if it is new.
    fn atom(&mut self, key: Key) -> Option<AtomId> {
        if let Some(&id) = self.atom_ids.get(&key) {
            return Some(id);
        }
        if self.atoms.len() >= MAX_ATOMS {
            return None;
        }
        let id = self.atoms.len() as AtomId;
        let natural = matches!(key, Key::Sym(s) if self.nonneg.binary_search(&s).is_ok());
        let key = Arc::new(key);
        self.atoms.push(AtomData {
            key: key.clone(),
            value: None,
            lo: None,
            hi: None,
            proper: false,
            free: false,
        });
        self.atom_ids.insert(key, id);
        if natural {
            let row = self.atom_expr(id)?;
            self.push_row(row);
        }
        Some(id)
    }

    /// A new unknown integer.
    fn fresh(&mut self) -> Option<AtomId> {
        self.atom(Key::Fresh(self.atoms.len() as u32))
    }

    fn atom_expr(&mut self, atom: AtomId) -> Option<Expr> {
        Some(Expr::term(self.mono_of(atom)?, 1))
    }

    fn mono_of(&mut self, atom: AtomId) -> Option<MonoId> {
        self.mono(&[atom])
    }

    /// The number of a product of atoms, which are sorted.
    fn mono(&mut self, atoms: &[AtomId]) -> Option<MonoId> {
        if let Some(&id) = self.mono_ids.get(atoms) {
            return Some(id);
        }
        if self.monos.len() >= MAX_MONOS || atoms.len() > MAX_DEGREE {
            return None;
        }
        let id = self.monos.len() as MonoId;
        let atoms: Arc<[AtomId]> = Arc::from(atoms);
        self.monos.push(atoms.clone());
        self.mono_ids.insert(atoms, id);
        Some(id)
    }

    fn factors(&self, mono: MonoId) -> &[AtomId] {
        &self.monos[mono as usize]
    }

    fn mono_mul(&mut self, a: MonoId, b: MonoId) -> Option<MonoId> {
        match (a, b) {
            (ONE, other) | (other, ONE) => Some(other),
            _ => {
                let mut atoms: Vec<AtomId> = self.factors(a).to_vec();
                atoms.extend_from_slice(self.factors(b));
                atoms.sort_unstable();
                self.mono(&atoms)
            }
        }
    }

    /// `a / b`, where `b`'s atoms are all among those of `a`.
    fn mono_div(&mut self, a: MonoId, b: MonoId) -> Option<MonoId> {
        if b == ONE {
            return Some(a);
        }
        let (from, mut take) = (self.factors(a), self.factors(b));
        let mut rest = Vec::with_capacity(from.len());
        for &atom in from {
            if take.first() == Some(&atom) {
                take = &take[1..]
            } else {
                rest.push(atom)
            }
        }
        if take.is_empty() {
            self.mono(&rest)
        } else {
            None
        }
    }

    fn times(&mut self, a: &Expr, b: &Expr) -> Option<Expr> {
        if let Some(k) = b.as_const() {
            return a.scaled(k);
        }
        if let Some(k) = a.as_const() {
            return b.scaled(k);
        }
        let size = a.terms().len() * b.terms().len();
        if size > 4 * MAX_LEN {
            return None;
        }
        self.spend(size)?;
        let mut terms = Vec::with_capacity(size);
        for &(m, c) in a.terms() {
            for &(n, d) in b.terms() {
                terms.push((self.mono_mul(m, n)?, c.checked_mul(d)?));
            }
        }
        let product = Expr::collect(terms)?;
        (product.terms().len() <= MAX_LEN).then_some(product)
    }

    /// Whether an atom stands in one of the monomials.
    fn has_atom(&self, expr: &Expr, atom: AtomId) -> bool {
        expr.monos()
            .iter()
            .any(|t| self.factors(t.0).contains(&atom))
    }

    /// The operands of an atom that are still of interest.
    fn operands(data: &AtomData) -> Vec<&Expr> {
        match &*data.key {
            Key::Div(a, b) | Key::Rem(a, b) if !data.free => vec![a, b],
            Key::Min(args) => args.iter().collect(),
            _ => Vec::new(),
        }
    }

    /// Whether `wanted` stands in `expr` or in the operands of an atom there, however deep.
    fn has_deep(&self, expr: &Expr, wanted: AtomId) -> bool {
        let mut seen = vec![false; self.atoms.len()];
        let mut todo: Vec<AtomId> = Vec::new();
        let mut look = |expr: &Expr, todo: &mut Vec<AtomId>| {
            for t in expr.monos() {
                for &atom in self.factors(t.0) {
                    if !std::mem::replace(&mut seen[atom as usize], true) {
                        todo.push(atom);
                    }
                }
            }
        };
        look(expr, &mut todo);
        while let Some(atom) = todo.pop() {
            if atom == wanted {
                return true;
            }
            for operand in Engine::operands(&self.atoms[atom as usize]) {
                look(operand, &mut todo);
            }
        }
        false
    }
}
