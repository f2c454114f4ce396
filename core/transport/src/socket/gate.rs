//! Taking the connections of other ranks, and of nobody else.

use super::frame::{HEAD, Head, Kind};
use super::stream::{Address, Listener, Stream, await_any};
use crate::Channel;
use ringwood_base::deadline::left;
use ringwood_base::sync::lock;
use ringwood_base::{Error, Result};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::io::{self, IoSlice};
use std::sync::{Mutex, MutexGuard};
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
    hello: Incoming,
    since: Instant,
}

/// The bytes of a frame that have come, while nobody else uses the stream.
#[derive(Default)]
struct Incoming(Vec<u8>);

/// The most bytes of a token.
pub(super) const LONGEST: usize = 4 << 10;
/// The most bytes of a greeting: a token of which each byte is written as six, and the rest.
const HELLO: u64 = 8 * LONGEST as u64;
/// The most connections that have not greeted yet.
const MOST: usize = 64;
/// Whoever connects greets within this time.
const GREETING: Duration = Duration::from_secs(2);
const LOOK: Duration = Duration::from_millis(1);
/// The most bytes of an answer.
const ANSWER: u64 = 16 << 20;

/// The listeners of this process that nobody has opened a gate with yet.
static RESERVED: Mutex<Vec<(String, Listener)>> = Mutex::new(Vec::new());

/// An address that is kept for a gate; dropping it gives the address up, unless a gate is there.
pub(super) struct Reserved(String);

impl Reserved {
    /// A port of this machine that nobody has, at its address `host`.
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
    lock(&RESERVED)
}

fn listen(address: &Address) -> Result<Listener> {
    Listener::bind(address)
        .map_err(|cause| Error::unavailable(format!("cannot listen at {address}")).because(cause))
}

fn no_address(cause: io::Error) -> Error {
    Error::backend("a listener has no address").because(cause)
}

impl Gate {
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
                let (hello, since) = (Incoming::default(), Instant::now());
                self.waiting.push(Waiting { stream, hello, since });
            }
            for at in (0..self.waiting.len()).rev() {
                if let Some(hello) = self.waiting[at].hello() {
                    let Waiting { stream, .. } = self.waiting.remove(at);
                    if let Some(hello) = hello.filter(|hello| same(&hello.token, &self.token)) {
                        return Some((stream, hello));
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
    /// The greeting, `Some(None)` if none will come, `None` if it may still.
    fn hello(&mut self) -> Option<Option<Hello>> {
        let fits = |head: &Head| head.kind == Kind::Hello && head.length <= HELLO;
        match self.hello.read(&*self.stream, fits) {
            Ok(Some((_, text))) => Some(serde_json::from_slice(text).ok()),
            Ok(None) if self.since.elapsed() <= GREETING => None,
            _ => Some(None),
        }
    }
}

impl Incoming {
    /// Reads what there is; the kind and the body of the frame once it is whole. Nothing behind it is
    /// read: that is for the group.
    fn read(
        &mut self,
        stream: &dyn Channel,
        fits: impl Fn(&Head) -> bool,
    ) -> io::Result<Option<(Kind, &[u8])>> {
        loop {
            let head = match self.0.first_chunk::<HEAD>() {
                None => None,
                Some(head) => {
                    Some(Head::decode(head).filter(&fits).ok_or(io::ErrorKind::InvalidData)?)
                }
            };
            let wanted = HEAD + head.map_or(0, |head| head.length as usize);
            let have = self.0.len();
            if let Some(head) = head.filter(|_| have == wanted && have > HEAD) {
                return Ok(Some((head.kind, &self.0[HEAD..])));
            }
            self.0.resize(wanted, 0);
            let read = stream.read(&mut self.0[have..]);
            self.0.truncate(have + *read.as_ref().unwrap_or(&0));
            match read {
                Ok(0) => return Err(io::ErrorKind::UnexpectedEof.into()),
                Err(error) if is_later(&error) => return Ok(None),
                read => drop(read?),
            }
        }
    }
}

fn is_later(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::WouldBlock | io::ErrorKind::Interrupted)
}

/// Whether two tokens are the same, in a time that does not tell where they differ.
fn same(a: &str, b: &str) -> bool {
    let different = a.bytes().zip(b.bytes()).fold(0, |all, (a, b)| all | (a ^ b));
    a.len() == b.len() && different == 0
}

/// Waits until there is something to read, or else room to write: at most until a deadline, whatever was
/// moved before.
fn wait(stream: &dyn Channel, writes: bool, deadline: Instant) -> io::Result<()> {
    let left = left(deadline);
    if left.is_zero() {
        return Err(io::ErrorKind::TimedOut.into());
    }
    await_any([(stream, writes)].into_iter(), left, Duration::ZERO);
    Ok(())
}

/// Sends one frame while nobody else uses the stream.
pub(super) fn tell<T: Serialize>(stream: &dyn Channel, kind: Kind, value: &T) -> io::Result<()> {
    let text = serde_json::to_vec(value).map_err(io::Error::other)?;
    let frame = [&Head::new(kind, 0, text.len()).encode()[..], &text].concat();
    let (mut rest, deadline) = (&frame[..], Instant::now() + GREETING);
    while !rest.is_empty() {
        match stream.write(&[IoSlice::new(rest)]) {
            Err(error) if is_later(&error) => wait(stream, true, deadline)?,
            sent => rest = &rest[sent?..],
        }
    }
    Ok(())
}

/// Reads one frame: a value of `T` if it is of this kind, or why the connection is not taken.
pub(super) fn hear<T: DeserializeOwned>(
    stream: &dyn Channel,
    kind: Kind,
    deadline: Instant,
) -> Result<T> {
    let lost = |cause: io::Error| match cause.kind() {
        io::ErrorKind::TimedOut => {
            Error::timeout("rank 0 did not say in time where the others are")
        }
        io::ErrorKind::InvalidData => foreign(),
        _ => {
            Error::aborted("the connection that was to say where the group is ended").because(cause)
        }
    };
    let mut frame = Incoming::default();
    loop {
        match frame.read(stream, |head| head.length <= ANSWER).map_err(lost)? {
            None => wait(stream, false, deadline).map_err(lost)?,
            Some((Kind::Reject, text)) => {
                return Err(serde_json::from_slice(text).unwrap_or_else(|_| foreign()));
            }
            Some((found, text)) => {
                let value = serde_json::from_slice(text).ok();
                return value.filter(|_| found == kind).ok_or_else(foreign);
            }
        }
    }
}

fn foreign() -> Error {
    Error::protocol("what answers is no rank of a group")
}
