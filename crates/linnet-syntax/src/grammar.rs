//! The rules of the grammar, one function each, with the rule above it.
//!
//! A rule takes what it recognises, reports the first thing that does not fit, and returns; it
//! never takes a token that an enclosing rule could use. Recovery sets are named here.

mod blocks;
mod expressions;
mod functions;
mod generics;
mod items;
mod layout;
mod lists;
mod modules;
mod patterns;
mod statements;
mod types;

use crate::{SyntaxError, SyntaxKind, SyntaxKind::*, parser::Parser, syntax_kind::TokenSet};

pub(crate) use modules::source_file;

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
    ENUM_KW, FN_KW, BLOCK_KW, ENTRY_KW, OP_KW, TYPE_KW, MODULE_KW, EXTERN_KW,
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
    // An assignment on the next line is not the name that is missing here.
    let assignment = p.nth(1) == EQ && !follow.contains(EQ) && p.at_line_start();
    if !assignment && p.eat(IDENT) {
        return true;
    }
    // On the next line, a keyword is a name only where it can not begin anything.
    let begins = p.at_line_start() && !matches!(p.nth(1), COLON | COMMA | EQ);
    if is_word(p.current()) && follow.contains(p.nth(1)) && !begins {
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
    m.complete_junk(p);
}

/// What stands before a `{`, where the `{` was expected right here. Without one there is nothing
/// to pass over.
fn junk_before_brace(p: &mut Parser<'_>) {
    /// No head is longer than this after its fault.
    const LONGEST_HEAD: usize = 60;
    const STOPS: TokenSet = TokenSet::new(&[R_CURLY, FAT_ARROW, ELSE_KW, EOF])
        .union(STMT_START)
        .union(ITEM_START)
        .union(MEMBER_START);
    let mut ahead = 0;
    while p.nth(ahead) != L_CURLY {
        let kind = p.nth(ahead);
        if STOPS.contains(kind) || ahead > LONGEST_HEAD || (kind == IDENT && p.nth(ahead + 1) == EQ)
        {
            return;
        }
        ahead += 1;
    }
    if ahead > 0 {
        let m = p.start();
        for _ in 0..ahead {
            p.bump();
        }
        m.complete_junk(p);
    }
}

/// Where the line that should hold a `{` ends at the latest.
fn at_end_of_head(p: &Parser<'_>) -> bool {
    p.at(EOF) || p.at(R_CURLY) || p.at_line_start() || p.at_end_of_brackets()
}

/// The rest of the line of something broken, up to where something else can begin.
fn rest_of_broken_line(p: &mut Parser<'_>) {
    let at_end = |p: &Parser<'_>| {
        p.at(EOF)
            || p.at(R_CURLY)
            || p.at_line_start()
            || p.at_end_of_brackets()
            || p.at_any(STMT_START)
            || (p.at(IDENT) && p.nth(1) == EQ)
    };
    if at_end(p) {
        return;
    }
    let m = p.start();
    while !at_end(p) {
        p.bump_group();
    }
    m.complete_junk(p);
    p.silence();
}

/// One token that fits nowhere.
fn junk_token(p: &mut Parser<'_>) {
    let m = p.start();
    p.bump();
    m.complete_junk(p);
}

/// A token that fits nowhere, or a whole bracketed group.
fn junk_group(p: &mut Parser<'_>) {
    let m = p.start();
    p.bump_group();
    m.complete_junk(p);
}
