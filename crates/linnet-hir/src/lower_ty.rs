//! Types as written, given their meaning.

use std::sync::Arc;

use linnet_dim::{Constraint, Dim, Rel};

use crate::body::{Expr, ExprId, GenericArg, ShapeRef, TypeId, TypeRef};
use crate::ctx::{Ctx, Res};
use crate::diag::Diagnostic;
use crate::scope::{Lookup, lookup_in_module};
use crate::sig::{SigDetail, header, sig};
use crate::tree::{DefId, GenericKind, ItemKind, Loc, MemberKind, MemberRef, Name};
use crate::ty::{Args, DType, Elem, GArg, Shape, ShapeElem, Ty, subst_dim};

impl<'a> Ctx<'a> {
    /// A type that a value can have: anything but blocks.
    pub fn value_type(&mut self, id: TypeId) -> Ty {
        let ty = self.lower_type(id);
        if contains_block(&ty) {
            let shown = self.show(&ty);
            let loc = self.arena.ty_loc(id);
            self.error(
                "E1208",
                loc,
                format!("`{shown}` is a block, not the type of a value"),
                "a block may only be the type of a `sub`",
            );
            return Ty::Error;
        }
        ty
    }

    pub fn lower_type(&mut self, id: TypeId) -> Ty {
        // A chain of aliases is as deep as it is long.
        stacker::maybe_grow(128 << 10, 2 << 20, || self.lower_type_inner(id))
    }

    fn lower_type_inner(&mut self, id: TypeId) -> Ty {
        let arena = self.arena;
        let loc = arena.ty_loc(id);
        match arena.ty(id) {
            TypeRef::Error => Ty::Error,
            TypeRef::Tensor { shape, elem } => {
                let shape = self.lower_shape(shape);
                let elem = self.elem_type(*elem);
                match shape {
                    Some(shape) => Ty::Tensor(shape, elem),
                    None => Ty::Error,
                }
            }
            TypeRef::Tuple(items) => Ty::Tuple(items.iter().map(|t| self.value_type(*t)).collect()),
            TypeRef::Array(item, len) => {
                let item = self.lower_type(*item);
                let len = self.dimension(*len);
                match len {
                    Some(len) => Ty::Array(Arc::new(item), len),
                    None => Ty::Error,
                }
            }
            TypeRef::Optional(item) => match self.lower_type(*item) {
                Ty::Error => Ty::Error,
                ty => Ty::Optional(Arc::new(ty)),
            },
            TypeRef::Path { segments, args } => self
                .path_type(segments, args.as_deref(), loc)
                .unwrap_or(Ty::Error),
        }
    }

    /// A dtype: concrete, a generic, or an alias of one.
    pub fn elem_type(&mut self, id: TypeId) -> Elem {
        let loc = self.arena.ty_loc(id);
        match self.lower_type(id) {
            Ty::Tensor(shape, elem) if shape.is_empty() => elem,
            Ty::Error => Elem::Error,
            other => {
                let shown = self.show(&other);
                self.error(
                    "E1208",
                    loc,
                    format!("`{shown}` is not a dtype"),
                    "expected a dtype such as `f32`",
                );
                Elem::Error
            }
        }
    }

    /// The axes of a shape; `None` after a reported fault.
    pub fn lower_shape(&mut self, elems: &[ShapeRef]) -> Option<Shape> {
        let mut out = Vec::with_capacity(elems.len());
        let mut ok = true;
        for elem in elems {
            match elem {
                ShapeRef::Dim(e) => match self.dimension(*e) {
                    Some(d) => out.push(ShapeElem::Dim(d)),
                    None => ok = false,
                },
                ShapeRef::Pack(name, loc) => match self.pack(name, *loc) {
                    Some(p) => out.push(ShapeElem::Pack(p)),
                    None => ok = false,
                },
            }
        }
        ok.then(|| out.into())
    }

    fn pack(&mut self, name: &Name, loc: Loc) -> Option<u32> {
        match self.resolve(name, true) {
            Some(Res::Generic(i))
                if self.header.generics[i as usize].kind == GenericKind::Shape =>
            {
                Some(i)
            }
            Some(Res::Generic(i))
                if self.header.generics[i as usize].kind == GenericKind::Error =>
            {
                None
            }
            None => {
                self.undeclared(name, loc, "E1201");
                None
            }
            Some(Res::Error) => None,
            Some(res) => {
                let what = self.describe(&res);
                let at = self.at(loc);
                self.report(
                    Diagnostic::new(
                        "E2111",
                        at,
                        format!("`*{name}` needs a `Shape` generic, and `{name}` is {what}"),
                    )
                    .label("a star stands before a pack only"),
                );
                None
            }
        }
    }

