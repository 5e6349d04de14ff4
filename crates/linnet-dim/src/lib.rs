//! Dimension arithmetic for Linnet: terms, facts, and the prover. There is no tensor and no syntax
//! in here.
//!
//! - A [`Dim`] is a term over integers and symbols (`+ - * / %`, `min`, `max`) in canonical form: a
//!   polynomial over atoms such as `H / N`. Building one never fails and never needs a fact.
//! - A [`Constraint`] relates two terms, as a `where` clause does.
//! - [`Facts`] are symbols known to be `>= 0` and constraints that hold together. They answer
//!   whether a goal [holds](Facts::holds), [prove](Facts::prove) it with an explanation or a
//!   counterexample, say which constraint is [missing](Facts::missing), find
//!   [contradictions](Facts::contradiction), and [solve](Facts::solve) for a symbol.
//!
//! `/` and `%` round down. Where a divisor is not provably positive, they are functions of which
//! nothing is known but that equal operands give equal results.
//!
//! # How an answer comes about
//!
//! Equal terms are equal by `==`; most questions end there. Otherwise a few known cases in which
//! the facts hold (`search`) may show that the goal does not follow. What is left goes to the
//! `engine`, which reads the facts once, on the first question that needs them:
//!
//! 1. equalities become rewrite rules, `a % b == 0` makes `a` into `b * q`;
//! 2. a division by what is provably positive is an unknown `q` with `0 <= a - b * q < b`;
//! 3. the order that is left is settled by Fourier-Motzkin elimination over monomials, then with
//!    products of two facts, then by cases (`min`, `!=`, zero or more).
//!
//! Every question starts from the same state and has the same number of steps, so an answer
//! depends on nothing but the facts and the goal. Arithmetic is checked; what overflows is not
//! proven. `explain` then finds out which facts were needed, or what is missing.
//!
//! ```
//! use linnet_dim::{Constraint, Dim, Facts, Rel, Sym};
//!
//! let (h, n) = (Dim::sym(Sym(0)), Dim::sym(Sym(1)));
//! let facts = Facts::new(
//!     [Sym(0), Sym(1)],
//!     [
//!         Constraint::new(h.rem(&n), Rel::Eq, Dim::int(0)),
//!         Constraint::new(n.clone(), Rel::Gt, Dim::int(0)),
//!     ],
//! );
//! assert!(facts.equal(&n.mul(&h.div(&n)), &h));
//! assert!(!facts.equal(&h.mul(&n.div(&h)), &n));
//! ```

mod constraint;
mod dim;
mod engine;
mod explain;
mod facts;
mod search;
mod solve;

pub use constraint::{Constraint, Rel};
pub use dim::{Dim, EvalError, Sym};
pub use facts::{Counterexample, Facts, Missing, Proof, Verdict};
