//! The last check before a text is handed out: the same tokens and the same comments, in the same
//! order, but for commas that were added. The same walk gives the edits for an editor.

use linnet_syntax::{LexToken, SyntaxKind, SyntaxKind::*, lex};

use crate::print::lines;

/// What stands between two tokens or comments that both texts share, in either text.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Between {
    pub(crate) old: (usize, usize),
    pub(crate) new: (usize, usize),
    /// How many commas more the new one has.
    pub(crate) commas: i32,
}

/// Walks `old` and `new`, which was made of it, and hands out what stands between their tokens.
///
/// # Errors
///
/// Where something was lost or changed: a byte offset in `old`.
pub(crate) fn compare(
    old: &str,
    old_tokens: &[LexToken],
    new: &str,
    mut between: impl FnMut(Between),
) -> Result<(), usize> {
    let new_tokens = lex(new);
    let mut old = Stream::new(old, old_tokens);
    let mut new = Stream::new(new, &new_tokens);
    let (mut old_end, mut new_end) = (0, 0);
    // How many commas more the new text has so far. Commas are compared apart, for a comment may
    // come to stand behind one.
    let mut commas = 0;
    let mut commas_between = 0;
    loop {
        let (a, old_commas) = old.next_but_separators();
        let (b, new_commas) = new.next_but_separators();
        let same = match (&a, &b) {
            (None, None) => true,
            (Some(a), Some(b)) => a.kind == b.kind && same(a, b),
            _ => false,
        };
        commas += new_commas - old_commas;
        commas_between += new_commas - old_commas;
        // A comma may be added, and never be lost.
        if !same || commas < 0 {
            return Err(old_end);
        }
        // A comment whose blanks were changed is a part of what is between.
        let unchanged = match (&a, &b) {
            (Some(a), Some(b)) => a.text == b.text,
            _ => true,
        };
        if unchanged {
            let end = |item: &Option<Item<'_>>, text: &str| match item {
                Some(item) => item.start,
                None => text.len(),
            };
            between(Between {
                old: (old_end, end(&a, old.text)),
                new: (new_end, end(&b, new.text)),
                commas: std::mem::take(&mut commas_between),
            });
        }
        let (Some(a), Some(b)) = (a, b) else {
            return Ok(());
        };
        if unchanged {
            old_end = a.end;
            new_end = b.end;
        }
    }
}

fn same(old: &Item<'_>, new: &Item<'_>) -> bool {
    old.text == new.text
        || (old.kind.is_comment()
            && lines(old.text)
                .map(str::trim)
                .eq(lines(new.text).map(str::trim)))
}

/// A token or comment. What always has the same text has none here.
struct Item<'t> {
    kind: SyntaxKind,
    text: &'t str,
    start: usize,
    end: usize,
}

/// The tokens and comments of a text. `::` and `>=` come in two parts, as the parser may split
/// them.
struct Stream<'t> {
    text: &'t str,
    tokens: std::slice::Iter<'t, LexToken>,
    offset: usize,
    split: Option<SyntaxKind>,
}

impl<'t> Stream<'t> {
    fn new(text: &'t str, tokens: &'t [LexToken]) -> Stream<'t> {
        Stream {
            text,
            tokens: tokens.iter(),
            offset: 0,
            split: None,
        }
    }

    /// The next one that is neither a comma nor a semicolon, and how many of them it passes.
    fn next_but_separators(&mut self) -> (Option<Item<'t>>, i32) {
        let mut passed = 0;
        loop {
            match self.next() {
                Some(item) if matches!(item.kind, COMMA | SEMICOLON) => passed += 1,
                item => return (item, passed),
            }
        }
    }

    fn next(&mut self) -> Option<Item<'t>> {
        if let Some(kind) = self.split.take() {
            return Some(Item {
                kind,
                text: "",
                start: self.offset - 1,
                end: self.offset,
            });
        }
        loop {
            let token = self.tokens.next()?;
            let start = self.offset;
            self.offset += token.len as usize;
            let end = self.offset;
            match token.kind {
                COLON2 | GTEQ => {
                    let (first, second) = if token.kind == COLON2 {
                        (COLON, COLON)
                    } else {
                        (GT, EQ)
                    };
                    self.split = Some(second);
                    return Some(Item {
                        kind: first,
                        text: "",
                        start,
                        end: start + 1,
                    });
                }
                kind if kind.is_punctuation() => {
                    return Some(Item {
                        kind,
                        text: "",
                        start,
                        end,
                    });
                }
                kind if kind.is_comment() || !kind.is_trivia() => {
                    return Some(Item {
                        kind,
                        text: &self.text[start..end],
                        start,
                        end,
                    });
                }
                _ => {}
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_lost_or_changed_is_found() {
        let old = "a, b // c\n/* d */ >= :: e";
        let compare = |new| compare(old, &lex(old), new, |_| {});
        for new in [
            old,
            "a, b // c\n\n  /* d */\n> =: :e",
            "a, b, // c\n/* d */>=::e,",
        ] {
            assert_eq!(compare(new), Ok(()), "{new}");
        }
        for new in [
            "",
            "a b // c\n/* d */ >= :: e",
            "a, b\n/* d */ >= :: e",
            "a, b /* d */ >= :: e // c",
            "a, b // c /* d */ >= :: e",
            "a, b // c\n/* d */ >= :: e f",
            "a, b // C\n/* d */ >= :: e",
            "a, b // c\n/* d */ >= : e",
            "a b, // c\n/* d */ >= :: e",
            "ab, // c\n/* d */ >= :: e",
        ] {
            assert!(compare(new).is_err(), "{new}");
        }
    }
}
