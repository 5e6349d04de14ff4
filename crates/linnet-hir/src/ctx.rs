//! The working state of one query that gives meaning to expressions and types: names in scope, facts, faults.
//!
//! Headers and bodies share it: a dimension in a signature is inferred by the code that infers a body's expressions.

use std::collections::BTreeSet;
use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};

use linnet_dim::{Constraint, Dim, Facts, Rel, Sym, Verdict};

use crate::body::{Arena, ExprId};
use crate::db::{Db, SourceFile, item_data};
use crate::diag::{Diag, Diagnostic};
use crate::prelude::Builtin;
use crate::scope::{ScopeDef, module_scope};
use crate::sig::{Header, SigDetail, const_type, has_lost_name, nested_item, nested_items, sig};
use crate::tree::{DefId, GenericKind, ItemKind, Loc, Name, NodeLoc, Part};
use crate::ty::{DType, Elem, GArg, Names, ShapeElem, Ty};

/// More names in scope than this, and no likely one is looked for.
const MAX_NAMES: usize = 1000;

/// The first symbol that stands for a loop variable; those below are generics.
const LOCAL_SYM: u32 = 1 << 24;

/// The first symbol that stands for a callee's generic while a call is solved.
pub(crate) const CALLEE_SYM: u32 = 1 << 25;

/// What a header or a body uses of its surroundings, for the warnings on unused things.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Uses {
    /// Names of the module's scope: items and imports.
    pub names: BTreeSet<Name>,
    /// Members of blocks, and the items inside them.
    pub members: BTreeSet<(DefId, Name)>,
}

impl Uses {
    pub fn extend(&mut self, other: Uses) {
        self.names.extend(other.names);
        self.members.extend(other.members);
    }
}

/// A function's own name for something.
#[derive(Clone, Debug)]
pub(crate) struct Local {
    pub name: Name,
    pub loc: Loc,
    pub ty: Ty,
    pub kind: LocalKind,
    pub used: bool,
}

#[derive(Clone, PartialEq, Debug)]
pub(crate) enum LocalKind {
    Param,
    Let,
    Var,
    /// The variable of `for`; of `static for` with the symbol that stands for its value.
    Loop(Option<Sym>),
    /// An index of index notation.
    Index(IndexVar),
}

/// An index name and the axes it runs over.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct IndexVar {
    pub pack: bool,
    /// One dimension, or the axes of a pack; `None` until an access gives it.
    pub domain: Option<Vec<ShapeElem>>,
}

/// What a name means.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Res {
    Local(usize),
    Generic(u32),
    /// A member of the enclosing block.
    Member(DefId),
    /// An item inside the enclosing block.
    Nested(DefId),
    Item(DefId),
    Module(SourceFile),
    Builtin(Builtin),
    DType(DType),
    /// A failed import: it was reported where it stands.
    Error,
}

pub(crate) struct Ctx<'a> {
    pub db: &'a dyn Db,
    pub def: DefId,
    pub file: SourceFile,
    pub part: Part,
    pub arena: &'a Arena,
    pub header: &'a Header,
    /// Generics beyond this number are not in scope yet.
    pub visible_generics: usize,
    pub facts: Arc<Facts>,
    pub check_divisors: bool,
    /// Whether the enclosing block's own items are in scope; not while its generics are being read.
    pub see_nested: bool,
    pub locals: Vec<Local>,
    /// The places of each name in `locals`, innermost last.
    local_index: FxHashMap<Name, Vec<usize>>,
    /// What was reported already and would only be said again: a code, and the name or term it is about.
    pub reported: FxHashSet<(&'static str, Name)>,
    /// A type is being read, so that a misspelt name is likely one of a type.
    pub in_type: bool,
    /// How many likely names were looked for: the search is long, and nobody reads hundreds of them.
    suggestions: u32,
    local_syms: Vec<Name>,
    /// The parser found faults in this body: what misses may have been written.
    pub broken: bool,
    /// A constraint of the header could not be read, so facts are missing.
    pub doubtful: bool,
    /// Parameters or generics may be missing: an unknown name is no fault of its own.
    pub doubt_names: bool,
    /// Whether a block may stand as a type: only a member's.
    pub allow_block: bool,
    /// How many enclosing comprehensions and reductions there are.
    pub index_depth: u32,
    pub diags: Vec<Diag>,
    pub uses: Uses,
    /// Functions of this module that are called, and where.
    pub calls: Vec<(DefId, Loc)>,
    /// Dimension goals that were proved or refused.
    pub proofs: u32,
    /// Types of expressions, by [`ExprId`]; empty for headers.
    pub expr_tys: Vec<Ty>,
}

