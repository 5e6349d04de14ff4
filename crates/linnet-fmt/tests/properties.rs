//! What must hold for every text: the same tokens, the same comments in the same places, and
//! formatted twice the same as formatted once.

use std::path::{Path, PathBuf};

use linnet_fmt::{format, format_edits};
use linnet_syntax::{NodeOrToken, SyntaxKind, SyntaxKind::*, TextRange, WalkEvent, lex, parse};

/// The Linnet files of the repository that have no syntax errors.
fn corpus() -> Vec<(PathBuf, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut files = Vec::new();
    for folder in [
        "../../tests/spec",
        "../linnet-std/std",
        "../../examples",
        "tests/data",
    ] {
        collect(&root.join(folder), &mut files);
    }
    files.sort();
    let texts = files.into_iter().filter_map(|path| {
        let text = std::fs::read_to_string(&path).ok()?;
        parse(&text).errors.is_empty().then_some((path, text))
    });
    texts.collect()
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) {
    let Ok(entries) = std::fs::read_dir(folder) else {
        return;
    };
    for entry in entries.flatten() {
        let path = entry.path();
        if path.is_dir() {
            collect(&path, files);
        } else if path
            .extension()
            .is_some_and(|extension| extension == "linnet")
        {
            files.push(path);
        }
    }
}

/// The tokens and comments of a text in order, without commas and semicolons, which a comment may
/// come to stand behind.
fn tokens_and_comments(text: &str) -> Vec<(SyntaxKind, String)> {
    let mut found = Vec::new();
    for event in parse(text).syntax().preorder_with_tokens() {
        if let WalkEvent::Enter(NodeOrToken::Token(token)) = event {
            match token.kind() {
                COMMA | SEMICOLON | WHITESPACE | BOM => {}
                kind if kind.is_comment() => {
                    let lines: Vec<&str> = token.text().lines().map(str::trim).collect();
                    found.push((kind, lines.join("\n")));
                }
                kind => found.push((kind, token.text().to_owned())),
            }
        }
    }
    found
}

/// The nodes and tokens of the tree, without trivia and the commas that may be added.
fn shape(text: &str) -> Vec<(SyntaxKind, bool)> {
    let parse = parse(text);
    assert!(parse.errors.is_empty(), "{:?}\n{text}", parse.errors);
    let mut found = Vec::new();
    for event in parse.syntax().preorder_with_tokens() {
        let (kind, enter) = match event {
            WalkEvent::Enter(element) => (element.kind(), true),
            WalkEvent::Leave(element) => (element.kind(), false),
        };
        if !kind.is_trivia() && kind != COMMA {
            found.push((kind, enter));
        }
    }
    found
}

/// Formats `text` and checks all that must hold for any text.
fn checked(text: &str) -> String {
    let once = match format(text) {
        Ok(once) => once,
        Err(error) => panic!("{error}\n--- text\n{text}"),
    };
    assert_eq!(
        tokens_and_comments(text),
        tokens_and_comments(&once),
        "\n{text}\n--- gave\n{once}"
    );
    assert_eq!(shape(text), shape(&once), "\n{text}\n--- gave\n{once}");
    let twice = format(&once).expect("what was formatted can be formatted");
    if once != twice {
        let line = once
            .lines()
            .zip(twice.lines())
            .position(|(a, b)| a != b)
            .unwrap_or(0);
        let near = |text: &str| {
            text.lines()
                .skip(line.saturating_sub(6))
                .take(14)
                .collect::<Vec<_>>()
                .join("\n")
        };
        panic!(
            "formatting again changes line {}\n--- once\n{}\n--- twice\n{}\n--- text\n{text}",
            line + 1,
            near(&once),
            near(&twice)
        );
    }
    assert!(once.ends_with('\n') && !once.ends_with("\n\n"), "\n{once}");
    assert!(
        !once.contains("\n\n\n") && !once.contains("{\n\n"),
        "\n{once}"
    );
    for line in once.lines() {
        assert_eq!(line.trim_end(), line, "blanks at the end of a line\n{once}");
    }
    once
}

/// A generator of numbers that is the same everywhere (xorshift).
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    fn below(&mut self, end: u64) -> u64 {
        self.next() % end
    }

    fn pick<T: Copy>(&mut self, of: &[T]) -> T {
        of[self.below(of.len() as u64) as usize]
    }
}

/// The texts of the tokens of `text` that are neither white space nor, unless asked for, comments.
fn token_texts(text: &str, comments: bool) -> Vec<(SyntaxKind, &str)> {
    let mut found = Vec::new();
    let mut offset = 0;
    for token in lex(text) {
        let start = offset;
        offset += token.len as usize;
        if !token.kind.is_trivia() || (comments && token.kind.is_comment()) {
            found.push((token.kind, &text[start..offset]));
        }
    }
    found
}

/// `token` as a longer name, where the parser does not know it by its text.
fn longer(token: &str, random: &mut Random) -> String {
    const KNOWN: [&str; 30] = [
        "Tensor", "Dim", "Shape", "DType", "Numeric", "Integer", "Float", "sum", "prod", "max",
        "min", "any", "all", "grad", "bool", "i8", "i16", "i32", "i64", "u8", "u16", "u32", "u64",
        "f16", "bf16", "f32", "f64", "std", "elif", "_",
    ];
    if KNOWN.contains(&token) {
        return token.to_owned();
    }
    format!(
        "{token}{}",
        "abcdefghijklmnopqrstuvwxyz"
            .split_at(random.below(26) as usize)
            .0
    )
}

