//! One file: what is read from a sound header, and what each malformed one is told.

use linnet_weights::{DType, Fault, MAX_HEADER, read_headers};

use crate::files::{file_of, safetensors, write};

#[test]
fn a_sound_header() {
    let folder = tempfile::tempdir().unwrap();
    let header = r#"{"__metadata__":{"format":"pt"},
        "b":{"dtype":"BF16","shape":[2,3],"data_offsets":[8,20]},
        "a":{"dtype":"I64","shape":[],"data_offsets":[0,8]},
        "none":{"dtype":"F32","shape":[0],"data_offsets":[20,20]},
        "wide":{"dtype":"F32","shape":[0,18446744073709551615,4],"data_offsets":[8,8]},
        "f8":{"dtype":"F8_E4M3","shape":[4],"data_offsets":[20,24]},
        "f4":{"dtype":"F4","shape":[4],"data_offsets":[24,26]}}   "#;
    let path = write(folder.path(), "m.safetensors", safetensors(header, 26));
    let tensors = read_headers(&path).unwrap().tensors;
    let seen: Vec<_> = tensors
        .iter()
        .map(|(name, t)| (name.as_str(), t.dtype, t.shape.clone(), t.offsets))
        .collect();
    assert_eq!(
        seen,
        [
            ("a", DType::I64, vec![], (0, 8)),
            ("b", DType::BF16, vec![2, 3], (8, 20)),
            ("f4", DType::F4, vec![4], (24, 26)),
            ("f8", DType::F8E4M3, vec![4], (20, 24)),
            ("none", DType::F32, vec![0], (20, 20)),
            ("wide", DType::F32, vec![0, u64::MAX, 4], (8, 8)),
        ]
    );
    assert!(tensors.values().all(|t| *t.file == *path));
}

#[test]
fn a_file_without_tensors() {
    let folder = tempfile::tempdir().unwrap();
    let path = write(folder.path(), "m.safetensors", safetensors("{}", 0));
    assert!(read_headers(&path).unwrap().tensors.is_empty());
}

