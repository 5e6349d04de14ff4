//! Mutations of texts: characters, tokens, lines, subtrees, and pieces of other files.

use std::ops::Range;

use linnet_syntax::{SyntaxKind, SyntaxNode, lex, parse};

use crate::rng::Rng;

/// The longest text that mutation makes.
const LONGEST: usize = 96 << 10;

/// Characters and words that parsers are known to stumble over.
const ODD: &[&str] = &[
    "\0",
    "\u{feff}",
    "\r",
    "\r\n",
    "\t",
    "\u{2028}",
    "é",
    "漢",
    "😀",
    "\u{200d}",
    "\\",
    "\"",
    "/*",
    "*/",
    "//",
    "///",
    "/**",
    "{",
    "}",
    "(",
    ")",
    "[",
    "]",
    "<",
    ">",
    "<<",
    ">>",
    "::",
    "...",
    "..",
    ".",
    ",",
    ";",
    "@",
    "#",
    "$",
    "?",
    "0x",
    "0b",
    "1_",
    "1e",
    "1.",
    "1e999",
    "9223372036854775807",
    "9223372036854775808",
    "-1",
    "0",
    "00",
    "1e-400",
    "\"\\u{110000}\"",
    "\"\\u{",
    "_",
    "*S",
    "*",
    "fn f",
    "block B",
    " where ",
    " grad(y, dy)",
    "sum<f32>[i]",
    "let x[i] =",
    "static for i in 0..N {",
    " none ",
];

/// A mutated text, from one of these or from two.
pub fn text(texts: &[String], rng: &mut Rng) -> String {
    let mut text = rng.pick(texts).clone();
    // One careful change finds other faults than much damage.
    let changes = [1, 1, 1, 2, 2, 3, 5, 12][rng.below(8)];
    for _ in 0..changes {
        let other = rng.pick(texts);
        text = change(text, other, rng);
    }
    text
}

/// A package in which one file is mutated, of those whose paths end so.
pub fn package(packages: &[String], sources: &[String], ending: &str, rng: &mut Rng) -> String {
    let mut files = linnet_hir::fixture::split(rng.pick::<String>(packages));
    let wanted = |index: &usize| files[*index].0.ends_with(ending);
    let wanted: Vec<usize> = (0..files.len()).filter(wanted).collect();
    if !wanted.is_empty() {
        let chosen = *rng.pick(&wanted);
        let mut text = std::mem::take(&mut files[chosen].1);
        // Pieces of the package's own files first: names that exist elsewhere are the interesting ones.
        let other = match rng.below(2) {
            0 => files[rng.below(files.len())].1.clone(),
            _ => rng.pick(sources).clone(),
        };
        for _ in 0..1 + rng.below(3) {
            text = change(text, &other, rng);
        }
        files[chosen].1 = text;
    }
    let mut out = String::new();
    for (path, text) in files {
        out.push_str(&format!("//- {path}\n{text}"));
        if !out.ends_with('\n') {
            out.push('\n');
        }
    }
    out
}

/// One change.
pub fn change(text: String, other: &str, rng: &mut Rng) -> String {
    let mut text = match rng.below(11) {
        0 | 1 => characters(text, rng),
        2 | 3 => tokens(text, rng),
        4 => token_of_other(text, other, rng),
        5 => lines(text, rng),
        6 => splice(text, other, rng),
        7 | 8 => subtree_of_other(text, other, rng),
        9 => subtrees(text, rng),
        _ => repeat(text, rng),
    };
    let end = boundary(&text, LONGEST);
    text.truncate(end);
    text
}

/// The nearest place at or before `at` where a character begins.
fn boundary(text: &str, mut at: usize) -> usize {
    at = at.min(text.len());
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}

/// Deletes some characters, cuts the text off, or puts something odd in.
fn characters(mut text: String, rng: &mut Rng) -> String {
    let at = boundary(&text, rng.below(text.len() + 1));
    match rng.below(8) {
        0 | 1 => {
            let end = boundary(&text, at + 1 + rng.below(4)).max(at);
            text.replace_range(at..end, "");
        }
        2 => text.truncate(at),
        _ => text.insert_str(at, rng.pick::<&str>(ODD)),
    }
    text
}

