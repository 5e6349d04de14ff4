//! Bodies and statements.

use super::*;

ast_node! {
    /// `{ statements }`
    Body = BODY
}
ast_enum! {
    /// What a body is made of.
    Stmt {
        /// `let pattern = e`
        Let(LetStmt),
        /// `let x[i, *s] = e`
        IndexLet(IndexLetStmt),
        /// `var x = e`
        Var(VarStmt),
        /// `x = e`
        Assign(AssignStmt),
        /// `return e`
        Return(ReturnStmt),
        /// `static for i in 0..N { .. }`
        StaticFor(StaticForStmt),
        /// `while c { .. }`
        While(WhileStmt),
        /// `for i in 0..N { .. }`
        For(ForStmt),
        /// `yield e`
        Yield(YieldStmt),
    }
}
ast_node! {
    /// `let (a, b): T = e`
    LetStmt = LET_STMT
}
ast_node! {
    /// `let c[i, *s] = e`
    IndexLetStmt = INDEX_LET_STMT
}
ast_node! {
    /// `[i, *s]` of index notation: its outputs, or what a reduction binds
    IndexNameList = INDEX_NAME_LIST
}
ast_node! {
    /// `i` or `*s` in such a list
    IndexName = INDEX_NAME
}
ast_node! {
    /// `var x: T = e`
    VarStmt = VAR_STMT
}
ast_node! {
    /// `x = e`
    AssignStmt = ASSIGN_STMT
}
ast_node! {
    /// `return e`
    ReturnStmt = RETURN_STMT
}
ast_node! {
    /// `static for layer in layers { .. }` or `static for i in 0..N { .. }`
    StaticForStmt = STATIC_FOR_STMT
}
ast_node! {
    /// `while c { .. }`
    WhileStmt = WHILE_STMT
}
ast_node! {
    /// `for i in 0..N { .. }`
    ForStmt = FOR_STMT
}
ast_node! {
    /// `yield e`
    YieldStmt = YIELD_STMT
}

accessors! { Body {
    /// The statements.
    stmts => Stmt;
    /// `{`
    l_curly_token = L_CURLY;
    /// `}`
    r_curly_token = R_CURLY;
} }

impl Body {
    /// Items written here by mistake; they have been reported.
    pub fn misplaced_items(&self) -> impl Iterator<Item = Item> + use<> {
        children(&self.syntax)
    }
}

accessors! { LetStmt {
    /// `let`
    let_token = LET_KW;
    /// What takes the value.
    pattern -> Pattern;
    /// The type after the colon.
    ty -> Type;
    /// The right side; a [`ScanExpr`] for a scan.
    value -> Expr;
} }

accessors! { IndexLetStmt {
    /// `let`
    let_token = LET_KW;
    /// The name declared.
    name = IDENT;
    /// The brackets and what they hold.
    index_name_list -> IndexNameList;
    /// What each element is.
    value -> Expr;
} }

impl IndexLetStmt {
    /// The output indices.
    pub fn indices(&self) -> impl Iterator<Item = IndexName> + use<> {
        self.index_name_list()
            .into_iter()
            .flat_map(|list| list.indices())
    }
}

accessors! { IndexNameList {
    /// The indices.
    indices => IndexName;
} }

accessors! { IndexName {
    /// `*` of a pack.
    star_token = STAR;
    /// The name.
    name = IDENT;
} }

accessors! { VarStmt {
    /// `var`
    var_token = VAR_KW;
    /// The name declared.
    name = IDENT;
    /// The type after the colon.
    ty -> Type;
    /// The right side; a [`ScanExpr`] for a scan.
    value -> Expr;
} }

accessors! { AssignStmt {
    /// The name assigned.
    name = IDENT;
    /// The right side.
    value -> Expr;
} }

accessors! { ReturnStmt {
    /// `return`
    return_token = RETURN_KW;
    /// The value returned.
    value -> Expr;
} }

accessors! { StaticForStmt {
    /// `static`
    static_token = STATIC_KW;
    /// The variable.
    name = IDENT;
    /// `..`, where it runs over a range and not over a block array.
    range_token = DOT2;
    /// The statements.
    body -> Body;
} }

impl StaticForStmt {
    /// What it runs over, or the start of the range.
    pub fn start(&self) -> Option<Expr> {
        child_before(&self.syntax, DOT2)
    }

    /// The end of the range.
    pub fn end(&self) -> Option<Expr> {
        child_after(&self.syntax, DOT2)
    }
}

accessors! { WhileStmt {
    /// `while`
    while_token = WHILE_KW;
    /// The condition.
    condition -> Expr;
    /// The statements.
    body -> Body;
} }

accessors! { ForStmt {
    /// `for`
    for_token = FOR_KW;
    /// The variable.
    name = IDENT;
    /// The statements.
    body -> Body;
} }

impl ForStmt {
    /// The start of the range.
    pub fn start(&self) -> Option<Expr> {
        child_before(&self.syntax, DOT2)
    }

    /// The end of the range.
    pub fn end(&self) -> Option<Expr> {
        child_after(&self.syntax, DOT2)
    }
}

accessors! { YieldStmt {
    /// `yield`
    yield_token = YIELD_KW;
    /// The value.
    value -> Expr;
} }
