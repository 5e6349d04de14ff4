//! Calls: who is called, which argument goes where, and which generics follow from them.

use crate::body::{Arg, Expr, ExprId, GenericArg};
use crate::ctx::{Ctx, Res};
use crate::db::item_data;
use crate::diag::Diagnostic;
use crate::infer::coerce::Place;
use crate::infer::solve::Wanted;
use crate::lower_ty::subst_constraint;
use crate::sig::{Header, SigDetail, header, is_pub, nested_item, nested_items, sig};
use crate::tree::{DefId, ItemKind, Loc, Name};
use crate::ty::{GArg, ShapeElem, Ty};

/// A call as it is written.
#[derive(Clone, Copy)]
pub(super) struct CallSite<'c> {
    /// The whole call.
    pub(super) loc: Loc,
    /// What is called: the last name before the arguments.
    pub(super) name: &'c Name,
    pub(super) name_loc: Loc,
    pub(super) generics: Option<&'c (Vec<GenericArg>, Loc)>,
    pub(super) args: &'c [Arg],
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
        let site = |name, name_loc| CallSite {
            loc: arena.loc(id),
            name,
            name_loc,
            generics,
            args,
        };
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
                    self.call_def(def, prefix, site(name, callee_loc))
                }
                Some(Res::Item(def)) => self.call_def(def, Vec::new(), site(name, callee_loc)),
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
            } => self.call_field(*base, site(name, *name_loc)),
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

    pub(super) fn not_callable(&mut self, name: &str, what: &str, loc: Loc) {
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

    fn call_field(&mut self, base: ExprId, site: CallSite<'_>) -> Ty {
        let CallSite {
            name,
            name_loc,
            args,
            ..
        } = site;
        if let Expr::Name(head) = self.arena.expr(base)
            && let Some(res) = self.resolve(head, true)
        {
            match res {
                Res::Module(file) => {
                    return match self.module_item(file, name, name_loc) {
                        Some(Res::Item(def)) => self.call_def(def, Vec::new(), site),
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
                            self.private(name, name_loc, item.kind, "in the block");
                            return self.failed_call(args);
                        }
                        return self.call_def(item.def, block_args.to_vec(), site);
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
    fn call_def(&mut self, def: DefId, prefix: Vec<GArg>, site: CallSite<'_>) -> Ty {
        let CallSite {
            loc,
            name,
            name_loc,
            args,
            ..
        } = site;
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
                let Some(solved) = self.match_call(site, head, prefix, &wanted, Place::Argument)
                else {
                    return Ty::Error;
                };
                for w in &head.wheres {
                    let goal = subst_constraint(&w.constraint, &solved);
                    if !self.holds(&goal) {
                        // Constraints that cannot hold together are reported where they stand.
                        if head.facts.contradiction() {
                            return Ty::Error;
                        }
                        self.where_fault(def, &w.constraint, &goal, w.loc, &solved, loc);
                        return Ty::Error;
                    }
                }
                let ret = ret.subst(&solved);
                self.refuse_negative(&ret, loc)
            }
            ItemKind::Struct => {
                let head = header(self.db, def);
                self.build_struct((def, None), head, prefix, site)
            }
            ItemKind::Alias => match &sig(self.db, def).detail {
                SigDetail::Alias {
                    ty: Ty::Struct(target, target_args),
                } => {
                    // The alias's generics, of which the struct's are made.
                    let head = header(self.db, def);
                    let built = (*target, Some(target_args.as_ref()));
                    self.build_struct(built, head, prefix, site)
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
    pub(crate) fn refuse_negative(&mut self, ty: &Ty, loc: Loc) -> Ty {
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
                format!("`{shown}` has a negative dimension"),
                "negative by these arguments",
            );
        }
        Ty::Error
    }

    /// Builds a struct by its own name, or by an alias: `head` holds the generics that are solved, and the struct's
    /// arguments, if given, are made of them.
    fn build_struct(
        &mut self,
        (def, made_of): (DefId, Option<&[GArg]>),
        head: &Header,
        prefix: Vec<GArg>,
        site: CallSite<'_>,
    ) -> Ty {
        let CallSite { name, args, .. } = site;
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
        match self.match_call(site, head, prefix, &wanted, Place::Field) {
            Some(solved) => match made_of {
                None => Ty::Struct(def, solved.into()),
                Some(made_of) => {
                    Ty::Struct(def, made_of.iter().map(|a| a.subst(&solved)).collect())
                }
            },
            None => Ty::Error,
        }
    }
}
