//! Files, imports, items and the members of blocks.

use super::{
    ITEM_START, MEMBER_START, STMT_START,
    expressions::expr,
    generics::{generic_params, where_clause},
    is_word, junk, junk_token,
    layout::Braces,
    lists::{List, list},
    name, name_use, reserved_syntax,
    statements::{body, body_without_brace},
    types::type_,
};
use crate::{
    Fix, SyntaxError, SyntaxKind,
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
const AFTER_ITEM_NAME: TokenSet = TokenSet::new(&[LT, L_PAREN, L_CURLY, EQ, COLON, WHERE_KW]);
const AFTER_NAME_WITH_TYPE: TokenSet = TokenSet::new(&[COLON, EQ, COMMA, R_PAREN]);
/// Where the search for the next item ends.
const ITEM_STOPS: TokenSet = ITEM_START.union(TokenSet::new(&[R_CURLY]));
/// Where the search for the next member ends.
const MEMBER_STOPS: TokenSet = ITEM_STOPS.union(MEMBER_START);

/// `file = module_decl , {use} , {item} .`
pub(crate) fn source_file(p: &mut Parser<'_>) {
    let mut declared = p.at(MODULE_KW);
    if declared {
        module_decl(p);
    } else {
        let help = "a file begins with its name, such as `module models.encoder`";
        let range = if p.at(EOF) {
            p.gap_range()
        } else {
            p.current_range()
        };
        p.report(
            SyntaxError::new(
                "E1102",
                range,
                "a file begins with a `module` line",
                "before this",
            )
            .with_help(help),
        );
    }
    let mut items_begun = false;
    while !p.at(EOF) {
        match p.current() {
            USE_KW => {
                if items_begun {
                    p.unexpected_with("an item", |error, _| {
                        error.with_help("imports stand before the first item")
                    });
                }
                use_decl(p);
            }
            MODULE_KW => {
                if declared {
                    p.unexpected_with("an item", |error, _| {
                        error.with_help("a file has one `module` line, at its top")
                    });
                }
                declared = true;
                module_decl(p);
            }
            R_CURLY => {
                p.unexpected("an item");
                junk_token(p);
            }
            _ => {
                items_begun = true;
                item(p, Place::Module);
            }
        }
    }
}

/// `module_decl = "module" path .`
fn module_decl(p: &mut Parser<'_>) {
    let m = p.start();
    p.bump();
    path(p, "a module");
    m.complete(p, MODULE_DECL);
}

/// `path = IDENT {"." IDENT} .`
pub(super) fn path(p: &mut Parser<'_>, what: &str) -> bool {
    let m = p.start();
    if !path_segment(p, what) {
        m.abandon(p);
        return false;
    }
    loop {
        match p.current() {
            DOT if p.nth(1) == L_CURLY && what == "a module" => break,
            DOT => p.bump(),
            COLON2 if what != "a module" => double_colon(p),
            _ => break,
        }
        if !path_segment(p, what) {
            break;
        }
    }
    m.complete(p, PATH);
    true
}

/// `::` where a point joins names.
pub(super) fn double_colon(p: &mut Parser<'_>) {
    p.expected_with("`.`", |error, p| {
        error
            .with_help("names are joined by `.`; `::` stands in a `use` before what it imports")
            .with_fix(Fix::new("write `.`", p.current_range(), "."))
    });
    p.bump();
}

fn path_segment(p: &mut Parser<'_>, what: &str) -> bool {
    match p.current() {
        SELF_KW | SUPER_KW => {
            let word = p.current_text();
            reserved_syntax(
                p,
                format!("`{word}` in a path is reserved"),
                "a path begins with `std`, `crate` or a dependency",
            );
            p.bump();
            true
        }
        _ => name_use(p, what),
    }
}

/// `use = "use" ("std" | "crate" | IDENT) {"." IDENT} ["::" ( name | "{" name {"," name} [","] "}" )] .`
fn use_decl(p: &mut Parser<'_>) {
    const USE_LIST_END: List = List {
        close: R_CURLY,
        element: "the name of an item",
        end: "`}` to close the import",
        trailing_comma: true,
        may_be_empty: false,
    };
    let m = p.start();
    p.bump();
    use_path(p);
    if p.at(DOT) {
        p.expected_with("`::`", |error, p| {
            error.with_fix(Fix::new("write `::`", p.current_range(), "::"))
        });
        p.bump();
    } else if !p.eat(COLON2) {
        if p.at(AS_KW) {
            p.expected_with("`::` or the next item", |error, _| {
                error.with_help("only imported items are renamed: `use a.b::{c as d}`")
            });
            junk_token(p);
            p.eat(IDENT);
        }
        m.complete(p, USE_DECL);
        return;
    }
    if p.at(L_CURLY) {
        let m = p.start();
        list(p, &USE_LIST_END, use_name);
        m.complete(p, USE_LIST);
    } else {
        use_name(p);
    }
    if p.at(COLON2) || (p.at(DOT) && !p.at_line_start()) {
        p.expected_with("the end of the import", |error, _| {
            error.with_help("modules are joined by `.`, and one `::` stands before the items")
        });
        junk(p, ITEM_STOPS);
    }
    m.complete(p, USE_DECL);
}

fn use_path(p: &mut Parser<'_>) {
    if !p.at(CRATE_KW) {
        path(p, "a module");
        return;
    }
    let m = p.start();
    p.bump();
    while p.at(DOT) && p.nth(1) != L_CURLY {
        p.bump();
        if !path_segment(p, "a module") {
            break;
        }
    }
    m.complete(p, PATH);
}

/// `name = IDENT ["as" IDENT] .`
fn use_name(p: &mut Parser<'_>) -> bool {
    let m = p.start();
    if p.at(STAR) {
        p.expected_with("the name of an item", |error, _| {
            error.with_help("name each item, or `use` the module and write `module.item`")
        });
        junk_token(p);
    } else if !name_use(p, "an item") {
        m.abandon(p);
        return false;
    } else if p.eat(AS_KW) {
        name(p, "the import", TokenSet::new(&[COMMA, R_CURLY]));
    }
    m.complete(p, USE_NAME);
    true
}

/// `item = ["pub"] ( const | alias | struct | enum | fn | op | entry | block ) .`
pub(super) fn item(p: &mut Parser<'_>, place: Place) {
    p.end_of_too_deep();
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
                p.unexpected_with("an item", |error, _| {
                    error.with_help("params, buffers, states and subs stand inside a `block`")
                });
            }
            member(p, m);
        }
        _ => {
            p.unexpected(expected_in(place));
            while p.eat(PUB_KW) {}
            m.abandon(p);
            if place != Place::Body && !p.at_any(MEMBER_STOPS) && !p.at(EOF) {
                let stops = if place == Place::Module {
                    ITEM_STOPS
                } else {
                    MEMBER_STOPS
                };
                junk(p, stops);
            }
        }
    }
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

