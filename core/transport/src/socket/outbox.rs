//! What a rank has to send.

use super::frame::Head;
use super::stream::Stream;
use crate::Channel;
use ringwood_base::sync::lock;
use std::collections::VecDeque;
use std::io::{ErrorKind, IoSlice};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};

/// What a rank has to send, with one queue for each peer. Sending never waits: what a connection
/// does not take at once is kept, so that a rank that sends can always receive. A queue holds at
/// most what the schedule sends to that peer in one call, or one message.
pub(super) struct Outbox {
    peers: Vec<Option<Peer>>,
    announced: AtomicBool,
}

struct Peer {
    stream: Stream,
    queue: Mutex<Queue>,
}

/// The bytes of an empty queue that are kept for the next message.
const KEPT: usize = 1 << 20;

#[derive(Default)]
struct Queue {
    bytes: VecDeque<u8>,
    /// The peer does not read any more.
    broken: bool,
}

impl Outbox {
    /// An outbox for these connections, one for each rank but the own.
    pub(super) fn new(streams: &[Option<Stream>]) -> Self {
        let peer = |stream: &Stream| Peer { stream: stream.clone(), queue: Mutex::default() };
        let peers = streams.iter().map(|stream| stream.as_ref().map(peer)).collect();
        Self { peers, announced: AtomicBool::new(false) }
    }

    /// Sends a frame to `rank`, or keeps what does not go at once.
    pub(super) fn send(&self, rank: usize, head: &Head, body: &[u8]) {
        let Some(peer) = &self.peers[rank] else { return };
        let mut queue = lock(&peer.queue);
        queue.flush(&*peer.stream);
        if queue.broken {
            return;
        }
        let head = head.encode();
        let sent = match queue.bytes.is_empty() {
            true => write(&*peer.stream, &[IoSlice::new(&head), IoSlice::new(body)]),
            false => Some(0),
        };
        let Some(sent) = sent else { return queue.fail() };
        queue.bytes.extend(&head[sent.min(head.len())..]);
        queue.bytes.extend(&body[sent.saturating_sub(head.len())..]);
    }

    /// Sends a frame to every peer.
    pub(super) fn send_all(&self, head: &Head, body: &[u8]) {
        (0..self.peers.len()).for_each(|rank| self.send(rank, head, body));
    }

    /// Tells every peer that the group has failed; only the first time.
    pub(super) fn announce(&self, head: &Head, body: &[u8]) {
        if !self.announced.swap(true, Ordering::SeqCst) {
            self.send_all(head, body);
        }
    }

    /// Whether peers were told that the group has failed.
    pub(super) fn has_announced(&self) -> bool {
        self.announced.load(Ordering::SeqCst)
    }

    /// Sends what was kept for `rank`, as far as it goes; whether anything is left.
    pub(super) fn flush(&self, rank: usize) -> bool {
        let Some(peer) = &self.peers[rank] else { return false };
        let mut queue = lock(&peer.queue);
        queue.flush(&*peer.stream);
        !queue.broken && (!queue.bytes.is_empty() || !peer.stream.is_sent())
    }
}

impl Queue {
    fn flush(&mut self, stream: &dyn Channel) {
        while !self.bytes.is_empty() {
            let (first, second) = self.bytes.as_slices();
            let parts = [IoSlice::new(first), IoSlice::new(second)];
            let sent = write(stream, &parts);
            match sent {
                Some(0) => return,
                Some(sent) => drop(self.bytes.drain(..sent)),
                None => self.fail(),
            }
        }
        // One large message is no reason to keep so much for ever.
        if self.bytes.capacity() > KEPT {
            self.bytes = VecDeque::new();
        }
    }

    /// What a peer that is gone would have got is of no use; reading from it tells that it is gone.
    fn fail(&mut self) {
        self.broken = true;
        self.bytes = VecDeque::new();
    }
}

/// The bytes that go at once; `None` if the peer is gone.
fn write(stream: &dyn Channel, parts: &[IoSlice<'_>]) -> Option<usize> {
    loop {
        match stream.write(parts) {
            Ok(sent) => return Some(sent),
            Err(error) if error.kind() == ErrorKind::WouldBlock => return Some(0),
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(_) => return None,
        }
    }
}
