//! The parts that modules are made of.

use crate::generate::plan::Export;
use crate::generate::rng::Rng;

/// The variants of every generated enum.
pub const MODES: [&str; 3] = ["Soft", "Hard", "Plain"];

/// What a module offers to others.
pub fn export(export: Export, n: usize, rng: &mut Rng) -> String {
    match export {
        Export::Op => op(n, rng),
        Export::Struct => stats(n, rng),
        Export::Enum => mode(n, rng),
        Export::Heads => heads(n, rng),
    }
}

/// A float such as `0.37`.
fn float(rng: &mut Rng) -> String {
    format!("0.{:02}", 1 + rng.below(99))
}

/// An elementwise expression over a float tensor of this name.
fn elementwise(x: &str, rng: &mut Rng) -> String {
    let c = float(rng);
    match rng.below(7) {
        0 => format!("tanh({x} * {c})"),
        1 => format!("{x} * {x} + {c}"),
        2 => format!("sqrt(abs({x}) + {c})"),
        3 => format!("exp(-abs({x})) - {c}"),
        4 => format!("max({x}, {c} * {x})"),
        5 => format!("select({x} > {c}, {x}, -{x})"),
        _ => format!("sin({x} + {c}) * cos({x})"),
    }
}

/// `count` lines, each an elementwise step on the one before; the name of the last.
fn chain(first: &str, name: &str, count: usize, rng: &mut Rng) -> (String, String) {
    let mut text = String::new();
    let mut last = first.to_owned();
    for i in 0..count {
        text.push_str(&format!(
            "    let {name}{i} = {}\n",
            elementwise(&last, rng)
        ));
        last = format!("{name}{i}");
    }
    (text, last)
}

fn op(n: usize, rng: &mut Rng) -> String {
    let count = 1 + rng.below(3);
    let (steps, last) = chain("normal", "step", count, rng);
    format!(
        "\
/// Scales the last axis to unit spread in `f32`, bends it, and weighs it: `[*S, H]` to `[*S, H]`.
pub op mix_{n:04}<*S: Shape, H: Dim, T: Float>(
    x: Tensor[*S, H; T],
    weight: Tensor[H; T],
    eps: f32 = 1e-5,
) -> Tensor[*S, H; T] {{
    let wide = cast<f32>(x)
    let squares[*s] = sum[h] wide[*s, h] * wide[*s, h]
    let inverse = rsqrt(squares / cast<f32>(H) + eps)
    let normal[*s, h] = wide[*s, h] * inverse[*s]
{steps}    return cast<T>({last}) * weight
}}"
    )
}

fn stats(n: usize, rng: &mut Rng) -> String {
    let c = float(rng);
    format!(
        "\
/// What `stats_{n:04}` finds in `N` columns.
pub struct Stats{n:04}<N: Dim, T: Float> {{
    mean: Tensor[N; T],
    spread: Tensor[N; T],
}}

/// Mean and inverse spread of each column, accumulated in `f32`.
pub fn stats_{n:04}<M: Dim, N: Dim, T: Float>(x: Tensor[M, N; T]) -> Stats{n:04}<N, T> {{
    let wide = cast<f32>(x)
    let total[n] = sum[m] wide[m, n]
    let mean = total / cast<f32>(M)
    let squares[n] = sum[m] (wide[m, n] - mean[n]) * (wide[m, n] - mean[n])
    let spread = rsqrt(squares / cast<f32>(M) + {c})
    return Stats{n:04}(mean = cast<T>(mean), spread = cast<T>(spread))
}}"
    )
}

fn mode(n: usize, rng: &mut Rng) -> String {
    let [a, b] = [float(rng), float(rng)];
    format!(
        "\
/// How `shape_{n:04}` bends its argument.
pub enum Mode{n:04} {{ Soft, Hard, Plain }}

/// Bends every element as `mode` says.
pub fn shape_{n:04}<*S: Shape, T: Float>(mode: Mode{n:04}, x: Tensor[*S; T]) -> Tensor[*S; T] {{
    let soft = tanh(x * {a})
    return match mode {{
        Soft => soft,
        Hard => min(max(x, -{b}), {b}),
        Plain => x,
    }}
}}"
    )
}

