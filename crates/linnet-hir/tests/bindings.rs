//! Named bindings and parameter manifests.

use linnet_hir::bindings::{BoundPart, binding_diagnostics, find, resolve};
use linnet_hir::check::{diagnostics, manifest_diagnostics};
use linnet_hir::db::{Db, RootDatabase, item_tree, shown_text};
use linnet_hir::fixture;
use linnet_hir::package::{Package, package_of};
use linnet_hir::parameters::{NoManifest, parameters, show_dim, show_type};
use linnet_hir::tree::{DefId, ItemKind};

const MODEL: &str = r#"
//- /p/src/lib.linnet
module p

use crate.layer::{Layer}

block Model<Hidden: Dim, Heads: Dim, Layers: Dim = 2, *Grid: Shape, T: Float = f32>
where
    Heads > 0,
    Hidden % Heads == 0,
{
    param table: Tensor[*Grid, Hidden; T]
    buffer steps: Tensor[Hidden - 2; i64]
    state last: Tensor[Hidden - 3; T]
    sub layers: [Layer<Hidden, T>; Layers]
    sub extra: Layer<Hidden, T>? = none
    param bias: Tensor[Hidden; T]? = none

    entry forward(x: Tensor[Hidden; T]) -> Tensor[Hidden; T] {
        return x
    }
}

block Other<N: Dim> {
    sub model: Layer<N, f32>
}
//- /p/src/layer.linnet
module layer

pub block Layer<H: Dim, T: Float> {
    param weight: Tensor[2 * H, H; T]
    sub norm: Norm<H>

    pub fn forward(x: Tensor[H; T]) -> Tensor[H; T] {
        return x
    }
}

pub block Norm<H: Dim> {
    param scale: Tensor[H; f32]
}
"#;

fn load(manifest: &str) -> (RootDatabase, Package) {
    let head = "[package]\nname = 'p'\nversion = '1'\n";
    let (db, files) = fixture::load(&format!("//- /p/linnet.toml\n{head}{manifest}{MODEL}"));
    let package = package_of(&db, files[0]).expect("the fixture is a package");
    (db, package)
}

fn block(db: &RootDatabase, path: &str, name: &str) -> DefId {
    let file = db.file(path.as_ref());
    let items = &item_tree(db, file).items;
    items
        .iter()
        .find(|item| item.name == name)
        .expect("the fixture declares it")
        .def
}

/// Each fault as `code marked: message (label)`.
fn faults(manifest: &str) -> Vec<String> {
    let (db, package) = load(manifest);
    let file = package.manifest(&db);
    let shown = |diag: &linnet_hir::diag::Diagnostic| {
        let marked = &shown_text(&db, file)[std::ops::Range::<usize>::from(diag.span.range)];
        format!("{} {marked}: {} ({})", diag.code, diag.message, diag.label)
    };
    manifest_diagnostics(&db, file).iter().map(shown).collect()
}

#[test]
fn the_manifest_of_a_block() {
    let (db, _) = load("");
    let model = block(&db, "/p/src/lib.linnet", "Model");
    let lines: Vec<String> = parameters(&db, model)
        .expect("the block has no fault")
        .iter()
        .map(|entry| {
            let repeats: Vec<String> = entry
                .repeats()
                .map(|dim| show_dim(&db, model, dim))
                .collect();
            let ty = show_type(&db, model, &entry.ty());
            let path = entry.path_text();
            format!(
                "{path} {:?} {ty} [{}] {:?}",
                entry.kind,
                repeats.join(", "),
                entry.optional
            )
        })
        .collect();
    assert_eq!(
        lines,
        [
            "table Param Tensor[*Grid, Hidden; T] [] []",
            "steps Buffer Tensor[Hidden - 2; i64] [] []",
            "layers[*].weight Param Tensor[2 * Hidden, Hidden; T] [Layers] []",
            "layers[*].norm.scale Param Tensor[Hidden; f32] [Layers] []",
            "extra.weight Param Tensor[2 * Hidden, Hidden; T] [] [1]",
            "extra.norm.scale Param Tensor[Hidden; f32] [] [1]",
            "bias Param Tensor[Hidden; T] [] [1]",
        ]
    );
}

