//! Named bindings, `--weights`, and `inspect --parameters`.

use serde_json::{Value, json};

use crate::setup::{Folder, Run};

/// A package whose root block has an array, something optional and a buffer.
fn package() -> Folder {
    Folder::new(
        "//- linnet.toml
[package]
name = \"p\"
version = \"0.1.0\"

[bindings.tiny]
Hidden = 4
Layers = 2
T = \"f32\"

[bindings.odd]
Hidden = 3
Layers = 2
T = \"f32\"
//- src/lib.linnet
module p

block Layer<H: Dim, T: Float> {
    param scale: Tensor[H; T]
    param bias: Tensor[H; T]? = none

    fn forward(x: Tensor[H; T]) -> Tensor[H; T] {
        let y = x * scale
        return match bias {
            some(b) => y + b
            none => y
        }
    }
}

pub block Model<Hidden: Dim, Layers: Dim, T: Float> where Hidden % 2 == 0 {
    sub layers: [Layer<Hidden, T>; Layers]
    buffer offsets: Tensor[Hidden / 2, 2; i64]

    entry forward(x: Tensor[Hidden; T]) -> Tensor[Hidden; T] {
        var y = x
        static for layer in layers {
            y = layer.forward(y)
        }
        return y + cast<T>(reshape(offsets, [Hidden]))
    }
}
",
    )
}

/// A SafeTensors file: each tensor as `name dtype 2x3`.
fn safetensors(tensors: &[&str]) -> Vec<u8> {
    let mut at = 0;
    let mut header = serde_json::Map::new();
    for tensor in tensors {
        let [name, dtype, shape] = tensor.split(' ').collect::<Vec<_>>()[..] else {
            panic!("{tensor}");
        };
        let shape: Vec<u64> = shape.split('x').map(|dim| dim.parse().unwrap()).collect();
        let width = if dtype == "I64" {
            8
        } else {
            dtype[dtype.len() - 2..].parse::<u64>().unwrap() / 8
        };
        let end = at + width * shape.iter().product::<u64>();
        let entry = json!({"dtype": dtype, "shape": shape, "data_offsets": [at, end]});
        header.insert(name.to_owned(), entry);
        at = end;
    }
    let text = Value::from(header).to_string();
    let mut bytes = (text.len() as u64).to_le_bytes().to_vec();
    bytes.extend(text.as_bytes());
    bytes.resize(bytes.len() + at as usize, 0);
    bytes
}

const FITTING: [&str; 4] = [
    "layers.0.scale F32 4",
    "layers.1.scale F32 4",
    "layers.1.bias F32 4",
    "offsets I64 2x2",
];

#[test]
fn bindings_are_proven() {
    let folder = package();
    // Without a name every table is.
    let run = folder.run("check --json .").exits(1);
    assert_eq!(run.codes(), ["E2206"]);
    let location = &run.json()["diagnostics"][0]["location"];
    assert_eq!(location["file"], "linnet.toml");
    folder.run("check --binding tiny .").exits(0).stderr_has(&[
        "binding `tiny`: 12 values in 3 tensors, 0.1 kB; optional: 8 values in 2 tensors, 0.0 kB\n",
        ": no faults",
    ]);
    assert_eq!(
        folder.run("check --json --binding odd .").exits(1).codes(),
        ["E2206"]
    );
    folder
        .run("check --binding none .")
        .exits(2)
        .stderr_has(&["there is no `[bindings.none]`; there is odd, tiny"]);
    let loose = Folder::new("//- a.linnet\nmodule a\n");
    loose
        .run("check --binding x a.linnet")
        .exits(2)
        .stderr_has(&["belong to no package"]);
}

#[test]
fn weights_that_fit() {
    let folder = package();
    folder.write("model.safetensors", safetensors(&FITTING));
    for path in ["model.safetensors", "."] {
        folder
            .run(&format!("check --binding tiny --weights {path} src"))
            .exits(0);
    }
    // The two halves, by an index.
    folder.write("two/1.safetensors", safetensors(&FITTING[..2]));
    folder.write("two/2.safetensors", safetensors(&FITTING[2..]));
    folder.run("check --binding tiny --weights two .").exits(0);
    let map = json!({"weight_map": {
        "layers.0.scale": "1.safetensors", "layers.1.scale": "1.safetensors",
        "layers.1.bias": "2.safetensors", "offsets": "2.safetensors",
    }});
    folder.write("two/model.safetensors.index.json", map.to_string());
    folder
        .run("check --binding tiny --weights two/model.safetensors.index.json .")
        .exits(0);
}

