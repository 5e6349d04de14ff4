//! Named bindings: the root block's generics given values, proven against its `where` clauses.
//!
//! The root block of a table is the one that its `root` names, in the module that its `module` names. Without
//! `root` it is the only block with an `entry` (where several have one, the only one of these that is no part of
//! another block; where none has, the only public block that is no part of another). Without `module` it is
//! looked for in `src/lib.linnet`, then in all modules of the package.

use linnet_dim::{Dim, Sym};
use linnet_syntax::TextRange;

use crate::db::{Contents, Db, SourceFile, item_tree, locate};
use crate::diag::{Diagnostic, Span};
use crate::manifest::{BindValue, BindingEntry, manifest};
use crate::package::{ModuleLookup, Package, module_file};
use crate::parameters::{MAX_ENTRIES, ManifestEntry, NoManifest, PathPart, show_dim, tensors};
use crate::scope::suggest;
use crate::sig::{Header, SigDetail, Where, header, sig};
use crate::tree::{DefId, GenericKind, Item, ItemKind, MemberKind, Name};
use crate::ty::{Args, DType, Elem, GArg, ShapeElem, Ty, subst_dim};

/// A block with a value for each of its generics.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Bound {
    pub root: DefId,
    pub args: Args,
}

/// A line of a manifest in numbers.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BoundEntry {
    pub path: Vec<BoundPart>,
    pub kind: MemberKind,
    pub dtype: DType,
    pub shape: Vec<u64>,
    /// As in [`ManifestEntry::optional`].
    pub optional: Vec<usize>,
}

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum BoundPart {
    Name(Name),
    /// Every position of an array of this length.
    Repeat(u64),
}

impl BoundEntry {
    /// How many tensors the line stands for; `None` above `u64`.
    pub fn tensors(&self) -> Option<u64> {
        self.path.iter().try_fold(1u64, |all, part| match part {
            BoundPart::Name(_) => Some(all),
            BoundPart::Repeat(length) => all.checked_mul(*length),
        })
    }

    /// How many elements they have together; `None` above `u64`.
    pub fn elements(&self) -> Option<u64> {
        self.shape
            .iter()
            .try_fold(self.tensors()?, |all, dim| all.checked_mul(*dim))
    }
}

/// What is wrong with a binding.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BindFault {
    pub code: &'static str,
    /// The generic whose value is wrong; `None` where the whole is.
    pub generic: Option<Name>,
    /// Whether the generic's name is at fault, not its value.
    pub is_name: bool,
    pub message: String,
    pub label: String,
    pub notes: Vec<String>,
    pub help: Vec<String>,
    /// The clause that does not hold.
    pub clause: Option<Where>,
}

impl BindFault {
    fn new(message: impl Into<String>, label: impl Into<String>) -> BindFault {
        BindFault {
            code: "E5002",
            generic: None,
            is_name: false,
            message: message.into(),
            label: label.into(),
            notes: Vec::new(),
            help: Vec::new(),
            clause: None,
        }
    }

    fn of(mut self, generic: &str) -> BindFault {
        self.generic = Some(generic.into());
        self
    }
}

