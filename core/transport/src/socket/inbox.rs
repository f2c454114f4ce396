//! What a rank has received from one peer.

use super::frame::{HEAD, Head, Kind, TEXT};
use super::pool::{Message, Pool};
use super::post::Post;
use super::stream::Stream;
use ringwood_base::{Error, Result};
use std::collections::{BTreeMap, VecDeque};
use std::fmt;
use std::io::ErrorKind;
use std::mem::take;

/// What a rank has received from one peer. Every frame is checked before memory is taken for it: its
/// kind, its call, and for data the length that the schedule tells.
pub(super) struct Inbox {
    pub(super) stream: Stream,
    buffer: Box<[u8]>,
    /// The bytes of `buffer` that were read and not yet looked at.
    unread: std::ops::Range<usize>,
    /// The frame whose bytes are coming.
    partial: Option<(Head, Message, usize)>,
    /// The call in progress, and the calls that the peer has come to.
    call: u64,
    pub(super) arrivals: VecDeque<(u64, Option<u64>)>,
    pub(super) words: Option<(u64, Vec<u8>)>,
    pub(super) failure: Option<Vec<u8>>,
    channels: BTreeMap<u16, Channel>,
    /// The barriers that the peer has come to and this rank has not left yet.
    pub(super) barriers: u64,
    /// Messages apart from calls.
    pub(super) post: Post,
    pub(super) end: Option<End>,
}

/// How a peer's stream ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum End {
    /// It said that it leaves.
    Left,
    /// Without a word: its process has ended.
    Died,
}

/// `left the group`, `died`.
impl fmt::Display for End {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            End::Left => "left the group",
            End::Died => "died",
        })
    }
}

/// One channel of a call.
#[derive(Default)]
pub(super) struct Channel {
    /// The lengths of the messages that will come.
    pub(super) expected: VecDeque<usize>,
    pub(super) messages: VecDeque<Message>,
    pub(super) signals: u64,
}

/// Streams are read in pieces of this size.
const BUFFER: usize = 16 << 10;
/// Other streams have their turn after so many pieces.
const PIECES: usize = 64;

impl Inbox {
    pub(super) fn new(stream: Stream) -> Self {
        Self {
            stream,
            buffer: vec![0; BUFFER].into(),
            unread: 0..0,
            partial: None,
            call: 0,
            arrivals: VecDeque::new(),
            words: None,
            failure: None,
            channels: BTreeMap::new(),
            barriers: 0,
            post: Post::default(),
            end: None,
        }
    }

    /// Begins a call in which messages of these lengths will come.
    pub(super) fn begin(&mut self, call: u64, expected: &[(u16, usize)]) {
        self.call = call;
        self.barriers = 0;
        self.channels.values_mut().for_each(|channel| *channel = Channel::default());
        for &(channel, length) in expected {
            self.channel(channel).expected.push_back(length);
        }
    }

    pub(super) fn channel(&mut self, channel: u16) -> &mut Channel {
        self.channels.entry(channel).or_default()
    }

    /// The digest with which the peer has come to `call`, `None` if it refuses.
    pub(super) fn arrived(&self, call: u64) -> Option<Option<u64>> {
        self.arrivals.iter().find(|(of, _)| *of == call).map(|(_, digest)| *digest)
    }

    /// Reads what has come. The error is what is wrong with it ([`Protocol`](ringwood_base::ErrorKind::Protocol)), or that
    /// there is no memory for it.
    pub(super) fn read(&mut self, pool: &mut Pool) -> Result<()> {
        for _ in 0..PIECES {
            if self.end.is_some() {
                return Ok(());
            }
            let stream = self.stream.clone();
            match stream.read(self.space()) {
                Ok(0) => self.end = Some(End::Died),
                Ok(count) => self.take(count, pool)?,
                Err(error) if error.kind() == ErrorKind::WouldBlock => return Ok(()),
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                // The peer's process has ended with something of ours unread.
                Err(_) => self.end = Some(End::Died),
            }
        }
        Ok(())
    }

    /// Where the next bytes go: to a long message at once, else into the buffer.
    fn space(&mut self) -> &mut [u8] {
        let long = self.is_long();
        match &mut self.partial {
            Some((_, message, have)) if long => &mut message.bytes_mut()[*have..],
            _ => {
                self.buffer.copy_within(self.unread.clone(), 0);
                self.unread = 0..self.unread.len();
                &mut self.buffer[self.unread.end..]
            }
        }
    }

