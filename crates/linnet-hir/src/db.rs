//! The database: files as inputs, and the first queries over them.
//!
//! Files are read lazily: whoever asks for a path gets an input, also where nothing is there yet, so that
//! a file created later re-runs exactly those who looked for it.

use std::path::{Component, Path, PathBuf};
use std::sync::{Arc, Mutex};

use dashmap::DashMap;
use linnet_syntax::{Parse, SyntaxError, TextRange};
use rustc_hash::FxBuildHasher;
use salsa::{Durability, Setter as _};

use crate::body::Body;
use crate::diag::Span;
use crate::read::read_file;
use crate::tree::{DefId, ItemData, ItemTree, LoweredFile, NodeLoc, Part};

pub use crate::read::{Contents, MAX_FILE_BYTES};

/// A file: Linnet source, or a `linnet.toml`.
#[salsa::input(debug)]
#[derive(PartialOrd, Ord)]
pub struct SourceFile {
    /// Where it stands.
    #[returns(ref)]
    pub path: FilePath,
    #[returns(ref)]
    pub contents: Contents,
    /// The path with every symbolic link followed; the path itself where nothing is there.
    #[returns(ref)]
    pub real: Arc<Path>,
}

impl SourceFile {
    /// The module's path where this is a file of the standard library.
    pub fn std_module<D: ?Sized + salsa::Database>(self, db: &D) -> Option<&str> {
        match self.path(db) {
            FilePath::Std(module) => Some(module),
            FilePath::Disk(_) => None,
        }
    }
}

/// Where a file stands.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum FilePath {
    /// An absolute path without `.` and `..`.
    Disk(PathBuf),
    /// The path of a module of the standard library, such as `std.nn.linear`.
    Std(String),
}

impl FilePath {
    pub fn disk(&self) -> Option<&Path> {
        match self {
            FilePath::Disk(path) => Some(path),
            FilePath::Std(_) => None,
        }
    }
}

impl std::fmt::Display for FilePath {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            FilePath::Disk(path) => path.display().fmt(f),
            FilePath::Std(module) => f.write_str(module),
        }
    }
}

/// Where the standard library comes from.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum StdSource {
    /// The sources inside this binary.
    Embedded,
    /// A folder: `std.nn.linear` is `nn/linear.linnet` in it.
    Dir(PathBuf),
}

/// What queries need of a database.
#[salsa::db]
pub trait Db: salsa::Database {
    /// The file at a path, read on the first call; its contents are [`Contents::Missing`] where nothing is there.
    fn file(&self, path: &Path) -> SourceFile;

    /// The file of a module of the standard library (`std.nn.linear`); `None` where it surely has no such module.
    fn std_file(&self, module: &str) -> Option<SourceFile>;

    /// Every module of the standard library, for suggestions.
    fn std_modules(&self) -> &[String];

    /// Paths of modules in the package in this folder that were asked for so far. They grow without anyone being told.
    fn known_modules(&self, root: &Path) -> Vec<SourceFile>;

    /// The modules of the package in this folder, as found now: for the edge, since no query is re-run when one is added.
    fn package_files(&self, root: &Path) -> Vec<SourceFile>;

    /// Whether no input changes any more: a batch run, which keeps no syntax trees.
    fn is_frozen(&self) -> bool;
}

/// The one implementation of [`Db`].
///
/// A clone is another handle on the same data, for another thread. A write waits until every clone is dropped.
#[salsa::db]
#[derive(Clone)]
pub struct RootDatabase {
    storage: salsa::Storage<Self>,
    shared: Arc<Shared>,
}

struct Shared {
    files: DashMap<PathBuf, SourceFile, FxBuildHasher>,
    std_files: DashMap<String, SourceFile, FxBuildHasher>,
    /// Files that an editor holds.
    edited: DashMap<SourceFile, (), FxBuildHasher>,
    std: StdSource,
    std_modules: Vec<String>,
    /// Whether paths are looked up on disk, or only what was set exists.
    disk: bool,
    frozen: bool,
    events: Option<Arc<Mutex<Vec<String>>>>,
}

#[salsa::db]
impl salsa::Database for RootDatabase {}

#[salsa::db]
impl Db for RootDatabase {
    fn file(&self, path: &Path) -> SourceFile {
        if let Some(file) = self.known_file(path) {
            return file;
        }
        let path = normalize(path);
        if let Some(file) = self.known_file(&path) {
            return file;
        }
        let (contents, real) = self.read(&path);
        let durability = if self.shared.frozen {
            Durability::NEVER_CHANGE
        } else {
            Durability::MEDIUM
        };
        // Two threads may read the same file; the first to come here wins. No query runs under the guard.
        *self
            .shared
            .files
            .entry(path.clone())
            .or_insert_with(|| self.new_file(FilePath::Disk(path), contents, real, durability))
    }

