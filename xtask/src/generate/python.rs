//! The plan as a Python package of annotated, pure Python modules.
//!
//! `twin_std/` stands for the standard library, and is not counted, as Linnet's is not.

mod pieces;

use super::plan::{Export, FOLDER, Import, Module, PACKAGE, path_of};
use super::rng::Rng;
use super::{File, Lines};

/// Both checkers read this; nothing is relaxed.
const PROJECT: &str = "\
[project]
name = \"bench\"
version = \"0.1.0\"
requires-python = \">=3.11\"

[tool.pyright]
pythonVersion = \"3.11\"
typeCheckingMode = \"standard\"
";

pub fn render(plan: &[Module], seed: u64) -> Vec<File> {
    let mut files = vec![
        ("pyproject.toml".to_owned(), PROJECT.to_owned()),
        ("twin_std/__init__.py".to_owned(), String::new()),
        (
            "twin_std/tensor.py".to_owned(),
            include_str!("twin_std/tensor.py").to_owned(),
        ),
        (
            "twin_std/layers.py".to_owned(),
            include_str!("twin_std/layers.py").to_owned(),
        ),
        (format!("{PACKAGE}/__init__.py"), String::new()),
    ];
    let folders = plan.len().saturating_sub(2) / FOLDER + 1;
    files
        .extend((0..folders).map(|f| (format!("{PACKAGE}/part{f:02}/__init__.py"), String::new())));
    files.extend(plan.iter().map(|module| {
        let path = if module.is_root {
            format!("{PACKAGE}/root.py")
        } else {
            format!("{PACKAGE}/{}.py", path_of(module.index).replace('.', "/"))
        };
        (path, self::module(module, seed))
    }));
    files
}

fn module(module: &Module, seed: u64) -> String {
    let mut rng = Rng::stream(seed ^ 0x0070_7974_686f_6e00, module.index as u64);
    let mut out = Lines::default();
    out.add(format!(
        "\"\"\"Layer {} and what it is made of.\"\"\"",
        module.index
    ));
    out.blank();
    out.add(pieces::IMPORTS);
    for import in &module.imports {
        out.add(import_line(import));
    }
    out.blank();
    out.add("T = TypeVar(\"T\", bound=float)");
    for export in &module.exports {
        out.blank();
        out.blank();
        out.add(pieces::export(*export, module.index, &mut rng));
    }
    out.blank();
    out.blank();
    out.add(class(module, &mut rng));

    let mut number = 0;
    let mut last = usize::MAX;
    while out.len() < module.lines {
        let room = (module.lines - out.len()).saturating_sub(2);
        let kind = rng.below(pieces::PRIVATE.len());
        if kind == last {
            continue;
        }
        last = kind;
        let mut piece = pieces::PRIVATE[kind](number, &mut rng);
        if piece.lines().count() + 2 + pieces::LEAST_TAIL > room {
            piece = pieces::tail(room, &mut rng);
        }
        out.blank();
        if out.len() < module.lines {
            out.blank();
        }
        out.add(piece);
        number += 1;
    }
    out.text()
}

fn import_line(import: &Import) -> String {
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
    format!("from {PACKAGE}.{} import {}", path_of(n), names.join(", "))
}

/// The module's class: a layer that uses everything the module imports.
fn class(module: &Module, rng: &mut Rng) -> String {
    let n = module.index;
    let activation = rng.pick(&["silu", "gelu", "relu"]);
    let norm = rng.pick(&["RmsNorm", "LayerNorm"]);
    let wide = 2 + rng.below(4);
    let mut members = vec![
        format!("self.norm = {norm}(Tensor.fill((hidden,), 1.0))"),
        format!("self.up = Linear(Tensor.fill(({wide} * hidden, hidden), 0.1))"),
        format!("self.down = Linear(Tensor.fill((hidden, {wide} * hidden), 0.1))"),
        "self.scale: Tensor[float] = Tensor.fill((hidden,), 1.0)".to_owned(),
        "self.hidden = hidden".to_owned(),
        "self.heads = heads".to_owned(),
    ];
    let mut steps = vec!["start = self.norm.forward(x)".to_owned()];
    let mut last = "start".to_owned();
    for (i, import) in module.imports.iter().enumerate() {
        let m = import.module;
        if import.block {
            members.push(format!("self.inner{i} = Layer{m:04}(hidden, heads)"));
            steps.push(format!(
                "deep{i} = add({last}, self.inner{i}.forward({last}))"
            ));
            last = format!("deep{i}");
        }
        match import.export {
            Some(Export::Op) => {
                steps.push(format!("mixed{i} = mix_{m:04}({last}, self.scale)"));
                last = format!("mixed{i}");
            }
            Some(Export::Struct) => {
                steps.push(format!(
                    "stats{i} = stats_{m:04}({last}.reshape(-1, self.hidden))"
                ));
                steps.push(format!(
                    "moved{i} = multiply(subtract({last}, stats{i}.mean), stats{i}.spread)"
                ));
                last = format!("moved{i}");
            }
            Some(Export::Enum) => {
                let mode = rng.pick(&pieces::MODES);
                steps.push(format!(
                    "shaped{i} = shape_{m:04}(Mode{m:04}.{mode}, {last})"
                ));
                last = format!("shaped{i}");
            }
            Some(Export::Heads) => {
                steps.push(format!("heads{i} = split_{m:04}({last}, self.heads)"));
                steps.push(format!(
                    "joined{i} = add({last}, merge_{m:04}(multiply(heads{i}, heads{i})))"
                ));
                last = format!("joined{i}");
            }
            None => {}
        }
    }
    let indent = |lines: &[String]| -> String {
        lines
            .iter()
            .map(|line| format!("        {line}\n"))
            .collect()
    };
    format!(
        "\
class Layer{n:04}:
    \"\"\"A normalized residual around a feed-forward part of {wide} times the width.\"\"\"

    def __init__(self, hidden: int, heads: int) -> None:
{}
    def forward(self, x: Tensor[float]) -> Tensor[float]:
        \"\"\"`[B, S, hidden]` to the same.\"\"\"
{}        return add(multiply({last}, self.scale), self.feed({last}))

    def feed(self, x: Tensor[float]) -> Tensor[float]:
        return scale(self.down.forward({activation}(self.up.forward(x))), {:.2})",
        indent(&members),
        indent(&steps),
        0.5 + rng.below(100) as f64 / 100.0,
    )
}
