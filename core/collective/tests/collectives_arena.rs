//! Collectives between threads that share an arena: the same tests as over peer memory.

#![cfg(target_os = "linux")]

#[path = "collectives/schedules.rs"]
mod schedules;
#[path = "collectives/support.rs"]
mod support;

#[path = "collectives/failures.rs"]
mod failures;
#[path = "collectives/messages.rs"]
mod messages;
#[path = "collectives/operations.rs"]
mod operations;
#[path = "collectives/results.rs"]
mod results;

use ringwood_collective::GroupBuilder;
use ringwood_transport::{Arena, Transport};

/// What the groups of the tests run over.
const TRANSPORT: &dyn Transport = &Arena;

/// A group of `n` ranks.
fn group(n: usize) -> GroupBuilder {
    support::group(n).over(TRANSPORT)
}
