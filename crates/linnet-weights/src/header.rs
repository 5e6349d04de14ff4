//! One SafeTensors file's header: 8 bytes of length, then JSON, then data that must match it.

use std::fs::File;
use std::io::Read;
use std::path::Path;
use std::sync::Arc;

use serde::Deserialize;
use serde::de::MapAccess;

use crate::dtype::DType;
use crate::error::{Fault, WeightsError};
use crate::json::{Entry, Strict, parse_object};

/// The largest header that is read, in bytes.
pub const MAX_HEADER: u64 = 100_000_000;

/// What a header says of one tensor.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TensorInfo {
    pub dtype: DType,
    pub shape: Vec<u64>,
    pub file: Arc<Path>,
    /// Where its data begins and ends, in bytes behind the header.
    pub offsets: (u64, u64),
}

/// A tensor's entry as it is written.
#[derive(Deserialize)]
struct RawTensor {
    dtype: String,
    shape: Vec<u64>,
    data_offsets: (u64, u64),
}

/// The value of a key: a tensor, or the text pairs of `__metadata__`.
enum HeaderEntry {
    Tensor(RawTensor),
    Metadata,
}

impl<'de> Entry<'de> for HeaderEntry {
    fn read<A: MapAccess<'de>>(key: &str, map: &mut A) -> Result<Self, A::Error> {
        if key == "__metadata__" {
            map.next_value::<Strict<String>>()?;
            Ok(HeaderEntry::Metadata)
        } else {
            Ok(HeaderEntry::Tensor(map.next_value()?))
        }
    }
}

/// Reads and checks the header of one file.
pub(crate) fn read_file(path: &Path) -> Result<Vec<(String, TensorInfo)>, WeightsError> {
    let (bytes, data_len) = read_bytes(path)?;
    parse_header(path, &bytes, data_len)
}

/// Checks a header's JSON against the `data_len` bytes of data behind it; `path` is named in errors.
pub fn parse_header(
    path: &Path,
    json: &[u8],
    data_len: u64,
) -> Result<Vec<(String, TensorInfo)>, WeightsError> {
    let entries = parse_object::<HeaderEntry>(path, json)?;
    let file: Arc<Path> = path.into();
    let mut tensors = Vec::with_capacity(entries.len());
    for (name, entry) in entries {
        if let HeaderEntry::Tensor(raw) = entry {
            match check(raw, &file, data_len) {
                Ok(info) => tensors.push((name, info)),
                Err(fault) => return Err(WeightsError::of(path, name, fault)),
            }
        }
    }
    check_layout(path, &tensors, data_len)?;
    Ok(tensors)
}

/// The header's JSON and the length of the data behind it.
fn read_bytes(path: &Path) -> Result<(Vec<u8>, u64), WeightsError> {
    // Opening a pipe would wait for a writer, so the kind is asked for first.
    let meta = std::fs::metadata(path).map_err(|e| WeightsError::io(path, &e))?;
    if !meta.is_file() {
        return Err(WeightsError::new(path, Fault::NotAFile));
    }
    let mut file = File::open(path).map_err(|e| WeightsError::io(path, &e))?;
    let len = file
        .metadata()
        .map_err(|e| WeightsError::io(path, &e))?
        .len();
    if len < 8 {
        return Err(WeightsError::new(path, Fault::TooShort { len }));
    }
    let mut prefix = [0; 8];
    file.read_exact(&mut prefix)
        .map_err(|e| WeightsError::io(path, &e))?;
    let header = u64::from_le_bytes(prefix);
    if header > len - 8 {
        let fault = Fault::HeaderBeyondFile { header, file: len };
        return Err(WeightsError::new(path, fault));
    }
    if header > MAX_HEADER {
        let max = MAX_HEADER;
        return Err(WeightsError::new(
            path,
            Fault::HeaderTooLarge { header, max },
        ));
    }
    let mut bytes = vec![0; header as usize];
    file.read_exact(&mut bytes)
        .map_err(|e| WeightsError::io(path, &e))?;
    Ok((bytes, len - 8 - header))
}

/// Holds one tensor's dtype, shape and offsets against each other and the file.
fn check(raw: RawTensor, file: &Arc<Path>, data_len: u64) -> Result<TensorInfo, Fault> {
    let RawTensor {
        dtype,
        shape,
        data_offsets: (begin, end),
    } = raw;
    let Some(dtype) = DType::from_safetensors(&dtype) else {
        return Err(Fault::UnknownDType(dtype));
    };
    let Some(bits) = bit_count(&shape, dtype) else {
        return Err(Fault::ShapeOverflow { shape });
    };
    if bits % 8 != 0 {
        let dtype = dtype.safetensors_name();
        return Err(Fault::PartialByte { shape, dtype });
    }
    let Some(found) = end.checked_sub(begin) else {
        return Err(Fault::OffsetsReversed { begin, end });
    };
    let needed = bits / 8;
    if found != needed {
        return Err(Fault::OffsetsSize { needed, found });
    }
    if end > data_len {
        let data = data_len;
        return Err(Fault::Truncated { end, data });
    }
    Ok(TensorInfo {
        dtype,
        shape,
        file: file.clone(),
        offsets: (begin, end),
    })
}

/// The bits of all elements; `None` where 64 bits cannot count them.
fn bit_count(shape: &[u64], dtype: DType) -> Option<u64> {
    if shape.contains(&0) {
        return Some(0);
    }
    shape
        .iter()
        .try_fold(dtype.bits(), |bits, &dim| bits.checked_mul(dim))
}

/// The tensors' data must fill the file: nothing shared, nothing left over.
fn check_layout(
    path: &Path,
    tensors: &[(String, TensorInfo)],
    data_len: u64,
) -> Result<(), WeightsError> {
    let mut order: Vec<&(String, TensorInfo)> = tensors.iter().collect();
    order.sort_by_key(|(_, info)| info.offsets);
    let mut filled = 0;
    let mut last = "";
    for (name, info) in order {
        let (begin, end) = info.offsets;
        if begin < filled {
            let with = last.to_owned();
            return Err(WeightsError::of(
                path,
                name.as_str(),
                Fault::Overlap { with },
            ));
        }
        if begin > filled {
            let fault = Fault::Gap {
                begin: filled,
                end: begin,
            };
            return Err(WeightsError::of(path, name.as_str(), fault));
        }
        filled = end;
        last = name;
    }
    if filled < data_len {
        let fault = Fault::TrailingData {
            end: filled,
            data: data_len,
        };
        return Err(WeightsError::new(path, fault));
    }
    Ok(())
}
