//! Braces that hold lines of code, and where one ends that was never closed.
//!
//! A text whose braces pair up is read by its braces alone. Where they do not, the indentation
//! says which of them is at fault.

use super::junk_before_brace;
use crate::{SyntaxKind::*, parser::Parser};

pub(super) struct Braces {
    /// The indentation of the line that owns the braces.
    outer: Option<u32>,
    /// The indentation of the first thing inside.
    inner: Option<u32>,
    /// Ended by the indentation; a `}` that stands here belongs to something further out.
    closed_early: bool,
}

impl Braces {
    /// The braces that must begin here and are `expected`. Without a `{` there are none, unless a
    /// `}` is left over in the text and what they would hold `begins` here.
    pub(super) fn expect(
        p: &mut Parser<'_>,
        owner: usize,
        expected: &str,
        begins: impl Fn(&Parser<'_>) -> bool,
    ) -> Option<Braces> {
        if !p.at(L_CURLY) {
            p.expected(expected);
            junk_before_brace(p);
        }
        if p.at(L_CURLY) {
            Some(Braces::open(p, owner))
        } else if p.unclosed_braces < 0 && begins(p) {
            Some(Braces::without_opening(p))
        } else {
            None
        }
    }

    /// Takes the `{`. The line that owns it begins with the token at `owner`.
    fn open(p: &mut Parser<'_>, owner: usize) -> Braces {
        let outer = if p.unclosed_braces != 0 {
            p.indent_at(owner)
        } else {
            None
        };
        p.bump();
        Braces {
            outer,
            inner: None,
            closed_early: false,
        }
    }

    /// Braces whose `{` is missing (and has been reported), in a text with too many `}`.
    pub(super) fn without_opening(p: &mut Parser<'_>) -> Braces {
        p.unclosed_braces += 1;
        Braces {
            outer: None,
            inner: None,
            closed_early: false,
        }
    }

    /// Reads what the braces hold, `line` by line, up to their end or what `stops` them before it.
    pub(super) fn lines(
        mut self,
        p: &mut Parser<'_>,
        stops: impl Fn(&Parser<'_>) -> bool,
        mut line: impl FnMut(&mut Parser<'_>),
        end: &str,
    ) {
        p.units(|p| {
            while !self.at_end(p) && !stops(p) {
                p.progress(&mut line);
            }
            self.close(p, end);
        });
    }

    /// Whether what stands here is outside the braces.
    fn at_end(&mut self, p: &mut Parser<'_>) -> bool {
        if p.at(EOF) {
            return true;
        }
        if p.unclosed_braces == 0 {
            return p.at(R_CURLY);
        }
        if p.unclosed_braces < 0 {
            while p.at(R_CURLY) && self.is_too_deep(p) {
                p.unclosed_braces += 1;
                p.stray_brace("a statement, a member or an item");
            }
            return p.at(R_CURLY) || p.at(EOF);
        }
        let indent = p.indent_at(p.pos());
        if p.at(R_CURLY) {
            // This one closes something further out.
            self.closed_early = is_less(indent, self.outer);
            return true;
        }
        if self.inner.is_none() {
            self.inner = indent;
        } else if is_less(self.outer, self.inner)
            && !is_less(self.outer, indent)
            && indent.is_some()
        {
            self.closed_early = true;
            return true;
        }
        false
    }

    /// Whether the `}` here is indented like the inside, in a text with too many of them.
    fn is_too_deep(&self, p: &Parser<'_>) -> bool {
        p.unclosed_braces < 0 && is_less(self.outer, p.indent_at(p.pos()))
    }

    /// Takes the `}`, or reports that it is missing.
    fn close(self, p: &mut Parser<'_>, end: &str) {
        if !self.closed_early && p.eat(R_CURLY) {
            return;
        }
        if p.unclosed_braces > 0 {
            p.unclosed_braces -= 1;
        }
        super::lists::missing_close(p, end);
    }
}

fn is_less(a: Option<u32>, b: Option<u32>) -> bool {
    matches!((a, b), (Some(a), Some(b)) if a < b)
}
