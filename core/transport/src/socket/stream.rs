//! Connections between ranks: of the Unix domain, or TCP.

use crate::Channel;
use ringwood_base::deadline::{deadline, left};
use ringwood_base::{Error, Result};
use rustix::event::{PollFd, PollFlags};
use rustix::io::{FdFlags, fcntl_setfd};
use rustix::net::{
    AddressFamily, SendAncillaryBuffer, SendFlags, Shutdown, SocketAddrUnix, SocketType, connect,
    sendmsg, socket,
};
use rustix::process::geteuid;
use rustix::time::Timespec;
use std::fs;
use std::io::{self, IoSlice, Read};
use std::net::{IpAddr, TcpListener, TcpStream, ToSocketAddrs};
use std::os::fd::{AsFd, BorrowedFd};
use std::os::unix::fs::FileTypeExt;
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::thread;
use std::time::Duration;

/// A connection to another rank.
pub(super) type Stream = Arc<dyn Channel>;

/// A socket that does not wait.
struct Socket<S> {
    socket: S,
    host: Option<String>,
}

impl<S: AsFd + Send + Sync> Channel for Socket<S>
where
    for<'s> &'s S: Read,
{
    fn read(&self, into: &mut [u8]) -> io::Result<usize> {
        (&self.socket).read(into)
    }

    fn write(&self, parts: &[IoSlice<'_>]) -> io::Result<usize> {
        // A peer that is gone is an error, and no signal: programs whose `main` is not Rust's do not ignore that.
        let sent =
            sendmsg(&self.socket, parts, &mut SendAncillaryBuffer::default(), SendFlags::NOSIGNAL);
        Ok(sent?)
    }

    fn is_sent(&self) -> bool {
        true
    }

    fn descriptor(&self) -> Option<BorrowedFd<'_>> {
        Some(self.socket.as_fd())
    }

    fn finish(&self) {
        // A peer that is gone need not be told.
        let _ = rustix::net::shutdown(&self.socket, Shutdown::Write);
    }

    fn host(&self) -> Option<String> {
        self.host.clone()
    }
}

pub(super) fn unix(socket: UnixStream) -> io::Result<Stream> {
    socket.set_nonblocking(true)?;
    Ok(Arc::new(Socket { socket, host: None }))
}

/// A stream over TCP.
///
/// # Errors
/// The socket is connected with itself: the system gave it the port as its own that it was to reach, where nobody
/// listened.
fn tcp(socket: TcpStream) -> io::Result<Stream> {
    if socket.local_addr()? == socket.peer_addr()? {
        return Err(io::ErrorKind::ConnectionRefused.into());
    }
    socket.set_nodelay(true)?;
    socket.set_nonblocking(true)?;
    let host = match socket.local_addr()?.ip() {
        IpAddr::V4(ip) => ip.to_string(),
        IpAddr::V6(ip) => format!("[{ip}]"),
    };
    Ok(Arc::new(Socket { socket, host: Some(host) }))
}

/// Whether nobody listens at this path any more: its process was killed.
fn is_left_over(path: &Path) -> bool {
    let is_socket = fs::symlink_metadata(path).is_ok_and(|file| file.file_type().is_socket());
    let refused = |error: io::Error| error.kind() == io::ErrorKind::ConnectionRefused;
    is_socket && connect_unix(path).is_err_and(refused)
}

/// Connects to a listener of this user, without waiting for a place in its queue: where that is full, the error is
/// [`WouldBlock`](io::ErrorKind::WouldBlock).
fn connect_unix(path: &Path) -> io::Result<Stream> {
    let end = socket(AddressFamily::UNIX, SocketType::STREAM, None)?;
    fcntl_setfd(&end, FdFlags::CLOEXEC)?;
    let end = UnixStream::from(end);
    end.set_nonblocking(true)?;
    connect(&end, &SocketAddrUnix::new(path)?)?;
    if is_ours(&end) { unix(end) } else { Err(io::ErrorKind::PermissionDenied.into()) }
}

