//! Operators as values.

use crate::{SyntaxKind, SyntaxKind::*};

/// Declares an enum of operators with their tokens.
macro_rules! operators {
    ($(#[$doc:meta])* $name:ident { $($variant:ident = $kind:ident $text:literal,)* }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
        pub enum $name {
            $(#[doc = concat!("`", $text, "`")] $variant,)*
        }

        impl $name {
            /// The operator of a token.
            pub fn from_kind(kind: SyntaxKind) -> Option<$name> {
                match kind {
                    $($kind => Some($name::$variant),)*
                    _ => None,
                }
            }

            /// As written in source.
            pub fn text(self) -> &'static str {
                match self {
                    $($name::$variant => $text,)*
                }
            }
        }
    };
}

operators! {
    /// The comparisons, the only operators of a `where` constraint.
    CompareOp {
        Eq = EQ2 "==",
        Ne = NEQ "!=",
        Lt = LT "<",
        Le = LTEQ "<=",
        Gt = GT ">",
        Ge = GTEQ ">=",
    }
}

operators! {
    /// The operators between two operands.
    BinaryOp {
        Or = PIPE2 "||",
        And = AMP2 "&&",
        Eq = EQ2 "==",
        Ne = NEQ "!=",
        Lt = LT "<",
        Le = LTEQ "<=",
        Gt = GT ">",
        Ge = GTEQ ">=",
        BitOr = PIPE "|",
        BitXor = CARET "^",
        BitAnd = AMP "&",
        Add = PLUS "+",
        Sub = MINUS "-",
        Mul = STAR "*",
        Div = SLASH "/",
        Rem = PERCENT "%",
    }
}

operators! {
    /// The operators before an operand.
    UnaryOp {
        Not = BANG "!",
        Neg = MINUS "-",
        Plus = PLUS "+",
    }
}

/// The reductions of index notation.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Reducer {
    /// `sum`
    Sum,
    /// `prod`
    Prod,
    /// `max`
    Max,
    /// `min`
    Min,
    /// `any`
    Any,
    /// `all`
    All,
}

impl Reducer {
    /// The reduction of a name.
    pub fn from_text(text: &str) -> Option<Reducer> {
        Some(match text {
            "sum" => Reducer::Sum,
            "prod" => Reducer::Prod,
            "max" => Reducer::Max,
            "min" => Reducer::Min,
            "any" => Reducer::Any,
            "all" => Reducer::All,
            _ => return None,
        })
    }

    /// As written in source.
    pub fn text(self) -> &'static str {
        match self {
            Reducer::Sum => "sum",
            Reducer::Prod => "prod",
            Reducer::Max => "max",
            Reducer::Min => "min",
            Reducer::Any => "any",
            Reducer::All => "all",
        }
    }
}
