//! Files on disk, packages, and where the path of a `use` leads.

use std::fs;
use std::path::{Path, PathBuf};

use linnet_hir::check::{CheckOptions, check_all, diagnostics, manifest_diagnostics};
use linnet_hir::db::{Contents, Db, MAX_FILE_BYTES, RootDatabase, StdSource, item_tree};
use linnet_hir::fixture;
use linnet_hir::package::package_of;

/// A fresh folder of this name, with the files of a fixture in it.
fn folder(name: &str, files: &str) -> PathBuf {
    let root = Path::new(env!("CARGO_TARGET_TMPDIR"))
        .join("packages")
        .join(name);
    let _ = fs::remove_dir_all(&root);
    fs::create_dir_all(&root).expect("the folder can be made");
    let root = root.canonicalize().expect("the folder is there");
    for (path, text) in fixture::split(files) {
        let path = root.join(path.trim_start_matches('/'));
        fs::create_dir_all(path.parent().expect("a file is in a folder")).expect("it can be made");
        fs::write(path, text).expect("the file can be written");
    }
    root
}

fn database() -> RootDatabase {
    RootDatabase::new(StdSource::Embedded)
}

/// Code, message and first note of everything found in a file.
fn found(db: &RootDatabase, path: &Path) -> Vec<String> {
    let shown = |diag: &linnet_hir::diag::Diagnostic| {
        let note = diag
            .notes
            .first()
            .map(|note| format!(" ({note})"))
            .unwrap_or_default();
        format!("{} {}{note}", diag.code, diag.message)
    };
    diagnostics(db, db.open(path)).iter().map(shown).collect()
}

#[test]
fn files_that_are_no_text() {
    let root = folder("no_text", "//- /good.linnet\nmodule good\n");
    fs::create_dir(root.join("dir.linnet")).expect("a folder");
    fs::write(root.join("latin.linnet"), b"module m\n// caf\xe9\n").expect("a file");
    fs::write(root.join("nul.linnet"), b"module m\n\0").expect("a file");
    fs::write(
        root.join("cut.linnet"),
        &"module m // \u{1f600}".as_bytes()[..14],
    )
    .expect("a file");
    let large = fs::File::create(root.join("large.linnet")).expect("a file");
    large.set_len(50 << 20).expect("a sparse file");
    let db = database();
    let contents = |name: &str| db.file(&root.join(name)).contents(&db).clone();
    assert_eq!(contents("dir.linnet"), Contents::Directory);
    assert_eq!(contents("none.linnet"), Contents::Missing);
    assert_eq!(contents("good.linnet/below.linnet"), Contents::Missing);
    assert_eq!(
        contents("large.linnet"),
        Contents::TooLarge { bytes: 50 << 20 }
    );
    for (name, code, message) in [
        (
            "dir.linnet",
            "E1202",
            "this file cannot be read: it is a directory",
        ),
        (
            "none.linnet",
            "E1202",
            "this file cannot be read: there is no such file",
        ),
        (
            "latin.linnet",
            "E1001",
            "this file cannot be read: it is not UTF-8 text (byte 15)",
        ),
        (
            "cut.linnet",
            "E1001",
            "this file cannot be read: it is not UTF-8 text (byte 12)",
        ),
        (
            "nul.linnet",
            "E1001",
            "this file cannot be read: it holds a NUL character (byte 9), so it is no text",
        ),
        (
            "large.linnet",
            "E1202",
            "this file cannot be read: it has 50.0 MiB, and 16 MiB is the most that is read",
        ),
    ] {
        assert_eq!(found(&db, &root.join(name)), [format!("{code} {message}")]);
    }
    // The place of a bad byte is known.
    let file = db.file(&root.join("latin.linnet"));
    assert_eq!(u32::from(diagnostics(&db, file)[0].span.range.start()), 15);
    assert_eq!(found(&db, &root.join("good.linnet")), [""; 0]);
    const { assert!(MAX_FILE_BYTES < 50 << 20) };
}

