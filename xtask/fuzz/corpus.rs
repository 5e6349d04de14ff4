//! The inputs that mutations start from.

use std::path::Path;

use crate::targets::Input;

pub struct Corpus {
    sources: Vec<Vec<u8>>,
    manifests: Vec<Vec<u8>>,
    weights: Vec<Vec<u8>>,
}

impl Corpus {
    /// Everything committed that has the right form, in the order of the names.
    pub fn read(root: &Path) -> Corpus {
        let mut corpus = Corpus {
            sources: Vec::new(),
            manifests: Vec::new(),
            weights: weights(),
        };
        for folder in [
            "tests/corpus",
            "crates/linnet-std/std",
            "examples",
            "tests/spec",
        ] {
            corpus.add(&root.join(folder));
        }
        corpus
    }

    fn add(&mut self, folder: &Path) {
        let Ok(entries) = std::fs::read_dir(folder) else {
            return;
        };
        let mut paths: Vec<_> = entries.flatten().map(|e| e.path()).collect();
        paths.sort();
        for path in paths {
            if path.is_dir() {
                self.add(&path);
                continue;
            }
            let list = match path.extension().and_then(|e| e.to_str()) {
                Some("linnet") => &mut self.sources,
                Some("toml") => &mut self.manifests,
                Some("safetensors") => &mut self.weights,
                _ => continue,
            };
            list.extend(std::fs::read(&path));
        }
    }

    pub fn inputs(&self, input: Input) -> &[Vec<u8>] {
        match input {
            Input::Source => &self.sources,
            Input::Manifest => &self.manifests,
            Input::Weights => &self.weights,
        }
    }
}

/// Small SafeTensors files: the length of the header, the header, the data.
fn weights() -> Vec<Vec<u8>> {
    let headers = [
        (
            r#"{"a":{"dtype":"F32","shape":[2,3],"data_offsets":[0,24]}}"#,
            24,
        ),
        (
            r#"{"__metadata__":{"format":"pt"},"a":{"dtype":"BF16","shape":[4],"data_offsets":[0,8]},"b":{"dtype":"I64","shape":[],"data_offsets":[8,16]}}"#,
            16,
        ),
        (
            r#"{"empty":{"dtype":"F16","shape":[0,7],"data_offsets":[0,0]}}"#,
            0,
        ),
    ];
    let file = |(header, data): (&str, usize)| {
        let mut out = (header.len() as u64).to_le_bytes().to_vec();
        out.extend(header.as_bytes());
        out.resize(out.len() + data, 0);
        out
    };
    headers.into_iter().map(file).collect()
}
