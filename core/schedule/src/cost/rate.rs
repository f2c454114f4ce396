//! Costs of a byte, which depend on the cache that the bytes fit into.

use ringwood_base::{Error, Result};
use serde::{Deserialize, Serialize};

/// Seconds for each byte, by the bytes that all ranks of the machine touch together: caches make
/// plateaus.
///
/// ```
/// use ringwood_schedule::Rate;
///
/// let rate = Rate::table(vec![(1 << 10, 1.0), (1 << 20, 3.0)])?;
/// assert_eq!(rate.at(100), 1.0);
/// assert_eq!(rate.at(1 << 15), 2.0);
/// assert_eq!(rate.at(u64::MAX), 3.0);
/// # Ok::<(), ringwood_base::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "Vec<(u64, f64)>", into = "Vec<(u64, f64)>")]
pub struct Rate(Vec<(u64, f64)>);

impl Rate {
    /// The same for any number of bytes.
    pub fn constant(seconds_per_byte: f64) -> Self {
        Self(vec![(0, seconds_per_byte)])
    }

    /// Points of (bytes, seconds for each byte); between them, the logarithm of the bytes counts.
    ///
    /// # Errors
    /// There are no points, their bytes do not ascend, or a time is not a number from 0.
    pub fn table(points: Vec<(u64, f64)>) -> Result<Self> {
        let ascending = points.windows(2).all(|w| w[0].0 < w[1].0);
        if !points.is_empty() && ascending && points.iter().all(|p| p.1 >= 0.0 && p.1.is_finite()) {
            return Ok(Self(points));
        }
        Err(Error::invalid(format!("{points:?} are not rates of ascending numbers of bytes")))
    }

    /// The points.
    pub fn points(&self) -> &[(u64, f64)] {
        &self.0
    }

    /// The seconds of every point.
    pub fn seconds_mut(&mut self) -> impl Iterator<Item = &mut f64> {
        self.0.iter_mut().map(|point| &mut point.1)
    }

    /// The seconds for each byte if `bytes` are touched.
    pub fn at(&self, bytes: u64) -> f64 {
        let above = self.0.partition_point(|point| point.0 <= bytes);
        let log = |b: u64| (b.max(1) as f64).log2();
        match (above.checked_sub(1).map(|i| self.0[i]), self.0.get(above)) {
            // No bytes have the logarithm of one, so a point of them may have that of the next.
            (Some((low, near)), Some(&(high, far))) if bytes > low => {
                near + (far - near) * (log(bytes) - log(low)) / (log(high) - log(low))
            }
            (Some((_, rate)), _) | (None, Some(&(_, rate))) => rate,
            (None, None) => unreachable!("a rate has a point"),
        }
    }
}

impl TryFrom<Vec<(u64, f64)>> for Rate {
    type Error = Error;

    fn try_from(points: Vec<(u64, f64)>) -> Result<Self> {
        Self::table(points)
    }
}

impl From<Rate> for Vec<(u64, f64)> {
    fn from(rate: Rate) -> Self {
        rate.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ringwood_base::ErrorKind;

    #[test]
    fn points_that_do_not_ascend_or_are_no_times_are_refused() {
        for bad in [vec![], vec![(2, 1.0), (1, 1.0)], vec![(1, f64::NAN)], vec![(1, -1.0)]] {
            assert_eq!(Rate::table(bad).unwrap_err().kind(), ErrorKind::InvalidArgument);
        }
        assert!(serde_json::from_str::<Rate>("[[4,1.0],[4,2.0]]").is_err());
    }

    #[test]
    fn no_bytes_have_the_rate_of_their_point() {
        let rate = Rate::table(vec![(0, 1.0), (1, 2.0), (4, 4.0)]).unwrap();
        assert_eq!([0, 1, 2].map(|bytes| rate.at(bytes)), [1.0, 2.0, 3.0]);
    }
}