/// A tensor's entry.
fn entry(name: &str, dtype: &str, shape: &str, begin: u64, end: u64) -> String {
    format!(r#""{name}":{{"dtype":"{dtype}","shape":{shape},"data_offsets":[{begin},{end}]}}"#)
}

/// Malformed headers with `data` bytes behind them: the tensor named, and a part of the message.
#[test]
fn malformed_headers() {
    let f32_at = |name: &str, begin, end| entry(name, "F32", "[1]", begin, end);
    let two = |a: String, b: String| format!("{{{a},{b}}}");
    let one = |a: String| format!("{{{a}}}");
    let deep = format!(r#"{{"x":{}}}"#, "[".repeat(100_000));
    let deep_field = format!(
        r#"{{"x":{{"dtype":"F32","shape":{}1{},"data_offsets":[0,4]}}}}"#,
        "[".repeat(5000),
        "]".repeat(5000)
    );
    let cases: Vec<(String, usize, Option<&str>, &str)> = vec![
        ("".into(), 0, None, "malformed JSON: EOF"),
        ("{".into(), 0, None, "malformed JSON: EOF"),
        ("[]".into(), 0, None, "expected an object"),
        ("{} {}".into(), 0, None, "trailing characters"),
        ("{\"x\u{0}\":1}".into(), 0, None, "malformed JSON"),
        (r#"{"x":1}"#.into(), 0, Some("x"), "malformed JSON"),
        (
            r#"{"x":{"dtype":"F32","shape":[1]}}"#.into(),
            0,
            Some("x"),
            "missing field `data_offsets`",
        ),
        (
            r#"{"x":{"shape":[1],"data_offsets":[0,4]}}"#.into(),
            4,
            Some("x"),
            "missing field `dtype`",
        ),
        (
            one(entry("x", "F32", "[-1]", 0, 4)),
            4,
            Some("x"),
            "malformed JSON",
        ),
        (
            one(entry("x", "F32", "[1.5]", 0, 4)),
            4,
            Some("x"),
            "malformed JSON",
        ),
        (
            one(entry("x", "F32", "[18446744073709551616]", 0, 4)),
            4,
            Some("x"),
            "malformed JSON",
        ),
        (
            r#"{"x":{"dtype":"F32","shape":[1],"data_offsets":[0,4,8]}}"#.into(),
            4,
            Some("x"),
            "malformed JSON",
        ),
        (
            r#"{"x":{"dtype":"F32","dtype":"F16","shape":[1],"data_offsets":[0,4]}}"#.into(),
            4,
            Some("x"),
            "duplicate field `dtype`",
        ),
        (
            two(f32_at("x", 0, 4), f32_at("x", 0, 4)),
            4,
            None,
            "the key `x` stands twice",
        ),
        // The same key, once written with an escape.
        (
            two(f32_at("x", 0, 4), f32_at("\\u0078", 0, 4)),
            4,
            None,
            "the key `x` stands twice",
        ),
        (
            r#"{"__metadata__":{"a":"1","a":"2"}}"#.into(),
            0,
            Some("__metadata__"),
            "the key `a` stands twice",
        ),
        (
            r#"{"__metadata__":{"a":1}}"#.into(),
            0,
            Some("__metadata__"),
            "malformed JSON",
        ),
        (deep, 0, Some("x"), "malformed JSON"),
        (deep_field, 4, Some("x"), "malformed JSON"),
        (
            one(entry("x", "FLOAT32", "[1]", 0, 4)),
            4,
            Some("x"),
            "unknown dtype `FLOAT32`",
        ),
        (
            one(entry("x", "f32", "[1]", 0, 4)),
            4,
            Some("x"),
            "unknown dtype `f32`",
        ),
        (
            one(entry("x", "", "[1]", 0, 4)),
            4,
            Some("x"),
            "unknown dtype ``",
        ),
        (
            one(entry("x", "U8", "[4294967296,4294967296]", 0, 0)),
            0,
            Some("x"),
            "more bytes than 64 bits can count",
        ),
        (
            one(entry("x", "F32", "[18446744073709551615]", 0, 4)),
            4,
            Some("x"),
            "more bytes than 64 bits can count",
        ),
        (
            one(entry("x", "F4", "[3]", 0, 2)),
            2,
            Some("x"),
            "does not fill whole bytes",
        ),
        (
            one(entry("x", "F32", "[1]", 4, 0)),
            4,
            Some("x"),
            "ends at 0, before it begins at 4",
        ),
        (
            one(entry("x", "F32", "[2]", 0, 4)),
            4,
            Some("x"),
            "hold 4 bytes, but its dtype and shape need 8",
        ),
        (
            one(entry("x", "F32", "[0]", 0, 4)),
            4,
            Some("x"),
            "hold 4 bytes, but its dtype and shape need 0",
        ),
        (
            one(entry("x", "F32", "[]", 0, 0)),
            0,
            Some("x"),
            "hold 0 bytes, but its dtype and shape need 4",
        ),
        (
            one(f32_at("x", 0, 4)),
            3,
            Some("x"),
            "ends at byte 4, but the file holds 3 bytes",
        ),
        (
            one(entry("x", "F32", "[0]", 9, 9)),
            4,
            Some("x"),
            "truncated",
        ),
        (
            two(f32_at("x", 0, 4), f32_at("y", 2, 6)),
            6,
            Some("y"),
            "overlaps that of `x`",
        ),
        (
            two(f32_at("y", 0, 4), f32_at("x", 0, 4)),
            4,
            Some("x"),
            "overlaps that of `y`",
        ),
        (
            two(f32_at("x", 0, 4), entry("y", "F32", "[0]", 2, 2)),
            4,
            Some("y"),
            "overlaps that of `x`",
        ),
        (
            two(f32_at("x", 0, 4), f32_at("y", 6, 10)),
            10,
            Some("y"),
            "no tensor holds the bytes 4..6",
        ),
        (
            one(f32_at("x", 2, 6)),
            6,
            Some("x"),
            "no tensor holds the bytes 0..2",
        ),
        (
            one(f32_at("x", 0, 4)),
            5,
            None,
            "the last tensor ends at byte 4",
        ),
        ("{}".into(), 1, None, "the last tensor ends at byte 0"),
    ];
    let folder = tempfile::tempdir().unwrap();
    for (header, data, tensor, text) in cases {
        let path = write(folder.path(), "m.safetensors", safetensors(&header, data));
        let shown: String = header.chars().take(80).collect();
        let error = read_headers(&path).expect_err(&shown);
        let message = error.to_string();
        assert_eq!(error.tensor.as_deref(), tensor, "{shown}\n{message}");
        assert!(message.contains(text), "{shown}\n{message}");
        assert!(message.starts_with(path.to_str().unwrap()), "{message}");
        assert!(
            tensor.is_none_or(|name| message.contains(&format!("`{name}`"))),
            "{message}"
        );
    }
}

#[test]
fn lengths_that_no_file_has() {
    let folder = tempfile::tempdir().unwrap();
    for (bytes, text) in [
        (vec![], "0 bytes are too few"),
        (vec![2, 0, 0, 0, 0, 0, 0], "7 bytes are too few"),
        (
            u64::MAX.to_le_bytes().to_vec(),
            "the header claims 18446744073709551615 bytes",
        ),
        (
            [&u64::MAX.to_le_bytes()[..], b"{}"].concat(),
            "but the file has 10 bytes in all",
        ),
        (
            [&3u64.to_le_bytes()[..], b"{}"].concat(),
            "the header claims 3 bytes, but the file has 10 bytes in all",
        ),
        (
            (u64::MAX - 7).to_le_bytes().to_vec(),
            "truncated or not a SafeTensors file",
        ),
    ] {
        let path = write(folder.path(), "m.safetensors", &bytes);
        let message = read_headers(&path).expect_err(text).to_string();
        assert!(message.contains(text), "{message}");
    }
}

#[test]
fn a_header_over_the_cap_is_not_read() {
    let folder = tempfile::tempdir().unwrap();
    let path = write(
        folder.path(),
        "m.safetensors",
        (MAX_HEADER + 1).to_le_bytes(),
    );
    // A file of holes: the header fits it and nothing is stored.
    let file = std::fs::File::options().append(true).open(&path).unwrap();
    file.set_len(MAX_HEADER + 100).unwrap();
    let error = read_headers(&path).unwrap_err();
    let header = MAX_HEADER + 1;
    assert_eq!(
        error.fault,
        Fault::HeaderTooLarge {
            header,
            max: MAX_HEADER
        }
    );
}

#[test]
fn invalid_utf8_in_a_name() {
    let folder = tempfile::tempdir().unwrap();
    let mut bytes = safetensors("{\"xy\":1}", 0);
    bytes[10] = 0xff;
    let path = write(folder.path(), "m.safetensors", bytes);
    let message = read_headers(&path).unwrap_err().to_string();
    assert!(message.contains("malformed JSON"), "{message}");
}

#[test]
fn hostile_names_are_shortened_in_messages() {
    let folder = tempfile::tempdir().unwrap();
    let name = "x".repeat(100_000);
    let header = format!("{{{}}}", entry(&name, "\\u001b[31m", "[1]", 0, 4));
    let path = write(folder.path(), "m.safetensors", safetensors(&header, 4));
    let message = read_headers(&path).unwrap_err().to_string();
    assert!(message.len() < 1000, "{} bytes", message.len());
    assert!(!message.contains('\u{1b}'), "{message}");
}

#[test]
fn what_is_no_file() {
    let folder = tempfile::tempdir().unwrap();
    let missing = folder.path().join("none.safetensors");
    let message = read_headers(&missing).unwrap_err().to_string();
    assert!(
        message.contains("none.safetensors: no such file or folder"),
        "{message}"
    );

    let empty = folder.path().join("x.safetensors");
    std::fs::create_dir(&empty).unwrap();
    assert_eq!(read_headers(&empty).unwrap_err().fault, Fault::NoWeights);
}

#[cfg(unix)]
#[test]
fn a_socket_is_no_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("m.safetensors");
    let _socket = std::os::unix::net::UnixListener::bind(&path).unwrap();
    assert_eq!(read_headers(&path).unwrap_err().fault, Fault::NotAFile);
}

#[test]
fn a_hundred_thousand_tensors_are_read_quickly() {
    let folder = tempfile::tempdir().unwrap();
    let names: Vec<String> = (0..100_000).map(|i| format!("layers.{i}.weight")).collect();
    let tensors: Vec<(&str, &[u64])> = names.iter().map(|n| (n.as_str(), &[1][..])).collect();
    let path = write(folder.path(), "m.safetensors", file_of(&tensors));
    let start = std::time::Instant::now();
    assert_eq!(read_headers(&path).unwrap().tensors.len(), 100_000);
    assert!(start.elapsed().as_secs() < 10, "{:?}", start.elapsed());
}
