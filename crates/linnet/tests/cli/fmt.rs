//! `linnet fmt`: what is written, and what is left alone. The style itself is tested in its crate.

use crate::setup::{BROKEN, CLEAN, Folder};

const UNFORMATTED: &str = "module clean\n\n\n\npub fn twice(x:f32)->f32{\n  return x+x\n}\n";

#[test]
fn files_are_formatted_in_place() {
    let folder = Folder::new("");
    folder.write("a.linnet", UNFORMATTED);
    folder.write("sub/b.linnet", UNFORMATTED);
    folder.write("sub/c.linnet", CLEAN);
    folder.write(".hidden/d.linnet", UNFORMATTED);
    let run = folder.run("fmt .").exits(0);
    assert_eq!(run.stdout, "");
    run.stderr_has(&["formatted 2 files, 1 already formatted"]);
    for path in ["a.linnet", "sub/b.linnet", "sub/c.linnet"] {
        assert_eq!(folder.read(path), CLEAN, "{path}");
    }
    assert_eq!(folder.read(".hidden/d.linnet"), UNFORMATTED);
    // Nothing else is left in the folder.
    assert_eq!(std::fs::read_dir(folder.path("sub")).unwrap().count(), 2);
}

#[test]
fn a_formatted_file_is_not_touched() {
    let folder = Folder::new("");
    folder.write("a.linnet", CLEAN);
    let modified = || {
        folder
            .path("a.linnet")
            .metadata()
            .unwrap()
            .modified()
            .unwrap()
    };
    let before = modified();
    std::thread::sleep(std::time::Duration::from_millis(20));
    folder.run("fmt a.linnet").exits(0);
    assert_eq!(modified(), before);
}

#[test]
fn check_writes_nothing_and_fails() {
    let folder = Folder::new("");
    folder.write("a.linnet", UNFORMATTED);
    folder.write("b.linnet", CLEAN);
    let run = folder
        .run("fmt --check .")
        .exits(1)
        .stderr_has(&["would format a.linnet"]);
    assert!(!run.stderr.contains("b.linnet"), "{}", run.stderr);
    assert_eq!(folder.read("a.linnet"), UNFORMATTED);
    folder.run("fmt --check b.linnet").exits(0);
}

#[test]
fn diff_shows_what_would_change() {
    let folder = Folder::new("");
    folder.write("a.linnet", UNFORMATTED);
    folder.write("b.linnet", CLEAN);
    let run = folder.run("fmt --diff .").exits(0);
    let expected = "--- a.linnet\n+++ a.linnet\n@@ -1,7 +1,5 @@\n module clean\n \n-\n-\n\
        -pub fn twice(x:f32)->f32{\n-  return x+x\n+pub fn twice(x: f32) -> f32 {\n\
        +    return x + x\n }\n";
    assert_eq!(run.stdout, expected);
    assert_eq!(folder.read("a.linnet"), UNFORMATTED);
    let both = folder.run("fmt --check --diff .").exits(1);
    assert_eq!(both.stdout, expected);
    assert_eq!(
        folder.run("fmt --check --diff b.linnet").exits(0).stdout,
        ""
    );
}

#[test]
fn files_with_syntax_errors_are_left_alone() {
    let folder = Folder::new("");
    let text = format!("{BROKEN}\n\n\n\n");
    folder.write("a.linnet", &text);
    folder.write("b.linnet", UNFORMATTED);
    folder
        .run("fmt .")
        .exits(1)
        .stderr_has(&["[E1101]", "a.linnet:4:"]);
    assert_eq!(folder.read("a.linnet"), text);
    // The others are formatted all the same.
    assert_eq!(folder.read("b.linnet"), CLEAN);
}

#[test]
fn standard_input_to_standard_output() {
    let folder = Folder::new("");
    let input = UNFORMATTED.as_bytes();
    assert_eq!(folder.run_with_input("fmt -", input).exits(0).stdout, CLEAN);
    assert_eq!(
        folder
            .run_with_input("fmt -", CLEAN.as_bytes())
            .exits(0)
            .stdout,
        CLEAN
    );
    let check = folder.run_with_input("fmt --check -", input).exits(1);
    assert_eq!(check.stdout, "");
    check.stderr_has(&["would format <stdin>"]);
    let diff = folder.run_with_input("fmt --diff -", input).exits(0);
    assert!(
        diff.stdout.starts_with("--- <stdin>\n+++ <stdin>\n"),
        "{}",
        diff.stdout
    );
    let broken = folder.run_with_input("fmt -", BROKEN.as_bytes()).exits(1);
    assert_eq!(broken.stdout, "");
    broken.stderr_has(&["[E1101]", "<stdin>:4:"]);
    for bytes in [&b"module a\n\xff"[..], b"module a\n\0"] {
        let run = folder
            .run_with_input("fmt -", bytes)
            .exits(1)
            .stderr_has(&["[E1001]"]);
        assert_eq!(run.stdout, "");
    }
    folder.run_with_input("fmt - a.linnet", input).exits(2);
    folder.run("fmt").exits(2);
}

#[test]
fn crlf_and_byte_order_marks_are_kept() {
    let folder = Folder::new("");
    let marked = format!("\u{feff}{}", UNFORMATTED.replace('\n', "\r\n"));
    folder.write("a.linnet", marked);
    folder.run("fmt a.linnet").exits(0);
    assert_eq!(
        folder.read("a.linnet"),
        format!("\u{feff}{}", CLEAN.replace('\n', "\r\n"))
    );
}

#[test]
fn missing_files_are_faults() {
    let folder = Folder::new("");
    folder.write("a.linnet", UNFORMATTED);
    folder
        .run("fmt none.linnet a.linnet")
        .exits(1)
        .stderr_has(&["none.linnet"]);
    assert_eq!(folder.read("a.linnet"), CLEAN);
}

#[cfg(unix)]
mod unix {
    use std::fs::{self, Permissions};
    use std::os::unix::fs::{PermissionsExt, symlink};

    use super::*;

    #[test]
    fn permissions_are_kept() {
        let folder = Folder::new("");
        folder.write("a.linnet", UNFORMATTED);
        let path = folder.path("a.linnet");
        fs::set_permissions(&path, Permissions::from_mode(0o751)).unwrap();
        folder.run("fmt a.linnet").exits(0);
        assert_eq!(folder.read("a.linnet"), CLEAN);
        assert_eq!(
            fs::metadata(&path).unwrap().permissions().mode() & 0o777,
            0o751
        );
    }

    #[test]
    fn a_read_only_file_is_a_fault() {
        let folder = Folder::new("");
        folder.write("a.linnet", UNFORMATTED);
        fs::set_permissions(folder.path("a.linnet"), Permissions::from_mode(0o444)).unwrap();
        folder
            .run("fmt a.linnet")
            .exits(1)
            .stderr_has(&["a.linnet", "read-only"]);
        assert_eq!(folder.read("a.linnet"), UNFORMATTED);
        // Looking is allowed.
        folder
            .run("fmt --check a.linnet")
            .exits(1)
            .stderr_has(&["would format"]);
    }

    #[test]
    fn a_link_stays_a_link() {
        let folder = Folder::new("");
        folder.write("store/real.linnet", UNFORMATTED);
        symlink("store/real.linnet", folder.path("link.linnet")).unwrap();
        folder.run("fmt link.linnet").exits(0);
        assert!(
            folder
                .path("link.linnet")
                .symlink_metadata()
                .unwrap()
                .is_symlink()
        );
        assert_eq!(folder.read("store/real.linnet"), CLEAN);
    }
}