#[test]
fn a_binding_in_numbers() {
    let (db, package) =
        load("[bindings.b]\nHidden = 6\nHeads = 3\nGrid = [4, 5]\nT = 'bf16'\nLayers = 7\n");
    let binding = find(&db, package, "b").expect("the table is there");
    let bound = resolve(&db, package, binding).expect("the binding fits");
    let entries = bound.parameters(&db).expect("every dimension has a value");
    let shapes: Vec<_> = entries
        .iter()
        .map(|entry| (entry.dtype.name(), entry.shape.clone()))
        .collect();
    assert_eq!(
        shapes,
        [
            ("bf16", vec![4, 5, 6]),
            ("i64", vec![4]),
            ("bf16", vec![12, 6]),
            ("f32", vec![6]),
            ("bf16", vec![12, 6]),
            ("f32", vec![6]),
            ("bf16", vec![6]),
        ]
    );
    assert_eq!(entries[2].path[1], BoundPart::Repeat(7));
    assert_eq!(
        (entries[2].tensors(), entries[2].elements()),
        (Some(7), Some(7 * 12 * 6))
    );
    assert!(find(&db, package, "c").is_none());
}

#[test]
fn faults_of_bindings() {
    let rest = "Grid = []\n";
    for (lines, expected) in [
        ("Hidden = 6\nHeads = 3", vec![]),
        (
            "Hidden = 6\nHeads = 4",
            vec![
                "E2206 b: this binding does not satisfy `Hidden % Heads == 0` (this makes it `2 == 0`)",
            ],
        ),
        (
            "Hidden = 6\nHeads = 0",
            vec!["E2206 0: this binding does not satisfy `Heads > 0` (this makes it `0 > 0`)"],
        ),
        (
            "Hidden = 2\nHeads = 2",
            vec![
                "E2208 b: this binding gives `last` no valid shape (a dimension is -1, and a dimension is at least 0)",
            ],
        ),
        (
            "Hidden = 9223372036854775807\nHeads = 1",
            vec![
                "E5002 b: this binding gives `layers[*].weight` no valid shape (a dimension is 18446744073709551614, which is larger than any dimension)",
            ],
        ),
        (
            "Heads = 2",
            vec!["E5002 b: this binding gives no value to `Hidden` (`Model` needs `Hidden`)"],
        ),
        (
            "Hiden = 2\nHeads = 2",
            vec!["E5002 Hiden: `Model` has no generic `Hiden` (no such generic)"],
        ),
        (
            "Hidden = 6\nHeads = 3\nWidth = 2",
            vec!["E5002 Width: `Model` has no generic `Width` (no such generic)"],
        ),
        (
            "Hidden = 'six'\nHeads = 3",
            vec!["E5002 'six': `Hidden` is bound to an integer (this is a string)"],
        ),
        (
            "Hidden = 6\nHeads = 3\nT = 'i32'",
            vec!["E5002 'i32': `T` is bound to a floating dtype (expected a floating dtype)"],
        ),
        (
            "Hidden = 6\nHeads = 3\nT = 'fp32'",
            vec![
                "E5002 'fp32': `T` is bound to the name of a dtype (not a dtype, did you mean `f32`?)",
            ],
        ),
        (
            "Hidden = 6\nHeads = 3\nT = 4",
            vec![
                "E5002 4: `T` is bound to the name of a dtype, such as \"bf16\" (this is an integer)",
            ],
        ),
        (
            "Hidden = 6\nHeads = 3\nroot = 'Modle'",
            vec!["E5002 'Modle': there is no block `Modle` (no such block in the package)"],
        ),
        (
            "Hidden = 6\nHeads = 3\nmodule = 'crate.modle'",
            vec![
                "E5002 'crate.modle': there is no module `crate.modle` (this module cannot be found)",
            ],
        ),
    ] {
        assert_eq!(
            faults(&format!("[bindings.b]\n{lines}\n{rest}")),
            expected,
            "{lines}"
        );
    }
    // The shape is asked for as well.
    assert_eq!(
        faults("[bindings.b]\nHidden = 6\nHeads = 3\n"),
        ["E5002 b: this binding gives no value to `Grid` (`Model` needs `Grid`)"]
    );
    assert_eq!(
        faults("[bindings.b]\nHidden = 6\nHeads = 3\nGrid = 4\n"),
        ["E5002 4: `Grid` is bound to a list of integers (this is an integer)"]
    );
}

