//! No text is too strange: trees print back, nothing overflows, nothing takes quadratic time.

use std::{fs, path::PathBuf, time::Instant};

use linnet_syntax::{Parse, SyntaxNode, ast, ast::AstNode, parse};

/// Parses and checks what must hold for every text.
fn check(text: &str) -> Parse {
    let parse = parse(text);
    let root = parse.syntax();
    assert_eq!(root.to_string(), text, "the tree prints back differently");
    for error in parse.errors() {
        assert!(
            usize::from(error.range.end()) <= text.len(),
            "{error:?} is outside of the text"
        );
        let range = std::ops::Range::<usize>::from(error.range);
        assert!(text.get(range).is_some(), "{error:?} splits a character");
        for (range, _) in error.fix.iter().flat_map(|fix| &fix.edits) {
            assert!(
                text.get(std::ops::Range::<usize>::from(*range)).is_some(),
                "{error:?}"
            );
        }
    }
    let overlooked = parse
        .errors()
        .iter()
        .find(|error| error.message.contains("something else"));
    assert_eq!(overlooked, None, "a rule took nothing");
    let starts: Vec<_> = parse
        .errors()
        .iter()
        .map(|error| error.range.start())
        .collect();
    assert!(starts.is_sorted(), "the faults are out of order");
    parse
}

/// The height of a tree, by recursion, as later consumers walk it.
fn height(node: &SyntaxNode) -> usize {
    1 + node
        .children()
        .map(|child| height(&child))
        .max()
        .unwrap_or(0)
}

const DEEP: usize = 100_000;
/// How often flat things are repeated.
const MANY: usize = 20_000;

