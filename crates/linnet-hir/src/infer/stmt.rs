//! Statements, and what a function's body owes its signature.

use std::sync::Arc;

use linnet_dim::{Dim, Sym};

use crate::body::{Expr, ExprId, Loop, Pat, Rhs, Stmt, TypeId};
use crate::ctx::{Ctx, Local, LocalKind, Res};
use crate::diag::Diagnostic;
use crate::infer::coerce::Place;
use crate::scope::is_prelude;
use crate::sig::{SigDetail, sig};
use crate::tree::{Loc, MemberKind, Name};
use crate::ty::{DType, ShapeElem, Ty};

/// Where a statement stands.
#[derive(Copy, Clone, PartialEq, Eq)]
enum Region {
    Body,
    Loop,
    Scan,
}

/// What `return` must give.
pub(crate) struct Returns<'r> {
    pub ty: &'r Ty,
    /// The results of a `grad` clause: E2101 also where a shape differs.
    pub place: Place,
}

impl<'a> Ctx<'a> {
    /// E1207 for locals and index names.
    pub fn refuse_prelude(&mut self, name: &Name, loc: Loc, what: &str) {
        if is_prelude(name) {
            self.error(
                "E1207",
                loc,
                format!("`{name}` is a name of the prelude"),
                format!("choose another name for {what}"),
            );
        }
    }

    pub fn declare(&mut self, name: &Name, loc: Loc, ty: Ty, kind: LocalKind) {
        if kind != LocalKind::Param {
            self.refuse_prelude(name, loc, "a local");
        }
        self.push_local(Local {
            name: name.clone(),
            loc,
            ty,
            kind,
            used: false,
        });
    }

    /// Ends the scope of the locals above `mark`; unused ones are warned of.
    pub fn pop_locals(&mut self, mark: usize) {
        let gone = self.take_locals(mark);
        for local in gone {
            let binding = matches!(local.kind, LocalKind::Let | LocalKind::Var);
            if binding && !local.used && !local.name.starts_with('_') {
                let at = self.at(local.loc);
                self.report(
                    Diagnostic::new("W1002", at, format!("`{}` is never used", local.name))
                        .label("unused local")
                        .help(format!("remove it, or name it `_{}`", local.name))
                        .fix("mark it as unused", vec![(at, format!("_{}", local.name))]),
                );
            }
        }
    }

    /// A whole body; `true` where it ends with `return`.
    pub fn infer_body(&mut self, stmts: &[Stmt], returns: &Returns<'_>) -> bool {
        self.infer_stmts(stmts, Region::Body, returns);
        match stmts.last() {
            Some(Stmt::Broken(inner)) => matches!(**inner, Stmt::Return { .. } | Stmt::Error),
            last => matches!(
                last,
                Some(Stmt::Return { .. } | Stmt::Error | Stmt::Junk(_))
            ),
        }
    }

    fn infer_stmts(&mut self, stmts: &[Stmt], region: Region, returns: &Returns<'_>) -> Option<Ty> {
        let mut yielded = None;
        for (i, stmt) in stmts.iter().enumerate() {
            if let Stmt::Yield { value, loc } = stmt {
                let ty = self.infer_expr(*value, None);
                if region == Region::Scan && i + 1 == stmts.len() {
                    yielded = Some((ty, *value));
                } else {
                    let label = if region == Region::Scan {
                        "a scan's body ends with its `yield`"
                    } else {
                        "not inside a scan"
                    };
                    self.error(
                        "E2124",
                        *loc,
                        "a `yield` outside the end of a scan's body",
                        label,
                    );
                }
                continue;
            }
            if let (Stmt::Return { loc, .. }, Region::Body) = (stmt, region)
                && i + 1 < stmts.len()
                && !self.broken
            {
                self.error(
                    "E2120",
                    *loc,
                    "a `return` before the end of the function",
                    "what stands after it never runs",
                );
            }
            self.infer_stmt(stmt, region, returns);
        }
        yielded.map(|(ty, value)| {
            if ty == Ty::NoneLit {
                self.none_without_type(self.arena.loc(value));
                return Ty::Error;
            }
            self.settle(ty)
        })
    }

