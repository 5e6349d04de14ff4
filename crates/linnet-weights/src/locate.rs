//! From a path to headers: one file, a folder of them, or an index that names shards.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry as MapEntry;
use std::path::{Component, Path, PathBuf};

use serde::de::{IgnoredAny, MapAccess};

use crate::error::{Fault, WeightsError};
use crate::header::{self, TensorInfo};
use crate::json::{Entry, Strict, parse_object, read_text};

const SUFFIX: &str = ".safetensors";
const INDEX_SUFFIX: &str = ".safetensors.index.json";
/// The index that is taken where a folder has several.
const USUAL_INDEX: &str = "model.safetensors.index.json";

/// All tensors of a checkpoint, by name.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Header {
    pub tensors: BTreeMap<String, TensorInfo>,
}

/// Reads the headers of a SafeTensors file, of a folder of them, or of the shards that an index names.
///
/// A folder is read by its index where it has one, else every `.safetensors` file in it is read.
/// An index selects: what a shard holds beyond it is left out.
pub fn read_headers(path: &Path) -> Result<Header, WeightsError> {
    let meta = std::fs::metadata(path).map_err(|e| WeightsError::io(path, &e))?;
    if meta.is_dir() {
        read_folder(path)
    } else if has_suffix(path, ".json") {
        read_index(path)
    } else {
        read_files(&[path.to_owned()])
    }
}

fn has_suffix(path: &Path, suffix: &str) -> bool {
    path.file_name()
        .is_some_and(|name| name.as_encoded_bytes().ends_with(suffix.as_bytes()))
}

fn read_folder(folder: &Path) -> Result<Header, WeightsError> {
    let mut files = Vec::new();
    let mut indexes = Vec::new();
    for entry in std::fs::read_dir(folder).map_err(|e| WeightsError::io(folder, &e))? {
        let path = entry.map_err(|e| WeightsError::io(folder, &e))?.path();
        let hidden = path
            .file_name()
            .is_none_or(|name| name.as_encoded_bytes().starts_with(b"."));
        if hidden {
            continue;
        } else if has_suffix(&path, INDEX_SUFFIX) {
            indexes.push(path);
        } else if has_suffix(&path, SUFFIX) {
            files.push(path);
        }
    }
    files.sort();
    indexes.sort();
    match indexes.as_slice() {
        [] if files.is_empty() => Err(WeightsError::new(folder, Fault::NoWeights)),
        [] => read_files(&files),
        [index] => read_index(index),
        several => match several.iter().find(|path| path.ends_with(USUAL_INDEX)) {
            Some(index) => read_index(index),
            None => {
                let names = several
                    .iter()
                    .filter_map(|path| path.file_name())
                    .map(|name| name.to_string_lossy().into_owned())
                    .collect();
                Err(WeightsError::new(folder, Fault::SeveralIndexes(names)))
            }
        },
    }
}

fn read_files(files: &[PathBuf]) -> Result<Header, WeightsError> {
    let mut header = Header::default();
    for file in files {
        for (name, info) in header::read_file(file)? {
            match header.tensors.entry(name) {
                MapEntry::Vacant(slot) => {
                    slot.insert(info);
                }
                MapEntry::Occupied(held) => {
                    let other = held.get().file.to_path_buf();
                    let fault = Fault::HeldTwice { other };
                    return Err(WeightsError::of(file, held.key().as_str(), fault));
                }
            }
        }
    }
    Ok(header)
}

/// The value of a key of an index: its map of tensors to shards, or what is not needed here.
enum IndexEntry {
    WeightMap(Vec<(String, String)>),
    Other,
}

impl<'de> Entry<'de> for IndexEntry {
    fn read<A: MapAccess<'de>>(key: &str, map: &mut A) -> Result<Self, A::Error> {
        if key == "weight_map" {
            Ok(IndexEntry::WeightMap(map.next_value::<Strict<String>>()?.0))
        } else {
            map.next_value::<IgnoredAny>()?;
            Ok(IndexEntry::Other)
        }
    }
}

fn read_index(index: &Path) -> Result<Header, WeightsError> {
    let bytes = read_text(index)?;
    let map = parse_object::<IndexEntry>(index, &bytes)
        .map_err(key_not_tensor)?
        .into_iter()
        .find_map(|(_, entry)| match entry {
            IndexEntry::WeightMap(map) => Some(map),
            IndexEntry::Other => None,
        })
        .ok_or_else(|| {
            WeightsError::new(index, Fault::Json("no `weight_map` in the index".into()))
        })?;
    let folder = index.parent().unwrap_or(Path::new(""));
    let mut by_shard: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for (tensor, shard) in map {
        if !is_plain_path(&shard) {
            return Err(WeightsError::of(index, tensor, Fault::ShardPath { shard }));
        }
        by_shard.entry(shard).or_default().push(tensor);
    }
    let mut header = Header::default();
    for (shard, mut names) in by_shard {
        names.sort();
        let file = folder.join(&shard);
        if !file.exists() {
            let tensor = names.swap_remove(0);
            let fault = Fault::MissingShard { shard };
            return Err(WeightsError::of(index, tensor, fault));
        }
        let mut held: BTreeMap<String, TensorInfo> =
            header::read_file(&file)?.into_iter().collect();
        for name in names {
            match held.remove(&name) {
                Some(info) => header.tensors.insert(name, info),
                None => return Err(WeightsError::of(index, name, Fault::NotInShard { shard })),
            };
        }
    }
    Ok(header)
}

/// The top-level keys of an index are no tensors.
fn key_not_tensor(mut error: WeightsError) -> WeightsError {
    if let (Some(key), Fault::Json(text)) = (error.tensor.take(), &mut error.fault) {
        *text = format!("`{key}`: {text}");
    }
    error
}

/// Whether a shard's path stays inside the folder on every system.
fn is_plain_path(shard: &str) -> bool {
    // `\` and `:` mean something on Windows only, but a checkpoint should mean the same everywhere.
    !shard.is_empty()
        && !shard.contains(['\\', ':', '\0'])
        && Path::new(shard)
            .components()
            .all(|part| matches!(part, Component::Normal(_) | Component::CurDir))
}
