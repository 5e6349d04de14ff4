//! Number literals.

use super::Lexer;
use crate::{Fix, SyntaxError, SyntaxKind, SyntaxKind::*};

/// One more than the largest `i64`: valid only under a minus, which the parser sees.
pub(crate) const I64_MIN_MAGNITUDE: u64 = 1 << 63;

impl Lexer<'_> {
    /// `42  1_000  0xff  0b1010  1.5  1e-5  3.141_592`
    pub(super) fn number(&mut self) -> SyntaxKind {
        let start = self.pos;
        let mut kind = INT_NUMBER;
        let radix = if self.peek(0) == b'0' {
            self.peek(1)
        } else {
            b' '
        };
        if radix.is_ascii_alphabetic() && !matches!(radix, b'e' | b'E') {
            self.pos += 2;
        } else {
            self.digits();
            if self.peek(0) == b'.' && self.point_of_a_float() {
                kind = FLOAT_NUMBER;
                self.pos += 1;
                self.digits();
            }
            if self.exponent() {
                kind = FLOAT_NUMBER;
            }
        }
        // What a name could go on with belongs to the number, well formed or not.
        self.skip_while(|b| b.is_ascii_alphanumeric() || b == b'_');
        self.check_number(start, kind);
        kind
    }

    /// `.5`, which wants a digit before its point.
    pub(super) fn number_without_whole_part(&mut self) -> SyntaxKind {
        let start = self.pos;
        self.pos += 1;
        self.digits();
        self.exponent();
        self.skip_while(|b| b.is_ascii_alphanumeric() || b == b'_');
        let range = self.range(start, self.pos);
        self.error(
            SyntaxError::new(
                "E1005",
                range,
                "malformed number",
                "a digit is missing before the point",
            )
            .with_fix(Fix::new("write a zero", self.range(start, start), "0")),
        );
        FLOAT_NUMBER
    }

    fn digits(&mut self) {
        self.skip_while(|b| b.is_ascii_digit() || b == b'_');
    }

    /// Whether the point ahead belongs to the number: not that of `1..2`, nor of `1.name`.
    fn point_of_a_float(&self) -> bool {
        match self.peek(1) {
            b'.' => false,
            b'_' => self.peek(2).is_ascii_digit(),
            b'e' | b'E' => match self.peek(2) {
                b'+' | b'-' => self.peek(3).is_ascii_digit(),
                next => next.is_ascii_digit(),
            },
            next => !next.is_ascii_alphabetic(),
        }
    }

    /// Takes `e-5` if it stands here.
    fn exponent(&mut self) -> bool {
        if !matches!(self.peek(0), b'e' | b'E') {
            return false;
        }
        let sign = usize::from(matches!(self.peek(1), b'+' | b'-'));
        if !self.peek(1 + sign).is_ascii_digit() {
            return false;
        }
        self.pos += 1 + sign;
        self.digits();
        true
    }

    fn check_number(&mut self, start: usize, kind: SyntaxKind) {
        let text = &self.text[start..self.pos];
        let range = self.range(start, self.pos);
        if let Some(fault) = malformed(text, kind) {
            let mut error = SyntaxError::new("E1005", range, "malformed number", fault);
            if text.ends_with('.') {
                let end = self.range(self.pos, self.pos);
                error = error.with_fix(Fix::new("write a zero", end, "0"));
            } else if fault == LOWER_PREFIX {
                let prefix = self.range(start, start + 2);
                error = error.with_fix(Fix::new(
                    "write the prefix in small letters",
                    prefix,
                    text[..2].to_ascii_lowercase(),
                ));
            }
            self.error(error);
        } else if kind == INT_NUMBER
            && parse_int(text).is_none_or(|value| value > I64_MIN_MAGNITUDE)
        {
            self.error(too_large(range));
        }
    }
}

/// E1005 for an integer outside the range of `i64`.
pub(crate) fn too_large(range: rowan::TextRange) -> SyntaxError {
    SyntaxError::new(
        "E1005",
        range,
        "this integer is too large",
        "outside the range of `i64`",
    )
    .with_help(format!("the largest integer is {}", i64::MAX))
}

const LOWER_PREFIX: &str = "the prefix is `0x` or `0b`";

/// What is wrong with the form of a number, if anything.
fn malformed(text: &str, kind: SyntaxKind) -> Option<&'static str> {
    let bytes = text.as_bytes();
    if kind == INT_NUMBER && bytes.len() > 1 && bytes[1].is_ascii_alphabetic() && bytes[0] == b'0' {
        let is_digit: fn(&u8) -> bool = match bytes[1] {
            b'x' => u8::is_ascii_hexdigit,
            b'b' => |b| matches!(b, b'0' | b'1'),
            b'X' | b'B' => return Some(LOWER_PREFIX),
            b'o' | b'O' => return Some("there are no octal numbers"),
            b'e' | b'E' => return Some("the exponent has no digits"),
            _ => return Some("a number and a name stand apart"),
        };
        let digits = &bytes[2..];
        if digits.is_empty() {
            return Some("there are no digits after the prefix");
        }
        if !digits.iter().all(|b| is_digit(b) || *b == b'_') {
            return Some("a digit does not fit the prefix");
        }
        return misplaced_underscore(digits, is_digit);
    }
    if text.ends_with('.') {
        return Some("a digit is missing after the point");
    }
    let after_digits = bytes
        .iter()
        .position(|b| !(b.is_ascii_digit() || *b == b'_'));
    match (kind, after_digits) {
        (INT_NUMBER, Some(at)) if matches!(bytes[at], b'e' | b'E') && at + 1 == bytes.len() => {
            return Some("the exponent has no digits");
        }
        (INT_NUMBER, Some(_)) => return Some("a number and a name stand apart"),
        _ => {}
    }
    // In a float, letters are an exponent or a tail that does not belong; `1.e5` lacks digits.
    let mut seen_exponent = false;
    for (at, byte) in bytes.iter().enumerate() {
        match byte {
            b'e' | b'E' if !seen_exponent => {
                seen_exponent = true;
                if at > 0 && bytes[at - 1] == b'.' {
                    return Some("a digit is missing after the point");
                }
            }
            b if b.is_ascii_alphabetic() => return Some("a number and a name stand apart"),
            _ => {}
        }
    }
    misplaced_underscore(bytes, u8::is_ascii_digit)
}

fn misplaced_underscore(bytes: &[u8], is_digit: fn(&u8) -> bool) -> Option<&'static str> {
    let between_digits =
        |at: usize| at > 0 && is_digit(&bytes[at - 1]) && bytes.get(at + 1).is_some_and(is_digit);
    let misplaced = bytes
        .iter()
        .enumerate()
        .any(|(at, b)| *b == b'_' && !between_digits(at));
    misplaced.then_some("`_` stands between two digits")
}

/// The value of a well-formed integer literal, if it fits.
pub(crate) fn parse_int(text: &str) -> Option<u64> {
    let (digits, radix) = match text.as_bytes() {
        [b'0', b'x', ..] => (&text[2..], 16),
        [b'0', b'b', ..] => (&text[2..], 2),
        _ => (text, 10),
    };
    let mut value: u64 = 0;
    for c in digits.chars().filter(|c| *c != '_') {
        let digit = c.to_digit(radix)?;
        value = value
            .checked_mul(u64::from(radix))?
            .checked_add(u64::from(digit))?;
    }
    Some(value)
}
