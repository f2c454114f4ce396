//! What connects ranks that MPI has told of each other: the memory of a machine, and messages between machines.

use crate::engine::{Engine, Pause};
use crate::meet::Seat;
use crate::pipe::Pipe;
use ringwood_base::{Error, Result};
use ringwood_schedule::Rank;
use ringwood_transport::{Arena, Bootstrap, Channel, Endpoint, Failure, Transport, rings};
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::ffi::c_int;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// A rank that knows where the others of its group are.
pub(crate) struct Connector<'a> {
    pub(crate) engine: &'a Arc<Engine>,
    pub(crate) rank: Rank,
    pub(crate) seats: &'a [Seat],
    pub(crate) end: Instant,
}

impl Connector<'_> {
    /// The end of a rank in a group whose ranks share a machine.
    pub(crate) fn arena(&self, failure: &Arc<Failure>) -> Result<Box<dyn Endpoint>> {
        let members: Vec<usize> = (0..self.seats.len()).collect();
        let place = || Arena.bootstrap(members.len());
        self.open(&members, place, |address| {
            Arena.join(self.rank, address, Duration::ZERO, failure)
        })
    }

    /// The streams to the other ranks: in memory to those of this machine, and in messages to the rest.
    pub(crate) fn streams(&self) -> Result<Vec<Option<Box<dyn Channel>>>> {
        let own = self.rank.index();
        let process = self.seats[own].process;
        let share = |&other: &usize| self.engine.nodes.share(&[process, self.seats[other].process]);
        let mut all: Vec<Option<Box<dyn Channel>>> = self.seats.iter().map(|_| None).collect();
        let members: Vec<usize> = (0..self.seats.len()).filter(share).collect();
        if members.len() > 1 {
            let at = members.iter().position(|&rank| rank == own).unwrap_or(0);
            let place = || rings::bootstrap(members.len());
            let open = |address: &str| rings::join(address, at, members.len());
            let streams = self.open(&members, place, open)?;
            members.into_iter().zip(streams).for_each(|(rank, stream)| all[rank] = stream);
        }
        for (peer, stream) in all.iter_mut().enumerate().filter(|(peer, _)| *peer != own) {
            stream.get_or_insert_with(|| Box::new(self.pipe(peer)));
        }
        Ok(all)
    }

    fn pipe(&self, peer: usize) -> Pipe {
        let (own, seat) = (self.rank.index(), self.seats[peer]);
        Pipe {
            engine: Arc::clone(self.engine),
            to: (seat.process, seat.tag + own as c_int),
            tag: self.seats[own].tag + peer as c_int,
            life: self.engine.nodes.life(seat.process),
            flight: Arc::default(),
            incoming: Mutex::default(),
        }
    }

    /// Opens a place that the first of the members makes and the others hear of; it is kept until all have it.
    fn open<T>(
        &self,
        members: &[usize],
        make: impl FnOnce() -> Result<Bootstrap>,
        open: impl FnOnce(&str) -> Result<T>,
    ) -> Result<T> {
        let first = members[0];
        if self.rank.index() != first {
            let address: Result<String> = self.hear(first)?;
            let opened = address.and_then(|address| open(&address));
            if opened.is_err() && self.engine.nodes.life(self.seats[first].process).ends() {
                let n = self.seats.len();
                return Err(Error::aborted(format!("rank {first} of {n} died as the group met")));
            }
            self.tell(first, &())?;
            return opened;
        }
        let place = make();
        let address = place.as_ref().map(Bootstrap::address).map_err(Clone::clone);
        members[1..].iter().try_for_each(|&other| self.tell(other, &address))?;
        let opened = place.as_ref().map_err(Clone::clone).and_then(|place| open(place.address()));
        members[1..].iter().try_for_each(|&other| self.hear(other))?;
        opened
    }

    fn tell<T: Serialize>(&self, other: usize, value: &T) -> Result<()> {
        let seat = &self.seats[other];
        self.engine.say((seat.process, seat.tag + self.rank.index() as c_int), value, None)
    }

    fn hear<T: DeserializeOwned>(&self, other: usize) -> Result<T> {
        let tag = self.seats[self.rank.index()].tag + other as c_int;
        let source = Some(self.seats[other].process);
        self.engine.hear(source, tag, Pause::until(self.end))?.ok_or_else(|| {
            let n = self.seats.len();
            Error::timeout(format!(
                "rank {other} of {n} did not open the memory of the group in time"
            ))
        })
    }
}
