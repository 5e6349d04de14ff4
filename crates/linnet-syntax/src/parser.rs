//! What every rule of the grammar builds on: a cursor over the tokens that are not trivia, the
//! events that describe the tree, and the one place where faults are recorded.
//!
//! The parser knows no tree. It emits [`Event`]s, which `tree.rs` turns into green nodes together
//! with the trivia that was left out here.

mod lookahead;

use rowan::{TextRange, TextSize};

use crate::{Fix, SyntaxError, SyntaxKind, SyntaxKind::*, lexer::LexToken, syntax_kind::TokenSet};

/// How deep rules may call each other. A parser frame takes a few hundred bytes in a debug build.
const MAX_NESTING: u32 = 256;

/// How high the tree of one expression may grow, chains such as `a + a + a` included: each link
/// puts what stands left of it one level deeper.
const MAX_HEIGHT: u32 = 500;

/// One step of building the tree.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Event {
    /// A node begins. It moves inside the node begun by the event `forward_parent` places later.
    Start {
        kind: SyntaxKind,
        forward_parent: u32,
    },
    /// The innermost open node ends.
    Finish,
    /// The next token, under this kind.
    Token(SyntaxKind),
    /// The first `len` bytes of the next token; the rest of it follows as a token of its own.
    Part { kind: SyntaxKind, len: u8 },
}

pub(crate) struct Parser<'t> {
    text: &'t str,
    /// The kinds of the tokens that are not trivia, ended by `EOF`.
    kinds: Vec<SyntaxKind>,
    /// Where each of them starts and ends.
    spans: Vec<(u32, u32)>,
    /// For an opening bracket, the place of the bracket that closes it; 0 where none does.
    matching: Vec<u32>,
    pos: usize,
    events: Vec<Event>,
    errors: Vec<SyntaxError>,
    /// The lexer's faults, which silence the parser around them.
    lex_errors: &'t [SyntaxError],
    /// The place of the token that was reported last; one place is reported once.
    reported_at: Option<usize>,
    /// Reserved words already reported as names: their uses say nothing new.
    reported_words: Vec<SyntaxKind>,
    /// `{` without a `}`, in the whole text; negative where `}` are too many.
    pub(crate) unclosed_braces: i32,
    generic_lists: lookahead::GenericLists,
    depth: u32,
    /// The deepest level reached inside the expression being parsed.
    peak: u32,
    reported_depth: bool,
    /// Something too deep was passed over: what is missing around it is no fault of its own.
    muted: bool,
    /// Inside a statement, a member or the head of an item: whether it is known to be broken, so
    /// that nothing more is expected of it.
    broken: Option<bool>,
    /// A `{` may have been lost with something broken, so that a `}` is left over.
    lost_brace: bool,
    /// Directly inside the brackets of an index, where `::` is two colons.
    pub(crate) in_index: bool,
    /// Directly inside a `where` constraint, where `<` always compares.
    pub(crate) in_constraint: bool,
}

