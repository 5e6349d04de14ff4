//! The program's manifest against what a checkpoint holds.

use std::collections::{HashMap, HashSet};
use std::fmt;
use std::path::Path;
use std::sync::Arc;

use crate::bindings::Bindings;
use crate::dtype::DType;
use crate::error::{Fault, WeightsError};
use crate::locate::Header;
use crate::suggest::{Candidate, pair_up};

/// The most tensors that a manifest may ask for.
pub const MAX_TENSORS: u64 = 1_000_000;

/// A part of a manifest's path.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum PathPart {
    Name(String),
    /// `*`: every position of an array of this length.
    Repeat(u64),
}

/// What a checkpoint tensor is to the program.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub enum Kind {
    Param,
    Buffer,
}

impl Kind {
    /// The keyword that declares it.
    pub fn name(self) -> &'static str {
        match self {
            Kind::Param => "param",
            Kind::Buffer => "buffer",
        }
    }
}

/// One line of a manifest: a tensor, or one for each position of the arrays on its path.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Expected {
    pub path: Vec<PathPart>,
    pub dtype: DType,
    pub shape: Vec<u64>,
    pub kind: Kind,
    /// How many parts of the path name something optional, for each such thing on it.
    ///
    /// An optional parameter adds `path.len()`, an optional sub the length of its own path. The
    /// tensor may be absent where all that stands under one of these is absent with it.
    pub optional: Vec<usize>,
}

/// One way in which a checkpoint does not fit.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Mismatch {
    Missing {
        path: String,
        /// The name that the path was looked up under.
        tensor: String,
        kind: Kind,
        dtype: DType,
        shape: Vec<u64>,
        /// A tensor of the checkpoint, of no use otherwise, that is likely meant.
        suggestion: Option<String>,
    },
    Unexpected {
        tensor: String,
        file: Arc<Path>,
        dtype: DType,
        shape: Vec<u64>,
        /// A path of the manifest that found no tensor and likely means this one.
        suggestion: Option<String>,
    },
    Shape {
        path: String,
        tensor: String,
        file: Arc<Path>,
        expected: Vec<u64>,
        found: Vec<u64>,
    },
    DType {
        path: String,
        tensor: String,
        file: Arc<Path>,
        expected: DType,
        found: DType,
    },
    /// An entry of the `bindings.json` that names no path of the manifest.
    UnknownPath { entry: String },
}

/// One tensor that the program asks for, its arrays' positions written out.
struct Wanted<'a> {
    expected: &'a Expected,
    path: String,
    tensor: String,
}

/// Lists everything in which `header` differs from `manifest`: in the manifest's order, then
/// unexpected tensors by name, then entries of `bindings` that name nothing.
pub fn compare(
    manifest: &[Expected],
    header: &Header,
    bindings: &Bindings,
) -> Result<Vec<Mismatch>, WeightsError> {
    check_size(manifest)?;
    let mut used_entries = vec![false; bindings.entries().len()];
    let mut wanted = Vec::new();
    for expected in manifest {
        for path in expand(&expected.path) {
            let (tensor, entry) = bindings.resolve(&path);
            if let Some(entry) = entry {
                used_entries[entry] = true;
            }
            wanted.push(Wanted {
                expected,
                path,
                tensor,
            });
        }
    }

    let selected: HashSet<&str> = wanted.iter().map(|w| w.tensor.as_str()).collect();
    let unexpected: Vec<_> = header
        .tensors
        .iter()
        .filter(|(name, _)| !selected.contains(name.as_str()))
        .collect();
    let present = present_prefixes(&wanted, header);
    let is_missing =
        |w: &&Wanted| !header.tensors.contains_key(&w.tensor) && !is_excused(w, &present);
    let missing: Vec<&Wanted> = wanted.iter().filter(is_missing).collect();

    // Each missing tensor is paired with at most one unexpected one, both ways.
    let lost: Vec<Candidate> = missing
        .iter()
        .map(|w| Candidate::new(&w.tensor, &w.expected.shape))
        .collect();
    let spare: Vec<Candidate> = unexpected
        .iter()
        .map(|(name, info)| Candidate::new(name, &info.shape))
        .collect();
    let pairs = pair_up(&lost, &spare);
    let mut of_missing: HashMap<&str, &str> = HashMap::new();
    let mut of_unexpected: HashMap<&str, &str> = HashMap::new();
    for (lost, spare) in pairs {
        of_missing.insert(&missing[lost].path, unexpected[spare].0);
        of_unexpected.insert(unexpected[spare].0, &missing[lost].path);
    }

    let mut list = Vec::new();
    for w in &wanted {
        match header.tensors.get(&w.tensor) {
            Some(info) => {
                if info.shape != w.expected.shape {
                    list.push(Mismatch::Shape {
                        path: w.path.clone(),
                        tensor: w.tensor.clone(),
                        file: info.file.clone(),
                        expected: w.expected.shape.clone(),
                        found: info.shape.clone(),
                    });
                }
                if info.dtype != w.expected.dtype {
                    list.push(Mismatch::DType {
                        path: w.path.clone(),
                        tensor: w.tensor.clone(),
                        file: info.file.clone(),
                        expected: w.expected.dtype,
                        found: info.dtype,
                    });
                }
            }
            None if is_missing(&w) => list.push(Mismatch::Missing {
                path: w.path.clone(),
                tensor: w.tensor.clone(),
                kind: w.expected.kind,
                dtype: w.expected.dtype,
                shape: w.expected.shape.clone(),
                suggestion: of_missing.get(w.path.as_str()).map(|&s| s.to_owned()),
            }),
            None => {}
        }
    }
    for (name, info) in &unexpected {
        list.push(Mismatch::Unexpected {
            tensor: (*name).clone(),
            file: info.file.clone(),
            dtype: info.dtype,
            shape: info.shape.clone(),
            suggestion: of_unexpected.get(name.as_str()).map(|&s| s.to_owned()),
        });
    }
    for (entry, used) in bindings.entries().zip(used_entries) {
        if !used {
            list.push(Mismatch::UnknownPath {
                entry: entry.to_owned(),
            });
        }
    }
    Ok(list)
}

