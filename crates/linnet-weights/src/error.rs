//! What can be wrong with a file of weights, an index or a `bindings.json`.

use std::fmt;
use std::path::{Path, PathBuf};

/// Why a file cannot be used, naming the file and, where one is at fault, the tensor.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct WeightsError {
    pub file: PathBuf,
    /// The tensor, or in a `bindings.json` the entry.
    pub tensor: Option<String>,
    pub fault: Fault,
}

/// The kind of a [`WeightsError`], with what a reader needs to see.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Fault {
    /// The operating system refused, in its words.
    Io(String),
    NotAFile,
    /// A folder with neither an index nor a SafeTensors file.
    NoWeights,
    /// Several indexes in one folder, none of the usual name.
    SeveralIndexes(Vec<String>),
    /// Fewer than the 8 bytes of the header's length.
    TooShort {
        len: u64,
    },
    HeaderTooLarge {
        header: u64,
        max: u64,
    },
    HeaderBeyondFile {
        header: u64,
        file: u64,
    },
    Json(String),
    DuplicateKey(String),
    UnknownDType(String),
    /// The product of the shape does not fit 64 bits.
    ShapeOverflow {
        shape: Vec<u64>,
    },
    /// Packed elements that do not fill whole bytes.
    PartialByte {
        shape: Vec<u64>,
        dtype: &'static str,
    },
    OffsetsReversed {
        begin: u64,
        end: u64,
    },
    /// The offsets hold another number of bytes than dtype and shape ask for.
    OffsetsSize {
        needed: u64,
        found: u64,
    },
    Truncated {
        end: u64,
        data: u64,
    },
    Overlap {
        with: String,
    },
    Gap {
        begin: u64,
        end: u64,
    },
    TrailingData {
        end: u64,
        data: u64,
    },
    /// A tensor that two files of a folder hold.
    HeldTwice {
        other: PathBuf,
    },
    /// A shard whose path leaves the index's folder.
    ShardPath {
        shard: String,
    },
    MissingShard {
        shard: String,
    },
    NotInShard {
        shard: String,
    },
    /// A malformed entry of a `bindings.json`.
    Binding(String),
    /// More tensors than are compared.
    TooMany {
        asked: u128,
        max: u64,
    },
}

impl WeightsError {
    pub(crate) fn new(file: &Path, fault: Fault) -> Self {
        WeightsError {
            file: file.to_owned(),
            tensor: None,
            fault,
        }
    }

    pub(crate) fn of(file: &Path, tensor: impl Into<String>, fault: Fault) -> Self {
        WeightsError {
            file: file.to_owned(),
            tensor: Some(tensor.into()),
            fault,
        }
    }

    pub(crate) fn io(file: &Path, error: &std::io::Error) -> Self {
        WeightsError::new(file, Fault::Io(io_text(error)))
    }
}

/// The system's message without the number behind it.
fn io_text(error: &std::io::Error) -> String {
    match error.kind() {
        std::io::ErrorKind::NotFound => "no such file or folder".to_owned(),
        std::io::ErrorKind::PermissionDenied => "permission denied".to_owned(),
        _ => error.to_string(),
    }
}

impl std::error::Error for WeightsError {}

impl fmt::Display for WeightsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.file.as_os_str().is_empty() {
            write!(f, "{}: ", self.file.display())?;
        }
        if let Some(tensor) = &self.tensor {
            let noun = if matches!(self.fault, Fault::Binding(_)) {
                "entry"
            } else {
                "tensor"
            };
            write!(f, "{noun} `{}`: ", shorten(tensor))?;
        }
        self.fault.fmt(f)
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Fault::Io(text) => f.write_str(text),
            Fault::NotAFile => f.write_str("not a regular file"),
            Fault::NoWeights => f.write_str(
                "the folder holds no `.safetensors` file and no `.safetensors.index.json`",
            ),
            Fault::SeveralIndexes(names) => write!(
                f,
                "the folder holds several indexes ({}); name the one to use",
                names.join(", ")
            ),
            Fault::TooShort { len } => write!(
                f,
                "{len} bytes are too few for a SafeTensors file, which begins with 8 bytes of header length"
            ),
            Fault::HeaderTooLarge { header, max } => write!(
                f,
                "the header claims {header} bytes, more than the {max} that are allowed"
            ),
            Fault::HeaderBeyondFile { header, file } => write!(
                f,
                "the header claims {header} bytes, but the file has {file} bytes in all: it is truncated or not a SafeTensors file"
            ),
            Fault::Json(text) => write!(f, "malformed JSON: {text}"),
            Fault::DuplicateKey(key) => write!(f, "the key `{}` stands twice", shorten(key)),
            Fault::UnknownDType(name) => write!(f, "unknown dtype `{}`", shorten(name)),
            Fault::ShapeOverflow { shape } => write!(
                f,
                "the shape {shape:?} has more bytes than 64 bits can count"
            ),
            Fault::PartialByte { shape, dtype } => write!(
                f,
                "the shape {shape:?} of {dtype} does not fill whole bytes"
            ),
            Fault::OffsetsReversed { begin, end } => {
                write!(f, "its data ends at {end}, before it begins at {begin}")
            }
            Fault::OffsetsSize { needed, found } => write!(
                f,
                "its offsets hold {found} bytes, but its dtype and shape need {needed}"
            ),
            Fault::Truncated { end, data } => write!(
                f,
                "its data ends at byte {end}, but the file holds {data} bytes of data: it is truncated"
            ),
            Fault::Overlap { with } => {
                write!(f, "its data overlaps that of `{}`", shorten(with))
            }
            Fault::Gap { begin, end } => write!(
                f,
                "no tensor holds the bytes {begin}..{end} in front of its data"
            ),
            Fault::TrailingData { end, data } => write!(
                f,
                "the last tensor ends at byte {end}, but the file holds {data} bytes of data"
            ),
            Fault::HeldTwice { other } => write!(
                f,
                "{} holds a tensor of this name as well; name the file to use",
                other.display()
            ),
            Fault::ShardPath { shard } => write!(
                f,
                "the shard `{}` is not a plain path inside the index's folder",
                shorten(shard)
            ),
            Fault::MissingShard { shard } => {
                write!(f, "its shard `{}` does not exist", shorten(shard))
            }
            Fault::NotInShard { shard } => {
                write!(f, "its shard `{}` does not hold it", shorten(shard))
            }
            Fault::Binding(text) => f.write_str(text),
            Fault::TooMany { asked, max } => write!(
                f,
                "the program asks for {asked} tensors, more than the {max} that are compared"
            ),
        }
    }
}

/// Hostile names are not repeated at length.
fn shorten(name: &str) -> String {
    const MAX: usize = 200;
    let mut text: String = name
        .chars()
        .take(MAX)
        .map(|c| if c.is_control() { '\u{fffd}' } else { c })
        .collect();
    if name.chars().nth(MAX).is_some() {
        text.push('…');
    }
    text
}
