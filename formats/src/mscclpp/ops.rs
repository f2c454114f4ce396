//! From operations to actions.

use super::blocks::{Place, Reader, space};
use super::schema::{ChannelType, Reference};
use crate::moves::{End, Writer};
use crate::text::shown;
use ringwood_base::Result;
use ringwood_schedule::Space;
use ringwood_schedule::plan::{PACKETS, PlanAction, Rounds};

#[derive(Clone, Copy)]
pub(super) enum Does {
    Nothing,
    Barrier,
    Acquires,
    Releases,
    Signals {
        relaxed: bool,
    },
    Waits {
        relaxed: bool,
    },
    Flushes,
    /// What is within it, again and again.
    Loops,
    /// Moves from source to target: pairwise, or from one source to every target.
    Moves(Kind, Kind),
    /// Moves to other ranks and signals, and then flushes or not.
    PutsAndSignals {
        flushes: bool,
    },
    /// One move that merges all sources.
    Merges(Side, Side),
}

/// What a reference stands for: plain cells or packets of the rank, of another rank, or of every rank of a
/// group.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Local,
    LocalPackets,
    Remote,
    RemotePackets,
    Group,
    GroupPackets,
}

use Does::{Flushes, Loops, Merges, Moves, PutsAndSignals, Signals, Waits};
use Kind::{Group, GroupPackets, Local, LocalPackets, Remote, RemotePackets};

/// The references of one side of a merge: some of one kind each, then any number of another.
type Side = (&'static [Kind], Option<Kind>);

const ONE: Side = (&[Local], None);
const PLAIN: Side = (&[Local, Local], Some(Local));
const WITH_REMOTE: Side = (&[Local, Remote], Some(Remote));
const WITH_PACKETS: Side = (&[Local, LocalPackets], Some(LocalPackets));
const AND_PACKETS: Side = (&[Local, LocalPackets], None);
const FORWARDS: Side = (&[Local, RemotePackets], Some(RemotePackets));
const ALL: Side = (&[Local, LocalPackets, RemotePackets], Some(RemotePackets));
const GROUP: Side = (&[Group], None);

/// Every operation that is read.
pub(super) const OPERATIONS: [(&str, Does); 30] = [
    ("nop", Does::Nothing),
    ("barrier", Does::Barrier),
    ("sem_acquire", Does::Acquires),
    ("sem_release", Does::Releases),
    ("signal", Signals { relaxed: false }),
    ("wait", Waits { relaxed: false }),
    ("rlxsignal", Signals { relaxed: true }),
    ("rlxwait", Waits { relaxed: true }),
    ("flush", Flushes),
    ("pipeline", Loops),
    ("copy", Moves(Local, Local)),
    ("get", Moves(Remote, Local)),
    ("put", Moves(Local, Remote)),
    ("pws", PutsAndSignals { flushes: false }),
    ("pwsf", PutsAndSignals { flushes: true }),
    ("re", Merges(PLAIN, ONE)),
    ("res", Merges(PLAIN, WITH_REMOTE)),
    ("rre", Merges(WITH_REMOTE, ONE)),
    ("rres", Merges(WITH_REMOTE, WITH_REMOTE)),
    ("cpkt", Moves(Local, LocalPackets)),
    ("upkt", Moves(LocalPackets, Local)),
    ("ppkt", Moves(Local, RemotePackets)),
    ("rppkt", Moves(LocalPackets, RemotePackets)),
    ("repkt", Merges(WITH_PACKETS, ONE)),
    ("respkt", Merges(WITH_PACKETS, FORWARDS)),
    ("recpkt", Merges(WITH_PACKETS, AND_PACKETS)),
    ("recspkt", Merges(WITH_PACKETS, ALL)),
    ("glres", Merges(GROUP, GROUP)),
    ("gstore", Moves(Local, Group)),
    ("gstorepkt", Moves(LocalPackets, GroupPackets)),
];

/// Adds what a lane does for an operation, in order.
pub(super) struct Emit<'a, 'f, 'w> {
    pub(super) reader: &'a mut Reader<'f>,
    pub(super) place: &'a Place<'a>,
    pub(super) lane: &'a mut Writer<'w>,
}

