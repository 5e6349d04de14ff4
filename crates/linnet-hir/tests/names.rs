//! Where faults of names point, and what their fixes do.

use linnet_hir::check::diagnostics;
use linnet_hir::db::{Db, RootDatabase, text};
use linnet_hir::diag::Diagnostic;
use linnet_hir::fixture;

/// Everything found in the last file of a fixture, with the text marked.
fn found(fixture: &str) -> Vec<(String, Diagnostic)> {
    let (db, files) = fixture::load(fixture);
    let file = *files.last().expect("a file");
    let text = text(&db, file);
    diagnostics(&db, file)
        .into_iter()
        .map(|diag| {
            (
                text[std::ops::Range::<usize>::from(diag.span.range)].to_owned(),
                diag,
            )
        })
        .collect()
}

/// The last file of a fixture after the first fix of its only diagnostic.
fn fixed(fixture: &str) -> String {
    let (db, files) = fixture::load(fixture);
    let file = *files.last().expect("a file");
    let diags = diagnostics(&db, file);
    assert_eq!(diags.len(), 1, "{diags:?}");
    let mut edits = diags[0].fixes[0].edits.clone();
    edits.sort_by_key(|(span, _)| std::cmp::Reverse(span.range.start()));
    let mut text = text(&db, file).to_owned();
    for (span, with) in edits {
        assert_eq!(span.file, file);
        text.replace_range(std::ops::Range::<usize>::from(span.range), &with);
    }
    text
}

#[test]
fn the_second_of_two_names_is_at_fault_wherever_it_stands() {
    let method = "fn scale(x: f32) -> f32 { return x }";
    let member = "param scale: f32";
    for (first, second, marked_line) in [
        (method, member, 3),
        (member, method, 3),
        (member, member, 3),
    ] {
        let text = format!("module m\nblock B {{\n{first}\n{second}\n}}\n");
        let (db, files) = fixture::load(&text);
        let diags = diagnostics(&db, files[0]);
        assert_eq!(diags.len(), 1, "{diags:?}");
        let line =
            |offset: linnet_syntax::TextSize| text[..usize::from(offset)].matches('\n').count();
        assert_eq!(line(diags[0].span.range.start()), marked_line, "{text}");
        assert_eq!(line(diags[0].related[0].0.range.start()), 2, "{text}");
    }
}

#[test]
fn faults_of_imports_point_at_the_name_or_the_path() {
    let other = "//- /p/linnet.toml\n[package]\nname = 'p'\nversion = '1'\n\
                 //- /p/src/other.linnet\nmodule other\nfn hidden(x: f32) -> f32 {\n    return x\n}\n\
                 pub fn shown(x: f32) -> f32 {\n    return x\n}\n//- /p/src/main.linnet\nmodule main\n";
    for (line, code, marked, help) in [
        ("use crate.othr::{shown}", "E1202", "crate.othr", None),
        (
            "use crate.other::{shwn}",
            "E1201",
            "shwn",
            Some("did you mean `shown`?"),
        ),
        (
            "use crate.other::{hidden}",
            "E1203",
            "hidden",
            Some("declare it `pub fn hidden` where it stands"),
        ),
        (
            "use crate.other::{shown as exp}",
            "E1207",
            "exp",
            Some("choose another name"),
        ),
        (
            "use crate.other::{shown, shown}",
            "E1204",
            "shown",
            Some("import it under another name: `name as other`"),
        ),
        ("use crate.main", "E1206", "use crate.main", None),
    ] {
        let diags = found(&format!("{other}{line}\n"));
        assert_eq!(diags.len(), 1, "{diags:?}");
        let (text, diag) = &diags[0];
        assert_eq!((diag.code.0, text.as_str()), (code, marked), "{line}");
        if let Some(help) = help {
            assert_eq!(diag.help, [help], "{line}");
        }
    }
    // The declaration of a private item is shown, in its own file.
    let (_, diag) = &found(&format!("{other}use crate.other::{{hidden}}\n"))[0];
    assert_ne!(diag.related[0].0.file, diag.span.file);
}

