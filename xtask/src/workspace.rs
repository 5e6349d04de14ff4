//! Where things are: the repository, the target folder, the built binaries.

use std::cell::OnceCell;
use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::Result;
use crate::process;

/// The repository and what was built in it.
pub struct Workspace {
    pub root: PathBuf,
    /// Cargo's target folder.
    pub target: PathBuf,
    /// The names of the workspace's packages.
    pub packages: Vec<String>,
    linnet: OnceCell<PathBuf>,
}

impl Workspace {
    /// Asks cargo.
    pub fn find() -> Result<Workspace> {
        let here = Path::new(env!("CARGO_MANIFEST_DIR"));
        let mut cargo = process::cargo(here);
        cargo.args(["metadata", "--no-deps", "--format-version", "1"]);
        let captured = process::capture(&mut cargo)?;
        if !captured.status.success() {
            return Err(format!("`cargo metadata` failed:\n{}", captured.stderr));
        }
        let metadata: Value = serde_json::from_str(&captured.stdout)
            .map_err(|error| format!("`cargo metadata` printed no JSON: {error}"))?;
        let path = |key: &str| {
            let path = metadata[key].as_str();
            path.map(PathBuf::from)
                .ok_or_else(|| format!("`cargo metadata` says no `{key}`"))
        };
        let packages = metadata["packages"].as_array().into_iter().flatten();
        let packages = packages.filter_map(|package| package["name"].as_str());
        Ok(Workspace {
            root: path("workspace_root")?,
            target: path("target_directory")?,
            packages: packages.map(String::from).collect(),
            linnet: OnceCell::new(),
        })
    }

    /// A folder for one use of this tool, made where it does not exist.
    pub fn folder(&self, name: &str) -> Result<PathBuf> {
        let folder = self.target.join("xtask").join(name);
        std::fs::create_dir_all(&folder)
            .map_err(|error| format!("cannot make {}: {error}", folder.display()))?;
        Ok(folder)
    }

    /// A folder for one use of this tool, empty.
    pub fn empty_folder(&self, name: &str) -> Result<PathBuf> {
        let folder = self.target.join("xtask").join(name);
        if folder.exists() {
            std::fs::remove_dir_all(&folder)
                .map_err(|error| format!("cannot empty {}: {error}", folder.display()))?;
        }
        self.folder(name)
    }

    /// The `linnet` binary, optimised as users run it. Built on first use.
    pub fn linnet(&self) -> Result<&Path> {
        if let Some(path) = self.linnet.get() {
            return Ok(path);
        }
        // The same selection as `cargo run --release` in the root, so that nothing is built twice.
        process::must(process::cargo(&self.root).args(["build", "--release"]))?;
        let path = self.release("linnet");
        Ok(self.linnet.get_or_init(|| path))
    }

    /// An example of this package that links the product, optimised.
    pub fn example(&self, name: &str) -> Result<PathBuf> {
        let mut cargo = process::cargo(&self.root);
        cargo.args(["build", "--release", "-p", "xtask", "--example", name]);
        process::must(&mut cargo)?;
        Ok(self.release(&format!("examples/{name}")))
    }

    fn release(&self, name: &str) -> PathBuf {
        let path = self.target.join("release").join(name);
        path.with_extension(std::env::consts::EXE_EXTENSION)
    }
}

/// Files below a folder whose extension is one of these, sorted; hidden folders are left out.
pub fn files_below(folder: &Path, extensions: &[&str]) -> Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        let fault = |error| format!("cannot read {}: {error}", folder.display());
        for entry in std::fs::read_dir(&folder).map_err(fault)? {
            let entry = entry.map_err(fault)?;
            let path = entry.path();
            let hidden = entry.file_name().to_string_lossy().starts_with('.');
            if entry.file_type().map_err(fault)?.is_dir() {
                if !hidden && path.file_name() != Some("target".as_ref()) {
                    folders.push(path);
                }
            } else if path
                .extension()
                .is_some_and(|e| extensions.iter().any(|x| e == *x))
            {
                found.push(path);
            }
        }
    }
    found.sort();
    Ok(found)
}

/// Copies a folder with all below it.
pub fn copy_folder(from: &Path, to: &Path) -> Result<()> {
    let fault = |error| format!("cannot copy {}: {error}", from.display());
    std::fs::create_dir_all(to).map_err(fault)?;
    for entry in std::fs::read_dir(from).map_err(fault)? {
        let entry = entry.map_err(fault)?;
        let to = to.join(entry.file_name());
        if entry.file_type().map_err(fault)?.is_dir() {
            copy_folder(&entry.path(), &to)?;
        } else {
            std::fs::copy(entry.path(), &to).map_err(fault)?;
        }
    }
    Ok(())
}

/// Reads a text file.
pub fn read(path: &Path) -> Result<String> {
    std::fs::read_to_string(path)
        .map_err(|error| format!("cannot read {}: {error}", path.display()))
}

/// Writes a file, making its folder.
pub fn write(path: &Path, text: &str) -> Result<()> {
    let made = path.parent().map_or(Ok(()), std::fs::create_dir_all);
    made.and_then(|()| std::fs::write(path, text))
        .map_err(|error| format!("cannot write {}: {error}", path.display()))
}
