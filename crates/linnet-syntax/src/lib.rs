//! The lossless syntax of Linnet: lexer, error-recovering parser, tree and typed view.
//!
//! [`parse`] takes any text to a [`Parse`]: a tree that prints back to the same bytes, and the
//! faults found, each once. Data passes through in one direction:
//!
//! 1. [`lex`] splits the text into tokens (`lexer.rs`);
//! 2. the rules in `grammar/` read the tokens that are not trivia through a cursor (`parser.rs`)
//!    and emit events: a node begins, a token, a node ends;
//! 3. `tree.rs` replays the events together with the trivia into a [`GreenNode`];
//! 4. [`ast`] is a typed view of that tree without data of its own.
//!
//! Nothing here knows names, types or files. Trees are at most some hundred levels high whatever
//! the text is, so consumers may recurse.

pub mod ast;
mod error;
mod grammar;
mod green;
mod lexer;
mod parser;
mod syntax_kind;
mod tree;

use tree::TreeBuilder;

pub use error::{Fix, SyntaxError};
pub use lexer::{LexToken, lex, lex_with_errors};
pub use rowan::{Direction, GreenNode, NodeOrToken, TextRange, TextSize, TokenAtOffset, WalkEvent};
pub use syntax_kind::SyntaxKind;

/// Ties [`SyntaxKind`] to rowan's trees.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum LinnetLanguage {}

impl rowan::Language for LinnetLanguage {
    type Kind = SyntaxKind;

    fn kind_from_raw(raw: rowan::SyntaxKind) -> SyntaxKind {
        SyntaxKind::ALL
            .get(raw.0 as usize)
            .copied()
            .unwrap_or(SyntaxKind::ERROR)
    }

    fn kind_to_raw(kind: SyntaxKind) -> rowan::SyntaxKind {
        rowan::SyntaxKind(kind as u16)
    }
}

/// An inner node of the tree.
pub type SyntaxNode = rowan::SyntaxNode<LinnetLanguage>;
/// A leaf of the tree.
pub type SyntaxToken = rowan::SyntaxToken<LinnetLanguage>;
/// A node or a leaf.
pub type SyntaxElement = rowan::SyntaxElement<LinnetLanguage>;

/// A node by its kind and place, to find it again in the same tree.
pub type SyntaxNodePtr = rowan::ast::SyntaxNodePtr<LinnetLanguage>;

/// What parsing a text gives: always a tree, and the faults found.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Parse {
    /// The tree without parents and offsets; cheap to keep, `Send` and `Sync`.
    pub green: GreenNode,
    /// The faults, in the order of the text.
    pub errors: Vec<SyntaxError>,
}

impl Parse {
    /// The root of the tree.
    pub fn syntax(&self) -> SyntaxNode {
        SyntaxNode::new_root(self.green.clone())
    }

    /// The root as a typed node.
    pub fn tree(&self) -> ast::SourceFile {
        ast::SourceFile::of_root(self.syntax())
    }

    /// The faults, in the order of the text.
    pub fn errors(&self) -> &[SyntaxError] {
        &self.errors
    }
}

/// Parses a whole file.
///
/// Texts of 4 GiB and more have no positions; they give an empty tree and one fault.
pub fn parse(text: &str) -> Parse {
    if u32::try_from(text.len()).is_err() {
        let range = TextRange::empty(TextSize::new(0));
        let error = SyntaxError::new("E1001", range, "this file is too large", "4 GiB or more");
        return Parse {
            green: TreeBuilder::new("", &[]).finish(),
            errors: vec![error],
        };
    }
    let (tokens, lex_errors) = lex_with_errors(text);
    let mut parser = parser::Parser::new(text, &tokens, &lex_errors);
    let mut tree = TreeBuilder::new(text, &tokens);
    grammar::source_file(&mut parser, |events| tree.replay(events));
    let green = tree.finish();
    let found = parser.finish();
    let mut errors = lex_errors;
    errors.extend(found);
    errors.sort_by_key(|error| error.range.start());
    Parse { green, errors }
}