    /// Whether what comes next is the rest of a long message.
    fn is_long(&self) -> bool {
        let rest = self.partial.as_ref().map_or(0, |(_, message, have)| message.bytes - have);
        self.unread.is_empty() && rest >= BUFFER
    }

    /// Takes `count` bytes that were read to [`Inbox::space`].
    fn take(&mut self, count: usize, pool: &mut Pool) -> Result<()> {
        let long = self.is_long();
        match &mut self.partial {
            Some((_, _, have)) if long => *have += count,
            _ => self.unread.end += count,
        }
        while self.step(pool)? {}
        Ok(())
    }

    /// Completes a head or a frame from what is in the buffer; whether that worked.
    fn step(&mut self, pool: &mut Pool) -> Result<bool> {
        let Some((head, mut message, mut have)) = self.partial.take() else {
            let Some(head) = self.buffer[self.unread.clone()].first_chunk::<HEAD>() else {
                return Ok(false);
            };
            let head =
                Head::decode(head).ok_or_else(|| Error::protocol("bytes that are no frame"))?;
            self.unread.start += HEAD;
            let length = self.check(&head)?;
            let message = match length {
                0 => Message::default(),
                _ => pool.message(length)?,
            };
            self.partial = Some((head, message, 0));
            return Ok(true);
        };
        let count = self.unread.len().min(message.bytes - have);
        let from = &self.buffer[self.unread.start..self.unread.start + count];
        message.bytes_mut()[have..have + count].copy_from_slice(from);
        self.unread.start += count;
        have += count;
        if have < message.bytes {
            self.partial = Some((head, message, have));
            return Ok(false);
        }
        self.complete(&head, message, pool);
        Ok(true)
    }

    /// The bytes that follow a head, if it may come now.
    fn check(&mut self, head: &Head) -> Result<usize> {
        let next = self.arrivals.back().map_or(0, |(call, _)| *call) + 1;
        let here = head.call == self.call;
        let (allowed, length) = match head.kind {
            Kind::Arrive | Kind::Refuse => (head.call == next && next <= self.call + 1, 0),
            Kind::Signal | Kind::Barrier => (here, 0),
            Kind::Leave => (true, 0),
            Kind::Words | Kind::Failure => (head.length <= TEXT as u64, head.length as usize),
            Kind::Data => {
                let expected = self.channel(head.channel).expected.pop_front();
                (here && expected.is_some(), expected.unwrap_or(0))
            }
            Kind::Offer | Kind::Ask | Kind::Message | Kind::Taken => {
                let length = self.post.check(head);
                (length.is_some(), length.unwrap_or(0))
            }
            Kind::Hello | Kind::Table | Kind::Reject => (false, 0),
        };
        if allowed && length as u64 == head.length {
            return Ok(length);
        }
        let Head { kind, call, length, .. } = head;
        let what =
            format!("a frame that does not belong here: {kind:?}, call #{call}, {length} bytes");
        Err(Error::protocol(what))
    }

    fn complete(&mut self, head: &Head, message: Message, pool: &mut Pool) {
        match head.kind {
            Kind::Arrive => self.arrive(head.call, Some(head.word)),
            Kind::Refuse => self.arrive(head.call, None),
            Kind::Signal => self.channel(head.channel).signals += 1,
            Kind::Barrier => self.barriers += 1,
            Kind::Leave => self.end = Some(End::Left),
            Kind::Data => return self.channel(head.channel).messages.push_back(message),
            Kind::Words => self.words = Some((head.call, message.bytes().to_vec())),
            Kind::Failure => self.failure = Some(message.bytes().to_vec()),
            Kind::Message => {
                self.post.message = Some(message);
                return;
            }
            Kind::Offer | Kind::Ask | Kind::Taken => self.post.note(head),
            Kind::Hello | Kind::Table | Kind::Reject => {
                unreachable!("`check` lets none of them in")
            }
        }
        pool.give(message);
    }

    fn arrive(&mut self, call: u64, digest: Option<u64>) {
        self.arrivals.push_back((call, digest));
        // A peer is at most one call ahead.
        while self.arrivals.len() > 2 {
            self.arrivals.pop_front();
        }
    }

    /// The words that the peer said about `call`.
    pub(super) fn take_words(&mut self, call: u64) -> Option<Vec<u8>> {
        match &self.words {
            Some((of, _)) if *of == call => take(&mut self.words).map(|(_, text)| text),
            _ => None,
        }
    }
}
