//! `bindings.json`: which stored tensor a program's path selects.
//!
//! Each entry maps a path to a tensor's name. A segment `{i}` stands for an array position, and where
//! the name repeats `{i}` the position stands there too. Where several entries fit a path, the first
//! segment in which they differ decides, and the written position wins over the placeholder.

use std::collections::{BTreeSet, HashMap};
use std::path::Path;

use crate::error::{Fault, WeightsError};
use crate::json::{parse_object, read_text};

/// A naming map. The default one binds every path to the tensor of its own name.
#[derive(Clone, Debug, Default)]
pub struct Bindings {
    entries: Vec<Binding>,
    /// A trie over the paths' segments; the root is node 0.
    nodes: Vec<Node>,
}

#[derive(Clone, Debug)]
struct Binding {
    /// The path as written.
    path: String,
    /// Literal text, each followed by the placeholder (by number) whose position comes next.
    name: Vec<Piece>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
enum Piece {
    Text(String),
    /// The n-th placeholder of the path.
    Position(usize),
}

#[derive(Clone, Debug, Default)]
struct Node {
    literal: HashMap<String, usize>,
    placeholder: Option<usize>,
    /// The entry that ends here.
    entry: Option<usize>,
}

impl Bindings {
    /// Reads a `bindings.json`.
    pub fn read(file: &Path) -> Result<Bindings, WeightsError> {
        let bytes = read_text(file)?;
        Bindings::parse(file, &bytes)
    }

    /// Parses the text of a `bindings.json`; `file` is named in errors.
    pub fn parse(file: &Path, text: &[u8]) -> Result<Bindings, WeightsError> {
        let entries =
            parse_object::<String>(file, text).map_err(|mut error| match error.fault {
                // A key that is at hand is an entry, not a tensor.
                Fault::Json(text) if error.tensor.is_some() => {
                    error.fault = Fault::Binding(text);
                    error
                }
                _ => error,
            })?;
        let mut bindings = Bindings {
            entries: Vec::with_capacity(entries.len()),
            nodes: vec![Node::default()],
        };
        for (path, name) in entries {
            if let Err(text) = bindings.add(&path, &name) {
                return Err(WeightsError::of(file, path, Fault::Binding(text)));
            }
        }
        Ok(bindings)
    }

    fn add(&mut self, path: &str, name: &str) -> Result<(), String> {
        let mut placeholders: HashMap<&str, usize> = HashMap::new();
        let mut node = 0;
        for segment in path.split('.') {
            let next = match parse_segment(segment)? {
                Segment::Literal(text) => self.nodes[node].literal.get(text).copied(),
                Segment::Placeholder(name) => {
                    let number = placeholders.len();
                    if placeholders.insert(name, number).is_some() {
                        return Err(format!(
                            "the placeholder `{{{name}}}` stands twice in the path"
                        ));
                    }
                    self.nodes[node].placeholder
                }
            };
            node = match next {
                Some(next) => next,
                None => {
                    let next = self.nodes.len();
                    self.nodes.push(Node::default());
                    if segment.starts_with('{') {
                        self.nodes[node].placeholder = Some(next);
                    } else {
                        self.nodes[node].literal.insert(segment.to_owned(), next);
                    }
                    next
                }
            };
        }
        let name = parse_name(name, &placeholders)?;
        if let Some(other) = self.nodes[node].entry {
            let other = &self.entries[other].path;
            return Err(format!("it selects the same paths as the entry `{other}`"));
        }
        self.nodes[node].entry = Some(self.entries.len());
        self.entries.push(Binding {
            path: path.to_owned(),
            name,
        });
        Ok(())
    }

    /// The name of the tensor that `path` selects, and the entry that says so.
    ///
    /// A path that no entry names selects the tensor of its own name.
    pub fn resolve(&self, path: &str) -> (String, Option<usize>) {
        match self.find(path) {
            None => (path.to_owned(), None),
            Some((entry, positions)) => {
                let mut name = String::new();
                for piece in &self.entries[entry].name {
                    name.push_str(match piece {
                        Piece::Text(text) => text,
                        Piece::Position(number) => positions[*number],
                    });
                }
                (name, Some(entry))
            }
        }
    }

    /// The paths of the entries, as written and in order.
    pub fn entries(&self) -> impl ExactSizeIterator<Item = &str> {
        self.entries.iter().map(|binding| binding.path.as_str())
    }

