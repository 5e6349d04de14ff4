//! `linnet check` and `linnet lint`: what is checked, and how it ends.

use crate::setup::{BROKEN, CLEAN, Folder, UNUSED, finish};

#[test]
fn exit_statuses() {
    let folder = Folder::new("");
    folder.write("clean.linnet", CLEAN);
    folder.write("broken.linnet", BROKEN);
    folder.write("unused.linnet", UNUSED);
    for (args, status) in [
        ("check clean.linnet", 0),
        ("check --strict clean.linnet", 0),
        ("lint clean.linnet", 0),
        ("check broken.linnet", 1),
        ("check clean.linnet broken.linnet", 1),
        ("check unused.linnet", 0),
        ("check --strict unused.linnet", 1),
        ("lint unused.linnet", 1),
        ("lint --strict unused.linnet", 1),
        ("check .", 1),
        ("check none.linnet", 1),
        ("check clean.linnet none.linnet", 1),
        ("", 2),
        ("check", 2),
        ("chekc clean.linnet", 2),
        ("check --strikt clean.linnet", 2),
        ("check --format xml clean.linnet", 2),
        ("check --json --format text clean.linnet", 2),
        ("check --color sometimes clean.linnet", 2),
        ("check --std none clean.linnet", 2),
        ("check --std clean.linnet clean.linnet", 2),
        ("--help", 0),
        ("check --help", 0),
        ("--version", 0),
    ] {
        let run = folder.run(args);
        assert_eq!(run.status, Some(status), "{args}: {run:#?}");
        assert!(!run.stderr.contains("panicked"), "{args}: {run:#?}");
    }
}

#[test]
fn version() {
    let run = Folder::new("").run("--version").exits(0);
    assert_eq!(
        run.stdout,
        format!("linnet {}\n", env!("CARGO_PKG_VERSION"))
    );
}

#[test]
fn text_goes_to_standard_error() {
    let folder = Folder::new("");
    folder.write("broken.linnet", BROKEN);
    let run = folder.run("check broken.linnet").exits(1);
    assert_eq!(run.stdout, "");
    run.stderr_has(&[
        "[E1101] Error:",
        "broken.linnet:4:",
        "return (x + )",
        "checked 1 module",
    ]);
}

#[test]
fn the_summary_counts() {
    let folder = Folder::new("");
    folder.write("clean.linnet", CLEAN);
    folder.write("unused.linnet", UNUSED);
    folder.write("broken.linnet", BROKEN);
    for (args, counted, faults) in [
        (
            "check clean.linnet",
            "checked 1 module, 1 function and 0 proofs in ",
            ": no faults",
        ),
        (
            "check clean.linnet clean.linnet",
            "checked 1 module,",
            ": no faults",
        ),
        ("check unused.linnet", " 1 function ", ": 1 warning"),
        (
            "check broken.linnet unused.linnet",
            "checked ",
            ": 1 error, 1 warning",
        ),
    ] {
        let run = folder.run(args);
        let line = run.stderr.lines().last().unwrap();
        assert!(line.starts_with("checked "), "{args}: {line}");
        assert!(line.contains(counted), "{args}: {line}");
        assert!(line.ends_with(faults), "{args}: {line}");
    }
}

#[test]
fn colour_is_for_terminals() {
    let folder = Folder::new("");
    folder.write("broken.linnet", BROKEN);
    for (args, no_color, colourful) in [
        ("check broken.linnet", None, false),
        ("check --color auto broken.linnet", None, false),
        ("check --color never broken.linnet", None, false),
        ("check --color always broken.linnet", None, true),
        ("--color always check broken.linnet", None, true),
        ("check broken.linnet", Some("1"), false),
        // What is asked for on the command line wins over the environment.
        ("check --color always broken.linnet", Some("1"), true),
    ] {
        let mut command = folder.command();
        command.args(args.split_whitespace());
        if let Some(value) = no_color {
            command.env("NO_COLOR", value);
        }
        let run = finish(&mut command).exits(1);
        assert_eq!(
            run.stderr.contains('\u{1b}'),
            colourful,
            "{args}: {}",
            run.stderr
        );
    }
}

/// The files of a run's diagnostics, in order.
fn faulty_files(folder: &Folder, args: &str) -> Vec<String> {
    let run = folder.run(&format!("check --json {args}"));
    let json = run.json();
    let list = json["diagnostics"].as_array().unwrap();
    list.iter()
        .map(|d| d["location"]["file"].as_str().unwrap().to_owned())
        .collect()
}

