//! The readers of checkpoint headers and of `bindings.json`.

use std::path::{Path, PathBuf};

use linnet_weights::{Bindings, DType, Expected, Kind, PathPart, compare, read_headers};

/// Reads each input from a file.
#[derive(Default)]
pub struct Readers {
    inputs: u64,
}

impl Readers {
    /// A file's name of its own: some file systems are slow to write over what was just written.
    fn file(&mut self) -> PathBuf {
        self.inputs += 1;
        let name = format!(
            "linnet-fuzz-{}-{}.safetensors",
            std::process::id(),
            self.inputs
        );
        std::env::temp_dir().join(name)
    }

    /// What is read lies in the file; a manifest can be compared with it under any name map.
    pub fn check(&mut self, input: &[u8]) -> Result<(), String> {
        let bindings = Bindings::parse(Path::new("bindings.json"), input).unwrap_or_default();
        let file = self.file();
        std::fs::write(&file, input).map_err(|error| error.to_string())?;
        let header = read_headers(&file);
        let _ = std::fs::remove_file(&file);
        let Ok(header) = header else {
            return Ok(());
        };
        for (name, tensor) in &header.tensors {
            let (from, to) = tensor.offsets;
            if from > to || to > input.len() as u64 {
                return Err(format!("a tensor outside its file: {name} at {from}..{to}"));
            }
        }
        let expected = [("a", None), ("layers", Some(3))].map(|(name, repeat)| Expected {
            path: [
                Some(PathPart::Name(name.into())),
                repeat.map(PathPart::Repeat),
            ]
            .into_iter()
            .flatten()
            .collect(),
            dtype: DType::from_name("f32")
                .unwrap_or_else(|| unreachable!("a dtype of the language")),
            shape: vec![2, 3],
            kind: Kind::Param,
            optional: Vec::new(),
        });
        let _ = compare(&expected, &header, &bindings);
        Ok(())
    }
}
