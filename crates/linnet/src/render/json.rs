//! The JSON document of `--json`, version 1.
//!
//! Lines and columns count from 1, columns in code points; offsets count bytes from 0.

use serde::Serialize;

use crate::report::{Fix, Place, Position, Report, Reports, Severity};

#[derive(Serialize)]
struct Document<'a> {
    version: u32,
    diagnostics: Vec<Diagnostic<'a>>,
    summary: Summary,
}

#[derive(Serialize)]
struct Summary {
    errors: usize,
    warnings: usize,
}

#[derive(Serialize)]
struct Diagnostic<'a> {
    code: &'a str,
    severity: &'static str,
    message: &'a str,
    label: &'a str,
    location: Location<'a>,
    related: Vec<Related<'a>>,
    notes: &'a [String],
    help: &'a [String],
    fixes: Vec<FixJson<'a>>,
}

/// A place as tools read it.
#[derive(Serialize)]
pub struct Location<'a> {
    file: &'a str,
    start: PositionJson,
    end: PositionJson,
}

#[derive(Serialize)]
struct PositionJson {
    line: usize,
    column: usize,
    offset: usize,
}

#[derive(Serialize)]
struct Related<'a> {
    location: Location<'a>,
    message: &'a str,
}

#[derive(Serialize)]
struct FixJson<'a> {
    title: &'a str,
    edits: Vec<EditJson<'a>>,
}

#[derive(Serialize)]
struct EditJson<'a> {
    location: Location<'a>,
    replacement: &'a str,
}

/// Renders all reports as one document.
pub fn render(reports: &Reports) -> Vec<u8> {
    let document = Document {
        version: 1,
        diagnostics: reports
            .list
            .iter()
            .map(|report| diagnostic(reports, report))
            .collect(),
        summary: Summary {
            errors: reports.count(Severity::Error),
            warnings: reports.count(Severity::Warning),
        },
    };
    to_bytes(&document)
}

/// Any document of this program as pretty JSON with a final line end.
pub fn to_bytes(document: &impl Serialize) -> Vec<u8> {
    // Plain structs of numbers, texts and lists cannot fail to serialize.
    let mut bytes = serde_json::to_vec_pretty(document).unwrap_or_default();
    bytes.push(b'\n');
    bytes
}

fn diagnostic<'a>(reports: &'a Reports, report: &'a Report) -> Diagnostic<'a> {
    Diagnostic {
        code: &report.code,
        severity: report.severity().name(),
        message: &report.message,
        label: &report.label,
        location: location(reports, &report.place),
        related: report
            .related
            .iter()
            .map(|(place, message)| Related {
                location: location(reports, place),
                message,
            })
            .collect(),
        notes: &report.notes,
        help: &report.help,
        fixes: report
            .fixes
            .iter()
            .map(|fix| fix_json(reports, fix))
            .collect(),
    }
}

fn fix_json<'a>(reports: &'a Reports, fix: &'a Fix) -> FixJson<'a> {
    FixJson {
        title: &fix.title,
        edits: fix
            .edits
            .iter()
            .map(|(place, replacement)| EditJson {
                location: location(reports, place),
                replacement,
            })
            .collect(),
    }
}

fn location<'a>(reports: &'a Reports, place: &Place) -> Location<'a> {
    let source = reports.source(place.source);
    Location {
        file: &source.name,
        start: source.position(place.range.start).into(),
        end: source.position(place.range.end).into(),
    }
}

impl From<Position> for PositionJson {
    fn from(at: Position) -> Self {
        PositionJson {
            line: at.line,
            column: at.column,
            offset: at.offset,
        }
    }
}
