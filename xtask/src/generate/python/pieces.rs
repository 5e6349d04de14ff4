//! The parts that modules are made of, each doing what its Linnet counterpart does.

use crate::generate::plan::Export;
use crate::generate::rng::Rng;

pub const IMPORTS: &str = "\
from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from enum import Enum, auto
from typing import Generic, TypeVar

from twin_std.layers import LayerNorm, Linear, RmsNorm, counted, gelu, relu, silu
from twin_std.tensor import Tensor, add, concat, multiply, scale, subtract
";

pub const MODES: [&str; 3] = ["SOFT", "HARD", "PLAIN"];

pub fn export(export: Export, n: usize, rng: &mut Rng) -> String {
    match export {
        Export::Op => op(n, rng),
        Export::Struct => stats(n, rng),
        Export::Enum => mode(n, rng),
        Export::Heads => heads(n, rng),
    }
}

fn float(rng: &mut Rng) -> String {
    format!("0.{:02}", 1 + rng.below(99))
}

/// An expression over a float of this name.
fn scalar(x: &str, rng: &mut Rng) -> String {
    let c = float(rng);
    match rng.below(7) {
        0 => format!("math.tanh({x} * {c})"),
        1 => format!("{x} * {x} + {c}"),
        2 => format!("math.sqrt(abs({x}) + {c})"),
        3 => format!("math.exp(-abs({x})) - {c}"),
        4 => format!("max({x}, {c} * {x})"),
        5 => format!("{x} if {x} > {c} else -{x}"),
        _ => format!("math.sin({x} + {c}) * math.cos({x})"),
    }
}

/// `count` lines, each an elementwise step on the one before; the name of the last.
fn chain(first: &str, name: &str, count: usize, rng: &mut Rng) -> (String, String) {
    let mut text = String::new();
    let mut last = first.to_owned();
    for i in 0..count {
        text.push_str(&format!(
            "    {name}{i} = {last}.map(lambda v: {})\n",
            scalar("v", rng)
        ));
        last = format!("{name}{i}");
    }
    (text, last)
}

fn op(n: usize, rng: &mut Rng) -> String {
    let (steps, last) = chain("normal", "step", 1 + rng.below(3), rng);
    format!(
        "\
@counted
def mix_{n:04}(x: Tensor[float], weight: Tensor[float], eps: float = 1e-5) -> Tensor[float]:
    \"\"\"Scales the last axis to unit spread, bends it, and weighs it.\"\"\"
    data: list[float] = []
    for row in x.rows():
        inverse = 1.0 / math.sqrt(sum(v * v for v in row) / len(row) + eps)
        data.extend(v * inverse for v in row)
    normal = Tensor(x.shape, data)
{steps}    return multiply({last}, weight)"
    )
}

fn stats(n: usize, rng: &mut Rng) -> String {
    let c = float(rng);
    format!(
        "\
@dataclass(frozen=True)
class Stats{n:04}(Generic[T]):
    \"\"\"What `stats_{n:04}` finds in the columns.\"\"\"

    mean: Tensor[T]
    spread: Tensor[T]


def stats_{n:04}(x: Tensor[float]) -> Stats{n:04}[float]:
    \"\"\"Mean and inverse spread of each column.\"\"\"
    columns = list(zip(*x.rows()))
    mean = [sum(column) / len(column) for column in columns]
    squares = [sum((v - m) ** 2 for v in column) for column, m in zip(columns, mean)]
    spread = [1.0 / math.sqrt(square / len(x) + {c}) for square in squares]
    width = len(columns)
    return Stats{n:04}(mean=Tensor((width,), mean), spread=Tensor((width,), spread))"
    )
}

fn mode(n: usize, rng: &mut Rng) -> String {
    let [a, b] = [float(rng), float(rng)];
    format!(
        "\
class Mode{n:04}(Enum):
    \"\"\"How `shape_{n:04}` bends its argument.\"\"\"

    SOFT = auto()
    HARD = auto()
    PLAIN = auto()


def shape_{n:04}(mode: Mode{n:04}, x: Tensor[float]) -> Tensor[float]:
    \"\"\"Bends every element as `mode` says.\"\"\"
    match mode:
        case Mode{n:04}.SOFT:
            return x.map(lambda v: math.tanh(v * {a}))
        case Mode{n:04}.HARD:
            return x.map(lambda v: min(max(v, -{b}), {b}))
        case Mode{n:04}.PLAIN:
            return x"
    )
}

