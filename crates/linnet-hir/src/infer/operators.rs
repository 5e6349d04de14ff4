//! Unary and binary operators.

use linnet_dim::{Constraint, Dim, Rel};

use crate::body::{BinaryOp, Expr, ExprId, UnaryOp};
use crate::ctx::Ctx;
use crate::diag::Diagnostic;
use crate::tree::{GenericKind, Loc};
use crate::ty::{DType, Elem, Ty};

impl<'a> Ctx<'a> {
    pub(super) fn infer_unary(&mut self, op: UnaryOp, inner: ExprId) -> Ty {
        let arena = self.arena;
        let loc = arena.loc(inner);
        if op == UnaryOp::Neg
            && let Expr::Int(v) = arena.expr(inner)
        {
            // The lowest i64 has no positive counterpart.
            return Ty::Int(i64::try_from(-i128::from(*v)).ok().map(Dim::int));
        }
        let ty = self.infer_expr(inner, None);
        match (op, &ty) {
            (_, Ty::Error) => Ty::Error,
            (UnaryOp::Not, _) => {
                if self.scalar_bool(&ty, loc, "!") {
                    Ty::bool()
                } else {
                    Ty::Error
                }
            }
            (UnaryOp::Neg, Ty::Int(v)) => Ty::Int(v.as_ref().map(Dim::neg)),
            (UnaryOp::Neg, Ty::Float(bits)) => Ty::Float((-f64::from_bits(*bits)).to_bits()),
            (UnaryOp::Plus, Ty::Int(_) | Ty::Float(_)) => ty,
            (_, Ty::Tensor(_, elem)) => {
                let unsigned = matches!(elem, Elem::Known(d) if d.is_unsigned());
                let sign = if op == UnaryOp::Neg { "-" } else { "+" };
                if !self.elem_in_class(*elem, GenericKind::Numeric)
                    || (op == UnaryOp::Neg && unsigned)
                {
                    self.operand_fault(sign, &ty, loc);
                    return Ty::Error;
                }
                ty
            }
            _ => {
                self.operand_fault(if op == UnaryOp::Neg { "-" } else { "+" }, &ty, loc);
                Ty::Error
            }
        }
    }

    /// E2104.
    pub fn operand_fault(&mut self, op: &str, ty: &Ty, loc: Loc) {
        let shown = self.show(ty);
        let at = self.at(loc);
        let mut d = Diagnostic::new("E2104", at, format!("`{op}` does not take `{shown}`"))
            .label(format!("this is `{shown}`"));
        match ty {
            Ty::Optional(_) => {
                d = d.help("take the value out first: `match x { some(v) => .., none => .. }`")
            }
            Ty::Tensor(_, Elem::Known(DType::Bool)) if matches!(op, "+" | "*" | "-") => {
                d = d.help("convert it where that is meant: `cast<f32>(..)`");
            }
            Ty::Tensor(_, Elem::Known(u)) if op == "-" && u.is_unsigned() => {
                d = d.help("unsigned types have no negative values; cast to a signed type first");
            }
            _ => {}
        }
        self.report(d);
    }

    /// E2116.
    pub(super) fn scalar_bool(&mut self, ty: &Ty, loc: Loc, op: &str) -> bool {
        let ok =
            matches!(ty, Ty::Tensor(s, Elem::Known(DType::Bool) | Elem::Error) if s.is_empty());
        let ok = ok || ty.is_error();
        if !ok {
            let shown = self.show(ty);
            let at = self.at(loc);
            let mut d = Diagnostic::new("E2116", at, format!("`{op}` takes scalar `bool`s"))
                .label(format!("this is `{shown}`"));
            if matches!(ty, Ty::Tensor(_, Elem::Known(DType::Bool))) {
                d = d.help(match op {
                    "!" => "on tensors, compare: `x == false`",
                    "&&" => "on tensors, `&` is the logical and of each element",
                    _ => "on tensors, `|` is the logical or of each element",
                });
            }
            self.report(d);
        }
        ok
    }

    /// A chain of left-associative operators, without recursion along its left side.
    pub(super) fn infer_binary(&mut self, id: ExprId) -> Ty {
        let arena = self.arena;
        let mut spine = Vec::new();
        let mut left = id;
        while let Expr::Binary(op, l, r, loc) = arena.expr(left) {
            spine.push((left, *op, *l, *r, *loc));
            left = *l;
        }
        let mut ty = self.infer_expr(left, None);
        for (node, op, l, r, op_loc) in spine.into_iter().rev() {
            let hint = scalar_like(&ty);
            let right = self.infer_expr(r, hint.as_ref());
            // A branch of literals on the left learns its dtype from the right.
            if matches!(ty, Ty::Int(None) | Ty::Float(_))
                && let Ty::Tensor(_, elem) = right
            {
                match self.adopt(l, elem) {
                    Some(adopted) => ty = adopted,
                    None => ty = Ty::Error,
                }
            }
            ty = self.binary(op, &ty, l, &right, r, op_loc);
            if let Some(slot) = self.expr_tys.get_mut(node.0 as usize) {
                *slot = ty.clone();
            }
        }
        ty
    }