#[test]
fn an_unused_import_is_removed_whole() {
    let used = "const A = X\n";
    let package = "//- /p/linnet.toml\n[package]\nname = 'p'\nversion = '1'\n\
                   //- /p/src/o.linnet\nmodule o\npub const X = 1\npub const Y = 2\npub const Z = 3\n\
                   //- /p/src/main.linnet\n";
    for (before, after) in [
        ("use crate.o::{X, Y}\n", "use crate.o::{X}\n"),
        ("use crate.o::{Y, X}\n", "use crate.o::{X}\n"),
        ("use crate.o::{X, Y,}\n", "use crate.o::{X, }\n"),
        ("use crate.o::{X, Y as W}\n", "use crate.o::{X}\n"),
        ("use crate.o::{Y as W, X}\n", "use crate.o::{X}\n"),
        ("use crate.o::{X}\nuse crate.o::{Y}\n", "use crate.o::{X}\n"),
        (
            "use crate.o::{X}\nuse crate.o::Y // why\n",
            "use crate.o::{X}\n // why\n",
        ),
        (
            "use crate.o::{X}\nuse crate.o\r\n\n",
            "use crate.o::{X}\n\n",
        ),
        (
            "use crate.o::{X /* ten, */, Y}\n",
            "use crate.o::{X /* ten, */}\n",
        ),
    ] {
        let result = fixed(&format!("{package}module main\n{before}{used}"));
        assert_eq!(result, format!("module main\n{after}{used}"), "{before}");
    }
}

#[test]
fn modules_are_named_after_their_paths() {
    let check = |path: &str, name: &str| {
        let manifest = "//- /p/linnet.toml\n[package]\nname = 'my-model'\nversion = '1'\n";
        found(&format!("{manifest}//- {path}\nmodule {name}\n"))
    };
    for (path, name) in [
        ("/p/src/lib.linnet", "my_model"),
        ("/p/src/lib.linnet", "lib"),
        ("/p/src/a/b.linnet", "a.b"),
        ("/p/src/a/b.linnet", "my_model.a.b"),
        ("/p/src/two-words.linnet", "two_words"),
        ("/p/tests/a.linnet", "whatever"),
    ] {
        assert_eq!(check(path, name), [], "{path} {name}");
    }
    for (path, name, meant) in [
        ("/p/src/lib.linnet", "model", "my_model"),
        ("/p/src/a/b.linnet", "b", "a.b"),
        ("/p/src/a/b.linnet", "a", "a.b"),
        ("/p/src/a/b.linnet", "my_model.b", "my_model.a.b"),
        ("/p/src/a/b.linnet", "other.a.b", "a.b"),
    ] {
        let diags = check(path, name);
        let [(marked, diag)] = diags.as_slice() else {
            panic!("{path} {name}: {diags:?}")
        };
        assert_eq!((diag.code.0, marked.as_str()), ("W1005", name));
        assert_eq!(diag.fixes[0].edits[0].1, meant, "{path} {name}");
    }
}

#[test]
fn syntax_errors_of_a_module_hide_its_names_from_no_one() {
    // What an unfinished declaration was to be called is unknown: importers say nothing.
    let fixture = |body: &str| {
        format!(
            "//- /p/linnet.toml\n[package]\nname = 'p'\nversion = '1'\n//- /p/src/a.linnet\nmodule a\n{body}\n\
             //- /p/src/b.linnet\nmodule b\nuse crate.a::{{late}}\nuse crate.a\nconst A = late\nconst B = a.late\n"
        )
    };
    assert_eq!(found(&fixture("pub const = 4")), []);
    let codes: Vec<_> = found(&fixture(""))
        .iter()
        .map(|(_, diag)| diag.code.0)
        .collect();
    assert_eq!(codes, ["E1201", "E1201"]);
}

