//! A rank's connections to all others.

use super::frame::{Head, Kind, TEXT};
use super::inbox::{End, Inbox};
use super::moves::Moves;
use super::outbox::Outbox;
use super::pool::{Message, Pool};
use super::stream::{Stream, await_any};
use crate::record::{shortened, text};
use crate::{Failure, Late, Relay, flight};
use ringwood_base::{Error, ErrorKind, Result};
use ringwood_schedule::Rank;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// A rank's connections to all others. Whoever waits here receives what comes from every peer and
/// sends what is left for every peer, so no rank's sending can hold up another one's receiving: with
/// queues for what a schedule sends, every schedule that is proved to finish does.
pub(super) struct Links {
    pub(super) rank: Rank,
    pub(super) failure: Arc<Failure>,
    pub(super) out: Arc<Outbox>,
    /// The rank that this one waits for.
    pub(super) waits_for: Option<usize>,
    inboxes: Vec<Option<Inbox>>,
    pool: Pool,
}

/// A failure as it is told: by whom, and what; and for whom the rank waits that passes it on.
#[derive(Clone, serde::Serialize, serde::Deserialize)]
struct Told {
    rank: usize,
    error: Error,
    /// Who is late, if that is the failure.
    late: Option<Late>,
    waits_for: Option<usize>,
}

/// A failure or an abort of this process, which no frame tells, is seen after this time.
const LOOK: Duration = Duration::from_millis(5);
/// Ranks in a call tell that they know of a failure within this time; others need not be waited for.
const GRACE: Duration = Duration::from_millis(200);
/// The same where some are late: whom a rank waits for says who is.
const LATE_GRACE: Duration = Duration::from_millis(500);

impl Links {
    /// The ends of these connections, one for each rank but the own.
    pub(super) fn new(rank: Rank, streams: Vec<Option<Stream>>, failure: Arc<Failure>) -> Self {
        let out = Arc::new(Outbox::new(&streams));
        let inboxes = streams.into_iter().map(|s| s.map(Inbox::new)).collect();
        Self { rank, failure, out, waits_for: None, inboxes, pool: Pool::default() }
    }

    /// The other ranks.
    pub(super) fn peers(&self) -> impl Iterator<Item = usize> + use<> {
        let own = self.rank.index();
        (0..self.rank.group_size()).filter(move |&rank| rank != own)
    }

    pub(super) fn inbox(&mut self, rank: usize) -> &mut Inbox {
        self.inboxes[rank].as_mut().expect("only peers are asked for")
    }

    /// This machine as others reach it, if that is over TCP.
    pub(super) fn host(&self) -> Option<String> {
        self.inboxes.iter().flatten().find_map(|inbox| inbox.stream.host())
    }

    /// Begins a call; `moves` says what messages will come, if this rank can make it.
    pub(super) fn begin(&mut self, call: u64, moves: Option<&Moves>) {
        for (rank, inbox) in self.inboxes.iter_mut().enumerate() {
            let expected = moves.map_or(&[][..], |moves| &moves.expected[rank]);
            if let Some(inbox) = inbox {
                inbox.begin(call, expected);
            }
        }
    }

    /// Memory for a message.
    pub(super) fn message(&mut self, bytes: usize) -> Result<Message> {
        self.pool.message(bytes)
    }

    pub(super) fn give(&mut self, message: Message) {
        self.pool.give(message);
    }

    /// Receives and sends until `done` gives an outcome, or the group fails; `None` after the deadline.
    pub(super) fn wait<T>(
        &mut self,
        deadline: Instant,
        mut done: impl FnMut(&mut Self) -> Option<T>,
    ) -> Result<Option<T>> {
        let start = Instant::now();
        loop {
            if let Some(outcome) = done(self) {
                return Ok(Some(outcome));
            }
            self.check().inspect_err(|_| self.deliver())?;
            let now = Instant::now();
            let left = deadline.saturating_duration_since(now);
            if left.is_zero() {
                return Ok(None);
            }
            let waited = now.duration_since(start);
            self.turn(left.min(LOOK), waited).map_err(|error| self.raise(error))?;
        }
    }