/// Texts that nest or chain 100,000 times, each with its name.
fn deep_texts() -> Vec<(&'static str, String)> {
    let body = |inner: String| format!("module m\nfn f() -> i64 {{\n    return {inner}\n}}\n");
    let both = |open: &str, middle: &str, close: &str| {
        format!("{}{middle}{}", open.repeat(DEEP), close.repeat(DEEP))
    };
    let generics = "a<".repeat(DEEP);
    vec![
        ("parentheses", body(both("(", "1", ")"))),
        ("parentheses never closed", body("(".repeat(DEEP))),
        ("parentheses never opened", body(")".repeat(DEEP))),
        ("brackets", body(both("[", "1", "]"))),
        ("brackets never closed", body("[".repeat(DEEP))),
        ("indices", body(both("x[", "1", "]"))),
        ("calls", body(both("f(", "1", ")"))),
        ("calls with names", body(both("f(a = ", "1", ")"))),
        ("calls in a row", body(format!("f{}", "(1)".repeat(DEEP)))),
        ("indices in a row", body(format!("x{}", "[1]".repeat(DEEP)))),
        ("fields in a row", body(format!("x{}", ".a".repeat(DEEP)))),
        ("tuples", body(both("(1, ", "1", ")"))),
        ("mixed brackets", body(both("([", "1", "])"))),
        ("mixed brackets never closed", body("([{".repeat(DEEP))),
        ("unary operators", body(format!("{}1", "-".repeat(DEEP)))),
        (
            "unary operators of all kinds",
            body(format!("{}1", "!-+".repeat(DEEP))),
        ),
        ("sums", body(vec!["a"; DEEP].join("+"))),
        ("sums with blanks", body(vec!["a"; DEEP].join(" + "))),
        (
            "operators of every rank",
            body(vec!["a||b&&c==d<e|f^g&h+i*j"; DEEP / 10].join("||")),
        ),
        ("operators without operands", body("+ *".repeat(DEEP))),
        ("comparisons", body(vec!["a"; DEEP].join("<"))),
        ("generic calls never closed", body(generics.clone())),
        ("generic calls", body(both("a<", "b", ">(x)"))),
        (
            "generic types",
            format!("module m\ntype A = {}", both("a<", "b", ">")),
        ),
        (
            "generic types never closed",
            format!("module m\ntype A = {generics}"),
        ),
        (
            "generic arguments in parentheses",
            body(both("a<(", "b", ")>(x)")),
        ),
        (
            "generic arguments in open parentheses",
            body("a<(".repeat(DEEP)),
        ),
        (
            "else if",
            body(format!("{}{{ 1 }}", "if a { 1 } else ".repeat(DEEP))),
        ),
        (
            "else if without an end",
            body("if a { 1 } else ".repeat(DEEP)),
        ),
        (
            "elif",
            body(format!("if a {{ 1 }} {}", "elif a { 1 } ".repeat(DEEP))),
        ),
        ("if in if", body(both("if a { ", "1", " } else { 2 }"))),
        ("if in conditions", body(format!("{}a", "if ".repeat(DEEP)))),
        ("match in match", body(both("match a { b => ", "1", " }"))),
        ("match in scrutinees", body("match ".repeat(DEEP))),
        ("some", body(both("some(", "1", ")"))),
        ("reductions", body(format!("{}x", "sum[i] ".repeat(DEEP)))),
        (
            "reductions with dtypes",
            body(format!("{}x", "sum<f32>[i] ".repeat(DEEP))),
        ),
        ("scans", body(both("for i in 0..4 { yield ", "1", " }"))),
        ("scans in ranges", body("for i in ".repeat(DEEP))),
        (
            "loops",
            format!("module m\nentry f() {{ {} }}", both("while a { ", "", " }")),
        ),
        (
            "loops never closed",
            format!("module m\nentry f() {{ {}", "while a { ".repeat(DEEP)),
        ),
        (
            "loops on lines",
            format!("module m\nentry f() {{\n{}", "    while a {\n".repeat(DEEP)),
        ),
        (
            "blocks",
            format!("module m\n{}", both("block A { ", "", " }")),
        ),
        (
            "blocks never closed",
            format!("module m\n{}", "block A {\n".repeat(MANY)),
        ),
        (
            "functions in functions",
            format!("module m\n{}", both("fn f() -> T { ", "", " }")),
        ),
        ("braces", format!("module m\n{}", both("{", "", "}"))),
        (
            "braces never opened",
            format!("module m\n{}", "}".repeat(DEEP)),
        ),
        (
            "braces in a body",
            format!("module m\nentry f() {{ {} }}", both("{", "", "}")),
        ),
        (
            "patterns",
            format!("module m\nentry f() {{ let {} = x }}", both("(", "a", ")")),
        ),
        (
            "some patterns",
            format!(
                "module m\nentry f() {{ let {} = x }}",
                both("some(", "a", ")")
            ),
        ),
        (
            "array types",
            format!("module m\ntype A = {}", both("[", "f32", "; 2]")),
        ),
        (
            "array types never closed",
            format!("module m\ntype A = {}", "[".repeat(DEEP)),
        ),
        (
            "tuple types",
            format!("module m\ntype A = {}", both("(", "f32", ",)")),
        ),
        (
            "tensor types",
            format!("module m\ntype A = {}", both("Tensor[2; ", "f32", "]")),
        ),
        (
            "optional types",
            format!("module m\ntype A = f32{}", "?".repeat(DEEP)),
        ),
        (
            "arrays of generic types",
            format!("module m\ntype A = {}", both("a<[", "b", "; 2]>")),
        ),
        ("paths", format!("module a{}", ".a".repeat(DEEP))),
        (
            "path types",
            format!("module m\ntype A = a{}", ".a".repeat(DEEP)),
        ),
        (
            "constraints",
            format!("module m\nfn f() -> T where {}{{ }}", "a < ".repeat(DEEP)),
        ),
        ("comments", format!("module m\n{}", both("/*", "", "*/"))),
        (
            "comments never closed",
            format!("module m\n{}", "/*".repeat(DEEP)),
        ),
        (
            "line comments",
            format!("module m\n{}fn f() -> T {{ }}", "// a\n".repeat(MANY)),
        ),
        (
            "doc comments",
            format!("module m\n{}fn f() -> T {{ }}", "/// a\n".repeat(MANY)),
        ),
        (
            "doc comments of nothing",
            format!("module m\n{}", "/// a\n\n".repeat(MANY)),
        ),
        ("pub", format!("module m\n{}", "pub ".repeat(DEEP))),
        ("extern", format!("module m\n{}", "extern ".repeat(DEEP))),
        (
            "kernel",
            format!("module m\nop f() -> T {}", "kernel ".repeat(DEEP)),
        ),
        ("keywords", format!("module m\n{}", "let ".repeat(DEEP))),
        (
            "statements",
            format!("module m\nentry f() {{ {} }}", "let a = 1 ".repeat(MANY)),
        ),
        (
            "unfinished statements",
            format!("module m\nentry f() {{ {} }}", "let a = ".repeat(MANY)),
        ),
        (
            "stray numbers",
            format!("module m\nentry f() {{ {} }}", "1 let a = 2 ".repeat(MANY)),
        ),
        (
            "items",
            format!("module m\n{}", "fn f() -> T { } ".repeat(MANY)),
        ),
        (
            "items never closed",
            format!("module m\n{}", "fn f() -> T {\n".repeat(MANY)),
        ),
        (
            "items never opened",
            format!("module m\n{}", "fn f() -> T\n}\n".repeat(MANY)),
        ),
        (
            "open calls",
            format!("module m\nentry f() {{ {} }}", "let a = f(\n".repeat(MANY)),
        ),
        (
            "semicolons",
            format!("module m\nentry f() {{ {} }}", ";".repeat(DEEP)),
        ),
        ("commas", body(format!("f({})", ",".repeat(DEEP)))),
        (
            "arguments without commas",
            body(format!("f({})", "a ".repeat(MANY))),
        ),
        ("quotes", "\"".repeat(DEEP)),
        ("quotes on lines", "\"\n".repeat(DEEP)),
        ("single quotes", "'".repeat(DEEP + 1)),
        ("escapes", format!("\"{}\"", "\\q".repeat(DEEP))),
        ("NUL", "\0".repeat(DEEP)),
        ("NUL and names", "\0a".repeat(DEEP)),
        ("byte-order marks", "\u{feff}".repeat(DEEP)),
        ("digits", body("1".repeat(DEEP))),
        ("points", body(".".repeat(DEEP))),
        ("numbers and points", body("1.".repeat(DEEP))),
        ("colons", body(format!("x[{}]", ":".repeat(DEEP)))),
        (
            "arms",
            body(format!("match a {{ {} }}", "b => 1 ".repeat(MANY))),
        ),
        (
            "broken arms",
            body(format!("match a {{ {} }}", "b 1\n".repeat(MANY))),
        ),
    ]
}

