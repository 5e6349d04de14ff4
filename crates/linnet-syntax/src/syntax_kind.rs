//! [`SyntaxKind`]: the kind of every token and node of the tree.

/// Declares the kinds once, with the text of the tokens that have a fixed one.
macro_rules! syntax_kinds {
    (
        trivia { $($(#[$trivia_doc:meta])* $trivia:ident,)* }
        classes { $($(#[$class_doc:meta])* $class:ident,)* }
        punctuation { $($punct:ident $punct_text:literal,)* }
        keywords { $($keyword:ident $keyword_text:literal,)* }
        reserved { $($reserved:ident $reserved_text:literal,)* }
        nodes { $($(#[$node_doc:meta])* $node:ident,)* }
    ) => {
        /// The kind of a token or node. Tokens come first, nodes after them.
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        #[allow(non_camel_case_types, clippy::upper_case_acronyms)]
        #[repr(u16)]
        pub enum SyntaxKind {
            $($(#[$trivia_doc])* $trivia,)*
            $($(#[$class_doc])* $class,)*
            $(#[doc = concat!("`", $punct_text, "`")] $punct,)*
            $(#[doc = concat!("`", $keyword_text, "`")] $keyword,)*
            $(#[doc = concat!("`", $reserved_text, "`, reserved without a meaning yet")] $reserved,)*
            $($(#[$node_doc])* $node,)*
        }

        impl SyntaxKind {
            /// Every kind, in the order of its number.
            pub const ALL: &'static [SyntaxKind] = &[
                $(SyntaxKind::$trivia,)*
                $(SyntaxKind::$class,)*
                $(SyntaxKind::$punct,)*
                $(SyntaxKind::$keyword,)*
                $(SyntaxKind::$reserved,)*
                $(SyntaxKind::$node,)*
            ];

            /// The keywords of the language, as written.
            pub const KEYWORDS: &'static [&'static str] = &[$($keyword_text,)*];

            /// The words refused as names beside the keywords, as written.
            pub const RESERVED_WORDS: &'static [&'static str] = &[$($reserved_text,)*];

            /// The text of a token that is always written the same way.
            pub const fn text(self) -> Option<&'static str> {
                match self {
                    $(SyntaxKind::$punct => Some($punct_text),)*
                    $(SyntaxKind::$keyword => Some($keyword_text),)*
                    $(SyntaxKind::$reserved => Some($reserved_text),)*
                    _ => None,
                }
            }

            /// The keyword or reserved word that `word` spells.
            pub fn from_word(word: &str) -> Option<SyntaxKind> {
                let packed = pack(word)?;
                match packed {
                    $(packed::$keyword => Some(SyntaxKind::$keyword),)*
                    $(packed::$reserved => Some(SyntaxKind::$reserved),)*
                    _ => None,
                }
            }

            /// A word with a meaning in the grammar, such as `let`.
            pub const fn is_keyword(self) -> bool {
                matches!(self, $(SyntaxKind::$keyword)|*)
            }

            /// A word refused as a name that has no meaning yet, such as `async`.
            pub const fn is_reserved_word(self) -> bool {
                matches!(self, $(SyntaxKind::$reserved)|*)
            }

            /// An operator, bracket or separator.
            pub const fn is_punctuation(self) -> bool {
                matches!(self, $(SyntaxKind::$punct)|*)
            }

            /// White space, a comment or a character that source cannot hold.
            pub const fn is_trivia(self) -> bool {
                matches!(self, $(SyntaxKind::$trivia)|*)
            }

            /// A leaf of the tree.
            pub const fn is_token(self) -> bool {
                !matches!(self, $(SyntaxKind::$node)|*)
            }
        }

        /// The words as numbers: an integer `match` is much faster than one on strings.
        #[allow(non_upper_case_globals)]
        mod packed {
            $(pub(super) const $keyword: u64 = super::pack_known($keyword_text);)*
            $(pub(super) const $reserved: u64 = super::pack_known($reserved_text);)*
        }
    };
}

syntax_kinds! {
    trivia {
        /// Blanks and line breaks.
        WHITESPACE,
        /// A byte-order mark at the start of the text.
        BOM,
        /// `// ...`
        LINE_COMMENT,
        /// `/* ... */`
        BLOCK_COMMENT,
        /// `/// ...`
        DOC_LINE_COMMENT,
        /// `/** ... */`
        DOC_BLOCK_COMMENT,
        /// Characters that source cannot hold (E1001).
        ERROR_TOKEN,
    }
    classes {
        /// The end of the text; never in a tree.
        EOF,
        /// An identifier.
        IDENT,
        /// `42`, `0xff`
        INT_NUMBER,
        /// `1.5`, `1e-5`
        FLOAT_NUMBER,
        /// `"..."`
        STRING,
        /// `sum`, `prod`, `max`, `min`, `any` or `all` where it begins a reduction.
        REDUCER_KW,
        /// `grad` where it begins a backward clause.
        GRAD_KW,
    }
    punctuation {
        L_PAREN "(",
        R_PAREN ")",
        L_BRACK "[",
        R_BRACK "]",
        L_CURLY "{",
        R_CURLY "}",
        COMMA ",",
        SEMICOLON ";",
        COLON ":",
        COLON2 "::",
        DOT ".",
        DOT2 "..",
        DOT3 "...",
        QUESTION "?",
        EQ "=",
        EQ2 "==",
        NEQ "!=",
        LT "<",
        LTEQ "<=",
        GT ">",
        GTEQ ">=",
        PLUS "+",
        MINUS "-",
        STAR "*",
        SLASH "/",
        PERCENT "%",
        AMP "&",
        AMP2 "&&",
        PIPE "|",
        PIPE2 "||",
        CARET "^",
        BANG "!",
        THIN_ARROW "->",
        FAT_ARROW "=>",
    }
    keywords {
        MODULE_KW "module",
        USE_KW "use",
        PUB_KW "pub",
        CRATE_KW "crate",
        SELF_KW "self",
        SUPER_KW "super",
        AS_KW "as",
        CONST_KW "const",
        TYPE_KW "type",
        STRUCT_KW "struct",
        ENUM_KW "enum",
        FN_KW "fn",
        OP_KW "op",
        BLOCK_KW "block",
        ENTRY_KW "entry",
        PARAM_KW "param",
        BUFFER_KW "buffer",
        STATE_KW "state",
        SUB_KW "sub",
        LET_KW "let",
        VAR_KW "var",
        RETURN_KW "return",
        IF_KW "if",
        ELSE_KW "else",
        MATCH_KW "match",
        STATIC_KW "static",
        FOR_KW "for",
        IN_KW "in",
        WHILE_KW "while",
        WHERE_KW "where",
        TRUE_KW "true",
        FALSE_KW "false",
        NONE_KW "none",
        SOME_KW "some",
        EXTERN_KW "extern",
        YIELD_KW "yield",
    }
    reserved {
        ASYNC_KW "async",
        AWAIT_KW "await",
        EFFECT_KW "effect",
        UNSAFE_KW "unsafe",
        MACRO_KW "macro",
        TRAIT_KW "trait",
        IMPL_KW "impl",
        DERIVE_KW "derive",
        RNG_KW "rng",
        MUT_KW "mut",
        REF_KW "ref",
        KERNEL_KW "kernel",
        DEVICE_KW "device",
    }
    nodes {
        /// Tokens that fit nowhere; their fault has been reported.
        ERROR,
        /// A whole file.
        SOURCE_FILE,
        /// `module a.b`
        MODULE_DECL,
        /// `a.b.c`
        PATH,
        /// `use a.b::{x, y as z}`
        USE_DECL,
        /// `{x, y as z}`
        USE_LIST,
        /// `x as y` in a `use`
        USE_NAME,
        /// `const N = 4`
        CONST,
        /// `type Row = Tensor[N; f32]`
        TYPE_ALIAS,
        /// `struct Moments { .. }`
        STRUCT,
        /// The braces of a struct and what they hold
        FIELD_LIST,
        /// `mean: f32`
        FIELD,
        /// `enum Pooling { .. }`
        ENUM,
        /// The braces of an enum and what they hold
        VARIANT_LIST,
        /// One name of an enum
        VARIANT,
        /// `fn f(..) -> T { .. }`
        FN,
        /// `op f(..) -> T { .. }`
        OP,
        /// `entry f(..) { .. }`
        ENTRY,
        /// `grad(y, dy) { .. }`
        GRAD_CLAUSE,
        /// `block Linear<..> { .. }`
        BLOCK,
        /// The braces of a block and what they hold
        MEMBER_LIST,
        /// `param weight: T`
        PARAM_MEMBER,
        /// `buffer mask: T`
        BUFFER_MEMBER,
        /// `state cache: T`
        STATE_MEMBER,
        /// `sub proj: Linear<..>`
        SUB_MEMBER,
        /// `<N: Dim, *S: Shape>`
        GENERIC_PARAMS,
        /// `N: Dim = 4`
        GENERIC_PARAM,
        /// `(x: T, y: T)`
        PARAM_LIST,
        /// `x: T = e`
        PARAM,
        /// `-> T`
        RESULT_TYPE,
        /// `where a == b, c > 0`
        WHERE_CLAUSE,
        /// `a == b`
        CONSTRAINT,
        /// `{ statements }`
        BODY,
        /// `let (a, b): T = e`
        LET_STMT,
        /// `let c[i, *s] = e`
        INDEX_LET_STMT,
        /// `i` or `*s` on the left of index notation or in a reduction's list
        INDEX_NAME,
        /// `var x: T = e`
        VAR_STMT,
        /// `x = e`
        ASSIGN_STMT,
        /// `return e`
        RETURN_STMT,
        /// `static for i in 0..N { .. }`
        STATIC_FOR_STMT,
        /// `while c { .. }`
        WHILE_STMT,
        /// `for i in 0..N { .. }`
        FOR_STMT,
        /// `yield e`
        YIELD_STMT,
        /// A name in a pattern
        IDENT_PAT,
        /// `_`
        WILDCARD_PAT,
        /// `(a, b)`
        TUPLE_PAT,
        /// `some(p)`
        SOME_PAT,
        /// `none`
        NONE_PAT,
        /// A number, string, `true` or `false`
        LITERAL,
        /// A name as a value
        NAME_EXPR,
        /// `(e)`
        PAREN_EXPR,
        /// `(a, b)`
        TUPLE_EXPR,
        /// `[a, *s]`
        LIST_EXPR,
        /// `*s` in a shape or an index
        SPREAD,
        /// `-e`
        UNARY_EXPR,
        /// `a + b`
        BINARY_EXPR,
        /// `f<A>(x)`
        CALL_EXPR,
        /// `<A, 2 * B, [C]>`
        GENERIC_ARGS,
        /// One of the generic arguments: a type or an expression
        GENERIC_ARG,
        /// `(x, axis = 1)`
        ARG_LIST,
        /// `axis = 1`
        ARG,
        /// `x[i, 1:3]`
        INDEX_EXPR,
        /// `[i, 1:3]`
        INDEX_LIST,
        /// `a:b:c`
        SLICE,
        /// `...` in an index
        REST_INDEX,
        /// `x.field`
        FIELD_EXPR,
        /// `if c { a } else { b }`
        IF_EXPR,
        /// `{ e }` of an `if`
        BRANCH,
        /// `match e { .. }`
        MATCH_EXPR,
        /// The braces of a match and what they hold
        MATCH_ARM_LIST,
        /// `some(x) => e`
        MATCH_ARM,
        /// `sum<f32>[k] e`
        REDUCE_EXPR,
        /// The bracketed names of a reduction or of a `let x[..]`
        INDEX_NAME_LIST,
        /// `some(e)`
        SOME_EXPR,
        /// `none`
        NONE_EXPR,
        /// `for i in a..b { .. yield e }` as a value
        SCAN_EXPR,
        /// `a.B<..>` or a dtype
        PATH_TYPE,
        /// `Tensor[N, *S; T]`
        TENSOR_TYPE,
        /// `(A, B)`
        TUPLE_TYPE,
        /// `[B; N]`
        ARRAY_TYPE,
        /// `T?`
        OPTIONAL_TYPE,
        /// A place in the event list that became nothing; never in a tree.
        TOMBSTONE,
    }
}

impl SyntaxKind {
    /// `//`, `/* */` and their doc forms.
    pub const fn is_comment(self) -> bool {
        use SyntaxKind::*;
        matches!(
            self,
            LINE_COMMENT | BLOCK_COMMENT | DOC_LINE_COMMENT | DOC_BLOCK_COMMENT
        )
    }

    /// `///` and `/** */`.
    pub const fn is_doc_comment(self) -> bool {
        matches!(
            self,
            SyntaxKind::DOC_LINE_COMMENT | SyntaxKind::DOC_BLOCK_COMMENT
        )
    }

    /// Nodes that take the comments right before them in: items, members, fields, variants.
    pub(crate) const fn takes_comments(self) -> bool {
        use SyntaxKind::*;
        matches!(
            self,
            MODULE_DECL
                | USE_DECL
                | CONST
                | TYPE_ALIAS
                | STRUCT
                | FIELD
                | ENUM
                | VARIANT
                | FN
                | OP
                | ENTRY
                | BLOCK
                | PARAM_MEMBER
                | BUFFER_MEMBER
                | STATE_MEMBER
                | SUB_MEMBER
        )
    }
}

/// The bytes of a short word as one number; `None` for what no keyword can be.
fn pack(word: &str) -> Option<u64> {
    if word.len() > 6 {
        None
    } else {
        Some(pack_known(word))
    }
}

const fn pack_known(word: &str) -> u64 {
    let bytes = word.as_bytes();
    // The length comes first, so that a NUL at the front is not lost.
    let mut packed = bytes.len() as u64;
    let mut i = 0;
    while i < bytes.len() {
        packed = (packed << 8) | bytes[i] as u64;
        i += 1;
    }
    packed
}

/// A set of token kinds, for recovery and "may begin" questions.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TokenSet(u128);

impl TokenSet {
    pub(crate) const fn new(kinds: &[SyntaxKind]) -> TokenSet {
        let mut bits = 0;
        let mut i = 0;
        while i < kinds.len() {
            assert!((kinds[i] as usize) < 128, "only tokens go into a token set");
            bits |= 1u128 << kinds[i] as usize;
            i += 1;
        }
        TokenSet(bits)
    }

    pub(crate) const fn union(self, other: TokenSet) -> TokenSet {
        TokenSet(self.0 | other.0)
    }

    pub(crate) const fn contains(self, kind: SyntaxKind) -> bool {
        (kind as usize) < 128 && self.0 & (1u128 << kind as usize) != 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_word_is_found_by_its_text_and_nothing_else_is() {
        for (number, &kind) in SyntaxKind::ALL.iter().enumerate() {
            assert_eq!(kind as usize, number);
            if kind.is_keyword() || kind.is_reserved_word() {
                assert_eq!(SyntaxKind::from_word(kind.text().unwrap()), Some(kind));
            }
        }
        for word in ["", "lets", "Let", "module_", "sum", "grad", "std", "\0let"] {
            assert_eq!(SyntaxKind::from_word(word), None, "{word}");
        }
    }

    #[test]
    fn all_tokens_fit_into_a_token_set() {
        let tokens = SyntaxKind::ALL
            .iter()
            .filter(|kind| kind.is_token())
            .count();
        assert!(tokens <= 128);
    }
}
