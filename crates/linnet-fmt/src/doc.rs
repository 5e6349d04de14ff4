//! The document: a flat list of elements between the rules that write it and the printer.
//!
//! A group is printed on one line if it fits, else with each of its own lines broken. Every
//! element knows the flat width and the forced breaks of all that stands before it, so that
//! whether a group fits is a subtraction, and printing is linear.

use crate::gaps::{Comment, Gaps};

/// What to do about a blank line at a line break.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Blank {
    /// None, as at the start and end of braces.
    Never,
    /// One, if there is one in the source.
    Keep,
    /// One.
    Always,
}

/// One element of a document.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Elem {
    pub(crate) op: Op,
    /// A place in the source, in the comments or in the document, as the operation wants it.
    pub(crate) arg: u32,
    /// The flat width of all elements before this one, in characters.
    pub(crate) width: u32,
    /// How many breaks the elements before this one force.
    pub(crate) forced: u32,
    /// How many of the elements before this one are commas of broken lists.
    pub(crate) commas: u32,
    /// The width before the next place where a line can end, from here on.
    pub(crate) next_line: u32,
}

/// What an element does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Op {
    /// The text of a token, which starts at `arg`.
    Token,
    /// A comma that the source does not have.
    Comma,
    /// The same, where the group is broken.
    CommaIfBroken,
    Space,
    /// A break, or nothing where the group is flat; with a blank line if `blank`.
    Soft {
        blank: bool,
    },
    /// A break, or a space where the group is flat.
    Line {
        blank: bool,
    },
    /// A break.
    Hard {
        blank: bool,
    },
    /// A break that a comment forces where the style has none, one level in if `indent`.
    Break {
        indent: bool,
        blank: bool,
    },
    /// A comment, after a space if `spaced`.
    Comment {
        spaced: bool,
    },
    /// Where `Break`s that the printer makes are not indented.
    Aligned,
    /// Breaks the groups around it.
    Force,
    Indent,
    Dedent,
    /// A group that ends at `arg`.
    Group,
    /// The rest of a chain that ends at `arg`: a group of its own where the first operand ends a
    /// line with its bracket.
    Tail,
    /// The right side of a `=` that ends at `arg`.
    Rhs {
        style: Rhs,
    },
    /// A `where` clause that ends at `arg`; `below`: never on the line before.
    Where {
        below: bool,
    },
    /// The end of any of the four.
    End,
    /// The space before the brace after a `where` clause, or a break if the clause has one.
    Brace,
    /// The end of the document.
    Eof,
}

/// How a right side that does not fit on its line is printed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Rhs {
    /// On the next line if it fits there, else broken inside.
    NextLine,
    /// Broken inside.
    Hug,
    /// On the next line in any case, a comment standing before it.
    Below,
}

/// What the next token is parted by from the one before it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Sep {
    None,
    Space,
    Aligned,
    /// A line break that is in the document already.
    Line,
}

/// Writes a document, and the comments of the source into it.
pub(crate) struct Builder<'t> {
    pub(crate) elems: Vec<Elem>,
    gaps: &'t Gaps,
    text: &'t str,
    /// The next token of the source, and how much of it has been written.
    next: usize,
    taken: u32,
    /// Comments that go with the token before, not yet written.
    pending: std::ops::Range<u32>,
    sep: Sep,
    /// Whether the last line break keeps blank lines around its comments.
    keeps_blank: bool,
    /// Whether the last token opens a bracket.
    after_opener: bool,
    /// Whether the comments before the next token have been written.
    leading_done: bool,
    /// Groups opened where nothing has been written since.
    opened: u32,
    groups: Vec<u32>,
    width: u32,
    forced: u32,
    commas: u32,
}