/// Whether the process at the other end is of this user.
#[cfg(any(target_os = "linux", target_os = "android"))]
fn is_ours(stream: &UnixStream) -> bool {
    rustix::net::sockopt::socket_peercred(stream).is_ok_and(|peer| peer.uid == geteuid())
}

#[cfg(not(any(target_os = "linux", target_os = "android")))]
fn is_ours(stream: &UnixStream) -> bool {
    let (mut user, mut group) = (0, 0);
    let fd = std::os::fd::AsRawFd::as_raw_fd(stream);
    // SAFETY: both numbers live through the call.
    let got = unsafe { libc::getpeereid(fd, &raw mut user, &raw mut group) };
    got == 0 && user == geteuid().as_raw()
}

/// Where a rank listens.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Address {
    Unix(PathBuf),
    /// `HOST:PORT`.
    Tcp(String),
}

impl Address {
    /// `unix:PATH`, `tcp:HOST:PORT`; an error if it is neither.
    pub(super) fn parse(text: &str) -> Result<Self> {
        match text.split_once(':') {
            Some(("unix", path)) if !path.is_empty() => Ok(Address::Unix(path.into())),
            Some(("tcp", name)) if name.contains(':') => Ok(Address::Tcp(name.to_owned())),
            _ => Err(Error::invalid(format!("`{text}` is not an address of a group"))
                .help("write `unix:PATH` or `tcp:HOST:PORT#TOKEN`")),
        }
    }

    pub(super) fn connect(&self, within: Duration) -> io::Result<Stream> {
        let name = match self {
            Address::Unix(path) => return connect_unix(path),
            Address::Tcp(name) => name,
        };
        let mut last = io::ErrorKind::AddrNotAvailable.into();
        let end = deadline(within);
        for one in name.to_socket_addrs()? {
            let left = left(end).max(Duration::from_millis(1));
            match TcpStream::connect_timeout(&one, left).and_then(tcp) {
                Ok(stream) => return Ok(stream),
                Err(error) => last = error,
            }
        }
        Err(last)
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
                let listener = UnixListener::bind(path).or_else(|error| match error.kind() {
                    io::ErrorKind::AddrInUse if is_left_over(path) => {
                        fs::remove_file(path)?;
                        UnixListener::bind(path)
                    }
                    _ => Err(error),
                })?;
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
                if is_ours(&stream) {
                    return unix(stream).ok();
                }
            },
            Listener::Tcp(listener) => tcp(listener.accept().ok()?.0).ok(),
        }
    }
}

impl Drop for Listener {
    fn drop(&mut self) {
        if let Listener::Unix(_, path) = self {
            let _ = fs::remove_file(path);
        }
    }
}

/// Waits until one of the streams has something to read, or can be written to where that is asked
/// for, at most for a while. For streams that no descriptor tells of it is a pause, which grows with
/// what was `waited`: ranks that have no core each need the others to run.
pub(super) fn await_any<'a>(
    streams: impl Iterator<Item = (&'a dyn Channel, bool)>,
    wait: Duration,
    waited: Duration,
) {
    let wanted = |write| if write { PollFlags::IN | PollFlags::OUT } else { PollFlags::IN };
    let mut untold = false;
    let entry = |(stream, write): (&'a dyn Channel, bool)| {
        let fd = stream.descriptor();
        untold |= fd.is_none();
        Some(PollFd::from_borrowed_fd(fd?, wanted(write)))
    };
    // All of them, as asking for a stream is what sends to it.
    let mut entries: Vec<PollFd<'a>> = streams.filter_map(entry).collect();
    if untold {
        return match waited < EAGER {
            true => thread::yield_now(),
            false => thread::sleep(wait.min(waited / 16).min(PAUSE)),
        };
    }
    // What comes back is not looked at: reads and writes that would block say so themselves.
    let _ = rustix::event::poll(&mut entries, Timespec::try_from(wait).ok().as_ref());
}

/// Whoever waits for longer sleeps between looks.
const EAGER: Duration = Duration::from_micros(500);
const PAUSE: Duration = Duration::from_millis(1);

#[cfg(test)]
mod tests;