impl<'a> Ctx<'a> {
    pub fn new(
        db: &'a dyn Db,
        def: DefId,
        part: Part,
        arena: &'a Arena,
        header: &'a Header,
    ) -> Self {
        Ctx {
            db,
            def,
            file: def.file(db),
            part,
            arena,
            header,
            visible_generics: header.generics.len(),
            facts: header.facts.clone(),
            check_divisors: true,
            see_nested: true,
            locals: Vec::new(),
            local_index: FxHashMap::default(),
            reported: FxHashSet::default(),
            in_type: false,
            suggestions: 0,
            local_syms: Vec::new(),
            broken: false,
            doubtful: header.doubtful,
            doubt_names: lost_names(db, def),
            allow_block: false,
            index_depth: 0,
            diags: Vec::new(),
            uses: Uses::default(),
            calls: Vec::new(),
            proofs: 0,
            expr_tys: Vec::new(),
        }
    }

    /// For what stands in an item's header.
    pub fn for_header(db: &'a dyn Db, def: DefId, arena: &'a Arena, header: &'a Header) -> Self {
        Ctx::new(db, def, Part::Sig(def), arena, header)
    }

    pub fn finish(self) -> (Vec<Diag>, Uses) {
        (self.diags, self.uses)
    }

    // ---- faults ----

    pub fn at(&self, loc: Loc) -> NodeLoc {
        NodeLoc {
            file: self.file,
            part: self.part,
            loc,
        }
    }

    pub fn at_expr(&self, expr: ExprId) -> NodeLoc {
        self.at(self.arena.loc(expr))
    }

    pub fn report(&mut self, diag: Diag) {
        // With a fact missing, what cannot be proven is no fault of its own.
        let unproven = matches!(
            diag.code.0,
            "E2201" | "E2202" | "E2203" | "E2205" | "E2206" | "E2207" | "E2209"
        );
        if !(self.doubtful && unproven) {
            self.diags.push(diag);
        }
    }

    pub fn error(
        &mut self,
        code: &'static str,
        loc: Loc,
        message: impl Into<String>,
        label: impl Into<String>,
    ) {
        let at = self.at(loc);
        self.report(Diagnostic::new(code, at, message).label(label));
    }

    // ---- showing ----

    /// The name of a symbol: a generic, or a loop variable.
    pub fn sym_name(&self, index: u32) -> String {
        if index >= LOCAL_SYM {
            return self
                .local_syms
                .get((index - LOCAL_SYM) as usize)
                .map_or_else(|| "?".to_string(), |n| n.to_string());
        }
        self.header
            .name_of(index)
            .unwrap_or_else(|| "?".to_string())
    }

