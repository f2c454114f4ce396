//! A rank's end of a group over sockets.

use super::exchange::Exchange;
use super::frame::{Head, Kind, TEXT};
use super::gate::Reserved;
use super::inbox::Inbox;
use super::links::{Announcer, Links};
use super::moves::Moves;
use super::run::Run;
use super::stream::Stream;
use crate::agreement::refusal;
use crate::message::Waiting;
use crate::plan::Prepared;
use crate::record::text;
use crate::words::shorter;
use crate::{Bootstrap, Buffers, Endpoint, Failure, Intent, Late, Plan, Ready, Region, Transport};
use ringwood_base::deadline::deadline;
use ringwood_base::{DType, Error, ErrorKind, Result};
use ringwood_schedule::Rank;
use std::hash::{BuildHasher, Hasher, RandomState};
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

/// A rank's end of a group over sockets.
pub(super) struct End {
    links: Links,
    prepared: Vec<Prepared<Moves>>,
    arena: Region,
    /// Whether it is the end of a process, whose panic nobody else sees.
    announces: bool,
}

/// Whoever leaves lets others read its last words for this time.
const FAREWELL: Duration = Duration::from_secs(1);

impl End {
    pub(super) fn new(links: Links, announces: bool) -> Result<Self> {
        let (prepared, arena) = (Vec::new(), Region::ordinary(0)?);
        Ok(Self { links, prepared, arena, announces })
    }

    /// The end of a rank that is a process: it tells the others what fails in this one.
    pub(super) fn announcing(
        rank: Rank,
        streams: Vec<Option<Stream>>,
        failure: &Arc<Failure>,
    ) -> Result<Box<dyn Endpoint>> {
        let links = Links::new(rank, streams, Arc::clone(failure));
        failure.relay(Announcer { rank: rank.index(), out: Arc::clone(&links.out) });
        Ok(Box::new(Self::new(links, true)?))
    }

    /// Tells every rank what this one calls, and waits until all have told.
    fn agree(&mut self, intent: &Intent<'_>) -> Result<()> {
        let call = intent.call;
        let end = deadline(intent.bounds.arrival);
        let links = &mut self.links;
        let fingerprint = intent.what.ok().map(|ready| ready.fingerprint);
        let head = match fingerprint {
            Some(word) => Head { word, ..Head::new(Kind::Arrive, call, 0) },
            None => Head::new(Kind::Refuse, call, 0),
        };
        links.out.send_all(&head, &[]);
        let mut agreed = fingerprint.is_some();
        for peer in links.peers() {
            let theirs = meet(links, peer, ("come to", call), end, |inbox| inbox.arrived(call))?;
            agreed &= theirs.is_some() && theirs == fingerprint;
        }
        if agreed { Ok(()) } else { Err(self.explain(intent)) }
    }

    /// Tells the others what this rank calls, in full, and hears what they call. The error that says
    /// how they differ. Those who came last have as much time for it as they had to come.
    #[cold]
    fn explain(&mut self, intent: &Intent<'_>) -> Error {
        let (call, own) = (intent.call, intent.statement());
        let end = deadline(intent.bounds.arrival);
        let links = &mut self.links;
        // Names and values are text, which JSON can always hold.
        let text = text(&own, TEXT, || shorter(&own));
        links.out.send_all(&Head::new(Kind::Words, call, text.len()), &text);
        let mut statements = vec![own; links.rank.group_size()];
        for peer in links.peers() {
            let words = meet(links, peer, ("describe", call), end, |inbox| inbox.take_words(call));
            statements[peer] = match words {
                Ok(text) => serde_json::from_slice(&text).unwrap_or_else(|cause| {
                    let message = format!("rank {peer} says of call #{call} what nobody can read");
                    Err(Error::protocol(message).because(cause))
                }),
                Err(error) => return error,
            };
        }
        refusal(call, &statements)
    }
}

