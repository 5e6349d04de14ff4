//! The manual of diagnostic codes, embedded in the binary.
//!
//! `explain.txt` holds one entry for each code: a line `# CODE title`, then the text, in which indented
//! lines are source.

/// What is known of one code.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Entry {
    pub code: &'static str,
    /// What it is reported for, in half a line.
    pub title: &'static str,
    pub text: &'static str,
}

const TEXT: &str = include_str!("explain.txt");

/// Every entry, in the order of the codes.
pub fn entries() -> impl Iterator<Item = Entry> {
    let blocks = TEXT.split("\n# ").enumerate();
    blocks.filter_map(|(nth, block)| {
        let block = if nth == 0 {
            block.strip_prefix("# ")?
        } else {
            block
        };
        let (head, text) = block.split_once('\n')?;
        let (code, title) = head.split_once(' ')?;
        let text = text.trim_start_matches('\n');
        Some(Entry { code, title, text })
    })
}

/// The entry of a code, written in capitals.
pub fn find(code: &str) -> Option<Entry> {
    entries().find(|entry| entry.code == code)
}

/// The code that looks most like `code`, where one does.
pub fn nearest(code: &str) -> Option<&'static str> {
    let (letter, digits) = split(code)?;
    let distance = |entry: &Entry| {
        let (own_letter, own_digits) = split(entry.code)?;
        let wrong = digits
            .bytes()
            .zip(own_digits.bytes())
            .filter(|(a, b)| a != b);
        let length = digits.len().abs_diff(own_digits.len());
        Some(wrong.count() + length + usize::from(letter != own_letter))
    };
    entries()
        .filter_map(|entry| Some((distance(&entry)?, entry.code)))
        .min()
        .filter(|(distance, _)| *distance <= 2)
        .map(|(_, code)| code)
}

fn split(code: &str) -> Option<(char, &str)> {
    let letter = code.chars().next()?;
    Some((letter, &code[letter.len_utf8()..]))
}
