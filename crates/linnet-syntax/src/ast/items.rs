//! Module lines, imports, items and members.

use super::*;

ast_node! {
    /// `module a.b`
    ModuleDecl = MODULE_DECL
}
ast_node! {
    /// `a.b.c` in a `module` line, an import or a type
    Path = PATH
}
ast_node! {
    /// `use a.b::{x, y as z}`, `use a.b::x` or `use a.b`
    UseDecl = USE_DECL
}
ast_node! {
    /// `{x, y as z}` of an import
    UseList = USE_LIST
}
ast_node! {
    /// `x` or `y as z` in an import
    UseName = USE_NAME
}
ast_enum! {
    /// What a module is made of.
    Item {
        /// `const`
        Const(Const),
        /// `type`
        TypeAlias(TypeAlias),
        /// `struct`
        Struct(Struct),
        /// `enum`
        Enum(Enum),
        /// `fn`, `op` or `entry`
        Function(Function),
        /// `block`
        Block(Block),
    }
}
ast_node! {
    /// `const N: T = e`
    Const = CONST
}
ast_node! {
    /// `type Row<N: Dim> = Tensor[N; f32]`
    TypeAlias = TYPE_ALIAS
}
ast_node! {
    /// `struct Moments { mean: f32, scale: f32 }`
    Struct = STRUCT
}
ast_node! {
    /// The braces of a struct
    FieldList = FIELD_LIST
}
ast_node! {
    /// `mean: f32`
    Field = FIELD
}
ast_node! {
    /// `enum Pooling { Mean, First }`
    Enum = ENUM
}
ast_node! {
    /// The braces of an enum
    VariantList = VARIANT_LIST
}
ast_node! {
    /// One name of an enum
    Variant = VARIANT
}
ast_node! {
    /// `fn`, `op` or `entry`; [`Function::function_kind`] says which
    Function = FN | OP | ENTRY
}
ast_node! {
    /// `grad(y, dy) { .. }` after a body
    GradClause = GRAD_CLAUSE
}
ast_node! {
    /// `block Linear<In: Dim, Out: Dim> where In > 0 { .. }`
    Block = BLOCK
}
ast_node! {
    /// The braces of a block
    MemberList = MEMBER_LIST
}
ast_enum! {
    /// What a block is made of.
    Member {
        /// `param`
        Param(ParamMember),
        /// `buffer`
        Buffer(BufferMember),
        /// `state`
        State(StateMember),
        /// `sub`
        Sub(SubMember),
        /// A `const`, `type`, `fn`, `op` or `entry`; others are reported
        Item(Item),
    }
}
ast_node! {
    /// `param weight: T = none`
    ParamMember = PARAM_MEMBER
}
ast_node! {
    /// `buffer mask: T`
    BufferMember = BUFFER_MEMBER
}
ast_node! {
    /// `state cache: T`
    StateMember = STATE_MEMBER
}
ast_node! {
    /// `sub proj: Linear<A, B> = none`
    SubMember = SUB_MEMBER
}
ast_node! {
    /// `<N: Dim, *S: Shape, T: Float = f32>`
    GenericParams = GENERIC_PARAMS
}
ast_node! {
    /// `*S: Shape` or `T: Float = f32`
    GenericParam = GENERIC_PARAM
}
ast_node! {
    /// `(x: T, eps: f32 = 1e-5)`
    ParamList = PARAM_LIST
}
ast_node! {
    /// `eps: f32 = 1e-5`
    Param = PARAM
}
ast_node! {
    /// `-> T`
    ResultType = RESULT_TYPE
}
ast_node! {
    /// `where A == B, N > 0`
    WhereClause = WHERE_CLAUSE
}
ast_node! {
    /// `A == B * C`
    Constraint = CONSTRAINT
}

/// The three kinds of functions.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum FunctionKind {
    /// `fn`
    Fn,
    /// `op`
    Op,
    /// `entry`
    Entry,
}

