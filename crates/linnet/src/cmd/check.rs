//! `linnet check` and `linnet lint`: everything that is wrong with files and what they import.

use std::collections::BTreeSet;
use std::io::IsTerminal;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use linnet_hir::check::{CheckOptions, Checked, check_all};
use linnet_hir::db::{Contents, Db, RootDatabase, SourceFile, StdSource};
use linnet_hir::package::Package;

use crate::binding::{self, Refusal};
use crate::cli::CheckArgs;
use crate::engine::{Reporter, std_source};
use crate::exit::{self, Exit};
use crate::progress::{self, Progress};
use crate::render::{self, ColorChoice, Format};
use crate::report::Severity;
use crate::walk::{self, Found};
use crate::watch::{self, Snapshot};
use crate::weights;

pub fn run(args: &CheckArgs, strict: bool, color: ColorChoice) -> Exit {
    let std = match std_source(&args.std) {
        Ok(std) => std,
        Err(message) => return exit::fail(&message, Exit::Usage),
    };
    let strict = strict || args.strict;
    if args.watch {
        let mut db = RootDatabase::new(std.clone());
        watch(&mut db, args, &std, strict, color)
    } else {
        let db = RootDatabase::frozen(std.clone());
        let found = walk::find(&args.paths);
        let exit = check(&db, args, &std, &found, strict, color);
        // The process ends; taking the database apart piece by piece would only take time.
        std::mem::forget(db);
        exit
    }
}

/// Checks once and reports.
fn check(
    db: &RootDatabase,
    args: &CheckArgs,
    std: &StdSource,
    found: &Found,
    strict: bool,
    color: ColorChoice,
) -> Exit {
    let start = Instant::now();
    let format = args.format();
    let mut reporter = Reporter::new(db, std);
    for (path, why) in &found.faults {
        reporter.reports.add_path_fault(path, "E1202", why.clone());
    }
    let mut roots: Vec<SourceFile> = Vec::with_capacity(found.files.len());
    for path in &found.files {
        let file = db.open(path);
        // What was found in a folder and is gone by now is no fault.
        if *file.contents(db) == Contents::Missing && !args.paths.contains(path) {
            continue;
        }
        reporter.name(file, path);
        roots.push(file);
    }
    let progress = Progress::new(format == Format::Text);
    let options = CheckOptions {
        progress: Some(&|done, total| progress.set(done, total)),
        ..CheckOptions::default()
    };
    let mut checked = check_all(db, &roots, options);
    progress.finish();

    let packages = binding::packages(db, &roots);
    if let Some(name) = &args.binding
        && let Err(Refusal::Usage(message)) = binding::require(db, &packages, name)
    {
        return exit::fail(&message, Exit::Usage);
    }
    let others = match &args.binding {
        Some(name) => binding::faults_of_others(db, &packages, name),
        None => Vec::new(),
    };
    for (_, diagnostics) in &mut checked.files {
        let asked_for = diagnostics.drain(..).filter(|diag| !others.contains(diag));
        asked_for.for_each(|diag| reporter.add(diag));
    }
    let mut lines = Vec::new();
    if let Err(message) = check_weights(&mut reporter, db, args, &roots, &packages, &mut lines) {
        return exit::fail(&message, Exit::Usage);
    }

    let mut reports = reporter.reports;
    reports.sort();
    let errors = reports.count(Severity::Error);
    let warnings = reports.count(Severity::Warning);
    let exit = Exit::faults_if(errors > 0 || (strict && warnings > 0));
    let exit = render::show(&reports, format, color, exit);
    if matches!(format, Format::Text | Format::Github) {
        lines.push(summary(&checked, errors, warnings, start.elapsed()));
        lines.iter().for_each(|line| exit::say(line));
    }
    exit
}

