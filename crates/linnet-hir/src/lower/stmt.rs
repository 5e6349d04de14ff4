//! Statements.

use linnet_syntax::{SyntaxKind::*, SyntaxNode};

use super::expr::is_pat;
use super::{
    PartLower, child, child_after, expr_child, ident, is_expr, start_of, token, type_child,
};
use crate::body::{Expr, Loop, Out, Rhs, Stmt};
use crate::tree::Name;

impl PartLower {
    /// The statements of a `BODY`.
    pub(super) fn stmts(&mut self, body: Option<SyntaxNode>) -> Vec<Stmt> {
        let Some(body) = body else { return Vec::new() };
        stacker::maybe_grow(64 << 10, 1 << 20, || {
            body.children().map(|n| self.sound_stmt(&n)).collect()
        })
    }

    /// A statement, marked where the parser found a fault in it; a loop's body is judged by itself.
    fn sound_stmt(&mut self, node: &SyntaxNode) -> Stmt {
        if node.kind() == ERROR {
            return Stmt::Junk(super::first_names(node));
        }
        let stmt = self.stmt(node);
        let end = child(node, BODY).map_or(node.text_range().end(), |b| b.text_range().start());
        let head = linnet_syntax::TextRange::new(node.text_range().start(), end);
        let scan = matches!(node.kind(), LET_STMT | VAR_STMT)
            && expr_child(node).is_some_and(|e| e.kind() == SCAN_EXPR);
        if !scan && self.faults.within(head) {
            Stmt::Broken(Box::new(stmt))
        } else {
            stmt
        }
    }

    fn stmt(&mut self, node: &SyntaxNode) -> Stmt {
        match node.kind() {
            LET_STMT => {
                let pat = self.pat(node.children().find(|n| is_pat(n.kind())));
                let ty = type_child(node).map(|t| self.ty_node(&t));
                let rhs = self.rhs(node);
                Stmt::Let { pat, ty, rhs }
            }
            INDEX_LET_STMT => {
                let (name, name_loc) = self.named(ident(node), node);
                let mut outs = Vec::new();
                if let Some(list) = child(node, INDEX_NAME_LIST) {
                    for n in list.children().filter(|n| n.kind() == INDEX_NAME) {
                        if let Some(t) = ident(&n) {
                            let loc = self.loc(n.text_range());
                            outs.push(Out {
                                name: Name::new(t.text()),
                                pack: token(&n, STAR).is_some(),
                                loc,
                            });
                        }
                    }
                }
                let value = self.expr(expr_child(node), node);
                Stmt::LetIndex {
                    name,
                    name_loc,
                    outs,
                    value,
                }
            }
            VAR_STMT => {
                let (name, name_loc) = self.named(ident(node), node);
                let ty = type_child(node).map(|t| self.ty_node(&t));
                let rhs = self.rhs(node);
                Stmt::Var {
                    name,
                    name_loc,
                    ty,
                    rhs,
                }
            }
            ASSIGN_STMT => {
                let (name, name_loc) = self.named(ident(node), node);
                let value = self.expr(expr_child(node), node);
                Stmt::Assign {
                    name,
                    name_loc,
                    value,
                }
            }
            RETURN_STMT => {
                let range = token(node, RETURN_KW).map_or(node.text_range(), |t| t.text_range());
                let loc = self.loc(range);
                Stmt::Return {
                    value: expr_child(node).map(|e| self.expr_node(&e)),
                    loc,
                }
            }
            STATIC_FOR_STMT => {
                if token(node, FOR_KW).is_none() {
                    return Stmt::Error;
                }
                let (var, var_loc) = self.named(ident(node), node);
                let lo = self.expr(expr_child(node), node);
                let hi =
                    token(node, DOT2).map(|_| self.expr(child_after(node, DOT2, is_expr), node));
                let body = self.stmts(child(node, BODY));
                Stmt::StaticFor {
                    var,
                    var_loc,
                    lo,
                    hi,
                    body,
                }
            }
            WHILE_STMT => {
                let cond = self.expr(expr_child(node), node);
                let body = self.stmts(child(node, BODY));
                Stmt::While { cond, body }
            }
            FOR_STMT => Stmt::For(self.for_loop(node)),
            YIELD_STMT => {
                let range = token(node, YIELD_KW).map_or(node.text_range(), |t| t.text_range());
                let loc = self.loc(range);
                let value = self.expr(expr_child(node), node);
                Stmt::Yield { value, loc }
            }
            _ => Stmt::Error,
        }
    }

    fn rhs(&mut self, node: &SyntaxNode) -> Rhs {
        match expr_child(node) {
            Some(e) if e.kind() == SCAN_EXPR => Rhs::Scan(self.for_loop(&e)),
            other => Rhs::Expr(self.expr(other, node)),
        }
    }

    /// `for var in lo..hi { .. }`, a statement's or a scan's.
    pub(super) fn for_loop(&mut self, node: &SyntaxNode) -> Loop {
        let keyword = token(node, FOR_KW).map_or_else(|| start_of(node), |t| t.text_range());
        let keyword = self.loc(keyword);
        let (var, var_loc) = self.named(ident(node), node);
        let lo = self.expr(expr_child(node), node);
        let hi = match child_after(node, DOT2, is_expr) {
            Some(e) => self.expr_node(&e),
            None => {
                let loc = self.loc(start_of(node));
                self.arena.add(Expr::Missing, loc)
            }
        };
        let body = self.stmts(child(node, BODY));
        Loop {
            var,
            var_loc,
            lo,
            hi,
            body,
            keyword,
        }
    }
}
