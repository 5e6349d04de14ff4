//! The fuzzer on the committed corpus, for a fixed number of runs from a fixed seed.

use super::Counts;
use crate::Result;
use crate::process::{command, stream};
use crate::workspace::Workspace;

/// One test for each fuzz target.
pub fn smoke(workspace: &Workspace) -> Result<Counts> {
    let fuzzer = workspace.example("fuzz")?;
    let mut counts = Counts::default();
    let mut fuzz = command(fuzzer);
    fuzz.current_dir(&workspace.root).arg("--smoke");
    let finished = stream(&mut fuzz, |line| match target_result(line) {
        Some(true) => counts.passed += 1,
        Some(false) => counts.failed += 1,
        None => {}
    })?;
    counts.add_status(&finished);
    Ok(counts)
}

/// Whether a target passed, from `fuzz parser: ok, 500 runs …` or `fuzz parser: FAILED …`.
fn target_result(line: &str) -> Option<bool> {
    let (_target, result) = line.strip_prefix("fuzz ")?.split_once(": ")?;
    match result.split([' ', ',']).next()? {
        "ok" => Some(true),
        "FAILED" => Some(false),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_are_read() {
        assert_eq!(target_result("fuzz parser: ok, 500 runs"), Some(true));
        assert_eq!(
            target_result("fuzz parser: FAILED after 3 runs"),
            Some(false)
        );
        assert_eq!(target_result("fuzz parser: seed 1"), None);
    }
}