#[test]
fn the_root_block() {
    // Named, also in another module, with and without the module.
    for keys in ["root = 'Layer'", "root = 'Layer'\nmodule = 'crate.layer'"] {
        assert_eq!(
            faults(&format!("[bindings.b]\nH = 2\nT = 'f32'\n{keys}\n")),
            [""; 0],
            "{keys}"
        );
    }
    // The one that is no part of another, where none has an entry.
    assert_eq!(
        faults("[bindings.b]\nmodule = 'crate.layer'\nH = 2\nT = 'f32'\n"),
        [""; 0]
    );
    for (lib, expected) in [
        (
            "block A { entry f() { } }\nblock B { entry f() { } }",
            "which block does `b` bind?",
        ),
        ("block A { }", "`b` binds no block"),
        ("pub fn f() -> f32 { return 1.0 }", "`b` binds no block"),
    ] {
        let fixture = format!(
            "//- /p/linnet.toml\n[package]\nname = 'p'\nversion = '1'\n[bindings.b]\n\
             //- /p/src/lib.linnet\nmodule p\n{lib}\n"
        );
        let (db, files) = fixture::load(&fixture);
        let package = package_of(&db, files[0]).expect("a package");
        let found = binding_diagnostics(&db, package);
        let messages: Vec<&str> = found.iter().map(|diag| diag.message.as_str()).collect();
        assert_eq!(messages, [expected], "{lib}");
    }
}

#[test]
fn a_broken_block_is_reported_where_it_stands() {
    let fixture = "//- /p/linnet.toml\n[package]\nname = 'p'\nversion = '1'\n[bindings.b]\nN = 2\n\
                   //- /p/src/lib.linnet\nmodule p\nblock A<N: Dim> {\n    param w: Tensor[M; f32]\n    \
                   entry f() { }\n}\n";
    let (db, files) = fixture::load(fixture);
    let codes: Vec<_> = diagnostics(&db, files[0])
        .iter()
        .map(|diag| diag.code.0)
        .collect();
    assert_eq!(codes, ["E1201"]);
    let package = package_of(&db, files[0]).expect("a package");
    assert_eq!(binding_diagnostics(&db, package), []);
    let block = item_tree(&db, files[0]).items[0].def;
    assert_eq!(block.kind(&db), ItemKind::Block);
    assert_eq!(parameters(&db, block), Err(NoManifest::Broken));
}

#[test]
fn blocks_that_double_at_each_step_have_no_manifest() {
    let mut text = "module m\nblock B0 { param w: Tensor[1; f32] }\n".to_owned();
    for i in 1..40 {
        let inner = i - 1;
        text.push_str(&format!(
            "block B{i} {{ sub a: B{inner} sub b: B{inner} }}\n"
        ));
    }
    let (db, files) = fixture::load(&text);
    let blocks = &item_tree(&db, files[0]).items;
    assert_eq!(
        parameters(&db, blocks[3].def).map(|entries| entries.len()),
        Ok(8)
    );
    assert_eq!(parameters(&db, blocks[39].def), Err(NoManifest::TooLarge));
    // As many blocks without a tensor in them.
    let text = text.replace("param w: Tensor[1; f32]", "");
    let (db, files) = fixture::load(&text);
    let last = item_tree(&db, files[0]).items[39].def;
    assert_eq!(parameters(&db, last), Err(NoManifest::TooLarge));
}
