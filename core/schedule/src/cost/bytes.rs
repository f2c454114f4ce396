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
/// assert_eq!(Bytes(64 << 20).to_string(), "64 MiB");
/// assert_eq!(Bytes(1000).to_string(), "1000 B");
/// assert!("many".parse::<Bytes>().is_err());
/// # Ok::<(), ringwood_base::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize)]
pub struct Bytes(pub u64);

const UNITS: [(&str, f64); 10] = [
    ("KiB", (1_u64 << 10) as f64),
    ("MiB", (1_u64 << 20) as f64),
    ("GiB", (1_u64 << 30) as f64),
    ("TiB", (1_u64 << 40) as f64),
    ("KB", 1e3),
    ("MB", 1e6),
    ("GB", 1e9),
    ("TB", 1e12),
    ("B", 1.0),
    ("", 1.0),
];

impl FromStr for Bytes {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        let parse = || {
            let of = |unit: &(&str, f64)| Some((text.trim().strip_suffix(unit.0)?, unit.1));
            let (number, unit) = UNITS.iter().find_map(of)?;
            let bytes = (number.trim().parse::<f64>().ok()? * unit).round();
            (bytes >= 0.0 && bytes < 2_f64.powi(63)).then_some(Bytes(bytes as u64))
        };
        parse().ok_or_else(|| {
            let message = format!("`{text}` is not a number of bytes");
            Error::invalid(message).help("give one as in 64, 64KiB, 1.5MB or 1GiB")
        })
    }
}

impl fmt::Display for Bytes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let whole = |unit: &&(&str, f64)| {
            let size = unit.1 as u64;
            self.0 >= size && self.0.is_multiple_of(size)
        };
        let text = match UNITS[..4].iter().rev().find(whole) {
            Some((name, size)) => format!("{} {name}", self.0 / *size as u64),
            None => format!("{} B", self.0),
        };
        f.pad(&text)
    }
}
