//! Packages: which one a file belongs to, and where the path of a `use` leads.
//!
//! A package is a folder with a `linnet.toml`; its modules are the files below its `src/`. A path never leads
//! out of the package that it names: links and `..` that do are refused.

use std::path::{Path, PathBuf};

use crate::db::{Db, FilePath, FileState, SourceFile, file_state};
use crate::manifest::{manifest, manifest_is_valid};
use crate::suggest::suggest;
use crate::tree::Name;

/// A folder with a `linnet.toml`.
#[salsa::interned(unsafe(no_lifetime), revisions = usize::MAX, debug)]
#[derive(PartialOrd, Ord)]
pub struct Package {
    /// The folder, links followed.
    #[returns(ref)]
    pub root: PathBuf,
    /// Its `linnet.toml`.
    #[returns(copy)]
    pub manifest: SourceFile,
}

/// A folder that holds source files.
#[salsa::interned(unsafe(no_lifetime), revisions = usize::MAX, debug)]
struct Folder {
    #[returns(ref)]
    path: PathBuf,
}

/// The package that a module belongs to: that of the nearest `linnet.toml` above it, where the file is below its `src/`.
#[salsa::tracked(returns(copy))]
pub fn package_of(db: &dyn Db, file: SourceFile) -> Option<Package> {
    if file.std_module(db).is_some() {
        return None;
    }
    let real = file.real(db);
    let package = package_at(db, Folder::new(db, real.parent()?.to_path_buf()))?;
    real.starts_with(package.root(db).join("src"))
        .then_some(package)
}

/// The package of a folder or of the nearest one above it.
#[salsa::tracked(returns(copy))]
fn package_at(db: &dyn Db, folder: Folder) -> Option<Package> {
    folder
        .path(db)
        .ancestors()
        .find_map(|dir| package_in(db, dir))
}

/// The package whose `linnet.toml` stands in this very folder.
pub fn package_in(db: &dyn Db, dir: &Path) -> Option<Package> {
    let manifest = db.file(&dir.join("linnet.toml"));
    let there = *file_state(db, manifest) != FileState::Missing;
    there.then(|| Package::new(db, dir.to_path_buf(), manifest))
}

/// What the path of a module leads to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ModuleLookup {
    Found(SourceFile),
    /// Why there is none, and the path that was likely meant.
    Missing {
        note: Option<String>,
        suggestion: Option<String>,
    },
    /// The path is broken, or goes through something whose fault is reported where it stands.
    Broken,
}

impl ModuleLookup {
    fn missing(note: impl Into<String>) -> ModuleLookup {
        ModuleLookup::Missing {
            note: Some(note.into()),
            suggestion: None,
        }
    }
}

/// The file of a module, named as in a `use` of `from`.
pub fn module_file(db: &dyn Db, from: SourceFile, path: &[Name]) -> ModuleLookup {
    let broken = |name: &Name| name.is_empty() || name == "self" || name == "super";
    let Some((first, rest)) = path.split_first() else {
        return ModuleLookup::Broken;
    };
    if path.iter().any(broken) {
        return ModuleLookup::Broken;
    }
    // The standard library is its own package.
    if first == "std" || (first == "crate" && from.std_module(db).is_some()) {
        return std_module(db, rest);
    }
    let Some(package) = package_of(db, from) else {
        return ModuleLookup::missing(
            "this file is in no package, so it can import modules of `std` only; \
             a package is a folder with a `linnet.toml`, and its modules are below `src/`",
        );
    };
    if first == "crate" {
        return package_module(db, package, rest);
    }
    match dependency(db, package, first) {
        Dependency::Package(dependency) => package_module(db, dependency, rest),
        Dependency::Broken => ModuleLookup::Broken,
        Dependency::Unknown => {
            // A forgotten `crate.` is the likely mistake where the package has such a module.
            if let ModuleLookup::Found(_) = package_module(db, package, path) {
                return ModuleLookup::Missing {
                    note: Some(format!("`{first}` is no dependency of this package")),
                    suggestion: Some(format!("crate.{}", path.join("."))),
                };
            }
            let keys = dependency_keys(db, package);
            let known = keys
                .iter()
                .map(|(key, _)| key.as_str())
                .chain(["std", "crate"]);
            let suggestion = suggest(first, known).map(|key| {
                [key]
                    .into_iter()
                    .chain(rest.iter().map(Name::as_str))
                    .collect::<Vec<_>>()
                    .join(".")
            });
            ModuleLookup::Missing {
                note: Some(format!(
                    "`{first}` is neither `std`, `crate` nor a key under `[dependencies]` in `linnet.toml`"
                )),
                suggestion,
            }
        }
    }
}

/// The module `std.rest`.
fn std_module(db: &dyn Db, rest: &[Name]) -> ModuleLookup {
    let module = ["std"]
        .into_iter()
        .chain(rest.iter().map(Name::as_str))
        .collect::<Vec<_>>()
        .join(".");
    if let Some(file) = db.std_file(&module)
        && *file_state(db, file) != FileState::Missing
    {
        return readable(db, file);
    }
    // `std.nn.linear.Linear`: the last point should be `::`.
    if let Some((parent, item)) = module.rsplit_once('.')
        && db.std_modules().iter().any(|known| known == parent)
    {
        return ModuleLookup::Missing {
            note: Some("an item stands after `::`, a module after `.`".to_owned()),
            suggestion: Some(format!("{parent}::{item}")),
        };
    }
    let known = db.std_modules().iter().map(String::as_str);
    ModuleLookup::Missing {
        note: None,
        suggestion: suggest(&module, known).map(str::to_owned),
    }
}

