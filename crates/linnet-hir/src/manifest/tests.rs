use super::*;
use crate::db::RootDatabase;

/// Checks a manifest's faults: each is `text marked`: `message`.
fn faults(text: &str) -> Vec<String> {
    read_manifest(text)
        .faults
        .iter()
        .map(|fault| {
            assert_eq!(fault.code.0, "E5001");
            let marked = &text[std::ops::Range::<usize>::from(fault.span)];
            let help = fault
                .help
                .first()
                .map(|help| format!(" ({help})"))
                .unwrap_or_default();
            format!("{marked}: {}{help}", fault.message)
        })
        .collect()
}

#[test]
fn a_full_manifest() {
    let text = r#"
[package]
name = "my-model"
version = "1.0.0"
language = "0.1"
description = "A model"

[dependencies]
layers = { path = "../layers" }

[bindings.tiny]
root = "Model"
module = "crate.model"
weights = "weights/model.safetensors"
Hidden = 64
T = "bf16"
Shape = [2, 0x10]
"#;
    let manifest = read_manifest(text);
    assert_eq!(manifest.faults, []);
    let shown = |range: TextRange| &text[std::ops::Range::<usize>::from(range)];
    assert_eq!(
        manifest.name.as_ref().map(|n| n.value.as_str()),
        Some("my-model")
    );
    let dependency = &manifest.dependencies[0];
    assert_eq!(shown(dependency.key_range), "layers");
    assert_eq!(
        dependency.path.as_ref().map(|path| shown(path.range)),
        Some("\"../layers\"")
    );
    let binding = &manifest.bindings[0];
    assert_eq!(shown(binding.name_range), "tiny");
    assert_eq!(
        binding.root.as_ref().map(|root| root.value.as_str()),
        Some("Model")
    );
    assert_eq!(
        binding.module.as_ref().map(|m| m.value.as_str()),
        Some("crate.model")
    );
    let weights = binding
        .weights
        .as_ref()
        .map(|weights| weights.value.as_str());
    assert_eq!(weights, Some("weights/model.safetensors"));
    let values: Vec<_> = binding
        .values
        .iter()
        .map(|v| (shown(v.generic_range), v.value.clone()))
        .collect();
    let expected = [
        ("Hidden", BindValue::Int(64)),
        ("Shape", BindValue::Shape(vec![2, 16])),
        ("T", BindValue::Name("bf16".to_owned())),
    ];
    assert_eq!(values, expected);
}

#[test]
fn faults_of_packages() {
    for (text, expected) in [
        (
            "",
            vec![
                ": `linnet.toml` has no `[package]` table (begin it with `[package]`, `name = \"..\"` and `version = \"0.1.0\"`)",
            ],
        ),
        (
            "[package]\nname = 'a'",
            vec!["package: `[package]` has no `version` (add `version = \"0.1.0\"`)"],
        ),
        (
            "[package]\nversion = '1'",
            vec!["package: `[package]` has no `name` (add `name = \"my_model\"`)"],
        ),
        (
            "[package]\nname = 3\nversion = '1'",
            vec!["3: `name` is not a string (write `name = \"..\"`, with the quotes)"],
        ),
        (
            "[package]\nname = 'a b'\nversion = '1'",
            vec![
                "'a b': `a b` cannot name a package (use letters, digits, `_` and `-`, and begin with a letter)",
            ],
        ),
        (
            "[package]\nname = 'a'\nversion = ' '",
            vec!["' ': the version is empty"],
        ),
        (
            "[package]\nname = 'a'\nversion = '1'\nlanguage = '0.2'",
            vec!["'0.2': the language version `0.2` is unknown (write `language = \"0.1\"`)"],
        ),
        // A misspelled key is one fault, not a missing one as well.
        (
            "[package]\nname = 'a'\nverison = '1'",
            vec!["verison: unknown key `verison` (did you mean `version`?)"],
        ),
        (
            "[package]\nname = 'a'\nversion = '1'\ncolour = 1",
            vec!["colour: unknown key `colour`"],
        ),
        (
            "[pakage]\nname = 'a'\nversion = '1'",
            vec!["pakage: unknown table `pakage` (did you mean `package`?)"],
        ),
        (
            "package = 1",
            vec!["1: `package` is not a table (write `[package]`)"],
        ),
        // Tables of other tools are left alone.
        (
            "[package]\nname = 'a'\nversion = '1'\n[tool.x]\ny = 1",
            vec![],
        ),
        (
            "\u{feff}[package]\r\nname = 'a'\r\nversion = '1'\r\nlanguage = 1",
            vec!["1: `language` is not a string (write `language = \"..\"`, with the quotes)"],
        ),
    ] {
        assert_eq!(faults(text), expected, "{text}");
    }
}