    /// Waits for something of a peer. Where it ends or is late, the group fails as `missing` says.
    pub(super) fn wait_for<T>(
        &mut self,
        peer: usize,
        deadline: Instant,
        mut done: impl FnMut(&mut Inbox) -> Option<T>,
        missing: impl FnOnce(&mut Self, Option<End>) -> Error,
    ) -> Result<T> {
        if let Some(value) = done(self.inbox(peer)) {
            return Ok(value);
        }
        self.waits_for = Some(peer);
        flight::waits_for(peer);
        let outcome = self.wait(deadline, |links| {
            let inbox = links.inbox(peer);
            done(inbox).map(Ok).or_else(|| inbox.end.map(Err))
        })?;
        match outcome.transpose() {
            Ok(Some(value)) => {
                self.waits_for = None;
                flight::waited();
                Ok(value)
            }
            late => Err(missing(self, late.err())),
        }
    }

    /// An error if the group has failed, here or elsewhere.
    pub(super) fn check(&mut self) -> Result<()> {
        if let Some(error) = self.failure.get() {
            return Err(error);
        }
        match self.told() {
            Some(told) => Err(self.fail(told)),
            None => Ok(()),
        }
    }

    /// Receives what comes and sends what is left, waiting at most for a while, the less eagerly the
    /// longer it has `waited`. A peer whose stream cannot be read on, as it sends what it must not or this rank has no memory
    /// for it, counts as gone from then on.
    fn turn(&mut self, wait: Duration, waited: Duration) -> Result<()> {
        let out = &self.out;
        let open = self.inboxes.iter().enumerate().filter_map(|(rank, inbox)| {
            let inbox = inbox.as_ref().filter(|inbox| inbox.end.is_none())?;
            Some((&*inbox.stream, out.flush(rank)))
        });
        await_any(open, wait, waited);
        let mut outcome = Ok(());
        for (peer, inbox) in self.inboxes.iter_mut().enumerate() {
            let Some(inbox) = inbox else { continue };
            if let Err(error) = inbox.read(&mut self.pool) {
                inbox.end = Some(End::Died);
                let (n, what) = (self.rank.group_size(), error.message());
                outcome = Err(match error.kind() {
                    ErrorKind::Protocol => {
                        Error::protocol(format!("rank {peer} of {n} sent {what}"))
                    }
                    // This rank has no memory for what came.
                    _ => error.with("rank", self.rank),
                });
            }
        }
        outcome
    }

    /// Waits until everything is sent. Where a rank dies before it has taken its part, or some are late, the group
    /// fails as `missing` says.
    pub(super) fn flush(
        &mut self,
        deadline: Instant,
        missing: impl FnOnce(&mut Self, Option<usize>) -> Error,
    ) -> Result<()> {
        let outcome = self.wait(deadline, |links| {
            let unsent = links.unsent();
            links.waits_for = unsent.first().copied();
            let died = unsent.iter().find(|peer| links.end(**peer).is_some());
            died.map(|peer| Err(*peer)).or(unsent.is_empty().then_some(Ok(())))
        })?;
        match outcome {
            Some(Ok(())) => Ok(()),
            late => Err(missing(self, late.and_then(Result::err))),
        }
    }

    /// The ranks that have not taken all that was sent to them. One that has left has taken what it needs.
    pub(super) fn unsent(&self) -> Vec<usize> {
        let left = |peer| self.end(peer) == Some(End::Left);
        self.peers().filter(|&peer| self.out.flush(peer) && !left(peer)).collect()
    }

    /// How a peer's stream ended, if it has.
    fn end(&self, peer: usize) -> Option<End> {
        self.inboxes[peer].as_ref()?.end
    }

    /// After a failure that this rank has announced, sends what is left before the announcement, as far as others take
    /// it soon: nobody sends it once the caller has the error.
    fn deliver(&mut self) {
        let end = Instant::now() + GRACE;
        let waits = |links: &Self| links.unsent().iter().any(|&peer| links.end(peer).is_none());
        while self.out.has_announced() && waits(self) && Instant::now() < end {
            // Nothing that comes now is of any use.
            let _ = self.turn(LOOK, LOOK);
        }
    }

