//! Makes a failing input smaller for as long as it fails in the same way.

use std::time::{Duration, Instant};

/// The smallest input found that still fails.
///
/// Leaves out lines, then pieces of lines; `fails` is asked until `time` is up.
pub fn shrink(input: Vec<u8>, time: Duration, mut fails: impl FnMut(&[u8]) -> bool) -> Vec<u8> {
    let start = Instant::now();
    let mut best = input;
    for by_line in [true, false] {
        let mut parts = split(&best, by_line);
        let mut size = parts.len().div_ceil(2).max(1);
        loop {
            let mut at = 0;
            let mut smaller = false;
            while at < parts.len() {
                if start.elapsed() > time {
                    return best;
                }
                let end = (at + size).min(parts.len());
                let candidate = [&parts[..at], &parts[end..]].concat();
                let bytes = candidate.concat();
                if fails(&bytes) {
                    parts = candidate;
                    best = bytes;
                    smaller = true;
                } else {
                    at = end;
                }
            }
            if size > 1 {
                size = size.div_ceil(2);
            } else if !smaller {
                break;
            }
        }
    }
    best
}

/// Lines, or characters (bytes where it is no text).
fn split(input: &[u8], by_line: bool) -> Vec<Vec<u8>> {
    if by_line {
        return input
            .split_inclusive(|byte| *byte == b'\n')
            .map(<[u8]>::to_vec)
            .collect();
    }
    match std::str::from_utf8(input) {
        Ok(text) => text.chars().map(|c| c.to_string().into_bytes()).collect(),
        Err(_) => input.iter().map(|byte| vec![*byte]).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_matters_is_left() {
        let input = b"one\ntwo needle three\nfour\n".to_vec();
        let small = shrink(input, Duration::from_secs(5), |bytes| {
            bytes.windows(6).any(|window| window == b"needle")
        });
        assert_eq!(small, b"needle");
    }
}
