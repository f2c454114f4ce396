//! One attribute of a node, and its text.

use super::TensorType;
use super::hex;
use ringwood_base::{DType, Error, Result, Scalar, ScalarType};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};
use std::fmt;
use std::hash::{Hash, Hasher};
use std::str::FromStr;
use std::sync::Arc;

/// The value of an attribute.
///
/// Its text is a literal that names its type, which is also how graphs are written:
///
/// ```
/// use ringwood_base::DType;
/// use ringwood_graph::graph::Attribute;
///
/// let texts = ["0.5_f32", "[0, -1]_i64", "\"same\"", "[\"a\", \"b\"]_str", "f16"];
/// for text in texts {
///     assert_eq!(text.parse::<Attribute>()?.to_string(), text);
/// }
/// assert_eq!(Attribute::from(vec![1_i64, 2]).to_string(), "[1, 2]_i64");
/// assert_eq!(Attribute::from(DType::F32).to_string(), "f32");
/// # Ok::<(), ringwood_base::Error>(())
/// ```
///
/// Unlike bare floats, attributes are compared by their bits: a NaN equals itself, 0 and −0 differ.
#[derive(Clone, Debug)]
pub enum Attribute {
    /// One number, or truth.
    Scalar(Scalar),
    /// Integers: axes, extents.
    Integers(Vec<i64>),
    /// Numbers.
    Floats(Vec<f32>),
    /// A word.
    Text(String),
    /// Words.
    Texts(Vec<String>),
    /// An element type.
    DType(DType),
    /// A tensor: its type, and the bytes of its elements.
    Tensor(TensorType, Arc<[u8]>),
}

/// The type of an attribute's values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AttributeKind {
    /// One number of this type, or truth.
    Scalar(ScalarType),
    /// Integers of type `i64`.
    Integers,
    /// Numbers of type `f32`.
    Floats,
    /// A word.
    Text,
    /// Words.
    Texts,
    /// An element type.
    DType,
    /// A tensor.
    Tensor,
}

impl AttributeKind {
    /// The name as [`register_operator!`](crate::register_operator) takes it: `usize`, `[i64]`, `str`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Scalar(kind) => kind.name(),
            Self::Integers => "[i64]",
            Self::Floats => "[f32]",
            Self::Text => "str",
            Self::Texts => "[str]",
            Self::DType => "dtype",
            Self::Tensor => "tensor",
        }
    }
}

impl Attribute {
    /// The type of the value.
    pub fn kind(&self) -> AttributeKind {
        match self {
            Self::Scalar(value) => AttributeKind::Scalar(value.ty()),
            Self::Integers(_) => AttributeKind::Integers,
            Self::Floats(_) => AttributeKind::Floats,
            Self::Text(_) => AttributeKind::Text,
            Self::Texts(_) => AttributeKind::Texts,
            Self::DType(_) => AttributeKind::DType,
            Self::Tensor(..) => AttributeKind::Tensor,
        }
    }

    /// The value as a number, if it is one.
    pub fn scalar(&self) -> Option<Scalar> {
        match self {
            Self::Scalar(value) => Some(*value),
            _ => None,
        }
    }
}

macro_rules! from {
    ($($type:ty => $variant:ident,)*) => {$(
        impl From<$type> for Attribute {
            fn from(value: $type) -> Self {
                Self::$variant(value.into())
            }
        }
    )*};
}

from! {
    Scalar => Scalar,
    &[i64] => Integers,
    &[f32] => Floats,
    &str => Text,
}

/// Extents or axes, as integers; those beyond `i64::MAX`, which no tensor has, as that.
impl From<&[usize]> for Attribute {
    fn from(counts: &[usize]) -> Self {
        let extent = |&n| i64::try_from(n).unwrap_or(i64::MAX);
        Self::Integers(counts.iter().map(extent).collect())
    }
}

/// Types of values that attributes are made of and give back: the variant, and the kind.
macro_rules! values {
    ($($type:ty => $variant:ident, $kind:expr, $pattern:pat => $value:expr;)*) => {$(
        from! { $type => $variant, }

        impl TryFrom<&Attribute> for $type {
            type Error = Error;

            fn try_from(attribute: &Attribute) -> Result<Self> {
                match attribute {
                    $pattern => Ok($value.clone()),
                    _ => {
                        Err(Error::dtype(format!("{attribute} is no value of type {}", $kind.name())))
                    }
                }
            }
        }
    )*};
}

values! {
    Vec<i64> => Integers, AttributeKind::Integers, Attribute::Integers(values) => values;
    Vec<f32> => Floats, AttributeKind::Floats, Attribute::Floats(values) => values;
    String => Text, AttributeKind::Text, Attribute::Text(text) => text;
    Vec<String> => Texts, AttributeKind::Texts, Attribute::Texts(texts) => texts;
    DType => DType, AttributeKind::DType, Attribute::DType(dtype) => dtype;
}