/// A test thread has 2 MiB of stack, in which a debug build must manage.
#[test]
fn deep_texts_fit_on_a_small_stack() {
    for (name, text) in deep_texts() {
        let start = Instant::now();
        let parse = parse(&text);
        // A quadratic step of 10 ns would take 100 s; a linear one takes about 1 s at most here.
        let seconds = start.elapsed().as_secs_f64();
        assert!(seconds < 10.0, "{name} took {seconds} s");
        assert_eq!(
            parse.green.to_string(),
            text,
            "{name} prints back differently"
        );
        let height = height(&parse.syntax());
        assert!(height < 1_000, "{name}: the tree is {height} levels high");
        assert_eq!(parse.green, parse.clone().green, "{name}");
    }
}

#[test]
fn nesting_is_reported_once() {
    let text = format!(
        "module m\nfn f() -> T {{ return {}1{} }}",
        "(".repeat(DEEP),
        ")".repeat(DEEP)
    );
    let parse = check(&text);
    let messages: Vec<_> = parse
        .errors()
        .iter()
        .map(|e| (e.code, e.message.as_str()))
        .collect();
    assert_eq!(messages, [("E1101", "this is nested too deeply")]);

    let text = format!(
        "module m\nfn f() -> T {{ return {} }}\nconst N = 1",
        vec!["a"; DEEP].join(" + ")
    );
    let parse = check(&text);
    let messages: Vec<_> = parse
        .errors()
        .iter()
        .map(|e| (e.code, e.message.as_str()))
        .collect();
    assert_eq!(messages, [("E1101", "this expression has too many parts")]);
    assert_eq!(
        parse.tree().items().count(),
        2,
        "what stands after is still parsed"
    );
}

#[test]
fn ordinary_nesting_is_accepted() {
    let text = format!(
        "module m\nfn f() -> T {{ return {}1{} }}",
        "(".repeat(100),
        ")".repeat(100)
    );
    assert_eq!(check(&text).errors(), []);
    let text = format!(
        "module m\nfn f() -> T {{ return {} }}",
        vec!["a"; 400].join(" + ")
    );
    assert_eq!(check(&text).errors(), []);
    let text = format!(
        "module m\nfn f() -> T {{ return {}{{ 1 }} }}",
        "if a { 1 } else ".repeat(100)
    );
    assert_eq!(check(&text).errors(), []);
}

