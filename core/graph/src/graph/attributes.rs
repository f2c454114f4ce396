//! Attributes of nodes: values by name.

use super::Attribute;
use ringwood_base::{DType, Error, Result};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

/// The attributes of a node, sorted by name. Clones share them.
///
/// ```
/// use ringwood_graph::graph::{Attribute, Attributes};
///
/// let fixed = Attributes::from([("axis", 1_usize)]);
/// let made = [("axis".to_owned(), 1_usize.into()), ("mode".to_owned(), Attribute::from("same"))];
/// assert_eq!(Attributes::from(&made[..1]), fixed);
/// assert_eq!(Attributes::from_iter(made).to_string(), "axis = 1_usize, mode = \"same\"");
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Attributes(Arc<BTreeMap<String, Attribute>>);

impl Attributes {
    /// The value called `name`.
    pub fn find(&self, name: &str) -> Option<&Attribute> {
        self.0.get(name)
    }

    /// The value called `name`, as a Rust value; `operator` is the name for messages.
    ///
    /// # Errors
    /// There is none, or it is of another type.
    pub fn value<T>(&self, operator: &str, name: &str) -> Result<T>
    where
        T: for<'a> TryFrom<&'a Attribute, Error = Error>,
    {
        let value = self
            .find(name)
            .ok_or_else(|| Error::invalid(format!("{operator}: there is no attribute `{name}`")))?;
        T::try_from(value)
            .map_err(|e| Error::new(e.kind(), format!("{operator}: attribute `{name}`: {e}")))
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Names and values, sorted by name.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &Attribute)> {
        self.0.iter().map(|(name, value)| (name.as_str(), value))
    }
}

impl<T: Into<Attribute>, const N: usize> From<[(&str, T); N]> for Attributes {
    fn from(pairs: [(&str, T); N]) -> Self {
        pairs.into_iter().map(|(name, value)| (name, value.into())).collect()
    }
}

/// None.
impl From<()> for Attributes {
    fn from((): ()) -> Self {
        Self::default()
    }
}

/// Of a list made at run time, of values of several types.
impl<S: Into<String> + Clone> From<&[(S, Attribute)]> for Attributes {
    fn from(pairs: &[(S, Attribute)]) -> Self {
        pairs.iter().cloned().collect()
    }
}

impl<S: Into<String>> FromIterator<(S, Attribute)> for Attributes {
    fn from_iter<I: IntoIterator<Item = (S, Attribute)>>(pairs: I) -> Self {
        let mut sorted = BTreeMap::new();
        // `collect` would be a sort of its own for every type of list.
        for (name, value) in pairs {
            sorted.insert(name.into(), value);
        }
        Self(Arc::new(sorted))
    }
}

impl<'a> IntoIterator for &'a Attributes {
    type Item = (&'a String, &'a Attribute);
    type IntoIter = std::collections::btree_map::Iter<'a, String, Attribute>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.iter()
    }
}

/// `axis = 1_usize, mode = "same"`: each value as its literal.
impl fmt::Display for Attributes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, (name, value)) in self.iter().enumerate() {
            write!(f, "{}{name} = ", if i == 0 { "" } else { ", " })?;
            match value {
                Attribute::Tensor(ty, bytes) if bytes.len() > MOST_SHOWN => {
                    write!(f, "tensor {ty}")?;
                }
                Attribute::Integers(list) if list.len() > MOST_SHOWN => {
                    write!(f, "{} numbers", list.len())?;
                }
                Attribute::Floats(list) if list.len() > MOST_SHOWN => {
                    write!(f, "{} numbers", list.len())?;
                }
                Attribute::Texts(list) if list.len() > MOST_SHOWN => {
                    write!(f, "{} texts", list.len())?;
                }
                _ => write!(f, "{value}")?,
            }
        }
        Ok(())
    }
}

/// The most numbers and texts of a list, and bytes of a tensor, that the text of a node shows.
const MOST_SHOWN: usize = 32;

/// The scalar of a float dtype nearest to `value`, as the bytes of one element.
pub(crate) fn float_bytes(dtype: DType, value: f64) -> Result<Vec<u8>> {
    match dtype {
        DType::F16 => Ok(bytemuck::bytes_of(&half::f16::from_f64(value)).to_vec()),
        DType::BF16 => Ok(bytemuck::bytes_of(&half::bf16::from_f64(value)).to_vec()),
        DType::F32 => Ok(bytemuck::bytes_of(&(value as f32)).to_vec()),
        DType::F64 => Ok(bytemuck::bytes_of(&value).to_vec()),
        _ => Err(Error::dtype(format!("a gradient needs a floating-point dtype, not {dtype}"))),
    }
}

#[cfg(test)]
mod tests;
