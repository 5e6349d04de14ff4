//! What the names of a module mean: its items and its imports.

use std::sync::Arc;

use rustc_hash::FxHashMap;

use crate::cycles::import_cycles;
use crate::db::{Db, SourceFile, is_broken, item_tree};
use crate::diag::{Diag, Diagnostic};
use crate::package::{ModuleLookup, module_file};
use crate::tree::{DefId, ItemTree, Loc, Name, NodeLoc, Part, Use, UseName};

pub use crate::cycles::{is_cyclic, item_cycles};
pub use crate::duplicates::header_diagnostics;
pub use crate::suggest::suggest;

/// The names that every module has, and that no declaration may reuse.
pub const PRELUDE: [&str; 44] = [
    "bool",
    "i8",
    "i16",
    "i32",
    "i64",
    "u8",
    "u16",
    "u32",
    "u64",
    "f16",
    "bf16",
    "f32",
    "f64",
    "Tensor",
    "Dim",
    "Shape",
    "DType",
    "Numeric",
    "Integer",
    "Float",
    "cast",
    "exp",
    "log",
    "sqrt",
    "rsqrt",
    "sin",
    "cos",
    "tanh",
    "abs",
    "min",
    "max",
    "select",
    "reshape",
    "broadcast_to",
    "permute",
    "concat",
    "iota",
    "fill",
    "shl",
    "shr",
    "pad",
    "gather",
    "scatter",
    "cumsum",
];

/// Whether a name is one of the [`PRELUDE`].
pub fn is_prelude(name: &str) -> bool {
    PRELUDE.contains(&name)
}

/// E1207, where a declaration takes a name of the prelude.
pub fn check_prelude(name: &str, at: NodeLoc) -> Option<Diag> {
    is_prelude(name).then(|| {
        Diagnostic::new("E1207", at, format!("`{name}` is a name of the prelude"))
            .label("no declaration may reuse it")
            .help("choose another name")
    })
}

/// The names of a module, and what is wrong with how they are declared.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct ModuleScope {
    pub names: FxHashMap<Name, ScopeEntry>,
    pub diags: Vec<Diag>,
}

/// What a name of a module means.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ScopeEntry {
    pub def: ScopeDef,
    /// The import that brings it in; `None` for the module's own items.
    pub import: Option<UseRef>,
}

#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub enum ScopeDef {
    Item(DefId),
    Module(SourceFile),
    /// An import that failed: its fault is reported where it stands.
    Error,
}

/// An import within a module.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub struct UseRef {
    /// Which of the [`ItemTree::uses`].
    pub use_index: usize,
    /// Which of its names; `None` where the module itself is imported.
    pub name_index: Option<usize>,
    /// The name, or the path of the module.
    pub loc: NodeLoc,
}

/// Where each `use` of a file leads.
#[salsa::tracked(returns(deref))]
pub fn imports(db: &dyn Db, file: SourceFile) -> Vec<ModuleLookup> {
    item_tree(db, file)
        .uses
        .iter()
        .map(|u| module_file(db, file, &u.path))
        .collect()
}

/// The files that a file imports, one for each `use` that leads to one.
pub fn imported_files(db: &dyn Db, file: SourceFile) -> impl Iterator<Item = SourceFile> {
    imports(db, file).iter().filter_map(|lookup| match lookup {
        ModuleLookup::Found(file) => Some(*file),
        _ => None,
    })
}

/// An item as its module declares it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ModuleItem {
    pub def: DefId,
    pub is_pub: bool,
    /// Its name, in the file's table.
    pub name_loc: Loc,
}

/// The items of a module by name; the first of a name wins.
#[salsa::tracked(returns(ref))]
pub fn module_items(db: &dyn Db, file: SourceFile) -> FxHashMap<Name, ModuleItem> {
    let mut items = FxHashMap::default();
    for item in &item_tree(db, file).items {
        let entry = ModuleItem {
            def: item.def,
            is_pub: item.is_pub || item.kind == crate::tree::ItemKind::Entry,
            name_loc: item.name_loc,
        };
        items.entry(item.name.clone()).or_insert(entry);
    }
    items
}

