//! The transport of the collective engine.

use crate::endpoint::End;
use crate::engine::Engine;
use crate::life::Life;
use crate::meet::{Door, Seat, meet};
use crate::pipe::Pipe;
use crate::world::current;
use ringwood_base::{Error, ErrorKind, Result};
use ringwood_schedule::{Capabilities, Rank};
use ringwood_transport::register_transport;
use ringwood_transport::{Bootstrap, Channel, Endpoint, Failure, Transport, over_channels};
use std::ffi::c_int;
use std::sync::Arc;
use std::time::Duration;

/// Ranks that send each other messages over MPI: the processes that `mpirun`, `srun` or another
/// launcher started together. Each of them holds a [`World`](crate::World) meanwhile.
///
/// The address of the group of all processes is `mpi:world`; parts of it have addresses of their own.
/// It runs every schedule that sends and receives, signals and waits. Schedules that access the
/// memory of peers are refused.
pub struct Mpi;

register_transport!(mpi, Mpi);

impl Transport for Mpi {
    fn capabilities(&self) -> Capabilities {
        Capabilities::TWO_SIDED
    }

    /// Threads of this process, which send messages to it itself.
    fn connect(&self, ranks: usize, failure: &Arc<Failure>) -> Result<Vec<Box<dyn Endpoint>>> {
        let engine = current()?;
        let seat = |_| {
            let (process, life) = (engine.rank as c_int, crate::life::Process::this());
            Ok(Seat { process, tag: engine.tags(ranks)?, life })
        };
        let seats = (0..ranks).map(seat).collect::<Result<Vec<_>>>()?;
        (0..ranks).map(|rank| enter(&engine, Rank::new(rank, ranks), &seats, failure)).collect()
    }

    fn bootstrap(&self, _ranks: usize) -> Result<Bootstrap> {
        let engine = current()?;
        let door = Door { process: engine.rank, tag: engine.tags(1)? };
        Ok(Bootstrap::new(door.address(), ()))
    }

    fn join(
        &self,
        rank: Rank,
        address: &str,
        within: Duration,
        failure: &Arc<Failure>,
    ) -> Result<Box<dyn Endpoint>> {
        let (engine, door) = (current()?, Door::parse(address)?);
        let (index, n) = (rank.index(), rank.group_size());
        if door.is_of_all() && (index, n) != (engine.rank, engine.size) {
            let message = format!(
                "this process is rank {} of {} of MPI, not rank {index} of {n}",
                engine.rank, engine.size
            );
            return Err(Error::new(ErrorKind::InvalidArgument, message)
                .help("`World::communicator` joins as what MPI says"));
        }
        let seats = meet(&engine, rank, door, within)?;
        enter(&engine, rank, &seats, failure)
    }
}

/// The endpoint of a rank that knows where all others are.
fn enter(
    engine: &Arc<Engine>,
    rank: Rank,
    seats: &[Seat],
    failure: &Arc<Failure>,
) -> Result<Box<dyn Endpoint>> {
    let own = rank.index();
    let pipe = |(peer, seat): (usize, &Seat)| -> Option<Box<dyn Channel>> {
        (peer != own).then(|| {
            Box::new(Pipe {
                engine: Arc::clone(engine),
                to: (seat.process, seat.tag + own as c_int),
                tag: seats[own].tag + peer as c_int,
                life: Life::of(seat.life),
                flight: Arc::default(),
                incoming: std::sync::Mutex::default(),
            }) as Box<dyn Channel>
        })
    };
    engine.watch(failure);
    let streams = over_channels(rank, seats.iter().enumerate().map(pipe).collect(), failure)?;
    let processes: Vec<c_int> = seats.iter().map(|seat| seat.process).collect();
    Ok(Box::new(End {
        streams,
        engine: Arc::clone(engine),
        failure: Arc::clone(failure),
        group: (processes, seats[0].tag),
        members: None,
        slots: Vec::new(),
    }))
}
