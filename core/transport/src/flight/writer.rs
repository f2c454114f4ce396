//! What the thread of a rank records.

use super::Flight;
use super::slot::{Content, Kind, Ring, Slot, now, words};
use std::cell::RefCell;
use std::sync::Arc;
use std::sync::atomic::Ordering;

thread_local! {
    static HERE: RefCell<Option<Writer>> = const { RefCell::new(None) };
}

/// The ring of the rank that this thread is.
struct Writer {
    flight: Arc<Flight>,
    rank: usize,
    begun: u64,
    /// The collectives and the messages so far.
    numbers: [u64; 2],
    /// The call and the operation in it that have not ended; 0 where there is none.
    call: u64,
    open: u64,
    /// Whom it waits for, counted from 1.
    peer: u64,
    /// The ranks of its group, if it is not of all ranks.
    part: Option<Arc<[usize]>>,
}

/// An operation of this thread that was begun. Dropped without [`Open::end`], it is recorded as one
/// that has not ended: what failed in the middle of it is seen there.
#[must_use]
pub struct Open(bool);

/// Makes this thread `rank` of what `flight` records.
pub fn install(flight: Arc<Flight>, rank: usize) {
    flight.rings[rank].process.store(std::process::id().into(), Ordering::Relaxed);
    let (begun, numbers, call, open, peer, part) = (0, [0; 2], 0, 0, 0, None);
    let writer = Writer { flight, rank, begun, numbers, call, open, peer, part };
    HERE.with_borrow_mut(|here| *here = Some(writer));
}

/// Notes where this rank runs; of a long text the end.
pub fn place(text: &str) {
    with(|here| {
        let place = here.ring().place.iter();
        place.zip(words(text)).for_each(|(word, value)| word.store(value, Ordering::Relaxed));
    });
}

/// Begins an operation; one in another one adds to that what it carries, and among whom: `part`, if
/// not all ranks.
#[inline]
pub fn begin(kind: Kind, name: &str, bytes: usize, part: Option<&Arc<[usize]>>) -> Open {
    let begin = |here: &mut Writer| {
        let outer = here.open == 0;
        if outer {
            let counted = (kind as usize).checked_sub(Kind::Collective as usize);
            let number = counted.and_then(|kind| here.numbers.get_mut(kind));
            let number = number.map_or(0, |number| {
                *number += 1;
                *number
            });
            here.open = here.record(kind, name, number);
        }
        here.part = part.cloned();
        let group = part.map_or(0, |p| (p[0] as u64) << 32 | p.len() as u64);
        if bytes > 0 || group > 0 {
            here.slot(here.open).detail(bytes as u64, group);
        }
        outer
    };
    Open(with(begin).unwrap_or(false))
}

impl Open {
    /// The operation has ended, also with an error of which its group does not fail.
    #[inline]
    pub fn end(self) {
        if self.0 {
            with(|here| here.slot(here.open).end(now()));
        }
    }
}

impl Drop for Open {
    fn drop(&mut self) {
        if self.0 {
            with(|here| (here.open, here.peer) = (0, 0));
        }
    }
}

/// Begins call `number` of the function `name`.
pub fn begin_call(name: &str, number: u64) {
    with(|here| {
        here.call = here.record(Kind::Call, name, number);
        if let Some(content) = here.slot(here.call).read() {
            here.ring().call.write(&content);
        }
    });
}

/// The call has ended.
pub fn end_call() {
    with(|here| {
        let (call, at) = (std::mem::take(&mut here.call), now());
        here.ring().call.end(at);
        if here.begun - call < super::slot::SLOTS as u64 {
            here.slot(call).end(at);
        }
    });
}

/// This thread waits for a rank of the group that it has begun an operation in.
pub fn waits_for(peer: usize) {
    with(|here| {
        let peer = here.part.as_ref().and_then(|part| part.get(peer).copied()).unwrap_or(peer);
        let peer = peer as u64 + 1;
        if here.open > 0 && here.peer != peer {
            here.peer = peer;
            here.slot(here.open).wait([peer, now()]);
        }
    });
}

/// What this thread waited for has come.
pub fn waited() {
    with(|here| {
        if std::mem::take(&mut here.peer) > 0 && here.open > 0 {
            here.slot(here.open).wait([0; 2]);
        }
    });
}

#[inline]
fn with<R>(body: impl FnOnce(&mut Writer) -> R) -> Option<R> {
    // A thread that ends records no more.
    let here = |here: &RefCell<Option<Writer>>| here.borrow_mut().as_mut().map(body);
    HERE.try_with(here).ok().flatten()
}

impl Writer {
    fn record(&mut self, kind: Kind, name: &str, number: u64) -> u64 {
        self.begun += 1;
        let (ticket, kind, name) = (self.begun, kind as u64, words(name));
        let content = Content { ticket, kind, number, began: now(), name, ..Content::default() };
        self.slot(ticket).write(&content);
        self.ring().begun.store(ticket, Ordering::Release);
        ticket
    }

    fn ring(&self) -> &Ring {
        &self.flight.rings[self.rank]
    }

    fn slot(&self, ticket: u64) -> &Slot {
        self.ring().slot(ticket)
    }
}
