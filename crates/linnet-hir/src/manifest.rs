//! `linnet.toml`: what a package is called, what it depends on, and its named bindings.

use std::ops::Range;
use std::sync::Arc;

use linnet_syntax::{SyntaxKind, TextRange};
use toml::Spanned;
use toml::de::{DeInteger, DeTable, DeValue};

use crate::bindings::binding_diagnostics;
use crate::db::{Contents, Db, SourceFile, text};
use crate::diag::{Diagnostic, Span};
use crate::package::{dependency_package, package_in};
use crate::suggest::suggest;

/// The one version of the language so far.
pub const LANGUAGE: &str = "0.1";

/// The most faults of TOML syntax that are listed.
const MAX_SYNTAX_FAULTS: usize = 20;

/// A value and where it stands.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Ranged<T> {
    pub value: T,
    pub range: TextRange,
}

/// A manifest, as far as it could be read.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Manifest {
    pub name: Option<Ranged<String>>,
    pub version: Option<Ranged<String>>,
    pub dependencies: Vec<DependencyEntry>,
    pub bindings: Vec<BindingEntry>,
    /// What is wrong with the file itself; what it names is looked at in [`manifest_diagnostics`].
    pub faults: Vec<Diagnostic<TextRange>>,
    /// The file is no TOML, so that more may be missing than the faults say.
    broken: bool,
}

impl Manifest {
    /// Whether the file could not be read to its end as TOML.
    pub fn is_unreadable(&self) -> bool {
        self.broken
    }
}

/// A line under `[dependencies]`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DependencyEntry {
    pub key: String,
    pub key_range: TextRange,
    /// The folder, relative to the manifest's.
    pub path: Option<Ranged<String>>,
}

/// A table `[bindings.NAME]`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BindingEntry {
    pub name: String,
    pub name_range: TextRange,
    /// The block that is bound.
    pub root: Option<Ranged<String>>,
    /// The module that the block stands in, as in a `use`.
    pub module: Option<Ranged<String>>,
    /// A SafeTensors file, a folder of them or an index, relative to the manifest's folder.
    pub weights: Option<Ranged<String>>,
    /// A value for each generic that is bound, in the order of the names.
    pub values: Vec<BindingValue>,
}

/// `generic = value`
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BindingValue {
    pub generic: String,
    pub generic_range: TextRange,
    pub value: BindValue,
    pub range: TextRange,
}

/// What a generic may be bound to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum BindValue {
    /// A dimension.
    Int(i64),
    /// A dtype's name.
    Name(String),
    /// The dimensions of a shape.
    Shape(Vec<i64>),
    /// Nothing that a generic may be bound to, which is a fault of the manifest.
    Invalid,
}

/// A manifest and its own faults.
#[salsa::tracked(returns(deref))]
pub fn manifest(db: &dyn Db, file: SourceFile) -> Arc<Manifest> {
    Arc::new(match file.contents(db) {
        Contents::Text(_) => read_manifest(text(db, file)),
        other => {
            let mut manifest = Manifest {
                broken: true,
                ..Manifest::default()
            };
            let why = other.fault().unwrap_or_default();
            manifest.faults.push(
                fault(
                    whole_start(),
                    format!("`linnet.toml` cannot be read: {why}"),
                )
                .label("this file"),
            );
            manifest
        }
    })
}

/// Whether a manifest has no fault of its own.
#[salsa::tracked(returns(copy))]
pub fn manifest_is_valid(db: &dyn Db, file: SourceFile) -> bool {
    manifest(db, file).faults.is_empty()
}

/// All that is wrong with a `linnet.toml`, with the dependencies and the named bindings in it.
pub fn manifest_diagnostics(db: &dyn Db, file: SourceFile) -> Vec<Diagnostic<Span>> {
    let manifest = manifest(db, file);
    let mut faults = manifest.faults.clone();
    let package = file.real(db).parent().and_then(|dir| package_in(db, dir));
    let package = package.filter(|package| package.manifest(db) == file);
    if let Some(package) = package {
        for entry in &manifest.dependencies {
            let Some(path) = &entry.path else { continue };
            if let Err(why) = dependency_package(db, package, &path.value) {
                faults.push(
                    fault(
                        path.range,
                        format!("the dependency `{}` is not a package", entry.key),
                    )
                    .label(why)
                    .help("give the path of a folder that holds a valid `linnet.toml`"),
                );
            }
        }
    }
    let own = faults
        .into_iter()
        .map(|fault| fault.map(|range| Span { file, range }));
    let mut all: Vec<Diagnostic<Span>> = own.collect();
    all.extend(
        package
            .filter(|_| !manifest.broken)
            .into_iter()
            .flat_map(|package| binding_diagnostics(db, package)),
    );
    all.sort_by_key(|diag| (diag.span.range.start(), diag.span.range.end()));
    all
}

