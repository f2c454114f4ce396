//! Numbers of bytes as people write them.

use ringwood_base::{Error, Result};
use std::fmt;
use std::str::FromStr;

/// A number of bytes, written as `64`, `64KiB`, `1.5MB` or `1GiB`.
///
/// ```
/// use ringwood_schedule::Bytes;
///
/// assert_eq!("1MiB".parse::<Bytes>()?, Bytes(1 << 20));
/// assert_eq!("1.5 KB".parse::<Bytes>()?, Bytes(1500));
/// assert_eq!("9007199254740993".parse::<Bytes>()?, Bytes((1 << 53) + 1));
/// assert_eq!(Bytes(64 << 20).to_string(), "64 MiB");
/// assert_eq!(Bytes(1000).to_string(), "1000 B");
/// assert!("many".parse::<Bytes>().is_err());
/// # Ok::<(), ringwood_base::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize)]
pub struct Bytes(pub u64);

const UNITS: [(&str, u64); 10] = [
    ("KiB", 1 << 10),
    ("MiB", 1 << 20),
    ("GiB", 1 << 30),
    ("TiB", 1 << 40),
    ("KB", 1_000),
    ("MB", 1_000_000),
    ("GB", 1_000_000_000),
    ("TB", 1_000_000_000_000),
    ("B", 1),
    ("", 1),
];

impl FromStr for Bytes {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        let parse = || {
            let of = |unit: &(&str, u64)| Some((text.trim().strip_suffix(unit.0)?, unit.1));
            let (number, unit) = UNITS.iter().find_map(of)?;
            let bytes = match number.trim().parse::<u64>() {
                // A float has 53 bits.
                Ok(whole) => whole.checked_mul(unit)?,
                Err(_) => scaled(number.trim().parse().ok()?, unit)?,
            };
            (bytes < 1 << 63).then_some(Bytes(bytes))
        };
        parse().ok_or_else(|| {
            let message = format!("`{text}` is not a number of bytes");
            Error::invalid(message).help("give one as in 64, 64KiB, 1.5MB or 1GiB")
        })
    }
}

/// The nearest whole number of bytes to a number of units, if there is one.
fn scaled(number: f64, unit: u64) -> Option<u64> {
    let bytes = (number * unit as f64).round();
    (bytes >= 0.0).then_some(bytes as u64)
}

impl fmt::Display for Bytes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let whole = |unit: &&(&str, u64)| self.0 >= unit.1 && self.0.is_multiple_of(unit.1);
        let text = match UNITS[..4].iter().rev().find(whole) {
            Some((name, size)) => format!("{} {name}", self.0 / size),
            None => format!("{} B", self.0),
        };
        f.pad(&text)
    }
}
