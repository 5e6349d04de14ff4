//! Functions, ops and entries.

use super::{
    STMT_START, at_end_of_head,
    expressions::expr,
    generics::{generic_params, where_clause},
    items::{AFTER_ITEM_NAME, AFTER_NAME_WITH_TYPE, ITEM_STOPS, MEMBER_STOPS, Place, colon_type},
    junk, junk_group, junk_token,
    lists::{List, list},
    name, reserved_syntax,
    statements::body,
    types::type_,
};
use crate::{
    Fix, SyntaxKind,
    SyntaxKind::*,
    parser::{Marker, Parser},
    syntax_kind::TokenSet,
};

/// `fn = "fn" signature body .`
/// `op = "op" signature body ["grad" "(" IDENT "," IDENT ")" body] .`
/// `entry = "entry" signature body .`
pub(super) fn function(p: &mut Parser<'_>, m: Marker, owner: usize, kind: SyntaxKind) {
    p.bump();
    signature(p, kind);
    if p.at(KERNEL_KW) {
        reserved_kernel(p);
    }
    let expected = "`{` and the body of the function";
    if p.at(EQ) || p.at(FAT_ARROW) {
        p.expected(expected);
        junk(p, MEMBER_STOPS.union(STMT_START));
    }
    body(p, owner, expected);
    // Nothing else can begin with a name here.
    if p.at(IDENT) && p.current_text() == "grad" {
        grad_clause(p, owner);
    }
    m.complete(p, kind);
}

/// `kernel` between a result and a body, reserved: passed over up to the body.
fn reserved_kernel(p: &mut Parser<'_>) {
    reserved_syntax(
        p,
        "`kernel` is reserved and not supported yet".to_owned(),
        "write the body; a backend may replace it by a kernel of its own",
    );
    junk(p, MEMBER_STOPS.union(TokenSet::new(&[L_CURLY])));
    // `kernel { .. } { body }`
    if p.at(L_CURLY)
        && let Some(close) = p.closing(p.pos())
        && p.nth(close + 1 - p.pos()) == L_CURLY
    {
        junk_group(p);
    }
    p.silence();
}

/// `"grad" "(" IDENT "," IDENT ")" body`
fn grad_clause(p: &mut Parser<'_>, owner: usize) {
    let m = p.start();
    p.bump_as(GRAD_KW);
    if !p.eat(L_PAREN) {
        p.expected("`(` and the names of the result and its gradient");
    }
    let after = TokenSet::new(&[COMMA, R_PAREN]);
    let complete = name(p, "the result", after)
        && (p.eat(COMMA) || {
            p.expected("`,` and the name of the result's gradient");
            false
        })
        && name(p, "the result's gradient", after);
    if complete && !p.at(R_PAREN) {
        p.expected("`)` to close the two names");
    }
    let junk = p.start();
    while !at_end_of_head(p) && !p.at(R_PAREN) && !p.at(L_CURLY) {
        p.bump_group();
    }
    junk.complete_junk(p);
    p.eat(R_PAREN);
    body(p, owner, "`{` and the body of the gradient");
    m.complete(p, GRAD_CLAUSE);
}

/// `signature = IDENT [generics] "(" [param {"," param} [","]] ")" ["->" type] [where] .`
/// `(only an entry may leave out its result)`
fn signature(p: &mut Parser<'_>, kind: SyntaxKind) {
    name(p, "a function", AFTER_ITEM_NAME);
    generic_params(p);
    param_list(p);
    match p.current() {
        THIN_ARROW => {
            let m = p.start();
            p.bump();
            type_(p);
            m.complete(p, RESULT_TYPE);
        }
        COLON | FAT_ARROW => {
            let m = p.start();
            p.expected_with("`->` and the type of the result", |error, p| {
                error.with_fix(Fix::new("write `->`", p.current_range(), "->"))
            });
            p.bump();
            type_(p);
            m.complete(p, RESULT_TYPE);
        }
        _ if kind != ENTRY => p.expected("`->` and the type of the result"),
        _ => {}
    }
    where_clause(p);
}

/// The parameters, or what follows them.
const PARAMS_OR_AFTER: TokenSet = TokenSet::new(&[L_PAREN, THIN_ARROW, WHERE_KW, L_CURLY]);

fn param_list(p: &mut Parser<'_>) {
    const PARAMS: List = List {
        close: R_PAREN,
        element: "a parameter",
        end: "`)` to close the parameters",
        trailing_comma: true,
        declares: true,
        may_be_empty: true,
    };
    if !p.at(L_PAREN) {
        p.expected("`(` and the parameters");
        let m = p.start();
        while !at_end_of_head(p) && !p.at_any(PARAMS_OR_AFTER) {
            p.bump_group();
        }
        m.complete_junk(p);
    }
    if !p.at(L_PAREN) {
        return;
    }
    let m = p.start();
    list(p, &PARAMS, param);
    m.complete(p, PARAM_LIST);
}

/// `param = IDENT ":" type ["=" expr] .`
fn param(p: &mut Parser<'_>) -> bool {
    let m = p.start();
    let reserved = !p.at(IDENT);
    if !name(p, "a parameter", AFTER_NAME_WITH_TYPE) {
        m.abandon(p);
        return false;
    }
    if reserved && !p.at(COLON) {
        // `self` as other languages have it.
        p.silence();
    }
    colon_type(p, "the type of the parameter");
    if p.eat(EQ) {
        expr(p);
    }
    m.complete(p, PARAM);
    true
}

/// `"extern"`, reserved: what it stands before is read as if it were not there.
pub(super) fn external(p: &mut Parser<'_>, m: Marker, place: Place) {
    reserved_syntax(
        p,
        "`extern` is reserved".to_owned(),
        "write the body in Linnet",
    );
    junk_token(p);
    if p.at(STRING) {
        junk_token(p);
    }
    if p.at(FN_KW) || p.at(OP_KW) || p.at(ENTRY_KW) {
        let kind = match p.current() {
            FN_KW => FN,
            OP_KW => OP,
            _ => ENTRY,
        };
        p.bump();
        signature(p, kind);
        // An external function has no body.
        if p.at(L_CURLY) {
            let owner = p.pos();
            body(p, owner, "`{` and a body");
        }
        m.complete(p, kind);
        return;
    }
    m.abandon(p);
    if p.at(L_CURLY) {
        junk_group(p);
    } else if !p.at_any(MEMBER_STOPS) && !p.at(EOF) {
        junk(
            p,
            if place == Place::Module {
                ITEM_STOPS
            } else {
                MEMBER_STOPS
            },
        );
    }
}
