//! What mutation begins with: files of this repository, sorted, so that a run can be repeated.

use std::path::{Path, PathBuf};

/// Files by what they are.
pub struct Corpus {
    /// Linnet sources.
    pub sources: Vec<String>,
    /// Whole packages, as fixtures: `//- /path` begins a file.
    pub packages: Vec<String>,
    /// Checkpoint headers, and `bindings.json`.
    pub weights: Vec<Vec<u8>>,
    /// The committed corpus, which is run as it is.
    pub committed: Vec<(PathBuf, Vec<u8>)>,
}

/// Longer files only slow mutation down.
const LONGEST: u64 = 64 << 10;

/// The repository's root.
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

impl Corpus {
    pub fn load() -> Result<Corpus, String> {
        let root = root();
        let mut corpus = Corpus {
            sources: Vec::new(),
            packages: Vec::new(),
            weights: weights(),
            committed: Vec::new(),
        };
        for folder in [
            "tests/spec",
            "crates/linnet-std/std",
            "examples",
            "tests/corpus",
        ] {
            let files = files(&root.join(folder))?;
            for (path, bytes) in &files {
                let text = String::from_utf8_lossy(bytes);
                match path.extension().and_then(|e| e.to_str()) {
                    Some("linnet") => corpus.sources.push(text.into_owned()),
                    Some("toml") if path.ends_with("linnet.toml") => {
                        corpus.packages.push(package(path, &files));
                    }
                    Some("safetensors" | "json") => corpus.weights.push(bytes.clone()),
                    _ => {}
                }
            }
            if folder == "tests/corpus" {
                corpus.committed = files;
            }
        }
        if corpus.sources.is_empty() || corpus.packages.is_empty() {
            return Err("no sources to begin with".to_owned());
        }
        Ok(corpus)
    }
}

/// The files below a folder, sorted; none where it does not exist.
fn files(folder: &Path) -> Result<Vec<(PathBuf, Vec<u8>)>, String> {
    let mut found = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        let Ok(entries) = folder.read_dir() else {
            continue;
        };
        for entry in entries.flatten() {
            let path = entry.path();
            let Ok(metadata) = path.metadata() else {
                continue;
            };
            if metadata.is_dir() {
                folders.push(path);
            } else if metadata.len() <= LONGEST {
                let bytes = std::fs::read(&path)
                    .map_err(|error| format!("cannot read {}: {error}", path.display()))?;
                found.push((path, bytes));
            }
        }
    }
    found.sort();
    Ok(found)
}

/// The package of a manifest as one text.
fn package(manifest: &Path, files: &[(PathBuf, Vec<u8>)]) -> String {
    let folder = manifest.parent().unwrap_or(manifest);
    let mut text = String::new();
    for (path, bytes) in files {
        let Ok(below) = path.strip_prefix(folder) else {
            continue;
        };
        if below.extension().is_some_and(|e| e == "linnet") || below.ends_with("linnet.toml") {
            text.push_str(&format!("//- /package/{}\n", below.display()));
            text.push_str(&String::from_utf8_lossy(bytes));
            if !text.ends_with('\n') {
                text.push('\n');
            }
        }
    }
    text
}

/// Small checkpoints (the length of the header, the header, the data), and a name map.
fn weights() -> Vec<Vec<u8>> {
    let headers = [
        ("{}", 0),
        (
            r#"{"a.weight":{"dtype":"F32","shape":[2,3],"data_offsets":[0,24]}}"#,
            24,
        ),
        (
            concat!(
                r#"{"__metadata__":{"format":"pt"},"a":{"dtype":"BF16","shape":[],"data_offsets":[0,2]},"#,
                r#""layers.0":{"dtype":"I8","shape":[0,7],"data_offsets":[2,2]},"#,
                r#""layers.1":{"dtype":"F8_E4M3","shape":[4],"data_offsets":[2,6]}}"#
            ),
            6,
        ),
        (
            r#"{"b":{"dtype":"BOOL","shape":[1,1,1,1],"data_offsets":[0,1]}}      "#,
            1,
        ),
    ];
    let file = |(json, data): (&str, usize)| {
        let mut bytes = (json.len() as u64).to_le_bytes().to_vec();
        bytes.extend(json.as_bytes());
        bytes.resize(bytes.len() + data, 0);
        bytes
    };
    let map = r#"{"layers.{i}.q":"model.{i}.attn.q","a":"b","layers.{i}.{j}.w":"x.{j}.{i}"}"#;
    headers
        .into_iter()
        .map(file)
        .chain([map.as_bytes().to_vec()])
        .collect()
}
