//! Bodies and statements, and everything else in braces that has one thing a line.

use linnet_syntax::{SyntaxKind, SyntaxKind::*};

use super::{Child, Node, Rules, children};
use crate::doc::Blank;

impl Rules<'_> {
    /// `{ .. }` with each part on a line of its own.
    pub(super) fn braces(&mut self, node: Node<'_>) {
        let mut last: Option<SyntaxKind> = None;
        let mut comma = true;
        for child in children(node) {
            match child {
                Child::Token(L_CURLY, token) => {
                    self.token(token);
                    self.doc.indent();
                }
                Child::Token(COMMA, token) => {
                    comma = true;
                    self.token(token);
                }
                Child::Token(R_CURLY, token) => {
                    if !comma {
                        self.doc.comma(false);
                    }
                    let own_lines = self.doc.has_own_lines();
                    if own_lines {
                        self.doc
                            .inner_comments(|doc, blank| doc.hard(blank), last.is_none());
                    }
                    self.doc.dedent();
                    if last.is_some() || own_lines {
                        self.doc.hard(Blank::Never);
                    } else if self.doc.has_comments() {
                        self.doc.space();
                    }
                    self.token(token);
                }
                _ => {
                    let kind = child.kind();
                    if !comma {
                        self.doc.comma(false);
                    }
                    self.doc
                        .hard(last.map_or(Blank::Never, |last| blank_between(last, kind)));
                    self.child(child);
                    last = Some(kind);
                    comma = kind != VARIANT;
                }
            }
        }
    }

    /// Names, types and values: `let x: T = e`, `axis = 1`, `param w: T`, `N: Dim = 4`.
    pub(super) fn declaration(&mut self, node: Node<'_>) {
        let mut value = false;
        let mut comma = kind_has_no_comma(node);
        for child in children(node) {
            match child {
                Child::Token(EQ, token) => {
                    self.doc.space();
                    self.token(token);
                    value = true;
                }
                Child::Token(COLON, token) => {
                    self.token(token);
                    self.doc.space();
                }
                Child::Token(COMMA, token) => {
                    comma = true;
                    self.token(token);
                }
                Child::Token(kind, token) => {
                    self.token(token);
                    if kind.is_keyword() {
                        self.doc.space();
                    }
                }
                Child::Node(..) if value => self.rhs(child),
                Child::Node(kind, node) => self.node(kind, node),
            }
        }
        if !comma {
            self.doc.comma(false);
        }
    }

    /// `for i in a..b { .. }`, `static for`, `while c { .. }`
    pub(super) fn loop_(&mut self, node: Node<'_>) {
        for child in children(node) {
            match child {
                Child::Token(IN_KW, token) => {
                    self.doc.space();
                    self.token(token);
                    self.doc.space();
                }
                Child::Token(kind, token) => {
                    self.token(token);
                    if kind.is_keyword() {
                        self.doc.space();
                    }
                }
                Child::Node(BODY, body) => {
                    self.doc.aligned_space();
                    self.braces(body);
                }
                Child::Node(kind, node) => self.node(kind, node),
            }
        }
    }
}

/// Only the fields of a struct end with a comma of their own.
fn kind_has_no_comma(node: Node<'_>) -> bool {
    super::kind_of(node) != FIELD
}

/// Whether a blank line parts two things in braces or in a file.
pub(super) fn blank_between(before: SyntaxKind, after: SyntaxKind) -> Blank {
    let has_braces = |kind| matches!(kind, FN | OP | ENTRY | BLOCK | STRUCT | ENUM);
    if has_braces(before)
        || has_braces(after)
        || before == MODULE_DECL
        || (before == USE_DECL) != (after == USE_DECL)
    {
        Blank::Always
    } else {
        Blank::Keep
    }
}