fn heads(n: usize, rng: &mut Rng) -> String {
    let step = elementwise("heads", rng);
    format!(
        "\
/// `[B, S, N * D]` to `[B, N, S, D]`.
pub fn split_{n:04}<N: Dim, D: Dim, B: Dim, S: Dim, T: Float>(
    x: Tensor[B, S, N * D; T],
) -> Tensor[B, N, S, D; T] {{
    let heads = permute(reshape(x, [B, S, N, D]), [0, 2, 1, 3])
    return {step}
}}

/// `[B, N, S, D]` to `[B, S, N * D]`.
pub fn merge_{n:04}<B: Dim, N: Dim, S: Dim, D: Dim, T: Float>(
    x: Tensor[B, N, S, D; T],
) -> Tensor[B, S, N * D; T] {{
    return reshape(permute(x, [0, 2, 1, 3]), [B, S, N * D])
}}"
    )
}

/// Makes a private piece of a number.
type Piece = fn(usize, &mut Rng) -> String;

/// What modules are filled with.
pub const PRIVATE: &[Piece] = &[
    project, rotate, scan, settle, folded, flattened, masked, lookup, optional, strided, pooled,
    windows, spread_out, integers,
];

fn project(n: usize, rng: &mut Rng) -> String {
    let (steps, last) = chain("x", "pre", 1 + rng.below(3), rng);
    format!(
        "\
/// The product with a weight of `[Out, In]`, accumulated in `f32`.
fn project{n}<*S: Shape, In: Dim, Out: Dim, T: Float>(
    x: Tensor[*S, In; T],
    weight: Tensor[Out, In; T],
) -> Tensor[*S, Out; T] {{
{steps}    let product[*s, o] = sum<f32>[i] cast<f32>({last}[*s, i]) * cast<f32>(weight[o, i])
    return cast<T>(product)
}}"
    )
}

fn rotate(n: usize, rng: &mut Rng) -> String {
    let c = float(rng);
    format!(
        "\
/// Turns the halves of the last axis into each other.
fn rotate{n}<*S: Shape, D: Dim, T: Float>(x: Tensor[*S, D; T]) -> Tensor[*S, D; T] where D % 2 == 0 {{
    let low = x[..., 0:D / 2]
    let high = x[..., D / 2:D]
    let turned = concat(-high, low, axis = -1)
    return x * {c} + turned
}}"
    )
}

fn scan(n: usize, rng: &mut Rng) -> String {
    let c = float(rng);
    let step = elementwise("kept", rng);
    format!(
        "\
/// A recurrence over the first axis; every state is kept.
fn scan{n}<N: Dim, B: Dim, T: Float>(x: Tensor[N, B; T]) -> Tensor[N, B; T] {{
    var kept = fill<T>([B], 0.0)
    let states = for t in 0..N {{
        kept = kept * {c} + x[t]
        yield {step}
    }}
    return states
}}"
    )
}

fn settle(n: usize, rng: &mut Rng) -> String {
    let c = float(rng);
    let step = elementwise("y", rng);
    format!(
        "\
/// Repeats a step until it has been done `steps` times.
fn settle{n}<*S: Shape>(x: Tensor[*S; f32], steps: i64) -> Tensor[*S; f32] {{
    var y = x
    var done = 0
    while done < steps {{
        let next = {step}
        y = y * {c} + next
        done = done + 1
    }}
    return y
}}"
    )
}

fn folded(n: usize, rng: &mut Rng) -> String {
    let (steps, last) = chain("rows", "bent", 1 + rng.below(2), rng);
    format!(
        "\
/// The sum over every `K`th element.
fn folded{n}<N: Dim, K: Dim>(x: Tensor[N; f32]) -> Tensor[K; f32] where K > 0, N % K == 0 {{
    let rows = reshape(x, [N / K, K])
{steps}    let total[k] = sum[r] {last}[r, k]
    return total
}}"
    )
}

fn flattened(n: usize, rng: &mut Rng) -> String {
    let step = elementwise("y", rng);
    format!(
        "\
/// Moves a factor of the first axis to the last.
fn flattened{n}<A: Dim, B: Dim, C: Dim, T: Float>(x: Tensor[A * B, C; T]) -> Tensor[A, C * B; T] {{
    let y = permute(reshape(x, [A, B, C]), [0, 2, 1])
    let bent = {step}
    return reshape(bent, [A, C * B])
}}"
    )
}

fn masked(n: usize, rng: &mut Rng) -> String {
    let width = 1 + rng.below(64);
    format!(
        "\
/// Keeps the scores of the last {width} positions up to the query's own.
fn masked{n}<B: Dim, Q: Dim, K: Dim, T: Float>(
    scores: Tensor[B, Q, K; T],
) -> Tensor[B, Q, K; T] where Q <= K {{
    let query = iota<i32>(Q) + cast<i32>(K - Q)
    let key = iota<i32>(K)
    let seen[q, k] = (key[k] <= query[q]) & (query[q] - key[k] < {width})
    return select(seen, scores, fill<T>([1], -1e4))
}}"
    )
}

