//! Calls of prelude functions.

use std::sync::Arc;

use linnet_dim::{Constraint, Dim, Rel};

use crate::body::{Arg, Expr, ExprId, GenericArg, ShapeRef};
use crate::ctx::Ctx;
use crate::diag::Diagnostic;
use crate::infer::args::{Misplaced, distribute};
use crate::lower_ty::{DEFAULT_FLOAT, DEFAULT_INT, class_words, eq};
use crate::prelude::Builtin;
use crate::tree::{GenericKind, Loc};
use crate::ty::{DType, Elem, GArg, Shape, ShapeElem, Ty, product};

impl Builtin {
    /// The names of its parameters.
    fn params(self) -> &'static [&'static str] {
        match self {
            Builtin::Min | Builtin::Max => &["a", "b"],
            Builtin::Select => &["cond", "a", "b"],
            Builtin::Reshape | Builtin::BroadcastTo => &["x", "shape"],
            Builtin::Permute => &["x", "axes"],
            Builtin::Iota => &["n"],
            Builtin::Fill => &["shape", "value"],
            Builtin::Shl | Builtin::Shr => &["x", "bits"],
            Builtin::Cumsum => &["x", "axis"],
            _ => &["x"],
        }
    }
}

impl<'a> Ctx<'a> {
    pub fn infer_builtin(
        &mut self,
        id: ExprId,
        builtin: Builtin,
        generics: Option<&(Vec<GenericArg>, Loc)>,
        args: &[Arg],
        expected: Option<&Ty>,
    ) -> Ty {
        let loc = self.arena.loc(id);
        if matches!(builtin, Builtin::Pad | Builtin::Gather | Builtin::Scatter) {
            let at = self.at(loc);
            let name = builtin.name();
            let mut d = Diagnostic::new("E2190", at, format!("`{name}` is not implemented yet"))
                .label("reserved");
            d = match builtin {
                Builtin::Gather => d.help("gather in index notation: `let y[i] = x[rows[i]]`"),
                Builtin::Pad => d.help("join with zeros: `concat(x, fill([..], 0), axis = 0)`"),
                _ => d,
            };
            self.report(d);
            return self.failed_call(args);
        }
        let takes_generic = matches!(builtin, Builtin::Cast | Builtin::Iota | Builtin::Fill);
        let mut dtype: Option<(Elem, Loc)> = None;
        if let Some((list, list_loc)) = generics {
            let [arg] = &list[..] else {
                self.wrong_generics(builtin, *list_loc);
                return self.failed_call(args);
            };
            if !takes_generic {
                self.wrong_generics(builtin, *list_loc);
                return self.failed_call(args);
            }
            let class = if builtin == Builtin::Iota {
                GenericKind::Numeric
            } else {
                GenericKind::DType
            };
            match self.generic_arg(arg, class) {
                GArg::Elem(e) => dtype = Some((e, *list_loc)),
                _ => return self.failed_call(args),
            }
        }
        if builtin == Builtin::Concat {
            return self.concat(id, args);
        }
        let Some(given) = self.builtin_args(builtin, args, loc) else {
            return self.misread_call(args);
        };
        match builtin {
            Builtin::Cast => self.cast(id, dtype.map(|(e, _)| e), given[0]),
            Builtin::Exp
            | Builtin::Log
            | Builtin::Sqrt
            | Builtin::Rsqrt
            | Builtin::Sin
            | Builtin::Cos
            | Builtin::Tanh => self.float_function(builtin, given[0]),
            Builtin::Abs => self.abs(given[0]),
            Builtin::Min | Builtin::Max | Builtin::Shl | Builtin::Shr => {
                self.pairwise(id, builtin, given[0], given[1])
            }
            Builtin::Select => self.select(id, given[0], given[1], given[2], expected),
            Builtin::Reshape => self.reshape(given[0], given[1]),
            Builtin::BroadcastTo => self.broadcast_to(given[0], given[1]),
            Builtin::Permute => self.permute(given[0], given[1]),
            Builtin::Iota => {
                let n = self.dimension(given[0]);
                let elem = dtype.map_or(Elem::Known(DEFAULT_INT), |(e, _)| e);
                n.map_or(Ty::Error, |n| {
                    Ty::Tensor(Arc::from([ShapeElem::Dim(n)]), elem)
                })
            }
            Builtin::Fill => self.fill(given[0], given[1], dtype.map(|(e, _)| e)),
            Builtin::Cumsum => self.cumsum(given[0], given[1]),
            Builtin::Concat | Builtin::Pad | Builtin::Gather | Builtin::Scatter => Ty::Error,
        }
    }

