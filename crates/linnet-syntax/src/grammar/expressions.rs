//! Expressions.

use super::{
    ENDS_BRACKETS, EXPR_START,
    generics::generic_args,
    is_word,
    lists::{List, close, list, list_rest},
    modules::double_colon,
    name_use,
    patterns::{flat_pattern, pattern},
    reserved_syntax,
    statements::{for_loop, index_name},
    types::{shape_elem, spread, type_},
};
use crate::{
    Fix, SyntaxKind,
    SyntaxKind::*,
    lexer::{I64_MIN_MAGNITUDE, parse_int, too_large},
    parser::{CompletedMarker, Parser},
    syntax_kind::TokenSet,
};

/// How tightly the operators of `additive` bind, and one below.
const ADDITIVE: u8 = 8;

/// How tightly a binary operator binds; 0 for what is none. All are left-associative.
fn binding_power(kind: SyntaxKind) -> u8 {
    match kind {
        PIPE2 => 1,
        AMP2 => 2,
        EQ2 | NEQ => 3,
        LT | LTEQ | GT | GTEQ => 4,
        PIPE => 5,
        CARET => 6,
        AMP => 7,
        PLUS | MINUS => ADDITIVE,
        STAR | SLASH | PERCENT => 9,
        _ => 0,
    }
}

/// `expr = "if" .. | "match" .. | binary .`
pub(super) fn expr(p: &mut Parser<'_>) -> bool {
    if !p.enter() {
        return false;
    }
    let taken = match p.current() {
        IF_KW => Some(if_expr(p)),
        MATCH_KW => Some(match_expr(p)),
        _ => binary(p, 0),
    };
    p.leave();
    taken.is_some()
}

/// `additive`: the operators `+ - * / %` and what binds tighter.
pub(super) fn additive(p: &mut Parser<'_>) -> bool {
    if !p.enter() {
        return false;
    }
    let taken = binary(p, ADDITIVE - 1);
    p.leave();
    taken.is_some()
}

/// `binary = unary {op unary}`, for the operators that bind tighter than `min`.
fn binary(p: &mut Parser<'_>, min: u8) -> Option<CompletedMarker> {
    let outer = p.begin_height();
    let lhs = binary_from(p, min);
    p.end_height(outer);
    lhs
}

fn binary_from(p: &mut Parser<'_>, min: u8) -> Option<CompletedMarker> {
    let mut lhs = unary(p)?;
    loop {
        let power = binding_power(p.current());
        if power <= min {
            return Some(lhs);
        }
        if !p.grow() {
            return Some(lhs);
        }
        let m = lhs.precede(p);
        p.bump();
        if p.enter() {
            binary(p, power);
            p.leave();
        }
        lhs = m.complete(p, BINARY_EXPR);
    }
}

/// `unary = {"!" | "-" | "+"} postfix`
fn unary(p: &mut Parser<'_>) -> Option<CompletedMarker> {
    if !matches!(p.current(), BANG | MINUS | PLUS) {
        return postfix(p);
    }
    if !p.enter() {
        return None;
    }
    let m = p.start();
    let negative = p.at(MINUS);
    p.bump();
    if negative && p.at(INT_NUMBER) {
        int_literal(p, I64_MIN_MAGNITUDE);
    } else {
        unary(p);
    }
    p.leave();
    Some(m.complete(p, UNARY_EXPR))
}

/// A number and what may follow it, up to the value `max`.
fn int_literal(p: &mut Parser<'_>, max: u64) {
    check_int(p, max);
    let m = p.start();
    p.bump();
    let literal = m.complete(p, LITERAL);
    postfix_tail(p, literal);
}

/// E1005 for an integer one past the largest; the lexer has reported larger ones.
fn check_int(p: &mut Parser<'_>, max: u64) {
    let text = p.current_text();
    if text.len() >= 18 && parse_int(text) == Some(I64_MIN_MAGNITUDE) && max < I64_MIN_MAGNITUDE {
        let error = too_large(p.current_range());
        p.report_always(error);
    }
}

