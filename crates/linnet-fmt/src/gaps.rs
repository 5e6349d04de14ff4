//! What stands between the tokens: line breaks and comments, and which token each comment is with.
//!
//! The rules see no trivia. They emit tokens in order, and the builder asks this table what must
//! come out beside each of them, so that no rule can lose a comment.

use linnet_syntax::{LexToken, SyntaxKind, SyntaxKind::*};

/// A comment and the line breaks around it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Comment {
    pub(crate) start: u32,
    pub(crate) end: u32,
    /// Line breaks before it: 0, 1, or 2 for more.
    pub(crate) breaks_before: u8,
    /// Whether a line break follows it.
    pub(crate) break_after: bool,
    /// Whether it spans lines.
    pub(crate) multiline: bool,
    /// Its width in characters.
    pub(crate) width: u32,
}

impl Comment {
    /// Whether the line has to end before or after it, or within.
    pub(crate) fn forces_break(&self) -> bool {
        self.breaks_before > 0 || self.break_after || self.multiline
    }
}

/// A token that is not trivia, and the gap before it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Gap {
    pub(crate) start: u32,
    pub(crate) len: u32,
    /// The first comment of the gap, in the list of all comments.
    pub(crate) first: u32,
    /// The first comment that goes with this token; those before it go with the token before.
    pub(crate) own: u32,
    /// Line breaks right before the token: 0, 1, or 2 for more.
    pub(crate) breaks: u8,
}

/// The tokens of a text that are not trivia, ended by an empty one, and the comments between.
pub(crate) struct Gaps {
    pub(crate) tokens: Vec<Gap>,
    pub(crate) comments: Vec<Comment>,
}

impl Gaps {
    pub(crate) fn new(text: &str, tokens: &[LexToken]) -> Gaps {
        let mut gaps = Gaps {
            tokens: Vec::with_capacity(tokens.len() / 2 + 2),
            comments: Vec::new(),
        };
        let mut kinds = Vec::with_capacity(tokens.len() / 2 + 2);
        let mut offset = 0;
        let mut first = 0;
        let mut breaks = 0;
        for token in tokens
            .iter()
            .copied()
            .chain([LexToken { kind: EOF, len: 0 }])
        {
            let (start, end) = (offset, offset + token.len);
            offset = end;
            let source = || &text[start as usize..end as usize];
            match token.kind {
                WHITESPACE => {
                    breaks = breaks.max(line_breaks(source()));
                    if breaks > 0
                        && let Some(comment) = gaps.comments[first as usize..].last_mut()
                    {
                        comment.break_after = true;
                    }
                }
                BOM | ERROR_TOKEN => {}
                kind if kind.is_comment() => {
                    gaps.comments
                        .push(comment(source(), kind, start, end, breaks));
                    breaks = 0;
                }
                kind => {
                    gaps.tokens.push(Gap {
                        start,
                        len: token.len,
                        first,
                        own: first,
                        breaks,
                    });
                    kinds.push(kind);
                    first = gaps.comments.len() as u32;
                    breaks = 0;
                }
            }
        }
        gaps.move_past_separators(&kinds);
        gaps.attach(&kinds);
        gaps
    }

    /// The comments before the token at `at`.
    pub(crate) fn range(&self, at: usize) -> std::ops::Range<u32> {
        let gap = &self.tokens[at];
        let end = match self.tokens.get(at + 1) {
            Some(next) => next.first,
            None => self.comments.len() as u32,
        };
        gap.first..end
    }

    /// A comment that ends its line before a comma goes behind the comma: `a // one` and `, b`
    /// become `a, // one` and `b`.
    fn move_past_separators(&mut self, kinds: &[SyntaxKind]) {
        for (at, kind) in kinds.iter().enumerate() {
            if !matches!(kind, COMMA | SEMICOLON) {
                continue;
            }
            let range = self.range(at);
            let comments = &self.comments[range.start as usize..range.end as usize];
            let Some(moved) = comments.iter().position(Comment::forces_break) else {
                continue;
            };
            if let Some(next) = self.tokens.get_mut(at + 1) {
                let after = next.first as usize;
                next.first = range.start + moved as u32;
                // What came behind the comma no longer stands on its line.
                if self.comments[after - 1].break_after
                    && let Some(follower) = self.comments.get_mut(after)
                    && follower.start < next.start
                {
                    follower.breaks_before = follower.breaks_before.max(1);
                }
            }
        }
    }

    /// Decides which of the comments of each gap go with the token before it.
    fn attach(&mut self, kinds: &[SyntaxKind]) {
        for (at, kind) in kinds.iter().enumerate().skip(1) {
            let range = self.range(at);
            if range.is_empty() {
                self.tokens[at].own = range.start;
                continue;
            }
            let comments = &self.comments[range.start as usize..range.end as usize];
            let mut trailing = 0;
            for comment in comments {
                if comment.breaks_before > 0 {
                    break;
                }
                trailing += 1;
                if comment.break_after {
                    break;
                }
            }
            let ends_line = trailing > 0 && comments[trailing - 1].break_after;
            // Inside a line, a comment is about what follows it, unless nothing does.
            if trailing == comments.len() && !ends_line && !closes(*kind) {
                trailing = 0;
            }
            self.tokens[at].own = range.start + trailing as u32;
        }
    }
}

/// Whether what comes before `kind` on its line is not about it.
fn closes(kind: SyntaxKind) -> bool {
    matches!(
        kind,
        COMMA | SEMICOLON | R_PAREN | R_BRACK | L_CURLY | R_CURLY | GT | GTEQ | WHERE_KW | EOF
    )
}

fn comment(source: &str, kind: SyntaxKind, start: u32, end: u32, breaks_before: u8) -> Comment {
    let line = matches!(kind, LINE_COMMENT | DOC_LINE_COMMENT);
    Comment {
        start,
        end,
        breaks_before,
        break_after: line,
        multiline: !line && source.bytes().any(|b| matches!(b, b'\n' | b'\r')),
        width: if line {
            0
        } else {
            source.chars().count() as u32
        },
    }
}

/// Line breaks in white space, counted up to 2.
fn line_breaks(space: &str) -> u8 {
    let bytes = space.as_bytes();
    let mut breaks = 0;
    for (at, byte) in bytes.iter().enumerate() {
        let breaks_line = match byte {
            b'\n' => true,
            b'\r' => bytes.get(at + 1) != Some(&b'\n'),
            _ => false,
        };
        if breaks_line {
            breaks += 1;
            if breaks == 2 {
                break;
            }
        }
    }
    breaks
}
