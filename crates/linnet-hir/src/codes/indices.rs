//! E3: index notation.

use super::CodeInfo;

pub(super) const CODES: &[CodeInfo] = &[
    CodeInfo {
        code: "E3101",
        title: "an index neither output nor reduced",
        explanation: "Every index is listed on the left, or bound by a reduction such as `sum[k]`. An index that is \
                      neither has no meaning, and is often a misspelled name.",
        example: "module rows

fn totals<N: Dim, M: Dim>(x: Tensor[N, M; f32]) -> Tensor[N; f32] {
    let y[i] = x[i, j]
    return y
}
",
        fixed: "module rows

fn totals<N: Dim, M: Dim>(x: Tensor[N, M; f32]) -> Tensor[N; f32] {
    let y[i] = sum[j] x[i, j]
    return y
}
",
    },
    CodeInfo {
        code: "E3102",
        title: "a reduction index that indexes nothing",
        explanation: "A reduced index gets its range from the axes that it indexes. One that indexes none has no \
                      range.",
        example: "module rows

fn totals<N: Dim>(x: Tensor[N; f32]) -> Tensor[N; f32] {
    let y[i] = sum[k] x[i]
    return y
}
",
        fixed: "module rows

fn totals<N: Dim, K: Dim>(x: Tensor[N, K; f32]) -> Tensor[N; f32] {
    let y[i] = sum[k] x[i, k]
    return y
}
",
    },
    CodeInfo {
        code: "E3103",
        title: "an output index that indexes nothing",
        explanation: "An output index gets its range from the axes that it indexes on the right. To repeat a value \
                      along a new axis use `broadcast_to`.",
        example: "module rows

fn widen<N: Dim>(x: Tensor[N; f32]) -> Tensor[N; f32] {
    let y[i, j] = x[i]
    return y[:, 0]
}
",
        fixed: "module rows

fn widen<N: Dim>(x: Tensor[N; f32]) -> Tensor[N; f32] {
    let y[i] = x[i]
    return y
}
",
    },
    CodeInfo {
        code: "E3104",
        title: "an expression that is not valid in index notation",
        explanation: "An index is a position, not a number: `x[i + 1]` and `i * 2` have no meaning, nor has a \
                      slice, an `if` or a `match` that depends on one. `iota(N)[i]` gives an index's value.",
        example: "module shifts

fn next<N: Dim>(x: Tensor[N; f32]) -> Tensor[N; f32] {
    let y[i] = x[i + 1]
    return y
}
",
        fixed: "module shifts

fn next<N: Dim>(x: Tensor[N + 1; f32]) -> Tensor[N; f32] {
    return x[1:N + 1]
}
",
    },
    CodeInfo {
        code: "E3105",
        title: "an index listed twice",
        explanation: "The outputs on the left, and the indices of one reduction, are all different. To take a \
                      diagonal, repeat the index in the access: `x[i, i]`.",
        example: "module sums

fn total<N: Dim>(x: Tensor[N; f32]) -> f32 {
    return sum[k, k] x[k]
}
",
        fixed: "module sums

fn total<N: Dim>(x: Tensor[N; f32]) -> f32 {
    return sum[k] x[k]
}
",
    },
    CodeInfo {
        code: "E3106",
        title: "a pack index where a plain one is needed, or the reverse",
        explanation: "`*s` stands for all axes of a shape pack at once, a plain index for one axis.",
        example: "module copies

fn copy<N: Dim>(x: Tensor[N; f32]) -> Tensor[N; f32] {
    let y[*n] = x[*n]
    return y
}
",
        fixed: "module copies

fn copy<N: Dim>(x: Tensor[N; f32]) -> Tensor[N; f32] {
    let y[n] = x[n]
    return y
}
",
    },
];
