//! The trees of valid texts.
//!
//! `tests/data/trees/*.txt` hold cases of the form
//!
//! ```text
//! === what is tested
//! source
//! ---
//! the tree, white space left out
//! ```
//!
//! None of them has a fault. `UPDATE_EXPECT=1` writes the trees found now.

use std::{fmt::Write as _, fs, path::PathBuf};

use linnet_syntax::{NodeOrToken, SyntaxKind, SyntaxNode, WalkEvent, parse};

#[test]
fn valid_texts_have_the_trees_written_beside_them() {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/data/trees");
    let mut paths: Vec<_> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    paths.sort();
    assert!(paths.len() >= 4, "the cases were not found");
    for path in paths {
        let text = fs::read_to_string(&path).unwrap();
        let mut out = String::new();
        for case in text.split("=== ").skip(1) {
            let (title, rest) = case.split_once('\n').unwrap();
            let source = rest.split("\n---\n").next().unwrap();
            let header = if source.contains("module ") {
                ""
            } else {
                "module m\n"
            };
            let parse = parse(&format!("{header}{source}"));
            assert_eq!(parse.errors(), [], "{title}");
            write!(
                out,
                "=== {title}\n{source}\n---\n{}\n",
                print(&parse.syntax(), header)
            )
            .unwrap();
        }
        expect_test::expect_file![&path].assert_eq(&out);
    }
}

/// The tree, a node or token a line; a node that holds one token shares its line.
fn print(root: &SyntaxNode, header: &str) -> String {
    let mut out = String::new();
    let mut depth = 0;
    let mut walk = root.preorder_with_tokens();
    while let Some(event) = walk.next() {
        match event {
            WalkEvent::Enter(NodeOrToken::Node(node)) => {
                if !header.is_empty() && node.kind() == SyntaxKind::MODULE_DECL {
                    walk.skip_subtree();
                    depth += 1;
                    continue;
                }
                write!(out, "{}{:?}", "  ".repeat(depth), node.kind()).unwrap();
                let mut leaves = node.children_with_tokens();
                match (leaves.next(), leaves.next()) {
                    (Some(NodeOrToken::Token(token)), None) => {
                        writeln!(out, " {:?} {:?}", token.kind(), token.text()).unwrap();
                        walk.skip_subtree();
                    }
                    _ => out.push('\n'),
                }
                depth += 1;
            }
            WalkEvent::Enter(NodeOrToken::Token(token)) => {
                let text = token.text();
                match token.kind() {
                    SyntaxKind::WHITESPACE => {}
                    kind if kind.text().is_some() => {
                        writeln!(out, "{}{text:?}", "  ".repeat(depth)).unwrap();
                    }
                    kind => writeln!(out, "{}{kind:?} {text:?}", "  ".repeat(depth)).unwrap(),
                }
            }
            WalkEvent::Leave(NodeOrToken::Node(_)) => depth -= 1,
            WalkEvent::Leave(NodeOrToken::Token(_)) => {}
        }
    }
    out
}
