//! Generic parameters, generic arguments and `where` clauses.

use super::{
    expressions::additive,
    lists::{List, list},
    name,
    types::{at_type_only, shape_elem, type_},
};
use crate::{Fix, SyntaxKind::*, parser::Parser, syntax_kind::TokenSet};

/// The kinds a generic can have, as written.
const KINDS: [&str; 6] = ["Dim", "Shape", "DType", "Numeric", "Integer", "Float"];

/// `generics = "<" generic {"," generic} [","] ">" .`
pub(super) fn generic_params(p: &mut Parser<'_>) {
    const GENERICS: List = List {
        close: GT,
        element: "a generic parameter",
        end: "`>` to close the generic parameters",
        trailing_comma: true,
        declares: true,
        may_be_empty: false,
    };
    if p.at(LT) {
        let m = p.start();
        list(p, &GENERICS, generic_param);
        m.complete(p, GENERIC_PARAMS);
    }
}

/// `generic = ["*"] IDENT ":" kind ["=" type_or_expr] .`
/// `kind = "Dim" | "Shape" | "DType" | "Numeric" | "Integer" | "Float" .`
fn generic_param(p: &mut Parser<'_>) -> bool {
    let m = p.start();
    let starred = p.eat(STAR);
    let named = name(p, "a generic", TokenSet::new(&[COLON, COMMA, GT]));
    if !named && !starred {
        m.abandon(p);
        return false;
    }
    if named || p.at(COLON) {
        if !p.eat(COLON) {
            p.expected("`:` and the kind of the generic, such as `Dim`");
        } else if p.at(IDENT) && KINDS.contains(&p.current_text()) {
            p.bump();
        } else {
            p.expected("`Dim`, `Shape`, `DType`, `Numeric`, `Integer` or `Float`");
            if p.at(IDENT) && !p.at_line_start() {
                p.bump();
            }
        }
        if p.eat(EQ) {
            generic_arg(p);
        }
    }
    m.complete(p, GENERIC_PARAM);
    true
}

/// `generic_args= "<" type_or_expr {"," type_or_expr} [","] ">" .`
pub(super) fn generic_args(p: &mut Parser<'_>) {
    const ARGS: List = List {
        close: GT,
        element: "a generic argument",
        end: "`>` to close the generic arguments",
        trailing_comma: true,
        declares: false,
        may_be_empty: false,
    };
    let m = p.start();
    let in_index = std::mem::replace(&mut p.in_index, false);
    let in_constraint = std::mem::replace(&mut p.in_constraint, false);
    list(p, &ARGS, generic_arg);
    p.in_index = in_index;
    p.in_constraint = in_constraint;
    m.complete(p, GENERIC_ARGS);
}

/// `type_or_expr= type | additive | "[" [shape_elem {"," shape_elem}] "]" .`
///
/// A lone name can be either and is read as an expression.
fn generic_arg(p: &mut Parser<'_>) -> bool {
    let m = p.start();
    let taken = if at_type_only(p) {
        type_(p)
    } else if p.at(STAR) {
        p.expected_with("a generic argument", |error, _| {
            error.with_help("a shape is given as a list: `<[*s]>`")
        });
        shape_elem(p)
    } else {
        additive(p)
    };
    if taken {
        m.complete(p, GENERIC_ARG);
    } else {
        m.abandon(p);
    }
    taken
}

/// `where = "where" constraint {"," constraint} [","] .`
pub(super) fn where_clause(p: &mut Parser<'_>) {
    if !p.at(WHERE_KW) {
        return;
    }
    let m = p.start();
    p.bump();
    loop {
        let mut taken = false;
        if p.unit(|p| taken = constraint(p)) && !p.at(COMMA) && !p.at(L_CURLY) {
            p.set_broken();
        }
        if !taken {
            break;
        }
        if p.at(AMP2) {
            p.expected_with("`,` or the end of the constraints", |error, p| {
                error.with_fix(Fix::new("write `,`", p.current_range(), ","))
            });
            p.bump();
        } else if !p.eat(COMMA) {
            break;
        }
        if p.at(L_CURLY) || p.at(KERNEL_KW) || p.at(EOF) {
            break;
        }
    }
    m.complete(p, WHERE_CLAUSE);
}

const RELOPS: TokenSet = TokenSet::new(&[EQ2, NEQ, LT, LTEQ, GT, GTEQ]);

/// `constraint = additive relop additive .    relop = "==" "!=" "<" "<=" ">" ">=" .`
fn constraint(p: &mut Parser<'_>) -> bool {
    let m = p.start();
    let outer = std::mem::replace(&mut p.in_constraint, true);
    let taken = additive(p);
    if taken {
        if p.at_any(RELOPS) {
            p.bump();
            additive(p);
        } else if p.at(EQ) {
            p.expected_with("a comparison", |error, p| {
                error.with_fix(Fix::new("write `==`", p.current_range(), "=="))
            });
            p.bump();
            additive(p);
        } else {
            p.expected("a comparison such as `==` or `>`");
        }
    }
    p.in_constraint = outer;
    if taken {
        // `a < b < c` and other tails: one fault, up to what can end a constraint.
        let at_end = |p: &Parser<'_>| p.at_any(CONSTRAINT_ENDS) || p.at(EOF) || p.at_line_start();
        if !at_end(p) {
            p.expected("`,` or the end of the constraints");
            let tail = p.start();
            while !at_end(p) {
                p.bump_group();
            }
            tail.complete_junk(p);
        }
        m.complete(p, CONSTRAINT);
    } else {
        m.abandon(p);
    }
    taken
}

const CONSTRAINT_ENDS: TokenSet = TokenSet::new(&[COMMA, L_CURLY, R_CURLY, AMP2, KERNEL_KW, EQ])
    .union(super::ITEM_START)
    .union(super::STMT_START)
    .union(super::MEMBER_START);
