//! A block's manifest: every tensor that a checkpoint must hold for it, by path.

use linnet_dim::Dim;

use crate::db::Db;
use crate::sig::{SigDetail, header, sig};
use crate::tree::{DefId, MemberKind, Name};
use crate::ty::{Args, Elem, Names, Shape, Ty};

/// The most lines that a manifest may have: blocks inside blocks multiply.
pub const MAX_ENTRIES: usize = 100_000;

/// One line of a manifest: a tensor, or one for each position of the arrays on its path.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ManifestEntry {
    pub path: Vec<PathPart>,
    /// `Param`, `Buffer` or `State`.
    pub kind: MemberKind,
    /// In terms of the root block's generics, or numbers once they are bound.
    pub shape: Shape,
    pub elem: Elem,
    /// How many parts of the path name something optional, for each such thing on it: an optional parameter gives
    /// the length of the whole path, an optional sub that of its own.
    pub optional: Vec<usize>,
    /// The member that declares it.
    pub member: (DefId, Name),
}

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum PathPart {
    Name(Name),
    /// `[*]`: every position of an array of this length.
    Repeat(Dim),
}

impl ManifestEntry {
    /// The path as it is shown: `layers[*].attn.weight`.
    pub fn path_text(&self) -> String {
        let mut out = String::new();
        for part in &self.path {
            match part {
                PathPart::Name(name) => {
                    if !out.is_empty() {
                        out.push('.');
                    }
                    out.push_str(name);
                }
                PathPart::Repeat(_) => out.push_str("[*]"),
            }
        }
        out
    }

    /// The lengths of the arrays on the path, outermost first.
    pub fn repeats(&self) -> impl Iterator<Item = &Dim> {
        self.path.iter().filter_map(|part| match part {
            PathPart::Repeat(length) => Some(length),
            PathPart::Name(_) => None,
        })
    }

    /// The tensor's type.
    pub fn ty(&self) -> Ty {
        Ty::Tensor(self.shape.clone(), self.elem)
    }
}

/// Why a block has no manifest.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum NoManifest {
    /// A member's type has a fault, which is reported where it stands.
    Broken,
    /// More than [`MAX_ENTRIES`] lines.
    TooLarge,
}

/// The tensors that a checkpoint binds (`param` and `buffer`), in the order of their declarations.
///
/// Dimensions are in terms of the block's generics; [`Names`] with the block's [`header`] shows them.
pub fn parameters(db: &dyn Db, block: DefId) -> Result<Vec<ManifestEntry>, NoManifest> {
    let args: Args = header(db, block).identity().into();
    let mut entries = tensors(db, block, args)?;
    entries.retain(|entry| entry.kind != MemberKind::State);
    Ok(entries)
}

/// A type of a manifest in terms of the block's generics, as a person would write it.
pub fn show_type(db: &dyn Db, block: DefId, ty: &Ty) -> String {
    let header = header(db, block);
    let of = |index: u32| header.name_of(index).unwrap_or_else(|| "?".to_owned());
    Names { db, of: &of }.ty(ty)
}

/// A dimension of a manifest, as a person would write it.
pub fn show_dim(db: &dyn Db, block: DefId, dim: &Dim) -> String {
    let header = header(db, block);
    let of = |index: u32| header.name_of(index).unwrap_or_else(|| "?".to_owned());
    Names { db, of: &of }.dim(dim)
}

/// A block whose members are being listed.
struct Open {
    block: DefId,
    args: Args,
    next: usize,
    path: Vec<PathPart>,
    optional: Vec<usize>,
}

/// Every tensor of a block with these arguments, state included.
pub(crate) fn tensors(
    db: &dyn Db,
    block: DefId,
    args: Args,
) -> Result<Vec<ManifestEntry>, NoManifest> {
    let mut entries = Vec::new();
    let mut blocks = 0;
    // Blocks may be nested as deeply as one likes, so the way back is kept here and not on the stack.
    let mut open = vec![Open {
        block,
        args,
        next: 0,
        path: Vec::new(),
        optional: Vec::new(),
    }];
    while let Some(top) = open.last_mut() {
        let SigDetail::Block { members } = &sig(db, top.block).detail else {
            return Err(NoManifest::Broken);
        };
        let Some(member) = members.get(top.next) else {
            open.pop();
            continue;
        };
        top.next += 1;
        let mut path = top.path.clone();
        path.push(PathPart::Name(member.name.clone()));
        let mut optional = top.optional.clone();
        let mut ty = member.ty.subst(&top.args);
        if let Ty::Optional(inner) = &ty {
            optional.push(path.len());
            ty = Ty::clone(inner);
        }
        if let Ty::Array(inner, length) = &ty {
            path.push(PathPart::Repeat(length.clone()));
            ty = Ty::clone(inner);
        }
        match ty {
            Ty::Tensor(shape, elem) if elem != Elem::Error => entries.push(ManifestEntry {
                path,
                kind: member.kind,
                shape,
                elem,
                optional,
                member: (top.block, member.name.clone()),
            }),
            Ty::Block(block, args) => {
                blocks += 1;
                open.push(Open {
                    block,
                    args,
                    next: 0,
                    path,
                    optional,
                });
            }
            _ => return Err(NoManifest::Broken),
        }
        if entries.len() > MAX_ENTRIES || blocks > MAX_ENTRIES {
            return Err(NoManifest::TooLarge);
        }
    }
    Ok(entries)
}
