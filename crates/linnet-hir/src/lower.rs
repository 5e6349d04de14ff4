//! Lowering: the syntax tree to item trees, headers and bodies without positions, and the tables of positions beside them.

mod expr;
mod item;
mod stmt;
mod ty;

use std::rc::Rc;
use std::sync::Arc;

use linnet_syntax::{
    Parse, SyntaxElement, SyntaxKind, SyntaxNode, SyntaxToken, TextRange, TextSize,
};
use rustc_hash::FxHashMap;

use crate::body::Arena;
use crate::db::{Db, SourceFile};
use crate::tree::{DefId, ItemKind, ItemTree, Loc, LocTable, LoweredFile, Name};

/// Lowers a syntax tree to positions-free data and the tables of positions beside it.
pub fn lower_file(db: &dyn Db, file: SourceFile, parse: &Parse) -> LoweredFile {
    let root = parse.syntax();
    let mut lower = FileLower {
        db,
        file,
        faults: Rc::new(Faults::new(parse, &root)),
        tree: ItemTree::default(),
        locs: LocTable::new(),
        items: FxHashMap::default(),
        seen: FxHashMap::default(),
    };
    lower.file(&root);
    LoweredFile {
        tree: Arc::new(lower.tree),
        locs: Arc::new(lower.locs),
        items: lower.items,
    }
}

/// Where the parser found faults: what holds one is not judged any further.
#[derive(Default)]
struct Faults {
    /// Where something was missed, and the token that stood there instead.
    places: Vec<(TextSize, TextSize)>,
    /// Where what fits nowhere begins, on a line of its own: a fault there belongs to it, and not to what ends
    /// before it.
    junk: Vec<TextSize>,
}

impl Faults {
    fn new(parse: &Parse, root: &SyntaxNode) -> Faults {
        let mut faults = Faults::default();
        if parse.errors.is_empty() {
            return faults;
        }
        faults.places = parse
            .errors
            .iter()
            .filter(|e| e.code != "E1102")
            .map(|e| (e.anchor.min(e.range.start()), e.range.start()))
            .collect();
        faults.places.sort_unstable();
        let junk = root
            .descendants()
            .filter(|n| n.kind() == SyntaxKind::ERROR && starts_a_line(n));
        faults.junk = junk.map(|n| n.text_range().start()).collect();
        faults.junk.sort_unstable();
        faults
    }

    /// Whether a fault lies in this range, or misses something at its end.
    fn within(&self, range: TextRange) -> bool {
        let first = self
            .places
            .partition_point(|(anchor, _)| *anchor < range.start());
        let last = self
            .places
            .partition_point(|(anchor, _)| *anchor <= range.end());
        self.places[first..last].iter().any(|(anchor, token)| {
            let inside = range.start() <= *token && *token < range.end();
            let missed = range.start() < *anchor && self.junk.binary_search(token).is_err();
            inside || missed
        })
    }
}

fn starts_a_line(node: &SyntaxNode) -> bool {
    let mut before = node.first_token().and_then(|t| t.prev_token());
    while let Some(token) = before {
        if !token.kind().is_trivia() {
            return false;
        }
        if token.text().contains('\n') {
            return true;
        }
        before = token.prev_token();
    }
    true
}

struct FileLower<'a> {
    db: &'a dyn Db,
    file: SourceFile,
    faults: Rc<Faults>,
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

    /// Remembers the names at the start of what could not be read.
    fn doubt(&mut self, node: &SyntaxNode) {
        self.tree.doubtful.extend(first_names(node));
    }
}

/// The first few names of what could not be read: perhaps it declares them.
fn first_names(node: &SyntaxNode) -> Vec<Name> {
    node.descendants_with_tokens()
        .filter_map(SyntaxElement::into_token)
        .filter(|t| t.kind() == SyntaxKind::IDENT)
        .take(16)
        .map(|t| Name::new(t.text()))
        .collect()
}

/// One part of an item being lowered: its arena and its table of positions.
#[derive(Default)]
struct PartLower {
    arena: Arena,
    locs: LocTable,
    faults: Rc<Faults>,
}

impl PartLower {
    fn new(faults: &Rc<Faults>) -> PartLower {
        PartLower {
            faults: faults.clone(),
            ..PartLower::default()
        }
    }

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
        .map_or_else(
            || TextRange::empty(node.text_range().start()),
            |t| t.text_range(),
        )
}

fn tokens(node: &SyntaxNode) -> impl Iterator<Item = SyntaxToken> {
    node.children_with_tokens()
        .filter_map(SyntaxElement::into_token)
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
fn child_after(
    node: &SyntaxNode,
    kind: SyntaxKind,
    want: fn(SyntaxKind) -> bool,
) -> Option<SyntaxNode> {
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
        LITERAL
            | NAME_EXPR
            | PAREN_EXPR
            | TUPLE_EXPR
            | LIST_EXPR
            | UNARY_EXPR
            | BINARY_EXPR
            | CALL_EXPR
            | INDEX_EXPR
            | FIELD_EXPR
            | IF_EXPR
            | MATCH_EXPR
            | REDUCE_EXPR
            | SOME_EXPR
            | NONE_EXPR
            | SCAN_EXPR
    )
}

fn is_type(kind: SyntaxKind) -> bool {
    use SyntaxKind::*;
    matches!(
        kind,
        PATH_TYPE | TENSOR_TYPE | TUPLE_TYPE | ARRAY_TYPE | OPTIONAL_TYPE
    )
}

fn expr_child(node: &SyntaxNode) -> Option<SyntaxNode> {
    node.children().find(|n| is_expr(n.kind()))
}

fn type_child(node: &SyntaxNode) -> Option<SyntaxNode> {
    node.children().find(|n| is_type(n.kind()))
}