/// Where the tokens stand that are not white space.
fn token_ranges(text: &str) -> Vec<Range<usize>> {
    let mut at = 0;
    let mut ranges = Vec::new();
    for token in lex(text) {
        let end = at + token.len as usize;
        if !token.kind.is_trivia() || token.kind.is_comment() {
            ranges.push(at..end);
        }
        at = end;
    }
    ranges
}

/// Exchanges two pieces that do not overlap.
fn swap(text: &mut String, one: Range<usize>, two: Range<usize>) {
    let (first, second) = if one.start < two.start {
        (one, two)
    } else {
        (two, one)
    };
    if first.end <= second.start {
        let (a, b) = (
            text[first.clone()].to_owned(),
            text[second.clone()].to_owned(),
        );
        text.replace_range(second, &a);
        text.replace_range(first, &b);
    }
}

/// Deletes, doubles, swaps or replaces tokens.
fn tokens(mut text: String, rng: &mut Rng) -> String {
    let ranges = token_ranges(&text);
    if ranges.is_empty() {
        return text;
    }
    let one = rng.pick(&ranges).clone();
    match rng.below(4) {
        0 => text.replace_range(one, ""),
        1 => {
            let copy = text[one.clone()].to_owned();
            text.insert_str(one.end, &format!(" {copy}"));
        }
        2 => swap(&mut text, one, rng.pick(&ranges).clone()),
        _ => {
            let kind = *rng.pick(SyntaxKind::ALL);
            let word = kind.text().unwrap_or("x");
            text.replace_range(one, &format!(" {word} "));
        }
    }
    text
}

/// Replaces a token by one from another file.
fn token_of_other(mut text: String, other: &str, rng: &mut Rng) -> String {
    let (ours, theirs) = (token_ranges(&text), token_ranges(other));
    if !ours.is_empty() && !theirs.is_empty() {
        let replacement = &other[rng.pick(&theirs).clone()];
        text.replace_range(rng.pick(&ours).clone(), replacement);
    }
    text
}

/// Deletes, doubles or moves lines.
fn lines(text: String, rng: &mut Rng) -> String {
    let mut lines: Vec<&str> = text.split_inclusive('\n').collect();
    if lines.is_empty() {
        return text;
    }
    let from = rng.below(lines.len());
    let to = (from + 1 + rng.below(6)).min(lines.len());
    match rng.below(3) {
        0 => {
            lines.drain(from..to);
        }
        1 => {
            let copy = lines[from..to].to_vec();
            lines.splice(to..to, copy);
        }
        _ => {
            let moved: Vec<&str> = lines.drain(from..to).collect();
            let at = rng.below(lines.len() + 1);
            lines.splice(at..at, moved);
        }
    }
    lines.concat()
}

/// Puts some lines of another file in.
fn splice(text: String, other: &str, rng: &mut Rng) -> String {
    let theirs: Vec<&str> = other.split_inclusive('\n').collect();
    let mut lines: Vec<&str> = text.split_inclusive('\n').collect();
    let from = rng.below(theirs.len() + 1);
    let to = (from + 1 + rng.below(20)).min(theirs.len());
    let at = rng.below(lines.len() + 1);
    lines.splice(at..at, theirs[from..to.max(from)].iter().copied());
    lines.concat()
}

/// The places of all nodes but the root, with their kinds.
fn nodes(text: &str) -> Vec<(SyntaxKind, Range<usize>)> {
    let tree: SyntaxNode = parse(text).syntax();
    let nodes = tree.descendants().skip(1).map(|node| {
        let range = node.text_range();
        (
            node.kind(),
            usize::from(range.start())..usize::from(range.end()),
        )
    });
    nodes.filter(|(_, range)| !range.is_empty()).collect()
}

/// Replaces a subtree by one of the same kind from another file.
fn subtree_of_other(mut text: String, other: &str, rng: &mut Rng) -> String {
    let (ours, theirs) = (nodes(&text), nodes(other));
    if ours.is_empty() || theirs.is_empty() {
        return text;
    }
    let (kind, range) = rng.pick(&ours).clone();
    let same: Vec<_> = theirs.iter().filter(|(other, _)| *other == kind).collect();
    // Now and then of another kind: such text is wrong in one place only.
    let (_, with) = match same.is_empty() || rng.below(8) == 0 {
        true => rng.pick(&theirs),
        false => rng.pick(&same),
    };
    text.replace_range(range, &other[with.clone()]);
    text
}

