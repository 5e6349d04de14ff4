//! Questions about what comes later, answered in time linear in the text.

use std::collections::HashMap;

use super::Parser;
use crate::{SyntaxKind, SyntaxKind::*, grammar};

pub(super) struct Brackets {
    /// For an opening bracket, the place of its closing one; 0 for none (never a closing place).
    pub(super) matching: Vec<u32>,
    pub(super) unclosed_braces: i32,
}

/// Pairs the brackets of the whole text. Braces are believed over `(` and `[`: a brace that
/// closes, or a keyword that can only begin a statement, leaves what is open inside unpaired.
pub(super) fn match_brackets(kinds: &[SyntaxKind]) -> Brackets {
    let mut matching = vec![0u32; kinds.len()];
    let mut open: Vec<u32> = Vec::new();
    let mut unclosed_braces = 0;
    let kind_of = |place: &u32| kinds[*place as usize];
    for (place, &kind) in kinds.iter().enumerate() {
        match kind {
            L_PAREN | L_BRACK => open.push(place as u32),
            L_CURLY => {
                unclosed_braces += 1;
                open.push(place as u32);
            }
            R_PAREN | R_BRACK => {
                let wanted = if kind == R_PAREN { L_PAREN } else { L_BRACK };
                // One bracket of the other kind may be missing its partner.
                let depth = open.iter().rev().take(2).position(|o| kind_of(o) == wanted);
                let blocked = open.last().is_none_or(|o| kind_of(o) == L_CURLY);
                if let (Some(depth), false) = (depth, blocked) {
                    open.truncate(open.len() - depth);
                    if let Some(opener) = open.pop() {
                        matching[opener as usize] = place as u32;
                    }
                }
            }
            R_CURLY => {
                unclosed_braces -= 1;
                while let Some(opener) = open.pop() {
                    if kind_of(&opener) == L_CURLY {
                        matching[opener as usize] = place as u32;
                        break;
                    }
                }
            }
            _ if grammar::ENDS_BRACKETS.contains(kind) && !is_used_as_name(kinds, place) => {
                while open.last().is_some_and(|o| kind_of(o) != L_CURLY) {
                    open.pop();
                }
            }
            _ => {}
        }
    }
    Brackets {
        matching,
        unclosed_braces,
    }
}

/// Whether the keyword at `place` stands where only a name makes sense: `f(state: T)`.
fn is_used_as_name(kinds: &[SyntaxKind], place: usize) -> bool {
    matches!(
        kinds.get(place + 1),
        Some(COLON | COMMA | EQ | R_PAREN | R_BRACK | DOT | GT | FAT_ARROW)
    )
}

/// What is known of each `<` that was looked at: the place of its `>`, or that it has none.
#[derive(Default)]
pub(super) struct GenericLists {
    ends: HashMap<u32, Option<u32>>,
}

