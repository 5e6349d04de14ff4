//! The plan as a Linnet package.

mod pieces;

use super::plan::{Export, Import, Module, PACKAGE, path_of};
use super::rng::Rng;
use super::{File, Lines};

pub fn render(plan: &[Module], seed: u64) -> Vec<File> {
    let manifest =
        format!("[package]\nname = \"{PACKAGE}\"\nversion = \"0.1.0\"\nlanguage = \"0.1\"\n");
    let mut files = vec![("linnet.toml".to_owned(), manifest)];
    files.extend(plan.iter().map(|module| {
        let path = if module.is_root {
            "src/lib.linnet".to_owned()
        } else {
            format!("src/{}.linnet", path_of(module.index).replace('.', "/"))
        };
        (path, self::module(module, seed))
    }));
    files
}

fn module(module: &Module, seed: u64) -> String {
    let mut rng = Rng::stream(seed ^ 0x6c69_6e6e_6574, module.index as u64);
    let mut body = Lines::default();
    for export in &module.exports {
        body.blank();
        body.add(pieces::export(*export, module.index, &mut rng));
    }
    body.blank();
    let block = block(module, &mut rng);
    body.add(&block.text);
    if module.is_root {
        body.blank();
        body.add(root_entry());
    }

    let mut out = Lines::default();
    if module.is_root {
        out.add(format!("module {PACKAGE}"));
    } else {
        out.add(format!("module {PACKAGE}.{}", path_of(module.index)));
    }
    out.blank();
    for import in &module.imports {
        out.add(use_line(import));
    }
    for line in &block.uses {
        out.add(line);
    }
    out.0.append(&mut body.0);

    let mut number = 0;
    let mut last = usize::MAX;
    while out.len() < module.lines {
        let room = module.lines - out.len() - 1;
        let kind = rng.below(pieces::PRIVATE.len());
        if kind == last {
            continue;
        }
        last = kind;
        let mut piece = pieces::PRIVATE[kind](number, &mut rng);
        if piece.lines().count() + 1 + pieces::LEAST_TAIL > room {
            piece = pieces::tail(room, &mut rng);
        }
        out.blank();
        out.add(piece);
        number += 1;
    }
    out.text()
}

fn use_line(import: &Import) -> String {
    let n = import.module;
    let mut names = Vec::new();
    if import.block {
        names.push(format!("Layer{n:04}"));
    }
    match import.export {
        Some(Export::Op) => names.push(format!("mix_{n:04}")),
        Some(Export::Struct) => names.push(format!("stats_{n:04}")),
        Some(Export::Enum) => names.extend([format!("Mode{n:04}"), format!("shape_{n:04}")]),
        Some(Export::Heads) => names.extend([format!("split_{n:04}"), format!("merge_{n:04}")]),
        None => {}
    }
    match names.as_slice() {
        [name] => format!("use crate.{}::{name}", path_of(n)),
        _ => format!("use crate.{}::{{{}}}", path_of(n), names.join(", ")),
    }
}

/// A block and the imports from the library that it needs.
struct Block {
    uses: Vec<&'static str>,
    text: String,
}

/// The module's block: a layer that uses everything the module imports.
fn block(module: &Module, rng: &mut Rng) -> Block {
    let n = module.index;
    let (activation, activation_use) = *rng.pick(&[
        ("silu", "use std.nn.activations::silu"),
        ("gelu", "use std.nn.activations::gelu"),
        ("relu", "use std.nn.activations::relu"),
    ]);
    let (norm, norm_use) = *rng.pick(&[
        ("RmsNorm", "use std.nn.norm::RmsNorm"),
        ("LayerNorm", "use std.nn.norm::LayerNorm"),
    ]);
    let wide = 2 + rng.below(4);
    let mut members = vec![
        format!("sub norm: {norm}<Hidden, T>"),
        format!("sub up: Linear<Hidden, {wide} * Hidden, T>"),
        format!("sub down: Linear<{wide} * Hidden, Hidden, T>"),
        "param scale: Tensor[Hidden; T]".to_owned(),
    ];
    let mut steps = vec!["let start = norm.forward(x)".to_owned()];
    let mut last = "start".to_owned();
    for (i, import) in module.imports.iter().enumerate() {
        let m = import.module;
        if import.block {
            members.push(format!("sub inner{i}: Layer{m:04}<Hidden, Heads, T>"));
            steps.push(format!("let deep{i} = {last} + inner{i}.forward({last})"));
            last = format!("deep{i}");
        }
        match import.export {
            Some(Export::Op) => {
                steps.push(format!("let mixed{i} = mix_{m:04}({last}, scale)"));
                last = format!("mixed{i}");
            }
            Some(Export::Struct) => {
                steps.push(format!(
                    "let stats{i} = stats_{m:04}(reshape({last}, [B * S, Hidden]))"
                ));
                steps.push(format!(
                    "let moved{i} = ({last} - stats{i}.mean) * stats{i}.spread"
                ));
                last = format!("moved{i}");
            }
            Some(Export::Enum) => {
                let mode = rng.pick(&pieces::MODES);
                steps.push(format!(
                    "let shaped{i} = shape_{m:04}(Mode{m:04}.{mode}, {last})"
                ));
                last = format!("shaped{i}");
            }
            Some(Export::Heads) => {
                steps.push(format!(
                    "let heads{i} = split_{m:04}<Heads, Hidden / Heads>({last})"
                ));
                steps.push(format!(
                    "let joined{i} = {last} + merge_{m:04}(heads{i} * heads{i})"
                ));
                last = format!("joined{i}");
            }
            None => {}
        }
    }
    let members: Vec<_> = members.iter().map(|m| format!("    {m}\n")).collect();
    let steps: Vec<_> = steps.iter().map(|s| format!("        {s}\n")).collect();
    let text = format!(
        "\
/// Layer {n}: a normalized residual around a feed-forward part of {wide} times the width.
pub block Layer{n:04}<Hidden: Dim, Heads: Dim, T: Float = bf16> where Heads > 0, Hidden % Heads == 0 {{
{}
    /// `[B, S, Hidden]` to the same.
    pub fn forward<B: Dim, S: Dim>(x: Tensor[B, S, Hidden; T]) -> Tensor[B, S, Hidden; T] {{
{}        return {last} * scale + feed({last})
    }}

    fn feed<*R: Shape>(x: Tensor[*R, Hidden; T]) -> Tensor[*R, Hidden; T] {{
        return down.forward({activation}(up.forward(x)) * {:.2})
    }}
}}",
        members.concat(),
        steps.concat(),
        0.5 + rng.below(100) as f64 / 100.0,
    );
    let uses = vec![activation_use, "use std.nn.linear::Linear", norm_use];
    Block { uses, text }
}

fn root_entry() -> &'static str {
    "\
/// Adds two batches of rows, scaled.
entry blend<B: Dim, N: Dim>(a: Tensor[B, N; f32], b: Tensor[B, N; f32]) -> Tensor[B, N; f32] {
    return a * 0.25 + b * 0.75
}"
}
