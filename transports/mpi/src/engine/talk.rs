//! Words between processes outside of groups: greetings and farewells.

use super::nodes::Words;
use super::transfer::Transfer;
use super::{Engine, FAREWELL};
use crate::watch::PATIENCE;
use ringwood_base::Result;
use std::ffi::c_int;
use std::thread;
use std::time::{Duration, Instant};

/// Between looks.
const PAUSE: Duration = Duration::from_micros(50);

impl Engine {
    /// What every process tells all others, by rank: each calls this, and where one does not, the process ends.
    pub(crate) fn tell_all(&self, own: &Words) -> Result<Vec<Words>> {
        let mut all = vec![[0; size_of::<Words>()]; self.size];
        let _bound = self.watch.bound("MPI_Allgather", PATIENCE, None);
        let _state = self.state()?;
        let (byte, bytes) = (self.library.abi.byte, own.len() as c_int);
        let (from, to) = (own.as_ptr().cast(), all.as_mut_ptr().cast());
        // SAFETY: as in `send`; there is room for as many bytes of every process, and all give as many.
        unsafe { self.library.all_gather(from, bytes, byte, to, bytes, byte, self.comm)? };
        Ok(all)
    }

    /// Waits for a message of `source` with this tag; `None` after the deadline.
    pub(crate) fn hear(
        &self,
        source: Option<c_int>,
        tag: c_int,
        deadline: Instant,
    ) -> Result<Option<(c_int, Vec<u8>)>> {
        self.hear_while(source, tag, || Instant::now() < deadline)
    }

    /// As [`Engine::hear`], for as long as `waits` says so.
    pub(crate) fn hear_while(
        &self,
        source: Option<c_int>,
        tag: c_int,
        waits: impl Fn() -> bool,
    ) -> Result<Option<(c_int, Vec<u8>)>> {
        let mut transfer: Option<(c_int, Transfer)> = None;
        loop {
            self.progress()?;
            if transfer.is_none() {
                let taken = self.take(source, Some(tag))?;
                transfer = taken.map(|(envelope, transfer)| (envelope.source, transfer));
            }
            if let Some((source, transfer)) = &mut transfer
                && self.is_done(transfer)?
            {
                return Ok(Some((*source, transfer.bytes().to_vec())));
            }
            if !waits() {
                return Ok(None);
            }
            thread::sleep(PAUSE);
        }
    }

    /// Says farewell to all and waits for theirs, taking whatever else comes; the ranks that did not
    /// say theirs in time, or took not all that was sent to them.
    pub(crate) fn farewell(&self, deadline: Instant) -> Result<Vec<usize>> {
        let mut here = vec![false; self.size];
        for rank in 0..self.size {
            self.send((rank as c_int, FAREWELL), std::iter::empty(), None)?;
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
                return Ok(if absent.is_empty() && left > 0 {
                    (0..self.size).collect()
                } else {
                    absent
                });
            }
            thread::sleep(PAUSE);
        }
    }
}
