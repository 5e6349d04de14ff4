//! Checking many files at once.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use linnet_hir::check::{CheckOptions, Checked, check_all};
use linnet_hir::db::{Db, RootDatabase, SourceFile};

/// A package in which each module imports the two before it, and every tenth has a fault.
fn workspace(modules: usize) -> (RootDatabase, Vec<SourceFile>) {
    let mut db = RootDatabase::in_memory();
    let manifest = "[package]\nname = 'p'\nversion = '1'\nlanguage = '9'\n".to_owned();
    db.set_file_text("/p/linnet.toml".as_ref(), Some(manifest));
    let path = |i: usize| format!("/p/src/m{i:03}.linnet");
    for i in 0..modules {
        let mut text = format!("module m{i:03}\n");
        for before in i.saturating_sub(2)..i {
            text.push_str(&format!("use crate.m{before:03}::{{step{before}}}\n"));
        }
        let result = if i % 10 == 9 { "bool" } else { "f32" };
        text.push_str(&format!(
            "pub fn step{i}(x: f32) -> f32 {{\n    return x\n}}\n"
        ));
        text.push_str(&format!("fn all(x: f32) -> {result} {{\n    return x"));
        for before in i.saturating_sub(2)..i {
            text.push_str(&format!(" + step{before}(x)"));
        }
        text.push_str("\n}\n");
        db.set_file_text(path(i).as_ref(), Some(text));
    }
    let files = (0..modules).map(|i| db.file(path(i).as_ref())).collect();
    (db, files)
}

fn codes(checked: &Checked) -> Vec<(usize, &'static str)> {
    let of = |(i, (_, diags)): (usize, &(SourceFile, Vec<linnet_hir::diag::Diagnostic>))| {
        diags
            .iter()
            .map(move |diag| (i, diag.code.0))
            .collect::<Vec<_>>()
    };
    checked.files.iter().enumerate().flat_map(of).collect()
}

#[test]
fn every_file_is_checked_once_with_what_it_imports() {
    let (db, files) = workspace(40);
    // The last module leads to all others; the manifest comes first by its path.
    let checked = check_all(&db, &[files[39]], CheckOptions::default());
    assert_eq!(checked.modules, 40);
    assert_eq!(checked.functions, 80);
    assert_eq!(checked.files.len(), 41);
    assert!(!checked.cancelled);
    let faults = [
        (0, "E5001"),
        (10, "E2101"),
        (20, "E2101"),
        (30, "E2101"),
        (40, "E2101"),
    ];
    assert_eq!(codes(&checked), faults);
    // One thread or many, once or twice: the same.
    for threads in [1, 2, 7] {
        let (db, files) = workspace(40);
        let options = CheckOptions {
            threads,
            ..CheckOptions::default()
        };
        let again = check_all(&db, &[files[39]], options);
        assert_eq!(codes(&again), faults, "{threads} threads");
        assert_eq!(
            (again.proofs, again.modules),
            (checked.proofs, checked.modules)
        );
    }
}

#[test]
fn only_what_is_asked_for_is_checked() {
    let (db, files) = workspace(40);
    let checked = check_all(&db, &[files[3]], CheckOptions::default());
    assert_eq!(
        (checked.modules, checked.functions, checked.files.len()),
        (4, 8, 5)
    );
    let manifest = db.file("/p/linnet.toml".as_ref());
    let checked = check_all(&db, &[manifest], CheckOptions::default());
    assert_eq!((checked.modules, codes(&checked)), (0, vec![(0, "E5001")]));
    assert_eq!(
        check_all(&db, &[], CheckOptions::default()),
        Checked::default()
    );
}

#[test]
fn progress_counts_up_to_the_end() {
    let (db, files) = workspace(20);
    let (calls, last) = (AtomicUsize::new(0), AtomicUsize::new(0));
    let progress = |done: usize, all: usize| {
        assert!(done <= all && all == 20);
        calls.fetch_add(1, Ordering::Relaxed);
        last.fetch_max(done, Ordering::Relaxed);
    };
    let options = CheckOptions {
        progress: Some(&progress),
        ..CheckOptions::default()
    };
    check_all(&db, &files, options);
    assert_eq!((calls.into_inner(), last.into_inner()), (20, 20));
}

#[test]
fn a_run_can_be_stopped() {
    let (db, files) = workspace(20);
    let cancel = AtomicBool::new(false);
    let progress = |done: usize, _: usize| {
        if done == 5 {
            cancel.store(true, Ordering::Relaxed);
        }
    };
    let options = CheckOptions {
        threads: 1,
        progress: Some(&progress),
        cancel: Some(&cancel),
    };
    let checked = check_all(&db, &files, options);
    assert!(checked.cancelled);
    // Five modules and the manifest.
    assert_eq!(checked.files.len(), 6);
}

#[test]
fn an_edit_ends_a_run_that_is_under_way() {
    let (mut db, files) = workspace(60);
    let snapshot = db.clone();
    let started = AtomicBool::new(false);
    let outcome = std::thread::scope(|scope| {
        let run = scope.spawn(|| {
            let snapshot = snapshot;
            let progress = |_: usize, _: usize| {
                started.store(true, Ordering::Relaxed);
                std::thread::sleep(std::time::Duration::from_millis(2));
            };
            let options = CheckOptions {
                progress: Some(&progress),
                ..CheckOptions::default()
            };
            salsa::Cancelled::catch(std::panic::AssertUnwindSafe(|| {
                check_all(&snapshot, &files, options).files.len()
            }))
            .is_err()
        });
        while !started.load(Ordering::Relaxed) {
            std::thread::yield_now();
        }
        // It waits until the run has let go of the data, which would otherwise take all its files.
        db.set_file_text(
            "/p/src/m000.linnet".as_ref(),
            Some("module m000\n".to_owned()),
        );
        run.join().expect("the run unwinds inside")
    });
    assert!(outcome, "the run was cancelled");
}
