//! Texts that break formatters: line ends, marks, depth, size, errors.

use linnet_fmt::{FormatError, format};

fn formatted(text: &str) -> String {
    match format(text) {
        Ok(formatted) => formatted,
        Err(error) => panic!("{error}: {text}"),
    }
}

#[test]
fn line_ends_are_those_of_most_lines() {
    let unix = "module a\n\n/* one\n   two */\nconst A = 1\n";
    let windows = unix.replace('\n', "\r\n");
    assert_eq!(formatted(unix), unix);
    assert_eq!(formatted(&windows), windows);
    assert_eq!(
        formatted("module a\r\nconst A = 1\r\nconst B = 2"),
        "module a\r\n\r\nconst A = 1\r\nconst B = 2\r\n"
    );
    assert_eq!(
        formatted("module a\nconst A = 1\r\nconst B = 2\n"),
        "module a\n\nconst A = 1\nconst B = 2\n"
    );
    assert_eq!(
        formatted("module a // x\rconst A = 1"),
        "module a // x\n\nconst A = 1\n"
    );
}

#[test]
fn a_byte_order_mark_is_kept() {
    assert_eq!(formatted("\u{feff}module  a"), "\u{feff}module a\n");
    assert_eq!(
        formatted("\u{feff}\n\n// c\nmodule a"),
        "\u{feff}// c\nmodule a\n"
    );
}

#[test]
fn a_text_with_syntax_errors_is_not_touched() {
    for text in [
        "",
        "const A = 1",
        "module a\nfn f( -> i32 { return 1 }",
        "module a /*",
        "module a \u{1}",
    ] {
        match format(text) {
            Err(FormatError::Syntax(errors)) => assert!(!errors.is_empty()),
            other => panic!("{other:?}"),
        }
    }
}

/// Formats what is nested as deep as the parser allows, on half the stack that a thread has.
fn deep(open: &str, inner: &str, close: &str) {
    let text = |depth: usize| {
        format!(
            "module a\nconst A = {}{inner}{}\n",
            open.repeat(depth),
            close.repeat(depth)
        )
    };
    let fits = |depth: usize| linnet_syntax::parse(&text(depth)).errors.is_empty();
    // The parser refuses everything beyond some depth.
    let (mut depth, mut beyond) = (1, 4096);
    while depth + 1 < beyond {
        let middle = (depth + beyond) / 2;
        if fits(middle) {
            depth = middle
        } else {
            beyond = middle
        }
    }
    assert!(depth > 50, "only {depth} of {open}");
    let text = text(depth);
    let run = move || {
        let once = formatted(&text);
        assert_eq!(formatted(&once), once);
    };
    let thread = std::thread::Builder::new()
        .stack_size(1 << 20)
        .spawn(run)
        .unwrap();
    assert!(thread.join().is_ok(), "{open}");
}

#[test]
fn the_deepest_trees_fit_on_a_small_stack() {
    deep("(", "1", ")");
    deep("[", "1", "]");
    deep("f(", "1", ")");
    deep("f(a, x = ", "1", ", b)");
    deep("some(", "1", ")");
    deep("-", "1", "");
    deep("1 + ", "1", "");
    deep("1 + (", "1", ") * 2 == x[1:2]");
    deep("", "x", "[1]");
    deep("", "x", ".y");
    deep("x[", "1", "]");
    deep("x[a:b:", "1", ", c]");
    deep("f<B<", "C", ">>(1)");
    deep("f<(f32, g<1>), B<C>>(", "C", ")");
    deep("f<[", "1", "]>(x)");
    deep("(1, ", "1", ",)");
    deep("sum[i] ", "1", "");
    deep("if a { ", "1", " } else { 2 }");
    deep("if a { 1 } else ", "if a { 1 } else { 2 }", "");
    deep("match a { some(x) => ", "1", ", none => 2, }");
}

#[test]
fn time_is_linear_in_the_length() {
    let sizes = [500, 16_000];
    let make = |count: usize| -> Vec<String> {
        let list = format!("module a\nconst A = f({})", "a + b, ".repeat(count));
        let comments = format!("module a\n{}const A = 1", "// c\n".repeat(count));
        let inline = format!("module a {} const A = 1", "/* c */".repeat(count));
        let trailing = format!(
            "module a\nfn f() -> i32 {{ {}return 1 }}",
            "let a = 1 // c\n".repeat(count)
        );
        let rows = format!(
            "module a\nconst A = [{}]",
            "[1, [2, 3], f(x, y = g(z))],".repeat(count / 4)
        );
        let long = format!("module a\nconst A = {} + 1", "x".repeat(count * 4));
        vec![list, comments, inline, trailing, rows, long]
    };
    for (small, large) in make(sizes[0]).into_iter().zip(make(sizes[1])) {
        let time = |text: &str| {
            let runs = (0..3).map(|_| {
                let start = std::time::Instant::now();
                formatted(text);
                start.elapsed()
            });
            runs.min().unwrap_or_default().as_secs_f64()
        };
        let (short, long) = (time(&small), time(&large));
        // 32 times the text; quadratic would be 1024 times the time.
        assert!(
            long < short * 250.0 + 0.05,
            "{short} s, then {long} s: {}",
            &small[..60]
        );
    }
}

#[test]
fn edits_are_small() {
    use linnet_fmt::format_edits;
    let text = "module a\n\nconst A = f(1 ,2)  // one\nconst B = 1\n\n\n\nconst  C = 1\n";
    let parse = linnet_syntax::parse(text);
    let edits = |range: Option<std::ops::Range<u32>>| -> Vec<(&str, String)> {
        let range =
            range.map(|range| linnet_syntax::TextRange::new(range.start.into(), range.end.into()));
        let edits = format_edits(text, &parse, range).unwrap();
        edits
            .into_iter()
            .map(|(range, new)| (&text[range], new))
            .collect()
    };
    let pair = |old, new: &str| (old, new.to_owned());
    let line = [pair(" ,", ", "), pair(" ", "")];
    let rest = [pair("\n\n", ""), pair(" ", "")];
    assert_eq!(edits(None), [line.clone(), rest].concat());
    assert_eq!(edits(Some(10..30)), line);
    assert_eq!(edits(Some(45..46)), []);
}
