//! Signatures: what an item promises to its users, resolved from its header.
//!
//! [`header`] holds the generics and the facts of the `where` clauses, [`sig`] the types. They are two queries
//! because a block's members may be typed by the block's own constants, which need the block's generics.

use std::sync::Arc;

use linnet_dim::{Constraint, Dim, Facts, Sym};

use crate::body::{Arena, TypeId};
use crate::ctx::{Ctx, Uses};
use crate::db::{Db, SourceFile, item_data, item_tree};
use crate::diag::{Diag, Diagnostic};
use crate::scope::is_cyclic;
use crate::tree::{
    DefId, GenericKind, Item, ItemDetail, ItemKind, Loc, MemberKind, Name, NodeLoc, Part,
};
use crate::ty::{Elem, GArg, ShapeElem, Ty};

/// Aliases of aliases double in size with each step: beyond this nobody meant it.
const MAX_ALIAS_PARTS: usize = 4096;

/// A generic parameter.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Generic {
    pub name: Name,
    pub kind: GenericKind,
    pub loc: NodeLoc,
    /// In terms of the generics before it.
    pub default: Option<GArg>,
}

impl Generic {
    /// The generic as an argument for itself, at place `index`.
    pub fn identity(&self, index: u32) -> GArg {
        match self.kind {
            GenericKind::Dim => GArg::Dim(Dim::sym(Sym(index))),
            GenericKind::Shape => GArg::Shape(Arc::from([ShapeElem::Pack(index)])),
            GenericKind::Error => GArg::Error,
            _ => GArg::Elem(Elem::Param(index)),
        }
    }
}

/// A `where` constraint and the place it stands at.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Where {
    pub constraint: Constraint,
    pub loc: NodeLoc,
}

/// An item's generics and what is known of them.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Header {
    /// The enclosing block's, then the item's own.
    pub generics: Vec<Generic>,
    /// How many of them are the enclosing block's.
    pub inherited: usize,
    /// The item's own constraints; the enclosing block's are in `facts` as well.
    pub wheres: Vec<Where>,
    pub facts: Arc<Facts>,
    /// A constraint could not be read: facts are missing.
    pub doubtful: bool,
    pub diags: Vec<Diag>,
    pub uses: Uses,
}

impl Header {
    /// The item's generics as arguments for themselves.
    pub fn identity(&self) -> Vec<GArg> {
        self.generics
            .iter()
            .enumerate()
            .map(|(i, g)| g.identity(i as u32))
            .collect()
    }

    /// The name of generic `index`; a pack's carries its star.
    pub fn name_of(&self, index: u32) -> Option<String> {
        let g = self.generics.get(index as usize)?;
        Some(if g.kind == GenericKind::Shape {
            format!("*{}", g.name)
        } else {
            g.name.to_string()
        })
    }
}

/// An item's types.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Sig {
    pub detail: SigDetail,
    pub diags: Vec<Diag>,
    pub uses: Uses,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum SigDetail {
    /// `broken`: the parser found faults in the header, so calls are not judged by it.
    Fn {
        params: Vec<Param>,
        ret: Ty,
        ret_loc: Option<Loc>,
        broken: bool,
    },
    Block {
        members: Vec<Member>,
    },
    Struct {
        fields: Vec<(Name, Ty)>,
    },
    Enum {
        variants: Vec<Name>,
    },
    Alias {
        ty: Ty,
    },
    /// The declared type, where there is one.
    Const {
        ty: Option<Ty>,
    },
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Param {
    pub name: Name,
    pub loc: Loc,
    pub ty: Ty,
    pub ty_loc: Loc,
    pub has_default: bool,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Member {
    pub kind: MemberKind,
    pub name: Name,
    pub loc: Loc,
    pub ty: Ty,
}

impl Sig {
    pub fn member(&self, name: &str) -> Option<&Member> {
        match &self.detail {
            SigDetail::Block { members } => members.iter().find(|m| m.name == name),
            _ => None,
        }
    }
}

/// An item inside a block, without its place.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Nested {
    pub def: DefId,
    pub name: Name,
    pub kind: ItemKind,
    pub is_pub: bool,
}

/// The items declared inside a block.
#[salsa::tracked(returns(deref))]
pub fn nested_items(db: &dyn Db, block: DefId) -> Vec<Nested> {
    let tree = item_tree(db, block.file(db));
    let children = tree
        .items
        .iter()
        .find(|i| i.def == block)
        .map(|i| i.children.as_slice());
    let nested = |i: &Item| Nested {
        def: i.def,
        name: i.name.clone(),
        kind: i.kind,
        is_pub: i.is_pub,
    };
    children.unwrap_or_default().iter().map(nested).collect()
}

/// The places of names among the items of a block; the first of a name wins.
#[salsa::tracked(returns(ref))]
fn nested_index(db: &dyn Db, block: DefId) -> rustc_hash::FxHashMap<Name, usize> {
    let items = nested_items(db, block).iter().enumerate().rev();
    items
        .map(|(place, item)| (item.name.clone(), place))
        .collect()
}

/// The item of this name inside a block.
pub fn nested_item<'db>(db: &'db dyn Db, block: DefId, name: &str) -> Option<&'db Nested> {
    let place = nested_index(db, block).get(name)?;
    nested_items(db, block).get(*place)
}