/// Refuses a manifest whose arrays would fill the memory.
fn check_size(manifest: &[Expected]) -> Result<(), WeightsError> {
    let asked = manifest
        .iter()
        .map(|expected| {
            expected
                .path
                .iter()
                .map(|part| match part {
                    PathPart::Name(_) => 1,
                    PathPart::Repeat(count) => u128::from(*count),
                })
                .fold(1, u128::saturating_mul)
        })
        .fold(0, u128::saturating_add);
    if asked > u128::from(MAX_TENSORS) {
        let max = MAX_TENSORS;
        return Err(WeightsError::new(
            Path::new(""),
            Fault::TooMany { asked, max },
        ));
    }
    Ok(())
}

/// Every path that `path` stands for, the last array counting fastest.
fn expand(path: &[PathPart]) -> Vec<String> {
    let mut paths = vec![String::new()];
    for part in path {
        match part {
            PathPart::Name(name) => {
                for path in &mut paths {
                    if !path.is_empty() {
                        path.push('.');
                    }
                    path.push_str(name);
                }
            }
            PathPart::Repeat(count) => {
                paths = paths
                    .iter()
                    .flat_map(|path| (0..*count).map(move |i| format!("{path}.{i}")))
                    .collect();
            }
        }
    }
    paths
}

/// The optional things, by their path, of which something is in the checkpoint.
fn present_prefixes<'a>(wanted: &'a [Wanted<'a>], header: &Header) -> HashSet<&'a str> {
    let mut present = HashSet::new();
    for w in wanted {
        if header.tensors.contains_key(&w.tensor) {
            present.extend(w.expected.optional.iter().map(|&len| prefix(&w.path, len)));
        }
    }
    present
}

/// Whether something optional on the path is absent as a whole.
fn is_excused(w: &Wanted, present: &HashSet<&str>) -> bool {
    w.expected
        .optional
        .iter()
        .any(|&len| !present.contains(prefix(&w.path, len)))
}

/// The first `parts` parts of a dotted path.
fn prefix(path: &str, parts: usize) -> &str {
    let end = path.match_indices('.').nth(parts.saturating_sub(1));
    end.map_or(path, |(at, _)| &path[..at])
}

impl fmt::Display for Mismatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Mismatch::Missing {
                path,
                tensor,
                kind,
                dtype,
                shape,
                suggestion,
            } => {
                let ty = tensor_type(shape, *dtype);
                write!(f, "missing: {} `{path}` {ty}", kind.name())?;
                if tensor != path {
                    write!(f, ", bound to `{tensor}`")?;
                }
                if let Some(name) = suggestion {
                    write!(f, "; did you mean `{name}`?")?;
                }
                Ok(())
            }
            Mismatch::Unexpected {
                tensor,
                dtype,
                shape,
                suggestion,
                ..
            } => {
                write!(f, "unexpected: `{tensor}` {}", tensor_type(shape, *dtype))?;
                if let Some(path) = suggestion {
                    write!(f, "; did you mean it for `{path}`?")?;
                }
                Ok(())
            }
            Mismatch::Shape {
                path,
                tensor,
                expected,
                found,
                ..
            } => {
                write!(f, "shape: `{path}` needs {expected:?}, ")?;
                write_holder(f, path, tensor)?;
                write!(f, " {found:?}")?;
                if expected.len() > 1 && expected.iter().rev().eq(found) {
                    write!(f, ", its transpose")?;
                }
                Ok(())
            }
            Mismatch::DType {
                path,
                tensor,
                expected,
                found,
                ..
            } => {
                write!(f, "dtype: `{path}` needs {expected}, ")?;
                write_holder(f, path, tensor)?;
                write!(f, " {found}")?;
                if !found.is_supported() {
                    write!(f, ", which programs cannot declare")?;
                }
                Ok(())
            }
            Mismatch::UnknownPath { entry } => {
                write!(f, "binding: `{entry}` names no parameter or buffer")
            }
        }
    }
}

fn write_holder(f: &mut fmt::Formatter<'_>, path: &str, tensor: &str) -> fmt::Result {
    if path == tensor {
        f.write_str("the checkpoint has")
    } else {
        write!(f, "the checkpoint's `{tensor}` has")
    }
}

/// A type as a program writes it.
fn tensor_type(shape: &[u64], dtype: DType) -> String {
    if shape.is_empty() {
        return dtype.to_string();
    }
    let dims: Vec<String> = shape.iter().map(u64::to_string).collect();
    format!("Tensor[{}; {dtype}]", dims.join(", "))
}
