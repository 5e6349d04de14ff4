//! Index notation: element access, comprehensions and reductions.

use std::sync::Arc;

use crate::body::{Expr, ExprId, IndexElem, Out, ReduceOp, TypeId};
use crate::ctx::{Ctx, IndexVar, Local, LocalKind};
use crate::diag::Diagnostic;
use crate::lower_ty::eq;
use crate::tree::{GenericKind, Loc, Name};
use crate::ty::{DType, Elem, Shape, ShapeElem, Ty};

impl<'a> Ctx<'a> {
    /// `x[i, labels[b], *s]` in index notation: one element for each place of the indices.
    pub(super) fn access(
        &mut self,
        id: ExprId,
        shape: &Shape,
        elem: Elem,
        indices: &[IndexElem],
    ) -> Ty {
        let loc = self.arena.loc(id);
        let mut ok = true;
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
    pub(super) fn use_index(
        &mut self,
        local: usize,
        pack: bool,
        axes: Vec<ShapeElem>,
        loc: Loc,
    ) -> bool {
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
    pub(super) fn declare_indices<'i>(
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
    pub(super) fn element(&mut self, ty: &Ty, id: ExprId) -> Option<Elem> {
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
        op: ReduceOp,
        dtype: Option<TypeId>,
        indices: &[(Name, bool, Loc)],
        body: ExprId,
    ) -> Ty {
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
