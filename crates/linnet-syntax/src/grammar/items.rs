//! Items, and what is passed over in their place.

use super::{
    ITEM_START, MEMBER_START, STMT_START,
    blocks::{block, member},
    expressions::expr,
    functions::{external, function},
    generics::generic_params,
    is_word, junk, junk_group, junk_token,
    layout::Braces,
    modules::{module_decl, use_decl},
    name, reserved_syntax, rest_of_broken_line,
    statements::body_without_head,
    types::type_,
};
use crate::{
    Fix, SyntaxError,
    SyntaxKind::*,
    parser::{Marker, Parser},
    syntax_kind::TokenSet,
};

/// Where an item stands, which settles what it may be.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Place {
    Module,
    Block,
    /// In a block that should not be here itself.
    ReservedBlock,
    Body,
}

/// What follows the name of a function, block or type.
pub(super) const AFTER_ITEM_NAME: TokenSet =
    TokenSet::new(&[LT, L_PAREN, L_CURLY, EQ, COLON, WHERE_KW]);

pub(super) const AFTER_NAME_WITH_TYPE: TokenSet = TokenSet::new(&[COLON, EQ, COMMA, R_PAREN]);

/// Where the search for the next item ends.
pub(super) const ITEM_STOPS: TokenSet = ITEM_START.union(TokenSet::new(&[R_CURLY]));

/// Where the search for the next member ends.
pub(super) const MEMBER_STOPS: TokenSet = ITEM_STOPS.union(MEMBER_START);

/// `item = ["pub"] ( const | alias | struct | enum | fn | op | entry | block ) .`
pub(super) fn item(p: &mut Parser<'_>, place: Place) {
    p.end_of_too_deep();
    if p.unit(|p| item_of_any_kind(p, place)) {
        rest_of_broken_line(p);
    }
}

fn item_of_any_kind(p: &mut Parser<'_>, place: Place) {
    let owner = p.pos();
    let m = p.start();
    let public = p.eat(PUB_KW);
    if matches!(p.current(), STRUCT_KW | ENUM_KW | BLOCK_KW) && place == Place::Block {
        let word = p.current_text();
        reserved_syntax(
            p,
            format!("`{word}` inside a block is reserved"),
            "declare it in the module, beside the block",
        );
    }
    match p.current() {
        CONST_KW => constant(p, m),
        TYPE_KW => alias(p, m),
        STRUCT_KW => structure(p, m),
        ENUM_KW => enumeration(p, m),
        FN_KW => function(p, m, owner, FN),
        OP_KW => function(p, m, owner, OP),
        ENTRY_KW => function(p, m, owner, ENTRY),
        BLOCK_KW => block(p, m, owner, place),
        EXTERN_KW => external(p, m, place),
        USE_KW if place == Place::Body => {
            m.abandon(p);
            use_decl(p);
        }
        MODULE_KW if place == Place::Body => {
            m.abandon(p);
            module_decl(p);
        }
        kind if kind.is_reserved_word() => reserved_item(p, m),
        kind if MEMBER_START.contains(kind) => {
            if public && place != Place::Module {
                members_have_no_pub(p, owner);
            } else {
                p.expected_with("an item", |error, _| {
                    error.with_help("params, buffers, states and subs stand inside a `block`")
                });
            }
            member(p, m);
        }
        _ => {
            p.expected(expected_in(place));
            while p.eat(PUB_KW) {}
            m.abandon(p);
            if place != Place::Body && !p.at_any(MEMBER_STOPS) && !p.at(EOF) {
                junk_item(p, place);
            }
        }
    }
}

/// What is no item, passed over up to the next one.
fn junk_item(p: &mut Parser<'_>, place: Place) {
    if p.unclosed_braces < 0 && p.at_any(STMT_START) {
        // The statements of a function whose head is broken, up to its brace.
        body_without_head(p);
        return;
    }
    if p.unclosed_braces > 0 && p.at(L_CURLY) {
        // One too many, or what it opens is read as if it were not there.
        p.unclosed_braces -= 1;
        junk_token(p);
        return;
    }
    junk(
        p,
        if place == Place::Module {
            ITEM_STOPS
        } else {
            MEMBER_STOPS
        },
    );
}