#[test]
fn every_mismatch_is_listed() {
    let folder = package();
    folder.write(
        "model.safetensors",
        safetensors(&[
            "model.layers.0.scale F32 4",
            "layers.1.scale F32 5",
            "layers.1.bias BF16 4",
            "offsets I64 2x2",
            "rotary I64 7",
        ]),
    );
    let run = folder
        .run("check --json --binding tiny --weights model.safetensors .")
        .exits(1);
    assert_eq!(run.codes(), ["E5004", "E5005", "E5006", "E5007"]);
    let json = run.json();
    let notes: Vec<String> = json["diagnostics"]
        .as_array()
        .unwrap()
        .iter()
        .flat_map(|d| d["notes"].as_array().unwrap().iter())
        .map(|note| note.as_str().unwrap().to_owned())
        .collect();
    assert_eq!(
        notes,
        [
            "param `layers.0.scale` Tensor[4; f32]; did you mean `model.layers.0.scale`?",
            "`model.layers.0.scale` Tensor[4; f32]; did you mean it for `layers.0.scale`?",
            "`rotary` Tensor[7; i64]",
            "`layers.1.scale` needs [4], the checkpoint has [5]",
            "`layers.1.bias` needs f32, the checkpoint has bf16",
        ]
    );
    let location = &json["diagnostics"][0]["location"];
    assert_eq!(
        (&location["file"], &location["start"]["line"]),
        (&json!("linnet.toml"), &json!(5))
    );
    folder
        .run("check --binding tiny --weights model.safetensors .")
        .exits(1)
        .stderr_has(&[
            "1 tensor is missing from `model.safetensors`",
            "2 tensors are not expected in",
        ]);
}

#[test]
fn names_come_from_bindings_json() {
    let folder = package();
    let stored = ["h.0.g F32 4", "h.1.g F32 4", "offsets I64 2x2"];
    folder.write("w/model.safetensors", safetensors(&stored));
    let check = "check --json --binding tiny --weights w/model.safetensors";
    folder.run(&format!("{check} .")).exits(1);
    let names = json!({"layers.{i}.scale": "h.{i}.g"}).to_string();
    folder.write("other.json", &names);
    folder
        .run(&format!("{check} --names other.json ."))
        .exits(0);
    folder.write("bindings.json", &names);
    folder.run(&format!("{check} .")).exits(0);
    // An entry that names nothing, and maps that are none.
    folder.write(
        "bindings.json",
        json!({"layers.{i}.scale": "h.{i}.g", "layer.{i}.x": "h.{i}"}).to_string(),
    );
    assert_eq!(
        folder.run(&format!("{check} .")).exits(1).codes(),
        ["E5008"]
    );
    for text in [
        "",
        "[]",
        "{\"a\": 1}",
        "{\"a\": \"b\", \"a\": \"c\"}",
        "{\"a.{i}\": \"b\"}",
    ] {
        folder.write("bindings.json", text);
        let run = folder.run(&format!("{check} .")).exits(1);
        assert_eq!(run.codes(), ["E5003"], "{text}");
        assert!(run.stdout.contains("bindings.json"), "{}", run.stdout);
    }
    folder.run(&format!("{check} --names none.json .")).exits(1);
    // Names without weights are a wrong command line.
    folder.run("check --names other.json .").exits(2);
}

#[test]
fn weights_that_cannot_be_read() {
    let folder = package();
    for (bytes, text) in [
        (&b""[..], "0 bytes are too few"),
        (&u64::MAX.to_le_bytes()[..], "18446744073709551615"),
        (b"\x02\0\0\0\0\0\0\0{]", "malformed JSON"),
    ] {
        folder.write("w.safetensors", bytes);
        let run = folder
            .run("check --binding tiny --weights w.safetensors .")
            .exits(1);
        run.stderr_has(&["[E5003]", "w.safetensors", text]);
    }
    for path in ["none", "src"] {
        let run = folder.run(&format!("check --json --binding tiny --weights {path} ."));
        assert_eq!(run.exits(1).codes(), ["E5003"]);
    }
}

