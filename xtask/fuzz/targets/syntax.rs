//! Lexer, parser and formatter.

use linnet_syntax::{
    NodeOrToken, SyntaxError, SyntaxNode, TextRange, WalkEvent, lex, lex_with_errors, parse,
};

/// Trees are at most this high, so that consumers may recurse.
const HIGHEST: usize = 2_500;

/// Every byte is in one token, and tokens end where characters do.
pub fn lexer(text: String) -> Result<(), String> {
    let tokens = lex(&text);
    let mut at = 0;
    for token in &tokens {
        let length = token.len as usize;
        if length == 0 {
            return Err(format!("an empty token: at {at}"));
        }
        at += length;
        if !text.is_char_boundary(at) {
            return Err(format!("a token ends inside a character: at {at}"));
        }
    }
    if at != text.len() {
        return Err(format!(
            "tokens do not cover the text: {at} of {} bytes",
            text.len()
        ));
    }
    let (again, errors) = lex_with_errors(&text);
    if again != tokens {
        return Err("lexing with errors gives other tokens".to_owned());
    }
    places(&text, &errors)
}

/// Errors lie in the text, in order.
fn places(text: &str, errors: &[SyntaxError]) -> Result<(), String> {
    let mut last = 0;
    for error in errors {
        place(text, error.range)?;
        let start = usize::from(error.range.start());
        if start < last {
            return Err("errors are not in order".to_owned());
        }
        last = start;
    }
    Ok(())
}

/// A range lies in the text, between characters.
pub fn place(text: &str, range: TextRange) -> Result<(), String> {
    let (start, end) = (usize::from(range.start()), usize::from(range.end()));
    if text.get(start..end).is_none() {
        return Err(format!(
            "a place outside the text: {range:?} of {} bytes",
            text.len()
        ));
    }
    Ok(())
}

/// The tree prints back, is not too high, and is the same each time.
pub fn parser(text: String) -> Result<(), String> {
    let parsed = parse(&text);
    let tree = parsed.syntax();
    if tree.text() != text.as_str() {
        return Err("the tree does not print back".to_owned());
    }
    places(&text, parsed.errors())?;
    let height = height(&tree);
    if height > HIGHEST {
        return Err(format!("the tree is too high: {height} levels"));
    }
    if parse(&text).green != parsed.green {
        return Err("parsing again gives another tree".to_owned());
    }
    Ok(())
}

fn height(tree: &SyntaxNode) -> usize {
    let (mut height, mut highest) = (0usize, 0);
    for event in tree.preorder() {
        match event {
            WalkEvent::Enter(_) => height += 1,
            WalkEvent::Leave(_) => height -= 1,
        }
        highest = highest.max(height);
    }
    highest
}

/// Formatting is complete at once, loses nothing, and refuses only what has syntax errors.
pub fn formatter(text: String) -> Result<(), String> {
    let parsed = parse(&text);
    let formatted = match linnet_fmt::format(&text) {
        Ok(formatted) => formatted,
        Err(linnet_fmt::FormatError::Syntax(_)) if !parsed.errors().is_empty() => return Ok(()),
        Err(error) => return Err(format!("a text without errors is refused: {error}")),
    };
    if let Some(error) = parse(&formatted).errors().first() {
        return Err(format!(
            "the formatted text has an error: {}\n{formatted}",
            error.message
        ));
    }
    match linnet_fmt::format(&formatted) {
        Ok(again) if again == formatted => {}
        Ok(again) => {
            return Err(format!(
                "formatting again changes more:\n{formatted}\n----\n{again}"
            ));
        }
        Err(error) => return Err(format!("formatting again fails: {error}")),
    }
    let (before, after) = (substance(&text), substance(&formatted));
    if before != after {
        let at = before
            .iter()
            .zip(&after)
            .take_while(|(a, b)| a == b)
            .count();
        let (a, b) = (before.get(at), after.get(at));
        return Err(format!(
            "formatting changes what is said: {a:?} became {b:?}\n{formatted}"
        ));
    }
    let edits =
        linnet_fmt::format_edits(&text, &parsed, None).map_err(|error| error.to_string())?;
    let edited = apply(&text, &edits)?;
    if edited != formatted {
        return Err(format!(
            "the edits make another text:\n{edited}\n----\n{formatted}"
        ));
    }
    Ok(())
}

/// Tokens and comments in order, without what a formatter may change: layout and commas.
fn substance(text: &str) -> Vec<String> {
    let tree = parse(text).syntax();
    let mut kept = Vec::new();
    // The parser's tokens, not the lexer's: `::` in an index is two of them.
    for token in tree
        .descendants_with_tokens()
        .filter_map(NodeOrToken::into_token)
    {
        if token.kind().is_comment() {
            // Indentation inside a comment may change.
            let words: Vec<&str> = token.text().split_whitespace().collect();
            kept.push(words.join(" "));
        } else if !token.kind().is_trivia() && token.text() != "," {
            kept.push(token.text().to_owned());
        }
    }
    kept
}

/// The text after edits that are in order and do not overlap.
pub fn apply(text: &str, edits: &[(TextRange, String)]) -> Result<String, String> {
    let mut out = String::with_capacity(text.len());
    let mut at = 0;
    for (range, new) in edits {
        place(text, *range)?;
        let (start, end) = (usize::from(range.start()), usize::from(range.end()));
        if start < at {
            return Err(format!("edits overlap: at {range:?}"));
        }
        out.push_str(&text[at..start]);
        out.push_str(new);
        at = end;
    }
    out.push_str(&text[at..]);
    Ok(out)
}
