//! Looking up codes in the manual of diagnostics.

use linnet_hir::codes::{CODES, CodeInfo};

/// The code that looks most like `code`, where one does.
pub fn nearest(code: &str) -> Option<&'static CodeInfo> {
    let (letter, digits) = split(code)?;
    let distance = |info: &CodeInfo| {
        let (own_letter, own_digits) = split(info.code)?;
        let wrong = digits
            .chars()
            .zip(own_digits.chars())
            .filter(|(a, b)| a != b);
        let length = digits.chars().count().abs_diff(own_digits.len());
        Some(wrong.count() + length + usize::from(letter != own_letter))
    };
    CODES
        .iter()
        .filter_map(|info| Some((distance(info)?, info)))
        .min_by_key(|(distance, info)| (*distance, info.code))
        .filter(|(distance, _)| *distance <= 2)
        .map(|(_, info)| info)
}

fn split(code: &str) -> Option<(char, &str)> {
    let letter = code.chars().next()?;
    Some((letter, &code[letter.len_utf8()..]))
}

/// Breaks a paragraph into lines of at most `width` characters; words in backquotes stay whole.
pub fn wrap(text: &str, width: usize) -> String {
    let mut lines: Vec<String> = Vec::new();
    for word in words(text) {
        match lines.last_mut() {
            Some(line) if line.chars().count() + 1 + word.chars().count() <= width => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    lines.join("\n")
}

/// The words of a text, where a space between backquotes ends none.
fn words(text: &str) -> impl Iterator<Item = &str> {
    let mut quoted = false;
    let ends_word = move |c: char| {
        quoted ^= c == '`';
        c.is_whitespace() && !quoted
    };
    text.split(ends_word).filter(|word| !word.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn similar_codes() {
        let code = |text| nearest(text).map(|info| info.code);
        assert_eq!(code("E2293"), Some("E2203"));
        assert_eq!(code("W2101"), Some("E2101"));
        assert_eq!(code("E220"), Some("E2201"));
        assert_eq!(code("nonsense"), None);
        assert_eq!(code(""), None);
        assert_eq!(code("é"), None);
    }

    #[test]
    fn paragraphs_are_wrapped() {
        assert_eq!(wrap("one two  three\nfour", 9), "one two\nthree\nfour");
        assert_eq!(wrap("a `let x = 1` b", 8), "a\n`let x = 1`\nb");
        assert_eq!(wrap("", 10), "");
    }
}
