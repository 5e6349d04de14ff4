//! `linnet init`: a package that checks clean, or a clear refusal.

use crate::setup::Folder;

#[test]
fn a_new_package_is_clean() {
    for name in ["tiny", "my-model", "M2_x"] {
        let folder = Folder::new("");
        folder.run_args(["init", name]).exits(0).stderr_has(&[name]);
        for file in ["linnet.toml", "src/lib.linnet", ".gitignore", "README.md"] {
            let text = folder.read(&format!("{name}/{file}"));
            assert!(
                !text.contains(['{', '}']) || file == "src/lib.linnet",
                "{file}: {text}"
            );
        }
        let module = format!("module {}\n", name.replace('-', "_"));
        assert!(
            folder
                .read(&format!("{name}/src/lib.linnet"))
                .starts_with(&module)
        );
        folder.run_args(["lint", name]).exits(0);
        folder.run_args(["fmt", "--check", name]).exits(0);
    }
}

#[test]
fn an_empty_folder_is_filled_and_a_full_one_refused() {
    let folder = Folder::new("");
    std::fs::create_dir(folder.path("empty")).unwrap();
    folder.run("init empty").exits(0);

    folder.write("full/notes.txt", "mine");
    folder
        .run("init full")
        .exits(1)
        .stderr_has(&["`full` exists and is not empty"]);
    assert_eq!(std::fs::read_dir(folder.path("full")).unwrap().count(), 1);
    // The package that was made before is such a folder.
    folder.run("init empty").exits(1);

    folder.write("file", "mine");
    folder
        .run("init file")
        .exits(1)
        .stderr_has(&["`file` exists and is no folder"]);
    assert_eq!(folder.read("file"), "mine");
}

#[test]
fn names_that_no_package_can_have() {
    let folder = Folder::new("");
    for name in [
        "", " ", "2x", "-x", "_x", "a b", "a.b", "a/b", "../a", "/tmp/a", ".", "..", "é", "a\n",
        "std", "crate", "self", "module", "fn", "async", "kernel",
    ] {
        let run = folder.run_args(["init", "--", name]);
        assert_eq!(run.status, Some(2), "{name:?}: {run:#?}");
    }
    assert_eq!(std::fs::read_dir(folder.path("")).unwrap().count(), 0);
}
