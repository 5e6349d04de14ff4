//! Item trees: what a file declares, without bodies and without byte offsets.

use std::sync::Arc;

use linnet_syntax::TextRange;
pub use smol_str::SmolStr as Name;

use crate::body::{Arena, ExprId, TypeId};
use crate::db::SourceFile;

/// An index into the table of positions of the part of an item it stands in (see [`Part`]).
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Loc(pub u32);

/// Which table of positions a [`Loc`] counts in.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Part {
    /// The module line, the imports and the items' names.
    File,
    /// An item's header: generics, parameters, result, `where`, members, fields.
    Sig(DefId),
    /// An item's body: statements, defaults of parameters, the value of a constant.
    Body(DefId),
}

/// A place in the program that survives edits elsewhere.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct NodeLoc {
    pub file: SourceFile,
    pub part: Part,
    pub loc: Loc,
}

/// Positions of one part, by [`Loc`].
pub type LocTable = Vec<TextRange>;

/// What an item is.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum ItemKind {
    Const,
    Alias,
    Struct,
    Enum,
    Fn,
    Op,
    Entry,
    Block,
}

impl ItemKind {
    /// Functions, ops and entries: what has a body and may be called.
    pub fn is_callable(self) -> bool {
        matches!(self, ItemKind::Fn | ItemKind::Op | ItemKind::Entry)
    }

    /// The keyword that declares it.
    pub fn keyword(self) -> &'static str {
        match self {
            ItemKind::Const => "const",
            ItemKind::Alias => "type",
            ItemKind::Struct => "struct",
            ItemKind::Enum => "enum",
            ItemKind::Fn => "fn",
            ItemKind::Op => "op",
            ItemKind::Entry => "entry",
            ItemKind::Block => "block",
        }
    }
}

/// An item's identity: stable while items are added, removed or moved around it.
#[salsa::interned(unsafe(no_lifetime), revisions = usize::MAX, debug)]
#[derive(PartialOrd, Ord)]
pub struct DefId {
    #[returns(copy)]
    pub file: SourceFile,
    /// The block that a nested item stands in.
    #[returns(copy)]
    pub container: Option<DefId>,
    #[returns(ref)]
    pub name: Name,
    #[returns(copy)]
    pub kind: ItemKind,
    /// Counts items of the same kind, name and container, in the order of the text.
    #[returns(copy)]
    pub nth: u32,
}

/// A file's declarations.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct ItemTree {
    /// The path of the `module` line and the place of the path; `None` where there is none.
    pub module: Option<(Vec<Name>, Loc)>,
    pub uses: Vec<Use>,
    /// Module-level items, in order.
    pub items: Vec<Item>,
    /// Names that stand at the start of what could not be read: perhaps declared there.
    pub doubtful: Vec<Name>,
    /// Some declaration's name is missing: an unknown name may be its.
    pub lost_name: bool,
}

/// One `use` declaration.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Use {
    /// The whole declaration.
    pub loc: Loc,
    /// `std`, `crate` or a dependency's key, then the module path.
    pub path: Vec<Name>,
    pub path_loc: Loc,
    /// `None` imports the module itself under the last segment of its path.
    pub names: Option<Vec<UseName>>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct UseName {
    pub name: Name,
    pub name_loc: Loc,
    pub alias: Option<(Name, Loc)>,
}

/// An item's entry in the tree.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Item {
    pub def: DefId,
    pub name: Name,
    pub kind: ItemKind,
    pub is_pub: bool,
    /// The name (in the file's table).
    pub name_loc: Loc,
    /// The whole item (in the file's table).
    pub loc: Loc,
    /// Items declared inside a block.
    pub children: Vec<Item>,
}

impl Item {
    /// The item itself, then the items inside it.
    pub fn with_nested(&self) -> impl Iterator<Item = &Item> {
        std::iter::once(self).chain(&self.children)
    }
}

/// An item's header. Its [`Loc`]s count in [`Part::Sig`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ItemData {
    pub kind: ItemKind,
    pub name: Name,
    pub name_loc: Loc,
    pub is_pub: bool,
    /// Expressions and types of the header.
    pub arena: Arena,
    pub generics: Vec<GenericRef>,
    pub wheres: Vec<ConstraintRef>,
    /// The parser found faults in the header: what misses in it may have been written.
    pub broken: bool,
    pub detail: ItemDetail,
}

