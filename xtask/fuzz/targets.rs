//! What is fuzzed, and what must hold of every input.

use std::path::Path;

use linnet_hir::check::{diagnostics, manifest_diagnostics};
use linnet_hir::db::{Db, RootDatabase, shown_text};
use linnet_hir::diag::{Diagnostic, Span};

/// The form of a target's inputs.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Input {
    Source,
    Manifest,
    Weights,
}

pub struct Target {
    pub name: &'static str,
    pub input: Input,
    /// How many mutated inputs the tests run.
    pub smoke_runs: usize,
    pub run: fn(&[u8]) -> Result<(), String>,
}

pub const TARGETS: [Target; 6] = [
    Target {
        name: "lexer",
        input: Input::Source,
        smoke_runs: 100_000,
        run: lexer,
    },
    Target {
        name: "parser",
        input: Input::Source,
        smoke_runs: 60_000,
        run: parser,
    },
    Target {
        name: "formatter",
        input: Input::Source,
        smoke_runs: 60_000,
        run: formatter,
    },
    Target {
        name: "checker",
        input: Input::Source,
        smoke_runs: 40_000,
        run: checker,
    },
    Target {
        name: "manifest",
        input: Input::Manifest,
        smoke_runs: 20_000,
        run: manifest,
    },
    Target {
        name: "weights",
        input: Input::Weights,
        smoke_runs: 10_000,
        run: weights,
    },
];

/// Tokens cover the text, without a gap.
fn lexer(input: &[u8]) -> Result<(), String> {
    let text = String::from_utf8_lossy(input);
    let covered: usize = linnet_syntax::lex(&text)
        .iter()
        .map(|t| t.len as usize)
        .sum();
    if covered == text.len() {
        Ok(())
    } else {
        Err(format!("tokens cover {covered} of {} bytes", text.len()))
    }
}

/// The tree prints back to the same text, and faults lie inside it.
fn parser(input: &[u8]) -> Result<(), String> {
    let text = String::from_utf8_lossy(input);
    let parse = linnet_syntax::parse(&text);
    if parse.syntax().to_string() != text {
        return Err("the tree prints another text".to_owned());
    }
    for error in parse.errors() {
        let (start, end) = (
            usize::from(error.range.start()),
            usize::from(error.range.end()),
        );
        if text.get(start..end).is_none() {
            return Err(format!("a fault at {start}..{end} is not in the text"));
        }
    }
    Ok(())
}

/// What is formatted parses, holds every comment, and is formatted to itself.
fn formatter(input: &[u8]) -> Result<(), String> {
    let text = String::from_utf8_lossy(input);
    let once = match linnet_fmt::format(&text) {
        Ok(once) => once,
        Err(linnet_fmt::FormatError::Syntax(_)) => return Ok(()),
        Err(other) => return Err(format!("refused its own result: {other}")),
    };
    let twice =
        linnet_fmt::format(&once).map_err(|e| format!("its result does not format: {e}"))?;
    if once != twice {
        return Err("formatting twice is not formatting once".to_owned());
    }
    let comments = |text: &str| {
        let mut at = 0;
        let mut out = Vec::new();
        for token in linnet_syntax::lex(text) {
            let end = at + token.len as usize;
            if token.kind.is_comment() {
                // A comment's own lines may be indented anew.
                let words: Vec<&str> = text[at..end].split_whitespace().collect();
                out.push(words.join(" "));
            }
            at = end;
        }
        out
    };
    if comments(&text) != comments(&once) {
        return Err("a comment is lost or changed".to_owned());
    }
    Ok(())
}

fn inside(db: &RootDatabase, diags: &[Diagnostic<Span>]) -> Result<(), String> {
    for d in diags {
        let fixes = d.fixes.iter().flat_map(|f| f.edits.iter().map(|(s, _)| *s));
        let all = std::iter::once(d.span)
            .chain(d.related.iter().map(|(s, _)| *s))
            .chain(fixes);
        for span in all {
            let (start, end) = (
                usize::from(span.range.start()),
                usize::from(span.range.end()),
            );
            if shown_text(db, span.file).get(start..end).is_none() {
                return Err(format!("{} at {start}..{end} is not in its file", d.code));
            }
        }
    }
    Ok(())
}

/// Checking ends, and every place it names is in the text.
fn checker(input: &[u8]) -> Result<(), String> {
    let mut db = RootDatabase::in_memory();
    let path = Path::new("/fuzz/input.linnet");
    db.set_file_text(path, Some(String::from_utf8_lossy(input).into_owned()));
    let file = db.file(path);
    inside(&db, &diagnostics(&db, file))
}

/// The same for a manifest beside a module.
fn manifest(input: &[u8]) -> Result<(), String> {
    let mut db = RootDatabase::in_memory();
    let module = "module fuzz\n\npub block Net<N: Dim> where N > 0 {\n    param w: Tensor[N; f32]\n\n    \
                  entry forward(x: Tensor[N; f32]) -> Tensor[N; f32] {\n        return x * w\n    }\n}\n";
    db.set_file_text(Path::new("/fuzz/src/lib.linnet"), Some(module.to_owned()));
    let path = Path::new("/fuzz/linnet.toml");
    db.set_file_text(path, Some(String::from_utf8_lossy(input).into_owned()));
    let file = db.file(path);
    inside(&db, &manifest_diagnostics(&db, file))?;
    let source = db.file(Path::new("/fuzz/src/lib.linnet"));
    inside(&db, &diagnostics(&db, source))
}

/// A file of weights is read or refused.
fn weights(input: &[u8]) -> Result<(), String> {
    let path = std::env::temp_dir().join(format!("linnet-fuzz-{}.safetensors", std::process::id()));
    std::fs::write(&path, input).map_err(|e| e.to_string())?;
    let outcome = linnet_weights::read_headers(&path)
        .map(|_| ())
        .map_err(|e| e.to_string());
    let _ = std::fs::remove_file(&path);
    match outcome {
        Err(message) if message.is_empty() => Err("an error without a message".to_owned()),
        _ => Ok(()),
    }
}
