//! A manifest against a checkpoint: every difference, and the advice on it.

use linnet_weights::{
    Bindings, DType, Expected, Header, Kind, Mismatch, PathPart, compare, read_headers,
};

use crate::files::{file_of, write};

/// A manifest's line, `layers.*4.q.weight [2, 3]`; `?` behind a part makes what it names optional.
fn expected(line: &str) -> Expected {
    let (path, shape) = line.split_once(' ').unwrap_or((line, ""));
    let mut optional = Vec::new();
    let mut parts = Vec::new();
    for part in path.split('.') {
        let name = part.trim_end_matches('?');
        parts.push(match name.strip_prefix('*') {
            Some(count) => PathPart::Repeat(count.parse().unwrap()),
            None => PathPart::Name(name.to_owned()),
        });
        if part.ends_with('?') {
            optional.push(parts.len());
        }
    }
    let shape = shape.trim_matches(['[', ']']).split(", ");
    Expected {
        path: parts,
        dtype: DType::F32,
        shape: shape
            .filter(|d| !d.is_empty())
            .map(|d| d.parse().unwrap())
            .collect(),
        kind: Kind::Param,
        optional,
    }
}

fn checkpoint(tensors: &[(&str, &[u64])]) -> Header {
    let folder = tempfile::tempdir().unwrap();
    let path = write(folder.path(), "m.safetensors", file_of(tensors));
    read_headers(&path).unwrap()
}

fn differences(manifest: &[&str], header: &Header, bindings: &str) -> Vec<String> {
    let manifest: Vec<Expected> = manifest.iter().map(|line| expected(line)).collect();
    let bindings = Bindings::parse("bindings.json".as_ref(), bindings.as_bytes()).unwrap();
    let list = compare(&manifest, header, &bindings).unwrap();
    list.iter().map(Mismatch::to_string).collect()
}

#[test]
fn a_checkpoint_that_fits() {
    let header = checkpoint(&[
        ("scale", &[]),
        ("model.layers.0.q_proj.weight", &[2, 3]),
        ("model.layers.1.q_proj.weight", &[2, 3]),
        ("embed", &[5, 2]),
    ]);
    let manifest = [
        "scale",
        "layers.*2.q.weight [2, 3]",
        "embed [5, 2]",
        "head [5, 2]",
        "bias? [5]",
        "none.*0.weight [1]",
    ];
    let bindings = r#"{"layers.{i}.q.weight": "model.layers.{i}.q_proj.weight", "head": "embed"}"#;
    assert_eq!(differences(&manifest, &header, bindings), [""; 0]);
}

#[test]
fn every_difference_is_listed() {
    let mut header = checkpoint(&[
        ("turned", &[3, 2]),
        ("longer", &[4]),
        ("typed", &[2]),
        ("eighth", &[2]),
        ("both", &[2]),
        ("scalar", &[1]),
        ("layers.0.w", &[1]),
        ("layers.2.w", &[1]),
        ("stored.name", &[7]),
        ("spare", &[9, 9, 9]),
    ]);
    for (name, dtype) in [
        ("typed", DType::BF16),
        ("eighth", DType::F8E4M3),
        ("both", DType::I64),
    ] {
        header.tensors.get_mut(name).unwrap().dtype = dtype;
    }
    let manifest = [
        "turned [2, 3]",
        "longer [3]",
        "typed [2]",
        "eighth [2]",
        "both [3]",
        "scalar",
        "layers.*2.w [1]",
        "named [8]",
        "absent [6]",
        "gone [4, 4]",
    ];
    let bindings = r#"{"named": "stored.name", "gone": "far.away", "nmaed": "x"}"#;
    assert_eq!(
        differences(&manifest, &header, bindings),
        [
            "shape: `turned` needs [2, 3], the checkpoint has [3, 2], its transpose",
            "shape: `longer` needs [3], the checkpoint has [4]",
            "dtype: `typed` needs f32, the checkpoint has bf16",
            "dtype: `eighth` needs f32, the checkpoint has F8_E4M3, which programs cannot declare",
            "shape: `both` needs [3], the checkpoint has [2]",
            "dtype: `both` needs f32, the checkpoint has i64",
            "shape: `scalar` needs [], the checkpoint has [1]",
            "missing: param `layers.1.w` Tensor[1; f32]",
            "shape: `named` needs [8], the checkpoint's `stored.name` has [7]",
            "missing: param `absent` Tensor[6; f32]",
            "missing: param `gone` Tensor[4, 4; f32], bound to `far.away`",
            "unexpected: `layers.2.w` Tensor[1; f32]",
            "unexpected: `spare` Tensor[9, 9, 9; f32]",
            "binding: `nmaed` names no parameter or buffer",
        ]
    );
}

