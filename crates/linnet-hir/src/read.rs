//! Reading files from disk, bounded, with one answer for each way it can fail.

use std::io::{ErrorKind, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The largest file that is read.
pub const MAX_FILE_BYTES: u64 = 16 << 20;

/// What is at a path.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Contents {
    /// UTF-8 without NUL.
    Text(Arc<str>),
    Missing,
    Directory,
    /// A byte sequence that is not UTF-8, and the text before it.
    NotUtf8 {
        before: Arc<str>,
    },
    /// A NUL character, and the text before it.
    Nul {
        before: Arc<str>,
    },
    /// Above [`MAX_FILE_BYTES`].
    TooLarge {
        bytes: u64,
    },
    /// Not a regular file, no permission, a loop of links: the system's words.
    Unreadable(String),
}

impl Contents {
    /// The contents for a text that was already decoded.
    pub fn from_text(text: &str) -> Contents {
        if text.len() as u64 > MAX_FILE_BYTES {
            return Contents::TooLarge {
                bytes: text.len() as u64,
            };
        }
        match text.find('\0') {
            Some(at) => Contents::Nul {
                before: text[..at].into(),
            },
            None => Contents::Text(text.into()),
        }
    }

    /// Why this cannot be read as text; `None` where it can.
    pub fn fault(&self) -> Option<String> {
        Some(match self {
            Contents::Text(_) => return None,
            Contents::Missing => "there is no such file".to_owned(),
            Contents::Directory => "it is a directory".to_owned(),
            Contents::NotUtf8 { before } => {
                format!("it is not UTF-8 text (byte {})", before.len())
            }
            Contents::Nul { before } => {
                format!(
                    "it holds a NUL character (byte {}), so it is no text",
                    before.len()
                )
            }
            Contents::TooLarge { bytes } => format!(
                "it has {:.1} MiB, and {} MiB is the most that is read",
                *bytes as f64 / f64::from(1 << 20),
                MAX_FILE_BYTES >> 20
            ),
            Contents::Unreadable(why) => why.clone(),
        })
    }

    fn from_bytes(bytes: &[u8]) -> Contents {
        match std::str::from_utf8(bytes) {
            Ok(text) => Contents::from_text(text),
            Err(error) => {
                let valid = &bytes[..error.valid_up_to()];
                let before = String::from_utf8_lossy(valid);
                match before.find('\0') {
                    Some(at) => Contents::Nul {
                        before: before[..at].into(),
                    },
                    None => Contents::NotUtf8 {
                        before: before.into(),
                    },
                }
            }
        }
    }
}

/// Reads a file, and follows its path's links.
pub(crate) fn read_file(path: &Path) -> (Contents, Arc<Path>) {
    let real = path.canonicalize().map_or_else(|_| path.into(), Into::into);
    (read_contents(path), real)
}

fn read_contents(path: &Path) -> Contents {
    let failed = |error: std::io::Error| match error.kind() {
        // A path through a file (`a.linnet/b.linnet`) holds nothing either.
        ErrorKind::NotFound | ErrorKind::NotADirectory => Contents::Missing,
        _ => Contents::Unreadable(error.to_string()),
    };
    // Opening a pipe would wait for its writer, so ask what it is before.
    let metadata = match path.metadata() {
        Ok(metadata) => metadata,
        Err(error) => return failed(error),
    };
    if metadata.is_dir() {
        return Contents::Directory;
    }
    if !metadata.is_file() {
        return Contents::Unreadable("not a regular file".to_owned());
    }
    if metadata.len() > MAX_FILE_BYTES {
        return Contents::TooLarge {
            bytes: metadata.len(),
        };
    }
    let mut bytes = Vec::with_capacity(metadata.len() as usize + 1);
    let read =
        std::fs::File::open(path).and_then(|f| f.take(MAX_FILE_BYTES + 1).read_to_end(&mut bytes));
    match read {
        Err(error) => failed(error),
        Ok(n) if n as u64 > MAX_FILE_BYTES => Contents::TooLarge { bytes: n as u64 },
        Ok(_) => Contents::from_bytes(&bytes),
    }
}

/// The most files that are listed below one folder.
const MAX_LISTED: usize = 100_000;

/// Folders deeper than this are not looked into.
const MAX_DEPTH: usize = 32;

/// The `.linnet` files below a folder, sorted. Links to folders are not followed, and packages inside are skipped.
pub(crate) fn source_files(dir: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    let mut folders = vec![(dir.to_path_buf(), 0)];
    while let Some((folder, depth)) = folders.pop() {
        if depth > 0 && folder.join("linnet.toml").exists() {
            continue;
        }
        for entry in std::fs::read_dir(&folder).into_iter().flatten().flatten() {
            let path = entry.path();
            if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
                if depth < MAX_DEPTH {
                    folders.push((path, depth + 1));
                }
            } else if path.extension().is_some_and(|e| e == "linnet") && files.len() < MAX_LISTED {
                files.push(path);
            }
        }
    }
    files.sort();
    files
}

/// The modules in a folder that holds the standard library, sorted.
pub(crate) fn std_modules(dir: &Path) -> Vec<String> {
    let files = source_files(dir);
    files
        .iter()
        .filter_map(|path| std_module(dir, path))
        .collect()
}

/// The module that a file in such a folder holds.
pub(crate) fn std_module(dir: &Path, file: &Path) -> Option<String> {
    let below = file.strip_prefix(dir).ok()?.with_extension("");
    let segments = below
        .iter()
        .map(|segment| segment.to_string_lossy().into_owned());
    let all = std::iter::once("std".to_owned()).chain(segments);
    Some(all.collect::<Vec<_>>().join("."))
}