    /// A dimension: a compile-time integer that is not provably negative.
    pub fn dimension(&mut self, id: ExprId) -> Option<Dim> {
        let dim = self.dim_expr(id)?;
        if self.provably_negative(&dim) {
            let shown = self.show_dim(&dim);
            let loc = self.arena.loc(id);
            self.error(
                "E2208",
                loc,
                format!("the dimension `{shown}` is negative"),
                "a dimension is at least 0",
            );
            return None;
        }
        Some(dim)
    }

    /// A compile-time integer.
    pub fn dim_expr(&mut self, id: ExprId) -> Option<Dim> {
        let arena = self.arena;
        match arena.expr(id) {
            Expr::Missing => return None,
            Expr::Int(v) if *v <= i64::MAX as u64 => return Some(Dim::int(*v as i64)),
            Expr::Name(name) => {
                // A pack without its star, or a dtype, has no value.
                if let Some(Res::Generic(i)) = self.resolve(name, true) {
                    let kind = self.header.generics[i as usize].kind;
                    match kind {
                        GenericKind::Dim => return Some(Dim::sym(linnet_dim::Sym(i))),
                        GenericKind::Error => return None,
                        GenericKind::Shape => {
                            let at = self.at_expr(id);
                            let d = Diagnostic::new(
                                "E2111",
                                at,
                                format!("`{name}` is a pack of dimensions"),
                            )
                            .label("this is no single dimension")
                            .help(format!("in a shape it is written `*{name}`"));
                            self.report(d);
                            return None;
                        }
                        _ => {}
                    }
                }
            }
            _ => {}
        }
        match self.infer_expr(id, None) {
            Ty::Int(Some(d)) => Some(d),
            Ty::Error => None,
            other => {
                let shown = self.show(&other);
                let at = self.at_expr(id);
                self.report(
                    Diagnostic::new("E2123", at, "this is not a compile-time integer")
                        .label(format!("this is `{shown}`"))
                        .help("use a literal, a `Dim` generic, an unannotated integer `const`, or arithmetic on these"),
                );
                None
            }
        }
    }

    /// A named type.
    fn path_type(
        &mut self,
        segments: &[(Name, Loc)],
        args: Option<&[GenericArg]>,
        loc: Loc,
    ) -> Option<Ty> {
        let (first, first_loc) = segments.first()?;
        let Some(mut res) = self.resolve(first, true) else {
            if first == "Tensor" {
                self.error(
                    "E2111",
                    *first_loc,
                    "`Tensor` needs a shape and a dtype",
                    "write `Tensor[..; T]`",
                );
            } else {
                self.in_type = true;
                self.undeclared(first, *first_loc, "E1201");
                self.in_type = false;
            }
            return None;
        };
        let (mut name, mut name_loc) = (first, *first_loc);
        for (segment, segment_loc) in &segments[1..] {
            let Res::Module(file) = res else {
                if res != Res::Error {
                    let what = self.describe(&res);
                    self.wrong_kind(name, name_loc, what, "a module");
                }
                return None;
            };
            res = self.module_item(file, segment, *segment_loc)?;
            (name, name_loc) = (segment, *segment_loc);
        }
        let simple = match &res {
            Res::Error => return None,
            Res::DType(d) => Some(Ty::scalar(*d)),
            Res::Generic(i) => match self.header.generics[*i as usize].kind {
                GenericKind::Dim | GenericKind::Shape => None,
                GenericKind::Error => return None,
                _ => Some(Ty::Tensor(Arc::from([]), Elem::Param(*i))),
            },
            _ => None,
        };
        if let Some(ty) = simple {
            if args.is_some() {
                self.error(
                    "E2111",
                    loc,
                    format!("`{name}` takes no generic arguments"),
                    "remove the arguments",
                );
            }
            return Some(ty);
        }
        let def = match res {
            Res::Nested(def) | Res::Item(def) => def,
            other => {
                let what = self.describe(&other);
                self.wrong_kind(name, name_loc, what, "a type");
                return None;
            }
        };
        match def.kind(self.db) {
            ItemKind::Enum => {
                if args.is_some() {
                    self.error(
                        "E2111",
                        loc,
                        format!("`{name}` takes no generic arguments"),
                        "remove the arguments",
                    );
                }
                Some(Ty::Enum(def))
            }
            ItemKind::Struct => {
                let args = self.type_args(def, args, loc)?;
                Some(Ty::Struct(def, args))
            }
            ItemKind::Block => {
                let args = self.type_args(def, args, loc)?;
                // Elsewhere the block itself is the fault.
                if self.allow_block {
                    self.prove_wheres(def, &args, loc);
                }
                Some(Ty::Block(def, args))
            }
            ItemKind::Alias => {
                let args = self.type_args(def, args, loc)?;
                match &sig(self.db, def).detail {
                    SigDetail::Alias { ty } => Some(self.refuse_negative(&ty.subst(&args), loc)),
                    _ => None,
                }
            }
            _ => {
                let what = self.describe(&Res::Item(def));
                self.wrong_kind(name, name_loc, what, "a type");
                None
            }
        }
    }

