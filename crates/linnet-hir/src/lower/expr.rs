//! Expressions.

use linnet_syntax::{SyntaxElement, SyntaxKind, SyntaxKind::*, SyntaxNode};

use super::{PartLower, child, expr_child, ident, is_expr, token, tokens, type_child};
use crate::body::{Arg, Arm, ArmPat, BinaryOp, Expr, ExprId, IndexElem, Pat, ReduceOp, UnaryOp};
use crate::tree::{Loc, Name};

impl PartLower {
    pub(super) fn expr_node(&mut self, node: &SyntaxNode) -> ExprId {
        // A chain such as `a.b.c` is as deep as it is long.
        stacker::maybe_grow(64 << 10, 1 << 20, || self.expr_inner(node))
    }

    fn expr_inner(&mut self, node: &SyntaxNode) -> ExprId {
        if node.kind() == PAREN_EXPR {
            return self.expr(expr_child(node), node);
        }
        if node.kind() == BINARY_EXPR {
            return self.binary(node);
        }
        let loc = self.loc(node.text_range());
        let expr = match node.kind() {
            LITERAL => literal(node),
            NAME_EXPR => match ident(node) {
                Some(t) => Expr::Name(Name::new(t.text())),
                None => Expr::Missing,
            },
            NONE_EXPR => Expr::None,
            SOME_EXPR => Expr::Some(self.expr(expr_child(node), node)),
            TUPLE_EXPR => Expr::Tuple(self.exprs(node)),
            LIST_EXPR => Expr::List(self.shape_list(node)),
            UNARY_EXPR => {
                let op = match tokens(node)
                    .find(|t| !t.kind().is_trivia())
                    .map(|t| t.kind())
                {
                    Some(BANG) => UnaryOp::Not,
                    Some(PLUS) => UnaryOp::Plus,
                    _ => UnaryOp::Neg,
                };
                Expr::Unary(op, self.expr(expr_child(node), node))
            }
            CALL_EXPR => {
                let callee = self.expr(expr_child(node), node);
                let generics = child(node, GENERIC_ARGS).map(|g| {
                    let loc = self.loc(g.text_range());
                    (self.generic_args(&g), loc)
                });
                let list = child(node, ARG_LIST);
                let args = list.as_ref().map(|a| self.args(a)).unwrap_or_default();
                // Arguments that were not read are no fault of the call's.
                if list.is_some_and(|a| is_unfinished(&a, R_PAREN)) {
                    return self.arena.add(Expr::Missing, loc);
                }
                Expr::Call {
                    callee,
                    generics,
                    args,
                }
            }
            INDEX_EXPR => {
                let base = self.expr(expr_child(node), node);
                let list = child(node, INDEX_LIST);
                let indices = list.as_ref().map(|l| self.indices(l)).unwrap_or_default();
                if list.is_some_and(|l| is_unfinished(&l, R_BRACK)) {
                    return self.arena.add(Expr::Missing, loc);
                }
                Expr::Index { base, indices }
            }
            FIELD_EXPR => {
                let base = self.expr(expr_child(node), node);
                match ident(node) {
                    Some(t) => {
                        let name_loc = self.loc(t.text_range());
                        Expr::Field {
                            base,
                            name: Name::new(t.text()),
                            name_loc,
                        }
                    }
                    // What stands before the point may hold faults of its own, but this gives no value.
                    None => Expr::Missing,
                }
            }
            IF_EXPR => self.if_expr(node),
            MATCH_EXPR => self.match_expr(node),
            REDUCE_EXPR => {
                let op = match token(node, REDUCER_KW).as_ref().map(|t| t.text()) {
                    Some("prod") => ReduceOp::Prod,
                    Some("max") => ReduceOp::Max,
                    Some("min") => ReduceOp::Min,
                    Some("any") => ReduceOp::Any,
                    Some("all") => ReduceOp::All,
                    _ => ReduceOp::Sum,
                };
                let dtype = type_child(node).map(|t| self.ty_node(&t));
                let mut indices = Vec::new();
                if let Some(list) = child(node, INDEX_NAME_LIST) {
                    for n in list.children().filter(|n| n.kind() == INDEX_NAME) {
                        if let Some(t) = ident(&n) {
                            let loc = self.loc(n.text_range());
                            indices.push((Name::new(t.text()), token(&n, STAR).is_some(), loc));
                        }
                    }
                }
                let body = self.expr(expr_child(node), node);
                Expr::Reduce {
                    op,
                    dtype,
                    indices,
                    body,
                }
            }
            SCAN_EXPR => Expr::Scan(Box::new(self.for_loop(node))),
            _ => Expr::Missing,
        };
        self.arena.add(expr, loc)
    }

    fn exprs(&mut self, node: &SyntaxNode) -> Vec<ExprId> {
        node.children()
            .filter(|n| is_expr(n.kind()))
            .map(|n| self.expr_node(&n))
            .collect()
    }

