//! The flight recorder: the last operations of every rank, in memory that another process can read
//! while a rank waits, is stopped, or has died. Equivalent to PyTorch's Flight Recorder.
//!
//! A thread that is a rank [`install`]s its ring; from then on calls of the engine on this thread are
//! recorded, whatever group or transport they use. A thread without one pays for a look at a thread local.

mod slot;
mod snapshot;
mod writer;

pub use slot::Kind;
pub use snapshot::{Entry, Recorded, Snapshot};
pub use writer::{Open, begin, begin_call, end_call, install, place, waited, waits_for};

use crate::Slab;
#[cfg(target_os = "linux")]
use crate::{Map, SHARED};
use ringwood_base::{Error, Result};
use slot::{Ring, now};
#[cfg(target_os = "linux")]
use std::hash::{BuildHasher, RandomState};
#[cfg(target_os = "linux")]
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// The memory of a flight recorder: a ring for each rank of a session.
pub struct Flight {
    head: Slab<Head>,
    rings: Slab<Ring>,
    /// Where other processes of this user find it; empty where memory is not shared.
    path: String,
}

/// First in the memory. All of it is atomics, whatever they hold.
#[derive(Default)]
#[repr(C, align(128))]
struct Head {
    magic: AtomicU64,
    ranks: AtomicU64,
    /// Tells it from all others, on any machine.
    key: AtomicU64,
    /// When the recorded ranks failed or ended, on the clock of [`now`]; 0 before.
    closed: AtomicU64,
}

/// The memory is of this format, and its parts have the sizes that this build gives them.
const MAGIC: u64 = u64::from_be_bytes(*b"RwFlight") ^ (size_of::<Ring>() as u64) << 8;

#[cfg(target_os = "linux")]
const NAME: &std::ffi::CStr = c"ringwood-flight";

impl Flight {
    /// New, for `ranks` ranks; owned by this user alone, and gone with the processes that use it.
    ///
    /// # Errors
    /// The system does not give so much memory.
    #[cfg(target_os = "linux")]
    pub fn create(ranks: usize) -> Result<Arc<Self>> {
        let bytes = bytes(ranks).ok_or_else(|| {
            Error::out_of_memory(format!("a flight recorder of {ranks} ranks is too large"))
        })?;
        let map = Arc::new(Map::named(NAME, bytes)?);
        let path = map.path().display().to_string();
        // SAFETY: the map has the bytes of so many ranks, all 0, begins at a page, and is kept.
        let flight = unsafe { Self::at(map, ranks, path) };
        flight.head[0].ranks.store(ranks as u64, Ordering::Relaxed);
        let key = RandomState::new().hash_one(&flight.path);
        flight.head[0].key.store(key, Ordering::Relaxed);
        flight.head[0].magic.store(MAGIC, Ordering::Release);
        Ok(Arc::new(flight))
    }

    /// New, for `ranks` ranks of this process.
    ///
    /// # Errors
    /// None.
    #[cfg(not(target_os = "linux"))]
    pub fn create(ranks: usize) -> Result<Arc<Self>> {
        let rings = Slab::owned((0..ranks).map(|_| Ring::default()).collect());
        let head = Slab::owned(vec![Head::default()]);
        Ok(Arc::new(Self { head, rings, path: String::new() }))
    }

    /// The one at `path`, the [`Flight::path`] of a process of this user.
    ///
    /// # Errors
    /// There is none, or it is of another version.
    #[cfg(target_os = "linux")]
    pub fn open(path: &str) -> Result<Arc<Self>> {
        let map = Arc::new(Map::open(Path::new(path))?);
        let wrong = || {
            Error::protocol(format!("`{path}` is no flight recorder of this version of Ringwood"))
        };
        if map.bytes() < size_of::<Head>() {
            return Err(wrong());
        }
        // SAFETY: the map has at least the bytes of a head, begins at a page, and is kept.
        let head: Slab<Head> = unsafe { Slab::at(map.base(), 1, Arc::clone(&map)) };
        let ranks = head[0].ranks.load(Ordering::Acquire) as usize;
        if head[0].magic.load(Ordering::Acquire) != MAGIC || bytes(ranks) != Some(map.bytes()) {
            return Err(wrong());
        }
        // SAFETY: the map has the bytes of so many ranks, begins at a page, and is kept.
        Ok(Arc::new(unsafe { Self::at(map, ranks, path.to_owned()) }))
    }

