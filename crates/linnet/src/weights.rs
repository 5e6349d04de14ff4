//! A program's manifest against the headers of a checkpoint, as reports.

use std::fmt;
use std::path::{Path, PathBuf};

use linnet_hir::bindings::{BoundEntry, BoundPart};
use linnet_hir::db::RootDatabase;
use linnet_hir::diag::Span;
use linnet_hir::tree::MemberKind;
use linnet_weights::{
    Bindings, DType, Expected, Kind, Mismatch, PathPart, WeightsError, compare, read_headers,
};

use crate::binding::Target;
use crate::engine::Reporter;
use crate::report::{Place, Report};

/// The naming map that a package may have beside its `linnet.toml`.
const NAMES: &str = "bindings.json";

/// A code, what is reported under it, and which mismatches those are.
type Group = (&'static str, &'static str, fn(&Mismatch) -> bool);

/// Each kind of mismatch is one report that lists every tensor.
const GROUPS: [Group; 5] = [
    ("E5004", "missing from", |m| {
        matches!(m, Mismatch::Missing { .. })
    }),
    ("E5005", "not expected in", |m| {
        matches!(m, Mismatch::Unexpected { .. })
    }),
    ("E5006", "of another shape in", |m| {
        matches!(m, Mismatch::Shape { .. })
    }),
    ("E5007", "of another dtype in", |m| {
        matches!(m, Mismatch::DType { .. })
    }),
    ("E5008", "", |m| matches!(m, Mismatch::UnknownPath { .. })),
];

/// Compares what `target` needs with what `weights` holds, and reports every difference.
///
/// `named_at` is where the path is written; `None` for the command line.
pub fn check(
    reporter: &mut Reporter,
    db: &RootDatabase,
    target: &Target,
    weights: &Path,
    names: Option<&Path>,
    named_at: Option<Span>,
) {
    // A block whose declaration has faults has no manifest; those are reported where they stand.
    let Ok(entries) = target.bound.parameters(db) else {
        return;
    };
    let manifest: Vec<Expected> = entries.iter().filter_map(expected).collect();
    let read = || -> Result<(Vec<Mismatch>, Option<PathBuf>), WeightsError> {
        let header = read_headers(weights)?;
        let names = names_file(db, target, names);
        let bindings = match &names {
            Some(path) => Bindings::read(path)?,
            None => Bindings::default(),
        };
        Ok((compare(&manifest, &header, &bindings)?, names))
    };
    let place = reporter.place(named_at.unwrap_or(target.place));
    match read() {
        Ok((mismatches, names)) => {
            for group in GROUPS {
                add_group(
                    reporter,
                    group,
                    &mismatches,
                    weights,
                    names.as_deref(),
                    &place,
                );
            }
        }
        Err(mut error) => {
            let report = match named_at {
                Some(_) => {
                    let mut report = Report::new("E5003", place.source, error.to_string());
                    report.place = place;
                    report.label = "these weights".to_owned();
                    report
                }
                None => {
                    // The file stands beside the message already.
                    let file = std::mem::take(&mut error.file);
                    let file = if file.as_os_str().is_empty() {
                        weights
                    } else {
                        &file
                    };
                    let source = reporter.reports.add_source(file.display().to_string(), "");
                    Report::new("E5003", source, error.to_string())
                }
            };
            reporter.reports.list.push(report);
        }
    }
}

/// How large the program is under a binding, in a line.
pub fn summary(db: &RootDatabase, target: &Target) -> Option<String> {
    let entries = target.bound.parameters(db).ok()?;
    let (mut always, mut optional) = (Total::default(), Total::default());
    for entry in &entries {
        let total = if entry.optional.is_empty() {
            &mut always
        } else {
            &mut optional
        };
        total.add(entry)?;
    }
    let name = match &target.name {
        Some(name) => format!("binding `{name}`"),
        None => format!("block `{}`", target.bound.root.name(db)),
    };
    let mut line = format!("{name}: {always}");
    if optional.tensors > 0 {
        line.push_str(&format!("; optional: {optional}"));
    }
    Some(line)
}