#[test]
fn renames_are_suggested_both_ways() {
    let header = checkpoint(&[
        ("model.layers.0.self_attn.k_proj.weight", &[4, 4]),
        ("model.layers.0.self_attn.q_proj.weight", &[4, 4]),
        ("model.norm.weight", &[4]),
    ]);
    let manifest = [
        "layers.*1.attn.q.weight [4, 4]",
        "layers.*1.attn.k.weight [4, 4]",
        "norm.weight [4]",
    ];
    assert_eq!(
        differences(&manifest, &header, "{}"),
        [
            "missing: param `layers.0.attn.q.weight` Tensor[4, 4; f32]; \
             did you mean `model.layers.0.self_attn.q_proj.weight`?",
            "missing: param `layers.0.attn.k.weight` Tensor[4, 4; f32]; \
             did you mean `model.layers.0.self_attn.k_proj.weight`?",
            "missing: param `norm.weight` Tensor[4; f32]; did you mean `model.norm.weight`?",
            "unexpected: `model.layers.0.self_attn.k_proj.weight` Tensor[4, 4; f32]; \
             did you mean it for `layers.0.attn.k.weight`?",
            "unexpected: `model.layers.0.self_attn.q_proj.weight` Tensor[4, 4; f32]; \
             did you mean it for `layers.0.attn.q.weight`?",
            "unexpected: `model.norm.weight` Tensor[4; f32]; did you mean it for `norm.weight`?",
        ]
    );
}

/// An optional sub is there as a whole or not at all, position by position.
#[test]
fn optional_things() {
    let manifest = [
        "layers.*3.norm?.weight [4]",
        "layers.*3.norm?.bias? [4]",
        "layers.*3.norm?.inner?.scale [4]",
    ];
    let header = checkpoint(&[
        ("layers.0.norm.weight", &[4]),
        ("layers.1.norm.bias", &[4]),
        ("layers.2.norm.inner.scale", &[5]),
    ]);
    assert_eq!(
        differences(&manifest, &header, "{}"),
        [
            "missing: param `layers.1.norm.weight` Tensor[4; f32]",
            "missing: param `layers.2.norm.weight` Tensor[4; f32]",
            "shape: `layers.2.norm.inner.scale` needs [4], the checkpoint has [5]",
        ]
    );
    assert_eq!(differences(&manifest, &checkpoint(&[]), "{}"), [""; 0]);
}

#[test]
fn a_manifest_without_end_is_refused() {
    for line in [
        "a.*1000001.w [1]",
        "a.*18446744073709551615.b.*18446744073709551615.c.*18446744073709551615.w [1]",
    ] {
        let message = compare(&[expected(line)], &Header::default(), &Bindings::default())
            .unwrap_err()
            .to_string();
        assert!(
            message.contains("more than the 1000000 that are compared"),
            "{message}"
        );
    }
}

#[test]
fn ten_thousand_missing_and_as_many_spare_are_compared_quickly() {
    let names: Vec<String> = (0..10_000)
        .map(|i| format!("model.layers.{}.name{}.weight", i % 100, i / 100))
        .collect();
    let tensors: Vec<(&str, &[u64])> = names.iter().map(|n| (n.as_str(), &[1][..])).collect();
    let header = checkpoint(&tensors);
    let lines: Vec<String> = (0..100)
        .map(|i| format!("layers.*100.name{i}.w [1]"))
        .collect();
    let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
    let start = std::time::Instant::now();
    assert_eq!(differences(&lines, &header, "{}").len(), 20_000);
    assert!(start.elapsed().as_secs() < 20, "{:?}", start.elapsed());
}
