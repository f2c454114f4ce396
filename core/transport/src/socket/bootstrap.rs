//! How ranks in several processes find each other: through rank 0.

use super::frame::Kind;
use super::gate::{Gate, Hello, LONGEST, hear, tell};
use super::stream::{Address, Stream};
use crate::Channel;
use crate::agreement::list_ranks;
use ringwood_base::deadline::{deadline, left};
use ringwood_base::{Error, ErrorKind, Result};
use ringwood_schedule::Rank;
use std::error::Error as StdError;
use std::io;
use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

/// Connects `rank` to all others. Rank 0 listens at the address; each other one tells it where it
/// listens itself, gets to know where all do, connects to those below it and takes the connections of
/// those above.
///
/// # Errors
/// The address is none, or TCP without a token or with one that is too long; a rank is taken or of another group; or
/// some do not come in time.
pub(super) fn connect(rank: Rank, address: &str, within: Duration) -> Result<Vec<Option<Stream>>> {
    // A path may have any character.
    let of_path = address.starts_with("unix:");
    let (address, token) = address.split_once('#').filter(|_| !of_path).unwrap_or((address, ""));
    let address = Address::parse(address)?;
    if token.len() > LONGEST {
        let message = format!("the token of {address} has {} bytes", token.len());
        return Err(Error::invalid(message).help(format!("write up to {LONGEST} bytes")));
    }
    if token.is_empty() && matches!(address, Address::Tcp(_)) {
        let message =
            format!("{address} is open to every process that reaches it, and has no token");
        return Err(Error::invalid(message)
            .help("write the same token behind it on every rank: `tcp:HOST:PORT#TOKEN`"));
    }
    let bootstrap = Bootstrap { rank, token, deadline: deadline(within) };
    if rank.group_size() == 1 {
        return Ok(vec![None]);
    }
    if rank.index() == 0 { bootstrap.gather(&address) } else { bootstrap.report(&address) }
}

struct Bootstrap<'a> {
    rank: Rank,
    token: &'a str,
    deadline: Instant,
}

/// A listener may not be there yet: the next try comes after this time.
const RETRY: Duration = Duration::from_millis(5);
/// Rank 0 says who did not come at its own deadline, which may be later than that of others by as much.
const ANSWER: Duration = Duration::from_secs(1);