/// `postfix = primary { [generic_args] "(" [arg {"," arg} [","]] ")"`
/// `                  | "[" index {"," index} "]" | "." IDENT } .`
fn postfix(p: &mut Parser<'_>) -> Option<CompletedMarker> {
    let operand = primary(p)?;
    // These reach as far right as they can, or end with a brace.
    if matches!(
        operand.kind(),
        REDUCE_EXPR | SCAN_EXPR | IF_EXPR | MATCH_EXPR
    ) {
        return Some(operand);
    }
    Some(postfix_tail(p, operand))
}

fn postfix_tail(p: &mut Parser<'_>, mut lhs: CompletedMarker) -> CompletedMarker {
    loop {
        let call = match p.current() {
            L_PAREN => true,
            // A literal is never called, so there `<` compares.
            LT if lhs.kind() != LITERAL => {
                if !p.at_generic_call() {
                    return lhs;
                }
                true
            }
            L_BRACK | DOT => false,
            COLON2 if !p.in_index && p.nth(1) == IDENT => false,
            _ => return lhs,
        };
        if !p.grow() {
            return lhs;
        }
        let m = lhs.precede(p);
        lhs = if call {
            if p.at(LT) {
                generic_args(p);
            }
            arg_list(p);
            m.complete(p, CALL_EXPR)
        } else if p.at(L_BRACK) {
            index_list(p);
            m.complete(p, INDEX_EXPR)
        } else {
            if p.at(COLON2) {
                double_colon(p);
            } else {
                p.bump();
            }
            name_use(p, "a field or member");
            m.complete(p, FIELD_EXPR)
        };
    }
}

fn arg_list(p: &mut Parser<'_>) {
    const ARGS: List = List {
        close: R_PAREN,
        element: "an argument",
        end: "`)` to close the call",
        trailing_comma: true,
        declares: false,
        may_be_empty: true,
    };
    let m = p.start();
    inside_brackets(p, false, |p| list(p, &ARGS, arg));
    m.complete(p, ARG_LIST);
}

/// Reads what brackets hold; `index` says whether `::` is two colons in it.
fn inside_brackets(p: &mut Parser<'_>, index: bool, inside: impl FnOnce(&mut Parser<'_>)) {
    let in_index = std::mem::replace(&mut p.in_index, index);
    let in_constraint = std::mem::replace(&mut p.in_constraint, false);
    inside(p);
    p.in_index = in_index;
    p.in_constraint = in_constraint;
}

/// `arg = [IDENT "="] expr .`
fn arg(p: &mut Parser<'_>) -> bool {
    let m = p.start();
    let named = p.nth(1) == EQ && (p.at(IDENT) || is_word(p.current()));
    if named {
        if !p.at(IDENT) {
            p.reserved_name("a parameter");
        }
        p.bump_as(IDENT);
        p.bump();
    } else if !at_expr(p) {
        m.abandon(p);
        p.expected("an argument");
        return false;
    }
    let taken = expr(p);
    if taken || named {
        m.complete(p, ARG);
    } else {
        m.abandon(p);
    }
    taken || named
}

/// Whether an expression may begin here, reserved words in a name's place included.
fn at_expr(p: &Parser<'_>) -> bool {
    p.at_any(EXPR_START) || stands_for_a_name(p, p.current())
}

fn index_list(p: &mut Parser<'_>) {
    const INDICES: List = List {
        close: R_BRACK,
        element: "an index",
        end: "`]` to close the index",
        trailing_comma: false,
        declares: false,
        may_be_empty: false,
    };
    let m = p.start();
    inside_brackets(p, true, |p| list(p, &INDICES, index));
    m.complete(p, INDEX_LIST);
}

