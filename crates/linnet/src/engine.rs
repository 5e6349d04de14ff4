//! Between the command line and the database: paths in, reports out.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use linnet_hir::db::{FilePath, RootDatabase, SourceFile, StdSource, shown_text};
use linnet_hir::diag::{Diagnostic, Span};

use crate::cli::StdArgs;
use crate::report::{Fix, Place, Report, Reports, SourceId};

/// Where the standard library comes from; an error for a wrong command line.
pub fn std_source(args: &StdArgs) -> Result<StdSource, String> {
    let from_env = || {
        let dir = std::env::var_os("LINNET_STD").filter(|dir| !dir.is_empty())?;
        Some(("LINNET_STD", PathBuf::from(dir)))
    };
    let dir = args.dir.clone().map(|dir| ("--std", dir)).or_else(from_env);
    match dir {
        None => Ok(StdSource::Embedded),
        Some((_, dir)) if dir.is_dir() => Ok(StdSource::Dir(dir)),
        Some((origin, dir)) => Err(format!("{origin}: `{}` is no folder", dir.display())),
    }
}

/// Turns the database's diagnostics into reports, naming files as the user did.
pub struct Reporter<'a> {
    db: &'a RootDatabase,
    /// What the user called the files of the command line.
    names: HashMap<SourceFile, String>,
    std: Option<PathBuf>,
    cwd: Option<PathBuf>,
    sources: HashMap<SourceFile, SourceId>,
    pub reports: Reports,
}

impl<'a> Reporter<'a> {
    pub fn new(db: &'a RootDatabase, std: &StdSource) -> Self {
        Reporter {
            db,
            names: HashMap::new(),
            std: match std {
                StdSource::Embedded => None,
                StdSource::Dir(dir) => Some(dir.clone()),
            },
            // The database knows files by where links lead.
            cwd: std::env::current_dir()
                .and_then(|dir| dir.canonicalize())
                .ok(),
            sources: HashMap::new(),
            reports: Reports::default(),
        }
    }

    /// Calls a file of the command line by the path given there.
    pub fn name(&mut self, file: SourceFile, path: &Path) {
        let name = path.display().to_string();
        self.names.entry(file).or_insert(name);
    }

    /// The file's name: as given, else relative where it is below the working folder.
    pub fn name_of(&self, file: SourceFile) -> String {
        if let Some(name) = self.names.get(&file) {
            return name.clone();
        }
        match (file.path(self.db), &self.std) {
            (FilePath::Disk(path), _) => {
                let inside = self
                    .cwd
                    .as_ref()
                    .and_then(|cwd| path.strip_prefix(cwd).ok());
                inside.unwrap_or(path).display().to_string()
            }
            (FilePath::Std(module), Some(dir)) => {
                let below = module.strip_prefix("std.").unwrap_or(module);
                let path = dir.join(below.replace('.', "/")).with_extension("linnet");
                path.display().to_string()
            }
            (FilePath::Std(module), None) => module.clone(),
        }
    }

    /// The file among the sources of the reports.
    pub fn source(&mut self, file: SourceFile) -> SourceId {
        if let Some(id) = self.sources.get(&file) {
            return *id;
        }
        let id = self
            .reports
            .add_source(self.name_of(file), shown_text(self.db, file));
        self.sources.insert(file, id);
        id
    }

    pub fn place(&mut self, span: Span) -> Place {
        Place {
            source: self.source(span.file),
            range: span.range.into(),
        }
    }

    pub fn add(&mut self, diagnostic: Diagnostic<Span>) {
        let code = diagnostic.code.to_string();
        let diagnostic = diagnostic.map(|span| self.place(span));
        self.reports.list.push(Report {
            code,
            place: diagnostic.span,
            message: diagnostic.message,
            label: diagnostic.label,
            related: diagnostic.related,
            notes: diagnostic.notes,
            help: diagnostic.help,
            fixes: diagnostic
                .fixes
                .into_iter()
                .map(|fix| Fix {
                    title: fix.title,
                    edits: fix.edits,
                })
                .collect(),
        });
    }
}