/// Gives a block's generics values and proves its `where` clauses; all faults, or what is bound.
///
/// An empty list of faults says that the block's own declaration or a value has some, reported where they stand.
pub fn bind<'a>(
    db: &dyn Db,
    root: DefId,
    values: impl IntoIterator<Item = (&'a str, &'a BindValue)>,
) -> Result<Bound, Vec<BindFault>> {
    let head = header(db, root);
    let mut given: Vec<Option<GArg>> = vec![None; head.generics.len()];
    let mut faults = Vec::new();
    // A slip of the pen is one fault: the generic that it meant is not missing as well.
    let mut misspelled = Vec::new();
    for (name, value) in values {
        let Some(index) = head
            .generics
            .iter()
            .position(|generic| generic.name == name)
        else {
            let known = head.generics.iter().map(|generic| generic.name.as_str());
            let block = root.name(db);
            let mut fault = BindFault::new(
                format!("`{block}` has no generic `{name}`"),
                "no such generic",
            );
            fault.help = match suggest(name, known.clone()) {
                Some(meant) => {
                    misspelled.push(meant);
                    vec![format!("did you mean `{meant}`?")]
                }
                None => vec![format!("its generics are {}", list(known))],
            };
            fault.is_name = true;
            faults.push(fault.of(name));
            continue;
        };
        match argument(head.generics[index].kind, value) {
            Ok(arg) => given[index] = Some(arg),
            Err((message, label)) => {
                given[index] = Some(GArg::Error);
                faults.push(BindFault::new(format!("`{name}` {message}"), label).of(name));
            }
        }
    }
    let mut args: Vec<GArg> = Vec::with_capacity(given.len());
    let mut missing = Vec::new();
    for (generic, given) in head.generics.iter().zip(given) {
        let default = || generic.default.as_ref().map(|default| default.subst(&args));
        match given.or_else(default) {
            Some(arg) => args.push(arg),
            None => {
                args.push(GArg::Error);
                if !misspelled.contains(&generic.name.as_str()) {
                    missing.push(generic.name.as_str());
                }
            }
        }
    }
    if !missing.is_empty() {
        let (block, names) = (root.name(db), list(missing.iter().copied()));
        let mut fault = BindFault::new(
            format!("this binding gives no value to {names}"),
            format!("`{block}` needs {names}"),
        );
        fault.help.push(format!("add a line `{} = ..`", missing[0]));
        faults.push(fault);
    }
    if !faults.is_empty() {
        return Err(faults);
    }
    if args
        .iter()
        .any(|arg| matches!(arg, GArg::Error | GArg::Elem(Elem::Error)))
    {
        return Err(Vec::new());
    }
    let args: Args = args.into();
    let mut no_value = Vec::new();
    for clause in &head.wheres {
        match broken_clause(head, &args, clause) {
            Some((fault, true)) => faults.push(fault),
            Some((fault, false)) => no_value.push(fault),
            None => {}
        }
    }
    // A clause that divides by 0 is most often the consequence of the one that forbids it.
    if faults.is_empty() {
        faults = no_value;
    }
    if faults.is_empty() {
        Ok(Bound { root, args })
    } else {
        Err(faults)
    }
}

/// A value as an argument for a generic of this kind; else what is wrong with it.
fn argument(kind: GenericKind, value: &BindValue) -> Result<GArg, (String, String)> {
    let is = match value {
        BindValue::Int(_) => "this is an integer",
        BindValue::Name(_) => "this is a string",
        BindValue::Shape(_) => "this is a list",
        BindValue::Invalid => return Ok(GArg::Error),
    };
    let wrong = |wanted: &str| Err((format!("is bound to {wanted}"), is.to_owned()));
    let class = match (kind, value) {
        (GenericKind::Error, _) => return Ok(GArg::Error),
        (GenericKind::Dim, BindValue::Int(n)) => return Ok(GArg::Dim(Dim::int(*n))),
        (GenericKind::Dim, _) => return wrong("an integer"),
        (GenericKind::Shape, BindValue::Shape(dims)) => {
            let dims = dims.iter().map(|n| ShapeElem::Dim(Dim::int(*n)));
            return Ok(GArg::Shape(dims.collect()));
        }
        (GenericKind::Shape, _) => return wrong("a list of integers"),
        (class, BindValue::Name(name)) => match DType::parse(name) {
            Some(dtype) if dtype.in_class(class) => return Ok(GArg::Elem(Elem::Known(dtype))),
            Some(_) => class,
            None => {
                let known = DType::ALL.map(DType::name);
                let meant = suggest(name, known).map(|meant| format!(", did you mean `{meant}`?"));
                let label = format!("not a dtype{}", meant.unwrap_or_default());
                return Err(("is bound to the name of a dtype".to_owned(), label));
            }
        },
        (_, _) => return wrong("the name of a dtype, such as \"bf16\""),
    };
    let wanted = match class {
        GenericKind::Float => "a floating dtype",
        GenericKind::Integer => "an integer dtype",
        _ => "a number's dtype",
    };
    Err((
        format!("is bound to {wanted}"),
        format!("expected {wanted}"),
    ))
}

