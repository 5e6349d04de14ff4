//! Tokens, and what ends them.

use linnet_syntax::{SyntaxKind, SyntaxKind::*, lex, lex_with_errors};

/// The kinds and texts of the tokens, white space left out.
fn tokens(text: &str) -> Vec<(SyntaxKind, &str)> {
    let mut offset = 0;
    let mut tokens = Vec::new();
    for token in lex(text) {
        let start = offset;
        offset += token.len as usize;
        if token.kind != WHITESPACE {
            tokens.push((token.kind, &text[start..offset]));
        }
    }
    assert_eq!(offset, text.len());
    tokens
}

fn kinds(text: &str) -> Vec<SyntaxKind> {
    tokens(text).into_iter().map(|(kind, _)| kind).collect()
}

fn codes(text: &str) -> Vec<&'static str> {
    lex_with_errors(text)
        .1
        .into_iter()
        .map(|error| error.code)
        .collect()
}

#[test]
fn every_fixed_text_is_its_own_token() {
    for &kind in SyntaxKind::ALL {
        if let Some(text) = kind.text() {
            assert_eq!(tokens(text), [(kind, text)]);
        }
    }
}

#[test]
fn operators_are_as_long_as_they_can_be() {
    assert_eq!(
        kinds("a<=b>=c==d!=e"),
        [IDENT, LTEQ, IDENT, GTEQ, IDENT, EQ2, IDENT, NEQ, IDENT]
    );
    assert_eq!(
        kinds("->=>::...."),
        [THIN_ARROW, FAT_ARROW, COLON2, DOT3, DOT]
    );
    assert_eq!(kinds("&&&|||"), [AMP2, AMP, PIPE2, PIPE]);
    assert_eq!(kinds("a<b>>c"), [IDENT, LT, IDENT, GT, GT, IDENT]);
}

#[test]
fn ranges_and_fields_are_no_floats() {
    assert_eq!(kinds("0..4"), [INT_NUMBER, DOT2, INT_NUMBER]);
    assert_eq!(kinds("0...4"), [INT_NUMBER, DOT3, INT_NUMBER]);
    assert_eq!(kinds("1.5"), [FLOAT_NUMBER]);
    assert_eq!(kinds("1.5..2.5"), [FLOAT_NUMBER, DOT2, FLOAT_NUMBER]);
    assert_eq!(kinds("1.real"), [INT_NUMBER, DOT, IDENT]);
    assert_eq!(kinds("x.e5"), [IDENT, DOT, IDENT]);
    assert_eq!(
        kinds("1e-5 1E+5 1_0.0_1e1_0"),
        [FLOAT_NUMBER, FLOAT_NUMBER, FLOAT_NUMBER]
    );
    assert_eq!(kinds("0xff 0b10 0"), [INT_NUMBER, INT_NUMBER, INT_NUMBER]);
    assert_eq!(
        codes("0..4 1.5..2 1.real 0xff 0b10 007 1_000 9223372036854775807"),
        [""; 0]
    );
}

#[test]
fn malformed_numbers_are_one_token() {
    for text in [
        "0x", "0b", "0b2", "0xg", "1e", "1.", "12ab", "1_", "1__0", "0o7", "0XF", ".5", "1.5f",
    ] {
        assert_eq!(tokens(text).len(), 1, "{text}");
        assert_eq!(codes(text), ["E1005"], "{text}");
    }
    assert_eq!(codes("9223372036854775809"), ["E1005"]);
    assert_eq!(codes("0xffffffffffffffffffff"), ["E1005"]);
}

#[test]
fn comments_nest_and_docs_are_told_apart() {
    assert_eq!(
        kinds("// a\n/// b\n//// c"),
        [LINE_COMMENT, DOC_LINE_COMMENT, LINE_COMMENT]
    );
    assert_eq!(
        kinds("/* a /* b */ c */ /** d */ /*** e */ /**/ x"),
        [
            BLOCK_COMMENT,
            DOC_BLOCK_COMMENT,
            BLOCK_COMMENT,
            BLOCK_COMMENT,
            IDENT
        ]
    );
    assert_eq!(kinds("/* /* */ let"), [BLOCK_COMMENT]);
    assert_eq!(codes("/* /* */ let"), ["E1002"]);
}

#[test]
fn any_line_end_ends_a_line_comment() {
    assert_eq!(
        tokens("// a\r\nlet // b\rlet // c\nlet"),
        [
            (LINE_COMMENT, "// a"),
            (LET_KW, "let"),
            (LINE_COMMENT, "// b"),
            (LET_KW, "let"),
            (LINE_COMMENT, "// c"),
            (LET_KW, "let")
        ]
    );
}

#[test]
fn a_byte_order_mark_is_kept_at_the_start_only() {
    assert_eq!(tokens("\u{feff}let"), [(BOM, "\u{feff}"), (LET_KW, "let")]);
    assert_eq!(codes("\u{feff}let"), [""; 0]);
    assert_eq!(codes("let\u{feff}"), ["E1001"]);
}

#[test]
fn comments_and_strings_hold_any_unicode() {
    assert_eq!(
        kinds("// größe 🦀\n\"größe 🦀\" /* 漢字 */"),
        [LINE_COMMENT, STRING, BLOCK_COMMENT]
    );
    assert_eq!(codes("// größe 🦀\n\"größe 🦀\" /* 漢字 */"), [""; 0]);
}

#[test]
fn strings_end_on_their_line() {
    assert_eq!(kinds(r#""a\"b" c"#), [STRING, IDENT]);
    assert_eq!(tokens("\"a\nb"), [(STRING, "\"a"), (IDENT, "b")]);
    assert_eq!(codes("\"a\nb"), ["E1003"]);
    assert_eq!(codes("\"\\"), ["E1003"]);
    assert_eq!(codes(r#""\n\t\r\\\"\u{41}\u{1f600}""#), [""; 0]);
    assert_eq!(codes(r#""\u{}""#), ["E1003"]);
    assert_eq!(codes(r#""\x41""#), ["E1003"]);
}

#[test]
fn a_run_of_foreign_characters_is_one_fault() {
    assert_eq!(codes("a @@@ b"), ["E1001"]);
    assert_eq!(codes("a \0\0 b"), ["E1001"]);
    assert_eq!(codes("größe"), ["E1001"]);
    assert_eq!(kinds("größe"), [IDENT]);
}
