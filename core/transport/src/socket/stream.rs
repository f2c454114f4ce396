//! Byte streams between two ranks: of the Unix domain, TCP, or of a transport elsewhere.

use super::credentials;
use crate::Channel;
use ringwood_base::deadline::deadline;
use ringwood_base::{Error, ErrorKind, Result};
use std::io::{self, IoSlice, Read, Write};
use std::net::{TcpListener, TcpStream, ToSocketAddrs};
use std::os::fd::{AsRawFd, RawFd};
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::PathBuf;
use std::thread;
use std::time::{Duration, Instant};

/// A connection to another rank.
pub(super) enum Stream {
    Unix(UnixStream),
    Tcp(TcpStream),
    Other(Box<dyn Channel>),
}

/// Runs an expression on the socket inside; without one, gives the other value.
macro_rules! of {
    ($stream:expr, $inner:ident => $body:expr, $none:expr) => {
        match $stream {
            Stream::Unix($inner) => $body,
            Stream::Tcp($inner) => $body,
            Stream::Other(_) => $none,
        }
    };
}

impl Stream {
    /// Connects to an address; `unix:PATH` or `tcp:HOST:PORT`.
    pub(super) fn connect(address: &Address, within: Duration) -> io::Result<Self> {
        match address {
            Address::Unix(path) => credentials::connect(path).map(Stream::Unix),
            Address::Tcp(name) => {
                let mut last = io::ErrorKind::AddrNotAvailable.into();
                let end = deadline(within);
                for one in name.to_socket_addrs()? {
                    let left = end.saturating_duration_since(Instant::now());
                    match TcpStream::connect_timeout(&one, left.max(Duration::from_millis(1))) {
                        Ok(stream) => return Self::tcp(stream),
                        Err(error) => last = error,
                    }
                }
                Err(last)
            }
        }
    }

    fn tcp(stream: TcpStream) -> io::Result<Self> {
        stream.set_nodelay(true)?;
        Ok(Stream::Tcp(stream))
    }

    pub(super) fn set_nonblocking(&self, on: bool) -> io::Result<()> {
        of!(self, s => s.set_nonblocking(on), Ok(()))
    }

    /// Bounds each blocking read and write.
    pub(super) fn set_timeout(&self, timeout: Duration) -> io::Result<()> {
        let timeout = Some(timeout.max(Duration::from_millis(1)));
        of!(self, s => s.set_read_timeout(timeout).and_then(|()| s.set_write_timeout(timeout)), Ok(()))
    }

    /// The host part of this end's own address, for a listener on the same network.
    pub(super) fn local_host(&self) -> Option<String> {
        match self {
            Stream::Unix(_) | Stream::Other(_) => None,
            Stream::Tcp(s) => s.local_addr().ok().map(|a| match a.ip() {
                std::net::IpAddr::V4(ip) => ip.to_string(),
                std::net::IpAddr::V6(ip) => format!("[{ip}]"),
            }),
        }
    }

    /// Tells the peer that nothing more will come.
    pub(super) fn finish(&self) {
        let _ = of!(self, s => s.shutdown(std::net::Shutdown::Write), Ok(()));
    }

    /// Whether what was written goes on its way by itself.
    pub(super) fn is_sent(&self) -> bool {
        match self {
            Stream::Unix(_) | Stream::Tcp(_) => true,
            Stream::Other(channel) => channel.is_sent(),
        }
    }

    /// What the system knows the stream by.
    fn descriptor(&self) -> Option<RawFd> {
        of!(self, s => Some(s.as_raw_fd()), None)
    }

    pub(super) fn write_parts(&self, parts: &[IoSlice<'_>]) -> io::Result<usize> {
        match self {
            Stream::Unix(s) => (&mut &*s).write_vectored(parts),
            Stream::Tcp(s) => (&mut &*s).write_vectored(parts),
            Stream::Other(channel) => channel.write(parts),
        }
    }
}

impl Read for &Stream {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match self {
            Stream::Unix(s) => (&mut &*s).read(buffer),
            Stream::Tcp(s) => (&mut &*s).read(buffer),
            Stream::Other(channel) => channel.read(buffer),
        }
    }
}

