//! Calls: who is called, which argument goes where, and which generics follow from them.

use linnet_dim::{Dim, Sym};

use crate::body::{Arg, Expr, ExprId, GenericArg};
use crate::ctx::{CALLEE_SYM, Ctx, Res};
use crate::db::item_data;
use crate::diag::Diagnostic;
use crate::infer::coerce::Place;
use crate::lower_ty::{DEFAULT_FLOAT, DEFAULT_INT, class_name, class_words, subst_constraint};
use crate::scope::suggest;
use crate::sig::{Header, SigDetail, header, is_pub, nested_item, nested_items, sig};
use crate::tree::{DefId, GenericKind, ItemKind, Loc, Name};
use crate::ty::{Elem, GArg, Shape, ShapeElem, Ty, product};

/// What a call must give: name, type in the callee's generics, whether it may be left out.
pub(crate) struct Wanted {
    name: Name,
    ty: Ty,
    optional: bool,
}

impl<'a> Ctx<'a> {
    pub fn infer_call(
        &mut self,
        id: ExprId,
        callee: ExprId,
        generics: Option<&(Vec<GenericArg>, Loc)>,
        args: &[Arg],
        expected: Option<&Ty>,
    ) -> Ty {
        let arena = self.arena;
        let callee_loc = arena.loc(callee);
        match arena.expr(callee) {
            Expr::Missing => self.failed_call(args),
            Expr::Name(name) => match self.resolve(name, true) {
                None => {
                    self.undeclared(name, callee_loc, "E1201");
                    self.failed_call(args)
                }
                Some(Res::Builtin(b)) => self.infer_builtin(id, b, generics, args, expected),
                Some(Res::Nested(def)) => {
                    let prefix = self.block_identity();
                    self.call_def(id, def, prefix, name, callee_loc, generics, args)
                }
                Some(Res::Item(def)) => {
                    self.call_def(id, def, Vec::new(), name, callee_loc, generics, args)
                }
                Some(Res::Error) => self.failed_call(args),
                Some(res) => {
                    if let Res::Local(i) = res {
                        self.locals[i].used = true;
                        if self.locals[i].ty.is_error() {
                            return self.failed_call(args);
                        }
                    }
                    let what = self.describe(&res);
                    self.not_callable(name, what, callee_loc);
                    self.failed_call(args)
                }
            },
            Expr::Field {
                base,
                name,
                name_loc,
            } => self.call_field(id, *base, name, *name_loc, generics, args),
            _ => {
                let ty = self.infer_expr(callee, None);
                if !ty.is_error() {
                    let shown = self.show(&ty);
                    self.error(
                        "E2106",
                        callee_loc,
                        format!("a value of type `{shown}` cannot be called"),
                        "not callable",
                    );
                }
                self.failed_call(args)
            }
        }
    }

    fn not_callable(&mut self, name: &str, what: &str, loc: Loc) {
        self.error(
            "E2106",
            loc,
            format!("`{name}` is {what} and cannot be called"),
            "not callable",
        );
    }

    /// The arguments of a call that failed may hold faults of their own.
    pub fn failed_call(&mut self, args: &[Arg]) -> Ty {
        for arg in args {
            // A list is only a value where a prelude function asks for it.
            if !matches!(self.arena.expr(arg.value), Expr::List(_)) {
                self.infer_expr(arg.value, None);
            }
        }
        Ty::Error
    }

    /// The arguments of a call that has too few or too many: a comma may be missing, so they are not judged.
    pub fn misread_call(&mut self, args: &[Arg]) -> Ty {
        let faults = self.diags.len();
        self.failed_call(args);
        self.diags.truncate(faults);
        Ty::Error
    }

