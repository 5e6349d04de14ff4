//! Lists in brackets, on one line or with one element a line.

use linnet_syntax::{SyntaxKind, SyntaxKind::*};

use super::{Child, Node, Rules, children, kind_of};
use crate::doc::Blank;

impl Rules<'_> {
    /// A list in a group of its own.
    pub(super) fn list(&mut self, kind: SyntaxKind, node: Node<'_>) {
        self.doc.open();
        self.list_parts(kind, node, true);
        self.doc.close();
    }

    /// The elements of a generic argument that is a shape, which take no comma at the end.
    pub(super) fn generic_arg(&mut self, node: Node<'_>) {
        for child in children(node) {
            match child {
                Child::Node(LIST_EXPR, list) => {
                    self.doc.open();
                    self.list_parts(LIST_EXPR, list, false);
                    self.doc.close();
                }
                _ => self.child(child),
            }
        }
    }

    /// A list in the group that is open.
    pub(super) fn list_parts(&mut self, kind: SyntaxKind, node: Node<'_>, may_end: bool) {
        let may_end = may_end && takes_trailing_comma(kind);
        if holds_braces(kind, node) {
            return self.hugged(node);
        }
        let tuple = matches!(kind, TUPLE_EXPR | TUPLE_TYPE | TUPLE_PAT);
        let mut opened = false;
        let mut elements = 0;
        let mut comma = false;
        for child in children(node) {
            match child {
                Child::Token(L_PAREN | L_BRACK | L_CURLY | LT, token) if !opened => {
                    opened = true;
                    self.token(token);
                    self.doc.indent();
                }
                Child::Token(R_PAREN | R_BRACK | R_CURLY | GT, token) => {
                    // The comma of a tuple of one is no choice of style.
                    let one_tuple = tuple && elements == 1;
                    if comma && !one_tuple {
                        self.doc.force_break();
                    } else if !comma && may_end && elements > 0 && !one_tuple {
                        self.doc.comma(true);
                    }
                    let own_lines = self.doc.has_own_lines();
                    if own_lines {
                        self.doc
                            .inner_comments(|doc, blank| doc.soft(blank), elements == 0);
                    }
                    self.doc.dedent();
                    if elements > 0 || own_lines {
                        self.doc.soft(Blank::Never);
                    }
                    self.token(token);
                }
                Child::Token(kind @ (COMMA | SEMICOLON), token) => {
                    // `Tensor[; T]`: a shape of nothing is an element too.
                    elements = elements.max(1);
                    comma = kind == COMMA;
                    self.token(token);
                }
                // What stands before the bracket, such as `Tensor` or `some`.
                _ if !opened => self.child(child),
                _ => {
                    if elements == 0 {
                        self.doc.soft(Blank::Never);
                    } else {
                        self.doc.line(Blank::Keep);
                    }
                    elements += 1;
                    comma = false;
                    match child {
                        // Alone in parentheses, the operands of a chain are aligned.
                        Child::Node(BINARY_EXPR, chain) if kind == PAREN_EXPR => {
                            self.chain(chain, false);
                        }
                        _ => self.child(child),
                    }
                }
            }
        }
        debug_assert!(opened, "{:?} has no bracket", kind_of(node));
    }
}

impl Rules<'_> {
    /// `(match x { .. })`, the braces opening on the line of the bracket.
    fn hugged(&mut self, node: Node<'_>) {
        for child in children(node) {
            if matches!(child.kind(), R_PAREN) && self.doc.has_own_lines() {
                self.doc.inner_comments(|doc, blank| doc.hard(blank), false);
                self.doc.hard(Blank::Never);
            }
            self.child(child);
        }
    }
}

/// Whether brackets hold an `if` or a `match` and nothing else.
fn holds_braces(kind: SyntaxKind, node: Node<'_>) -> bool {
    if !matches!(kind, PAREN_EXPR | SOME_EXPR | ARG_LIST | ARG) {
        return false;
    }
    let mut parts =
        children(node).filter(|child| !matches!(child.kind(), L_PAREN | R_PAREN | SOME_KW));
    match (parts.next(), parts.next()) {
        (Some(Child::Node(IF_EXPR | MATCH_EXPR, _)), None) => true,
        (Some(Child::Node(ARG, arg)), None) => holds_braces(ARG, arg),
        _ => false,
    }
}

fn takes_trailing_comma(kind: SyntaxKind) -> bool {
    matches!(
        kind,
        TUPLE_EXPR
            | LIST_EXPR
            | ARG_LIST
            | GENERIC_ARGS
            | GENERIC_PARAMS
            | PARAM_LIST
            | TUPLE_TYPE
            | TUPLE_PAT
            | USE_LIST
    )
}
