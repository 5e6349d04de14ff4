//! Agreement of types: what a place requires, and whether a value has it.

use std::sync::Arc;

use linnet_dim::Dim;

use crate::ctx::Ctx;
use crate::diag::Diagnostic;
use crate::lower_ty::{DEFAULT_FLOAT, DEFAULT_INT, eq};
use crate::tree::{GenericKind, Loc};
use crate::ty::{DType, Elem, GArg, Shape, ShapeElem, Ty};

/// Where a value meets a requirement; it decides the code of a fault.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(crate) enum Place {
    /// An argument for a parameter of a fixed type.
    Argument,
    /// An argument for a parameter whose dtype is a generic, which another argument may have settled.
    GenericArgument,
    Field,
    Result,
    Annotation,
    Assignment,
}

impl Place {
    fn dtype_code(self) -> &'static str {
        match self {
            Place::GenericArgument => "E2103",
            Place::Assignment => "E2109",
            _ => "E2101",
        }
    }

    fn shape_code(self) -> &'static str {
        match self {
            Place::Field => "E2101",
            Place::Assignment => "E2109",
            _ => "E2202",
        }
    }

    fn type_code(self) -> &'static str {
        match self {
            Place::Assignment => "E2109",
            _ => "E2101",
        }
    }

    fn what(self) -> &'static str {
        match self {
            Place::Argument | Place::GenericArgument => "the argument",
            Place::Field => "the field",
            Place::Result => "the result",
            Place::Annotation => "the value",
            Place::Assignment => "the assigned value",
        }
    }
}

impl<'a> Ctx<'a> {
    /// Checks that a value of type `actual` may stand where `expected` is required; reports at `loc` where not.
    pub fn coerce(&mut self, actual: &Ty, expected: &Ty, loc: Loc, place: Place) -> bool {
        match (expected, actual) {
            (Ty::Error, _) | (_, Ty::Error) => true,
            (Ty::Tensor(shape, elem), Ty::Int(_) | Ty::Float(_)) => {
                if !shape.is_empty() {
                    return self.mismatch(place.shape_code(), actual, expected, loc, place, None);
                }
                self.fit(actual, *elem, loc)
            }
            (Ty::Optional(want), _) => match actual {
                Ty::NoneLit => true,
                Ty::Optional(have) => {
                    let (want, have) = (want.clone(), have.clone());
                    self.coerce(&have, &want, loc, place)
                }
                _ => {
                    let (a, e) = (self.show(actual), self.show(expected));
                    let at = self.at(loc);
                    self.report(
                        Diagnostic::new(
                            place.type_code(),
                            at,
                            format!("{} must be `{e}`, and is a bare `{a}`", place.what()),
                        )
                        .label(format!("expected `{e}`"))
                        .help("wrap the value: `some(..)`"),
                    );
                    false
                }
            },
            (_, Ty::NoneLit) => {
                let e = self.show(expected);
                self.error(
                    "E2113",
                    loc,
                    format!("`none` where `{e}` is required"),
                    "only an optional type can be `none`",
                );
                false
            }
            (Ty::Tuple(want), Ty::Tuple(have)) if want.len() == have.len() => {
                let pairs: Vec<(Ty, Ty)> = want.iter().cloned().zip(have.iter().cloned()).collect();
                pairs.iter().all(|(w, h)| self.coerce(h, w, loc, place))
            }
            (Ty::Tensor(want, want_elem), Ty::Tensor(have, have_elem)) => {
                let elems = want_elem == have_elem
                    || *want_elem == Elem::Error
                    || *have_elem == Elem::Error;
                if !elems {
                    return self.mismatch(place.dtype_code(), actual, expected, loc, place, None);
                }
                match self.same_shape(have, want) {
                    Ok(()) => true,
                    Err(dims) => {
                        self.mismatch(place.shape_code(), actual, expected, loc, place, dims)
                    }
                }
            }
            _ => {
                if self.same_type(actual, expected) {
                    return true;
                }
                self.mismatch(place.type_code(), actual, expected, loc, place, None)
            }
        }
    }

