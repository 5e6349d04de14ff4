//! Measures the formatter: `throughput FILE..` formats the files again and again for some seconds
//! and prints megabytes per second, with the share of the parser.

use std::time::{Duration, Instant};

fn main() {
    let texts: Vec<String> = std::env::args()
        .skip(1)
        .filter_map(|path| std::fs::read_to_string(path).ok())
        .collect();
    let bytes: usize = texts.iter().map(String::len).sum();
    if bytes == 0 {
        eprintln!("usage: throughput FILE..");
        return;
    }
    let mut parsing = Duration::ZERO;
    let mut all = Duration::ZERO;
    let mut rounds = 0;
    while all < Duration::from_secs(3) {
        for text in &texts {
            let start = Instant::now();
            let parse = linnet_syntax::parse(text);
            parsing += start.elapsed();
            let formatted = linnet_fmt::format_parsed(text, &parse);
            all += start.elapsed();
            assert!(formatted.is_ok(), "a file cannot be formatted");
        }
        rounds += 1;
    }
    let rate = |time: Duration| (bytes * rounds) as f64 / time.as_secs_f64() / 1e6;
    println!(
        "{bytes} bytes, {rounds} rounds: {:.1} MB/s, parsing {:.1} MB/s",
        rate(all),
        rate(parsing)
    );
}
