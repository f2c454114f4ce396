//! What was recorded, planned, called and copied.

use super::cache;
use super::tensors::shown;
use ringwood_base::sync::lock;
use std::collections::BTreeMap;
use std::fmt;
use std::sync::{LazyLock, Mutex};

/// Counters of all lazy tensors of the program.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Stats {
    /// How often a program was looked up and found: by a `jit` function, or by an operation outside of one.
    pub hits: u64,
    /// How often it was new.
    pub misses: u64,
    /// The plans that were made.
    pub plans: u64,
    /// The programs that are kept.
    pub programs: usize,
    /// The bytes of their plans that no call uses.
    pub bytes: usize,
    /// How many nodes of programs another device took, by operator and that device.
    pub fallbacks: BTreeMap<(String, String), u64>,
}

static STATS: LazyLock<Mutex<Stats>> = LazyLock::new(Mutex::default);

/// The counters of all lazy tensors of the program.
pub fn stats() -> Stats {
    let (programs, bytes) = cache::kept();
    let stats = lock(&STATS).clone();
    Stats { programs, bytes, ..stats }
}

pub(super) fn count(change: impl FnOnce(&mut Stats)) {
    change(&mut lock(&STATS));
}

/// Counters of one `jit` function.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct JitStats {
    /// How often the function was recorded; where threads recorded the same at one time, once.
    pub traces: u64,
    /// How often what was recorded was planned anew; a program that was planned before is not.
    pub compiles: u64,
    /// The plans that were made: for what was recorded, and again where its plans were dropped or are in use, or where
    /// arguments take turns.
    pub plans: u64,
    /// How often the function was called.
    pub calls: u64,
    /// Why it was recorded again last: `x: [32, 64] → [7, 64]`.
    pub last_miss: Option<String>,
    /// The bytes of arguments that calls copied, as they did not lie in the plan.
    pub given_bytes: u64,
    /// The bytes of results that were still held when the next call needed their memory, and were copied.
    pub left_bytes: u64,
    /// The arguments whose memory a result takes, and that a caller kept or another result needs.
    pub not_donated: Vec<String>,
    /// The bytes of the plan of the last call.
    pub bytes: usize,
    /// What was warned of.
    pub warnings: Vec<String>,
}

impl JitStats {
    /// Tells of arguments that were not donated.
    pub(super) fn kept<'a>(&mut self, names: impl Iterator<Item = &'a String>) {
        for name in names.map(|name| shown(name)) {
            if !self.not_donated.iter().any(|known| known == name) {
                self.not_donated.push(name.to_owned());
            }
        }
    }
}

/// `traces 1, compiles 1, calls 440`, and what else there is to tell.
impl fmt::Display for JitStats {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "traces {}, compiles {}, calls {}", self.traces, self.compiles, self.calls)?;
        if let Some(miss) = &self.last_miss {
            write!(f, "; recompiled because {miss}")?;
        }
        if !self.not_donated.is_empty() {
            write!(f, "; not donated: {}", self.not_donated.join(", "))?;
        }
        Ok(())
    }
}
