//! E1: text, syntax, modules and names.

use super::CodeInfo;

pub(super) const CODES: &[CodeInfo] = &[
    CodeInfo {
        code: "E1001",
        title: "a character or byte sequence that source cannot hold",
        explanation: "Outside comments and strings, source is made of ASCII letters, digits, operators and white \
                      space. A file must be UTF-8 text without NUL. Remove the character, or move it into a comment.",
        example: "module shop

const PRICE = 5 \u{20ac}
",
        fixed: "module shop

const PRICE = 5 // \u{20ac}
",
    },
    CodeInfo {
        code: "E1002",
        title: "a block comment that is never closed",
        explanation: "Every `/*` needs its `*/`. Block comments nest, so a `/*` inside a comment needs one of its \
                      own. Everything after the open comment is part of it.",
        example: "module sizes

const WIDTH = 4

/* the depth is not decided
",
        fixed: "module sizes

const WIDTH = 4

/* the depth is not decided */
",
    },
    CodeInfo {
        code: "E1003",
        title: "a malformed string or escape",
        explanation: "A string ends on the line it begins on, and knows the escapes `\\n \\t \\r \\\\ \\\"` and \
                      `\\u{..}`. Linnet has no string values yet, so a text is best kept in a comment.",
        example: r#"module names

const TITLE = "a \q b"
"#,
        fixed: r#"module names

/// "a b"
const TITLE = 1
"#,
    },
    CodeInfo {
        code: "E1004",
        title: "a reserved word used as a name",
        explanation: "Keywords, and a few words kept for later versions of the language, cannot name anything. \
                      Choose another name.",
        example: "module sizes

const mut = 3
",
        fixed: "module sizes

const mutable = 3
",
    },
    CodeInfo {
        code: "E1005",
        title: "a malformed number",
        explanation: "Integers are decimal, `0x` hexadecimal or `0b` binary, at most 9223372036854775807; floats \
                      have digits on both sides of the point or an exponent. `_` may stand between digits.",
        example: "module sizes

const MASK = 0b102
",
        fixed: "module sizes

const MASK = 0b101
",
    },
    CodeInfo {
        code: "E1101",
        title: "an unexpected token",
        explanation: "The grammar asks for something else at this place; the message names what. The rest of the \
                      file is read on from the next place that makes sense.",
        example: "module sizes

const WIDTH 4
",
        fixed: "module sizes

const WIDTH = 4
",
    },
    CodeInfo {
        code: "E1102",
        title: "no `module` line at the top",
        explanation: "A file begins by naming its module; only comments may stand before it. In a package the name \
                      is the file's path below `src/`, with dots.",
        example: "const WIDTH = 4
",
        fixed: "module sizes

const WIDTH = 4
",
    },
    CodeInfo {
        code: "E1103",
        title: "reserved syntax that is not supported yet",
        explanation: "The syntax is known and kept for a later version: `trait`, `impl`, `extern` and `kernel` \
                      items, paths through `self` or `super`, strings as values, types inside a block.",
        example: r#"module names

const SIZE = "tiny"
"#,
        fixed: "module names

const TINY = true
",
    },
    CodeInfo {
        code: "E1201",
        title: "an undeclared name",
        explanation: "Nothing in scope has this name: no local, parameter, generic, member, item or import. Check \
                      the spelling, or import it with `use`.",
        example: "module scaling

fn double(x: f32) -> f32 {
    return y * 2.0
}
",
        fixed: "module scaling

fn double(x: f32) -> f32 {
    return x * 2.0
}
",
    },
    CodeInfo {
        code: "E1202",
        title: "a module that cannot be found",
        explanation: "`std.` is the standard library, `crate.a.b` is `src/a/b.linnet` of the package, `crate` alone \
                      is `src/lib.linnet`, and any other first word is a key under `[dependencies]` in \
                      `linnet.toml`. A file outside any package can import `std` only.",
        example: "module model

use std.nn.activation::{relu}

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
        code: "E1203",
        title: "an item of another module that is not `pub`",
        explanation: "What is not declared `pub` belongs to its module alone; this goes for the functions inside a \
                      block as well. Declare it `pub` where it stands, or use something that is.",
        example: "//- /linnet.toml
[package]
name = \"demo\"
version = \"0.1.0\"
//- /src/sizes.linnet
module sizes

const WIDTH = 4
//- /src/model.linnet
module model

use crate.sizes::{WIDTH}

fn zeros() -> Tensor[WIDTH; f32] {
    return fill<f32>([WIDTH], 0.0)
}
",
        fixed: "//- /linnet.toml
[package]
name = \"demo\"
version = \"0.1.0\"
//- /src/sizes.linnet
module sizes

pub const WIDTH = 4
//- /src/model.linnet
module model

use crate.sizes::{WIDTH}

fn zeros() -> Tensor[WIDTH; f32] {
    return fill<f32>([WIDTH], 0.0)
}
",
    },
    CodeInfo {
        code: "E1204",
        title: "two items of one name in a module",
        explanation: "A module's items and imports share one set of names. The second of a name is refused; rename \
                      one, or import under another name with `as`.",
        example: "module sizes

const WIDTH = 4

const WIDTH = 8
",
        fixed: "module sizes

const WIDTH = 4

const HEIGHT = 8
",
    },
    CodeInfo {
        code: "E1205",
        title: "two parameters, generics, fields, members or variants of one name",
        explanation: "Within one declaration each name is given once. In a block, members and the functions beside \
                      them share their names.",
        example: "module sums

fn add(x: f32, x: f32) -> f32 {
    return x + x
}
",
        fixed: "module sums

fn add(x: f32, y: f32) -> f32 {
    return x + y
}
",
    },
    CodeInfo {
        code: "E1206",
        title: "modules importing each other",
        explanation: "Imports may not run in a circle. Move what both modules need into a third one that imports \
                      neither.",
        example: "//- /linnet.toml
[package]
name = \"demo\"
version = \"0.1.0\"
//- /src/a.linnet
module a

use crate.b::{B}

pub const A = 4
pub const TWICE = B * 2
//- /src/b.linnet
module b

use crate.a::{A}

pub const B = A + 1
",
        fixed: "//- /linnet.toml
[package]
name = \"demo\"
version = \"0.1.0\"
//- /src/a.linnet
module a

pub const A = 4
//- /src/b.linnet
module b

use crate.a::{A}

pub const B = A + 1
pub const TWICE = B * 2
",
    },
    CodeInfo {
        code: "E1207",
        title: "a prelude name redeclared",
        explanation: "The dtypes, `Tensor`, the kinds of generics and the built-in functions mean the same in every \
                      module, so no item, member, generic, parameter, local or index may take their names. Struct \
                      fields and enum variants are free.",
        example: "module curves

fn exp(x: f32) -> f32 {
    return 1.0 + x
}
",
        fixed: "module curves

fn exp_near_zero(x: f32) -> f32 {
    return 1.0 + x
}
",
    },
    CodeInfo {
        code: "E1208",
        title: "a name of the wrong kind",
        explanation: "The name is declared, but as something that cannot stand here: a constant where a type is \
                      asked for, a function where a value is, a block as the type of a parameter.",
        example: "module sizes

const WIDTH = 4

fn first(x: WIDTH) -> f32 {
    return 1.0
}
",
        fixed: "module sizes

const WIDTH = 4

fn first(x: Tensor[WIDTH; f32]) -> f32 {
    return x[0]
}
",
    },
];
