//! Bodies: expressions, types and statements without positions, lowered from the syntax tree.

use crate::tree::{Loc, Name};

#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct ExprId(pub u32);

#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct TypeId(pub u32);

/// Expressions and type references of one part of an item, each with its place.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Arena {
    pub exprs: Vec<(Expr, Loc)>,
    pub types: Vec<(TypeRef, Loc)>,
}

impl Arena {
    pub fn expr(&self, id: ExprId) -> &Expr {
        &self.exprs[id.0 as usize].0
    }

    pub fn loc(&self, id: ExprId) -> Loc {
        self.exprs[id.0 as usize].1
    }

    pub fn ty(&self, id: TypeId) -> &TypeRef {
        &self.types[id.0 as usize].0
    }

    pub fn ty_loc(&self, id: TypeId) -> Loc {
        self.types[id.0 as usize].1
    }

    pub fn add(&mut self, expr: Expr, loc: Loc) -> ExprId {
        self.exprs.push((expr, loc));
        ExprId(self.exprs.len() as u32 - 1)
    }

    pub fn add_ty(&mut self, ty: TypeRef, loc: Loc) -> TypeId {
        self.types.push((ty, loc));
        TypeId(self.types.len() as u32 - 1)
    }
}

/// A type as written.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum TypeRef {
    /// Not there or broken; the parser has said so.
    Error,
    /// A dtype, a generic, an alias, a struct, an enum, a block; `module.Name` has several segments.
    Path {
        segments: Vec<(Name, Loc)>,
        args: Option<Vec<GenericArg>>,
    },
    Tensor {
        shape: Vec<ShapeRef>,
        elem: TypeId,
    },
    Tuple(Vec<TypeId>),
    Array(TypeId, ExprId),
    Optional(TypeId),
}

/// An element of a shape as written.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ShapeRef {
    Dim(ExprId),
    /// `*S`; the place covers the star.
    Pack(Name, Loc),
}

/// A generic argument as written. A lone path (`H`, `bf16`, `m.T`) is an `Expr`: its meaning depends on the kind asked for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum GenericArg {
    Expr(ExprId),
    Type(TypeId),
    /// `[B, *S]`
    Shape(Vec<ShapeRef>, Loc),
}

#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub enum UnaryOp {
    Not,
    Neg,
    Plus,
}

#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub enum BinaryOp {
    OrOr,
    AndAnd,
    Eq,
    Ne,
    Lt,
    Le,
    Gt,
    Ge,
    Or,
    Xor,
    And,
    Add,
    Sub,
    Mul,
    Div,
    Rem,
}

impl BinaryOp {
    pub fn text(self) -> &'static str {
        match self {
            BinaryOp::OrOr => "||",
            BinaryOp::AndAnd => "&&",
            BinaryOp::Eq => "==",
            BinaryOp::Ne => "!=",
            BinaryOp::Lt => "<",
            BinaryOp::Le => "<=",
            BinaryOp::Gt => ">",
            BinaryOp::Ge => ">=",
            BinaryOp::Or => "|",
            BinaryOp::Xor => "^",
            BinaryOp::And => "&",
            BinaryOp::Add => "+",
            BinaryOp::Sub => "-",
            BinaryOp::Mul => "*",
            BinaryOp::Div => "/",
            BinaryOp::Rem => "%",
        }
    }
}

#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub enum ReduceOp {
    Sum,
    Prod,
    Max,
    Min,
    Any,
    All,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Expr {
    /// Not there, broken, or refused by the parser, which has said so (a string is one).
    Missing,
    /// The literal's value; one above `i64::MAX` only right under unary minus.
    Int(u64),
    /// The bits of the nearest `f64`.
    Float(u64),
    Bool(bool),
    None,
    Some(ExprId),
    Name(Name),
    /// Two elements or more, or one with a comma.
    Tuple(Vec<ExprId>),
    /// `[a, *S]`: a shape or a list of axes.
    List(Vec<ShapeRef>),
    Unary(UnaryOp, ExprId),
    /// The place is the operator's.
    Binary(BinaryOp, ExprId, ExprId, Loc),
    Call {
        callee: ExprId,
        generics: Option<(Vec<GenericArg>, Loc)>,
        args: Vec<Arg>,
    },
    Index {
        base: ExprId,
        indices: Vec<IndexElem>,
    },
    Field {
        base: ExprId,
        name: Name,
        name_loc: Loc,
    },
    If {
        cond: ExprId,
        then: ExprId,
        otherwise: ExprId,
    },
    /// The place is the `match` keyword's.
    Match {
        scrutinee: ExprId,
        arms: Vec<Arm>,
        keyword: Loc,
    },
    /// Each index with whether it has a star, which a reduction's must not.
    Reduce {
        op: ReduceOp,
        dtype: Option<TypeId>,
        indices: Vec<(Name, bool, Loc)>,
        body: ExprId,
    },
    /// A scan where none may stand.
    Scan(Box<Loop>),
}