impl Emit<'_, '_, '_> {
    pub(super) fn write(&mut self) -> Result<()> {
        let place = self.place;
        if let Some(merge) = place.op.reduce_op.as_deref().filter(|merge| *merge != "sum") {
            let merge = shown(merge);
            let why = format!("not supported: merge `{merge}`; plans merge with `sum`");
            return Err(place.unsupported(why));
        }
        match place.does {
            Does::Nothing => self.lane.add(PlanAction::Nop),
            Does::Barrier => self.lane.add(self.reader.barrier(place)?),
            Does::Acquires | Does::Releases => self.semaphores()?,
            Signals { relaxed } => self.signals(relaxed)?,
            Waits { relaxed } => self.waits(relaxed)?,
            Flushes => self.flushes()?,
            Loops => unreachable!("a loop is read by its operations"),
            // A port channel moves memory as it is, so its source is packets already.
            Moves(Local, RemotePackets) if place.op.channel_type == Some(ChannelType::Port) => {
                self.moves(LocalPackets, RemotePackets)?;
            }
            Moves(source, target) => self.moves(source, target)?,
            PutsAndSignals { flushes } => {
                self.moves(Local, Remote)?;
                self.signals(false)?;
                if flushes {
                    self.flushes()?;
                }
            }
            Merges(sources, targets) => self.merge(sources, targets)?,
        }
        Ok(())
    }

    fn moves(&mut self, source: Kind, target: Kind) -> Result<()> {
        let (sources, targets) = (&self.place.op.src_buff, &self.place.op.dst_buff);
        let (from, to) = (sources.len(), targets.len());
        if from == 0 || to == 0 || from != 1 && from != to {
            return Err(self.place.error(format!("{from} sources for {to} targets")));
        }
        for (i, to) in targets.iter().enumerate() {
            let from = &sources[i.min(sources.len() - 1)];
            let (sources, cells) = self.ends(source, from)?;
            let (targets, written) = self.ends(target, to)?;
            self.check_same(cells, written)?;
            let port = self.carrier(i, &sources, &targets)?;
            // A port channel does not look whether packets are full; an operation that reads them does.
            if port.is_some() && source == LocalPackets && self.place.name != "ppkt" {
                sources.iter().for_each(|source| self.lane.poll(source, cells));
            }
            self.lane.carry(cells, &sources, &targets, port);
        }
        Ok(())
    }

    fn merge(&mut self, sources: Side, targets: Side) -> Result<()> {
        let op = self.place.op;
        if op.channel_type == Some(ChannelType::Port) {
            let why = "not supported: port channels move memory, they do not merge";
            return Err(self.place.unsupported(why));
        }
        let (sources, cells) = self.side(sources, &op.src_buff, "sources")?;
        let (targets, written) = self.side(targets, &op.dst_buff, "targets")?;
        self.check_same(cells, written)?;
        self.lane.carry(cells, &sources, &targets, None);
        Ok(())
    }

    fn side(
        &self,
        (kinds, more): Side,
        references: &[Reference],
        what: &str,
    ) -> Result<(Vec<End>, u32)> {
        let (has, due) = (references.len(), kinds.len());
        if has < due || has > due && more.is_none() {
            return Err(self.place.error(format!("{has} {what}, where {due} belong")));
        }
        let kinds = kinds.iter().copied().chain(std::iter::repeat(more.unwrap_or(Local)));
        let mut all = Vec::new();
        let mut count = None;
        for (reference, kind) in references.iter().zip(kinds) {
            let (ends, cells) = self.ends(kind, reference)?;
            self.check_same(*count.get_or_insert(cells), cells)?;
            all.extend(ends);
        }
        Ok((all, count.unwrap_or(0)))
    }

    fn check_same(&self, a: u32, b: u32) -> Result<()> {
        if a == b { Ok(()) } else { Err(self.place.error("its ranges have different sizes")) }
    }

    /// The port channel that does the `i`-th transfer, if one does.
    fn carrier(&mut self, i: usize, sources: &[End], targets: &[End]) -> Result<Option<u32>> {
        let (place, own) = (self.place, self.place.gpu.id);
        if place.op.channel_type != Some(ChannelType::Port) {
            return Ok(None);
        }
        let ids = &place.op.channel_ids;
        let id = ids.get(i).or(if ids.len() == 1 { ids.first() } else { None });
        let Some(&id) = id else {
            return Err(place.error("no port channel for one of its targets"));
        };
        let (channel, link) = self.reader.link(place, ChannelType::Port, id)?;
        let mut ranks = sources.iter().chain(targets).filter_map(|end| match *end {
            End::Cells { rank, .. } => Some(rank),
            End::Message { .. } => None,
        });
        if let Some(rank) = ranks.find(|rank| ![own, link.peer].contains(rank)) {
            let peer = link.peer;
            return Err(place.error(format!("channel {id} leads to GPU {peer}, not to GPU {rank}")));
        }
        Ok(Some(self.reader.port(own, channel)))
    }

    /// The ends that a reference stands for, and their number of cells.
    fn ends(&self, kind: Kind, reference: &Reference) -> Result<(Vec<End>, u32)> {
        let place = self.place;
        let (first, count) = self.reader.range(place, reference)?;
        let fields = (reference.buffer, reference.buffer_id, reference.switch_channel_id);
        let (ranks, space) = match (kind, fields) {
            (Local | LocalPackets, (Some(buffer), None, None)) => {
                (vec![place.gpu.id], space(buffer))
            }
            (Remote | RemotePackets, (None, Some(id), None)) => {
                let (rank, space) = place.remote(id)?;
                (vec![rank], space)
            }
            (Group | GroupPackets, (None, None, Some(id))) => {
                let (ranks, space) = place.group(id)?;
                (ranks.to_vec(), space)
            }
            (kind, _) => {
                return Err(place.error(match kind {
                    Local | LocalPackets => "a local range has a `type` alone",
                    Remote | RemotePackets => "a remote range has a `buffer_id` alone",
                    Group | GroupPackets => "a multicast range has a `switch_channel_id` alone",
                }));
            }
        };
        let packets = matches!(kind, LocalPackets | RemotePackets | GroupPackets);
        if packets && space != Space::Scratch {
            return Err(place.unsupported("not supported: packets outside of scratch memory"));
        }
        // A number beyond all buffers stays beyond them.
        let first = first.min(PACKETS - 1) + if packets { PACKETS } else { 0 };
        let end = |rank| End::Cells { rank, space, first };
        Ok((ranks.into_iter().map(end).collect(), count))
    }

    fn semaphores(&mut self) -> Result<()> {
        for &id in &self.place.op.semaphore_ids {
            let semaphore = self.reader.semaphore(self.place, id)?;
            let (relaxed, port, rounds) = (false, None, Rounds::default());
            self.lane.add(match self.place.does {
                Does::Acquires => PlanAction::Acquire { semaphore, relaxed, rounds },
                _ => PlanAction::Release { semaphore, relaxed, port, rounds },
            });
        }
        Ok(())
    }

    fn signals(&mut self, relaxed: bool) -> Result<()> {
        let (own, rounds, kind) = (self.place.gpu.id, self.place.rounds, self.channel_type()?);
        for &id in &self.place.op.channel_ids {
            let (channel, link) = self.reader.link(self.place, kind, id)?;
            let semaphore = self.reader.signal(own, link.peer, kind, link.ordinal);
            let port = (kind == ChannelType::Port).then(|| self.reader.port(own, channel));
            self.lane.add(PlanAction::Release { semaphore, relaxed, port, rounds });
        }
        Ok(())
    }

    fn waits(&mut self, relaxed: bool) -> Result<()> {
        let (own, rounds, kind) = (self.place.gpu.id, self.place.rounds, self.channel_type()?);
        for &id in &self.place.op.channel_ids {
            let (_, link) = self.reader.link(self.place, kind, id)?;
            let semaphore = self.reader.signal(link.peer, own, kind, link.ordinal);
            self.lane.add(PlanAction::Acquire { semaphore, relaxed, rounds });
        }
        Ok(())
    }

    fn flushes(&mut self) -> Result<()> {
        let place = self.place;
        if place.op.channel_type != Some(ChannelType::Port) {
            return Err(place.error("only port channels are flushed"));
        }
        for &id in &place.op.channel_ids {
            let (channel, _) = self.reader.link(place, ChannelType::Port, id)?;
            self.lane.add(PlanAction::Flush { port: self.reader.port(place.gpu.id, channel) });
        }
        Ok(())
    }

    /// The type of the channels that are signalled over.
    fn channel_type(&self) -> Result<ChannelType> {
        let place = self.place;
        if place.op.channel_ids.is_empty() {
            return Err(place.error("`channel_ids` is empty"));
        }
        match place.op.channel_type {
            Some(ChannelType::Switch) => Err(place.error("a switch channel has no signals")),
            Some(kind) => Ok(kind),
            None => Err(place.error("`channel_type` is missing")),
        }
    }
}
