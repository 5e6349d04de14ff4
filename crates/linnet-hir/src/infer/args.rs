//! Which argument goes where, and whether its type fits.

use rustc_hash::FxHashMap;

use crate::body::{Arg, ExprId};
use crate::ctx::Ctx;
use crate::diag::Diagnostic;
use crate::infer::call::CallSite;
use crate::infer::coerce::Place;
use crate::infer::solve::{Solver, Wanted, elem_of};
use crate::lower_ty::{DEFAULT_FLOAT, DEFAULT_INT, class_name, class_words};
use crate::scope::suggest;
use crate::sig::Header;
use crate::tree::{GenericKind, Loc, Name};
use crate::ty::{Elem, GArg, ShapeElem, Ty};

/// Why an argument stands for no parameter.
pub(super) enum Misplaced<'c> {
    /// A positional argument after a named one.
    Positional(&'c Arg),
    /// A positional argument beyond the last parameter.
    TooMany(&'c Arg),
    /// A name that no parameter has.
    Unknown(&'c Name, Loc),
    /// A second value for a parameter.
    Twice(&'c Arg, usize),
}

/// The place of each argument's parameter among `names`; else the first argument that has none.
pub(super) fn distribute<'c, 'n>(
    args: &'c [Arg],
    names: impl Iterator<Item = &'n str>,
) -> Result<Vec<usize>, Misplaced<'c>> {
    let any_named = args.iter().any(|arg| arg.name.is_some());
    let mut places: FxHashMap<&str, usize> = FxHashMap::default();
    let mut count = 0;
    for name in names {
        // Most calls name nothing. Of two parameters with one name, a fault of its own, the first counts.
        if any_named {
            places.entry(name).or_insert(count);
        }
        count += 1;
    }
    let mut is_given = vec![false; count];
    let mut named = false;
    let mut given = Vec::with_capacity(args.len());
    for (position, arg) in args.iter().enumerate() {
        let index = match &arg.name {
            None if named => return Err(Misplaced::Positional(arg)),
            None if position >= count => return Err(Misplaced::TooMany(arg)),
            None => position,
            Some((key, loc)) => {
                named = true;
                let place = places.get(key.as_str());
                *place.ok_or(Misplaced::Unknown(key, *loc))?
            }
        };
        if std::mem::replace(&mut is_given[index], true) {
            return Err(Misplaced::Twice(arg, index));
        }
        given.push(index);
    }
    Ok(given)
}

impl<'a> Ctx<'a> {
    /// E2102: positional arguments come first.
    pub(super) fn positional_after_named(&mut self, arg: &Arg) {
        let loc = self.arena.loc(arg.value);
        self.error(
            "E2102",
            loc,
            "a positional argument after a named one",
            "name it, or move it to the front",
        );
    }

    /// Assigns arguments to parameters: for each argument the parameter, or `None` after a reported fault.
    fn assign_args(
        &mut self,
        wanted: &[Wanted],
        site: CallSite<'_>,
        place: Place,
    ) -> Option<Vec<usize>> {
        let CallSite {
            name,
            name_loc,
            args,
            ..
        } = site;
        let what = if place == Place::Field {
            "field"
        } else {
            "parameter"
        };
        let names = wanted.iter().map(|w| w.name.as_str());
        let given = match distribute(args, names.clone()) {
            Ok(given) => given,
            Err(Misplaced::Positional(arg)) => {
                self.positional_after_named(arg);
                return None;
            }
            Err(Misplaced::TooMany(arg)) => {
                let loc = self.arena.loc(arg.value);
                let count = args.iter().filter(|a| a.name.is_none()).count();
                self.error(
                    "E2102",
                    loc,
                    format!(
                        "`{name}` takes {} arguments, and {count} are given",
                        wanted.len()
                    ),
                    "one too many",
                );
                return None;
            }
            Err(Misplaced::Unknown(key, loc)) => {
                let at = self.at(loc);
                let mut d = Diagnostic::new("E2102", at, format!("`{name}` has no {what} `{key}`"))
                    .label(format!("no such {what}"));
                if let Some(s) = suggest(key, names) {
                    d = d.did_you_mean(at, s);
                }
                self.report(d);
                return None;
            }
            Err(Misplaced::Twice(arg, index)) => {
                let loc = arg
                    .name
                    .as_ref()
                    .map_or(self.arena.loc(arg.value), |(_, l)| *l);
                self.error(
                    "E2102",
                    loc,
                    format!("`{}` is given twice", wanted[index].name),
                    "the second value",
                );
                return None;
            }
        };
        let mut is_given = vec![false; wanted.len()];
        given.iter().for_each(|index| is_given[*index] = true);
        let missing: Vec<String> = wanted
            .iter()
            .zip(is_given)
            .filter(|(w, is_given)| !is_given && !w.optional)
            .map(|(w, _)| format!("`{}`", w.name))
            .collect();
        if !missing.is_empty() {
            self.error(
                "E2102",
                name_loc,
                format!("`{name}` misses {}", missing.join(", ")),
                format!(
                    "missing {}{}",
                    what,
                    if missing.len() > 1 { "s" } else { "" }
                ),
            );
            return None;
        }
        Some(given)
    }

    /// Matches a call: assigns the arguments, solves the generics, checks every type. The generics' values, or `None` after a report.
    pub(super) fn match_call(
        &mut self,
        site: CallSite<'_>,
        head: &Header,
        prefix: Vec<GArg>,
        wanted: &[Wanted],
        place: Place,
    ) -> Option<Vec<GArg>> {
        let CallSite {
            loc: call_loc,
            name,
            name_loc,
            generics,
            args,
        } = site;
        let Some(given) = self.assign_args(wanted, site, place) else {
            self.misread_call(args);
            return None;
        };
        let mut solver = Solver {
            sol: vec![None; head.generics.len()],
        };
        let known = prefix.len();
        for (slot, arg) in solver.sol.iter_mut().zip(prefix) {
            *slot = Some(arg);
        }
        let mut failed = false;
        if let Some((list, list_loc)) = generics {
            let own = &head.generics[known.min(head.generics.len())..];
            if list.len() > own.len() {
                self.error(
                    "E2111",
                    *list_loc,
                    format!(
                        "`{name}` takes {} generic arguments, and {} are given",
                        own.len(),
                        list.len()
                    ),
                    "too many generic arguments",
                );
                self.failed_call(args);
                return None;
            }
            for (i, arg) in list.iter().enumerate() {
                match self.generic_arg(arg, own[i].kind) {
                    GArg::Error => failed = true,
                    value => solver.sol[known + i] = Some(value),
                }
            }
        }
        // Arguments in the order of the text, so that faults come in that order.
        let mut values: Vec<(usize, ExprId, Ty)> = Vec::with_capacity(args.len());
        for (arg, i) in args.iter().zip(given) {
            // A parameter's type steers `none`, and a scalar of a known dtype everything inside.
            let hint = wanted[i].ty.clone();
            let hint = match hint {
                Ty::Tensor(_, elem @ Elem::Known(_)) => {
                    Some(Ty::Tensor(std::sync::Arc::from([]), elem))
                }
                Ty::Optional(_) | Ty::Tuple(_) if head.generics.is_empty() => Some(hint),
                _ => None,
            };
            let ty = self.infer_expr(arg.value, hint.as_ref());
            failed |= ty.is_error();
            values.push((i, arg.value, ty));
        }
        if failed {
            return None;
        }
        loop {
            let before = solver.unsolved();
            if before == 0 {
                break;
            }
            for (i, _, ty) in &values {
                self.learn(&mut solver, &wanted[*i].ty, ty);
            }
            if solver.unsolved() == before {
                break;
            }
        }
        if solver.unsolved() > 0 {
            // Nothing but a literal speaks of these dtypes: its default decides.
            for (i, _, ty) in &values {
                if let (Ty::Tensor(_, Elem::Param(g)), Ty::Int(_) | Ty::Float(_)) =
                    (&wanted[*i].ty, ty)
                    && solver.sol[*g as usize].is_none()
                {
                    let float = matches!(ty, Ty::Float(_))
                        || values.iter().any(|(j, _, t)| {
                            matches!(t, Ty::Float(_))
                                && matches!(&wanted[*j].ty, Ty::Tensor(_, Elem::Param(h)) if h == g)
                        });
                    let default = if float { DEFAULT_FLOAT } else { DEFAULT_INT };
                    let class = head.generics[*g as usize].kind;
                    // An integer literal for a floating generic is a float.
                    let default = if default.in_class(class) {
                        default
                    } else {
                        DEFAULT_FLOAT
                    };
                    if default.in_class(class) {
                        solver.sol[*g as usize] = Some(GArg::Elem(Elem::Known(default)));
                    }
                }
            }
            for i in known..head.generics.len() {
                if solver.sol[i].is_none()
                    && let Some(default) = &head.generics[i].default
                {
                    let so_far: Vec<GArg> = solver.sol[..i]
                        .iter()
                        .map(|s| s.clone().unwrap_or(GArg::Error))
                        .collect();
                    solver.sol[i] = Some(default.subst(&so_far));
                }
            }
        }
        let mut solved = Vec::with_capacity(solver.sol.len());
        for (i, value) in solver.sol.iter().enumerate() {
            match value {
                Some(v) => solved.push(v.clone()),
                None => {
                    // A shape that cannot match anyway is the better report.
                    if self.report_misfit(&solver, wanted, &values, place) {
                        return None;
                    }
                    let g = &head.generics[i];
                    // A generic without a kind was reported where it is declared.
                    if g.kind == GenericKind::Error || wanted.iter().any(|w| w.ty.is_error()) {
                        return None;
                    }
                    let at = self.at(name_loc);
                    let star = if g.kind == GenericKind::Shape {
                        "*"
                    } else {
                        ""
                    };
                    self.report(
                        Diagnostic::new(
                            "E2110",
                            at,
                            format!(
                                "the generic `{star}{}` of `{name}` cannot be inferred",
                                g.name
                            ),
                        )
                        .label(format!(
                            "`{star}{}` does not follow from the arguments",
                            g.name
                        ))
                        .related(g.loc, "declared here")
                        .help(format!("write the generic arguments: `{name}<..>(..)`")),
                    );
                    return None;
                }
            }
        }
        for (i, g) in head.generics.iter().enumerate().skip(known) {
            if self.negative_generic(&solved[i], &g.name, name, call_loc) {
                return None;
            }
        }
        // A class that does not hold is the fault, whatever follows from it.
        for (i, g) in head.generics.iter().enumerate().skip(known) {
            if let GArg::Elem(e) = &solved[i]
                && !self.elem_in_class(*e, g.kind)
            {
                let loc = values
                    .iter()
                    .find(|(w, _, _)| elem_of(&wanted[*w].ty) == Some(Elem::Param(i as u32)))
                    .map_or(name_loc, |(_, e, _)| self.arena.loc(*e));
                let shown = self.show_elem(*e);
                let at = self.at(loc);
                self.report(
                    Diagnostic::new(
                        "E2112",
                        at,
                        format!(
                            "`{name}` takes {}, and `{}` is `{shown}` here",
                            class_words(g.kind),
                            g.name
                        ),
                    )
                    .label(format!(
                        "`{shown}` is not in the class `{}`",
                        class_name(g.kind)
                    ))
                    .related(g.loc, format!("`{}: {}`", g.name, class_name(g.kind))),
                );
                return None;
            }
        }
        let mut ok = true;
        for (i, expr, ty) in &values {
            let open = matches!(elem_of(&wanted[*i].ty), Some(Elem::Param(_)));
            let place = if place == Place::Argument && open {
                Place::GenericArgument
            } else {
                place
            };
            let want = wanted[*i].ty.subst(&solved);
            ok &= self.coerce(ty, &want, self.arena.loc(*expr), place);
        }
        ok.then_some(solved)
    }

    /// Where some generic is unknown: reports the argument whose type cannot match, if there is one.
    pub(super) fn report_misfit(
        &mut self,
        solver: &Solver,
        wanted: &[Wanted],
        values: &[(usize, ExprId, Ty)],
        place: Place,
    ) -> bool {
        for (i, expr, ty) in values {
            let want = &wanted[*i].ty;
            let fits = match (want, ty) {
                (want, _) if want.is_error() => true,
                (Ty::Tensor(shape, _), Ty::Tensor(have, _)) => {
                    let mut needed = 0;
                    let mut open = false;
                    for e in shape.iter() {
                        match e {
                            ShapeElem::Dim(_) => needed += 1,
                            ShapeElem::Pack(p) => match &solver.sol[*p as usize] {
                                Some(GArg::Shape(s)) => needed += s.len(),
                                _ => open = true,
                            },
                        }
                    }
                    let packs = have.iter().any(|e| matches!(e, ShapeElem::Pack(_)));
                    packs || have.len() == needed || (open && have.len() >= needed)
                }
                (Ty::Tensor(shape, _), Ty::Int(_) | Ty::Float(_)) => {
                    shape.iter().all(|e| matches!(e, ShapeElem::Pack(_)))
                }
                (Ty::Tensor(..), _) | (_, Ty::Tensor(..)) => false,
                (Ty::Tuple(a), Ty::Tuple(b)) => a.len() == b.len(),
                (Ty::Optional(_), Ty::Optional(_) | Ty::NoneLit) => true,
                (Ty::Struct(a, _), Ty::Struct(b, _)) => a == b,
                _ => false,
            };
            if !fits {
                let loc = self.arena.loc(*expr);
                let code = match (want, ty) {
                    _ if place == Place::Field => "E2101",
                    (Ty::Tensor(..), Ty::Tensor(..) | Ty::Int(_) | Ty::Float(_)) => "E2202",
                    (_, Ty::NoneLit) => "E2113",
                    _ => "E2101",
                };
                let (have, name) = (self.show(ty), &wanted[*i].name);
                let need = describe_pattern(want);
                self.error(
                    code,
                    loc,
                    format!("`{name}` takes {need}, and this is `{have}`"),
                    format!("this is `{have}`"),
                );
                return true;
            }
        }
        false
    }
}

/// What a parameter takes, in words that need no generics.
fn describe_pattern(ty: &Ty) -> String {
    match ty {
        Ty::Tensor(shape, _) => {
            let dims = shape
                .iter()
                .filter(|e| matches!(e, ShapeElem::Dim(_)))
                .count();
            let packs = shape.len() - dims;
            match (dims, packs) {
                (0, 0) => "a scalar".to_string(),
                (_, 0) => format!("a tensor of rank {dims}"),
                _ => format!("a tensor of rank {dims} or more"),
            }
        }
        Ty::Optional(t) => format!("an optional value ({})", describe_pattern(t)),
        Ty::Tuple(ts) => format!("a tuple of {}", ts.len()),
        Ty::Enum(_) => "an enum's variant".to_string(),
        Ty::Struct(..) => "a struct".to_string(),
        _ => "a value of another type".to_string(),
    }
}
