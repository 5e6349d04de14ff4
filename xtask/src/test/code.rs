//! The suites of the Rust code: cargo does the work, its output is counted.

use std::collections::BTreeSet;

use super::Counts;
use crate::Result;
use crate::process::{cargo, stream};
use crate::workspace::{Workspace, files_below};

/// `cargo fmt --check`: one test for each Rust file.
pub fn fmt_check(workspace: &Workspace) -> Result<Counts> {
    let mut unformatted = BTreeSet::new();
    let mut cargo = cargo(&workspace.root);
    cargo.args(["fmt", "--all", "--check", "--", "--files-with-diff"]);
    let finished = stream(&mut cargo, |line| {
        if line.ends_with(".rs") {
            unformatted.insert(line.to_owned());
        }
    })?;
    let files = files_below(&workspace.root, &["rs"])?.len();
    let mut counts = Counts {
        passed: files.saturating_sub(unformatted.len()),
        failed: unformatted.len(),
        ..Counts::default()
    };
    counts.add_status(&finished);
    Ok(counts)
}

/// Clippy with warnings denied: one test for each package.
pub fn clippy(workspace: &Workspace) -> Result<Counts> {
    let mut faulty = BTreeSet::new();
    let mut cargo = cargo(&workspace.root);
    cargo.args([
        "clippy",
        "--workspace",
        "--all-targets",
        "--keep-going",
        "--",
        "-D",
        "warnings",
    ]);
    let finished = stream(&mut cargo, |line| faulty.extend(not_compiled(line)))?;
    let mut counts = Counts {
        passed: workspace.packages.len().saturating_sub(faulty.len()),
        failed: faulty.len(),
        ..Counts::default()
    };
    counts.add_status(&finished);
    Ok(counts)
}

/// The package of a line such as ``error: could not compile `linnet-dim` (lib) due to …``.
fn not_compiled(line: &str) -> Option<String> {
    let rest = line.strip_prefix("error: could not compile `")?;
    Some(rest.split_once('`')?.0.to_owned())
}

/// The optimised `linnet` that the suites after this one run.
pub fn build(workspace: &Workspace) -> Result<Counts> {
    let mut counts = Counts::default();
    counts.add("cargo build --release", workspace.linnet().map(drop));
    Ok(counts)
}

/// All tests of all crates.
pub fn rust(workspace: &Workspace) -> Result<Counts> {
    let mut counts = Counts::default();
    let mut cargo = cargo(&workspace.root);
    cargo.args(["test", "--workspace", "--no-fail-fast"]);
    let finished = stream(&mut cargo, |line| {
        if let Some([passed, failed, ignored]) = test_result(line) {
            counts.passed += passed;
            counts.failed += failed;
            counts.ignored += ignored;
        }
    })?;
    counts.add_status(&finished);
    Ok(counts)
}

/// The numbers of `test result: ok. 3 passed; 0 failed; 1 ignored; …`.
fn test_result(line: &str) -> Option<[usize; 3]> {
    let rest = line.strip_prefix("test result: ")?.split_once(". ")?.1;
    let mut numbers = rest
        .split("; ")
        .map(|part| part.split(' ').next()?.parse().ok());
    Some([numbers.next()??, numbers.next()??, numbers.next()??])
}

/// The conformance cases one by one; `rust` runs them too, as one test.
pub fn spec(workspace: &Workspace) -> Result<Counts> {
    let mut counts = Counts::default();
    let mut cargo = cargo(&workspace.root);
    // The whole workspace is named so that nothing is built with other features than before.
    cargo.args(["test", "--workspace", "--test", "spec", "--", "--nocapture"]);
    let finished = stream(&mut cargo, |line| {
        if let Some((passed, failed)) = spec_area(line) {
            counts.passed += passed;
            counts.failed += failed;
        }
    })?;
    counts.add_status(&finished);
    Ok(counts)
}

/// The numbers of `spec blocks: 12 passed, 0 failed`; the line that sums them up has no area.
fn spec_area(line: &str) -> Option<(usize, usize)> {
    let (_area, numbers) = line.strip_prefix("spec ")?.split_once(": ")?;
    let (passed, failed) = numbers.split_once(" passed, ")?;
    let failed = failed.strip_suffix(" failed")?;
    Some((passed.parse().ok()?, failed.parse().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_cargo_are_read() {
        let line =
            "test result: FAILED. 12 passed; 3 failed; 1 ignored; 0 measured; 0 filtered out";
        assert_eq!(test_result(line), Some([12, 3, 1]));
        assert_eq!(
            test_result("test result: ok. 5 passed; 0 failed; 0 ignored; 0"),
            Some([5, 0, 0])
        );
        assert_eq!(test_result("test parser::result: ok"), None);
        let line = "error: could not compile `linnet-dim` (lib) due to 2 previous errors";
        assert_eq!(not_compiled(line).as_deref(), Some("linnet-dim"));
        assert_eq!(not_compiled("error: mismatched types"), None);
    }

    #[test]
    fn areas_are_counted_and_their_sum_is_not() {
        assert_eq!(spec_area("spec blocks: 12 passed, 1 failed"), Some((12, 1)));
        assert_eq!(spec_area("spec: 40 passed, 1 failed"), None);
    }
}
