//! Expressions.

use linnet_syntax::{SyntaxKind, SyntaxKind::*};

use super::{Child, Node, Rules, children};
use crate::doc::Blank;

/// Operators that share a chain: `a + b - c`, but not `a == b == c` with `a < b`.
fn precedence(kind: SyntaxKind) -> u8 {
    match kind {
        PIPE2 => 1,
        AMP2 => 2,
        EQ2 | NEQ => 3,
        LT | LTEQ | GT | GTEQ => 4,
        PIPE => 5,
        CARET => 6,
        AMP => 7,
        PLUS | MINUS => 8,
        STAR | SLASH | PERCENT => 9,
        _ => 0,
    }
}

/// How tightly the operator of a node `a op b` binds.
fn operator(node: Node<'_>) -> u8 {
    children(node)
        .find_map(|child| match child {
            Child::Token(kind, _) => Some(precedence(kind)),
            Child::Node(..) => None,
        })
        .unwrap_or(0)
}

impl Rules<'_> {
    /// `a + b - c`, broken before each operator where it does not fit.
    pub(super) fn chain(&mut self, node: Node<'_>, indent: bool) {
        let tightness = operator(node);
        // The links from the outermost to the innermost, whose left side is no part of the chain.
        let mut links = vec![node];
        let mut innermost = node;
        while let Some(Child::Node(BINARY_EXPR, left)) = children(innermost).next()
            && operator(left) == tightness
        {
            links.push(left);
            innermost = left;
        }
        self.doc.open();
        if let Some(first) = children(innermost).next() {
            self.child(first);
        }
        if indent {
            self.doc.indent();
        }
        self.doc.open_tail();
        for link in links.into_iter().rev() {
            for child in children(link).skip(1) {
                match child {
                    Child::Token(_, token) => {
                        self.doc.operand_line();
                        self.token(token);
                        self.doc.space();
                    }
                    Child::Node(kind, operand) => self.node(kind, operand),
                }
            }
        }
        self.doc.close();
        if indent {
            self.doc.dedent();
        }
        self.doc.close();
    }

    /// `sum<f32>[i, j] body`, the body on the next line where it does not fit.
    pub(super) fn reduction(&mut self, node: Node<'_>) {
        self.doc.open();
        let mut named = false;
        for child in children(node) {
            if !named {
                self.child(child);
                named = child.kind() == INDEX_NAME_LIST;
                continue;
            }
            self.doc.indent();
            self.doc.operand_line();
            match child {
                Child::Node(BINARY_EXPR, chain) => self.chain(chain, false),
                _ => self.child(child),
            }
            self.doc.dedent();
        }
        self.doc.close();
    }

    /// `a:b:c`. Bounds with operators have the colon between them spaced, as a lowest operator.
    pub(super) fn slice(&mut self, node: Node<'_>) {
        let spaced = children(node).any(|child| child.kind() == BINARY_EXPR);
        let mut bound_before = false;
        let mut parts = children(node).peekable();
        while let Some(part) = parts.next() {
            if part.kind() != COLON {
                self.child(part);
                bound_before = true;
                continue;
            }
            let between = bound_before && parts.peek().is_some_and(|next| next.kind() != COLON);
            if between && spaced {
                self.doc.space();
            }
            self.child(part);
            if between && spaced {
                self.doc.space();
            }
            bound_before = false;
        }
    }

    /// `if c { a } else { b }` on one line if it fits; with `else if`, never.
    pub(super) fn if_expr(&mut self, node: Node<'_>) {
        self.doc.open();
        self.if_parts(node);
        self.doc.close();
    }

    fn if_parts(&mut self, node: Node<'_>) {
        let mut after_else = false;
        for child in children(node) {
            match child {
                Child::Token(IF_KW, token) => {
                    self.token(token);
                    self.doc.space();
                }
                Child::Token(ELSE_KW, token) => {
                    self.doc.aligned_space();
                    self.token(token);
                    self.doc.space();
                    after_else = true;
                }
                Child::Node(IF_EXPR, next) if after_else => {
                    self.doc.force_break();
                    self.if_parts(next);
                }
                Child::Node(BRANCH, branch) => {
                    self.doc.aligned_space();
                    self.branch(branch);
                }
                _ => self.child(child),
            }
        }
    }

    fn branch(&mut self, node: Node<'_>) {
        for child in children(node) {
            match child {
                Child::Token(L_CURLY, token) => {
                    self.token(token);
                    self.doc.indent();
                    self.doc.line(Blank::Never);
                }
                Child::Token(R_CURLY, token) => {
                    if self.doc.has_own_lines() {
                        self.doc.inner_comments(|doc, blank| doc.line(blank), false);
                    }
                    self.doc.dedent();
                    self.doc.line(Blank::Never);
                    self.token(token);
                }
                _ => self.child(child),
            }
        }
    }

    /// `match e { .. }`, one arm a line.
    pub(super) fn match_expr(&mut self, node: Node<'_>) {
        for child in children(node) {
            match child {
                Child::Token(_, token) => {
                    self.token(token);
                    self.doc.space();
                }
                Child::Node(MATCH_ARM_LIST, arms) => {
                    self.doc.aligned_space();
                    self.braces(arms);
                }
                _ => self.child(child),
            }
        }
    }

    /// `some(x) => e,`
    pub(super) fn match_arm(&mut self, node: Node<'_>) {
        let mut comma = false;
        let mut value = false;
        for child in children(node) {
            match child {
                Child::Token(FAT_ARROW, token) => {
                    self.doc.space();
                    self.token(token);
                    value = true;
                }
                Child::Token(COMMA, token) => {
                    comma = true;
                    self.token(token);
                }
                Child::Node(..) if value => self.rhs(child),
                _ => self.child(child),
            }
        }
        if !comma {
            self.doc.comma(false);
        }
    }
}