impl<'t> Parser<'t> {
    pub(crate) fn new(
        text: &'t str,
        tokens: &[LexToken],
        lex_errors: &'t [SyntaxError],
    ) -> Parser<'t> {
        let mut kinds = Vec::with_capacity(tokens.len() / 2 + 1);
        let mut spans = Vec::with_capacity(tokens.len() / 2 + 1);
        let mut offset = 0;
        for token in tokens {
            if !token.kind.is_trivia() {
                kinds.push(token.kind);
                spans.push((offset, offset + token.len));
            }
            offset += token.len;
        }
        kinds.push(EOF);
        spans.push((offset, offset));
        let brackets = lookahead::match_brackets(&kinds);
        Parser {
            text,
            events: Vec::new(),
            matching: brackets.matching,
            unclosed_braces: brackets.unclosed_braces,
            kinds,
            spans,
            pos: 0,
            errors: Vec::new(),
            lex_errors,
            reported_at: None,
            reported_words: Vec::new(),
            generic_lists: lookahead::GenericLists::default(),
            depth: 0,
            peak: 0,
            reported_depth: false,
            muted: false,
            broken: None,
            lost_brace: false,
            in_index: false,
            in_constraint: false,
        }
    }

    /// The faults found.
    pub(crate) fn finish(self) -> Vec<SyntaxError> {
        self.errors
    }

    /// The events since they were last forgotten.
    pub(crate) fn events(&mut self) -> &mut [Event] {
        &mut self.events
    }

    /// Starts a new list of events, between two nodes.
    pub(crate) fn forget_events(&mut self) {
        self.events.clear();
    }

    // The cursor.

    pub(crate) fn pos(&self) -> usize {
        self.pos
    }

    pub(crate) fn current(&self) -> SyntaxKind {
        self.kinds[self.pos]
    }

    pub(crate) fn nth(&self, n: usize) -> SyntaxKind {
        self.kinds.get(self.pos + n).copied().unwrap_or(EOF)
    }

    pub(crate) fn at(&self, kind: SyntaxKind) -> bool {
        self.current() == kind
    }

    pub(crate) fn at_any(&self, set: TokenSet) -> bool {
        set.contains(self.current())
    }

    /// The text of the current token.
    pub(crate) fn current_text(&self) -> &'t str {
        self.text_at(self.pos)
    }

    /// The text of the token before; empty where there is none.
    pub(crate) fn previous_text(&self) -> &'t str {
        self.pos
            .checked_sub(1)
            .map_or("", |before| self.text_at(before))
    }

    fn text_at(&self, pos: usize) -> &'t str {
        let (start, end) = self.spans[pos];
        &self.text[start as usize..end as usize]
    }

    /// Takes the current token.
    pub(crate) fn bump(&mut self) {
        self.bump_as(self.current());
    }

    /// Takes the current token under another kind.
    pub(crate) fn bump_as(&mut self, kind: SyntaxKind) {
        if !self.at(EOF) {
            self.events.push(Event::Token(kind));
            self.pos += 1;
        }
    }

    /// Takes the first byte of `::` or `>=` as `first`, leaving the second as `rest`.
    pub(crate) fn bump_first_byte(&mut self, first: SyntaxKind, rest: SyntaxKind) {
        self.events.push(Event::Part {
            kind: first,
            len: 1,
        });
        self.kinds[self.pos] = rest;
        self.spans[self.pos].0 += 1;
    }

    pub(crate) fn eat(&mut self, kind: SyntaxKind) -> bool {
        let found = self.at(kind);
        if found {
            self.bump();
        }
        found
    }

    // Lines. A valid file is never read by lines; a broken one is, to find where it broke.

    /// Whether a line break stands before the current token, or nothing at all.
    pub(crate) fn at_line_start(&self) -> bool {
        self.line_start_at(self.pos)
    }

    pub(crate) fn line_start_at(&self, pos: usize) -> bool {
        let Some(before) = pos.checked_sub(1) else {
            return true;
        };
        let between = self.spans[before].1 as usize..self.spans[pos].0 as usize;
        self.text.as_bytes()[between]
            .iter()
            .any(|b| matches!(b, b'\n' | b'\r'))
    }

    /// The width of the blanks before the token at `pos`, if it is the first of its line.
    pub(crate) fn indent_at(&self, pos: usize) -> Option<u32> {
        if !self.line_start_at(pos) {
            return None;
        }
        let start = self.spans[pos].0 as usize;
        let blanks = self.text.as_bytes()[..start]
            .iter()
            .rev()
            .take_while(|b| matches!(b, b' ' | b'\t'))
            .count();
        Some(blanks as u32)
    }

    /// The width of the blanks that begin the line of the token at `pos`. A line too long to be
    /// read by its indentation has none.
    pub(crate) fn line_indent_at(&self, pos: usize) -> Option<u32> {
        const LONGEST_LINE: usize = 400;
        let start = self.spans[pos].0 as usize;
        let before = &self.text.as_bytes()[start.saturating_sub(LONGEST_LINE)..start];
        let line = match before.iter().rposition(|b| matches!(b, b'\n' | b'\r')) {
            Some(line_break) => &before[line_break + 1..],
            None if before.len() == start => before,
            None => return None,
        };
        Some(
            line.iter()
                .take_while(|b| matches!(b, b' ' | b'\t'))
                .count() as u32,
        )
    }

    // Nodes.

    pub(crate) fn start(&mut self) -> Marker {
        let pos = self.events.len() as u32;
        self.events.push(Event::Start {
            kind: TOMBSTONE,
            forward_parent: 0,
        });
        Marker { pos }
    }

    // Depth.

    /// Goes one level down, or reports that there are too many and passes over what is too deep.
    pub(crate) fn enter(&mut self) -> bool {
        if self.depth >= MAX_NESTING {
            self.too_deep("this is nested too deeply");
            return false;
        }
        self.depth += 1;
        self.peak = self.peak.max(self.depth);
        true
    }

    pub(crate) fn leave(&mut self) {
        self.depth -= 1;
    }

    /// Begins to measure the height of an expression; ended by [`Parser::end_height`].
    pub(crate) fn begin_height(&mut self) -> u32 {
        std::mem::replace(&mut self.peak, self.depth)
    }

    pub(crate) fn end_height(&mut self, outer: u32) {
        self.peak = self.peak.max(outer);
    }

    /// Makes room for a node around the operand just parsed.
    pub(crate) fn grow(&mut self) -> bool {
        if self.peak >= MAX_HEIGHT {
            self.too_deep("this expression has too many parts");
            return false;
        }
        self.peak += 1;
        true
    }

    /// Takes everything up to where the too deep thing can end, without a tree.
    fn too_deep(&mut self, message: &str) {
        if !self.reported_depth {
            self.reported_depth = true;
            let range = self.current_range();
            let limit = format!("the limit is {MAX_NESTING} levels, {MAX_HEIGHT} in a chain");
            self.report(
                SyntaxError::new("E1101", range, message, "one level too many").with_help(limit),
            );
        }
        let m = self.start();
        while !self.at(EOF) && !self.at_any(TOO_DEEP_STOPS) {
            if self.at(IDENT) && self.nth(1) == EQ && self.at_line_start() {
                break;
            }
            self.bump_group();
        }
        m.complete_junk(self);
        self.muted = true;
    }

    /// The next statement or item is no longer part of what was too deep.
    pub(crate) fn end_of_too_deep(&mut self) {
        self.muted = false;
    }

    /// Takes a token, or a whole bracketed group where one opens here and is closed.
    pub(crate) fn bump_group(&mut self) {
        let close = self.matching[self.pos] as usize;
        self.bump();
        while self.pos <= close && !self.at(EOF) {
            self.bump();
        }
    }

    /// Where the bracket at `open` closes, if it does.
    pub(crate) fn closing(&self, open: usize) -> Option<usize> {
        match self.matching[open] {
            0 => None,
            close => Some(close as usize),
        }
    }

    // Faults.

    /// The range to report for an unexpected token: the token itself, or, at the end of the text,
    /// the end of its last token.
    pub(crate) fn fault_range(&self) -> TextRange {
        if self.at(EOF) {
            self.gap_range()
        } else {
            self.current_range()
        }
    }

    /// The empty range right after the token before.
    pub(crate) fn gap_range(&self) -> TextRange {
        let end = match self.pos.checked_sub(1) {
            Some(before) => self.spans[before].1.min(self.spans[self.pos].0),
            // A text without a token: its last line that holds something.
            None => self.text.trim_end().len() as u32,
        };
        TextRange::empty(TextSize::new(end))
    }

    pub(crate) fn current_range(&self) -> TextRange {
        self.range_at(self.pos)
    }

    pub(crate) fn range_at(&self, pos: usize) -> TextRange {
        let (start, end) = self.spans[pos];
        TextRange::new(TextSize::new(start), TextSize::new(end))
    }

    /// The current token in the reader's words.
    pub(crate) fn found(&self) -> String {
        match self.current() {
            EOF => "the end of the file".to_owned(),
            STRING => "a string".to_owned(),
            _ => {
                let text = self.current_text();
                match text.char_indices().nth(40) {
                    Some((cut, _)) => format!("`{}...`", &text[..cut]),
                    None => format!("`{text}`"),
                }
            }
        }
    }

    /// E1101: the current token is not `what`.
    pub(crate) fn expected(&mut self, what: &str) {
        self.expected_with(what, |error, _| error);
    }

    /// [`Parser::expected`], with a help or a fix added if it is reported at all.
    pub(crate) fn expected_with(
        &mut self,
        what: &str,
        add: impl FnOnce(SyntaxError, &Parser<'_>) -> SyntaxError,
    ) {
        if self.is_silenced() || self.broken == Some(true) {
            self.set_broken();
            return;
        }
        let range = self.fault_range();
        let label = if range.is_empty() {
            "missing here"
        } else {
            "unexpected"
        };
        let message = format!("expected {what}, found {}", self.found());
        let mut error = add(SyntaxError::new("E1101", range, message, label), self);
        error.anchor = self.gap_range().start();
        self.report(error);
    }

    /// A fault at the current token, unless one was just reported there.
    pub(crate) fn report(&mut self, error: SyntaxError) {
        let unexpected = error.code == "E1101";
        if self.is_silenced() || (unexpected && self.broken == Some(true)) {
            return;
        }
        self.reported_at = Some(self.pos);
        self.errors.push(error);
        if unexpected {
            self.set_broken();
        }
    }

    /// The innermost unit is broken.
    pub(crate) fn set_broken(&mut self) {
        if let Some(broken) = &mut self.broken {
            *broken = true;
        }
    }

    /// Reads a part of which one E1101 is reported at most: one fault in it often makes several
    /// tokens unexpected. Says whether the part is broken.
    pub(crate) fn unit(&mut self, rule: impl FnOnce(&mut Self)) -> bool {
        let outer = self.broken.replace(false);
        rule(self);
        let broken = std::mem::replace(&mut self.broken, outer) == Some(true);
        self.lost_brace |= broken && self.unclosed_braces < 0;
        broken
    }

    /// A `}` that closes nothing; one of them may belong to something broken before.
    pub(crate) fn stray_brace(&mut self, expected: &str) {
        if std::mem::take(&mut self.lost_brace) {
            self.silence();
        }
        self.expected(expected);
        let m = self.start();
        self.bump();
        m.complete_junk(self);
    }

    /// Applies a rule that takes at least one token, and sees to it that it does: a loop around it
    /// ends whatever the rule overlooks.
    pub(crate) fn progress(&mut self, rule: impl FnOnce(&mut Self)) {
        let before = self.pos;
        rule(self);
        if self.pos == before && !self.at(EOF) {
            self.expected("something else");
            let m = self.start();
            self.bump();
            m.complete_junk(self);
        }
    }

    /// Reads what is inside of a unit and consists of units itself.
    pub(crate) fn units(&mut self, rule: impl FnOnce(&mut Self)) {
        let outer = self.broken.take();
        rule(self);
        self.broken = outer;
    }

    /// A fault that no other one silences.
    pub(crate) fn report_always(&mut self, error: SyntaxError) {
        self.reported_at = Some(self.pos);
        self.errors.push(error);
    }

    /// Whether the current place is known to be at fault: reported already, or the lexer found
    /// something wrong between the token before and the end of this one.
    pub(crate) fn is_silenced(&self) -> bool {
        if self.muted || self.reported_at == Some(self.pos) {
            return true;
        }
        if self.lex_errors.is_empty() {
            return false;
        }
        let from = match self.pos.checked_sub(1) {
            Some(before) => self.spans[before].0,
            None => 0,
        };
        let to = self.spans[self.pos].1;
        let first = self
            .lex_errors
            .partition_point(|error| u32::from(error.range.end()) <= from);
        self.lex_errors
            .get(first)
            .is_some_and(|error| u32::from(error.range.start()) <= to)
    }

    /// Passes over the rest of a fault: nothing is reported at the current place.
    pub(crate) fn silence(&mut self) {
        self.reported_at = Some(self.pos);
    }

    /// E1004: the current word is reserved and stands where a name is wanted.
    pub(crate) fn reserved_name(&mut self, what: &str) {
        let kind = self.current();
        if self.reported_words.contains(&kind) {
            return;
        }
        self.reported_words.push(kind);
        let word = self.current_text();
        let mut error = SyntaxError::new(
            "E1004",
            self.current_range(),
            format!("`{word}` is a reserved word and cannot name {what}"),
            "reserved",
        )
        .with_help(match word {
            "self" | "super" => "members and methods are bare names here; remove it".to_owned(),
            _ => format!("choose another name, such as `{word}_`"),
        });
        if kind == MUT_KW && self.nth(1) == IDENT {
            error = error.with_help("a local that changes is declared with `var`");
            if let Some(before) = self.pos.checked_sub(1)
                && self.kinds[before] == LET_KW
            {
                let range = self.range_at(before).cover(self.current_range());
                error = error.with_fix(Fix::new("write `var`", range, "var"));
            }
        }
        self.report(error);
    }

    /// Whether a reserved word has been reported as a name before.
    pub(crate) fn is_reported_word(&self, kind: SyntaxKind) -> bool {
        self.reported_words.contains(&kind)
    }
}

