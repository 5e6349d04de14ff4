//! What is defined by itself: modules that import each other, and items whose declarations need one another.
//!
//! Both are found from headers alone, before any signature is resolved, so that the queries that resolve
//! signatures run in a circle only where modules import each other, and then fall back to knowing nothing.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::body::{
    Arena, ArmPat, Expr, ExprId, GenericArg, IndexElem, Pat, ShapeRef, TypeId, TypeRef,
};
use crate::db::{Db, FileState, SourceFile, body, file_state, item_data, item_tree};
use crate::diag::{Diag, Diagnostic};
use crate::package::{ModuleLookup, Package, package_of};
use crate::scope::{imported_files, imports, module_items};
use crate::tree::{DefId, Item, ItemDetail, ItemKind, Name, NodeLoc, Part};

/// The group of each node, numbered so that nodes on a common cycle have the same, and no others.
///
/// Tarjan's algorithm without recursion.
pub(crate) fn components(edges: &[Vec<usize>]) -> Vec<usize> {
    const NEW: usize = usize::MAX;
    let n = edges.len();
    let (mut order, mut low, mut group) = (vec![NEW; n], vec![NEW; n], vec![NEW; n]);
    let (mut stack, mut path) = (Vec::new(), Vec::new());
    let (mut next_order, mut next_group) = (0, 0);
    for root in 0..n {
        if order[root] != NEW {
            continue;
        }
        path.push((root, 0));
        while let Some((node, edge)) = path.pop() {
            if edge == 0 {
                (order[node], low[node]) = (next_order, next_order);
                next_order += 1;
                stack.push(node);
            }
            match edges[node].get(edge) {
                Some(&to) => {
                    path.push((node, edge + 1));
                    if order[to] == NEW {
                        path.push((to, 0));
                    } else if group[to] == NEW {
                        low[node] = low[node].min(order[to]);
                    }
                }
                None => {
                    if low[node] == order[node] {
                        while let Some(member) = stack.pop() {
                            group[member] = next_group;
                            if member == node {
                                break;
                            }
                        }
                        next_group += 1;
                    }
                    if let Some(&(parent, _)) = path.last() {
                        low[parent] = low[parent].min(low[node]);
                    }
                }
            }
        }
    }
    group
}

/// The cycle that each node lies on, if any: nodes that lead to each other have one number.
fn cycles_of(edges: &[Vec<usize>]) -> Vec<Option<usize>> {
    let group = components(edges);
    let mut sizes = vec![0; edges.len()];
    group.iter().for_each(|group| sizes[*group] += 1);
    let is_cyclic = |node: usize| sizes[group[node]] > 1 || edges[node].contains(&node);
    (0..edges.len())
        .map(|node| is_cyclic(node).then_some(group[node]))
        .collect()
}

/// Which files import each other.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
struct ImportCycles {
    /// Every file that was looked at.
    covered: FxHashSet<SourceFile>,
    /// Those on a cycle; the files of one cycle have one number.
    cyclic: FxHashMap<SourceFile, usize>,
}

/// For each `use` of a file, whether it lies on a cycle of imports; empty where none does.
#[salsa::tracked(returns(deref))]
pub fn import_cycles(db: &dyn Db, file: SourceFile) -> Vec<bool> {
    let of_package = package_of(db, file).map(|package| package_cycles(db, package));
    let own;
    let cycles = match of_package.filter(|cycles| cycles.covered.contains(&file)) {
        Some(cycles) => cycles,
        None => {
            own = cycles_among(db, vec![file]);
            &own
        }
    };
    let Some(cycle) = cycles.cyclic.get(&file) else {
        return Vec::new();
    };
    let closes = |lookup: &ModuleLookup| match lookup {
        ModuleLookup::Found(target) => cycles.cyclic.get(target) == Some(cycle),
        _ => false,
    };
    imports(db, file).iter().map(closes).collect()
}

/// The cycles among the files of a package that are known by now, and all that they import.
///
/// Which files are known is not recorded: it decides what is covered, never what is said of a covered file, and
/// a file that is not covered is looked at by itself. So one walk serves all files of a package.
#[salsa::tracked(returns(ref))]
fn package_cycles(db: &dyn Db, package: Package) -> ImportCycles {
    let mut files = db.known_modules(package.root(db));
    files.retain(|file| *file_state(db, *file) == FileState::Text);
    cycles_among(db, files)
}

