//! Resolution: how callers that know only keys become the ranks of a group with equal parameters.
//!
//! Processes meet at a [`Rendezvous`], which each reaches through a [`Resolver`]. Two stages follow, as
//! in TensorFlow. The **group** stage gathers the members that name one group key and orders them;
//! the **instance** stage, keyed within the group, checks that all members mean the same collective
//! and completes its parameters. An error in either stage sticks, and every caller gets the same one,
//! whether it waits already or comes later. Then a member has a
//! [communicator](Resolver::communicator), whose submitted calls start in one order on all ranks.
//!
//! [`Subdivisions`] are the rings and trees of a collective.

mod channel;
mod gathering;
mod group;
mod instance;
mod leader;
mod locality;
mod message;
mod record;
mod rendezvous;
mod resolver;
mod subdivision;

pub use channel::Channel;
pub(crate) use group::{ALL_PROCESSES, Shown};
pub use group::{Member, ResolvedGroup};
pub use instance::{InstanceRequest, ResolvedInstance};
pub use rendezvous::Rendezvous;
pub use resolver::Resolver;
pub use subdivision::{Cut, Subdivisions};
