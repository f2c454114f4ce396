//! Buffers that change hands inside a process, without a copy, whichever side comes first.
//!
//! ```
//! use ringwood_collective::executor::InstanceId;
//! use ringwood_collective::rendezvous::{Key, Rendezvous};
//! use std::time::Duration;
//!
//! let rendezvous = Rendezvous::new();
//! let instance = InstanceId { group: 1, step: 0, key: 9 };
//! let key = Key { instance, producer: 0, consumer: 1, part: 0 };
//! let provided = rendezvous.provide(key, vec![1.0_f32, 2.0]);
//! let mut lent = rendezvous.consume(key).wait(Duration::from_secs(5))?;
//! lent[0] = 7.0;
//! drop(lent);
//! let finished = provided.finish(Duration::from_secs(5)).expect("it was read");
//! assert_eq!(finished.buffer, Some(vec![7.0, 2.0]));
//! # Ok::<(), ringwood_base::Error>(())
//! ```

mod consumer;
mod producer;

pub use consumer::{Consumer, Lent};
pub use producer::Provided;

use super::executor::{Finished, InstanceId};
use super::promise::Promise;
use ringwood_base::sync::{Mutex, MutexGuard};
use ringwood_base::{Error, ErrorKind, Result};
use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::fmt;
use std::sync::{Arc, PoisonError};

/// Where two ranks meet: free again once they have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Key {
    /// The instance that the buffer belongs to, with its group and step.
    pub instance: InstanceId,
    /// The rank that provides the buffer.
    pub producer: usize,
    /// The rank that consumes it.
    pub consumer: usize,
    /// Which of the buffers that pass between these two, as a chunk or a pass.
    pub part: u64,
}

impl fmt::Display for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Key { instance, producer, consumer, part } = self;
        write!(f, "part {part} of {instance} from rank {producer} to rank {consumer}")
    }
}

/// A place where the ranks of a process hand each other buffers of type `B`.
///
/// A failure is raised with [`abort`](Rendezvous::abort): whoever waits gets it, and whoever comes
/// later; the first one sticks. Dropping the rendezvous fails whoever waits. Equivalent to
/// TensorFlow's `BufRendezvous`.
pub struct Rendezvous<B> {
    table: Arc<Table<B>>,
}

/// How a hand-over ends for the producer: the buffer comes back unless the consumer keeps it.
type Return<B> = Arc<Promise<Finished<Option<B>>>>;
type Arrival<B> = Arc<Promise<Result<Lent<B>>>>;

struct Table<B> {
    state: Mutex<State<B>>,
}

struct State<B> {
    waiting: HashMap<Key, Side<B>>,
    failure: Option<Error>,
}

/// The side that came first.
enum Side<B> {
    Producer(B, Return<B>),
    Consumer(Arrival<B>),
}

impl<B> Rendezvous<B> {
    /// A place where nobody waits.
    pub fn new() -> Self {
        let state = State { waiting: HashMap::new(), failure: None };
        Self { table: Arc::new(Table { state: Mutex::new(state) }) }
    }

    /// Hands a buffer over to who consumes under this key. The handle ends when the consumer is done
    /// with it; or at once, with the buffer, when somebody has provided under this key and not been
    /// met yet ([`ErrorKind::Duplicate`], the earlier one is not disturbed) or after an abort.
    pub fn provide(&self, key: Key, buffer: B) -> Provided<B> {
        let back = Return::default();
        let provided = Provided::new(key, Arc::clone(&back), Arc::clone(&self.table));
        let mut state = self.table.lock();
        if let Some(error) = &state.failure {
            let error = error.clone();
            drop(state);
            give_back(&back, Some(buffer), Err(error));
            return provided;
        }
        match state.waiting.entry(key) {
            Entry::Vacant(entry) => {
                entry.insert(Side::Producer(buffer, back));
            }
            Entry::Occupied(entry) if matches!(entry.get(), Side::Producer(..)) => {
                drop(state);
                give_back(&back, Some(buffer), Err(twice(key, "provided")));
            }
            Entry::Occupied(entry) => {
                let met = entry.remove();
                drop(state);
                if let Side::Consumer(arrival) = met {
                    arrival.keep(Ok(Lent::new(buffer, back)));
                }
            }
        }
        provided
    }

    /// Asks for the buffer that is provided under this key.
    ///
    /// The handle fails at once when somebody else asks for it and has not been met yet
    /// ([`ErrorKind::Duplicate`]) or after an abort.
    pub fn consume(&self, key: Key) -> Consumer<B> {
        let arrival = Arrival::default();
        let consumer = Consumer::new(key, Arc::clone(&arrival), Arc::clone(&self.table));
        let mut state = self.table.lock();
        if let Some(error) = &state.failure {
            arrival.keep(Err(error.clone()));
            return consumer;
        }
        match state.waiting.entry(key) {
            Entry::Vacant(entry) => {
                entry.insert(Side::Consumer(arrival));
            }
            Entry::Occupied(entry) if matches!(entry.get(), Side::Consumer(_)) => {
                arrival.keep(Err(twice(key, "consumed")));
            }
            Entry::Occupied(entry) => {
                if let Side::Producer(buffer, back) = entry.remove() {
                    arrival.keep(Ok(Lent::new(buffer, back)));
                }
            }
        }
        consumer
    }

    /// Fails whoever waits and whoever comes later, unless an earlier failure sticks; hand-overs
    /// that have begun are not disturbed.
    pub fn abort(&self, error: Error) {
        self.table.abort(error);
    }
}

impl<B> Default for Rendezvous<B> {
    fn default() -> Self {
        Self::new()
    }
}

impl<B> Drop for Rendezvous<B> {
    fn drop(&mut self) {
        self.table.abort(Error::new(ErrorKind::Aborted, "the rendezvous was dropped"));
    }
}

impl<B> Table<B> {
    fn lock(&self) -> MutexGuard<'_, State<B>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn abort(&self, error: Error) {
        let mut state = self.lock();
        let error = state.failure.get_or_insert(error).clone();
        let waiting = std::mem::take(&mut state.waiting);
        drop(state);
        for side in waiting.into_values() {
            side.end(error.clone());
        }
    }

    /// Takes back what `mine` recognises as its own, unless it was met.
    fn withdraw(&self, key: Key, mine: impl FnOnce(&Side<B>) -> bool) -> Option<Side<B>> {
        let mut state = self.lock();
        if !mine(state.waiting.get(&key)?) {
            return None;
        }
        state.waiting.remove(&key)
    }
}

impl<B> Side<B> {
    fn end(self, error: Error) {
        match self {
            Side::Producer(buffer, back) => give_back(&back, Some(buffer), Err(error)),
            Side::Consumer(arrival) => arrival.keep(Err(error)),
        }
    }
}

fn give_back<B>(back: &Return<B>, buffer: Option<B>, result: Result<()>) {
    back.keep(Finished { buffer, result });
}

fn twice(key: Key, what: &str) -> Error {
    Error::new(ErrorKind::Duplicate, format!("{key} is {what} twice"))
        .help("use another part for each buffer that is under way")
}
