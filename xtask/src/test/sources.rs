//! The suites of the Linnet sources in this repository.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use serde_json::Value;

use super::{Counts, quietly};
use crate::Result;
use crate::generate::{Language, Size, write_workspace};
use crate::process::{capture, command, shown};
use crate::workspace::{Workspace, files_below};

/// Where the standard library's sources are.
const STD: &str = "crates/linnet-std/std";

/// `linnet check --strict` on the standard library: one test for each file.
pub fn std(workspace: &Workspace) -> Result<Counts> {
    let files = files_below(&workspace.root.join(STD), &["linnet"])?;
    let mut linnet = command(workspace.linnet()?);
    linnet.current_dir(&workspace.root);
    linnet.args(["check", "--strict", "--json", "--std", STD, STD]);
    println!("$ {}", shown(&linnet));
    let captured = capture(&mut linnet)?;
    let faulty = faulty_files(&captured.stdout)
        .ok_or_else(|| format!("no JSON: {}{}", captured.stdout, captured.stderr))?;
    let mut counts = Counts::default();
    for file in &files {
        let name = file.strip_prefix(&workspace.root).unwrap_or(file);
        let mut linnet = command(workspace.linnet()?);
        linnet.current_dir(&workspace.root);
        linnet.args(["check", "--strict", "--std", STD]).arg(name);
        let outcome = if faulty.contains(name) {
            quietly(&mut linnet)
        } else {
            Ok(())
        };
        counts.add(&name.display().to_string(), outcome);
    }
    if !captured.status.success() && counts.failed == 0 {
        counts.add(
            STD,
            Err(format!("{}\n{}", captured.status, captured.stdout)),
        );
    }
    Ok(counts)
}

/// The files that a report of `linnet check --json` names.
fn faulty_files(json: &str) -> Option<BTreeSet<PathBuf>> {
    let report: Value = serde_json::from_str(json).ok()?;
    let diagnostics = report["diagnostics"].as_array()?;
    let files = diagnostics
        .iter()
        .filter_map(|d| d["location"]["file"].as_str());
    Some(files.map(PathBuf::from).collect())
}

/// The example packages, sorted.
pub fn example_folders(root: &Path) -> Result<Vec<PathBuf>> {
    let manifests = files_below(&root.join("examples"), &["toml"])?;
    let manifests = manifests
        .iter()
        .filter(|path| path.ends_with("linnet.toml"));
    Ok(manifests
        .filter_map(|path| path.parent().map(Path::to_owned))
        .collect())
}

/// `linnet check --strict` on each example.
pub fn examples(workspace: &Workspace) -> Result<Counts> {
    let mut counts = Counts::default();
    for folder in example_folders(&workspace.root)? {
        let name = folder.strip_prefix(&workspace.root).unwrap_or(&folder);
        let mut linnet = command(workspace.linnet()?);
        linnet
            .current_dir(&workspace.root)
            .args(["check", "--strict"])
            .arg(name);
        println!("$ {}", shown(&linnet));
        counts.add(&name.display().to_string(), quietly(&mut linnet));
    }
    Ok(counts)
}

/// Workspaces made for the benchmarks check clean: one test for each seed.
pub fn generated(workspace: &Workspace) -> Result<Counts> {
    let folder = workspace.empty_folder("generated")?;
    let mut counts = Counts::default();
    for seed in 1..=5 {
        let size = Size {
            lines: 5_000,
            modules: 50,
            seed,
        };
        let package = folder.join(format!("seed-{seed}"));
        write_workspace(&package, Language::Linnet, size)?;
        let mut linnet = command(workspace.linnet()?);
        linnet.args(["check", "--strict"]).arg(&package);
        println!("$ {}", shown(&linnet));
        counts.add(&format!("seed {seed}"), quietly(&mut linnet));
    }
    Ok(counts)
}

/// `linnet fmt --check` on the standard library and the examples: one test for each file.
///
/// The conformance cases are exempt: many are about how source may be laid out.
pub fn fmt(workspace: &Workspace) -> Result<Counts> {
    let mut counts = Counts::default();
    let linnet = workspace.linnet()?;
    for folder in [STD, "examples"] {
        let mut all = command(linnet);
        all.current_dir(&workspace.root)
            .args(["fmt", "--check", folder]);
        println!("$ {}", shown(&all));
        let clean = quietly(&mut all).is_ok();
        for file in files_below(&workspace.root.join(folder), &["linnet"])? {
            let name = file.strip_prefix(&workspace.root).unwrap_or(&file);
            let mut one = command(linnet);
            one.current_dir(&workspace.root)
                .args(["fmt", "--diff"])
                .arg(name);
            let mut check = command(linnet);
            check
                .current_dir(&workspace.root)
                .args(["fmt", "--check"])
                .arg(name);
            let outcome = if clean {
                Ok(())
            } else {
                let diff = capture(&mut one)?;
                quietly(&mut check).map_err(|fault| format!("{fault}\n{}", diff.stdout))
            };
            counts.add(&name.display().to_string(), outcome);
        }
    }
    Ok(counts)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_read_from_a_report() {
        let json = r#"{"version":1,"diagnostics":[
            {"code":"E2203","location":{"file":"a/b.linnet"}},
            {"code":"E2201","location":{"file":"a/b.linnet"}}
        ]}"#;
        let files = faulty_files(json).expect("a report");
        assert_eq!(
            files.into_iter().collect::<Vec<_>>(),
            [PathBuf::from("a/b.linnet")]
        );
        assert!(faulty_files("no report").is_none());
    }
}
