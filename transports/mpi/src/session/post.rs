//! What a controller and its workers send each other.

use crate::engine::{Engine, SEGMENT, Transfer};
use bytes::Bytes;
use ringwood_base::Result;
use ringwood_session::remote::Packet;
use ringwood_transport::process::Parcel;
use std::collections::VecDeque;
use std::ffi::c_int;

/// What is said in a session.
pub(super) enum Word {
    /// The session begins for who says this.
    Here,
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

/// A word begins with its kind, the session, and the number of bytes that come in messages after it.
const HEAD: usize = 17;
/// The most bytes of one of those: each that comes says that its sender, or who takes it, is not silent.
const CHUNK: usize = 64 << 20;

/// Says a word of a session to a process, by a tag. Nobody else does meanwhile.
pub(super) fn say(engine: &Engine, to: (usize, c_int), session: u64, word: &Word) -> Result<()> {
    let to = (to.0 as c_int, to.1);
    let (no_body, none) = (Vec::new(), Vec::new());
    let (kind, body, parts) = match word {
        Word::Here => (0, &no_body, &none),
        Word::Packet(packet) => (1, &packet.bytes, &packet.parts),
        Word::Over => (2, &no_body, &none),
        Word::Part => (3, &no_body, &none),
    };
    let beside: usize = parts.iter().map(|part| Parcel::after(0, part.len())).sum();
    let mut head = [kind; HEAD];
    head[1..9].copy_from_slice(&session.to_le_bytes());
    head[9..].copy_from_slice(&(beside as u64).to_le_bytes());
    engine.send(to, [&head, &body[..]].into_iter(), None)?;
    for part in parts {
        let padding = &[0; 64][..Parcel::after(0, part.len()) - part.len()];
        for message in part.chunks(CHUNK).chain([padding]).filter(|message| !message.is_empty()) {
            engine.send(to, std::iter::once(message), None)?;
        }
    }
    Ok(())
}

/// What comes by one tag, from any process.
pub(super) struct Post {
    tag: c_int,
    from: Vec<Incoming>,
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
        Self { tag, from: (0..engine.size).map(|_| Incoming::default()).collect() }
    }

    /// Begins to receive the next message; whether there is none, or it is large.
    fn begin(&mut self, engine: &Engine, source: Option<c_int>) -> Result<bool> {
        let Some((envelope, transfer)) = engine.take(source, Some(self.tag))? else {
            return Ok(true);
        };
        let incoming = &mut self.from[envelope.source as usize];
        incoming.transfers.push_back(transfer);
        incoming.is_large = envelope.bytes > SEGMENT;
        Ok(incoming.is_large)
    }

    /// What has come.
    pub(super) fn take(&mut self, engine: &Engine) -> Result<Vec<Said>> {
        engine.progress()?;
        // Large messages come one after the other, so that each says something: MPI would move all of them at a time.
        if self.from.iter().all(|incoming| !incoming.is_large) {
            while !self.begin(engine, None)? {}
        } else {
            for rank in 0..self.from.len() {
                while !self.from[rank].is_large && !self.begin(engine, Some(rank as c_int))? {}
            }
        }
        let mut words = Vec::new();
        for (rank, incoming) in self.from.iter_mut().enumerate() {
            while let Some(transfer) = incoming.transfers.front_mut() {
                if !engine.is_done(transfer)? {
                    break;
                }
                let message =
                    incoming.transfers.pop_front().map_or(Vec::new(), Transfer::into_bytes);
                incoming.is_large &= !incoming.transfers.is_empty();
                words.push(Said { rank, word: incoming.add(message) });
            }
        }
        Ok(words)
    }
}

impl Incoming {
    /// Adds a message; the word that it ends, or that it is a part of one. `None` if it is of no word.
    fn add(&mut self, mut message: Vec<u8>) -> Option<(u64, Word)> {
        let (session, mut word, mut beside, left) = match self.begun.take() {
            None => {
                let body = (message.len() >= HEAD).then(|| message.split_off(HEAD))?;
                let number =
                    |at: usize| Some(u64::from_le_bytes(message[at..at + 8].try_into().ok()?));
                let word = match message[0] {
                    0 => Word::Here,
                    1 => Word::Packet(Packet::new(body)),
                    2 => Word::Over,
                    3 => Word::Part,
                    _ => return None,
                };
                (number(1)?, word, Vec::new(), usize::try_from(number(9)?).ok()?)
            }
            Some((session, word, beside, left)) if beside.is_empty() => {
                let left = left.checked_sub(message.len())?;
                message.try_reserve_exact(left).ok()?;
                (session, word, message, left)
            }
            Some((session, word, mut beside, left)) => {
                beside.extend_from_slice(&message);
                (session, word, beside, left.checked_sub(message.len())?)
            }
        };
        if left > 0 {
            self.begun = Some((session, word, beside, left));
            return Some((session, Word::Part));
        }
        if let Word::Packet(packet) = &mut word {
            packet.parts.push(Bytes::from(std::mem::take(&mut beside)));
        }
        Some((session, word))
    }
}
