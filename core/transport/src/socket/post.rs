//! What a peer says of messages between two ranks: offered, asked for, sent and taken.

use super::frame::{Head, Kind};
use super::pool::Message;
use crate::message::Elements;

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

/// The frame that says this of elements.
pub(super) fn head(kind: Kind, Elements { dtype, bytes }: Elements) -> Head {
    Head { channel: dtype as u16, word: bytes as u64, ..Head::new(kind, 0, 0) }
}

#[cfg(test)]
mod tests;
