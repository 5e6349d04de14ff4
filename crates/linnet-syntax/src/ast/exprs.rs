//! Expressions.

use super::*;
use crate::lexer::parse_int;

ast_enum! {
    /// What has a value.
    Expr {
        /// A number, string, `true` or `false`
        Literal(Literal),
        /// A name
        Name(NameExpr),
        /// `(e)`
        Paren(ParenExpr),
        /// `(a, b)`
        Tuple(TupleExpr),
        /// `[a, *s]`
        List(ListExpr),
        /// `-e`
        Unary(UnaryExpr),
        /// `a + b`
        Binary(BinaryExpr),
        /// `f<A>(x, axis = 1)`
        Call(CallExpr),
        /// `x[i, 1:3]`
        Index(IndexExpr),
        /// `x.field`
        Field(FieldExpr),
        /// `if c { a } else { b }`
        If(IfExpr),
        /// `match e { .. }`
        Match(MatchExpr),
        /// `sum<f32>[k] e`
        Reduce(ReduceExpr),
        /// `some(e)`
        Some(SomeExpr),
        /// `none`
        None(NoneExpr),
        /// `for i in a..b { .. yield e }`
        Scan(ScanExpr),
    }
}
ast_node! {
    /// A number, string (reported), `true` or `false`
    Literal = LITERAL
}
ast_node! {
    /// A name as a value
    NameExpr = NAME_EXPR
}
ast_node! {
    /// `(e)`
    ParenExpr = PAREN_EXPR
}
ast_node! {
    /// `(a, b)` or `(a,)`
    TupleExpr = TUPLE_EXPR
}
ast_node! {
    /// `[a, *s]`
    ListExpr = LIST_EXPR
}
ast_node! {
    /// `!e`, `-e` or `+e`
    UnaryExpr = UNARY_EXPR
}
ast_node! {
    /// `a + b`
    BinaryExpr = BINARY_EXPR
}
ast_node! {
    /// `f<A>(x, axis = 1)`
    CallExpr = CALL_EXPR
}
ast_node! {
    /// `(x, axis = 1)`
    ArgList = ARG_LIST
}
ast_node! {
    /// `x` or `axis = 1`
    Arg = ARG
}
ast_node! {
    /// `x[i, 1:3]`
    IndexExpr = INDEX_EXPR
}
ast_node! {
    /// `[i, 1:3]`
    IndexList = INDEX_LIST
}
ast_enum! {
    /// One element of an index.
    Index {
        /// `a:b:step`
        Slice(Slice),
        /// `...`
        Rest(RestIndex),
        /// `*s`
        Spread(Spread),
        /// A position
        Expr(Expr),
    }
}
ast_node! {
    /// `a:b:step`, each part optional
    Slice = SLICE
}
ast_node! {
    /// `...`
    RestIndex = REST_INDEX
}
ast_node! {
    /// `x.field`
    FieldExpr = FIELD_EXPR
}
ast_node! {
    /// `if c { a } else { b }`
    IfExpr = IF_EXPR
}
ast_node! {
    /// `{ e }` of an `if`
    Branch = BRANCH
}
ast_node! {
    /// `match e { .. }`
    MatchExpr = MATCH_EXPR
}
ast_node! {
    /// The braces of a match
    MatchArmList = MATCH_ARM_LIST
}
ast_node! {
    /// `some(x) => e`
    MatchArm = MATCH_ARM
}
ast_node! {
    /// `sum<f32>[k] e`
    ReduceExpr = REDUCE_EXPR
}
ast_node! {
    /// `some(e)`
    SomeExpr = SOME_EXPR
}
ast_node! {
    /// `none`
    NoneExpr = NONE_EXPR
}
ast_node! {
    /// `for i in a..b { .. yield e }` as a value
    ScanExpr = SCAN_EXPR
}

impl Expr {
    /// The expression inside any number of parentheses.
    pub fn without_parens(self) -> Option<Expr> {
        let mut expr = self;
        while let Expr::Paren(paren) = expr {
            expr = paren.expr()?;
        }
        Some(expr)
    }

    /// The names of an expression that is nothing but `a` or `a.b.c`.
    pub fn as_path(&self) -> Option<Vec<SyntaxToken>> {
        let mut names = Vec::new();
        let mut expr = self.clone();
        loop {
            match expr {
                Expr::Name(name) => {
                    names.push(name.name()?);
                    names.reverse();
                    return Some(names);
                }
                Expr::Field(field) => {
                    names.push(field.name()?);
                    expr = field.base()?;
                }
                _ => return None,
            }
        }
    }
}

