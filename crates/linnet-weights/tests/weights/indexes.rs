//! Folders and indexes.

use std::path::Path;

use linnet_weights::{Fault, read_headers};

use crate::files::{file_of, safetensors, write};

fn index(map: &str) -> String {
    format!(r#"{{"metadata":{{"total_size":8}},"weight_map":{{{map}}}}}"#)
}

/// Two shards of two tensors each.
fn shards(folder: &Path) {
    write(
        folder,
        "1.safetensors",
        file_of(&[("a", &[1]), ("b", &[2])]),
    );
    write(
        folder,
        "2.safetensors",
        file_of(&[("c", &[3]), ("d", &[4])]),
    );
}

fn names(path: &Path) -> Vec<String> {
    let header = read_headers(path).unwrap();
    header.tensors.into_keys().collect()
}

#[test]
fn a_folder_is_all_its_files() {
    let folder = tempfile::tempdir().unwrap();
    shards(folder.path());
    write(folder.path(), ".hidden.safetensors", "nothing");
    write(folder.path(), "notes.txt", "nothing");
    write(folder.path(), "config.json", "{}");
    assert_eq!(names(folder.path()), ["a", "b", "c", "d"]);
}

#[test]
fn a_tensor_in_two_files_of_a_folder() {
    let folder = tempfile::tempdir().unwrap();
    shards(folder.path());
    write(folder.path(), "3.safetensors", file_of(&[("b", &[2])]));
    let error = read_headers(folder.path()).unwrap_err();
    assert_eq!(error.tensor.as_deref(), Some("b"));
    assert_eq!(error.file, folder.path().join("3.safetensors"));
    let other = folder.path().join("1.safetensors");
    assert_eq!(error.fault, Fault::HeldTwice { other });
}

#[test]
fn a_malformed_file_of_a_folder() {
    let folder = tempfile::tempdir().unwrap();
    shards(folder.path());
    let bad = write(folder.path(), "3.safetensors", safetensors("[]", 0));
    assert_eq!(read_headers(folder.path()).unwrap_err().file, bad);
}

#[test]
fn an_index_selects() {
    let folder = tempfile::tempdir().unwrap();
    shards(folder.path());
    write(folder.path(), "sub/3.safetensors", file_of(&[("e", &[1])]));
    // `d` is held by a shard but not listed.
    let map =
        r#""a":"1.safetensors","b":"1.safetensors","c":"2.safetensors","e":"sub/3.safetensors""#;
    let path = write(folder.path(), "model.safetensors.index.json", index(map));
    assert_eq!(names(&path), ["a", "b", "c", "e"]);
    // The folder is read by its index.
    assert_eq!(names(folder.path()), ["a", "b", "c", "e"]);
}

#[test]
fn several_indexes() {
    let folder = tempfile::tempdir().unwrap();
    shards(folder.path());
    for (name, tensor) in [("model.fp16", "a"), ("other", "b")] {
        let map = format!(r#""{tensor}":"1.safetensors""#);
        write(
            folder.path(),
            &format!("{name}.safetensors.index.json"),
            index(&map),
        );
    }
    let error = read_headers(folder.path()).unwrap_err();
    let both = [
        "model.fp16.safetensors.index.json",
        "other.safetensors.index.json",
    ];
    assert_eq!(
        error.fault,
        Fault::SeveralIndexes(both.map(String::from).to_vec())
    );

    let map = r#""c":"2.safetensors""#;
    write(folder.path(), "model.safetensors.index.json", index(map));
    assert_eq!(names(folder.path()), ["c"]);
}

/// Malformed indexes: the tensor named, and a part of the message.
#[test]
fn malformed_indexes() {
    let folder = tempfile::tempdir().unwrap();
    shards(folder.path());
    let outside = folder.path().join("1.safetensors");
    let absolute = format!(r#""a":"{}""#, outside.display());
    let deep = format!(r#"{{"metadata":{}"#, "[".repeat(100_000));
    for (text, tensor, part) in [
        (
            index(r#""a":"3.safetensors""#),
            Some("a"),
            "its shard `3.safetensors` does not exist",
        ),
        (
            index(r#""z":"1.safetensors""#),
            Some("z"),
            "its shard `1.safetensors` does not hold it",
        ),
        (index(&absolute), Some("a"), "is not a plain path inside"),
        (
            index(r#""a":"../1.safetensors""#),
            Some("a"),
            "is not a plain path inside",
        ),
        (
            index(r#""a":"sub/../../1.safetensors""#),
            Some("a"),
            "is not a plain path inside",
        ),
        (
            index(r#""a":"C:\\1.safetensors""#),
            Some("a"),
            "is not a plain path inside",
        ),
        (
            index(r#""a":"..\\1.safetensors""#),
            Some("a"),
            "is not a plain path inside",
        ),
        (index(r#""a":"""#), Some("a"), "is not a plain path inside"),
        (
            index(r#""a":"1.safetensors","a":"2.safetensors""#),
            None,
            "the key `a` stands twice",
        ),
        (index(r#""a":1"#), None, "`weight_map`: `a`:"),
        (r#"{"weight_map":[]}"#.into(), None, "`weight_map`"),
        (
            r#"{"weight_map":{},"weight_map":{}}"#.into(),
            None,
            "the key `weight_map` stands twice",
        ),
        ("{}".into(), None, "no `weight_map`"),
        ("".into(), None, "malformed JSON"),
        (deep, None, "malformed JSON"),
    ] {
        let path = write(folder.path(), "m.safetensors.index.json", &text);
        let error = read_headers(&path).expect_err(part);
        let message = error.to_string();
        assert_eq!(error.tensor.as_deref(), tensor, "{message}");
        assert!(message.contains(part), "{message}\nlacks: {part}");
        assert_eq!(error.file, path);
    }
}

#[test]
fn a_malformed_shard_is_named_itself() {
    let folder = tempfile::tempdir().unwrap();
    let shard = write(folder.path(), "1.safetensors", "short");
    let map = r#""a":"1.safetensors""#;
    let path = write(folder.path(), "m.safetensors.index.json", index(map));
    let error = read_headers(&path).unwrap_err();
    assert_eq!(
        (error.file, error.fault),
        (shard, Fault::TooShort { len: 5 })
    );
}

#[cfg(unix)]
#[test]
fn a_shard_may_be_a_link() {
    let folder = tempfile::tempdir().unwrap();
    let blob = write(folder.path(), "blobs/1234", file_of(&[("a", &[1])]));
    std::fs::create_dir(folder.path().join("snapshot")).unwrap();
    let snapshot = folder.path().join("snapshot");
    std::os::unix::fs::symlink(&blob, snapshot.join("1.safetensors")).unwrap();
    write(
        &snapshot,
        "model.safetensors.index.json",
        index(r#""a":"1.safetensors""#),
    );
    assert_eq!(names(&snapshot), ["a"]);
}
