//! Messages between processes as bytes: frames of bounded length, of which nothing is believed.
//!
//! A frame is a head of twelve bytes and a body. The head has two letters, the version of the protocol, whether
//! a file comes along, and the length and the checksum of the body, little end first. Large
//! elements are not in the body: they lie in a file that travels beside it.

mod codec;
mod messages;

use super::protocol::{DEEPEST, DEEPEST_LIST, VERSION};
use bytes::Bytes;
pub(super) use codec::{Reader, Wire, Writer};
pub(super) use messages::variants;
use ringwood_base::{Error, Result};
use std::os::fd::OwnedFd;
use std::sync::{Arc, OnceLock};

/// The longest body.
pub(super) const LONGEST: usize = 64 << 20;

/// The most elements of lists: one takes more memory than its bytes.
const MOST_ELEMENTS: usize = LONGEST / 8;

/// The bytes of a head.
const HEAD: usize = 12;
/// Most frames are not longer.
const USUAL: usize = 128;
const LETTERS: [u8; 2] = *b"Rw";
/// The flag of a frame that brings a file.
const BRINGS: u8 = 1;

/// A message between processes, ready to be sent.
#[derive(Clone, Default)]
pub struct Packet {
    /// Its frame.
    pub bytes: Vec<u8>,
    /// What the file that travels along holds; no file if there is nothing.
    pub parts: Vec<Bytes>,
    /// That file, once it is written: clones share it.
    pub(super) file: Arc<OnceLock<OwnedFd>>,
}

impl Packet {
    /// That of a frame which brings no file yet.
    pub fn new(bytes: Vec<u8>) -> Self {
        Self { bytes, ..Self::default() }
    }

    /// That of an order or a report.
    ///
    /// # Errors
    /// The message is longer than a frame.
    pub fn of(message: &impl Wire) -> Result<Self> {
        let mut bytes = Vec::with_capacity(USUAL);
        bytes.resize(HEAD, 0);
        let mut writer = Writer { bytes, parts: Vec::new(), end: 0, elements: 0, depth: (0, 0) };
        message.put(&mut writer);
        let Writer { mut bytes, parts, elements, depth: (_, deepest), .. } = writer;
        let (head, body) = bytes.split_at_mut(HEAD);
        if body.len() > LONGEST {
            return Err(Error::invalid(format!(
                "a message of {} bytes exceeds {LONGEST}",
                body.len()
            ))
            .help("send large data as tensors"));
        }
        if elements > MOST_ELEMENTS {
            let message = format!("a message of {elements} values exceeds {MOST_ELEMENTS}");
            return Err(Error::invalid(message).help("send large data as tensors"));
        }
        if deepest > DEEPEST_LIST {
            let message =
                format!("a message of values that lie more than {DEEPEST} deep in each other");
            return Err(Error::invalid(message));
        }
        head[..2].copy_from_slice(&LETTERS);
        head[2] = VERSION;
        head[3] = if parts.is_empty() { 0 } else { BRINGS };
        head[4..8].copy_from_slice(&(body.len() as u32).to_le_bytes());
        head[8..].copy_from_slice(&crc32fast::hash(body).to_le_bytes());
        Ok(Self { bytes, parts, ..Self::default() })
    }

    /// The order or report that has come; its parts are one.
    ///
    /// # Errors
    /// It is none of this version.
    pub fn read<T: Wire>(self) -> Result<T> {
        let mut inbox = Inbox { bytes: self.bytes, taken: 0 };
        let parcel = self.parts.into_iter().next().unwrap_or_default();
        inbox.next(|| Ok(parcel))?.ok_or_else(|| malformed("it ends too early"))
    }
}

/// Bytes as they come, of which frames are made. It grows with what has come, not with what a head says.
#[derive(Default)]
pub(super) struct Inbox {
    bytes: Vec<u8>,
    taken: usize,
}

impl Inbox {
    pub(super) fn extend(&mut self, bytes: &[u8]) {
        self.bytes.drain(..std::mem::take(&mut self.taken));
        self.bytes.extend_from_slice(bytes);
    }

    /// The next message, if it is whole; `parcel` maps the file that came with it.
    pub(super) fn next<T: Wire>(
        &mut self,
        parcel: impl FnOnce() -> Result<Bytes>,
    ) -> Result<Option<T>> {
        let rest = &self.bytes[self.taken..];
        let Some((head, rest)) = rest.split_at_checked(HEAD) else { return Ok(None) };
        let number = |at: usize| u32::from_le_bytes([0, 1, 2, 3].map(|i| head[at + i]));
        let (length, sum) = (number(4) as usize, number(8));
        if head[..2] != LETTERS || head[3] & !BRINGS != 0 {
            return Err(malformed("it does not begin as one"));
        }
        if head[2] != VERSION {
            let what = format!("it is of version {} of the protocol, not {VERSION}", head[2]);
            return Err(malformed(&what).help("run one build of the program in all processes"));
        }
        if length > LONGEST {
            return Err(malformed(&format!("its {length} bytes exceed {LONGEST}")));
        }
        let Some(body) = rest.get(..length) else { return Ok(None) };
        if crc32fast::hash(body) != sum {
            return Err(malformed("its checksum is wrong"));
        }
        let parcel = if head[3] == BRINGS { parcel()? } else { Bytes::new() };
        let mut reader = Reader { bytes: body, parcel, depth: 0, elements: MOST_ELEMENTS };
        let message = T::take(&mut reader)?;
        if !reader.bytes.is_empty() {
            return Err(malformed(&format!("{} bytes are left over", reader.bytes.len())));
        }
        self.taken += HEAD + length;
        Ok(Some(message))
    }
}

pub(super) fn malformed(what: &str) -> Error {
    Error::protocol(format!("a message of another process is malformed: {what}"))
}

#[cfg(test)]
mod tests;