    /// Sends what is left, whatever comes meanwhile, and closes the connections in one direction.
    pub(super) fn leave(&mut self, deadline: Instant) {
        let unsent = |links: &Self| links.peers().any(|peer| links.out.flush(peer));
        while unsent(self) && Instant::now() < deadline {
            // Nothing that comes now is of any use.
            let _ = self.turn(LOOK, LOOK);
        }
        self.inboxes.iter().flatten().for_each(|inbox| inbox.stream.finish());
    }

    /// Fails the group with an error that this rank found.
    pub(super) fn raise(&mut self, error: Error) -> Error {
        self.raise_as(error, None)
    }

    /// Fails the group since some ranks are late.
    pub(super) fn raise_late(&mut self, late: Late) -> Error {
        self.raise_as(late.error(self.rank.group_size()), Some(late))
    }

    fn raise_as(&mut self, error: Error, late: Option<Late>) -> Error {
        let rank = self.rank.index();
        let told = self.told().unwrap_or(Told { rank, error, late, waits_for: None });
        self.fail(told)
    }

    /// Fails the group. Ranks may find different failures at the same time: each tells all others the
    /// first one it knows of, and among those that were told the one of the lowest rank counts.
    fn fail(&mut self, mut first: Told) -> Error {
        first.waits_for = self.waits_for;
        announce(&self.out, &first);
        let end = Instant::now() + if first.late.is_some() { LATE_GRACE } else { GRACE };
        let silent = |inbox: &Inbox| inbox.failure.is_none() && inbox.end.is_none();
        while self.inboxes.iter().flatten().any(silent) && Instant::now() < end {
            if let Some(error) = self.failure.get() {
                return error;
            }
            // What is wrong with yet another peer does not matter any more.
            let _ = self.turn(LOOK, LOOK);
        }
        if let Some(told) = self.told().filter(|told| told.rank < first.rank) {
            first = told;
        }
        self.failure.raise(self.blame(first))
    }

    /// The failure, which names who is late by what all ranks told: each knows only whom it waits for
    /// itself.
    fn blame(&self, first: Told) -> Error {
        let Some(late) = first.late else { return first.error };
        let (n, own) = (self.rank.group_size(), self.rank.index());
        let told = |rank: usize| -> Option<Told> {
            // Peers may name ranks that are not there.
            let text = self.inboxes.get(rank)?.as_ref()?.failure.as_deref()?;
            serde_json::from_slice(text).ok()
        };
        let waits_for = |rank| match rank == own {
            true => self.waits_for,
            false => told(rank).and_then(|told| told.waits_for).filter(|&other| other < n),
        };
        late.root(waits_for, n).error(n)
    }

    /// The failure that a peer tells of: that of the lowest rank.
    fn told(&self) -> Option<Told> {
        let texts = self.inboxes.iter().flatten().filter_map(|inbox| inbox.failure.as_deref());
        let told = texts.filter_map(|text| serde_json::from_slice::<Told>(text).ok());
        told.min_by_key(|told| told.rank)
    }
}

fn announce(out: &Outbox, told: &Told) {
    // An error is text, which JSON can always hold.
    let text = text(told, TEXT, || Told { error: shortened(&told.error), ..told.clone() });
    out.announce(&Head::new(Kind::Failure, 0, text.len()), &text);
}

/// Tells the other processes of a failure that comes from outside of a call.
pub(super) struct Announcer {
    pub(super) rank: usize,
    pub(super) out: Arc<Outbox>,
}

impl Relay for Announcer {
    fn offer(&self, error: Error, _rank: Option<usize>) -> Error {
        let told = Told { rank: self.rank, error, late: None, waits_for: None };
        announce(&self.out, &told);
        told.error
    }

    fn heard(&self) -> Option<Error> {
        None
    }
}

#[cfg(test)]
mod tests;
