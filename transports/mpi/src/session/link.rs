//! A worker's link to the controller.

use super::CONTROLLER;
use super::home::Home;
use super::post::{Post, Said, Word};
use crate::engine::{FAREWELL, ORDERS, Pause, REPORTS};
use crate::life::Life;
use crate::transport::Mpi;
use crate::watch::{CODE, warn};
use ringwood_base::sync::lock;
use ringwood_base::{Error, Result};
use ringwood_device::device::Runtime;
use ringwood_session::Placement;
use ringwood_session::remote::{self, Order, Packet, Report};
use ringwood_transport::Transport;
use ringwood_transport::process;
use std::ffi::c_int;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

struct Link {
    home: Arc<Home>,
    /// The session that is served, or was last.
    session: AtomicU64,
    /// The one that is served alone.
    only: Option<u64>,
    orders: Mutex<Post>,
    controller: Life,
}

/// Serves `only` one session, or all of them, one after the other, until the controller says farewell to MPI.
///
/// # Errors
/// What the controller says is not understood, or MPI reports a failure.
pub(super) fn serve(home: &Arc<Home>, runtime: Result<Runtime>, only: Option<u64>) -> Result<()> {
    let link = Arc::new(Link {
        home: Arc::clone(home),
        session: AtomicU64::new(0),
        only,
        orders: Mutex::new(Post::new(&home.engine, ORDERS)),
        controller: home.engine.nodes.life(CONTROLLER as c_int),
    });
    while let Some(begin) = link.begin()? {
        let (session, begin) = (Arc::clone(&link) as Arc<dyn remote::Link>, Some(begin));
        let listener = remote::serve(session, begin, runtime.clone().ok())?;
        link.say(&Packet::default())?;
        // It takes what is left of the session.
        let _ = listener.join();
        if only.is_some() {
            break;
        }
    }
    Ok(())
}

impl Link {
    fn session(&self) -> u64 {
        self.session.load(Ordering::Relaxed)
    }

    /// Waits for the next session, and gives its first order; `None` if there is no more session.
    fn begin(&self) -> Result<Option<Order>> {
        let mut orders = lock(&self.orders);
        while let Some((session, word)) = self.hear(&mut orders)? {
            match word {
                // What is left of a session before is no start of this one.
                _ if session <= self.session() => {}
                Word::Packet(packet) => {
                    let order: Order = packet.read()?;
                    if matches!(order, Order::Start(_)) {
                        self.session.store(session, Ordering::Relaxed);
                        return Ok(Some(order));
                    }
                }
                // Its controller could not start it, and has told who asked for it why.
                Word::Over if self.only == Some(session) => break,
                Word::Part | Word::Over => {}
            }
        }
        Ok(None)
    }

    fn say(&self, packet: &Packet) -> Result<()> {
        self.home.say((CONTROLLER, REPORTS), self.session(), packet)
    }

    /// The next word and its session; `None` at the farewell of the controller.
    fn hear(&self, orders: &mut Post) -> Result<Option<(u64, Word)>> {
        let (engine, mut pause) = (&self.home.engine, Pause::default());
        loop {
            if let Some(Said { rank, word }) = orders.take(engine)? {
                let message = || format!("rank {rank} says what nobody says in a session");
                return word.map(Some).ok_or_else(|| Error::protocol(message()));
            }
            if engine.has_come(CONTROLLER as i32, FAREWELL)? {
                return Ok(None);
            }
            if self.controller.is_over() {
                let (rank, size) = (engine.rank, engine.size);
                warn(format_args!("rank {rank} of {size} ends: the controller, rank 0, has died"));
                process::leave(CODE);
            }
            pause.wait();
        }
    }
}

impl remote::Link for Link {
    fn next(&self) -> Result<Option<Order>> {
        let mut orders = lock(&self.orders);
        while let Some((session, word)) = self.hear(&mut orders)? {
            match word {
                _ if session < self.session() => {}
                _ if session > self.session() => {
                    orders.words.push_front(Said { rank: CONTROLLER, word: Some((session, word)) });
                    break;
                }
                Word::Packet(packet) => return packet.read().map(Some),
                // Orders wait behind what is large, and the controller for an answer.
                Word::Part => self.say(&Packet::of(&Report::Pong(0))?)?,
                Word::Over => break,
            }
        }
        Ok(None)
    }

    fn push(&self, packet: Packet) -> Result<()> {
        self.say(&packet)
    }

    fn flush(&self) {}

    fn transport(&self) -> &'static dyn Transport {
        &Mpi
    }

    /// Among the workers of its machine, and those that a launcher has not given other processors.
    fn placement(&self, rank: usize, workers: usize) -> Placement {
        let engine = &self.home.engine;
        let first = engine.rank - rank;
        let [(number, of), part] = engine.nodes.places(engine.rank, first..first + workers);
        let mut place = Placement::new(number, of);
        place.part = part;
        place
    }
}
