//! Taking the connections of other ranks, and of nobody else.

use super::frame::{HEAD, Head, Kind};
use super::stream::{Address, Listener, Stream};
use ringwood_base::{Error, ErrorKind, Result};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::io::{Read, Write};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// Who connects: the first frame on every connection.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Hello {
    pub(super) rank: usize,
    pub(super) ranks: usize,
    pub(super) token: String,
    /// Where the sender listens.
    pub(super) address: String,
    /// The order of bytes in its data.
    pub(super) little: bool,
}

/// Where a rank takes connections. What is no greeting of this group takes no place: it is dropped
/// when it says something else, after a while, or, when too many wait, before those that came later.
pub(super) struct Gate {
    listener: Listener,
    token: String,
    waiting: Vec<Waiting>,
}

struct Waiting {
    stream: Stream,
    bytes: Vec<u8>,
    since: Instant,
}

/// The most bytes of a greeting.
const HELLO: u64 = 4 << 10;
/// The most connections that have not greeted yet.
const MOST: usize = 64;
/// Whoever connects greets within this time.
const GREETING: Duration = Duration::from_secs(2);
const LOOK: Duration = Duration::from_millis(1);
/// The most bytes of an answer.
const ANSWER: usize = 16 << 20;

/// The listeners of this process that nobody has opened a gate with yet.
static RESERVED: Mutex<Vec<(String, Listener)>> = Mutex::new(Vec::new());

/// An address that is kept for a gate; dropping it gives the address up, unless a gate is there.
pub(super) struct Reserved(String);

impl Reserved {
    /// A port of this machine that nobody has, at its address `host`.
    ///
    /// # Errors
    /// The address is not one of this machine, or it has no port left.
    pub(super) fn at(host: &str) -> Result<Self> {
        let listener = listen(&Address::Tcp(format!("{host}:0")))?;
        let address = listener.address().map_err(no_address)?.to_string();
        reserved().push((address.clone(), listener));
        Ok(Self(address))
    }

    pub(super) fn address(&self) -> &str {
        &self.0
    }
}

impl Drop for Reserved {
    fn drop(&mut self) {
        reserved().retain(|(address, _)| *address != self.0);
    }
}

fn reserved() -> MutexGuard<'static, Vec<(String, Listener)>> {
    RESERVED.lock().unwrap_or_else(PoisonError::into_inner)
}

fn listen(address: &Address) -> Result<Listener> {
    Listener::bind(address).map_err(|cause| {
        let message = format!("cannot listen at {address}");
        Error::new(ErrorKind::Unavailable, message).because(cause)
    })
}

fn no_address(cause: std::io::Error) -> Error {
    Error::new(ErrorKind::Backend, "a listener has no address").because(cause)
}

impl Gate {
    /// # Errors
    /// The address is taken, or not one of this machine.
    pub(super) fn open(address: &Address, token: &str) -> Result<Self> {
        let name = address.to_string();
        let kept = {
            let mut reserved = reserved();
            let at = reserved.iter().position(|(address, _)| *address == name);
            at.map(|at| reserved.swap_remove(at).1)
        };
        let listener = kept.map_or_else(|| listen(address), Ok)?;
        Ok(Self { listener, token: token.to_owned(), waiting: Vec::new() })
    }

    /// Where others connect to.
    pub(super) fn address(&self) -> Result<Address> {
        self.listener.address().map_err(no_address)
    }

    /// The next connection that greets; `None` after the deadline.
    pub(super) fn next(&mut self, deadline: Instant) -> Option<(Stream, Hello)> {
        loop {
            while self.waiting.len() < MOST
                && let Some(stream) = self.listener.accept()
            {
                if stream.set_nonblocking(true).is_ok() {
                    let since = Instant::now();
                    self.waiting.push(Waiting { stream, bytes: Vec::new(), since });
                }
            }
            for at in (0..self.waiting.len()).rev() {
                match self.waiting[at].hello() {
                    None => {}
                    Some(hello) => {
                        let Waiting { stream, .. } = self.waiting.remove(at);
                        let hello = hello.filter(|hello| same(&hello.token, &self.token));
                        if let (Some(hello), Ok(())) = (hello, stream.set_nonblocking(false)) {
                            return Some((stream, hello));
                        }
                    }
                }
            }
            if self.waiting.len() == MOST {
                self.waiting.remove(0);
            }
            if Instant::now() >= deadline {
                return None;
            }
            thread::sleep(LOOK);
        }
    }
}

