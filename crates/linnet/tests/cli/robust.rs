//! Inputs that are no source at all: one clear message each, and exit status 1.

use std::process::Stdio;

use crate::setup::{BROKEN, CLEAN, Folder, Run, finish};

/// Runs `check` and `fmt --check`, which must both fail with one report that says `parts`.
fn one_message(folder: &Folder, path: &str, parts: &[&str]) {
    for command in ["check", "fmt --check"] {
        let run = folder
            .run(&format!("{command} {path}"))
            .exits(1)
            .stderr_has(parts);
        let reports = run.stderr.matches("] Error:").count();
        assert_eq!(reports, 1, "{command} {path}\n{}", run.stderr);
    }
    let run = folder.run(&format!("check --json {path}")).exits(1);
    assert_eq!(run.codes().len(), 1, "{path}");
}

#[test]
fn not_utf8() {
    let folder = Folder::new("");
    folder.write("a.linnet", b"module a\n\n// \xff\xfe\n");
    one_message(&folder, "a.linnet", &["E1001", "a.linnet:3:4", "not UTF-8"]);
    folder.write("a.linnet", b"\xff\xfem\0o\0");
    one_message(&folder, "a.linnet", &["E1001", "a.linnet", "not UTF-8"]);
}

#[test]
fn nul_bytes() {
    let folder = Folder::new("");
    folder.write("a.linnet", b"module a\n\nfn \0 f\n");
    one_message(&folder, "a.linnet", &["E1001", "a.linnet:3:4", "NUL"]);
}

#[test]
fn a_folder_of_a_sources_name() {
    let folder = Folder::new("");
    folder.write("d/x.linnet/inner.linnet", BROKEN);
    one_message(&folder, "d/x.linnet", &["d/x.linnet", "directory"]);
    one_message(&folder, "d", &["d/x.linnet", "directory"]);
}

#[test]
fn missing_files() {
    let folder = Folder::new("");
    one_message(
        &folder,
        "none.linnet",
        &["none.linnet", "there is no such file"],
    );
    one_message(&folder, "none", &["none", "there is no such file"]);
    folder.write("a.linnet", CLEAN);
    one_message(
        &folder,
        "a.linnet/b.linnet",
        &["a.linnet/b.linnet", "there is no such file"],
    );
}

#[test]
fn a_file_of_fifty_megabytes() {
    let folder = Folder::new("");
    folder.write("a.linnet", CLEAN);
    let file = std::fs::File::options()
        .append(true)
        .open(folder.path("a.linnet"))
        .unwrap();
    file.set_len(50 << 20).unwrap();
    one_message(&folder, "a.linnet", &["a.linnet", "50.0 MiB"]);
}

#[test]
fn an_empty_file() {
    let folder = Folder::new("");
    folder.write("a.linnet", "");
    folder
        .run("check a.linnet")
        .exits(1)
        .stderr_has(&["E1102", "a.linnet"]);
    let json = folder.run("check --json a.linnet").exits(1).json();
    assert_eq!(json["diagnostics"][0]["location"]["start"]["line"], 1);
}

#[test]
fn a_line_without_end() {
    let folder = Folder::new("");
    let text = format!("module a\n\nconst N = {}x\n", "1 + ".repeat(100_000));
    folder.write("a.linnet", text);
    let run = folder
        .run("check a.linnet")
        .exits(1)
        .stderr_has(&["a.linnet:3:"]);
    assert!(run.stderr.len() < 100_000, "{} bytes", run.stderr.len());
}

#[test]
fn nothing_steers_the_terminal() {
    let folder = Folder::new("");
    folder.write(
        "a.linnet",
        "module a\n\nfn f(\u{1b}[31m\u{7}\u{202e}x: f32 -> f32 {\r}\u{2028}\u{85}\n",
    );
    let run = folder.run("check a.linnet").exits(1);
    let steering = ['\u{1b}', '\u{7}', '\u{202e}', '\r', '\u{2028}', '\u{85}'];
    assert!(!run.stderr.contains(steering), "{:?}", run.stderr);
}