    fn std_file(&self, module: &str) -> Option<SourceFile> {
        let known = self.shared.std_files.get(module).map(|entry| *entry);
        if known.is_some() {
            return known;
        }
        let (contents, real, durability) = match &self.shared.std {
            StdSource::Embedded => {
                let text = linnet_std::source(module)?;
                let real: Arc<Path> = Path::new(module).into();
                (Contents::from_text(text), real, Durability::NEVER_CHANGE)
            }
            StdSource::Dir(dir) => {
                let (contents, real) = read_file(&std_path(dir, module)?);
                let durability = if self.shared.frozen {
                    Durability::NEVER_CHANGE
                } else {
                    Durability::HIGH
                };
                (contents, real, durability)
            }
        };
        let path = FilePath::Std(module.to_owned());
        Some(
            *self
                .shared
                .std_files
                .entry(module.to_owned())
                .or_insert_with(|| self.new_file(path, contents, real, durability)),
        )
    }

    fn std_modules(&self) -> &[String] {
        &self.shared.std_modules
    }

    fn known_modules(&self, root: &Path) -> Vec<SourceFile> {
        let src = root.join("src");
        let is_module =
            |path: &Path| path.extension().is_some_and(|e| e == "linnet") && path.starts_with(&src);
        let known = self
            .shared
            .files
            .iter()
            .filter(|entry| is_module(entry.key()));
        let mut files: Vec<SourceFile> = known.map(|entry| *entry.value()).collect();
        files.sort();
        files
    }

    fn package_files(&self, root: &Path) -> Vec<SourceFile> {
        let mut files = self.known_modules(root);
        if self.shared.disk {
            let listed = crate::read::source_files(&root.join("src"));
            files.extend(listed.iter().map(|path| self.file(path)));
        }
        files.retain(|file| matches!(file.contents(self), Contents::Text(_)));
        files.sort_by(|a, b| a.path(self).cmp(b.path(self)));
        files.dedup();
        files
    }

    fn is_frozen(&self) -> bool {
        self.shared.frozen
    }
}

impl RootDatabase {
    /// A database over the files on disk.
    pub fn new(std: StdSource) -> Self {
        Self::build(std, true, false, false)
    }

    /// The same for one batch run: no file may be set or reloaded, and less is kept in memory.
    pub fn frozen(std: StdSource) -> Self {
        Self::build(std, true, true, false)
    }

    /// A database that never looks at the disk: only what [`set_file_text`](Self::set_file_text) set exists. It logs what it executes.
    pub fn in_memory() -> Self {
        Self::build(StdSource::Embedded, false, false, true)
    }

    /// A database over the files on disk that logs what it executes.
    pub fn with_event_log(std: StdSource) -> Self {
        Self::build(std, true, false, true)
    }

    fn build(std: StdSource, disk: bool, frozen: bool, log: bool) -> Self {
        let std = match std {
            StdSource::Dir(dir) => StdSource::Dir(normalize(&dir)),
            StdSource::Embedded => StdSource::Embedded,
        };
        let std_modules = match &std {
            StdSource::Embedded => linnet_std::modules().map(str::to_owned).collect(),
            StdSource::Dir(dir) => crate::read::std_modules(dir),
        };
        let events = log.then(Arc::<Mutex<Vec<String>>>::default);
        let callback = events
            .clone()
            .map(|log| -> Box<dyn Fn(salsa::Event) + Send + Sync> {
                Box::new(move |event| {
                    if let salsa::EventKind::WillExecute { database_key } = event.kind {
                        let key = format!("{database_key:?}");
                        let name = key.split('(').next().unwrap_or_default().to_owned();
                        log.lock().unwrap_or_else(|e| e.into_inner()).push(name);
                    }
                })
            });
        RootDatabase {
            storage: salsa::Storage::new(callback),
            shared: Arc::new(Shared {
                files: DashMap::default(),
                std_files: DashMap::default(),
                edited: DashMap::default(),
                std,
                std_modules,
                disk,
                frozen,
                events,
            }),
        }
    }

    /// Names of the queries executed since the last call; empty without an event log.
    pub fn take_executed(&self) -> Vec<String> {
        match &self.shared.events {
            Some(log) => std::mem::take(&mut *log.lock().unwrap_or_else(|e| e.into_inner())),
            None => Vec::new(),
        }
    }

    /// The file at a path that a user gave: links are followed, so that one file has one identity.
    pub fn open(&self, path: &Path) -> SourceFile {
        match self.shared.disk.then(|| path.canonicalize()) {
            Some(Ok(real)) => self.file(&real),
            _ => self.file(path),
        }
    }