    fn call_field(
        &mut self,
        id: ExprId,
        base: ExprId,
        name: &Name,
        name_loc: Loc,
        generics: Option<&(Vec<GenericArg>, Loc)>,
        args: &[Arg],
    ) -> Ty {
        if let Expr::Name(head) = self.arena.expr(base)
            && let Some(res) = self.resolve(head, true)
        {
            match res {
                Res::Module(file) => {
                    return match self.module_item(file, name, name_loc) {
                        Some(Res::Item(def)) => {
                            self.call_def(id, def, Vec::new(), name, name_loc, generics, args)
                        }
                        _ => self.failed_call(args),
                    };
                }
                Res::Item(def) | Res::Nested(def) if def.kind(self.db) == ItemKind::Enum => {
                    self.not_callable(name, "a variant of an enum", name_loc);
                    return self.failed_call(args);
                }
                _ => {}
            }
        }
        match self.infer_expr(base, None) {
            Ty::Error => self.failed_call(args),
            Ty::Block(block, block_args) => {
                self.uses.members.insert((block, name.clone()));
                if let Some(item) = nested_item(self.db, block, name) {
                    if item.kind.is_callable() {
                        if block.file(self.db) != self.file && !is_pub(self.db, item.def) {
                            let at = self.at(name_loc);
                            self.report(
                                Diagnostic::new(
                                    "E1203",
                                    at,
                                    format!("`{name}` is private to its module"),
                                )
                                .label("not `pub`")
                                .help(format!(
                                    "declare it `pub {} {name}` in the block",
                                    item.kind.keyword()
                                )),
                            );
                            return self.failed_call(args);
                        }
                        return self.call_def(
                            id,
                            item.def,
                            block_args.to_vec(),
                            name,
                            name_loc,
                            generics,
                            args,
                        );
                    }
                    self.not_callable(name, self.describe(&Res::Item(item.def)), name_loc);
                    return self.failed_call(args);
                }
                if sig(self.db, block).member(name).is_some() {
                    self.not_callable(name, "a member of the block", name_loc);
                    return self.failed_call(args);
                }
                let items = nested_items(self.db, block);
                // The parser may have missed the name of one of them.
                if items
                    .iter()
                    .any(|i| i.name.is_empty() || item_data(self.db, i.def).broken)
                {
                    return self.failed_call(args);
                }
                let names: Vec<&str> = items
                    .iter()
                    .filter(|i| i.kind.is_callable())
                    .map(|i| i.name.as_str())
                    .collect();
                self.no_such(
                    &format!("the block `{}`", block.name(self.db)),
                    "method",
                    name,
                    name_loc,
                    &names,
                );
                self.failed_call(args)
            }
            Ty::Struct(def, _) => {
                let is_field = matches!(&sig(self.db, def).detail, SigDetail::Struct { fields } if fields.iter().any(|(n, _)| n == name));
                if is_field {
                    self.not_callable(name, "a field", name_loc);
                } else {
                    self.no_such(
                        &format!("`{}`", def.name(self.db)),
                        "method",
                        name,
                        name_loc,
                        &[],
                    );
                }
                self.failed_call(args)
            }
            other => {
                let shown = self.show(&other);
                let at = self.at(name_loc);
                let mut d =
                    Diagnostic::new("E2107", at, format!("`{shown}` has no method `{name}`"))
                        .label("no such method");
                if let Ty::Optional(_) = other {
                    d = d.help("take the value out first: `match x { some(v) => .., none => .. }`");
                } else if let Ty::Array(..) = other {
                    d = d.help(
                        "choose one of the array: `layers[0]`, or `static for layer in layers`",
                    );
                } else if let Some(hint) = crate::hints::tensor_attribute(name) {
                    d = d.help(hint);
                }
                self.report(d);
                self.misread_call(args)
            }
        }
    }

