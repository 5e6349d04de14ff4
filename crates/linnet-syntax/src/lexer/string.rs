//! String literals.

use super::Lexer;
use crate::{Fix, SyntaxError, SyntaxKind, SyntaxKind::*};

impl Lexer<'_> {
    /// `"..."` on one line, with the escapes `\n \t \r \\ \" \u{...}`.
    pub(super) fn string(&mut self) -> SyntaxKind {
        let start = self.pos;
        self.pos += 1;
        loop {
            match self.peek(0) {
                b'"' => {
                    self.pos += 1;
                    return STRING;
                }
                b'\\' => self.escape(),
                b'\n' | b'\r' => break,
                _ if self.pos >= self.bytes.len() => break,
                _ => self.pos += 1,
            }
        }
        let range = self.range(start, start + 1);
        self.error(
            SyntaxError::new("E1003", range, "this string is never closed", "opened here")
                .with_help("a string ends with `\"` on the line it began on"),
        );
        STRING
    }

    /// One escape, from its backslash on; a malformed one is reported and passed over.
    fn escape(&mut self) {
        let start = self.pos;
        self.pos += 1;
        let fault = match self.peek(0) {
            b'n' | b't' | b'r' | b'\\' | b'"' => {
                self.pos += 1;
                return;
            }
            b'u' => {
                self.pos += 1;
                match self.unicode_escape() {
                    Ok(()) => return,
                    Err(fault) => fault,
                }
            }
            // The end of the line: the string itself is the fault.
            b'\n' | b'\r' => return,
            _ => match self.char() {
                None => return,
                Some(c) => {
                    self.pos += c.len_utf8();
                    "unknown escape in a string"
                }
            },
        };
        let range = self.range(start, self.pos);
        self.error(
            SyntaxError::new("E1003", range, fault, "not an escape")
                .with_help("the escapes are \\n \\t \\r \\\\ \\\" and \\u{...}"),
        );
    }

    /// `{` one to six hexadecimal digits `}`, the number of a character.
    fn unicode_escape(&mut self) -> Result<(), &'static str> {
        if self.peek(0) != b'{' {
            return Err("`\\u` wants its number in braces");
        }
        self.pos += 1;
        let digits = self.pos;
        self.skip_while(|b| b.is_ascii_hexdigit());
        let number = u32::from_str_radix(&self.text[digits..self.pos], 16);
        if self.peek(0) != b'}' {
            return Err("`\\u{` wants hexadecimal digits and a `}`");
        }
        self.pos += 1;
        match number.ok().and_then(char::from_u32) {
            Some(_) if self.pos - digits <= 7 => Ok(()),
            _ => Err("this number is not that of a character"),
        }
    }

    /// `'...'`: a string of other languages, taken whole so that its text raises nothing further.
    pub(super) fn single_quoted(&mut self) -> SyntaxKind {
        let start = self.pos;
        self.pos += 1;
        self.skip_while(|b| !matches!(b, b'\'' | b'\n' | b'\r'));
        let closed = self.peek(0) == b'\'';
        self.pos = if closed { self.pos + 1 } else { start + 1 };
        let range = self.range(start, self.pos);
        let mut error = SyntaxError::new(
            "E1001",
            range,
            "unexpected character: `'`",
            "not part of the language",
        );
        if closed {
            let inner = &self.text[start + 1..self.pos - 1];
            error = error.with_help("a string is written in double quotes");
            if !inner.contains(['"', '\\']) {
                let quoted = format!("\"{inner}\"");
                error = error.with_fix(Fix::new("write double quotes", range, quoted));
            }
        }
        self.error(error);
        if closed { STRING } else { ERROR_TOKEN }
    }
}
