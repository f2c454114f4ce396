//! The transport of the collective engine.

use crate::connector::Connector;
use crate::endpoint::End;
use crate::engine::Engine;
use crate::meet::{ANSWER, Door, Doorkeeper, meet};
use ringwood_base::deadline::deadline;
use ringwood_base::{Error, Result};
use ringwood_schedule::{Capabilities, CostModel, Rank};
use ringwood_transport::register_transport;
use ringwood_transport::{Arena, Bootstrap, Endpoint, Failure, Transport, over_channels};
use std::ffi::c_int;
use std::sync::Arc;
use std::time::Duration;

/// The processes that `mpirun`, `srun` or another launcher started together. Each of them holds a
/// [`World`](crate::World) meanwhile.
///
/// Ranks of one machine share memory: a group of them is one over [`Arena`], and in others they have
/// streams there. Ranks of different machines send messages over MPI.
///
/// The address of the group of all processes is `mpi:world`; parts of it have addresses of their own.
/// It runs every schedule that sends and receives, signals and waits. Schedules that access the
/// memory of peers are refused, unless all processes are of one machine.
pub struct Mpi;

register_transport!(mpi, Mpi);

impl Transport for Mpi {
    fn capabilities(&self) -> Capabilities {
        match Engine::current() {
            Ok(engine) if engine.nodes.is_one() => Arena.capabilities(),
            _ => Capabilities::TWO_SIDED,
        }
    }

    /// Copies in memory inside of a machine, and a network of 10 Gbit/s between machines.
    fn costs(&self, cores: usize) -> CostModel {
        let network = CostModel::of_transport(Capabilities::TWO_SIDED, cores);
        let memory = CostModel { latency: 1e-6, overhead: 0.5e-6, per_byte: 1.0 / 4e9, ..network };
        // A core for each rank, and no bytes that travel as ranks meet.
        CostModel { cores: 0, eager_bytes: 0, ..memory }
    }

    /// Threads of this process, which share memory.
    fn connect(&self, ranks: usize, failure: &Arc<Failure>) -> Result<Vec<Box<dyn Endpoint>>> {
        Engine::current()?.watch(failure);
        Arena.connect(ranks, failure)
    }

    fn bootstrap(&self, ranks: usize) -> Result<Bootstrap> {
        let engine = Engine::current()?;
        let door = Door { process: engine.rank, tag: engine.tags(1)? };
        Ok(Bootstrap::new(door.address(), Doorkeeper::start(engine, door, ranks)?))
    }

    fn join(
        &self,
        rank: Rank,
        address: &str,
        within: Duration,
        failure: &Arc<Failure>,
    ) -> Result<Box<dyn Endpoint>> {
        let (engine, door) = (Engine::current()?, Door::parse(address)?);
        let (index, n) = (rank.index(), rank.group_size());
        if door.is_of_all() && (index, n) != (engine.rank, engine.size) {
            return Err(Error::invalid(format!(
                "this process is rank {} of {} of MPI, not rank {index} of {n}",
                engine.rank, engine.size
            ))
            .help("`World::communicator` joins as what MPI says"));
        }
        let end = deadline(within);
        let seats = meet(&engine, rank, door, within)?;
        let end = end.max(deadline(ANSWER));
        let connector = Connector { engine: &engine, rank, seats: &seats, end };
        let processes: Vec<c_int> = seats.iter().map(|seat| seat.process).collect();
        let inner = match engine.nodes.share(&processes) {
            true => connector.arena(failure)?,
            false => over_channels(rank, connector.streams()?, failure)?,
        };
        engine.watch(failure);
        Ok(Box::new(End {
            rank,
            inner,
            engine,
            failure: Arc::clone(failure),
            group: (processes, seats[0].tag),
            members: None,
            slots: Vec::new(),
        }))
    }
}
