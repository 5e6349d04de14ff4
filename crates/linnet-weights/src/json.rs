//! JSON objects read strictly: in order, and with no key twice.

use std::cell::RefCell;
use std::collections::HashSet;
use std::fmt;
use std::fs::File;
use std::io::Read;
use std::marker::PhantomData;
use std::path::Path;

use serde::de::{Deserialize, DeserializeSeed, Deserializer, Error as _, MapAccess, Visitor};

use crate::error::{Fault, WeightsError};
use crate::header::MAX_HEADER;

/// An object's entries in the order of the text.
pub(crate) type Entries<V> = Vec<(String, V)>;

/// A value whose form may depend on the key before it.
pub(crate) trait Entry<'de>: Sized {
    fn read<A: MapAccess<'de>>(key: &str, map: &mut A) -> Result<Self, A::Error>;
}

impl<'de> Entry<'de> for String {
    fn read<A: MapAccess<'de>>(_: &str, map: &mut A) -> Result<Self, A::Error> {
        map.next_value()
    }
}

/// Where reading stood when it failed.
#[derive(Default)]
struct Progress {
    /// The entry whose value was being read.
    current: Option<String>,
    /// A key that stood twice.
    duplicate: Option<String>,
}

/// Reads an object of `V`s, noting in `progress` which entry is at hand.
struct Object<'p, V> {
    progress: &'p RefCell<Progress>,
    marker: PhantomData<V>,
}

impl<'de, V: Entry<'de>> DeserializeSeed<'de> for Object<'_, V> {
    type Value = Entries<V>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Entries<V>, D::Error> {
        deserializer.deserialize_map(self)
    }
}

impl<'de, V: Entry<'de>> Visitor<'de> for Object<'_, V> {
    type Value = Entries<V>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Entries<V>, A::Error> {
        let mut seen = HashSet::new();
        let mut entries = Vec::new();
        while let Some(key) = map.next_key::<String>()? {
            if !seen.insert(key.clone()) {
                self.progress.borrow_mut().duplicate = Some(key);
                return Err(A::Error::custom("a key stands twice"));
            }
            self.progress.borrow_mut().current = Some(key.clone());
            let value = V::read(&key, &mut map)?;
            self.progress.borrow_mut().current = None;
            entries.push((key, value));
        }
        Ok(entries)
    }
}

/// An object below the top level, as strict.
pub(crate) struct Strict<V>(pub Entries<V>);

impl<'de, V: Entry<'de>> Deserialize<'de> for Strict<V> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let progress = RefCell::new(Progress::default());
        let object = Object {
            progress: &progress,
            marker: PhantomData,
        };
        let result = object.deserialize(deserializer);
        let Progress { current, duplicate } = progress.into_inner();
        match (result, duplicate, current) {
            (Ok(entries), ..) => Ok(Strict(entries)),
            (Err(_), Some(key), _) => Err(D::Error::custom(format_args!(
                "the key `{key}` stands twice"
            ))),
            (Err(error), None, Some(key)) => {
                Err(D::Error::custom(format_args!("`{key}`: {error}")))
            }
            (Err(error), None, None) => Err(error),
        }
    }
}

/// Parses the whole of `bytes` as an object of `V`s.
pub(crate) fn parse_object<'de, V: Entry<'de>>(
    file: &Path,
    bytes: &'de [u8],
) -> Result<Entries<V>, WeightsError> {
    let progress = RefCell::new(Progress::default());
    let object = Object {
        progress: &progress,
        marker: PhantomData,
    };
    let mut reader = serde_json::Deserializer::from_slice(bytes);
    let result = object
        .deserialize(&mut reader)
        .and_then(|entries| reader.end().map(|()| entries));
    let Progress { current, duplicate } = progress.into_inner();
    match (result, duplicate) {
        (Ok(entries), _) => Ok(entries),
        (Err(_), Some(key)) => Err(WeightsError::new(file, Fault::DuplicateKey(key))),
        (Err(error), None) => Err(WeightsError {
            file: file.to_owned(),
            tensor: current,
            fault: Fault::Json(error.to_string()),
        }),
    }
}

/// The whole of a small file, an index or a `bindings.json`.
pub(crate) fn read_text(path: &Path) -> Result<Vec<u8>, WeightsError> {
    // Opening a pipe would wait for a writer, so the kind is asked for first.
    let meta = std::fs::metadata(path).map_err(|e| WeightsError::io(path, &e))?;
    if !meta.is_file() {
        return Err(WeightsError::new(path, Fault::NotAFile));
    }
    if meta.len() > MAX_HEADER {
        let fault = Fault::HeaderTooLarge {
            header: meta.len(),
            max: MAX_HEADER,
        };
        return Err(WeightsError::new(path, fault));
    }
    let mut bytes = Vec::with_capacity(meta.len() as usize);
    File::open(path)
        .and_then(|file| file.take(MAX_HEADER).read_to_end(&mut bytes))
        .map_err(|e| WeightsError::io(path, &e))?;
    Ok(bytes)
}
