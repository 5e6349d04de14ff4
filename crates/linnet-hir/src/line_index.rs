//! From byte offsets to lines and columns, and back.

use linnet_syntax::{TextRange, TextSize};

use crate::db::{Db, SourceFile, shown_text};

/// A line and a column, both from 0.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct LineCol {
    pub line: u32,
    pub column: u32,
}

/// What a column counts.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub enum Columns {
    /// Unicode code points.
    Chars,
    /// Bytes.
    Utf8,
    /// UTF-16 code units, as most editors count.
    Utf16,
}

impl Columns {
    fn width(self, c: char) -> u32 {
        match self {
            Columns::Chars => 1,
            Columns::Utf8 => c.len_utf8() as u32,
            Columns::Utf16 => c.len_utf16() as u32,
        }
    }
}

/// Where the lines of a text begin. A line ends with `\n`, `\r\n` or a lone `\r`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LineIndex {
    starts: Vec<u32>,
    len: u32,
}

/// The lines of a file's text as it is shown.
#[salsa::tracked(returns(ref), lru = 256)]
pub fn line_index(db: &dyn Db, file: SourceFile) -> LineIndex {
    LineIndex::new(shown_text(db, file))
}

impl LineIndex {
    pub fn new(text: &str) -> LineIndex {
        let bytes = text.as_bytes();
        let mut starts = vec![0];
        for (at, byte) in bytes.iter().enumerate() {
            let ends = match byte {
                b'\n' => true,
                b'\r' => bytes.get(at + 1) != Some(&b'\n'),
                _ => false,
            };
            if ends {
                starts.push(at as u32 + 1);
            }
        }
        LineIndex {
            starts,
            len: bytes.len() as u32,
        }
    }

    /// How many lines there are; an empty one after the last line end counts.
    pub fn lines(&self) -> u32 {
        self.starts.len() as u32
    }

    /// The bytes of a line, its end included.
    pub fn line_range(&self, line: u32) -> Option<TextRange> {
        let start = *self.starts.get(line as usize)?;
        let end = self
            .starts
            .get(line as usize + 1)
            .copied()
            .unwrap_or(self.len);
        Some(TextRange::new(start.into(), end.into()))
    }

    /// Where a byte offset stands in the text that this index was made from. An offset past the end or inside a
    /// character counts as the last one before it.
    pub fn line_col(&self, text: &str, offset: TextSize, columns: Columns) -> LineCol {
        let offset = u32::from(offset).min(self.len);
        let line = self.starts.partition_point(|start| *start <= offset) - 1;
        let start = self.starts[line];
        let mut column = 0;
        if let Some(rest) = text.get(start as usize..) {
            for (at, c) in rest.char_indices() {
                if start + (at + c.len_utf8()) as u32 > offset {
                    break;
                }
                column += columns.width(c);
            }
        }
        LineCol {
            line: line as u32,
            column,
        }
    }

    /// The byte offset of a line and column; past the end of a line its end, past the last line the end of the text.
    pub fn offset(&self, text: &str, at: LineCol, columns: Columns) -> TextSize {
        let Some(range) = self.line_range(at.line) else {
            return self.len.into();
        };
        let line = text
            .get(std::ops::Range::<usize>::from(range))
            .unwrap_or_default();
        let line = line.trim_end_matches(['\n', '\r']);
        let mut column = 0;
        for (byte, c) in line.char_indices() {
            column += columns.width(c);
            if column > at.column {
                return range.start() + TextSize::new(byte as u32);
            }
        }
        range.start() + TextSize::of(line)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "ab\r\nc\u{e9}\u{1f600}d\rx\n";

    #[test]
    fn positions_in_each_unit() {
        let index = LineIndex::new(TEXT);
        assert_eq!(index.lines(), 4);
        // byte, line, columns in code points, bytes and UTF-16 units
        for (offset, line, chars, utf8, utf16) in [
            (0, 0, 0, 0, 0),
            (1, 0, 1, 1, 1),
            (4, 1, 0, 0, 0),
            (5, 1, 1, 1, 1),
            (7, 1, 2, 3, 2),
            (11, 1, 3, 7, 4),
            (12, 1, 4, 8, 5),
            (13, 2, 0, 0, 0),
            (15, 3, 0, 0, 0),
        ] {
            let at = TextSize::new(offset);
            for (columns, column) in [
                (Columns::Chars, chars),
                (Columns::Utf8, utf8),
                (Columns::Utf16, utf16),
            ] {
                let expected = LineCol { line, column };
                assert_eq!(
                    index.line_col(TEXT, at, columns),
                    expected,
                    "{offset} {columns:?}"
                );
                assert_eq!(
                    index.offset(TEXT, expected, columns),
                    at,
                    "{offset} {columns:?}"
                );
            }
        }
    }

    #[test]
    fn positions_that_are_not_there_are_clamped() {
        let index = LineIndex::new(TEXT);
        let line_col = |offset| index.line_col(TEXT, TextSize::new(offset), Columns::Utf16);
        assert_eq!(line_col(999), LineCol { line: 3, column: 0 });
        // Inside the emoji.
        assert_eq!(line_col(8), LineCol { line: 1, column: 2 });
        let offset =
            |line, column| u32::from(index.offset(TEXT, LineCol { line, column }, Columns::Utf16));
        assert_eq!(offset(0, 99), 2);
        assert_eq!(offset(1, 3), 7);
        assert_eq!(offset(9, 0), 15);
        assert_eq!(LineIndex::new("").lines(), 1);
    }
}