    /// A chain of left-associative operators, without recursion along its left side.
    fn binary(&mut self, node: &SyntaxNode) -> ExprId {
        let mut spine = Vec::new();
        let mut left = node.clone();
        loop {
            if left.kind() != BINARY_EXPR {
                break;
            }
            let (lhs, op, rhs) = operands(&left);
            spine.push((left.clone(), op, rhs));
            match lhs {
                Some(l) => left = l,
                None => break,
            }
        }
        let mut id = if left.kind() == BINARY_EXPR {
            self.expr(None, &left)
        } else {
            self.expr_node(&left)
        };
        for (node, op, rhs) in spine.into_iter().rev() {
            let right = self.expr(rhs, &node);
            let loc = self.loc(node.text_range());
            id = match op {
                Some((op, range)) => {
                    let op_loc = self.loc(range);
                    self.arena.add(Expr::Binary(op, id, right, op_loc), loc)
                }
                None => self.arena.add(Expr::Missing, loc),
            };
        }
        id
    }

    fn args(&mut self, node: &SyntaxNode) -> Vec<Arg> {
        let mut out = Vec::new();
        for n in node.children().filter(|n| n.kind() == ARG) {
            let name = match (ident(&n), token(&n, EQ)) {
                (Some(t), Some(_)) => {
                    let loc = self.loc(t.text_range());
                    Some((Name::new(t.text()), loc))
                }
                _ => None,
            };
            let value = self.expr(expr_child(&n), &n);
            out.push(Arg { name, value });
        }
        out
    }

    fn indices(&mut self, node: &SyntaxNode) -> Vec<IndexElem> {
        let mut out = Vec::new();
        for n in node.children() {
            match n.kind() {
                REST_INDEX => out.push(IndexElem::Ellipsis(self.loc(n.text_range()))),
                SPREAD => {
                    if let Some(t) = ident(&n) {
                        let loc = self.loc(n.text_range());
                        out.push(IndexElem::Pack(Name::new(t.text()), loc));
                    }
                }
                SLICE => out.push(self.slice(&n)),
                kind if is_expr(kind) => out.push(IndexElem::Expr(self.expr_node(&n))),
                _ => {}
            }
        }
        out
    }

    fn slice(&mut self, node: &SyntaxNode) -> IndexElem {
        let loc = self.loc(node.text_range());
        let mut parts: [Option<ExprId>; 3] = [None; 3];
        let mut at = 0;
        for element in node.children_with_tokens() {
            match element {
                SyntaxElement::Token(t) if matches!(t.kind(), COLON | DOT2) => at = (at + 1).min(2),
                SyntaxElement::Node(n) if is_expr(n.kind()) => parts[at] = Some(self.expr_node(&n)),
                _ => {}
            }
        }
        let [start, end, step] = parts;
        IndexElem::Slice {
            start,
            end,
            step,
            loc,
        }
    }

    fn if_expr(&mut self, node: &SyntaxNode) -> Expr {
        let cond = self.expr(expr_child(node), node);
        let mut branches = node.children().filter(|n| n.kind() == BRANCH);
        let then = branches.next();
        let then = self.expr(
            then.as_ref().and_then(expr_child),
            then.as_ref().unwrap_or(node),
        );
        let otherwise = match branches.next() {
            Some(b) => self.expr(expr_child(&b), &b),
            None => {
                // `else if`: the second expression of the node is the next `if`.
                let next = node.children().filter(|n| n.kind() == IF_EXPR).last();
                let next = next.filter(|n| {
                    token(node, ELSE_KW)
                        .is_some_and(|e| e.text_range().start() < n.text_range().start())
                });
                self.expr(next, node)
            }
        };
        Expr::If {
            cond,
            then,
            otherwise,
        }
    }

    fn match_expr(&mut self, node: &SyntaxNode) -> Expr {
        let keyword = token(node, MATCH_KW).map_or(node.text_range(), |t| t.text_range());
        let keyword = self.loc(keyword);
        let scrutinee = self.expr(expr_child(node), node);
        let mut arms = Vec::new();
        if let Some(list) = child(node, MATCH_ARM_LIST) {
            for n in list.children().filter(|n| n.kind() == MATCH_ARM) {
                let pat_node = n.children().find(|n| is_pat(n.kind()));
                let range = pat_node.as_ref().map_or(n.text_range(), |p| p.text_range());
                let loc = self.loc(range);
                let pat = match &pat_node {
                    None => ArmPat::Error,
                    Some(p) => match p.kind() {
                        WILDCARD_PAT => ArmPat::Wild,
                        IDENT_PAT => {
                            ident(p).map_or(ArmPat::Error, |t| ArmPat::Name(Name::new(t.text())))
                        }
                        NONE_PAT => ArmPat::None,
                        SOME_PAT => ArmPat::Some(self.pat(p.children().find(|n| is_pat(n.kind())))),
                        _ => ArmPat::Broken(self.pat(pat_node.clone())),
                    },
                };
                let value = self.expr(expr_child(&n), &n);
                arms.push(Arm { pat, loc, value });
            }
        }
        Expr::Match {
            scrutinee,
            arms,
            keyword,
        }
    }