/// `index = expr | "..." | "*" IDENT | [expr] ":" [expr] [":" [expr]] .`
fn index(p: &mut Parser<'_>) -> bool {
    match p.current() {
        DOT3 => {
            let m = p.start();
            p.bump();
            m.complete(p, REST_INDEX);
            true
        }
        STAR => spread(p),
        COLON | COLON2 => {
            let m = p.start();
            slice_tail(p);
            m.complete(p, SLICE);
            true
        }
        _ if !at_expr(p) => {
            p.expected("an index");
            false
        }
        _ => {
            // The slice, if it is one, holds the expression that was read first.
            let m = p.start();
            let taken = expr(p);
            if p.at(COLON) || p.at(COLON2) {
                slice_tail(p);
                m.complete(p, SLICE);
                return true;
            }
            if p.at(DOT2) {
                p.expected_with("`:`", |error, p| {
                    error
                        .with_help("a slice is written `a:b`")
                        .with_fix(Fix::new("write `:`", p.current_range(), ":"))
                });
                p.bump();
                if at_expr(p) {
                    expr(p);
                }
                m.complete(p, SLICE);
                return true;
            }
            m.abandon(p);
            taken
        }
    }
}

/// `":" [expr] [":" [expr]]`
fn slice_tail(p: &mut Parser<'_>) {
    colon(p);
    if at_expr(p) {
        expr(p);
    }
    if p.at(COLON) || p.at(COLON2) {
        colon(p);
        if at_expr(p) {
            expr(p);
        }
    }
}

/// A colon, or the first of the two that `::` is here.
fn colon(p: &mut Parser<'_>) {
    if p.at(COLON2) {
        p.bump_first_byte(COLON, COLON);
    } else {
        p.bump();
    }
}

/// `primary = literal | IDENT | "(" expr ")" | "(" expr "," [expr {"," expr} [","]] ")"`
/// `        | "[" [shape_elem {"," shape_elem} [","]] "]" | reduction`
/// `        | "some" "(" expr ")" | "none" .`
fn primary(p: &mut Parser<'_>) -> Option<CompletedMarker> {
    match p.current() {
        IDENT => {
            if matches!(p.nth(1), L_BRACK | LT) && p.reduction_head(p.pos()).is_some() {
                return Some(reduction(p));
            }
            // An assignment or a field on the next line: the operand is missing.
            let another = p.nth(1) == EQ || (p.nth(1) == COLON && !p.in_index);
            if another && p.at_line_start() {
                p.expected("an expression");
                return None;
            }
            Some(leaf(p, NAME_EXPR))
        }
        INT_NUMBER => {
            check_int(p, I64_MIN_MAGNITUDE - 1);
            Some(leaf(p, LITERAL))
        }
        FLOAT_NUMBER | TRUE_KW | FALSE_KW => Some(leaf(p, LITERAL)),
        STRING => {
            reserved_syntax(
                p,
                "a string as a value is reserved".to_owned(),
                "there is no string type",
            );
            Some(leaf(p, LITERAL))
        }
        L_PAREN => Some(paren_or_tuple(p)),
        L_BRACK => Some(list_expr(p)),
        SOME_KW => Some(some_expr(p)),
        NONE_KW => Some(leaf(p, NONE_EXPR)),
        IF_KW | MATCH_KW => {
            let word = p.current_text();
            p.expected_with("an operand", |error, _| {
                error.with_help(format!(
                    "an `{word}` inside an expression stands in parentheses"
                ))
            });
            if !p.enter() {
                return None;
            }
            let inner = if p.at(IF_KW) {
                if_expr(p)
            } else {
                match_expr(p)
            };
            p.leave();
            Some(inner)
        }
        FOR_KW => Some(scan(p)),
        SELF_KW | SUPER_KW => {
            let word = p.current_text();
            reserved_syntax(
                p,
                format!("`{word}` is reserved"),
                "inside a block, members and methods are written by their bare names",
            );
            Some(leaf(p, NAME_EXPR))
        }
        kind if stands_for_a_name(p, kind) => {
            p.reserved_name("a value");
            let m = p.start();
            p.bump_as(IDENT);
            Some(m.complete(p, NAME_EXPR))
        }
        _ => {
            p.expected("an expression");
            None
        }
    }
}

fn leaf(p: &mut Parser<'_>, kind: SyntaxKind) -> CompletedMarker {
    let m = p.start();
    p.bump();
    m.complete(p, kind)
}

