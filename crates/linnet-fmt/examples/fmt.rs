//! Formats the files given, to standard output.

fn main() {
    for path in std::env::args().skip(1) {
        let text = match std::fs::read_to_string(&path) {
            Ok(text) => text,
            Err(error) => {
                eprintln!("{path}: {error}");
                continue;
            }
        };
        match linnet_fmt::format(&text) {
            Ok(formatted) => print!("{formatted}"),
            Err(error) => eprintln!("{path}: {error}"),
        }
    }
}
