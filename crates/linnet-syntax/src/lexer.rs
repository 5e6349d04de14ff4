//! Text to tokens. Every byte ends up in exactly one token, whatever the text is.

mod number;
mod string;

pub(crate) use number::{I64_MIN_MAGNITUDE, parse_int, too_large};

use rowan::{TextRange, TextSize};

use crate::{Fix, SyntaxError, SyntaxKind, SyntaxKind::*};

/// One token: what it is and how many bytes it covers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LexToken {
    /// What it is.
    pub kind: SyntaxKind,
    /// Its length in bytes, at least 1.
    pub len: u32,
}

/// Splits `text` into tokens, trivia included; their lengths add up to that of `text`.
///
/// Lexical faults are those of [`lex_with_errors`].
pub fn lex(text: &str) -> Vec<LexToken> {
    lex_with_errors(text).0
}

/// [`lex`], with the faults found (E1001, E1002, E1003, E1005) in the order of the text.
///
/// The single integer `9223372036854775808` passes here: only the parser knows whether a minus
/// stands before it.
pub fn lex_with_errors(text: &str) -> (Vec<LexToken>, Vec<SyntaxError>) {
    let mut lexer = Lexer {
        text,
        bytes: text.as_bytes(),
        pos: 0,
        // Linnet text has about one token in four bytes.
        tokens: Vec::with_capacity(text.len() / 3 + 1),
        errors: Vec::new(),
    };
    lexer.run();
    lexer.errors.sort_by_key(|error| error.range.start());
    (lexer.tokens, lexer.errors)
}

struct Lexer<'t> {
    text: &'t str,
    bytes: &'t [u8],
    pos: usize,
    tokens: Vec<LexToken>,
    errors: Vec<SyntaxError>,
}