#[test]
fn what_is_defined_by_itself() {
    for (text, expected) in [
        ("const A = A", &["A"][..]),
        (
            "const A = B + 1\nconst B = C\nconst C = A\nconst D = A",
            &["A", "B", "C"],
        ),
        ("type A = (B, f32)\ntype B = A?", &["A", "B"]),
        ("struct S { a: T }\nstruct T { b: S? }", &["S", "T"]),
        ("type A = Tensor[N; f32]\nconst N = 4", &[]),
        (
            "block B { sub b: [C; 2] }\nblock C { sub c: B? = none }",
            &["B", "C"],
        ),
        ("block B {\n    const N = N\n}", &["N"]),
        // An inner name is not the outer one, nor is a bound one.
        (
            "const N = 4\nblock B {\n    const N = 2\n    param w: Tensor[N; f32]\n    fn f(x: f32) -> f32 { return x * w[0] }\n}",
            &[],
        ),
        (
            "const A = if true { f() } else { 1 }\nfn f() -> Tensor[A; f32] { return fill<f32>([A], 0.0) }",
            &["A"],
        ),
        ("struct S<T: Float> { a: T }\ntype T = S<f32>", &[]),
        (
            "struct k { a: f32 }\nfn f<k: Dim>(x: Tensor[k; f32]) -> Tensor[k; f32] { return x }",
            &[],
        ),
    ] {
        let diags = found(&format!("module m\n{text}\n"));
        let cyclic: Vec<&str> = diags
            .iter()
            // That a constant calls a function is a fault of its own.
            .filter(|(_, diag)| diag.code.0 != "E2123")
            .inspect(|(_, diag)| assert_eq!(diag.code.0, "E2122", "{text}: {diag:?}"))
            .map(|(marked, _)| marked.as_str())
            .collect();
        assert_eq!(cyclic, expected, "{text}");
    }
}

#[test]
fn a_long_chain_of_modules_needs_no_deep_stack() {
    let modules = 1000;
    let mut db = RootDatabase::in_memory();
    let manifest = "[package]\nname = 'p'\nversion = '1'\n".to_owned();
    db.set_file_text("/p/linnet.toml".as_ref(), Some(manifest));
    let path = |i: usize| format!("/p/src/m{i}.linnet");
    for i in 0..modules {
        let text = match i {
            0 => "module m0\npub const N0 = 1\n".to_owned(),
            _ => {
                let before = i - 1;
                format!(
                    "module m{i}\nuse crate.m{before}::{{N{before}}}\npub const N{i} = N{before} + 1\n"
                )
            }
        };
        db.set_file_text(path(i).as_ref(), Some(text));
    }
    let last = db.file(path(modules - 1).as_ref());
    assert_eq!(diagnostics(&db, last), []);
}

#[test]
fn every_module_of_a_circle_is_told() {
    let modules = 50;
    let mut db = RootDatabase::in_memory();
    let manifest = "[package]\nname = 'p'\nversion = '1'\n".to_owned();
    db.set_file_text("/p/linnet.toml".as_ref(), Some(manifest));
    let path = |i: usize| format!("/p/src/m{i}.linnet");
    for i in 0..modules {
        let before = (i + modules - 1) % modules;
        let text = format!(
            "module m{i}\nuse crate.m{before}::{{N{before}}}\npub const N{i} = N{before} + 1\n"
        );
        db.set_file_text(path(i).as_ref(), Some(text));
    }
    for i in 0..modules {
        let file = db.file(path(i).as_ref());
        let codes: Vec<_> = diagnostics(&db, file)
            .iter()
            .map(|diag| diag.code.0)
            .collect();
        assert_eq!(codes, ["E1206"], "module {i}");
    }
    // Opened at one place, and closed again.
    db.set_file_text(
        path(0).as_ref(),
        Some("module m0\npub const N0 = 1\n".to_owned()),
    );
    let last = db.file(path(modules - 1).as_ref());
    assert_eq!(diagnostics(&db, last), []);
    let text = format!("module m0\nuse crate.m{}\npub const N0 = 1\n", modules - 1);
    db.set_file_text(path(0).as_ref(), Some(text));
    assert_eq!(diagnostics(&db, last).len(), 1);
}