    fn mismatch(
        &mut self,
        code: &'static str,
        actual: &Ty,
        expected: &Ty,
        loc: Loc,
        place: Place,
        dims: Option<(Dim, Dim)>,
    ) -> bool {
        let (a, e) = (self.show(actual), self.show(expected));
        let at = self.at(loc);
        let message = match place {
            Place::Assignment => format!("an assignment keeps the type: `{e}`, and this is `{a}`"),
            _ => format!("{} must be `{e}`, and is `{a}`", place.what()),
        };
        let mut d = Diagnostic::new(code, at, message).label(format!("this is `{a}`"));
        if let (Ty::Tensor(_, want), Ty::Tensor(_, have)) = (expected, actual)
            && want != have
            && let Elem::Known(_) | Elem::Param(_) = want
        {
            d = d.help(format!(
                "convert it where that is meant: `cast<{}>(..)`",
                self.show_elem(*want)
            ));
        }
        if let Some((have, want)) = dims {
            let goal = eq(&have, &want);
            d = d.note(format!(
                "`{}` cannot be proven equal to `{}`",
                self.show_dim(&have),
                self.show_dim(&want)
            ));
            d = self.explain(d, &goal);
        }
        if let (Ty::Tensor(want, _), Ty::Tensor(have, _)) = (expected, actual)
            && want != have
            && self.is_reordered(want, have)
        {
            // The same axes in another order: no clause was meant.
            d.help.clear();
            d = d.help("the axes are the same in another order: `permute(x, [..])` reorders them");
        }
        self.report(d);
        false
    }

    /// Whether two shapes are provably the same; else the first two dimensions that are not, where it is a matter of two.
    pub fn same_shape(&mut self, a: &Shape, b: &Shape) -> Result<(), Option<(Dim, Dim)>> {
        if a.len() != b.len() {
            return Err(None);
        }
        for (x, y) in a.iter().zip(b.iter()) {
            match (x, y) {
                (ShapeElem::Dim(x), ShapeElem::Dim(y)) => {
                    if !self.equal(x, y) {
                        return Err(Some((x.clone(), y.clone())));
                    }
                }
                (ShapeElem::Pack(x), ShapeElem::Pack(y)) if x == y => {}
                _ => return Err(None),
            }
        }
        Ok(())
    }

    /// Whether two types are provably the same.
    pub fn same_type(&mut self, a: &Ty, b: &Ty) -> bool {
        if a == b {
            return true;
        }
        match (a, b) {
            (Ty::Error, _) | (_, Ty::Error) => true,
            (Ty::Tensor(s, e), Ty::Tensor(t, f)) => {
                (e == f || *e == Elem::Error || *f == Elem::Error) && self.same_shape(s, t).is_ok()
            }
            (Ty::Optional(x), Ty::Optional(y)) => self.same_type(x, y),
            (Ty::Tuple(x), Ty::Tuple(y)) => {
                x.len() == y.len() && x.iter().zip(y.iter()).all(|(x, y)| self.same_type(x, y))
            }
            (Ty::Struct(d, x), Ty::Struct(e, y)) | (Ty::Block(d, x), Ty::Block(e, y)) => {
                d == e
                    && x.len() == y.len()
                    && x.iter().zip(y.iter()).all(|(x, y)| self.same_arg(x, y))
            }
            (Ty::Array(x, n), Ty::Array(y, m)) => self.same_type(x, y) && self.equal(n, m),
            _ => false,
        }
    }

    fn same_arg(&mut self, a: &GArg, b: &GArg) -> bool {
        match (a, b) {
            (GArg::Error, _) | (_, GArg::Error) => true,
            (GArg::Dim(x), GArg::Dim(y)) => self.equal(x, y),
            (GArg::Shape(x), GArg::Shape(y)) => self.same_shape(x, y).is_ok(),
            (GArg::Elem(x), GArg::Elem(y)) => x == y || *x == Elem::Error || *y == Elem::Error,
            _ => false,
        }
    }

