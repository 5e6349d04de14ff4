//! Diagnostics of files: everything that was found, joined, sorted and given its place in the text.

use std::sync::Arc;

use rustc_hash::FxHashSet;

use linnet_syntax::{SyntaxError, TextRange, TextSize};

use crate::ctx::Uses;
use crate::db::{
    Contents, Db, FileState, SourceFile, file_state, is_broken, item_data, item_tree, locate,
    syntax_errors, text,
};
use crate::diag::{Diag, Diagnostic, Fix, Severity, Span};
use crate::infer::infer;
use crate::package::module_names;
use crate::scope::{UseRef, import_cycle_diagnostics, module_scope};
use crate::sig::{header, sig};
use crate::tree::{DefId, Item, ItemDetail, Name, NodeLoc, Part};

pub use crate::batch::{CheckOptions, Checked, check_all};
pub use crate::manifest::manifest_diagnostics;

/// What checking one file gives, without positions.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct FileReport {
    /// Everything but syntax errors; warnings only where there is no error in the file.
    pub diags: Vec<Diag>,
    /// Functions, ops and entries.
    pub functions: usize,
    /// Goals about dimensions that were proved or refused.
    pub proofs: usize,
}

/// What the items of a file use, for the warnings on unused things.
#[derive(Default)]
struct Used<'db> {
    names: FxHashSet<&'db Name>,
    members: FxHashSet<&'db (DefId, Name)>,
}

impl<'db> Used<'db> {
    fn extend(&mut self, uses: &'db Uses) {
        self.names.extend(&uses.names);
        self.members.extend(&uses.members);
    }
}

/// A file checked.
#[salsa::tracked(returns(deref))]
pub fn file_report(db: &dyn Db, file: SourceFile) -> Arc<FileReport> {
    let own = own_report(db, file);
    // Whether imports close a cycle depends on files far away: alone here, so that their edits end here.
    let cycles = import_cycle_diagnostics(db, file);
    if cycles.is_empty() {
        return own.clone();
    }
    let mut report = FileReport::clone(own);
    report.diags.retain(is_error);
    report.diags.extend(cycles);
    Arc::new(report)
}

/// A file checked, but for cycles of imports.
#[salsa::tracked]
fn own_report(db: &dyn Db, file: SourceFile) -> Arc<FileReport> {
    let mut report = FileReport::default();
    if *file_state(db, file) != FileState::Text {
        return Arc::new(report);
    }
    let tree = item_tree(db, file);
    let scope = module_scope(db, file);
    let mut used = Used::default();
    report.diags.extend(scope.diags.iter().cloned());
    report
        .diags
        .extend(crate::cycles::cycle_diagnostics(db, file));
    report
        .diags
        .extend(crate::recursion::recursion(db, file).iter().cloned());
    for item in &tree.items {
        report
            .diags
            .extend(crate::duplicates::header_diagnostics(db, item));
        for item in item.with_nested() {
            let header = header(db, item.def);
            let sig = sig(db, item.def);
            let inferred = infer(db, item.def);
            for diags in [&header.diags, &sig.diags, &inferred.diags] {
                report.diags.extend_from_slice(diags);
            }
            for uses in [&header.uses, &sig.uses, &inferred.uses] {
                used.extend(uses);
            }
            report.proofs += inferred.proofs as usize;
            report.functions += usize::from(item.kind.is_callable());
        }
    }
    if is_broken(db, file) || report.diags.iter().any(is_error) {
        report.diags.retain(is_error);
    } else {
        report.diags.extend(misnamed_module(db, file));
        report.diags.extend(unused_imports(db, file, &used));
        report.diags.extend(
            tree.items
                .iter()
                .flat_map(|item| unused_members(db, item, &used)),
        );
    }
    Arc::new(report)
}

fn is_error(diag: &Diag) -> bool {
    diag.severity() == Severity::Error
}

/// The faults of a file but for its syntax errors, without positions.
pub fn file_diagnostics(db: &dyn Db, file: SourceFile) -> &[Diag] {
    &file_report(db, file).diags
}