    /// Calls an item: a function, or a struct to build it. `prefix` are the arguments of the enclosing block's generics.
    #[expect(clippy::too_many_arguments, reason = "one call has that many sides")]
    fn call_def(
        &mut self,
        id: ExprId,
        def: DefId,
        prefix: Vec<GArg>,
        name: &Name,
        name_loc: Loc,
        generics: Option<&(Vec<GenericArg>, Loc)>,
        args: &[Arg],
    ) -> Ty {
        let kind = def.kind(self.db);
        match kind {
            ItemKind::Fn | ItemKind::Op | ItemKind::Entry => {
                if def.file(self.db) == self.file {
                    self.calls.push((def, name_loc));
                }
                let head = header(self.db, def);
                let SigDetail::Fn {
                    params,
                    ret,
                    broken: false,
                    ..
                } = &sig(self.db, def).detail
                else {
                    return self.failed_call(args);
                };
                let wanted: Vec<Wanted> = params
                    .iter()
                    .map(|p| Wanted {
                        name: p.name.clone(),
                        ty: p.ty.clone(),
                        optional: p.has_default,
                    })
                    .collect();
                let Some(solved) = self.match_call(
                    id,
                    def,
                    head,
                    prefix,
                    &wanted,
                    name,
                    name_loc,
                    generics,
                    args,
                    Place::Argument,
                ) else {
                    return Ty::Error;
                };
                for w in &head.wheres {
                    let goal = subst_constraint(&w.constraint, &solved);
                    if !self.holds(&goal) {
                        // Constraints that cannot hold together are reported where they stand.
                        if head.facts.contradiction() {
                            return Ty::Error;
                        }
                        let loc = self.arena.loc(id);
                        self.where_fault(def, &w.constraint, &goal, w.loc, &solved, loc);
                        return Ty::Error;
                    }
                }
                let ret = ret.subst(&solved);
                self.refuse_negative(&ret, self.arena.loc(id))
            }
            ItemKind::Struct => {
                let head = header(self.db, def);
                self.build_struct(
                    id,
                    (def, None),
                    head,
                    prefix,
                    name,
                    name_loc,
                    generics,
                    args,
                )
            }
            ItemKind::Alias => match &sig(self.db, def).detail {
                SigDetail::Alias {
                    ty: Ty::Struct(target, target_args),
                } => {
                    // The alias's generics, of which the struct's are made.
                    let head = header(self.db, def);
                    let built = (*target, Some(target_args.as_ref()));
                    self.build_struct(id, built, head, prefix, name, name_loc, generics, args)
                }
                SigDetail::Alias { ty } if ty.is_error() => self.failed_call(args),
                _ => {
                    self.not_callable(name, "a type alias", name_loc);
                    self.failed_call(args)
                }
            },
            _ => {
                self.not_callable(name, self.describe(&Res::Item(def)), name_loc);
                self.failed_call(args)
            }
        }
    }

    /// E2208 for a result whose shape is negative by the arguments.
    fn refuse_negative(&mut self, ty: &Ty, loc: Loc) -> Ty {
        let negative = match ty {
            Ty::Tensor(shape, _) => shape.iter().any(|elem| match elem {
                ShapeElem::Dim(d) => self.provably_negative(d),
                ShapeElem::Pack(_) => false,
            }),
            Ty::Tuple(items) => items
                .iter()
                .any(|t| self.refuse_negative(t, loc).is_error()),
            Ty::Optional(inner) => {
                return if self.refuse_negative(inner, loc).is_error() {
                    Ty::Error
                } else {
                    ty.clone()
                };
            }
            _ => false,
        };
        if !negative {
            return ty.clone();
        }
        if matches!(ty, Ty::Tensor(..)) {
            let shown = self.show(ty);
            self.error(
                "E2208",
                loc,
                format!("the result `{shown}` has a negative dimension"),
                "negative by these arguments",
            );
        }
        Ty::Error
    }

