//! Groups, sessions and shards, with all that the facade registers.
#![cfg(feature = "inventory")]

mod device_groups;
#[path = "../support/devices.rs"]
mod devices;
mod int8;
mod reductions;
mod registry;
mod session;
mod shards;

use ringwood::collective::{Descriptor, Operation, Params};
use ringwood::registry::{Item, Kind, Registry};

/// The registered algorithms of an operation that work for a group of `ranks`.
fn algorithms(operation: Operation, ranks: usize) -> Vec<&'static str> {
    let registry = Registry::global().unwrap();
    let described = registry.of_kind(Kind::Collective).filter_map(|entry| match entry.item {
        Item::Collective(collective) => Some(collective.describe()),
        _ => None,
    });
    let fits = |d: &Descriptor| d.operation == operation && Params::new(d, ranks).is_ok();
    described.filter(fits).map(|d| d.name).collect()
}
