//! What the parts of a package are.

use crate::file::malformed;
use ringwood_base::{Error, Result};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::fmt;

/// The version of packages; another one is not read.
pub(super) const VERSION: u64 = 1;

/// What of a key has a part of its own.
pub(super) const SOURCE: &str = "source";

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Manifest {
    /// The version.
    pub(super) package: u64,
    /// The version of the program that wrote it.
    pub(super) ringwood: String,
    pub(super) devices: Vec<OfDevice>,
}

/// What was compiled for a device.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct OfDevice {
    pub(super) name: String,
    pub(super) description: String,
    pub(super) code: Vec<Coded>,
}

/// One compiled kernel.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Coded {
    pub(super) part: String,
    /// All that the code depends on, in order; the value of `source` is the part that has it.
    pub(super) key: Vec<(String, String)>,
}

impl Manifest {
    pub(super) fn read(json: &[u8]) -> Result<Self> {
        let failed = |e| malformed("the manifest is not that of a package").because(e);
        let value: Value = serde_json::from_slice(json).map_err(failed)?;
        let version = value.get("package").and_then(Value::as_u64);
        match version.filter(|version| *version != VERSION) {
            None => serde_json::from_value(value).map_err(failed),
            Some(version) => {
                let message = format!("packages of version {version} are not known");
                let help = format!("version {VERSION} is read: write the package anew");
                Err(Error::unsupported(message).help(help))
            }
        }
    }
}

impl Coded {
    /// The parts that it names.
    pub(super) fn parts(&self) -> impl Iterator<Item = &str> {
        let sources = self.key.iter().filter(|(name, _)| name == SOURCE);
        sources.map(|(_, part)| part.as_str()).chain([self.part.as_str()])
    }
}

/// `opencl:0, pthread-… (Portable Computing Language, …): 3 compiled kernels`
impl fmt::Display for OfDevice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}, {}: ", self.name, self.description)?;
        match self.code.len() {
            0 => f.write_str("none that is compiled at run time"),
            1 => f.write_str("1 compiled kernel"),
            count => write!(f, "{count} compiled kernels"),
        }
    }
}
