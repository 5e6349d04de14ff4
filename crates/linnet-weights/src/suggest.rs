//! Likely renames: which tensor without a use is meant by which path without a tensor.
//!
//! Names that differ only in array positions are judged once, as one pattern. That keeps the work small
//! for models of thousands of tensors, and gives every layer the same advice.

use std::collections::HashMap;

/// A name and shape that lacks its counterpart.
pub(crate) struct Candidate<'a> {
    name: &'a str,
    shape: &'a [u64],
}

impl<'a> Candidate<'a> {
    pub fn new(name: &'a str, shape: &'a [u64]) -> Self {
        Candidate { name, shape }
    }
}

/// Beyond so many pairs of patterns no advice is worth the wait.
const MAX_PAIRS: usize = 40_000;
/// Longer names are compared by their ends.
const MAX_CHARS: usize = 96;
/// The likeness, of 1, that a rename must have where the shapes agree, and where they do not.
const SAME_SHAPE: f64 = 0.45;
const OTHER_SHAPE: f64 = 0.6;

/// A pattern and the candidates that it stands for, by their positions.
struct Group<'a> {
    pattern: String,
    members: HashMap<Vec<&'a str>, usize>,
    shape: &'a [u64],
}

/// Pairs of `(lost, spare)` indexes, each used once, the likeliest pairs first.
pub(crate) fn pair_up(lost: &[Candidate], spare: &[Candidate]) -> Vec<(usize, usize)> {
    let lost = group(lost);
    let spare = group(spare);
    if lost.len().saturating_mul(spare.len()) > MAX_PAIRS {
        return Vec::new();
    }
    let mut scored = Vec::new();
    for (l, a) in lost.iter().enumerate() {
        for (s, b) in spare.iter().enumerate() {
            // A position cannot be guessed, so both must have as many.
            if positions(a) != positions(b) {
                continue;
            }
            let same_shape = a.shape == b.shape;
            let score = likeness(&a.pattern, &b.pattern);
            if score >= if same_shape { SAME_SHAPE } else { OTHER_SHAPE } {
                scored.push((same_shape, score, l, s));
            }
        }
    }
    scored.sort_by(|a, b| {
        (b.0.cmp(&a.0))
            .then(b.1.total_cmp(&a.1))
            .then((a.2, a.3).cmp(&(b.2, b.3)))
    });
    let (mut lost_done, mut spare_done) = (vec![false; lost.len()], vec![false; spare.len()]);
    let mut pairs = Vec::new();
    for (_, _, l, s) in scored {
        if lost_done[l] || spare_done[s] {
            continue;
        }
        let both = lost[l]
            .members
            .iter()
            .filter_map(|(key, &a)| spare[s].members.get(key).map(|&b| (a, b)));
        let before = pairs.len();
        pairs.extend(both);
        if pairs.len() > before {
            lost_done[l] = true;
            spare_done[s] = true;
        }
    }
    pairs
}

fn positions(group: &Group) -> usize {
    group.members.keys().next().map_or(0, Vec::len)
}

/// Groups candidates by their pattern, in the order of the first of each.
fn group<'a>(candidates: &[Candidate<'a>]) -> Vec<Group<'a>> {
    let mut groups: Vec<Group> = Vec::new();
    let mut by_pattern: HashMap<(String, &[u64]), usize> = HashMap::new();
    for (index, candidate) in candidates.iter().enumerate() {
        let mut key = Vec::new();
        let mut pattern = String::new();
        for segment in candidate.name.split('.') {
            if !pattern.is_empty() {
                pattern.push('.');
            }
            if !segment.is_empty() && segment.bytes().all(|b| b.is_ascii_digit()) {
                key.push(segment);
                pattern.push('*');
            } else {
                pattern.push_str(segment);
            }
        }
        let group = *by_pattern
            .entry((pattern.clone(), candidate.shape))
            .or_insert_with(|| {
                groups.push(Group {
                    pattern,
                    members: HashMap::new(),
                    shape: candidate.shape,
                });
                groups.len() - 1
            });
        groups[group].members.insert(key, index);
    }
    groups
}

