//! Inference of bodies: the type of every expression, and every fault in them.

mod args;
mod builtin;
mod call;
pub(crate) mod coerce;
mod expr;
mod index;
mod matching;
mod names;
mod notation;
mod operators;
mod slice;
mod solve;
mod stmt;

use std::sync::Arc;

use crate::body::{Body, Expr, ExprId};
use crate::ctx::{Ctx, LocalKind, Uses};
use crate::db::{Db, body, item_data};
use crate::diag::{Diag, Diagnostic};
use crate::infer::coerce::Place;
use crate::infer::stmt::Returns;
use crate::sig::{SigDetail, header, sig};
use crate::tree::{DefId, ItemKind, Loc, Part};
use crate::ty::Ty;

/// What is known of an item's body.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Inferred {
    /// The type of each expression, by [`ExprId`].
    pub expr_tys: Vec<Ty>,
    /// The type of a constant's value.
    pub value_ty: Ty,
    pub diags: Vec<Diag>,
    pub uses: Uses,
    /// Functions of the same module that are called, and where (in the body's table).
    pub calls: Vec<(DefId, Loc)>,
    /// Dimension goals that were decided.
    pub proofs: u32,
}

/// Constants of modules that import each other may need each other; E1206 says so where they stand.
fn infer_in_circle(_db: &dyn Db, _id: salsa::Id, _def: DefId) -> Arc<Inferred> {
    Arc::new(Inferred {
        expr_tys: Vec::new(),
        value_ty: Ty::Error,
        diags: Vec::new(),
        uses: Uses::default(),
        calls: Vec::new(),
        proofs: 0,
    })
}

/// The types and faults of an item's body.
#[salsa::tracked(returns(deref), cycle_result = infer_in_circle)]
pub fn infer(db: &dyn Db, def: DefId) -> Arc<Inferred> {
    let body = body(db, def);
    let head = header(db, def);
    let mut ctx = Ctx::new(db, def, Part::Body(def), &body.arena, head);
    ctx.broken = body.broken;
    ctx.expr_tys = vec![Ty::Error; body.arena.exprs.len()];
    let value_ty = match def.kind(db) {
        kind if kind.is_callable() => {
            infer_fn(&mut ctx, def, body);
            Ty::Unit
        }
        ItemKind::Const => infer_const(&mut ctx, def, body),
        _ => Ty::Unit,
    };
    Arc::new(Inferred {
        expr_tys: std::mem::take(&mut ctx.expr_tys),
        value_ty,
        calls: std::mem::take(&mut ctx.calls),
        proofs: ctx.proofs,
        diags: std::mem::take(&mut ctx.diags),
        uses: std::mem::take(&mut ctx.uses),
    })
}

fn const_in_circle(_db: &dyn Db, _id: salsa::Id, _def: DefId) -> Ty {
    Ty::Error
}

/// The type of a constant's value, apart from everything else about it.
#[salsa::tracked(cycle_result = const_in_circle)]
pub fn const_value_type(db: &dyn Db, def: DefId) -> Ty {
    infer(db, def).value_ty.clone()
}

/// The calls of a body, apart from everything else about it: recursion is judged by them alone.
#[salsa::tracked(returns(ref))]
pub fn calls(db: &dyn Db, def: DefId) -> Vec<(DefId, Loc)> {
    infer(db, def).calls.clone()
}

fn infer_const(ctx: &mut Ctx<'_>, def: DefId, body: &Body) -> Ty {
    let Some(value) = body.value else {
        return Ty::Error;
    };
    let declared = match &sig(ctx.db, def).detail {
        SigDetail::Const { ty } => ty.clone(),
        _ => None,
    };
    if let Some(loc) = runtime_part(ctx, body, value) {
        let at = ctx.at(loc);
        ctx.report(
            Diagnostic::new("E2123", at, "a constant's value is known at compile time")
                .label("not known at compile time"),
        );
        return declared.unwrap_or(Ty::Error);
    }
    let actual = ctx.infer_expr(value, declared.as_ref());
    match declared {
        Some(ty) => {
            ctx.coerce(&actual, &ty, body.arena.loc(value), Place::Annotation);
            ty
        }
        None => match actual {
            Ty::NoneLit => {
                ctx.none_without_type(body.arena.loc(value));
                Ty::Error
            }
            // An integer constant stays contextual.
            Ty::Int(v) => Ty::Int(v),
            other => ctx.settle(other),
        },
    }
}

