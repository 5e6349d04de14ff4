//! Types, shapes and generic arguments.

use super::*;

ast_enum! {
    /// A type as written.
    Type {
        /// A dtype, a generic, or a named type with its arguments
        Path(PathType),
        /// `Tensor[N, *S; T]`
        Tensor(TensorType),
        /// `(A, B)`
        Tuple(TupleType),
        /// `[B; N]`
        Array(ArrayType),
        /// `T?`
        Optional(OptionalType),
    }
}
ast_node! {
    /// `f32`, `T`, `a.Moments<N>`
    PathType = PATH_TYPE
}
ast_node! {
    /// `Tensor[N, *S; T]`
    TensorType = TENSOR_TYPE
}
ast_node! {
    /// `(A, B)`
    TupleType = TUPLE_TYPE
}
ast_node! {
    /// `[B; N]`
    ArrayType = ARRAY_TYPE
}
ast_node! {
    /// `T?`
    OptionalType = OPTIONAL_TYPE
}
ast_node! {
    /// `*s` in a shape or an index
    Spread = SPREAD
}
ast_enum! {
    /// One element of a shape or list.
    ShapeElem {
        /// `*s`
        Spread(Spread),
        /// A dimension or value
        Expr(Expr),
    }
}
ast_node! {
    /// `<A, 2 * B, [C, *S]>`
    GenericArgs = GENERIC_ARGS
}
ast_node! {
    /// One generic argument, or the default of a generic parameter
    GenericArg = GENERIC_ARG
}

accessors! { PathType {
    /// The name.
    path -> Path;
    /// The generic arguments with their angle brackets.
    generic_arg_list -> GenericArgs;
} }

impl PathType {
    /// The generic arguments.
    pub fn generic_args(&self) -> impl Iterator<Item = GenericArg> + use<> {
        self.generic_arg_list()
            .into_iter()
            .flat_map(|list| list.args())
    }
}

accessors! { TensorType {
    /// The word `Tensor`.
    tensor_token = IDENT;
    /// The dimensions.
    shape => ShapeElem;
    /// The dtype.
    dtype -> Type;
} }

accessors! { TupleType {
    /// The types in the parentheses.
    types => Type;
} }

accessors! { ArrayType {
    /// The type of the elements.
    element -> Type;
    /// How many there are.
    length -> Expr;
} }

accessors! { OptionalType {
    /// The type without its `?`.
    inner -> Type;
} }

accessors! { Spread {
    /// `*`
    star_token = STAR;
    /// The name of the pack.
    name = IDENT;
} }

accessors! { GenericArgs {
    /// The arguments.
    args => GenericArg;
} }

accessors! { GenericArg {
    /// The argument, where it can only be a type: a dtype, `Tensor[..]`, `B<..>`, `T?`, `(A, B)`.
    ty -> Type;
    /// The argument otherwise. A bare name (`T`, `a.B`) is read as an expression even where it
    /// turns out to name a type; `[A, *S]` is a [`ListExpr`].
    expr -> Expr;
} }

impl GenericArg {
    /// The names of an argument that is nothing but `a` or `a.b`, of either reading.
    pub fn as_path(&self) -> Option<Vec<SyntaxToken>> {
        if let Some(Type::Path(ty)) = self.ty() {
            return match ty.generic_arg_list() {
                None => ty.path().map(|path| path.segments().collect()),
                Some(_) => None,
            };
        }
        self.expr()?.as_path()
    }
}
