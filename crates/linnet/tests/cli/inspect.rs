//! `linnet inspect`: tokens and trees. Parameters have their own file.

use crate::setup::{BROKEN, CLEAN, Folder};

#[test]
fn one_thing_is_inspected() {
    let folder = Folder::new("");
    folder.write("a.linnet", CLEAN);
    for args in [
        "a.linnet",
        "--tokens --ast a.linnet",
        "--tokens",
        "--tokens a.linnet b.linnet",
    ] {
        folder.run(&format!("inspect {args}")).exits(2);
    }
}

#[test]
fn tokens_are_the_whole_text() {
    let folder = Folder::new("");
    let text = "module a // é\r\n\r\n/* x */ const N=1_0\n";
    folder.write("a.linnet", text);
    let json = folder
        .run("inspect --tokens --json a.linnet")
        .exits(0)
        .json();
    let tokens = json["tokens"].as_array().unwrap();
    let joined: String = tokens.iter().map(|t| t["text"].as_str().unwrap()).collect();
    assert_eq!(joined, text);
    let last = tokens.iter().find(|t| t["text"] == "1_0").unwrap();
    assert_eq!((&last["line"], &last["column"]), (&3.into(), &17.into()));
    assert_eq!(last["offset"], text.find("1_0").unwrap());
    let lines = folder.run("inspect --tokens a.linnet").exits(0).stdout;
    assert_eq!(lines.lines().count(), tokens.len());
}

#[test]
fn trees_are_the_whole_text() {
    let folder = Folder::new("");
    folder.write("a.linnet", CLEAN);
    let json = folder.run("inspect --ast --json a.linnet").exits(0).json();
    let mut text = String::new();
    let mut waiting = vec![&json["tree"]];
    while let Some(node) = waiting.pop() {
        assert!(node["start"].as_u64() <= node["end"].as_u64());
        match node["children"].as_array() {
            Some(children) => waiting.extend(children.iter().rev()),
            None => text.push_str(node["text"].as_str().unwrap()),
        }
    }
    assert_eq!(text, CLEAN);
    let lines = folder.run("inspect --ast a.linnet").exits(0).stdout;
    assert!(lines.starts_with("SOURCE_FILE@0.."), "{lines}");
    assert!(lines.contains("\"twice\""), "{lines}");
}

#[test]
fn broken_files_are_shown_and_reported() {
    let folder = Folder::new("");
    folder.write("a.linnet", BROKEN);
    for what in ["--ast", "--tokens"] {
        let run = folder.run(&format!("inspect {what} a.linnet")).exits(1);
        assert!(run.stdout.contains("twice"), "{}", run.stdout);
        run.stderr_has(&["[E1101]"]);
    }
    for what in ["--ast", "--tokens", "--parameters"] {
        folder
            .run(&format!("inspect {what} none.linnet"))
            .exits(1)
            .stderr_has(&["none.linnet"]);
    }
}