    /// A statement in which the parser found a fault: nothing is said of it, and what it binds may be anything.
    fn broken_stmt(&mut self, inner: &Stmt, region: Region, returns: &Returns<'_>) {
        let (faults, mark) = (self.diags.len(), self.locals.len());
        // Of a loop the head is broken; its body stands for itself, and is judged once.
        let (heads, var, body): (Vec<ExprId>, _, &[Stmt]) = match inner {
            Stmt::While { cond, body } => (vec![*cond], None, body),
            Stmt::StaticFor {
                var,
                var_loc,
                lo,
                hi,
                body,
            } => (
                std::iter::once(*lo).chain(*hi).collect(),
                Some((var, *var_loc)),
                body,
            ),
            Stmt::For(l) => (vec![l.lo, l.hi], Some((&l.var, l.var_loc)), &l.body),
            other => {
                self.infer_stmt(other, region, returns);
                self.diags.truncate(faults);
                self.locals[mark..]
                    .iter_mut()
                    .for_each(|l| l.ty = Ty::Error);
                // What it was to be called is not known.
                self.doubt_names |= match other {
                    Stmt::Let { pat, .. } => has_lost_name(pat),
                    Stmt::LetIndex { name, .. } | Stmt::Var { name, .. } => name.is_empty(),
                    _ => false,
                };
                return;
            }
        };
        for head in heads {
            self.infer_expr(head, None);
        }
        self.diags.truncate(faults);
        if let Some((var, loc)) = var {
            self.declare(var, loc, Ty::Error, LocalKind::Loop(None));
        }
        self.infer_stmts(body, Region::Loop, returns);
        self.pop_locals(mark);
    }

