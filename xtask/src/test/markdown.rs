//! Fenced code in Markdown.

/// A fenced block.
#[derive(Debug, PartialEq)]
pub struct Fence {
    /// The line of the opening fence, from 1.
    pub line: usize,
    /// The language: `linnet` of `linnet,fails(E2203)`.
    pub language: String,
    /// What follows the language, split at commas outside parentheses.
    pub attributes: Vec<String>,
    /// The lines between the fences, without the fence's own indentation.
    pub text: String,
}

impl Fence {
    pub fn has(&self, attribute: &str) -> bool {
        self.attributes.iter().any(|a| a == attribute)
    }

    /// What stands in parentheses after an attribute: `E2203` for `fails` in `fails(E2203)`.
    pub fn argument(&self, attribute: &str) -> Option<&str> {
        let mut arguments = self.attributes.iter().filter_map(|a| {
            a.strip_prefix(attribute)?
                .strip_prefix('(')?
                .strip_suffix(')')
        });
        arguments.next()
    }
}

/// All fenced blocks, or the line of one that is never closed.
pub fn fences(text: &str) -> Result<Vec<Fence>, usize> {
    let mut found = Vec::new();
    let mut lines = text.lines().enumerate();
    while let Some((number, line)) = lines.next() {
        let indent = line.len() - line.trim_start_matches(' ').len();
        let line = &line[indent..];
        let mark = if line.starts_with('~') { '~' } else { '`' };
        let length = line.len() - line.trim_start_matches(mark).len();
        let info = line[length..].trim();
        if length < 3 || info.contains('`') {
            continue;
        }
        let mut body = String::new();
        let mut closed = false;
        for (_, line) in lines.by_ref() {
            let trimmed = line.trim();
            if trimmed.len() >= length && trimmed.chars().all(|c| c == mark) {
                closed = true;
                break;
            }
            let spaces = line.len() - line.trim_start_matches(' ').len();
            body.push_str(&line[spaces.min(indent)..]);
            body.push('\n');
        }
        if !closed {
            return Err(number + 1);
        }
        let mut words = split(info).into_iter();
        found.push(Fence {
            line: number + 1,
            language: words.next().unwrap_or_default(),
            attributes: words.collect(),
            text: body,
        });
    }
    Ok(found)
}

/// Splits at commas outside parentheses.
fn split(info: &str) -> Vec<String> {
    let mut depth = 0usize;
    let parts = info.split(|c| {
        match c {
            '(' => depth += 1,
            ')' => depth = depth.saturating_sub(1),
            _ => {}
        }
        c == ',' && depth == 0
    });
    parts.map(|part| part.trim().to_owned()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fences_are_found_with_their_attributes() {
        let text = "\
text
```linnet,fails(E2203, E2201)
module a
```
- item
  ~~~~ console,test
  $ linnet
    more
  ~~~~
";
        let found = fences(text).expect("all closed");
        assert_eq!(found.len(), 2);
        assert_eq!((found[0].line, found[0].language.as_str()), (2, "linnet"));
        assert_eq!(found[0].argument("fails"), Some("E2203, E2201"));
        assert_eq!(found[0].text, "module a\n");
        assert!(found[1].has("test") && !found[1].has("fails"));
        assert_eq!(found[1].text, "$ linnet\n  more\n");
    }

    #[test]
    fn a_longer_fence_holds_a_shorter_one() {
        let found = fences("````md\n```\n````\n").expect("all closed");
        assert_eq!(found[0].text, "```\n");
    }

    #[test]
    fn an_open_fence_is_a_fault() {
        assert_eq!(fences("a\n```linnet\nmodule a\n"), Err(2));
    }
}