fn fault(range: TextRange, message: impl Into<String>) -> Diagnostic<TextRange> {
    Diagnostic::new("E5001", range, message)
}

fn whole_start() -> TextRange {
    TextRange::empty(0.into())
}

fn text_range(span: Range<usize>) -> TextRange {
    // Files are far smaller than 4 GiB.
    let end = span.end.max(span.start) as u32;
    TextRange::new((span.start as u32).into(), end.into())
}

type Key<'a, 'i> = &'a Spanned<std::borrow::Cow<'i, str>>;
type Value<'a, 'i> = &'a Spanned<DeValue<'i>>;

/// Reads the text of a manifest.
pub fn read_manifest(text: &str) -> Manifest {
    let mut reader = Reader {
        manifest: Manifest::default(),
    };
    let (document, errors) = DeTable::parse_recoverable(text);
    reader.syntax_faults(text, &errors);
    let syntax_faults = reader.manifest.faults.len();
    reader.document(document.get_ref());
    if reader.manifest.broken {
        // Where the parser recovered it made values up: what else is wrong shows once it is TOML.
        reader.manifest.faults.truncate(syntax_faults);
    }
    reader.manifest
}

struct Reader {
    manifest: Manifest,
}

impl Reader {
    fn fault(&mut self, fault: Diagnostic<TextRange>) {
        self.manifest.faults.push(fault);
    }

    fn syntax_faults(&mut self, text: &str, errors: &[toml::de::Error]) {
        self.manifest.broken = !errors.is_empty();
        // What follows on the line of a fault is its consequence.
        let mut last_line = None;
        for error in errors {
            if self.manifest.faults.len() == MAX_SYNTAX_FAULTS {
                break;
            }
            let span = error.span().unwrap_or(0..0);
            let before = text.as_bytes().get(..span.start).unwrap_or_default();
            let line = before.iter().filter(|b| **b == b'\n').count();
            if last_line.replace(line) == Some(line) {
                continue;
            }
            let message = error.message().lines().collect::<Vec<_>>().join("; ");
            self.fault(fault(text_range(span), "`linnet.toml` is not valid TOML").label(message));
        }
    }

    fn document(&mut self, document: &DeTable) {
        const TABLES: [&str; 3] = ["package", "dependencies", "bindings"];
        let mut has_package = false;
        for (key, value) in document {
            match key.get_ref().as_ref() {
                "package" => {
                    has_package = true;
                    self.package(key, value);
                }
                "dependencies" => self.dependencies(value),
                "bindings" => self.bindings(value),
                // Other tools keep their tables here; only a slip of the pen is a fault.
                other => {
                    if let Some(meant) = suggest(other, TABLES) {
                        self.unknown_key(key, "table", Some(meant));
                    }
                }
            }
        }
        if !has_package {
            let meant = document
                .keys()
                .any(|key| suggest(key.get_ref(), TABLES) == Some("package"));
            if !meant {
                self.fault(
                    fault(whole_start(), "`linnet.toml` has no `[package]` table")
                        .label("expected `[package]`")
                        .help(
                            "begin it with `[package]`, `name = \"..\"` and `version = \"0.1.0\"`",
                        ),
                );
            }
        }
    }