/// Whether a name is missing somewhere in a file, which an unknown name may be.
#[salsa::tracked(returns(copy))]
pub fn has_lost_name(db: &dyn Db, file: SourceFile) -> bool {
    item_tree(db, file).lost_name
}

/// Whether an item is `pub`.
#[salsa::tracked(returns(copy))]
pub fn is_pub(db: &dyn Db, def: DefId) -> bool {
    item_data(db, def).is_pub || def.kind(db) == ItemKind::Entry
}

/// Modules that import each other may ask for a header in a circle; E1206 says so where they stand.
fn header_in_circle(_db: &dyn Db, _id: salsa::Id, _def: DefId) -> Arc<Header> {
    Arc::new(Header {
        generics: Vec::new(),
        inherited: 0,
        wheres: Vec::new(),
        facts: Arc::new(Facts::new([], [])),
        doubtful: true,
        diags: Vec::new(),
        uses: Uses::default(),
    })
}

/// Generics, constraints and facts of an item.
#[salsa::tracked(returns(deref), cycle_result = header_in_circle)]
pub fn header(db: &dyn Db, def: DefId) -> Arc<Header> {
    let data = item_data(db, def);
    let parent = def.container(db).map(|c| header(db, c));
    let (mut generics, parent_facts) = match parent {
        Some(p) => (p.generics.clone(), p.facts.clone()),
        None => (Vec::new(), Arc::new(Facts::new([], []))),
    };
    let parent_doubtful = parent.is_some_and(|p| p.doubtful);
    let inherited = generics.len();
    if data.generics.is_empty() && data.wheres.is_empty() {
        return Arc::new(Header {
            generics,
            inherited,
            wheres: Vec::new(),
            facts: parent_facts,
            doubtful: parent_doubtful || data.broken,
            diags: Vec::new(),
            uses: Uses::default(),
        });
    }
    let file = def.file(db);
    let mut nonneg = Vec::new();
    for g in &data.generics {
        if matches!(g.kind, GenericKind::Dim | GenericKind::Shape) {
            nonneg.push(Sym(generics.len() as u32));
        }
        generics.push(Generic {
            name: g.name.clone(),
            kind: g.kind,
            loc: NodeLoc {
                file,
                part: Part::Sig(def),
                loc: g.loc,
            },
            default: None,
        });
    }
    let facts = Arc::new(parent_facts.with(nonneg.iter().copied(), []));
    let mut head = Header {
        generics,
        inherited,
        wheres: Vec::new(),
        facts,
        doubtful: parent_doubtful || data.broken,
        diags: Vec::new(),
        uses: Uses::default(),
    };
    let mut wheres = Vec::new();
    let mut unread = false;
    {
        let mut ctx = Ctx::for_header(db, def, &data.arena, &head);
        // Inside a constraint a divisor need not be positive: see section 5 of the language.
        ctx.check_divisors = false;
        ctx.see_nested = def.kind(db) != ItemKind::Block;
        for w in &data.wheres {
            let lhs = ctx.dim_expr(w.lhs);
            let rhs = ctx.dim_expr(w.rhs);
            if let (Some(lhs), Some(rhs)) = (lhs, rhs) {
                wheres.push(Where {
                    constraint: Constraint {
                        lhs,
                        rel: w.rel,
                        rhs,
                    },
                    loc: ctx.at(w.loc),
                });
            } else {
                unread = true;
            }
        }
        let (diags, uses) = ctx.finish();
        head.diags = diags;
        head.uses = uses;
    }
    if !wheres.is_empty() {
        head.facts = Arc::new(
            head.facts
                .with([], wheres.iter().map(|w| w.constraint.clone())),
        );
        if head.facts.contradiction() && !parent_facts.contradiction() {
            let first = &wheres[0];
            let mut d = Diagnostic::new(
                "E2206",
                first.loc,
                "the `where` constraints cannot hold together",
            )
            .label("no values of the generics satisfy this list")
            .help("remove or correct one of the constraints");
            for w in &wheres[1..] {
                d = d.related(w.loc, "with this constraint");
            }
            head.diags.push(d);
        }
    }
    head.wheres = wheres;
    head.doubtful |= unread;
    let mut defaults = Vec::new();
    {
        let mut ctx = Ctx::for_header(db, def, &data.arena, &head);
        for (i, g) in data.generics.iter().enumerate() {
            // A default sees the generics before it.
            ctx.visible_generics = inherited + i;
            ctx.see_nested = def.kind(db) != ItemKind::Block;
            defaults.push(g.default.as_ref().map(|d| ctx.generic_arg(d, g.kind)));
            let shape = g.kind == GenericKind::Shape;
            if g.kind != GenericKind::Error && g.star != shape {
                let message = if g.star {
                    format!("`*{}` is a pack, so its kind is `Shape`", g.name)
                } else {
                    format!("a `Shape` generic is written with a star: `*{}`", g.name)
                };
                let at = ctx.at(if g.star { g.kind_loc } else { g.loc });
                let mut d = Diagnostic::new("E2111", at, message);
                if !g.star {
                    d = d.fix("write the star", vec![(at, format!("*{}", g.name))]);
                }
                ctx.report(d.label("the star and the kind disagree"));
            }
        }
        let (diags, uses) = ctx.finish();
        head.diags.extend(diags);
        head.uses.extend(uses);
    }
    let own = head.generics[inherited..].iter_mut();
    for ((g, d), written) in own.zip(defaults).zip(&data.generics) {
        g.default = d;
        // What it was meant to be is not known, so its uses are not judged.
        if written.star != (written.kind == GenericKind::Shape) {
            g.kind = GenericKind::Error;
        }
    }
    Arc::new(head)
}

