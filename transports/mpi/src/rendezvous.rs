//! Where the ranks of MPI resolve groups, instances and steps: the rendezvous in rank 0, which the others reach
//! in messages of MPI.

use crate::engine::{Engine, RENDEZVOUS};
use crate::pipe::WINDOW;
use ringwood_base::deadline::deadline;
use ringwood_base::registry::Registry;
use ringwood_base::{Error, Result};
use ringwood_collective::resolve::{Channel, Rendezvous, Resolver};
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::ffi::c_int;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

/// The rank whose process has the rendezvous.
const LEADER: usize = 0;
/// A rank that takes nothing for so long is lost.
const WRITE_BOUND: Duration = Duration::from_secs(5);
/// Between looks at a line on which nothing comes, the first time and at most.
const PAUSES: [Duration; 2] = [Duration::from_micros(50), Duration::from_millis(2)];

/// The end of a rank.
pub(crate) struct End {
    resolver: Resolver,
    /// In rank 0, with the lines of the others.
    served: Option<(Rendezvous, Vec<Line>)>,
}

impl End {
    /// # Errors
    /// There is no thread for it.
    pub(crate) fn open(engine: &Arc<Engine>) -> Result<Self> {
        if engine.rank != LEADER {
            let resolver = Resolver::connect(Line::to(engine, LEADER))?;
            return Ok(Self { resolver, served: None });
        }
        let rendezvous = Rendezvous::start(Registry::global()?.clone())?;
        let others = (0..engine.size).filter(|&rank| rank != LEADER);
        let lines: Vec<_> = others.map(|rank| Line::to(engine, rank)).collect();
        lines.iter().try_for_each(|line| rendezvous.serve(line.clone()))?;
        Ok(Self { resolver: rendezvous.resolver(), served: Some((rendezvous, lines)) })
    }

    pub(crate) fn resolver(&self) -> Resolver {
        self.resolver.clone()
    }
}

/// A rank leaves the rendezvous, whether it has used it or not: rank 0 serves the others until then, or the deadline.
pub(crate) fn part(engine: &Arc<Engine>, end: Option<End>, deadline: Instant) {
    if engine.rank != LEADER {
        drop(end);
        Line::to(engine, LEADER).close();
    } else if let Some((_, lines)) = end.as_ref().and_then(|end| end.served.as_ref()) {
        while lines.iter().any(|line| !line.is_closed()) && Instant::now() < deadline {
            thread::sleep(PAUSES[0]);
        }
    }
}

/// Between a rank and rank 0.
#[derive(Clone)]
struct Line {
    engine: Arc<Engine>,
    rank: c_int,
    closed: Arc<AtomicBool>,
    /// The bytes that are on their way.
    flight: Arc<AtomicUsize>,
}

impl Line {
    fn to(engine: &Arc<Engine>, rank: usize) -> Self {
        let (engine, rank) = (Arc::clone(engine), rank as c_int);
        Self { engine, rank, closed: Arc::default(), flight: Arc::default() }
    }

    fn is_closed(&self) -> bool {
        self.closed.load(Ordering::Relaxed)
    }

    /// Waits until there is room for more on its way.
    ///
    /// # Errors
    /// The other side takes nothing, or MPI reports a failure.
    fn await_room(&self) -> Result<()> {
        let end = deadline(WRITE_BOUND);
        while self.flight.load(Ordering::Relaxed) >= WINDOW {
            if Instant::now() >= end {
                let message = format!("rank {} takes nothing from the rendezvous", self.rank);
                return Err(Error::timeout(message));
            }
            thread::sleep(PAUSES[0]);
            self.engine.progress()?;
        }
        Ok(())
    }
}

impl Channel for Line {
    fn send<T: Serialize>(&self, message: &T) -> Result<()> {
        if self.is_closed() {
            return Err(broken());
        }
        let flight = Some(Arc::clone(&self.flight));
        let said = self
            .await_room()
            .and_then(|()| self.engine.say((self.rank, RENDEZVOUS), message, flight));
        said.map_err(|cause| broken().because(cause))
    }

    fn receive<T: DeserializeOwned>(&self) -> Result<T> {
        let [mut pause, longest] = PAUSES;
        let again = || {
            thread::sleep(pause);
            pause = longest.min(pause * 2);
            !self.is_closed()
        };
        let heard = self.engine.hear(Some(self.rank), RENDEZVOUS, again);
        let heard = heard.map_err(|cause| broken().because(cause));
        heard?.ok_or_else(broken)
    }

    /// Says nothing, which is no message.
    fn close(&self) {
        if !self.closed.swap(true, Ordering::Relaxed) {
            // Where MPI is over, nobody hears any more.
            let _ = self.engine.send((self.rank, RENDEZVOUS), &[], None);
        }
    }
}

fn broken() -> Error {
    Error::aborted("the stream of the rendezvous is broken")
}