    pub(super) fn pat(&mut self, node: Option<SyntaxNode>) -> Pat {
        let Some(node) = node else { return Pat::Error };
        let loc: Loc = self.loc(node.text_range());
        match node.kind() {
            IDENT_PAT | WILDCARD_PAT => {
                ident(&node).map_or(Pat::Error, |t| Pat::Bind(Name::new(t.text()), loc))
            }
            TUPLE_PAT => {
                let nodes: Vec<SyntaxNode> = node.children().filter(|n| is_pat(n.kind())).collect();
                let mut items: Vec<Pat> = nodes.into_iter().map(|n| self.pat(Some(n))).collect();
                // A name may be missing.
                if self.faults.within(node.text_range()) {
                    items.push(Pat::Error);
                }
                Pat::Tuple(items, loc)
            }
            SOME_PAT => {
                let inner = node.children().find(|n| is_pat(n.kind()));
                Pat::Some(Box::new(self.pat(inner)), loc)
            }
            NONE_PAT => Pat::None(loc),
            _ => Pat::Error,
        }
    }
}

/// A list that is not closed, or holds what could not be read.
fn is_unfinished(list: &SyntaxNode, close: SyntaxKind) -> bool {
    token(list, close).is_none() || child(list, ERROR).is_some()
}

pub(super) fn is_pat(kind: SyntaxKind) -> bool {
    matches!(
        kind,
        IDENT_PAT | WILDCARD_PAT | TUPLE_PAT | SOME_PAT | NONE_PAT
    )
}

type Operands = (
    Option<SyntaxNode>,
    Option<(BinaryOp, linnet_syntax::TextRange)>,
    Option<SyntaxNode>,
);

fn operands(node: &SyntaxNode) -> Operands {
    let (mut lhs, mut op, mut rhs) = (None, None, None);
    for element in node.children_with_tokens() {
        match element {
            SyntaxElement::Token(t) => {
                if let Some(o) = binary_op(t.kind()) {
                    op = Some((o, t.text_range()));
                }
            }
            SyntaxElement::Node(n) if is_expr(n.kind()) => {
                if op.is_none() {
                    lhs = Some(n);
                } else if rhs.is_none() {
                    rhs = Some(n);
                }
            }
            SyntaxElement::Node(_) => {}
        }
    }
    (lhs, op, rhs)
}

pub(super) fn binary_op(kind: SyntaxKind) -> Option<BinaryOp> {
    Some(match kind {
        PIPE2 => BinaryOp::OrOr,
        AMP2 => BinaryOp::AndAnd,
        EQ2 => BinaryOp::Eq,
        NEQ => BinaryOp::Ne,
        LT => BinaryOp::Lt,
        LTEQ => BinaryOp::Le,
        GT => BinaryOp::Gt,
        GTEQ => BinaryOp::Ge,
        PIPE => BinaryOp::Or,
        CARET => BinaryOp::Xor,
        AMP => BinaryOp::And,
        PLUS => BinaryOp::Add,
        MINUS => BinaryOp::Sub,
        STAR => BinaryOp::Mul,
        SLASH => BinaryOp::Div,
        PERCENT => BinaryOp::Rem,
        _ => return None,
    })
}

fn literal(node: &SyntaxNode) -> Expr {
    let Some(t) = tokens(node).find(|t| !t.kind().is_trivia()) else {
        return Expr::Missing;
    };
    match t.kind() {
        TRUE_KW => Expr::Bool(true),
        FALSE_KW => Expr::Bool(false),
        INT_NUMBER => int(t.text()).map_or(Expr::Missing, Expr::Int),
        FLOAT_NUMBER => {
            let text: String = t.text().chars().filter(|c| *c != '_').collect();
            text.parse::<f64>()
                .map_or(Expr::Missing, |v| Expr::Float(v.to_bits()))
        }
        // A string is no value; the parser has said so.
        _ => Expr::Missing,
    }
}

/// The value of an integer literal up to 2^63; `None` for one that was reported.
fn int(text: &str) -> Option<u64> {
    let digits: String = text.chars().filter(|c| *c != '_').collect();
    let value = match digits.as_bytes() {
        [b'0', b'x' | b'X', ..] => u64::from_str_radix(&digits[2..], 16),
        [b'0', b'b' | b'B', ..] => u64::from_str_radix(&digits[2..], 2),
        _ => digits.parse(),
    };
    value.ok().filter(|v| *v <= 1 << 63)
}
