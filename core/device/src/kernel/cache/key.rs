//! What an entry of the cache depends on.

/// The extension of an entry.
pub(super) const EXTENSION: &str = "bin";

/// All that compiled code depends on, by name: source, options, device, driver, compiler. The version
/// of Ringwood is in every key.
///
/// ```
/// use ringwood_device::kernel::CacheKey;
///
/// let key = CacheKey::new("opencl").with("source", "kernel …").with("driver", "3.1");
/// assert_ne!(key, CacheKey::new("opencl").with("source", "kernel …").with("driver", "3.2"));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
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

    pub(super) fn bytes(&self) -> &[u8] {
        &self.0
    }

    /// Keys of one name are told apart by what the file holds.
    pub(super) fn file_name(&self) -> String {
        format!("{:032x}.{EXTENSION}", digest(&[&self.0]))
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