fn expected_in(place: Place) -> &'static str {
    match place {
        Place::Module => "an item",
        Place::Block | Place::ReservedBlock => "a member or an item",
        Place::Body => "a statement",
    }
}

fn members_have_no_pub(p: &mut Parser<'_>, at: usize) {
    let range = p.range_at(at);
    let error = SyntaxError::new("E1101", range, "a member has no `pub`", "unexpected")
        .with_help("only items and methods are `pub`; a parent reads the members of its subs")
        .with_fix(Fix::new("remove `pub`", range, ""));
    p.report(error);
}

/// An item of a kind that is reserved, such as `trait` or `kernel`, passed over.
fn reserved_item(p: &mut Parser<'_>, m: Marker) {
    let word = p.current_text();
    reserved_syntax(
        p,
        format!("`{word}` is reserved and not supported yet"),
        "items are `const`, `type`, `struct`, `enum`, `fn`, `op`, `entry` and `block`",
    );
    p.bump();
    // `async fn f`: the item itself is ordinary.
    while !p.at(EOF) && !p.at_any(MEMBER_STOPS) {
        let body = p.at(L_CURLY);
        p.bump_group();
        if body {
            break;
        }
    }
    m.complete_junk(p);
}

/// `const = "const" IDENT [":" type] "=" expr .`
fn constant(p: &mut Parser<'_>, m: Marker) {
    p.bump();
    name(p, "a constant", AFTER_ITEM_NAME);
    if p.eat(COLON) {
        type_(p);
    }
    initializer(p, "the value of the constant");
    m.complete(p, CONST);
}

/// `"=" expr`, which must stand here.
pub(super) fn initializer(p: &mut Parser<'_>, what: &str) {
    match p.current() {
        EQ => p.bump(),
        EQ2 => {
            p.expected_with("`=`", |error, p| {
                error.with_fix(Fix::new("write `=`", p.current_range(), "="))
            });
            p.bump();
        }
        _ => {
            p.expected(&format!("`=` and {what}"));
            if p.nth(1) == EQ && !p.at_line_start() {
                junk_token(p);
                p.bump();
            } else if p.at_line_start() || !p.at_any(super::EXPR_START) {
                return;
            }
        }
    }
    expr(p);
}

/// `alias = "type" IDENT [generics] "=" type .`
fn alias(p: &mut Parser<'_>, m: Marker) {
    p.bump();
    name(p, "a type", AFTER_ITEM_NAME);
    generic_params(p);
    if p.eat(EQ) {
        type_(p);
    } else {
        p.expected("`=` and a type");
    }
    m.complete(p, TYPE_ALIAS);
}

/// `struct = "struct" IDENT [generics] "{" {IDENT ":" type [","]} "}" .`
fn structure(p: &mut Parser<'_>, m: Marker) {
    let owner = p.pos();
    p.bump();
    name(p, "a struct", AFTER_ITEM_NAME);
    generic_params(p);
    let list = p.start();
    let expected = "`{` and the fields of the struct";
    let begins = |p: &Parser<'_>| p.at(IDENT) && p.nth(1) == COLON;
    if let Some(braces) = Braces::expect(p, owner, expected, begins) {
        let field = |p: &mut Parser<'_>| {
            if p.unit(field) && !p.eat(COMMA) {
                rest_of_broken_line(p);
            }
        };
        braces.lines(
            p,
            |p| p.at_any(ENDS_FIELDS),
            field,
            "`}` to close the struct",
        );
        list.complete(p, FIELD_LIST);
    } else {
        list.abandon(p);
    }
    m.complete(p, STRUCT);
}

/// An item can not stand among fields or variants: what holds them was not closed.
const ENDS_FIELDS: TokenSet = TokenSet::new(&[
    PUB_KW, USE_KW, CONST_KW, STRUCT_KW, ENUM_KW, FN_KW, BLOCK_KW, ENTRY_KW, OP_KW, LET_KW,
]);

