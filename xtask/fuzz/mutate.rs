//! Mutations: of bytes, of tokens, of lines, and of whole inputs spliced together.

use crate::rng::Rng;

/// Inputs stay this small, so that many of them run.
const MAX_LEN: usize = 64 << 10;

/// Fragments that parsers trip over.
const FRAGMENTS: [&str; 44] = [
    "(",
    ")",
    "[",
    "]",
    "{",
    "}",
    "<",
    ">",
    ",",
    ";",
    ":",
    "::",
    "..",
    "...",
    "=",
    "==",
    "=>",
    "->",
    "*",
    "-",
    "?",
    "/*",
    "*/",
    "//",
    "///",
    "\"",
    "\r",
    "\r\n",
    "\t",
    "\0",
    "\u{feff}",
    "é",
    "🦀",
    "9223372036854775808",
    "1e999",
    "0x",
    "fn f",
    "block B",
    "where",
    "grad(y, dy)",
    "sum<f32>[i]",
    "let x[i] =",
    "static for i in 0..N {",
    "none",
];

/// One of the inputs, changed in one to six ways.
pub fn mutated(rng: &mut Rng, inputs: &[Vec<u8>]) -> Vec<u8> {
    let Some(mut out) = (!inputs.is_empty()).then(|| rng.pick(inputs).clone()) else {
        return Vec::new();
    };
    for _ in 0..1 + rng.below(6) {
        out = match rng.below(9) {
            0 => bytes(rng, out),
            1 | 2 => remove(rng, out),
            3 | 4 => insert(rng, out),
            5 => twice(rng, out),
            6 => swap_lines(rng, out),
            7 => splice(rng, out, inputs),
            _ => repeat(rng, out),
        };
        out.truncate(MAX_LEN);
    }
    out
}

fn bytes(rng: &mut Rng, mut out: Vec<u8>) -> Vec<u8> {
    for _ in 0..1 + rng.below(4) {
        if out.is_empty() {
            break;
        }
        let at = rng.below(out.len());
        out[at] = rng.next() as u8;
    }
    out
}

/// The place of a token: a run of letters, or one other byte.
fn token(rng: &mut Rng, out: &[u8]) -> (usize, usize) {
    if out.is_empty() {
        return (0, 0);
    }
    let word = |b: u8| b.is_ascii_alphanumeric() || b == b'_';
    let (mut start, mut end) = (rng.below(out.len()), 0);
    end += start + 1;
    if word(out[start]) {
        while start > 0 && word(out[start - 1]) {
            start -= 1;
        }
        while end < out.len() && word(out[end]) {
            end += 1;
        }
    }
    (start, end)
}

fn remove(rng: &mut Rng, mut out: Vec<u8>) -> Vec<u8> {
    let (start, end) = token(rng, &out);
    out.drain(start..end);
    out
}

fn insert(rng: &mut Rng, mut out: Vec<u8>) -> Vec<u8> {
    let (at, _) = token(rng, &out);
    let fragment = *rng.pick(&FRAGMENTS);
    out.splice(at..at, fragment.bytes());
    out
}

fn twice(rng: &mut Rng, mut out: Vec<u8>) -> Vec<u8> {
    let (start, end) = token(rng, &out);
    let copy = out[start..end].to_vec();
    let (at, _) = token(rng, &out);
    out.splice(at..at, copy);
    out
}

fn swap_lines(rng: &mut Rng, out: Vec<u8>) -> Vec<u8> {
    let mut lines: Vec<&[u8]> = out.split_inclusive(|b| *b == b'\n').collect();
    if lines.len() > 1 {
        let (a, b) = (rng.below(lines.len()), rng.below(lines.len()));
        lines.swap(a, b);
    }
    lines.concat()
}

fn splice(rng: &mut Rng, out: Vec<u8>, inputs: &[Vec<u8>]) -> Vec<u8> {
    let other = rng.pick(inputs);
    let (cut, from) = (rng.below(out.len() + 1), rng.below(other.len() + 1));
    [&out[..cut], &other[from..]].concat()
}

/// One fragment many times: depth, and lists that are long.
fn repeat(rng: &mut Rng, mut out: Vec<u8>) -> Vec<u8> {
    let (at, _) = token(rng, &out);
    let fragment = *rng.pick(&FRAGMENTS);
    let times = 1 << rng.below(11);
    out.splice(at..at, fragment.repeat(times).into_bytes());
    out
}