impl Waiting {
    /// The greeting, `Some(None)` if none will come, `None` if it may still. Nothing behind it is
    /// read: that is for the group.
    fn hello(&mut self) -> Option<Option<Hello>> {
        loop {
            let wanted = match self.bytes.first_chunk::<HEAD>() {
                None => HEAD,
                Some(head) => match Head::decode(head) {
                    Some(Head { kind: Kind::Hello, length, .. }) if length <= HELLO => {
                        HEAD + length as usize
                    }
                    _ => return Some(None),
                },
            };
            let have = self.bytes.len();
            if have == wanted && have > HEAD {
                return Some(serde_json::from_slice(&self.bytes[HEAD..]).ok());
            }
            self.bytes.resize(wanted, 0);
            let read = (&mut &self.stream).read(&mut self.bytes[have..]);
            self.bytes.truncate(have + *read.as_ref().unwrap_or(&0));
            match read {
                Ok(count) if count > 0 => {}
                Err(e) if e.kind() == std::io::ErrorKind::WouldBlock => {
                    return (self.since.elapsed() > GREETING).then_some(None);
                }
                _ => return Some(None),
            }
        }
    }
}

/// Whether two tokens are the same, in a time that does not tell where they differ.
fn same(a: &str, b: &str) -> bool {
    let different = a.bytes().zip(b.bytes()).fold(0, |all, (a, b)| all | (a ^ b));
    a.len() == b.len() && different == 0
}

/// Sends one frame while nobody else uses the stream.
pub(super) fn tell<T: Serialize>(stream: &Stream, kind: Kind, value: &T) -> std::io::Result<()> {
    let text = serde_json::to_vec(value).map_err(std::io::Error::other)?;
    let mut stream = Bounded { stream, deadline: Instant::now() + GREETING };
    stream.write_all(&Head::new(kind, 0, text.len()).encode())?;
    stream.write_all(&text)
}

/// A stream whose reads and writes together end at a deadline, however little each of them moves.
struct Bounded<'a> {
    stream: &'a Stream,
    deadline: Instant,
}

impl Bounded<'_> {
    fn bound(&self) -> std::io::Result<&Stream> {
        let left = self.deadline.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return Err(std::io::ErrorKind::TimedOut.into());
        }
        self.stream.set_timeout(left).map(|()| self.stream)
    }
}

impl Read for Bounded<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        let mut stream = self.bound()?;
        stream.read(buffer)
    }
}

impl Write for Bounded<'_> {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        let mut stream = self.bound()?;
        stream.write(bytes)
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

/// Reads one frame: a value of `T` if it is of this kind, or why the connection is not taken.
///
/// # Errors
/// Nothing comes in time, or something else does.
pub(super) fn hear<T: DeserializeOwned>(
    stream: &Stream,
    kind: Kind,
    deadline: Instant,
) -> Result<T> {
    let lost = |cause: std::io::Error| match cause.kind() {
        std::io::ErrorKind::WouldBlock | std::io::ErrorKind::TimedOut => {
            Error::new(ErrorKind::Timeout, "rank 0 did not say in time where the others are")
        }
        _ => {
            let message = "the connection that was to say where the group is ended";
            Error::new(ErrorKind::Aborted, message).because(cause)
        }
    };
    let (mut stream, mut head) = (Bounded { stream, deadline }, [0; HEAD]);
    stream.read_exact(&mut head).map_err(lost)?;
    let wrong = || Error::new(ErrorKind::Protocol, "what answers is no rank of a group");
    let head = Head::decode(&head).filter(|h| h.length <= ANSWER as u64).ok_or_else(wrong)?;
    let mut text = vec![0; head.length as usize];
    stream.read_exact(&mut text).map_err(lost)?;
    if head.kind == Kind::Reject {
        return Err(serde_json::from_slice(&text).unwrap_or_else(|_| wrong()));
    }
    let value = serde_json::from_slice(&text).ok();
    value.filter(|_| head.kind == kind).ok_or_else(wrong)
}