    fn with_names<R>(&self, f: impl FnOnce(Names<'_>) -> R) -> R {
        let of = |i: u32| self.sym_name(i);
        f(Names {
            db: self.db,
            of: &of,
        })
    }

    pub fn show(&self, ty: &Ty) -> String {
        self.with_names(|n| n.ty(ty))
    }

    pub fn show_dim(&self, dim: &Dim) -> String {
        self.with_names(|n| n.dim(dim))
    }

    pub fn show_shape(&self, shape: &[ShapeElem]) -> String {
        self.with_names(|n| n.shape(shape))
    }

    pub fn show_elem(&self, elem: Elem) -> String {
        self.with_names(|n| n.elem(elem))
    }

    pub fn show_constraint(&self, c: &Constraint) -> String {
        let names = |Sym(i): Sym| self.sym_name(i);
        c.display(&names).to_string()
    }

    // ---- proving ----

    pub fn equal(&mut self, a: &Dim, b: &Dim) -> bool {
        self.proofs += 1;
        a == b || self.facts.equal(a, b)
    }

    pub fn holds(&mut self, c: &Constraint) -> bool {
        self.proofs += 1;
        self.facts.holds(c)
    }

    pub fn provably_negative(&mut self, d: &Dim) -> bool {
        match d.as_int() {
            Some(v) => v < 0,
            None if d.as_sym().is_some() => false,
            None => self.holds(&Constraint {
                lhs: d.clone(),
                rel: Rel::Lt,
                rhs: Dim::int(0),
            }),
        }
    }

    /// A new symbol for a loop variable with `lo <= it < hi`.
    pub fn loop_sym(&mut self, name: &Name, lo: &Dim, hi: &Dim) -> Sym {
        let sym = Sym(LOCAL_SYM + self.local_syms.len() as u32);
        self.local_syms.push(name.clone());
        let it = Dim::sym(sym);
        self.facts = Arc::new(self.facts.with(
            [],
            [
                Constraint {
                    lhs: it.clone(),
                    rel: Rel::Ge,
                    rhs: lo.clone(),
                },
                Constraint {
                    lhs: it,
                    rel: Rel::Lt,
                    rhs: hi.clone(),
                },
            ],
        ));
        sym
    }

    /// Whether a value holds the variable of a loop.
    pub fn mentions_loop(&self, d: &Dim) -> bool {
        let mut found = false;
        d.visit_syms(&mut |Sym(i)| found |= i >= LOCAL_SYM);
        found
    }

    /// Says why a goal could not be proved: the facts at hand, a counterexample, and the clause that settles it.
    pub fn explain(&self, mut diag: Diag, goal: &Constraint) -> Diag {
        let facts = self.facts.constraints();
        let mut syms = BTreeSet::new();
        goal.lhs.visit_syms(&mut |s| {
            syms.insert(s);
        });
        goal.rhs.visit_syms(&mut |s| {
            syms.insert(s);
        });
        if !syms.is_empty() {
            diag = diag.note(if facts.is_empty() {
                "no `where` clause is in force here; every dimension is at least 0".to_string()
            } else {
                let facts: Vec<String> = facts
                    .iter()
                    .map(|c| format!("`{}`", self.show_constraint(c)))
                    .collect();
                format!(
                    "facts used: {}; every dimension is at least 0",
                    facts.join(", ")
                )
            });
        }
        let missing = match self.facts.prove(goal) {
            Verdict::Proved(_) => None,
            Verdict::Refuted(example) => {
                let values: Vec<String> = example
                    .values
                    .iter()
                    .map(|(Sym(i), v)| format!("{} = {v}", self.sym_name(*i)))
                    .collect();
                if !values.is_empty() {
                    diag = diag.note(format!(
                        "`{}` does not hold for {}",
                        self.show_constraint(goal),
                        values.join(", ")
                    ));
                }
                // A shorter clause than the goal itself may settle it.
                self.facts.missing(goal).or_else(|| Some(goal.clone()))
            }
            Verdict::Unknown(missing) => missing.constraint.or_else(|| Some(goal.clone())),
        };
        // A clause can only speak of generics, and none can settle a false statement about numbers.
        if let Some(missing) = missing
            && !syms.is_empty()
            && syms.iter().all(|Sym(i)| *i < LOCAL_SYM)
            && !self.header.generics.is_empty()
            && self.is_sensible(&missing)
            && let Some(clause) = self.writable(&missing)
        {
            diag = diag.help(format!("if that is meant, require it: `where {clause}`"));
        }
        diag
    }

    /// Whether somebody could mean a constraint: it contradicts nothing, and makes no dimension 0.
    fn is_sensible(&self, c: &Constraint) -> bool {
        let with = self.facts.with([], [c.clone()]);
        if with.contradiction() {
            return false;
        }
        let mut sensible = true;
        for dim in [&c.lhs, &c.rhs] {
            dim.visit_syms(&mut |s| {
                let zero = Constraint {
                    lhs: Dim::sym(s),
                    rel: Rel::Le,
                    rhs: Dim::int(0),
                };
                sensible &= !with.holds(&zero) || self.facts.holds(&zero);
            });
        }
        sensible
    }

    /// A constraint as a `where` clause; `None` where it speaks of what no clause can name.
    fn writable(&self, c: &Constraint) -> Option<String> {
        let mut ok = true;
        for dim in [&c.lhs, &c.rhs] {
            dim.visit_syms(&mut |Sym(i)| {
                let plain = self
                    .header
                    .generics
                    .get(i as usize)
                    .is_some_and(|g| g.kind == GenericKind::Dim);
                ok &= plain;
            });
        }
        ok.then(|| self.show_constraint(c))
    }

    // ---- names ----

    /// The block whose members are in scope as bare names.
    pub fn block(&self) -> Option<DefId> {
        self.def.container(self.db)
    }

    /// The innermost local of this name.
    pub fn find_local(&self, name: &str, past_indices: bool) -> Option<usize> {
        let all = self.local_index.get(name)?;
        all.iter()
            .rev()
            .copied()
            .find(|i| !(past_indices && matches!(self.locals[*i].kind, LocalKind::Index(_))))
    }

    pub fn push_local(&mut self, local: Local) {
        self.local_index
            .entry(local.name.clone())
            .or_default()
            .push(self.locals.len());
        self.locals.push(local);
    }

    /// Ends the scope of the locals above `mark`.
    pub fn take_locals(&mut self, mark: usize) -> Vec<Local> {
        let gone = self.locals.split_off(mark);
        for local in &gone {
            if let Some(all) = self.local_index.get_mut(&local.name) {
                all.pop();
            }
        }
        gone
    }

    /// What a name means here, innermost first. `past_indices` looks through index names.
    pub fn resolve(&mut self, name: &Name, past_indices: bool) -> Option<Res> {
        if let Some(i) = self.find_local(name, past_indices) {
            return Some(Res::Local(i));
        }
        let generics = &self.header.generics[..self.visible_generics];
        if let Some(i) = generics.iter().rposition(|g| g.name == *name) {
            return Some(Res::Generic(i as u32));
        }
        let is_block = self.def.kind(self.db) == ItemKind::Block;
        if let Some(block) = self.block().or(is_block.then_some(self.def))
            && self.see_nested
        {
            // A header sees no members of its own block, but its constants and aliases.
            let nested = nested_item(self.db, block, name);
            if let Some(item) = nested {
                self.uses.members.insert((block, name.clone()));
                return Some(Res::Nested(item.def));
            }
            // Names alone: the members' types may be built of the constant at hand.
            if matches!(self.part, Part::Body(_)) && item_data(self.db, block).has_member(name) {
                self.uses.members.insert((block, name.clone()));
                return Some(Res::Member(block));
            }
        }
        // No declaration may reuse these, so they need not look at the module.
        if let Some(dtype) = DType::parse(name) {
            return Some(Res::DType(dtype));
        }
        if let Some(builtin) = Builtin::parse(name) {
            return Some(Res::Builtin(builtin));
        }
        let entry = module_scope(self.db, self.file).names.get(name)?;
        self.uses.names.insert(name.clone());
        Some(match &entry.def {
            ScopeDef::Item(def) => Res::Item(*def),
            ScopeDef::Module(file) => Res::Module(*file),
            ScopeDef::Error => Res::Error,
        })
    }

    /// The innermost index of this name, in index notation.
    pub fn find_index(&self, name: &str) -> Option<usize> {
        let i = self.find_local(name, false)?;
        matches!(self.locals[i].kind, LocalKind::Index(_)).then_some(i)
    }

    /// A name in scope that was likely meant; of types alone where a type stands.
    fn suggestion(&mut self, name: &str, wants_type: bool) -> Option<String> {
        self.suggestions += 1;
        if self.suggestions > 50 {
            return None;
        }
        let is_type = |kind: ItemKind| {
            matches!(
                kind,
                ItemKind::Alias | ItemKind::Struct | ItemKind::Enum | ItemKind::Block
            )
        };
        let mut names: Vec<&str> = Vec::new();
        if !wants_type {
            names.extend(self.locals.iter().map(|l| l.name.as_str()));
        }
        for g in &self.header.generics[..self.visible_generics] {
            let dim = matches!(g.kind, GenericKind::Dim | GenericKind::Shape);
            if dim != wants_type {
                names.push(&g.name);
            }
        }
        if let Some(block) = self.block() {
            let nested = nested_items(self.db, block).iter();
            names.extend(
                nested
                    .filter(|i| is_type(i.kind) == wants_type)
                    .map(|i| i.name.as_str()),
            );
            if let SigDetail::Block { members } = &sig(self.db, block).detail
                && !wants_type
            {
                names.extend(members.iter().map(|m| m.name.as_str()));
            }
        }
        for (name, entry) in &module_scope(self.db, self.file).names {
            let fits = match entry.def {
                // A struct and an enum are values' heads as well.
                ScopeDef::Item(def) => is_type(def.kind(self.db)) || !wants_type,
                ScopeDef::Module(_) => true,
                ScopeDef::Error => false,
            };
            if fits {
                names.push(name);
            }
        }
        if wants_type {
            names.push("Tensor");
            names.extend(DType::ALL.iter().map(|d| d.name()));
        } else {
            names.extend(
                crate::scope::PRELUDE
                    .iter()
                    .copied()
                    .filter(|n| Builtin::parse(n).is_some()),
            );
        }
        // In a module of thousands of names the search would be long, and its answer a chance.
        if names.len() > MAX_NAMES {
            return None;
        }
        crate::scope::suggest(name, names).map(str::to_string)
    }

    /// E1201 or E3101, once for each name of an item.
    pub fn undeclared(&mut self, name: &str, loc: Loc, code: &'static str) {
        if self.doubt_names && code == "E1201" {
            return;
        }
        if !self.reported.insert((code, name.into())) {
            return;
        }
        let at = self.at(loc);
        if code == "E3101" {
            let d = Diagnostic::new(
                code,
                at,
                format!("the index `{name}` is neither an output nor reduced"),
            )
            .label("not bound here")
            .help(format!(
                "add `{name}` to the outputs on the left, or reduce it: `sum[{name}] ..`"
            ));
            self.report(d);
            return;
        }
        let mut d = Diagnostic::new(code, at, format!("`{name}` is not declared"))
            .label("not found in this scope");
        if let Some(hint) = crate::hints::foreign_name(name) {
            d = d.help(hint);
        } else if let Some(module) = crate::hints::std_module_of(self.db, name) {
            d = d.help(format!(
                "it is in the standard library: `use {module}::{{{name}}}`"
            ));
        } else if let Some(s) = self.suggestion(name, self.in_type) {
            d = d.did_you_mean(at, s);
        } else if matches!(self.part, Part::Sig(_))
            && name.starts_with(|c: char| c.is_ascii_uppercase())
        {
            let kind = if self.in_type { "DType" } else { "Dim" };
            d = d.help(format!("declare it as a generic: `<{name}: {kind}>`"));
        }
        self.report(d);
    }

    /// E1208: a name of the wrong kind.
    pub fn wrong_kind(&mut self, name: &str, loc: Loc, what: &str, wanted: &str) {
        self.error(
            "E1208",
            loc,
            format!("`{name}` is {what}, not {wanted}"),
            format!("expected {wanted}"),
        );
    }

    /// What kind of thing a name stands for, in words.
    pub fn describe(&self, res: &Res) -> &'static str {
        match res {
            Res::Local(i) => match self.locals[*i].kind {
                LocalKind::Index(_) => "an index",
                LocalKind::Param => "a parameter",
                _ => "a local",
            },
            Res::Generic(i) => match self.header.generics[*i as usize].kind {
                GenericKind::Dim => "a dimension",
                GenericKind::Shape => "a shape",
                _ => "a dtype",
            },
            Res::Member(_) => "a member of the block",
            Res::Nested(d) | Res::Item(d) => match d.kind(self.db) {
                ItemKind::Const => "a constant",
                ItemKind::Alias => "a type alias",
                ItemKind::Struct => "a struct",
                ItemKind::Enum => "an enum",
                ItemKind::Fn => "a function",
                ItemKind::Op => "an op",
                ItemKind::Entry => "an entry",
                ItemKind::Block => "a block",
            },
            Res::Module(_) => "a module",
            Res::Builtin(_) => "a built-in function",
            Res::DType(_) => "a dtype",
            Res::Error => "an unknown import",
        }
    }

