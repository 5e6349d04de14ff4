//! Types, shapes and generic arguments.

use linnet_syntax::{SyntaxKind::*, SyntaxNode};

use super::{PartLower, child, expr_child, ident, is_expr, is_type, start_of, type_child};
use crate::body::{Expr, ExprId, GenericArg, ShapeRef, TypeId, TypeRef};
use crate::tree::{Loc, Name};

impl PartLower {
    /// A type, or the error type where there is none.
    pub(super) fn ty(&mut self, node: Option<SyntaxNode>, parent: &SyntaxNode) -> TypeId {
        match node {
            Some(node) => self.ty_node(&node),
            None => {
                let loc = self.loc(start_of(parent));
                self.arena.add_ty(TypeRef::Error, loc)
            }
        }
    }

    /// The type that a declaration gives; the error type where the parser found a fault in it.
    pub(super) fn sound_ty(&mut self, parent: &SyntaxNode) -> TypeId {
        let ty = type_child(parent).filter(|_| !self.faults.within(parent.text_range()));
        self.ty(ty, parent)
    }

    pub(super) fn ty_node(&mut self, node: &SyntaxNode) -> TypeId {
        let loc = self.loc(node.text_range());
        let ty = match node.kind() {
            PATH_TYPE => match child(node, PATH) {
                Some(path) => {
                    let segments = self.segments(&path);
                    let args = child(node, GENERIC_ARGS).map(|a| self.generic_args(&a));
                    if segments.is_empty() {
                        TypeRef::Error
                    } else {
                        TypeRef::Path { segments, args }
                    }
                }
                None => TypeRef::Error,
            },
            // A misspelt `Tensor` is a name that nothing declares.
            TENSOR_TYPE if ident(node).is_some_and(|t| t.text() != "Tensor") => {
                let segments = ident(node).map(|t| (Name::new(t.text()), self.loc(t.text_range())));
                TypeRef::Path {
                    segments: segments.into_iter().collect(),
                    args: None,
                }
            }
            TENSOR_TYPE => {
                let shape = self.shape_list(node);
                let elem = self.ty(type_child(node), node);
                TypeRef::Tensor { shape, elem }
            }
            TUPLE_TYPE => {
                let items = node
                    .children()
                    .filter(|n| is_type(n.kind()))
                    .collect::<Vec<_>>();
                TypeRef::Tuple(items.iter().map(|n| self.ty_node(n)).collect())
            }
            ARRAY_TYPE => {
                let item = self.ty(type_child(node), node);
                let len = self.expr(expr_child(node), node);
                TypeRef::Array(item, len)
            }
            OPTIONAL_TYPE => TypeRef::Optional(self.ty(type_child(node), node)),
            _ => TypeRef::Error,
        };
        self.arena.add_ty(ty, loc)
    }

    /// The names of a path; empty where one of them is reserved.
    fn segments(&mut self, path: &SyntaxNode) -> Vec<(Name, Loc)> {
        let mut out = Vec::new();
        for t in super::tokens(path) {
            match t.kind() {
                IDENT => {
                    let loc = self.loc(t.text_range());
                    out.push((Name::new(t.text()), loc));
                }
                SELF_KW | SUPER_KW => return Vec::new(),
                _ => {}
            }
        }
        out
    }

    /// Elements and spreads that are direct children: of a list, a tensor type, a shape argument.
    pub(super) fn shape_list(&mut self, node: &SyntaxNode) -> Vec<ShapeRef> {
        let mut out = Vec::new();
        for n in node.children() {
            if n.kind() == SPREAD {
                let name = ident(&n).map(|t| Name::new(t.text())).unwrap_or_default();
                let loc = self.loc(n.text_range());
                if name.is_empty() {
                    out.push(ShapeRef::Dim(self.arena.add(Expr::Missing, loc)));
                } else {
                    out.push(ShapeRef::Pack(name, loc));
                }
            } else if is_expr(n.kind()) {
                out.push(ShapeRef::Dim(self.expr_node(&n)));
            }
        }
        out
    }

    pub(super) fn generic_args(&mut self, node: &SyntaxNode) -> Vec<GenericArg> {
        node.children()
            .filter(|n| n.kind() == GENERIC_ARG)
            .map(|n| self.generic_arg(&n))
            .collect()
    }

    fn generic_arg(&mut self, node: &SyntaxNode) -> GenericArg {
        let Some(inner) = node.children().next() else {
            let loc = self.loc(start_of(node));
            return GenericArg::Expr(self.arena.add(Expr::Missing, loc));
        };
        match inner.kind() {
            LIST_EXPR => {
                let loc = self.loc(inner.text_range());
                GenericArg::Shape(self.shape_list(&inner), loc)
            }
            kind if is_type(kind) => GenericArg::Type(self.ty_node(&inner)),
            kind if is_expr(kind) => GenericArg::Expr(self.expr_node(&inner)),
            _ => {
                let loc = self.loc(inner.text_range());
                GenericArg::Expr(self.arena.add(Expr::Missing, loc))
            }
        }
    }

    /// The default of a generic: what stands after its `=`.
    pub(super) fn generic_default(&mut self, node: &SyntaxNode) -> Option<GenericArg> {
        child(node, GENERIC_ARG).map(|n| self.generic_arg(&n))
    }

    /// An expression, or [`Expr::Missing`] where there is none.
    pub(super) fn expr(&mut self, node: Option<SyntaxNode>, parent: &SyntaxNode) -> ExprId {
        match node {
            Some(node) => self.expr_node(&node),
            None => {
                let loc = self.loc(start_of(parent));
                self.arena.add(Expr::Missing, loc)
            }
        }
    }
}