    fn wrong_generics(&mut self, builtin: Builtin, loc: Loc) {
        let name = builtin.name();
        let takes = match builtin {
            Builtin::Cast | Builtin::Iota | Builtin::Fill => "one generic argument, a dtype",
            _ => "no generic arguments",
        };
        self.error(
            "E2111",
            loc,
            format!("`{name}` takes {takes}"),
            "wrong generic arguments",
        );
    }

    /// One argument for each parameter; E2102 where they do not fit.
    fn builtin_args(&mut self, builtin: Builtin, args: &[Arg], loc: Loc) -> Option<Vec<ExprId>> {
        let params = builtin.params();
        let name = builtin.name();
        let takes = |plural: &str| {
            format!(
                "`{name}` takes {} argument{plural}, and {} are given",
                params.len(),
                args.len()
            )
        };
        let usage = || format!("`{name}({})`", params.join(", "));
        let given = match distribute(args, params.iter().copied()) {
            Ok(given) => given,
            Err(Misplaced::Positional(arg)) => {
                self.positional_after_named(arg);
                return None;
            }
            Err(Misplaced::Unknown(key, key_loc)) => {
                self.error(
                    "E2102",
                    key_loc,
                    format!("`{name}` has no parameter `{key}`"),
                    "no such parameter",
                );
                return None;
            }
            Err(Misplaced::TooMany(arg) | Misplaced::Twice(arg, _)) => {
                let arg_loc = self.arena.loc(arg.value);
                let plural = if params.len() == 1 { "" } else { "s" };
                self.error("E2102", arg_loc, takes(plural), usage());
                return None;
            }
        };
        if given.len() < params.len() {
            self.error("E2102", loc, takes("s"), usage());
            return None;
        }
        // Every parameter has its argument; in the order of the parameters.
        let mut values: Vec<(usize, ExprId)> = given
            .into_iter()
            .zip(args.iter().map(|a| a.value))
            .collect();
        values.sort_unstable_by_key(|(index, _)| *index);
        Some(values.into_iter().map(|(_, value)| value).collect())
    }

    /// A tensor or a literal; `None` after a reported fault.
    fn operand(&mut self, name: &str, id: ExprId) -> Option<Ty> {
        match self.infer_expr(id, None) {
            ty if ty.is_error() => None,
            ty @ (Ty::Tensor(..) | Ty::Int(_) | Ty::Float(_)) => Some(ty),
            Ty::NoneLit => {
                self.none_without_type(self.arena.loc(id));
                None
            }
            other => {
                self.operand_fault(name, &other, self.arena.loc(id));
                None
            }
        }
    }

    /// A tensor; literals take their default dtype.
    fn tensor(&mut self, name: &str, id: ExprId) -> Option<(Shape, Elem)> {
        let ty = self.operand(name, id)?;
        match self.settle(ty) {
            Ty::Tensor(shape, elem) => Some((shape, elem)),
            _ => None,
        }
    }

    fn class_fault(&mut self, name: &str, elem: Elem, class: GenericKind, id: ExprId) {
        let shown = self.show_elem(elem);
        let loc = self.arena.loc(id);
        let at = self.at(loc);
        let mut d = Diagnostic::new(
            "E2112",
            at,
            format!(
                "`{name}` takes {}, and this is `{shown}`",
                class_words(class)
            ),
        )
        .label(format!("this is `{shown}`"));
        if class == GenericKind::Float {
            d = d.help("convert it where that is meant: `cast<f32>(..)`");
        }
        self.report(d);
    }

