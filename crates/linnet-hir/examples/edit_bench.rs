//! Measures a workspace: a cold check in a frozen database, and full re-diagnosis after an edit of one body.
//!
//! `edit_bench FOLDER [EDITS]` prints one JSON object: seconds, megabytes, counts.

use std::path::{Path, PathBuf};
use std::time::Instant;

use linnet_hir::check::{CheckOptions, check_all, file_report};
use linnet_hir::db::{Db, RootDatabase, SourceFile, StdSource, text};

fn collect(dir: &Path, out: &mut Vec<PathBuf>) {
    let Ok(entries) = std::fs::read_dir(dir) else {
        return;
    };
    for entry in entries.flatten() {
        let path = entry.path();
        if path.is_dir() {
            collect(&path, out);
        } else if path.extension().is_some_and(|e| e == "linnet") {
            out.push(path);
        }
    }
}

fn peak_megabytes() -> f64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status
        .lines()
        .find(|l| l.starts_with("VmHWM"))
        .unwrap_or_default();
    line.split_whitespace()
        .nth(1)
        .and_then(|k| k.parse::<f64>().ok())
        .unwrap_or(0.0)
        / 1024.0
}

fn main() {
    let dir = std::env::args().nth(1).expect("a folder");
    let edits: usize = std::env::args()
        .nth(2)
        .and_then(|n| n.parse().ok())
        .unwrap_or(20);
    let mut paths = Vec::new();
    collect(Path::new(&dir), &mut paths);
    paths.sort();

    let start = Instant::now();
    let db = RootDatabase::frozen(StdSource::Embedded);
    let roots: Vec<SourceFile> = paths.iter().map(|p| db.open(p)).collect();
    let checked = check_all(&db, &roots, CheckOptions::default());
    let cold = start.elapsed().as_secs_f64();
    let cold_mb = peak_megabytes();
    let faults: usize = checked.files.iter().map(|(_, d)| d.len()).sum();
    drop(db);

    let mut db = RootDatabase::new(StdSource::Embedded);
    let roots: Vec<SourceFile> = paths.iter().map(|p| db.open(p)).collect();
    check_all(&db, &roots, CheckOptions::default());
    let mut times = Vec::new();
    let path = &paths[paths.len() / 2];
    let original = text(&db, db.file(path)).to_string();
    // The editor opens the file first; that is not part of an edit.
    db.set_file_text(path, Some(format!("{original}\n")));
    for f in &roots {
        file_report(&db, *f);
    }
    let mut edit_faults = 0;
    for i in 0..edits {
        // A changed number inside a body.
        let changed = original.replacen("0.125", &format!("0.{}", 126 + i), 1);
        assert!(
            changed != original || i == 0,
            "the workspace has the body that is edited"
        );
        let start = Instant::now();
        db.set_file_text(path, Some(changed));
        edit_faults = roots.iter().map(|f| file_report(&db, *f).diags.len()).sum();
        times.push(start.elapsed().as_secs_f64());
    }
    times.sort_by(f64::total_cmp);
    let median = times.get(times.len() / 2).copied().unwrap_or(0.0);
    let worst = times.last().copied().unwrap_or(0.0);
    println!(
        "{{\"modules\":{},\"functions\":{},\"proofs\":{},\"faults\":{faults},\"cold_s\":{cold:.4},\"cold_mb\":{cold_mb:.1},\"edit_median_ms\":{:.3},\"edit_worst_ms\":{:.3},\"edit_faults\":{edit_faults}}}",
        checked.modules,
        checked.functions,
        checked.proofs,
        median * 1e3,
        worst * 1e3,
    );
}