#[cfg(unix)]
#[test]
fn links_pipes_and_loops() {
    use std::os::unix::fs::symlink;
    let root = folder("links", "//- /a.linnet\nmodule a\n");
    symlink(root.join("loop.linnet"), root.join("loop.linnet")).expect("a link");
    symlink(root.join("a.linnet"), root.join("b.linnet")).expect("a link");
    symlink("/dev/zero", root.join("zero.linnet")).expect("a link");
    let pipe = root.join("pipe.linnet");
    let made = std::process::Command::new("mkfifo")
        .arg(&pipe)
        .status()
        .is_ok_and(|s| s.success());
    let db = database();
    assert!(
        found(&db, &root.join("loop.linnet"))[0].starts_with("E1202 this file cannot be read: ")
    );
    let odd = ["E1202 this file cannot be read: not a regular file"];
    assert_eq!(found(&db, &root.join("zero.linnet")), odd);
    if made {
        assert_eq!(found(&db, &pipe), odd);
    }
    // One file has one identity, however it was reached.
    assert_eq!(
        db.open(&root.join("b.linnet")),
        db.open(&root.join("a.linnet"))
    );
    assert_eq!(
        db.open(&root.join("x/../a.linnet")),
        db.file(&root.join("a.linnet"))
    );
}

#[test]
fn an_edit_over_a_file_on_disk() {
    let root = folder("overlay", "//- /a.linnet\nmodule a\nconst A = 1\n");
    let path = root.join("a.linnet");
    let mut db = database();
    let names = |db: &RootDatabase| -> Vec<String> {
        item_tree(db, db.file(&path))
            .items
            .iter()
            .map(|item| item.name.to_string())
            .collect()
    };
    assert_eq!(names(&db), ["A"]);
    db.set_file_text(&path, Some("module a\nconst B = 1\n".to_owned()));
    assert_eq!(names(&db), ["B"]);
    // What changes on disk is seen when the editor lets go of the file.
    fs::write(&path, "module a\nconst C = 1\n").expect("it can be written");
    db.reload(&path);
    assert_eq!(names(&db), ["B"]);
    db.set_file_text(&path, None);
    assert_eq!(names(&db), ["C"]);
    fs::remove_file(&path).expect("it can be removed");
    db.reload(&path);
    assert_eq!(db.file(&path).contents(&db), &Contents::Missing);
    assert!(db.known_paths().contains(&path));
}

#[test]
fn which_package_a_file_belongs_to() {
    let (db, _) = fixture::load(
        "//- /w/linnet.toml\n[package]\nname = 'w'\nversion = '1'\n\
         //- /w/inner/linnet.toml\n[package]\nname = 'i'\nversion = '1'\n",
    );
    for (path, root) in [
        ("/w/src/a.linnet", Some("/w")),
        ("/w/src/deep/a.linnet", Some("/w")),
        ("/w/a.linnet", None),
        ("/w/srcs/a.linnet", None),
        ("/w/examples/src/a.linnet", None),
        ("/w/inner/src/a.linnet", Some("/w/inner")),
        // The nearest manifest counts, also where it has no use for the file.
        ("/w/inner/a.linnet", None),
        ("/a.linnet", None),
    ] {
        let package = package_of(&db, db.file(path.as_ref()));
        assert_eq!(
            package.map(|p| p.root(&db).as_path()),
            root.map(Path::new),
            "{path}"
        );
    }
}

