//! Expressions: names, operators, fields, branches.

use linnet_dim::Dim;

use crate::body::{Expr, ExprId};
use crate::ctx::Ctx;
use crate::diag::Diagnostic;
use crate::tree::Loc;
use crate::ty::{DType, Elem, Ty};

impl<'a> Ctx<'a> {
    /// The type of an expression. `expected` is what the place asks for, where it does; it only steers literals and `none`.
    pub fn infer_expr(&mut self, id: ExprId, expected: Option<&Ty>) -> Ty {
        // A chain such as `a.b.c` is as deep as it is long.
        let ty = stacker::maybe_grow(128 << 10, 2 << 20, || self.infer_inner(id, expected));
        if let Some(slot) = self.expr_tys.get_mut(id.0 as usize) {
            *slot = ty.clone();
        }
        ty
    }

    pub(super) fn infer_inner(&mut self, id: ExprId, expected: Option<&Ty>) -> Ty {
        let arena = self.arena;
        let loc = arena.loc(id);
        match arena.expr(id) {
            Expr::Missing => Ty::Error,
            // One above the range only stands under a minus, which is handled there.
            Expr::Int(v) => Ty::Int(i64::try_from(*v).ok().map(Dim::int)),
            Expr::Float(bits) => Ty::Float(*bits),
            Expr::Bool(_) => Ty::bool(),
            Expr::None => match expected {
                Some(Ty::Optional(_)) => expected.cloned().unwrap_or(Ty::NoneLit),
                _ => Ty::NoneLit,
            },
            Expr::Some(inner) => {
                let want = match expected {
                    Some(Ty::Optional(t)) => Some((**t).clone()),
                    _ => None,
                };
                match self.infer_expr(*inner, want.as_ref()) {
                    Ty::Error => Ty::Error,
                    Ty::NoneLit => {
                        self.none_without_type(arena.loc(*inner));
                        Ty::Error
                    }
                    ty => Ty::Optional(ty.into()),
                }
            }
            Expr::Name(name) => self.infer_name(name, loc),
            Expr::Tuple(items) => {
                let wants = match expected {
                    Some(Ty::Tuple(ts)) if ts.len() == items.len() => Some(ts.clone()),
                    _ => None,
                };
                let mut out = Vec::with_capacity(items.len());
                for (i, item) in items.iter().enumerate() {
                    out.push(self.infer_expr(*item, wants.as_ref().map(|w| &w[i])));
                }
                Ty::Tuple(out.into())
            }
            Expr::List(_) => {
                let at = self.at(loc);
                self.report(
                    Diagnostic::new("E2101", at, "a list in brackets is not a value")
                        .label("a shape may only stand where one is asked for")
                        .help("lists are arguments of `reshape`, `fill`, `broadcast_to`, `permute` and of `Shape` generics"),
                );
                Ty::Error
            }
            Expr::Unary(op, inner) => self.infer_unary(*op, *inner),
            Expr::Binary(..) => self.infer_binary(id),
            Expr::Call {
                callee,
                generics,
                args,
            } => self.infer_call(id, *callee, generics.as_ref(), args, expected),
            Expr::Index { base, indices } => self.infer_index(id, *base, indices),
            Expr::Field {
                base,
                name,
                name_loc,
            } => self.infer_field(*base, name, *name_loc),
            Expr::If {
                cond,
                then,
                otherwise,
            } => {
                if self.depends_on_index(id) {
                    self.not_in_index_notation(
                        loc,
                        "an `if` that depends on an index",
                        Some("use `select(cond, a, b)`"),
                    );
                    return Ty::Error;
                }
                let cond_ty = self.infer_expr(*cond, None);
                self.condition(&cond_ty, *cond);
                let a = self.infer_expr(*then, expected);
                let b = self.infer_expr(*otherwise, expected);
                self.join_branches(&a, *then, &b, *otherwise, expected)
            }
            Expr::Match {
                scrutinee,
                arms,
                keyword,
            } => {
                if self.depends_on_index(id) {
                    self.not_in_index_notation(loc, "a `match` that depends on an index", None);
                    return Ty::Error;
                }
                self.infer_match(*scrutinee, arms, *keyword, expected)
            }
            Expr::Reduce {
                op,
                dtype,
                indices,
                body,
            } => self.infer_reduce(*op, *dtype, indices, *body),
            Expr::Scan(scan) => {
                let at = self.at(scan.keyword);
                self.report(
                    Diagnostic::new(
                        "E2124",
                        at,
                        "a scan is the whole right-hand side of a `let` or `var`",
                    )
                    .label("not an operand")
                    .help("bind it first: `let rows = for i in a..b { .. yield x }`"),
                );
                Ty::Error
            }
        }
    }

    pub fn none_without_type(&mut self, loc: Loc) {
        self.error(
            "E2113",
            loc,
            "`none` with no optional type in context",
            "nothing here says which type is missing",
        );
    }

    pub(super) fn join_branches(
        &mut self,
        a: &Ty,
        a_id: ExprId,
        b: &Ty,
        b_id: ExprId,
        expected: Option<&Ty>,
    ) -> Ty {
        let (a_loc, b_loc) = (self.arena.loc(a_id), self.arena.loc(b_id));
        for (ty, loc) in [(a, a_loc), (b, b_loc)] {
            if matches!(ty, Ty::Block(..) | Ty::Array(..)) {
                self.error(
                    "E2101",
                    loc,
                    "a block is not a value that a branch can give",
                    "call it in each branch instead",
                );
                return Ty::Error;
            }
        }
        // Literals take the dtype that the place asks for, each by itself.
        if let Some(Ty::Tensor(_, elem)) = expected
            && matches!(
                (a, b),
                (Ty::Int(_) | Ty::Float(_), Ty::Int(_) | Ty::Float(_))
            )
        {
            let fits = self.fit(a, *elem, a_loc) && self.fit(b, *elem, b_loc);
            return if fits {
                Ty::Tensor(std::sync::Arc::from([]), *elem)
            } else {
                Ty::Error
            };
        }
        match self.join(a, b, b_loc, a_loc) {
            Some(ty) => ty,
            None => {
                let (x, y) = (self.show(a), self.show(b));
                let at = self.at(b_loc);
                let first = self.at(a_loc);
                self.report(
                    Diagnostic::new("E2115", at, "the branches have different types")
                        .label(format!("this is `{y}`"))
                        .related(first, format!("this is `{x}`")),
                );
                Ty::Error
            }
        }
    }

    /// E2114: a condition is a scalar `bool`.
    pub fn condition(&mut self, ty: &Ty, at: ExprId) {
        let ok = match ty {
            Ty::Tensor(shape, elem) => {
                shape.is_empty() && matches!(elem, Elem::Known(DType::Bool) | Elem::Error)
            }
            _ => ty.is_error(),
        };
        if !ok {
            let shown = self.show(ty);
            let loc = self.arena.loc(at);
            let at = self.at(loc);
            let mut d = Diagnostic::new("E2114", at, "a condition must be a scalar `bool`")
                .label(format!("this is `{shown}`"));
            if matches!(ty, Ty::Tensor(s, _) if !s.is_empty()) {
                d = d.help("choose per element with `select(cond, a, b)`, or reduce with `any[i]` or `all[i]`");
            }
            self.report(d);
        }
    }
}
