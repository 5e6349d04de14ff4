//! The last check before a text is handed out: the same tokens and the same comments, in the same
//! order, but for commas that were added.

use linnet_syntax::{LexToken, SyntaxKind, SyntaxKind::*, lex};

use crate::print::lines;

/// Says where `new`, made of `old`, has lost or changed something; a byte offset in `old`.
pub(crate) fn verify(old: &str, old_tokens: &[LexToken], new: &str) -> Result<(), usize> {
    let new_tokens = lex(new);
    let mut old = Stream::new(old, old_tokens);
    let mut new = Stream::new(new, &new_tokens);
    // Commas, which are compared apart: a comment may end up behind one.
    let (mut old_commas, mut new_commas) = (0, 0);
    loop {
        let (mut a, mut b) = (old.next(), new.next());
        while let Some((COMMA | SEMICOLON, ..)) = a {
            old_commas += 1;
            a = old.next();
        }
        while let Some((COMMA | SEMICOLON, ..)) = b {
            new_commas += 1;
            b = new.next();
        }
        match (a, b) {
            (None, None) if old_commas <= new_commas => return Ok(()),
            (Some((kind, text, _)), Some((new_kind, new_text, _)))
                if kind == new_kind && same(kind, text, new_text) => {}
            _ => return Err(old.offset),
        }
        // A comma may be added, never lost, but for a comment between.
        if matches!(a, Some((kind, ..)) if !kind.is_comment()) && old_commas > new_commas {
            return Err(old.offset);
        }
    }
}

fn same(kind: SyntaxKind, old: &str, new: &str) -> bool {
    if !kind.is_comment() {
        return old == new;
    }
    old == new || lines(old).map(str::trim).eq(lines(new).map(str::trim))
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
        Stream { text, tokens: tokens.iter(), offset: 0, split: None }
    }

    fn next(&mut self) -> Option<(SyntaxKind, &'t str, usize)> {
        if let Some(kind) = self.split.take() {
            return Some((kind, "", self.offset));
        }
        loop {
            let token = self.tokens.next()?;
            let start = self.offset;
            self.offset += token.len as usize;
            let text = &self.text[start..self.offset];
            match token.kind {
                COLON2 => {
                    self.split = Some(COLON);
                    return Some((COLON, "", start));
                }
                GTEQ => {
                    self.split = Some(EQ);
                    return Some((GT, "", start));
                }
                // Their text follows from their kind.
                kind if kind.is_punctuation() => return Some((kind, "", start)),
                kind if kind.is_comment() || !kind.is_trivia() => return Some((kind, text, start)),
                _ => {}
            }
        }
    }
}