/// Deletes, doubles or swaps subtrees.
fn subtrees(mut text: String, rng: &mut Rng) -> String {
    let ours = nodes(&text);
    if ours.is_empty() {
        return text;
    }
    let (kind, one) = rng.pick(&ours).clone();
    match rng.below(3) {
        0 => text.replace_range(one, ""),
        1 => {
            let copy = text[one.clone()].to_owned();
            text.insert_str(one.end, &copy);
        }
        _ => {
            let same: Vec<_> = ours.iter().filter(|(other, _)| *other == kind).collect();
            swap(&mut text, one, rng.pick(&same).1.clone());
        }
    }
    text
}

/// Repeats a token or a subtree many times: depth and length.
fn repeat(mut text: String, rng: &mut Rng) -> String {
    let ranges = match rng.below(2) {
        0 => token_ranges(&text),
        _ => nodes(&text).into_iter().map(|(_, range)| range).collect(),
    };
    if ranges.is_empty() {
        return text;
    }
    let range = rng.pick(&ranges).clone();
    let times = [2, 3, 10, 100, 1_000][rng.below(5)].min(32_768 / range.len().max(1));
    let copies = text[range.clone()].repeat(times);
    text.insert_str(range.end, &copies);
    text
}

/// Words of JSON and of checkpoint headers.
const JSON: &[&str] = &[
    "0",
    "18446744073709551615",
    "-1",
    "4294967296",
    "1e3",
    "{",
    "}",
    "[",
    "]",
    "\"",
    ",",
    ":",
    "\"dtype\":",
    "\"shape\":[",
    "\"data_offsets\":[0,0]",
    "null",
    "\\u0000",
    "{i}",
    "\u{7f}",
    " ",
];

/// Mutated bytes of a file with a length in front.
pub fn bytes(seeds: &[Vec<u8>], rng: &mut Rng) -> Vec<u8> {
    let mut bytes = rng.pick(seeds).clone();
    for _ in 0..1 + rng.below(4) {
        let at = rng.below(bytes.len() + 1);
        match rng.below(7) {
            0 if !bytes.is_empty() => {
                let at = rng.below(bytes.len());
                bytes[at] ^= 1 << rng.below(8);
            }
            1 if rng.below(3) == 0 => bytes.truncate(at),
            2 => bytes.insert(at, rng.next() as u8),
            3 => {
                let other = rng.pick(seeds);
                let from = rng.below(other.len() + 1);
                let to = (from + rng.below(40)).min(other.len());
                bytes.splice(at..at, other[from..to].iter().copied());
            }
            4 if !bytes.is_empty() => {
                let to = (at + 1 + rng.below(8)).min(bytes.len());
                bytes.drain(at.min(to)..to);
            }
            _ => {
                bytes.splice(at..at, rng.pick::<&str>(JSON).bytes());
            }
        }
    }
    // A header of a wrong length is refused before it is read: make most of them right.
    if bytes.len() >= 8 && bytes[0] != b'{' {
        let body = bytes.len() as u64 - 8;
        let text = bytes[8..]
            .iter()
            .rposition(|byte| *byte == b'}')
            .map_or(0, |at| at as u64 + 1);
        let length = *rng.pick(&[text, text, text, text, text, body, 0, u64::MAX, 1 << 40]);
        bytes[..8].copy_from_slice(&length.to_le_bytes());
    }
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_run_can_be_repeated_and_runs_differ() {
        let texts = ["module a\n\nfn f(x: f32) -> f32 { return x * 2.0 }\n".to_owned()];
        let of = |run| text(&texts, &mut Rng::stream(1, run));
        let made: Vec<String> = (0..200).map(of).collect();
        assert_eq!(made, (0..200).map(of).collect::<Vec<_>>());
        let mut different = made.clone();
        different.sort();
        different.dedup();
        assert!(different.len() > 100, "{}", different.len());
    }

    #[test]
    fn empty_inputs_are_no_trouble() {
        for run in 0..200 {
            text(&[String::new()], &mut Rng::stream(2, run));
            bytes(&[Vec::new()], &mut Rng::stream(2, run));
        }
    }
}
