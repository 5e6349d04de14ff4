//! Files and items.

use linnet_syntax::SyntaxKind::*;

use super::{Child, Node, Rules, children, statements::blank_between};
use crate::doc::Blank;

impl Rules<'_> {
    pub(super) fn source_file(&mut self, root: Node<'_>) {
        let mut last = None;
        for child in children(root) {
            let kind = child.kind();
            if let Some(last) = last {
                self.doc.hard(blank_between(last, kind));
            }
            self.child(child);
            last = Some(kind);
        }
    }

    /// What has a head and braces: functions, blocks, structs and enums.
    pub(super) fn item(&mut self, node: Node<'_>) {
        let mut parts = children(node).peekable();
        let mut constrained = false;
        while let Some(part) = parts.next() {
            match part {
                Child::Token(kind, token) => {
                    self.token(token);
                    if kind != IDENT {
                        self.doc.space();
                    }
                }
                // The result is in the group of the parameters: they break before it does.
                Child::Node(PARAM_LIST, params) => {
                    self.doc.open();
                    self.list_parts(PARAM_LIST, params, true);
                    if let Some(Child::Node(RESULT_TYPE, result)) =
                        parts.next_if(|next| next.kind() == RESULT_TYPE)
                    {
                        self.doc.space();
                        self.spaced(result);
                    }
                    self.doc.close();
                }
                Child::Node(WHERE_CLAUSE, clause) => {
                    self.where_clause(clause);
                    constrained = true;
                }
                Child::Node(BODY | MEMBER_LIST | FIELD_LIST | VARIANT_LIST, braces) => {
                    if constrained {
                        self.doc.brace_space();
                        constrained = false;
                    } else {
                        self.doc.aligned_space();
                    }
                    self.braces(braces);
                }
                Child::Node(GRAD_CLAUSE, clause) => {
                    self.doc.aligned_space();
                    self.grad_clause(clause);
                }
                Child::Node(kind, node) => self.node(kind, node),
            }
        }
    }

    /// `where a == b, c > 0`
    fn where_clause(&mut self, node: Node<'_>) {
        self.doc.open_where();
        let mut first = true;
        let mut comma = false;
        for child in children(node) {
            match child {
                Child::Token(COMMA, token) => {
                    comma = true;
                    self.token(token);
                }
                Child::Token(_, token) => {
                    self.token(token);
                    self.doc.indent();
                }
                Child::Node(_, constraint) => {
                    self.doc
                        .line(if first { Blank::Never } else { Blank::Keep });
                    self.chain(constraint, true);
                    first = false;
                    comma = false;
                }
            }
        }
        if comma {
            self.doc.force_break();
        } else {
            // A comment before the brace stays outside of the clause, whose layout it leaves alone.
            self.doc.comma_if_broken();
        }
        self.doc.dedent();
        self.doc.close();
    }

    /// `grad(y, dy) { .. }`
    fn grad_clause(&mut self, node: Node<'_>) {
        for child in children(node) {
            match child {
                Child::Token(COMMA, token) => {
                    self.token(token);
                    self.doc.space();
                }
                Child::Node(BODY, body) => {
                    self.doc.aligned_space();
                    self.braces(body);
                }
                _ => self.child(child),
            }
        }
    }
}