/// Accessors that many declarations share.
macro_rules! shared {
    (name: $($ty:ident)*) => { $(
        impl $ty {
            /// The name declared.
            pub fn name(&self) -> Option<SyntaxToken> {
                token(&self.syntax, IDENT)
            }
        }
    )* };
    (docs: $($ty:ident)*) => { $(
        impl $ty {
            /// The text of the doc comments before it, without their markers.
            pub fn doc_comments(&self) -> Option<String> {
                doc_comments(&self.syntax)
            }
        }
    )* };
    (public: $($ty:ident)*) => { $(
        impl $ty {
            /// `pub`
            pub fn pub_token(&self) -> Option<SyntaxToken> {
                token(&self.syntax, PUB_KW)
            }

            /// Whether `pub` stands before it.
            pub fn is_pub(&self) -> bool {
                self.pub_token().is_some()
            }
        }
    )* };
    (generics: $($ty:ident)*) => { $(
        impl $ty {
            /// The list of generics with its angle brackets.
            pub fn generic_param_list(&self) -> Option<GenericParams> {
                child(&self.syntax)
            }

            /// The generics, none where there is no list.
            pub fn generic_params(&self) -> impl Iterator<Item = GenericParam> + use<> {
                self.generic_param_list().into_iter().flat_map(|list| list.generic_params())
            }
        }
    )* };
    (where_clause: $($ty:ident)*) => { $(
        impl $ty {
            /// The `where` clause.
            pub fn where_clause(&self) -> Option<WhereClause> {
                child(&self.syntax)
            }

            /// The constraints of the `where` clause.
            pub fn constraints(&self) -> impl Iterator<Item = Constraint> + use<> {
                self.where_clause().into_iter().flat_map(|clause| clause.constraints())
            }
        }
    )* };
    (ty: $($ty:ident)*) => { $(
        impl $ty {
            /// The type after the colon.
            pub fn ty(&self) -> Option<Type> {
                child(&self.syntax)
            }
        }
    )* };
    (value: $($ty:ident)*) => { $(
        impl $ty {
            /// What stands after `=`.
            pub fn value(&self) -> Option<Expr> {
                child(&self.syntax)
            }
        }
    )* };
}

shared! { name: Const TypeAlias Struct Field Enum Variant Function Block ParamMember BufferMember
StateMember SubMember Param UseName }
shared! { docs: ModuleDecl UseDecl Const TypeAlias Struct Field Enum Variant Function Block
ParamMember BufferMember StateMember SubMember }
shared! { public: Const TypeAlias Struct Enum Function Block }
shared! { generics: TypeAlias Struct Function Block }
shared! { where_clause: Function Block }
shared! { ty: Const TypeAlias Field ParamMember BufferMember StateMember SubMember Param ResultType }
shared! { value: Const ParamMember SubMember Param }

accessors! { ModuleDecl {
    /// `module`
    module_token = MODULE_KW;
    /// The module's name.
    path -> Path;
} }

impl Path {
    /// The names between the points; `crate`, and `self` or `super` (reported), can be the first.
    pub fn segments(&self) -> impl Iterator<Item = SyntaxToken> + use<> {
        tokens(&self.syntax)
            .filter(|token| matches!(token.kind(), IDENT | CRATE_KW | SELF_KW | SUPER_KW))
    }

    /// The names joined by points, without the trivia between them.
    pub fn joined(&self) -> String {
        let mut joined = String::new();
        for segment in self.segments() {
            if !joined.is_empty() {
                joined.push('.');
            }
            joined.push_str(segment.text());
        }
        joined
    }

    /// The last name.
    pub fn last(&self) -> Option<SyntaxToken> {
        self.segments().last()
    }

    /// The name, where there is only one.
    pub fn single(&self) -> Option<SyntaxToken> {
        let mut segments = self.segments();
        segments.next().filter(|_| segments.next().is_none())
    }
}

accessors! { UseDecl {
    /// `use`
    use_token = USE_KW;
    /// The module's path.
    path -> Path;
    /// The braces and what they hold.
    use_list -> UseList;
} }

impl UseDecl {
    /// What is imported from the module: the one name, or those in braces.
    pub fn names(&self) -> impl Iterator<Item = UseName> + use<> {
        let list = self.use_list();
        let one = if list.is_none() {
            child(&self.syntax)
        } else {
            None
        };
        one.into_iter()
            .chain(list.into_iter().flat_map(|list| list.names()))
    }

    /// Whether items are imported (`use a.b::..`) and not the module itself.
    pub fn imports_items(&self) -> bool {
        token(&self.syntax, COLON2).is_some() || self.names().next().is_some()
    }
}

accessors! { UseList {
    /// The names in the braces.
    names => UseName;
} }

impl UseName {
    /// The name after `as`.
    pub fn alias(&self) -> Option<SyntaxToken> {
        tokens(&self.syntax)
            .skip_while(|token| token.kind() != AS_KW)
            .find(|token| token.kind() == IDENT)
    }

    /// The name it has in this file: the one after `as`, else its own.
    pub fn local_name(&self) -> Option<SyntaxToken> {
        self.alias().or_else(|| self.name())
    }
}

impl Item {
    /// The name declared.
    pub fn name(&self) -> Option<SyntaxToken> {
        token(self.syntax(), IDENT)
    }

    /// Whether `pub` stands before it.
    pub fn is_pub(&self) -> bool {
        token(self.syntax(), PUB_KW).is_some()
    }

    /// The text of the doc comments before it, without their markers.
    pub fn doc_comments(&self) -> Option<String> {
        doc_comments(self.syntax())
    }
}

