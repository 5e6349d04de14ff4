//! Slices and positions that are no index of index notation.

use linnet_dim::{Constraint, Dim, Rel};

use crate::body::{Expr, ExprId, IndexElem};
use crate::ctx::{Ctx, LocalKind, Res};
use crate::diag::Diagnostic;
use crate::infer::builtin::at_least;
use crate::tree::{GenericKind, Loc};
use crate::ty::{Elem, Shape, ShapeElem, Ty};

impl<'a> Ctx<'a> {
    /// `layers[0]`: one of an array of blocks.
    pub(super) fn array_item(
        &mut self,
        base_loc: Loc,
        item: &Ty,
        len: &Dim,
        indices: &[IndexElem],
    ) -> Ty {
        let [IndexElem::Expr(e)] = indices else {
            self.infer_subscripts(indices);
            self.error(
                "E2204",
                base_loc,
                "an array of blocks takes one index",
                "one compile-time index, such as `layers[0]`",
            );
            return Ty::Error;
        };
        let index = match self.static_value(*e) {
            Some(d) => d,
            None => match self.dim_expr(*e) {
                Some(d) => d,
                None => return Ty::Error,
            },
        };
        if !self.in_range(&index, len) {
            self.out_of_range(&index, len, self.arena.loc(*e));
            return Ty::Error;
        }
        item.clone()
    }

    /// The value of an index that is known when loops are unrolled: it holds the variable of a `static for`.
    pub(super) fn static_value(&mut self, id: ExprId) -> Option<Dim> {
        stacker::maybe_grow(64 << 10, 1 << 20, || self.static_value_inner(id))
    }

    fn static_value_inner(&mut self, id: ExprId) -> Option<Dim> {
        use crate::body::{BinaryOp, UnaryOp};
        match self.arena.expr(id) {
            Expr::Int(v) => i64::try_from(*v).ok().map(Dim::int),
            Expr::Name(name) => match self.resolve(name, false)? {
                Res::Local(i) => match (&self.locals[i].kind, &self.locals[i].ty) {
                    (LocalKind::Loop(Some(sym)), _) => {
                        let value = Dim::sym(*sym);
                        self.locals[i].used = true;
                        Some(value)
                    }
                    (_, Ty::Int(Some(d))) => {
                        let value = d.clone();
                        self.locals[i].used = true;
                        Some(value)
                    }
                    _ => None,
                },
                Res::Generic(i) if self.header.generics[i as usize].kind == GenericKind::Dim => {
                    Some(Dim::sym(linnet_dim::Sym(i)))
                }
                Res::Item(def) | Res::Nested(def)
                    if def.kind(self.db) == crate::tree::ItemKind::Const =>
                {
                    match self.const_ty(def) {
                        Ty::Int(d) => d,
                        _ => None,
                    }
                }
                _ => None,
            },
            Expr::Unary(UnaryOp::Neg, e) => Some(self.static_value(*e)?.neg()),
            Expr::Unary(UnaryOp::Plus, e) => self.static_value(*e),
            Expr::Binary(op, a, b, _) => {
                let (a, b) = (self.static_value(*a)?, self.static_value(*b)?);
                match op {
                    BinaryOp::Add => Some(a.add(&b)),
                    BinaryOp::Sub => Some(a.sub(&b)),
                    BinaryOp::Mul => Some(a.mul(&b)),
                    // At run time these truncate, which is flooring for what is not negative.
                    BinaryOp::Div | BinaryOp::Rem
                        if self.facts.nonneg(&a) && self.facts.positive(&b) =>
                    {
                        Some(if *op == BinaryOp::Div {
                            a.div(&b)
                        } else {
                            a.rem(&b)
                        })
                    }
                    _ => None,
                }
            }
            _ => None,
        }
    }

    pub(super) fn in_range(&mut self, index: &Dim, len: &Dim) -> bool {
        self.holds(&at_least(index, 0))
            && self.holds(&Constraint {
                lhs: index.clone(),
                rel: Rel::Lt,
                rhs: len.clone(),
            })
    }

