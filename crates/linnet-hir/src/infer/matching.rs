//! `match`, and the patterns of it and of `let`.

use rustc_hash::FxHashSet;

use crate::body::{ArmPat, Expr, ExprId, Pat};
use crate::ctx::{Ctx, LocalKind, Res};
use crate::diag::Diagnostic;
use crate::sig::{SigDetail, header, sig};
use crate::tree::{ItemKind, Loc, Name, Part};
use crate::ty::Ty;

impl<'a> Ctx<'a> {
    pub(super) fn infer_match(
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
    pub(super) fn constant_variant(&mut self, id: ExprId, depth: u32) -> Option<Name> {
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
                // `module.Enum.Variant`, and nothing else of that form.
                Expr::Field {
                    base: head,
                    name: middle,
                    ..
                } => {
                    let Expr::Name(head) = self.arena.expr(*head) else {
                        return None;
                    };
                    let Some(Res::Module(file)) = self.resolve(head, true) else {
                        return None;
                    };
                    return match crate::scope::lookup_in_module(self.db, file, middle) {
                        crate::scope::Lookup::Found(def) if self.enum_of(def).is_some() => {
                            Some(name.clone())
                        }
                        _ => None,
                    };
                }
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

    pub(super) fn report_missing_arms(&mut self, keyword: Loc, list: &str) {
        let at = self.at(keyword);
        self.report(
            Diagnostic::new("E2118", at, format!("this `match` does not cover {list}"))
                .label("a case is missing")
                .help(format!("add an arm for {list}, or end with `_ => ..`")),
        );
    }

    /// E1205: one name twice in a tuple's pattern.
    pub(super) fn refuse_twice(&mut self, items: &[Pat]) {
        // Longer ones nobody writes, and each name is compared with those before it.
        for (i, item) in items.iter().enumerate().take(64) {
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