#[test]
fn columns_in_text_and_json_agree_in_odd_files() {
    let folder = Folder::new("");
    for text in [
        "module a\u{b}\u{c}\r x\n\nfn f(x: f32 -> f32\n",
        "module a\r\n\r\n\tfn é(x: f32\r\n",
        "\u{feff}module a\n\n\u{200b}fn\n",
        "module a\n/*",
        "module a\nfn f",
        "module a\nfn f\n",
        "é",
    ] {
        folder.write("a.linnet", text);
        let json = folder.run("check --json a.linnet").exits(1).json();
        let stderr = folder.run("check a.linnet").exits(1).stderr;
        for fault in json["diagnostics"].as_array().unwrap() {
            let start = &fault["location"]["start"];
            let place = format!("a.linnet:{}:{} ", start["line"], start["column"]);
            assert!(stderr.contains(&place), "{text:?} lacks {place}\n{stderr}");
        }
    }
}

#[test]
fn a_reader_that_goes_away() {
    let folder = Folder::new("");
    folder.write(
        "a.linnet",
        format!("{CLEAN}{}", "// more\n".repeat(100_000)),
    );
    folder.write("b.linnet", "fn\n".repeat(20_000));
    for (args, status) in [
        ("inspect --tokens a.linnet", 0),
        ("check --json b.linnet", 1),
        ("check --format sarif b.linnet", 1),
        ("explain E2203", 0),
        ("completions bash", 0),
        ("man", 0),
        ("fmt --diff b.linnet", 1),
    ] {
        let mut child = folder
            .command()
            .args(args.split_whitespace())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        drop(child.stdout.take());
        let output = child.wait_with_output().unwrap();
        let stderr = String::from_utf8(output.stderr).unwrap();
        assert!(!stderr.contains("panicked"), "{args}: {stderr}");
        assert_eq!(output.status.code(), Some(status), "{args}: {stderr}");
    }
    // Nobody who reads standard error is no reason to fail either.
    let mut child = folder
        .command()
        .args(["check", "b.linnet"])
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stderr.take());
    assert_eq!(child.wait().unwrap().code(), Some(1));
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_a_fault() {
    let folder = Folder::new("");
    let full = std::fs::File::options()
        .write(true)
        .open("/dev/full")
        .unwrap();
    let mut command = folder.command();
    let child = command
        .args(["explain", "E2203"])
        .stdout(full)
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert!(
        stderr.contains("cannot write to standard output"),
        "{stderr}"
    );
}

#[cfg(unix)]
mod unix {
    use std::ffi::OsString;
    use std::os::unix::ffi::OsStringExt;
    use std::os::unix::fs::symlink;

    use super::*;

    #[test]
    fn links_that_lead_in_circles() {
        let folder = Folder::new("");
        std::fs::create_dir(folder.path("d")).unwrap();
        symlink("b.linnet", folder.path("d/a.linnet")).unwrap();
        symlink("a.linnet", folder.path("d/b.linnet")).unwrap();
        one_message(&folder, "d/a.linnet", &["d/a.linnet", "links"]);
        // A search finds both of them.
        let run = folder
            .run("check d")
            .exits(1)
            .stderr_has(&["d/a.linnet", "d/b.linnet"]);
        assert_eq!(run.stderr.matches("] Error:").count(), 2);

        folder.write("e/c.linnet", CLEAN);
        symlink("..", folder.path("e/up")).unwrap();
        one_message(&folder, "e", &["e/up", "loop"]);
        symlink(".", folder.path("f")).unwrap();
    }

