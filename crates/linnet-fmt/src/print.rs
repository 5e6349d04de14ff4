//! The document to text: one pass, no recursion, each element looked at once.

use crate::{
    doc::{Elem, Op, Rhs},
    gaps::Comment,
};

/// How wide a line may be, in characters.
const MAX_WIDTH: u32 = 100;
const INDENT: u32 = 4;

/// What a group changed and its end puts back.
#[derive(Clone, Copy)]
struct Frame {
    flat: bool,
    indent: u32,
}

struct Printer<'d> {
    text: &'d str,
    elems: &'d [Elem],
    comments: &'d [Comment],
    newline: &'d str,
    out: String,
    /// Where the line stands, in characters.
    column: u32,
    indent: u32,
    flat: bool,
    frames: Vec<Frame>,
    /// Nothing stands on the line yet; its indentation is written with the first thing on it.
    at_line_start: bool,
    /// The line begins with a closing bracket.
    after_bracket: bool,
    /// A comment ends the line, whatever comes next.
    line_ended: bool,
    /// A break that comes now is not indented.
    aligned: bool,
    /// The last `where` clause has lines of its own.
    where_broken: bool,
}

/// Prints a document about `text`, with `newline` between lines.
pub(crate) fn print(text: &str, elems: &[Elem], comments: &[Comment], newline: &str) -> String {
    let mut printer = Printer {
        text,
        elems,
        comments,
        newline,
        out: String::with_capacity(text.len() + text.len() / 8 + 16),
        column: 0,
        indent: 0,
        flat: false,
        frames: Vec::new(),
        at_line_start: true,
        after_bracket: false,
        line_ended: false,
        aligned: false,
        where_broken: false,
    };
    for at in 0..elems.len() {
        printer.elem(at);
    }
    printer.out.push_str(newline);
    printer.out
}