    /// The type of a constant, for uses in this item.
    pub fn const_ty(&self, def: DefId) -> Ty {
        if def == self.def {
            Ty::Error
        } else {
            const_type(self.db, def)
        }
    }

    /// Whether an element type is surely of a class.
    pub fn elem_in_class(&self, elem: Elem, class: GenericKind) -> bool {
        match elem {
            Elem::Error => true,
            Elem::Known(d) => d.in_class(class),
            Elem::Param(i) => {
                let have = self.header.generics.get(i as usize).map(|g| g.kind);
                have.is_none_or(|have| class_within(have, class))
            }
        }
    }

    /// The identity arguments of the enclosing block's generics.
    pub fn block_identity(&self) -> Vec<GArg> {
        let n = match self.block() {
            Some(_) => self.header.inherited,
            None => self.header.generics.len(),
        };
        self.header.generics[..n]
            .iter()
            .enumerate()
            .map(|(i, g)| g.identity(i as u32))
            .collect()
    }
}

/// Whether a name may have been lost where the parser found a fault: in the item's header or its block's.
fn lost_names(db: &dyn Db, def: DefId) -> bool {
    item_data(db, def).broken
        || has_lost_name(db, def.file(db))
        || def.container(db).is_some_and(|block| {
            let data = item_data(db, block);
            data.broken
                || data.has_lost_name()
                || nested_items(db, block).iter().any(|i| i.name.is_empty())
        })
}

/// Whether every dtype of one class is in the other.
pub(crate) fn class_within(inner: GenericKind, outer: GenericKind) -> bool {
    use GenericKind::*;
    match outer {
        DType | Error => true,
        Numeric => matches!(inner, Numeric | Integer | Float | Error),
        Integer => matches!(inner, Integer | Error),
        Float => matches!(inner, Float | Error),
        Dim | Shape => false,
    }
}