/// The sources to start from: all test data of this crate.
fn corpus() -> Vec<String> {
    let data = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/data");
    let mut paths: Vec<PathBuf> = fs::read_dir(&data)
        .unwrap()
        .flat_map(|folder| fs::read_dir(folder.unwrap().path()).unwrap())
        .map(|entry| entry.unwrap().path())
        .collect();
    paths.sort();
    let texts = paths.iter().map(|path| fs::read_to_string(path).unwrap());
    let mut corpus: Vec<String> = Vec::new();
    for text in texts {
        corpus.extend(text.split("=== ").map(str::to_owned));
    }
    corpus
}

/// A small generator with a fixed seed: the same texts on every machine.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % bound.max(1) as u64) as usize
    }
}

/// Fragments that change how what stands around them is read.
const FRAGMENTS: &[&str] = &[
    "{",
    "}",
    "(",
    ")",
    "[",
    "]",
    "<",
    ">",
    "::",
    ":",
    ",",
    ";",
    ".",
    "..",
    "...",
    "=",
    "==",
    "=>",
    "->",
    ">=",
    "?",
    "*",
    "-",
    "/*",
    "*/",
    "//",
    "///",
    "\"",
    "'",
    "\\",
    "\r",
    "\n",
    "\r\n",
    "\0",
    "\u{feff}",
    "é",
    "🦀",
    "\u{a0}",
    "1",
    "1.",
    "0x",
    "1e",
    "9223372036854775808",
    "_",
    "let",
    "fn",
    "pub",
    "block",
    "if",
    "else",
    "match",
    "for",
    "in",
    "while",
    "where",
    "grad",
    "sum",
    "some",
    "none",
    "module",
    "use",
    "struct",
    "enum",
    "op",
    "entry",
    "param",
    "state",
    "kernel",
    "extern",
    "self",
    "return",
    "static",
    "yield",
    "Tensor",
    "#",
    "@",
];

fn mutate(text: &str, random: &mut Random) -> String {
    let mut chars: Vec<char> = text.chars().collect();
    for _ in 0..=random.below(4) {
        let at = random.below(chars.len() + 1);
        match random.below(4) {
            0 => {
                let fragment = FRAGMENTS[random.below(FRAGMENTS.len())];
                chars.splice(at..at, fragment.chars());
            }
            1 => {
                let end = (at + random.below(8)).min(chars.len());
                chars.drain(at..end);
            }
            2 => {
                let end = (at + random.below(40)).min(chars.len());
                let copy: Vec<char> = chars[at..end].to_vec();
                let to = random.below(chars.len() + 1);
                chars.splice(to..to, copy);
            }
            _ => chars.truncate(at),
        }
    }
    chars.into_iter().collect()
}

#[test]
fn mutated_texts_print_back() {
    let corpus = corpus();
    assert!(corpus.len() > 50);
    let mut random = Random(0x2545_f491_4f6c_dd1d);
    for _ in 0..6_000 {
        let text = mutate(&corpus[random.below(corpus.len())], &mut random);
        let parse = check(&text);
        assert_eq!(parse, linnet_syntax::parse(&text));
        // The typed view never panics either.
        let items = parse.tree().items().count();
        let docs = parse
            .syntax()
            .descendants()
            .filter_map(|node| ast::doc_comments(&node))
            .count();
        assert!(items + docs <= text.len());
    }
}

#[test]
fn texts_made_of_fragments_print_back() {
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    for _ in 0..3_000 {
        let mut text = String::new();
        for _ in 0..random.below(60) {
            text.push_str(FRAGMENTS[random.below(FRAGMENTS.len())]);
            text.push_str(["", " ", "\n", "    ", "a"][random.below(5)]);
        }
        check(&text);
    }
}

#[test]
fn prefixes_of_a_file_print_back() {
    let text = fs::read_to_string(
        PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/data/trees/items.txt"),
    )
    .unwrap();
    let source = text.split("\n---\n").next().unwrap();
    for (end, _) in source.char_indices() {
        check(&source[..end]);
    }
}

#[test]
fn every_token_becomes_part_of_the_tree_once() {
    for text in corpus() {
        let parse = check(&text);
        let lengths: usize = linnet_syntax::lex(&text)
            .iter()
            .map(|t| t.len as usize)
            .sum();
        assert_eq!(lengths, text.len());
        let file = parse.tree();
        assert_eq!(usize::from(file.syntax().text_range().len()), text.len());
    }
}
