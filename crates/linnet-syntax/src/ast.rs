//! The typed view of the tree: one type per construct, accessors for its parts.
//!
//! Every part may be missing, since every text has a tree; so accessors give `Option`s and
//! iterators. Names are plain `IDENT` tokens. [`Expr`], [`Type`], [`Pattern`], [`Stmt`], [`Item`]
//! and [`Member`] are the enums to match on.

mod exprs;
mod items;
mod operators;
mod patterns;
mod stmts;
mod types;

pub use exprs::*;
pub use items::*;
pub use operators::*;
pub use patterns::*;
pub use stmts::*;
pub use types::*;

use crate::{SyntaxKind, SyntaxKind::*, SyntaxNode, SyntaxToken};

/// A typed node: a [`SyntaxNode`] known to be of certain kinds.
pub trait AstNode: Sized {
    /// Whether nodes of this kind are of this type.
    fn can_cast(kind: SyntaxKind) -> bool;
    /// The typed node, if `node` is of the right kind.
    fn cast(node: SyntaxNode) -> Option<Self>;
    /// The node itself.
    fn syntax(&self) -> &SyntaxNode;
}

/// Declares the type of a node kind.
macro_rules! ast_node {
    ($(#[$doc:meta])* $name:ident = $($kind:ident)|+) => {
        $(#[$doc])*
        #[derive(Clone, PartialEq, Eq, Hash, Debug)]
        pub struct $name {
            syntax: $crate::SyntaxNode,
        }

        impl $crate::ast::AstNode for $name {
            fn can_cast(kind: $crate::SyntaxKind) -> bool {
                matches!(kind, $($crate::SyntaxKind::$kind)|+)
            }

            fn cast(node: $crate::SyntaxNode) -> Option<Self> {
                Self::can_cast(node.kind()).then_some($name { syntax: node })
            }

            fn syntax(&self) -> &$crate::SyntaxNode {
                &self.syntax
            }
        }
    };
}

/// Declares an enum over node types.
macro_rules! ast_enum {
    ($(#[$doc:meta])* $name:ident { $($(#[$variant_doc:meta])* $variant:ident($ty:ident),)* }) => {
        $(#[$doc])*
        #[derive(Clone, PartialEq, Eq, Hash, Debug)]
        pub enum $name {
            $($(#[$variant_doc])* $variant($ty),)*
        }

        impl $crate::ast::AstNode for $name {
            fn can_cast(kind: $crate::SyntaxKind) -> bool {
                $(<$ty as $crate::ast::AstNode>::can_cast(kind))||*
            }

            fn cast(node: $crate::SyntaxNode) -> Option<Self> {
                let kind = node.kind();
                $(
                    if <$ty as $crate::ast::AstNode>::can_cast(kind) {
                        return <$ty as $crate::ast::AstNode>::cast(node).map($name::$variant);
                    }
                )*
                None
            }

            fn syntax(&self) -> &$crate::SyntaxNode {
                match self {
                    $($name::$variant(node) => $crate::ast::AstNode::syntax(node),)*
                }
            }
        }

        $(
            impl From<$ty> for $name {
                fn from(node: $ty) -> $name {
                    $name::$variant(node)
                }
            }
        )*
    };
}

/// Accessors for a single child: `name -> Type`, or a token: `name = KIND`.
macro_rules! accessors {
    ($ty:ident { $($(#[$doc:meta])* $name:ident $sign:tt $what:ident;)* }) => {
        impl $ty {
            $($crate::ast::accessors! { @one [$(#[$doc])*] $name $sign $what })*
        }
    };
    (@one [$(#[$doc:meta])*] $name:ident -> $what:ident) => {
        $(#[$doc])*
        pub fn $name(&self) -> Option<$what> {
            $crate::ast::child(&self.syntax)
        }
    };
    (@one [$(#[$doc:meta])*] $name:ident => $what:ident) => {
        $(#[$doc])*
        pub fn $name(&self) -> impl Iterator<Item = $what> + use<> {
            $crate::ast::children(&self.syntax)
        }
    };
    (@one [$(#[$doc:meta])*] $name:ident = $what:ident) => {
        $(#[$doc])*
        pub fn $name(&self) -> Option<$crate::SyntaxToken> {
            $crate::ast::token(&self.syntax, $crate::SyntaxKind::$what)
        }
    };
}

use {accessors, ast_enum, ast_node};

/// The first child of a type.
fn child<N: AstNode>(node: &SyntaxNode) -> Option<N> {
    node.children().find_map(N::cast)
}

/// All children of a type.
fn children<N: AstNode>(node: &SyntaxNode) -> impl Iterator<Item = N> + use<N> {
    node.children().filter_map(N::cast)
}

/// The first token of a kind among the children.
fn token(node: &SyntaxNode, kind: SyntaxKind) -> Option<SyntaxToken> {
    tokens(node).find(|token| token.kind() == kind)
}

/// The tokens among the children.
fn tokens(node: &SyntaxNode) -> impl Iterator<Item = SyntaxToken> + use<> {
    node.children_with_tokens()
        .filter_map(|element| element.into_token())
}

/// The first child of a type that stands before the first `kind` token, or anywhere without one.
fn child_before<N: AstNode>(node: &SyntaxNode, kind: SyntaxKind) -> Option<N> {
    node.children_with_tokens()
        .take_while(|element| element.kind() != kind)
        .find_map(|element| element.into_node().and_then(N::cast))
}

/// The first child of a type that stands after the first `kind` token.
fn child_after<N: AstNode>(node: &SyntaxNode, kind: SyntaxKind) -> Option<N> {
    node.children_with_tokens()
        .skip_while(|element| element.kind() != kind)
        .find_map(|element| element.into_node().and_then(N::cast))
}

/// The text of the doc comments of an item, member, field or variant: their markers and one blank
/// after each removed, lines joined by `\n`.
pub fn doc_comments(node: &SyntaxNode) -> Option<String> {
    let mut lines: Vec<String> = Vec::new();
    let comments = node
        .children_with_tokens()
        .take_while(|element| element.kind().is_trivia())
        .filter_map(|element| element.into_token())
        .filter(|token| token.kind().is_doc_comment());
    for comment in comments {
        let text = comment.text();
        if comment.kind() == DOC_LINE_COMMENT {
            let line = text.strip_prefix("///").unwrap_or(text);
            lines.push(line.strip_prefix(' ').unwrap_or(line).trim_end().to_owned());
        } else {
            lines.extend(block_doc_lines(text));
        }
    }
    (!lines.is_empty()).then(|| lines.join("\n"))
}

/// The lines of `/** ... */` without its frame of stars.
fn block_doc_lines(text: &str) -> Vec<String> {
    let inner = text.strip_prefix("/**").unwrap_or(text);
    let inner = inner.strip_suffix("*/").unwrap_or(inner);
    let mut lines: Vec<String> = inner
        .lines()
        .enumerate()
        .map(|(number, line)| {
            let line = if number == 0 { line } else { line.trim_start() };
            let line = if number == 0 {
                line
            } else {
                line.strip_prefix('*').unwrap_or(line)
            };
            line.strip_prefix(' ').unwrap_or(line).trim_end().to_owned()
        })
        .collect();
    if lines.first().is_some_and(|line| line.trim().is_empty()) {
        lines.remove(0);
    }
    if lines.last().is_some_and(|line| line.is_empty()) {
        lines.pop();
    }
    lines
}

ast_node! {
    /// A whole file.
    SourceFile = SOURCE_FILE
}

accessors! { SourceFile {
    /// The `module` line.
    module_decl -> ModuleDecl;
    /// The imports.
    uses => UseDecl;
    /// The items.
    items => Item;
} }

impl SourceFile {
    /// The file of a tree built by [`crate::parse`], whose root is always one.
    pub(crate) fn of_root(root: SyntaxNode) -> SourceFile {
        SourceFile { syntax: root }
    }
}
