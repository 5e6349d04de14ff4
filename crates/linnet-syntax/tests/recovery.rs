//! One fault gives one error: a real file, broken in every place where it can be.

use std::{fs, path::PathBuf};

use linnet_syntax::{lex, parse};

fn source() -> String {
    let data = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/data/sources/decoder.linnet");
    fs::read_to_string(data).unwrap()
}

/// Where each token that is not trivia starts and ends.
fn tokens(text: &str) -> Vec<(usize, usize)> {
    let mut offset = 0;
    let mut tokens = Vec::new();
    for token in lex(text) {
        let start = offset;
        offset += token.len as usize;
        if !token.kind.is_trivia() {
            tokens.push((start, offset));
        }
    }
    tokens
}

/// Parses each text; all but `allowed` in a thousand have at most one error, and none many.
fn check_errors(what: &str, texts: impl Iterator<Item = String>, allowed: usize) {
    let mut all = 0;
    let mut crowded = Vec::new();
    for text in texts {
        let parse = parse(&text);
        all += 1;
        if parse.errors.len() > 1 {
            crowded.push((text, parse.errors));
        }
    }
    assert!(all > 500, "only {all} texts were tried");
    for (_, errors) in &crowded {
        assert!(errors.len() <= 3, "{what}: {errors:#?}");
    }
    assert!(
        crowded.len() * 1000 <= allowed * all,
        "{what}: {} of {all} texts have several errors, the first: {:#?}\n{}",
        crowded.len(),
        crowded[0].1,
        crowded[0].0,
    );
}

#[test]
fn the_source_itself_is_valid() {
    assert_eq!(parse(&source()).errors(), []);
}

#[test]
fn a_missing_token_is_one_error() {
    let text = source();
    let texts = tokens(&text)
        .into_iter()
        .map(|(start, end)| format!("{}{}", &text[..start], &text[end..]));
    check_errors("without a token", texts, 5);
}

#[test]
fn a_doubled_token_is_one_error() {
    let text = source();
    let texts = tokens(&text)
        .into_iter()
        .map(|(start, end)| format!("{} {}", &text[..end], &text[start..]));
    check_errors("with a token twice", texts, 10);
}

#[test]
fn a_line_cut_short_is_one_error() {
    let text = source();
    let texts = tokens(&text).into_iter().filter_map(|(start, _)| {
        let line_end = text[start..].find('\n').map_or(text.len(), |at| start + at);
        let before = text[..start].trim_end_matches(' ');
        (!before.ends_with('\n')).then(|| format!("{}{}", &text[..start], &text[line_end..]))
    });
    check_errors("cut short", texts, 10);
}

/// What stands after a fault is still there: every other item is found.
#[test]
fn a_missing_token_hides_no_other_item() {
    let text = source();
    let items = parse(&text).tree().items().count();
    let mut worse = Vec::new();
    for (start, end) in tokens(&text) {
        let broken = format!("{}{}", &text[..start], &text[end..]);
        let found = parse(&broken)
            .tree()
            .items()
            .filter(|item| item.name().is_some())
            .count();
        if found + 1 < items {
            worse.push((broken, found));
        }
    }
    assert!(
        worse.is_empty(),
        "{} of {items} items in\n{}",
        worse[0].1,
        worse[0].0
    );
}