    /// Builds a struct by its own name, or by an alias: `head` holds the generics that are solved, and the struct's
    /// arguments, if given, are made of them.
    #[expect(clippy::too_many_arguments, reason = "one call has that many sides")]
    fn build_struct(
        &mut self,
        id: ExprId,
        (def, made_of): (DefId, Option<&[GArg]>),
        head: &Header,
        prefix: Vec<GArg>,
        name: &Name,
        name_loc: Loc,
        generics: Option<&(Vec<GenericArg>, Loc)>,
        args: &[Arg],
    ) -> Ty {
        let SigDetail::Struct { fields } = &sig(self.db, def).detail else {
            return self.failed_call(args);
        };
        let in_terms = |t: &Ty| made_of.map_or_else(|| t.clone(), |a| t.subst(a));
        if let Some(arg) = args.iter().find(|a| a.name.is_none()) {
            let loc = self.arena.loc(arg.value);
            let list: Vec<String> = fields.iter().map(|(n, _)| format!("{n} = ..")).collect();
            let at = self.at(loc);
            self.report(
                Diagnostic::new("E2102", at, format!("every field of `{name}` is named"))
                    .label("not named")
                    .help(format!("write `{name}({})`", list.join(", "))),
            );
            return self.failed_call(args);
        }
        let wanted: Vec<Wanted> = fields
            .iter()
            .map(|(n, t)| Wanted {
                name: n.clone(),
                ty: in_terms(t),
                optional: false,
            })
            .collect();
        match self.match_call(
            id,
            def,
            head,
            prefix,
            &wanted,
            name,
            name_loc,
            generics,
            args,
            Place::Field,
        ) {
            Some(solved) => match made_of {
                None => Ty::Struct(def, solved.into()),
                Some(made_of) => {
                    Ty::Struct(def, made_of.iter().map(|a| a.subst(&solved)).collect())
                }
            },
            None => Ty::Error,
        }
    }

    /// E2102: positional arguments come first.
    pub fn positional_after_named(&mut self, args: &[Arg], arg: &Arg) -> bool {
        let named_before = args
            .iter()
            .take_while(|a| a.value != arg.value)
            .any(|a| a.name.is_some());
        if named_before {
            let loc = self.arena.loc(arg.value);
            self.error(
                "E2102",
                loc,
                "a positional argument after a named one",
                "name it, or move it to the front",
            );
        }
        named_before
    }

    /// Assigns arguments to parameters: for each parameter the argument, or `None` after a reported fault.
    fn assign_args(
        &mut self,
        wanted: &[Wanted],
        name: &str,
        name_loc: Loc,
        args: &[Arg],
        place: Place,
    ) -> Option<Vec<Option<ExprId>>> {
        let what = if place == Place::Field {
            "field"
        } else {
            "parameter"
        };
        let mut given: Vec<Option<ExprId>> = vec![None; wanted.len()];
        let mut next = 0;
        for arg in args {
            let index = match &arg.name {
                None => {
                    if self.positional_after_named(args, arg) {
                        return None;
                    }
                    let i = next;
                    next += 1;
                    if i >= wanted.len() {
                        let loc = self.arena.loc(arg.value);
                        let count = args.iter().filter(|a| a.name.is_none()).count();
                        self.error(
                            "E2102",
                            loc,
                            format!(
                                "`{name}` takes {} arguments, and {count} are given",
                                wanted.len()
                            ),
                            "one too many",
                        );
                        return None;
                    }
                    i
                }
                Some((key, loc)) => match wanted.iter().position(|w| w.name == *key) {
                    Some(i) => i,
                    None => {
                        let at = self.at(*loc);
                        let mut d =
                            Diagnostic::new("E2102", at, format!("`{name}` has no {what} `{key}`"))
                                .label(format!("no such {what}"));
                        if let Some(s) = suggest(key, wanted.iter().map(|w| w.name.as_str())) {
                            let s = s.to_string();
                            d = d
                                .help(format!("did you mean `{s}`?"))
                                .fix(format!("change it to `{s}`"), vec![(at, s)]);
                        }
                        self.report(d);
                        return None;
                    }
                },
            };
            if given[index].is_some() {
                let loc = arg
                    .name
                    .as_ref()
                    .map_or(self.arena.loc(arg.value), |(_, l)| *l);
                self.error(
                    "E2102",
                    loc,
                    format!("`{}` is given twice", wanted[index].name),
                    "the second value",
                );
                return None;
            }
            given[index] = Some(arg.value);
        }
        let missing: Vec<String> = wanted
            .iter()
            .zip(&given)
            .filter(|(w, g)| g.is_none() && !w.optional)
            .map(|(w, _)| format!("`{}`", w.name))
            .collect();
        if !missing.is_empty() {
            self.error(
                "E2102",
                name_loc,
                format!("`{name}` misses {}", missing.join(", ")),
                format!(
                    "missing {}{}",
                    what,
                    if missing.len() > 1 { "s" } else { "" }
                ),
            );
            return None;
        }
        Some(given)
    }