/// Like [`header_in_circle`]: a signature that says nothing.
fn sig_in_circle(db: &dyn Db, _id: salsa::Id, def: DefId) -> Arc<Sig> {
    let detail = match def.kind(db) {
        ItemKind::Const => SigDetail::Const {
            ty: Some(Ty::Error),
        },
        ItemKind::Alias => SigDetail::Alias { ty: Ty::Error },
        ItemKind::Struct => SigDetail::Struct { fields: Vec::new() },
        ItemKind::Enum => SigDetail::Enum {
            variants: Vec::new(),
        },
        ItemKind::Block => SigDetail::Block {
            members: Vec::new(),
        },
        ItemKind::Fn | ItemKind::Op | ItemKind::Entry => SigDetail::Fn {
            params: Vec::new(),
            ret: Ty::Error,
            ret_loc: None,
            broken: true,
        },
    };
    Arc::new(Sig {
        detail,
        diags: Vec::new(),
        uses: Uses::default(),
    })
}

/// An item's types.
#[salsa::tracked(returns(deref), cycle_result = sig_in_circle)]
pub fn sig(db: &dyn Db, def: DefId) -> Arc<Sig> {
    let data = item_data(db, def);
    let head = header(db, def);
    let cyclic = is_cyclic(db, def);
    let mut ctx = Ctx::for_header(db, def, &data.arena, head);
    let detail = match &data.detail {
        ItemDetail::Enum { variants } => SigDetail::Enum {
            variants: variants.iter().map(|(n, _)| n.clone()).collect(),
        },
        ItemDetail::Const { ty } => SigDetail::Const {
            ty: ty.map(|t| ctx.value_type(t)),
        },
        ItemDetail::Alias { .. } if cyclic => SigDetail::Alias { ty: Ty::Error },
        ItemDetail::Alias { ty } => {
            // An alias may be a member's type.
            ctx.allow_block = true;
            let mut lowered = ctx.lower_type(*ty);
            if lowered.is_larger_than(MAX_ALIAS_PARTS) {
                ctx.error(
                    "E2128",
                    data.name_loc,
                    format!(
                        "`{}` stands for a type of more than {MAX_ALIAS_PARTS} parts",
                        data.name
                    ),
                    "too large when written out",
                );
                lowered = Ty::Error;
            }
            SigDetail::Alias { ty: lowered }
        }
        ItemDetail::Struct { fields } => SigDetail::Struct {
            fields: fields
                .iter()
                .map(|f| {
                    (
                        f.name.clone(),
                        if cyclic {
                            Ty::Error
                        } else {
                            ctx.value_type(f.ty)
                        },
                    )
                })
                .collect(),
        },
        ItemDetail::Fn { params, ret, grad } => {
            let params = params
                .iter()
                .map(|p| Param {
                    name: p.name.clone(),
                    loc: p.loc,
                    ty: ctx.value_type(p.ty),
                    ty_loc: data.arena.ty_loc(p.ty),
                    has_default: p.has_default,
                })
                .collect::<Vec<_>>();
            let ret_loc = ret.map(|t| data.arena.ty_loc(t));
            let ret = ret.map_or(Ty::Unit, |t| ctx.value_type(t));
            if let Some(grad) = grad {
                check_grad(
                    &mut ctx,
                    data.kind,
                    &data.arena,
                    &params,
                    &param_types(&data.detail),
                    &ret,
                    *grad,
                );
            }
            SigDetail::Fn {
                params,
                ret,
                ret_loc,
                broken: data.broken,
            }
        }
        ItemDetail::Block { members } => SigDetail::Block {
            members: members
                .iter()
                .map(|m| {
                    let ty = if cyclic && m.kind == MemberKind::Sub {
                        Ty::Error
                    } else {
                        ctx.member_type(m)
                    };
                    Member {
                        kind: m.kind,
                        name: m.name.clone(),
                        loc: m.loc,
                        ty,
                    }
                })
                .collect(),
        },
    };
    let (diags, uses) = ctx.finish();
    Arc::new(Sig {
        detail,
        diags,
        uses,
    })
}