accessors! { Struct {
    /// The braces and what they hold.
    field_list -> FieldList;
} }

impl Struct {
    /// The fields.
    pub fn fields(&self) -> impl Iterator<Item = Field> + use<> {
        self.field_list().into_iter().flat_map(|list| list.fields())
    }
}

accessors! { FieldList {
    /// The fields.
    fields => Field;
} }

accessors! { Enum {
    /// The braces and what they hold.
    variant_list -> VariantList;
} }

impl Enum {
    /// The variants.
    pub fn variants(&self) -> impl Iterator<Item = Variant> + use<> {
        self.variant_list()
            .into_iter()
            .flat_map(|list| list.variants())
    }
}

accessors! { VariantList {
    /// The variants.
    variants => Variant;
} }

accessors! { Function {
    /// The parameters with their parentheses.
    param_list -> ParamList;
    /// `-> T`
    result_type -> ResultType;
    /// The statements.
    body -> Body;
    /// `grad(y, dy) { .. }`
    grad_clause -> GradClause;
} }

impl Function {
    /// Which of the three it is.
    pub fn function_kind(&self) -> FunctionKind {
        match self.syntax.kind() {
            OP => FunctionKind::Op,
            ENTRY => FunctionKind::Entry,
            _ => FunctionKind::Fn,
        }
    }

    /// `fn`, `op` or `entry`
    pub fn keyword_token(&self) -> Option<SyntaxToken> {
        tokens(&self.syntax).find(|token| matches!(token.kind(), FN_KW | OP_KW | ENTRY_KW))
    }

    /// The parameters.
    pub fn params(&self) -> impl Iterator<Item = Param> + use<> {
        self.param_list().into_iter().flat_map(|list| list.params())
    }

    /// The type after `->`.
    pub fn result(&self) -> Option<Type> {
        self.result_type().and_then(|result| result.ty())
    }
}

accessors! { GradClause {
    /// `grad`
    grad_token = GRAD_KW;
    /// The statements.
    body -> Body;
} }

impl GradClause {
    /// The names in the parentheses: the result, and its gradient.
    pub fn names(&self) -> impl Iterator<Item = SyntaxToken> + use<> {
        tokens(&self.syntax).filter(|token| token.kind() == IDENT)
    }
}

accessors! { Block {
    /// `block`
    block_token = BLOCK_KW;
    /// The braces and what they hold.
    member_list -> MemberList;
} }

impl Block {
    /// The members and items.
    pub fn members(&self) -> impl Iterator<Item = Member> + use<> {
        self.member_list()
            .into_iter()
            .flat_map(|list| list.members())
    }
}

accessors! { MemberList {
    /// The members and items.
    members => Member;
} }

impl Member {
    /// The name declared.
    pub fn name(&self) -> Option<SyntaxToken> {
        token(self.syntax(), IDENT)
    }

    /// The text of the doc comments before it, without their markers.
    pub fn doc_comments(&self) -> Option<String> {
        doc_comments(self.syntax())
    }
}

accessors! { GenericParams {
    /// The generics.
    generic_params => GenericParam;
} }

accessors! { GenericParam {
    /// `*` of a shape pack.
    star_token = STAR;
    /// What stands after `=`.
    default -> GenericArg;
} }

impl GenericParam {
    /// The name declared.
    pub fn name(&self) -> Option<SyntaxToken> {
        tokens(&self.syntax)
            .take_while(|token| token.kind() != COLON)
            .find(|token| token.kind() == IDENT)
    }

    /// `Dim`, `Shape`, `DType`, `Numeric`, `Integer` or `Float`; another word is reported.
    pub fn kind_token(&self) -> Option<SyntaxToken> {
        tokens(&self.syntax)
            .skip_while(|token| token.kind() != COLON)
            .find(|token| token.kind() == IDENT)
    }
}

accessors! { ParamList {
    /// The parameters.
    params => Param;
} }

accessors! { WhereClause {
    /// `where`
    where_token = WHERE_KW;
    /// The constraints.
    constraints => Constraint;
} }

impl Constraint {
    /// `==`, `!=`, `<`, `<=`, `>` or `>=`
    pub fn op_token(&self) -> Option<SyntaxToken> {
        tokens(&self.syntax).find(|token| CompareOp::from_kind(token.kind()).is_some())
    }

    /// The comparison.
    pub fn op(&self) -> Option<CompareOp> {
        self.op_token()
            .and_then(|token| CompareOp::from_kind(token.kind()))
    }

    /// What stands left of the comparison.
    pub fn lhs(&self) -> Option<Expr> {
        children(&self.syntax).next()
    }

    /// What stands right of the comparison.
    pub fn rhs(&self) -> Option<Expr> {
        children(&self.syntax).nth(1)
    }
}