/// The first part of a constant's value that only a run could give: a call of a function, a member.
fn runtime_part(ctx: &mut Ctx<'_>, body: &Body, value: ExprId) -> Option<Loc> {
    use crate::ctx::Res;
    let mut stack = vec![value];
    while let Some(id) = stack.pop() {
        let expr = body.arena.expr(id);
        match expr {
            Expr::Name(name) => {
                if let Some(Res::Member(_)) = ctx.resolve(name, true) {
                    return Some(body.arena.loc(id));
                }
            }
            Expr::Call { callee, .. } => {
                let called = match body.arena.expr(*callee) {
                    Expr::Name(name) => ctx.resolve(name, true),
                    Expr::Field { base, name, .. } => match body.arena.expr(*base) {
                        Expr::Name(head) => match ctx.resolve(head, true) {
                            Some(Res::Module(file)) => {
                                match crate::scope::lookup_in_module(ctx.db, file, name) {
                                    crate::scope::Lookup::Found(def) => Some(Res::Item(def)),
                                    _ => None,
                                }
                            }
                            _ => None,
                        },
                        _ => None,
                    },
                    _ => None,
                };
                if let Some(Res::Item(d) | Res::Nested(d)) = called
                    && d.kind(ctx.db).is_callable()
                {
                    return Some(body.arena.loc(id));
                }
            }
            _ => {}
        }
        expr.children(|e| stack.push(e));
    }
    None
}

fn infer_fn(ctx: &mut Ctx<'_>, def: DefId, body: &Body) {
    let data = item_data(ctx.db, def);
    let SigDetail::Fn {
        params,
        ret,
        broken,
        ..
    } = &sig(ctx.db, def).detail
    else {
        return;
    };
    let ret = if *broken { &Ty::Error } else { ret };
    // Defaults see the generics, not the other parameters.
    for (p, default) in params.iter().zip(&body.defaults) {
        if let Some(default) = default {
            let ty = ctx.infer_expr(*default, Some(&p.ty));
            ctx.coerce(&ty, &p.ty, body.arena.loc(*default), Place::Annotation);
        }
    }
    for p in params {
        ctx.declare(&p.name, p.loc, p.ty.clone(), LocalKind::Param);
    }
    let returns = Returns {
        ty: ret,
        place: Place::Result,
    };
    let ends = ctx.infer_body(&body.stmts, &returns);
    ctx.pop_locals(params.len());
    let stray = body
        .stmts
        .iter()
        .any(|s| matches!(s, crate::body::Stmt::Return { .. }));
    if !ends && !stray && *ret != Ty::Unit && !body.broken {
        let at = crate::tree::NodeLoc {
            file: ctx.file,
            part: Part::Sig(def),
            loc: data.name_loc,
        };
        let shown = ctx.show(ret);
        ctx.report(
            Diagnostic::new(
                "E2120",
                at,
                format!("`{}` does not end with `return`", data.name),
            )
            .label(format!("must return `{shown}`"))
            .help("end the body with `return ..`"),
        );
    }
    if let Some(grad) = &body.grad {
        let expected = ctx.gradient_type();
        let mark = ctx.locals.len();
        let forward_calls = ctx.calls.len();
        let (result, cotangent) = (&grad.result, &grad.cotangent);
        for (name, loc) in [result, cotangent] {
            ctx.refuse_prelude(name, *loc, "a local");
        }
        if result.0 == cotangent.0 && !result.0.is_empty() {
            let first = ctx.at(result.1);
            let at = ctx.at(cotangent.1);
            ctx.report(
                Diagnostic::new("E1205", at, format!("`{}` is named twice", cotangent.0))
                    .label("the result and its gradient need two names")
                    .related(first, "first named here"),
            );
        }
        ctx.declare(&grad.result.0, grad.result.1, ret.clone(), LocalKind::Param);
        ctx.declare(
            &grad.cotangent.0,
            grad.cotangent.1,
            ret.clone(),
            LocalKind::Param,
        );
        let returns = Returns {
            ty: &expected,
            place: Place::Field,
        };
        let ends = ctx.infer_body(&grad.stmts, &returns);
        ctx.pop_locals(mark);
        // The backward pass is another function: what it calls says nothing of the op's own recursion.
        ctx.calls.truncate(forward_calls);
        if !ends && !grad.broken && !expected.is_error() {
            let loc = grad.result.1;
            let shown = ctx.show(&expected);
            ctx.error(
                "E2120",
                loc,
                "the `grad` clause does not end with `return`",
                format!("must return `{shown}`"),
            );
        }
    }
}