    fn package(&mut self, at: Key, value: Value) {
        const REQUIRED: [&str; 2] = ["name", "version"];
        const KNOWN: [&str; 3] = ["name", "version", "language"];
        /// Said about the package, and meant for people.
        const ABOUT: [&str; 10] = [
            "authors",
            "categories",
            "description",
            "documentation",
            "homepage",
            "keywords",
            "license",
            "license-file",
            "readme",
            "repository",
        ];
        let Some(table) = self.table(value, "package") else {
            return;
        };
        let mut missing = REQUIRED.to_vec();
        for (key, value) in table {
            let name = key.get_ref().as_ref();
            missing.retain(|known| *known != name);
            match name {
                "name" => {
                    if let Some(name) = self.string(value, "name") {
                        if !is_package_name(&name.value) {
                            self.fault(
                                fault(
                                    name.range,
                                    format!("`{}` cannot name a package", name.value),
                                )
                                .label("not a package name")
                                .help("use letters, digits, `_` and `-`, and begin with a letter"),
                            );
                        }
                        self.manifest.name = Some(name);
                    }
                }
                "version" => {
                    if let Some(version) = self.string(value, "version") {
                        if version.value.trim().is_empty() {
                            self.fault(
                                fault(version.range, "the version is empty")
                                    .label("expected a version such as `0.1.0`"),
                            );
                        }
                        self.manifest.version = Some(version);
                    }
                }
                "language" => {
                    if let Some(language) = self.string(value, "language")
                        && language.value != LANGUAGE
                    {
                        self.fault(
                            fault(
                                language.range,
                                format!("the language version `{}` is unknown", language.value),
                            )
                            .label(format!("only `{LANGUAGE}` is known"))
                            .help(format!("write `language = \"{LANGUAGE}\"`"))
                            .fix(
                                format!("use `{LANGUAGE}`"),
                                vec![(language.range, format!("\"{LANGUAGE}\""))],
                            ),
                        );
                    }
                }
                about if ABOUT.contains(&about) => {}
                other => {
                    let meant = suggest(other, KNOWN.into_iter().chain(ABOUT));
                    // One slip is one fault: the key that it meant is not missing as well.
                    missing.retain(|known| Some(*known) != meant);
                    self.unknown_key(key, "key", meant);
                }
            }
        }
        for key in missing {
            let example = if key == "name" { "my_model" } else { "0.1.0" };
            self.fault(
                fault(text_range(at.span()), format!("`[package]` has no `{key}`"))
                    .label(format!("`{key}` is required"))
                    .help(format!("add `{key} = \"{example}\"`")),
            );
        }
    }

    fn dependencies(&mut self, value: Value) {
        let Some(table) = self.table(value, "dependencies") else {
            return;
        };
        for (key, value) in table {
            let name = key.get_ref().as_ref();
            let key_range = text_range(key.span());
            if !is_dependency_key(name) {
                self.fault(
                    fault(
                        key_range,
                        format!("`{name}` cannot be the key of a dependency"),
                    )
                    .label("not a name that a `use` can begin with")
                    .help("use letters, digits and `_`, but neither `std` nor a keyword"),
                );
            }
            let path = self.dependency(name, value);
            self.manifest.dependencies.push(DependencyEntry {
                key: name.to_owned(),
                key_range,
                path,
            });
        }
    }

    fn dependency(&mut self, name: &str, value: Value) -> Option<Ranged<String>> {
        let example = format!("write `{name} = {{ path = \"../dir\" }}`");
        let range = text_range(value.span());
        let DeValue::Table(table) = value.get_ref() else {
            self.fault(
                fault(range, format!("the dependency `{name}` is not a table"))
                    .label(format!("this is {}", kind_of(value.get_ref())))
                    .help(example),
            );
            return None;
        };
        let mut path = None;
        let mut found = false;
        for (key, value) in table {
            match key.get_ref().as_ref() {
                "path" => {
                    found = true;
                    path = self.string(value, "path");
                }
                other => {
                    let meant = suggest(other, ["path"]);
                    found |= meant.is_some();
                    self.unknown_key(key, "key", meant);
                }
            }
        }
        if !found {
            self.fault(
                fault(range, format!("the dependency `{name}` has no `path`"))
                    .label("`path` is required")
                    .help(example),
            );
        }
        path
    }

    fn bindings(&mut self, value: Value) {
        let Some(table) = self.table(value, "bindings") else {
            return;
        };
        for (key, value) in table {
            let name = key.get_ref().as_ref();
            let DeValue::Table(values) = value.get_ref() else {
                self.fault(
                    fault(
                        text_range(value.span()),
                        format!("the binding `{name}` is not a table"),
                    )
                    .label(format!("this is {}", kind_of(value.get_ref())))
                    .help(format!(
                        "write `[bindings.{name}]` and a line for each generic"
                    )),
                );
                continue;
            };
            let mut binding = BindingEntry {
                name: name.to_owned(),
                name_range: text_range(key.span()),
                root: None,
                module: None,
                weights: None,
                values: Vec::new(),
            };
            for (key, value) in values {
                match key.get_ref().as_ref() {
                    "root" => binding.root = self.string(value, "root"),
                    "module" => binding.module = self.string(value, "module"),
                    "weights" => binding.weights = self.string(value, "weights"),
                    generic => {
                        let bound = self.bind_value(value).unwrap_or(BindValue::Invalid);
                        binding.values.push(BindingValue {
                            generic: generic.to_owned(),
                            generic_range: text_range(key.span()),
                            value: bound,
                            range: text_range(value.span()),
                        });
                    }
                }
            }
            self.manifest.bindings.push(binding);
        }
    }