/// The fault of a clause that these arguments do not satisfy, and whether its sides have values at all.
fn broken_clause(head: &Header, args: &Args, clause: &Where) -> Option<(BindFault, bool)> {
    let constraint = &clause.constraint;
    let names = |Sym(index): Sym| head.name_of(index).unwrap_or_default();
    let written = constraint.display(&names).to_string();
    let (lhs, rhs) = (value(&constraint.lhs, args), value(&constraint.rhs, args));
    let (found, has_value) = match (lhs, rhs) {
        (Ok(lhs), Ok(rhs)) if constraint.rel.holds(lhs, rhs) => return None,
        (Ok(lhs), Ok(rhs)) => (
            format!("this makes it `{lhs} {} {rhs}`", constraint.rel.as_str()),
            true,
        ),
        (Err(why), _) | (_, Err(why)) => (why, false),
    };
    let mut mentioned = Vec::new();
    constraint.visit_syms(&mut |Sym(index)| mentioned.push(index as usize));
    mentioned.sort_unstable();
    mentioned.dedup();
    let mut fault = BindFault::new(format!("this binding does not satisfy `{written}`"), found);
    if let [only] = mentioned.as_slice() {
        fault.generic = head.generics.get(*only).map(|generic| generic.name.clone());
    }
    let shown = mentioned.iter().filter_map(|index| {
        let value = show_value(args.get(*index)?);
        Some(format!("{} = {value}", head.generics.get(*index)?.name))
    });
    let shown: Vec<String> = shown.collect();
    if !shown.is_empty() {
        fault.notes.push(format!("with {}", shown.join(", ")));
    }
    fault.code = "E2206";
    fault.clause = Some(clause.clone());
    Some((fault, has_value))
}

/// A dimension's value under the arguments, or why it has none.
fn value(dim: &Dim, args: &Args) -> Result<i128, String> {
    subst_dim(dim, args)
        .eval(&mut |_| None)
        .map_err(|error| error.to_string())
}

fn show_value(arg: &GArg) -> String {
    let dim = |dim: &Dim| {
        dim.as_int()
            .map_or_else(|| "?".to_owned(), |n| n.to_string())
    };
    match arg {
        GArg::Dim(n) => dim(n),
        GArg::Shape(shape) => {
            let dims = shape.iter().map(|elem| match elem {
                ShapeElem::Dim(n) => dim(n),
                ShapeElem::Pack(_) => "?".to_owned(),
            });
            format!("[{}]", dims.collect::<Vec<_>>().join(", "))
        }
        GArg::Elem(Elem::Known(dtype)) => dtype.name().to_owned(),
        GArg::Elem(_) | GArg::Error => "?".to_owned(),
    }
}

fn list<'a>(names: impl IntoIterator<Item = &'a str>) -> String {
    names
        .into_iter()
        .map(|name| format!("`{name}`"))
        .collect::<Vec<_>>()
        .join(", ")
}

impl Bound {
    /// The tensors that a checkpoint must hold, in numbers; else the dimension that is negative or too large.
    ///
    /// # Errors
    /// An empty list where the block's own declaration has a fault, reported where it stands.
    pub fn parameters(&self, db: &dyn Db) -> Result<Vec<BoundEntry>, Vec<BindFault>> {
        let mut entries = self.tensors(db)?;
        entries.retain(|entry| entry.kind != MemberKind::State);
        Ok(entries)
    }

    /// The same, state included.
    pub fn tensors(&self, db: &dyn Db) -> Result<Vec<BoundEntry>, Vec<BindFault>> {
        let entries = tensors(db, self.root, self.args.clone()).map_err(|why| match why {
            NoManifest::Broken => Vec::new(),
            NoManifest::TooLarge => vec![BindFault::new(
                "the block has too many parameters to list",
                format!("more than {MAX_ENTRIES}"),
            )],
        })?;
        entries
            .iter()
            .map(|entry| self.numbers(db, entry))
            .collect()
    }