impl Parser<'_> {
    /// Whether a keyword stands here that no expression, type or pattern holds.
    pub(crate) fn at_end_of_brackets(&self) -> bool {
        self.at_any(grammar::ENDS_BRACKETS) && !is_used_as_name(&self.kinds, self.pos)
    }

    /// The `>` that closes the `<` at `open`: exactly, where what stands between is well formed;
    /// else by counting, not further than a list in angle brackets goes.
    pub(crate) fn closing_angle(&mut self, open: usize) -> Option<usize> {
        const LONGEST_BROKEN_LIST: usize = 100;
        if let Some(end) = self.generic_list_end(open) {
            return Some(end as usize);
        }
        let mut depth = 0usize;
        let mut at = open;
        for _ in 0..LONGEST_BROKEN_LIST {
            match *self.kinds.get(at)? {
                LT => depth += 1,
                GT => {
                    depth -= 1;
                    if depth == 0 {
                        return Some(at);
                    }
                }
                R_PAREN | R_BRACK | L_CURLY | R_CURLY | THIN_ARROW | WHERE_KW | EOF => return None,
                kind if grammar::ENDS_BRACKETS.contains(kind)
                    && !is_used_as_name(&self.kinds, at) =>
                {
                    return None;
                }
                _ => {}
            }
            at = self.closing(at).unwrap_or(at) + 1;
        }
        None
    }

    /// Whether the `<` here opens the generic arguments of a call: what follows reads as a list of
    /// them up to its `>`, and then a `(` stands.
    pub(crate) fn at_generic_call(&mut self) -> bool {
        if self.in_constraint {
            return false;
        }
        match self.generic_list_end(self.pos) {
            Some(end) => self.kinds.get(end as usize + 1) == Some(&L_PAREN),
            None => false,
        }
    }

    /// Whether a name here carries generic arguments as a type does: `Linear<A, B>`.
    pub(crate) fn is_generic_list(&mut self, at: usize) -> Option<usize> {
        self.generic_list_end(at).map(|end| end as usize)
    }

    /// The `>` that closes the `<` at `start` if types and additive expressions stand between.
    ///
    /// Every `<` met on the way is settled with it, and brackets are jumped over, so that all
    /// calls together take time linear in the number of tokens.
    fn generic_list_end(&mut self, start: usize) -> Option<u32> {
        if let Some(known) = self.generic_lists.ends.get(&(start as u32)) {
            return *known;
        }
        let mut open = vec![start as u32];
        let mut at = start + 1;
        let mut want_operand = true;
        loop {
            let kind = self.kinds.get(at).copied().unwrap_or(EOF);
            let step = match (want_operand, kind) {
                (true, IDENT) if self.reduction_head(at).is_some() => {
                    // `sum[k]`, and the summand is still to come.
                    let bracket = self.reduction_head(at).unwrap_or(at);
                    match self.closing(bracket) {
                        Some(close) => close + 1 - at,
                        None => 0,
                    }
                }
                (
                    true,
                    IDENT | INT_NUMBER | FLOAT_NUMBER | STRING | TRUE_KW | FALSE_KW | NONE_KW,
                ) => {
                    want_operand = false;
                    1
                }
                (true, SOME_KW) if self.kinds.get(at + 1) == Some(&L_PAREN) => 1,
                (true, PLUS | MINUS | BANG) => 1,
                (true, L_PAREN | L_BRACK) | (false, L_PAREN | L_BRACK) => match self.closing(at) {
                    Some(close) => {
                        want_operand = false;
                        close + 1 - at
                    }
                    None => 0,
                },
                (false, PLUS | MINUS | STAR | SLASH | PERCENT) => {
                    want_operand = true;
                    1
                }
                (false, DOT) if self.kinds.get(at + 1) == Some(&IDENT) => 2,
                (false, QUESTION) => 1,
                (_, COMMA) if !want_operand => {
                    // A comma may end the list.
                    want_operand = self.kinds.get(at + 1) != Some(&GT);
                    1
                }
                (false, LT) => match self.generic_lists.ends.get(&(at as u32)) {
                    Some(Some(end)) => *end as usize + 1 - at,
                    Some(None) => 0,
                    None => {
                        open.push(at as u32);
                        want_operand = true;
                        1
                    }
                },
                (false, GT) => {
                    let opener = open.pop().unwrap_or(start as u32);
                    self.generic_lists.ends.insert(opener, Some(at as u32));
                    if open.is_empty() {
                        return Some(at as u32);
                    }
                    1
                }
                _ => 0,
            };
            if step == 0 {
                // What stops an inner list stops those around it.
                for opener in open {
                    self.generic_lists.ends.insert(opener, None);
                }
                return None;
            }
            at += step;
        }
    }

    /// Whether a reduction begins at `at`: `sum[..]` or `sum<f32>[..]`; the place of its bracket.
    pub(crate) fn reduction_head(&self, at: usize) -> Option<usize> {
        let kind = |n: usize| self.kinds.get(at + n).copied().unwrap_or(EOF);
        let bracket = match (kind(1), kind(2), kind(3), kind(4)) {
            (L_BRACK, ..) => at + 1,
            (LT, IDENT, GT, L_BRACK) => at + 4,
            _ => return None,
        };
        matches!(
            self.text_at(at),
            "sum" | "prod" | "max" | "min" | "any" | "all"
        )
        .then_some(bracket)
    }

    /// The first `kind` between the brackets at `open` and `close`, not counting inner brackets.
    pub(crate) fn find_in_group(
        &self,
        open: usize,
        close: usize,
        kind: SyntaxKind,
    ) -> Option<usize> {
        let mut at = open + 1;
        while at < close {
            if self.kinds[at] == kind {
                return Some(at);
            }
            at = self.closing(at).unwrap_or(at) + 1;
        }
        None
    }
}
