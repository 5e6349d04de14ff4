//! One module for each command.

pub mod check;
pub mod completions;
pub mod explain;
pub mod fmt;
pub mod init;
pub mod inspect;
pub mod man;
pub mod parameters;