/// The cycles among these files and all that they import.
fn cycles_among(db: &dyn Db, mut files: Vec<SourceFile>) -> ImportCycles {
    let mut index: FxHashMap<SourceFile, usize> = files
        .iter()
        .enumerate()
        .map(|(i, file)| (*file, i))
        .collect();
    let mut edges: Vec<Vec<usize>> = Vec::with_capacity(files.len());
    while let Some(&next) = files.get(edges.len()) {
        let targets = imported_files(db, next).map(|target| {
            *index.entry(target).or_insert_with(|| {
                files.push(target);
                files.len() - 1
            })
        });
        edges.push(targets.collect());
    }
    let cyclic = cycles_of(&edges);
    let cyclic = files
        .iter()
        .zip(cyclic)
        .filter_map(|(file, cycle)| Some((*file, cycle?)));
    ImportCycles {
        cyclic: cyclic.collect(),
        covered: files.iter().copied().collect(),
    }
}

/// The items of a module, nested ones included, that need themselves.
#[salsa::tracked(returns(ref))]
pub fn item_cycles(db: &dyn Db, file: SourceFile) -> FxHashSet<DefId> {
    let tree = item_tree(db, file);
    let nodes: Vec<&Item> = tree.items.iter().flat_map(Item::with_nested).collect();
    let index: FxHashMap<DefId, usize> = nodes
        .iter()
        .enumerate()
        .map(|(i, item)| (item.def, i))
        .collect();
    let mut edges: Vec<Vec<usize>> = Vec::with_capacity(nodes.len());
    for item in &tree.items {
        let nested = item
            .children
            .iter()
            .rev()
            .map(|child| (&child.name, child.def))
            .collect();
        for inside in item.with_nested() {
            let mut needs = Needs::new(db, file, inside, item, &nested);
            needs.item(inside);
            edges.push(
                needs
                    .found
                    .iter()
                    .filter_map(|def| index.get(def).copied())
                    .collect(),
            );
        }
    }
    let cyclic = nodes
        .iter()
        .zip(cycles_of(&edges))
        .filter(|(_, cycle)| cycle.is_some());
    cyclic.map(|(item, _)| item.def).collect()
}

/// Whether an item needs itself, so that its signature has no meaning. Reported by [`cycle_diagnostics`].
#[salsa::tracked(returns(copy))]
pub fn is_cyclic(db: &dyn Db, def: DefId) -> bool {
    item_cycles(db, def.file(db)).contains(&def)
}

/// E2122 for each item of a file that needs itself.
pub fn cycle_diagnostics(db: &dyn Db, file: SourceFile) -> Vec<Diag> {
    let cyclic = item_cycles(db, file);
    if cyclic.is_empty() {
        return Vec::new();
    }
    let all = item_tree(db, file).items.iter().flat_map(Item::with_nested);
    // A function on a cycle is there only through the others.
    let reported = |item: &&Item| cyclic.contains(&item.def) && !item.kind.is_callable();
    all.filter(reported)
        .map(|item| {
            let what = match item.kind {
                ItemKind::Const => "the constant",
                ItemKind::Alias => "the type",
                ItemKind::Struct => "the struct",
                _ => "the block",
            };
            let at = NodeLoc { file, part: Part::File, loc: item.name_loc };
            let help = match item.kind {
                ItemKind::Const => "give it a value that does not lead back to it",
                ItemKind::Alias => "let it stand for a type that does not lead back to it",
                _ => "it would never end: a value holds all of its parts, optional ones and arrays included",
            };
            Diagnostic::new("E2122", at, format!("{what} `{}` is defined by itself", item.name))
                .label("its definition leads back to it")
                .help(help)
        })
        .collect()
}

/// Collects the items of a module that an item's declaration needs.
struct Needs<'a> {
    db: &'a dyn Db,
    items: &'a FxHashMap<Name, crate::scope::ModuleItem>,
    /// The items of the block around, or of the block itself.
    nested: &'a FxHashMap<&'a Name, DefId>,
    generics: FxHashSet<&'a Name>,
    /// Names bound inside the expression that is being read; whether each is an index.
    bound: Vec<(&'a Name, bool)>,
    found: FxHashSet<DefId>,
}

