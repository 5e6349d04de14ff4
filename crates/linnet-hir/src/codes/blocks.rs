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
                      itself. A table `[bindings.NAME]` gives values to the generics of the root block.",
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
    CodeInfo {
        code: "E5002",
        title: "a named binding that does not fit its root block",
        explanation: "A table `[bindings.NAME]` gives each generic of the root block that has no default a value of \
                      its kind: an integer, a list of integers for a shape, the name of a dtype. The root block is \
                      the one with an `entry`, or the one that `root` names; a `where` clause that the values do \
                      not satisfy is E2206.",
        example: "//- /linnet.toml
[package]
name = \"demo\"
version = \"0.1.0\"

[bindings.small]
Widht = 4
Depth = 2
//- /src/lib.linnet
module demo

block Model<Width: Dim, Depth: Dim = 2> {
    param weight: Tensor[Depth, Width; f32]

    entry forward(x: Tensor[Width; f32]) -> Tensor[Depth, Width; f32] {
        return x * weight
    }
}
",
        fixed: "//- /linnet.toml
[package]
name = \"demo\"
version = \"0.1.0\"

[bindings.small]
Width = 4
Depth = 2
//- /src/lib.linnet
module demo

block Model<Width: Dim, Depth: Dim = 2> {
    param weight: Tensor[Depth, Width; f32]

    entry forward(x: Tensor[Width; f32]) -> Tensor[Depth, Width; f32] {
        return x * weight
    }
}
",
    },
];