/// The module of a package at a path that was written after `crate` or a dependency's key.
fn package_module(db: &dyn Db, package: Package, rest: &[Name]) -> ModuleLookup {
    let src = package.root(db).join("src");
    let mut path = src.clone();
    if rest.is_empty() {
        path.push("lib.linnet");
    }
    for (i, segment) in rest.iter().enumerate() {
        if i + 1 == rest.len() {
            path.push(format!("{segment}.linnet"));
        } else {
            path.push(segment.as_str());
        }
    }
    let file = db.file(&path);
    let shown = path
        .strip_prefix(package.root(db))
        .unwrap_or(&path)
        .display();
    if *file_state(db, file) == FileState::Missing {
        return ModuleLookup::missing(format!("there is no `{shown}` in the package"));
    }
    if !file.real(db).starts_with(&src) {
        return ModuleLookup::missing(format!(
            "`{shown}` is a link that leads out of the package's `src`"
        ));
    }
    readable(db, file)
}

/// A file that is there, if it can be read.
fn readable(db: &dyn Db, file: SourceFile) -> ModuleLookup {
    match file_state(db, file) {
        FileState::Text => ModuleLookup::Found(file),
        // Reported in that file.
        FileState::Garbled => ModuleLookup::Broken,
        FileState::Missing => ModuleLookup::Missing {
            note: None,
            suggestion: None,
        },
        FileState::Unreadable(why) => {
            ModuleLookup::missing(format!("`{}` cannot be read: {why}", file.path(db)))
        }
    }
}

/// What the key of a dependency stands for.
pub enum Dependency {
    Package(Package),
    /// The key is there, but its path is no valid package, or the manifest that would say so is broken.
    Broken,
    Unknown,
}

/// The package behind a key under `[dependencies]`.
pub fn dependency(db: &dyn Db, package: Package, key: &str) -> Dependency {
    let path = dependency_keys(db, package)
        .iter()
        .find(|(known, _)| known == key);
    match path {
        Some((_, Some(path))) => match dependency_package(db, package, path) {
            Ok(package) => Dependency::Package(package),
            Err(_) => Dependency::Broken,
        },
        Some((_, None)) => Dependency::Broken,
        // A manifest that cannot be read to its end may well name it.
        None if manifest(db, package.manifest(db)).is_unreadable() => Dependency::Broken,
        None => Dependency::Unknown,
    }
}

/// The package at a dependency's path, or what is wrong with it.
pub fn dependency_package(db: &dyn Db, package: Package, path: &str) -> Result<Package, String> {
    // The folder's own links are followed, so that one package has one root however it is reached.
    let dir = db.file(&package.root(db).join(path)).real(db).clone();
    let Some(found) = package_in(db, &dir) else {
        return Err(format!("there is no `linnet.toml` in `{}`", dir.display()));
    };
    if found == package {
        return Err("a package cannot depend on itself".to_owned());
    }
    let file = found.manifest(db);
    if **file.real(db) != *dir.join("linnet.toml") {
        return Err(format!(
            "the `linnet.toml` in `{}` is a link",
            dir.display()
        ));
    }
    if !manifest_is_valid(db, file) {
        return Err(format!(
            "the `linnet.toml` in `{}` is not that of a package",
            dir.display()
        ));
    }
    Ok(found)
}

/// The keys under `[dependencies]`, each with its path where one was written.
#[salsa::tracked(returns(deref))]
fn dependency_keys(db: &dyn Db, package: Package) -> Vec<(String, Option<String>)> {
    let manifest = manifest(db, package.manifest(db));
    let pair = |d: &crate::manifest::DependencyEntry| {
        (
            d.key.clone(),
            d.path.as_ref().map(|path| path.value.clone()),
        )
    };
    manifest.dependencies.iter().map(pair).collect()
}

/// The name of a package, as it may stand in front of a module's path.
#[salsa::tracked(returns(as_deref))]
pub fn package_module_name(db: &dyn Db, package: Package) -> Option<String> {
    Some(
        manifest(db, package.manifest(db))
            .name
            .as_ref()?
            .value
            .replace('-', "_"),
    )
}

/// The names that a module may have by its path, the one to propose first; none outside packages.
pub fn module_names(db: &dyn Db, file: SourceFile) -> Vec<String> {
    if let Some(module) = file.std_module(db) {
        return vec![module.to_owned()];
    }
    let Some(package) = package_of(db, file) else {
        return Vec::new();
    };
    let FilePath::Disk(_) = file.path(db) else {
        return Vec::new();
    };
    let src = package.root(db).join("src");
    let Ok(below) = file.real(db).strip_prefix(&src) else {
        return Vec::new();
    };
    let segments: Vec<String> = below
        .with_extension("")
        .iter()
        .map(|segment| segment.to_string_lossy().replace('-', "_"))
        .collect();
    let path = segments.join(".");
    match package_module_name(db, package) {
        Some(package) if path == "lib" => {
            vec![
                package.to_owned(),
                path.clone(),
                format!("{package}.{path}"),
            ]
        }
        Some(package) => vec![path.clone(), format!("{package}.{path}")],
        // The manifest is at fault, and its package's name may be any.
        None => Vec::new(),
    }
}
