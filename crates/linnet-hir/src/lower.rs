//! Lowering: the syntax tree to item trees, headers and bodies without positions, and the tables of positions beside them.

mod expr;
mod item;
mod stmt;
mod ty;

use std::sync::Arc;

use linnet_syntax::{Parse, SyntaxElement, SyntaxKind, SyntaxNode, SyntaxToken, TextRange, TextSize};
use rustc_hash::FxHashMap;

use crate::body::Arena;
use crate::db::{Db, SourceFile};
use crate::tree::{DefId, ItemKind, ItemTree, Loc, LocTable, LoweredFile, Name};

/// Lowers a syntax tree to positions-free data and the tables of positions beside it.
pub fn lower_file(db: &dyn Db, file: SourceFile, parse: &Parse) -> LoweredFile {
    let mut errors: Vec<TextSize> = parse.errors.iter().map(|e| e.range.start()).collect();
    errors.sort_unstable();
    let mut lower = FileLower {
        db,
        file,
        errors,
        tree: ItemTree::default(),
        locs: LocTable::new(),
        items: FxHashMap::default(),
        seen: FxHashMap::default(),
    };
    lower.file(&parse.syntax());
    LoweredFile { tree: Arc::new(lower.tree), locs: Arc::new(lower.locs), items: lower.items }
}

struct FileLower<'a> {
    db: &'a dyn Db,
    file: SourceFile,
    /// Where syntax errors begin, sorted.
    errors: Vec<TextSize>,
    tree: ItemTree,
    locs: LocTable,
    items: FxHashMap<DefId, crate::tree::LoweredItem>,
    /// How many items of the same kind and name there were so far.
    seen: FxHashMap<(Option<DefId>, ItemKind, Name), u32>,
}

impl FileLower<'_> {
    fn loc(&mut self, range: TextRange) -> Loc {
        push(&mut self.locs, range)
    }

    /// Whether the parser found a fault in this range, its end included.
    fn is_broken(&self, range: TextRange) -> bool {
        let first = self.errors.partition_point(|at| *at < range.start());
        self.errors.get(first).is_some_and(|at| *at <= range.end())
    }
}

/// One part of an item being lowered: its arena and its table of positions.
#[derive(Default)]
struct PartLower {
    arena: Arena,
    locs: LocTable,
}

impl PartLower {
    fn loc(&mut self, range: TextRange) -> Loc {
        push(&mut self.locs, range)
    }

    fn named(&mut self, token: Option<SyntaxToken>, parent: &SyntaxNode) -> (Name, Loc) {
        match token {
            Some(t) => (Name::new(t.text()), self.loc(t.text_range())),
            None => {
                let at = start_of(parent);
                (Name::default(), self.loc(at))
            }
        }
    }
}

fn push(locs: &mut LocTable, range: TextRange) -> Loc {
    locs.push(range);
    Loc(locs.len() as u32 - 1)
}

/// The first token of a node that is no trivia.
fn start_of(node: &SyntaxNode) -> TextRange {
    node.descendants_with_tokens()
        .filter_map(SyntaxElement::into_token)
        .find(|t| !t.kind().is_trivia())
        .map_or_else(|| TextRange::empty(node.text_range().start()), |t| t.text_range())
}

fn tokens(node: &SyntaxNode) -> impl Iterator<Item = SyntaxToken> {
    node.children_with_tokens().filter_map(SyntaxElement::into_token)
}

fn token(node: &SyntaxNode, kind: SyntaxKind) -> Option<SyntaxToken> {
    tokens(node).find(|t| t.kind() == kind)
}

fn ident(node: &SyntaxNode) -> Option<SyntaxToken> {
    token(node, SyntaxKind::IDENT)
}

fn child(node: &SyntaxNode, kind: SyntaxKind) -> Option<SyntaxNode> {
    node.children().find(|n| n.kind() == kind)
}

/// The child that stands after a token of this kind.
fn child_after(node: &SyntaxNode, kind: SyntaxKind, want: fn(SyntaxKind) -> bool) -> Option<SyntaxNode> {
    let mut passed = false;
    for element in node.children_with_tokens() {
        match element {
            SyntaxElement::Token(t) => passed |= t.kind() == kind,
            SyntaxElement::Node(n) if passed && want(n.kind()) => return Some(n),
            SyntaxElement::Node(_) => {}
        }
    }
    None
}

fn is_expr(kind: SyntaxKind) -> bool {
    use SyntaxKind::*;
    matches!(
        kind,
        LITERAL | NAME_EXPR | PAREN_EXPR | TUPLE_EXPR | LIST_EXPR | UNARY_EXPR | BINARY_EXPR | CALL_EXPR
            | INDEX_EXPR | FIELD_EXPR | IF_EXPR | MATCH_EXPR | REDUCE_EXPR | SOME_EXPR | NONE_EXPR | SCAN_EXPR
    )
}

fn is_type(kind: SyntaxKind) -> bool {
    use SyntaxKind::*;
    matches!(kind, PATH_TYPE | TENSOR_TYPE | TUPLE_TYPE | ARRAY_TYPE | OPTIONAL_TYPE)
}

fn expr_child(node: &SyntaxNode) -> Option<SyntaxNode> {
    node.children().find(|n| is_expr(n.kind()))
}

fn type_child(node: &SyntaxNode) -> Option<SyntaxNode> {
    node.children().find(|n| is_type(n.kind()))
}