    #[test]
    fn links_are_followed() {
        let folder = Folder::new("");
        folder.write("real/a.linnet", BROKEN);
        std::fs::create_dir(folder.path("d")).unwrap();
        symlink("../real", folder.path("d/sub")).unwrap();
        symlink("../real/a.linnet", folder.path("d/b.linnet")).unwrap();
        symlink("nowhere", folder.path("d/dead")).unwrap();
        // One file by two ways is one file.
        let run = folder.run("check --json d").exits(1);
        assert_eq!(run.codes(), ["E1101"]);
        symlink("nowhere", folder.path("d/dead.linnet")).unwrap();
        let run = folder.run("check --json d").exits(1);
        assert_eq!(run.codes(), ["E1101", "E1202"]);
    }

    #[test]
    fn paths_that_are_not_utf8() {
        let folder = Folder::new("");
        let name = OsString::from_vec(b"a\xff.linnet".to_vec());
        std::fs::write(folder.path(&name), BROKEN).unwrap();
        let args = |first: &str| [OsString::from(first), name.clone()];
        for command in ["check", "lint", "fmt"] {
            let run = folder.run_args(args(command)).exits(1);
            assert!(run.stderr.contains("a\u{fffd}.linnet:4:"), "{}", run.stderr);
        }
        assert_eq!(folder.run("check --json .").exits(1).codes(), ["E1101"]);
        folder.run("check --format sarif .").exits(1).json();
        folder.run("check --format github .").exits(1);
        std::fs::write(folder.path(&name), CLEAN).unwrap();
        folder.run_args(args("check")).exits(0);
        folder.run_args(args("fmt")).exits(0);
        folder
            .run_args([OsString::from("inspect"), "--ast".into(), name.clone()])
            .exits(0);
        folder.run_args(args("explain")).exits(2);
        folder.run_args(args("init")).exits(2);
    }

    #[test]
    fn what_is_no_regular_file() {
        let folder = Folder::new("");
        let _socket = std::os::unix::net::UnixListener::bind(folder.path("a.linnet")).unwrap();
        one_message(&folder, "a.linnet", &["a.linnet", "not a regular file"]);
        let made = std::process::Command::new("mkfifo")
            .arg(folder.path("b.linnet"))
            .status();
        if made.is_ok_and(|status| status.success()) {
            one_message(&folder, "b.linnet", &["b.linnet", "not a regular file"]);
        }
    }

    /// Without rights; where the tests run as root, rights mean nothing.
    #[test]
    fn unreadable_files() {
        use std::os::unix::fs::PermissionsExt;
        let folder = Folder::new("");
        folder.write("d/a.linnet", CLEAN);
        let locked = std::fs::Permissions::from_mode(0o0);
        std::fs::set_permissions(folder.path("d/a.linnet"), locked).unwrap();
        if std::fs::read(folder.path("d/a.linnet")).is_ok() {
            // The kernel's own unreadable file stands in: reading it at 0 fails even for root.
            if std::path::Path::new("/proc/self/mem").exists() {
                symlink("/proc/self/mem", folder.path("m.linnet")).unwrap();
                folder
                    .run("check m.linnet")
                    .exits(1)
                    .stderr_has(&["m.linnet"]);
            }
            return;
        }
        one_message(&folder, "d/a.linnet", &["d/a.linnet", "ermission denied"]);
        one_message(&folder, "d", &["d/a.linnet", "ermission denied"]);
    }
}

#[test]
fn deep_nesting() {
    let folder = Folder::new("");
    for (open, close) in [
        ("(", ")"),
        ("[", "]"),
        ("/*", "*/"),
        ("{", "}"),
        ("-", ""),
        ("if a { ", ""),
    ] {
        let deep = format!(
            "module a\n\nconst N = {}1{}\n",
            open.repeat(100_000),
            close.repeat(100_000)
        );
        folder.write("a.linnet", &deep);
        for command in [
            "check",
            "check --json",
            "fmt --check",
            "inspect --ast",
            "inspect --ast --json",
        ] {
            let run: Run = finish(
                folder
                    .command()
                    .args(command.split_whitespace())
                    .arg("a.linnet"),
            );
            assert!(
                matches!(run.status, Some(0 | 1)),
                "{open} {command}: {:?}",
                run.status
            );
        }
    }
}