impl<'t> Builder<'t> {
    pub(crate) fn new(text: &'t str, gaps: &'t Gaps) -> Builder<'t> {
        Builder {
            elems: Vec::with_capacity(gaps.tokens.len() * 4),
            gaps,
            text,
            next: 0,
            taken: 0,
            pending: 0..0,
            sep: Sep::Line,
            keeps_blank: true,
            after_opener: false,
            leading_done: false,
            opened: 0,
            groups: Vec::new(),
            width: 0,
            forced: 0,
            commas: 0,
        }
    }

    /// The finished document.
    pub(crate) fn finish(mut self) -> Vec<Elem> {
        self.flush_pending();
        if !self.leading_done {
            let eof = self.gaps.tokens.len() - 1;
            for (count, at) in (self.gaps.tokens[eof].own..self.gaps.range(eof).end).enumerate() {
                let comment = self.comment_at(at);
                if comment.breaks_before > 0 || count == 0 {
                    let blank = comment.breaks_before > 1;
                    self.push(Op::Hard { blank }, 0, 0, 1);
                }
                self.push_comment(at, comment.breaks_before == 0 && count > 0);
            }
        }
        self.push(Op::Eof, 0, 0, 0);
        let mut next_line = self.width;
        let mut at_line = true;
        for elem in self.elems.iter_mut().rev() {
            at_line = match elem.op {
                Op::Soft { .. }
                | Op::Line { .. }
                | Op::Hard { .. }
                | Op::Break { .. }
                | Op::Rhs { .. }
                | Op::Where { .. }
                | Op::Brace => true,
                // A comment at the end of a line may be longer than it.
                Op::Comment { .. } => {
                    at_line || self.gaps.comments[elem.arg as usize].forces_break()
                }
                Op::Token | Op::Comma | Op::CommaIfBroken | Op::Space => false,
                Op::Aligned | Op::Force | Op::Indent | Op::Dedent => at_line,
                Op::Group | Op::Tail | Op::End | Op::Eof => at_line,
            };
            if at_line {
                next_line = elem.width;
            }
            elem.next_line = next_line;
        }
        self.elems
    }

    fn push(&mut self, op: Op, arg: u32, width: u32, forced: u32) {
        self.elems.push(Elem {
            op,
            arg,
            width: self.width,
            forced: self.forced,
            commas: self.commas,
            next_line: 0,
        });
        self.width += width;
        self.forced += forced;
    }

    // Tokens.

    /// The next token, or its first `len` bytes where the parser split it.
    pub(crate) fn token(&mut self, len: u32) {
        self.flush_pending();
        let gap = self.gaps.tokens[self.next];
        if self.taken == 0 && !self.leading_done {
            self.leading();
        }
        self.leading_done = false;
        match std::mem::replace(&mut self.sep, Sep::None) {
            Sep::Space => self.push(Op::Space, 0, 1, 0),
            Sep::Aligned => {
                self.push(Op::Aligned, 0, 0, 0);
                self.push(Op::Space, 0, 1, 0);
            }
            Sep::None | Sep::Line => {}
        }
        self.flush_groups();
        self.push(Op::Token, gap.start + self.taken, len, 0);
        self.taken += len;
        let last = self.text.as_bytes()[(gap.start + self.taken) as usize - 1];
        self.after_opener = matches!(last, b'(' | b'[' | b'<');
        if self.taken >= gap.len {
            self.taken = 0;
            self.next += 1;
            let gap = &self.gaps.tokens[self.next];
            self.pending = gap.first..gap.own;
        }
    }

    /// A comma that the source does not have, before the comments that end the line.
    pub(crate) fn comma(&mut self, if_broken: bool) {
        while !self.pending.is_empty() {
            let comment = self.comment_at(self.pending.start);
            if comment.break_after || comment.multiline {
                break;
            }
            self.flush_one();
        }
        if if_broken {
            self.comma_if_broken();
        } else {
            self.push(Op::Comma, 0, 1, 0);
        }
    }

    /// A comma where the group is broken, before all comments.
    pub(crate) fn comma_if_broken(&mut self) {
        self.push(Op::CommaIfBroken, 0, 1, 0);
        self.commas += 1;
    }

    pub(crate) fn space(&mut self) {
        self.sep = Sep::Space;
    }

    /// A space before what goes on with a construct, such as `else`: if a comment breaks the line
    /// here, it is not indented.
    pub(crate) fn aligned_space(&mut self) {
        self.sep = Sep::Aligned;
    }

    // Comments.

    fn comment_at(&self, at: u32) -> Comment {
        self.gaps.comments[at as usize]
    }

    fn push_comment(&mut self, at: u32, spaced: bool) {
        let comment = self.comment_at(at);
        let forced = u32::from(comment.forces_break());
        self.push(
            Op::Comment { spaced },
            at,
            comment.width + u32::from(spaced),
            forced,
        );
    }

    fn flush_one(&mut self) {
        let at = self.pending.start;
        self.pending.start += 1;
        let comment = self.comment_at(at);
        let spaced = !self.after_opener || comment.break_after || comment.multiline;
        self.push_comment(at, spaced);
        self.after_opener = false;
    }

    fn flush_pending(&mut self) {
        while !self.pending.is_empty() {
            self.flush_one();
        }
    }

    /// Whether a comment of the token before ends its line.
    fn pending_break(&self) -> bool {
        self.pending
            .clone()
            .any(|at| self.comment_at(at).break_after)
    }

    /// The comments that go with the next token. Groups that begin with the token begin after
    /// them, so that a comment before a group does not break it.
    fn leading(&mut self) {
        let gap = self.gaps.tokens[self.next];
        let end = self.gaps.range(self.next).end;
        if gap.own == end {
            return;
        }
        let at_line = self.sep == Sep::Line;
        let indent = self.sep != Sep::Aligned;
        let separate = |this: &mut Self, blank: bool| {
            let blank = blank && this.keeps_blank;
            if at_line {
                this.push(Op::Hard { blank }, 0, 0, 1);
            } else {
                this.push(
                    Op::Break {
                        indent,
                        blank: false,
                    },
                    0,
                    0,
                    1,
                );
            }
        };
        let mut broken = at_line;
        for at in gap.own..end {
            let comment = self.comment_at(at);
            let first = at == gap.own;
            let mut spaced = false;
            if comment.breaks_before > 0 {
                if !(first && at_line) {
                    separate(self, comment.breaks_before > 1);
                }
                broken = true;
            } else if first {
                spaced = match self.sep {
                    Sep::Space | Sep::Aligned => true,
                    Sep::None => !self.after_opener,
                    Sep::Line => false,
                };
            } else {
                spaced = true;
            }
            self.push_comment(at, spaced);
        }
        let last = self.comment_at(end - 1);
        if last.break_after {
            separate(self, gap.breaks > 1);
            self.sep = Sep::None;
        } else if broken || self.sep != Sep::None || self.after_opener {
            self.sep = Sep::Space;
        }
    }

    // Lines.

    /// Whether the break that comes now has a blank line. Those between comments are kept anyway.
    fn blank(&mut self, blank: Blank) -> bool {
        self.keeps_blank = true;
        let gap = &self.gaps.tokens[self.next];
        let own = &self.gaps.comments[gap.own as usize..self.gaps.range(self.next).end as usize];
        let here = match own.first() {
            Some(comment) => comment.breaks_before > 1,
            None => gap.breaks > 1,
        };
        match blank {
            Blank::Never => false,
            Blank::Keep => here,
            Blank::Always => {
                // A comment that a blank line parts from what follows stays where it is.
                let parted = own.iter().skip(1).any(|comment| comment.breaks_before > 1)
                    || (!own.is_empty() && gap.breaks > 1);
                here || !parted
            }
        }
    }

    /// A break that is nothing where its group is flat.
    pub(crate) fn soft(&mut self, blank: Blank) {
        self.flush_pending();
        self.flush_groups();
        let blank = self.blank(blank);
        self.push(Op::Soft { blank }, 0, 0, 0);
        self.sep = Sep::Line;
    }

    /// A break that is a space where its group is flat.
    pub(crate) fn line(&mut self, blank: Blank) {
        self.flush_pending();
        self.flush_groups();
        let blank = self.blank(blank);
        self.push(Op::Line { blank }, 0, 1, 0);
        self.sep = Sep::Line;
    }

    /// A break between the operands of one expression, where blank lines are not kept.
    pub(crate) fn operand_line(&mut self) {
        self.line(Blank::Never);
        self.keeps_blank = false;
    }

    /// A break.
    pub(crate) fn hard(&mut self, blank: Blank) {
        self.flush_pending();
        self.flush_groups();
        let blank = self.blank(blank);
        self.push(Op::Hard { blank }, 0, 0, 1);
        self.sep = Sep::Line;
    }

    /// Breaks the groups that are open.
    pub(crate) fn force_break(&mut self) {
        self.push(Op::Force, 0, 0, 1);
    }

    // Nesting.

    pub(crate) fn indent(&mut self) {
        self.flush_groups();
        self.push(Op::Indent, 0, 0, 0);
    }

    pub(crate) fn dedent(&mut self) {
        self.push(Op::Dedent, 0, 0, 0);
    }

    /// Opens a group.
    pub(crate) fn open(&mut self) {
        self.opened += 1;
    }

    fn flush_groups(&mut self) {
        while self.opened > 0 {
            self.opened -= 1;
            self.groups.push(self.elems.len() as u32);
            self.push(Op::Group, 0, 0, 0);
        }
    }

    /// Opens the rest of a chain.
    pub(crate) fn open_tail(&mut self) {
        self.flush_groups();
        self.groups.push(self.elems.len() as u32);
        self.push(Op::Tail, 0, 0, 0);
    }

    /// Closes what was opened last.
    pub(crate) fn close(&mut self) {
        if self.opened > 0 {
            self.opened -= 1;
            return;
        }
        if let Some(start) = self.groups.pop() {
            self.elems[start as usize].arg = self.elems.len() as u32;
            self.push(Op::End, 0, 0, 0);
        }
    }

    /// Whether a comment before the next token keeps it from standing on the line.
    fn next_is_below(&self) -> bool {
        let own = self.gaps.tokens[self.next].own..self.gaps.range(self.next).end;
        own.map(|at| self.comment_at(at))
            .any(|comment| comment.breaks_before > 0 || comment.break_after)
    }

    /// Opens the right side of a `=`, which may go to the next line.
    pub(crate) fn open_rhs(&mut self, style: Rhs) {
        let style = if self.next_is_below() {
            Rhs::Below
        } else {
            style
        };
        self.flush_pending();
        self.flush_groups();
        self.groups.push(self.elems.len() as u32);
        self.push(Op::Rhs { style }, 0, 1, 0);
        self.sep = Sep::Line;
        self.keeps_blank = false;
    }

    /// Opens a `where` clause, which may go to the next line.
    pub(crate) fn open_where(&mut self) {
        let below = self.next_is_below();
        self.flush_pending();
        self.flush_groups();
        self.groups.push(self.elems.len() as u32);
        self.push(Op::Where { below }, 0, 1, 0);
        self.sep = Sep::Line;
        self.keeps_blank = false;
    }

    /// The space or break before the brace after a `where` clause.
    pub(crate) fn brace_space(&mut self) {
        self.flush_pending();
        self.flush_groups();
        if self.next_is_below() {
            self.push(Op::Hard { blank: false }, 0, 0, 1);
        } else {
            self.push(Op::Brace, 0, 1, 0);
        }
        self.sep = Sep::Line;
        self.keeps_blank = false;
    }

    // Brackets.

    /// Whether comments stand before the next token, a closing bracket.
    pub(crate) fn has_comments(&self) -> bool {
        !self.gaps.range(self.next).is_empty()
    }

    /// Whether comments stand before the next token that need lines of their own.
    pub(crate) fn has_own_lines(&self) -> bool {
        let gap = &self.gaps.tokens[self.next];
        self.pending_break() || gap.own < self.gaps.range(self.next).end
    }

    /// The comments before a closing bracket, as the last lines inside it.
    pub(crate) fn inner_comments(&mut self, line: impl Fn(&mut Self, Blank), empty: bool) {
        let gap = self.gaps.tokens[self.next];
        let end = self.gaps.range(self.next).end;
        for at in gap.own..end {
            let comment = self.comment_at(at);
            let first = at == gap.own;
            if first {
                line(self, if empty { Blank::Never } else { Blank::Keep });
            } else if comment.breaks_before > 0 {
                self.push(
                    Op::Hard {
                        blank: comment.breaks_before > 1,
                    },
                    0,
                    0,
                    1,
                );
            }
            self.push_comment(at, !first && comment.breaks_before == 0);
        }
        self.leading_done = true;
    }
}
