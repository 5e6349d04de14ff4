//! Which generics follow from the types of the arguments.

use linnet_dim::{Dim, Sym};

use crate::ctx::{CALLEE_SYM, Ctx};
use crate::tree::Name;
use crate::ty::{Elem, GArg, Shape, ShapeElem, Ty, product};

/// What a call must give: name, type in the callee's generics, whether it may be left out.
pub(super) struct Wanted {
    pub(super) name: Name,
    pub(super) ty: Ty,
    pub(super) optional: bool,
}

/// The generics that are known so far.
pub(super) struct Solver {
    pub(super) sol: Vec<Option<GArg>>,
}

impl Solver {
    pub(super) fn set(&mut self, g: u32, value: impl FnOnce() -> GArg) {
        if let Some(slot @ None) = self.sol.get_mut(g as usize) {
            *slot = Some(value());
        }
    }

    pub(super) fn unsolved(&self) -> usize {
        self.sol.iter().filter(|s| s.is_none()).count()
    }
}

/// The dtype of a tensor type, seen through an optional.
pub(super) fn elem_of(ty: &Ty) -> Option<Elem> {
    match ty {
        Ty::Tensor(_, e) => Some(*e),
        Ty::Optional(t) => elem_of(t),
        _ => None,
    }
}

impl<'a> Ctx<'a> {
    /// Learns generics from one argument.
    pub(super) fn learn(&mut self, solver: &mut Solver, want: &Ty, have: &Ty) {
        match (want, have) {
            (Ty::Tensor(shape, elem), Ty::Tensor(actual, actual_elem)) => {
                if let Elem::Param(g) = elem {
                    solver.set(*g, || GArg::Elem(*actual_elem));
                }
                self.learn_shape(solver, shape, actual);
            }
            (Ty::Tensor(shape, _), Ty::Int(_) | Ty::Float(_)) => {
                self.learn_shape(solver, shape, &std::sync::Arc::from([]));
            }
            (Ty::Optional(w), Ty::Optional(h)) => self.learn(solver, w, h),
            (Ty::Tuple(w), Ty::Tuple(h)) if w.len() == h.len() => {
                for (w, h) in w.iter().zip(h.iter()) {
                    self.learn(solver, w, h);
                }
            }
            (Ty::Struct(d, w), Ty::Struct(e, h)) | (Ty::Block(d, w), Ty::Block(e, h)) if d == e => {
                for (w, h) in w.iter().zip(h.iter()) {
                    match (w, h) {
                        (GArg::Dim(w), GArg::Dim(h)) => self.learn_dim(solver, w, h),
                        (GArg::Shape(w), GArg::Shape(h)) => self.learn_shape(solver, w, h),
                        (GArg::Elem(Elem::Param(g)), GArg::Elem(h)) => {
                            solver.set(*g, || GArg::Elem(*h))
                        }
                        _ => {}
                    }
                }
            }
            _ => {}
        }
    }

    pub(super) fn learn_shape(&mut self, solver: &mut Solver, want: &Shape, have: &Shape) {
        // Solved packs stand for axes that are known already.
        enum Slot<'s> {
            Dim(&'s Dim),
            Known,
            Open(u32),
        }
        let mut slots = Vec::with_capacity(want.len());
        for elem in want.iter() {
            match elem {
                ShapeElem::Dim(d) => slots.push(Slot::Dim(d)),
                ShapeElem::Pack(p) => match &solver.sol[*p as usize] {
                    Some(GArg::Shape(s)) => slots.extend(s.iter().map(|_| Slot::Known)),
                    _ => slots.push(Slot::Open(*p)),
                },
            }
        }
        let open: Vec<usize> = slots
            .iter()
            .enumerate()
            .filter(|(_, s)| matches!(s, Slot::Open(_)))
            .map(|(i, _)| i)
            .collect();
        let (front, back) = match (open.first(), open.last()) {
            (Some(f), Some(l)) => (*f, slots.len() - 1 - l),
            _ if slots.len() == have.len() => (slots.len(), 0),
            _ => return,
        };
        if front + back > have.len() {
            return;
        }
        let mut pairs: Vec<(Dim, Dim)> = Vec::new();
        for (i, slot) in slots[..front].iter().enumerate() {
            if let (Slot::Dim(d), ShapeElem::Dim(h)) = (slot, &have[i]) {
                pairs.push(((*d).clone(), h.clone()));
            }
        }
        for i in 0..back {
            let (slot, h) = (&slots[slots.len() - 1 - i], &have[have.len() - 1 - i]);
            if let (Slot::Dim(d), ShapeElem::Dim(h)) = (slot, h) {
                pairs.push(((*d).clone(), h.clone()));
            }
        }
        if let [only] = open[..]
            && let Slot::Open(p) = slots[only]
        {
            let middle = &have[front..have.len() - back];
            solver.set(p, || GArg::Shape(middle.into()));
        }
        for (w, h) in pairs {
            self.learn_dim(solver, &w, &h);
        }
    }

    pub(super) fn learn_dim(&mut self, solver: &mut Solver, want: &Dim, have: &Dim) {
        if let Some(Sym(g)) = want.as_sym() {
            solver.set(g, || GArg::Dim(have.clone()));
            return;
        }
        let mut open: Option<u32> = None;
        let mut many = false;
        want.visit_syms(&mut |Sym(g)| {
            if solver.sol.get(g as usize).is_some_and(Option::is_none) {
                many |= open.is_some_and(|o| o != g);
                open = Some(g);
            }
        });
        let Some(g) = open else { return };
        if many {
            return;
        }
        // The callee's symbols and the caller's share numbers, so the unknown gets one of its own.
        let unknown = Sym(CALLEE_SYM + g);
        let lhs = want.subst(&mut |Sym(i)| match solver.sol.get(i as usize) {
            Some(Some(GArg::Dim(d))) => Some(d.clone()),
            Some(Some(GArg::Shape(s))) => Some(product(s)),
            _ => Some(Dim::sym(Sym(CALLEE_SYM + i))),
        });
        self.proofs += 1;
        if let Some(solution) = self.facts.solve(&lhs, unknown, have) {
            solver.set(g, || GArg::Dim(solution));
        }
    }
}