    fn cast(&mut self, id: ExprId, dtype: Option<Elem>, x: ExprId) -> Ty {
        let ty = self.operand("cast", x);
        let Some(elem) = dtype else {
            let loc = self.arena.loc(id);
            let at = self.at(loc);
            self.report(
                Diagnostic::new("E2110", at, "`cast` needs the dtype to convert to")
                    .label("no dtype is given")
                    .help("write it: `cast<f32>(x)`"),
            );
            return Ty::Error;
        };
        match ty {
            Some(Ty::Tensor(shape, _)) => Ty::Tensor(shape, elem),
            Some(_) => Ty::Tensor(Arc::from([]), elem),
            None => Ty::Error,
        }
    }

    fn float_function(&mut self, builtin: Builtin, x: ExprId) -> Ty {
        match self.operand(builtin.name(), x) {
            Some(Ty::Tensor(shape, elem)) => {
                if !self.elem_in_class(elem, GenericKind::Float) {
                    self.class_fault(builtin.name(), elem, GenericKind::Float, x);
                    return Ty::Error;
                }
                Ty::Tensor(shape, elem)
            }
            Some(_) => Ty::scalar(DEFAULT_FLOAT),
            None => Ty::Error,
        }
    }

    fn abs(&mut self, x: ExprId) -> Ty {
        match self.operand("abs", x) {
            Some(Ty::Tensor(shape, elem)) => {
                if !self.elem_in_class(elem, GenericKind::Numeric) {
                    self.class_fault("abs", elem, GenericKind::Numeric, x);
                    return Ty::Error;
                }
                Ty::Tensor(shape, elem)
            }
            Some(Ty::Int(v)) => Ty::Int(
                v.and_then(|d| d.as_int())
                    .and_then(i64::checked_abs)
                    .map(Dim::int),
            ),
            Some(Ty::Float(bits)) => Ty::Float(f64::from_bits(bits).abs().to_bits()),
            _ => Ty::Error,
        }
    }

    /// The common dtype of operands of which some may be literals; E2103 where two differ. `None`: all literals.
    fn common_elem(&mut self, name: &str, operands: &[(&Ty, ExprId)]) -> Result<Option<Elem>, ()> {
        let mut common: Option<(Elem, ExprId)> = None;
        for (ty, id) in operands {
            if let Ty::Tensor(_, e) = ty {
                match common {
                    None => common = Some((*e, *id)),
                    Some((c, first)) if c != *e => {
                        let (x, y) = (self.show_elem(c), self.show_elem(*e));
                        let at = self.at_expr(*id);
                        let other = self.at_expr(first);
                        self.report(
                            Diagnostic::new("E2103", at, format!("`{name}` on `{x}` and `{y}`"))
                                .label(format!("this is `{y}`"))
                                .related(other, format!("this is `{x}`"))
                                .help(format!("there is no implicit promotion; convert one side: `cast<{x}>(..)`")),
                        );
                        return Err(());
                    }
                    _ => {}
                }
            }
        }
        let Some((elem, _)) = common else {
            return Ok(None);
        };
        for (ty, id) in operands {
            if matches!(ty, Ty::Int(_) | Ty::Float(_)) && !self.fit(ty, elem, self.arena.loc(*id)) {
                return Err(());
            }
        }
        Ok(Some(elem))
    }

    fn pairwise(&mut self, id: ExprId, builtin: Builtin, a: ExprId, b: ExprId) -> Ty {
        let name = builtin.name();
        let (x, y) = (self.operand(name, a), self.operand(name, b));
        let (Some(x), Some(y)) = (x, y) else {
            return Ty::Error;
        };
        let shift = matches!(builtin, Builtin::Shl | Builtin::Shr);
        if let (Ty::Int(p), Ty::Int(q)) = (&x, &y) {
            let (Some(p), Some(q)) = (p, q) else {
                return Ty::Int(None);
            };
            return Ty::Int(match builtin {
                Builtin::Min => Some(p.min(q)),
                Builtin::Max => Some(p.max(q)),
                _ => shift_dims(builtin, p, q),
            });
        }
        let class = if shift {
            GenericKind::Integer
        } else {
            GenericKind::Numeric
        };
        let elem = match self.common_elem(name, &[(&x, a), (&y, b)]) {
            Ok(Some(e)) => e,
            Ok(None) => {
                if shift {
                    let bad = if matches!(x, Ty::Float(_)) { a } else { b };
                    self.class_fault(name, Elem::Known(DEFAULT_FLOAT), class, bad);
                    return Ty::Error;
                }
                let value = |t: &Ty| match t {
                    Ty::Float(bits) => f64::from_bits(*bits),
                    Ty::Int(Some(d)) => d.as_int().map_or(0.0, |v| v as f64),
                    _ => 0.0,
                };
                let (p, q) = (value(&x), value(&y));
                return Ty::Float(
                    if builtin == Builtin::Min {
                        p.min(q)
                    } else {
                        p.max(q)
                    }
                    .to_bits(),
                );
            }
            Err(()) => return Ty::Error,
        };
        if !self.elem_in_class(elem, class) {
            let bad = if matches!(x, Ty::Tensor(..)) { a } else { b };
            self.class_fault(name, elem, class, bad);
            return Ty::Error;
        }
        let shape = self.broadcast_at(&shape_of(&x), &shape_of(&y), self.arena.loc(id));
        shape.map_or(Ty::Error, |s| Ty::Tensor(s, elem))
    }

