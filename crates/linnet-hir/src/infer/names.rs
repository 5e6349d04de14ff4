//! Names and fields as values.

use linnet_dim::{Dim, Sym};

use crate::body::{Expr, ExprId};
use crate::ctx::{Ctx, LocalKind, Res};
use crate::diag::Diagnostic;
use crate::sig::{SigDetail, nested_item, sig};
use crate::tree::{DefId, GenericKind, ItemKind, Loc, Name};
use crate::ty::Ty;

impl<'a> Ctx<'a> {
    pub(super) fn infer_name(&mut self, name: &Name, loc: Loc) -> Ty {
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

    pub(super) fn infer_field(&mut self, base: ExprId, name: &Name, name_loc: Loc) -> Ty {
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
    pub(super) fn enum_of(&self, def: DefId) -> Option<DefId> {
        match def.kind(self.db) {
            ItemKind::Enum => Some(def),
            ItemKind::Alias => match &sig(self.db, def).detail {
                SigDetail::Alias { ty: Ty::Enum(e) } => Some(*e),
                _ => None,
            },
            _ => None,
        }
    }

    pub(super) fn variant(&mut self, def: DefId, name: &Name, loc: Loc) -> Ty {
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
            d = d.did_you_mean(at, s);
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

    pub(super) fn field_of(&mut self, ty: &Ty, name: &Name, loc: Loc) -> Ty {
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
                            self.private(name, loc, item.kind, "in the block");
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
}
