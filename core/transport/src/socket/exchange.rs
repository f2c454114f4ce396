//! Messages between two ranks, outside of calls.

use super::frame::{Head, Kind};
use super::inbox::{End, Inbox};
use super::links::Links;
use super::post::{Post, Sending, head};
use crate::message::{Elements, Waiting, mismatch};
use ringwood_base::{DType, Result};
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
        let waiting = self.waiting;
        self.links.flush(self.deadline, |links, died| {
            let n = links.rank.group_size();
            links.raise(match died {
                Some(other) => waiting.lost(other, n, End::Died),
                None => waiting.missed(peer, n),
            })
        })?;
        if fits { Ok(()) } else { Err(mismatch((peer, offered), (own, asked))) }
    }

    /// Waits for something that the peer says.
    fn wait<T>(&mut self, mut done: impl FnMut(&mut Post) -> Option<T>) -> Result<T> {
        let (peer, waiting) = (self.peer, self.waiting);
        let done = |inbox: &mut Inbox| done(&mut inbox.post);
        self.links.wait_for(peer, self.deadline, done, |links, end| {
            let n = links.rank.group_size();
            links.raise(match end {
                Some(end) => waiting.lost(peer, n, end),
                None => waiting.missed(peer, n),
            })
        })
    }
}