macro_rules! numbers {
    ($($type:ty = $kind:ident,)*) => {
        values! {
            $($type => Scalar, AttributeKind::Scalar(ScalarType::$kind),
                Attribute::Scalar(Scalar::$kind(value)) => value;)*
        }
    };
}

numbers! {
    bool = Bool, u8 = U8, i8 = I8, i16 = I16, u16 = U16, i32 = I32, u32 = U32, i64 = I64, u64 = U64,
    usize = Usize, half::f16 = F16, half::bf16 = BF16, f32 = F32, f64 = F64,
}

/// The number that a literal with a suffix is.
fn number(text: &str) -> Option<Scalar> {
    let (value, suffix) = text.rsplit_once('_')?;
    Scalar::parse(ScalarType::parse(suffix)?, value)
}

impl PartialEq for Attribute {
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Scalar(a), Self::Scalar(b)) => a.ty() == b.ty() && a.to_bits() == b.to_bits(),
            (Self::Integers(a), Self::Integers(b)) => a == b,
            (Self::Floats(a), Self::Floats(b)) => {
                a.iter().map(|v| v.to_bits()).eq(b.iter().map(|v| v.to_bits()))
            }
            (Self::Text(a), Self::Text(b)) => a == b,
            (Self::Texts(a), Self::Texts(b)) => a == b,
            (Self::DType(a), Self::DType(b)) => a == b,
            (Self::Tensor(a, x), Self::Tensor(b, y)) => (a, x) == (b, y),
            _ => false,
        }
    }
}

impl Eq for Attribute {}

impl Hash for Attribute {
    fn hash<H: Hasher>(&self, state: &mut H) {
        std::mem::discriminant(self).hash(state);
        match self {
            Self::Scalar(value) => (value.ty(), value.to_bits()).hash(state),
            Self::Integers(values) => values.hash(state),
            Self::Floats(values) => values.iter().for_each(|v| v.to_bits().hash(state)),
            Self::Text(text) => text.hash(state),
            Self::Texts(texts) => texts.hash(state),
            Self::DType(dtype) => dtype.hash(state),
            Self::Tensor(ty, bytes) => (ty, bytes).hash(state),
        }
    }
}

impl fmt::Display for Attribute {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Scalar(value) => write!(f, "{value}_{}", value.ty()),
            Self::Integers(values) => write!(f, "{values:?}_i64"),
            Self::Floats(values) => write!(f, "{values:?}_f32"),
            Self::Text(text) => f.write_str(&quoted(text)),
            Self::Texts(texts) => {
                let texts: Vec<_> = texts.iter().map(|text| quoted(text)).collect();
                write!(f, "[{}]_str", texts.join(", "))
            }
            Self::DType(dtype) => write!(f, "{dtype}"),
            Self::Tensor(ty, bytes) => {
                let dims: Vec<_> = ty.shape.iter().map(ToString::to_string).collect();
                write!(f, "tensor {} {} {}", ty.dtype, dims.join("x"), hex::text(bytes))
            }
        }
    }
}

/// A text between quotation marks, escaped as in JSON.
fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

impl FromStr for Attribute {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        let value = if text.starts_with('"') {
            serde_json::from_str(text).ok().map(Self::Text)
        } else if let Some(list) = text.strip_suffix("_str") {
            serde_json::from_str(list).ok().map(Self::Texts)
        } else if let Some(tensor) = text.strip_prefix("tensor ") {
            tensor_of(tensor)
        } else if let Some(list) = text.strip_suffix("]_i64") {
            elements(list).map(Self::Integers)
        } else if let Some(list) = text.strip_suffix("]_f32") {
            elements(list).map(Self::Floats)
        } else {
            number(text).map(Self::Scalar).or_else(|| text.parse().ok().map(Self::DType))
        };
        value.ok_or_else(|| {
            Error::invalid(format!(
                "`{text}` is no attribute: expected a literal such as `0.5_f32`, `[0, 1]_i64`, \
                 `\"same\"` or the name of an element type"
            ))
        })
    }
}

/// The tensor of `f32 2x3 00ff…`.
fn tensor_of(text: &str) -> Option<Attribute> {
    let mut words = text.split(' ');
    let (dtype, dims, bytes) = (words.next()?, words.next()?, words.next()?);
    let dims = dims.split('x').filter(|word| !word.is_empty());
    let dims = dims.map(|word| word.parse().ok()).collect::<Option<Vec<_>>>()?;
    let ty = TensorType::new(dtype.parse().ok()?, &dims).ok()?;
    let bytes = hex::bytes(bytes)?;
    (bytes.len() == ty.bytes()).then(|| Attribute::Tensor(ty, bytes.into()))
}

/// The elements of `[1, 2`.
fn elements<T: FromStr>(text: &str) -> Option<Vec<T>> {
    match text.strip_prefix('[')?.trim() {
        "" => Some(Vec::new()),
        list => list.split(',').map(|value| value.trim().parse().ok()).collect(),
    }
}

/// Its text: JSON numbers know neither infinities nor types.
impl Serialize for Attribute {
    fn serialize<S: Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Attribute {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> std::result::Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(de::Error::custom)
    }
}