    /// Matches a call: assigns the arguments, solves the generics, checks every type. The generics' values, or `None` after a report.
    #[expect(clippy::too_many_arguments, reason = "one call has that many sides")]
    fn match_call(
        &mut self,
        id: ExprId,
        def: DefId,
        head: &Header,
        prefix: Vec<GArg>,
        wanted: &[Wanted],
        name: &str,
        name_loc: Loc,
        generics: Option<&(Vec<GenericArg>, Loc)>,
        args: &[Arg],
        place: Place,
    ) -> Option<Vec<GArg>> {
        let _ = (id, def);
        let Some(given) = self.assign_args(wanted, name, name_loc, args, place) else {
            self.misread_call(args);
            return None;
        };
        let mut solver = Solver {
            sol: vec![None; head.generics.len()],
        };
        let known = prefix.len();
        for (slot, arg) in solver.sol.iter_mut().zip(prefix) {
            *slot = Some(arg);
        }
        let mut failed = false;
        if let Some((list, list_loc)) = generics {
            let own = &head.generics[known.min(head.generics.len())..];
            if list.len() > own.len() {
                self.error(
                    "E2111",
                    *list_loc,
                    format!(
                        "`{name}` takes {} generic arguments, and {} are given",
                        own.len(),
                        list.len()
                    ),
                    "too many generic arguments",
                );
                self.failed_call(args);
                return None;
            }
            for (i, arg) in list.iter().enumerate() {
                match self.generic_arg(arg, own[i].kind) {
                    GArg::Error => failed = true,
                    value => solver.sol[known + i] = Some(value),
                }
            }
        }
        // Arguments in the order of the text, so that faults come in that order.
        let mut values: Vec<(usize, ExprId, Ty)> = Vec::with_capacity(args.len());
        for arg in args {
            let Some(i) = given.iter().position(|g| *g == Some(arg.value)) else {
                continue;
            };
            // A parameter's type steers `none`, and a scalar of a known dtype everything inside.
            let hint = wanted[i].ty.clone();
            let hint = match hint {
                Ty::Tensor(_, elem @ Elem::Known(_)) => {
                    Some(Ty::Tensor(std::sync::Arc::from([]), elem))
                }
                Ty::Optional(_) | Ty::Tuple(_) if head.generics.is_empty() => Some(hint),
                _ => None,
            };
            let ty = self.infer_expr(arg.value, hint.as_ref());
            failed |= ty.is_error();
            values.push((i, arg.value, ty));
        }
        if failed {
            return None;
        }
        loop {
            let before = solver.unsolved();
            if before == 0 {
                break;
            }
            for (i, _, ty) in &values {
                self.learn(&mut solver, &wanted[*i].ty, ty);
            }
            if solver.unsolved() == before {
                break;
            }
        }
        if solver.unsolved() > 0 {
            // Nothing but a literal speaks of these dtypes: its default decides.
            for (i, _, ty) in &values {
                if let (Ty::Tensor(_, Elem::Param(g)), Ty::Int(_) | Ty::Float(_)) =
                    (&wanted[*i].ty, ty)
                    && solver.sol[*g as usize].is_none()
                {
                    let float = matches!(ty, Ty::Float(_))
                        || values.iter().any(|(j, _, t)| {
                            matches!(t, Ty::Float(_))
                                && matches!(&wanted[*j].ty, Ty::Tensor(_, Elem::Param(h)) if h == g)
                        });
                    let default = if float { DEFAULT_FLOAT } else { DEFAULT_INT };
                    let class = head.generics[*g as usize].kind;
                    // An integer literal for a floating generic is a float.
                    let default = if default.in_class(class) {
                        default
                    } else {
                        DEFAULT_FLOAT
                    };
                    if default.in_class(class) {
                        solver.sol[*g as usize] = Some(GArg::Elem(Elem::Known(default)));
                    }
                }
            }
            for i in known..head.generics.len() {
                if solver.sol[i].is_none()
                    && let Some(default) = &head.generics[i].default
                {
                    let so_far: Vec<GArg> = solver.sol[..i]
                        .iter()
                        .map(|s| s.clone().unwrap_or(GArg::Error))
                        .collect();
                    solver.sol[i] = Some(default.subst(&so_far));
                }
            }
        }
        let mut solved = Vec::with_capacity(solver.sol.len());
        for (i, value) in solver.sol.iter().enumerate() {
            match value {
                Some(v) => solved.push(v.clone()),
                None => {
                    // A shape that cannot match anyway is the better report.
                    if self.report_misfit(&solver, wanted, &values, place) {
                        return None;
                    }
                    let g = &head.generics[i];
                    // A generic without a kind was reported where it is declared.
                    if g.kind == GenericKind::Error || wanted.iter().any(|w| w.ty.is_error()) {
                        return None;
                    }
                    let at = self.at(name_loc);
                    let star = if g.kind == GenericKind::Shape {
                        "*"
                    } else {
                        ""
                    };
                    self.report(
                        Diagnostic::new(
                            "E2110",
                            at,
                            format!(
                                "the generic `{star}{}` of `{name}` cannot be inferred",
                                g.name
                            ),
                        )
                        .label(format!(
                            "`{star}{}` does not follow from the arguments",
                            g.name
                        ))
                        .related(g.loc, "declared here")
                        .help(format!("write the generic arguments: `{name}<..>(..)`")),
                    );
                    return None;
                }
            }
        }
        // A class that does not hold is the fault, whatever follows from it.
        for (i, g) in head.generics.iter().enumerate().skip(known) {
            if let GArg::Elem(e) = &solved[i]
                && !self.elem_in_class(*e, g.kind)
            {
                let loc = values
                    .iter()
                    .find(|(w, _, _)| elem_of(&wanted[*w].ty) == Some(Elem::Param(i as u32)))
                    .map_or(name_loc, |(_, e, _)| self.arena.loc(*e));
                let shown = self.show_elem(*e);
                let at = self.at(loc);
                self.report(
                    Diagnostic::new(
                        "E2112",
                        at,
                        format!(
                            "`{name}` takes {}, and `{}` is `{shown}` here",
                            class_words(g.kind),
                            g.name
                        ),
                    )
                    .label(format!(
                        "`{shown}` is not in the class `{}`",
                        class_name(g.kind)
                    ))
                    .related(g.loc, format!("`{}: {}`", g.name, class_name(g.kind))),
                );
                return None;
            }
        }
        let mut ok = true;
        for (i, expr, ty) in &values {
            let open = matches!(elem_of(&wanted[*i].ty), Some(Elem::Param(_)));
            let place = if place == Place::Argument && open {
                Place::GenericArgument
            } else {
                place
            };
            let want = wanted[*i].ty.subst(&solved);
            ok &= self.coerce(ty, &want, self.arena.loc(*expr), place);
        }
        ok.then_some(solved)
    }

