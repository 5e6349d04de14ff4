//! Types and shapes.

use super::{
    expressions::{expr, stands_for_a_name},
    generics::generic_args,
    lists::{List, close, list_rest},
    modules::path,
    name_use,
};
use crate::{
    Fix,
    SyntaxKind::*,
    parser::{CompletedMarker, Parser},
};

/// The scalar types, as written.
const DTYPES: [&str; 13] = [
    "bool", "i8", "i16", "i32", "i64", "u8", "u16", "u32", "u64", "f16", "bf16", "f32", "f64",
];

/// `type = ( dtype | "Tensor" "[" [shape_elem {"," shape_elem}] ";" type "]"`
/// `       | "(" type "," [type {"," type} [","]] ")" | "[" type ";" expr "]"`
/// `       | path [generic_args] ) ["?"] .`
pub(super) fn type_(p: &mut Parser<'_>) -> bool {
    if !p.enter() {
        return false;
    }
    let in_index = std::mem::replace(&mut p.in_index, false);
    let in_constraint = std::mem::replace(&mut p.in_constraint, false);
    let plain = match p.current() {
        // Another name there is a misspelt `Tensor`: names are not judged here.
        IDENT if p.nth(1) == L_BRACK && (p.current_text() == "Tensor" || tensor_like(p)) => {
            Some(tensor_type(p))
        }
        // A field or parameter on the next line: the type is missing.
        IDENT if p.nth(1) == COLON && p.at_line_start() => {
            p.expected("a type");
            None
        }
        IDENT | SELF_KW | SUPER_KW => path_type(p),
        L_PAREN => Some(tuple_type(p)),
        L_BRACK => Some(array_type(p)),
        // A reserved word in a type's place; on the next line it begins something else.
        kind if stands_for_a_name(p, kind) => path_type(p),
        _ => {
            p.expected("a type");
            None
        }
    };
    p.in_index = in_index;
    p.in_constraint = in_constraint;
    p.leave();
    let Some(plain) = plain else { return false };
    if p.at(QUESTION) {
        let m = plain.precede(p);
        p.bump();
        if p.at(QUESTION) {
            p.expected("the end of the type: optional types do not nest");
            super::junk_token(p);
        }
        m.complete(p, OPTIONAL_TYPE);
    }
    true
}

fn path_type(p: &mut Parser<'_>) -> Option<CompletedMarker> {
    let m = p.start();
    if !path(p, "a type") {
        m.abandon(p);
        return None;
    }
    if p.at(LT) {
        generic_args(p);
    }
    Some(m.complete(p, PATH_TYPE))
}

/// Whether the brackets after the current name hold the `;` of a tensor type.
fn tensor_like(p: &Parser<'_>) -> bool {
    let open = p.pos() + 1;
    tensor_semicolon(p, open).is_some()
}

fn tensor_type(p: &mut Parser<'_>) -> CompletedMarker {
    const SHAPE: List = List {
        close: SEMICOLON,
        element: "a dimension",
        end: "`;` and the dtype of the tensor",
        trailing_comma: false,
        declares: false,
        may_be_empty: true,
    };
    let m = p.start();
    p.bump();
    let open = p.pos();
    p.bump();
    list_rest(p, &SHAPE, tensor_semicolon(p, open), shape_elem);
    // Without a `;` there is no dtype to read.
    if !p.at(R_BRACK) {
        type_(p);
    } else if !p.is_silenced() {
        p.expected("the dtype of the tensor");
    }
    close(p, open, R_BRACK, "`]` to close the tensor type");
    m.complete(p, TENSOR_TYPE)
}

/// Where the `;` of the tensor type stands whose `[` is at `open`.
fn tensor_semicolon(p: &Parser<'_>, open: usize) -> Option<usize> {
    let end = p.closing(open)?;
    p.find_in_group(open, end, SEMICOLON)
}

/// `shape_elem = expr | "*" IDENT .`
pub(super) fn shape_elem(p: &mut Parser<'_>) -> bool {
    if p.at(STAR) { spread(p) } else { expr(p) }
}

/// `"*" IDENT`
pub(super) fn spread(p: &mut Parser<'_>) -> bool {
    let m = p.start();
    p.bump();
    name_use(p, "a shape");
    m.complete(p, SPREAD);
    true
}

fn tuple_type(p: &mut Parser<'_>) -> CompletedMarker {
    const TUPLE: List = List {
        close: R_PAREN,
        element: "a type",
        end: "`)` to close the tuple type",
        trailing_comma: true,
        declares: false,
        may_be_empty: false,
    };
    let m = p.start();
    let open = p.pos();
    p.bump();
    let known_end = p.closing(open);
    if p.at(R_PAREN) {
        p.expected("a type");
    } else {
        let taken = type_(p);
        if taken && p.at(R_PAREN) {
            p.expected_with("`,`", |error, p| {
                error
                    .with_help("a tuple of one type is written `(T,)`")
                    .with_fix(Fix::new("insert `,`", p.gap_range(), ","))
            });
        } else {
            p.eat(COMMA);
        }
    }
    list_rest(
        p,
        &List {
            may_be_empty: true,
            ..TUPLE
        },
        known_end,
        type_,
    );
    m.complete(p, TUPLE_TYPE)
}

fn array_type(p: &mut Parser<'_>) -> CompletedMarker {
    let m = p.start();
    let open = p.pos();
    p.bump();
    type_(p);
    if p.eat(SEMICOLON) {
        expr(p);
    } else {
        p.expected("`;` and the length of the array");
    }
    close(p, open, R_BRACK, "`]` to close the array type");
    m.complete(p, ARRAY_TYPE)
}

/// Whether what stands here can be read as a type and not as an expression.
pub(super) fn at_type_only(p: &mut Parser<'_>) -> bool {
    let here = p.pos();
    match p.current() {
        IDENT => {
            let text = p.current_text();
            if text == "Tensor" && p.nth(1) == L_BRACK {
                return true;
            }
            if DTYPES.contains(&text) {
                return true;
            }
            let mut n = 1;
            while p.nth(n) == DOT && p.nth(n + 1) == IDENT {
                n += 2;
            }
            match p.nth(n) {
                QUESTION => true,
                // `Linear<A, B>`, unless it is called.
                LT => match p.is_generic_list(here + n) {
                    Some(end) => p.nth(end + 1 - here) != L_PAREN,
                    None => false,
                },
                _ => false,
            }
        }
        L_PAREN => p.closing(here).is_some_and(|end| {
            p.find_in_group(here, end, COMMA).is_some() && !continues_an_expression(p, end)
        }),
        L_BRACK => p
            .closing(here)
            .is_some_and(|end| p.find_in_group(here, end, SEMICOLON).is_some()),
        SELF_KW | SUPER_KW => true,
        _ => false,
    }
}

fn continues_an_expression(p: &Parser<'_>, end: usize) -> bool {
    let next = p.nth(end + 1 - p.pos());
    matches!(
        next,
        PLUS | MINUS | STAR | SLASH | PERCENT | DOT | L_BRACK | L_PAREN
    )
}