    fn numbers(&self, db: &dyn Db, entry: &ManifestEntry) -> Result<BoundEntry, Vec<BindFault>> {
        let number = |dim: &Dim| -> Result<u64, Vec<BindFault>> {
            let (code, why) = match dim.eval(&mut |_| None) {
                Ok(n) => match u64::try_from(n) {
                    Ok(n) if n <= i64::MAX as u64 => return Ok(n),
                    _ if n < 0 => ("E2208", format!("is {n}, and a dimension is at least 0")),
                    _ => (
                        "E5002",
                        format!("is {n}, which is larger than any dimension"),
                    ),
                },
                Err(error) => {
                    let shown = show_dim(db, self.root, dim);
                    ("E5002", format!("is `{shown}`, where {error}"))
                }
            };
            let path = entry.path_text();
            let message = format!("this binding gives `{path}` no valid shape");
            let fault = BindFault::new(message, format!("a dimension {why}"));
            Err(vec![BindFault { code, ..fault }])
        };
        let Elem::Known(dtype) = entry.elem else {
            return Err(Vec::new());
        };
        let mut shape = Vec::with_capacity(entry.shape.len());
        for elem in entry.shape.iter() {
            let ShapeElem::Dim(dim) = elem else {
                return Err(Vec::new());
            };
            shape.push(number(dim)?);
        }
        let mut path = Vec::with_capacity(entry.path.len());
        for part in &entry.path {
            path.push(match part {
                PathPart::Name(name) => BoundPart::Name(name.clone()),
                PathPart::Repeat(length) => BoundPart::Repeat(number(length)?),
            });
        }
        let optional = entry.optional.clone();
        Ok(BoundEntry {
            path,
            kind: entry.kind,
            dtype,
            shape,
            optional,
        })
    }
}

/// The root block of a table, or what is wrong with how it is named (with the place in the manifest).
pub fn root_block(
    db: &dyn Db,
    package: Package,
    binding: &BindingEntry,
) -> Result<DefId, Vec<Diagnostic<TextRange>>> {
    let range = binding.name_range;
    let fault = |range, message: String| Diagnostic::new("E5002", range, message);
    let mut modules = Vec::new();
    if let Some(module) = &binding.module {
        let path: Vec<Name> = module.value.split('.').map(Name::from).collect();
        match module_file(db, any_module(db, package), &path) {
            ModuleLookup::Found(file) => modules.push(file),
            ModuleLookup::Broken => return Err(Vec::new()),
            ModuleLookup::Missing { note, suggestion } => {
                let mut diag = fault(
                    module.range,
                    format!("there is no module `{}`", module.value),
                )
                .label("this module cannot be found");
                diag.notes.extend(note);
                diag.help
                    .extend(suggestion.map(|meant| format!("did you mean `{meant}`?")));
                return Err(vec![diag]);
            }
        }
    } else {
        let lib = db.file(&package.root(db).join("src/lib.linnet"));
        if matches!(lib.contents(db), Contents::Text(_)) {
            modules.push(lib);
        }
    }
    let found = |modules: &[SourceFile]| match &binding.root {
        Some(root) => named_block(db, modules, &root.value),
        None => only_root(db, modules),
    };
    let mut outcome = found(&modules);
    if binding.module.is_none() && matches!(&outcome, Candidates::None) {
        modules = db.package_files(package.root(db));
        outcome = found(&modules);
    }
    match (outcome, &binding.root) {
        (Candidates::One(block), _) => Ok(block),
        (Candidates::Several(blocks), _) => {
            let names = list(blocks.iter().map(|block| block.name(db).as_str()));
            Err(vec![
                fault(range, format!("which block does `{}` bind?", binding.name))
                    .label(format!("{names} may be meant"))
                    .help(format!("add a line `root = \"{}\"`", blocks[0].name(db)))
                    .help("where modules have blocks of one name, add `module = \"crate.path\"`"),
            ])
        }
        (Candidates::None, Some(root)) => {
            let all = blocks(db, &modules);
            let known = all.iter().map(|item| item.name.as_str());
            let mut diag = fault(root.range, format!("there is no block `{}`", root.value))
                .label("no such block in the package");
            if let Some(meant) = suggest(&root.value, known) {
                diag = diag
                    .help(format!("did you mean `{meant}`?"))
                    .fix(format!("change it to `{meant}`"), vec![(root.range, format!("\"{meant}\""))]);
            }
            Err(vec![diag])
        }
        (Candidates::None, None) => Err(vec![
            fault(range, format!("`{}` binds no block", binding.name))
                .label("no block in the package has an `entry`")
                .help("name the block: `root = \"Model\"`, and its module: `module = \"crate.model\"`"),
        ]),
    }
}

/// A file of the package, for the place that paths are resolved from.
fn any_module(db: &dyn Db, package: Package) -> SourceFile {
    db.file(&package.root(db).join("src/lib.linnet"))
}

enum Candidates {
    None,
    One(DefId),
    Several(Vec<DefId>),
}