#[test]
fn faults_of_dependencies() {
    for (line, expected) in [
        (
            "a = '../a'",
            vec!["'../a': the dependency `a` is not a table (write `a = { path = \"../dir\" }`)"],
        ),
        (
            "a = {}",
            vec!["{}: the dependency `a` has no `path` (write `a = { path = \"../dir\" }`)"],
        ),
        (
            "a = { pth = '../a' }",
            vec!["pth: unknown key `pth` (did you mean `path`?)"],
        ),
        (
            "a = { path = '../a', git = 'x' }",
            vec!["git: unknown key `git`"],
        ),
        (
            "a = { path = 1 }",
            vec!["1: `path` is not a string (write `path = \"..\"`, with the quotes)"],
        ),
        (
            "std = { path = '../a' }",
            vec![
                "std: `std` cannot be the key of a dependency (use letters, digits and `_`, but neither `std` nor a keyword)",
            ],
        ),
        (
            "crate = { path = '../a' }",
            vec![
                "crate: `crate` cannot be the key of a dependency (use letters, digits and `_`, but neither `std` nor a keyword)",
            ],
        ),
        (
            "a-b = { path = '../a' }",
            vec![
                "a-b: `a-b` cannot be the key of a dependency (use letters, digits and `_`, but neither `std` nor a keyword)",
            ],
        ),
    ] {
        let text = format!("[package]\nname = 'a'\nversion = '1'\n[dependencies]\n{line}\n");
        assert_eq!(faults(&text), expected, "{line}");
    }
}

#[test]
fn faults_of_bindings() {
    for (line, expected) in [
        ("N = -1", vec!["-1: this cannot be a dimension"]),
        (
            "N = 9223372036854775808",
            vec!["9223372036854775808: this cannot be a dimension"],
        ),
        (
            "N = true",
            vec![
                "true: no generic can be bound to this (bind a dimension to an integer, a dtype to its name such as \"bf16\", a shape to a list of integers)",
            ],
        ),
        ("N = [1, 'x']", vec!["'x': a shape is a list of integers"]),
        (
            "weights = 1",
            vec!["1: `weights` is not a string (write `weights = \"..\"`, with the quotes)"],
        ),
    ] {
        let text = format!("[package]\nname = 'a'\nversion = '1'\n[bindings.b]\n{line}\n");
        assert_eq!(faults(&text), expected, "{line}");
    }
    let text = "[package]\nname = 'a'\nversion = '1'\n[bindings]\nb = 1\n";
    assert_eq!(
        faults(text),
        ["1: the binding `b` is not a table (write `[bindings.b]` and a line for each generic)"]
    );
}

#[test]
fn text_that_is_no_toml() {
    // One fault for a line that cannot be read, and nothing about what may stand on it.
    for text in [
        "[package]\nname = \nversion = '1'",
        "[package\nname = 'a'\nversion = '1'",
    ] {
        let manifest = read_manifest(text);
        assert_eq!(manifest.faults.len(), 1, "{text}: {:?}", manifest.faults);
        assert!(manifest.is_unreadable());
    }
    let twice = "[package]\nname = 'a'\nname = 'b'\nversion = '1'";
    assert_eq!(read_manifest(twice).faults.len(), 1);
    // Deep and long garbage neither overflows the stack nor lists a fault a line.
    let deep = format!("a = {}", "[".repeat(100_000));
    assert!(!read_manifest(&deep).faults.is_empty());
    let long = "= = =\n".repeat(10_000);
    assert_eq!(read_manifest(&long).faults.len(), MAX_SYNTAX_FAULTS);
}

