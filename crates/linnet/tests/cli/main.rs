//! The program from outside: it is run on files in a temporary folder, and judged by its exit status and
//! what it prints.

mod check;
mod explain;
mod fmt;
mod formats;
mod init;
mod inspect;
mod robust;
mod setup;
mod shell;
mod watch;
mod weights;