impl<'a> Needs<'a> {
    /// For an item inside `outer`, or `outer` itself.
    fn new(
        db: &'a dyn Db,
        file: SourceFile,
        item: &Item,
        outer: &Item,
        nested: &'a FxHashMap<&'a Name, DefId>,
    ) -> Self {
        let own = item_data(db, item.def).generics.iter();
        let around = item_data(db, outer.def).generics.iter();
        Needs {
            db,
            items: module_items(db, file),
            nested,
            generics: own.chain(around).map(|generic| &generic.name).collect(),
            bound: Vec::new(),
            found: FxHashSet::default(),
        }
    }

    fn item(&mut self, item: &Item) {
        let data = item_data(self.db, item.def);
        let arena = &data.arena;
        for generic in &data.generics {
            if let Some(default) = &generic.default {
                self.generic_arg(arena, default);
            }
        }
        for constraint in &data.wheres {
            self.expr(arena, constraint.lhs);
            self.expr(arena, constraint.rhs);
        }
        match &data.detail {
            ItemDetail::Const { ty } => {
                ty.iter().for_each(|ty| self.ty(arena, *ty));
                let body = body(self.db, item.def);
                body.value
                    .iter()
                    .for_each(|value| self.expr(&body.arena, *value));
            }
            ItemDetail::Alias { ty } => self.ty(arena, *ty),
            ItemDetail::Struct { fields } => fields.iter().for_each(|f| self.ty(arena, f.ty)),
            ItemDetail::Fn { params, ret, .. } => {
                params.iter().for_each(|p| self.ty(arena, p.ty));
                ret.iter().for_each(|ty| self.ty(arena, *ty));
            }
            ItemDetail::Block { members } => members.iter().for_each(|m| self.ty(arena, m.ty)),
            ItemDetail::Enum { .. } => {}
        }
    }

    fn name(&mut self, name: &Name, past_indices: bool) {
        let bound = |(known, index): &(&Name, bool)| *known == name && !(past_indices && *index);
        if self.bound.iter().any(bound) || self.generics.contains(name) {
            return;
        }
        if let Some(def) = self.nested.get(name) {
            self.found.insert(*def);
        } else if let Some(item) = self.items.get(name) {
            self.found.insert(item.def);
        }
    }

    fn ty(&mut self, arena: &'a Arena, id: TypeId) {
        match arena.ty(id) {
            TypeRef::Error => {}
            TypeRef::Path { segments, args } => {
                // `module.Name` is an item of another module, which cannot lead back here.
                if let [(name, _)] = segments.as_slice() {
                    self.name(name, false);
                }
                args.iter()
                    .flatten()
                    .for_each(|arg| self.generic_arg(arena, arg));
            }
            TypeRef::Tensor { shape, elem } => {
                self.shape(arena, shape);
                self.ty(arena, *elem);
            }
            TypeRef::Tuple(items) => items.iter().for_each(|item| self.ty(arena, *item)),
            TypeRef::Array(item, len) => {
                self.ty(arena, *item);
                self.expr(arena, *len);
            }
            TypeRef::Optional(item) => self.ty(arena, *item),
        }
    }

    fn shape(&mut self, arena: &'a Arena, shape: &'a [ShapeRef]) {
        for elem in shape {
            match elem {
                ShapeRef::Dim(expr) => self.expr(arena, *expr),
                ShapeRef::Pack(name, _) => self.name(name, false),
            }
        }
    }

    fn generic_arg(&mut self, arena: &'a Arena, arg: &'a GenericArg) {
        match arg {
            GenericArg::Expr(expr) => self.expr(arena, *expr),
            GenericArg::Type(ty) => self.ty(arena, *ty),
            GenericArg::Shape(shape, _) => self.shape(arena, shape),
        }
    }

