//! Files, items and headers.

use std::sync::Arc;

use linnet_dim::Rel;
use linnet_syntax::{SyntaxKind::*, SyntaxNode};

use super::{
    FileLower, PartLower, child, child_after, expr_child, ident, is_expr, start_of, token, tokens,
    type_child,
};
use crate::body::{Body, Expr, GradBody};
use crate::tree::{
    ConstraintRef, DefId, FieldRef, GenericKind, GenericRef, Item, ItemData, ItemDetail, ItemKind,
    LoweredItem, MemberDefault, MemberKind, MemberRef, Name, ParamRef, Use, UseName,
};

impl FileLower<'_> {
    pub(super) fn file(&mut self, root: &SyntaxNode) {
        for node in root.children() {
            match node.kind() {
                MODULE_DECL => {
                    if self.tree.module.is_none()
                        && let Some(path) = child(&node, PATH)
                    {
                        let loc = self.loc(path.text_range());
                        self.tree.module = Some((path_names(&path), loc));
                    }
                }
                USE_DECL => {
                    if self.faults.within(node.text_range()) {
                        self.doubt_use(&node);
                    } else if let Some(u) = self.use_decl(&node) {
                        self.tree.uses.push(u);
                    }
                }
                ERROR => self.doubt(&node),
                _ => {
                    if let Some(item) = self.item(&node, None) {
                        self.tree.items.push(item);
                    }
                }
            }
        }
    }

    /// What a broken import names is not looked up, and may be anything.
    fn doubt_use(&mut self, node: &SyntaxNode) {
        let names = node
            .descendants_with_tokens()
            .filter_map(linnet_syntax::SyntaxElement::into_token)
            .filter(|t| t.kind() == IDENT)
            .map(|t| Name::new(t.text()));
        self.tree.doubtful.extend(names);
        self.tree.lost_name |= child(node, USE_LIST).is_none_or(|l| l.children().next().is_none());
    }

    fn use_decl(&mut self, node: &SyntaxNode) -> Option<Use> {
        let path_node = child(node, PATH)?;
        // A reserved `self` or `super` was reported; there is nothing to look up.
        if tokens(&path_node).any(|t| matches!(t.kind(), SELF_KW | SUPER_KW)) {
            return None;
        }
        let path = path_names(&path_node);
        if path.is_empty() {
            return None;
        }
        // The comments before it are part of the node, not of the declaration.
        let start = start_of(node).start();
        let loc = self.loc(linnet_syntax::TextRange::new(
            start,
            node.text_range().end(),
        ));
        let path_loc = self.loc(path_node.text_range());
        let list = child(node, USE_LIST);
        let has_names = list.is_some() || token(node, COLON2).is_some();
        let holder = list.as_ref().unwrap_or(node);
        let mut names = Vec::new();
        for n in holder.children().filter(|n| n.kind() == USE_NAME) {
            let mut idents = tokens(&n).filter(|t| t.kind() == IDENT);
            let Some(name) = idents.next() else { continue };
            let name_loc = self.loc(name.text_range());
            let alias = idents.next().map(|t| {
                let loc = self.loc(t.text_range());
                (Name::new(t.text()), loc)
            });
            names.push(UseName {
                name: Name::new(name.text()),
                name_loc,
                alias,
            });
        }
        Some(Use {
            loc,
            path,
            path_loc,
            names: has_names.then_some(names),
        })
    }

    fn item(&mut self, node: &SyntaxNode, container: Option<DefId>) -> Option<Item> {
        let kind = match node.kind() {
            CONST => ItemKind::Const,
            TYPE_ALIAS => ItemKind::Alias,
            STRUCT => ItemKind::Struct,
            ENUM => ItemKind::Enum,
            FN => ItemKind::Fn,
            OP => ItemKind::Op,
            ENTRY => ItemKind::Entry,
            BLOCK => ItemKind::Block,
            _ => return None,
        };
        // Structs, enums and blocks inside a block are reserved, and were reported.
        if container.is_some()
            && matches!(kind, ItemKind::Struct | ItemKind::Enum | ItemKind::Block)
        {
            return None;
        }
        let name_token = ident(node);
        let name = name_token
            .as_ref()
            .map(|t| Name::new(t.text()))
            .unwrap_or_default();
        self.tree.lost_name |= name.is_empty() && container.is_none();
        let count = self
            .seen
            .entry((container, kind, name.clone()))
            .or_default();
        let nth = *count;
        *count += 1;
        let def = DefId::new(self.db, self.file, container, name.clone(), kind, nth);
        let is_pub = token(node, PUB_KW).is_some();
        let name_range = name_token.map_or_else(|| start_of(node), |t| t.text_range());
        let name_loc = self.loc(name_range);
        let loc = self.loc(node.text_range());
        let lowered = self.lower_item(node, kind, &name, is_pub);
        self.items.insert(def, lowered);
        let mut children = Vec::new();
        if kind == ItemKind::Block
            && let Some(list) = child(node, MEMBER_LIST)
        {
            for n in list.children() {
                if n.kind() == ERROR {
                    self.doubt(&n);
                }
                children.extend(self.item(&n, Some(def)));
            }
        }
        Some(Item {
            def,
            name,
            kind,
            is_pub,
            name_loc,
            loc,
            children,
        })
    }

    fn lower_item(
        &mut self,
        node: &SyntaxNode,
        kind: ItemKind,
        name: &Name,
        is_pub: bool,
    ) -> LoweredItem {
        let mut sig = PartLower::new(&self.faults);
        let mut part = PartLower::new(&self.faults);
        let name_loc = match ident(node) {
            Some(t) => sig.loc(t.text_range()),
            None => sig.loc(start_of(node)),
        };
        let generics = child(node, GENERIC_PARAMS)
            .map(|g| sig.generics(&g))
            .unwrap_or_default();
        let wheres = child(node, WHERE_CLAUSE)
            .map(|w| sig.wheres(&w))
            .unwrap_or_default();
        let whole = node.text_range();
        let body_start = child(node, BODY)
            .or_else(|| child(node, MEMBER_LIST))
            .map_or(whole.end(), |b| b.text_range().start());
        let head = linnet_syntax::TextRange::new(whole.start(), body_start);
        let broken = self.faults.within(head);
        let mut body = Body {
            broken: self.faults.within(whole),
            ..Body::default()
        };
        let detail = match kind {
            ItemKind::Const => {
                // The value is not judged where the declaration is broken.
                let value = expr_child(node).filter(|_| !broken);
                body.value = Some(part.expr(value, node));
                ItemDetail::Const {
                    ty: type_child(node).map(|t| sig.ty_node(&t)),
                }
            }
            ItemKind::Alias => ItemDetail::Alias {
                ty: sig.sound_ty(node),
            },
            ItemKind::Struct => {
                let fields = child(node, FIELD_LIST)
                    .into_iter()
                    .flat_map(|l| l.children().collect::<Vec<_>>());
                ItemDetail::Struct {
                    fields: fields
                        .filter(|n| n.kind() == FIELD)
                        .map(|n| {
                            let (name, loc) = sig.named(ident(&n), &n);
                            FieldRef {
                                name,
                                loc,
                                ty: sig.sound_ty(&n),
                            }
                        })
                        .collect(),
                }
            }
            ItemKind::Enum => {
                let variants = child(node, VARIANT_LIST)
                    .into_iter()
                    .flat_map(|l| l.children().collect::<Vec<_>>());
                ItemDetail::Enum {
                    variants: variants
                        .filter(|n| n.kind() == VARIANT)
                        .map(|n| sig.named(ident(&n), &n))
                        .collect(),
                }
            }
            ItemKind::Block => {
                let members = child(node, MEMBER_LIST)
                    .into_iter()
                    .flat_map(|l| l.children().collect::<Vec<_>>());
                ItemDetail::Block {
                    members: members.filter_map(|n| sig.member(&n)).collect(),
                }
            }
            ItemKind::Fn | ItemKind::Op | ItemKind::Entry => {
                let mut params = Vec::new();
                let list = child(node, PARAM_LIST)
                    .into_iter()
                    .flat_map(|l| l.children().collect::<Vec<_>>());
                for n in list.filter(|n| n.kind() == PARAM) {
                    let (name, loc) = sig.named(ident(&n), &n);
                    let ty = sig.sound_ty(&n);
                    let default = child_after(&n, EQ, is_expr).map(|e| part.expr_node(&e));
                    params.push(ParamRef {
                        name,
                        loc,
                        ty,
                        has_default: default.is_some(),
                    });
                    body.defaults.push(default);
                }
                let ret = child(node, RESULT_TYPE).map(|r| sig.sound_ty(&r));
                // Only an entry may leave its result out; elsewhere the parser has said so.
                let ret = match ret {
                    None if kind != ItemKind::Entry => Some(sig.ty(None, node)),
                    other => other,
                };
                // A body that is not there may have been reported at what stands in its place.
                body.broken |= child(node, BODY).is_none();
                body.stmts = part.stmts(child(node, BODY));
                let grad = child(node, GRAD_CLAUSE);
                let grad_loc = grad.as_ref().map(|g| {
                    let range = token(g, GRAD_KW).map_or_else(|| start_of(g), |t| t.text_range());
                    sig.loc(range)
                });
                body.grad = grad.map(|g| {
                    let mut names = tokens(&g).filter(|t| t.kind() == IDENT);
                    let result = part.named(names.next(), &g);
                    let cotangent = part.named(names.next(), &g);
                    let stmts = part.stmts(child(&g, BODY));
                    GradBody {
                        result,
                        cotangent,
                        stmts,
                        broken: body.broken,
                    }
                });
                ItemDetail::Fn {
                    params,
                    ret,
                    grad: grad_loc,
                }
            }
        };
        body.arena = part.arena;
        LoweredItem {
            data: Arc::new(ItemData {
                kind,
                name: name.clone(),
                name_loc,
                is_pub,
                arena: sig.arena,
                generics,
                wheres,
                broken,
                detail,
            }),
            sig_locs: Arc::new(sig.locs),
            body: Arc::new(body),
            body_locs: Arc::new(part.locs),
        }
    }
}

