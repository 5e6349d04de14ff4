//! Blocks and their members.

use super::{
    MEMBER_START,
    expressions::expr,
    generics::{generic_params, where_clause},
    items::{AFTER_ITEM_NAME, AFTER_NAME_WITH_TYPE, MEMBER_STOPS, Place, colon_type, item},
    junk, junk_token,
    layout::Braces,
    name, rest_of_broken_line,
};
use crate::{
    Fix,
    SyntaxKind::*,
    parser::{Marker, Parser},
};

/// `block = "block" IDENT [generics] [where] "{" {member} "}" .`
pub(super) fn block(p: &mut Parser<'_>, m: Marker, owner: usize, place: Place) {
    p.bump();
    name(p, "a block", AFTER_ITEM_NAME);
    generic_params(p);
    where_clause(p);
    if p.enter() {
        let inside = if place == Place::Module {
            Place::Block
        } else {
            Place::ReservedBlock
        };
        let list = p.start();
        let expected = "`{` and the members of the block";
        let begins = |p: &Parser<'_>| p.at_any(MEMBER_START);
        if let Some(braces) = Braces::expect(p, owner, expected, begins) {
            braces.lines(
                p,
                ends_block,
                |p| member_or_item(p, inside),
                "`}` to close the block",
            );
            list.complete(p, MEMBER_LIST);
        } else {
            list.abandon(p);
        }
        p.leave();
    }
    m.complete(p, BLOCK);
}

/// What can not stand in a block, where a brace is missing somewhere.
fn ends_block(p: &Parser<'_>) -> bool {
    let kind = if p.at(PUB_KW) { p.nth(1) } else { p.current() };
    p.unclosed_braces > 0 && matches!(kind, STRUCT_KW | ENUM_KW | BLOCK_KW | USE_KW | MODULE_KW)
}

fn member_or_item(p: &mut Parser<'_>, place: Place) {
    match p.current() {
        kind if MEMBER_START.contains(kind) => {
            let broken = p.unit(|p| {
                let m = p.start();
                member(p, m);
            });
            if broken {
                rest_of_broken_line(p);
            }
        }
        USE_KW | MODULE_KW => {
            p.expected("a member or an item");
            junk(p, MEMBER_STOPS);
        }
        SEMICOLON | COMMA if p.line_start_at(p.pos() + 1) => {
            let range = p.current_range();
            p.expected_with("a member or an item", |error, _| {
                error.with_fix(Fix::new("remove it", range, ""))
            });
            junk_token(p);
        }
        _ => item(p, place),
    }
}

/// `member = "param" IDENT ":" type ["=" expr] | "buffer" IDENT ":" type`
/// `       | "state" IDENT ":" type | "sub" IDENT ":" type ["=" expr] | item .`
pub(super) fn member(p: &mut Parser<'_>, m: Marker) {
    let (kind, what) = match p.current() {
        PARAM_KW => (PARAM_MEMBER, "a param"),
        BUFFER_KW => (BUFFER_MEMBER, "a buffer"),
        STATE_KW => (STATE_MEMBER, "a state"),
        _ => (SUB_MEMBER, "a sub"),
    };
    p.bump();
    name(p, what, AFTER_NAME_WITH_TYPE);
    colon_type(p, "the type of the member");
    if p.at(EQ) {
        if matches!(kind, BUFFER_MEMBER | STATE_MEMBER) {
            p.expected_with("the next member", |error, _| {
                error.with_help("only a `param` or `sub` can be `= none`")
            });
            let m = p.start();
            p.bump();
            expr(p);
            m.complete_junk(p);
        } else {
            p.bump();
            expr(p);
        }
    }
    m.complete(p, kind);
}
