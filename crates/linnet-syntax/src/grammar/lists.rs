//! Lists in brackets with commas between, and how a broken one ends.

use rowan::TextRange;

use crate::{Fix, SyntaxKind, SyntaxKind::*, parser::Parser, syntax_kind::TokenSet};

/// What a list in brackets looks like.
pub(super) struct List {
    pub(super) close: SyntaxKind,
    /// One element, as in "expected an argument".
    pub(super) element: &'static str,
    /// The end, as in "expected `)` to close the call".
    pub(super) end: &'static str,
    pub(super) trailing_comma: bool,
    pub(super) may_be_empty: bool,
    /// Whether an element is a name with a colon, so that nothing else is taken for one.
    pub(super) declares: bool,
}

/// `open [element {"," element} [","]] close`, the opening bracket being the current token.
///
/// `element` says whether it took something; if not, it has reported why.
pub(super) fn list(p: &mut Parser<'_>, list: &List, element: impl FnMut(&mut Parser<'_>) -> bool) {
    let open = p.pos();
    let known_end = if p.at(LT) {
        p.closing_angle(open)
    } else {
        p.closing(open)
    };
    p.bump();
    list_rest(p, list, known_end, element);
}

/// The rest of a list after its opening bracket. Where its closing bracket is known to stand, a
/// broken element is passed over; else the list ends at the first thing that does not fit.
pub(super) fn list_rest(
    p: &mut Parser<'_>,
    list: &List,
    known_end: Option<usize>,
    mut element: impl FnMut(&mut Parser<'_>) -> bool,
) {
    if at_close(p, list.close) && !list.may_be_empty {
        p.expected(list.element);
    }
    while !at_close(p, list.close) && !p.at(EOF) {
        let start = p.pos();
        let mut taken = false;
        let mut broken = false;
        if !may_begin_element(p) {
            p.expected(&format!("{} or {}", list.element, list.end));
        } else if known_end.is_none() {
            taken = element(p);
        } else {
            broken = p.unit(|p| taken = element(p));
            if broken && !p.at(COMMA) && !at_close(p, list.close) {
                // The element did not end where one ends: the list is broken with it.
                p.set_broken();
            }
        }
        if p.at(COMMA) {
            let comma = p.current_range();
            p.bump();
            if broken {
                to_next_declaration(p, list, known_end);
            }
            if at_close(p, list.close) && !list.trailing_comma {
                no_trailing_comma(p, list, comma);
            }
            continue;
        }
        if at_close(p, list.close) {
            break;
        }
        let Some(end) = known_end.filter(|end| p.pos() < *end) else {
            break;
        };
        if taken && p.pos() > start && !p.is_silenced() && begins_another(p, list) {
            missing_comma(p, list);
            continue;
        }
        p.expected(list.end);
        let m = p.start();
        while p.pos() < end && !p.at(COMMA) {
            p.bump_group();
        }
        m.complete_junk(p);
        p.eat(COMMA);
        to_next_declaration(p, list, known_end);
        if p.pos() == start {
            break;
        }
    }
    if !eat_close(p, list.close) {
        missing_close(p, list.end);
    }
}

/// After a broken element of a list of declarations, passes over what is none.
fn to_next_declaration(p: &mut Parser<'_>, list: &List, known_end: Option<usize>) {
    let Some(end) = known_end.filter(|_| list.declares) else {
        return;
    };
    let m = p.start();
    while p.pos() < end && !begins_another(p, list) {
        p.bump_group();
    }
    m.complete_junk(p);
}

/// Whether the current token can begin an element of any list.
fn may_begin_element(p: &Parser<'_>) -> bool {
    const PREFIXES: TokenSet = TokenSet::new(&[
        L_PAREN, L_BRACK, STAR, MINUS, PLUS, BANG, DOT3, COLON, COLON2,
    ]);
    if p.current().is_punctuation() {
        p.at_any(PREFIXES)
    } else {
        !p.at_end_of_brackets()
    }
}

/// Whether an element begins here for which only a comma is missing.
fn begins_another(p: &Parser<'_>, list: &List) -> bool {
    if list.declares {
        let name = usize::from(p.at(STAR));
        p.nth(name) == IDENT && p.nth(name + 1) == COLON
    } else {
        p.at_any(super::EXPR_START)
    }
}

fn missing_comma(p: &mut Parser<'_>, list: &List) {
    p.expected_with(&format!("`,` or {}", list.end), |error, p| {
        let gap = p.gap_range();
        error.with_fix(Fix::new("insert `,`", gap, ","))
    });
}

fn no_trailing_comma(p: &mut Parser<'_>, list: &List, comma: TextRange) {
    // Nothing else is in doubt, so this is a unit of its own.
    p.unit(|p| {
        p.expected_with(list.element, |error, _| {
            error.with_fix(Fix::new("remove the comma", comma, ""))
        });
    });
}

/// Reports that a bracket is not closed, offering to close it right here.
pub(super) fn missing_close(p: &mut Parser<'_>, end: &str) {
    p.expected_with(end, |error, p| {
        let bracket = end.split('`').nth(1).unwrap_or("").to_owned();
        let gap = p.gap_range();
        error.with_fix(Fix::new(format!("insert `{bracket}`"), gap, bracket))
    });
}

/// A closing bracket that must stand here; where it is known to stand later, what is before it is
/// passed over.
pub(super) fn close(p: &mut Parser<'_>, open: usize, kind: SyntaxKind, end: &str) {
    if p.eat(kind) {
        return;
    }
    missing_close(p, end);
    // With a brace missing somewhere, a far pair of braces proves nothing.
    let believed = kind != R_CURLY || p.unclosed_braces == 0;
    let Some(closing) = p
        .closing(open)
        .filter(|closing| believed && *closing > p.pos())
    else {
        return;
    };
    if kind != R_CURLY && p.at_end_of_brackets() {
        return;
    }
    let m = p.start();
    while p.pos() < closing {
        p.bump_group();
    }
    m.complete_junk(p);
    p.eat(kind);
}

pub(super) fn at_close(p: &Parser<'_>, close: SyntaxKind) -> bool {
    p.at(close) || (close == GT && p.at(GTEQ))
}

/// Takes the closing bracket; from `>=` only its `>`, as in `sub a: B<N>= none`.
fn eat_close(p: &mut Parser<'_>, close: SyntaxKind) -> bool {
    if close == GT && p.at(GTEQ) {
        p.bump_first_byte(GT, EQ);
        return true;
    }
    p.eat(close)
}
