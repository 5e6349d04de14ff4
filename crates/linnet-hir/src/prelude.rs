//! The functions that every module has without importing them.

/// A prelude function.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub enum Builtin {
    Cast,
    Exp,
    Log,
    Sqrt,
    Rsqrt,
    Sin,
    Cos,
    Tanh,
    Abs,
    Min,
    Max,
    Select,
    Reshape,
    BroadcastTo,
    Permute,
    Concat,
    Iota,
    Fill,
    Shl,
    Shr,
    Pad,
    Gather,
    Scatter,
    Cumsum,
}

impl Builtin {
    const ALL: [(Builtin, &'static str); 24] = [
        (Builtin::Cast, "cast"),
        (Builtin::Exp, "exp"),
        (Builtin::Log, "log"),
        (Builtin::Sqrt, "sqrt"),
        (Builtin::Rsqrt, "rsqrt"),
        (Builtin::Sin, "sin"),
        (Builtin::Cos, "cos"),
        (Builtin::Tanh, "tanh"),
        (Builtin::Abs, "abs"),
        (Builtin::Min, "min"),
        (Builtin::Max, "max"),
        (Builtin::Select, "select"),
        (Builtin::Reshape, "reshape"),
        (Builtin::BroadcastTo, "broadcast_to"),
        (Builtin::Permute, "permute"),
        (Builtin::Concat, "concat"),
        (Builtin::Iota, "iota"),
        (Builtin::Fill, "fill"),
        (Builtin::Shl, "shl"),
        (Builtin::Shr, "shr"),
        (Builtin::Pad, "pad"),
        (Builtin::Gather, "gather"),
        (Builtin::Scatter, "scatter"),
        (Builtin::Cumsum, "cumsum"),
    ];

    pub fn parse(name: &str) -> Option<Builtin> {
        Builtin::ALL
            .iter()
            .find(|(_, n)| *n == name)
            .map(|(b, _)| *b)
    }

    pub fn name(self) -> &'static str {
        Builtin::ALL
            .iter()
            .find(|(b, _)| *b == self)
            .map_or("", |(_, n)| n)
    }
}
