//! Where the ranks of a group connect.

use super::super::group::Shown;
use crate::Group;
use ringwood_base::registry::Registry;
use ringwood_base::{Error, Result};
use ringwood_transport::{Bootstrap, TransportDef};
use std::borrow::Cow;
use std::sync::Arc;

/// Where the ranks of a group connect, and how many have.
pub(super) struct Place {
    transport: String,
    /// Kept until all have connected.
    bootstrap: Option<Bootstrap>,
    connected: usize,
}

impl Place {
    pub(super) fn new(transport: &str, bootstrap: Bootstrap) -> Self {
        Self { transport: transport.to_owned(), bootstrap: Some(bootstrap), connected: 0 }
    }

    /// That of so many ranks over a transport.
    ///
    /// # Errors
    /// There is no such transport, or it connects no processes.
    pub(super) fn make(ranks: usize, registry: &Arc<Registry>, transport: &str) -> Result<Self> {
        let group = Group::builder(ranks).registry(Arc::clone(registry)).transport(transport);
        group.bootstrap().map(|bootstrap| Self::new(transport, bootstrap))
    }

    /// The address, for a rank of group `group` that names `transport`.
    ///
    /// # Errors
    /// The ranks have connected, or do so over another transport.
    pub(super) fn address(
        &self,
        group: u64,
        registry: &Registry,
        transport: &str,
    ) -> Result<String> {
        let group = Shown(group);
        let Some(bootstrap) = &self.bootstrap else {
            let message = format!("the ranks of group {group} have their communicators already");
            return Err(Error::invalid(message)
                .help("split one of them, or resolve a group with another key"));
        };
        if full_name(registry, transport) != full_name(registry, &self.transport) {
            let message = format!(
                "a rank of group {group} names transport `{transport}`, and the group connects over `{}`",
                self.transport
            );
            return Err(Error::mismatch(message).help("name one transport on all ranks"));
        }
        Ok(bootstrap.address().to_owned())
    }

    /// One more of so many ranks has connected: when all have, nobody needs the address.
    pub(super) fn connect(&mut self, ranks: usize) {
        self.connected += 1;
        if self.connected == ranks {
            self.bootstrap = None;
        }
    }
}

/// The name of a transport that no other one has; a transport may be named in several ways.
fn full_name<'n>(registry: &'n Registry, transport: &'n str) -> Cow<'n, str> {
    let entry = registry.entry::<TransportDef>(transport);
    entry.map_or(transport.into(), |entry| entry.meta().full_name().into())
}