    /// # Safety
    /// `map` has the [`bytes`] of `ranks` ranks, and begins at a page.
    #[cfg(target_os = "linux")]
    unsafe fn at(map: Arc<Map>, ranks: usize, path: String) -> Self {
        // SAFETY: head and rings follow each other inside of the map; both are atomics, valid whatever
        // they hold, and the size of the head keeps the rings aligned.
        unsafe {
            let head = Slab::at(map.base(), 1, Arc::clone(&map));
            let rings = Slab::at(map.base().add(size_of::<Head>()), ranks, map);
            Self { head, rings, path }
        }
    }

    /// Those of the sessions that a process of this user runs, or works for.
    ///
    /// # Errors
    /// No such process, or it is another user's; it has none.
    #[cfg(target_os = "linux")]
    pub fn of_process(process: u32) -> Result<Vec<Arc<Self>>> {
        let folder = format!("/proc/{process}/fd");
        let files = std::fs::read_dir(&folder).map_err(|cause| {
            Error::not_found(format!("cannot see the files of process {process}"))
                .because(cause)
                .help("give the number of a process of this user that runs a session")
        })?;
        let prefix = format!("/{SHARED}{}", NAME.to_string_lossy());
        let is_one = |path: &std::path::PathBuf| {
            std::fs::read_link(path).is_ok_and(|l| l.to_string_lossy().starts_with(&prefix))
        };
        let mut paths: Vec<_> = files.flatten().map(|f| f.path()).filter(is_one).collect();
        paths.sort();
        if paths.is_empty() {
            return Err(Error::not_found(format!("process {process} is in no session"))
                .help("give the number of a controller, a worker, or a rank of several that has called `init`"));
        }
        // One that is being made is none yet.
        let (mut found, mut wrong) = (Vec::new(), None);
        for path in paths {
            match Self::open(&path.display().to_string()) {
                Ok(flight) => found.push(flight),
                Err(error) => wrong = wrong.or(Some(error)),
            }
        }
        wrong.filter(|_| found.is_empty()).map_or(Ok(found), Err)
    }

    /// Those of a process: for Linux alone.
    ///
    /// # Errors
    /// This is no Linux.
    #[cfg(not(target_os = "linux"))]
    pub fn of_process(process: u32) -> Result<Vec<Arc<Self>>> {
        let message = format!("process {process} shows no session: only on Linux one does");
        Err(Error::unsupported(message))
    }

    /// What [`Flight::join`] takes, as long as this process holds it.
    pub fn address(&self) -> String {
        format!("{}#{}", self.path, self.head[0].key.load(Ordering::Relaxed))
    }

    /// The one with this [`Flight::address`], of a process of this user on this machine.
    ///
    /// # Errors
    /// There is none: it is on another machine.
    #[cfg(target_os = "linux")]
    pub fn join(address: &str) -> Result<Arc<Self>> {
        let (path, _) = address.split_once('#').unwrap_or((address, ""));
        let flight = Self::open(path)?;
        if flight.address() == address {
            return Ok(flight);
        }
        Err(Error::not_found(format!("`{path}` is another flight recorder than the one asked for")))
    }

    /// Where other processes of this user find it, as long as this process holds it.
    pub fn path(&self) -> &str {
        &self.path
    }

    /// Notes that the ranks have failed or ended: times are told as they were then.
    pub fn close(&self) {
        let _ =
            self.head[0].closed.compare_exchange(0, now(), Ordering::Relaxed, Ordering::Relaxed);
    }

    /// The call that a rank runs.
    pub fn call(&self, rank: usize) -> Option<Entry> {
        snapshot::call(&self.rings[rank], now())
    }

    /// What is recorded now.
    pub fn snapshot(&self) -> Snapshot {
        let closed = self.head[0].closed.load(Ordering::Relaxed);
        Snapshot::new(&self.rings, if closed > 0 { closed } else { now() })
    }
}

#[cfg(target_os = "linux")]
fn bytes(ranks: usize) -> Option<usize> {
    ranks.checked_mul(size_of::<Ring>())?.checked_add(size_of::<Head>())
}

#[cfg(test)]
mod tests;