    fn expr(&mut self, arena: &'a Arena, id: ExprId) {
        match arena.expr(id) {
            // Refused where it stands, and never evaluated.
            Expr::Scan(_) => {}
            Expr::Missing | Expr::Int(_) | Expr::Float(_) | Expr::Bool(_) | Expr::None => {}
            Expr::Some(item) | Expr::Unary(_, item) => self.expr(arena, *item),
            Expr::Name(name) => self.name(name, false),
            Expr::Tuple(items) => items.iter().for_each(|item| self.expr(arena, *item)),
            Expr::List(shape) => self.shape(arena, shape),
            Expr::Binary(_, lhs, rhs, _) => {
                self.expr(arena, *lhs);
                self.expr(arena, *rhs);
            }
            Expr::Call {
                callee,
                generics,
                args,
            } => {
                self.expr(arena, *callee);
                let generics = generics.iter().flat_map(|(generics, _)| generics);
                generics.for_each(|arg| self.generic_arg(arena, arg));
                args.iter().for_each(|arg| self.expr(arena, arg.value));
            }
            Expr::Index { base, indices } => {
                match arena.expr(*base) {
                    Expr::Name(name) => self.name(name, true),
                    _ => self.expr(arena, *base),
                }
                for index in indices {
                    match index {
                        IndexElem::Expr(expr) => self.expr(arena, *expr),
                        IndexElem::Slice {
                            start, end, step, ..
                        } => {
                            let parts = [start, end, step].into_iter().flatten();
                            parts.for_each(|part| self.expr(arena, *part));
                        }
                        IndexElem::Ellipsis(_) | IndexElem::Pack(..) => {}
                    }
                }
            }
            Expr::Field { base, .. } => self.expr(arena, *base),
            Expr::If {
                cond,
                then,
                otherwise,
            } => {
                for part in [cond, then, otherwise] {
                    self.expr(arena, *part);
                }
            }
            Expr::Match {
                scrutinee, arms, ..
            } => {
                self.expr(arena, *scrutinee);
                for arm in arms {
                    let outer = self.bound.len();
                    if let ArmPat::Some(pat) = &arm.pat {
                        self.bind(pat);
                    }
                    self.expr(arena, arm.value);
                    self.bound.truncate(outer);
                }
            }
            Expr::Reduce {
                dtype,
                indices,
                body,
                ..
            } => {
                dtype.iter().for_each(|ty| self.ty(arena, *ty));
                let outer = self.bound.len();
                self.bound
                    .extend(indices.iter().map(|(name, _, _)| (name, true)));
                self.expr(arena, *body);
                self.bound.truncate(outer);
            }
        }
    }

    fn bind(&mut self, pat: &'a Pat) {
        match pat {
            Pat::Bind(name, _) => self.bound.push((name, false)),
            Pat::Tuple(pats, _) => pats.iter().for_each(|pat| self.bind(pat)),
            Pat::Some(pat, _) => self.bind(pat),
            Pat::None(_) | Pat::Error => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cycles_of_graphs() {
        for (edges, expected) in [
            (vec![], vec![]),
            (vec![vec![]], vec![false]),
            (vec![vec![0]], vec![true]),
            (
                vec![vec![1], vec![2], vec![0], vec![0]],
                vec![true, true, true, false],
            ),
            (vec![vec![1, 2], vec![3], vec![3], vec![]], vec![false; 4]),
            // Two cycles that share a path between them, which lies on neither.
            (
                vec![vec![1], vec![0, 2], vec![3], vec![4], vec![3]],
                vec![true, true, false, true, true],
            ),
        ] {
            let cyclic: Vec<bool> = cycles_of(&edges).iter().map(Option::is_some).collect();
            assert_eq!(cyclic, expected, "{edges:?}");
        }
    }

    #[test]
    fn a_long_chain_and_a_long_cycle_need_no_stack() {
        let n = 200_000;
        let chain: Vec<Vec<usize>> = (0..n)
            .map(|i| if i + 1 < n { vec![i + 1] } else { vec![] })
            .collect();
        assert!(cycles_of(&chain).iter().all(Option::is_none));
        let cycle: Vec<Vec<usize>> = (0..n).map(|i| vec![(i + 1) % n]).collect();
        assert!(cycles_of(&cycle).iter().all(|cycle| *cycle == Some(0)));
    }
}
