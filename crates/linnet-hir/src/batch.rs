//! Checking many files at once, on every core.

use std::panic::resume_unwind;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Condvar, Mutex};

use rustc_hash::{FxHashMap, FxHashSet};

use crate::check::{diagnostics, file_report, manifest_diagnostics};
use crate::db::{Db, RootDatabase, SourceFile};
use crate::diag::{Diagnostic, Span};
use crate::package::package_of;
use crate::scope::imported_files;

/// Stack of a worker: signatures of a long chain of modules are resolved one inside the other.
const STACK_BYTES: usize = 256 << 20;

/// How to run [`check_all`].
#[derive(Copy, Clone, Default)]
pub struct CheckOptions<'a> {
    /// How many threads; 0 is one for each core.
    pub threads: usize,
    /// Called after each file with how many are done and how many there are, from any thread.
    pub progress: Option<&'a (dyn Fn(usize, usize) + Sync)>,
    /// Set it to stop early.
    pub cancel: Option<&'a AtomicBool>,
}

impl CheckOptions<'_> {
    fn is_cancelled(&self) -> bool {
        self.cancel
            .is_some_and(|cancel| cancel.load(Ordering::Relaxed))
    }
}

/// What [`check_all`] found.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Checked {
    /// Modules read, imported ones and those of the standard library included.
    pub modules: usize,
    /// Functions, ops and entries of the checked modules.
    pub functions: usize,
    /// Goals about dimensions that came up in them.
    pub proofs: usize,
    /// The requested files, what they import but for the standard library, and the manifests of the requested
    /// files' packages, by path; with what is wrong in each.
    pub files: Vec<(SourceFile, Vec<Diagnostic<Span>>)>,
    /// Whether it was stopped early.
    pub cancelled: bool,
}

/// Checks files and all that they import. A root may also be a `linnet.toml`.
pub fn check_all(db: &RootDatabase, roots: &[SourceFile], options: CheckOptions) -> Checked {
    let is_manifest = |file: &SourceFile| {
        file.path(db)
            .disk()
            .is_some_and(|path| path.ends_with("linnet.toml"))
    };
    let (mut manifests, sources): (Vec<SourceFile>, Vec<SourceFile>) =
        roots.iter().copied().partition(is_manifest);
    let found = discover(db, &sources, options);
    // The embedded library is checked when it is built; another may be broken.
    let checked = |file: &SourceFile| {
        file.std_module(db).is_none() || !db.has_embedded_std() || sources.contains(file)
    };
    let order: Vec<SourceFile> = imports_first(db, &found)
        .into_iter()
        .filter(checked)
        .collect();

    let (next, done) = (AtomicUsize::new(0), AtomicUsize::new(0));
    let results = in_parallel(db, options.threads, order.len(), |db| {
        let mut results = Vec::new();
        while !options.is_cancelled() {
            let Some(&file) = order.get(next.fetch_add(1, Ordering::Relaxed)) else {
                break;
            };
            let report = file_report(db, file);
            let counts = (report.functions, report.proofs);
            results.push((file, diagnostics(db, file), counts));
            let done = done.fetch_add(1, Ordering::Relaxed) + 1;
            if let Some(progress) = options.progress {
                progress(done, order.len());
            }
        }
        results
    });

    let mut result = Checked {
        modules: found.len(),
        cancelled: options.is_cancelled(),
        ..Checked::default()
    };
    for (file, diags, (functions, proofs)) in results.into_iter().flatten() {
        result.functions += functions;
        result.proofs += proofs;
        result.files.push((file, diags));
    }
    manifests.extend(
        sources
            .iter()
            .filter_map(|file| Some(package_of(db, *file)?.manifest(db))),
    );
    manifests.sort();
    manifests.dedup();
    result.files.extend(
        manifests
            .into_iter()
            .map(|file| (file, manifest_diagnostics(db, file))),
    );
    result
        .files
        .sort_by(|(a, _), (b, _)| a.path(db).cmp(b.path(db)));
    result
}