/// Waits until a peer has done its part of coming to a call, as `here` tells of each peer; `what` names
/// that part in messages. Peers are waited for in their order.
fn meet<T>(
    links: &mut Links,
    peer: usize,
    (what, call): (&str, u64),
    end: Instant,
    here: impl Fn(&mut Inbox) -> Option<T> + Copy,
) -> Result<T> {
    links.wait_for(peer, end, here, |links, gone| {
        let (mut ranks, mut gone) = (Vec::new(), gone.map(|how| (peer, how)));
        for rank in links.peers().filter(|rank| *rank >= peer) {
            let inbox = links.inbox(rank);
            if here(inbox).is_none() {
                ranks.push(rank);
                // Another one may have gone meanwhile, which this rank has not waited for yet.
                gone = gone.or(inbox.end.map(|how| (rank, how)));
            }
        }
        let Some((gone, how)) = gone else {
            let waiting = Some(links.rank.index());
            return links.raise_late(Late { ranks, what: format!("{what} call #{call}"), waiting });
        };
        let message =
            format!("rank {gone} of {} {how} before call #{call}", links.rank.group_size());
        links.raise(Error::aborted(message).with("waiting", format!("rank {}", links.rank)))
    })
}

impl Endpoint for End {
    fn prepare(&mut self, slot: usize, plan: &Plan) -> Result<()> {
        let moves = Moves::of(plan)?;
        if self.arena.bytes().len() < moves.arena {
            self.arena = Region::ordinary(moves.arena)?;
        }
        Prepared::new(plan, moves).keep(&mut self.prepared, slot);
        Ok(())
    }

    fn call(&mut self, intent: &Intent<'_>, mut buffers: Buffers<'_>) -> Result<u64> {
        if let Some(error) = self.links.failure.get() {
            // Peers that take what was left for them only now hear of the failure behind it.
            self.links.unsent();
            return Err(error);
        }
        let moves = intent.what.ok().map(|ready| &self.prepared[ready.slot].work);
        self.links.begin(intent.call, moves);
        self.agree(intent)?;
        let Ok(Ready { slot, .. }) = intent.what else {
            unreachable!("ranks do not agree on a call that one of them refuses");
        };
        let Self { links, prepared, arena, .. } = self;
        let prepared = &prepared[slot];
        prepared.check(&buffers).map_err(|error| links.raise(error))?;
        let mut run = Run {
            links,
            call: intent.call,
            deadline: deadline(intent.bounds.execution),
            buffers: &mut buffers,
            arena: arena.bytes_mut(),
            merge: prepared.merge.as_ref(),
        };
        run.run(&prepared.work.all)?;
        Ok(prepared.work.moved)
    }

    fn send(&mut self, to: usize, data: &[u8], dtype: DType, within: Duration) -> Result<()> {
        let waiting = Waiting::Sender(self.links.rank.index());
        let (links, deadline) = (&mut self.links, deadline(within));
        Exchange { links, peer: to, deadline, waiting }.send(data, dtype)
    }

    fn recv(&mut self, from: usize, data: &mut [u8], dtype: DType, within: Duration) -> Result<()> {
        let waiting = Waiting::Receiver(self.links.rank.index());
        let (links, deadline) = (&mut self.links, deadline(within));
        Exchange { links, peer: from, deadline, waiting }.recv(data, dtype)
    }

    fn bootstrap(&self, transport: &dyn Transport, ranks: usize) -> Result<Bootstrap> {
        let Some(host) = self.links.host() else { return transport.bootstrap(ranks) };
        let reserved = Reserved::at(&host)?;
        let token: [u64; 2] = std::array::from_fn(|_| RandomState::new().build_hasher().finish());
        let address = format!("{}#{:016x}{:016x}", reserved.address(), token[0], token[1]);
        Ok(Bootstrap::new(address, reserved))
    }
}

impl Drop for End {
    fn drop(&mut self) {
        if self.announces && thread::panicking() {
            let (rank, n) = (self.links.rank, self.links.rank.group_size());
            let message = format!("rank {rank} of {n} panicked");
            self.links.failure.raise(Error::new(ErrorKind::Panic, message));
        }
        self.links.out.send_all(&Head::new(Kind::Leave, 0, 0), &[]);
        self.links.leave(Instant::now() + FAREWELL);
    }
}

#[cfg(test)]
mod tests;
