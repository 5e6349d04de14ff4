//! Slices, element access and index notation.

use crate::body::{Expr, ExprId, IndexElem};
use crate::ctx::Ctx;
use crate::diag::Diagnostic;
use crate::tree::Loc;
use crate::ty::Ty;

impl<'a> Ctx<'a> {
    /// E3104.
    pub fn not_in_index_notation(&mut self, loc: Loc, what: &str, help: Option<&str>) {
        let at = self.at(loc);
        let mut d = Diagnostic::new(
            "E3104",
            at,
            format!("{what} is not valid in index notation"),
        )
        .label("not valid here");
        if let Some(help) = help {
            d = d.help(help);
        }
        self.report(d);
    }

    /// Whether an index that is in scope now stands in index position somewhere inside.
    pub fn depends_on_index(&self, id: ExprId) -> bool {
        if self.index_depth == 0 {
            return false;
        }
        let mut stack = vec![id];
        while let Some(id) = stack.pop() {
            let expr = self.arena.expr(id);
            if let Expr::Index { indices, .. } = expr
                && indices.iter().any(|i| self.names_index(i))
            {
                return true;
            }
            expr.children(|e| stack.push(e));
        }
        false
    }

    /// Whether a subscript is the bare name of an index.
    pub(super) fn names_index(&self, index: &IndexElem) -> bool {
        match index {
            IndexElem::Expr(e) => {
                matches!(self.arena.expr(*e), Expr::Name(name) if self.find_index(name).is_some())
            }
            IndexElem::Pack(name, _) => self.find_index(name).is_some(),
            _ => false,
        }
    }

    pub fn infer_index(&mut self, id: ExprId, base: ExprId, indices: &[IndexElem]) -> Ty {
        let base_loc = self.arena.loc(base);
        let base_ty = match self.arena.expr(base) {
            Expr::Name(name) => {
                let ty = match self.resolve(name, true) {
                    Some(res) => self.value_of(res, name, base_loc),
                    None => {
                        self.undeclared(name, base_loc, "E1201");
                        Ty::Error
                    }
                };
                if let Some(slot) = self.expr_tys.get_mut(base.0 as usize) {
                    *slot = ty.clone();
                }
                ty
            }
            _ => self.infer_expr(base, None),
        };
        match base_ty {
            Ty::Error => {
                self.infer_subscripts(indices);
                Ty::Error
            }
            Ty::Array(item, len) => self.array_item(base_loc, &item, &len, indices),
            Ty::Tensor(shape, elem) => {
                if self.is_access(indices) {
                    if self.depends_on_index(base) {
                        self.not_in_index_notation(
                            base_loc,
                            "indexing an expression that already depends on an index",
                            None,
                        );
                        return Ty::Error;
                    }
                    self.access(id, &shape, elem, indices)
                } else {
                    self.slice(id, &shape, elem, indices)
                }
            }
            other => {
                self.infer_subscripts(indices);
                self.operand_fault("[..]", &other, base_loc);
                Ty::Error
            }
        }
    }

    pub(super) fn infer_subscripts(&mut self, indices: &[IndexElem]) {
        for i in indices {
            match i {
                IndexElem::Expr(e) => {
                    // An index name is in order here, whatever is indexed.
                    if let Expr::Name(name) = self.arena.expr(*e)
                        && let Some(i) = self.find_index(name)
                    {
                        self.locals[i].used = true;
                        continue;
                    }
                    if let Expr::Name(name) = self.arena.expr(*e)
                        && self.index_depth > 0
                        && self.resolve(name, false).is_none()
                    {
                        let loc = self.arena.loc(*e);
                        self.undeclared(name, loc, "E3101");
                        continue;
                    }
                    self.infer_expr(*e, None);
                }
                IndexElem::Slice {
                    start, end, step, ..
                } => {
                    for e in [start, end, step].into_iter().flatten() {
                        self.infer_expr(*e, None);
                    }
                }
                IndexElem::Pack(name, _) => {
                    if let Some(i) = self.find_index(name) {
                        self.locals[i].used = true;
                    }
                }
                IndexElem::Ellipsis(_) => {}
            }
        }
    }

    /// Marks the indices among the subscripts as used.
    pub(super) fn infer_known_subscripts(&mut self, indices: &[IndexElem]) {
        for i in indices {
            let name = match i {
                IndexElem::Expr(e) => match self.arena.expr(*e) {
                    Expr::Name(name) => name,
                    _ => continue,
                },
                IndexElem::Pack(name, _) => name,
                _ => continue,
            };
            if let Some(i) = self.find_index(name) {
                self.locals[i].used = true;
            }
        }
    }

    /// Element access in index notation: a subscript names an index, or a name that nothing declares.
    pub(super) fn is_access(&mut self, indices: &[IndexElem]) -> bool {
        for i in indices {
            match i {
                IndexElem::Pack(..) => return true,
                IndexElem::Expr(e) => {
                    if self.names_index(i) || self.depends_on_index(*e) {
                        return true;
                    }
                    if let Expr::Name(name) = self.arena.expr(*e)
                        && self.resolve(name, false).is_none()
                    {
                        return true;
                    }
                }
                IndexElem::Slice {
                    start, end, step, ..
                } => {
                    if [start, end, step]
                        .into_iter()
                        .flatten()
                        .any(|e| self.depends_on_index(*e))
                    {
                        return true;
                    }
                }
                IndexElem::Ellipsis(_) => {}
            }
        }
        false
    }
}