#[test]
fn which_block_the_weights_are_for() {
    let folder = package();
    folder.write("w.safetensors", safetensors(&FITTING));
    // Two tables: one must be chosen.
    folder
        .run("check --weights w.safetensors .")
        .exits(2)
        .stderr_has(&["choose one of the bindings with `--binding`: odd, tiny"]);

    // A block without generics needs no table; nor does it need a package.
    let block = "
pub block Scale {
    param weight: Tensor[4; f32]

    entry forward(x: Tensor[4; f32]) -> Tensor[4; f32] {
        return x * weight
    }
}
";
    let folder = Folder::new("");
    folder.write(
        "q/linnet.toml",
        "[package]\nname = \"q\"\nversion = \"0.1.0\"\n",
    );
    folder.write("q/src/lib.linnet", format!("module q\n{block}"));
    folder.write("loose.linnet", format!("module loose\n{block}"));
    folder.write("good.safetensors", safetensors(&["weight F32 4"]));
    folder.write("bad.safetensors", safetensors(&["weight F32 5"]));
    for path in ["q", "loose.linnet"] {
        folder
            .run(&format!("check --weights good.safetensors {path}"))
            .exits(0);
        let run = folder
            .run(&format!("check --json --weights bad.safetensors {path}"))
            .exits(1);
        assert_eq!(run.codes(), ["E5006"]);
    }
    // Nothing to load weights for, too much, or a block that needs values.
    folder.write("none.linnet", "module none\n");
    folder
        .run("check --weights good.safetensors none.linnet")
        .exits(2);
    folder.write(
        "twice.linnet",
        format!("module twice\n{block}{}", block.replace("Scale", "Again")),
    );
    folder
        .run("check --weights good.safetensors twice.linnet")
        .exits(2)
        .stderr_has(&["Scale, Again"]);
    let generic = block
        .replace("Scale {", "Scale<N: Dim> {")
        .replace('4', "N");
    folder.write("generic.linnet", format!("module generic\n{generic}"));
    let run = folder
        .run("check --json --weights good.safetensors generic.linnet")
        .exits(1);
    assert_eq!(run.codes(), ["E5002"]);
}

#[test]
fn weights_named_in_the_manifest() {
    let folder = package();
    let manifest = folder.read("linnet.toml");
    let (head, _) = manifest.split_once("[bindings.odd]").unwrap();
    folder.write(
        "linnet.toml",
        format!("{head}weights = \"w/model.safetensors\"\n"),
    );
    // Where they are not there nobody misses them, but who names the binding.
    folder.run("check .").exits(0);
    let run = folder.run("check --json --binding tiny .").exits(1);
    assert_eq!(run.codes(), ["E5003"]);
    assert_eq!(
        run.json()["diagnostics"][0]["location"]["start"]["line"],
        10
    );
    folder.write("w/model.safetensors", safetensors(&FITTING));
    folder.run("check .").exits(0);
    folder.write("w/model.safetensors", safetensors(&FITTING[..3]));
    assert_eq!(folder.run("check --json .").exits(1).codes(), ["E5004"]);
}

#[test]
fn parameters_of_each_block() {
    let folder = package();
    let json = folder
        .run("inspect --parameters --json src/lib.linnet")
        .exits(0)
        .json();
    let line = |path: &str, kind: &str, ty: &str, repeat: &[&str], optional: bool| json!({"path": path, "kind": kind, "type": ty, "repeat": repeat, "optional": optional});
    assert_eq!(
        json,
        json!({
            "version": 1,
            "file": "src/lib.linnet",
            "blocks": [
                {"name": "Layer", "parameters": [
                    line("scale", "param", "Tensor[H; T]", &[], false),
                    line("bias", "param", "Tensor[H; T]", &[], true),
                ]},
                {"name": "Model", "parameters": [
                    line("layers[*].scale", "param", "Tensor[Hidden; T]", &["Layers"], false),
                    line("layers[*].bias", "param", "Tensor[Hidden; T]", &["Layers"], true),
                    line("offsets", "buffer", "Tensor[Hidden / 2, 2; i64]", &[], false),
                ]},
            ],
        })
    );
    let run: Run = folder.run("inspect --parameters src/lib.linnet").exits(0);
    assert_eq!(
        run.stdout,
        "\
block Layer
    scale  param   Tensor[H; T]
    bias   param   Tensor[H; T]  optional

block Model
    layers[*].scale  param   Tensor[Hidden; T]           × Layers
    layers[*].bias   param   Tensor[Hidden; T]           × Layers  optional
    offsets          buffer  Tensor[Hidden / 2, 2; i64]
"
    );
}

#[test]
fn parameters_of_a_file_with_faults() {
    let folder = Folder::new(
        "//- a.linnet
module a

pub block Good {
    param weight: Tensor[4; f32]

    entry forward(x: Tensor[4; f32]) -> Tensor[4; f32] {
        return x * weight
    }
}

pub block Bad {
    sub inner: Missing
}
",
    );
    let run = folder.run("inspect --parameters a.linnet").exits(1);
    assert_eq!(
        run.stdout,
        "block Good\n    weight  param   Tensor[4; f32]\n"
    );
    run.stderr_has(&["[E1201]"]);
}
