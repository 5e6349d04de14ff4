//! Files that a test needs, made in a folder of their own.

use std::path::{Path, PathBuf};

/// A SafeTensors file: the header's length, the header, and `data` zero bytes.
pub fn safetensors(header: &str, data: usize) -> Vec<u8> {
    let mut bytes = (header.len() as u64).to_le_bytes().to_vec();
    bytes.extend(header.as_bytes());
    bytes.resize(bytes.len() + data, 0);
    bytes
}

/// A well-formed file of f32 tensors.
pub fn file_of(tensors: &[(&str, &[u64])]) -> Vec<u8> {
    let mut at = 0;
    let mut entries = Vec::new();
    for (name, shape) in tensors {
        let end = at + 4 * shape.iter().product::<u64>();
        entries.push(format!(
            r#""{name}":{{"dtype":"F32","shape":{shape:?},"data_offsets":[{at},{end}]}}"#
        ));
        at = end;
    }
    safetensors(&format!("{{{}}}", entries.join(",")), at as usize)
}

pub fn write(folder: &Path, name: &str, bytes: impl AsRef<[u8]>) -> PathBuf {
    let path = folder.join(name);
    std::fs::create_dir_all(path.parent().expect("a file has a folder")).expect("make folder");
    std::fs::write(&path, bytes).expect("write file");
    path
}
