//! The style: one rule for each kind of node, which writes the document.
//!
//! Rules walk the green tree and see no trivia; the builder puts comments beside the tokens.

mod expressions;
mod items;
mod lists;
mod statements;

use linnet_syntax::{LinnetLanguage, SyntaxKind, SyntaxKind::*};
use rowan::{GreenNodeData, GreenTokenData, Language, NodeOrToken};

use crate::{
    doc::{Builder, Rhs},
    gaps::Gaps,
};

/// A node of the green tree.
type Node<'n> = &'n GreenNodeData;

/// A child that is not trivia.
#[derive(Clone, Copy)]
enum Child<'n> {
    Node(SyntaxKind, Node<'n>),
    Token(SyntaxKind, &'n GreenTokenData),
}

impl Child<'_> {
    fn kind(&self) -> SyntaxKind {
        match self {
            Child::Node(kind, _) | Child::Token(kind, _) => *kind,
        }
    }
}

fn kind_of(node: Node<'_>) -> SyntaxKind {
    LinnetLanguage::kind_from_raw(node.kind())
}

fn children(node: Node<'_>) -> impl Iterator<Item = Child<'_>> {
    node.children().filter_map(|child| match child {
        NodeOrToken::Node(node) => Some(Child::Node(kind_of(node), node)),
        NodeOrToken::Token(token) => {
            let kind = LinnetLanguage::kind_from_raw(token.kind());
            if kind.is_trivia() {
                None
            } else {
                Some(Child::Token(kind, token))
            }
        }
    })
}

/// Writes the document of a file without syntax errors.
pub(crate) fn file<'t>(text: &'t str, gaps: &'t Gaps, root: Node<'_>) -> Builder<'t> {
    let mut rules = Rules {
        doc: Builder::new(text, gaps),
    };
    rules.source_file(root);
    rules.doc
}

struct Rules<'t> {
    doc: Builder<'t>,
}

impl Rules<'_> {
    fn token(&mut self, token: &GreenTokenData) {
        self.doc.token(token.text_len().into());
    }

    fn child(&mut self, child: Child<'_>) {
        match child {
            Child::Node(kind, node) => self.node(kind, node),
            Child::Token(_, token) => self.token(token),
        }
    }

    /// Any node that can be an operand, a type, a pattern or a part of one.
    fn node(&mut self, kind: SyntaxKind, node: Node<'_>) {
        match kind {
            BINARY_EXPR => self.chain(node, true),
            CALL_EXPR | INDEX_EXPR | FIELD_EXPR | UNARY_EXPR | PATH_TYPE | OPTIONAL_TYPE
            | NAME_EXPR | LITERAL | NONE_EXPR | SPREAD | INDEX_NAME | REST_INDEX | PATH
            | IDENT_PAT | WILDCARD_PAT | NONE_PAT => self.tight(node),
            PAREN_EXPR | TUPLE_EXPR | LIST_EXPR | SOME_EXPR | ARG_LIST | INDEX_LIST
            | GENERIC_ARGS | GENERIC_PARAMS | PARAM_LIST | TENSOR_TYPE | TUPLE_TYPE
            | ARRAY_TYPE | INDEX_NAME_LIST | TUPLE_PAT | SOME_PAT | USE_LIST => {
                self.list(kind, node)
            }
            ARG | PARAM | GENERIC_PARAM | FIELD | LET_STMT | INDEX_LET_STMT | VAR_STMT
            | ASSIGN_STMT | CONST | TYPE_ALIAS | PARAM_MEMBER | BUFFER_MEMBER | STATE_MEMBER
            | SUB_MEMBER => self.declaration(node),
            GENERIC_ARG => self.generic_arg(node),
            SLICE => self.slice(node),
            IF_EXPR => self.if_expr(node),
            MATCH_EXPR => self.match_expr(node),
            REDUCE_EXPR => self.reduction(node),
            RETURN_STMT | YIELD_STMT | MODULE_DECL | USE_DECL | USE_NAME => self.spaced(node),
            SCAN_EXPR | FOR_STMT | STATIC_FOR_STMT | WHILE_STMT => self.loop_(node),
            MATCH_ARM => self.match_arm(node),
            BODY | MEMBER_LIST | FIELD_LIST | VARIANT_LIST | MATCH_ARM_LIST => self.braces(node),
            FN | OP | ENTRY | BLOCK | STRUCT | ENUM => self.item(node),
            _ => self.spaced(node),
        }
    }

    /// Parts with nothing between them.
    fn tight(&mut self, node: Node<'_>) {
        for child in children(node) {
            self.child(child);
        }
    }

    /// Parts with a space between two, but none around `::`.
    fn spaced(&mut self, node: Node<'_>) {
        let mut first = true;
        for child in children(node) {
            let joined = child.kind() == COLON2;
            if !first && !joined {
                self.doc.space();
            }
            self.child(child);
            first = joined;
        }
    }

    /// The right side of a `=` or `=>`.
    fn rhs(&mut self, value: Child<'_>) {
        let style = match value.kind() {
            SCAN_EXPR | MATCH_EXPR | IF_EXPR => Rhs::Hug,
            _ => Rhs::NextLine,
        };
        self.doc.open_rhs(style);
        self.child(value);
        self.doc.close();
    }
}