#[test]
fn folders_are_searched() {
    let folder = Folder::new("");
    for path in [
        "a.linnet",
        "sub/b.linnet",
        "sub/deeper/c.linnet",
        ".hidden/d.linnet",
        ".e.linnet",
        "built/f.linnet",
        "sub/built/g.linnet",
        "kept/h.linnet",
        "sub/i.linnet.bak",
        "sub/j.txt",
    ] {
        folder.write(path, BROKEN);
    }
    folder.write(".gitignore", "built/\n/kept\n");
    folder.write("sub/.gitignore", "deeper\n");
    assert_eq!(faulty_files(&folder, "."), ["a.linnet", "sub/b.linnet"]);
    assert_eq!(faulty_files(&folder, "sub"), ["sub/b.linnet"]);
    assert_eq!(faulty_files(&folder, "./sub"), ["./sub/b.linnet"]);
    // What is named itself is checked, whatever a `.gitignore` says.
    assert_eq!(faulty_files(&folder, "built/f.linnet"), ["built/f.linnet"]);
    assert_eq!(faulty_files(&folder, ".hidden"), [".hidden/d.linnet"]);
    // A file is checked once.
    assert_eq!(
        faulty_files(&folder, "a.linnet . a.linnet"),
        ["a.linnet", "sub/b.linnet"]
    );
    let absolute = folder.path("a.linnet").display().to_string();
    assert_eq!(faulty_files(&folder, &absolute), [absolute]);
}

#[test]
fn a_folder_without_sources() {
    let folder = Folder::new("//- empty/readme.txt\n");
    folder
        .run("check empty")
        .exits(1)
        .stderr_has(&["empty", "there is no `.linnet` file in this folder"]);
}

#[test]
fn imported_files_are_checked_too() {
    let folder = Folder::new(
        "//- p/linnet.toml
[package]
name = \"p\"
version = \"0.1.0\"
//- p/src/lib.linnet
module p

use crate.inner::twice

pub fn four_times(x: f32) -> f32 {
    return twice(twice(x))
}
//- p/src/inner.linnet
module inner

pub fn twice(x: f32) -> f32 {
    return x + x
}

pub fn twice(x: f32) -> f32 {
    return x * 2.0
}
//- p/src/other.linnet
module other

fn
",
    );
    assert_eq!(
        faulty_files(&folder, "p/src/lib.linnet"),
        ["p/src/inner.linnet"]
    );
    assert_eq!(
        faulty_files(&folder, "p"),
        ["p/src/inner.linnet", "p/src/other.linnet"]
    );
}

#[test]
fn a_broken_manifest_is_reported() {
    let folder = Folder::new(
        "//- linnet.toml
[package]
name = \"p\"
//- src/lib.linnet
module p
",
    );
    let run = folder.run("check --json src/lib.linnet").exits(1);
    assert_eq!(run.codes(), ["E5001"]);
    assert_eq!(
        run.json()["diagnostics"][0]["location"]["file"],
        "linnet.toml"
    );
}

#[test]
fn another_standard_library() {
    let folder = Folder::new(
        "//- mine/extra.linnet
module std.extra

pub fn twice(x: f32) -> f32 {
    return x + x
}
//- a.linnet
module a

use std.extra::twice

pub fn four_times(x: f32) -> f32 {
    return twice(twice(x))
}
",
    );
    folder.run("check --std mine a.linnet").exits(0);
    let with_env = |dir: &str| {
        let mut command = folder.command();
        command
            .args(["check", "--json", "a.linnet"])
            .env("LINNET_STD", dir);
        finish(&mut command)
    };
    with_env("mine").exits(0);
    assert_eq!(with_env("").exits(1).codes(), ["E1202"]);
    assert_eq!(with_env("none").exits(2).stdout, "");
    // Its own faults are reported by the path that a user can open.
    folder.write(
        "mine/extra.linnet",
        "module std.extra\n\npub fn twice(x: f32) -> f32 {\n    return (x + )\n}\n",
    );
    assert_eq!(
        faulty_files(&folder, "--std mine a.linnet"),
        ["mine/extra.linnet"]
    );
}

#[test]
fn check_writes_nothing() {
    let folder = Folder::new("");
    folder.write(
        "p/linnet.toml",
        "[package]\nname = \"p\"\nversion = \"1\"\n",
    );
    folder.write("p/src/lib.linnet", UNUSED);
    let before = tree(&folder);
    folder.run("check p");
    folder.run("check --format sarif p");
    assert_eq!(tree(&folder), before);
}

/// Every path with its contents and time.
fn tree(folder: &Folder) -> Vec<String> {
    let mut all = Vec::new();
    let mut folders = vec![folder.path("")];
    while let Some(dir) = folders.pop() {
        for entry in std::fs::read_dir(dir).unwrap() {
            let path = entry.unwrap().path();
            let meta = path.metadata().unwrap();
            all.push(format!("{path:?} {:?}", meta.modified().unwrap()));
            if meta.is_dir() {
                folders.push(path);
            } else {
                all.push(std::fs::read_to_string(path).unwrap());
            }
        }
    }
    all.sort();
    all
}