    fn select(
        &mut self,
        id: ExprId,
        cond: ExprId,
        a: ExprId,
        b: ExprId,
        expected: Option<&Ty>,
    ) -> Ty {
        let cond_ty = self.operand("select", cond);
        let (x, y) = (self.operand("select", a), self.operand("select", b));
        let (Some(cond_ty), Some(x), Some(y)) = (cond_ty, x, y) else {
            return Ty::Error;
        };
        let Ty::Tensor(cond_shape, Elem::Known(DType::Bool)) = &cond_ty else {
            let shown = self.show(&cond_ty);
            self.error(
                "E2114",
                self.arena.loc(cond),
                "`select` chooses by `bool`s",
                format!("this is `{shown}`"),
            );
            return Ty::Error;
        };
        let elem = match self.common_elem("select", &[(&x, a), (&y, b)]) {
            Ok(Some(e)) => e,
            Ok(None) => {
                // Two literals: the context's dtype, else their default.
                let float = matches!(x, Ty::Float(_)) || matches!(y, Ty::Float(_));
                let wanted = match expected {
                    Some(Ty::Tensor(_, e)) => *e,
                    _ => Elem::Known(if float { DEFAULT_FLOAT } else { DEFAULT_INT }),
                };
                if cond_shape.is_empty() && expected.is_none() {
                    return if float {
                        Ty::Float(0f64.to_bits())
                    } else {
                        Ty::Int(None)
                    };
                }
                if !self.fit(&x, wanted, self.arena.loc(a))
                    || !self.fit(&y, wanted, self.arena.loc(b))
                {
                    return Ty::Error;
                }
                wanted
            }
            Err(()) => return Ty::Error,
        };
        let loc = self.arena.loc(id);
        let Some(shape) = self.broadcast_at(&shape_of(&x), &shape_of(&y), loc) else {
            return Ty::Error;
        };
        let shape = self.broadcast_at(cond_shape, &shape, loc);
        shape.map_or(Ty::Error, |s| Ty::Tensor(s, elem))
    }

