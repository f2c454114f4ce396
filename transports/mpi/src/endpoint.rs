//! A rank's end of the transport: shared memory or streams, and MPI's own collectives beside them.

use crate::engine::{Engine, Members, Own};
use crate::watch::PATIENCE;
use ringwood_base::{DType, Error, ErrorKind, Result};
use ringwood_schedule::{Answers, Arrangement, Rank, Request};
use ringwood_transport::{
    Bootstrap, Buffers, Endpoint, Failure, Intent, Merge, Plan, Region, Transport,
};
use std::ffi::c_int;
use std::sync::Arc;
use std::time::Duration;

/// An end whose group MPI's own collectives serve as well, if they can.
pub(crate) struct End {
    pub(crate) rank: Rank,
    pub(crate) inner: Box<dyn Endpoint>,
    pub(crate) engine: Arc<Engine>,
    pub(crate) failure: Arc<Failure>,
    /// The processes of the ranks, and a tag that is theirs alone.
    pub(crate) group: (Vec<c_int>, c_int),
    /// From the first such call on.
    pub(crate) members: Option<Members>,
    pub(crate) slots: Vec<Slot>,
}

/// What runs the calls of a slot, where it is none of the plan.
#[derive(Clone, Default)]
pub(crate) struct Slot {
    own: Option<Own>,
    merge: Option<Merge>,
}

impl End {
    fn run(&mut self, slot: &Slot, buffers: &mut Buffers<'_>, within: Duration) -> Result<u64> {
        let Some(own) = slot.own else { return Ok(0) };
        let Self { engine, failure, group, members, .. } = self;
        let bound = engine.watch.bound(own.names()[1], within, Some(failure));
        let known = members.take().map_or_else(|| engine.members(&group.0, group.1), Ok);
        let outcome = known.and_then(|known| engine.run(own, members.insert(known), buffers));
        drop(bound);
        let merge = slot.merge.filter(Merge::finishes);
        let complete =
            outcome.and_then(|()| merge.map_or(Ok(()), |merge| merge.complete(buffers.output())));
        complete.map_err(|error| failure.raise(error))?;
        Ok(buffers.output().len() as u64)
    }
}

impl Endpoint for End {
    fn prepare(&mut self, slot: usize, plan: &Plan) -> Result<()> {
        self.inner.prepare(slot, plan)?;
        self.slots.resize(self.slots.len().max(slot + 1), Slot::default());
        self.slots[slot] = Slot { own: None, merge: plan.merge().copied() };
        Ok(())
    }

    fn call(&mut self, intent: &Intent<'_>, mut buffers: Buffers<'_>) -> Result<u64> {
        let slot = intent.what.ok().map(|ready| self.slots[ready.slot].clone());
        let Some(slot) = slot.filter(|slot| slot.own.is_some()) else {
            return self.inner.call(intent, buffers);
        };
        let none = match &buffers {
            Buffers::InPlace(_) => Buffers::InPlace(&mut []),
            Buffers::Apart { .. } => Buffers::Apart { input: &[], output: &mut [] },
        };
        self.inner.call(intent, none)?;
        self.run(&slot, &mut buffers, intent.bounds.execution)
    }

    fn arrangement(&self) -> Arrangement {
        self.engine.nodes.arrangement(&self.group.0)
    }

    fn opaque(&self, request: &Request) -> Option<&'static str> {
        let apart =
            self.group.0.iter().all(|one| self.group.0.iter().filter(|x| *x == one).count() == 1);
        let can = self.engine.concurrent && apart && self.group.0.len() > 1;
        Own::of(request).filter(|_| can).map(|own| own.names()[0])
    }

    fn refuses(&self, name: &str, request: &Request) -> Option<Error> {
        Own::refusal(name, request, self.engine.concurrent)
    }

    fn prepare_opaque(&mut self, slot: usize, request: &Request) -> Result<()> {
        self.slots[slot].own = Own::of(request);
        Ok(())
    }

    fn send(&mut self, to: usize, data: &[u8], dtype: DType, within: Duration) -> Result<()> {
        self.inner.send(to, data, dtype, within)
    }

    fn recv(&mut self, from: usize, data: &mut [u8], dtype: DType, within: Duration) -> Result<()> {
        self.inner.recv(from, data, dtype, within)
    }

    fn bootstrap(&self, transport: &dyn Transport, ranks: usize) -> Result<Bootstrap> {
        self.inner.bootstrap(transport, ranks)
    }

    fn answers(&self, within: Duration) -> Option<Answers> {
        self.inner.answers(within)
    }

    fn allocate(&mut self, bytes: usize) -> Result<Region> {
        self.inner.allocate(bytes)
    }
}

impl Drop for End {
    /// A process that panics leaves the group, as one that ends well does: the others get the reason.
    fn drop(&mut self) {
        if std::thread::panicking() {
            let message = format!("rank {} of {} panicked", self.rank, self.rank.group_size());
            self.failure.raise(Error::new(ErrorKind::Panic, message));
        }
        // After a failure another member may still be in a call.
        if let Some(members) = self.members.take().filter(|_| !self.failure.is_raised()) {
            let _bound = self.engine.watch.bound("MPI_Comm_free", PATIENCE, Some(&self.failure));
            // Where MPI is over there is nothing to release.
            let _ = self.engine.release(members);
        }
    }
}