impl Expr {
    /// Calls `f` for each expression right inside, those in index and argument lists included.
    pub fn children(&self, mut f: impl FnMut(ExprId)) {
        let shape = |elems: &[ShapeRef], f: &mut dyn FnMut(ExprId)| {
            for elem in elems {
                if let ShapeRef::Dim(e) = elem {
                    f(*e);
                }
            }
        };
        match self {
            Expr::Some(e) | Expr::Unary(_, e) | Expr::Field { base: e, .. } => f(*e),
            Expr::Tuple(items) => items.iter().for_each(|e| f(*e)),
            Expr::List(elems) => shape(elems, &mut f),
            Expr::Binary(_, a, b, _) => {
                f(*a);
                f(*b);
            }
            Expr::Call {
                callee,
                generics,
                args,
            } => {
                f(*callee);
                for arg in generics.iter().flat_map(|(list, _)| list) {
                    match arg {
                        GenericArg::Expr(e) => f(*e),
                        GenericArg::Shape(elems, _) => shape(elems, &mut f),
                        GenericArg::Type(_) => {}
                    }
                }
                args.iter().for_each(|a| f(a.value));
            }
            Expr::Index { base, indices } => {
                f(*base);
                for index in indices {
                    match index {
                        IndexElem::Expr(e) => f(*e),
                        IndexElem::Slice {
                            start, end, step, ..
                        } => {
                            [start, end, step].into_iter().flatten().for_each(|e| f(*e));
                        }
                        IndexElem::Ellipsis(_) | IndexElem::Pack(..) => {}
                    }
                }
            }
            Expr::If {
                cond,
                then,
                otherwise,
            } => [cond, then, otherwise].into_iter().for_each(|e| f(*e)),
            Expr::Match {
                scrutinee, arms, ..
            } => {
                f(*scrutinee);
                arms.iter().for_each(|a| f(a.value));
            }
            Expr::Reduce { body, .. } => f(*body),
            Expr::Missing
            | Expr::Int(_)
            | Expr::Float(_)
            | Expr::Bool(_)
            | Expr::None
            | Expr::Name(_)
            | Expr::Scan(_) => {}
        }
    }
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Arg {
    pub name: Option<(Name, Loc)>,
    pub value: ExprId,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum IndexElem {
    Expr(ExprId),
    Ellipsis(Loc),
    /// `*s`
    Pack(Name, Loc),
    Slice {
        start: Option<ExprId>,
        end: Option<ExprId>,
        step: Option<ExprId>,
        loc: Loc,
    },
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Arm {
    pub pat: ArmPat,
    /// The pattern's place.
    pub loc: Loc,
    pub value: ExprId,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ArmPat {
    /// `_`
    Wild,
    /// An enum's variant (or a binding of the wrong kind).
    Name(Name),
    Some(Pat),
    None,
    /// A pattern that no arm can begin with; the parser has said so.
    Broken(Pat),
    Error,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Pat {
    Bind(Name, Loc),
    Tuple(Vec<Pat>, Loc),
    Some(Box<Pat>, Loc),
    None(Loc),
    Error,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Stmt {
    Let {
        pat: Pat,
        ty: Option<TypeId>,
        rhs: Rhs,
    },
    /// `let c[m, *s] = ...`
    LetIndex {
        name: Name,
        name_loc: Loc,
        outs: Vec<Out>,
        value: ExprId,
    },
    Var {
        name: Name,
        name_loc: Loc,
        ty: Option<TypeId>,
        rhs: Rhs,
    },
    Assign {
        name: Name,
        name_loc: Loc,
        value: ExprId,
    },
    Return {
        value: Option<ExprId>,
        loc: Loc,
    },
    /// `hi` is missing for `static for layer in layers`.
    StaticFor {
        var: Name,
        var_loc: Loc,
        lo: ExprId,
        hi: Option<ExprId>,
        body: Vec<Stmt>,
    },
    While {
        cond: ExprId,
        body: Vec<Stmt>,
    },
    For(Loop),
    Yield {
        value: ExprId,
        loc: Loc,
    },
    /// Broken; the parser has said so. A `return` may have stood here.
    Error,
    /// The parser found a fault in this statement: nothing else is said of it, and what it binds may be anything.
    Broken(Box<Stmt>),
    /// What is no statement, with the names at its start, which it perhaps binds.
    Junk(Vec<Name>),
}

/// `for var in lo..hi { body }`, as a statement or as a scan.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Loop {
    pub var: Name,
    pub var_loc: Loc,
    pub lo: ExprId,
    pub hi: ExprId,
    pub body: Vec<Stmt>,
    /// The `for` keyword.
    pub keyword: Loc,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Rhs {
    Expr(ExprId),
    Scan(Loop),
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Out {
    pub name: Name,
    pub pack: bool,
    /// The star included.
    pub loc: Loc,
}

/// An item's body; empty for items that have none.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Body {
    pub arena: Arena,
    /// A default for each parameter that has one.
    pub defaults: Vec<Option<ExprId>>,
    pub stmts: Vec<Stmt>,
    pub grad: Option<GradBody>,
    /// The value of a constant.
    pub value: Option<ExprId>,
    /// The parser found faults inside: a missing final `return` is no fault then.
    pub broken: bool,
}

/// `grad(y, dy) { .. }`
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GradBody {
    pub result: (Name, Loc),
    pub cotangent: (Name, Loc),
    pub stmts: Vec<Stmt>,
    pub broken: bool,
}
