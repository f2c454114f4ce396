//! What a model misses, as measured.

use super::Rate;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Measured over predicted time, for each algorithm, by its
/// [shown name](ringwood_base::registry::EntryMeta::shown_name), and group size by the bytes of a
/// buffer. An algorithm or group size that was not measured is predicted by the model alone.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Corrections(BTreeMap<String, BTreeMap<usize, Rate>>);

impl Corrections {
    /// The factors of an algorithm among `ranks` ranks.
    pub fn insert(&mut self, algorithm: &str, ranks: usize, factors: Rate) {
        self.0.entry(algorithm.to_owned()).or_default().insert(ranks, factors);
    }

    /// The factor for a call; 1 if it was not measured.
    pub fn factor(&self, algorithm: &str, ranks: usize, bytes: u64) -> f64 {
        let factors = self.0.get(algorithm).and_then(|of| of.get(&ranks));
        factors.map_or(1.0, |factors| factors.at(bytes))
    }

    pub(super) fn all(&self) -> impl Iterator<Item = f64> {
        let rates = self.0.values().flat_map(BTreeMap::values);
        rates.flat_map(|rate| rate.points().iter().map(|point| point.1))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_factor_is_between_those_measured_and_1_where_none_was() {
        let mut corrections = Corrections::default();
        corrections.insert("ring", 4, Rate::table(vec![(16, 2.0), (64, 4.0)]).unwrap());
        assert_eq!(corrections.factor("ring", 4, 32), 3.0);
        assert_eq!(corrections.factor("ring", 4, 1 << 20), 4.0);
        assert_eq!(corrections.factor("ring", 5, 32), 1.0);
        assert_eq!(corrections.factor("tree", 4, 32), 1.0);
    }
}