/// W1005: a module that is not named after its path.
fn misnamed_module(db: &dyn Db, file: SourceFile) -> Option<Diag> {
    let (path, loc) = item_tree(db, file).module.as_ref()?;
    let written = path.join(".");
    let names = module_names(db, file);
    let first = names.first()?;
    // A folder or file may have a name that no module can have.
    let is_name = |segment: &str| {
        segment.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
            && segment
                .chars()
                .all(|c| c.is_ascii_alphanumeric() || c == '_')
    };
    if names.contains(&written) || !names.iter().all(|name| name.split('.').all(is_name)) {
        return None;
    }
    let at = NodeLoc {
        file,
        part: Part::File,
        loc: *loc,
    };
    // Keep the package's name in front where it was written so.
    let package = names
        .last()
        .and_then(|long| long.strip_suffix(first.as_str()));
    let meant = match names.last() {
        Some(long) if package.is_some_and(|p| !p.is_empty() && written.starts_with(p)) => long,
        _ => first,
    };
    Some(
        Diagnostic::new(
            "W1005",
            at,
            format!("the module `{written}` is not named after its path"),
        )
        .label(format!("by its path this is `{meant}`"))
        .help(format!("name it `{meant}`, or move the file"))
        .fix(format!("name it `{meant}`"), vec![(at, meant.clone())]),
    )
}

/// W1001: imports that nothing in the module uses.
fn unused_imports(db: &dyn Db, file: SourceFile, used: &Used<'_>) -> Vec<Diag> {
    let tree = item_tree(db, file);
    let scope = module_scope(db, file);
    let mut unused: Vec<(&str, UseRef)> = scope
        .names
        .iter()
        .filter(|(name, _)| !name.starts_with('_') && !used.names.contains(*name))
        .filter_map(|(name, entry)| Some((name.as_str(), entry.import?)))
        .collect();
    unused.sort_by_key(|(_, import)| (import.use_index, import.name_index));
    let report = |(name, import): &(&str, UseRef)| {
        let declaration = &tree.uses[import.use_index];
        let of_same = unused
            .iter()
            .filter(|(_, other)| other.use_index == import.use_index);
        let all = declaration
            .names
            .as_ref()
            .is_none_or(|names| names.len() == of_same.count());
        // Removing the last name removes the declaration; the edits are widened where positions are known.
        let at = |loc| NodeLoc { loc, ..import.loc };
        let (title, places) = match &declaration.names {
            Some(names) if !all => {
                let name = &names[import.name_index.unwrap_or(0)];
                let alias = name.alias.as_ref().map(|(_, loc)| *loc);
                (
                    "remove this name",
                    std::iter::once(name.name_loc).chain(alias).collect(),
                )
            }
            _ => ("remove the whole `use`", vec![declaration.loc]),
        };
        let edits = places
            .into_iter()
            .map(|loc| (at(loc), String::new()))
            .collect();
        Diagnostic::new(
            "W1001",
            import.loc,
            format!("the import `{name}` is never used"),
        )
        .label("unused")
        .help("remove it")
        .fix(title, edits)
    };
    unused.iter().map(report).collect()
}

/// W1003: members of a block that nothing in the module uses.
fn unused_members(db: &dyn Db, item: &Item, used: &Used<'_>) -> Vec<Diag> {
    let data = item_data(db, item.def);
    let ItemDetail::Block { members } = &data.detail else {
        return Vec::new();
    };
    // A public block without functions is there for others to read.
    if item.is_pub && !item.children.iter().any(|child| child.kind.is_callable()) {
        return Vec::new();
    }
    let is_unused = |name: &crate::tree::Name| {
        !name.is_empty()
            && !name.starts_with('_')
            && !used.members.contains(&(item.def, name.clone()))
    };
    let report = |member: &crate::tree::MemberRef| {
        let at = NodeLoc {
            file: item.def.file(db),
            part: Part::Sig(item.def),
            loc: member.loc,
        };
        Diagnostic::new(
            "W1003",
            at,
            format!("the member `{}` is never used", member.name),
        )
        .label("unused")
        .help("remove it, or begin its name with `_` if the checkpoint needs it")
    };
    members
        .iter()
        .filter(|member| is_unused(&member.name))
        .map(report)
        .collect()
}

/// Runs queries with room for a long chain of modules, whose constants and types are resolved one inside the other.
///
/// Costs nothing on a thread with a large stack, such as those of [`check_all`].
pub fn with_stack<R>(queries: impl FnOnce() -> R) -> R {
    const STACK_BYTES: usize = 64 << 20;
    stacker::maybe_grow(STACK_BYTES / 2, STACK_BYTES, queries)
}

