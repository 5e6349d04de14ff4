//! The style by example: each `tests/data/NAME.linnet` is formatted to `NAME.expected`.
//!
//! With `UPDATE_EXPECT` set, the expected files are written; read the difference.

use std::path::Path;

use linnet_fmt::{FormatError, format};

#[test]
fn data() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data");
    let update = std::env::var_os("UPDATE_EXPECT").is_some();
    let mut cases = 0;
    let mut failed = Vec::new();
    let mut entries: Vec<_> = std::fs::read_dir(&folder).unwrap().flatten().collect();
    entries.sort_by_key(std::fs::DirEntry::path);
    for path in entries.iter().map(std::fs::DirEntry::path) {
        if path
            .extension()
            .is_none_or(|extension| extension != "linnet")
        {
            continue;
        }
        cases += 1;
        let text = std::fs::read_to_string(&path).unwrap();
        let formatted = match format(&text) {
            Ok(formatted) => formatted,
            Err(FormatError::Syntax(errors)) => panic!("{}: {errors:?}", path.display()),
            Err(error) => panic!("{}: {error}", path.display()),
        };
        assert_eq!(
            format(&formatted).as_ref(),
            Ok(&formatted),
            "{}",
            path.display()
        );
        let expected = path.with_extension("expected");
        if update {
            std::fs::write(&expected, &formatted).unwrap();
        } else if std::fs::read_to_string(&expected).ok().as_ref() != Some(&formatted) {
            failed.push(format!("{}:\n{formatted}", path.display()));
        }
    }
    assert!(failed.is_empty(), "{}", failed.join("\n"));
    assert!(cases > 5, "only {cases} cases");
}
