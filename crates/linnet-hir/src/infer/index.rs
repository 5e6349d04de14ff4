//! Slices, element access and index notation.

use std::sync::Arc;

use linnet_dim::{Constraint, Dim, Rel};

use crate::body::{Expr, ExprId, IndexElem, Out, ReduceOp, TypeId};
use crate::ctx::{Ctx, IndexVar, Local, LocalKind, Res};
use crate::diag::Diagnostic;
use crate::infer::builtin::at_least;
use crate::lower_ty::eq;
use crate::tree::{GenericKind, Loc, Name};
use crate::ty::{DType, Elem, Shape, ShapeElem, Ty};

impl<'a> Ctx<'a> {
    /// E3104.
    pub fn not_in_index_notation(&mut self, loc: Loc, what: &str, help: Option<&str>) {
        let at = self.at(loc);
        let mut d = Diagnostic::new(
            "E3104",
            at,
            format!("{what} is not valid in index notation"),
        )
        .label("not valid here");
        if let Some(help) = help {
            d = d.help(help);
        }
        self.report(d);
    }

    /// Whether an index that is in scope now stands in index position somewhere inside.
    pub fn depends_on_index(&self, id: ExprId) -> bool {
        if self.index_depth == 0 {
            return false;
        }
        let mut stack = vec![id];
        while let Some(id) = stack.pop() {
            let expr = self.arena.expr(id);
            if let Expr::Index { indices, .. } = expr
                && indices.iter().any(|i| self.names_index(i))
            {
                return true;
            }
            expr.children(|e| stack.push(e));
        }
        false
    }

    /// Whether a subscript is the bare name of an index.
    fn names_index(&self, index: &IndexElem) -> bool {
        match index {
            IndexElem::Expr(e) => {
                matches!(self.arena.expr(*e), Expr::Name(name) if self.find_index(name).is_some())
            }
            IndexElem::Pack(name, _) => self.find_index(name).is_some(),
            _ => false,
        }
    }

    pub fn infer_index(&mut self, id: ExprId, base: ExprId, indices: &[IndexElem]) -> Ty {
        let base_loc = self.arena.loc(base);
        let base_ty = match self.arena.expr(base) {
            Expr::Name(name) => {
                let ty = match self.resolve(name, true) {
                    Some(res) => self.value_of(res, name, base_loc),
                    None => {
                        self.undeclared(name, base_loc, "E1201");
                        Ty::Error
                    }
                };
                if let Some(slot) = self.expr_tys.get_mut(base.0 as usize) {
                    *slot = ty.clone();
                }
                ty
            }
            _ => self.infer_expr(base, None),
        };
        match base_ty {
            Ty::Error => {
                self.infer_subscripts(indices);
                Ty::Error
            }
            Ty::Array(item, len) => self.array_item(base_loc, &item, &len, indices),
            Ty::Tensor(shape, elem) => {
                if self.is_access(indices) {
                    if self.depends_on_index(base) {
                        self.not_in_index_notation(
                            base_loc,
                            "indexing an expression that already depends on an index",
                            None,
                        );
                        return Ty::Error;
                    }
                    self.access(id, &shape, elem, indices)
                } else {
                    self.slice(id, &shape, elem, indices)
                }
            }
            other => {
                self.infer_subscripts(indices);
                self.operand_fault("[..]", &other, base_loc);
                Ty::Error
            }
        }
    }

    fn infer_subscripts(&mut self, indices: &[IndexElem]) {
        for i in indices {
            match i {
                IndexElem::Expr(e) => {
                    // An index name is in order here, whatever is indexed.
                    if let Expr::Name(name) = self.arena.expr(*e)
                        && let Some(i) = self.find_index(name)
                    {
                        self.locals[i].used = true;
                        continue;
                    }
                    if let Expr::Name(name) = self.arena.expr(*e)
                        && self.index_depth > 0
                        && self.resolve(name, false).is_none()
                    {
                        let loc = self.arena.loc(*e);
                        self.undeclared(name, loc, "E3101");
                        continue;
                    }
                    self.infer_expr(*e, None);
                }
                IndexElem::Slice {
                    start, end, step, ..
                } => {
                    for e in [start, end, step].into_iter().flatten() {
                        self.infer_expr(*e, None);
                    }
                }
                IndexElem::Pack(name, _) => {
                    if let Some(i) = self.find_index(name) {
                        self.locals[i].used = true;
                    }
                }
                IndexElem::Ellipsis(_) => {}
            }
        }
    }