/// `IDENT ":" type [","]`
fn field(p: &mut Parser<'_>) {
    let m = p.start();
    if p.at(IDENT) || (is_word(p.current()) && AFTER_NAME_WITH_TYPE.contains(p.nth(1))) {
        name(p, "a field", AFTER_NAME_WITH_TYPE);
        colon_type(p, "the type of the field");
        if p.at(SEMICOLON) {
            no_semicolons(p);
        }
        let next = p.at(IDENT) || p.at_any(FIELD_ENDS) || p.at_line_start() || is_word(p.current());
        if !next {
            p.expected("`,` or the next field");
            while !p.at_any(FIELD_ENDS) && !p.at_line_start() {
                junk_group(p);
            }
        }
        p.eat(COMMA);
        m.complete(p, FIELD);
    } else {
        m.abandon(p);
        p.expected("a field or `}` to close the struct");
        if p.unclosed_braces > 0 && p.at(L_CURLY) {
            p.unclosed_braces -= 1;
            junk_token(p);
            return;
        }
        junk_group(p);
        while !p.at_any(FIELD_ENDS) && !p.at_line_start() {
            junk_group(p);
        }
        p.eat(COMMA);
    }
}

/// What ends a field, if the line does not.
const FIELD_ENDS: TokenSet = ENDS_FIELDS.union(TokenSet::new(&[COMMA, R_CURLY, EOF]));

/// `":" type`, which must stand here.
pub(super) fn colon_type(p: &mut Parser<'_>, what: &str) {
    if p.eat(COLON) {
        type_(p);
    } else {
        p.expected(&format!("`:` and {what}"));
    }
}

/// `";"`, a habit from other languages.
pub(super) fn no_semicolons(p: &mut Parser<'_>) {
    let range = if p.at(EOF) {
        p.gap_range()
    } else {
        p.current_range()
    };
    let error = SyntaxError::new("E1101", range, "there are no semicolons", "unexpected")
        .with_fix(Fix::new("remove it", range, ""));
    p.report(error);
    junk_token(p);
}

/// `enum = "enum" IDENT "{" [IDENT {"," IDENT} [","]] "}" .`
fn enumeration(p: &mut Parser<'_>, m: Marker) {
    let owner = p.pos();
    p.bump();
    name(p, "an enum", AFTER_ITEM_NAME);
    if p.at(LT) {
        p.expected_with("`{` and the variants of the enum", |error, _| {
            error.with_help("an enum has no generics")
        });
        let generics = p.start();
        generic_params(p);
        generics.complete_junk(p);
    }
    let list = p.start();
    let expected = "`{` and the variants of the enum";
    if let Some(braces) = Braces::expect(p, owner, expected, |p| p.at(IDENT)) {
        braces.lines(
            p,
            |p| p.at_any(ENDS_FIELDS),
            variant,
            "`}` to close the enum",
        );
        list.complete(p, VARIANT_LIST);
    } else {
        list.abandon(p);
    }
    m.complete(p, ENUM);
}

fn variant(p: &mut Parser<'_>) {
    let m = p.start();
    if !p.at(IDENT) && !is_word(p.current()) {
        m.abandon(p);
        p.expected("a variant or `}` to close the enum");
        if p.unclosed_braces > 0 && p.at(L_CURLY) {
            p.unclosed_braces -= 1;
            junk_token(p);
        } else {
            junk_group(p);
        }
        return;
    }
    if !p.eat(IDENT) {
        p.reserved_name("a variant");
        p.bump_as(IDENT);
    }
    m.complete(p, VARIANT);
    if p.eat(COMMA) || p.at(R_CURLY) {
        return;
    }
    let another = p.at(IDENT);
    p.expected_with("`,` or `}` to close the enum", |error, p| {
        match p.current() {
            IDENT => error.with_fix(Fix::new("insert `,`", p.gap_range(), ",")),
            EQ | L_PAREN => error.with_help("a variant is a name and nothing else"),
            _ => error,
        }
    });
    if !another && !p.at_any(ENDS_FIELDS) && !p.at(EOF) {
        junk(p, ENDS_FIELDS.union(TokenSet::new(&[COMMA, R_CURLY])));
        p.eat(COMMA);
    }
}