/// Compares manifests with the weights of the command line, else with those that the packages' tables
/// name; an error for a wrong command line. What is worth a line of its own is added to `lines`.
fn check_weights(
    reporter: &mut Reporter,
    db: &RootDatabase,
    args: &CheckArgs,
    roots: &[SourceFile],
    packages: &[Package],
    lines: &mut Vec<String>,
) -> Result<(), String> {
    let name = args.binding.as_deref();
    if let Some(path) = &args.weights {
        match binding::only(db, roots, packages, name) {
            Ok(target) => {
                weights::check(reporter, db, &target, path, args.names.as_deref(), None);
                lines.extend(weights::summary(db, &target));
            }
            Err(Refusal::Usage(message)) => return Err(message),
            Err(Refusal::Faults(faults)) => faults.into_iter().for_each(|diag| reporter.add(diag)),
        }
        return Ok(());
    }
    for target in binding::named(db, packages, name) {
        if name.is_some() {
            lines.extend(weights::summary(db, &target));
        }
        let (Some((path, place)), Some(package)) = (&target.weights, target.package) else {
            continue;
        };
        let path = package.root(db).join(path);
        // Weights are seldom kept with the source; only who names the binding wants them now.
        if name.is_some() || path.exists() {
            weights::check(reporter, db, &target, &path, None, Some(*place));
        }
    }
    Ok(())
}

/// `checked 12 modules, 85 functions and 310 proofs in 0.03 s: no faults`
fn summary(checked: &Checked, errors: usize, warnings: usize, took: Duration) -> String {
    let mut faults = Vec::new();
    faults.extend((errors > 0).then(|| count(errors, "error")));
    faults.extend((warnings > 0).then(|| count(warnings, "warning")));
    let faults = if faults.is_empty() {
        "no faults".to_owned()
    } else {
        faults.join(", ")
    };
    format!(
        "checked {}, {} and {} in {:.2} s: {faults}",
        count(checked.modules, "module"),
        count(checked.functions, "function"),
        count(checked.proofs, "proof"),
        took.as_secs_f64(),
    )
}

fn count(number: usize, noun: &str) -> String {
    let plural = if number == 1 { "" } else { "s" };
    format!("{number} {noun}{plural}")
}

/// Checks again whenever a file changes. Ctrl-C ends the process.
fn watch(
    db: &mut RootDatabase,
    args: &CheckArgs,
    std: &StdSource,
    strict: bool,
    color: ColorChoice,
) -> Exit {
    progress::watching();
    let mut found = walk::find(&args.paths);
    loop {
        // What is seen before the check is what the check saw, or older: no change is missed.
        let before = look(db, &found);
        let exit = check(db, args, std, &found, strict, color);
        if exit == Exit::Usage {
            return exit;
        }
        let now = look(db, &found);
        if reload_new(db, &before, &now) {
            found = walk::find(&args.paths);
            continue;
        }
        let before = before.or(now);
        if args.format() == Format::Text {
            exit::say("watching for changes; Ctrl-C ends");
        }
        let after = watch::wait(&before, || {
            found = walk::find(&args.paths);
            look(db, &found)
        });
        for path in before.changed(&after) {
            db.reload(&path);
        }
        if args.format() == Format::Text && std::io::stderr().is_terminal() {
            // A fresh screen for a fresh answer.
            exit::say_raw("\x1b[2J\x1b[H");
        }
    }
}

/// Reads files again that the check came upon, and tells whether one changed meanwhile: nobody had looked
/// at them before they were read.
fn reload_new(db: &mut RootDatabase, before: &Snapshot, now: &Snapshot) -> bool {
    let mut changed = false;
    for path in now.paths_beyond(before) {
        let file = db.file(path);
        let old = file.contents(db).clone();
        db.reload(path);
        changed |= *db.file(path).contents(db) != old;
    }
    changed
}

/// What all files look like that the answer depends on.
fn look(db: &RootDatabase, found: &Found) -> Snapshot {
    let given = found
        .files
        .iter()
        .chain(found.faults.iter().map(|(path, _)| path));
    let given = given.map(|path| path.canonicalize().unwrap_or_else(|_| path.clone()));
    let paths: BTreeSet<PathBuf> = db.known_paths().into_iter().chain(given).collect();
    Snapshot::take(paths)
}