impl Candidates {
    fn of(items: &[&Item]) -> Candidates {
        match items {
            [] => Candidates::None,
            [only] => Candidates::One(only.def),
            several => Candidates::Several(several.iter().map(|item| item.def).collect()),
        }
    }
}

fn blocks<'db>(db: &'db dyn Db, modules: &[SourceFile]) -> Vec<&'db Item> {
    let items = modules
        .iter()
        .flat_map(|module| &item_tree(db, *module).items);
    items.filter(|item| item.kind == ItemKind::Block).collect()
}

fn named_block(db: &dyn Db, modules: &[SourceFile], name: &str) -> Candidates {
    let mut all = blocks(db, modules);
    all.retain(|item| item.name == name);
    Candidates::of(&all)
}

fn only_root(db: &dyn Db, modules: &[SourceFile]) -> Candidates {
    let all = blocks(db, modules);
    let has_entry = |item: &Item| {
        item.children
            .iter()
            .any(|child| child.kind == ItemKind::Entry)
    };
    let mut candidates: Vec<&Item> = all.iter().copied().filter(|item| has_entry(item)).collect();
    if candidates.is_empty() {
        candidates = all.iter().copied().filter(|item| item.is_pub).collect();
    }
    if candidates.len() > 1 {
        let mut parts = rustc_hash::FxHashSet::default();
        for item in &all {
            if let SigDetail::Block { members } = &sig(db, item.def).detail {
                members
                    .iter()
                    .for_each(|member| collect_blocks(&member.ty, &mut parts));
            }
        }
        let whole: Vec<&Item> = candidates
            .iter()
            .copied()
            .filter(|item| !parts.contains(&item.def))
            .collect();
        if !whole.is_empty() {
            candidates = whole;
        }
    }
    Candidates::of(&candidates)
}

fn collect_blocks(ty: &Ty, found: &mut rustc_hash::FxHashSet<DefId>) {
    match ty {
        Ty::Block(def, _) => {
            found.insert(*def);
        }
        Ty::Optional(inner) | Ty::Array(inner, _) => collect_blocks(inner, found),
        _ => {}
    }
}

/// What a table binds; else its faults, with their places in the manifest.
///
/// An empty list says that the block's own declaration has faults, reported where it stands.
pub fn resolve(
    db: &dyn Db,
    package: Package,
    binding: &BindingEntry,
) -> Result<Bound, Vec<Diagnostic<Span>>> {
    let file = package.manifest(db);
    let at = |range| Span { file, range };
    let root = root_block(db, package, binding).map_err(|faults| {
        faults
            .into_iter()
            .map(|fault| fault.map(at))
            .collect::<Vec<_>>()
    })?;
    let values = binding
        .values
        .iter()
        .map(|value| (value.generic.as_str(), &value.value));
    let placed = |fault: BindFault| {
        let value = binding
            .values
            .iter()
            .find(|v| Some(v.generic.as_str()) == fault.generic.as_deref());
        let range = match value {
            Some(value) if fault.is_name => value.generic_range,
            Some(value) => value.range,
            None => binding.name_range,
        };
        let mut diag = Diagnostic::new(fault.code, at(range), fault.message).label(fault.label);
        if let Some(clause) = fault.clause {
            diag = diag.related(locate(db, clause.loc), "required here");
        }
        diag.notes = fault.notes;
        diag.help = fault.help;
        diag
    };
    let bound = bind(db, root, values)
        .map_err(|faults| faults.into_iter().map(placed).collect::<Vec<_>>())?;
    match bound.tensors(db) {
        Ok(_) => Ok(bound),
        Err(faults) if faults.is_empty() => Ok(bound),
        Err(faults) => Err(faults.into_iter().map(placed).collect()),
    }
}

/// What is wrong with a package's named bindings.
pub fn binding_diagnostics(db: &dyn Db, package: Package) -> Vec<Diagnostic<Span>> {
    let manifest = manifest(db, package.manifest(db));
    let of = |binding| resolve(db, package, binding).err().unwrap_or_default();
    manifest.bindings.iter().flat_map(of).collect()
}

/// The table of this name.
pub fn find<'db>(db: &'db dyn Db, package: Package, name: &str) -> Option<&'db BindingEntry> {
    let manifest = manifest(db, package.manifest(db));
    manifest
        .bindings
        .iter()
        .find(|binding| binding.name == name)
}
