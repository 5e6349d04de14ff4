//! Types: what the checker knows of a value, with symbolic shapes.
//!
//! Generics are numbered by their place in the owner's [`Header`](crate::sig::Header): the enclosing block's
//! first, then the item's own. A `Dim` generic `i` is the symbol `Sym(i)`; a `Shape` generic `i` is the pack `i`,
//! and `Sym(i)` is then the product of its dimensions.

use std::fmt;
use std::sync::Arc;

use linnet_dim::{Dim, Sym};

use crate::db::Db;
use crate::tree::{DefId, GenericKind};

/// A concrete element type.
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
}

impl DType {
    pub const ALL: [DType; 13] = [
        DType::Bool,
        DType::I8,
        DType::I16,
        DType::I32,
        DType::I64,
        DType::U8,
        DType::U16,
        DType::U32,
        DType::U64,
        DType::F16,
        DType::BF16,
        DType::F32,
        DType::F64,
    ];

    pub fn name(self) -> &'static str {
        match self {
            DType::Bool => "bool",
            DType::I8 => "i8",
            DType::I16 => "i16",
            DType::I32 => "i32",
            DType::I64 => "i64",
            DType::U8 => "u8",
            DType::U16 => "u16",
            DType::U32 => "u32",
            DType::U64 => "u64",
            DType::F16 => "f16",
            DType::BF16 => "bf16",
            DType::F32 => "f32",
            DType::F64 => "f64",
        }
    }

    pub fn parse(name: &str) -> Option<DType> {
        DType::ALL.into_iter().find(|d| d.name() == name)
    }

    /// Bytes of one element.
    pub fn size(self) -> u64 {
        match self {
            DType::Bool | DType::I8 | DType::U8 => 1,
            DType::I16 | DType::U16 | DType::F16 | DType::BF16 => 2,
            DType::I32 | DType::U32 | DType::F32 => 4,
            DType::I64 | DType::U64 | DType::F64 => 8,
        }
    }

    pub fn is_float(self) -> bool {
        matches!(self, DType::F16 | DType::BF16 | DType::F32 | DType::F64)
    }

    pub fn is_integer(self) -> bool {
        self != DType::Bool && !self.is_float()
    }

    pub fn is_unsigned(self) -> bool {
        matches!(self, DType::U8 | DType::U16 | DType::U32 | DType::U64)
    }

    /// Lowest and highest value of an integer dtype.
    pub fn integer_range(self) -> Option<(i128, i128)> {
        let bits = self.size() as u32 * 8;
        match self {
            _ if !self.is_integer() => None,
            _ if self.is_unsigned() => Some((0, (1i128 << bits) - 1)),
            _ => Some((-(1i128 << (bits - 1)), (1i128 << (bits - 1)) - 1)),
        }
    }

    /// Whether a literal of this value rounds to a finite value (IEEE 754, bfloat16 for `bf16`).
    pub fn float_fits(self, value: f64) -> bool {
        // Half a unit in the last place above the largest finite value is where rounding turns infinite.
        let limit = match self {
            DType::F16 => 65520.0,
            DType::BF16 => 3.396_177_529_230_495_7e38,
            DType::F32 => 3.402_823_567_797_336_6e38,
            _ => return value.is_finite(),
        };
        value.abs() < limit
    }

    pub fn in_class(self, class: GenericKind) -> bool {
        match class {
            GenericKind::DType => true,
            GenericKind::Numeric => self != DType::Bool,
            GenericKind::Integer => self.is_integer(),
            GenericKind::Float => self.is_float(),
            GenericKind::Error => true,
            GenericKind::Dim | GenericKind::Shape => false,
        }
    }
}

/// An element type: concrete, or a dtype generic of the item at hand.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub enum Elem {
    Known(DType),
    Param(u32),
    /// Unknown after a fault that was reported.
    Error,
}

impl Elem {
    pub const BOOL: Elem = Elem::Known(DType::Bool);
}

/// An axis, or a run of axes.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum ShapeElem {
    Dim(Dim),
    /// The `Shape` generic of this number.
    Pack(u32),
}

pub type Shape = Arc<[ShapeElem]>;

