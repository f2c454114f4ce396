//! Faults of the stream between the controller and a worker: a relay stands in between.

use super::super::acts::MARK;
use super::super::case::{Case, Seen};
use super::super::system;
use super::super::table::Phase;

use crate::{Error, Result};
use ringwood_core::__private::process::{receive, send};
use std::collections::VecDeque;
use std::io;
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::net::UnixStream;
use std::os::unix::process::CommandExt;
use std::process::{Command, exit};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

/// A worker whose messages go wrong, from the case's phase on.
pub(in super::super) fn wired(case: &Case, fault: &str) -> Result<Seen> {
    let program =
        std::env::current_exe().map_err(|cause| Error::unavailable("no program").because(cause))?;
    let at_start = case.phase == Phase::Start;
    // The shell knows the name under which the worker was started. The relay is no worker, and has the stream of one.
    let script = format!(
        "unset RINGWOOD_WORKER; exec '{}' faults --relay \"$0|{}|{fault}|{at_start}\"",
        program.display().to_string().replace('\'', r"'\''"),
        case.victim
    );
    let builder = case.builder().timeout(Duration::from_secs(4));
    let builder = builder.program("/bin/sh").program_arguments(["-c", &script]);
    match case.phase {
        Phase::Call => case.acted(builder, MARK),
        // A reaction of the worker to the first bytes that are wrong.
        _ => case.struck(builder, |_| ()),
    }
}

/// Runs a worker and stands between it and the controller.
pub(in super::super) fn relay(what: &str) -> Result<()> {
    let mut words = what.split('|');
    let mut word = || words.next().unwrap_or_default();
    let (name, victim, fault, at_start) = (word(), word(), word(), word());
    let failed = |cause| Error::unavailable("no relay").because(cause);
    let controller = io::stdin().as_fd().try_clone_to_owned().map_err(failed)?;
    let (worker, theirs) = UnixStream::pair().map_err(failed)?;
    let program = std::env::current_exe().map_err(failed)?;
    let mut child =
        Command::new(program).arg0(name).stdin(OwnedFd::from(theirs)).spawn().map_err(failed)?;
    let controller = UnixStream::from(controller);
    let hit = name.starts_with(&format!("ringwood-worker {victim} of "));
    let relay = Relay {
        fault: if hit { fault.to_owned() } else { String::new() },
        armed: AtomicBool::new(at_start == "true"),
        struck: AtomicBool::new(false),
    };
    thread::scope(|scope| {
        scope.spawn(|| {
            // A worker that is gone is waited for below.
            if relay.pass(&controller, &worker, false).is_ok() {
                exit(0);
            }
        });
        let _ = relay.pass(&worker, &controller, true);
        let status = child.wait().ok().and_then(|status| status.code());
        exit(status.unwrap_or(0));
    })
}

struct Relay {
    fault: String,
    /// Whether the next message is to go wrong.
    armed: AtomicBool,
    struck: AtomicBool,
}

/// The bytes of a head, and where it says how long the body is.
const HEAD: usize = 12;

impl Relay {
    /// Passes messages on until `from` is gone: those to the controller, or those to the worker.
    fn pass(&self, from: &UnixStream, to: &UnixStream, outwards: bool) -> io::Result<()> {
        let (mut bytes, mut files) = (Vec::new(), VecDeque::new());
        let mut chunk = vec![0; 64 << 10];
        loop {
            match receive(from, &mut chunk, &mut files, true)? {
                0 => return Ok(()),
                count => bytes.extend(&chunk[..count]),
            }
            while let Some(frame) = next(&mut bytes) {
                let file = if frame[3] == 1 { files.pop_front() } else { None };
                if frame.windows(MARK.len()).any(|part| part == MARK.as_bytes()) {
                    self.armed.store(true, Ordering::SeqCst);
                }
                self.deliver(frame, file, to, outwards)?;
            }
        }
    }

    fn deliver(
        &self,
        mut frame: Vec<u8>,
        file: Option<OwnedFd>,
        to: &UnixStream,
        outwards: bool,
    ) -> io::Result<()> {
        let mine = outwards != self.fault.starts_with("order ");
        let armed = mine && !self.fault.is_empty() && self.armed.load(Ordering::SeqCst);
        let first = armed && !self.struck.swap(true, Ordering::SeqCst);
        match self.fault.trim_start_matches("order ") {
            "silent" if armed => return Ok(()),
            "lost" if armed && file.is_some() => return Ok(()),
            "drip" if armed => {
                for byte in frame {
                    write(to, &[byte], None)?;
                    thread::sleep(Duration::from_secs(1));
                }
                return Ok(());
            }
            "truncated" if first => {
                write(to, &frame[..frame.len() / 2], file)?;
                exit(0);
            }
            "without its file" if armed => return write(to, &frame, None),
            // Heads have two letters, a version, a flag, a length and a checksum.
            "corrupt" if first => *frame.last_mut().expect("a head") ^= 4,
            "oversized" if first => frame[4..8].fill(0xff),
            "of another version" if first => frame[2] = 10,
            "garbage" if first => frame = b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n".to_vec(),
            "repeated" if first => write(to, &frame.clone(), None)?,
            _ => {}
        }
        write(to, &frame, file)
    }
}

/// Takes a whole message off the front.
fn next(bytes: &mut Vec<u8>) -> Option<Vec<u8>> {
    let length = bytes.get(4..8)?;
    let end = HEAD + u32::from_le_bytes(length.try_into().expect("four bytes")) as usize;
    (bytes.len() >= end).then(|| bytes.drain(..end).collect())
}

fn write(to: &UnixStream, mut bytes: &[u8], file: Option<OwnedFd>) -> io::Result<()> {
    let mut file = file.as_ref().map(AsFd::as_fd);
    while !bytes.is_empty() {
        let sent = send(to, bytes, file.take(), true)?;
        bytes = &bytes[sent..];
    }
    Ok(())
}

/// Whether a process of a case listens anywhere.
pub(in super::super) fn listeners(case: &Case) -> Result<Seen> {
    case.unharmed(|_| {
        let mine = [std::process::id()];
        let all = mine.into_iter().chain(system::children_of(mine[0], "ringwood-worker"));
        let open: Vec<_> = all.flat_map(system::listening).collect();
        super::wrong_unless(open.is_empty(), || format!("listening sockets: {open:?}"))
    })
}