    /// Sets what an editor holds for a path; `None` goes back to what is on disk.
    ///
    /// Nothing happens in a frozen database, nor where the text is the same. The first call for a path, when an
    /// editor opens it, takes the time to expect more: edits then revalidate only what reads this file.
    pub fn set_file_text(&mut self, path: &Path, text: Option<String>) {
        if self.shared.frozen {
            return;
        }
        let path = normalize(path);
        let Some(text) = text else {
            let known = self.known_file(&path);
            if known.is_some_and(|file| self.shared.edited.remove(&file).is_some()) {
                self.reload(&path);
            }
            return;
        };
        let contents = Contents::from_text(&text);
        let disk = self.shared.disk;
        let file = self.known_file(&path).unwrap_or_else(|| {
            let real = disk.then(|| path.canonicalize().ok()).flatten();
            let real: Arc<Path> = real.unwrap_or_else(|| path.clone()).into();
            let file = FilePath::Disk(path.clone());
            // Nobody has read it yet, so nothing that is memoized depends on it.
            let new = || self.new_file(file, contents.clone(), real, Durability::LOW);
            *self.shared.files.entry(path).or_insert_with(new)
        });
        let is_first = self.shared.edited.insert(file, ()).is_none();
        // A write starts a revision even for an equal value, so look first.
        if is_first || *file.contents(self) != contents {
            file.set_contents(self)
                .with_durability(Durability::LOW)
                .to(contents);
        }
    }

    /// Reads a path again after it changed on disk, was created or was deleted.
    ///
    /// Nothing happens where an editor holds the file.
    pub fn reload(&mut self, path: &Path) {
        if self.shared.frozen {
            return;
        }
        let path = normalize(path);
        if let Some(file) = self.known_file(&path)
            && !self.shared.edited.contains_key(&file)
        {
            let (contents, real) = self.read(&path);
            self.refresh(file, contents, real, Durability::MEDIUM);
        }
        let StdSource::Dir(dir) = &self.shared.std else {
            return;
        };
        let module = crate::read::std_module(dir, &path).unwrap_or_default();
        let known = self.shared.std_files.get(&module).map(|entry| *entry);
        if let Some(file) = known {
            let (contents, real) = read_file(&path);
            self.refresh(file, contents, real, Durability::HIGH);
        }
    }

    fn refresh(
        &mut self,
        file: SourceFile,
        contents: Contents,
        real: Arc<Path>,
        durability: Durability,
    ) {
        if *file.real(self) != real {
            file.set_real(self).with_durability(durability).to(real);
        }
        if *file.contents(self) != contents {
            file.set_contents(self)
                .with_durability(durability)
                .to(contents);
        }
    }

    /// Whether the standard library is the one inside this binary.
    pub fn has_embedded_std(&self) -> bool {
        self.shared.std == StdSource::Embedded
    }

    /// Every path on disk that was asked for so far, missing ones included: what a watcher reloads.
    pub fn known_paths(&self) -> Vec<PathBuf> {
        self.shared
            .files
            .iter()
            .map(|entry| entry.key().clone())
            .collect()
    }

    fn known_file(&self, path: &Path) -> Option<SourceFile> {
        self.shared.files.get(path).map(|entry| *entry)
    }

    fn read(&self, path: &Path) -> (Contents, Arc<Path>) {
        if self.shared.disk {
            read_file(path)
        } else {
            (Contents::Missing, path.into())
        }
    }

    fn new_file(
        &self,
        path: FilePath,
        contents: Contents,
        real: Arc<Path>,
        durability: Durability,
    ) -> SourceFile {
        // The path never changes; where it leads seldom does.
        let rare = durability.max(Durability::MEDIUM);
        SourceFile::builder(path, contents, real)
            .path_durability(Durability::NEVER_CHANGE)
            .contents_durability(durability)
            .real_durability(rare)
            .new(self)
    }
}

/// The file of a module in a folder that holds the standard library; `None` where the path is not one of a module.
fn std_path(dir: &Path, module: &str) -> Option<PathBuf> {
    let mut path = dir.to_path_buf();
    let mut segments = module.split('.');
    segments.next().filter(|first| *first == "std")?;
    for segment in segments {
        let plain = |c: char| c.is_ascii_alphanumeric() || c == '_';
        if segment.is_empty() || !segment.chars().all(plain) {
            return None;
        }
        path.push(segment);
    }
    path.set_extension("linnet");
    Some(path)
}