/// Everything that is wrong with a file, in the order of the text.
pub fn diagnostics(db: &dyn Db, file: SourceFile) -> Vec<Diagnostic<Span>> {
    with_stack(|| diagnostics_of(db, file))
}

fn diagnostics_of(db: &dyn Db, file: SourceFile) -> Vec<Diagnostic<Span>> {
    let contents = file.contents(db);
    if let Some(why) = contents.fault() {
        return vec![unreadable(file, contents, why)];
    }
    let syntax = syntax_errors(db, file)
        .iter()
        .map(|error| of_syntax(file, error));
    let mut all: Vec<Diagnostic<Span>> = syntax.collect();
    all.extend(
        file_diagnostics(db, file)
            .iter()
            .map(|diag| with_positions(db, file, diag)),
    );
    all.sort_by_key(|diag| (diag.span.range.start(), diag.span.range.end(), diag.code));
    all.dedup();
    all
}

/// The one fault of a file that is no text.
fn unreadable(file: SourceFile, contents: &Contents, why: String) -> Diagnostic<Span> {
    let at = |offset: usize| Span {
        file,
        range: TextRange::empty(TextSize::new(offset as u32)),
    };
    match contents {
        Contents::NotUtf8 { before } | Contents::Nul { before } => {
            let message = format!("this file cannot be read: {why}");
            Diagnostic::new("E1001", at(before.len()), message)
                .label("here")
                .help("save it as UTF-8 text")
        }
        _ => Diagnostic::new("E1202", at(0), format!("this file cannot be read: {why}")),
    }
}

fn of_syntax(file: SourceFile, error: &SyntaxError) -> Diagnostic<Span> {
    let span = |range| Span { file, range };
    let mut diag = Diagnostic::new(error.code, span(error.range), error.message.clone())
        .label(error.label.clone());
    diag.help.extend(error.help.clone());
    diag.fixes.extend(error.fix.iter().map(|fix| {
        Fix {
            title: fix.title.clone(),
            edits: fix
                .edits
                .iter()
                .map(|(range, text)| (span(*range), text.clone()))
                .collect(),
        }
    }));
    diag
}

fn with_positions(db: &dyn Db, file: SourceFile, diag: &Diag) -> Diagnostic<Span> {
    let mut diag = diag.clone().map(|loc| locate(db, loc));
    // Of two names that clash the second is at fault; only here is it known which that is.
    if matches!(diag.code.0, "E1204" | "E1205")
        && let Some((first, _)) = diag.related.first_mut()
        && first.file == diag.span.file
        && first.range.start() > diag.span.range.start()
    {
        std::mem::swap(first, &mut diag.span);
    }
    if diag.code.0 == "W1001" {
        for fix in &mut diag.fixes {
            let whole = fix
                .edits
                .iter()
                .map(|(span, _)| span.range)
                .reduce(TextRange::cover);
            let whole = whole.map(|range| widen_removal(text(db, file), range));
            fix.edits = whole
                .map(|range| (Span { file, range }, String::new()))
                .into_iter()
                .collect();
        }
    }
    diag
}

/// Takes what would be left behind by removing an import: a line of its own, or a comma.
fn widen_removal(text: &str, range: TextRange) -> TextRange {
    let (start, end) = (usize::from(range.start()), usize::from(range.end()));
    let (Some(before), Some(after)) = (text.get(..start), text.get(end..)) else {
        return range;
    };
    let blank = |c: char| c == ' ' || c == '\t';
    let line = &before[before.rfind('\n').map_or(0, |at| at + 1)..];
    let rest = after.trim_start_matches(blank);
    let widened = if line.trim_matches(blank).is_empty() && text[start..end].starts_with("use") {
        let line_end = if rest.starts_with("\r\n") {
            2
        } else {
            usize::from(rest.starts_with('\n'))
        };
        if line_end == 0 && !rest.is_empty() {
            return range;
        }
        (start - line.len(), text.len() - rest.len() + line_end)
    } else if let Some(rest) = rest.strip_prefix(',') {
        (start, text.len() - rest.trim_start_matches(blank).len())
    } else if let Some(head) = before.trim_end().strip_suffix(',') {
        (head.len(), end)
    } else {
        (start, end)
    };
    TextRange::new(
        TextSize::new(widened.0 as u32),
        TextSize::new(widened.1 as u32),
    )
}
