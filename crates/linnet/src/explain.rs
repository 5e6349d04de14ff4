//! Looking up codes in the manual of diagnostics: those of the checker, and those about weights.

use linnet_hir::codes::{self, CODES, CodeInfo};

/// What [`crate::weights`] reports, for which no program is an example.
const WEIGHTS: [CodeInfo; 6] = [
    entry(
        "E5003",
        "a weights file, index or `bindings.json` that cannot be read or is malformed",
        "Only headers are read: 8 bytes of length, JSON, and data whose size must fit what the JSON says. The \
         message names the file and the tensor or entry. Save the checkpoint again, or take a copy that is whole.",
    ),
    entry(
        "E5004",
        "a tensor that the weights lack",
        "A `param` or `buffer` is bound to the tensor of its path, or to the one that `bindings.json` names for \
         it. Where a tensor is left over that is likely meant, it is suggested: give its name in \
         `bindings.json`. What a checkpoint may lack is declared optional: `param bias: Tensor[N; T]? = none`.",
    ),
    entry(
        "E5005",
        "a tensor in the weights that nothing is bound to",
        "A checkpoint holds what the program declares and nothing else, so that no weight is left out by \
         mistake. Declare it, name it in `bindings.json`, or remove it from the checkpoint.",
    ),
    entry(
        "E5006",
        "a tensor of another shape in the weights",
        "The shape in the header differs from the declared one under this binding. Loading never transposes or \
         reshapes: check the values of the binding, and in which order the checkpoint has the axes.",
    ),
    entry(
        "E5007",
        "a tensor of another dtype in the weights",
        "Loading never converts. Bind the dtype that the checkpoint has, or convert the checkpoint.",
    ),
    entry(
        "E5008",
        "an entry of `bindings.json` that names no parameter or buffer",
        "The left side of an entry is a path of the root block, with a placeholder such as `{i}` for the \
         position in an array. `linnet inspect --parameters` lists the paths.",
    ),
];

const fn entry(code: &'static str, title: &'static str, explanation: &'static str) -> CodeInfo {
    CodeInfo {
        code,
        title,
        explanation,
        example: "",
        fixed: "",
    }
}

/// What is known of a code, written in any case.
pub fn find(code: &str) -> Option<&'static CodeInfo> {
    let own = || {
        WEIGHTS
            .iter()
            .find(|info| info.code.eq_ignore_ascii_case(code))
    };
    codes::explain(code).or_else(own)
}

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
        .chain(&WEIGHTS)
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