impl Printer<'_> {
    fn elem(&mut self, at: usize) {
        let elem = self.elems[at];
        match elem.op {
            Op::Token => {
                let len = self.elems[at + 1].width - elem.width;
                let token = &self.text[elem.arg as usize..(elem.arg + len) as usize];
                let begins_line = self.at_line_start || self.line_ended;
                self.begin_text();
                if begins_line {
                    self.after_bracket = matches!(token, ")" | "]" | "}");
                }
                self.out.push_str(token);
                self.column += len;
            }
            Op::Comma => self.put(","),
            Op::CommaIfBroken if !self.flat => self.put(","),
            Op::CommaIfBroken => {}
            Op::Space => self.space(),
            Op::Soft { blank } => {
                if !self.flat || self.line_ended {
                    self.newline(self.indent, blank);
                }
            }
            Op::Line { blank } => {
                if self.flat && !self.line_ended {
                    self.space();
                } else {
                    self.newline(self.indent, blank);
                }
            }
            Op::Hard { blank } => self.newline(self.indent, blank),
            Op::Break { indent, blank } => {
                self.newline(self.indent + if indent { INDENT } else { 0 }, blank);
            }
            Op::Comment { spaced } => self.comment(self.comments[elem.arg as usize], spaced),
            Op::Aligned => self.aligned = true,
            Op::Force | Op::Eof => {}
            Op::Indent => self.indent += INDENT,
            Op::Dedent => self.indent -= INDENT,
            Op::Group => {
                self.enter();
                self.flat = self.flat || self.fits(at, self.line_start_or_column());
            }
            Op::Tail => {
                self.enter();
                self.flat = self.flat
                    || (self.after_bracket && !self.line_ended && self.fits(at, self.column));
            }
            Op::End => self.leave(),
            Op::Rhs { style } => self.rhs(at, style),
            Op::Where { below } => self.where_clause(at, below),
            Op::Brace => {
                if self.where_broken || self.line_ended {
                    self.newline(self.indent, false);
                } else {
                    self.space();
                }
                self.where_broken = false;
            }
        }
    }

    fn enter(&mut self) {
        self.frames.push(Frame {
            flat: self.flat,
            indent: self.indent,
        });
    }

    fn leave(&mut self) {
        if let Some(frame) = self.frames.pop() {
            self.flat = frame.flat;
            self.indent = frame.indent;
        }
    }

    /// The right side of a `=`.
    fn rhs(&mut self, at: usize, style: Rhs) {
        self.enter();
        if self.flat {
            self.space();
            return;
        }
        if style == Rhs::Below || self.line_ended {
            self.indent += INDENT;
            self.newline(self.indent, false);
            self.flat = self.fits(at, self.indent - 1);
            return;
        }
        if self.fits(at, self.column) {
            self.space();
            self.flat = true;
            return;
        }
        if style == Rhs::NextLine {
            // The element itself is a space wide, which the next line does not have.
            let below = self.indent + INDENT - 1;
            let head = self.elems[at + 1].next_line - self.elems[at].width;
            let fits_below = self.fits(at, below);
            if fits_below || (self.column + head > MAX_WIDTH && below + head <= MAX_WIDTH) {
                self.indent += INDENT;
                self.newline(self.indent, false);
                self.flat = fits_below;
                return;
            }
        }
        self.space();
    }

    /// ` where ..` on the line if it fits, else on one line below, else one constraint a line.
    fn where_clause(&mut self, at: usize, below: bool) {
        self.enter();
        self.where_broken = true;
        if below {
            self.newline(self.indent, false);
        } else if !self.line_ended && self.fits_alone(at, self.column + self.brace_width(at)) {
            self.where_broken = false;
            self.flat = true;
            self.space();
        } else if self.fits_alone(at, self.indent + INDENT - 1) {
            self.newline(self.indent + INDENT, false);
            self.flat = true;
        } else if self.line_ended || self.column + " where".len() as u32 > MAX_WIDTH {
            self.newline(self.indent, false);
        } else {
            self.space();
        }
    }

    /// The width of the brace after the `where` clause at `at`, if it may stand on its line.
    fn brace_width(&self, at: usize) -> u32 {
        let after = &self.elems[self.elems[at].arg as usize + 1..];
        let mut after = after
            .iter()
            .skip_while(|elem| matches!(elem.op, Op::Comment { .. }));
        match (after.next(), after.next()) {
            (Some(space), Some(brace)) if space.op == Op::Brace => brace.next_line - space.width,
            _ => 0,
        }
    }

    /// Whether the group at `at` and what follows it on its line fit on one that stands at
    /// `column`.
    fn fits(&self, at: usize, column: u32) -> bool {
        let end = &self.elems[self.elems[at].arg as usize];
        self.fits_alone(at, column + (end.next_line - end.width))
    }

    /// Whether the group at `at` itself does.
    fn fits_alone(&self, at: usize, column: u32) -> bool {
        let start = &self.elems[at];
        let end = &self.elems[start.arg as usize];
        let width = end.width - start.width - (end.commas - start.commas);
        end.forced == start.forced && column + width <= MAX_WIDTH
    }

    /// Where the next text would stand.
    fn line_start_or_column(&self) -> u32 {
        if self.line_ended {
            self.indent + INDENT
        } else {
            self.column
        }
    }

    fn space(&mut self) {
        if !self.at_line_start && !self.line_ended {
            self.out.push(' ');
            self.column += 1;
        }
    }

    fn put(&mut self, text: &str) {
        self.begin_text();
        self.out.push_str(text);
        self.column += text.len() as u32;
    }

    /// Makes sure that text can stand where the line is.
    fn begin_text(&mut self) {
        if self.line_ended {
            let indent = self.indent + if self.aligned { 0 } else { INDENT };
            self.newline(indent, false);
        }
        self.aligned = false;
        self.begin_line();
    }

    fn begin_line(&mut self) {
        if self.at_line_start {
            self.at_line_start = false;
            let mut left = self.column as usize;
            const BLANKS: &str = "                                                                ";
            while left > 0 {
                let count = left.min(BLANKS.len());
                self.out.push_str(&BLANKS[..count]);
                left -= count;
            }
        }
    }

    fn newline(&mut self, indent: u32, blank: bool) {
        if !self.at_line_start {
            self.out.push_str(self.newline);
            if blank {
                self.out.push_str(self.newline);
            }
        }
        self.at_line_start = true;
        self.line_ended = false;
        self.column = indent;
    }

    fn comment(&mut self, comment: Comment, spaced: bool) {
        if self.line_ended {
            self.newline(self.indent, false);
        }
        if spaced {
            self.space();
        }
        self.begin_line();
        let text = &self.text[comment.start as usize..comment.end as usize];
        if comment.multiline {
            self.comment_lines(text);
        } else {
            self.out.push_str(text.trim_end());
            self.column += comment.width;
        }
        self.line_ended = comment.break_after;
    }

    /// A comment of several lines. Where each begins with a `*`, they are aligned; else they stay.
    fn comment_lines(&mut self, text: &str) {
        let starred = lines(text)
            .skip(1)
            .all(|line| line.trim_start().starts_with('*'));
        for (count, line) in lines(text).enumerate() {
            let mut line = line.trim_end();
            if count > 0 {
                self.out.push_str(self.newline);
                self.column = 0;
                if starred {
                    line = line.trim_start();
                    self.column = self.indent + 1;
                    self.at_line_start = true;
                    self.begin_line();
                }
            }
            self.out.push_str(line);
            self.column += line.chars().count() as u32;
        }
    }
}

/// The lines of a text, whichever way they end.
pub(crate) fn lines(text: &str) -> impl Iterator<Item = &str> {
    text.split('\n')
        .flat_map(|line| line.strip_suffix('\r').unwrap_or(line).split('\r'))
}
