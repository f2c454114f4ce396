//! The transport of the collective engine.

use crate::endpoint::End;
use crate::engine::Engine;
use crate::meet::{Door, Doorkeeper, Seat, meet};
use crate::near::Near;
use crate::pipe::Pipe;
use ringwood_base::deadline::deadline;
use ringwood_base::{Error, Result};
use ringwood_schedule::{Capabilities, CostModel, Rank};
use ringwood_transport::register_transport;
use ringwood_transport::{Arena, Bootstrap, Channel, Endpoint, Failure, Transport, over_channels};
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

    /// Threads of this process, which share memory where all processes do, and else send messages to it itself.
    fn connect(&self, ranks: usize, failure: &Arc<Failure>) -> Result<Vec<Box<dyn Endpoint>>> {
        let engine = Engine::current()?;
        if engine.nodes.is_one() {
            return Arena.connect(ranks, failure);
        }
        let seat = |_| Ok(Seat { process: engine.rank as c_int, tag: engine.tags(ranks)? });
        let seats = (0..ranks).map(seat).collect::<Result<Vec<_>>>()?;
        let near = || (0..ranks).map(|_| None).collect();
        let end = |rank| streams(&engine, Rank::new(rank, ranks), &seats, near(), failure);
        (0..ranks)
            .map(|rank| Ok(enter(&engine, Rank::new(rank, ranks), &seats, end(rank)?, failure)))
            .collect()
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
        let near = Near { engine: &engine, rank, seats: &seats, end };
        let processes: Vec<c_int> = seats.iter().map(|seat| seat.process).collect();
        let inner = match engine.nodes.share(&processes) {
            true => near.arena(failure)?,
            false => streams(&engine, rank, &seats, near.rings()?, failure)?,
        };
        Ok(enter(&engine, rank, &seats, inner, failure))
    }
}

/// Streams to all others: those in memory, and messages to who is not near.
fn streams(
    engine: &Arc<Engine>,
    rank: Rank,
    seats: &[Seat],
    near: Vec<Option<Box<dyn Channel>>>,
    failure: &Arc<Failure>,
) -> Result<Box<dyn Endpoint>> {
    let own = rank.index();
    let pipe = |(peer, seat): (usize, &Seat)| -> Option<Box<dyn Channel>> {
        (peer != own).then(|| {
            Box::new(Pipe {
                engine: Arc::clone(engine),
                to: (seat.process, seat.tag + own as c_int),
                tag: seats[own].tag + peer as c_int,
                life: engine.nodes.life(seat.process),
                flight: Arc::default(),
                incoming: std::sync::Mutex::default(),
            }) as Box<dyn Channel>
        })
    };
    let all = seats.iter().enumerate().zip(near);
    over_channels(rank, all.map(|(far, near)| near.or_else(|| pipe(far))).collect(), failure)
}

/// The endpoint of a rank that is connected with all others.
fn enter(
    engine: &Arc<Engine>,
    rank: Rank,
    seats: &[Seat],
    inner: Box<dyn Endpoint>,
    failure: &Arc<Failure>,
) -> Box<dyn Endpoint> {
    engine.watch(failure);
    let processes: Vec<c_int> = seats.iter().map(|seat| seat.process).collect();
    Box::new(End {
        rank,
        inner,
        engine: Arc::clone(engine),
        failure: Arc::clone(failure),
        group: (processes, seats[0].tag),
        members: None,
        slots: Vec::new(),
    })
}
