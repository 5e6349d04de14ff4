//! Diagnostics as data: made where a fault is found, rendered elsewhere.

use linnet_syntax::TextRange;

use crate::db::SourceFile;
use crate::tree::NodeLoc;

/// How grave a diagnostic is.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Severity {
    Error,
    Warning,
}

/// A stable code of the table of diagnostics, such as `E2203`.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Code(pub &'static str);

impl Code {
    /// Warnings begin with `W`, all else is an error.
    pub fn severity(self) -> Severity {
        if self.0.starts_with('W') {
            Severity::Warning
        } else {
            Severity::Error
        }
    }
}

impl std::fmt::Display for Code {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.0)
    }
}

/// A place in a file, in bytes.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub struct Span {
    pub file: SourceFile,
    pub range: TextRange,
}

/// A fix as text edits, all in one file.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Fix<S = Span> {
    pub title: String,
    /// Each place and what stands there instead; an empty range inserts.
    pub edits: Vec<(S, String)>,
}

/// One fault, with all a reader needs to act on it.
///
/// `S` is where it points: a [`Span`] for readers, a [`NodeLoc`] inside queries, which must not know byte offsets.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Diagnostic<S = Span> {
    pub code: Code,
    /// The smallest thing that is wrong.
    pub span: S,
    /// One sentence without a final stop.
    pub message: String,
    /// What to write under the primary span.
    pub label: String,
    /// Other places that explain it.
    pub related: Vec<(S, String)>,
    pub notes: Vec<String>,
    pub help: Vec<String>,
    pub fixes: Vec<Fix<S>>,
}

/// A diagnostic as queries make it, free of byte offsets.
pub type Diag = Diagnostic<NodeLoc>;

impl<S> Diagnostic<S> {
    pub fn new(code: &'static str, span: S, message: impl Into<String>) -> Self {
        Diagnostic {
            code: Code(code),
            span,
            message: message.into(),
            label: String::new(),
            related: Vec::new(),
            notes: Vec::new(),
            help: Vec::new(),
            fixes: Vec::new(),
        }
    }

    pub fn label(mut self, label: impl Into<String>) -> Self {
        self.label = label.into();
        self
    }

    pub fn related(mut self, span: S, label: impl Into<String>) -> Self {
        self.related.push((span, label.into()));
        self
    }

    pub fn note(mut self, note: impl Into<String>) -> Self {
        self.notes.push(note.into());
        self
    }

    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.help.push(help.into());
        self
    }

    pub fn fix(mut self, title: impl Into<String>, edits: Vec<(S, String)>) -> Self {
        self.fixes.push(Fix {
            title: title.into(),
            edits,
        });
        self
    }

    /// Proposes what was likely meant at a place, as help and as a fix.
    pub fn did_you_mean(self, at: S, meant: impl Into<String>) -> Self {
        let meant = meant.into();
        self.help(format!("did you mean `{meant}`?"))
            .fix(format!("change it to `{meant}`"), vec![(at, meant)])
    }

    pub fn severity(&self) -> Severity {
        self.code.severity()
    }

    /// The same diagnostic with its places translated.
    pub fn map<T>(self, mut f: impl FnMut(S) -> T) -> Diagnostic<T> {
        Diagnostic {
            code: self.code,
            span: f(self.span),
            message: self.message,
            label: self.label,
            related: self.related.into_iter().map(|(s, l)| (f(s), l)).collect(),
            notes: self.notes,
            help: self.help,
            fixes: self
                .fixes
                .into_iter()
                .map(|fix| Fix {
                    title: fix.title,
                    edits: fix.edits.into_iter().map(|(s, t)| (f(s), t)).collect(),
                })
                .collect(),
        }
    }
}
