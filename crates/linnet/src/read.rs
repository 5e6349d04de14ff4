//! Reading sources as text, and their syntax errors, for the commands that check nothing.

use std::io::Read;
use std::path::Path;

use linnet_hir::db::{Contents, MAX_FILE_BYTES, RootDatabase, StdSource};
use linnet_syntax::{SyntaxError, TextRange};

use crate::report::{Fix, Place, Report, Reports, SourceId};

/// Reads files by the rules by which they are checked.
pub struct Reader {
    db: RootDatabase,
}

impl Reader {
    pub fn new() -> Self {
        Reader {
            db: RootDatabase::frozen(StdSource::Embedded),
        }
    }

    /// The text of a file, or the one thing that is wrong with it.
    pub fn file(&self, path: &Path) -> Contents {
        self.db.open(path).contents(&self.db).clone()
    }
}

/// The text on standard input.
pub fn stdin() -> Contents {
    let mut bytes = Vec::new();
    let input = std::io::stdin().lock();
    match input.take(MAX_FILE_BYTES + 1).read_to_end(&mut bytes) {
        Err(error) => return Contents::Unreadable(error.to_string()),
        Ok(count) if count as u64 > MAX_FILE_BYTES => {
            let bytes = count as u64;
            return Contents::TooLarge { bytes };
        }
        Ok(_) => {}
    }
    match String::from_utf8(bytes) {
        Ok(text) => Contents::from_text(&text),
        Err(error) => {
            let valid = error.utf8_error().valid_up_to();
            let before = String::from_utf8_lossy(&error.as_bytes()[..valid]);
            Contents::NotUtf8 {
                before: before.into(),
            }
        }
    }
}

/// Reports a file that has no text.
pub fn add_fault(reports: &mut Reports, name: &str, contents: &Contents) {
    let Some(why) = contents.fault() else { return };
    let (code, text, at) = match contents {
        Contents::NotUtf8 { before } | Contents::Nul { before } => {
            ("E1001", before.to_string(), before.len())
        }
        _ => ("E1202", String::new(), 0),
    };
    let source = reports.add_source(name, text);
    let mut report = Report::new(code, source, format!("this file cannot be read: {why}"));
    report.place.range = at..at;
    reports.list.push(report);
}

/// Reports the syntax errors of a file.
pub fn add_syntax_errors(reports: &mut Reports, source: SourceId, errors: &[SyntaxError]) {
    let place = |range: TextRange| Place {
        source,
        range: range.into(),
    };
    for error in errors {
        let mut report = Report::new(error.code, source, error.message.clone());
        report.place = place(error.range);
        report.label = error.label.clone();
        report.help.extend(error.help.clone());
        report.fixes.extend(error.fix.iter().map(|fix| {
            Fix {
                title: fix.title.clone(),
                edits: fix
                    .edits
                    .iter()
                    .map(|(range, text)| (place(*range), text.clone()))
                    .collect(),
            }
        }));
        reports.list.push(report);
    }
}