/// How alike two patterns are, from 0 to 1: the characters they share, and the segments at their end.
fn likeness(a: &str, b: &str) -> f64 {
    let (a_chars, b_chars) = (tail(a), tail(b));
    let total = (a_chars.len() + b_chars.len()).max(1) as f64;
    let edits = edit_distance(&a_chars, &b_chars) as f64;
    let shared = a.rsplit('.').zip(b.rsplit('.')).take_while(|(a, b)| a == b);
    let segments = a.split('.').count().min(b.split('.').count()) as f64;
    (1.0 - edits / total) * 0.7 + shared.count() as f64 / segments * 0.3
}

fn tail(name: &str) -> Vec<char> {
    let mut chars: Vec<char> = name.chars().rev().take(MAX_CHARS).collect();
    chars.reverse();
    chars
}

/// The insertions and deletions from `a` to `b`, in one row.
fn edit_distance(a: &[char], b: &[char]) -> usize {
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.iter().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, y) in b.iter().enumerate() {
            let next = if x == y {
                diagonal
            } else {
                row[j + 1].min(row[j]) + 1
            };
            diagonal = row[j + 1];
            row[j + 1] = next;
        }
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distances() {
        for (a, b, edits) in [
            ("", "", 0),
            ("abc", "abc", 0),
            ("abc", "", 3),
            ("", "ab", 2),
            ("kitten", "sitting", 5),
            ("q", "q_proj", 5),
        ] {
            let chars = |text: &str| text.chars().collect::<Vec<_>>();
            assert_eq!(edit_distance(&chars(a), &chars(b)), edits, "{a} {b}");
            assert_eq!(edit_distance(&chars(b), &chars(a)), edits, "{b} {a}");
        }
    }

    /// The pairs among names that all have one shape but for those marked `!`.
    fn pairs(lost: &str, spare: &str) -> Vec<String> {
        let shape =
            |name: &str| -> &'static [u64] { if name.starts_with('!') { &[7] } else { &[2, 3] } };
        let parse = |text: &'static str| -> Vec<&'static str> { text.split(' ').collect() };
        let (lost, spare) = (parse(leak(lost)), parse(leak(spare)));
        let make = |names: &[&'static str]| -> Vec<Candidate<'static>> {
            let bare = |name: &'static str| name.trim_start_matches('!');
            let each = names
                .iter()
                .map(|name| Candidate::new(bare(name), shape(name)));
            each.collect()
        };
        let mut found: Vec<String> = pair_up(&make(&lost), &make(&spare))
            .into_iter()
            .map(|(l, s)| format!("{}={}", lost[l], spare[s]))
            .collect();
        found.sort();
        found
    }

    fn leak(text: &str) -> &'static str {
        Box::leak(text.to_owned().into_boxed_str())
    }

    #[test]
    fn likely_renames() {
        for (lost, spare, expected) in [
            // A prefix more, on each position.
            (
                "layers.0.q.weight layers.1.q.weight",
                "model.layers.0.self_attn.q_proj.weight model.layers.1.self_attn.q_proj.weight",
                "layers.0.q.weight=model.layers.0.self_attn.q_proj.weight                  layers.1.q.weight=model.layers.1.self_attn.q_proj.weight",
            ),
            // Among equals the closest, each spare name once.
            (
                "attn.q.weight attn.k.weight attn.v.weight",
                "attn.v_proj.weight attn.q_proj.weight attn.k_proj.weight",
                "attn.k.weight=attn.k_proj.weight attn.q.weight=attn.q_proj.weight                  attn.v.weight=attn.v_proj.weight",
            ),
            // A slip of the pen where even the shape is another.
            ("!norm.weight", "norm.weigth", "!norm.weight=norm.weigth"),
            // The same shape comes before the closer name.
            (
                "norm.weight",
                "!norm.weights final_norm.weight",
                "norm.weight=final_norm.weight",
            ),
            // Nothing alike.
            ("embed.table", "position_ids", ""),
            // A position cannot be guessed.
            ("head.weight", "heads.0.weight", ""),
        ] {
            let expected: Vec<&str> = expected.split_whitespace().collect();
            assert_eq!(pairs(lost, spare), expected, "{lost} | {spare}");
        }
    }
}