fn heads(n: usize, rng: &mut Rng) -> String {
    let step = scalar("v", rng);
    format!(
        "\
def split_{n:04}(x: Tensor[float], heads: int) -> Tensor[float]:
    \"\"\"`[b, s, heads * d]` to `[b, heads, s, d]`.\"\"\"
    batch, length, width = x.shape
    split = x.reshape(batch, length, heads, width // heads).swap(1, 2)
    return split.map(lambda v: {step})


def merge_{n:04}(x: Tensor[T]) -> Tensor[T]:
    \"\"\"`[b, heads, s, d]` to `[b, s, heads * d]`.\"\"\"
    batch, heads, length, width = x.shape
    return x.swap(1, 2).reshape(batch, length, heads * width)"
    )
}

type Piece = fn(usize, &mut Rng) -> String;

pub const PRIVATE: &[Piece] = &[
    project, rotate, scan, settle, folded, flattened, masked, lookup, optional, strided, pooled,
    windows, spread_out, integers,
];

fn project(n: usize, rng: &mut Rng) -> String {
    let (steps, last) = chain("x", "pre", 1 + rng.below(3), rng);
    format!(
        "\
def _project{n}(x: Tensor[float], weight: Tensor[float]) -> Tensor[float]:
    \"\"\"The product with a weight of `[out, in]`.\"\"\"
{steps}    rows = weight.rows()
    data = [sum(a * b for a, b in zip(row, w)) for row in {last}.rows() for w in rows]
    return Tensor((*x.shape[:-1], len(rows)), data)"
    )
}

fn rotate(n: usize, rng: &mut Rng) -> String {
    let c = float(rng);
    format!(
        "\
def _rotate{n}(x: Tensor[float]) -> Tensor[float]:
    \"\"\"Turns the halves of the last axis into each other.\"\"\"
    half = x.shape[-1] // 2
    low = [v for row in x.rows() for v in row[:half]]
    high = [-v for row in x.rows() for v in row[half:]]
    shape = (*x.shape[:-1], half)
    turned = concat([Tensor(shape, high), Tensor(shape, low)])
    return add(scale(x, {c}), turned)"
    )
}

fn scan(n: usize, rng: &mut Rng) -> String {
    let c = float(rng);
    let step = scalar("v", rng);
    format!(
        "\
def _scan{n}(x: Tensor[float]) -> Iterator[Tensor[float]]:
    \"\"\"A recurrence over the first axis; every state is kept.\"\"\"
    state: list[float] = [0.0] * x.shape[-1]
    for row in x.rows():
        state = [s * {c} + v for s, v in zip(state, row)]
        yield Tensor((len(state),), state).map(lambda v: {step})"
    )
}

fn settle(n: usize, rng: &mut Rng) -> String {
    let c = float(rng);
    let step = scalar("v", rng);
    format!(
        "\
def _settle{n}(x: Tensor[float], steps: int) -> Tensor[float]:
    \"\"\"Repeats a step until it has been done `steps` times.\"\"\"
    y = x
    done = 0
    while done < steps:
        after = y.map(lambda v: {step})
        y = add(scale(y, {c}), after)
        done += 1
    return y"
    )
}

fn folded(n: usize, rng: &mut Rng) -> String {
    let (steps, last) = chain("rows", "bent", 1 + rng.below(2), rng);
    format!(
        "\
def _folded{n}(x: Tensor[float], k: int) -> Tensor[float]:
    \"\"\"The sum over every `k`th element.\"\"\"
    if k <= 0 or len(x) % k != 0:
        raise ValueError(k)
    rows = x.reshape(len(x) // k, k)
{steps}    return Tensor((k,), [sum(column) for column in zip(*{last}.rows())])"
    )
}

fn flattened(n: usize, rng: &mut Rng) -> String {
    let step = scalar("v", rng);
    format!(
        "\
def _flattened{n}(x: Tensor[float], a: int, b: int) -> Tensor[float]:
    \"\"\"Moves a factor of the first axis to the last.\"\"\"
    width = x.shape[-1]
    y = x.reshape(a, b, width).swap(1, 2)
    bent = y.map(lambda v: {step})
    return bent.reshape(a, width * b)"
    )
}

fn masked(n: usize, rng: &mut Rng) -> String {
    let width = 1 + rng.below(64);
    format!(
        "\
def _masked{n}(scores: Tensor[float]) -> Tensor[float]:
    \"\"\"Keeps the scores of the last {width} positions up to the query's own.\"\"\"
    queries, keys = scores.shape[-2:]
    seen: list[bool] = []
    for query in range(keys - queries, keys):
        seen.extend(key <= query and query - key < {width} for key in range(keys))
    mask = Tensor((queries, keys), [1.0 if s else 0.0 for s in seen])
    return scores.zip(mask, lambda score, keep: score if keep > 0.0 else -1e4)"
    )
}

fn lookup(n: usize, rng: &mut Rng) -> String {
    let c = float(rng);
    format!(
        "\
def _lookup{n}(ids: Tensor[int], table: Tensor[float]) -> Tensor[float]:
    \"\"\"The rows of a table, and a scaled copy of them, side by side.\"\"\"
    rows = table.rows()
    found = [v for i in ids for v in rows[i]]
    picked = Tensor((*ids.shape, table.shape[-1]), found)
    return concat([picked, scale(picked, {c})])"
    )
}

fn optional(n: usize, rng: &mut Rng) -> String {
    let step = scalar("v", rng);
    format!(
        "\
def _optional{n}(
    x: Tensor[float],
    bias: Tensor[float] | None = None,
    twice: bool = False,
) -> Tensor[float]:
    \"\"\"Adds what there is to add.\"\"\"
    bent = x.map(lambda v: {step})
    summed = bent if bias is None else add(bent, bias)
    return add(summed, summed) if twice else summed"
    )
}

fn strided(n: usize, rng: &mut Rng) -> String {
    let c = float(rng);
    format!(
        "\
def _strided{n}(x: Tensor[float]) -> Tensor[float]:
    \"\"\"Pairs of neighbours, each pair as one.\"\"\"
    even = [v for row in x.rows() for v in row[0::2]]
    odd = [v for row in x.rows() for v in row[1::2]]
    data = [e * {c} - o for e, o in zip(even, odd)]
    return Tensor((*x.shape[:-1], x.shape[-1] // 2), data)"
    )
}

fn pooled(n: usize, rng: &mut Rng) -> String {
    let (steps, last) = chain("y", "bent", rng.below(3), rng);
    format!(
        "\
def _pooled{n}(x: Tensor[float], g: int) -> Tensor[float]:
    \"\"\"The largest of each group of `g` channels.\"\"\"
    batch, channels, width = x.shape
    groups = x.reshape(batch, channels // g, g, width).swap(2, 3)
    y = Tensor((batch, channels // g, width), [max(row) for row in groups.rows()])
{steps}    return {last}"
    )
}

fn windows(n: usize, rng: &mut Rng) -> String {
    let c = float(rng);
    format!(
        "\
def _windows{n}(x: Sequence[T], gap: int, pick: Callable[[T, T], T]) -> list[T]:
    \"\"\"Each element and the one `gap` before it, made into one.\"\"\"
    late = x[gap:]
    early = x[: len(x) - gap]
    chosen = [pick(a, b) for a, b in zip(late, early)]
    return chosen if len(chosen) > {c} else []"
    )
}

fn spread_out(n: usize, rng: &mut Rng) -> String {
    let c = float(rng);
    format!(
        "\
def _spread{n}(a: Tensor[float], b: Tensor[float], batch: int) -> Tensor[float]:
    \"\"\"The outer product of two vectors, repeated for a batch.\"\"\"
    outer = Tensor((len(a), len(b)), [v * w for v in a for w in b])
    both = add(outer, scale(b, {c}))
    return Tensor((batch, *both.shape), both.data * batch)"
    )
}

fn integers(n: usize, rng: &mut Rng) -> String {
    let shift = 1 + rng.below(20);
    let mask = 1 + rng.below(255);
    format!(
        "\
def _integers{n}(a: Tensor[int], b: Tensor[int]) -> Tensor[int]:
    \"\"\"Packs three numbers into one.\"\"\"
    low = a.map(lambda v: v & {mask})
    high = b.map(lambda v: (v & {mask}) << {shift})
    packed = low.zip(high, lambda v, w: v | w)
    for _ in range(4):
        packed = packed.map(lambda v: v ^ (v >> {shift}))
    return packed"
    )
}

/// The fewest lines that `tail` is made of.
pub const LEAST_TAIL: usize = 4;

/// A function of exactly so many lines, or comments where there is no room for one.
pub fn tail(lines: usize, rng: &mut Rng) -> String {
    if lines < LEAST_TAIL {
        return vec!["# The rest is left to the layers above."; lines].join("\n");
    }
    let (steps, last) = chain("x", "step", lines - 3, rng);
    format!(
        "\
def _finish(x: Tensor[float]) -> Tensor[float]:
    \"\"\"Bends every element in small steps.\"\"\"
{steps}    return {last}"
    )
}