    /// Where some generic is unknown: reports the argument whose type cannot match, if there is one.
    fn report_misfit(
        &mut self,
        solver: &Solver,
        wanted: &[Wanted],
        values: &[(usize, ExprId, Ty)],
        place: Place,
    ) -> bool {
        for (i, expr, ty) in values {
            let want = &wanted[*i].ty;
            let fits = match (want, ty) {
                (want, _) if want.is_error() => true,
                (Ty::Tensor(shape, _), Ty::Tensor(have, _)) => {
                    let mut needed = 0;
                    let mut open = false;
                    for e in shape.iter() {
                        match e {
                            ShapeElem::Dim(_) => needed += 1,
                            ShapeElem::Pack(p) => match &solver.sol[*p as usize] {
                                Some(GArg::Shape(s)) => needed += s.len(),
                                _ => open = true,
                            },
                        }
                    }
                    let packs = have.iter().any(|e| matches!(e, ShapeElem::Pack(_)));
                    packs || have.len() == needed || (open && have.len() >= needed)
                }
                (Ty::Tensor(shape, _), Ty::Int(_) | Ty::Float(_)) => {
                    shape.iter().all(|e| matches!(e, ShapeElem::Pack(_)))
                }
                (Ty::Tensor(..), _) | (_, Ty::Tensor(..)) => false,
                (Ty::Tuple(a), Ty::Tuple(b)) => a.len() == b.len(),
                (Ty::Optional(_), Ty::Optional(_) | Ty::NoneLit) => true,
                (Ty::Struct(a, _), Ty::Struct(b, _)) => a == b,
                _ => false,
            };
            if !fits {
                let loc = self.arena.loc(*expr);
                let code = match (want, ty) {
                    _ if place == Place::Field => "E2101",
                    (Ty::Tensor(..), Ty::Tensor(..) | Ty::Int(_) | Ty::Float(_)) => "E2202",
                    (_, Ty::NoneLit) => "E2113",
                    _ => "E2101",
                };
                let (have, name) = (self.show(ty), &wanted[*i].name);
                let need = describe_pattern(want);
                self.error(
                    code,
                    loc,
                    format!("`{name}` takes {need}, and this is `{have}`"),
                    format!("this is `{have}`"),
                );
                return true;
            }
        }
        false
    }

