//! `linnet inspect`: the tokens, the syntax tree, or the parameters of a file.

use std::fmt::Write as _;

use linnet_hir::db::Contents;
use linnet_syntax::{NodeOrToken, SyntaxNode, WalkEvent, lex};
use serde::Serialize;

use crate::cli::InspectArgs;
use crate::exit::{self, Exit};
use crate::read::{self, Reader};
use crate::render::{self, ColorChoice, Format, json};
use crate::report::{Reports, Source};

pub fn run(args: &InspectArgs, color: ColorChoice) -> Exit {
    if args.parameters {
        return super::parameters::run(args, color);
    }
    let name = args.file.display().to_string();
    let mut reports = Reports::default();
    let text = match Reader::new().file(&args.file) {
        Contents::Text(text) => text.to_string(),
        fault => {
            read::add_fault(&mut reports, &name, &fault);
            return render::show(&reports, Format::Text, color, Exit::Faults);
        }
    };
    let parse = linnet_syntax::parse(&text);
    let source = reports.add_source(name, text);
    read::add_syntax_errors(&mut reports, source, &parse.errors);
    let source = reports.source(source);
    let out = match (args.tokens, args.json) {
        (true, false) => tokens_text(source),
        (true, true) => tokens_json(source),
        (false, false) => tree_text(&parse.syntax()).into_bytes(),
        (false, true) => tree_json(&parse.syntax(), source).into_bytes(),
    };
    // What there is of a broken file is shown; its faults come after.
    let exit = exit::print(&out, Exit::faults_if(!reports.list.is_empty()));
    render::show(&reports, Format::Text, color, exit)
}

#[derive(Serialize)]
struct TokensJson<'a> {
    version: u32,
    file: &'a str,
    tokens: Vec<TokenJson<'a>>,
}

#[derive(Serialize)]
struct TokenJson<'a> {
    kind: String,
    text: &'a str,
    line: usize,
    column: usize,
    offset: usize,
}

fn tokens(source: &Source) -> impl Iterator<Item = TokenJson<'_>> {
    let mut offset = 0;
    lex(&source.text).into_iter().map(move |token| {
        let at = source.position(offset);
        let end = offset + token.len as usize;
        let text = &source.text[offset..end];
        offset = end;
        TokenJson {
            kind: format!("{:?}", token.kind),
            text,
            line: at.line,
            column: at.column,
            offset: at.offset,
        }
    })
}

fn tokens_text(source: &Source) -> Vec<u8> {
    let mut out = String::new();
    for token in tokens(source) {
        let place = format!("{}:{}", token.line, token.column);
        // Writing to a string cannot fail.
        let _ = writeln!(out, "{place:<8} {:<16} {:?}", token.kind, token.text);
    }
    out.into_bytes()
}

fn tokens_json(source: &Source) -> Vec<u8> {
    json::to_bytes(&TokensJson {
        version: 1,
        file: &source.name,
        tokens: tokens(source).collect(),
    })
}

/// One line for each node and token, indented by its depth.
fn tree_text(root: &SyntaxNode) -> String {
    let mut out = String::new();
    let mut depth = 0;
    for event in root.preorder_with_tokens() {
        match event {
            WalkEvent::Enter(element) => {
                let (kind, range) = (element.kind(), element.text_range());
                let _ = write!(out, "{:depth$}{kind:?}@{range:?}", "", depth = depth * 2);
                match element {
                    NodeOrToken::Node(_) => out.push('\n'),
                    NodeOrToken::Token(token) => {
                        let _ = writeln!(out, " {:?}", token.text());
                    }
                }
                depth += 1;
            }
            WalkEvent::Leave(_) => depth -= 1,
        }
    }
    out
}

/// The tree as nested objects, written as it is walked.
fn tree_json(root: &SyntaxNode, source: &Source) -> String {
    let quoted = |text: &str| serde_json::Value::from(text).to_string();
    let mut out = format!(
        "{{\"version\":1,\"file\":{},\"tree\":",
        quoted(&source.name)
    );
    let mut first = true;
    for event in root.preorder_with_tokens() {
        match event {
            WalkEvent::Enter(element) => {
                if !first {
                    out.push(',');
                }
                let (kind, range) = (element.kind(), element.text_range());
                let (start, end) = (u32::from(range.start()), u32::from(range.end()));
                let _ = write!(
                    out,
                    "{{\"kind\":\"{kind:?}\",\"start\":{start},\"end\":{end},"
                );
                match element {
                    NodeOrToken::Node(_) => {
                        out.push_str("\"children\":[");
                        first = true;
                    }
                    NodeOrToken::Token(token) => {
                        let _ = write!(out, "\"text\":{}", quoted(token.text()));
                    }
                }
            }
            WalkEvent::Leave(element) => {
                out.push_str(if element.as_node().is_some() {
                    "]}"
                } else {
                    "}"
                });
                first = false;
            }
        }
    }
    out.push_str("}\n");
    out
}
