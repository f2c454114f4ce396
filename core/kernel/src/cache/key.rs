//! What an entry of the cache depends on.

/// The extension of an entry.
pub(super) const EXTENSION: &str = "bin";

/// All that compiled code depends on, by name: source, options, device, driver, compiler. The version
/// of Ringwood is in every key.
///
/// ```
/// use ringwood_kernel::CacheKey;
///
/// let key = CacheKey::new("opencl").with("source", "kernel …").with("driver", "3.1");
/// assert_ne!(key, CacheKey::new("opencl").with("source", "kernel …").with("driver", "3.2"));
/// ```
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CacheKey(Vec<u8>);

impl CacheKey {
    /// A key of what `backend` compiles.
    pub fn new(backend: &str) -> Self {
        Self(Vec::new()).with("ringwood", env!("CARGO_PKG_VERSION")).with("backend", backend)
    }

    /// The key with one more thing that the code depends on.
    pub fn with(mut self, name: &str, value: impl AsRef<[u8]>) -> Self {
        for part in [name.as_bytes(), value.as_ref()] {
            self.0.extend((part.len() as u64).to_le_bytes());
            self.0.extend(part);
        }
        self
    }

    /// What the code depends on, in order: names and values.
    pub fn parts(&self) -> impl Iterator<Item = (&str, &[u8])> {
        let mut rest = &self.0[..];
        let mut part = move || {
            let (length, after) = rest.split_first_chunk()?;
            let (part, after) = after.split_at(u64::from_le_bytes(*length) as usize);
            rest = after;
            Some(part)
        };
        std::iter::from_fn(move || {
            let name = str::from_utf8(part()?).expect("names are text");
            Some((name, part()?))
        })
    }

    /// The value of this name.
    pub(super) fn value(&self, name: &str) -> Option<&[u8]> {
        self.parts().find_map(|(known, value)| (known == name).then_some(value))
    }

    pub(super) fn bytes(&self) -> &[u8] {
        &self.0
    }

    /// Keys of one name are told apart by what the file holds.
    pub(super) fn file_name(&self) -> String {
        format!("{:032x}.{EXTENSION}", digest(&[&self.0]))
    }
}

/// The key of these [`parts`](CacheKey::parts), for codes that come from elsewhere.
impl<N: AsRef<str>, V: AsRef<[u8]>> FromIterator<(N, V)> for CacheKey {
    fn from_iter<I: IntoIterator<Item = (N, V)>>(parts: I) -> Self {
        let with = |key: Self, (name, value): (N, V)| key.with(name.as_ref(), value);
        parts.into_iter().fold(Self(Vec::new()), with)
    }
}

/// FNV-1a in 128 bits: finds damage, and is no defence against a forger.
pub(super) fn digest(parts: &[&[u8]]) -> u128 {
    let mut hash = 0x6C62_272E_07BB_0142_62B8_2175_6295_C58D_u128;
    for byte in parts.iter().flat_map(|part| part.iter()) {
        hash = (hash ^ u128::from(*byte)).wrapping_mul(0x0100_0000_0000_0000_0000_013B);
    }
    hash
}

#[cfg(test)]
mod tests;