/// What a literal is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum LiteralKind {
    /// `42`
    Int,
    /// `1.5`
    Float,
    /// `"..."`, always reported
    String,
    /// `true` or `false`
    Bool,
}

impl Literal {
    /// The token.
    pub fn token(&self) -> Option<SyntaxToken> {
        tokens(&self.syntax).find(|token| !token.kind().is_trivia())
    }

    /// What it is.
    pub fn literal_kind(&self) -> Option<LiteralKind> {
        Some(match self.token()?.kind() {
            INT_NUMBER => LiteralKind::Int,
            FLOAT_NUMBER => LiteralKind::Float,
            STRING => LiteralKind::String,
            TRUE_KW | FALSE_KW => LiteralKind::Bool,
            _ => return None,
        })
    }

    /// The value of an integer, at most 2^63 where it is well formed; `None` where it is not.
    pub fn int_value(&self) -> Option<u64> {
        let token = self.token().filter(|token| token.kind() == INT_NUMBER)?;
        parse_int(token.text())
    }

    /// The value of a float, rounded to `f64`; `None` where it is malformed.
    pub fn float_value(&self) -> Option<f64> {
        let token = self.token().filter(|token| token.kind() == FLOAT_NUMBER)?;
        token.text().replace('_', "").parse().ok()
    }

    /// The value of `true` or `false`.
    pub fn bool_value(&self) -> Option<bool> {
        match self.token()?.kind() {
            TRUE_KW => Some(true),
            FALSE_KW => Some(false),
            _ => None,
        }
    }
}

impl NameExpr {
    /// The name. It is `self` or `super` only where that has been reported.
    pub fn name(&self) -> Option<SyntaxToken> {
        tokens(&self.syntax).find(|token| matches!(token.kind(), IDENT | SELF_KW | SUPER_KW))
    }
}

accessors! { ParenExpr {
    /// What the parentheses hold.
    expr -> Expr;
} }

accessors! { TupleExpr {
    /// The elements.
    elements => Expr;
} }

accessors! { ListExpr {
    /// The elements.
    elements => ShapeElem;
} }

impl UnaryExpr {
    /// `!`, `-` or `+`
    pub fn op_token(&self) -> Option<SyntaxToken> {
        tokens(&self.syntax).find(|token| UnaryOp::from_kind(token.kind()).is_some())
    }

    /// The operator.
    pub fn op(&self) -> Option<UnaryOp> {
        self.op_token()
            .and_then(|token| UnaryOp::from_kind(token.kind()))
    }

    /// What it is applied to.
    pub fn operand(&self) -> Option<Expr> {
        child(&self.syntax)
    }
}

impl BinaryExpr {
    /// What stands left of the operator.
    pub fn lhs(&self) -> Option<Expr> {
        children(&self.syntax).next()
    }

    /// What stands right of the operator.
    pub fn rhs(&self) -> Option<Expr> {
        children(&self.syntax).nth(1)
    }

    /// The operator's token.
    pub fn op_token(&self) -> Option<SyntaxToken> {
        tokens(&self.syntax).find(|token| BinaryOp::from_kind(token.kind()).is_some())
    }

    /// The operator.
    pub fn op(&self) -> Option<BinaryOp> {
        self.op_token()
            .and_then(|token| BinaryOp::from_kind(token.kind()))
    }
}

accessors! { CallExpr {
    /// What is called.
    callee -> Expr;
    /// The generic arguments with their angle brackets.
    generic_arg_list -> GenericArgs;
    /// The arguments with their parentheses.
    arg_list -> ArgList;
} }

impl CallExpr {
    /// The generic arguments.
    pub fn generic_args(&self) -> impl Iterator<Item = GenericArg> + use<> {
        self.generic_arg_list()
            .into_iter()
            .flat_map(|list| list.args())
    }

    /// The arguments.
    pub fn args(&self) -> impl Iterator<Item = Arg> + use<> {
        self.arg_list().into_iter().flat_map(|list| list.args())
    }
}

accessors! { ArgList {
    /// The arguments.
    args => Arg;
} }

accessors! { Arg {
    /// The name before `=`, of a named argument.
    name = IDENT;
    /// The value.
    value -> Expr;
} }

accessors! { IndexExpr {
    /// What is indexed.
    base -> Expr;
    /// The brackets and what they hold.
    index_list -> IndexList;
} }

impl IndexExpr {
    /// The elements in the brackets.
    pub fn indices(&self) -> impl Iterator<Item = Index> + use<> {
        self.index_list()
            .into_iter()
            .flat_map(|list| list.indices())
    }
}

