//! The table of figures.

use std::path::Path;
use std::time::Duration;

use crate::Result;
use crate::process::{capture, command};
use crate::workspace::{read, write as write_file};

/// A figure.
#[derive(Clone, Copy)]
pub enum Cell {
    Seconds(Duration),
    Megabytes(f64),
    Times(f64),
    /// Megabytes in a second.
    Rate(f64),
    Nothing,
}

impl Cell {
    fn text(self) -> String {
        match self {
            Cell::Seconds(time) if time < Duration::from_millis(1000) => {
                let ms = time.as_secs_f64() * 1e3;
                if ms < 10.0 {
                    format!("{ms:.1} ms")
                } else {
                    format!("{ms:.0} ms")
                }
            }
            Cell::Seconds(time) => format!("{:.2} s", time.as_secs_f64()),
            Cell::Megabytes(mb) => format!("{mb:.0} MB"),
            Cell::Times(factor) => format!("{factor:.2} times"),
            Cell::Rate(rate) => format!("{rate:.1} MB/s"),
            Cell::Nothing => String::new(),
        }
    }

    /// How many times more than another figure of the same kind.
    fn ratio(self, other: Cell) -> Option<f64> {
        match (self, other) {
            (Cell::Seconds(a), Cell::Seconds(b)) => Some(a.as_secs_f64() / b.as_secs_f64()),
            (Cell::Megabytes(a), Cell::Megabytes(b)) => Some(a / b),
            _ => None,
        }
    }
}

struct Row {
    name: String,
    goal: String,
    figure: Cell,
}

/// What the peers' figures are.
const NOTE: &str = "\
In brackets: how many times Linnet's figure. After an edit, `ty server` answers for all modules, and
`pyright` publishes the edited one. The example's counterpart is a Python package of five modules, too.
";

/// All figures, and where they were taken.
pub struct Report {
    rows: Vec<Row>,
    peers: Vec<(String, Vec<Cell>)>,
    load_before: String,
}

impl Report {
    pub fn new() -> Report {
        Report {
            rows: Vec::new(),
            peers: Vec::new(),
            load_before: load(),
        }
    }

    pub fn row(&mut self, name: &str, goal: &str, figure: Cell) {
        self.rows.push(Row {
            name: name.to_owned(),
            goal: goal.to_owned(),
            figure,
        });
    }

    /// A peer's figures, for the first rows.
    pub fn peer(&mut self, name: &str, figures: Vec<Cell>) {
        self.peers.push((name.to_owned(), figures));
    }

    /// As Markdown.
    pub fn table(&self) -> String {
        let mut rows = vec![vec!["".to_owned(), "goal".to_owned(), "Linnet".to_owned()]];
        rows[0].extend(self.peers.iter().map(|(name, _)| name.clone()));
        for (i, row) in self.rows.iter().enumerate() {
            let mut cells = vec![row.name.clone(), row.goal.clone(), row.figure.text()];
            for (_, figures) in &self.peers {
                let figure = figures.get(i).copied().unwrap_or(Cell::Nothing);
                let ratio = figure.ratio(row.figure).map(|r| format!(" ({})", times(r)));
                cells.push(format!("{}{}", figure.text(), ratio.unwrap_or_default()));
            }
            rows.push(cells);
        }
        let columns = rows[0].len();
        let width = |c: usize| {
            rows.iter()
                .map(|row| row[c].chars().count())
                .max()
                .unwrap_or(0)
        };
        let widths: Vec<usize> = (0..columns).map(width).collect();
        let line = |cells: &[String]| {
            let cells: Vec<_> = cells
                .iter()
                .zip(&widths)
                .map(|(cell, width)| format!("{cell:<width$}"))
                .collect();
            format!("| {} |\n", cells.join(" | "))
        };
        let rule: Vec<String> = widths.iter().map(|width| "-".repeat(*width)).collect();
        let mut text = format!("{}\n\n", self.place());
        text.push_str(&line(&rows[0]));
        text.push_str(&line(&rule));
        rows[1..].iter().for_each(|row| text.push_str(&line(row)));
        if !self.peers.is_empty() {
            text.push('\n');
            text.push_str(NOTE);
        }
        text
    }

    /// The machine, the compiler, and what else ran.
    fn place(&self) -> String {
        let info = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
        let model = info
            .lines()
            .find_map(|line| line.strip_prefix("model name"));
        let model = model.map_or("unknown processor", |rest| {
            rest.trim_start_matches(['\t', ' ', ':'])
        });
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        let rustc = capture(command("rustc").arg("--version"));
        let rustc = rustc.map(|captured| captured.stdout).unwrap_or_default();
        let rustc: Vec<&str> = rustc.split_whitespace().take(2).collect();
        format!(
            "{model}, {cores} cores, {}, {}; load {} before, {} after.",
            std::env::consts::OS,
            rustc.join(" "),
            self.load_before,
            load(),
        )
    }
}

/// `7.9×`, `160×`
fn times(ratio: f64) -> String {
    if ratio < 10.0 {
        format!("{ratio:.1}×")
    } else {
        format!("{ratio:.0}×")
    }
}

/// The system's load over the last minute.
fn load() -> String {
    let load = std::fs::read_to_string("/proc/loadavg").unwrap_or_default();
    load.split(' ')
        .next()
        .filter(|load| !load.is_empty())
        .unwrap_or("?")
        .to_owned()
}

const BEGIN: &str = "<!-- bench:begin -->\n";
const END: &str = "<!-- bench:end -->";

/// Puts a table between the markers of a document.
pub fn write(document: &Path, table: &str) -> Result<()> {
    let text = read(document)?;
    let replaced = replace(&text, table).ok_or_else(|| {
        format!(
            "{} does not hold the markers {BEGIN}{END}",
            document.display()
        )
    })?;
    write_file(document, &replaced)
}

fn replace(text: &str, table: &str) -> Option<String> {
    let (before, rest) = text.split_once(BEGIN)?;
    let (_, after) = rest.split_once(END)?;
    Some(format!("{before}{BEGIN}{table}{END}{after}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_has_figures_and_ratios() {
        let mut report = Report::new();
        report.row("check", "< 1 s", Cell::Seconds(Duration::from_millis(500)));
        report.row("factor", "", Cell::Times(2.0));
        report.peer(
            "ty 1",
            vec![Cell::Seconds(Duration::from_millis(6000)), Cell::Times(2.5)],
        );
        let table = report.table();
        assert!(
            table.contains("| check  | < 1 s | 500 ms     | 6.00 s (12×) |"),
            "{table}"
        );
        assert!(
            table.contains("| factor |       | 2.00 times | 2.50 times   |"),
            "{table}"
        );
    }

    #[test]
    fn only_what_is_between_the_markers_changes() {
        let text = format!("a\n{BEGIN}old\n{END}\nb\n");
        let new = replace(&text, "new\n").expect("markers");
        assert_eq!(new, format!("a\n{BEGIN}new\n{END}\nb\n"));
        assert!(replace("no markers", "new").is_none());
    }
}