    /// The entry for `path` and what its placeholders stand for, by depth-first search.
    fn find<'a>(&self, path: &'a str) -> Option<(usize, Vec<&'a str>)> {
        if self.nodes.is_empty() {
            return None;
        }
        let segments: Vec<&str> = path.split('.').collect();
        let mut positions: Vec<&str> = Vec::new();
        let mut stack = vec![Step {
            node: 0,
            depth: 0,
            taken: 0,
            by_placeholder: false,
        }];
        while let Some(step) = stack.pop() {
            positions.truncate(step.taken);
            if step.by_placeholder {
                positions.push(segments[step.depth - 1]);
            }
            let node = &self.nodes[step.node];
            let Some(&segment) = segments.get(step.depth) else {
                match node.entry {
                    Some(entry) => return Some((entry, positions)),
                    None => continue,
                }
            };
            let next = |node: usize, by_placeholder: bool| Step {
                node,
                depth: step.depth + 1,
                taken: positions.len(),
                by_placeholder,
            };
            // The literal is pushed last, so that it is tried first.
            if is_position(segment) {
                stack.extend(node.placeholder.map(|node| next(node, true)));
            }
            stack.extend(node.literal.get(segment).map(|&node| next(node, false)));
        }
        None
    }
}

/// One node of the search through the trie.
struct Step {
    node: usize,
    depth: usize,
    /// The placeholders taken before this step.
    taken: usize,
    by_placeholder: bool,
}

enum Segment<'a> {
    Literal(&'a str),
    Placeholder(&'a str),
}

/// One segment of a path: a name, an array position or a placeholder.
fn parse_segment(segment: &str) -> Result<Segment<'_>, String> {
    if let Some(inner) = segment.strip_prefix('{') {
        return match inner.strip_suffix('}') {
            Some(name) if is_identifier(name) => Ok(Segment::Placeholder(name)),
            _ => Err(format!(
                "`{segment}` is no placeholder; one is written `{{i}}` and fills its segment"
            )),
        };
    }
    if is_identifier(segment) || is_position(segment) {
        Ok(Segment::Literal(segment))
    } else if segment.is_empty() {
        Err("a segment of the path is empty".to_owned())
    } else {
        Err(format!(
            "`{segment}` is neither a name, an array position nor a placeholder"
        ))
    }
}

/// A tensor's name, with the placeholders that the path introduced.
fn parse_name(name: &str, placeholders: &HashMap<&str, usize>) -> Result<Vec<Piece>, String> {
    if name.is_empty() {
        return Err("the tensor's name is empty".to_owned());
    }
    let mut pieces = Vec::new();
    let mut used = BTreeSet::new();
    let mut rest = name;
    while let Some(at) = rest.find(['{', '}']) {
        let (text, tail) = rest.split_at(at);
        let close = tail.find('}').unwrap_or(0);
        if close == 0 {
            return Err(format!("the braces of `{name}` do not match"));
        }
        let placeholder = &tail[1..close];
        let Some(&number) = placeholders.get(placeholder) else {
            return Err(format!(
                "the path has no placeholder `{{{placeholder}}}` for the tensor's name"
            ));
        };
        used.insert(number);
        if !text.is_empty() {
            pieces.push(Piece::Text(text.to_owned()));
        }
        pieces.push(Piece::Position(number));
        rest = &tail[close + 1..];
    }
    if !rest.is_empty() {
        pieces.push(Piece::Text(rest.to_owned()));
    }
    // Without this every position would select one and the same tensor.
    match placeholders
        .iter()
        .find(|(_, number)| !used.contains(number))
    {
        Some((unused, _)) => Err(format!(
            "the placeholder `{{{unused}}}` does not stand in the tensor's name"
        )),
        None => Ok(pieces),
    }
}

fn is_identifier(text: &str) -> bool {
    let mut bytes = text.bytes();
    bytes
        .next()
        .is_some_and(|b| b.is_ascii_alphabetic() || b == b'_')
        && bytes.all(|b| b.is_ascii_alphanumeric() || b == b'_')
}

/// An array position: decimal digits without leading zeros.
fn is_position(text: &str) -> bool {
    !text.is_empty()
        && text.bytes().all(|b| b.is_ascii_digit())
        && (text == "0" || !text.starts_with('0'))
}