    /// Marks the indices among the subscripts as used.
    fn infer_known_subscripts(&mut self, indices: &[IndexElem]) {
        for i in indices {
            let name = match i {
                IndexElem::Expr(e) => match self.arena.expr(*e) {
                    Expr::Name(name) => name,
                    _ => continue,
                },
                IndexElem::Pack(name, _) => name,
                _ => continue,
            };
            if let Some(i) = self.find_index(name) {
                self.locals[i].used = true;
            }
        }
    }

    /// Element access in index notation: a subscript names an index, or a name that nothing declares.
    fn is_access(&mut self, indices: &[IndexElem]) -> bool {
        for i in indices {
            match i {
                IndexElem::Pack(..) => return true,
                IndexElem::Expr(e) => {
                    if self.names_index(i) || self.depends_on_index(*e) {
                        return true;
                    }
                    if let Expr::Name(name) = self.arena.expr(*e)
                        && self.resolve(name, false).is_none()
                    {
                        return true;
                    }
                }
                IndexElem::Slice {
                    start, end, step, ..
                } => {
                    if [start, end, step]
                        .into_iter()
                        .flatten()
                        .any(|e| self.depends_on_index(*e))
                    {
                        return true;
                    }
                }
                IndexElem::Ellipsis(_) => {}
            }
        }
        false
    }