    pub(super) fn out_of_range(&mut self, index: &Dim, len: &Dim, loc: Loc) {
        let (i, n) = (self.show_dim(index), self.show_dim(len));
        let at = self.at(loc);
        let d = Diagnostic::new(
            "E2209",
            at,
            format!("the index `{i}` is not provably inside an axis of `{n}`"),
        )
        .label(format!("must lie in 0..{n}"));
        let low = at_least(index, 0);
        let goal = if self.facts.holds(&low) {
            Constraint {
                lhs: index.clone(),
                rel: Rel::Lt,
                rhs: len.clone(),
            }
        } else {
            low
        };
        let mut d = self.explain(d, &goal);
        if let Some(v) = index.as_int()
            && v < 0
        {
            let from_end = len.add(&Dim::int(v));
            let shown = self.show_dim(&from_end);
            d = d
                .help(format!(
                    "there are no negative indices; from the end it is `{shown}`"
                ))
                .fix(format!("write `{shown}`"), vec![(at, shown)]);
        }
        self.report(d);
    }

    /// `x[0, 1:3, ..., ::2]`
    pub(super) fn slice(
        &mut self,
        id: ExprId,
        shape: &Shape,
        elem: Elem,
        indices: &[IndexElem],
    ) -> Ty {
        let loc = self.arena.loc(id);
        let dots: Vec<usize> = indices
            .iter()
            .enumerate()
            .filter(|(_, i)| matches!(i, IndexElem::Ellipsis(_)))
            .map(|(i, _)| i)
            .collect();
        if let [_, second, ..] = dots[..] {
            if let IndexElem::Ellipsis(at) = &indices[second] {
                self.error(
                    "E2209",
                    *at,
                    "`...` stands at most once",
                    "the second `...`",
                );
            }
            return Ty::Error;
        }
        let written = indices.len() - dots.len();
        let (front, back) = match dots.first() {
            Some(at) => (*at, indices.len() - 1 - at),
            None => (indices.len(), 0),
        };
        let crosses_pack = shape
            .iter()
            .take(front)
            .any(|e| matches!(e, ShapeElem::Pack(_)))
            || shape
                .iter()
                .rev()
                .take(back)
                .any(|e| matches!(e, ShapeElem::Pack(_)));
        if written > shape.len() || crosses_pack {
            let shown = self.show_shape(shape);
            let at = self.at(loc);
            let mut d = Diagnostic::new("E2204", at, format!("{written} indices on `{shown}`"));
            d = if crosses_pack && written <= shape.len() {
                d.label("an index falls on a pack of axes")
                    .help("skip the pack with `...`: `x[..., 0]`")
            } else {
                d.label(format!("it has {} axes", shape.len()))
            };
            self.report(d);
            return Ty::Error;
        }
        let mut out = Vec::with_capacity(shape.len());
        let mut ok = true;
        for (axis, index) in shape[..front].iter().zip(&indices[..front]) {
            ok &= self.slice_axis(axis, index, &mut out);
        }
        out.extend(shape[front..shape.len() - back].iter().cloned());
        for (axis, index) in shape[shape.len() - back..]
            .iter()
            .zip(&indices[indices.len() - back..])
        {
            ok &= self.slice_axis(axis, index, &mut out);
        }
        if ok {
            Ty::Tensor(out.into(), elem)
        } else {
            Ty::Error
        }
    }

