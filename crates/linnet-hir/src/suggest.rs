//! "Did you mean": the candidate nearest to a misspelled name.

/// Longer names are not compared: the work stays bounded on any input.
const MAX_LEN: usize = 48;

/// At most so many candidates are looked at for one name.
const MAX_CANDIDATES: usize = 4096;

/// The candidate that a reader most likely meant by `name`; ties go to the first in the order of the alphabet.
pub fn suggest<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    if name.is_empty() || name.len() > MAX_LEN {
        return None;
    }
    let limit = match name.chars().count() {
        0..=2 => 0,
        3..=5 => 1,
        6..=8 => 2,
        n => n / 3,
    };
    let mut best: Option<(usize, &str)> = None;
    for candidate in candidates.into_iter().take(MAX_CANDIDATES) {
        if candidate == name || candidate.is_empty() || candidate.len() > MAX_LEN {
            continue;
        }
        // A name of one or two letters resembles everything of its length.
        let distance = if candidate.eq_ignore_ascii_case(name) {
            0
        } else {
            let distance = edit_distance(name, candidate, limit);
            let shortest = name.len().min(candidate.len());
            if distance > limit || distance >= shortest {
                continue;
            }
            distance
        };
        if best.is_none_or(|best| (distance, candidate) < best) {
            best = Some((distance, candidate));
        }
    }
    best.map(|(_, candidate)| candidate)
}

/// Insertions, removals, replacements and swaps of neighbours that lead from `a` to `b`; more than `limit` is any number above it.
fn edit_distance(a: &str, b: &str, limit: usize) -> usize {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    if a.len().abs_diff(b.len()) > limit {
        return limit + 1;
    }
    let mut before = vec![0; b.len() + 1];
    let mut last: Vec<usize> = (0..=b.len()).collect();
    let mut row = vec![0; b.len() + 1];
    for i in 1..=a.len() {
        row[0] = i;
        for j in 1..=b.len() {
            let replaced = last[j - 1] + usize::from(a[i - 1] != b[j - 1]);
            row[j] = replaced.min(last[j] + 1).min(row[j - 1] + 1);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                row[j] = row[j].min(before[j - 2] + 1);
            }
        }
        if row.iter().min().is_some_and(|least| *least > limit) {
            return limit + 1;
        }
        std::mem::swap(&mut before, &mut last);
        std::mem::swap(&mut last, &mut row);
    }
    last[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distances() {
        for (a, b, distance) in [
            ("", "", 0),
            ("abc", "abc", 0),
            ("abc", "acb", 1),
            ("abc", "abcd", 1),
            ("weigth", "weight", 1),
            ("kitten", "sitting", 3),
            ("abcdef", "x", 4),
        ] {
            assert_eq!(edit_distance(a, b, 3), distance, "{a} {b}");
            assert_eq!(edit_distance(b, a, 3), distance, "{b} {a}");
        }
    }

    #[test]
    fn suggestions() {
        for (name, candidates, expected) in [
            ("linaer", &["linear", "lines"][..], Some("linear")),
            ("Linear", &["linear", "LinearX"], Some("linear")),
            ("attnd", &["x", "attention", "attend"], Some("attend")),
            ("q", &["k", "v"], None),
            ("foo", &["barbaz"], None),
            // Two letters resemble too much.
            ("ab", &["ba"], None),
            ("same", &["same"], None),
            ("", &["a"], None),
            ("bbc", &["bbd", "bba"], Some("bba")),
        ] {
            assert_eq!(
                suggest(name, candidates.iter().copied()),
                expected,
                "{name}"
            );
        }
    }
}