    /// `layers[0]`: one of an array of blocks.
    fn array_item(&mut self, base_loc: Loc, item: &Ty, len: &Dim, indices: &[IndexElem]) -> Ty {
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
    fn static_value(&mut self, id: ExprId) -> Option<Dim> {
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

    fn in_range(&mut self, index: &Dim, len: &Dim) -> bool {
        self.holds(&at_least(index, 0))
            && self.holds(&Constraint {
                lhs: index.clone(),
                rel: Rel::Lt,
                rhs: len.clone(),
            })
    }

    fn out_of_range(&mut self, index: &Dim, len: &Dim, loc: Loc) {
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
    fn slice(&mut self, id: ExprId, shape: &Shape, elem: Elem, indices: &[IndexElem]) -> Ty {
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

    fn slice_axis(
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

    fn slice_bound(&mut self, e: ExprId) -> Option<Dim> {
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

    fn slice_fault(&mut self, goal: &Constraint, loc: Loc, why: &str) {
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
    fn position(&mut self, e: ExprId, size: &Dim) -> bool {
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

    /// `x[i, labels[b], *s]` in index notation: one element for each place of the indices.
    fn access(&mut self, id: ExprId, shape: &Shape, elem: Elem, indices: &[IndexElem]) -> Ty {
        let loc = self.arena.loc(id);
        let mut ok = true;
        for i in indices {
            match i {
                IndexElem::Slice { loc, .. } => {
                    self.not_in_index_notation(
                        *loc,
                        "a slice beside an index",
                        Some("index every axis"),
                    );
                    ok = false;
                }
                IndexElem::Ellipsis(loc) => {
                    self.not_in_index_notation(
                        *loc,
                        "`...` beside an index",
                        Some("index every axis; a pack of axes is `*s`"),
                    );
                    ok = false;
                }
                _ => {}
            }
        }
        if !ok {
            return Ty::Error;
        }
        // A name that nothing declares is the fault, however many there are.
        for i in indices {
            if let IndexElem::Expr(e) = i
                && let Expr::Name(name) = self.arena.expr(*e)
                && self.resolve(name, false).is_none()
            {
                self.undeclared(name, self.arena.loc(*e), "E3101");
                ok = false;
            }
        }
        if !ok {
            self.infer_known_subscripts(indices);
            return Ty::Error;
        }
        let packs = indices
            .iter()
            .filter(|i| matches!(i, IndexElem::Pack(..)))
            .count();
        if packs > 1 {
            if let Some(IndexElem::Pack(_, at)) = indices
                .iter()
                .filter(|i| matches!(i, IndexElem::Pack(..)))
                .nth(1)
            {
                self.error(
                    "E2204",
                    *at,
                    "two packs of indices in one access",
                    "which axes are whose cannot be told",
                );
            }
            return Ty::Error;
        }
        let plain = indices.len() - packs;
        let shown = self.show_shape(shape);
        let fits = if packs == 0 {
            plain == shape.len() && !shape.iter().any(|e| matches!(e, ShapeElem::Pack(_)))
        } else {
            plain <= shape.len()
        };
        let front = indices
            .iter()
            .position(|i| matches!(i, IndexElem::Pack(..)))
            .unwrap_or(plain);
        let back = plain - front;
        // A plain index on a pack, or a pack of indices on plain axes: the kinds differ, the count is right.
        if packs == 0 && plain == shape.len() {
            for (axis, index) in shape.iter().zip(indices) {
                if let (ShapeElem::Pack(p), IndexElem::Expr(e)) = (axis, index) {
                    let name = self.sym_name(*p);
                    self.error(
                        "E3106",
                        self.arena.loc(*e),
                        format!("one index on the pack `{name}`"),
                        "a pack of axes is indexed by a pack of indices: `*s`",
                    );
                    self.infer_subscripts(indices);
                    return Ty::Error;
                }
            }
        }
        let crosses = shape
            .iter()
            .take(front)
            .chain(shape.iter().rev().take(back))
            .any(|e| matches!(e, ShapeElem::Pack(_)));
        if !fits || crosses {
            let at = self.at(loc);
            let mut d = Diagnostic::new("E2204", at, format!("{plain} indices on `{shown}`"))
                .label("a tensor is indexed on every axis");
            if shape.iter().any(|e| matches!(e, ShapeElem::Pack(_))) {
                d = d.help("the axes of a pack are indexed by a pack of indices: `*s`");
            }
            self.report(d);
            // What is indexed is indexed, for the rules on unused indices.
            self.infer_subscripts(indices);
            return Ty::Error;
        }
        let axes: Vec<(Vec<ShapeElem>, &IndexElem)> = indices
            .iter()
            .enumerate()
            .map(|(n, i)| {
                let range = match i {
                    IndexElem::Pack(..) => front..shape.len() - back,
                    _ if n < front => n..n + 1,
                    _ => shape.len() - (indices.len() - n)..shape.len() - (indices.len() - n) + 1,
                };
                (shape[range].to_vec(), i)
            })
            .collect();
        for (axis, index) in axes {
            match index {
                IndexElem::Expr(e) => {
                    if let Expr::Name(name) = self.arena.expr(*e) {
                        let at = self.arena.loc(*e);
                        if let Some(i) = self.find_index(name) {
                            ok &= self.use_index(i, false, axis, at);
                            continue;
                        }
                    }
                    if let [ShapeElem::Dim(size)] = &axis[..] {
                        ok &= self.position(*e, size);
                    }
                }
                IndexElem::Pack(name, at) => match self.find_index(name) {
                    Some(i) => ok &= self.use_index(i, true, axis, *at),
                    None => {
                        self.undeclared(name, *at, "E3101");
                        ok = false;
                    }
                },
                _ => {}
            }
        }
        if ok {
            Ty::Tensor(Arc::from([]), elem)
        } else {
            Ty::Error
        }
    }

    /// An index stands on these axes: they are its domain, or equal to it.
    fn use_index(&mut self, local: usize, pack: bool, axes: Vec<ShapeElem>, loc: Loc) -> bool {
        self.locals[local].used = true;
        let name = self.locals[local].name.clone();
        let LocalKind::Index(var) = &mut self.locals[local].kind else {
            return true;
        };
        if var.pack != pack {
            let (message, label) = if pack {
                (
                    format!("`*{name}` where `{name}` is one index"),
                    "remove the star",
                )
            } else {
                (
                    format!("`{name}` is a pack of indices"),
                    "write it with a star",
                )
            };
            self.error("E3106", loc, message, label);
            return false;
        }
        if pack && !axes.iter().any(|a| matches!(a, ShapeElem::Pack(_))) && !axes.is_empty() {
            let shown = self.show_shape(&axes);
            self.error(
                "E3106",
                loc,
                format!("the pack of indices `*{name}` on the plain axes `{shown}`"),
                "each plain axis has an index of its own",
            );
            return false;
        }
        match var.domain.clone() {
            None => {
                var.domain = Some(axes);
                true
            }
            Some(known) => {
                let (x, y): (Shape, Shape) = (known.into(), axes.into());
                match self.same_shape(&x, &y) {
                    Ok(()) => true,
                    Err(dims) => {
                        let (a, b) = match &dims {
                            Some((p, q)) => (self.show_dim(p), self.show_dim(q)),
                            None => (self.show_shape(&x), self.show_shape(&y)),
                        };
                        let at = self.at(loc);
                        let mut d = Diagnostic::new(
                            "E2201",
                            at,
                            format!("the index `{name}` has two extents: `{a}` and `{b}`"),
                        )
                        .label(format!("here the axis is `{b}`"))
                        .note(format!("its first use gives it `{a}`"));
                        if let Some((p, q)) = dims {
                            d = self.explain(d, &eq(&p, &q));
                        }
                        self.report(d);
                        false
                    }
                }
            }
        }
    }

    /// Declares the indices of a comprehension or reduction; `false` where one is listed twice.
    fn declare_indices<'i>(
        &mut self,
        indices: impl Iterator<Item = (&'i Name, bool, Loc)>,
    ) -> bool {
        let start = self.locals.len();
        let mut ok = true;
        for (name, pack, loc) in indices {
            if let Some(first) = self.locals[start..].iter().find(|l| l.name == *name) {
                let first = self.at(first.loc);
                let at = self.at(loc);
                self.report(
                    Diagnostic::new("E3105", at, format!("the index `{name}` is listed twice"))
                        .label("the second time")
                        .related(first, "first listed here"),
                );
                ok = false;
                continue;
            }
            self.refuse_prelude(name, loc, "an index");
            self.push_local(Local {
                name: name.clone(),
                loc,
                ty: Ty::Error,
                kind: LocalKind::Index(IndexVar { pack, domain: None }),
                used: false,
            });
        }
        ok
    }

    /// `let name[outs] = value`: the tensor's type.
    pub fn infer_comprehension(&mut self, outs: &[Out], value: ExprId) -> Ty {
        let mark = self.locals.len();
        let faults = self.diags.len();
        let mut ok = self.declare_indices(outs.iter().map(|o| (&o.name, o.pack, o.loc)));
        self.index_depth += 1;
        let ty = self.infer_expr(value, None);
        let ty = self.settle(ty);
        let elem = self.element(&ty, value);
        self.index_depth -= 1;
        let vars = self.take_locals(mark);
        let mut shape = Vec::with_capacity(vars.len());
        let broken = self.broken || self.diags.len() > faults;
        for var in vars {
            let LocalKind::Index(index) = var.kind else {
                continue;
            };
            match index.domain {
                Some(axes) => shape.extend(axes),
                None => {
                    // After another fault the index may well be used in what was refused.
                    if !var.used && !(broken && (elem.is_none() || self.broken)) {
                        let at = self.at(var.loc);
                        let name = &var.name;
                        self.report(
                            Diagnostic::new("E3103", at, format!("the output index `{name}` indexes nothing"))
                                .label("its extent cannot be told")
                                .help(format!("index some tensor with `{name}`, or use `broadcast_to` for a constant axis")),
                        );
                    }
                    ok = false;
                }
            }
        }
        match elem {
            Some(elem) if ok => Ty::Tensor(shape.into(), elem),
            _ => Ty::Error,
        }
    }

    /// The dtype of a scalar element; E3104 where it is none.
    fn element(&mut self, ty: &Ty, id: ExprId) -> Option<Elem> {
        match ty {
            Ty::Tensor(shape, elem) if shape.is_empty() => Some(*elem),
            t if t.is_error() => None,
            Ty::NoneLit => {
                self.none_without_type(self.arena.loc(id));
                None
            }
            other => {
                let shown = self.show(other);
                let loc = self.arena.loc(id);
                self.not_in_index_notation(
                    loc,
                    &format!("an element of type `{shown}`"),
                    Some("elements are scalars: index every axis of each tensor"),
                );
                None
            }
        }
    }

    /// `sum<f32>[k] body`
    pub fn infer_reduce(
        &mut self,
        id: ExprId,
        op: ReduceOp,
        dtype: Option<TypeId>,
        indices: &[(Name, bool, Loc)],
        body: ExprId,
    ) -> Ty {
        let _ = id;
        let dtype = dtype.map(|t| (self.elem_type(t), t));
        let mark = self.locals.len();
        let faults = self.diags.len();
        for (name, pack, loc) in indices {
            if *pack {
                self.error(
                    "E3106",
                    *loc,
                    format!("a reduction runs over single indices, and `*{name}` is a pack"),
                    "remove the star",
                );
            }
        }
        self.declare_indices(indices.iter().map(|(n, p, l)| (n, *p, *l)));
        self.index_depth += 1;
        let ty = self.infer_expr(body, None);
        self.index_depth -= 1;
        let vars = self.take_locals(mark);
        let broken = self.broken || (self.diags.len() > faults && ty.is_error());
        let mut ok = true;
        for var in vars {
            let LocalKind::Index(index) = var.kind else {
                continue;
            };
            if index.domain.is_none() {
                if !var.used && !broken {
                    let at = self.at(var.loc);
                    let name = &var.name;
                    self.report(
                        Diagnostic::new(
                            "E3102",
                            at,
                            format!("the reduction index `{name}` indexes nothing"),
                        )
                        .label("its extent cannot be told")
                        .help(format!("index some tensor with `{name}`, or remove it")),
                    );
                }
                ok = false;
            }
        }
        let name = match op {
            ReduceOp::Sum => "sum",
            ReduceOp::Prod => "prod",
            ReduceOp::Max => "max",
            ReduceOp::Min => "min",
            ReduceOp::Any => "any",
            ReduceOp::All => "all",
        };
        let loc = self.arena.loc(body);
        let logical = matches!(op, ReduceOp::Any | ReduceOp::All);
        let ty = match (&ty, &dtype) {
            (Ty::Int(_) | Ty::Float(_), Some((elem, _))) => {
                if !self.fit(&ty, *elem, loc) {
                    return Ty::Error;
                }
                Ty::Tensor(Arc::from([]), *elem)
            }
            _ => self.settle(ty),
        };
        let Some(elem) = self.element(&ty, body) else {
            return Ty::Error;
        };
        if let Some((want, _)) = dtype
            && want != elem
            && want != Elem::Error
            && elem != Elem::Error
        {
            let (w, h) = (self.show_elem(want), self.show_elem(elem));
            let at = self.at(loc);
            self.report(
                Diagnostic::new(
                    "E2103",
                    at,
                    format!("`{name}<{w}>` accumulates `{w}`, and the summand is `{h}`"),
                )
                .label(format!("this is `{h}`"))
                .help(format!("convert the summand: `cast<{w}>(..)`")),
            );
            return Ty::Error;
        }
        let takes = if logical {
            matches!(elem, Elem::Known(DType::Bool) | Elem::Error)
        } else {
            self.elem_in_class(elem, GenericKind::Numeric)
        };
        if !takes {
            let shown = self.show_elem(elem);
            let at = self.at(loc);
            let mut d = Diagnostic::new("E2104", at, format!("`{name}` does not take `{shown}`"))
                .label(format!("this is `{shown}`"));
            d = if logical {
                d.help("compare first: `x[i] != 0`")
            } else {
                d.help("convert it where that is meant: `cast<i32>(..)`")
            };
            self.report(d);
            return Ty::Error;
        }
        if ok {
            Ty::Tensor(Arc::from([]), elem)
        } else {
            Ty::Error
        }
    }
}