    fn infer_stmt(&mut self, stmt: &Stmt, region: Region, returns: &Returns<'_>) {
        let arena = self.arena;
        match stmt {
            Stmt::Error => {}
            Stmt::Broken(inner) => self.broken_stmt(inner, region, returns),
            Stmt::Junk(names) => {
                for name in names.clone() {
                    if self.resolve(&name, true).is_some() {
                        continue;
                    }
                    let local = Local {
                        name,
                        loc: Loc(0),
                        ty: Ty::Error,
                        kind: LocalKind::Param,
                        used: true,
                    };
                    self.push_local(local);
                }
            }
            Stmt::Let { pat, ty, rhs } => {
                let value = self.infer_rhs(rhs, *ty, false, returns);
                let refutable = !self.bind(pat, &value, LocalKind::Let);
                if refutable {
                    let loc = match pat {
                        Pat::Some(_, l) | Pat::None(l) | Pat::Tuple(_, l) | Pat::Bind(_, l) => *l,
                        Pat::Error => return,
                    };
                    let at = self.at(loc);
                    self.report(
                        Diagnostic::new("E2118", at, "this `let` does not cover every value")
                            .label("a case is missing")
                            .help("use `match` to say what happens otherwise"),
                    );
                }
            }
            Stmt::LetIndex {
                name,
                name_loc,
                outs,
                value,
            } => {
                let ty = self.infer_comprehension(outs, *value);
                self.declare(name, *name_loc, ty, LocalKind::Let);
            }
            Stmt::Var {
                name,
                name_loc,
                ty,
                rhs,
            } => {
                let value = self.infer_rhs(rhs, *ty, true, returns);
                self.declare(name, *name_loc, value, LocalKind::Var);
            }
            Stmt::Assign {
                name,
                name_loc,
                value,
            } => self.assign(name, *name_loc, *value),
            Stmt::Return { value, loc } => {
                if region != Region::Body {
                    self.error(
                        "E2120",
                        *loc,
                        "a `return` inside a loop",
                        "move it after the loop",
                    );
                }
                let Some(value) = value else {
                    if *returns.ty != Ty::Unit && !returns.ty.is_error() {
                        let shown = self.show(returns.ty);
                        self.error(
                            "E2101",
                            *loc,
                            format!("the result must be `{shown}`"),
                            "a value is missing",
                        );
                    }
                    return;
                };
                let actual = self.infer_expr(*value, Some(returns.ty));
                if *returns.ty == Ty::Unit {
                    if actual != Ty::Unit && !actual.is_error() {
                        let at = self.at_expr(*value);
                        let shown = self.show(&actual);
                        self.report(
                            Diagnostic::new("E2101", at, "this function has no result")
                                .label(format!("this is `{shown}`"))
                                .help(format!("declare the result: `-> {shown}`")),
                        );
                    }
                    return;
                }
                self.coerce(&actual, returns.ty, arena.loc(*value), returns.place);
            }
            Stmt::StaticFor {
                var,
                var_loc,
                lo,
                hi,
                body,
            } => {
                let mark = self.locals.len();
                let facts = self.facts.clone();
                match hi {
                    None => {
                        let ty = match self.infer_expr(*lo, None) {
                            Ty::Array(item, _) => (*item).clone(),
                            Ty::Error => Ty::Error,
                            other => {
                                let shown = self.show(&other);
                                self.error(
                                    "E2121",
                                    arena.loc(*lo),
                                    "`static for` runs over an array of blocks or a compile-time range",
                                    format!("this is `{shown}`"),
                                );
                                Ty::Error
                            }
                        };
                        self.declare(var, *var_loc, ty, LocalKind::Loop(None));
                    }
                    Some(hi) => {
                        let bounds = (
                            self.range_bound(*lo, "E2121"),
                            self.range_bound(*hi, "E2121"),
                        );
                        let sym: Option<Sym> = match bounds {
                            (Some(lo), Some(hi)) => Some(self.loop_sym(var, &lo, &hi)),
                            _ => None,
                        };
                        self.declare(var, *var_loc, Ty::scalar(DType::I64), LocalKind::Loop(sym));
                    }
                }
                self.infer_stmts(body, Region::Loop, returns);
                self.pop_locals(mark);
                self.facts = facts;
            }
            Stmt::While { cond, body } => {
                let ty = self.infer_expr(*cond, None);
                self.condition(&ty, *cond);
                let mark = self.locals.len();
                self.infer_stmts(body, Region::Loop, returns);
                self.pop_locals(mark);
            }
            Stmt::For(l) => {
                self.range_bound(l.lo, "E2123");
                self.range_bound(l.hi, "E2123");
                let mark = self.locals.len();
                self.declare(
                    &l.var,
                    l.var_loc,
                    Ty::scalar(DType::I64),
                    LocalKind::Loop(None),
                );
                self.infer_stmts(&l.body, Region::Loop, returns);
                self.pop_locals(mark);
            }
            // Handled by the caller, which knows what stands after it.
            Stmt::Yield { .. } => {}
        }
    }

    /// A bound of a loop: a compile-time integer.
    fn range_bound(&mut self, id: ExprId, code: &'static str) -> Option<Dim> {
        match self.infer_expr(id, None) {
            Ty::Int(Some(d)) => Some(d),
            Ty::Int(None) | Ty::Error => None,
            other => {
                let shown = self.show(&other);
                let at = self.at_expr(id);
                let mut d = Diagnostic::new(code, at, "a loop's bound is a compile-time integer")
                    .label(format!("this is `{shown}`"));
                if code == "E2123" {
                    d = d.help("a loop of unknown length is written with `while`");
                }
                self.report(d);
                None
            }
        }
    }

