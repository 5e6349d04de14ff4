//! Prints the diagnostics of files, one a line: for those who work on the checker.
use linnet_hir::check::diagnostics;
use linnet_hir::db::{Db, RootDatabase, StdSource, shown_text};

fn main() {
    let db = RootDatabase::new(StdSource::Embedded);
    for path in std::env::args().skip(1) {
        let file = match path.strip_prefix("std:") {
            Some(m) => db.std_file(m).expect("a module"),
            None => db.file(std::path::Path::new(&path)),
        };
        let text = shown_text(&db, file);
        for d in diagnostics(&db, file) {
            let line = text[..usize::from(d.span.range.start())]
                .matches('\n')
                .count()
                + 1;
            println!("{path}:{line}: {} {} ({})", d.code, d.message, d.label);
            for n in d.notes.iter().chain(&d.help) {
                println!("      = {n}");
            }
        }
    }
}