/// What ends the skipping of what is nested too deeply.
const TOO_DEEP_STOPS: TokenSet = TokenSet::new(&[R_PAREN, R_BRACK, R_CURLY, COMMA, FAT_ARROW])
    .union(crate::grammar::STMT_START)
    .union(crate::grammar::ITEM_START)
    .union(crate::grammar::MEMBER_START);

/// A node that has begun. Dropped without being completed, it leaves its children to the parent.
#[must_use]
pub(crate) struct Marker {
    pos: u32,
}

impl Marker {
    pub(crate) fn complete(self, p: &mut Parser<'_>, kind: SyntaxKind) -> CompletedMarker {
        if let Event::Start { kind: slot, .. } = &mut p.events[self.pos as usize] {
            *slot = kind;
        }
        p.events.push(Event::Finish);
        CompletedMarker {
            pos: self.pos,
            kind,
        }
    }

    /// Ends a node of tokens that fit nowhere; one without any leaves no trace.
    pub(crate) fn complete_junk(self, p: &mut Parser<'_>) {
        if p.events.len() == self.pos as usize + 1 {
            p.events.pop();
        } else {
            self.complete(p, ERROR);
        }
    }

    /// Gives the node up; what it held belongs to the parent.
    pub(crate) fn abandon(self, p: &mut Parser<'_>) {
        if p.events.len() == self.pos as usize + 1 {
            p.events.pop();
        }
    }
}

/// A node that has ended and can still be wrapped.
#[derive(Clone, Copy)]
pub(crate) struct CompletedMarker {
    pos: u32,
    kind: SyntaxKind,
}

impl CompletedMarker {
    /// Begins a node around this one.
    pub(crate) fn precede(self, p: &mut Parser<'_>) -> Marker {
        let outer = p.start();
        if let Event::Start { forward_parent, .. } = &mut p.events[self.pos as usize] {
            *forward_parent = outer.pos - self.pos;
        }
        outer
    }

    pub(crate) fn kind(&self) -> SyntaxKind {
        self.kind
    }
}
