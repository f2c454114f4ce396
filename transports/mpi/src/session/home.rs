//! MPI as sessions use it.

use super::post::Post;
use crate::engine::{Engine, REPORTS};
use crate::watch::PATIENCE;
use crate::world::{World, init, leave};
use ringwood_base::sync::lock;
use ringwood_base::{Error, Result};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Sender, channel};
use std::sync::{Arc, Mutex, Weak};
use std::thread::{Builder, JoinHandle, sleep};
use std::time::{Duration, Instant};

/// MPI in this process, for as long as a session needs it: in the world that the program holds, or in
/// one that lives in a thread of its own, since MPI ends in the thread that started it.
pub(super) struct Home {
    pub(super) engine: Arc<Engine>,
    /// The session that runs; 0 if none does.
    busy: AtomicU64,
    own: Mutex<Option<Own>>,
    /// Held while a word is said.
    pub(super) saying: Mutex<()>,
    /// What the controller hears: the rest of what was said in one session may come in the next.
    pub(super) reports: Mutex<Post>,
    /// The worker of a session before, a thread of this process that did not end in time, and what it did.
    left: Mutex<Option<(JoinHandle<()>, Option<String>)>>,
}

/// The thread of a world: it ends when nobody holds the other end.
type Own = (Sender<()>, JoinHandle<()>);

/// # Errors
/// MPI cannot be started.
pub(super) fn home() -> Result<Arc<Home>> {
    static HOME: Mutex<Weak<Home>> = Mutex::new(Weak::new());
    let mut home = lock(&HOME);
    if let Some(home) = home.upgrade() {
        return Ok(home);
    }
    let (engine, own) = match Engine::current() {
        Ok(engine) => (engine, None),
        Err(_) => start().map(|(engine, own)| (engine, Some(own)))?,
    };
    let reports = Mutex::new(Post::new(&engine, REPORTS));
    let (own, (busy, saying, left)) = (Mutex::new(own), Default::default());
    let new = Arc::new(Home { engine, busy, own, saying, reports, left });
    *home = Arc::downgrade(&new);
    Ok(new)
}

fn start() -> Result<(Arc<Engine>, Own)> {
    let (tell, told) = channel();
    let (end, ended) = channel();
    let body = move || {
        let world: Result<World> = init();
        let started = world.as_ref().map(|_| ()).map_err(Clone::clone);
        let _ = tell.send(started.and_then(|()| Engine::current()));
        // Until the other end is dropped.
        let _ = ended.recv();
    };
    let aborted = || Error::aborted("the thread that starts MPI has ended");
    let thread = Builder::new().name("mpi".into()).spawn(body).map_err(|e| aborted().because(e))?;
    Ok((told.recv().map_err(|_| aborted())??, (end, thread)))
}

/// How long a worker that was left behind gets to end.
const ENDING: Duration = Duration::from_millis(500);

/// Whether a thread ends by then.
pub(super) fn ends(thread: &JoinHandle<()>, by: Instant) -> bool {
    while !thread.is_finished() && Instant::now() < by {
        sleep(Duration::from_millis(1));
    }
    thread.is_finished()
}

impl Home {
    /// Whether a session may begin: no other one runs.
    pub(super) fn enter(&self, session: u64) -> bool {
        self.busy.compare_exchange(0, session, Ordering::Relaxed, Ordering::Relaxed).is_ok()
    }

    /// The session has ended, which may be told again when another one runs.
    pub(super) fn exit(&self, session: u64) {
        let _ = self.busy.compare_exchange(session, 0, Ordering::Relaxed, Ordering::Relaxed);
    }

    /// A worker that is a thread of this process does not end: no session begins until it has.
    pub(super) fn leave_behind(&self, worker: JoinHandle<()>, runs: Option<String>) {
        *lock(&self.left) = Some((worker, runs));
    }

    /// Waits a little for the worker that was left behind: it takes the words of a session that begins.
    ///
    /// # Errors
    /// It has not ended.
    pub(super) fn await_left(&self) -> Result<()> {
        let mut left = lock(&self.left);
        left.take_if(|(worker, _)| ends(worker, Instant::now() + ENDING));
        let Some((_, runs)) = &*left else { return Ok(()) };
        let runs = runs.as_deref().unwrap_or("worker 0 has not ended");
        Err(Error::unavailable(format!("{runs}, in the last session over MPI"))
            .help("it is a thread of rank 0, which cannot be stopped: start the session when it has ended"))
    }

    /// Ends MPI in this process, whoever has started it.
    pub(super) fn leave(&self) {
        let own = lock(&self.own).take();
        match own {
            Some((end, thread)) => {
                drop(end);
                let _ = thread.join();
            }
            None => leave(&self.engine, PATIENCE),
        }
    }
}

impl Drop for Home {
    fn drop(&mut self) {
        if self.own.get_mut().is_ok_and(|own| own.is_some()) {
            self.leave();
        }
    }
}