/// The files and all that they import, in no particular order.
fn discover(db: &RootDatabase, roots: &[SourceFile], options: CheckOptions) -> Vec<SourceFile> {
    struct Queue {
        known: FxHashSet<SourceFile>,
        waiting: Vec<SourceFile>,
        /// Files that a thread is reading, so that more may come.
        busy: usize,
    }
    /// Ends a file's reading also where it unwinds, else the other threads would wait for it.
    struct Busy<'a>(&'a Mutex<Queue>, &'a Condvar);
    impl Drop for Busy<'_> {
        fn drop(&mut self) {
            lock(self.0).busy -= 1;
            self.1.notify_all();
        }
    }
    fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
        mutex
            .lock()
            .unwrap_or_else(|poisoned| poisoned.into_inner())
    }

    let known: FxHashSet<SourceFile> = roots.iter().copied().collect();
    let waiting: Vec<SourceFile> = known.iter().copied().collect();
    let most = waiting.len().max(2);
    let queue = Mutex::new(Queue {
        known,
        waiting,
        busy: 0,
    });
    let changed = Condvar::new();
    in_parallel(db, options.threads, most, |db| {
        loop {
            let mut state = lock(&queue);
            let file = loop {
                if options.is_cancelled() {
                    return;
                }
                match state.waiting.pop() {
                    Some(file) => break file,
                    None if state.busy == 0 => return,
                    None => state = changed.wait(state).unwrap_or_else(|e| e.into_inner()),
                }
            };
            state.busy += 1;
            drop(state);
            let busy = Busy(&queue, &changed);
            let imported: Vec<SourceFile> = imported_files(db, file).collect();
            let mut state = lock(&queue);
            for file in imported {
                if state.known.insert(file) {
                    state.waiting.push(file);
                }
            }
            drop(state);
            drop(busy);
        }
    });
    let known = queue
        .into_inner()
        .unwrap_or_else(|poisoned| poisoned.into_inner())
        .known;
    known.into_iter().collect()
}

/// The same files, each after those that it imports, so that no query waits deep inside another.
fn imports_first(db: &dyn Db, files: &[SourceFile]) -> Vec<SourceFile> {
    let mut sorted = files.to_vec();
    sorted.sort_by(|a, b| a.path(db).cmp(b.path(db)));
    let mut seen: FxHashSet<SourceFile> = FxHashSet::default();
    let mut order = Vec::with_capacity(files.len());
    let targets: FxHashMap<SourceFile, Vec<SourceFile>> = files
        .iter()
        .map(|file| (*file, imported_files(db, *file).collect()))
        .collect();
    for root in sorted {
        let mut path = vec![(root, 0)];
        while let Some((file, next)) = path.pop() {
            if next == 0 && !seen.insert(file) {
                continue;
            }
            match targets.get(&file).and_then(|targets| targets.get(next)) {
                Some(target) => {
                    path.push((file, next + 1));
                    path.push((*target, 0));
                }
                None => order.push(file),
            }
        }
    }
    order
}

/// Runs `work` on as many threads as asked for, each with its own handle on the database.
///
/// Where a thread unwinds, because an edit came in between, so does the caller, once all have ended.
fn in_parallel<T: Send>(
    db: &RootDatabase,
    threads: usize,
    most: usize,
    work: impl Fn(&RootDatabase) -> T + Sync,
) -> Vec<T> {
    let cores = || std::thread::available_parallelism().map_or(1, usize::from);
    let threads = if threads == 0 { cores() } else { threads }
        .min(most)
        .max(1);
    let mut results = Vec::with_capacity(threads);
    let mut unwound = None;
    std::thread::scope(|scope| {
        let mut running = Vec::with_capacity(threads);
        for _ in 0..threads {
            let db = db.clone();
            let work = &work;
            let builder = std::thread::Builder::new().stack_size(STACK_BYTES);
            match builder.spawn_scoped(scope, move || work(&db)) {
                Ok(handle) => running.push(handle),
                // No more threads to be had: those that run do the work.
                Err(_) => break,
            }
        }
        if running.is_empty() {
            results.push(work(db));
        }
        for handle in running {
            match handle.join() {
                Ok(result) => results.push(result),
                Err(payload) => unwound = Some(payload),
            }
        }
    });
    if let Some(payload) = unwound {
        resume_unwind(payload);
    }
    results
}