    /// Gives the literals of a branch the dtype that they meet; `None` where one does not fit, which is reported.
    fn adopt(&mut self, id: ExprId, elem: Elem) -> Option<Ty> {
        let arena = self.arena;
        let values: Vec<ExprId> = match arena.expr(id) {
            Expr::If {
                then, otherwise, ..
            } => vec![*then, *otherwise],
            Expr::Match { arms, .. } => arms.iter().map(|arm| arm.value).collect(),
            Expr::Call { callee, args, .. } if args.len() == 3 => match arena.expr(*callee) {
                Expr::Name(name) if name == "select" => args[1..].iter().map(|a| a.value).collect(),
                _ => Vec::new(),
            },
            _ => Vec::new(),
        };
        let known = self
            .expr_tys
            .get(id.0 as usize)
            .cloned()
            .unwrap_or(Ty::Error);
        if values.is_empty() {
            // A literal, or arithmetic on literals: judged by its own value.
            return Some(known);
        }
        let mut fits = true;
        for value in values {
            fits &= match self.adopt(value, elem)? {
                literal @ (Ty::Int(_) | Ty::Float(_)) => self.fit(&literal, elem, arena.loc(value)),
                _ => true,
            };
        }
        fits.then_some(known)
    }

    pub(super) fn binary(
        &mut self,
        op: BinaryOp,
        a: &Ty,
        a_id: ExprId,
        b: &Ty,
        b_id: ExprId,
        op_loc: Loc,
    ) -> Ty {
        use BinaryOp::*;
        let (a_loc, b_loc) = (self.arena.loc(a_id), self.arena.loc(b_id));
        if matches!(op, OrOr | AndAnd) {
            let both =
                self.scalar_bool(a, a_loc, op.text()) && self.scalar_bool(b, b_loc, op.text());
            return if both { Ty::bool() } else { Ty::Error };
        }
        let comparison = matches!(op, Eq | Ne | Lt | Le | Gt | Ge);
        if a.is_error() || b.is_error() {
            return Ty::Error;
        }
        match (a, b) {
            (Ty::Int(x), Ty::Int(y)) => {
                if comparison {
                    return Ty::bool();
                }
                return self.compile_time(op, x.as_ref(), y.as_ref(), b_loc);
            }
            (Ty::Int(_) | Ty::Float(_), Ty::Int(_) | Ty::Float(_)) => {
                if matches!(op, And | Or | Xor) {
                    let (bad, loc) = if matches!(a, Ty::Float(_)) {
                        (a, a_loc)
                    } else {
                        (b, b_loc)
                    };
                    self.operand_fault(op.text(), bad, loc);
                    return Ty::Error;
                }
                return if comparison {
                    Ty::bool()
                } else {
                    float_fold(op, a, b)
                };
            }
            _ => {}
        }
        // A literal beside a tensor takes its dtype.
        let elem = match (a, b) {
            (Ty::Tensor(_, e), Ty::Tensor(_, f)) => {
                if e != f {
                    let (x, y) = (self.show_elem(*e), self.show_elem(*f));
                    let at = self.at(b_loc);
                    let other = self.at(a_loc);
                    self.report(
                        Diagnostic::new("E2103", at, format!("`{}` on `{x}` and `{y}`", op.text()))
                            .label(format!("this is `{y}`"))
                            .related(other, format!("this is `{x}`"))
                            .help(format!(
                                "there is no implicit promotion; convert one side: `cast<{x}>(..)`"
                            )),
                    );
                    return Ty::Error;
                }
                *e
            }
            (Ty::Tensor(_, e), Ty::Int(_) | Ty::Float(_))
            | (Ty::Int(_) | Ty::Float(_), Ty::Tensor(_, e)) => *e,
            _ => {
                let bad_left = !matches!(a, Ty::Tensor(..) | Ty::Int(_) | Ty::Float(_));
                let (bad, loc) = if bad_left { (a, a_loc) } else { (b, b_loc) };
                if *bad == Ty::NoneLit {
                    self.none_without_type(loc);
                } else {
                    self.operand_fault(op.text(), bad, loc);
                }
                return Ty::Error;
            }
        };
        let takes = match op {
            Eq | Ne => true,
            And | Or | Xor => elem == Elem::BOOL || self.elem_in_class(elem, GenericKind::Integer),
            _ => self.elem_in_class(elem, GenericKind::Numeric),
        };
        if !takes {
            let (bad, loc) = if matches!(a, Ty::Tensor(..)) {
                (a, a_loc)
            } else {
                (b, b_loc)
            };
            self.operand_fault(op.text(), bad, loc);
            return Ty::Error;
        }
        let empty: crate::ty::Shape = std::sync::Arc::from([]);
        let (s, t) = match (a, b) {
            (Ty::Tensor(s, _), Ty::Tensor(t, _)) => (s, t),
            (Ty::Tensor(s, _), literal) => {
                if !self.fit(literal, elem, b_loc) {
                    return Ty::Error;
                }
                (s, &empty)
            }
            (literal, Ty::Tensor(t, _)) => {
                if !self.fit(literal, elem, a_loc) {
                    return Ty::Error;
                }
                (&empty, t)
            }
            _ => return Ty::Error,
        };
        match self.broadcast_at(s, t, op_loc) {
            Some(shape) => Ty::Tensor(shape, if comparison { Elem::BOOL } else { elem }),
            None => Ty::Error,
        }
    }