impl Bootstrap<'_> {
    /// Rank 0: waits for all others, and tells each where all listen.
    fn gather(&self, address: &Address) -> Result<Vec<Option<Stream>>> {
        let n = self.rank.group_size();
        let mut gate = Gate::open(address, self.token)?;
        let (mut streams, mut addresses) = (self.nobody(), vec![String::new(); n]);
        while streams.iter().flatten().count() < n - 1 {
            let Some((stream, hello)) = gate.next(self.deadline) else {
                let absent = (1..n).filter(|&rank| streams[rank].is_none());
                let who = list_ranks(&absent.collect::<Vec<_>>());
                let message = format!("{who} of {n} did not come to {address} in time");
                let error = Error::timeout(message);
                for stream in streams.iter().flatten() {
                    // Whoever cannot be told times out as well.
                    let _ = tell(&**stream, Kind::Reject, &error);
                }
                return Err(error);
            };
            match self.check(&hello, &streams) {
                Ok(()) => {
                    addresses[hello.rank] = hello.address;
                    streams[hello.rank] = Some(stream);
                }
                // It is of no consequence whether it gets to know why.
                Err(error) => drop(tell(&*stream, Kind::Reject, &error)),
            }
        }
        for (rank, stream) in streams.iter().enumerate() {
            let Some(stream) = stream else { continue };
            tell(&**stream, Kind::Table, &addresses).map_err(|cause| {
                let message = format!("rank {rank} of {n} left before the group was there");
                Error::aborted(message).because(cause)
            })?;
        }
        Ok(streams)
    }

    /// Another rank: tells rank 0 where it listens, and connects to the others.
    fn report(&self, address: &Address) -> Result<Vec<Option<Stream>>> {
        let (n, own) = (self.rank.group_size(), self.rank.index());
        let mut zero = self.connect(address, 0)?;
        let mut gate = Gate::open(&self.listening(address, zero.host()), self.token)?;
        let place = gate.address()?.to_string();
        let table = loop {
            let said = self.greet(&*zero, 0, &place);
            match said
                .and_then(|()| hear::<Vec<String>>(&*zero, Kind::Table, self.deadline + ANSWER))
            {
                Ok(table) => break table,
                Err(error) if error.kind() != ErrorKind::Aborted => return Err(error),
                Err(error) if self.is_late() => return Err(self.turned_away(address, error)),
                // Too many others waited at once, and rank 0 let go of this one.
                Err(error) => {
                    thread::sleep(RETRY);
                    match address.connect(self.left()) {
                        Ok(stream) => zero = stream,
                        Err(cause) if cause.kind() == io::ErrorKind::WouldBlock => {}
                        Err(_) => return Err(self.turned_away(address, error)),
                    }
                }
            }
        };
        let mut streams = self.nobody();
        streams[0] = Some(zero);
        for (peer, place) in streams.iter_mut().enumerate().take(own).skip(1) {
            let address = table.get(peer).map_or("", String::as_str);
            let stream = self.connect(&Address::parse(address)?, peer)?;
            self.greet(&*stream, peer, "")?;
            *place = Some(stream);
        }
        while streams.iter().flatten().count() < n - 1 {
            let Some((stream, hello)) = gate.next(self.deadline) else {
                let absent = (own + 1..n).filter(|&rank| streams[rank].is_none());
                let who = list_ranks(&absent.collect::<Vec<_>>());
                let message = format!("{who} of {n} did not connect to rank {own} in time");
                return Err(Error::timeout(message));
            };
            if self.check(&hello, &streams).is_ok() {
                streams[hello.rank] = Some(stream);
            }
        }
        Ok(streams)
    }

    fn left(&self) -> Duration {
        left(self.deadline).max(RETRY)
    }

    fn nobody(&self) -> Vec<Option<Stream>> {
        (0..self.rank.group_size()).map(|_| None).collect()
    }

    /// Where this rank listens: beside the path of the group, or at a port that the system chooses.
    fn listening(&self, group: &Address, host: Option<String>) -> Address {
        match group {
            Address::Unix(path) => {
                let mut name = path.clone().into_os_string();
                name.push(format!(".{}", self.rank));
                Address::Unix(Path::new(&name).to_owned())
            }
            Address::Tcp(_) => {
                Address::Tcp(format!("{}:0", host.as_deref().unwrap_or("127.0.0.1")))
            }
        }
    }

    fn connect(&self, address: &Address, peer: usize) -> Result<Stream> {
        loop {
            match address.connect(self.left()) {
                Ok(stream) => return Ok(stream),
                Err(cause) if self.is_late() => return Err(self.missing(peer, address, cause)),
                Err(_) => thread::sleep(RETRY),
            }
        }
    }

    /// Whether no time is left for another try.
    fn is_late(&self) -> bool {
        self.left() <= RETRY
    }

    /// The error of a peer that was not there in time.
    fn missing(
        &self,
        peer: usize,
        address: &Address,
        cause: impl StdError + Send + Sync + 'static,
    ) -> Error {
        let (rank, n) = (self.rank, self.rank.group_size());
        Error::timeout(format!("rank {rank} found no rank {peer} of {n} at {address}"))
            .because(cause)
            .help("raise the timeout, or look for what keeps it")
    }

    /// The error of a rank 0 that has taken connections, and ended each.
    fn turned_away(&self, address: &Address, cause: Error) -> Error {
        let error = self.missing(0, address, cause);
        if self.token.is_empty() {
            return error;
        }
        error.help(
            "look whether all ranks have the same token behind `#`: who has another one is not answered; \
             or raise the timeout",
        )
    }

    fn greet(&self, stream: &dyn Channel, peer: usize, address: &str) -> Result<()> {
        let hello = Hello {
            rank: self.rank.index(),
            ranks: self.rank.group_size(),
            token: self.token.to_owned(),
            address: address.to_owned(),
            little: cfg!(target_endian = "little"),
        };
        tell(stream, Kind::Hello, &hello).map_err(|cause| {
            Error::aborted(format!("rank {} cannot greet rank {peer}", self.rank)).because(cause)
        })
    }

    /// # Errors
    /// Who greets is not a rank that this one waits for.
    fn check(&self, hello: &Hello, streams: &[Option<Stream>]) -> Result<()> {
        let (n, rank) = (self.rank.group_size(), hello.rank);
        let refused = |what: String| Err(Error::invalid(format!("rank {rank} of {n} {what}")));
        if hello.ranks != n {
            return refused(format!("comes from a group of {}", hello.ranks));
        }
        if hello.little != cfg!(target_endian = "little") {
            return refused("has another order of bytes".into());
        }
        if rank <= self.rank.index() || rank >= n || streams[rank].is_some() {
            return refused("is taken".into())
                .map_err(|error: Error| error.help("give each process a rank of its own"));
        }
        Ok(())
    }
}
