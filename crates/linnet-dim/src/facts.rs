//! Facts, and the questions that can be asked of them.

use std::fmt;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use rustc_hash::FxHashMap;

use crate::engine::Engine;
use crate::search::{self, Model};
use crate::{Constraint, Dim, Rel, Sym};

/// More answers than this are not remembered.
const MAX_MEMO: usize = 4096;

/// What is known: symbols that are never negative, and constraints that hold together.
///
/// Cheap to clone; what is derived from the constraints is computed on the first question that
/// needs it and shared by all clones.
#[derive(Clone)]
pub struct Facts(Arc<Inner>);

struct Inner {
    /// Sorted.
    nonneg: Arc<[Sym]>,
    constraints: Vec<Constraint>,
    engine: OnceLock<Engine>,
    models: OnceLock<Vec<Model>>,
    memo: Mutex<FxHashMap<(Dim, Rel), bool>>,
}

/// The answer to a question.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// It holds wherever the facts hold.
    Proved(Proof),
    /// It does not hold, and here is a case.
    Refuted(Counterexample),
    /// Neither could be shown.
    Unknown(Missing),
}

/// Why a goal holds.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Proof {
    /// The constraints that are needed, by their place in [`Facts::constraints`].
    pub used: Vec<usize>,
}

/// Values under which every fact holds and the goal does not.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Counterexample {
    /// The symbols concerned, in their order.
    pub values: Vec<(Sym, i128)>,
}

/// What would settle a goal.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Missing {
    /// A constraint under which the goal is provable.
    pub constraint: Option<Constraint>,
}

impl Facts {
    /// Facts: the symbols of `nonneg` are `>= 0`, and the constraints hold together, in any order.
    pub fn new(
        nonneg: impl IntoIterator<Item = Sym>,
        constraints: impl IntoIterator<Item = Constraint>,
    ) -> Facts {
        let mut nonneg: Vec<Sym> = nonneg.into_iter().collect();
        nonneg.sort_unstable();
        nonneg.dedup();
        Facts(Arc::new(Inner {
            nonneg: nonneg.into(),
            constraints: constraints.into_iter().collect(),
            engine: OnceLock::new(),
            models: OnceLock::new(),
            memo: Mutex::default(),
        }))
    }

    /// These facts and more.
    pub fn with(
        &self,
        nonneg: impl IntoIterator<Item = Sym>,
        constraints: impl IntoIterator<Item = Constraint>,
    ) -> Facts {
        Facts::new(
            self.0.nonneg.iter().copied().chain(nonneg),
            self.0.constraints.iter().cloned().chain(constraints),
        )
    }

    /// The constraints, in the order in which they were given.
    pub fn constraints(&self) -> &[Constraint] {
        &self.0.constraints
    }

    /// The symbols that are never negative, sorted.
    pub fn nonnegative_syms(&self) -> &[Sym] {
        &self.0.nonneg
    }

    /// Proves or refutes the goal, or says what is missing. Where only the answer matters and not
    /// its reason, [`Facts::holds`] is many times cheaper.
    pub fn prove(&self, goal: &Constraint) -> Verdict {
        if self.holds(goal) {
            return Verdict::Proved(Proof {
                used: self.used(goal),
            });
        }
        match self.counterexample(goal) {
            Some(example) => Verdict::Refuted(example),
            None => Verdict::Unknown(Missing {
                constraint: self.missing(goal),
            }),
        }
    }

    /// Whether the goal is provable.
    pub fn holds(&self, goal: &Constraint) -> bool {
        if goal.lhs == goal.rhs {
            return goal.rel.holds(0, 0);
        }
        let diff = goal.lhs.sub(&goal.rhs);
        if let Some(value) = diff.as_const() {
            return goal.rel.holds(value, 0);
        }
        if self.plainly(&diff, goal.rel) {
            return true;
        }
        let key = (diff, goal.rel);
        if let Some(&known) = self.memo().get(&key) {
            return known;
        }
        let answer = !self.falsified(goal) && self.engine().clone().proves(&key.0, key.1);
        let mut memo = self.memo();
        if memo.len() < MAX_MEMO {
            memo.insert(key, answer);
        }
        answer
    }

    /// Whether one of the known cases shows that the goal does not follow.
    pub(crate) fn falsified(&self, goal: &Constraint) -> bool {
        let fails = |m: &Model| goal.eval(&mut |s| Some(m.value(s))) == Ok(false);
        self.models().iter().any(fails)
    }

    /// Whether the two are equal.
    pub fn equal(&self, a: &Dim, b: &Dim) -> bool {
        a == b || self.holds(&Constraint::new(a.clone(), Rel::Eq, b.clone()))
    }

    /// Whether it is `>= 1`.
    pub fn positive(&self, dim: &Dim) -> bool {
        self.holds(&Constraint::new(dim.clone(), Rel::Ge, Dim::int(1)))
    }

    /// Whether it is `>= 0`.
    pub fn nonneg(&self, dim: &Dim) -> bool {
        self.holds(&Constraint::new(dim.clone(), Rel::Ge, Dim::int(0)))
    }

    /// Whether the constraints cannot hold together; then everything is provable.
    pub fn contradiction(&self) -> bool {
        // with a model at hand there is none
        !self.0.constraints.is_empty()
            && self.models().is_empty()
            && self.engine().clone().contradiction()
    }

    /// Values of the symbols concerned under which the facts hold and the goal does not, if small
    /// ones can be found.
    pub fn counterexample(&self, goal: &Constraint) -> Option<Counterexample> {
        search::falsify(self, goal).map(|values| Counterexample { values })
    }

    /// Whether the signs of the terms alone decide.
    fn plainly(&self, diff: &Dim, rel: Rel) -> bool {
        let shift = diff.constant();
        let decided = match rel {
            Rel::Ge => shift >= 0,
            Rel::Gt | Rel::Ne => shift > 0,
            _ => false,
        };
        let natural = |s| self.0.nonneg.binary_search(&s).is_ok();
        decided && diff.is_sum_of(&natural)
    }

    fn engine(&self) -> &Engine {
        let inner = &*self.0;
        inner
            .engine
            .get_or_init(|| Engine::new(inner.nonneg.clone(), &inner.constraints))
    }

    /// A few cases in which all facts hold.
    pub(crate) fn models(&self) -> &[Model] {
        self.0.models.get_or_init(|| search::models(self))
    }

    fn memo(&self) -> std::sync::MutexGuard<'_, FxHashMap<(Dim, Rel), bool>> {
        self.0.memo.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl PartialEq for Facts {
    fn eq(&self, other: &Facts) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
            || (self.0.nonneg == other.0.nonneg && self.0.constraints == other.0.constraints)
    }
}

impl Eq for Facts {}

impl fmt::Debug for Facts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Facts")
            .field("nonneg", &self.0.nonneg)
            .field("constraints", &self.0.constraints)
            .finish()
    }
}
