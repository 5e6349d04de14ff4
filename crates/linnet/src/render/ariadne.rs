//! Reports for a terminal: source excerpts with every label, notes, help and fixes.

use std::collections::HashMap;
use std::ops::Range;

use ariadne::{Cache, Color, Config, IndexType, Label, ReportKind};

use crate::report::{Fix, Place, Report, Reports, Severity, SourceId};

/// Longer lines are not excerpted: they would fill the screen.
const MAX_LINE: usize = 1000;
/// More notes than these are shown as one.
const MAX_NOTES: usize = 3;
/// Places in one file that are further apart, in bytes, are shown in excerpts of their own.
const MAX_GAP: usize = 10_000;

/// One excerpt of a file. The primary place is always in the first.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
struct Excerpt {
    source: SourceId,
    section: usize,
}

type Span = (Excerpt, Range<usize>);

/// Renders one report after another; each file is prepared once.
pub struct Renderer<'a> {
    reports: &'a Reports,
    color: bool,
    cache: SourceCache<'a>,
}

impl<'a> Renderer<'a> {
    pub fn new(reports: &'a Reports, color: bool) -> Self {
        Renderer {
            reports,
            color,
            cache: SourceCache {
                reports,
                sources: HashMap::new(),
            },
        }
    }

    /// One report, ended by a blank line.
    pub fn render(&mut self, report: &Report) -> String {
        if !self.can_show(&report.place) {
            return self.render_plain(report);
        }
        let config = Config::new()
            // Offsets are converted here: given bytes, the crate takes characters for bytes when it
            // names the place of a label in another file.
            .with_index_type(IndexType::Char)
            .with_color(self.color);
        let (kind, color) = match report.severity() {
            Severity::Error => (ReportKind::Error, Color::Red),
            Severity::Warning => (ReportKind::Warning, Color::Yellow),
        };
        let mut builder = ariadne::Report::build(kind, self.span(&report.place))
            .with_config(config)
            .with_code(clean(&report.code))
            .with_message(clean(&report.message));
        let mut notes = Vec::new();
        builder.add_labels(self.labels(report, color, &mut notes));
        notes.extend(report.notes.iter().cloned());
        // Each note of the crate's is numbered and has a gap before it; many are a list.
        if notes.len() > MAX_NOTES {
            notes = vec![notes.join("\n")];
        }
        for note in notes {
            builder.add_note(clean(&note));
        }
        for help in self.helps(report) {
            builder.add_help(clean(&help));
        }
        let mut out = Vec::new();
        // Writing to memory cannot fail.
        let _ = builder.finish().write(&mut self.cache, &mut out);
        let text = String::from_utf8_lossy(&out);
        let lines = text.lines().map(|line| format!("{}\n", line.trim_end()));
        lines.chain(["\n".to_owned()]).collect()
    }

    /// A report without an excerpt: its file has no text, or a line that would fill the screen.
    fn render_plain(&self, report: &Report) -> String {
        let (kind, color) = match report.severity() {
            Severity::Error => ("Error", "31"),
            Severity::Warning => ("Warning", "33"),
        };
        let head = format!("[{}] {kind}:", report.code);
        let head = if self.color {
            format!("\u{1b}[{color}m{head}\u{1b}[0m")
        } else {
            head
        };
        let mut lines = vec![self.named(&report.place, &report.label)];
        let related = report.related.iter();
        lines.extend(related.map(|(place, text)| self.named(place, text)));
        let helps = self.helps(report);
        lines.extend(helps.iter().map(|help| format!("Help: {help}")));
        lines.extend(report.notes.iter().map(|note| format!("Note: {note}")));
        let mut out = format!("{head} {}\n", clean(&report.message));
        for line in lines.iter().flat_map(|line| line.lines()) {
            out.push_str(&format!("    {}\n", clean(line)));
        }
        out.push('\n');
        out
    }

    /// The help texts, those of the fixes included.
    fn helps(&self, report: &Report) -> Vec<String> {
        // A help that names the replacement says it all.
        let said = |fix: &Fix| match fix.edits.as_slice() {
            [(_, new)] => report
                .help
                .iter()
                .any(|help| help.contains(&format!("`{new}`"))),
            _ => false,
        };
        let fixes = report
            .fixes
            .iter()
            .filter(|fix| !said(fix))
            .map(|fix| self.fix_text(fix));
        report.help.iter().cloned().chain(fixes).collect()
    }

