//! What comes from package registries: pinned, into folders below `target/xtask`.

use std::path::{Path, PathBuf};

use crate::Result;
use crate::process::{self, command};
use crate::workspace::{Workspace, copy_folder, read, write};

/// A Python environment in `target/xtask/NAME` with what a lock file of `xtask/requirements` lists.
///
/// The lock file gives a hash for every package, so that a package is what it was when locked.
pub fn python(workspace: &Workspace, name: &str, lock: &str) -> Result<PathBuf> {
    let lock = workspace.root.join("xtask/requirements").join(lock);
    let folder = workspace.folder(name)?;
    let stamp = folder.join("installed.txt");
    let wanted = read(&lock)?;
    if !up_to_date(&stamp, &wanted) {
        let venv = folder.join("venv");
        process::must(
            command("python3")
                .args(["-m", "venv", "--clear"])
                .arg(&venv),
        )?;
        let mut pip = command(venv.join("bin/python"));
        pip.args(["-m", "pip", "install", "--quiet", "--progress-bar=off"]);
        pip.args(["--no-deps", "--require-hashes", "--requirement"])
            .arg(&lock);
        process::must(&mut pip)?;
        write(&stamp, &wanted)?;
    }
    Ok(folder.join("venv"))
}

/// The packages of the `package-lock.json` in a folder of the repository, in `target/xtask/NAME`.
pub fn node(workspace: &Workspace, name: &str, from: &str) -> Result<PathBuf> {
    let from = workspace.root.join(from);
    let wanted = read(&from.join("package-lock.json"))?;
    let folder = workspace.folder(name)?;
    let stamp = folder.join("installed.txt");
    if !up_to_date(&stamp, &wanted) {
        copy_folder(&from, &folder)?;
        let mut npm = command("npm");
        npm.current_dir(&folder);
        npm.args([
            "ci",
            "--ignore-scripts",
            "--no-audit",
            "--no-fund",
            "--loglevel=error",
        ]);
        process::must(&mut npm)?;
        write(&stamp, &wanted)?;
    }
    Ok(folder)
}

/// Whether what a stamp says was installed is what is wanted.
fn up_to_date(stamp: &Path, wanted: &str) -> bool {
    std::fs::read_to_string(stamp).is_ok_and(|installed| installed == wanted)
}