/// Whether a reserved word here was meant as a name, and not as what it begins.
pub(super) fn stands_for_a_name(p: &Parser<'_>, kind: SyntaxKind) -> bool {
    const NEVER: TokenSet = TokenSet::new(&[
        LET_KW, VAR_KW, RETURN_KW, STATIC_KW, WHILE_KW, YIELD_KW, IN_KW, AS_KW, ELSE_KW, WHERE_KW,
        PUB_KW,
    ]);
    is_word(kind)
        && !NEVER.contains(kind)
        && (p.nth(1) != IDENT || p.line_start_at(p.pos() + 1))
        && (p.is_reported_word(kind) || !p.at_line_start())
}

fn paren_or_tuple(p: &mut Parser<'_>) -> CompletedMarker {
    const TUPLE: List = List {
        close: R_PAREN,
        element: "an expression",
        end: "`)` to close the parentheses",
        trailing_comma: true,
        declares: false,
        may_be_empty: true,
    };
    let m = p.start();
    let open = p.pos();
    p.bump();
    let mut kind = PAREN_EXPR;
    inside_brackets(p, false, |p| {
        expr(p);
        if p.eat(COMMA) {
            kind = TUPLE_EXPR;
            list_rest(p, &TUPLE, p.closing(open), expr);
        } else {
            close(p, open, R_PAREN, TUPLE.end);
        }
    });
    m.complete(p, kind)
}

fn list_expr(p: &mut Parser<'_>) -> CompletedMarker {
    const SHAPE: List = List {
        close: R_BRACK,
        element: "an element",
        end: "`]` to close the list",
        trailing_comma: true,
        declares: false,
        may_be_empty: true,
    };
    let m = p.start();
    inside_brackets(p, false, |p| list(p, &SHAPE, shape_elem));
    m.complete(p, LIST_EXPR)
}

/// `"some" "(" expr ")"`
fn some_expr(p: &mut Parser<'_>) -> CompletedMarker {
    let m = p.start();
    p.bump();
    let open = p.pos();
    if p.eat(L_PAREN) {
        inside_brackets(p, false, |p| {
            expr(p);
            close(p, open, R_PAREN, "`)` to close `some`");
        });
    } else {
        p.expected("`(` and the value of `some`");
    }
    m.complete(p, SOME_EXPR)
}

/// `reduction = ("sum"|"prod"|"max"|"min"|"any"|"all") ["<" dtype ">"]`
/// `            "[" IDENT {"," IDENT} "]" expr .`
fn reduction(p: &mut Parser<'_>) -> CompletedMarker {
    const NAMES: List = List {
        close: R_BRACK,
        element: "an index",
        end: "`]` to close the indices",
        trailing_comma: false,
        declares: false,
        may_be_empty: false,
    };
    let m = p.start();
    p.bump_as(REDUCER_KW);
    if p.eat(LT) {
        type_(p);
        p.eat(GT);
    }
    let names = p.start();
    list(p, &NAMES, index_name);
    names.complete(p, INDEX_NAME_LIST);
    expr(p);
    m.complete(p, REDUCE_EXPR)
}

/// `"for" IDENT "in" expr ".." expr body`, a scan.
fn scan(p: &mut Parser<'_>) -> CompletedMarker {
    let m = p.start();
    inside_brackets(p, false, for_loop);
    m.complete(p, SCAN_EXPR)
}

/// `"if" expr "{" expr "}" "else" ( "{" expr "}" | if )`
fn if_expr(p: &mut Parser<'_>) -> CompletedMarker {
    let m = p.start();
    p.bump();
    inside_brackets(p, false, |p| {
        expr(p);
        branch(p);
        if p.at(IDENT) && matches!(p.current_text(), "elif" | "elseif") {
            p.expected_with("`else`", |error, p| {
                error.with_fix(Fix::new("write `else if`", p.current_range(), "else if"))
            });
            super::junk_token(p);
            // The rest reads as if it were there.
            let inner = p.start();
            if p.enter() {
                expr(p);
                branch(p);
                if p.at(ELSE_KW) {
                    else_tail(p);
                }
                p.leave();
            }
            inner.complete(p, IF_EXPR);
        } else if p.at(ELSE_KW) {
            else_tail(p);
        } else {
            p.expected_with("`else`", |error, _| {
                error.with_help("an `if` is a value, so it has one for either case")
            });
        }
    });
    m.complete(p, IF_EXPR)
}

