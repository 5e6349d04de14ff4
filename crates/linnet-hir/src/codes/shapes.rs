//! E22: shapes, dimensions and their proofs.

use super::CodeInfo;

pub(super) const CODES: &[CodeInfo] = &[
    CodeInfo {
        code: "E2201",
        title: "one index, different extents",
        explanation: "An index runs over one range, so all axes that it indexes have the same extent, provably.",
        example: "module sums

fn add<N: Dim, M: Dim>(a: Tensor[N; f32], b: Tensor[M; f32]) -> Tensor[N; f32] {
    let c[i] = a[i] + b[i]
    return c
}
",
        fixed: "module sums

fn add<N: Dim>(a: Tensor[N; f32], b: Tensor[N; f32]) -> Tensor[N; f32] {
    let c[i] = a[i] + b[i]
    return c
}
",
    },
    CodeInfo {
        code: "E2202",
        title: "a tensor of another shape than required",
        explanation: "The shapes must agree, axis by axis, for all values that the generics can take. If they only \
                      agree for some, say so in a `where` clause.",
        example: "module shapes

fn same<N: Dim, M: Dim>(x: Tensor[N; f32]) -> Tensor[M; f32] {
    return x
}
",
        fixed: "module shapes

fn same<N: Dim, M: Dim>(x: Tensor[N; f32]) -> Tensor[M; f32] where N == M {
    return x
}
",
    },
    CodeInfo {
        code: "E2203",
        title: "a `reshape` whose counts cannot be proven equal",
        explanation: "A reshape keeps all elements: the product of the new dimensions equals that of the old ones. \
                      Divisions need a `where` clause that says that they leave no remainder.",
        example: "module heads

fn split<D: Dim>(x: Tensor[D; f32]) -> Tensor[8, D / 8; f32] {
    return reshape(x, [8, D / 8])
}
",
        fixed: "module heads

fn split<D: Dim>(x: Tensor[D; f32]) -> Tensor[8, D / 8; f32] where D % 8 == 0 {
    return reshape(x, [8, D / 8])
}
",
    },
    CodeInfo {
        code: "E2204",
        title: "a wrong number of indices",
        explanation: "In index notation a tensor is indexed on every axis; elsewhere there are at most as many \
                      indices as axes. `*s` stands for the axes of a pack.",
        example: "module columns

fn copy<N: Dim, M: Dim>(x: Tensor[N, M; f32]) -> Tensor[N; f32] {
    let y[i] = x[i]
    return y
}
",
        fixed: "module columns

fn copy<N: Dim, M: Dim>(x: Tensor[N, M; f32]) -> Tensor[N, M; f32] {
    let y[i, j] = x[i, j]
    return y
}
",
    },
    CodeInfo {
        code: "E2205",
        title: "a divisor that is not provably positive",
        explanation: "A dimension may be 0, so dividing by one needs a promise that it is not: `where N > 0`.",
        example: "module groups

fn first<N: Dim, G: Dim>(x: Tensor[N; f32], group: Tensor[N / G; f32]) -> Tensor[N; f32] {
    return x
}
",
        fixed: "module groups

fn first<N: Dim, G: Dim>(x: Tensor[N; f32], group: Tensor[N / G; f32]) -> Tensor[N; f32]
where G > 0 {
    return x
}
",
    },
    CodeInfo {
        code: "E2206",
        title: "a `where` constraint that the caller cannot prove",
        explanation: "What a function or block requires of its dimensions must follow from what is known where it \
                      is used. Require the same there, or use it with dimensions that satisfy it. A list of \
                      constraints that can never hold together is refused too.",
        example: "module halves

fn halves<N: Dim>(x: Tensor[N; f32]) -> Tensor[2, N / 2; f32] where N % 2 == 0 {
    return reshape(x, [2, N / 2])
}

fn of_any<N: Dim>(x: Tensor[N; f32]) -> Tensor[2, N / 2; f32] {
    return halves(x)
}
",
        fixed: "module halves

fn halves<N: Dim>(x: Tensor[N; f32]) -> Tensor[2, N / 2; f32] where N % 2 == 0 {
    return reshape(x, [2, N / 2])
}

fn of_even<N: Dim>(x: Tensor[N; f32]) -> Tensor[2, N / 2; f32] where N % 2 == 0 {
    return halves(x)
}
",
    },
    CodeInfo {
        code: "E2207",
        title: "shapes that cannot be proven to broadcast",
        explanation: "Shapes are aligned at their last axes; each pair of axes is provably equal, or one of them is \
                      1. A dimension that happens to fit is not enough.",
        example: "module sums

fn add<N: Dim, M: Dim>(a: Tensor[N; f32], b: Tensor[M; f32]) -> Tensor[N; f32] {
    return a + b
}
",
        fixed: "module sums

fn add<N: Dim, M: Dim>(a: Tensor[M, N; f32], b: Tensor[N; f32]) -> Tensor[M, N; f32] {
    return a + b
}
",
    },
    CodeInfo {
        code: "E2208",
        title: "a provably negative dimension",
        explanation: "A compile-time integer may be negative, the extent of an axis may not.",
        example: "module shapes

fn nothing(x: Tensor[2 - 3; f32]) -> i64 {
    return 0
}
",
        fixed: "module shapes

fn nothing(x: Tensor[3 - 2; f32]) -> i64 {
    return 0
}
",
    },
    CodeInfo {
        code: "E2209",
        title: "an invalid index or slice bound",
        explanation: "A compile-time index and the bounds of a slice lie provably within the axis; steps are \
                      positive constants, and no index counts from the end.",
        example: "module ends

fn last(x: Tensor[4; f32]) -> f32 {
    return x[4]
}
",
        fixed: "module ends

fn last(x: Tensor[4; f32]) -> f32 {
    return x[3]
}
",
    },
    CodeInfo {
        code: "E2210",
        title: "an invalid axis or permutation",
        explanation: "An axis is counted from 0, or from the back with -1, within the tensor's rank and without \
                      counting across a pack. A permutation names every axis once.",
        example: "module turns

fn turn<N: Dim, M: Dim>(x: Tensor[N, M; f32]) -> Tensor[M, N; f32] {
    return permute(x, [1, 1])
}
",
        fixed: "module turns

fn turn<N: Dim, M: Dim>(x: Tensor[N, M; f32]) -> Tensor[M, N; f32] {
    return permute(x, [1, 0])
}
",
    },
];