    /// Whether a literal may take this dtype (E2105).
    pub fn fit(&mut self, literal: &Ty, elem: Elem, loc: Loc) -> bool {
        let why = match (literal, elem) {
            (_, Elem::Error) => None,
            (Ty::Int(value), Elem::Known(d)) => {
                let value = value.as_ref().and_then(Dim::as_int);
                match (d.integer_range(), value) {
                    (Some((lo, hi)), Some(v)) if !(lo..=hi).contains(&i128::from(v)) => {
                        Some(format!("`{}` holds {lo} to {hi}", d.name()))
                    }
                    (None, Some(v)) if d.is_float() && !d.float_fits(v as f64) => {
                        Some(format!("beyond the largest finite `{}`", d.name()))
                    }
                    _ if d == DType::Bool => Some("an integer is not a `bool`".to_string()),
                    _ => None,
                }
            }
            (Ty::Float(bits), Elem::Known(d)) => {
                if !d.is_float() {
                    Some(format!("a float literal is not a `{}`", d.name()))
                } else if !d.float_fits(f64::from_bits(*bits)) {
                    Some(format!("beyond the largest finite `{}`", d.name()))
                } else {
                    None
                }
            }
            (_, Elem::Param(_)) => {
                let float = matches!(literal, Ty::Float(_));
                let class = if float {
                    GenericKind::Float
                } else {
                    GenericKind::Numeric
                };
                if self.elem_in_class(elem, class) {
                    None
                } else {
                    let shown = self.show_elem(elem);
                    Some(if float {
                        format!("`{shown}` need not be a floating dtype")
                    } else {
                        format!("`{shown}` need not be a number dtype")
                    })
                }
            }
            _ => None,
        };
        match why {
            None => true,
            Some(why) => {
                let shown = self.show_elem(elem);
                self.error(
                    "E2105",
                    loc,
                    format!("the literal does not fit `{shown}`"),
                    why,
                );
                false
            }
        }
    }

    /// A value's type once nothing more can decide it: literals take their default dtype.
    pub fn settle(&mut self, ty: Ty) -> Ty {
        match ty {
            Ty::Int(_) => Ty::scalar(DEFAULT_INT),
            Ty::Float(_) => Ty::scalar(DEFAULT_FLOAT),
            Ty::Tuple(ts) => {
                let mut out = Vec::with_capacity(ts.len());
                for t in ts.iter() {
                    out.push(self.settle(t.clone()));
                }
                Ty::Tuple(out.into())
            }
            Ty::Optional(t) => Ty::Optional(Arc::new(self.settle((*t).clone()))),
            other => other,
        }
    }

    /// One type for two branches or operands; `None` where they differ.
    pub fn join(&mut self, a: &Ty, b: &Ty, b_loc: Loc, a_loc: Loc) -> Option<Ty> {
        match (a, b) {
            (Ty::Error, t) | (t, Ty::Error) => Some(t.clone()),
            (Ty::Int(x), Ty::Int(y)) => Some(Ty::Int(if x == y { x.clone() } else { None })),
            (Ty::Float(x), Ty::Float(y)) => {
                // The larger one decides whether both fit.
                let (p, q) = (f64::from_bits(*x), f64::from_bits(*y));
                Some(Ty::Float(if q.abs() > p.abs() { *y } else { *x }))
            }
            (Ty::Float(x), Ty::Int(_)) | (Ty::Int(_), Ty::Float(x)) => Some(Ty::Float(*x)),
            (Ty::Tensor(s, e), Ty::Int(_) | Ty::Float(_)) if s.is_empty() => {
                self.fit(b, *e, b_loc);
                Some(a.clone())
            }
            (Ty::Int(_) | Ty::Float(_), Ty::Tensor(s, e)) if s.is_empty() => {
                self.fit(a, *e, a_loc);
                Some(b.clone())
            }
            (Ty::NoneLit, Ty::NoneLit) => Some(Ty::NoneLit),
            (Ty::Optional(_), Ty::NoneLit) => Some(a.clone()),
            (Ty::NoneLit, Ty::Optional(_)) => Some(b.clone()),
            (Ty::Optional(x), Ty::Optional(y)) => {
                let (x, y) = (x.clone(), y.clone());
                Some(Ty::Optional(Arc::new(self.join(&x, &y, b_loc, a_loc)?)))
            }
            (Ty::Tuple(x), Ty::Tuple(y)) if x.len() == y.len() => {
                let (x, y) = (x.clone(), y.clone());
                let mut out = Vec::with_capacity(x.len());
                for (x, y) in x.iter().zip(y.iter()) {
                    out.push(self.join(x, y, b_loc, a_loc)?);
                }
                Some(Ty::Tuple(out.into()))
            }
            _ => self.same_type(a, b).then(|| a.clone()),
        }
    }