    /// E1203.
    pub fn private(&mut self, name: &str, loc: Loc, kind: ItemKind, place: &str) {
        let at = self.at(loc);
        self.report(
            Diagnostic::new("E1203", at, format!("`{name}` is private to its module"))
                .label("not `pub`")
                .help(format!(
                    "declare it `pub {} {name}` {place}",
                    kind.keyword()
                )),
        );
    }

    /// Whether a generic would be negative, with E2208.
    pub fn negative_generic(&mut self, arg: &GArg, generic: &str, owner: &str, loc: Loc) -> bool {
        let GArg::Dim(dim) = arg else { return false };
        let negative = self.provably_negative(dim);
        if negative {
            let shown = self.show_dim(dim);
            self.error(
                "E2208",
                loc,
                format!("`{generic}` of `{owner}` would be `{shown}`"),
                "a dimension is at least 0",
            );
        }
        negative
    }

    /// An item of an imported module, with E1201 and E1203.
    pub fn module_item(
        &mut self,
        file: crate::db::SourceFile,
        name: &Name,
        loc: Loc,
    ) -> Option<Res> {
        match lookup_in_module(self.db, file, name) {
            Lookup::Found(def) => Some(Res::Item(def)),
            Lookup::Private(def) => {
                if file == self.file {
                    return Some(Res::Item(def));
                }
                self.private(name, loc, def.kind(self.db), "where it stands");
                None
            }
            // A syntax error in that module may well have hidden it.
            Lookup::Broken => None,
            Lookup::Missing { suggestion } => {
                let at = self.at(loc);
                let mut d = Diagnostic::new("E1201", at, format!("the module has no `{name}`"))
                    .label("not found in that module");
                if let Some(s) = suggestion {
                    d = d.did_you_mean(at, s);
                }
                self.report(d);
                None
            }
        }
    }

    /// The arguments of a type, defaults filled in.
    fn type_args(&mut self, def: DefId, args: Option<&[GenericArg]>, loc: Loc) -> Option<Args> {
        let head = header(self.db, def);
        let own = &head.generics[head.inherited..];
        let given = args.unwrap_or(&[]);
        let mut out: Vec<GArg> = if head.inherited > 0 {
            self.block_identity()
        } else {
            Vec::new()
        };
        let required = own.iter().filter(|g| g.default.is_none()).count();
        if given.len() > own.len() || given.len() < required {
            // A broken header may miss some, or a default.
            if crate::db::item_data(self.db, def).broken {
                return None;
            }
            let name = def.name(self.db);
            let wanted = match own.len() {
                n if n == required => format!("{n}"),
                n => format!("{required} to {n}"),
            };
            let list: Vec<String> = own
                .iter()
                .map(|g| {
                    format!(
                        "{}{}",
                        if g.kind == GenericKind::Shape {
                            "*"
                        } else {
                            ""
                        },
                        g.name
                    )
                })
                .collect();
            let at = self.at(loc);
            self.report(
                Diagnostic::new(
                    "E2111",
                    at,
                    format!(
                        "`{name}` takes {wanted} generic arguments, and {} are given",
                        given.len()
                    ),
                )
                .label(format!("`{name}<{}>`", list.join(", "))),
            );
            // What is given may hold faults of its own.
            for (arg, g) in given.iter().zip(own) {
                self.generic_arg(arg, g.kind);
            }
            return None;
        }
        for (i, g) in own.iter().enumerate() {
            let arg = match given.get(i) {
                Some(arg) => self.generic_arg(arg, g.kind),
                None => g.default.as_ref().map_or(GArg::Error, |d| d.subst(&out)),
            };
            // A default may be negative for these arguments.
            if i >= given.len() && self.negative_generic(&arg, &g.name, def.name(self.db), loc) {
                return None;
            }
            out.push(arg);
        }
        if out.contains(&GArg::Error) {
            None
        } else {
            Some(out.into())
        }
    }

