//! Expressions: names, operators, fields, branches.

use linnet_dim::{Constraint, Dim, Rel, Sym};
use rustc_hash::FxHashSet;

use crate::body::{ArmPat, BinaryOp, Expr, ExprId, Pat, UnaryOp};
use crate::ctx::{Ctx, LocalKind, Res};
use crate::diag::Diagnostic;
use crate::sig::{SigDetail, header, nested_item, sig};
use crate::tree::{DefId, GenericKind, ItemKind, Loc, Name, Part};
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

    fn infer_inner(&mut self, id: ExprId, expected: Option<&Ty>) -> Ty {
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
            } => self.infer_reduce(id, *op, *dtype, indices, *body),
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

    fn join_branches(
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

    fn infer_name(&mut self, name: &Name, loc: Loc) -> Ty {
        let Some(mut res) = self.resolve(name, false) else {
            self.undeclared(name, loc, "E1201");
            return Ty::Error;
        };
        // An index name counts in index position only.
        if let Res::Local(i) = res
            && matches!(self.locals[i].kind, LocalKind::Index(_))
            && let Some(past) = self.resolve(name, true)
        {
            res = past;
        }
        self.value_of(res, name, loc)
    }

    /// What a resolved name is as a value.
    pub fn value_of(&mut self, res: Res, name: &str, loc: Loc) -> Ty {
        match res {
            Res::Local(i) => {
                let local = &mut self.locals[i];
                local.used = true;
                if matches!(local.kind, LocalKind::Index(_)) {
                    self.not_in_index_notation(
                        loc,
                        "an index used as a value",
                        Some(&format!(
                            "an index is only a position; `iota(N)[{name}]` gives its value"
                        )),
                    );
                    return Ty::Error;
                }
                local.ty.clone()
            }
            Res::Generic(i) => match self.header.generics[i as usize].kind {
                GenericKind::Dim => Ty::Int(Some(Dim::sym(Sym(i)))),
                GenericKind::Error => Ty::Error,
                _ => {
                    let what = self.describe(&Res::Generic(i));
                    self.wrong_kind(name, loc, what, "a value");
                    Ty::Error
                }
            },
            Res::Member(block) => {
                // A constant uses none; its fault is reported, and the members' types may need it.
                if self.def.kind(self.db) == ItemKind::Const {
                    return Ty::Error;
                }
                sig(self.db, block)
                    .member(name)
                    .map_or(Ty::Error, |m| m.ty.clone())
            }
            Res::Nested(def) | Res::Item(def) if def.kind(self.db) == ItemKind::Const => {
                self.const_ty(def)
            }
            Res::Error => Ty::Error,
            other => {
                let what = self.describe(&other);
                self.wrong_kind(name, loc, what, "a value");
                Ty::Error
            }
        }
    }

    fn infer_field(&mut self, base: ExprId, name: &Name, name_loc: Loc) -> Ty {
        let arena = self.arena;
        if let Expr::Name(head) = arena.expr(base) {
            match self.resolve(head, true) {
                Some(Res::Module(file)) => {
                    return match self.module_item(file, name, name_loc) {
                        Some(res) => self.value_of(res, name, name_loc),
                        None => Ty::Error,
                    };
                }
                Some(Res::Item(def) | Res::Nested(def)) => {
                    if let Some(e) = self.enum_of(def) {
                        return self.variant(e, name, name_loc);
                    }
                }
                _ => {}
            }
        }
        // `module.Enum.Variant`
        if let Expr::Field {
            base: inner,
            name: middle,
            name_loc: middle_loc,
        } = arena.expr(base)
            && let Expr::Name(head) = arena.expr(*inner)
            && let Some(Res::Module(file)) = self.resolve(head, true)
        {
            let Some(res) = self.module_item(file, middle, *middle_loc) else {
                return Ty::Error;
            };
            if let Res::Item(def) = res
                && let Some(e) = self.enum_of(def)
            {
                return self.variant(e, name, name_loc);
            }
            let ty = self.value_of(res, middle, *middle_loc);
            return self.field_of(&ty, name, name_loc);
        }
        let ty = self.infer_expr(base, None);
        self.field_of(&ty, name, name_loc)
    }

    /// The enum that an item is, or is an alias of.
    fn enum_of(&self, def: DefId) -> Option<DefId> {
        match def.kind(self.db) {
            ItemKind::Enum => Some(def),
            ItemKind::Alias => match &sig(self.db, def).detail {
                SigDetail::Alias { ty: Ty::Enum(e) } => Some(*e),
                _ => None,
            },
            _ => None,
        }
    }

    fn variant(&mut self, def: DefId, name: &Name, loc: Loc) -> Ty {
        if let SigDetail::Enum { variants } = &sig(self.db, def).detail
            && !variants.contains(name)
        {
            let names: Vec<&str> = variants.iter().map(|v| v.as_str()).collect();
            self.no_such(
                &format!("the enum `{}`", def.name(self.db)),
                "variant",
                name,
                loc,
                &names,
            );
            return Ty::Error;
        }
        Ty::Enum(def)
    }

    /// E2107, with a likely name.
    pub fn no_such(&mut self, owner: &str, what: &str, name: &str, loc: Loc, names: &[&str]) {
        let at = self.at(loc);
        let mut d = Diagnostic::new("E2107", at, format!("{owner} has no {what} `{name}`"))
            .label(format!("no such {what}"));
        if let Some(s) = crate::scope::suggest(name, names.iter().copied()) {
            let s = s.to_string();
            d = d
                .help(format!("did you mean `{s}`?"))
                .fix(format!("change it to `{s}`"), vec![(at, s)]);
        } else if !names.is_empty() && names.len() <= 12 {
            d = d.help(format!(
                "it has {}",
                names
                    .iter()
                    .map(|n| format!("`{n}`"))
                    .collect::<Vec<_>>()
                    .join(", ")
            ));
        }
        self.report(d);
    }

    fn field_of(&mut self, ty: &Ty, name: &Name, loc: Loc) -> Ty {
        match ty {
            Ty::Error => Ty::Error,
            Ty::Struct(def, args) => {
                let sig = sig(self.db, *def);
                let SigDetail::Struct { fields } = &sig.detail else {
                    return Ty::Error;
                };
                match fields.iter().find(|(n, _)| n == name) {
                    Some((_, ty)) => ty.subst(args),
                    None => {
                        let names: Vec<&str> = fields.iter().map(|(n, _)| n.as_str()).collect();
                        self.no_such(
                            &format!("`{}`", def.name(self.db)),
                            "field",
                            name,
                            loc,
                            &names,
                        );
                        Ty::Error
                    }
                }
            }
            Ty::Block(def, args) => {
                let sig = sig(self.db, *def);
                self.uses.members.insert((*def, name.clone()));
                if let Some(m) = sig.member(name) {
                    return m.ty.subst(args);
                }
                if let Some(item) = nested_item(self.db, *def, name) {
                    if item.kind == ItemKind::Const {
                        if def.file(self.db) != self.file && !item.is_pub {
                            let at = self.at(loc);
                            self.report(
                                Diagnostic::new(
                                    "E1203",
                                    at,
                                    format!("`{name}` is private to its module"),
                                )
                                .label("not `pub`")
                                .help(format!("declare it `pub const {name}` in the block")),
                            );
                            return Ty::Error;
                        }
                        return self.const_ty(item.def).subst(args);
                    }
                    let what = self.describe(&Res::Item(item.def));
                    self.wrong_kind(name, loc, what, "a value");
                    return Ty::Error;
                }
                let SigDetail::Block { members } = &sig.detail else {
                    return Ty::Error;
                };
                let names: Vec<&str> = members.iter().map(|m| m.name.as_str()).collect();
                self.no_such(
                    &format!("the block `{}`", def.name(self.db)),
                    "member",
                    name,
                    loc,
                    &names,
                );
                Ty::Error
            }
            other => {
                let shown = self.show(other);
                let at = self.at(loc);
                let mut d =
                    Diagnostic::new("E2107", at, format!("`{shown}` has no field `{name}`"))
                        .label("no such field");
                match other {
                    Ty::Optional(_) => {
                        d = d.help(
                            "take the value out first: `match x { some(v) => .., none => .. }`",
                        );
                    }
                    Ty::Array(..) => {
                        d = d.help(
                            "choose one of the array: `layers[0]`, or `static for layer in layers`",
                        )
                    }
                    _ => {
                        if let Some(hint) = crate::hints::tensor_attribute(name) {
                            d = d.help(hint);
                        }
                    }
                }
                self.report(d);
                Ty::Error
            }
        }
    }

    fn infer_unary(&mut self, op: UnaryOp, inner: ExprId) -> Ty {
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
    fn scalar_bool(&mut self, ty: &Ty, loc: Loc, op: &str) -> bool {
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
    fn infer_binary(&mut self, id: ExprId) -> Ty {
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
            if matches!(
                self.arena.expr(l),
                Expr::If { .. } | Expr::Match { .. } | Expr::Call { .. }
            ) && matches!(ty, Ty::Int(None) | Ty::Float(_))
                && let Some(hint) = scalar_like(&right)
            {
                ty = self.infer_expr(l, Some(&hint));
            }
            ty = self.binary(op, &ty, l, &right, r, op_loc);
            if let Some(slot) = self.expr_tys.get_mut(node.0 as usize) {
                *slot = ty.clone();
            }
        }
        ty
    }

    fn binary(
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
    fn compile_time(&mut self, op: BinaryOp, a: Option<&Dim>, b: Option<&Dim>, b_loc: Loc) -> Ty {
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

    fn positive(&mut self, d: &Dim) -> bool {
        match d.as_int() {
            Some(v) => v > 0,
            None => {
                self.proofs += 1;
                self.facts.positive(d)
            }
        }
    }

    fn infer_match(
        &mut self,
        scrutinee: ExprId,
        arms: &[crate::body::Arm],
        keyword: Loc,
        expected: Option<&Ty>,
    ) -> Ty {
        let subject = self.infer_expr(scrutinee, None);
        let variants: Option<Vec<Name>> = match &subject {
            Ty::Enum(def) => match &sig(self.db, *def).detail {
                SigDetail::Enum { variants } => Some(variants.clone()),
                _ => None,
            },
            _ => None,
        };
        if subject == Ty::NoneLit {
            self.none_without_type(self.arena.loc(scrutinee));
        }
        let known: FxHashSet<&Name> = variants.iter().flatten().collect();
        let mut seen: FxHashSet<Name> = FxHashSet::default();
        let (mut some, mut none, mut wild) = (false, false, false);
        let mut broken = subject.is_error() || subject == Ty::NoneLit;
        let chosen = match &subject {
            Ty::Enum(_) => self.constant_variant(scrutinee, 0),
            _ => None,
        };
        let mut chosen_ty: Option<Ty> = None;
        let mut result: Option<(Ty, ExprId)> = None;
        for arm in arms {
            let all = wild || (some && none) || (variants.is_some() && seen.len() == known.len());
            let mut reached = !all;
            let mark = self.locals.len();
            match (&arm.pat, &subject) {
                (ArmPat::Error, _) => broken = true,
                (ArmPat::Broken(pat), _) => {
                    broken = true;
                    self.bind(pat, &Ty::Error, LocalKind::Let);
                }
                (ArmPat::Wild, _) => wild = true,
                (ArmPat::Some(pat), Ty::Optional(inner)) => {
                    reached &= !some;
                    let inner = (**inner).clone();
                    some |= self.bind(pat, &inner, LocalKind::Let);
                }
                (ArmPat::None, Ty::Optional(_)) => {
                    reached &= !none;
                    none = true;
                }
                (ArmPat::Name(name), Ty::Enum(def)) => {
                    if known.contains(name) {
                        reached &= seen.insert(name.clone());
                    } else {
                        broken = true;
                        let names: Vec<&str> =
                            variants.iter().flatten().map(|v| v.as_str()).collect();
                        let owner = format!("the enum `{}`", def.name(self.db));
                        self.no_such(&owner, "variant", name, arm.loc, &names);
                    }
                }
                (pat, _) => {
                    if let ArmPat::Some(p) = pat {
                        self.bind(p, &Ty::Error, LocalKind::Let);
                    }
                    if !subject.is_error() && subject != Ty::NoneLit {
                        broken = true;
                        let shown = self.show(&subject);
                        self.error(
                            "E2117",
                            arm.loc,
                            format!("this pattern cannot match `{shown}`"),
                            match subject {
                                Ty::Optional(_) => "an optional value is `some(..)` or `none`",
                                Ty::Enum(_) => "an enum is matched by its variants",
                                _ => "a `match` takes an optional value or an enum",
                            },
                        );
                    }
                }
            }
            if !reached {
                let at = self.at(arm.loc);
                self.report(
                    Diagnostic::new("W1004", at, "this arm is never reached")
                        .label("the arms above match everything it would"),
                );
            }
            let ty = self.infer_expr(arm.value, expected);
            self.pop_locals(mark);
            let takes_it = match &arm.pat {
                ArmPat::Name(name) => chosen.as_ref() == Some(name),
                ArmPat::Wild => chosen.is_some(),
                _ => false,
            };
            if takes_it && chosen_ty.is_none() {
                chosen_ty = Some(ty.clone());
            }
            result = Some(match result {
                None => (ty, arm.value),
                Some((first, first_id)) => {
                    let joined = self.join_branches(&first, first_id, &ty, arm.value, expected);
                    (joined, first_id)
                }
            });
        }
        let matchable = variants.is_some() || matches!(subject, Ty::Optional(_));
        if !broken && !wild && matchable {
            let mut missing: Vec<String> = Vec::new();
            match &variants {
                Some(v) => missing.extend(
                    v.iter()
                        .filter(|v| !seen.contains(*v))
                        .map(|v| v.to_string()),
                ),
                None => {
                    if !some {
                        missing.push("some(value)".to_string());
                    }
                    if !none {
                        missing.push("none".to_string());
                    }
                }
            }
            if !missing.is_empty() {
                let list = missing
                    .iter()
                    .map(|m| format!("`{m}`"))
                    .collect::<Vec<_>>()
                    .join(", ");
                self.report_missing_arms(keyword, &list);
                return Ty::Error;
            }
        }
        match (result, chosen_ty) {
            // On a constant the match is decided, and with it the value of a compile-time integer.
            (Some((Ty::Int(None), _)), Some(Ty::Int(value))) => Ty::Int(value),
            (result, _) => result.map_or(Ty::Error, |(ty, _)| ty),
        }
    }

    /// The variant that a constant expression is.
    fn constant_variant(&mut self, id: ExprId, depth: u32) -> Option<Name> {
        let def = match self.arena.expr(id) {
            Expr::Field { base, name, .. } => match self.arena.expr(*base) {
                Expr::Name(head) => match self.resolve(head, true)? {
                    Res::Item(def) | Res::Nested(def) if self.enum_of(def).is_some() => {
                        return Some(name.clone());
                    }
                    Res::Module(file) => {
                        match crate::scope::lookup_in_module(self.db, file, name) {
                            crate::scope::Lookup::Found(def) => def,
                            _ => return None,
                        }
                    }
                    _ => return None,
                },
                // `module.Enum.Variant`
                Expr::Field { .. } => return Some(name.clone()),
                _ => return None,
            },
            Expr::Name(name) => match self.resolve(name, true)? {
                Res::Item(def) | Res::Nested(def) => def,
                _ => return None,
            },
            _ => return None,
        };
        // Constants of modules that import each other may lead in a circle.
        if def.kind(self.db) != ItemKind::Const || depth > 32 {
            return None;
        }
        // The constant's value, in its own module.
        let body = crate::db::body(self.db, def);
        let head = header(self.db, def);
        let mut inside = Ctx::new(self.db, def, Part::Body(def), &body.arena, head);
        inside.constant_variant(body.value?, depth + 1)
    }

    fn report_missing_arms(&mut self, keyword: Loc, list: &str) {
        let at = self.at(keyword);
        self.report(
            Diagnostic::new("E2118", at, format!("this `match` does not cover {list}"))
                .label("a case is missing")
                .help(format!("add an arm for {list}, or end with `_ => ..`")),
        );
    }

    /// E1205: one name twice in a tuple's pattern.
    fn refuse_twice(&mut self, items: &[Pat]) {
        for (i, item) in items.iter().enumerate() {
            let Pat::Bind(name, loc) = item else { continue };
            let first = items[..i].iter().find_map(|p| match p {
                Pat::Bind(n, l) if n == name && name != "_" => Some(*l),
                _ => None,
            });
            if let Some(first) = first {
                let (at, first) = (self.at(*loc), self.at(first));
                self.report(
                    Diagnostic::new("E1205", at, format!("the pattern binds `{name}` twice"))
                        .label("the second time")
                        .related(first, "first bound here"),
                );
            }
        }
    }

    /// Binds the names of a pattern; says whether it matches every value of the type.
    pub fn bind(&mut self, pat: &Pat, ty: &Ty, kind: LocalKind) -> bool {
        match (pat, ty) {
            (Pat::Error, _) => true,
            (Pat::Bind(name, loc), _) => {
                self.declare(name, *loc, ty.clone(), kind);
                true
            }
            (Pat::Tuple(items, _), Ty::Tuple(tys)) if items.len() == tys.len() => {
                self.refuse_twice(items);
                let mut all = true;
                for (p, t) in items.iter().zip(tys.iter()) {
                    all &= self.bind(p, t, kind.clone());
                }
                all
            }
            (Pat::Some(inner, _), Ty::Optional(t)) => {
                self.bind(inner, t, kind);
                false
            }
            (Pat::None(_), Ty::Optional(_)) => false,
            _ => {
                let (loc, items): (Loc, Vec<&Pat>) = match pat {
                    Pat::Tuple(items, loc) => (*loc, items.iter().collect()),
                    Pat::Some(inner, loc) => (*loc, vec![inner]),
                    Pat::None(loc) => (*loc, Vec::new()),
                    Pat::Bind(_, loc) => (*loc, Vec::new()),
                    Pat::Error => return true,
                };
                if !ty.is_error() {
                    let shown = self.show(ty);
                    self.error(
                        "E2117",
                        loc,
                        format!("this pattern cannot match `{shown}`"),
                        format!("the value is `{shown}`"),
                    );
                }
                for p in items {
                    self.bind(p, &Ty::Error, kind.clone());
                }
                true
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