fn lookup(n: usize, rng: &mut Rng) -> String {
    let c = float(rng);
    format!(
        "\
/// The rows of a table, and a scaled copy of them, side by side.
fn lookup{n}<*S: Shape, V: Dim, H: Dim, T: Float>(
    ids: Tensor[*S; i32],
    table: Tensor[V, H; T],
) -> Tensor[*S, 2 * H; T] {{
    let rows[*s, h] = table[ids[*s], h]
    return concat(rows, rows * {c}, axis = -1)
}}"
    )
}

fn optional(n: usize, rng: &mut Rng) -> String {
    let step = elementwise("x", rng);
    format!(
        "\
/// Adds what there is to add.
fn optional{n}<*S: Shape, H: Dim, T: Float>(
    x: Tensor[*S, H; T],
    bias: Tensor[H; T]? = none,
    twice: bool = false,
) -> Tensor[*S, H; T] {{
    let bent = {step}
    let total = match bias {{
        some(b) => bent + b,
        none => bent,
    }}
    return if twice {{ total + total }} else {{ total }}
}}"
    )
}

fn strided(n: usize, rng: &mut Rng) -> String {
    let c = float(rng);
    format!(
        "\
/// Pairs of neighbours, each pair as one.
fn strided{n}<*S: Shape, D: Dim, T: Float>(
    x: Tensor[*S, D; T],
) -> Tensor[*S, D / 2; T] where D % 2 == 0 {{
    let even = x[..., 0::2]
    let odd = x[..., 1::2]
    return even * {c} - odd
}}"
    )
}

fn pooled(n: usize, rng: &mut Rng) -> String {
    let (steps, last) = chain("y", "bent", rng.below(3), rng);
    format!(
        "\
/// The largest of each group of `G` channels.
fn pooled{n}<B: Dim, G: Dim, C: Dim, W: Dim>(
    x: Tensor[B, C, W; f32],
) -> Tensor[B, C / G, W; f32] where G > 0, C % G == 0 {{
    let groups = reshape(x, [B, C / G, G, W])
    let y[b, c, w] = max[g] groups[b, c, g, w]
{steps}    return {last}
}}"
    )
}

fn windows(n: usize, rng: &mut Rng) -> String {
    let c = float(rng);
    format!(
        "\
/// Differences of each element and the one `Gap` before it.
fn windows{n}<N: Dim, Gap: Dim, T: Float>(
    x: Tensor[N; T],
) -> Tensor[N - Gap; T] where N >= Gap {{
    let late = x[Gap:N]
    let early = x[0:N - Gap]
    return late - early * {c}
}}"
    )
}

fn spread_out(n: usize, rng: &mut Rng) -> String {
    let c = float(rng);
    format!(
        "\
/// The outer product of two vectors, repeated for a batch.
fn spread{n}<B: Dim, M: Dim, N: Dim, T: Float>(
    a: Tensor[M; T],
    b: Tensor[N; T],
) -> Tensor[B, M, N; T] {{
    let outer[m, n] = a[m] * b[n]
    let both[m, n] = outer[m, n] + b[n] * {c}
    return broadcast_to(both, [B, M, N])
}}"
    )
}

fn integers(n: usize, rng: &mut Rng) -> String {
    let shift = 1 + rng.below(20);
    let mask = 1 + rng.below(255);
    format!(
        "\
/// Packs three numbers into one.
fn integers{n}<*S: Shape, I: Integer>(a: Tensor[*S; i64], b: Tensor[*S; I]) -> Tensor[*S; i64] {{
    let low = a & {mask}
    let high = shl(cast<i64>(b) & {mask}, {shift})
    var packed = low | high
    for step in 0..4 {{
        packed = (packed ^ shr(packed, {shift})) + step
    }}
    return packed
}}"
    )
}

/// The fewest lines that `tail` is made of.
pub const LEAST_TAIL: usize = 5;

/// A function of exactly so many lines, or a comment where there is no room for one.
pub fn tail(lines: usize, rng: &mut Rng) -> String {
    if lines < LEAST_TAIL {
        return vec!["// The rest is left to the layers above."; lines].join("\n");
    }
    let (steps, last) = chain("x", "step", lines - 4, rng);
    format!(
        "\
/// Bends every element in small steps.
fn finish<*S: Shape>(x: Tensor[*S; f32]) -> Tensor[*S; f32] {{
{steps}    return {last}
}}"
    )
}