/// An absolute path without `.` and `..`, by the letters alone.
fn normalize(path: &Path) -> PathBuf {
    let absolute = std::path::absolute(path).unwrap_or_else(|_| path.to_path_buf());
    let mut out = PathBuf::new();
    for component in absolute.components() {
        match component {
            Component::CurDir => {}
            Component::ParentDir => {
                out.pop();
            }
            other => out.push(other),
        }
    }
    out
}

/// What can be done with a file, apart from what its text says: queries about other files ask this.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum FileState {
    Text,
    Missing,
    /// Text up to a byte that source cannot hold.
    Garbled,
    /// Why it cannot be read.
    Unreadable(String),
}

/// See [`FileState`].
#[salsa::tracked(returns(ref))]
pub fn file_state(db: &dyn Db, file: SourceFile) -> FileState {
    match file.contents(db) {
        Contents::Text(_) => FileState::Text,
        Contents::Missing => FileState::Missing,
        Contents::NotUtf8 { .. } | Contents::Nul { .. } => FileState::Garbled,
        other => FileState::Unreadable(other.fault().unwrap_or_default()),
    }
}

/// A file's text; empty where it has none that can be parsed.
pub fn text(db: &dyn Db, file: SourceFile) -> &str {
    match file.contents(db) {
        Contents::Text(text) => text,
        _ => "",
    }
}

/// A file's text for showing: like [`text`], and what stands before the first byte that source cannot hold.
pub fn shown_text(db: &dyn Db, file: SourceFile) -> &str {
    match file.contents(db) {
        Contents::Text(text) => text,
        Contents::NotUtf8 { before } | Contents::Nul { before } => before,
        _ => "",
    }
}

/// The syntax tree of a file. Few are kept from one revision to the next.
#[salsa::tracked(lru = 64)]
pub fn parse(db: &dyn Db, file: SourceFile) -> Parse {
    linnet_syntax::parse(text(db, file))
}

/// What reading a file's text gives: everything else starts from here.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Front {
    lowered: LoweredFile,
    errors: Vec<SyntaxError>,
}

#[salsa::tracked(returns(ref))]
fn front(db: &dyn Db, file: SourceFile) -> Front {
    let of = |parse: &Parse| Front {
        lowered: crate::lower::lower_file(db, file, parse),
        errors: parse.errors().to_vec(),
    };
    // A batch run reads each tree once: it is dropped here instead of kept to the end.
    if db.is_frozen() {
        of(&linnet_syntax::parse(text(db, file)))
    } else {
        of(parse(db, file))
    }
}

/// A file lowered, positions included; queries read it through the projections below.
pub fn lowered(db: &dyn Db, file: SourceFile) -> &LoweredFile {
    &front(db, file).lowered
}

/// The faults that lexer and parser found, in the order of the text.
pub fn syntax_errors(db: &dyn Db, file: SourceFile) -> &[SyntaxError] {
    &front(db, file).errors
}

/// Whether a file has syntax errors.
#[salsa::tracked(returns(copy))]
pub fn is_broken(db: &dyn Db, file: SourceFile) -> bool {
    !syntax_errors(db, file).is_empty()
}

/// What a file declares.
#[salsa::tracked(returns(deref))]
pub fn item_tree(db: &dyn Db, file: SourceFile) -> Arc<ItemTree> {
    lowered(db, file).tree.clone()
}

/// An item's header; an empty one for an item that is no longer there.
#[salsa::tracked(returns(deref))]
pub fn item_data(db: &dyn Db, def: DefId) -> Arc<ItemData> {
    match lowered(db, def.file(db)).items.get(&def) {
        Some(item) => item.data.clone(),
        None => Arc::new(ItemData::empty(def.kind(db), def.name(db).clone())),
    }
}

/// An item's body; an empty one for an item that is no longer there.
#[salsa::tracked(returns(deref))]
pub fn body(db: &dyn Db, def: DefId) -> Arc<Body> {
    match lowered(db, def.file(db)).items.get(&def) {
        Some(item) => item.body.clone(),
        None => Arc::new(Body {
            broken: true,
            ..Body::default()
        }),
    }
}

/// Where a place stands in the text now. Only for the edge: whoever calls it depends on every byte of the file.
pub fn locate(db: &dyn Db, loc: NodeLoc) -> Span {
    let lowered = lowered(db, loc.file);
    let index = loc.loc.0 as usize;
    let range = match loc.part {
        Part::File => lowered.locs.get(index),
        Part::Sig(def) => lowered
            .items
            .get(&def)
            .and_then(|item| item.sig_locs.get(index)),
        Part::Body(def) => lowered
            .items
            .get(&def)
            .and_then(|item| item.body_locs.get(index)),
    };
    Span {
        file: loc.file,
        range: range.copied().unwrap_or(TextRange::empty(0.into())),
    }
}