    /// A generic argument as its kind asks for it.
    pub fn generic_arg(&mut self, arg: &GenericArg, kind: GenericKind) -> GArg {
        let arena = self.arena;
        match (kind, arg) {
            (GenericKind::Error, _) => GArg::Error,
            (GenericKind::Dim, GenericArg::Expr(e)) => {
                // A dtype where a dimension belongs is a wrong kind of argument, not a wrong name.
                if let Expr::Name(name) = arena.expr(*e)
                    && let Some(res) = self.resolve(name, true)
                    && self.is_type_name(&res)
                {
                    return self.wrong_arg(arena.loc(*e), "a dimension", self.describe(&res));
                }
                self.dimension(*e).map_or(GArg::Error, GArg::Dim)
            }
            (GenericKind::Shape, GenericArg::Shape(elems, _)) => {
                self.lower_shape(elems).map_or(GArg::Error, GArg::Shape)
            }
            (GenericKind::Shape, GenericArg::Expr(e)) => {
                if let Expr::List(elems) = arena.expr(*e) {
                    return self.lower_shape(elems).map_or(GArg::Error, GArg::Shape);
                }
                self.wrong_arg(
                    arena.loc(*e),
                    "a shape in brackets, such as `[B, S]`",
                    "a single value",
                )
            }
            (GenericKind::Dim | GenericKind::Shape, GenericArg::Type(t)) => {
                if matches!(arena.ty(*t), TypeRef::Error) {
                    return GArg::Error;
                }
                let wanted = if kind == GenericKind::Dim {
                    "a dimension"
                } else {
                    "a shape in brackets"
                };
                self.wrong_arg(arena.ty_loc(*t), wanted, "a type")
            }
            (GenericKind::Dim, GenericArg::Shape(_, loc)) => {
                self.wrong_arg(*loc, "a dimension", "a shape")
            }
            (_, GenericArg::Shape(_, loc)) => self.wrong_arg(*loc, "a dtype", "a shape"),
            (_, GenericArg::Type(t)) => {
                let loc = arena.ty_loc(*t);
                let elem = match self.lower_type(*t) {
                    Ty::Tensor(shape, elem) if shape.is_empty() => elem,
                    Ty::Error => return GArg::Error,
                    _ => return self.wrong_arg(loc, "a dtype", "a type of another kind"),
                };
                self.dtype_arg(elem, kind, loc)
            }
            (_, GenericArg::Expr(e)) => {
                let loc = arena.loc(*e);
                let elem = match arena.expr(*e) {
                    Expr::Missing => return GArg::Error,
                    Expr::Name(name) => match self.resolve(name, true) {
                        None => {
                            self.undeclared(name, loc, "E1201");
                            return GArg::Error;
                        }
                        Some(Res::Error) => return GArg::Error,
                        Some(res) if self.is_type_name(&res) => {
                            match self.path_type(&[(name.clone(), loc)], None, loc) {
                                Some(Ty::Tensor(shape, elem)) if shape.is_empty() => elem,
                                None | Some(Ty::Error) => return GArg::Error,
                                Some(_) => {
                                    return self.wrong_arg(
                                        loc,
                                        "a dtype",
                                        "a type of another kind",
                                    );
                                }
                            }
                        }
                        Some(res) => {
                            let what = self.describe(&res);
                            return self.wrong_arg(loc, "a dtype", what);
                        }
                    },
                    Expr::Field {
                        base,
                        name,
                        name_loc,
                    } => {
                        let Expr::Name(first) = arena.expr(*base) else {
                            return self.wrong_arg(loc, "a dtype", "an expression");
                        };
                        let segments =
                            [(first.clone(), arena.loc(*base)), (name.clone(), *name_loc)];
                        match self.path_type(&segments, None, loc) {
                            Some(Ty::Tensor(shape, elem)) if shape.is_empty() => elem,
                            None | Some(Ty::Error) => return GArg::Error,
                            Some(_) => {
                                return self.wrong_arg(loc, "a dtype", "a type of another kind");
                            }
                        }
                    }
                    _ => return self.wrong_arg(loc, "a dtype", "an expression"),
                };
                self.dtype_arg(elem, kind, loc)
            }
        }
    }