#[test]
fn paths_that_lead_nowhere() {
    let fixture = "//- /p/linnet.toml\n[package]\nname = 'p'\nversion = '1'\n[dependencies]\n\
                   util = { path = '../util' }\ngone = { path = '../gone' }\n\
                   //- /util/linnet.toml\n[package]\nname = 'u'\nversion = '1'\n\
                   //- /util/src/math.linnet\nmodule math\npub const ONE = 1\n\
                   //- /p/src/layers/linear.linnet\nmodule layers.linear\n\
                   //- /p/src/main.linnet\nmodule main\n";
    let (mut db, _) = fixture::load(fixture);
    let main = "/p/src/main.linnet";
    for (path, expected, help) in [
        (
            "std.nn.lineer",
            "E1202 there is no module `std.nn.lineer`",
            Some("std.nn.linear"),
        ),
        (
            "crate.layers.lineer",
            "E1202 there is no module `crate.layers.lineer` (there is no `src/layers/lineer.linnet` in the package)",
            None,
        ),
        (
            "crate",
            "E1202 there is no module `crate` (there is no `src/lib.linnet` in the package)",
            None,
        ),
        (
            "layers.linear",
            "E1202 there is no module `layers.linear` (`layers` is no dependency of this package)",
            Some("crate.layers.linear"),
        ),
        (
            "utl.math",
            "E1202 there is no module `utl.math` (`utl` is neither `std`, `crate` nor a key under `[dependencies]` in `linnet.toml`)",
            Some("util.math"),
        ),
        (
            "util.maths",
            "E1202 there is no module `util.maths` (there is no `src/maths.linnet` in the package)",
            None,
        ),
    ] {
        let text = format!("module main\nuse {path}\n");
        db.set_file_text(main.as_ref(), Some(text));
        assert_eq!(found(&db, main.as_ref()), [expected], "{path}");
        let diag = &diagnostics(&db, db.file(main.as_ref()))[0];
        let meant = help.map(|help| format!("did you mean `{help}`?"));
        assert_eq!(diag.help.first(), meant.as_ref(), "{path}");
    }
    // A dependency that is not there is reported in the manifest alone.
    db.set_file_text(
        main.as_ref(),
        Some("module main\nuse gone.x::{y}\nconst A = y\n".to_owned()),
    );
    assert_eq!(found(&db, main.as_ref()), [""; 0]);
    assert_eq!(
        manifest_diagnostics(&db, db.file("/p/linnet.toml".as_ref())).len(),
        1
    );
    // Outside packages there is only `std`.
    db.set_file_text(
        "/alone.linnet".as_ref(),
        Some("module alone\nuse crate.x\n".to_owned()),
    );
    assert!(found(&db, "/alone.linnet".as_ref())[0].contains("this file is in no package"));
}

#[cfg(unix)]
#[test]
fn nothing_outside_packages_is_read() {
    use std::os::unix::fs::symlink;
    let root = folder(
        "escape",
        "//- /secret/key.linnet\nmodule key\npub const SECRET = 1\n\
         //- /secret/words.toml\nroot = 'hunter2'\n\
         //- /plain/src/lib.linnet\nmodule plain\npub const SECRET = 1\n\
         //- /p/linnet.toml\n[package]\nname = 'p'\nversion = '1'\n[dependencies]\n\
         a = { path = '../secret' }\nb = { path = '/etc' }\nc = { path = '../plain' }\n\
         d = { path = '../linked' }\n\
         //- /linked/x\n\
         //- /p/src/main.linnet\nmodule main\nuse crate.key::{SECRET}\nuse crate.out.key\n\
         use a.key::{SECRET as A}\nuse c::{SECRET as C}\nuse d.x\n",
    );
    symlink(
        root.join("secret/key.linnet"),
        root.join("p/src/key.linnet"),
    )
    .expect("a link");
    symlink(root.join("secret"), root.join("p/src/out")).expect("a link");
    symlink(
        root.join("secret/words.toml"),
        root.join("linked/linnet.toml"),
    )
    .expect("a link");
    let db = database();
    assert_eq!(
        found(&db, &root.join("p/src/main.linnet")),
        [
            "E1202 there is no module `crate.key` (`src/key.linnet` is a link that leads out of the package's `src`)",
            "E1202 there is no module `crate.out.key` (`src/out/key.linnet` is a link that leads out of the package's `src`)",
        ]
    );
    let faults = manifest_diagnostics(&db, db.open(&root.join("p/linnet.toml")));
    let labels: Vec<&str> = faults.iter().map(|fault| fault.label.as_str()).collect();
    assert_eq!(labels.len(), 4, "{labels:?}");
    assert!(faults.iter().all(|fault| fault.code.0 == "E5001"));
    assert!(
        !format!("{faults:?}").contains("hunter2"),
        "contents of other files are not shown"
    );
}

