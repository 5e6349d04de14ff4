//! Bodies and statements.

use super::{
    EXPR_START, ITEM_START, MEMBER_START, STMT_START,
    expressions::expr,
    is_word,
    items::{Place, initializer, item, no_semicolons},
    layout::Braces,
    lists::{List, list},
    name, name_use,
    patterns::pattern,
    rest_of_broken_line,
    types::type_,
};
use crate::{SyntaxKind::*, parser::Parser, syntax_kind::TokenSet};

/// What begins something that is not a statement and never stands in a body.
const NOT_IN_A_BODY: TokenSet = ITEM_START.union(MEMBER_START);

/// `body = "{" {stmt} "}" .` The line that owns it begins with the token at `owner`.
pub(super) fn body(p: &mut Parser<'_>, owner: usize, expected: &str) {
    let begins = |p: &Parser<'_>| p.at_any(STMT_START) || (p.at(IDENT) && p.nth(1) == EQ);
    if !p.enter() {
        return;
    }
    let m = p.start();
    match Braces::expect(p, owner, expected, begins) {
        Some(braces) => {
            statements(p, braces);
            m.complete(p, BODY);
        }
        None => m.abandon(p),
    }
    p.leave();
}

/// The statements of a body whose head is broken, up to its brace.
pub(super) fn body_without_head(p: &mut Parser<'_>) {
    let m = p.start();
    let braces = Braces::without_opening(p);
    statements(p, braces);
    m.complete(p, BODY);
}

fn statements(p: &mut Parser<'_>, braces: Braces) {
    // Where a brace is missing, it is here at the latest.
    let stops = |p: &Parser<'_>| p.unclosed_braces > 0 && (at_grad_clause(p) || at_item(p));
    braces.lines(p, stops, stmt_or_item, "`}` to close the body");
}

/// Whether something begins here that never stands in a body.
fn at_item(p: &Parser<'_>) -> bool {
    p.at_any(NOT_IN_A_BODY) && p.nth(1) != EQ
}

fn stmt_or_item(p: &mut Parser<'_>) {
    if at_item(p) {
        p.expected_with("a statement", |error, _| {
            error.with_help("items and members stand outside of function bodies")
        });
        item(p, Place::Body);
    } else if p.unit(stmt) {
        rest_of_broken_line(p);
    }
}

/// Whether `grad(y, dy) {` stands here, which never follows a statement.
fn at_grad_clause(p: &Parser<'_>) -> bool {
    const AFTER_NAME: [crate::SyntaxKind; 6] = [L_PAREN, IDENT, COMMA, IDENT, R_PAREN, L_CURLY];
    p.at(IDENT)
        && p.current_text() == "grad"
        && AFTER_NAME
            .iter()
            .enumerate()
            .all(|(n, kind)| p.nth(n + 1) == *kind)
}

/// What stands in the place of a loop's body where there is none.
const LOOP_BODY: &str = "`{` and the body of the loop";

/// `stmt = let | var | assign | return | static for | while | for | yield .`
fn stmt(p: &mut Parser<'_>) {
    p.end_of_too_deep();
    match p.current() {
        LET_KW => let_stmt(p),
        VAR_KW => var_stmt(p),
        RETURN_KW => return_stmt(p),
        STATIC_KW => static_for_stmt(p),
        WHILE_KW => while_stmt(p),
        FOR_KW => for_stmt(p),
        YIELD_KW => yield_stmt(p),
        IDENT if p.nth(1) == EQ => assign_stmt(p),
        kind if is_word(kind) && p.nth(1) == EQ => assign_stmt(p),
        SEMICOLON => no_semicolons(p),
        _ => stray(p),
    }
}