    fn scan(&mut self, l: &Loop, returns: &Returns<'_>) -> Ty {
        let lo = self.range_bound(l.lo, "E2123");
        let hi = self.range_bound(l.hi, "E2123");
        let mark = self.locals.len();
        self.declare(
            &l.var,
            l.var_loc,
            Ty::scalar(DType::I64),
            LocalKind::Loop(None),
        );
        let faults = self.diags.len();
        let yielded = self.infer_stmts(&l.body, Region::Scan, returns);
        self.pop_locals(mark);
        let Some(item) = yielded else {
            let stray = self.diags[faults..].iter().any(|d| d.code.0 == "E2124");
            let read = !matches!(
                l.body.last(),
                Some(Stmt::Error | Stmt::Broken(_) | Stmt::Junk(_))
            );
            if !stray && read {
                let at = self.at(l.keyword);
                self.report(
                    Diagnostic::new("E2124", at, "a scan without a `yield`")
                        .label("its body must end with `yield ..`")
                        .help("end the body with `yield value`; the values are stacked along a new first axis"),
                );
            }
            return Ty::Error;
        };
        let (Some(lo), Some(hi)) = (lo, hi) else {
            return Ty::Error;
        };
        let len = hi.sub(&lo);
        if self.provably_negative(&len) {
            let shown = self.show_dim(&len);
            self.error(
                "E2208",
                self.arena.loc(l.hi),
                format!("the scan's length `{shown}` is negative"),
                "ends before it starts",
            );
            return Ty::Error;
        }
        self.stack(&item, &len, l.keyword)
    }

    /// Values stacked along a new first axis.
    fn stack(&mut self, item: &Ty, len: &Dim, loc: Loc) -> Ty {
        match item {
            Ty::Error => Ty::Error,
            Ty::Tensor(shape, elem) => {
                let mut out = vec![ShapeElem::Dim(len.clone())];
                out.extend(shape.iter().cloned());
                Ty::Tensor(out.into(), *elem)
            }
            Ty::Tuple(items) => {
                let mut out = Vec::with_capacity(items.len());
                for t in items.iter() {
                    out.push(self.stack(t, len, loc));
                }
                Ty::Tuple(out.into())
            }
            other => {
                let shown = self.show(other);
                self.error(
                    "E2124",
                    loc,
                    format!("a scan cannot stack values of type `{shown}`"),
                    "yield tensors, or a tuple of them",
                );
                Ty::Error
            }
        }
    }

    fn infer_rhs(&mut self, rhs: &Rhs, ty: Option<TypeId>, var: bool, returns: &Returns<'_>) -> Ty {
        let declared = ty.map(|t| self.value_type(t));
        let (actual, loc) = match rhs {
            Rhs::Scan(l) => (self.scan(l, returns), l.keyword),
            Rhs::Expr(e) => (self.infer_expr(*e, declared.as_ref()), self.arena.loc(*e)),
        };
        if let Some(declared) = declared {
            self.coerce(&actual, &declared, loc, Place::Annotation);
            return declared;
        }
        match actual {
            ref open if has_open_none(open) => {
                self.none_without_type(loc);
                Ty::Error
            }
            Ty::Block(..) | Ty::Array(..) if var => {
                self.error(
                    "E2101",
                    loc,
                    "a `var` cannot hold a block",
                    "blocks are not values that change",
                );
                Ty::Error
            }
            Ty::Unit => {
                self.error(
                    "E2101",
                    loc,
                    "this gives no value",
                    "the function has no result",
                );
                Ty::Error
            }
            // A compile-time integer stays one, but a number that is merely written is an `i64`.
            Ty::Int(Some(v)) if !var && !matches!(rhs, Rhs::Expr(e) if self.only_literals(*e)) => {
                Ty::Int(Some(v))
            }
            other => self.settle(other),
        }
    }