impl ItemData {
    /// The header of an item that is no longer there.
    pub fn empty(kind: ItemKind, name: Name) -> ItemData {
        let mut arena = Arena::default();
        let detail = match kind {
            ItemKind::Const => ItemDetail::Const { ty: None },
            ItemKind::Alias => ItemDetail::Alias {
                ty: arena.add_ty(crate::body::TypeRef::Error, Loc(0)),
            },
            ItemKind::Struct => ItemDetail::Struct { fields: Vec::new() },
            ItemKind::Enum => ItemDetail::Enum {
                variants: Vec::new(),
            },
            ItemKind::Fn | ItemKind::Op | ItemKind::Entry => ItemDetail::Fn {
                params: Vec::new(),
                ret: None,
                grad: None,
            },
            ItemKind::Block => ItemDetail::Block {
                members: Vec::new(),
            },
        };
        ItemData {
            kind,
            name,
            name_loc: Loc(0),
            is_pub: false,
            arena,
            generics: Vec::new(),
            wheres: Vec::new(),
            broken: true,
            detail,
        }
    }
}

impl ItemData {
    /// Whether the parser missed a name in the header: of a generic, a parameter, a member.
    pub fn has_lost_name(&self) -> bool {
        self.generics.iter().any(|g| g.name.is_empty())
            || match &self.detail {
                ItemDetail::Block { members } => members.iter().any(|m| m.name.is_empty()),
                ItemDetail::Fn { params, .. } => params.iter().any(|p| p.name.is_empty()),
                _ => false,
            }
    }

    /// Whether this is a block with a member of that name.
    pub fn has_member(&self, name: &str) -> bool {
        match &self.detail {
            ItemDetail::Block { members } => members.iter().any(|m| m.name == name),
            _ => false,
        }
    }
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ItemDetail {
    /// The declared type; the value is in the body.
    Const {
        ty: Option<TypeId>,
    },
    Alias {
        ty: TypeId,
    },
    Struct {
        fields: Vec<FieldRef>,
    },
    Enum {
        variants: Vec<(Name, Loc)>,
    },
    Fn {
        params: Vec<ParamRef>,
        ret: Option<TypeId>,
        grad: Option<Loc>,
    },
    Block {
        members: Vec<MemberRef>,
    },
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GenericRef {
    pub name: Name,
    pub loc: Loc,
    /// Written with a star.
    pub star: bool,
    pub kind: GenericKind,
    pub kind_loc: Loc,
    pub default: Option<crate::body::GenericArg>,
}

#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub enum GenericKind {
    Dim,
    Shape,
    DType,
    Numeric,
    Integer,
    Float,
    /// Not a kind; the parser has said so.
    Error,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ConstraintRef {
    pub lhs: ExprId,
    pub rel: linnet_dim::Rel,
    pub rhs: ExprId,
    pub loc: Loc,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FieldRef {
    pub name: Name,
    pub loc: Loc,
    pub ty: TypeId,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ParamRef {
    pub name: Name,
    pub loc: Loc,
    pub ty: TypeId,
    /// Whether the body holds a default for it.
    pub has_default: bool,
}

#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub enum MemberKind {
    Param,
    Buffer,
    State,
    Sub,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MemberRef {
    pub kind: MemberKind,
    pub name: Name,
    pub loc: Loc,
    pub ty: TypeId,
    /// `= none`, or `= anything else`, which is refused.
    pub default: Option<MemberDefault>,
}

#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct MemberDefault {
    pub is_none: bool,
    pub loc: Loc,
}

/// A file lowered: everything position-free, and the tables of positions beside it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LoweredFile {
    pub tree: Arc<ItemTree>,
    /// Positions of [`Part::File`].
    pub locs: Arc<LocTable>,
    /// Every item, nested ones included, by identity.
    pub items: rustc_hash::FxHashMap<DefId, LoweredItem>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LoweredItem {
    pub data: Arc<ItemData>,
    pub sig_locs: Arc<LocTable>,
    pub body: Arc<crate::body::Body>,
    pub body_locs: Arc<LocTable>,
}