    /// Learns generics from one argument.
    fn learn(&mut self, solver: &mut Solver, want: &Ty, have: &Ty) {
        match (want, have) {
            (Ty::Tensor(shape, elem), Ty::Tensor(actual, actual_elem)) => {
                if let Elem::Param(g) = elem {
                    solver.set(*g, || GArg::Elem(*actual_elem));
                }
                self.learn_shape(solver, shape, actual);
            }
            (Ty::Tensor(shape, _), Ty::Int(_) | Ty::Float(_)) => {
                self.learn_shape(solver, shape, &std::sync::Arc::from([]));
            }
            (Ty::Optional(w), Ty::Optional(h)) => self.learn(solver, w, h),
            (Ty::Tuple(w), Ty::Tuple(h)) if w.len() == h.len() => {
                for (w, h) in w.iter().zip(h.iter()) {
                    self.learn(solver, w, h);
                }
            }
            (Ty::Struct(d, w), Ty::Struct(e, h)) | (Ty::Block(d, w), Ty::Block(e, h)) if d == e => {
                for (w, h) in w.iter().zip(h.iter()) {
                    match (w, h) {
                        (GArg::Dim(w), GArg::Dim(h)) => self.learn_dim(solver, w, h),
                        (GArg::Shape(w), GArg::Shape(h)) => self.learn_shape(solver, w, h),
                        (GArg::Elem(Elem::Param(g)), GArg::Elem(h)) => {
                            solver.set(*g, || GArg::Elem(*h))
                        }
                        _ => {}
                    }
                }
            }
            _ => {}
        }
    }

