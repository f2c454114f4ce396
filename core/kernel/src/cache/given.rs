//! Codes that were compiled elsewhere.

use super::CacheKey;
use ringwood_base::Bounded;
use serde::Serialize;
use std::collections::BTreeSet;
use std::sync::Arc;

/// The last so many codes that were given are kept, and up to twice as many.
const KEPT: usize = 4096;

/// The most misfits that are remembered.
const MOST_MISFITS: usize = 16;

/// What a device's compiler made of a kernel: what a [`CompileCache`](super::CompileCache) keeps, and what
/// it may be [given](super::CompileCache::give) in another process.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Image {
    /// The name of the kernel.
    pub kernel: String,
    /// All that the code depends on, the source among it.
    pub key: CacheKey,
    /// The code, as the driver loads it.
    pub code: Vec<u8>,
}

/// Where the codes come from that backends asked a [`CompileCache`](super::CompileCache) for.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct CodeCounts {
    /// Codes that the process was given.
    pub given: u64,
    /// Codes that the folder kept.
    pub kept: u64,
    /// Codes that were compiled.
    pub compiled: u64,
    /// Why codes of the right source that the process was given were not taken: what they depend on that is
    /// another here, such as the version of a driver. The first 16 reasons.
    pub misfits: BTreeSet<String>,
}

#[derive(Debug)]
pub(super) struct Given {
    codes: Bounded<CacheKey, Arc<[u8]>>,
    /// The key that each source was given with last.
    sources: Bounded<Vec<u8>, CacheKey>,
    pub(super) counts: CodeCounts,
}

impl Default for Given {
    fn default() -> Self {
        let (codes, sources) = (Bounded::new(KEPT), Bounded::new(KEPT));
        Self { codes, sources, counts: CodeCounts::default() }
    }
}

impl Given {
    pub(super) fn add(&mut self, key: CacheKey, code: Arc<[u8]>) {
        if let Some(source) = key.value("source") {
            self.sources.insert(source.to_vec(), key.clone());
        }
        self.codes.insert(key, code);
    }

    /// The code of a key; if there is one of its source only, why it does not fit is remembered.
    pub(super) fn find(&mut self, key: &CacheKey) -> Option<Arc<[u8]>> {
        let code = self.codes.get(key);
        self.counts.given += u64::from(code.is_some());
        if code.is_none() && self.counts.misfits.len() < MOST_MISFITS {
            let other = key.value("source").and_then(|s| self.sources.get(&s.to_vec()));
            self.counts.misfits.extend(other.and_then(|other| misfit(&other, key)));
        }
        code
    }
}

/// The first thing in which two keys differ.
fn misfit(given: &CacheKey, wanted: &CacheKey) -> Option<String> {
    let text = |value: &[u8]| String::from_utf8_lossy(value).into_owned();
    wanted.parts().find(|(name, value)| given.value(name) != Some(*value)).map(|(name, value)| {
        let given = given.value(name).map_or("none".into(), text);
        format!("{name}: `{given}` when it was compiled, `{}` here", text(value))
    })
}
