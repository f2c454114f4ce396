//! Threads that share the pieces of one loop.

use crate::backend::linger;
use crate::processors;
use ringwood_base::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use ringwood_base::sync::{Condvar, Mutex, MutexGuard, thread, thread_local};
use ringwood_base::{Error, Result};
use std::any::Any;
use std::cell::Cell;
use std::mem::{take, transmute};
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::{Arc, PoisonError};
use std::time::Duration;

thread_local! {
    /// The pool that helps this thread.
    static HELP: Cell<Option<Arc<Shared>>> = const { Cell::new(None) };
}

/// Threads that help with loops: the thread that runs a loop does pieces of it, and so does each that is free.
///
/// ```
/// use ringwood_device::pool::{Pool, each};
///
/// let pool = Pool::new("adders", 4)?;
/// let mut sums = [0_u64; 100];
/// let add = |(i, sum): (usize, &mut u64)| *sum = (0..i as u64).sum();
/// pool.install(|| each(sums.iter_mut().enumerate(), add));
/// assert_eq!(sums[99], 4851);
/// # Ok::<(), ringwood_base::Error>(())
/// ```
///
/// A pool helps with one loop at a time. A thread that meets the pool at work does a piece of its loop alone, and
/// asks again. After a loop the threads of the pool look for the next one as long as [`linger`] does, and sleep
/// then. They end with the pool.
pub struct Pool {
    shared: Arc<Shared>,
    helpers: Vec<thread::JoinHandle<()>>,
}

struct Shared {
    threads: usize,
    /// Whether a loop has the pool.
    taken: AtomicBool,
    /// The loops that have begun; changes while the state is locked.
    begun: AtomicUsize,
    /// The threads that help with the loop; changes while the state is locked.
    inside: AtomicUsize,
    state: Mutex<State>,
    /// A loop has begun, or the pool ends.
    begin: Condvar,
    /// The last thread has left the loop.
    left: Condvar,
}

#[derive(Default)]
struct State {
    /// The loop, and how many more threads may help with it.
    work: Option<(&'static (dyn Fn() + Sync), usize)>,
    asleep: usize,
    /// What threads that helped have panicked with.
    panics: Vec<Box<dyn Any + Send>>,
    ended: bool,
}

impl Pool {
    /// A pool of `threads`, of which those that run loops are one; 0 are 1.
    ///
    /// # Errors
    /// The system starts no thread.
    pub fn new(name: &str, threads: usize) -> Result<Self> {
        let shared = Arc::new(Shared {
            threads: threads.max(1),
            taken: AtomicBool::new(false),
            begun: AtomicUsize::new(0),
            inside: AtomicUsize::new(0),
            state: Mutex::default(),
            begin: Condvar::new(),
            left: Condvar::new(),
        });
        let mut pool = Self { shared, helpers: Vec::new() };
        for i in 1..threads {
            let shared = Arc::clone(&pool.shared);
            let thread = thread::Builder::new().name(format!("{name} {i}"));
            pool.helpers.push(thread.spawn(move || shared.help()).map_err(|e| {
                Error::backend(format!("{name}: cannot start a thread")).because(e)
            })?);
        }
        Ok(pool)
    }

