//! What a checkpoint holds, read from SafeTensors headers, and how it differs from what a program asks for.
//!
//! ```text
//! file, folder or index ──read_headers──▶ Header ─┐
//! bindings.json ──Bindings::read──▶ Bindings ─────┼─compare─▶ every Mismatch
//! the program's manifest (&[Expected]) ───────────┘
//! ```
//!
//! Tensor data is never read, but each header is held against the length of its file. All input is
//! untrusted: whatever is malformed is a [`WeightsError`] that names the file and the tensor.
//! This crate knows nothing of programs: a manifest comes in as plain data.

mod bindings;
mod compare;
mod dtype;
mod error;
mod header;
mod json;
mod locate;
mod suggest;

pub use bindings::Bindings;
pub use compare::{Expected, Kind, MAX_TENSORS, Mismatch, PathPart, compare};
pub use dtype::DType;
pub use error::{Fault, WeightsError};
pub use header::{MAX_HEADER, TensorInfo, parse_header};
pub use locate::{Header, read_headers};
