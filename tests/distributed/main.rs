//! Groups, sessions and shards, with all that the facade registers.
#![cfg(feature = "inventory")]

mod device_groups;
#[path = "../support/devices.rs"]
mod devices;
mod groups;
mod int8;
mod kinds;
mod libraries;
mod overlap;
mod programs;
#[cfg(target_os = "linux")]
mod ranks;
mod reductions;
mod registry;
mod session;
mod shards;

use ringwood::collective::{CollectiveDef, Descriptor, Operation, Params};
use ringwood::registry::Registry;
use std::borrow::Cow;

/// The registered algorithms of an operation that work for a group of `ranks`.
fn algorithms(operation: Operation, ranks: usize) -> Vec<Cow<'static, str>> {
    let registry = Registry::global().unwrap();
    let described = registry.of::<CollectiveDef>().map(|(_, def)| def.collective.describe());
    let fits = |d: &Descriptor| d.operation == operation && Params::new(d, ranks).is_ok();
    described.filter(fits).map(|d| d.name).collect()
}
