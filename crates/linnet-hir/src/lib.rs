//! The meaning of Linnet source: an incremental salsa database from text to diagnostics.
//!
//! How data passes through (each arrow is one memoized query or more):
//!
//! ```text
//! SourceFile ──lower──▶ ItemTree (no positions) ──▶ module scope ──▶ signatures ──▶ inferred bodies
//!     │                    └─▶ Body per item (no positions) ────────────────────────────┘    │
//!     └─▶ LocTable (positions) ◀──────── looked up only when a diagnostic is shown ◀─────────┘
//! ```
//!
//! Item trees, signatures and bodies carry no byte offsets: whatever has a place in the text has a
//! [`Loc`](tree::Loc), an index into the owner's table, so that a moved item is an unchanged item.

mod batch;
pub mod bindings;
pub mod body;
pub mod check;
pub mod codes;
mod ctx;
mod cycles;
pub mod db;
pub mod diag;
mod duplicates;
pub mod fixture;
mod hints;
pub mod infer;
pub mod line_index;
pub mod lower;
mod lower_ty;
pub mod manifest;
pub mod package;
pub mod parameters;
pub mod prelude;
mod read;
mod recursion;
pub mod scope;
pub mod sig;
mod suggest;
pub mod tree;
pub mod ty;