/// `"else" ( "{" expr "}" | if )`
fn else_tail(p: &mut Parser<'_>) {
    p.bump();
    if p.at(IF_KW) {
        if p.enter() {
            if_expr(p);
            p.leave();
        }
    } else {
        branch(p);
    }
}

/// `"{" expr "}"`
fn branch(p: &mut Parser<'_>) {
    if !p.at(L_CURLY) {
        p.expected("`{` and a value");
        super::junk_before_brace(p);
    }
    let m = p.start();
    let open = p.pos();
    if !p.eat(L_CURLY) {
        if p.unclosed_braces >= 0 || !at_expr(p) {
            m.abandon(p);
            return;
        }
        // Only the `{` is missing: a `}` is left over.
        p.unclosed_braces += 1;
    }
    if p.at_any(ENDS_BRACKETS) {
        p.expected_with("an expression", |error, _| {
            error.with_help("a branch holds one expression and no statements")
        });
    } else {
        expr(p);
    }
    close(p, open, R_CURLY, "`}` to close the branch");
    m.complete(p, BRANCH);
}

/// `"match" expr "{" arm {arm} "}"`
fn match_expr(p: &mut Parser<'_>) -> CompletedMarker {
    let m = p.start();
    p.bump();
    inside_brackets(p, false, |p| {
        expr(p);
        if p.at(L_CURLY) {
            match_arms(p);
        } else {
            p.expected("`{` and the arms of the match");
            super::junk_before_brace(p);
            if p.at(L_CURLY) || (p.unclosed_braces < 0 && p.at_any(ARM_START)) {
                match_arms(p);
            }
        }
    });
    m.complete(p, MATCH_EXPR)
}

/// What can begin an arm.
const ARM_START: TokenSet = TokenSet::new(&[IDENT, SOME_KW, NONE_KW]);

fn match_arms(p: &mut Parser<'_>) {
    let m = p.start();
    let open = p.pos();
    if !p.eat(L_CURLY) {
        // It is missing and has been reported; its partner is there.
        p.unclosed_braces += 1;
    }
    if p.at(R_CURLY) {
        p.expected("an arm such as `none => 0`");
    }
    while !p.at(R_CURLY) && !p.at(EOF) && !p.at_any(ENDS_BRACKETS) {
        if p.unclosed_braces > 0 && p.at(L_CURLY) {
            p.expected("an arm");
            p.unclosed_braces -= 1;
            super::junk_token(p);
            continue;
        }
        p.progress(|p| {
            p.unit(arm);
        });
    }
    close(p, open, R_CURLY, "`}` to close the match");
    m.complete(p, MATCH_ARM_LIST);
}

/// `arm = ( IDENT | "_" | "some" "(" pattern ")" | "none" ) "=>" expr [","] .`
fn arm(p: &mut Parser<'_>) {
    /// Where a broken arm ends at the latest.
    const STOPS: TokenSet = TokenSet::new(&[FAT_ARROW, COMMA, R_CURLY]).union(ENDS_BRACKETS);
    let m = p.start();
    let whole = match p.current() {
        L_PAREN => {
            p.expected_with("an arm", |error, _| {
                error.with_help("an arm never begins with `(`; take the tuple apart with `let`")
            });
            pattern(p)
        }
        _ => flat_pattern(p, "an arm such as `none => 0`"),
    };
    if whole && p.at(DOT) && p.nth(1) == IDENT {
        p.expected_with("`=>`", |error, _| {
            error.with_help("a variant is matched by its bare name")
        });
    } else if whole && !p.at(FAT_ARROW) {
        p.expected("`=>`");
    }
    if !p.at(FAT_ARROW) && !p.at_any(STOPS) && !p.at(EOF) {
        let junk = p.start();
        while !(p.at_any(STOPS) || p.at(EOF) || whole && p.at_line_start()) {
            p.bump_group();
        }
        junk.complete_junk(p);
    }
    if p.eat(FAT_ARROW) {
        expr(p);
    }
    p.eat(COMMA);
    m.complete(p, MATCH_ARM);
}
