//! Workflow commands, which GitHub shows as annotations beside the code.

use std::fmt::Write as _;

use crate::report::{Report, Reports};

/// One `::error` or `::warning` line for each report.
pub fn render(reports: &Reports) -> Vec<u8> {
    let mut out = String::new();
    for report in &reports.list {
        let source = reports.source(report.place.source);
        let start = source.position(report.place.range.start);
        let end = source.position(report.place.range.end);
        // Writing to a string cannot fail.
        let _ = writeln!(
            out,
            "::{} file={},line={},endLine={},col={},endColumn={},title={}::{}",
            report.severity().name(),
            property(&source.name),
            start.line,
            end.line,
            start.column,
            end.column,
            property(&report.code),
            data(&body(report)),
        );
    }
    out.into_bytes()
}

/// The whole of what a report says, in lines.
fn body(report: &Report) -> String {
    let mut body = report.message.clone();
    if !report.label.is_empty() {
        let _ = write!(body, ": {}", report.label);
    }
    for note in &report.notes {
        let _ = write!(body, "\nnote: {note}");
    }
    for help in &report.help {
        let _ = write!(body, "\nhelp: {help}");
    }
    body
}

fn data(text: &str) -> String {
    text.replace('%', "%25")
        .replace('\r', "%0D")
        .replace('\n', "%0A")
}

fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_would_end_a_command_is_escaped() {
        let mut reports = Reports::default();
        let source = reports.add_source("a,b:c%.linnet", "xy\n");
        let mut report = Report::new("E1001", source, "100% wrong\r\n::warning::x");
        report.place.range = 1..2;
        report.label = "here".to_owned();
        report.help.push("none".to_owned());
        reports.list.push(report);
        let text = String::from_utf8(render(&reports)).unwrap();
        assert_eq!(
            text,
            "::error file=a%2Cb%3Ac%25.linnet,line=1,endLine=1,col=2,endColumn=3,title=E1001\
             ::100%25 wrong%0D%0A::warning::x: here%0Ahelp: none\n"
        );
    }
}
