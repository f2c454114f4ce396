//! Words between processes outside of groups: greetings and farewells.

use super::transfer::Envelope;
use super::{Engine, FAREWELL};
use crate::watch::PATIENCE;
use ringwood_base::{Error, Result};
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::ffi::c_int;
use std::thread;
use std::time::{Duration, Instant};

/// The bytes that each process tells all others: room for what it says.
const TOLD: usize = 256;

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
    pub(crate) fn tell_all<T: Serialize + DeserializeOwned>(&self, own: &T) -> Result<Vec<T>> {
        let mut text = serde_json::to_vec(own).unwrap_or_default();
        text.resize(TOLD.max(text.len()), b' ');
        let mut all = vec![0_u8; TOLD * self.size];
        let _bound = self.watch.bound("MPI_Allgather", PATIENCE, None);
        let _state = self.state()?;
        let (byte, bytes) = (self.library.abi.byte, TOLD as c_int);
        let (from, to) = (text.as_ptr().cast(), all.as_mut_ptr().cast());
        // SAFETY: as in `send`; there is room for as many bytes of every process, and all give as many.
        unsafe { self.library.all_gather(from, bytes, byte, to, bytes, byte, self.comm)? };
        let told = all.chunks(TOLD).zip(0..);
        told.map(|(text, process)| read(process, text)).collect()
    }

    /// Says a value to a process, by a tag.
    pub(crate) fn say<T: Serialize>(&self, to: (c_int, c_int), value: &T) -> Result<()> {
        let text = serde_json::to_vec(value)
            .map_err(|cause| Error::protocol("a message is not JSON").because(cause))?;
        self.send(to, &[&text], None)
    }

    /// The next value that `source`, `None` for any process, says by this tag; `None` when `again`, which waits
    /// between two looks, gives up, or the word is empty.
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
                begun = self.take(source, Some(tag))?;
            }
            if let Some((Envelope { source, .. }, transfer)) = &mut begun
                && self.is_done(transfer)?
            {
                // Nothing is no word: the other side says no more.
                let bytes = transfer.bytes();
                return (!bytes.is_empty()).then(|| read(*source, bytes)).transpose();
            }
            if !again() {
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
            while let Some((envelope, _)) = self.take(None, None)? {
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

fn read<T: DeserializeOwned>(process: c_int, text: &[u8]) -> Result<T> {
    serde_json::from_slice(text).map_err(|cause| {
        let message = format!("process {process} says what no rank of a group says");
        Error::protocol(message).because(cause)
    })
}
