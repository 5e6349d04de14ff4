//! Dimension arithmetic: terms, facts, and the prover.

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