#[cfg(unix)]
#[test]
fn a_package_has_one_root_however_it_is_reached() {
    use std::os::unix::fs::symlink;
    let root = folder(
        "one_root",
        "//- /store/types/linnet.toml\n[package]\nname = 't'\nversion = '1'\n\
         //- /store/types/src/lib.linnet\nmodule t\npub struct Pair { a: f32, b: f32 }\n\
         //- /store/maker/linnet.toml\n[package]\nname = 'm'\nversion = '1'\n[dependencies]\n\
         types = { path = '../types' }\n\
         //- /store/maker/src/lib.linnet\nmodule m\nuse types::{Pair}\n\
         pub fn make(x: f32) -> Pair {\n    return Pair(a = x, b = x)\n}\n\
         //- /app/linnet.toml\n[package]\nname = 'a'\nversion = '1'\n[dependencies]\n\
         maker = { path = 'deps/maker' }\ntypes = { path = 'deps/types' }\n\
         //- /app/src/lib.linnet\nmodule a\nuse maker::{make}\nuse types::{Pair}\n\
         pub fn pair(x: f32) -> Pair {\n    return make(x)\n}\n",
    );
    fs::create_dir(root.join("app/deps")).expect("a folder");
    for name in ["maker", "types"] {
        symlink(
            root.join("store").join(name),
            root.join("app/deps").join(name),
        )
        .expect("a link");
    }
    let db = database();
    assert_eq!(
        manifest_diagnostics(&db, db.open(&root.join("app/linnet.toml"))),
        []
    );
    assert_eq!(found(&db, &root.join("app/src/lib.linnet")), [""; 0]);
}

#[test]
fn another_standard_library() {
    let root = folder(
        "std",
        "//- /lib/nn/linear.linnet\nmodule std.nn.linear\nuse std.base::{ONE}\npub const TWO = ONE + 1\n\
         //- /lib/base.linnet\nmodule std.base\npub const ONE = 1\n\
         //- /lib/broken.linnet\nmodule std.broken\npub const X: bool = 1\n\
         //- /a.linnet\nmodule a\nuse std.nn.linear::{TWO}\nuse std.broken::{X}\npub const THREE = TWO + 1\n",
    );
    let db = RootDatabase::new(StdSource::Dir(root.join("lib")));
    assert_eq!(
        db.std_modules(),
        ["std.base", "std.broken", "std.nn.linear"]
    );
    let checked = check_all(
        &db,
        &[db.open(&root.join("a.linnet"))],
        CheckOptions::default(),
    );
    assert_eq!(checked.modules, 4);
    // Its own faults are reported, unlike those that the embedded one cannot have.
    let codes: Vec<_> = checked
        .files
        .iter()
        .flat_map(|(_, diags)| diags)
        .map(|d| d.code.0)
        .collect();
    assert_eq!(codes, ["W1001", "E2105"]);
    // It may change under a watcher's eyes.
    let mut db = RootDatabase::new(StdSource::Dir(root.join("lib")));
    let codes = |db: &RootDatabase| found(db, &root.join("a.linnet")).len();
    assert_eq!(codes(&db), 1);
    let base = root.join("lib/nn/linear.linnet");
    fs::write(&base, "module std.nn.linear\npub const TEN = 10\n").expect("it can be written");
    db.reload(&base);
    assert!(found(&db, &root.join("a.linnet"))[0].starts_with("E1201"));
}
