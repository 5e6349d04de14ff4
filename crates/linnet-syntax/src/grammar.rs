//! The rules of the grammar, one function each, with the rule above it.
//!
//! A rule takes what it recognises, reports the first thing that does not fit, and returns; it
//! never takes a token that an enclosing rule could use. Recovery sets are named here.

mod expressions;
mod generics;
mod items;
mod layout;
mod lists;
mod patterns;
mod statements;
mod types;

use crate::{SyntaxError, SyntaxKind, SyntaxKind::*, parser::Parser, syntax_kind::TokenSet};

pub(crate) use items::source_file;

/// Keywords that begin a statement.
pub(crate) const STMT_START: TokenSet = TokenSet::new(&[
    LET_KW, VAR_KW, RETURN_KW, STATIC_KW, WHILE_KW, FOR_KW, YIELD_KW,
]);

/// Keywords that begin an item, reserved ones included.
pub(crate) const ITEM_START: TokenSet = TokenSet::new(&[
    MODULE_KW, USE_KW, PUB_KW, CONST_KW, TYPE_KW, STRUCT_KW, ENUM_KW, FN_KW, OP_KW, BLOCK_KW,
    ENTRY_KW, EXTERN_KW, KERNEL_KW, TRAIT_KW, IMPL_KW,
]);

/// Keywords that begin a member of a block.
pub(crate) const MEMBER_START: TokenSet = TokenSet::new(&[PARAM_KW, BUFFER_KW, STATE_KW, SUB_KW]);

/// Keywords that no expression, type or pattern holds: what is open before them is not closed.
pub(crate) const ENDS_BRACKETS: TokenSet = TokenSet::new(&[
    LET_KW, VAR_KW, RETURN_KW, STATIC_KW, WHILE_KW, YIELD_KW, USE_KW, PUB_KW, CONST_KW, STRUCT_KW,
    ENUM_KW, FN_KW, BLOCK_KW, ENTRY_KW,
])
.union(MEMBER_START);

/// What can begin an expression.
const EXPR_START: TokenSet = TokenSet::new(&[
    IDENT,
    INT_NUMBER,
    FLOAT_NUMBER,
    STRING,
    TRUE_KW,
    FALSE_KW,
    NONE_KW,
    SOME_KW,
    L_PAREN,
    L_BRACK,
    IF_KW,
    MATCH_KW,
    FOR_KW,
    MINUS,
    PLUS,
    BANG,
    SELF_KW,
    SUPER_KW,
]);

/// `IDENT`, declared here to name `what`. A reserved word in its place is taken for the name if
/// one of `follow` comes next, as it would after a name.
fn name(p: &mut Parser<'_>, what: &str, follow: TokenSet) -> bool {
    if p.eat(IDENT) {
        return true;
    }
    if is_word(p.current()) && follow.contains(p.nth(1)) {
        p.reserved_name(what);
        p.bump_as(IDENT);
        return true;
    }
    p.expected(&format!("the name of {what}"));
    false
}

/// `IDENT`, used here after a point or in a list of names.
fn name_use(p: &mut Parser<'_>, what: &str) -> bool {
    if p.eat(IDENT) {
        return true;
    }
    // On the next line, a keyword begins something else.
    if is_word(p.current()) && !p.at_line_start() {
        p.reserved_name(what);
        p.bump_as(IDENT);
        return true;
    }
    p.expected(&format!("the name of {what}"));
    false
}

fn is_word(kind: SyntaxKind) -> bool {
    kind.is_keyword() || kind.is_reserved_word()
}

/// E1103: syntax that is known, and not supported.
fn reserved_syntax(p: &mut Parser<'_>, message: String, help: &str) {
    let error = SyntaxError::new("E1103", p.current_range(), message, "reserved").with_help(help);
    p.report(error);
}

/// Tokens that fit nowhere, up to one in `stops`; at least one. The fault has been reported.
fn junk(p: &mut Parser<'_>, stops: TokenSet) {
    let m = p.start();
    p.bump_group();
    while !p.at(EOF) && !p.at_any(stops) {
        p.bump_group();
    }
    m.complete(p, ERROR);
}

/// One token that fits nowhere.
fn junk_token(p: &mut Parser<'_>) {
    let m = p.start();
    p.bump();
    m.complete(p, ERROR);
}
