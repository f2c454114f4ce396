//! Words between processes outside of groups: greetings and farewells.

use super::transfer::Envelope;
use super::{Engine, FAREWELL, MOST};
use crate::watch::PATIENCE;
use ringwood_base::{Error, Result};
use ringwood_transport::list_ranks;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use std::collections::BTreeMap;
use std::ffi::c_int;
use std::sync::Arc;
use std::sync::atomic::AtomicUsize;
use std::thread;
use std::time::{Duration, Instant};

/// The bytes that each process tells all others: room for what it says.
const TOLD: usize = 256;
/// The longest word: where all ranks sit, of half a million.
const LONGEST: usize = 16 << 20;
/// How long a word that has begun to come is waited for at least: nobody else would hear it.
const COMING: Duration = Duration::from_secs(1);
/// Processes of another version may mean something else by what they say.
const VERSION: &str = env!("CARGO_PKG_VERSION");

/// The time between looks at what has come: short at first, longer while nothing does.
#[derive(Default)]
pub(crate) struct Pause(u32);

impl Pause {
    /// Something has come.
    pub(crate) fn reset(&mut self) {
        self.0 = 0;
    }

    pub(crate) fn wait(&mut self) {
        self.0 = (self.0 + 1).min(60);
        match self.0 {
            ..20 => thread::yield_now(),
            looks => thread::sleep(Duration::from_micros(25 << ((looks - 20) / 8))),
        }
    }

    /// For [`Engine::hear`] until a time.
    pub(crate) fn until(end: Instant) -> impl FnMut() -> bool {
        let mut pause = Self::default();
        move || {
            pause.wait();
            Instant::now() < end
        }
    }
}

impl Engine {
    /// What every process tells all others, by rank: each calls this, and where one does not, the process ends.
    ///
    /// # Errors
    /// They run different versions.
    pub(crate) fn tell_all<T: Serialize + DeserializeOwned>(&self, own: &T) -> Result<Vec<T>> {
        let mut text = serde_json::to_vec(&(VERSION, own)).unwrap_or_default();
        text.resize(TOLD.max(text.len()), b' ');
        let mut all = vec![0_u8; TOLD * self.size];
        let _bound = self.watch.bound("MPI_Allgather", PATIENCE, None);
        let _state = self.state()?;
        let (byte, bytes) = (self.library.abi.byte, TOLD as c_int);
        let (from, to) = (text.as_ptr().cast(), all.as_mut_ptr().cast());
        // SAFETY: as in `send`; there is room for as many bytes of every process, and all give as many.
        unsafe { self.library.all_gather(from, bytes, byte, to, bytes, byte, self.comm)? };
        of_one_version(all.chunks(TOLD))
    }

    /// Says a value to a process, by a tag. `counted` counts its bytes until they are on their way.
    ///
    /// # Errors
    /// It is too long, or MPI reports a failure.
    pub(crate) fn say<T: Serialize>(
        &self,
        to: (c_int, c_int),
        value: &T,
        counted: Option<Arc<AtomicUsize>>,
    ) -> Result<()> {
        let text = serde_json::to_vec(value)
            .map_err(|cause| Error::protocol("a message is not JSON").because(cause))?;
        if text.len() > LONGEST {
            let message = format!("a message of {} bytes exceeds {LONGEST}", text.len());
            return Err(Error::invalid(message));
        }
        self.send(to, &[&text], counted)
    }

    /// The next value that `source`, `None` for any process, says by this tag; `None` when `again`, which waits
    /// between two looks, gives up before one has begun to come, or the word is empty.
    ///
    /// # Errors
    /// It is none of a group's words.
    pub(crate) fn hear<T: DeserializeOwned>(
        &self,
        source: Option<c_int>,
        tag: c_int,
        mut again: impl FnMut() -> bool,
    ) -> Result<Option<T>> {
        let mut begun = None;
        loop {
            self.progress()?;
            if begun.is_none() {
                begun = self.take(source, Some(tag), LONGEST)?.zip(Some(Instant::now()));
            }
            if let Some(((Envelope { source, .. }, transfer), _)) = &mut begun
                && self.is_done(transfer)?
            {
                // Nothing is no word: the other side says no more.
                let bytes = transfer.bytes();
                return (!bytes.is_empty()).then(|| read(*source, bytes)).transpose();
            }
            let comes = begun.as_ref().is_some_and(|(_, since)| since.elapsed() < COMING);
            if !again() && !comes {
                return Ok(None);
            }
        }
    }

    /// Says farewell to all and waits for theirs, taking whatever else comes; the ranks that did not
    /// say theirs in time, or took not all that was sent to them.
    pub(crate) fn farewell(&self, deadline: Instant) -> Result<Vec<usize>> {
        let (mut here, mut pause) = (vec![false; self.size], Pause::default());
        for rank in 0..self.size {
            self.send((rank as c_int, FAREWELL), &[], None)?;
        }
        loop {
            // Nobody reads what comes, and the engine keeps it until it has come.
            while let Some((envelope, _)) = self.take(None, None, MOST)? {
                if let (FAREWELL, Some(one)) =
                    (envelope.tag, here.get_mut(envelope.source as usize))
                {
                    *one = true;
                }
            }
            self.progress()?;
            let absent: Vec<usize> = (0..self.size).filter(|&rank| !here[rank]).collect();
            let left = self.state()?.pending.len();
            if (absent.is_empty() && left == 0) || Instant::now() >= deadline {
                let all = absent.is_empty() && left > 0;
                return Ok(if all { (0..self.size).collect() } else { absent });
            }
            pause.wait();
        }
    }
}

/// What processes have told, by rank.
fn of_one_version<'a, T: DeserializeOwned>(told: impl Iterator<Item = &'a [u8]>) -> Result<Vec<T>> {
    let texts = told.zip(0..).map(|(text, process)| read::<(String, Value)>(process, text));
    let texts: Vec<_> = texts.collect::<Result<_>>()?;
    let mut versions = BTreeMap::<_, Vec<usize>>::new();
    for (process, (version, _)) in texts.iter().enumerate() {
        versions.entry(version).or_default().push(process);
    }
    if versions.len() > 1 {
        let one = |(version, ranks): (&&String, &Vec<usize>)| {
            format!("version {version} on {}", list_ranks(ranks))
        };
        let all: Vec<_> = versions.iter().map(one).collect();
        let message = format!("the processes of MPI run different Ringwood: {}", all.join(", "));
        return Err(Error::mismatch(message).help("run one build of the program on all ranks"));
    }
    let values = texts.into_iter().map(|(_, value)| value).zip(0..);
    values.map(|(value, process)| T::deserialize(value).map_err(strange(process))).collect()
}

fn read<T: DeserializeOwned>(process: c_int, text: &[u8]) -> Result<T> {
    serde_json::from_slice(text).map_err(strange(process))
}

fn strange(process: c_int) -> impl Fn(serde_json::Error) -> Error {
    let message = format!("process {process} says what no rank of a group says");
    move |cause| Error::protocol(message.clone()).because(cause)
}

#[cfg(test)]
mod tests;