    fn is_type_name(&self, res: &Res) -> bool {
        match res {
            Res::DType(_) => true,
            Res::Generic(i) => !matches!(
                self.header.generics[*i as usize].kind,
                GenericKind::Dim | GenericKind::Shape | GenericKind::Error
            ),
            Res::Item(d) | Res::Nested(d) => matches!(
                d.kind(self.db),
                ItemKind::Alias | ItemKind::Struct | ItemKind::Enum | ItemKind::Block
            ),
            _ => false,
        }
    }

    fn wrong_arg(&mut self, loc: Loc, wanted: &str, found: &str) -> GArg {
        self.error(
            "E2111",
            loc,
            format!("this generic takes {wanted}"),
            format!("this is {found}"),
        );
        GArg::Error
    }

    /// A dtype argument within its class (E2112).
    pub fn dtype_arg(&mut self, elem: Elem, kind: GenericKind, loc: Loc) -> GArg {
        if !self.elem_in_class(elem, kind) {
            let shown = self.show_elem(elem);
            self.error(
                "E2112",
                loc,
                format!("`{shown}` is not in the class `{}`", class_name(kind)),
                format!("expected {}", class_words(kind)),
            );
            return GArg::Error;
        }
        GArg::Elem(elem)
    }

    /// Proves a block's `where` clauses for these arguments (E2206 at the type).
    fn prove_wheres(&mut self, def: DefId, args: &[GArg], loc: Loc) {
        let head = header(self.db, def);
        for w in &head.wheres {
            let goal = subst_constraint(&w.constraint, args);
            if !self.holds(&goal) {
                // Constraints that cannot hold together are reported where they stand.
                if head.facts.contradiction() {
                    return;
                }
                self.where_fault(def, &w.constraint, &goal, w.loc, args, loc);
                return;
            }
        }
    }

    /// E2206.
    pub fn where_fault(
        &mut self,
        def: DefId,
        clause: &Constraint,
        goal: &Constraint,
        clause_loc: crate::tree::NodeLoc,
        args: &[GArg],
        loc: Loc,
    ) {
        let head = header(self.db, def);
        let names = |linnet_dim::Sym(i): linnet_dim::Sym| head.name_of(i).unwrap_or_default();
        let written = clause.display(&names).to_string();
        let name = def.name(self.db);
        // Of numbers alone the folded goal says little: `1 == 0` for `7 % 2 == 0`.
        let in_place = |linnet_dim::Sym(i): linnet_dim::Sym| match args.get(i as usize) {
            Some(GArg::Dim(d))
                if d.as_int().is_some_and(|v| v < 0)
                    || (d.as_int().is_none() && d.as_sym().is_none()) =>
            {
                format!("({})", self.show_dim(d))
            }
            Some(GArg::Dim(d)) => self.show_dim(d),
            Some(GArg::Shape(s)) => self.show_shape(s),
            _ => "?".to_string(),
        };
        let needed = clause.display(&in_place).to_string();
        let at = self.at(loc);
        let mut values = Vec::new();
        for (i, g) in head.generics.iter().enumerate() {
            let mut mentioned = false;
            for d in [&clause.lhs, &clause.rhs] {
                mentioned |= d.mentions(linnet_dim::Sym(i as u32));
            }
            if let (true, Some(arg)) = (mentioned, args.get(i)) {
                let shown = match arg {
                    GArg::Dim(d) => self.show_dim(d),
                    GArg::Shape(s) => self.show_shape(s),
                    GArg::Elem(e) => self.show_elem(*e),
                    GArg::Error => "?".to_string(),
                };
                values.push(format!("{} = {shown}", g.name));
            }
        }
        let mut d = Diagnostic::new(
            "E2206",
            at,
            format!("`{name}` requires `{written}`, which cannot be proven here"),
        )
        .label(format!("needs `{needed}`"))
        .related(clause_loc, "required here");
        if !values.is_empty() {
            d = d.note(format!("with {}", values.join(", ")));
        }
        let d = self.explain(d, goal);
        self.report(d);
    }

