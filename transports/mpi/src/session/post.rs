//! What a controller and its workers send each other.

use super::home::Home;
use crate::engine::{Engine, MOST, SEGMENT, Transfer};
use bytes::Bytes;
use ringwood_base::Result;
use ringwood_base::sync::lock;
use ringwood_session::remote::Packet;
use ringwood_transport::process::Parcel;
use std::collections::VecDeque;
use std::ffi::c_int;

/// What has come of a session.
pub(super) enum Word {
    /// An order or a report, with what travels beside it.
    Packet(Packet),
    /// A part of one.
    Part,
    /// The session is over for who says this.
    Over,
}

/// What a process has said.
pub(super) struct Said {
    pub(super) rank: usize,
    /// The session and the word; `None` if nobody says that in a session.
    pub(super) word: Option<(u64, Word)>,
}

/// The most bytes of a message of what travels beside a packet: each that comes says that its sender, or who takes it,
/// is not silent. A packet is about as long at most.
const CHUNK: usize = 64 << 20;

impl Home {
    /// Says an order or a report to a process, by a tag, or with an empty packet that the session is over.
    ///
    /// Its first message is the session, the number of bytes that come in messages after it, and the packet.
    pub(super) fn say(&self, to: (usize, c_int), session: u64, packet: &Packet) -> Result<()> {
        let _alone = lock(&self.saying);
        let (to, Packet { bytes, parts, .. }) = ((to.0 as c_int, to.1), packet);
        let beside: usize = parts.iter().map(|part| Parcel::after(0, part.len())).sum();
        let (session, beside) = (session.to_le_bytes(), (beside as u64).to_le_bytes());
        self.engine.send(to, &[&session, &beside, bytes], None)?;
        for part in parts {
            let padding = &[0; 64][..Parcel::after(0, part.len()) - part.len()];
            for message in part.chunks(CHUNK).chain([padding]).filter(|part| !part.is_empty()) {
                self.engine.send(to, &[message], None)?;
            }
        }
        Ok(())
    }
}

/// What comes by one tag, from any process.
pub(super) struct Post {
    tag: c_int,
    from: Vec<Incoming>,
    /// What has come and is to be taken.
    pub(super) words: VecDeque<Said>,
}

/// What comes from one process.
#[derive(Default)]
struct Incoming {
    transfers: VecDeque<Transfer>,
    /// Whether the last of those is large.
    is_large: bool,
    /// The session, a packet, and what has come beside it, of which so many bytes have not come yet.
    begun: Option<(u64, Packet, Vec<u8>, usize)>,
}

impl Post {
    pub(super) fn new(engine: &Engine, tag: c_int) -> Self {
        let from = (0..engine.size).map(|_| Incoming::default()).collect();
        Self { tag, from, words: VecDeque::new() }
    }

    /// The next of what has come.
    pub(super) fn take(&mut self, engine: &Engine) -> Result<Option<Said>> {
        if self.words.is_empty() {
            self.look(engine)?;
        }
        Ok(self.words.pop_front())
    }

    fn look(&mut self, engine: &Engine) -> Result<()> {
        engine.progress()?;
        // Large messages come one after the other, so that each says something: MPI would move all of them at a time.
        if self.from.iter().all(|incoming| !incoming.is_large) {
            while !self.begin(engine, None)? {}
        } else {
            for rank in 0..self.from.len() {
                while !self.from[rank].is_large && !self.begin(engine, Some(rank as c_int))? {}
            }
        }
        for (rank, incoming) in self.from.iter_mut().enumerate() {
            while let Some(transfer) = incoming.transfers.front_mut()
                && engine.is_done(transfer)?
            {
                let message = incoming.transfers.pop_front().map(Transfer::into_bytes);
                incoming.is_large &= !incoming.transfers.is_empty();
                self.words
                    .push_back(Said { rank, word: incoming.add(message.unwrap_or_default()) });
            }
        }
        Ok(())
    }

    /// Begins to receive the next message; whether there is none, or it is large.
    fn begin(&mut self, engine: &Engine, source: Option<c_int>) -> Result<bool> {
        let Some((envelope, transfer)) = engine.take(source, Some(self.tag), MOST)? else {
            return Ok(true);
        };
        let incoming = &mut self.from[envelope.source as usize];
        incoming.transfers.push_back(transfer);
        incoming.is_large = envelope.bytes > SEGMENT;
        Ok(incoming.is_large)
    }
}

impl Incoming {
    /// Adds a message; the word that it ends, or that it is a part of one. `None` if it is of no word.
    fn add(&mut self, message: Vec<u8>) -> Option<(u64, Word)> {
        let (session, mut packet, beside, left) = match self.begun.take() {
            None => {
                let (session, packet, left) = begin(&message)?;
                (session, packet, Vec::new(), left)
            }
            Some((session, packet, mut beside, left)) => {
                let left = left.checked_sub(message.len())?;
                if beside.is_empty() {
                    beside = message;
                    beside.try_reserve_exact(left).ok()?;
                } else {
                    beside.extend_from_slice(&message);
                }
                (session, packet, beside, left)
            }
        };
        if left > 0 {
            self.begun = Some((session, packet, beside, left));
            return Some((session, Word::Part));
        }
        if packet.bytes.is_empty() {
            return Some((session, Word::Over));
        }
        packet.parts.push(Bytes::from(beside));
        Some((session, Word::Packet(packet)))
    }
}

/// The session, the packet and the bytes to come, as its first message says.
fn begin(message: &[u8]) -> Option<(u64, Packet, usize)> {
    let (session, rest) = message.split_first_chunk()?;
    let (left, body) = rest.split_first_chunk()?;
    let left = usize::try_from(u64::from_le_bytes(*left)).ok()?;
    Some((u64::from_le_bytes(*session), Packet::new(body.to_vec()), left))
}