    /// Calls `work`, whose loops ([`each`]) the pool helps with.
    pub fn install<R>(&self, work: impl FnOnce() -> R) -> R {
        let _outside = Outside::leave(Some(Arc::clone(&self.shared)));
        work()
    }
}

impl Drop for Pool {
    fn drop(&mut self) {
        let mut state = self.shared.state();
        state.ended = true;
        self.shared.begun.fetch_add(1, Ordering::Release);
        drop(state);
        self.shared.begin.notify_all();
        for helper in self.helpers.drain(..) {
            helper.join().expect("panics of pieces are caught");
        }
    }
}

/// The threads that a loop begun here is shared by.
pub fn threads() -> usize {
    HELP.with(|help| {
        let pool = help.take();
        let threads = pool.as_ref().map_or(1, |pool| pool.threads);
        help.set(pool);
        threads
    })
}

/// Does each piece of work, on the threads of the pool that [`Pool::install`] names. Loops inside of a piece are
/// not shared; those of a single piece are.
///
/// # Panics
/// As a piece does, once no piece is under way any more.
pub fn each<W: Send>(
    work: impl IntoIterator<Item = W, IntoIter: ExactSizeIterator + Send>,
    run: impl Fn(W) + Sync,
) {
    let work = work.into_iter();
    let helpers = work.len().saturating_sub(1).min(threads() - 1);
    if helpers == 0 {
        return work.for_each(run);
    }
    let outside = Outside::leave(None);
    let pool = outside.0.as_ref().expect("a pool of several threads");
    let work = Mutex::new(work);
    let next = || work.lock().unwrap_or_else(PoisonError::into_inner).next();
    let rest = || {
        while let Some(piece) = next() {
            run(piece);
        }
    };
    while !pool.share(helpers, &rest) {
        match next() {
            Some(piece) => run(piece),
            None => return,
        }
    }
}

/// The pool that helped before, and will again.
struct Outside(Option<Arc<Shared>>);

impl Outside {
    fn leave(pool: Option<Arc<Shared>>) -> Self {
        Self(HELP.with(|help| help.replace(pool)))
    }
}

impl Drop for Outside {
    fn drop(&mut self) {
        HELP.with(|help| help.set(self.0.take()));
    }
}

impl Shared {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Calls `work` here, and on so many other threads as far as they come in time; not at all, and says so, while
    /// another loop has the pool.
    fn share(&self, helpers: usize, work: &(dyn Fn() + Sync)) -> bool {
        if self.taken.swap(true, Ordering::Acquire) {
            return false;
        }
        // SAFETY: other threads call `work` only while they are inside, which they enter while it is in the
        // state; before this returns, or unwinds, it is taken out and no thread is inside any more.
        let lent = unsafe { transmute::<&(dyn Fn() + Sync), &'static (dyn Fn() + Sync)>(work) };
        let mut state = self.state();
        state.work = Some((lent, helpers));
        self.begun.fetch_add(1, Ordering::Release);
        let asleep = state.asleep.min(helpers);
        drop(state);
        (0..asleep).for_each(|_| self.begin.notify_one());
        let own = catch_unwind(AssertUnwindSafe(work));
        self.state().work = None;
        let is_left = || (self.inside.load(Ordering::Acquire) == 0).then_some(());
        linger(Duration::MAX, is_left);
        let mut state = self.state();
        while is_left().is_none() {
            state = self.left.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
        let panics = take(&mut state.panics);
        drop(state);
        self.taken.store(false, Ordering::Release);
        match own.err().into_iter().chain(panics).next() {
            Some(panic) => resume_unwind(panic),
            None => true,
        }
    }

    /// What a thread of the pool does: helps with loops until the pool ends.
    fn help(&self) {
        processors::join_shared();
        let mut seen = 0;
        loop {
            linger(Duration::MAX, || (self.begun.load(Ordering::Acquire) != seen).then_some(()));
            let mut state = self.state();
            let work = loop {
                if state.ended {
                    return;
                }
                let begun = self.begun.load(Ordering::Relaxed);
                if let (true, Some((work, helpers @ 1..))) = (begun != seen, &mut state.work) {
                    (*helpers, seen) = (*helpers - 1, begun);
                    self.inside.fetch_add(1, Ordering::Relaxed);
                    break *work;
                }
                seen = begun;
                state.asleep += 1;
                state = self.begin.wait(state).unwrap_or_else(PoisonError::into_inner);
                state.asleep -= 1;
            };
            drop(state);
            let outcome = catch_unwind(AssertUnwindSafe(work));
            let mut state = self.state();
            state.panics.extend(outcome.err());
            // The last use of `work` comes before whoever waits sees that nobody is inside.
            if self.inside.fetch_sub(1, Ordering::Release) == 1 {
                self.left.notify_one();
            }
        }
    }
}
