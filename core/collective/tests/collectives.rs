//! Collectives between threads: the engine, agreement and failures, with algorithms and merge
//! kernels registered by hand.

#[path = "collectives/support.rs"]
mod support;

#[path = "collectives/schedules.rs"]
mod schedules;

#[path = "collectives/bits.rs"]
mod bits;
#[path = "collectives/delays.rs"]
mod delays;
#[path = "collectives/executor.rs"]
mod executor;
#[path = "collectives/failures.rs"]
mod failures;
#[path = "collectives/faults.rs"]
mod faults;
#[path = "collectives/impure.rs"]
mod impure;
#[path = "collectives/messages.rs"]
mod messages;
#[path = "collectives/operations.rs"]
mod operations;
#[path = "collectives/results.rs"]
mod results;

use ringwood_collective::GroupBuilder;
use ringwood_transport::{PeerMemory, Transport};

/// What the groups of the tests run over.
const TRANSPORT: &dyn Transport = &PeerMemory;

/// A group of `n` ranks.
fn group(n: usize) -> GroupBuilder {
    support::group(n).over(TRANSPORT)
}