/// What a name of another module leads to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Lookup {
    Found(DefId),
    /// It is there, but not `pub`.
    Private(DefId),
    Missing {
        suggestion: Option<String>,
    },
    /// It is not there, but the module has syntax errors, one of which may well have hidden it.
    Broken,
}

/// The item of this name in a module.
pub fn lookup_in_module(db: &dyn Db, module: SourceFile, name: &str) -> Lookup {
    let items = module_items(db, module);
    match items.get(name) {
        Some(item) if item.is_pub => Lookup::Found(item.def),
        Some(item) => Lookup::Private(item.def),
        None if is_broken(db, module) => Lookup::Broken,
        None => {
            let public = items
                .iter()
                .filter(|(_, item)| item.is_pub)
                .map(|(name, _)| &**name);
            Lookup::Missing {
                suggestion: suggest(name, public).map(str::to_owned),
            }
        }
    }
}

/// The names of a module.
#[salsa::tracked(returns(deref))]
pub fn module_scope(db: &dyn Db, file: SourceFile) -> Arc<ModuleScope> {
    let tree = item_tree(db, file);
    let mut builder = Builder {
        db,
        file,
        tree,
        scope: ModuleScope::default(),
        places: FxHashMap::default(),
    };
    for (index, (u, lookup)) in tree.uses.iter().zip(imports(db, file)).enumerate() {
        builder.import(index, u, lookup);
    }
    builder.items();
    // What could not be read may declare these.
    for name in &tree.doubtful {
        builder
            .scope
            .names
            .entry(name.clone())
            .or_insert(ScopeEntry {
                def: ScopeDef::Error,
                import: None,
            });
    }
    Arc::new(builder.scope)
}

/// E1206 for each import of a file that lies on a cycle of imports.
///
/// Apart from [`module_scope`], which must not depend on files that are imported far away.
pub fn import_cycle_diagnostics(db: &dyn Db, file: SourceFile) -> Vec<Diag> {
    let on_cycle = import_cycles(db, file);
    let uses = item_tree(db, file)
        .uses
        .iter()
        .zip(on_cycle)
        .filter(|(_, on_cycle)| **on_cycle);
    uses.map(|(u, _)| {
        let module = u.path.join(".");
        let at = NodeLoc {
            file,
            part: Part::File,
            loc: u.loc,
        };
        Diagnostic::new(
            "E1206",
            at,
            format!("this module and `{module}` import each other"),
        )
        .label("this import closes a cycle")
        .help("move what both need into a third module that imports neither")
    })
    .collect()
}

struct Builder<'db> {
    db: &'db dyn Db,
    file: SourceFile,
    tree: &'db ItemTree,
    scope: ModuleScope,
    /// Where each name of the scope was declared.
    places: FxHashMap<Name, Loc>,
}