    /// The type of a block's member, with E4101 for those it cannot have.
    pub fn member_type(&mut self, m: &MemberRef) -> Ty {
        let arena = self.arena;
        let loc = arena.ty_loc(m.ty);
        self.allow_block = m.kind == MemberKind::Sub;
        let ty = self.lower_type(m.ty);
        self.allow_block = false;
        if ty.is_error() {
            return Ty::Error;
        }
        let wrong = match (m.kind, &ty) {
            (_, Ty::Error) => None,
            (MemberKind::Param | MemberKind::Buffer | MemberKind::State, Ty::Tensor(..)) => None,
            (MemberKind::Param, Ty::Optional(t)) if matches!(**t, Ty::Tensor(..)) => None,
            (MemberKind::Param, _) => Some("a `param` is a tensor, or an optional one"),
            (MemberKind::Buffer, _) => Some("a `buffer` is a tensor"),
            (MemberKind::State, _) => Some("a `state` is a tensor"),
            (MemberKind::Sub, Ty::Block(..)) => None,
            (MemberKind::Sub, Ty::Optional(t)) if matches!(**t, Ty::Block(..)) => None,
            (MemberKind::Sub, Ty::Array(t, _)) if matches!(**t, Ty::Block(..)) => None,
            (MemberKind::Sub, _) => {
                Some("a `sub` is a block, an optional one, or an array of them")
            }
        };
        if let Some(why) = wrong {
            let shown = self.show(&ty);
            self.error(
                "E4101",
                loc,
                format!("a member cannot have the type `{shown}`"),
                why,
            );
            return Ty::Error;
        }
        if let Some(default) = m.default {
            if !default.is_none {
                if m.kind == MemberKind::Param {
                    let at = self.at(default.loc);
                    self.report(
                        Diagnostic::new("E4102", at, "a `param` has no value in source")
                            .label("weights come from a checkpoint")
                            .help("remove the value; an optional parameter is written `param x: T? = none`"),
                    );
                } else {
                    self.error(
                        "E4101",
                        default.loc,
                        "only `= none` may stand here",
                        "not `none`",
                    );
                }
            } else if !matches!(ty, Ty::Optional(_)) && !ty.is_error() {
                let shown = self.show(&ty);
                let at = self.at(default.loc);
                let ty_at = self.at(loc);
                let mut d =
                    Diagnostic::new("E4101", at, "`= none` on a member that is not optional")
                        .label(format!("the type is `{shown}`"));
                if matches!(ty, Ty::Tensor(..) | Ty::Block(..)) && m.kind != MemberKind::State {
                    d = d
                        .help(format!("write the type as `{shown}?`"))
                        .related(ty_at, "the type");
                }
                self.report(d);
            }
        }
        ty
    }
}

fn contains_block(ty: &Ty) -> bool {
    match ty {
        Ty::Block(..) | Ty::Array(..) => true,
        Ty::Optional(t) => contains_block(t),
        Ty::Tuple(ts) => ts.iter().any(contains_block),
        _ => false,
    }
}

pub(crate) fn subst_constraint(c: &Constraint, args: &[GArg]) -> Constraint {
    Constraint {
        lhs: subst_dim(&c.lhs, args),
        rel: c.rel,
        rhs: subst_dim(&c.rhs, args),
    }
}

pub(crate) fn class_name(kind: GenericKind) -> &'static str {
    match kind {
        GenericKind::Dim => "Dim",
        GenericKind::Shape => "Shape",
        GenericKind::DType | GenericKind::Error => "DType",
        GenericKind::Numeric => "Numeric",
        GenericKind::Integer => "Integer",
        GenericKind::Float => "Float",
    }
}

pub(crate) fn class_words(kind: GenericKind) -> &'static str {
    match kind {
        GenericKind::Numeric => "a number dtype, not `bool`",
        GenericKind::Integer => "an integer dtype",
        GenericKind::Float => "a floating dtype",
        _ => "a dtype",
    }
}

/// `a == b`, as a goal.
pub(crate) fn eq(a: &Dim, b: &Dim) -> Constraint {
    Constraint {
        lhs: a.clone(),
        rel: Rel::Eq,
        rhs: b.clone(),
    }
}

/// The dtype of a literal that nothing else decides.
pub(crate) const DEFAULT_INT: DType = DType::I64;
pub(crate) const DEFAULT_FLOAT: DType = DType::F64;