/// The type of a value.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Ty {
    /// Unknown after a fault that was reported; it agrees with everything.
    Error,
    /// What an entry without a result gives.
    Unit,
    /// A scalar is a tensor of rank 0.
    Tensor(Shape, Elem),
    Optional(Arc<Ty>),
    Tuple(Arc<[Ty]>),
    Struct(DefId, Args),
    Enum(DefId),
    Block(DefId, Args),
    /// An array of blocks.
    Array(Arc<Ty>, Dim),
    /// A compile-time integer that takes the dtype its context asks for; its value where it is known.
    Int(Option<Dim>),
    /// A float literal without a dtype yet (the bits of its value).
    Float(u64),
    /// `none` without a type yet.
    NoneLit,
}

/// A generic argument.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum GArg {
    Dim(Dim),
    Shape(Shape),
    Elem(Elem),
    Error,
}

pub type Args = Arc<[GArg]>;

impl Ty {
    pub fn scalar(dtype: DType) -> Ty {
        Ty::Tensor(Arc::from([]), Elem::Known(dtype))
    }

    pub fn bool() -> Ty {
        Ty::scalar(DType::Bool)
    }

    pub fn is_error(&self) -> bool {
        match self {
            Ty::Error => true,
            Ty::Tensor(_, Elem::Error) => true,
            Ty::Optional(t) => t.is_error(),
            Ty::Tuple(ts) => ts.iter().any(Ty::is_error),
            Ty::Array(t, _) => t.is_error(),
            _ => false,
        }
    }

    /// Whether the type, written out without aliases, has more than `limit` parts.
    pub fn is_larger_than(&self, limit: usize) -> bool {
        let mut stack = vec![self];
        let mut parts = 0;
        while let Some(ty) = stack.pop() {
            parts += 1;
            if parts > limit {
                return true;
            }
            match ty {
                Ty::Optional(t) | Ty::Array(t, _) => stack.push(t),
                Ty::Tuple(ts) => stack.extend(ts.iter()),
                _ => {}
            }
        }
        false
    }

    /// The type with each generic replaced; see [`Subst`].
    pub fn subst(&self, args: &[GArg]) -> Ty {
        if args.is_empty() {
            return self.clone();
        }
        match self {
            Ty::Tensor(shape, elem) => {
                Ty::Tensor(subst_shape(shape, args), subst_elem(*elem, args))
            }
            Ty::Optional(t) => Ty::Optional(Arc::new(t.subst(args))),
            Ty::Tuple(ts) => Ty::Tuple(ts.iter().map(|t| t.subst(args)).collect()),
            Ty::Struct(d, a) => Ty::Struct(*d, a.iter().map(|a| a.subst(args)).collect()),
            Ty::Block(d, a) => Ty::Block(*d, a.iter().map(|a| a.subst(args)).collect()),
            Ty::Array(t, n) => Ty::Array(Arc::new(t.subst(args)), subst_dim(n, args)),
            Ty::Int(Some(d)) => Ty::Int(Some(subst_dim(d, args))),
            _ => self.clone(),
        }
    }
}

impl GArg {
    pub fn subst(&self, args: &[GArg]) -> GArg {
        match self {
            GArg::Dim(d) => GArg::Dim(subst_dim(d, args)),
            GArg::Shape(s) => GArg::Shape(subst_shape(s, args)),
            GArg::Elem(e) => GArg::Elem(subst_elem(*e, args)),
            GArg::Error => GArg::Error,
        }
    }
}

/// A dimension with each generic replaced by its argument (a pack by the product of its dimensions).
pub fn subst_dim(dim: &Dim, args: &[GArg]) -> Dim {
    if dim.as_int().is_some() {
        return dim.clone();
    }
    dim.subst(&mut |Sym(i)| match args.get(i as usize)? {
        GArg::Dim(d) => Some(d.clone()),
        GArg::Shape(s) => Some(product(s)),
        _ => None,
    })
}

pub fn subst_shape(shape: &Shape, args: &[GArg]) -> Shape {
    if shape.is_empty() {
        return shape.clone();
    }
    let mut out = Vec::with_capacity(shape.len());
    for elem in shape.iter() {
        match elem {
            ShapeElem::Dim(d) => out.push(ShapeElem::Dim(subst_dim(d, args))),
            ShapeElem::Pack(p) => match args.get(*p as usize) {
                Some(GArg::Shape(s)) => out.extend(s.iter().cloned()),
                _ => out.push(elem.clone()),
            },
        }
    }
    out.into()
}