/// The size of several tensors together.
#[derive(Default)]
struct Total {
    tensors: u64,
    values: u64,
    bits: u64,
}

impl Total {
    /// `None` where it is more than can be counted.
    fn add(&mut self, entry: &BoundEntry) -> Option<()> {
        let values = entry.elements()?;
        let bits = DType::from_name(entry.dtype.name())?.bits();
        self.tensors = self.tensors.checked_add(entry.tensors()?)?;
        self.values = self.values.checked_add(values)?;
        self.bits = self.bits.checked_add(values.checked_mul(bits)?)?;
        Some(())
    }
}

impl fmt::Display for Total {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let plural = if self.tensors == 1 { "" } else { "s" };
        write!(
            f,
            "{} values in {} tensor{plural}, {}",
            grouped(self.values),
            self.tensors,
            size(self.bits / 8)
        )
    }
}

/// `1,234,567`
fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut out = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

/// Bytes in the unit that people use for them.
fn size(bytes: u64) -> String {
    match bytes {
        0..1_000_000 => format!("{:.1} kB", bytes as f64 / 1e3),
        1_000_000..1_000_000_000 => format!("{:.1} MB", bytes as f64 / 1e6),
        _ => format!("{:.2} GB", bytes as f64 / 1e9),
    }
}

/// The naming map to use: the one asked for, else the package's where it has one.
fn names_file(db: &RootDatabase, target: &Target, names: Option<&Path>) -> Option<PathBuf> {
    if let Some(names) = names {
        return Some(names.to_owned());
    }
    let beside = target.package?.root(db).join(NAMES);
    beside.exists().then_some(beside)
}

/// A line of the manifest as the comparison takes it; state is in no checkpoint.
fn expected(entry: &BoundEntry) -> Option<Expected> {
    let kind = match entry.kind {
        MemberKind::Param => Kind::Param,
        MemberKind::Buffer => Kind::Buffer,
        MemberKind::State | MemberKind::Sub => return None,
    };
    let part = |part: &BoundPart| match part {
        BoundPart::Name(name) => PathPart::Name(name.to_string()),
        BoundPart::Repeat(length) => PathPart::Repeat(*length),
    };
    Some(Expected {
        path: entry.path.iter().map(part).collect(),
        dtype: DType::from_name(entry.dtype.name())?,
        shape: entry.shape.clone(),
        kind,
        optional: entry.optional.clone(),
    })
}

/// One report for all mismatches of a kind.
fn add_group(
    reporter: &mut Reporter,
    (code, what, is_member): Group,
    mismatches: &[Mismatch],
    weights: &Path,
    names: Option<&Path>,
    place: &Place,
) {
    let members: Vec<&Mismatch> = mismatches.iter().filter(|m| is_member(m)).collect();
    let count = match members.len() {
        0 => return,
        1 => "1 tensor is".to_owned(),
        count => format!("{count} tensors are"),
    };
    let message = match (code, names) {
        ("E5008", Some(names)) => {
            format!(
                "entries of `{}` name no parameter or buffer",
                names.display()
            )
        }
        _ => format!("{count} {what} `{}`", weights.display()),
    };
    let mut report = Report::new(code, place.source, message);
    report.place = place.clone();
    report.label = "compared under this".to_owned();
    report.notes = members.iter().map(|member| line(member)).collect();
    if code == "E5004" && members.iter().any(|m| has_suggestion(m)) {
        let help =
            "where a name differs, say so in `bindings.json`: {\"path\": \"name of the tensor\"}";
        report.help.push(help.to_owned());
    }
    reporter.reports.list.push(report);
}

fn has_suggestion(mismatch: &Mismatch) -> bool {
    matches!(
        mismatch,
        Mismatch::Missing {
            suggestion: Some(_),
            ..
        }
    )
}

/// One mismatch without the word for its kind, which the report says.
fn line(mismatch: &Mismatch) -> String {
    let text = mismatch.to_string();
    match text.split_once(": ") {
        Some((_, rest)) => rest.to_owned(),
        None => text,
    }
}