    /// The shape that two shapes broadcast to, aligned at the right; else the two dimensions that do not.
    pub fn broadcast(&mut self, a: &Shape, b: &Shape) -> Result<Shape, Option<(Dim, Dim)>> {
        if a.is_empty() || a == b {
            return Ok(b.clone());
        }
        if b.is_empty() {
            return Ok(a.clone());
        }
        let mut out = Vec::with_capacity(a.len().max(b.len()));
        let (mut x, mut y) = (a.iter().rev(), b.iter().rev());
        loop {
            match (x.next(), y.next()) {
                (None, None) => break,
                (Some(e), None) | (None, Some(e)) => out.push(e.clone()),
                (Some(ShapeElem::Dim(d)), Some(ShapeElem::Dim(e))) => {
                    let one = Dim::int(1);
                    // Literal ones and equal terms need no proof.
                    let d_is_one = d.as_int() == Some(1);
                    let joined = if d == e || e.as_int() == Some(1) {
                        d
                    } else if d_is_one {
                        e
                    } else if self.equal(d, e) {
                        d
                    } else if self.equal(d, &one) {
                        e
                    } else if self.equal(e, &one) {
                        d
                    } else {
                        return Err(Some((d.clone(), e.clone())));
                    };
                    out.push(ShapeElem::Dim(joined.clone()));
                }
                (Some(ShapeElem::Pack(p)), Some(ShapeElem::Pack(q))) if p == q => {
                    out.push(ShapeElem::Pack(*p));
                }
                _ => return Err(None),
            }
        }
        out.reverse();
        Ok(out.into())
    }

    /// [`broadcast`](Self::broadcast), with E2207 at `loc`.
    pub fn broadcast_at(&mut self, a: &Shape, b: &Shape, loc: Loc) -> Option<Shape> {
        match self.broadcast(a, b) {
            Ok(shape) => Some(shape),
            Err(dims) => {
                let (x, y) = (self.show_shape(a), self.show_shape(b));
                let at = self.at(loc);
                let mut d = Diagnostic::new(
                    "E2207",
                    at,
                    format!("the shapes `{x}` and `{y}` cannot be proven to broadcast"),
                )
                .label(format!("`{x}` with `{y}`"));
                match dims {
                    Some((p, q)) => {
                        d = d.note(format!(
                            "aligned at the right, `{}` meets `{}`: they must be equal, or one of them 1",
                            self.show_dim(&p),
                            self.show_dim(&q)
                        ));
                        d = self.explain(d, &eq(&p, &q));
                        if let Some(shape) = self.left_aligned(a, b) {
                            // The axes agree from the left, so no clause was meant.
                            d.help.clear();
                            d = d.help(format!("axes are aligned at the right; to align at the left, first `reshape(.., {shape})`"));
                        }
                    }
                    None => {
                        d = d.note("aligned at the right, a pack of dimensions meets another axis");
                        d = d.note(if self.facts.constraints().is_empty() {
                            "no `where` clause is in force here".to_string()
                        } else {
                            "no `where` clause can settle it: packs agree only with themselves"
                                .to_string()
                        });
                        d = d.help(
                            "give both operands the same axes, or name the axes instead of a pack",
                        );
                    }
                }
                self.report(d);
                None
            }
        }
    }

    /// Where the axes of the shorter shape stand together in the longer one, but not at its end: its axes with ones
    /// behind them.
    fn left_aligned(&mut self, a: &Shape, b: &Shape) -> Option<String> {
        let (short, long) = if a.len() < b.len() { (a, b) } else { (b, a) };
        for start in 0..long.len() - short.len() {
            let end = start + short.len();
            let part: Shape = long[start..end].into();
            if self.same_shape(short, &part).is_ok() {
                let ones = long[end..].iter().map(|_| ShapeElem::Dim(Dim::int(1)));
                let shape: Vec<ShapeElem> = short.iter().cloned().chain(ones).collect();
                return Some(self.show_shape(&shape));
            }
        }
        None
    }

    /// Whether two shapes have the same axes in another order.
    fn is_reordered(&mut self, a: &Shape, b: &Shape) -> bool {
        let mut rest: Vec<&ShapeElem> = b.iter().collect();
        a.len() == b.len()
            && a.iter()
                .all(|axis| match rest.iter().position(|other| *other == axis) {
                    Some(at) => {
                        rest.swap_remove(at);
                        true
                    }
                    None => false,
                })
    }
}
