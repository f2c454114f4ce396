//! Rings in any number of dimensions.

use super::{Levels, Link, positive};
use ringwood_base::{Error, Result};
use serde::{Deserialize, Serialize};

/// Rings in any number of dimensions: rank numbers count through the last dimension first.
///
/// Bytes correct one coordinate after the other, from the first dimension on, the shorter way around
/// each ring.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Torus {
    /// The ranks in each dimension.
    pub dimensions: Vec<usize>,
    /// The link between neighbours, in each direction.
    #[serde(default)]
    pub link: Link,
}

const NAMES: [&str; 4] = ["dimension 0", "dimension 1", "dimension 2", "dimension 3"];

impl Torus {
    pub(super) fn lay(&self, levels: &mut Levels) -> Result<usize> {
        let mut ranks = 1_usize;
        for &size in &self.dimensions {
            ranks = ranks.saturating_mul(positive("ranks in a dimension", size)?);
        }
        if self.dimensions.is_empty() || ranks > 1 << 24 {
            let message = format!("a torus of {:?} is not simulated", self.dimensions);
            return Err(Error::invalid(message)
                .help("give its dimensions, of at most 2^24 ranks in all: torus:8x8x16"));
        }
        for dimension in 0..self.dimensions.len() {
            let name = NAMES.get(dimension).copied().unwrap_or("further dimensions");
            levels.add(name, 2 * ranks, self.link);
        }
        Ok(ranks)
    }

    pub(super) fn route(&self, source: usize, target: usize, path: &mut Vec<u32>) {
        let ranks: usize = self.dimensions.iter().product();
        let (mut at, mut stride) = (source, ranks);
        for (dimension, &size) in self.dimensions.iter().enumerate() {
            stride /= size;
            let distance = (target / stride % size + size - at / stride % size) % size;
            let forward = 2 * distance <= size;
            let hops = if forward { distance } else { size - distance };
            for _ in 0..hops {
                let link = dimension * 2 * ranks + 2 * at + usize::from(!forward);
                path.push(link as u32);
                let here = at / stride % size;
                let next = if forward { (here + 1) % size } else { (here + size - 1) % size };
                at = at - here * stride + next * stride;
            }
        }
    }
}