/// `"let" pattern [":" type] "=" rhs | "let" IDENT "[" out {"," out} "]" "=" expr`
fn let_stmt(p: &mut Parser<'_>) {
    const OUTPUTS: List = List {
        close: R_BRACK,
        element: "an index",
        end: "`]` to close the indices",
        trailing_comma: false,
        declares: false,
        may_be_empty: false,
    };
    let m = p.start();
    p.bump();
    if p.at(MUT_KW) && p.nth(1) == IDENT {
        p.reserved_name("a local");
        super::junk_token(p);
    }
    if p.nth(1) == L_BRACK && (p.at(IDENT) || is_word(p.current())) {
        name(p, "a local", TokenSet::new(&[L_BRACK]));
        let names = p.start();
        list(p, &OUTPUTS, index_name);
        names.complete(p, INDEX_NAME_LIST);
        if p.at(COLON) {
            p.expected_with("`=`", |error, _| {
                error.with_help("the type of an index notation follows from its right side")
            });
            let ty = p.start();
            p.bump();
            type_(p);
            ty.complete_junk(p);
        }
        initializer(p, "what each element is");
        m.complete(p, INDEX_LET_STMT);
        return;
    }
    pattern(p);
    if p.eat(COLON) {
        type_(p);
    }
    initializer(p, "a value");
    m.complete(p, LET_STMT);
}

/// `out = IDENT | "*" IDENT .` A reduction's list has the same form.
pub(super) fn index_name(p: &mut Parser<'_>) -> bool {
    let m = p.start();
    let starred = p.eat(STAR);
    if !name_use(p, "an index") && !starred {
        m.abandon(p);
        return false;
    }
    m.complete(p, INDEX_NAME);
    true
}

/// `"var" IDENT [":" type] "=" rhs`
fn var_stmt(p: &mut Parser<'_>) {
    let m = p.start();
    p.bump();
    name(p, "a local", TokenSet::new(&[COLON, EQ]));
    if p.eat(COLON) {
        type_(p);
    }
    initializer(p, "a value");
    m.complete(p, VAR_STMT);
}

/// `IDENT "=" expr`
fn assign_stmt(p: &mut Parser<'_>) {
    let m = p.start();
    if !p.at(IDENT) {
        p.reserved_name("a local");
    }
    p.bump_as(IDENT);
    p.bump();
    expr(p);
    m.complete(p, ASSIGN_STMT);
}

/// `"return" [expr]`
fn return_stmt(p: &mut Parser<'_>) {
    let m = p.start();
    p.bump();
    let next_statement = p.nth(1) == EQ || (p.at_any(STMT_START) && p.at_line_start());
    let word = is_word(p.current()) && !p.at_line_start();
    if (p.at_any(EXPR_START) && !next_statement) || word {
        expr(p);
    }
    m.complete(p, RETURN_STMT);
}

/// `"static" "for" IDENT "in" expr [".." expr] body`
fn static_for_stmt(p: &mut Parser<'_>) {
    let owner = p.pos();
    let m = p.start();
    p.bump();
    if p.eat(FOR_KW) {
        loop_head(p, false);
    } else {
        p.expected("`for`");
    }
    // `static while c { .. }` and the like are read without the `static`.
    if !p.at_any(STMT_START) {
        body(p, owner, LOOP_BODY);
    }
    m.complete(p, STATIC_FOR_STMT);
}

/// `IDENT "in" expr ".." expr`
fn loop_head(p: &mut Parser<'_>, range: bool) {
    if !name(p, "the loop's variable", TokenSet::new(&[IN_KW])) && !p.at(IN_KW) {
        return;
    }
    if !p.eat(IN_KW) {
        p.expected("`in`");
        if p.at(L_CURLY) || p.at_line_start() {
            return;
        }
        if p.at(EQ) {
            super::junk_token(p);
        }
    }
    expr(p);
    if p.eat(DOT2) {
        if p.at(EQ) {
            p.expected_with("the end of the range", |error, _| {
                error.with_help("the end of `a..b` is not part of it: write `a..b + 1`")
            });
            super::junk_token(p);
        }
        expr(p);
    } else if range {
        p.expected("`..` and the end of the range");
    }
}