    fn learn_shape(&mut self, solver: &mut Solver, want: &Shape, have: &Shape) {
        // Solved packs stand for axes that are known already.
        enum Slot<'s> {
            Dim(&'s Dim),
            Known,
            Open(u32),
        }
        let mut slots = Vec::with_capacity(want.len());
        for elem in want.iter() {
            match elem {
                ShapeElem::Dim(d) => slots.push(Slot::Dim(d)),
                ShapeElem::Pack(p) => match &solver.sol[*p as usize] {
                    Some(GArg::Shape(s)) => slots.extend(s.iter().map(|_| Slot::Known)),
                    _ => slots.push(Slot::Open(*p)),
                },
            }
        }
        let open: Vec<usize> = slots
            .iter()
            .enumerate()
            .filter(|(_, s)| matches!(s, Slot::Open(_)))
            .map(|(i, _)| i)
            .collect();
        let (front, back) = match (open.first(), open.last()) {
            (Some(f), Some(l)) => (*f, slots.len() - 1 - l),
            _ if slots.len() == have.len() => (slots.len(), 0),
            _ => return,
        };
        if front + back > have.len() {
            return;
        }
        let mut pairs: Vec<(Dim, Dim)> = Vec::new();
        for (i, slot) in slots[..front].iter().enumerate() {
            if let (Slot::Dim(d), ShapeElem::Dim(h)) = (slot, &have[i]) {
                pairs.push(((*d).clone(), h.clone()));
            }
        }
        for i in 0..back {
            let (slot, h) = (&slots[slots.len() - 1 - i], &have[have.len() - 1 - i]);
            if let (Slot::Dim(d), ShapeElem::Dim(h)) = (slot, h) {
                pairs.push(((*d).clone(), h.clone()));
            }
        }
        if let [only] = open[..]
            && let Slot::Open(p) = slots[only]
        {
            let middle = &have[front..have.len() - back];
            solver.set(p, || GArg::Shape(middle.into()));
        }
        for (w, h) in pairs {
            self.learn_dim(solver, &w, &h);
        }
    }

    fn learn_dim(&mut self, solver: &mut Solver, want: &Dim, have: &Dim) {
        if let Some(Sym(g)) = want.as_sym() {
            solver.set(g, || GArg::Dim(have.clone()));
            return;
        }
        let mut open: Option<u32> = None;
        let mut many = false;
        want.visit_syms(&mut |Sym(g)| {
            if solver.sol.get(g as usize).is_some_and(Option::is_none) {
                many |= open.is_some_and(|o| o != g);
                open = Some(g);
            }
        });
        let Some(g) = open else { return };
        if many {
            return;
        }
        // The callee's symbols and the caller's share numbers, so the unknown gets one of its own.
        let unknown = Sym(CALLEE_SYM + g);
        let lhs = want.subst(&mut |Sym(i)| match solver.sol.get(i as usize) {
            Some(Some(GArg::Dim(d))) => Some(d.clone()),
            Some(Some(GArg::Shape(s))) => Some(product(s)),
            _ => Some(Dim::sym(Sym(CALLEE_SYM + i))),
        });
        self.proofs += 1;
        if let Some(solution) = self.facts.solve(&lhs, unknown, have) {
            solver.set(g, || GArg::Dim(solution));
        }
    }
}

struct Solver {
    sol: Vec<Option<GArg>>,
}

impl Solver {
    fn set(&mut self, g: u32, value: impl FnOnce() -> GArg) {
        if let Some(slot @ None) = self.sol.get_mut(g as usize) {
            *slot = Some(value());
        }
    }

    fn unsolved(&self) -> usize {
        self.sol.iter().filter(|s| s.is_none()).count()
    }
}

fn elem_of(ty: &Ty) -> Option<Elem> {
    match ty {
        Ty::Tensor(_, e) => Some(*e),
        Ty::Optional(t) => elem_of(t),
        _ => None,
    }
}

/// What a parameter takes, in words that need no generics.
fn describe_pattern(ty: &Ty) -> String {
    match ty {
        Ty::Tensor(shape, _) => {
            let dims = shape
                .iter()
                .filter(|e| matches!(e, ShapeElem::Dim(_)))
                .count();
            let packs = shape.len() - dims;
            match (dims, packs) {
                (0, 0) => "a scalar".to_string(),
                (_, 0) => format!("a tensor of rank {dims}"),
                _ => format!("a tensor of rank {dims} or more"),
            }
        }
        Ty::Optional(t) => format!("an optional value ({})", describe_pattern(t)),
        Ty::Tuple(ts) => format!("a tuple of {}", ts.len()),
        Ty::Enum(_) => "an enum's variant".to_string(),
        Ty::Struct(..) => "a struct".to_string(),
        _ => "a value of another type".to_string(),
    }
}
