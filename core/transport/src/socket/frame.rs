//! The unit of what ranks tell each other: a head of fixed size, then as many bytes as it says.

use bytemuck::CheckedBitPattern;
use bytemuck::checked::try_cast;

/// The longest text.
pub(super) const TEXT: usize = 1 << 20;

/// What a frame is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, CheckedBitPattern)]
#[repr(u8)]
pub(super) enum Kind {
    /// Who connects.
    Hello = 1,
    /// Where everyone listens.
    Table,
    /// Why a connection is not taken.
    Reject,
    /// The sender has come to a call; the word is the digest of what it calls.
    Arrive,
    /// The sender has come to a call that it cannot make.
    Refuse,
    /// What the sender calls, in full, or why it cannot.
    Words,
    /// The bytes of a message.
    Data,
    /// All earlier steps of the sender are done.
    Signal,
    /// The sender has come to a barrier of its schedule.
    Barrier,
    /// The group has failed.
    Failure,
    /// The sender leaves the group.
    Leave,
    /// The sender has a message for this rank: the channel is the type of its elements, the word
    /// their bytes.
    Offer,
    /// The elements that the sender receives, told likewise.
    Ask,
    /// The bytes of a message that was asked for.
    Message,
    /// The sender has the message.
    Taken,
}

/// The head of a frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Head {
    pub(super) kind: Kind,
    /// The channel of what a schedule sends or signals; for offers the type of elements.
    pub(super) channel: u16,
    /// The call that it belongs to.
    pub(super) call: u64,
    /// The digest of an arrival; the bytes of an offer.
    pub(super) word: u64,
    /// The bytes that follow.
    pub(super) length: u64,
}

/// The bytes of a head.
pub(super) const HEAD: usize = 32;

/// First in every head, with the version of the format last.
const MAGIC: [u8; 4] = *b"RwS1";

impl Head {
    pub(super) const fn new(kind: Kind, call: u64, length: usize) -> Self {
        Self { kind, channel: 0, call, word: 0, length: length as u64 }
    }

    /// The head as bytes, little end first.
    pub(super) fn encode(&self) -> [u8; HEAD] {
        let mut bytes = [0; HEAD];
        bytes[..4].copy_from_slice(&MAGIC);
        bytes[4] = self.kind as u8;
        bytes[6..8].copy_from_slice(&self.channel.to_le_bytes());
        bytes[8..16].copy_from_slice(&self.call.to_le_bytes());
        bytes[16..24].copy_from_slice(&self.word.to_le_bytes());
        bytes[24..].copy_from_slice(&self.length.to_le_bytes());
        bytes
    }

    /// The head in these bytes; `None` if they are none.
    pub(super) fn decode(bytes: &[u8; HEAD]) -> Option<Self> {
        let word = |at: usize| u64::from_le_bytes(bytes[at..at + 8].try_into().expect("8 bytes"));
        let kind = try_cast(bytes[4]).ok()?;
        let head = Self {
            kind,
            channel: u16::from_le_bytes([bytes[6], bytes[7]]),
            call: word(8),
            word: word(16),
            length: word(24),
        };
        (bytes[..4] == MAGIC && bytes[5] == 0).then_some(head)
    }
}

#[cfg(test)]
mod tests;
