//! E4 and E5: blocks, packages and bindings.

use super::CodeInfo;

pub(super) const CODES: &[CodeInfo] = &[
    CodeInfo {
        code: "E4101",
        title: "a member of a type that it cannot have, or `= none` where it is not optional",
        explanation: "A `param`, `buffer` or `state` is a tensor, a `sub` a block or an array of blocks. Only an \
                      optional `param` or `sub` is declared with `= none`.",
        example: "module layers

block Shift<N: Dim> {
    param bias: Tensor[N; f32] = none

    fn forward(x: Tensor[N; f32]) -> Tensor[N; f32] {
        return x + bias
    }
}
",
        fixed: "module layers

block Shift<N: Dim> {
    param bias: Tensor[N; f32]? = none

    fn forward(x: Tensor[N; f32]) -> Tensor[N; f32] {
        return match bias {
            some(b) => x + b
            none => x
        }
    }
}
",
    },
    CodeInfo {
        code: "E4102",
        title: "a `param` with a value in source",
        explanation: "The values of `param` and `buffer` come from a checkpoint. A number that is part of the \
                      program is a `const`.",
        example: "module layers

block Scale<N: Dim> {
    param scale: f32 = 2.0

    fn forward(x: Tensor[N; f32]) -> Tensor[N; f32] {
        return x * scale
    }
}
",
        fixed: "module layers

block Scale<N: Dim> {
    const scale: f32 = 2.0

    fn forward(x: Tensor[N; f32]) -> Tensor[N; f32] {
        return x * scale
    }
}
",
    },
    CodeInfo {
        code: "E5001",
        title: "a `linnet.toml` that cannot be read or is malformed",
        explanation: "A package has a `[package]` table with `name` and `version`, and may have `language`, which \
                      is `\"0.1\"`. Each line under `[dependencies]` gives the path of a folder that is a package \
                      itself. A table `[bindings.NAME]` gives the root block's generics values that satisfy its \
                      `where` clauses.",
        example: "//- /linnet.toml
[package]
name = \"demo\"
//- /src/sizes.linnet
module sizes

pub const WIDTH = 4
",
        fixed: "//- /linnet.toml
[package]
name = \"demo\"
version = \"0.1.0\"
//- /src/sizes.linnet
module sizes

pub const WIDTH = 4
",
    },
];