impl Write for &Stream {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        Stream::write_parts(self, &[IoSlice::new(bytes)])
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Where a rank listens.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Address {
    Unix(PathBuf),
    /// `HOST:PORT`.
    Tcp(String),
}

impl Address {
    /// `unix:PATH`, `tcp:HOST:PORT`.
    ///
    /// # Errors
    /// It is neither.
    pub(super) fn parse(text: &str) -> Result<Self> {
        match text.split_once(':') {
            Some(("unix", path)) if !path.is_empty() => Ok(Address::Unix(path.into())),
            Some(("tcp", name)) if name.contains(':') => Ok(Address::Tcp(name.to_owned())),
            _ => {
                let message = format!("`{text}` is not an address of a group");
                Err(Error::new(ErrorKind::InvalidArgument, message)
                    .help("write `unix:PATH` or `tcp:HOST:PORT`"))
            }
        }
    }
}

impl std::fmt::Display for Address {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Address::Unix(path) => write!(f, "unix:{}", path.display()),
            Address::Tcp(name) => write!(f, "tcp:{name}"),
        }
    }
}

/// Takes connections; it never blocks.
pub(super) enum Listener {
    Unix(UnixListener, PathBuf),
    Tcp(TcpListener),
}

impl Listener {
    pub(super) fn bind(address: &Address) -> io::Result<Self> {
        match address {
            Address::Unix(path) => {
                let listener = UnixListener::bind(path)?;
                listener.set_nonblocking(true)?;
                Ok(Listener::Unix(listener, path.clone()))
            }
            Address::Tcp(name) => {
                let listener = TcpListener::bind(name.as_str())?;
                listener.set_nonblocking(true)?;
                Ok(Listener::Tcp(listener))
            }
        }
    }

    /// The address for others, with the port that the system chose.
    pub(super) fn address(&self) -> io::Result<Address> {
        match self {
            Listener::Unix(_, path) => Ok(Address::Unix(path.clone())),
            Listener::Tcp(listener) => Ok(Address::Tcp(listener.local_addr()?.to_string())),
        }
    }

    /// A connection that waits to be taken.
    pub(super) fn accept(&self) -> Option<Stream> {
        match self {
            Listener::Unix(listener, _) => loop {
                let (stream, _) = listener.accept().ok()?;
                if credentials::is_ours(&stream) {
                    return Some(Stream::Unix(stream));
                }
            },
            Listener::Tcp(listener) => Stream::tcp(listener.accept().ok()?.0).ok(),
        }
    }
}

impl Drop for Listener {
    fn drop(&mut self) {
        if let Listener::Unix(_, path) = self {
            let _ = std::fs::remove_file(path);
        }
    }
}

/// Waits until one of the streams has something to read, or can be written to where that is asked
/// for, at most for a while. For streams that no descriptor tells of it is a pause, which grows with
/// what was `waited`: ranks that have no core each need the others to run.
pub(super) fn poll<'a>(
    streams: impl Iterator<Item = (&'a Stream, bool)>,
    wait: Duration,
    waited: Duration,
) {
    let wanted = |write| if write { libc::POLLIN | libc::POLLOUT } else { libc::POLLIN };
    let mut untold = false;
    let entry = |(stream, write): (&Stream, bool)| {
        let fd = stream.descriptor();
        untold |= fd.is_none();
        Some(libc::pollfd { fd: fd?, events: wanted(write), revents: 0 })
    };
    // All of them, as asking for a stream is what sends to it.
    let mut entries: Vec<libc::pollfd> = streams.filter_map(entry).collect();
    if untold {
        match waited < EAGER {
            true => thread::yield_now(),
            false => thread::sleep(wait.min(waited / 16).min(PAUSE)),
        }
        return;
    }
    let wait = i32::try_from(wait.as_micros().div_ceil(1000)).unwrap_or(i32::MAX);
    // SAFETY: the entries are initialised and as many as is said. What comes back is not looked at:
    // reads and writes that would block say so themselves.
    unsafe { libc::poll(entries.as_mut_ptr(), entries.len() as libc::nfds_t, wait) };
}

/// Whoever waits for longer sleeps between looks.
const EAGER: Duration = Duration::from_micros(500);
const PAUSE: Duration = Duration::from_millis(1);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_read_as_they_are_written() {
        for text in ["unix:/tmp/group", "tcp:127.0.0.1:0", "tcp:[::1]:4000"] {
            assert_eq!(Address::parse(text).unwrap().to_string(), text);
        }
        for text in ["", "unix:", "tcp:4000", "udp:1.2.3.4:5", "/tmp/group"] {
            assert_eq!(Address::parse(text).unwrap_err().kind(), ErrorKind::InvalidArgument);
        }
    }
}