impl Builder<'_> {
    fn at(&self, loc: Loc) -> NodeLoc {
        NodeLoc {
            file: self.file,
            part: Part::File,
            loc,
        }
    }

    fn import(&mut self, index: usize, u: &Use, lookup: &ModuleLookup) {
        let module = u.path.join(".");
        let target = match lookup {
            ModuleLookup::Found(file) => Some(*file),
            ModuleLookup::Broken => None,
            ModuleLookup::Missing { note, suggestion } => {
                let at = self.at(u.path_loc);
                let mut diag =
                    Diagnostic::new("E1202", at, format!("there is no module `{module}`"))
                        .label("this module cannot be found");
                if let Some(note) = note {
                    diag = diag.note(note.clone());
                }
                if let Some(meant) = suggestion {
                    diag = diag.did_you_mean(at, meant);
                }
                self.scope.diags.push(diag);
                None
            }
        };
        match &u.names {
            None => {
                let def = target.map_or(ScopeDef::Error, ScopeDef::Module);
                if let Some(name) = u.path.last() {
                    self.declare_import(name, u.path_loc, def, index, None);
                }
            }
            Some(names) => {
                for (i, name) in names.iter().enumerate() {
                    let def = match target {
                        Some(target) => self.imported_item(target, &module, name),
                        None => ScopeDef::Error,
                    };
                    let (local, loc) = name
                        .alias
                        .as_ref()
                        .map_or((&name.name, name.name_loc), |(alias, loc)| (alias, *loc));
                    if name.alias.is_some() {
                        self.scope.diags.extend(check_prelude(local, self.at(loc)));
                    }
                    self.declare_import(local, loc, def, index, Some(i));
                }
            }
        }
    }

    /// An item that is imported by name, with E1201 and E1203.
    fn imported_item(&mut self, target: SourceFile, module: &str, name: &UseName) -> ScopeDef {
        if name.name.is_empty() {
            return ScopeDef::Error;
        }
        let at = self.at(name.name_loc);
        match lookup_in_module(self.db, target, &name.name) {
            Lookup::Found(def) => return ScopeDef::Item(def),
            Lookup::Broken => {}
            Lookup::Private(def) => {
                let keyword = def.kind(self.db).keyword();
                let mut diag = Diagnostic::new(
                    "E1203",
                    at,
                    format!("`{}` is private to `{module}`", name.name),
                )
                .label("not `pub`")
                .help(format!(
                    "declare it `pub {keyword} {}` where it stands",
                    name.name
                ));
                if let Some(item) = module_items(self.db, target).get(&name.name) {
                    let there = NodeLoc {
                        file: target,
                        part: Part::File,
                        loc: item.name_loc,
                    };
                    diag = diag.related(there, "declared here");
                }
                self.scope.diags.push(diag);
            }
            Lookup::Missing { suggestion } => {
                let mut diag = Diagnostic::new(
                    "E1201",
                    at,
                    format!("`{module}` has no item `{}`", name.name),
                )
                .label("not declared in that module");
                if let Some(meant) = suggestion {
                    diag = diag.did_you_mean(at, meant);
                }
                self.scope.diags.push(diag);
            }
        }
        ScopeDef::Error
    }

    fn declare_import(
        &mut self,
        name: &Name,
        loc: Loc,
        def: ScopeDef,
        use_index: usize,
        name_index: Option<usize>,
    ) {
        let import = Some(UseRef {
            use_index,
            name_index,
            loc: self.at(loc),
        });
        self.declare(name, loc, ScopeEntry { def, import });
    }

    fn items(&mut self) {
        for item in &self.tree.items {
            self.scope
                .diags
                .extend(check_prelude(&item.name, self.at(item.name_loc)));
            let entry = ScopeEntry {
                def: ScopeDef::Item(item.def),
                import: None,
            };
            self.declare(&item.name, item.name_loc, entry);
        }
    }

    /// Adds a name, with E1204 where it is taken.
    fn declare(&mut self, name: &Name, loc: Loc, entry: ScopeEntry) {
        if name.is_empty() {
            return;
        }
        let Some(first) = self.places.get(name) else {
            self.places.insert(name.clone(), loc);
            self.scope.names.insert(name.clone(), entry);
            return;
        };
        let what = if entry.import.is_some() {
            "imported"
        } else {
            "declared"
        };
        let mut diag = Diagnostic::new(
            "E1204",
            self.at(loc),
            format!("`{name}` is {what} a second time"),
        )
        .label("this name is taken in this module")
        .related(self.at(*first), "first here");
        diag = match entry.import {
            Some(_) => diag.help("import it under another name: `name as other`"),
            None => diag.help("give one of the two another name"),
        };
        self.scope.diags.push(diag);
    }
}