accessors! { IndexList {
    /// The elements.
    indices => Index;
} }

impl Slice {
    /// The colons, one or two.
    pub fn colons(&self) -> impl Iterator<Item = SyntaxToken> + use<> {
        tokens(&self.syntax).filter(|token| token.kind() == COLON)
    }

    /// The first position.
    pub fn start(&self) -> Option<Expr> {
        self.part(0)
    }

    /// The position after the last.
    pub fn end(&self) -> Option<Expr> {
        self.part(1)
    }

    /// The step.
    pub fn step(&self) -> Option<Expr> {
        self.part(2)
    }

    /// The expression after `number` colons.
    fn part(&self, number: usize) -> Option<Expr> {
        let mut seen = 0;
        for element in self.syntax.children_with_tokens() {
            if matches!(element.kind(), COLON | DOT2) {
                seen += 1;
            } else if seen == number
                && let Some(expr) = element.into_node().and_then(Expr::cast)
            {
                return Some(expr);
            }
        }
        None
    }
}

accessors! { FieldExpr {
    /// What the field belongs to.
    base -> Expr;
    /// The field's name.
    name = IDENT;
} }

accessors! { IfExpr {
    /// `if`
    if_token = IF_KW;
    /// `else`
    else_token = ELSE_KW;
} }

impl IfExpr {
    /// The condition.
    pub fn condition(&self) -> Option<Expr> {
        self.syntax
            .children_with_tokens()
            .take_while(|element| !matches!(element.kind(), BRANCH | ELSE_KW))
            .find_map(|element| element.into_node().and_then(Expr::cast))
    }

    /// The braces of the first case.
    pub fn then_block(&self) -> Option<Branch> {
        child_before(&self.syntax, ELSE_KW)
    }

    /// The value of the first case.
    pub fn then_branch(&self) -> Option<Expr> {
        self.then_block().and_then(|branch| branch.expr())
    }

    /// The value of the other case, another `if` for `else if`.
    pub fn else_branch(&self) -> Option<Expr> {
        if let Some(branch) = child_after::<Branch>(&self.syntax, ELSE_KW) {
            return branch.expr();
        }
        // Without the keyword (`elif`, reported) the second `if` still belongs here.
        let start = if self.else_token().is_some() {
            ELSE_KW
        } else {
            BRANCH
        };
        child_after::<IfExpr>(&self.syntax, start).map(Expr::If)
    }
}

accessors! { Branch {
    /// The value.
    expr -> Expr;
} }

accessors! { MatchExpr {
    /// `match`
    match_token = MATCH_KW;
    /// What is matched.
    scrutinee -> Expr;
    /// The braces and what they hold.
    arm_list -> MatchArmList;
} }

impl MatchExpr {
    /// The arms.
    pub fn arms(&self) -> impl Iterator<Item = MatchArm> + use<> {
        self.arm_list().into_iter().flat_map(|list| list.arms())
    }
}

accessors! { MatchArmList {
    /// The arms.
    arms => MatchArm;
} }

accessors! { MatchArm {
    /// What it matches.
    pattern -> Pattern;
    /// Its value.
    value -> Expr;
} }

accessors! { ReduceExpr {
    /// `sum`, `prod`, `max`, `min`, `any` or `all`
    reducer_token = REDUCER_KW;
    /// The dtype it accumulates in.
    dtype -> Type;
    /// The brackets and what they hold.
    index_name_list -> IndexNameList;
    /// What is reduced.
    body -> Expr;
} }

impl ReduceExpr {
    /// Which reduction it is.
    pub fn reducer(&self) -> Option<Reducer> {
        self.reducer_token()
            .and_then(|token| Reducer::from_text(token.text()))
    }

    /// The indices it binds.
    pub fn indices(&self) -> impl Iterator<Item = IndexName> + use<> {
        self.index_name_list()
            .into_iter()
            .flat_map(|list| list.indices())
    }
}

accessors! { SomeExpr {
    /// The value in the parentheses.
    value -> Expr;
} }

accessors! { ScanExpr {
    /// `for`
    for_token = FOR_KW;
    /// The variable.
    name = IDENT;
    /// The statements.
    body -> Body;
} }

impl ScanExpr {
    /// The start of the range.
    pub fn start(&self) -> Option<Expr> {
        child_before(&self.syntax, DOT2)
    }

    /// The end of the range.
    pub fn end(&self) -> Option<Expr> {
        child_after(&self.syntax, DOT2)
    }
}
