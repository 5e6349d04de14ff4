//! Faults of the text, as data.

use rowan::{TextRange, TextSize};

/// A fault found by the lexer or the parser. It is data: whoever shows it renders it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SyntaxError {
    /// The stable code, such as `E1101`.
    pub code: &'static str,
    /// The smallest text that is wrong; empty where something is missing.
    pub range: TextRange,
    /// Where what was expected would stand: it may end a line above `range`.
    pub anchor: TextSize,
    /// One sentence without a full stop.
    pub message: String,
    /// What to write beside the marked text.
    pub label: String,
    /// How to put it right, where that is not obvious.
    pub help: Option<String>,
    /// The correction as a text edit, where it is mechanical.
    pub fix: Option<Fix>,
}

/// A correction that an editor can offer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Fix {
    /// What the correction does, in the imperative.
    pub title: String,
    /// The edits, each a range of the old text and what replaces it.
    pub edits: Vec<(TextRange, String)>,
}

impl Fix {
    pub(crate) fn new(title: impl Into<String>, range: TextRange, text: impl Into<String>) -> Fix {
        Fix {
            title: title.into(),
            edits: vec![(range, text.into())],
        }
    }
}

impl SyntaxError {
    pub(crate) fn new(
        code: &'static str,
        range: TextRange,
        message: impl Into<String>,
        label: impl Into<String>,
    ) -> SyntaxError {
        SyntaxError {
            code,
            range,
            anchor: range.start(),
            message: message.into(),
            label: label.into(),
            help: None,
            fix: None,
        }
    }

    pub(crate) fn with_help(mut self, help: impl Into<String>) -> SyntaxError {
        self.help = Some(help.into());
        self
    }

    pub(crate) fn with_fix(mut self, fix: Fix) -> SyntaxError {
        self.fix = Some(fix);
        self
    }
}
