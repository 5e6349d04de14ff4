//! W1: style. Reported only where there is no error in the file.

use super::CodeInfo;

pub(super) const CODES: &[CodeInfo] = &[
    CodeInfo {
        code: "W1001",
        title: "an unused import",
        explanation: "Nothing in the module uses the name. Remove it from the `use`.",
        example: "module model

use std.nn.activations::{relu, silu}

fn positive<N: Dim>(x: Tensor[N; f32]) -> Tensor[N; f32] {
    return relu(x)
}
",
        fixed: "module model

use std.nn.activations::{relu}

fn positive<N: Dim>(x: Tensor[N; f32]) -> Tensor[N; f32] {
    return relu(x)
}
",
    },
    CodeInfo {
        code: "W1002",
        title: "an unused local",
        explanation: "The value is never read. Remove the local, or begin its name with `_` where a pattern needs \
                      one.",
        example: "module scaling

fn double(x: f32) -> f32 {
    let half = x * 0.5
    return x * 2.0
}
",
        fixed: "module scaling

fn double(x: f32) -> f32 {
    return x * 2.0
}
",
    },
    CodeInfo {
        code: "W1003",
        title: "an unused block member",
        explanation: "No function uses the member, so its weights would be loaded for nothing. Remove it, or begin \
                      its name with `_` where a checkpoint needs it.",
        example: "module layers

block Scale<N: Dim> {
    param scale: Tensor[N; f32]
    param shift: Tensor[N; f32]

    fn forward(x: Tensor[N; f32]) -> Tensor[N; f32] {
        return x * scale
    }
}
",
        fixed: "module layers

block Scale<N: Dim> {
    param scale: Tensor[N; f32]
    param shift: Tensor[N; f32]

    fn forward(x: Tensor[N; f32]) -> Tensor[N; f32] {
        return x * scale + shift
    }
}
",
    },
    CodeInfo {
        code: "W1004",
        title: "a match arm that is never reached",
        explanation: "The arms before it cover every value, or this very case. Remove it.",
        example: "module pooling

enum Pooling { Mean, Last }

fn code(pooling: Pooling) -> i64 {
    return match pooling {
        Mean => 0
        Last => 1
        _ => 2
    }
}
",
        fixed: "module pooling

enum Pooling { Mean, Last }

fn code(pooling: Pooling) -> i64 {
    return match pooling {
        Mean => 0
        Last => 1
    }
}
",
    },
    CodeInfo {
        code: "W1005",
        title: "a module not named after its path",
        explanation: "In a package the file `src/a/b.linnet` is the module `a.b`, or `package.a.b` with the \
                      package's name in front. Imports go by the path, whatever the file calls itself.",
        example: "//- /linnet.toml
[package]
name = \"demo\"
version = \"0.1.0\"
//- /src/layers/linear.linnet
module linear

pub const WIDTH = 4
",
        fixed: "//- /linnet.toml
[package]
name = \"demo\"
version = \"0.1.0\"
//- /src/layers/linear.linnet
module layers.linear

pub const WIDTH = 4
",
    },
];
