//! `linnet inspect --parameters`: the manifest of each block of a file.

use std::fmt::Write as _;

use linnet_hir::check::diagnostics;
use linnet_hir::db::{RootDatabase, item_tree};
use linnet_hir::parameters::{ManifestEntry, NoManifest, parameters, show_dim, show_type};
use linnet_hir::tree::{DefId, ItemKind, MemberKind};
use serde::Serialize;

use crate::cli::InspectArgs;
use crate::engine::{Reporter, std_source};
use crate::exit::{self, Exit};
use crate::render::{self, ColorChoice, Format, json};
use crate::report::Severity;

#[derive(Serialize)]
struct Document {
    version: u32,
    file: String,
    blocks: Vec<Block>,
}

#[derive(Serialize)]
struct Block {
    name: String,
    parameters: Vec<Parameter>,
}

#[derive(Serialize)]
struct Parameter {
    /// With `[*]` for each position of an array.
    path: String,
    kind: &'static str,
    #[serde(rename = "type")]
    ty: String,
    /// The lengths of the arrays on the path, outermost first.
    repeat: Vec<String>,
    optional: bool,
}

pub fn run(args: &InspectArgs, color: ColorChoice) -> Exit {
    let std = match std_source(&args.std) {
        Ok(std) => std,
        Err(message) => return exit::fail(&message, Exit::Usage),
    };
    let db = RootDatabase::frozen(std.clone());
    let file = db.open(&args.file);
    let mut reporter = Reporter::new(&db, &std);
    reporter.name(file, &args.file);
    let faults = diagnostics(&db, file).into_iter();
    // What is wrong with the file is `check`'s to say, but for what keeps it from being read.
    let errors = faults.filter(|d| d.severity() == linnet_hir::diag::Severity::Error);
    errors.for_each(|diag| reporter.add(diag));

    let items = &item_tree(&db, file).items;
    let blocks = items.iter().filter(|item| item.kind == ItemKind::Block);
    let mut document = Document {
        version: 1,
        file: reporter.name_of(file),
        blocks: Vec::new(),
    };
    for item in blocks {
        match parameters(&db, item.def) {
            Ok(entries) => document.blocks.push(Block {
                name: item.name.to_string(),
                parameters: entries
                    .iter()
                    .map(|entry| parameter(&db, item.def, entry))
                    .collect(),
            }),
            // Its faults are among those of the file, or of one that it imports.
            Err(NoManifest::Broken) => {}
            Err(NoManifest::TooLarge) => {
                exit::say(&format!(
                    "error: `{}` has too many parameters to list",
                    item.name
                ));
            }
        }
    }
    let out = if args.json {
        json::to_bytes(&document)
    } else {
        text(&document).into_bytes()
    };
    let reports = reporter.reports;
    let exit = Exit::faults_if(reports.count(Severity::Error) > 0);
    let exit = exit::print(&out, exit);
    render::show(&reports, Format::Text, color, exit)
}

fn parameter(db: &RootDatabase, block: DefId, entry: &ManifestEntry) -> Parameter {
    Parameter {
        path: entry.path_text(),
        kind: match entry.kind {
            MemberKind::Param => "param",
            MemberKind::Buffer => "buffer",
            MemberKind::State => "state",
            MemberKind::Sub => "sub",
        },
        ty: show_type(db, block, &entry.ty()),
        repeat: entry
            .repeats()
            .map(|length| show_dim(db, block, length))
            .collect(),
        optional: !entry.optional.is_empty(),
    }
}

/// A block's name, and a line in columns for each parameter.
fn text(document: &Document) -> String {
    let mut out = String::new();
    for block in &document.blocks {
        if !out.is_empty() {
            out.push('\n');
        }
        // Writing to a string cannot fail.
        let _ = writeln!(out, "block {}", block.name);
        let width = |field: fn(&Parameter) -> &str| {
            let widths = block.parameters.iter().map(|p| field(p).chars().count());
            widths.max().unwrap_or(0)
        };
        let (paths, types) = (width(|p| &p.path), width(|p| &p.ty));
        for parameter in &block.parameters {
            let Parameter { path, kind, ty, .. } = parameter;
            let mut line = format!("    {path:paths$}  {kind:6}  {ty:types$}");
            if !parameter.repeat.is_empty() {
                line.push_str(&format!("  × {}", parameter.repeat.join(" × ")));
            }
            if parameter.optional {
                line.push_str("  optional");
            }
            let _ = writeln!(out, "{}", line.trim_end());
        }
    }
    out
}
