//! Ranks that send each other messages over streams, within a machine or between machines.

mod bootstrap;
mod end;
mod exchange;
mod frame;
mod gate;
mod inbox;
mod links;
mod moves;
mod outbox;
mod pool;
mod post;
mod run;
mod stream;

use super::{Bootstrap, Channel, Endpoint, Failure, Transport};
use crate::register_transport;
use end::End;
use links::Links;
use ringwood_base::{Error, Result};
use ringwood_schedule::{Capabilities, Rank};
use std::fs::{DirBuilder, remove_dir_all};
use std::hash::{BuildHasher, Hasher, RandomState};
use std::io;
use std::os::unix::fs::DirBuilderExt;
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;
use stream::{Stream, unix};

/// Ranks that send each other messages over streams: threads, processes of a machine over sockets of
/// the Unix domain, or processes anywhere over TCP. Each rank has one connection to each other one.
///
/// The address of a group is where rank 0 listens: `unix:PATH`, for processes of one user, or
/// `tcp:HOST:PORT#TOKEN`. The token, which all ranks write alike, keeps out who does not know it;
/// nothing is encrypted.
///
/// A message between two ranks is sent when its receiver has asked for it, so none has to be kept.
///
/// It runs every schedule that sends and receives, signals and waits. Schedules that access the
/// memory of peers are refused.
pub struct Socket;

register_transport!(socket, Socket);

impl Transport for Socket {
    fn capabilities(&self) -> Capabilities {
        Capabilities::TWO_SIDED
    }

    fn connect(&self, ranks: usize, failure: &Arc<Failure>) -> Result<Vec<Box<dyn Endpoint>>> {
        let mut streams: Vec<Vec<Option<Stream>>> = Vec::with_capacity(ranks);
        for rank in 0..ranks {
            let mut own = Vec::with_capacity(ranks);
            for (lower, of_lower) in streams.iter_mut().enumerate() {
                let failed = |cause| {
                    let message = format!("cannot connect ranks {lower} and {rank} of {ranks}");
                    Error::unavailable(message).because(cause)
                };
                let (here, there) = UnixStream::pair().map_err(failed)?;
                own.push(Some(unix(here).map_err(failed)?));
                of_lower.push(Some(unix(there).map_err(failed)?));
            }
            own.push(None);
            streams.push(own);
        }
        let end = |(rank, streams)| -> Result<Box<dyn Endpoint>> {
            let links = Links::new(Rank::new(rank, ranks), streams, Arc::clone(failure));
            Ok(Box::new(End::new(links, false)?))
        };
        streams.into_iter().enumerate().map(end).collect()
    }

    fn bootstrap(&self, ranks: usize) -> Result<Bootstrap> {
        let folder = Folder::below(roomy(&std::env::temp_dir(), ranks))?;
        Ok(Bootstrap::new(format!("unix:{}/group", folder.0.display()), folder))
    }

    fn join(
        &self,
        rank: Rank,
        address: &str,
        within: Duration,
        failure: &Arc<Failure>,
    ) -> Result<Box<dyn Endpoint>> {
        let streams = bootstrap::connect(rank, address, within)?;
        End::announcing(rank, streams, failure)
    }
}

/// An endpoint of `rank` over channels to the other ranks, one for each rank but the own. It runs
/// schedules that send, receive, signal and wait.
///
/// # Errors
/// There is no memory for it.
pub fn over_channels(
    rank: Rank,
    channels: Vec<Option<Box<dyn Channel>>>,
    failure: &Arc<Failure>,
) -> Result<Box<dyn Endpoint>> {
    let streams = channels.into_iter().map(|channel| channel.map(Stream::from)).collect();
    End::announcing(rank, streams, failure)
}

/// A folder of this user alone, which is removed when it is dropped.
struct Folder(PathBuf);

/// The longest path of a socket that every system takes, in bytes.
const LONGEST: usize = 103;

/// A place for the [`Folder`] of a group: `place`, unless it makes the paths of the ranks' sockets too long.
fn roomy(place: &Path, ranks: usize) -> &Path {
    let longest = place.join(format!("ringwood-{:016x}/group.{ranks}", 0));
    if longest.as_os_str().len() <= LONGEST { place } else { Path::new("/tmp") }
}

impl Folder {
    /// A folder of a name that no other process has: process numbers repeat, also at the same time.
    fn below(place: &Path) -> Result<Self> {
        loop {
            let random = RandomState::new().build_hasher().finish();
            let path = place.join(format!("ringwood-{random:016x}"));
            match DirBuilder::new().mode(0o700).create(&path) {
                Ok(()) => return Ok(Self(path)),
                Err(cause) if cause.kind() == io::ErrorKind::AlreadyExists => {}
                Err(cause) => {
                    let message =
                        format!("cannot make the folder `{}` for sockets", path.display());
                    let help =
                        "let the variable TMPDIR name a folder that takes files, or unset it";
                    return Err(Error::unavailable(message).help(help).because(cause));
                }
            }
        }
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = remove_dir_all(&self.0);
    }
}

#[cfg(test)]
mod tests;
