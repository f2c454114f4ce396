//! A worker's link to the controller.

use super::CONTROLLER;
use super::home::Home;
use super::post::{Post, Said, Word, say};
use crate::engine::{FAREWELL, ORDERS, Pause, REPORTS};
use crate::life::Life;
use crate::transport::Mpi;
use crate::watch::{CODE, warn};
use ringwood_base::{Error, Result};
use ringwood_device::device::Runtime;
use ringwood_session::__private::lock;
use ringwood_session::Placement;
use ringwood_session::remote::{self, Order, Packet};
use ringwood_transport::Transport;
use ringwood_transport::process;
use std::collections::VecDeque;
use std::ffi::c_int;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

struct Link {
    home: Arc<Home>,
    session: AtomicU64,
    heard: Mutex<Heard>,
    /// Held while a word is said.
    saying: Mutex<()>,
}

/// What has come from the controller.
struct Heard {
    post: Post,
    words: VecDeque<(u64, Word)>,
    life: Life,
}

/// Serves so many sessions, one after the other, or until the controller says farewell to MPI.
///
/// # Errors
/// What the controller says is not understood, or MPI reports a failure.
pub(super) fn serve(home: &Arc<Home>, runtime: Result<Runtime>, sessions: usize) -> Result<()> {
    let post = Post::new(&home.engine, ORDERS);
    let life = home.engine.nodes.life(CONTROLLER as c_int);
    let heard = Heard { post, words: VecDeque::new(), life };
    let link = Arc::new(Link {
        home: Arc::clone(home),
        session: AtomicU64::new(0),
        heard: Mutex::new(heard),
        saying: Mutex::default(),
    });
    for _ in 0..sessions {
        let begin = link.begin()?;
        if begin.is_none() {
            break;
        }
        let listener =
            remote::serve(Arc::clone(&link) as Arc<dyn remote::Link>, begin, runtime.clone().ok())?;
        link.say(&Word::Over)?;
        // It takes what is left of the session.
        let _ = listener.join();
    }
    Ok(())
}

impl Link {
    /// Waits for the next session, and gives its first order; `None` if there is no more session.
    fn begin(&self) -> Result<Option<Order>> {
        let mut heard = lock(&self.heard);
        loop {
            let Some((session, word)) = heard.next(&self.home)? else { return Ok(None) };
            match word {
                Word::Here => self.session.store(session, Ordering::Relaxed),
                Word::Packet(packet) if session == self.session.load(Ordering::Relaxed) => {
                    // What is left of a session before is no start of this one.
                    let order: Order = packet.read()?;
                    if order.is_start() {
                        return Ok(Some(order));
                    }
                }
                _ => {}
            }
        }
    }

    fn say(&self, word: &Word) -> Result<()> {
        let _alone = lock(&self.saying);
        let session = self.session.load(Ordering::Relaxed);
        say(&self.home.engine, (CONTROLLER, REPORTS), session, word)
    }
}

impl Heard {
    /// The next word and its session; `None` at the farewell of the controller.
    fn next(&mut self, home: &Home) -> Result<Option<(u64, Word)>> {
        let mut pause = Pause::default();
        loop {
            if let Some(word) = self.words.pop_front() {
                return Ok(Some(word));
            }
            for Said { rank, word } in self.post.take(&home.engine)? {
                self.words.push_back(word.ok_or_else(|| {
                    Error::protocol(format!("rank {rank} says what nobody says in a session"))
                })?);
            }
            if !self.words.is_empty() {
                continue;
            }
            if home.engine.has_come(CONTROLLER as i32, FAREWELL)? {
                return Ok(None);
            }
            if self.life.is_over() {
                let (rank, size) = (home.engine.rank, home.engine.size);
                warn(format_args!("rank {rank} of {size} ends: the controller, rank 0, has died"));
                process::leave(CODE);
            }
            pause.wait();
        }
    }
}

impl remote::Link for Link {
    fn next(&self) -> Result<Option<Order>> {
        let mut heard = lock(&self.heard);
        loop {
            let Some((session, word)) = heard.next(&self.home)? else { return Ok(None) };
            match word {
                _ if session < self.session.load(Ordering::Relaxed) => {}
                Word::Packet(packet) => return packet.read().map(Some),
                // Orders wait behind what is large, and the controller for an answer.
                Word::Part => self.say(&Word::Part)?,
                Word::Over => return Ok(None),
                Word::Here => {
                    heard.words.push_front((session, word));
                    return Ok(None);
                }
            }
        }
    }

    fn push(&self, packet: Packet) -> Result<()> {
        self.say(&Word::Packet(packet))
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