/// `"while" expr body`
fn while_stmt(p: &mut Parser<'_>) {
    let owner = p.pos();
    let m = p.start();
    p.bump();
    expr(p);
    body(p, owner, LOOP_BODY);
    m.complete(p, WHILE_STMT);
}

/// `"for" IDENT "in" expr ".." expr body`
fn for_stmt(p: &mut Parser<'_>) {
    let m = p.start();
    for_loop(p);
    m.complete(p, FOR_STMT);
}

/// The loop itself, which is also the right side of a scan.
pub(super) fn for_loop(p: &mut Parser<'_>) {
    let owner = p.pos();
    p.bump();
    loop_head(p, true);
    body(p, owner, LOOP_BODY);
}

/// `"yield" expr`
fn yield_stmt(p: &mut Parser<'_>) {
    let m = p.start();
    p.bump();
    expr(p);
    m.complete(p, YIELD_STMT);
}

/// What is no statement, reported once and passed over up to the next one.
fn stray(p: &mut Parser<'_>) {
    let own_line = p.at_line_start();
    let what = if own_line {
        "a statement"
    } else {
        "an operator or the next statement"
    };
    p.expected_with(what, |error, p| match stray_help(p, own_line) {
        Some(help) => error.with_help(help),
        None => error,
    });
    let indent = p.line_indent_at(p.pos());
    let m = p.start();
    if p.unclosed_braces > 0 && p.at(L_CURLY) {
        // One too many: what stands inside is read as if it were not there.
        p.unclosed_braces -= 1;
        p.bump();
    } else {
        p.bump_group();
    }
    while !at_next_stmt(p, indent) {
        p.bump_group();
    }
    m.complete_junk(p);
}

/// What a user of another language may have meant.
fn stray_help(p: &Parser<'_>, own_line: bool) -> Option<String> {
    let word = p.current_text();
    let help = match (p.current(), p.nth(1), p.nth(2)) {
        (QUESTION, ..) => "a choice is written `if c { a } else { b }`",
        (AS_KW, ..) => "a value is converted with `cast<T>(x)`",
        (PLUS | MINUS | STAR | SLASH | PERCENT | EQ2 | AMP2 | PIPE2, ..) => {
            "an `if`, `match` or `for` inside an expression stands in parentheses"
        }
        (IDENT, ..) if word == "and" => "write `&&`, or `&` on tensors",
        (IDENT, ..) if word == "or" => "write `||`, or `|` on tensors",
        _ if !own_line && p.previous_text() == "not" => "write `!`",
        _ if !own_line => return None,
        (IDENT, PLUS | MINUS | STAR | SLASH | PERCENT, EQ) => {
            return Some(format!("write `{word} = {word} ...`"));
        }
        (IDENT, L_BRACK, _) => "elements are defined with `let x[i] = ...`",
        (IDENT, COLON, _) => "a new local begins with `let` or `var`",
        (IF_KW | MATCH_KW, ..) => {
            return Some(format!("`{word}` is an expression: `let x = {word} ...`"));
        }
        (IDENT | L_PAREN, ..) => "an expression alone does nothing; bind it with `let`",
        _ => return None,
    };
    Some(help.to_owned())
}

/// Whether a statement begins here, or another stray one on a line of its own.
fn at_next_stmt(p: &Parser<'_>, indent: Option<u32>) -> bool {
    const STOPS: TokenSet = STMT_START
        .union(NOT_IN_A_BODY)
        .union(TokenSet::new(&[R_CURLY, EOF, SEMICOLON]));
    if p.at_any(STOPS) {
        return true;
    }
    if !p.at_line_start() {
        return false;
    }
    let assignment = p.at(IDENT) && p.nth(1) == EQ;
    assignment
        || (matches!(p.current(), IDENT | IF_KW | MATCH_KW) && p.indent_at(p.pos()) <= indent)
}