/// `"extern"`, reserved: what it stands before is read as if it were not there.
fn external(p: &mut Parser<'_>, m: Marker, place: Place) {
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
            body(p, owner);
        }
        m.complete(p, kind);
        return;
    }
    m.abandon(p);
    if p.at(L_CURLY) {
        junk_token_group(p);
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
    m.complete(p, ERROR);
}

fn junk_token_group(p: &mut Parser<'_>) {
    let m = p.start();
    p.bump_group();
    m.complete(p, ERROR);
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
            if p.at_line_start() || !p.at_any(super::EXPR_START) {
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
    if p.at(L_CURLY) {
        let list = p.start();
        let mut braces = Braces::open(p, owner);
        while !braces.at_end(p) && !p.at_any(ENDS_FIELDS) {
            field(p);
        }
        braces.close(p, "`}` to close the struct");
        list.complete(p, FIELD_LIST);
    } else {
        p.expected("`{` and the fields of the struct");
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
        p.eat(COMMA);
        m.complete(p, FIELD);
    } else {
        m.abandon(p);
        p.unexpected("a field or `}` to close the struct");
        junk_token_group(p);
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
        generics.complete(p, ERROR);
    }
    if p.at(L_CURLY) {
        let list = p.start();
        let mut braces = Braces::open(p, owner);
        while !braces.at_end(p) && !p.at_any(ENDS_FIELDS) {
            variant(p);
        }
        braces.close(p, "`}` to close the enum");
        list.complete(p, VARIANT_LIST);
    } else {
        p.expected("`{` and the variants of the enum");
    }
    m.complete(p, ENUM);
}

fn variant(p: &mut Parser<'_>) {
    let m = p.start();
    if !p.at(IDENT) && !is_word(p.current()) {
        m.abandon(p);
        p.unexpected("a variant or `}` to close the enum");
        junk_token_group(p);
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

/// `fn = "fn" signature body .`
/// `op = "op" signature body ["grad" "(" IDENT "," IDENT ")" body] .`
/// `entry = "entry" signature body .`
fn function(p: &mut Parser<'_>, m: Marker, owner: usize, kind: SyntaxKind) {
    p.bump();
    signature(p, kind);
    if p.at(KERNEL_KW) {
        reserved_kernel(p);
    }
    if p.at(L_CURLY) {
        body(p, owner);
    } else {
        p.expected("`{` and the body of the function");
        if p.unclosed_braces < 0 && p.at_any(STMT_START) {
            body_without_brace(p);
        } else if p.at(EQ) || p.at(FAT_ARROW) {
            junk(p, MEMBER_STOPS.union(STMT_START));
        }
    }
    if p.at(IDENT) && p.nth(1) == L_PAREN && p.current_text() == "grad" {
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
        junk_token_group(p);
    }
    p.silence();
}

/// `"grad" "(" IDENT "," IDENT ")" body`
fn grad_clause(p: &mut Parser<'_>, owner: usize) {
    let m = p.start();
    p.bump_as(GRAD_KW);
    p.bump();
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
    if !p.at(R_PAREN) && !p.at(L_CURLY) {
        junk(p, MEMBER_STOPS.union(TokenSet::new(&[R_PAREN, L_CURLY])));
    }
    p.eat(R_PAREN);
    if p.at(L_CURLY) {
        body(p, owner);
    } else {
        p.expected("`{` and the body of the gradient");
    }
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

fn param_list(p: &mut Parser<'_>) {
    const PARAMS: List = List {
        close: R_PAREN,
        element: "a parameter",
        end: "`)` to close the parameters",
        trailing_comma: true,
        may_be_empty: true,
    };
    if !p.at(L_PAREN) {
        p.expected("`(` and the parameters");
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

/// `":" type`, which must stand here.
fn colon_type(p: &mut Parser<'_>, what: &str) {
    if p.eat(COLON) {
        type_(p);
    } else {
        p.expected(&format!("`:` and {what}"));
    }
}

/// `block = "block" IDENT [generics] [where] "{" {member} "}" .`
fn block(p: &mut Parser<'_>, m: Marker, owner: usize, place: Place) {
    p.bump();
    name(p, "a block", AFTER_ITEM_NAME);
    generic_params(p);
    where_clause(p);
    if !p.at(L_CURLY) {
        p.expected("`{` and the members of the block");
        // A `}` is left over, so the members are there.
        if p.unclosed_braces >= 0 || !p.at_any(MEMBER_START) {
            m.complete(p, BLOCK);
            return;
        }
    }
    if p.enter() {
        let inside = if place == Place::Module {
            Place::Block
        } else {
            Place::ReservedBlock
        };
        let list = p.start();
        let mut braces = if p.at(L_CURLY) {
            Braces::open(p, owner)
        } else {
            Braces::without_opening(p)
        };
        while !braces.at_end(p) && !ends_block(p) {
            member_or_item(p, inside);
        }
        braces.close(p, "`}` to close the block");
        list.complete(p, MEMBER_LIST);
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
            let m = p.start();
            member(p, m);
        }
        USE_KW | MODULE_KW => {
            p.unexpected("a member or an item");
            junk(p, MEMBER_STOPS);
        }
        SEMICOLON | COMMA => {
            let range = p.current_range();
            p.unexpected_with("a member or an item", |error, _| {
                error.with_fix(Fix::new("remove it", range, ""))
            });
            junk_token(p);
        }
        _ => item(p, place),
    }
}

/// `member = "param" IDENT ":" type ["=" expr] | "buffer" IDENT ":" type`
/// `       | "state" IDENT ":" type | "sub" IDENT ":" type ["=" expr] | item .`
fn member(p: &mut Parser<'_>, m: Marker) {
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
            m.complete(p, ERROR);
        } else {
            p.bump();
            expr(p);
        }
    }
    m.complete(p, kind);
}
