//! What a controller and its workers send each other.

use crate::engine::{Engine, MOST, SEGMENT, Transfer};
use bytes::Bytes;
use ringwood_base::Result;
use ringwood_session::remote::Packet;
use ringwood_transport::process::Parcel;
use std::collections::VecDeque;
use std::ffi::c_int;

/// What is said in a session.
pub(super) enum Word {
    /// An order or a report, with what travels beside it.
    Packet(Packet),
    /// A part of a word has come to who says this, or from there.
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

/// Says a word of a session to a process, by a tag. Nobody else does meanwhile.
///
/// Its first message is its kind, the session, the number of bytes that come in messages after it, and the packet.
pub(super) fn say(engine: &Engine, to: (usize, c_int), session: u64, word: &Word) -> Result<()> {
    let (to, none) = ((to.0 as c_int, to.1), Packet::default());
    let (kind, Packet { bytes, parts, .. }) = match word {
        Word::Packet(packet) => (0, packet),
        Word::Part => (1, &none),
        Word::Over => (2, &none),
    };
    let beside: usize = parts.iter().map(|part| Parcel::after(0, part.len())).sum();
    let (session, beside) = (session.to_le_bytes(), (beside as u64).to_le_bytes());
    engine.send(to, &[&[kind], &session, &beside, bytes], None)?;
    for part in parts {
        let padding = &[0; 64][..Parcel::after(0, part.len()) - part.len()];
        for message in part.chunks(CHUNK).chain([padding]).filter(|message| !message.is_empty()) {
            engine.send(to, &[message], None)?;
        }
    }
    Ok(())
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
    /// A word, of which so many bytes have not come yet.
    begun: Option<(u64, Word, Vec<u8>, usize)>,
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
        let (session, mut word, beside, left) = match self.begun.take() {
            None => {
                let (session, word, left) = begin(&message)?;
                (session, word, Vec::new(), left)
            }
            Some((session, word, mut beside, left)) => {
                let left = left.checked_sub(message.len())?;
                if beside.is_empty() {
                    beside = message;
                    beside.try_reserve_exact(left).ok()?;
                } else {
                    beside.extend_from_slice(&message);
                }
                (session, word, beside, left)
            }
        };
        if left > 0 {
            self.begun = Some((session, word, beside, left));
            return Some((session, Word::Part));
        }
        if let Word::Packet(packet) = &mut word {
            packet.parts.push(Bytes::from(beside));
        }
        Some((session, word))
    }
}

/// The session, the word and the bytes to come, as its first message says.
fn begin(message: &[u8]) -> Option<(u64, Word, usize)> {
    let (kind, rest) = message.split_first()?;
    let (session, rest) = rest.split_first_chunk()?;
    let (left, body) = rest.split_first_chunk()?;
    let word = match kind {
        0 => Word::Packet(Packet::new(body.to_vec())),
        1 => Word::Part,
        2 => Word::Over,
        _ => return None,
    };
    let left = usize::try_from(u64::from_le_bytes(*left)).ok()?;
    Some((u64::from_le_bytes(*session), word, left))
}
