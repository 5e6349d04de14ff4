//! Which block stands for a program, and under which of its named bindings.

use linnet_hir::bindings::{self, Bound, bind, resolve};
use linnet_hir::db::{RootDatabase, SourceFile, item_tree, locate};
use linnet_hir::diag::{Diagnostic, Span};
use linnet_hir::manifest::{BindingEntry, manifest};
use linnet_hir::package::{Package, package_of};
use linnet_hir::tree::{Item, ItemKind, NodeLoc, Part};

/// A block with a value for each generic, and where that is said.
pub struct Target {
    pub bound: Bound,
    /// The table's name; `None` where the block needs no binding.
    pub name: Option<String>,
    pub package: Option<Package>,
    /// The path of the table's `weights`, and its place.
    pub weights: Option<(String, Span)>,
    /// What to point at: the table, else the block.
    pub place: Span,
}

/// Why there is no target.
pub enum Refusal {
    /// The command line asks for what is not there.
    Usage(String),
    /// The table or the block has these faults; none where they are reported already.
    Faults(Vec<Diagnostic<Span>>),
}

/// The packages that files belong to, by their folders.
pub fn packages(db: &RootDatabase, files: &[SourceFile]) -> Vec<Package> {
    let of = |file: &SourceFile| package_of(db, *file);
    let mut packages: Vec<Package> = files.iter().filter_map(of).collect();
    packages.sort_by(|a, b| a.root(db).cmp(b.root(db)));
    packages.dedup();
    packages
}

/// Every target that the packages' tables name; those of `name` alone where one is given.
///
/// Tables with faults are left out: those are reported with the packages.
pub fn named(db: &RootDatabase, packages: &[Package], name: Option<&str>) -> Vec<Target> {
    let mut targets = Vec::new();
    for &package in packages {
        for entry in &manifest(db, package.manifest(db)).bindings {
            if name.is_none_or(|name| entry.name == name)
                && let Ok(bound) = resolve(db, package, entry)
            {
                targets.push(of_table(db, package, entry, bound));
            }
        }
    }
    targets
}

/// Refuses a name that no package has a table for.
pub fn require(db: &RootDatabase, packages: &[Package], name: &str) -> Result<(), Refusal> {
    let known = |package: &&Package| bindings::find(db, **package, name).is_some();
    if packages.iter().any(|package| known(&package)) {
        return Ok(());
    }
    let mut message = format!("there is no `[bindings.{name}]`");
    if packages.is_empty() {
        message.push_str(": the files belong to no package");
    } else {
        let names = all_names(db, packages);
        message.push_str(&match names.as_slice() {
            [] => "; the package has no bindings".to_owned(),
            names => format!("; there is {}", names.join(", ")),
        });
    }
    Err(Refusal::Usage(message))
}

fn all_names(db: &RootDatabase, packages: &[Package]) -> Vec<String> {
    let tables = packages
        .iter()
        .flat_map(|package| &manifest(db, package.manifest(db)).bindings);
    tables.map(|entry| entry.name.clone()).collect()
}

/// The one target that weights on the command line are compared with.
pub fn only(
    db: &RootDatabase,
    files: &[SourceFile],
    packages: &[Package],
    name: Option<&str>,
) -> Result<Target, Refusal> {
    let usage = |message: &str| Err(Refusal::Usage(message.to_owned()));
    let package = match packages {
        [] => return loose(db, files),
        [package] => *package,
        _ => return usage("weights are compared with one package at a time"),
    };
    let manifest = manifest(db, package.manifest(db));
    let chosen = match (name, manifest.bindings.as_slice()) {
        (Some(name), _) => bindings::find(db, package, name),
        (None, []) => None,
        (None, [entry]) => Some(entry),
        (None, _) => {
            let names = all_names(db, packages).join(", ");
            return usage(&format!(
                "choose one of the bindings with `--binding`: {names}"
            ));
        }
    };
    if let Some(entry) = chosen {
        // The faults of a table are reported with its package.
        return match resolve(db, package, entry) {
            Ok(bound) => Ok(of_table(db, package, entry, bound)),
            Err(_) => Err(Refusal::Faults(Vec::new())),
        };
    }
    // Without a table the block must need no values.
    let range = manifest.name.as_ref().map(|name| name.range);
    let entry = BindingEntry {
        name: manifest
            .name
            .as_ref()
            .map_or_else(String::new, |name| name.value.clone()),
        name_range: range.unwrap_or_default(),
        root: None,
        module: None,
        weights: None,
        values: Vec::new(),
    };
    match resolve(db, package, &entry) {
        Ok(bound) => Ok(Target {
            name: None,
            ..of_table(db, package, &entry, bound)
        }),
        Err(faults) => Err(Refusal::Faults(faults)),
    }
}

fn of_table(db: &RootDatabase, package: Package, entry: &BindingEntry, bound: Bound) -> Target {
    let file = package.manifest(db);
    let at = |range| Span { file, range };
    let weights = entry.weights.as_ref();
    Target {
        bound,
        name: Some(entry.name.clone()),
        package: Some(package),
        weights: weights.map(|path| (path.value.clone(), at(path.range))),
        place: at(entry.name_range),
    }
}

/// The only block with an entry in files outside packages.
fn loose(db: &RootDatabase, files: &[SourceFile]) -> Result<Target, Refusal> {
    let is_root = |item: &&Item| {
        let mut children = item.children.iter();
        item.kind == ItemKind::Block && children.any(|child| child.kind == ItemKind::Entry)
    };
    let roots: Vec<(SourceFile, &Item)> = files
        .iter()
        .flat_map(|file| item_tree(db, *file).items.iter().map(|item| (*file, item)))
        .filter(|(_, item)| is_root(item))
        .collect();
    let (file, item) = match roots.as_slice() {
        [root] => *root,
        [] => {
            return Err(Refusal::Usage(
                "no block has an `entry` to load weights for".into(),
            ));
        }
        several => {
            let names: Vec<&str> = several.iter().map(|(_, item)| item.name.as_str()).collect();
            let names = names.join(", ");
            let message = format!(
                "weights are compared with one block, and {names} have an `entry`; \
                 a package's `linnet.toml` says which is meant"
            );
            return Err(Refusal::Usage(message));
        }
    };
    let loc = NodeLoc {
        file,
        part: Part::File,
        loc: item.name_loc,
    };
    let place = locate(db, loc);
    match bind(db, item.def, []) {
        Ok(bound) => Ok(Target {
            bound,
            name: None,
            package: None,
            weights: None,
            place,
        }),
        Err(faults) => {
            let placed = faults.into_iter().map(|fault| {
                let mut diag = Diagnostic::new(fault.code, place, fault.message).label(fault.label);
                diag.notes = fault.notes;
                diag.help = fault.help;
                diag
            });
            Err(Refusal::Faults(placed.collect()))
        }
    }
}

/// The faults of the tables of other names, which nobody asked about.
pub fn faults_of_others(
    db: &RootDatabase,
    packages: &[Package],
    name: &str,
) -> Vec<Diagnostic<Span>> {
    let mut faults = Vec::new();
    for &package in packages {
        for entry in &manifest(db, package.manifest(db)).bindings {
            if entry.name != name {
                faults.extend(resolve(db, package, entry).err().unwrap_or_default());
            }
        }
    }
    faults
}
