//! Events and tokens to the green tree, trivia put where a reader expects it.

use rowan::GreenNode;

use crate::{SyntaxKind, SyntaxKind::*, green::GreenBuilder, lexer::LexToken, parser::Event};

/// Builds the tree of a text from its tokens and the parser's events.
pub(crate) struct TreeBuilder<'t> {
    text: &'t str,
    tokens: &'t [LexToken],
    /// The next token not yet in the tree, and where it starts.
    next: usize,
    offset: usize,
    /// How much of it is already in the tree, where it was split.
    taken: usize,
    builder: GreenBuilder,
    /// The nodes that begin at one place, the outermost last.
    starts: Vec<SyntaxKind>,
}

impl<'t> TreeBuilder<'t> {
    pub(crate) fn new(text: &'t str, tokens: &'t [LexToken]) -> TreeBuilder<'t> {
        let mut builder = GreenBuilder::new(tokens.len());
        builder.start_node(SOURCE_FILE);
        TreeBuilder {
            text,
            tokens,
            next: 0,
            offset: 0,
            taken: 0,
            builder,
            starts: Vec::new(),
        }
    }

    /// Takes the next events, in which every node that begins also ends.
    pub(crate) fn replay(&mut self, events: &mut [Event]) {
        for at in 0..events.len() {
            match events[at] {
                Event::Start { .. } => self.start_all(events, at),
                Event::Finish => self.builder.finish_node(),
                Event::Token(kind) => self.token(kind),
                Event::Part { kind, len } => self.part(kind, len.into()),
            }
        }
    }

    /// The tree, with whatever trivia is left at its end.
    pub(crate) fn finish(mut self) -> GreenNode {
        self.trivia_until(self.tokens.len());
        self.builder.finish_node();
        self.builder.finish()
    }

    /// Begins the node of the event at `at` and those around it that were begun later.
    fn start_all(&mut self, events: &mut [Event], at: usize) {
        const NOTHING: Event = Event::Start {
            kind: TOMBSTONE,
            forward_parent: 0,
        };
        let mut link = at;
        while let Event::Start {
            kind,
            forward_parent,
        } = std::mem::replace(&mut events[link], NOTHING)
        {
            if kind != TOMBSTONE {
                self.starts.push(kind);
            }
            if forward_parent == 0 {
                break;
            }
            link += forward_parent as usize;
        }
        while let Some(kind) = self.starts.pop() {
            self.start(kind);
        }
    }

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
