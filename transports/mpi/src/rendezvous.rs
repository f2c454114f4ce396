//! Where the ranks of MPI resolve groups, instances and steps: the rendezvous in rank 0, which the others reach
//! in messages of MPI.

use crate::engine::{Engine, RENDEZVOUS};
use crate::life::Life;
use crate::pipe::Pipe;
use ringwood_base::Result;
use ringwood_base::registry::Registry;
use ringwood_collective::resolve::{Channel, Rendezvous, Resolver};
use ringwood_transport::Channel as _;
use std::ffi::c_int;
use std::io::{self, IoSlice, Read, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

/// The rank whose process has the rendezvous.
const LEADER: usize = 0;
/// Between looks at a line on which nothing comes, the first time and at most.
const PAUSES: [Duration; 2] = [Duration::from_micros(50), Duration::from_millis(2)];
/// A peer that takes nothing for so long is lost.
const WRITE_BOUND: Duration = Duration::from_secs(5);

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
            return Ok(Self {
                resolver: Resolver::connect(Line::to(engine, LEADER))?,
                served: None,
            });
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

    /// Rank 0 serves the others until they have left, or the deadline has come.
    fn serve(&self, deadline: Instant) {
        let lines = self.served.as_ref().map_or(&[][..], |(_, lines)| lines);
        while lines.iter().any(|line| !line.is_closed()) && Instant::now() < deadline {
            thread::sleep(PAUSES[0]);
        }
    }
}

/// A rank leaves the rendezvous, whether it has used it or not: rank 0 waits for the others that long.
pub(crate) fn part(engine: &Arc<Engine>, end: Option<End>, deadline: Instant) {
    if engine.rank != LEADER {
        drop(end);
        Line::to(engine, LEADER).close();
    } else if let Some(end) = end {
        end.serve(deadline);
    }
}

/// A stream between a rank and rank 0. An empty message ends it.
#[derive(Clone)]
struct Line(Arc<Ends>);

struct Ends {
    pipe: Pipe,
    closed: AtomicBool,
}

impl Line {
    fn to(engine: &Arc<Engine>, rank: usize) -> Self {
        let pipe = Pipe {
            engine: Arc::clone(engine),
            to: (rank as c_int, RENDEZVOUS),
            tag: RENDEZVOUS,
            // A rank that dies ends the job.
            life: Life::default(),
            flight: Arc::default(),
            incoming: std::sync::Mutex::default(),
        };
        Self(Arc::new(Ends { pipe, closed: AtomicBool::new(false) }))
    }

    fn is_closed(&self) -> bool {
        self.0.closed.load(Ordering::Relaxed)
    }
}

impl Read for Line {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let [mut pause, longest] = PAUSES;
        while !self.is_closed() {
            match self.0.pipe.read(into) {
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => {
                    thread::sleep(pause);
                    pause = longest.min(pause * 2);
                }
                Ok(0) => self.0.closed.store(true, Ordering::Relaxed),
                other => return other,
            }
        }
        Ok(0)
    }
}

impl Write for Line {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let end = Instant::now() + WRITE_BOUND;
        while !self.is_closed() && !bytes.is_empty() {
            match self.0.pipe.write(&[IoSlice::new(bytes)])? {
                0 if Instant::now() >= end => return Err(io::ErrorKind::TimedOut.into()),
                0 => thread::sleep(PAUSES[0]),
                count => return Ok(count),
            }
        }
        Ok(0)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Channel for Line {
    fn another(&self) -> Result<Self> {
        Ok(self.clone())
    }

    fn close(&self) {
        if !self.0.closed.swap(true, Ordering::Relaxed) {
            // Where MPI is over, nobody reads any more.
            let _ = self.0.pipe.write(&[]);
        }
    }
}