    fn bind_value(&mut self, value: Value) -> Option<BindValue> {
        match value.get_ref() {
            DeValue::Integer(int) => self.dimension(int, value.span()).map(BindValue::Int),
            DeValue::String(name) => Some(BindValue::Name(name.to_string())),
            DeValue::Array(items) => {
                let mut dims = Vec::with_capacity(items.len());
                for item in items.iter() {
                    let DeValue::Integer(int) = item.get_ref() else {
                        let kind = kind_of(item.get_ref());
                        self.fault(
                            fault(text_range(item.span()), "a shape is a list of integers")
                                .label(format!("this is {kind}")),
                        );
                        return None;
                    };
                    dims.push(self.dimension(int, item.span())?);
                }
                Some(BindValue::Shape(dims))
            }
            other => {
                self.fault(
                    fault(text_range(value.span()), "no generic can be bound to this")
                        .label(format!("this is {}", kind_of(other)))
                        .help("bind a dimension to an integer, a dtype to its name such as \"bf16\", a shape to a list of integers"),
                );
                None
            }
        }
    }

    fn dimension(&mut self, int: &DeInteger, span: Range<usize>) -> Option<i64> {
        let value = i64::from_str_radix(int.as_str(), int.radix()).ok();
        let dimension = value.filter(|value| *value >= 0);
        if dimension.is_none() {
            let label = match value {
                Some(_) => "a dimension is at least 0",
                None => "larger than any dimension",
            };
            self.fault(fault(text_range(span), "this cannot be a dimension").label(label));
        }
        dimension
    }

    fn table<'a, 'i>(&mut self, value: Value<'a, 'i>, name: &str) -> Option<&'a DeTable<'i>> {
        if let DeValue::Table(table) = value.get_ref() {
            return Some(table);
        }
        self.fault(
            fault(text_range(value.span()), format!("`{name}` is not a table"))
                .label(format!("this is {}", kind_of(value.get_ref())))
                .help(format!("write `[{name}]`")),
        );
        None
    }

    fn string(&mut self, value: Value, key: &str) -> Option<Ranged<String>> {
        let range = text_range(value.span());
        if let DeValue::String(text) = value.get_ref() {
            return Some(Ranged {
                value: text.to_string(),
                range,
            });
        }
        self.fault(
            fault(range, format!("`{key}` is not a string"))
                .label(format!("this is {}", kind_of(value.get_ref())))
                .help(format!("write `{key} = \"..\"`, with the quotes")),
        );
        None
    }

    fn unknown_key(&mut self, key: Key, what: &str, meant: Option<&str>) {
        let range = text_range(key.span());
        let mut diag = fault(range, format!("unknown {what} `{}`", key.get_ref()))
            .label(format!("no such {what}"));
        if let Some(meant) = meant {
            diag = diag.did_you_mean(range, meant);
        }
        self.fault(diag);
    }
}

fn kind_of(value: &DeValue) -> &'static str {
    match value {
        DeValue::String(_) => "a string",
        DeValue::Integer(_) => "an integer",
        DeValue::Float(_) => "a float",
        DeValue::Boolean(_) => "a boolean",
        DeValue::Datetime(_) => "a date",
        DeValue::Array(_) => "a list",
        DeValue::Table(_) => "a table",
    }
}

fn is_package_name(name: &str) -> bool {
    name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
        && name
            .chars()
            .all(|c| c.is_ascii_alphanumeric() || c == '_' || c == '-')
}

fn is_dependency_key(key: &str) -> bool {
    is_package_name(key)
        && !key.contains('-')
        && key != "std"
        && SyntaxKind::from_word(key).is_none()
}

#[cfg(test)]
mod tests;
