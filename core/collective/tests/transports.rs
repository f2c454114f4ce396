//! What transports do beyond the calls that the other tests make over each of them: memory of their
//! own, processes, garbage, and a transport from outside.

#![cfg(target_os = "linux")]

#[path = "collectives/support.rs"]
mod support;

#[path = "transports/bits.rs"]
mod bits;
#[path = "transports/devices.rs"]
mod devices;
#[path = "transports/garbage.rs"]
mod garbage;
#[path = "transports/memory.rs"]
mod memory;
#[path = "transports/models.rs"]
mod models;
#[path = "transports/processes.rs"]
mod processes;
#[path = "transports/sockets.rs"]
mod sockets;
#[path = "transports/split.rs"]
mod split;
#[path = "transports/third_party.rs"]
mod third_party;

use ringwood_collective::GroupBuilder;
use ringwood_transport::{Arena, PeerMemory, Socket, Transport};

/// Every transport that connects threads.
const ALL: [(&str, &dyn Transport); 3] =
    [("peer_memory", &PeerMemory), ("arena", &Arena), ("socket", &Socket)];

/// A group of `n` ranks over `transport`.
fn group(transport: &'static dyn Transport, n: usize) -> GroupBuilder {
    support::group(n).over(transport)
}
