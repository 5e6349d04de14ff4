//! The formatter: one style, on the lossless tree.
//!
//! [`format`] takes a text to its formatted form. Data passes through in one direction:
//!
//! 1. `gaps.rs` lists the tokens and says which comments go with which of them;
//! 2. `rules.rs` walks the tree and writes a document: tokens, groups, places where a line may
//!    break (`doc.rs`), the comments put in beside their tokens;
//! 3. `print.rs` prints the document, breaking the groups that do not fit into 100 columns;
//! 4. `verify.rs` compares tokens and comments before and after. A text that does not pass is not
//!    handed out. The same walk gives [`format_edits`] what an editor has to change.
//!
//! All of it is linear in the length of the text. A text with syntax errors is never touched.
//!
//! The style: 4 spaces, 100 columns, one statement a line. What fits stands on one line; a list
//! that does not, or that ends with a comma, has one element a line and a comma at its end; a chain
//! of operators breaks before each of them; a `where` clause goes below its signature. One blank
//! line is kept and parts items. A comment stays on its line, or on the line of its token.

mod doc;
mod edits;
mod gaps;
mod print;
mod rules;
mod verify;

use std::fmt;

pub use edits::format_edits;

use linnet_syntax::{Parse, SyntaxError, lex, parse};
use verify::Between;

/// Why a text was not formatted.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum FormatError {
    /// It has these syntax errors.
    Syntax(Vec<SyntaxError>),
    /// The formatter would have lost or changed what stands at this byte offset. This is a fault
    /// of the formatter; the text is to be left as it is.
    Unfaithful(usize),
}

impl fmt::Display for FormatError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            FormatError::Syntax(errors) => match errors.as_slice() {
                [error] => write!(f, "a syntax error: {}", error.message),
                _ => write!(f, "{} syntax errors", errors.len()),
            },
            FormatError::Unfaithful(offset) => {
                write!(
                    f,
                    "the formatter failed at byte {offset} and left the text as it is"
                )
            }
        }
    }
}

impl std::error::Error for FormatError {}

/// The formatted form of `text`.
///
/// # Errors
///
/// If the text has syntax errors, or if the result would not hold the same tokens and comments.
pub fn format(text: &str) -> Result<String, FormatError> {
    format_parsed(text, &parse(text))
}

/// [`format`], for a text that has been parsed already.
///
/// # Errors
///
/// As [`format`].
pub fn format_parsed(text: &str, parse: &Parse) -> Result<String, FormatError> {
    formatted(text, parse, |_| {})
}

/// Formats, and hands out what stands between the tokens before and after.
fn formatted(
    text: &str,
    parse: &Parse,
    between: impl FnMut(Between),
) -> Result<String, FormatError> {
    if !parse.errors.is_empty() {
        return Err(FormatError::Syntax(parse.errors.clone()));
    }
    let tokens = lex(text);
    let gaps = gaps::Gaps::new(text, &tokens);
    let elems = rules::file(text, &gaps, &parse.green).finish();
    let mut new = print::print(text, &elems, &gaps.comments, dominant_newline(text));
    if text.starts_with('\u{feff}') {
        new.insert(0, '\u{feff}');
    }
    match verify::compare(text, &tokens, &new, between) {
        Ok(()) => Ok(new),
        Err(offset) => Err(FormatError::Unfaithful(offset)),
    }
}

/// How most lines of `text` end.
fn dominant_newline(text: &str) -> &'static str {
    let bytes = text.as_bytes();
    let all = bytes.iter().filter(|byte| **byte == b'\n').count();
    let with_return = bytes.windows(2).filter(|pair| pair == b"\r\n").count();
    if with_return * 2 > all { "\r\n" } else { "\n" }
}
