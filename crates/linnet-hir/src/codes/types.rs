//! E21: types, calls, statements.

use super::CodeInfo;

pub(super) const CODES: &[CodeInfo] = &[
    CodeInfo {
        code: "E2101",
        title: "a value of another type than required",
        explanation: "A result, an argument, a field or an annotated local asks for one type and got a value of \
                      another. Linnet converts nothing by itself.",
        example: "module pairs

fn twice(x: f32) -> (f32, f32) {
    return x
}
",
        fixed: "module pairs

fn twice(x: f32) -> (f32, f32) {
    return (x, x)
}
",
    },
    CodeInfo {
        code: "E2102",
        title: "a wrong number of arguments, an unknown keyword, a missing argument",
        explanation: "A call gives each parameter without a default exactly one value: first by place, then by \
                      name. A struct is built with every field named.",
        example: "module scaling

fn scale(x: f32, by: f32) -> f32 {
    return x * by
}

fn double(x: f32) -> f32 {
    return scale(x)
}
",
        fixed: "module scaling

fn scale(x: f32, by: f32) -> f32 {
    return x * by
}

fn double(x: f32) -> f32 {
    return scale(x, by = 2.0)
}
",
    },
    CodeInfo {
        code: "E2103",
        title: "operands or arguments of different dtypes",
        explanation: "Dtypes are never promoted silently, because that changes both cost and result. Convert one \
                      side with `cast<T>(x)`, where the reader can see it.",
        example: "module sums

fn add(x: f32, y: f16) -> f32 {
    return x + y
}
",
        fixed: "module sums

fn add(x: f32, y: f16) -> f32 {
    return x + cast<f32>(y)
}
",
    },
    CodeInfo {
        code: "E2104",
        title: "an operator on a type that it does not take",
        explanation: "Arithmetic is for numbers, bitwise operators for integers and bools. Bools compare by `==` \
                      and `!=` only, and an unsigned integer has no unary `-`.",
        example: "module signs

fn negate(x: u8) -> u8 {
    return -x
}
",
        fixed: "module signs

fn negate(x: i8) -> i8 {
    return -x
}
",
    },
    CodeInfo {
        code: "E2105",
        title: "a literal that does not fit its dtype",
        explanation: "A literal takes the dtype that its place asks for, if its value fits: no fraction in an \
                      integer, nothing beyond the dtype's range. Rounding a float is fine.",
        example: "module limits

const LIMIT: u8 = 300
",
        fixed: "module limits

const LIMIT: u16 = 300
",
    },
    CodeInfo {
        code: "E2106",
        title: "a call of something that is not callable",
        explanation: "Functions, ops, entries and built-in functions are called, and structs are built by calling \
                      their name. Nothing else stands before `(..)`.",
        example: "module sizes

const WIDTH = 4

fn area() -> i64 {
    return WIDTH(2)
}
",
        fixed: "module sizes

const WIDTH = 4

fn area() -> i64 {
    return WIDTH * 2
}
",
    },
    CodeInfo {
        code: "E2107",
        title: "no such field, member, method or variant",
        explanation: "What stands after the dot is not declared in the struct, block, enum or module before it.",
        example: "module points

struct Point {
    x: f32,
    y: f32,
}

fn height(p: Point) -> f32 {
    return p.z
}
",
        fixed: "module points

struct Point {
    x: f32,
    y: f32,
}

fn height(p: Point) -> f32 {
    return p.y
}
",
    },
    CodeInfo {
        code: "E2108",
        title: "an assignment to what is not a `var` or the block's own `state`",
        explanation: "A `let`, a parameter, a constant and a `param` never change. Declare a local with `var` to \
                      assign it; of a block's members only its own `state` can be.",
        example: "module sums

fn add(x: f32) -> f32 {
    let total = x
    total = total + 1.0
    return total
}
",
        fixed: "module sums

fn add(x: f32) -> f32 {
    var total = x
    total = total + 1.0
    return total
}
",
    },
    CodeInfo {
        code: "E2109",
        title: "an assignment that would change a type",
        explanation: "A `var` or `state` keeps the type that it was declared with, dtype and shape included. Use a \
                      new name for a value of another type.",
        example: "module flags

fn keep(x: f32, flag: bool) -> f32 {
    var y = x
    y = flag
    return y
}
",
        fixed: "module flags

fn keep(x: f32, flag: bool) -> f32 {
    var y = x
    y = if flag { x } else { 0.0 }
    return y
}
",
    },
    CodeInfo {
        code: "E2110",
        title: "a generic that cannot be inferred",
        explanation: "Generic arguments are found from the types of the arguments. Where those do not settle one, \
                      write it: `f<4>(..)`, in the order of the declaration.",
        example: "module zeros

fn zeros<N: Dim>() -> Tensor[N; f32] {
    return fill<f32>([N], 0.0)
}

fn four() -> Tensor[4; f32] {
    return zeros()
}
",
        fixed: "module zeros

fn zeros<N: Dim>() -> Tensor[N; f32] {
    return fill<f32>([N], 0.0)
}

fn four() -> Tensor[4; f32] {
    return zeros<4>()
}
",
    },
    CodeInfo {
        code: "E2111",
        title: "a wrong number or kind of generic arguments, or a star that does not fit its kind",
        explanation: "Each generic takes an argument of its kind: a dimension for `Dim`, a bracketed list for \
                      `*S: Shape`, a dtype for the others. Only a `Shape` is declared with a star, and always.",
        example: "module zeros

fn zeros<N: Dim>() -> Tensor[N; f32] {
    return fill<f32>([N], 0.0)
}

fn four() -> Tensor[4; f32] {
    return zeros<4, 8>()
}
",
        fixed: "module zeros

fn zeros<N: Dim>() -> Tensor[N; f32] {
    return fill<f32>([N], 0.0)
}

fn four() -> Tensor[4; f32] {
    return zeros<4>()
}
",
    },
    CodeInfo {
        code: "E2112",
        title: "a dtype outside the class of its generic or built-in function",
        explanation: "`Float`, `Integer` and `Numeric` say which dtypes a generic takes; built-in functions have \
                      their classes too (`exp` takes floats). Convert the argument with `cast`.",
        example: "module halves

fn half<T: Float>(x: T) -> T {
    return x * 0.5
}

fn of_count(n: i32) -> i32 {
    return half(n)
}
",
        fixed: "module halves

fn half<T: Float>(x: T) -> T {
    return x * 0.5
}

fn of_count(n: i32) -> f32 {
    return half(cast<f32>(n))
}
",
    },
    CodeInfo {
        code: "E2113",
        title: "`none` with no optional type in context",
        explanation: "`none` is a value of many types. Say which one is meant: annotate the local, or write it \
                      where an optional type is asked for.",
        example: "module defaults

fn start(x: f32) -> f32 {
    let given = none
    return match given {
        some(v) => v
        none => x
    }
}
",
        fixed: "module defaults

fn start(x: f32) -> f32 {
    let given: f32? = none
    return match given {
        some(v) => v
        none => x
    }
}
",
    },
    CodeInfo {
        code: "E2114",
        title: "a condition that is not a scalar `bool`",
        explanation: "`if` and `while` decide once, so their condition is one bool; compare a number with \
                      something. `select` decides for each element and takes a tensor of bools.",
        example: "module steps

fn step(x: f32) -> f32 {
    return if x { 1.0 } else { 0.0 }
}
",
        fixed: "module steps

fn step(x: f32) -> f32 {
    return if x > 0.0 { 1.0 } else { 0.0 }
}
",
    },
    CodeInfo {
        code: "E2115",
        title: "branches of different types",
        explanation: "Both sides of an `if`, and all arms of a `match`, have one type: it is the type of the whole.",
        example: "module choices

fn choose(flag: bool, x: f32, y: f16) -> f32 {
    let chosen = if flag { x } else { (x, y) }
    return chosen
}
",
        fixed: "module choices

fn choose(flag: bool, x: f32, y: f16) -> f32 {
    let chosen = if flag { x } else { cast<f32>(y) }
    return chosen
}
",
    },
    CodeInfo {
        code: "E2116",
        title: "`&&`, `||` or `!` on what is not a scalar `bool`",
        explanation: "These three decide once. For tensors of bools use `&`, `|` and `== false`, which work on each \
                      element.",
        example: "module masks

fn both<N: Dim>(a: Tensor[N; bool], b: Tensor[N; bool]) -> Tensor[N; bool] {
    return a && b
}
",
        fixed: "module masks

fn both<N: Dim>(a: Tensor[N; bool], b: Tensor[N; bool]) -> Tensor[N; bool] {
    return a & b
}
",
    },
    CodeInfo {
        code: "E2117",
        title: "a pattern that cannot match the value",
        explanation: "A tuple pattern takes apart a tuple of as many parts, `some(..)` and `none` an optional, a \
                      variant's name an enum.",
        example: "module pairs

fn first(x: f32) -> f32 {
    let (a, _b) = x
    return a
}
",
        fixed: "module pairs

fn first(x: (f32, f32)) -> f32 {
    let (a, _b) = x
    return a
}
",
    },
    CodeInfo {
        code: "E2118",
        title: "a `match` that misses a case",
        explanation: "A `match` covers `some` and `none`, or every variant of its enum, or ends with `_`.",
        example: "module pooling

enum Pooling { Mean, Last }

fn code(pooling: Pooling) -> i64 {
    return match pooling {
        Mean => 0
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
        code: "E2119",
        title: "a function that calls itself, directly or not",
        explanation: "Programs are unrolled into graphs, so no function may lead back to itself. Use `for` or \
                      `while` for repetition.",
        example: "module powers

fn halve(x: f32) -> f32 {
    return if x < 1.0 { x } else { halve(x * 0.5) }
}
",
        fixed: "module powers

fn halve(x: f32) -> f32 {
    var y = x
    while y >= 1.0 {
        y = y * 0.5
    }
    return y
}
",
    },
    CodeInfo {
        code: "E2120",
        title: "no final `return`, or a `return` in a loop",
        explanation: "A function with a result ends with `return`, once and at its end. Carry a value out of a loop \
                      in a `var`.",
        example: "module scaling

fn double(x: f32) -> f32 {
    let y = x * 2.0
}
",
        fixed: "module scaling

fn double(x: f32) -> f32 {
    let y = x * 2.0
    return y
}
",
    },
    CodeInfo {
        code: "E2121",
        title: "`static for` over what is not a block array or a compile-time range",
        explanation: "A `static for` is unrolled while compiling, so its range or array must be known then. A count \
                      that is only known at run time needs a `while`.",
        example: "module counting

fn count(n: i64) -> i64 {
    var total = 0
    static for i in 0..n {
        total = total + i
    }
    return total
}
",
        fixed: "module counting

fn count<N: Dim>(x: Tensor[N; f32]) -> i64 {
    var total = 0
    static for i in 0..N {
        total = total + i
    }
    return total
}
",
    },
    CodeInfo {
        code: "E2122",
        title: "a constant, alias, struct or block defined by itself",
        explanation: "A value holds all of its parts, so a definition that leads back to itself would never end. \
                      That the part is optional or an array changes nothing.",
        example: "module lists

struct Node {
    value: f32,
    next: Node?,
}
",
        fixed: "module lists

struct Node {
    value: f32,
    next: f32?,
}
",
    },
    CodeInfo {
        code: "E2123",
        title: "not a compile-time integer where one is required",
        explanation: "Shapes, axes, steps and the bounds of `for` are known while compiling: built from literals, \
                      `Dim` generics and integer constants. A value computed at run time cannot stand there.",
        example: "module counting

fn count(n: i64) -> i64 {
    var total = 0
    for i in 0..n {
        total = total + i
    }
    return total
}
",
        fixed: "module counting

fn count<N: Dim>(x: Tensor[N; f32]) -> i64 {
    var total = 0
    for i in 0..N {
        total = total + i
    }
    return total
}
",
    },
    CodeInfo {
        code: "E2124",
        title: "a `yield` outside a scan, a scan without one, or a scan used as an operand",
        explanation: "A `for` as the whole right-hand side of `let` or `var` is a scan: its body ends with `yield`, \
                      and the values are stacked along a new first axis. Elsewhere there is nothing to yield to.",
        example: "module stacks

fn stack(x: f32) -> Tensor[4; f32] {
    for i in 0..4 {
        yield x * cast<f32>(i)
    }
    return fill<f32>([4], x)
}
",
        fixed: "module stacks

fn stack(x: f32) -> Tensor[4; f32] {
    let all = for i in 0..4 {
        yield x * cast<f32>(i)
    }
    return all
}
",
    },
    CodeInfo {
        code: "E2125",
        title: "a `grad` clause on what cannot have one",
        explanation: "Only an `op` has a gradient of its own. It returns one floating tensor, takes at least one \
                      parameter written `Tensor[..]` of a floating dtype, and none that is optional or a tuple.",
        example: "module scaling

fn double<N: Dim>(x: Tensor[N; f32]) -> Tensor[N; f32] {
    return x * 2.0
} grad(y, dy) {
    return dy * 2.0
}
",
        fixed: "module scaling

op double<N: Dim>(x: Tensor[N; f32]) -> Tensor[N; f32] {
    return x * 2.0
} grad(y, dy) {
    return dy * 2.0
}
",
    },
    CodeInfo {
        code: "E2128",
        title: "an alias that stands for too large a type",
        explanation: "Aliases are written out where they are used, and aliases of tuples of aliases grow with each step. \
                      A type of more than 4096 parts is refused.",
        example: "module sizes

type P0 = (f32, f32)
type P1 = (P0, P0)
type P2 = (P1, P1)
type P3 = (P2, P2)
type P4 = (P3, P3)
type P5 = (P4, P4)
type P6 = (P5, P5)
type P7 = (P6, P6)
type P8 = (P7, P7)
type P9 = (P8, P8)
type P10 = (P9, P9)
type P11 = (P10, P10)

fn first(x: f32, _all: P11) -> f32 {
    return x
}
",
        fixed: "module sizes

type Pair = (f32, f32)

fn first(x: f32, _all: Pair) -> f32 {
    return x
}
",
    },
    CodeInfo {
        code: "E2190",
        title: "a language feature that is not implemented yet",
        explanation: "The name is reserved and its meaning is not settled: `pad`, `gather` and `scatter`. Padding \
                      can be written with `concat`, gathering with an access such as `x[rows[i]]`.",
        example: "module padding

fn padded(x: Tensor[4; f32]) -> Tensor[6; f32] {
    return pad(x, 1)
}
",
        fixed: "module padding

fn padded(x: Tensor[4; f32]) -> Tensor[6; f32] {
    let zero = fill<f32>([1], 0.0)
    return concat(zero, x, zero, axis = 0)
}
",
    },
];
