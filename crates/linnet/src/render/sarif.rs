//! SARIF 2.1.0, which code scanning services read.

use serde_json::{Value, json};

use crate::report::{Place, Report, Reports, Source};

const SCHEMA: &str = "https://json.schemastore.org/sarif-2.1.0.json";

/// One run with a rule for each code that is reported.
pub fn render(reports: &Reports) -> Vec<u8> {
    let mut codes: Vec<&str> = reports.list.iter().map(|r| r.code.as_str()).collect();
    codes.sort_unstable();
    codes.dedup();
    let rules: Vec<Value> = codes.iter().map(|code| rule(code)).collect();
    let results: Vec<Value> = reports
        .list
        .iter()
        .map(|report| result(reports, report, &codes))
        .collect();
    let document = json!({
        "$schema": SCHEMA,
        "version": "2.1.0",
        "runs": [{
            "tool": {"driver": {
                "name": "linnet",
                "version": env!("CARGO_PKG_VERSION"),
                "informationUri": env!("CARGO_PKG_REPOSITORY"),
                "rules": rules,
            }},
            "columnKind": "unicodeCodePoints",
            "results": results,
        }],
    });
    crate::render::json::to_bytes(&document)
}

fn rule(code: &str) -> Value {
    let level = crate::report::Severity::of_code(code).name();
    let mut rule = json!({
        "id": code,
        "defaultConfiguration": {"level": level},
    });
    if let Some(info) = crate::explain::find(code) {
        rule["shortDescription"] = json!({"text": info.title});
        rule["fullDescription"] = json!({"text": info.explanation});
    }
    rule
}

fn result(reports: &Reports, report: &Report, codes: &[&str]) -> Value {
    let mut text = report.message.clone();
    if !report.label.is_empty() {
        text = format!("{text}: {}", report.label);
    }
    for note in &report.notes {
        text = format!("{text}\nnote: {note}");
    }
    for help in &report.help {
        text = format!("{text}\nhelp: {help}");
    }
    let mut result = json!({
        "ruleId": report.code,
        "ruleIndex": codes.binary_search(&report.code.as_str()).unwrap_or(0),
        "level": report.severity().name(),
        "message": {"text": text},
        "locations": [{"physicalLocation": physical(reports, &report.place)}],
    });
    if !report.related.is_empty() {
        let related = report.related.iter().enumerate();
        result["relatedLocations"] = related
            .map(|(id, (place, message))| {
                json!({
                    "id": id,
                    "physicalLocation": physical(reports, place),
                    "message": {"text": message},
                })
            })
            .collect();
    }
    if !report.fixes.is_empty() {
        let fixes = report.fixes.iter();
        result["fixes"] = fixes
            .map(|fix| {
                json!({
                    "description": {"text": fix.title},
                    "artifactChanges": changes(reports, &fix.edits),
                })
            })
            .collect();
    }
    result
}

/// The edits of a fix, those of one file together.
fn changes(reports: &Reports, edits: &[(Place, String)]) -> Vec<Value> {
    let mut sources: Vec<_> = edits.iter().map(|(place, _)| place.source).collect();
    sources.sort_unstable();
    sources.dedup();
    let of_source = |id| {
        let source = reports.source(id);
        let replacements: Vec<Value> = edits
            .iter()
            .filter(|(place, _)| place.source == id)
            .map(|(place, text)| {
                json!({
                    "deletedRegion": region(source, place),
                    "insertedContent": {"text": text},
                })
            })
            .collect();
        json!({
            "artifactLocation": {"uri": uri(&source.name)},
            "replacements": replacements,
        })
    };
    sources.into_iter().map(of_source).collect()
}

fn physical(reports: &Reports, place: &Place) -> Value {
    let source = reports.source(place.source);
    json!({
        "artifactLocation": {"uri": uri(&source.name)},
        "region": region(source, place),
    })
}

fn region(source: &Source, place: &Place) -> Value {
    let start = source.position(place.range.start);
    let end = source.position(place.range.end);
    json!({
        "startLine": start.line,
        "startColumn": start.column,
        "endLine": end.line,
        "endColumn": end.column,
        "byteOffset": start.offset,
        "byteLength": end.offset.saturating_sub(start.offset),
    })
}

/// A path as a URI reference: relative paths stay relative.
fn uri(path: &str) -> String {
    let mut uri = String::new();
    let slashed = if cfg!(windows) {
        path.replace('\\', "/")
    } else {
        path.to_owned()
    };
    if slashed.starts_with('/') {
        uri.push_str("file://");
    } else if cfg!(windows) && slashed.as_bytes().get(1) == Some(&b':') {
        uri.push_str("file:///");
    }
    let drive_colon = cfg!(windows).then_some(1);
    for (at, byte) in slashed.bytes().enumerate() {
        match byte {
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b'/' => {
                uri.push(char::from(byte));
            }
            b':' if drive_colon == Some(at) => uri.push(':'),
            _ => uri.push_str(&format!("%{byte:02X}")),
        }
    }
    uri
}

#[cfg(test)]
mod tests {
    use super::uri;

    #[test]
    fn paths_as_uris() {
        assert_eq!(uri("src/lib.linnet"), "src/lib.linnet");
        assert_eq!(uri("a b/ü#?%.linnet"), "a%20b/%C3%BC%23%3F%25.linnet");
        assert_eq!(uri("./a:b.linnet"), "./a%3Ab.linnet");
        if !cfg!(windows) {
            assert_eq!(uri("/home/x.linnet"), "file:///home/x.linnet");
            assert_eq!(uri(r"a\b"), "a%5Cb");
        }
    }
}