    pub(super) fn slice_axis(
        &mut self,
        axis: &ShapeElem,
        index: &IndexElem,
        out: &mut Vec<ShapeElem>,
    ) -> bool {
        let ShapeElem::Dim(size) = axis else {
            return false;
        };
        match index {
            IndexElem::Expr(e) => self.position(*e, size),
            IndexElem::Slice {
                start,
                end,
                step,
                loc,
            } => {
                let mut bound = |e: &Option<ExprId>| match e {
                    None => Some(None),
                    Some(e) => self.slice_bound(*e).map(Some),
                };
                // One report for a slice whose bounds are all of the same wrong kind.
                let Some(a) = bound(start) else { return false };
                let Some(b) = bound(end) else { return false };
                let Some(s) = bound(step) else { return false };
                let a_given = a.is_some();
                let b_given = b.is_some();
                let a = a.unwrap_or_else(|| Dim::int(0));
                let b = b.unwrap_or_else(|| size.clone());
                let step_value = match &s {
                    None => Some(1),
                    Some(d) => d.as_int().filter(|v| *v > 0),
                };
                let Some(step_value) = step_value else {
                    let at = step.map_or(*loc, |e| self.arena.loc(e));
                    self.error(
                        "E2209",
                        at,
                        "a step is a positive constant",
                        "not a positive constant",
                    );
                    return false;
                };
                if a_given && !self.holds(&at_least(&a, 0)) {
                    self.slice_fault(
                        &at_least(&a, 0),
                        *loc,
                        "the start is not provably at least 0",
                    );
                    return false;
                }
                if b_given && self.provably_negative(&b) {
                    self.slice_fault(&at_least(&b, 0), *loc, "the end is negative");
                    return false;
                }
                let within = Constraint {
                    lhs: b.clone(),
                    rel: Rel::Le,
                    rhs: size.clone(),
                };
                if b_given && !self.holds(&within) {
                    self.slice_fault(&within, *loc, "the end is not provably inside the axis");
                    return false;
                }
                let span = b.sub(&a);
                let len = if step_value == 1 {
                    span
                } else {
                    span.add(&Dim::int(step_value - 1))
                        .div(&Dim::int(step_value))
                };
                if !self.holds(&at_least(&len, 0)) {
                    self.slice_fault(
                        &at_least(&len, 0),
                        *loc,
                        "the length is not provably at least 0",
                    );
                    return false;
                }
                out.push(ShapeElem::Dim(len));
                true
            }
            IndexElem::Pack(name, loc) => {
                self.undeclared(name, *loc, "E3101");
                false
            }
            IndexElem::Ellipsis(_) => false,
        }
    }

    pub(super) fn slice_bound(&mut self, e: ExprId) -> Option<Dim> {
        let before = self.diags.len();
        match self.infer_expr(e, None) {
            Ty::Int(Some(d)) => Some(d),
            Ty::Error => None,
            other => {
                let shown = self.show(&other);
                // One fault, one report.
                if self.diags.len() == before {
                    let at = self.at_expr(e);
                    self.report(
                        Diagnostic::new("E2123", at, "a slice's bound is not a compile-time integer")
                            .label(format!("this is `{shown}`"))
                            .help("read single positions with a runtime index, or use a gather in index notation"),
                    );
                }
                None
            }
        }
    }

    pub(super) fn slice_fault(&mut self, goal: &Constraint, loc: Loc, why: &str) {
        let shown = self.show_constraint(goal);
        let at = self.at(loc);
        let mut d = Diagnostic::new("E2209", at, "an invalid slice")
            .label(format!("{why}: needs `{shown}`"));
        d = self.explain(d, goal);
        if goal.rel == Rel::Ge && goal.lhs.as_int().is_some_and(|v| v < 0) {
            d = d.help(
                "there are no negative indices; count from the end with the axis's length: `N - 1`",
            );
        }
        self.report(d);
    }

    /// A scalar integer that reads one position of an axis; a compile-time one must be in range.
    pub(super) fn position(&mut self, e: ExprId, size: &Dim) -> bool {
        let loc = self.arena.loc(e);
        let ty = match self.static_value(e) {
            Some(d) => Ty::Int(Some(d)),
            None => self.infer_expr(e, None),
        };
        match ty {
            Ty::Int(Some(d)) => {
                if self.in_range(&d, size) {
                    return true;
                }
                // The value of a loop's variable is a runtime matter unless it is surely outside.
                let outside = [
                    Constraint {
                        lhs: d.clone(),
                        rel: Rel::Ge,
                        rhs: size.clone(),
                    },
                    Constraint {
                        lhs: d.clone(),
                        rel: Rel::Lt,
                        rhs: Dim::int(0),
                    },
                ];
                if self.mentions_loop(&d) && !outside.iter().any(|c| self.holds(c)) {
                    return true;
                }
                self.out_of_range(&d, size, loc);
                false
            }
            Ty::Int(None) => true,
            Ty::Error => false,
            Ty::Tensor(shape, elem)
                if shape.is_empty() && self.elem_in_class(elem, GenericKind::Integer) =>
            {
                true
            }
            Ty::Tensor(_, Elem::Error) => false,
            other => {
                let shown = self.show(&other);
                let at = self.at(loc);
                let mut d = Diagnostic::new("E2209", at, "an index is a scalar integer")
                    .label(format!("this is `{shown}`"));
                if matches!(&other, Ty::Tensor(s, _) if !s.is_empty()) {
                    d = d.help("gather in index notation: `let y[i, j] = x[rows[i], j]`");
                }
                self.report(d);
                false
            }
        }
    }
}