impl Lexer<'_> {
    fn run(&mut self) {
        if self.text.starts_with('\u{feff}') {
            self.pos = '\u{feff}'.len_utf8();
            self.push(BOM, 0);
        }
        while self.pos < self.bytes.len() {
            let start = self.pos;
            let kind = self.token();
            debug_assert!(self.pos > start);
            self.push(kind, start);
        }
    }

    fn push(&mut self, kind: SyntaxKind, start: usize) {
        self.tokens.push(LexToken {
            kind,
            len: (self.pos - start) as u32,
        });
    }

    /// The byte `n` places ahead; NUL past the end, which no token contains.
    fn peek(&self, n: usize) -> u8 {
        self.bytes.get(self.pos + n).copied().unwrap_or(0)
    }

    fn char(&self) -> Option<char> {
        self.text[self.pos..].chars().next()
    }

    fn skip_while(&mut self, accept: impl Fn(u8) -> bool) {
        while self.pos < self.bytes.len() && accept(self.bytes[self.pos]) {
            self.pos += 1;
        }
    }

    fn range(&self, start: usize, end: usize) -> TextRange {
        TextRange::new(TextSize::new(start as u32), TextSize::new(end as u32))
    }

    fn error(&mut self, error: SyntaxError) {
        self.errors.push(error);
    }

    /// Takes the next token and says what it is.
    fn token(&mut self) -> SyntaxKind {
        let first = self.peek(0);
        match first {
            b' ' | b'\t' | b'\n' | b'\r' | 0x0b | 0x0c => {
                self.skip_while(|b| matches!(b, b' ' | b'\t' | b'\n' | b'\r' | 0x0b | 0x0c));
                WHITESPACE
            }
            b'a'..=b'z' | b'A'..=b'Z' | b'_' => self.word(),
            b'0'..=b'9' => self.number(),
            b'/' if self.peek(1) == b'/' => self.line_comment(),
            b'/' if self.peek(1) == b'*' => self.block_comment(),
            b'"' => self.string(),
            b'.' if self.peek(1).is_ascii_digit() && !self.after_operand() => {
                self.number_without_whole_part()
            }
            _ => match self.punctuation() {
                Some((kind, len)) => {
                    self.pos += len;
                    kind
                }
                None => self.invalid(),
            },
        }
    }

    /// Whether the last token, with nothing between, can end an operand.
    fn after_operand(&self) -> bool {
        self.tokens.last().is_some_and(|token| {
            matches!(
                token.kind,
                IDENT | INT_NUMBER | FLOAT_NUMBER | STRING | R_PAREN | R_BRACK | R_CURLY
            )
        })
    }

    fn punctuation(&self) -> Option<(SyntaxKind, usize)> {
        let next = self.peek(1);
        Some(match self.peek(0) {
            b'(' => (L_PAREN, 1),
            b')' => (R_PAREN, 1),
            b'[' => (L_BRACK, 1),
            b']' => (R_BRACK, 1),
            b'{' => (L_CURLY, 1),
            b'}' => (R_CURLY, 1),
            b',' => (COMMA, 1),
            b';' => (SEMICOLON, 1),
            b'?' => (QUESTION, 1),
            b'+' => (PLUS, 1),
            b'*' => (STAR, 1),
            b'/' => (SLASH, 1),
            b'%' => (PERCENT, 1),
            b'^' => (CARET, 1),
            b':' if next == b':' => (COLON2, 2),
            b':' => (COLON, 1),
            b'.' if next == b'.' && self.peek(2) == b'.' => (DOT3, 3),
            b'.' if next == b'.' => (DOT2, 2),
            b'.' => (DOT, 1),
            b'=' if next == b'=' => (EQ2, 2),
            b'=' if next == b'>' => (FAT_ARROW, 2),
            b'=' => (EQ, 1),
            b'!' if next == b'=' => (NEQ, 2),
            b'!' => (BANG, 1),
            b'<' if next == b'=' => (LTEQ, 2),
            b'<' => (LT, 1),
            b'>' if next == b'=' => (GTEQ, 2),
            b'>' => (GT, 1),
            b'-' if next == b'>' => (THIN_ARROW, 2),
            b'-' => (MINUS, 1),
            b'&' if next == b'&' => (AMP2, 2),
            b'&' => (AMP, 1),
            b'|' if next == b'|' => (PIPE2, 2),
            b'|' => (PIPE, 1),
            _ => return None,
        })
    }

    fn word(&mut self) -> SyntaxKind {
        let start = self.pos;
        self.skip_while(|b| b.is_ascii_alphanumeric() || b == b'_');
        if self.peek(0) >= 0x80 && self.char().is_some_and(char::is_alphanumeric) {
            return self.foreign_word();
        }
        SyntaxKind::from_word(&self.text[start..self.pos]).unwrap_or(IDENT)
    }

    /// The rest of a word with letters outside ASCII: one fault, and a name to the parser.
    fn foreign_word(&mut self) -> SyntaxKind {
        let start = self.pos;
        let mut foreign = None;
        let mut end = start;
        for (offset, c) in self.text[start..].char_indices() {
            if !(c.is_alphanumeric() || c == '_') {
                break;
            }
            end = start + offset + c.len_utf8();
            if !c.is_ascii() {
                foreign.get_or_insert((c, end));
            }
        }
        self.pos = end;
        if let Some((c, _)) = foreign {
            let range = self.range(start, start + c.len_utf8());
            self.error(
                SyntaxError::new(
                    "E1001",
                    range,
                    format!("`{c}` cannot stand in a name"),
                    "not ASCII",
                )
                .with_help("names are made of the letters a to z and A to Z, digits and `_`"),
            );
        }
        IDENT
    }

    /// `// line`. The line break is not part of it; a lone `\r` breaks a line too, as in editors.
    fn line_comment(&mut self) -> SyntaxKind {
        let doc = self.peek(2) == b'/' && self.peek(3) != b'/';
        self.skip_while(|b| b != b'\n' && b != b'\r');
        if doc { DOC_LINE_COMMENT } else { LINE_COMMENT }
    }

    /// `/* block, /* nested */ */`.
    fn block_comment(&mut self) -> SyntaxKind {
        let start = self.pos;
        let doc = self.peek(2) == b'*' && self.peek(3) != b'*' && self.peek(3) != b'/';
        self.pos += 2;
        let mut depth = 1usize;
        while depth > 0 {
            match (self.peek(0), self.peek(1)) {
                (b'*', b'/') => {
                    depth -= 1;
                    self.pos += 2;
                }
                (b'/', b'*') => {
                    depth += 1;
                    self.pos += 2;
                }
                _ if self.pos < self.bytes.len() => self.pos += 1,
                _ => {
                    let range = self.range(start, start + 2);
                    self.error(
                        SyntaxError::new(
                            "E1002",
                            range,
                            "this block comment is never closed",
                            "opened here",
                        )
                        .with_help("comments nest: each `/*` needs its own `*/`"),
                    );
                    break;
                }
            }
        }
        if doc {
            DOC_BLOCK_COMMENT
        } else {
            BLOCK_COMMENT
        }
    }

    /// A run of characters that begin no token, reported once.
    fn invalid(&mut self) -> SyntaxKind {
        let start = self.pos;
        let Some(c) = self.char() else { return EOF };
        if c.is_alphabetic() {
            return self.foreign_word();
        }
        match c {
            '\'' => return self.single_quoted(),
            // A habit from Python; what follows is prose, unless it is an attribute.
            '#' if self.peek(1) != b'[' => {
                self.skip_while(|b| b != b'\n' && b != b'\r');
                let range = self.range(start, start + 1);
                let fix = Fix::new("write `//`", range, "//");
                self.error(
                    SyntaxError::new("E1001", range, "unexpected character: `#`", "not a comment")
                        .with_help("a comment begins with `//`")
                        .with_fix(fix),
                );
                return ERROR_TOKEN;
            }
            _ => {}
        }
        self.pos += c.len_utf8();
        while let Some(c) = self.char()
            && self.begins_no_token(c)
        {
            self.pos += c.len_utf8();
        }
        let range = self.range(start, self.pos);
        let mut error = SyntaxError::new(
            "E1001",
            range,
            format!("unexpected character: {}", describe_char(c)),
            "not part of the language",
        );
        if c.is_whitespace() || is_invisible(c) {
            error = error
                .with_help("only blanks, tabs and line breaks separate tokens")
                .with_fix(Fix::new("replace by a blank", range, " "));
        } else if c == '@' {
            error = error.with_help("matrices are multiplied by `matmul` of `std.linalg`");
        }
        self.error(error);
        ERROR_TOKEN
    }

    fn begins_no_token(&self, c: char) -> bool {
        match c {
            'a'..='z' | 'A'..='Z' | '0'..='9' | '_' | '"' | '\'' | '#' => false,
            ' ' | '\t' | '\n' | '\r' | '\x0b' | '\x0c' => false,
            _ => !c.is_alphabetic() && self.punctuation().is_none(),
        }
    }
}

/// A character as a reader can recognise it, invisible ones by number.
fn describe_char(c: char) -> String {
    if c == '`' {
        "a backquote".to_owned()
    } else if c.is_control() || c.is_whitespace() || is_invisible(c) {
        format!("U+{:04X}", c as u32)
    } else {
        format!("`{c}`")
    }
}

/// Characters that take no room on the screen and could hide code from a reader.
fn is_invisible(c: char) -> bool {
    matches!(c, '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{2069}' | '\u{feff}')
}