    /// Arithmetic on compile-time integers.
    pub(super) fn compile_time(
        &mut self,
        op: BinaryOp,
        a: Option<&Dim>,
        b: Option<&Dim>,
        b_loc: Loc,
    ) -> Ty {
        use BinaryOp::*;
        let (Some(a), Some(b)) = (a, b) else {
            return Ty::Int(None);
        };
        let value = match op {
            Add => Some(a.add(b)),
            Sub => Some(a.sub(b)),
            Mul => Some(a.mul(b)),
            Div | Rem => {
                if self.check_divisors && !self.positive(b) {
                    let shown = self.show_dim(b);
                    // Said once for each divisor: the same clause settles all its uses.
                    if !self.reported.insert(("E2205", shown.as_str().into())) {
                        return Ty::Error;
                    }
                    let at = self.at(b_loc);
                    let d = Diagnostic::new(
                        "E2205",
                        at,
                        format!("the divisor `{shown}` is not provably positive"),
                    )
                    .label("this may be 0");
                    let goal = Constraint {
                        lhs: b.clone(),
                        rel: Rel::Gt,
                        rhs: Dim::int(0),
                    };
                    let d = self.explain(d, &goal);
                    self.report(d);
                    return Ty::Error;
                }
                Some(if op == Div { a.div(b) } else { a.rem(b) })
            }
            And | Or | Xor => match (a.as_int(), b.as_int()) {
                (Some(x), Some(y)) => Some(Dim::int(match op {
                    And => x & y,
                    Or => x | y,
                    _ => x ^ y,
                })),
                _ => None,
            },
            _ => None,
        };
        // A number that no `i64` holds is left as it was written.
        if let Some(v) = &value
            && v.as_int().is_none()
            && a.as_int().is_some()
            && b.as_int().is_some()
        {
            let (x, y) = (self.show_dim(a), self.show_dim(b));
            self.error(
                "E2105",
                b_loc,
                format!("`{x} {} {y}` does not fit `i64`", op.text()),
                "beyond the range of compile-time integers",
            );
            return Ty::Error;
        }
        Ty::Int(value)
    }

    pub(super) fn positive(&mut self, d: &Dim) -> bool {
        match d.as_int() {
            Some(v) => v > 0,
            None => {
                self.proofs += 1;
                self.facts.positive(d)
            }
        }
    }
}

/// A scalar of a tensor's dtype: what a literal beside it becomes.
fn scalar_like(ty: &Ty) -> Option<Ty> {
    match ty {
        Ty::Tensor(_, elem) if *elem != Elem::Error => {
            Some(Ty::Tensor(std::sync::Arc::from([]), *elem))
        }
        _ => None,
    }
}

/// Arithmetic on literals of which one is a float: the value, so that its fit can be judged.
fn float_fold(op: BinaryOp, a: &Ty, b: &Ty) -> Ty {
    let value = |t: &Ty| match t {
        Ty::Float(bits) => Some(f64::from_bits(*bits)),
        Ty::Int(Some(d)) => d.as_int().map(|v| v as f64),
        _ => None,
    };
    let (Some(x), Some(y)) = (value(a), value(b)) else {
        return Ty::Float(0f64.to_bits());
    };
    let v = match op {
        BinaryOp::Add => x + y,
        BinaryOp::Sub => x - y,
        BinaryOp::Mul => x * y,
        BinaryOp::Div => x / y,
        BinaryOp::Rem => x % y,
        _ => 0.0,
    };
    Ty::Float(v.to_bits())
}