    /// The elements of a bracketed list.
    fn list(&mut self, id: ExprId, code: &'static str, what: &str) -> Option<&'a [ShapeRef]> {
        match self.arena.expr(id) {
            Expr::List(elems) => Some(elems),
            Expr::Missing => None,
            _ => {
                let ty = self.infer_expr(id, None);
                if !ty.is_error() {
                    let shown = self.show(&ty);
                    self.error(
                        code,
                        self.arena.loc(id),
                        format!("expected {what}"),
                        format!("this is `{shown}`"),
                    );
                }
                None
            }
        }
    }

    fn reshape(&mut self, x: ExprId, shape: ExprId) -> Ty {
        let source = self.tensor("reshape", x);
        let target = self
            .list(shape, "E2101", "a shape in brackets, such as `[B, N, D]`")
            .and_then(|l| self.lower_shape(l));
        let (Some((from, elem)), Some(to)) = (source, target) else {
            return Ty::Error;
        };
        let (have, want) = (product(&from), product(&to));
        if self.same_shape(&from, &to).is_ok() || self.equal(&have, &want) {
            return Ty::Tensor(to, elem);
        }
        let (f, t) = (self.show_shape(&from), self.show_shape(&to));
        let (h, w) = (self.show_dim(&have), self.show_dim(&want));
        let at = self.at_expr(shape);
        let from_at = self.at_expr(x);
        let d = Diagnostic::new(
            "E2203",
            at,
            format!("cannot prove that `{f}` and `{t}` hold equally many elements"),
        )
        .label(format!("`{t}` has `{w}` elements"))
        .related(from_at, format!("`{f}` has `{h}` elements"));
        let d = self.explain(d, &eq(&have, &want));
        self.report(d);
        Ty::Error
    }

    fn broadcast_to(&mut self, x: ExprId, shape: ExprId) -> Ty {
        let source = self.tensor("broadcast_to", x);
        let target = self
            .list(shape, "E2101", "a shape in brackets, such as `[B, N, D]`")
            .and_then(|l| self.lower_shape(l));
        let (Some((from, elem)), Some(to)) = (source, target) else {
            return Ty::Error;
        };
        let joined = self.broadcast(&from, &to);
        match joined.and_then(|joined| self.same_shape(&joined, &to)) {
            Ok(()) => Ty::Tensor(to, elem),
            Err(dims) => {
                let (f, t) = (self.show_shape(&from), self.show_shape(&to));
                let at = self.at_expr(shape);
                let from_at = self.at_expr(x);
                let mut d = Diagnostic::new(
                    "E2207",
                    at,
                    format!("cannot prove that `{f}` broadcasts to `{t}`"),
                )
                .label(format!("to `{t}`"))
                .related(from_at, format!("from `{f}`"));
                match dims {
                    Some((p, q)) => {
                        d = d.note(format!(
                            "`{}` must be 1 or equal `{}`",
                            self.show_dim(&p),
                            self.show_dim(&q)
                        ));
                        d = self.explain(d, &eq(&p, &q));
                    }
                    None => {
                        d = d.note("the target needs the axes of the source, aligned at the right");
                        d = d.help("give the target at least the axes of the source");
                    }
                }
                self.report(d);
                Ty::Error
            }
        }
    }

    /// A compile-time number such as an axis.
    fn constant(&mut self, id: ExprId) -> Option<i64> {
        let dim = self.dim_expr(id)?;
        let value = dim.as_int();
        if value.is_none() {
            let shown = self.show_dim(&dim);
            self.error(
                "E2210",
                self.arena.loc(id),
                format!("an axis is a number, and this is `{shown}`"),
                "not a constant",
            );
        }
        value
    }

    fn permute(&mut self, x: ExprId, axes: ExprId) -> Ty {
        let source = self.tensor("permute", x);
        let Some(list) = self.list(axes, "E2210", "a list of axes, such as `[0, 2, 1]`") else {
            return Ty::Error;
        };
        let mut order = Vec::with_capacity(list.len());
        for elem in list {
            match elem {
                ShapeRef::Dim(e) => match self.constant(*e) {
                    Some(v) => order.push(v),
                    None => return Ty::Error,
                },
                ShapeRef::Pack(_, loc) => {
                    self.error(
                        "E2210",
                        *loc,
                        "a pack is not an axis",
                        "write the axes as numbers",
                    );
                    return Ty::Error;
                }
            }
        }
        let Some((shape, elem)) = source else {
            return Ty::Error;
        };
        let shown = self.show_shape(&shape);
        let fault = if shape.iter().any(|e| matches!(e, ShapeElem::Pack(_))) {
            Some(format!(
                "`{shown}` has a pack, so its axes cannot be counted"
            ))
        } else {
            let mut sorted = order.clone();
            sorted.sort_unstable();
            let wanted: Vec<i64> = (0..shape.len() as i64).collect();
            (sorted != wanted)
                .then(|| format!("`{shown}` has the axes {wanted:?}, each exactly once"))
        };
        if let Some(fault) = fault {
            self.error(
                "E2210",
                self.arena.loc(axes),
                "this is not a permutation of the axes",
                fault,
            );
            return Ty::Error;
        }
        Ty::Tensor(
            order.iter().map(|i| shape[*i as usize].clone()).collect(),
            elem,
        )
    }

    /// The place of an axis in a shape, counted from the front or, negative, from the back; no pack on the side counted.
    fn axis(&mut self, shape: &Shape, axis: i64, id: ExprId) -> Option<(usize, bool)> {
        let shown = self.show_shape(shape);
        let (from_back, offset) = if axis < 0 {
            (true, (-(axis + 1)) as usize)
        } else {
            (false, axis as usize)
        };
        let mut fault = None;
        if offset >= shape.len() {
            fault = Some(format!("`{shown}` has no axis {axis}"));
        } else {
            let side = if from_back {
                &shape[shape.len() - 1 - offset..]
            } else {
                &shape[..=offset]
            };
            if side.iter().any(|e| matches!(e, ShapeElem::Pack(_))) {
                fault = Some(format!(
                    "counting in `{shown}` crosses a pack of unknown length; count from the other side"
                ));
            }
        }
        if let Some(fault) = fault {
            self.error(
                "E2210",
                self.arena.loc(id),
                format!("`{axis}` is not an axis here"),
                fault,
            );
            return None;
        }
        let index = if from_back {
            shape.len() - 1 - offset
        } else {
            offset
        };
        Some((index, from_back))
    }

    fn concat(&mut self, id: ExprId, args: &[Arg]) -> Ty {
        let loc = self.arena.loc(id);
        let mut axis = None;
        let mut parts: Vec<(ExprId, Option<Ty>)> = Vec::new();
        for arg in args {
            match &arg.name {
                Some((key, _)) if key == "axis" && axis.is_none() => axis = Some(arg.value),
                Some((key, key_loc)) => {
                    self.error(
                        "E2102",
                        *key_loc,
                        format!("`concat` has no parameter `{key}`"),
                        "`concat(a, b, .., axis = k)`",
                    );
                    return self.failed_call(args);
                }
                None => {}
            }
        }
        for arg in args.iter().filter(|arg| arg.name.is_none()) {
            let ty = self.operand("concat", arg.value);
            parts.push((arg.value, ty));
        }
        let Some(axis_id) = axis else {
            self.error(
                "E2102",
                loc,
                "`concat` misses `axis`",
                "`concat(a, b, .., axis = k)`",
            );
            return Ty::Error;
        };
        let axis = self.constant(axis_id);
        if parts.is_empty() {
            self.error(
                "E2102",
                loc,
                "`concat` takes at least one tensor",
                "`concat(a, b, .., axis = k)`",
            );
            return Ty::Error;
        }
        if parts.iter().any(|(_, t)| t.is_none()) {
            return Ty::Error;
        }
        let parts: Vec<(ExprId, Ty)> = parts
            .into_iter()
            .filter_map(|(e, t)| Some((e, t?)))
            .collect();
        let Some(axis) = axis else { return Ty::Error };
        let refs: Vec<(&Ty, ExprId)> = parts.iter().map(|(e, t)| (t, *e)).collect();
        let elem = match self.common_elem("concat", &refs) {
            Ok(Some(e)) => e,
            _ => {
                if refs
                    .iter()
                    .all(|(t, _)| matches!(t, Ty::Int(_) | Ty::Float(_)))
                {
                    self.error(
                        "E2210",
                        self.arena.loc(axis_id),
                        "scalars have no axis",
                        "`concat` joins tensors along an axis",
                    );
                }
                return Ty::Error;
            }
        };
        let first = shape_of(&parts[0].1);
        let Some((index, from_back)) = self.axis(&first, axis, axis_id) else {
            return Ty::Error;
        };
        let mut total: Option<Dim> = None;
        for (part, ty) in &parts {
            let shape = shape_of(ty);
            let here = if from_back {
                (shape.len() + index).checked_sub(first.len())
            } else {
                Some(index)
            };
            let same = match here {
                Some(h) if h < shape.len() => {
                    let mut a: Vec<ShapeElem> = first.to_vec();
                    let mut b: Vec<ShapeElem> = shape.to_vec();
                    a.remove(index);
                    let joined = b.remove(h);
                    match joined {
                        ShapeElem::Dim(d) => {
                            total = Some(total.map_or(d.clone(), |t| t.add(&d)));
                            self.same_shape(&a.into(), &b.into())
                        }
                        ShapeElem::Pack(_) => Err(None),
                    }
                }
                _ => Err(None),
            };
            if let Err(dims) = same {
                let (x, y) = (self.show_shape(&first), self.show_shape(&shape));
                let at = self.at_expr(*part);
                let first_at = self.at_expr(parts[0].0);
                let mut d = Diagnostic::new(
                    "E2202",
                    at,
                    format!("`concat` needs the same shape but for axis {axis}"),
                )
                .label(format!("this is `{y}`"))
                .related(first_at, format!("this is `{x}`"));
                if let Some((p, q)) = dims {
                    d = self.explain(d, &eq(&q, &p));
                }
                self.report(d);
                return Ty::Error;
            }
        }
        let mut out: Vec<ShapeElem> = first.to_vec();
        out[index] = ShapeElem::Dim(total.unwrap_or_else(|| Dim::int(0)));
        Ty::Tensor(out.into(), elem)
    }

    fn fill(&mut self, shape: ExprId, value: ExprId, dtype: Option<Elem>) -> Ty {
        let target = self
            .list(shape, "E2101", "a shape in brackets, such as `[B, N, D]`")
            .and_then(|l| self.lower_shape(l));
        let Some(ty) = self.operand("fill", value) else {
            return Ty::Error;
        };
        let loc = self.arena.loc(value);
        let elem = match (&ty, dtype) {
            (Ty::Tensor(s, e), want) => {
                if !s.is_empty() {
                    let shown = self.show(&ty);
                    self.error(
                        "E2202",
                        loc,
                        "`fill` takes a scalar value",
                        format!("this is `{shown}`"),
                    );
                    return Ty::Error;
                }
                if let Some(want) = want
                    && want != *e
                {
                    let (x, y) = (self.show_elem(want), self.show_elem(*e));
                    self.error(
                        "E2103",
                        loc,
                        format!("`fill<{x}>` with a `{y}`"),
                        format!("this is `{y}`"),
                    );
                    return Ty::Error;
                }
                *e
            }
            (_, Some(want)) => {
                if !self.fit(&ty, want, loc) {
                    return Ty::Error;
                }
                want
            }
            (Ty::Float(_), None) => Elem::Known(DEFAULT_FLOAT),
            (_, None) => Elem::Known(DEFAULT_INT),
        };
        target.map_or(Ty::Error, |s| Ty::Tensor(s, elem))
    }

    fn cumsum(&mut self, x: ExprId, axis: ExprId) -> Ty {
        let source = self.tensor("cumsum", x);
        let k = self.constant(axis);
        let (Some((shape, elem)), Some(k)) = (source, k) else {
            return Ty::Error;
        };
        if !self.elem_in_class(elem, GenericKind::Numeric) {
            self.class_fault("cumsum", elem, GenericKind::Numeric, x);
            return Ty::Error;
        }
        match self.axis(&shape, k, axis) {
            Some(_) => Ty::Tensor(shape, elem),
            None => Ty::Error,
        }
    }
}

fn shape_of(ty: &Ty) -> Shape {
    match ty {
        Ty::Tensor(s, _) => s.clone(),
        _ => Arc::from([]),
    }
}

/// `shl` and `shr` on compile-time integers, with the meaning they have on `i64`.
fn shift_dims(builtin: Builtin, x: &Dim, bits: &Dim) -> Option<Dim> {
    let bits = bits.as_int()?;
    if builtin == Builtin::Shl {
        return match x.as_int() {
            // Bits that leave the width are lost, as on every `i64`.
            Some(v) => Some(Dim::int(if (0..64).contains(&bits) {
                v << bits
            } else {
                0
            })),
            None if (0..63).contains(&bits) => Some(x.mul(&Dim::int(1 << bits))),
            None => None,
        };
    }
    let x = x.as_int()?;
    Some(Dim::int(if (0..64).contains(&bits) {
        x >> bits
    } else if x < 0 {
        -1
    } else {
        0
    }))
}

/// A lower bound as a goal.
pub(crate) fn at_least(d: &Dim, bound: i64) -> Constraint {
    Constraint {
        lhs: d.clone(),
        rel: Rel::Ge,
        rhs: Dim::int(bound),
    }
}