#[test]
fn dependencies_that_are_not_there() {
    let mut db = RootDatabase::in_memory();
    let package = |name: &str, dependencies: &str| {
        Some(format!(
            "[package]\nname = '{name}'\nversion = '1'\n[dependencies]\n{dependencies}"
        ))
    };
    let dependencies = "good = { path = '../good' }\nbad = { path = '../bad' }\n\
                        gone = { path = '../gone' }\nme = { path = '.' }\n";
    db.set_file_text("/w/app/linnet.toml".as_ref(), package("app", dependencies));
    db.set_file_text("/w/good/linnet.toml".as_ref(), package("good", ""));
    db.set_file_text(
        "/w/bad/linnet.toml".as_ref(),
        Some("root:x:0:0\n".to_owned()),
    );
    let file = db.file("/w/app/linnet.toml".as_ref());
    let found = |db: &RootDatabase| -> Vec<String> {
        let shown = |diag: &Diagnostic<Span>| format!("{}: {}", diag.message, diag.label);
        manifest_diagnostics(db, file).iter().map(shown).collect()
    };
    assert_eq!(
        found(&db),
        [
            "the dependency `bad` is not a package: the `linnet.toml` in `/w/bad` is not that of a package",
            "the dependency `gone` is not a package: there is no `linnet.toml` in `/w/gone`",
            "the dependency `me` is not a package: a package cannot depend on itself",
        ]
    );
    // A file that was looked for in vain is seen when it comes, and what was there when it goes.
    db.set_file_text("/w/gone/linnet.toml".as_ref(), package("gone", ""));
    db.set_file_text("/w/good/linnet.toml".as_ref(), None);
    assert_eq!(
        found(&db),
        [
            "the dependency `good` is not a package: there is no `linnet.toml` in `/w/good`",
            "the dependency `bad` is not a package: the `linnet.toml` in `/w/bad` is not that of a package",
            "the dependency `me` is not a package: a package cannot depend on itself",
        ]
    );
}

#[test]
fn any_text_is_read_without_a_panic_and_every_place_is_in_it() {
    const PIECES: [&str; 24] = [
        "[package]",
        "[dependencies]",
        "[bindings.a]",
        "[[x]]",
        "[",
        "]",
        "{",
        "}",
        "\n",
        "\r\n",
        " = ",
        "name",
        "version",
        "language",
        "path",
        "root",
        "\"a\"",
        "'b'",
        "\"",
        "-9223372036854775809",
        "0x",
        "1e400",
        "\u{e9}\u{1f600}",
        ",",
    ];
    let mut seed = 0x9e37_79b9_7f4a_7c15_u64;
    let mut random = |below: usize| {
        // Xorshift: the same texts in every run.
        seed ^= seed << 13;
        seed ^= seed >> 7;
        seed ^= seed << 17;
        (seed % below as u64) as usize
    };
    for _ in 0..5_000 {
        let text: String = (0..random(24))
            .map(|_| PIECES[random(PIECES.len())])
            .collect();
        let manifest = read_manifest(&text);
        for fault in &manifest.faults {
            let edits = fault
                .fixes
                .iter()
                .flat_map(|fix| fix.edits.iter().map(|(range, _)| *range));
            for range in edits.chain([fault.span]) {
                let range = std::ops::Range::<usize>::from(range);
                assert!(text.get(range.clone()).is_some(), "{range:?} of {text:?}");
            }
        }
        // A text that has no fault is the manifest of a package.
        assert!(
            !manifest.faults.is_empty() || manifest.name.is_some(),
            "{text:?}"
        );
    }
}