    /// Whether an expression is made of literals and operators alone.
    fn only_literals(&self, id: ExprId) -> bool {
        let mut stack = vec![id];
        while let Some(id) = stack.pop() {
            match self.arena.expr(id) {
                Expr::Int(_) | Expr::Float(_) | Expr::Bool(_) => {}
                Expr::Unary(_, e) => stack.push(*e),
                Expr::Binary(_, a, b, _) => stack.extend([*a, *b]),
                Expr::Call { args, .. } => stack.extend(args.iter().map(|a| a.value)),
                _ => return false,
            }
        }
        true
    }

    fn assign(&mut self, name: &Name, name_loc: Loc, value: ExprId) {
        let target = match self.resolve(name, true) {
            None => {
                self.undeclared(name, name_loc, "E1201");
                self.infer_expr(value, None);
                // Likely a `let` was meant: what follows may use it.
                let name = name.clone();
                self.push_local(Local {
                    name,
                    loc: name_loc,
                    ty: Ty::Error,
                    kind: LocalKind::Var,
                    used: true,
                });
                return;
            }
            Some(Res::Error) => {
                self.infer_expr(value, None);
                return;
            }
            Some(Res::Local(i)) if self.locals[i].kind == LocalKind::Var => {
                self.locals[i].ty.clone()
            }
            Some(Res::Member(block))
                if sig(self.db, block)
                    .member(name)
                    .is_some_and(|m| m.kind == MemberKind::State) =>
            {
                sig(self.db, block)
                    .member(name)
                    .map_or(Ty::Error, |m| m.ty.clone())
            }
            Some(res) => {
                let what = match res {
                    Res::Local(i) if self.locals[i].kind == LocalKind::Let => "a `let`".to_string(),
                    Res::Member(block) => match sig(self.db, block).member(name).map(|m| m.kind) {
                        Some(MemberKind::Param) => "a `param`".to_string(),
                        Some(MemberKind::Buffer) => "a `buffer`".to_string(),
                        _ => "a `sub`".to_string(),
                    },
                    other => self.describe(&other).to_string(),
                };
                let at = self.at(name_loc);
                let mut d = Diagnostic::new(
                    "E2108",
                    at,
                    format!("`{name}` is {what} and cannot be assigned"),
                )
                .label("only a `var` and the block's own `state` are assigned");
                if what == "a `let`" {
                    d = d.help(format!("declare it `var {name} = ..`"));
                }
                self.report(d);
                self.infer_expr(value, None);
                return;
            }
        };
        let actual = self.infer_expr(value, Some(&target));
        self.coerce(&actual, &target, self.arena.loc(value), Place::Assignment);
    }

    /// What a `grad` clause returns: the gradient of each floating tensor parameter.
    pub fn gradient_type(&self) -> Ty {
        let data = crate::db::item_data(self.db, self.def);
        let SigDetail::Fn { params, .. } = &sig(self.db, self.def).detail else {
            return Ty::Error;
        };
        let crate::tree::ItemDetail::Fn {
            params: written, ..
        } = &data.detail
        else {
            return Ty::Error;
        };
        let mut out: Vec<Ty> = Vec::new();
        for (p, w) in params.iter().zip(written) {
            if crate::sig::has_gradient(self, &data.arena, &p.ty, w.ty) {
                out.push(p.ty.clone());
            }
        }
        match out.len() {
            0 => Ty::Error,
            1 => out.swap_remove(0),
            _ => Ty::Tuple(Arc::from(out)),
        }
    }
}

/// Whether a `none` inside still misses its type.
fn has_open_none(ty: &Ty) -> bool {
    match ty {
        Ty::NoneLit => true,
        Ty::Tuple(items) => items.iter().any(has_open_none),
        Ty::Optional(inner) => has_open_none(inner),
        _ => false,
    }
}

/// Whether the parser missed a name in the pattern.
fn has_lost_name(pat: &Pat) -> bool {
    match pat {
        Pat::Error => true,
        Pat::Tuple(items, _) => items.iter().any(has_lost_name),
        Pat::Some(inner, _) => has_lost_name(inner),
        Pat::Bind(name, _) => name.is_empty(),
        Pat::None(_) => false,
    }
}
