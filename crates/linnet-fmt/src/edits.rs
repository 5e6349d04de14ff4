//! The difference between a text and its formatted form, as small edits.

use linnet_syntax::{Parse, TextRange, TextSize};

use crate::{FormatError, formatted, verify::Between};

/// The edits that turn `text` into its formatted form, in the order of the text: each a range and
/// what replaces it. They touch no token, so that a cursor keeps its place.
///
/// With a `range`, only the edits that touch it. What is left is as good a text as before.
///
/// # Errors
///
/// As [`format`](crate::format).
pub fn format_edits(
    text: &str,
    parse: &Parse,
    range: Option<TextRange>,
) -> Result<Vec<(TextRange, String)>, FormatError> {
    let mut parts: Vec<Between> = Vec::new();
    let new = formatted(text, parse, |mut part| {
        // A comma that is missing here stands before the comment now: that is one edit.
        while part.commas < 0
            && let Some(before) = parts.pop()
        {
            part = Between {
                old: (before.old.0, part.old.1),
                new: (before.new.0, part.new.1),
                commas: before.commas + part.commas,
            };
        }
        parts.push(part);
    })?;
    let wanted = |part: &Between| {
        range.is_none_or(|range| {
            part.old.0 <= usize::from(range.end()) && part.old.1 >= usize::from(range.start())
        })
    };
    let edit = |part: Between| {
        let (old, new) = (&text[part.old.0..part.old.1], &new[part.new.0..part.new.1]);
        if old == new {
            return None;
        }
        let same = |(a, b): &(char, char)| a == b;
        let before: usize = old
            .chars()
            .zip(new.chars())
            .take_while(same)
            .map(|(a, _)| a.len_utf8())
            .sum();
        let (old, new) = (&old[before..], &new[before..]);
        let after: usize = old
            .chars()
            .rev()
            .zip(new.chars().rev())
            .take_while(same)
            .map(|(a, _)| a.len_utf8())
            .sum();
        let position = |offset: usize| TextSize::new(u32::try_from(offset).unwrap_or(u32::MAX));
        let start = part.old.0 + before;
        let range = TextRange::new(position(start), position(start + old.len() - after));
        Some((range, new[..new.len() - after].to_owned()))
    };
    Ok(parts.into_iter().filter(wanted).filter_map(edit).collect())
}
