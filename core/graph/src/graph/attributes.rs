//! Attributes of nodes: scalars by name.

use ringwood_base::{DType, Error, ErrorKind, Result, Scalar};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};
use std::collections::BTreeMap;
use std::fmt;
use std::hash::{Hash, Hasher};

/// The attributes of a node, sorted by name.
///
/// ```
/// use ringwood_base::Scalar;
/// use ringwood_graph::graph::Attributes;
///
/// let fixed = Attributes::from([("axis", 1_usize)]);
/// let made = vec![("axis".to_owned(), Scalar::Usize(1)), ("rate".to_owned(), Scalar::F32(0.5))];
/// assert_eq!(Attributes::from(&made[..1]), fixed);
/// assert_eq!(made.into_iter().collect::<Attributes>().to_string(), "axis = 1_usize, rate = 0.5_f32");
/// ```
///
/// Unlike bare floats, attributes are compared by their bits: a NaN equals itself, 0 and −0 differ.
#[derive(Clone, Debug, Default)]
pub struct Attributes(BTreeMap<String, Scalar>);

impl Attributes {
    /// The value called `name`.
    pub fn find(&self, name: &str) -> Option<Scalar> {
        self.0.get(name).copied()
    }

    /// The value called `name`, as a Rust value; `operator` is the name for messages.
    ///
    /// # Errors
    /// There is none, or it is of another type.
    pub fn value<T: TryFrom<Scalar, Error = Error>>(
        &self,
        operator: &str,
        name: &str,
    ) -> Result<T> {
        let value = self.find(name).ok_or_else(|| {
            let message = format!("{operator}: there is no attribute `{name}`");
            Error::new(ErrorKind::InvalidArgument, message)
        })?;
        T::try_from(value)
            .map_err(|e| Error::new(e.kind(), format!("{operator}: attribute `{name}`: {e}")))
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Names and values, sorted by name.
    pub fn iter(&self) -> impl Iterator<Item = (&str, Scalar)> {
        self.0.iter().map(|(name, value)| (name.as_str(), *value))
    }

    fn keys(&self) -> impl Iterator<Item = (&str, u8, u64)> {
        self.iter().map(|(name, value)| (name, value.scalar_type() as u8, bits(value)))
    }
}

fn bits(value: Scalar) -> u64 {
    match value {
        Scalar::Bool(v) => u64::from(v),
        Scalar::I32(v) => v as u64,
        Scalar::U32(v) => u64::from(v),
        Scalar::I64(v) => v as u64,
        Scalar::U64(v) => v,
        Scalar::Usize(v) => v as u64,
        Scalar::F32(v) => u64::from(v.to_bits()),
        Scalar::F64(v) => v.to_bits(),
        Scalar::U8(v) => u64::from(v),
        Scalar::I8(v) => v as u64,
        Scalar::I16(v) => v as u64,
        Scalar::U16(v) => u64::from(v),
        Scalar::F16(v) => u64::from(v.to_bits()),
        Scalar::BF16(v) => u64::from(v.to_bits()),
    }
}

impl<T: Into<Scalar>, const N: usize> From<[(&str, T); N]> for Attributes {
    fn from(pairs: [(&str, T); N]) -> Self {
        pairs.into_iter().map(|(name, value)| (name, value.into())).collect()
    }
}

/// Of a list made at run time; values of several types as [`Scalar`]s.
impl<S: Into<String> + Clone> From<&[(S, Scalar)]> for Attributes {
    fn from(pairs: &[(S, Scalar)]) -> Self {
        pairs.iter().cloned().collect()
    }
}

impl<S: Into<String>> FromIterator<(S, Scalar)> for Attributes {
    fn from_iter<I: IntoIterator<Item = (S, Scalar)>>(pairs: I) -> Self {
        Self(pairs.into_iter().map(|(name, value)| (name.into(), value)).collect())
    }
}

impl<'a> IntoIterator for &'a Attributes {
    type Item = (&'a String, &'a Scalar);
    type IntoIter = std::collections::btree_map::Iter<'a, String, Scalar>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.iter()
    }
}

impl PartialEq for Attributes {
    fn eq(&self, other: &Self) -> bool {
        self.keys().eq(other.keys())
    }
}

impl Eq for Attributes {}

impl Hash for Attributes {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.0.len().hash(state);
        self.keys().for_each(|key| key.hash(state));
    }
}

/// `axis = 1_usize, factor = 0.5_f32`: each value as the Rust literal of its type.
impl fmt::Display for Attributes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, (name, value)) in self.iter().enumerate() {
            write!(f, "{}{name} = {}", if i == 0 { "" } else { ", " }, literal(value))?;
        }
        Ok(())
    }
}

fn literal(value: Scalar) -> String {
    format!("{value}_{}", value.scalar_type().name())
}

fn parse_literal(text: &str) -> Result<Scalar> {
    fn parse<T: std::str::FromStr + Into<Scalar>>(text: &str) -> Option<Scalar> {
        text.parse::<T>().ok().map(Into::into)
    }
    let (value, suffix) = text.rsplit_once('_').unwrap_or((text, ""));
    let scalar = match suffix {
        "bool" => parse::<bool>(value),
        "i32" => parse::<i32>(value),
        "u32" => parse::<u32>(value),
        "i64" => parse::<i64>(value),
        "u64" => parse::<u64>(value),
        "usize" => parse::<usize>(value),
        "f32" => parse::<f32>(value),
        "f64" => parse::<f64>(value),
        "u8" => parse::<u8>(value),
        "i8" => parse::<i8>(value),
        "i16" => parse::<i16>(value),
        "u16" => parse::<u16>(value),
        "f16" => parse::<half::f16>(value),
        "bf16" => parse::<half::bf16>(value),
        _ => None,
    };
    scalar.ok_or_else(|| {
        let message = format!("`{text}` is no attribute: expected a literal such as `0.5_f32`");
        Error::new(ErrorKind::InvalidArgument, message)
    })
}

/// A map from name to literal: JSON numbers know neither infinities nor types.
impl Serialize for Attributes {
    fn serialize<S: Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
        serializer.collect_map(self.iter().map(|(name, value)| (name, literal(value))))
    }
}

impl<'de> Deserialize<'de> for Attributes {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> std::result::Result<Self, D::Error> {
        let texts = BTreeMap::<String, String>::deserialize(deserializer)?;
        let parse = |(name, text): (String, String)| Ok((name, parse_literal(&text)?));
        texts.into_iter().map(parse).collect::<Result<_>>().map(Self).map_err(de::Error::custom)
    }
}

/// The scalar of a float dtype nearest to `value`, as the bytes of one element.
pub(super) fn float_bytes(dtype: DType, value: f64) -> Result<Vec<u8>> {
    match dtype {
        DType::F16 => Ok(bytemuck::bytes_of(&half::f16::from_f64(value)).to_vec()),
        DType::BF16 => Ok(bytemuck::bytes_of(&half::bf16::from_f64(value)).to_vec()),
        DType::F32 => Ok(bytemuck::bytes_of(&(value as f32)).to_vec()),
        DType::F64 => Ok(bytemuck::bytes_of(&value).to_vec()),
        _ => {
            let message = format!("a gradient needs a floating-point dtype, not {dtype}");
            Err(Error::new(ErrorKind::DType, message))
        }
    }
}

#[cfg(test)]
mod tests;
