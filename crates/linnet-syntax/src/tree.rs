//! Events and tokens to the green tree, trivia put where a reader expects it.

use rowan::GreenNode;

use crate::{SyntaxKind, SyntaxKind::*, green::GreenBuilder, lexer::LexToken, parser::Event};

/// Builds the tree of `text` from what the lexer and the parser said about it.
pub(crate) fn build(text: &str, tokens: &[LexToken], mut events: Vec<Event>) -> GreenNode {
    let mut tree = TreeBuilder {
        text,
        tokens,
        next: 0,
        offset: 0,
        taken: 0,
        builder: GreenBuilder::new(tokens.len()),
    };
    tree.builder.start_node(SOURCE_FILE);
    let mut starts = Vec::new();
    for at in 0..events.len() {
        match events[at] {
            Event::Start {
                kind: TOMBSTONE,
                forward_parent: 0,
            } => {}
            Event::Start { .. } => {
                // The nodes that begin here, the outermost last in the list.
                let mut link = at;
                while let Event::Start {
                    kind,
                    forward_parent,
                } = events[link]
                {
                    starts.push(kind);
                    events[link] = Event::Start {
                        kind: TOMBSTONE,
                        forward_parent: 0,
                    };
                    if forward_parent == 0 {
                        break;
                    }
                    link += forward_parent as usize;
                }
                for kind in starts.drain(..).rev().filter(|kind| *kind != TOMBSTONE) {
                    tree.start(kind);
                }
            }
            Event::Finish => tree.builder.finish_node(),
            Event::Token(kind) => tree.token(kind),
            Event::Part { kind, len } => tree.part(kind, len.into()),
        }
    }
    tree.trivia_until(tokens.len());
    tree.builder.finish_node();
    tree.builder.finish()
}

struct TreeBuilder<'t> {
    text: &'t str,
    tokens: &'t [LexToken],
    /// The next token not yet in the tree, and where it starts.
    next: usize,
    offset: usize,
    /// How much of it is already in the tree, where it was split.
    taken: usize,
    builder: GreenBuilder,
}

impl TreeBuilder<'_> {
    fn start(&mut self, kind: SyntaxKind) {
        let end = self.trivia_end();
        let outside = if kind.takes_comments() {
            self.attached_from(end)
        } else {
            end
        };
        self.trivia_until(outside);
        self.builder.start_node(kind);
    }

    fn token(&mut self, kind: SyntaxKind) {
        self.trivia_until(self.trivia_end());
        let rest = self.tokens[self.next].len as usize - self.taken;
        self.push(kind, rest);
        self.next += 1;
        self.taken = 0;
    }

    fn part(&mut self, kind: SyntaxKind, len: usize) {
        self.trivia_until(self.trivia_end());
        self.push(kind, len);
        self.taken += len;
    }

    fn push(&mut self, kind: SyntaxKind, len: usize) {
        let end = self.offset + len;
        self.builder.token(kind, &self.text[self.offset..end]);
        self.offset = end;
    }

    fn trivia_until(&mut self, end: usize) {
        while self.next < end {
            let token = self.tokens[self.next];
            self.push(token.kind, token.len as usize);
            self.next += 1;
        }
    }

    /// The place after the trivia that comes next.
    fn trivia_end(&self) -> usize {
        let trivia = self.tokens[self.next..]
            .iter()
            .take_while(|token| token.kind.is_trivia());
        self.next + trivia.count()
    }

    /// Where the comments begin that belong to the node after the trivia ending at `end`: doc
    /// comments always, others where no blank line parts them and they have a line of their own.
    fn attached_from(&self, end: usize) -> usize {
        let trivia = &self.tokens[self.next..end];
        if trivia.iter().all(|token| !token.kind.is_comment()) {
            return end;
        }
        let docs = trivia.iter().position(|token| token.kind.is_doc_comment());
        let mut attached = docs.unwrap_or(trivia.len());
        let mut offset = self.offset
            + trivia[..attached]
                .iter()
                .map(|token| token.len as usize)
                .sum::<usize>();
        let mut candidate = attached;
        for (at, token) in trivia[..attached].iter().enumerate().rev() {
            let text = &self.text[offset - token.len as usize..offset];
            offset -= token.len as usize;
            match token.kind {
                WHITESPACE => match line_breaks(text) {
                    0 => {}
                    1 => attached = candidate,
                    _ => {
                        attached = candidate;
                        break;
                    }
                },
                LINE_COMMENT | BLOCK_COMMENT => candidate = at,
                _ => break,
            }
            // Nothing stands before the first line of the text.
            if offset == 0 {
                attached = candidate;
            }
        }
        self.next + attached
    }
}

/// Line breaks in white space, of which two make a blank line.
fn line_breaks(text: &str) -> usize {
    let bytes = text.as_bytes();
    let lone_returns = (0..bytes.len())
        .filter(|&i| bytes[i] == b'\r' && bytes.get(i + 1) != Some(&b'\n'))
        .count();
    bytes.iter().filter(|b| **b == b'\n').count() + lone_returns
}