/// `text` with other white space, and with comments added where the dice say so.
fn mutated(text: &str, random: &mut Random, comments: u64, long_names: bool) -> String {
    const SPACES: [&str; 10] = [" ", " ", " ", "", "", "  ", "\t", "\n", "\n\n", "\n  \n\n "];
    const COMMENTS: [&str; 7] = [
        "// line\n",
        "/* block */",
        "/* block */\n",
        "/* two\n   lines */",
        "/*\n * starred\n */\n",
        "/// doc\n",
        "/** doc block ü */",
    ];
    let mut mutant = String::new();
    let mut last: Option<SyntaxKind> = None;
    for (kind, token) in token_texts(text, true) {
        let mut gap = random.pick(&SPACES).to_owned();
        while comments > 0 && random.below(comments) == 0 {
            gap.push_str(random.pick(&COMMENTS));
            gap.push_str(random.pick(&SPACES));
        }
        if matches!(last, Some(LINE_COMMENT | DOC_LINE_COMMENT)) {
            mutant.push('\n');
        } else if gap.is_empty() && last.is_some_and(|last| !is_bracket(last) && !is_bracket(kind))
        {
            gap.push(' ');
        }
        // A slash would begin a comment with the one after it.
        if last == Some(SLASH) && gap.starts_with('/') {
            gap.insert(0, ' ');
        }
        mutant.push_str(&gap);
        if kind == IDENT && long_names {
            mutant.push_str(&longer(token, random));
        } else {
            mutant.push_str(token);
        }
        last = Some(kind);
    }
    mutant.push_str(random.pick(&SPACES));
    mutant
}

fn is_bracket(kind: SyntaxKind) -> bool {
    matches!(
        kind,
        L_PAREN | R_PAREN | L_BRACK | R_BRACK | L_CURLY | R_CURLY | COMMA
    )
}

/// `text` with the edits of `range` made.
fn edited(text: &str, range: Option<TextRange>) -> String {
    let mut result = String::new();
    let mut done = 0;
    for (range, new) in format_edits(text, &parse(text), range).expect("a valid text") {
        result.push_str(&text[done..range.start().into()]);
        result.push_str(&new);
        done = range.end().into();
    }
    result + &text[done..]
}

#[test]
fn edits_give_the_formatted_text_and_some_of_them_a_valid_one() {
    let mut random = Random(0x0ddb_a11c_0ffe_e123);
    for (path, text) in corpus() {
        let text = mutated(&text, &mut random, 20, false);
        assert!(
            format(&text) == Ok(edited(&text, None)),
            "{}\n{text}",
            path.display()
        );
        let (a, b) = (
            random.below(text.len() as u64) as u32,
            random.below(text.len() as u64) as u32,
        );
        let range = TextRange::new(a.min(b).into(), a.max(b).into());
        let partly = edited(&text, Some(range));
        assert_eq!(
            tokens_and_comments(&text),
            tokens_and_comments(&partly),
            "\n{text}"
        );
        assert_eq!(shape(&text), shape(&partly));
    }
}

#[test]
fn line_ends_do_not_matter() {
    let mut random = Random(0x5eed_0f11_7e0e_4d5a);
    for (path, text) in corpus() {
        let text = mutated(&text.replace('\r', ""), &mut random, 15, false);
        let windows = |text: &str| text.replace('\n', "\r\n");
        let formatted = format(&text).expect("a valid text");
        assert!(
            format(&windows(&text)) == Ok(windows(&formatted)),
            "{}",
            path.display()
        );
    }
}

#[test]
fn every_file_of_the_repository_keeps_its_tokens_and_comments() {
    let corpus = corpus();
    assert!(corpus.len() > 40, "only {} files", corpus.len());
    for (_, text) in corpus {
        checked(&text);
    }
}

#[test]
fn comments_anywhere_are_kept_and_stay_where_they_are() {
    // More than one round is for whoever looks for faults.
    let rounds = std::env::var("FMT_ROUNDS")
        .ok()
        .and_then(|rounds| rounds.parse().ok())
        .unwrap_or(1);
    let corpus = corpus();
    for round in 0..rounds {
        let mut random = Random(0x9e37_79b9_7f4a_7c15 + round);
        for (at, (_, text)) in corpus.iter().enumerate() {
            // No comments at all, few, many; the names as they are, or longer.
            for comments in [[0, 12], [3, 400], [60, 0]][(at + round as usize) % 3] {
                let long_names = random.below(2) == 0;
                let mutant = mutated(text, &mut random, comments, long_names);
                checked(&mutant);
            }
        }
    }
}

#[test]
fn white_space_does_not_matter() {
    let mut random = Random(0x1234_5678_9abc_def1);
    for (path, text) in corpus() {
        let tokens = token_texts(&text, false);
        let joined = |separator: &mut dyn FnMut() -> &'static str| {
            let mut text = String::new();
            for (kind, token) in &tokens {
                text.push_str(token);
                // A `for` on the line after a `return` is a statement.
                text.push_str(if *kind == RETURN_KW { " " } else { separator() });
            }
            text
        };
        let line = checked(&joined(&mut || " "));
        let lines = format(&joined(&mut || "\n"));
        let mixed = format(&joined(&mut || random.pick(&[" ", "\n", "\t \n", "   "])));
        assert!(
            Ok(&line) == lines.as_ref() && lines == mixed,
            "{}",
            path.display()
        );
        for line in line.lines() {
            let long_name = line.split(' ').any(|word| word.len() > 70);
            assert!(line.len() <= 100 || long_name, "{}: {line}", path.display());
        }
    }
}