    /// The labels in the order in which the crate shows them well: those near the primary one first, then
    /// those of other places, each from the top.
    fn labels(&self, report: &Report, color: Color, notes: &mut Vec<String>) -> Vec<Label<Span>> {
        let primary = &report.place;
        let mut places = vec![(primary, report.label.as_str(), color)];
        for (place, text) in &report.related {
            if self.can_show(place) {
                places.push((place, text, Color::Cyan));
            } else {
                notes.push(self.named(place, text));
            }
        }
        places.sort_by_key(|(place, ..)| (place.source, place.range.end, place.range.start));
        // A wide gap begins a new excerpt: the crate walks over every line in between.
        let mut sections = Vec::with_capacity(places.len());
        let mut section = 0;
        for (at, (place, ..)) in places.iter().enumerate() {
            if let Some(before) = at.checked_sub(1) {
                let before = places[before].0;
                let gap = place.range.start.saturating_sub(before.range.end);
                if before.source != place.source || gap > MAX_GAP {
                    section += 1;
                }
            }
            sections.push(section);
        }
        let own = places
            .iter()
            .position(|(place, ..)| std::ptr::eq(*place, primary));
        let own = own.map_or(0, |at| sections[at]);
        let mut labels: Vec<_> = places.into_iter().zip(sections).collect();
        labels.sort_by_key(|(_, section)| *section != own);
        let label = |((place, text, color), section): ((&Place, &str, Color), usize)| {
            let excerpt = Excerpt {
                source: place.source,
                section: if section == own { 0 } else { section + 1 },
            };
            // Without a message the crate draws no underline.
            let text = if text.is_empty() { "here" } else { text };
            Label::new((excerpt, self.chars(place)))
                .with_color(color)
                .with_message(clean(text))
        };
        labels.into_iter().map(label).collect()
    }

    /// Whether the place has lines that fit a screen.
    fn can_show(&self, place: &Place) -> bool {
        let source = self.reports.source(place.source);
        let fits = |offset| source.line_range(offset).len() <= MAX_LINE;
        !source.text.is_empty() && fits(place.range.start) && fits(place.range.end)
    }

    /// The place of a report itself.
    fn span(&self, place: &Place) -> Span {
        let source = place.source;
        (Excerpt { source, section: 0 }, self.chars(place))
    }

    /// A place in characters.
    fn chars(&self, place: &Place) -> Range<usize> {
        let source = self.reports.source(place.source);
        let start = source.chars_before(place.range.start);
        start..source.chars_before(place.range.end).max(start)
    }

    fn name_place(&self, place: &Place) -> String {
        let source = self.reports.source(place.source);
        if source.text.is_empty() {
            return source.name.clone();
        }
        let at = source.position(place.range.start);
        format!("{}:{}:{}", source.name, at.line, at.column)
    }

    fn named(&self, place: &Place, text: &str) -> String {
        let place = self.name_place(place);
        if text.is_empty() {
            place
        } else {
            format!("{place}: {text}")
        }
    }

    /// The title, and the edit where it is short.
    fn fix_text(&self, fix: &Fix) -> String {
        let [(place, new)] = fix.edits.as_slice() else {
            return fix.title.clone();
        };
        let source = self.reports.source(place.source);
        let old = source.text.get(place.range.clone()).unwrap_or_default();
        let short = |text: &str| text.len() <= 60 && !text.contains('\n');
        let title = &fix.title;
        match (old.trim(), new.trim()) {
            (old, new) if !short(old) || !short(new) || title.contains(new) => title.clone(),
            ("", new) => format!("{title}: insert `{new}`"),
            (old, "") => format!("{title}: remove `{old}`"),
            (old, new) => format!("{title}: write `{new}` in place of `{old}`"),
        }
    }
}

/// Sources in the crate's form, made when they are first shown.
struct SourceCache<'a> {
    reports: &'a Reports,
    sources: HashMap<SourceId, ariadne::Source<String>>,
}

impl Cache<Excerpt> for SourceCache<'_> {
    type Storage = String;

    fn fetch(
        &mut self,
        excerpt: &Excerpt,
    ) -> Result<&ariadne::Source<String>, impl std::fmt::Debug> {
        let source = self.sources.entry(excerpt.source).or_insert_with(|| {
            let mut text = clean_source(&self.reports.source(excerpt.source).text);
            // A place behind the last line end gets a line of its own.
            if text.ends_with('\n') {
                text.push('\n');
            }
            ariadne::Source::from(text)
        });
        Ok::<_, std::convert::Infallible>(source)
    }

    fn display<'i>(&self, excerpt: &'i Excerpt) -> Option<impl std::fmt::Display + 'i> {
        Some(clean(&self.reports.source(excerpt.source).name))
    }
}

/// A text in which no character steers the terminal.
fn clean(text: &str) -> String {
    replace_steering(text, |c| c == '\n')
}

/// The same for a source, character by character, so that places stay valid.
///
/// Only the line feed ends a line here, as everywhere in this program.
fn clean_source(text: &str) -> String {
    let crlf = text.replace("\r\n", " \n");
    replace_steering(&crlf, |c| c == '\n' || c == '\t')
}

fn replace_steering(text: &str, keep: impl Fn(char) -> bool) -> String {
    text.chars()
        .map(|c| if steers(c) && !keep(c) { '\u{fffd}' } else { c })
        .collect()
}

/// Control characters, line ends of other conventions, and marks that turn the direction of text.
fn steers(c: char) -> bool {
    c.is_control()
        || matches!(
            c,
            '\u{2028}' | '\u{2029}' | '\u{200e}' | '\u{200f}' | '\u{061c}'
        )
        || matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}