impl PartLower {
    fn generics(&mut self, node: &SyntaxNode) -> Vec<GenericRef> {
        let mut out = Vec::new();
        for n in node.children().filter(|n| n.kind() == GENERIC_PARAM) {
            let mut idents = tokens(&n).filter(|t| t.kind() == IDENT);
            let (name, loc) = self.named(idents.next(), &n);
            let kind_token = idents.next();
            let kind = match kind_token.as_ref().map(|t| t.text()) {
                Some("Dim") => GenericKind::Dim,
                Some("Shape") => GenericKind::Shape,
                Some("DType") => GenericKind::DType,
                Some("Numeric") => GenericKind::Numeric,
                Some("Integer") => GenericKind::Integer,
                Some("Float") => GenericKind::Float,
                _ => GenericKind::Error,
            };
            let kind_range = kind_token.map_or_else(|| n.text_range(), |t| t.text_range());
            let kind_loc = self.loc(kind_range);
            let star = token(&n, STAR).is_some();
            let default = self.generic_default(&n);
            out.push(GenericRef {
                name,
                loc,
                star,
                kind,
                kind_loc,
                default,
            });
        }
        out
    }

    fn wheres(&mut self, node: &SyntaxNode) -> Vec<ConstraintRef> {
        let mut out = Vec::new();
        for n in node.children().filter(|n| n.kind() == CONSTRAINT) {
            let rel = tokens(&n).find_map(|t| match t.kind() {
                EQ2 => Some(Rel::Eq),
                NEQ => Some(Rel::Ne),
                LT => Some(Rel::Lt),
                LTEQ => Some(Rel::Le),
                GT => Some(Rel::Gt),
                GTEQ => Some(Rel::Ge),
                _ => None,
            });
            let mut sides = n.children().filter(|c| is_expr(c.kind()));
            let (Some(rel), Some(lhs), Some(rhs)) = (rel, sides.next(), sides.next()) else {
                continue;
            };
            let lhs = self.expr_node(&lhs);
            let rhs = self.expr_node(&rhs);
            let loc = self.loc(n.text_range());
            out.push(ConstraintRef { lhs, rel, rhs, loc });
        }
        out
    }

    fn member(&mut self, node: &SyntaxNode) -> Option<MemberRef> {
        let kind = match node.kind() {
            PARAM_MEMBER => MemberKind::Param,
            BUFFER_MEMBER => MemberKind::Buffer,
            STATE_MEMBER => MemberKind::State,
            SUB_MEMBER => MemberKind::Sub,
            _ => return None,
        };
        let (name, loc) = self.named(ident(node), node);
        let ty = self.sound_ty(node);
        let default = match child_after(node, EQ, is_expr) {
            Some(value) => {
                let loc = self.loc(value.text_range());
                let id = self.expr_node(&value);
                match self.arena.expr(id) {
                    Expr::Missing => None,
                    value => Some(MemberDefault {
                        is_none: *value == Expr::None,
                        loc,
                    }),
                }
            }
            None => None,
        };
        Some(MemberRef {
            kind,
            name,
            loc,
            ty,
            default,
        })
    }
}

fn path_names(path: &SyntaxNode) -> Vec<Name> {
    tokens(path)
        .filter(|t| matches!(t.kind(), IDENT | CRATE_KW))
        .map(|t| Name::new(t.text()))
        .collect()
}
