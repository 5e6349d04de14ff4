//! Patterns.

use super::{
    is_word,
    lists::{List, close, list},
};
use crate::{SyntaxKind::*, parser::Parser, syntax_kind::TokenSet};

/// What follows a name in a pattern.
const AFTER_PATTERN_NAME: TokenSet =
    TokenSet::new(&[EQ, COLON, COMMA, R_PAREN, L_BRACK, FAT_ARROW]);

/// `pattern = IDENT | "(" pattern {"," pattern} [","] ")" | "some" "(" pattern ")" | "none" .`
pub(super) fn pattern(p: &mut Parser<'_>) -> bool {
    if !p.enter() {
        return false;
    }
    let taken = match p.current() {
        L_PAREN => {
            tuple_pattern(p);
            true
        }
        _ => flat_pattern(p, "a pattern"),
    };
    p.leave();
    taken
}

/// `IDENT | "_" | "some" "(" pattern ")" | "none"`, all that an arm can begin with.
pub(super) fn flat_pattern(p: &mut Parser<'_>, what: &str) -> bool {
    match p.current() {
        IDENT => {
            let m = p.start();
            let kind = if p.current_text() == "_" {
                WILDCARD_PAT
            } else {
                IDENT_PAT
            };
            p.bump();
            m.complete(p, kind);
        }
        SOME_KW if p.nth(1) == L_PAREN => some_pattern(p),
        NONE_KW => {
            let m = p.start();
            p.bump();
            m.complete(p, NONE_PAT);
        }
        SOME_KW if p.nth(1) == FAT_ARROW => some_pattern(p),
        kind if is_word(kind) && AFTER_PATTERN_NAME.contains(p.nth(1)) => {
            let m = p.start();
            p.reserved_name("a local");
            p.bump_as(IDENT);
            m.complete(p, IDENT_PAT);
        }
        _ => {
            p.expected(what);
            return false;
        }
    }
    true
}

fn tuple_pattern(p: &mut Parser<'_>) {
    const TUPLE: List = List {
        close: R_PAREN,
        element: "a pattern",
        end: "`)` to close the pattern",
        trailing_comma: true,
        declares: false,
        may_be_empty: false,
    };
    let m = p.start();
    list(p, &TUPLE, pattern);
    m.complete(p, TUPLE_PAT);
}

fn some_pattern(p: &mut Parser<'_>) {
    let m = p.start();
    p.bump();
    let open = p.pos();
    if p.eat(L_PAREN) {
        pattern(p);
        close(p, open, R_PAREN, "`)` to close the pattern");
    } else {
        p.expected("`(` and a pattern");
    }
    m.complete(p, SOME_PAT);
}
