//! Messages between two ranks, outside of calls.

use super::frame::{Head, Kind};
use super::links::Links;
use super::post::{Post, Sending, head};
use crate::flight;
use crate::message::{Elements, Waiting, mismatch};
use ringwood_base::{DType, Error, Result};
use std::time::Instant;

/// One side of a message in progress.
pub(super) struct Exchange<'a> {
    pub(super) links: &'a mut Links,
    pub(super) peer: usize,
    pub(super) deadline: Instant,
    pub(super) waiting: Waiting,
}

impl Exchange<'_> {
    /// # Errors
    /// See [`Endpoint::send`](crate::Endpoint::send).
    pub(super) fn send(&mut self, data: &[u8], dtype: DType) -> Result<()> {
        self.links.check()?;
        let (own, peer) = (self.links.rank.index(), self.peer);
        let offered = Elements { dtype, bytes: data.len() };
        self.links.inbox(peer).post.sending = Some(Sending::Offered);
        self.links.out.send(peer, &head(Kind::Offer, offered), &[]);
        let asked = self.wait(|post| match post.sending {
            Some(Sending::Asked(asked)) => Some(asked),
            _ => None,
        })?;
        if asked == offered {
            self.links.out.send(peer, &Head::new(Kind::Message, 0, data.len()), data);
            self.wait(|post| (post.sending == Some(Sending::Taken)).then_some(()))?;
        }
        self.links.inbox(peer).post.sending = None;
        if asked == offered { Ok(()) } else { Err(mismatch((own, offered), (peer, asked))) }
    }

    /// # Errors
    /// See [`Endpoint::recv`](crate::Endpoint::recv).
    pub(super) fn recv(&mut self, data: &mut [u8], dtype: DType) -> Result<()> {
        self.links.check()?;
        let (own, peer) = (self.links.rank.index(), self.peer);
        let asked = Elements { dtype, bytes: data.len() };
        let offered = self.wait(|post| post.offered.take())?;
        let fits = asked == offered;
        self.links.inbox(peer).post.expected = fits.then_some(asked.bytes);
        self.links.out.send(peer, &head(Kind::Ask, asked), &[]);
        if fits {
            let message = self.wait(|post| post.message.take())?;
            data.copy_from_slice(message.bytes());
            self.links.give(message);
            self.links.out.send(peer, &Head::new(Kind::Taken, 0, 0), &[]);
        }
        // The sender waits for the last word, and this rank may not come back here for long.
        let flushed = self.links.flush(self.deadline)?;
        flushed.ok_or_else(|| self.missed())?;
        if fits { Ok(()) } else { Err(mismatch((peer, offered), (own, asked))) }
    }

    /// Waits for something that the peer says.
    fn wait<T>(&mut self, mut done: impl FnMut(&mut Post) -> Option<T>) -> Result<T> {
        let peer = self.peer;
        flight::waits_for(peer);
        let outcome = self.links.wait(self.deadline, |links| {
            let inbox = links.inbox(peer);
            done(&mut inbox.post).map(Ok).or_else(|| inbox.end.map(Err))
        })?;
        match outcome {
            Some(Ok(value)) => {
                flight::waited();
                Ok(value)
            }
            Some(Err(end)) => {
                let n = self.links.rank.group_size();
                Err(self.links.raise(self.waiting.lost(peer, n, end)))
            }
            None => Err(self.missed()),
        }
    }

    fn missed(&mut self) -> Error {
        let n = self.links.rank.group_size();
        self.links.raise(self.waiting.missed(self.peer, n))
    }
}
