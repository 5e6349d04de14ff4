//! Reports ready to be shown: diagnostics whose places are files with text, free of the database.

use std::cell::OnceCell;
use std::cmp::Reverse;
use std::ops::Range;
use std::path::Path;

/// How grave a report is.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Severity {
    Error,
    Warning,
}

impl Severity {
    pub fn name(self) -> &'static str {
        match self {
            Severity::Error => "error",
            Severity::Warning => "warning",
        }
    }

    /// Codes of warnings begin with `W`.
    pub fn of_code(code: &str) -> Severity {
        if code.starts_with('W') {
            Severity::Warning
        } else {
            Severity::Error
        }
    }
}

/// A file that reports point into.
#[derive(Debug)]
pub struct Source {
    /// The path as the user knows it.
    pub name: String,
    pub text: String,
    lines: OnceCell<LineIndex>,
}

/// The number of a [`Source`] among those of its [`Reports`].
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct SourceId(pub usize);

/// A place in a file, in bytes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Place {
    pub source: SourceId,
    pub range: Range<usize>,
}

/// A fix as text edits.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Fix {
    pub title: String,
    /// Each place and what stands there instead.
    pub edits: Vec<(Place, String)>,
}

/// One fault as a reader sees it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Report {
    pub code: String,
    pub place: Place,
    pub message: String,
    pub label: String,
    pub related: Vec<(Place, String)>,
    pub notes: Vec<String>,
    pub help: Vec<String>,
    pub fixes: Vec<Fix>,
}

impl Report {
    /// A fault of a file as a whole.
    pub fn new(code: &str, source: SourceId, message: impl Into<String>) -> Self {
        Report {
            code: code.to_owned(),
            place: Place {
                source,
                range: 0..0,
            },
            message: message.into(),
            label: String::new(),
            related: Vec::new(),
            notes: Vec::new(),
            help: Vec::new(),
            fixes: Vec::new(),
        }
    }

    pub fn severity(&self) -> Severity {
        Severity::of_code(&self.code)
    }
}

/// Everything one run has to say.
#[derive(Debug, Default)]
pub struct Reports {
    pub sources: Vec<Source>,
    pub list: Vec<Report>,
}

impl Reports {
    /// Adds a file; the caller sees to it that none is added twice.
    pub fn add_source(&mut self, name: impl Into<String>, text: impl Into<String>) -> SourceId {
        self.sources.push(Source::new(name, text));
        SourceId(self.sources.len() - 1)
    }

    /// Adds a fault of a path that has no text to show.
    pub fn add_path_fault(&mut self, path: &Path, code: &str, message: impl Into<String>) {
        let source = self.add_source(path.display().to_string(), "");
        self.list.push(Report::new(code, source, message));
    }

    pub fn source(&self, id: SourceId) -> &Source {
        &self.sources[id.0]
    }

    pub fn count(&self, severity: Severity) -> usize {
        let of_kind = |report: &&Report| report.severity() == severity;
        self.list.iter().filter(of_kind).count()
    }

    /// Orders reports by file name, then by place, the widest first.
    pub fn sort(&mut self) {
        let sources = &self.sources;
        self.list.sort_by(|a, b| {
            let key = |report: &Report| {
                let Range { start, end } = report.place.range;
                (start, Reverse(end))
            };
            let name = |report: &Report| sources[report.place.source.0].name.as_str();
            (name(a), key(a), &a.code).cmp(&(name(b), key(b), &b.code))
        });
    }
}

/// A position as people count it.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Position {
    /// From 1.
    pub line: usize,
    /// From 1, in code points.
    pub column: usize,
    /// From 0, in bytes.
    pub offset: usize,
}

impl Source {
    pub fn new(name: impl Into<String>, text: impl Into<String>) -> Self {
        Source {
            name: name.into(),
            text: text.into(),
            lines: OnceCell::new(),
        }
    }

    fn lines(&self) -> &LineIndex {
        self.lines.get_or_init(|| LineIndex::new(&self.text))
    }

    /// Where a byte stands; past the end is the end.
    pub fn position(&self, offset: usize) -> Position {
        let offset = offset.min(self.text.len());
        let lines = self.lines();
        let line = lines.line_of(offset);
        let before = self.chars_before(lines.starts[line]);
        Position {
            line: line + 1,
            column: self.chars_before(offset) - before + 1,
            offset,
        }
    }

    /// How many code points stand before a byte.
    pub fn chars_before(&self, offset: usize) -> usize {
        let offset = offset.min(self.text.len());
        let mark = offset / LineIndex::STRIDE;
        let counted = self.lines().marks[mark];
        counted + count_chars(&self.text.as_bytes()[mark * LineIndex::STRIDE..offset])
    }

    /// The bytes of the line that a byte stands on, without its end.
    pub fn line_range(&self, offset: usize) -> Range<usize> {
        let starts = &self.lines().starts;
        let line = self.lines().line_of(offset.min(self.text.len()));
        let start = starts[line];
        let end = starts
            .get(line + 1)
            .map_or(self.text.len(), |next| next - 1);
        start..end
    }
}

/// Where lines begin, and how many code points come before every so many bytes.
#[derive(Debug)]
struct LineIndex {
    starts: Vec<usize>,
    /// Code points before each multiple of [`Self::STRIDE`]: a file of one line is no slower than others.
    marks: Vec<usize>,
}

impl LineIndex {
    const STRIDE: usize = 1024;

    fn new(text: &str) -> Self {
        let mut starts = vec![0];
        starts.extend(text.match_indices('\n').map(|(at, _)| at + 1));
        let mut marks = vec![0];
        let mut total = 0;
        for chunk in text.as_bytes().chunks(Self::STRIDE) {
            total += count_chars(chunk);
            marks.push(total);
        }
        LineIndex { starts, marks }
    }

    fn line_of(&self, offset: usize) -> usize {
        self.starts.partition_point(|&start| start <= offset) - 1
    }
}

/// Code points that begin in `bytes`.
fn count_chars(bytes: &[u8]) -> usize {
    bytes.iter().filter(|&&byte| byte & 0xc0 != 0x80).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_count_code_points() {
        let source = Source::new("x", "ab\r\néa\u{1f426}c\n\n");
        let place = |offset| {
            let at = source.position(offset);
            (at.line, at.column)
        };
        assert_eq!(place(0), (1, 1));
        assert_eq!(place(3), (1, 4)); // the line feed
        assert_eq!(place(4), (2, 1));
        assert_eq!(place(6), (2, 2)); // behind the two bytes of é
        assert_eq!(place(7), (2, 3));
        assert_eq!(place(11), (2, 4)); // behind the four bytes of the bird
        assert_eq!(place(13), (3, 1));
        assert_eq!(place(14), (4, 1));
        assert_eq!(place(1000), (4, 1));
        assert_eq!(Source::new("x", "").position(5).column, 1);
        assert_eq!(source.line_range(7), 4..12);
        assert_eq!(source.line_range(14), 14..14);
    }

    #[test]
    fn positions_in_one_long_line() {
        let text = "é".repeat(5000);
        let source = Source::new("x", text);
        for chars in [0, 1, 511, 512, 513, 4999, 5000] {
            assert_eq!(source.position(chars * 2).column, chars + 1);
        }
    }
}
