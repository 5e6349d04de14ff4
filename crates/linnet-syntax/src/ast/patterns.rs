//! Patterns.

use super::*;

ast_enum! {
    /// What a `let` or a match arm takes a value apart with.
    Pattern {
        /// A name; in an arm on an enum, a variant
        Ident(IdentPat),
        /// `_`
        Wildcard(WildcardPat),
        /// `(a, b)`
        Tuple(TuplePat),
        /// `some(p)`
        Some(SomePat),
        /// `none`
        None(NonePat),
    }
}
ast_node! {
    /// A name in a pattern
    IdentPat = IDENT_PAT
}
ast_node! {
    /// `_`
    WildcardPat = WILDCARD_PAT
}
ast_node! {
    /// `(a, b)`; `(a)` too, which is `a` in parentheses
    TuplePat = TUPLE_PAT
}
ast_node! {
    /// `some(p)`
    SomePat = SOME_PAT
}
ast_node! {
    /// `none`
    NonePat = NONE_PAT
}

accessors! { IdentPat {
    /// The name.
    name = IDENT;
} }

accessors! { TuplePat {
    /// The patterns in the parentheses.
    patterns => Pattern;
} }

impl TuplePat {
    /// Whether it is a tuple: `(a)` without a comma is `a` in parentheses.
    pub fn has_comma(&self) -> bool {
        token(&self.syntax, COMMA).is_some()
    }
}

accessors! { SomePat {
    /// The pattern in the parentheses.
    pattern -> Pattern;
} }
