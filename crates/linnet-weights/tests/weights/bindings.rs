//! `bindings.json`: which name a path gets, and what is malformed.

use std::path::Path;

use linnet_weights::{Bindings, Fault, WeightsError};

use crate::files::write;

fn parse(text: &str) -> Result<Bindings, WeightsError> {
    Bindings::parse(Path::new("bindings.json"), text.as_bytes())
}

#[test]
fn names_that_paths_select() {
    let bindings = parse(
        r#"{
            "layers.{i}.q.weight": "model.layers.{i}.self_attn.q_proj.weight",
            "layers.0.q.weight": "first",
            "head": "embed",
            "table": "embed",
            "a.{i}.b.{j}.w": "x{j}.y{i}-{i}",
            "a.{i}.b.7.w": "seven.{i}",
            "a.3.b.{j}.w": "three.{j}",
            "odd": "a name, with {x}"
        }"#,
    );
    // `{x}` is no placeholder of its path.
    assert!(bindings.is_err());
    let bindings = parse(
        r#"{
            "layers.{i}.q.weight": "model.layers.{i}.self_attn.q_proj.weight",
            "layers.0.q.weight": "first",
            "head": "embed",
            "table": "embed",
            "a.{i}.b.{j}.w": "x{j}.y{i}-{i}",
            "a.{i}.b.7.w": "seven.{i}",
            "a.3.b.{j}.w": "three.{j}"
        }"#,
    )
    .unwrap();
    for (path, name) in [
        (
            "layers.12.q.weight",
            "model.layers.12.self_attn.q_proj.weight",
        ),
        ("layers.0.q.weight", "first"),
        // Two paths may select one tensor.
        ("head", "embed"),
        ("table", "embed"),
        ("a.1.b.2.w", "x2.y1-1"),
        ("a.1.b.7.w", "seven.1"),
        ("a.3.b.2.w", "three.2"),
        // The first segment that differs decides.
        ("a.3.b.7.w", "three.7"),
        // What no entry names keeps its name.
        ("layers.x.q.weight", "layers.x.q.weight"),
        ("layers.1.q.bias", "layers.1.q.bias"),
        ("layers.1.q", "layers.1.q"),
        ("layers.1.q.weight.x", "layers.1.q.weight.x"),
        ("other", "other"),
    ] {
        assert_eq!(bindings.resolve(path).0, name, "{path}");
    }
    assert_eq!(bindings.resolve("head").1, Some(2));
    assert_eq!(bindings.resolve("other").1, None);
    assert_eq!(bindings.entries().nth(2), Some("head"));
}

#[test]
fn a_search_that_must_turn_back() {
    let bindings = parse(r#"{"a.1.b": "one", "a.{i}.c": "any.{i}"}"#).unwrap();
    assert_eq!(bindings.resolve("a.1.b").0, "one");
    assert_eq!(bindings.resolve("a.1.c").0, "any.1");
}

#[test]
fn without_entries_every_path_keeps_its_name() {
    for bindings in [Bindings::default(), parse("{}").unwrap()] {
        assert_eq!(bindings.resolve("a.0.b"), ("a.0.b".to_owned(), None));
    }
}

/// Malformed maps: the entry named, and a part of the message.
#[test]
fn malformed_bindings() {
    let deep = format!(r#"{{"a":{}"#, "[".repeat(100_000));
    for (text, entry, part) in [
        ("", None, "malformed JSON"),
        ("[]", None, "expected an object"),
        (r#"{"a":"b"} x"#, None, "trailing characters"),
        (r#"{"a":"b","a":"c"}"#, None, "the key `a` stands twice"),
        (r#"{"a":1}"#, Some("a"), "expected a string"),
        (r#"{"a":null}"#, Some("a"), "expected a string"),
        (
            r#"{"a":{"name":"b","transpose":true}}"#,
            Some("a"),
            "expected a string",
        ),
        (&deep, Some("a"), "expected a string"),
        (r#"{"":"b"}"#, Some(""), "a segment of the path is empty"),
        (
            r#"{"a..b":"b"}"#,
            Some("a..b"),
            "a segment of the path is empty",
        ),
        (
            r#"{"a.":"b"}"#,
            Some("a."),
            "a segment of the path is empty",
        ),
        (r#"{"a":""}"#, Some("a"), "the tensor's name is empty"),
        (r#"{"a-b":"b"}"#, Some("a-b"), "`a-b` is neither"),
        (r#"{"a.*.b":"b"}"#, Some("a.*.b"), "`*` is neither"),
        (r#"{"a.01.b":"b"}"#, Some("a.01.b"), "`01` is neither"),
        (r#"{"a{i}":"b{i}"}"#, Some("a{i}"), "`a{i}` is neither"),
        (r#"{"a.{i":"b"}"#, Some("a.{i"), "`{i` is no placeholder"),
        (r#"{"a.{}":"b"}"#, Some("a.{}"), "`{}` is no placeholder"),
        (r#"{"a.{0}":"b"}"#, Some("a.{0}"), "`{0}` is no placeholder"),
        (
            r#"{"a.{i}x":"b"}"#,
            Some("a.{i}x"),
            "`{i}x` is no placeholder",
        ),
        (
            r#"{"a.{i}.{i}":"b.{i}"}"#,
            Some("a.{i}.{i}"),
            "`{i}` stands twice",
        ),
        (
            r#"{"a.{i}":"b"}"#,
            Some("a.{i}"),
            "`{i}` does not stand in the tensor's name",
        ),
        (
            r#"{"a.{i}":"b.{j}"}"#,
            Some("a.{i}"),
            "no placeholder `{j}`",
        ),
        (
            r#"{"a":"b.{"}"#,
            Some("a"),
            "the braces of `b.{` do not match",
        ),
        (
            r#"{"a":"b.}"}"#,
            Some("a"),
            "the braces of `b.}` do not match",
        ),
        (r#"{"a.{i}":"b.{i}.{"}"#, Some("a.{i}"), "do not match"),
        (r#"{"a":"b.{}"}"#, Some("a"), "no placeholder `{}`"),
        (
            r#"{"a.{i}":"b.{i}","a.{j}":"c.{j}"}"#,
            Some("a.{j}"),
            "the same paths as the entry `a.{i}`",
        ),
    ] {
        let error = parse(text).expect_err(text);
        let message = error.to_string();
        assert_eq!(error.tensor.as_deref(), entry, "{text}: {message}");
        assert!(message.contains(part), "{text}: {message}");
        if entry.is_some() {
            assert!(
                matches!(error.fault, Fault::Binding(_)),
                "{text}: {message}"
            );
            assert!(message.starts_with("bindings.json: entry `"), "{message}");
        }
    }
}

#[test]
fn a_file_of_bindings() {
    let folder = tempfile::tempdir().unwrap();
    let path = write(folder.path(), "bindings.json", r#"{"a":"b"}"#);
    assert_eq!(Bindings::read(&path).unwrap().resolve("a").0, "b");
    let missing = folder.path().join("none.json");
    let message = Bindings::read(&missing).unwrap_err().to_string();
    assert!(
        message.ends_with("none.json: no such file or folder"),
        "{message}"
    );
    assert_eq!(
        Bindings::read(folder.path()).unwrap_err().fault,
        Fault::NotAFile
    );
}

#[test]
fn paths_of_a_hundred_thousand_segments() {
    let path = vec!["a"; 100_000].join(".");
    let bindings = parse(&format!(r#"{{"{path}":"b"}}"#)).unwrap();
    assert_eq!(bindings.resolve(&path).0, "b");
}
