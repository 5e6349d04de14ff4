//! How numbers and tables are printed.

use std::time::Duration;

/// `0.84 s`, `12.5 s`, `3 min 04 s`
pub fn seconds(time: Duration) -> String {
    let s = time.as_secs_f64();
    if s < 10.0 {
        format!("{s:.2} s")
    } else if s < 100.0 {
        format!("{s:.1} s")
    } else {
        format!("{} min {:02} s", time.as_secs() / 60, time.as_secs() % 60)
    }
}

/// Rows as aligned text: the first column to the left, all others to the right.
pub fn aligned(rows: &[Vec<String>]) -> String {
    let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
    let width = |c: usize| {
        let cells = rows.iter().filter_map(|row| row.get(c));
        cells.map(|cell| cell.chars().count()).max().unwrap_or(0)
    };
    let widths: Vec<usize> = (0..columns).map(width).collect();
    let mut out = String::new();
    for row in rows {
        let mut line = String::new();
        for (c, cell) in row.iter().enumerate() {
            let width = widths[c];
            if c == 0 {
                line.push_str(&format!("{cell:<width$}"));
            } else {
                line.push_str(&format!("  {cell:>width$}"));
            }
        }
        out.push_str(line.trim_end());
        out.push('\n');
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_have_a_fitting_unit() {
        assert_eq!(seconds(Duration::from_millis(840)), "0.84 s");
        assert_eq!(seconds(Duration::from_millis(12_540)), "12.5 s");
        assert_eq!(seconds(Duration::from_secs(184)), "3 min 04 s");
    }

    #[test]
    fn columns_line_up() {
        let row = |cells: [&str; 2]| cells.map(String::from).to_vec();
        assert_eq!(
            aligned(&[row(["a", "10"]), row(["long", "5"])]),
            "a     10\nlong   5\n"
        );
    }
}