fn param_types(detail: &ItemDetail) -> Vec<TypeId> {
    match detail {
        ItemDetail::Fn { params, .. } => params.iter().map(|p| p.ty).collect(),
        _ => Vec::new(),
    }
}

/// What an op must be to have a `grad` clause (section 9 of the language).
fn check_grad(
    ctx: &mut Ctx,
    kind: ItemKind,
    arena: &Arena,
    params: &[Param],
    types: &[TypeId],
    ret: &Ty,
    grad: Loc,
) {
    let why = if kind != ItemKind::Op {
        Some("only an `op` may have a `grad` clause")
    } else if ret.is_error() || params.iter().any(|p| p.ty.is_error()) {
        None
    } else if !is_float_tensor(ctx, ret) {
        Some("the op must return one floating tensor")
    } else if params
        .iter()
        .any(|p| matches!(p.ty, Ty::Optional(_) | Ty::Tuple(_)))
    {
        Some("the op has an optional or a tuple parameter")
    } else if !params
        .iter()
        .zip(types)
        .any(|(p, t)| has_gradient(ctx, arena, &p.ty, *t))
    {
        Some("the op has no parameter written `Tensor[..]` of a floating dtype")
    } else {
        None
    };
    if let Some(why) = why {
        let at = ctx.at(grad);
        ctx.report(Diagnostic::new("E2125", at, "this cannot have a `grad` clause").label(why));
    }
}

fn is_float_tensor(ctx: &Ctx, ty: &Ty) -> bool {
    matches!(ty, Ty::Tensor(_, e) if ctx.elem_in_class(*e, GenericKind::Float))
}

/// A parameter gets a gradient when it is written `Tensor[..]` and its dtype is floating.
pub(crate) fn has_gradient(ctx: &Ctx, arena: &Arena, ty: &Ty, written: TypeId) -> bool {
    matches!(arena.ty(written), crate::body::TypeRef::Tensor { .. }) && is_float_tensor(ctx, ty)
}

/// The type of a constant: declared, or that of its value.
pub fn const_type(db: &dyn Db, def: DefId) -> Ty {
    if is_cyclic(db, def) {
        return Ty::Error;
    }
    let sig = sig(db, def);
    if let SigDetail::Const { ty: Some(ty) } = &sig.detail {
        return ty.clone();
    }
    crate::infer::const_value_type(db, def).clone()
}
