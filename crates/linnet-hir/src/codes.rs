//! Every diagnostic code: what it means, an example that raises it, and the same example put right.
//!
//! A code never changes its meaning. The examples are checked by a test: the first text of each raises exactly
//! its code, the second nothing. Several files in one example begin with `//- /path` lines.

use std::sync::LazyLock;

mod blocks;
mod indices;
mod shapes;
mod syntax;
mod types;
mod warnings;

/// What is known of one code.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct CodeInfo {
    pub code: &'static str,
    /// What it is reported for, in one line without a final stop.
    pub title: &'static str,
    /// The same in plain words, with what to do about it.
    pub explanation: &'static str,
    /// A module that raises this code and no other; empty where the code is never reported.
    pub example: &'static str,
    /// The example put right.
    pub fixed: &'static str,
}

/// All codes that can be reported, in their order.
pub static CODES: LazyLock<Vec<CodeInfo>> = LazyLock::new(|| {
    [
        syntax::CODES,
        types::CODES,
        shapes::CODES,
        indices::CODES,
        blocks::CODES,
        warnings::CODES,
    ]
    .concat()
});

/// Codes that other implementations report for what this one does not have.
const RESERVED: [CodeInfo; 2] = [kept_for_kernels("E2126"), kept_for_kernels("E2127")];

const fn kept_for_kernels(code: &'static str) -> CodeInfo {
    CodeInfo {
        code,
        title: "kept for kernels",
        explanation: "Other implementations of the language report it for kernels, which this one does not have. It \
                      is never used for anything else.",
        example: "",
        fixed: "",
    }
}

/// What is known of a code, written in any case.
pub fn explain(code: &str) -> Option<&'static CodeInfo> {
    CODES
        .iter()
        .chain(&RESERVED)
        .find(|info| info.code.eq_ignore_ascii_case(code))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_sorted_and_complete() {
        let codes: Vec<&str> = CODES.iter().map(|info| info.code).collect();
        assert!(codes.is_sorted_by(|a, b| a < b), "{codes:?}");
        let numbers = |prefix: &str, range: std::ops::RangeInclusive<u32>| -> Vec<String> {
            range.map(|number| format!("{prefix}{number}")).collect()
        };
        let expected = [
            numbers("E", 1001..=1005),
            numbers("E", 1101..=1103),
            numbers("E", 1201..=1208),
            numbers("E", 2101..=2125),
            numbers("E", 2128..=2128),
            numbers("E", 2190..=2190),
            numbers("E", 2201..=2210),
            numbers("E", 3101..=3106),
            numbers("E", 4101..=4102),
            numbers("E", 5001..=5002),
            numbers("W", 1001..=1005),
        ]
        .concat();
        assert_eq!(codes, expected);
    }

    #[test]
    fn every_code_is_explained() {
        for info in CODES.iter() {
            assert!(
                !info.title.is_empty() && !info.title.ends_with('.'),
                "{}",
                info.code
            );
            assert!(info.explanation.ends_with('.'), "{}", info.code);
            assert!(
                !info.example.is_empty() && !info.fixed.is_empty(),
                "{}",
                info.code
            );
            assert_ne!(info.example, info.fixed, "{}", info.code);
        }
        assert_eq!(explain("e2203").map(|info| info.code), Some("E2203"));
        assert_eq!(explain("E2126").map(|info| info.example), Some(""));
        assert_eq!(explain("E9999"), None);
    }
}