pub fn subst_elem(elem: Elem, args: &[GArg]) -> Elem {
    match elem {
        Elem::Param(i) => match args.get(i as usize) {
            Some(GArg::Elem(e)) => *e,
            Some(GArg::Error) => Elem::Error,
            _ => elem,
        },
        _ => elem,
    }
}

/// The number of elements of a shape.
pub fn product(shape: &[ShapeElem]) -> Dim {
    let mut out = Dim::int(1);
    for elem in shape {
        out = out.mul(&match elem {
            ShapeElem::Dim(d) => d.clone(),
            ShapeElem::Pack(p) => Dim::sym(Sym(*p)),
        });
    }
    out
}

/// Writes types as a person would, given the names of generics.
#[derive(Clone, Copy)]
pub struct Names<'a> {
    pub db: &'a dyn Db,
    pub of: &'a dyn Fn(u32) -> String,
}

impl<'a> Names<'a> {
    pub fn dim(&self, dim: &Dim) -> String {
        dim.display(&|Sym(i)| (self.of)(i)).to_string()
    }

    pub fn elem(&self, elem: Elem) -> String {
        match elem {
            Elem::Known(d) => d.name().to_string(),
            Elem::Param(i) => (self.of)(i),
            Elem::Error => "?".to_string(),
        }
    }

    /// `[B, *S, H]`
    pub fn shape(&self, shape: &[ShapeElem]) -> String {
        format!("[{}]", self.axes(shape))
    }

    fn axes(&self, shape: &[ShapeElem]) -> String {
        let mut out = String::new();
        for (i, elem) in shape.iter().enumerate() {
            if i > 0 {
                out.push_str(", ");
            }
            match elem {
                ShapeElem::Dim(d) => out.push_str(&self.dim(d)),
                // The name of a pack's product carries the star already.
                ShapeElem::Pack(p) => out.push_str(&(self.of)(*p)),
            }
        }
        out
    }

    pub fn arg(&self, arg: &GArg) -> String {
        match arg {
            GArg::Dim(d) => self.dim(d),
            GArg::Shape(s) => self.shape(s),
            GArg::Elem(e) => self.elem(*e),
            GArg::Error => "?".to_string(),
        }
    }

    pub fn ty(&self, ty: &Ty) -> String {
        let mut out = String::new();
        // Writing to a string cannot fail.
        let _ = self.write(&mut out, ty);
        out
    }

    fn write(&self, f: &mut String, ty: &Ty) -> fmt::Result {
        use fmt::Write;
        match ty {
            Ty::Error => f.write_str("?"),
            Ty::Unit => f.write_str("no value"),
            Ty::Tensor(shape, elem) if shape.is_empty() => f.write_str(&self.elem(*elem)),
            Ty::Tensor(shape, elem) => {
                write!(f, "Tensor[{}; {}]", self.axes(shape), self.elem(*elem))
            }
            Ty::Optional(t) => {
                self.write(f, t)?;
                f.write_char('?')
            }
            Ty::Tuple(ts) => {
                f.write_char('(')?;
                for (i, t) in ts.iter().enumerate() {
                    if i > 0 {
                        f.write_str(", ")?;
                    }
                    self.write(f, t)?;
                }
                f.write_str(if ts.len() == 1 { ",)" } else { ")" })
            }
            Ty::Struct(d, args) | Ty::Block(d, args) => {
                f.write_str(d.name(self.db))?;
                if !args.is_empty() {
                    let args: Vec<String> = args.iter().map(|a| self.arg(a)).collect();
                    write!(f, "<{}>", args.join(", "))?;
                }
                Ok(())
            }
            Ty::Enum(d) => f.write_str(d.name(self.db)),
            Ty::Array(t, n) => {
                f.write_char('[')?;
                self.write(f, t)?;
                write!(f, "; {}]", self.dim(n))
            }
            Ty::Int(Some(d)) => f.write_str(&self.dim(d)),
            Ty::Int(None) => f.write_str("an integer"),
            Ty::Float(bits) => write!(f, "{:?}", f64::from_bits(*bits)),
            Ty::NoneLit => f.write_str("none"),
        }
    }
}
