//! Messages between two ranks: offered, asked for, sent and taken.

use super::frame::{Head, Kind};
use super::inbox::Message;
use super::links::Links;
use crate::flight;
use crate::message::{Elements, Waiting, mismatch};
use ringwood_base::{DType, Error, Result};
use std::time::Instant;

/// What a peer says of messages to and from this rank. Nothing is sent before its receiver has asked
/// for it, so what comes in has the length that this rank expects.
#[derive(Default)]
pub(super) struct Post {
    /// The message that the peer waits with.
    pub(super) offered: Option<Elements>,
    /// How far the message is that this rank has offered to the peer, if it has.
    pub(super) sending: Option<Sending>,
    /// The bytes that this rank asked for.
    pub(super) expected: Option<usize>,
    pub(super) message: Option<Message>,
}

/// How far a message is that this rank has offered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sending {
    Offered,
    Asked(Elements),
    Taken,
}

impl Post {
    /// The bytes that follow a head, if it may come now.
    pub(super) fn check(&mut self, head: &Head) -> Option<usize> {
        match head.kind {
            Kind::Offer => elements(head).filter(|_| self.offered.is_none()).map(|_| 0),
            Kind::Ask => {
                elements(head).filter(|_| self.sending == Some(Sending::Offered)).map(|_| 0)
            }
            Kind::Message => self.expected.take(),
            Kind::Taken => matches!(self.sending, Some(Sending::Asked(_))).then_some(0),
            _ => None,
        }
    }

    /// Takes note of a frame without bytes that was checked.
    pub(super) fn note(&mut self, head: &Head) {
        match head.kind {
            Kind::Offer => self.offered = elements(head),
            Kind::Ask => self.sending = elements(head).map(Sending::Asked),
            _ => self.sending = Some(Sending::Taken),
        }
    }
}

fn elements(head: &Head) -> Option<Elements> {
    Elements::named(head.channel.into(), head.word)
}

fn head(kind: Kind, Elements { dtype, bytes }: Elements) -> Head {
    Head { channel: dtype as u16, word: bytes as u64, ..Head::new(kind, 0, 0) }
}

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

#[cfg(test)]
mod tests;
