//! Element types as SafeTensors names them.

use std::fmt;

/// The element type of a stored tensor.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum DType {
    Bool,
    I8,
    I16,
    I32,
    I64,
    U8,
    U16,
    U32,
    U64,
    F16,
    BF16,
    F32,
    F64,
    F8E4M3,
    F8E5M2,
    F8E8M0,
    F4,
    F6E2M3,
    F6E3M2,
    C64,
}

/// Each dtype, its name in a SafeTensors header, its name in a program, and its bits.
const TABLE: &[(DType, &str, &str, u64)] = &[
    (DType::Bool, "BOOL", "bool", 8),
    (DType::I8, "I8", "i8", 8),
    (DType::I16, "I16", "i16", 16),
    (DType::I32, "I32", "i32", 32),
    (DType::I64, "I64", "i64", 64),
    (DType::U8, "U8", "u8", 8),
    (DType::U16, "U16", "u16", 16),
    (DType::U32, "U32", "u32", 32),
    (DType::U64, "U64", "u64", 64),
    (DType::F16, "F16", "f16", 16),
    (DType::BF16, "BF16", "bf16", 16),
    (DType::F32, "F32", "f32", 32),
    (DType::F64, "F64", "f64", 64),
    (DType::F8E4M3, "F8_E4M3", "F8_E4M3", 8),
    (DType::F8E5M2, "F8_E5M2", "F8_E5M2", 8),
    (DType::F8E8M0, "F8_E8M0", "F8_E8M0", 8),
    (DType::F4, "F4", "F4", 4),
    (DType::F6E2M3, "F6_E2M3", "F6_E2M3", 6),
    (DType::F6E3M2, "F6_E3M2", "F6_E3M2", 6),
    (DType::C64, "C64", "C64", 64),
];

impl DType {
    fn row(self) -> &'static (DType, &'static str, &'static str, u64) {
        TABLE
            .iter()
            .find(|row| row.0 == self)
            .expect("every dtype has a row")
    }

    /// The dtype that a SafeTensors header calls `name` (`BF16`).
    pub fn from_safetensors(name: &str) -> Option<DType> {
        TABLE.iter().find(|row| row.1 == name).map(|row| row.0)
    }

    /// The dtype that a program calls `name` (`bf16`).
    pub fn from_name(name: &str) -> Option<DType> {
        TABLE
            .iter()
            .find(|row| row.0.is_supported() && row.2 == name)
            .map(|row| row.0)
    }

    /// Its name in a program, or in the header where programs have no such dtype.
    pub fn name(self) -> &'static str {
        self.row().2
    }

    /// Its name in a SafeTensors header.
    pub fn safetensors_name(self) -> &'static str {
        self.row().1
    }

    /// The bits of one element, a multiple of 8 for all but the packed floats.
    pub fn bits(self) -> u64 {
        self.row().3
    }

    /// Whether a program can declare a tensor of this dtype.
    pub fn is_supported(self) -> bool {
        self <= DType::F64
    }
}

impl fmt::Display for DType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_lead_back_to_the_dtype() {
        for row in TABLE {
            assert_eq!(DType::from_safetensors(row.1), Some(row.0));
            let named = DType::from_name(row.2);
            assert_eq!(named, row.0.is_supported().then_some(row.0), "{}", row.2);
        }
        assert_eq!(DType::from_safetensors("f32"), None);
        assert_eq!(DType::from_name("F32"), None);
    }

    #[test]
    fn what_programs_cannot_declare_is_unsupported() {
        assert!(DType::Bool.is_supported() && DType::F64.is_supported());
        assert!(!DType::F8E4M3.is_supported() && !DType::C64.is_supported());
    }
}
