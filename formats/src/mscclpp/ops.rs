//! From operations to actions.

use super::blocks::{Place, Reader, space};
use super::schema::{ChannelType, Reference};
use crate::moves::{End, Writer};
use ringwood_base::Result;
use ringwood_schedule::Space;
use ringwood_schedule::plan::{PACKETS, PlanAction, Rounds};

/// Every operation that is read.
pub(super) const NAMES: [&str; 30] = [
    "nop",
    "barrier",
    "sem_acquire",
    "sem_release",
    "signal",
    "wait",
    "rlxsignal",
    "rlxwait",
    "flush",
    "pipeline",
    "copy",
    "get",
    "put",
    "pws",
    "pwsf",
    "re",
    "res",
    "rre",
    "rres",
    "cpkt",
    "upkt",
    "ppkt",
    "rppkt",
    "repkt",
    "respkt",
    "recpkt",
    "recspkt",
    "glres",
    "gstore",
    "gstorepkt",
];

/// What a reference stands for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// Plain cells of the rank.
    Local,
    /// Packets of the rank.
    LocalPackets,
    /// Plain cells of another rank.
    Remote,
    /// Packets of another rank.
    RemotePackets,
    /// Plain cells of every rank of a group.
    Group,
    /// Packets of every rank of a group.
    GroupPackets,
}

use Kind::{Group, GroupPackets, Local, LocalPackets, Remote, RemotePackets};

/// The references of one side of a merge: some of one kind each, then any number of another.
type Side = (&'static [Kind], Option<Kind>);

/// Adds what a lane does for an operation, in order.
pub(super) fn write(
    reader: &mut Reader<'_>,
    place: &Place<'_>,
    lane: &mut Writer<'_>,
) -> Result<()> {
    let name = place.op.name.as_str();
    if let Some(merge) = place.op.reduce_op.as_deref().filter(|merge| *merge != "sum") {
        let merge: String = merge.chars().take(40).collect();
        return Err(
            place.unsupported(format!("not supported: merge `{merge}`; plans merge with `sum`"))
        );
    }
    if let Some((sources, targets)) = merging(name) {
        return merge(reader, place, sources, targets, lane);
    }
    if let Some((source, target)) = transferring(name, place.op.channel_type) {
        transfers(reader, place, source, target, lane)?;
        if matches!(name, "pws" | "pwsf") {
            signals(reader, place, false, lane)?;
        }
        return if name == "pwsf" { flushes(reader, place, lane) } else { Ok(()) };
    }
    match name {
        "nop" => lane.add(PlanAction::Nop),
        "barrier" => lane.add(reader.barrier(place)?),
        "sem_acquire" | "sem_release" => semaphores(reader, place, lane)?,
        "signal" | "rlxsignal" => signals(reader, place, name == "rlxsignal", lane)?,
        "wait" | "rlxwait" => waits(reader, place, name == "rlxwait", lane)?,
        "flush" => flushes(reader, place, lane)?,
        other => unreachable!("`{other}` is no operation of a block"),
    }
    Ok(())
}

/// What an operation moves, and to where.
fn transferring(name: &str, channel: Option<ChannelType>) -> Option<(Kind, Kind)> {
    Some(match name {
        // A port channel moves memory as it is, so its source is packets already.
        "ppkt" if channel == Some(ChannelType::Port) => (LocalPackets, RemotePackets),
        "copy" => (Local, Local),
        "get" => (Remote, Local),
        "put" | "pws" | "pwsf" => (Local, Remote),
        "cpkt" => (Local, LocalPackets),
        "upkt" => (LocalPackets, Local),
        "ppkt" => (Local, RemotePackets),
        "rppkt" => (LocalPackets, RemotePackets),
        "gstore" => (Local, Group),
        "gstorepkt" => (LocalPackets, GroupPackets),
        _ => return None,
    })
}

/// What an operation merges, and where the result goes.
fn merging(name: &str) -> Option<(Side, Side)> {
    let one: Side = (&[Local], None);
    let plain: Side = (&[Local, Local], Some(Local));
    let remote: Side = (&[Local, Remote], Some(Remote));
    let packets: Side = (&[Local, LocalPackets], Some(LocalPackets));
    let both: Side = (&[Local, LocalPackets], None);
    let forwards: Side = (&[Local, RemotePackets], Some(RemotePackets));
    let all: Side = (&[Local, LocalPackets, RemotePackets], Some(RemotePackets));
    Some(match name {
        "re" => (plain, one),
        "res" => (plain, remote),
        "rre" => (remote, one),
        "rres" => (remote, remote),
        "repkt" => (packets, one),
        "respkt" => (packets, forwards),
        "recpkt" => (packets, both),
        "recspkt" => (packets, all),
        "glres" => ((&[Group], None), (&[Group], None)),
        _ => return None,
    })
}

/// Moves from source to target: pairwise, or from one source to every target.
fn transfers(
    reader: &mut Reader<'_>,
    place: &Place<'_>,
    source: Kind,
    target: Kind,
    lane: &mut Writer<'_>,
) -> Result<()> {
    let (sources, targets) = (&place.op.src_buff, &place.op.dst_buff);
    let (from, to) = (sources.len(), targets.len());
    if from == 0 || to == 0 || from != 1 && from != to {
        return Err(place.error(format!("{from} sources for {to} targets")));
    }
    for (i, to) in targets.iter().enumerate() {
        let from = &sources[i.min(sources.len() - 1)];
        let (sources, cells) = ends(reader, place, source, from)?;
        let (targets, written) = ends(reader, place, target, to)?;
        check_same(place, cells, written)?;
        let port = carrier(reader, place, i, &sources, &targets)?;
        // A port channel does not look whether packets are full; an operation that reads them does.
        if port.is_some() && source == LocalPackets && place.op.name != "ppkt" {
            sources.iter().for_each(|source| lane.poll(source, cells));
        }
        lane.carry(cells, &sources, &targets, port);
    }
    Ok(())
}

/// One move that merges all sources.
fn merge(
    reader: &mut Reader<'_>,
    place: &Place<'_>,
    sources: Side,
    targets: Side,
    lane: &mut Writer<'_>,
) -> Result<()> {
    if place.op.channel_type == Some(ChannelType::Port) {
        return Err(
            place.unsupported("not supported: port channels move memory, they do not merge")
        );
    }
    let (sources, cells) = side(reader, place, sources, &place.op.src_buff, "sources")?;
    let (targets, written) = side(reader, place, targets, &place.op.dst_buff, "targets")?;
    check_same(place, cells, written)?;
    lane.carry(cells, &sources, &targets, None);
    Ok(())
}

fn side(
    reader: &Reader<'_>,
    place: &Place<'_>,
    (kinds, more): Side,
    references: &[Reference],
    what: &str,
) -> Result<(Vec<End>, u32)> {
    let (has, due) = (references.len(), kinds.len());
    if has < due || has > due && more.is_none() {
        return Err(place.error(format!("{has} {what}, where {due} belong")));
    }
    let kinds = kinds.iter().copied().chain(std::iter::repeat(more.unwrap_or(Local)));
    let mut all = Vec::new();
    let mut count = None;
    for (reference, kind) in references.iter().zip(kinds) {
        let (ends, cells) = ends(reader, place, kind, reference)?;
        check_same(place, *count.get_or_insert(cells), cells)?;
        all.extend(ends);
    }
    Ok((all, count.unwrap_or(0)))
}

fn check_same(place: &Place<'_>, a: u32, b: u32) -> Result<()> {
    match a == b {
        true => Ok(()),
        false => Err(place.error("its ranges have different sizes")),
    }
}

/// The port channel that does the `i`-th transfer, if one does.
fn carrier(
    reader: &mut Reader<'_>,
    place: &Place<'_>,
    i: usize,
    sources: &[End],
    targets: &[End],
) -> Result<Option<u32>> {
    if place.op.channel_type != Some(ChannelType::Port) {
        return Ok(None);
    }
    let ids = &place.op.channel_ids;
    let id = ids.get(i).or(if ids.len() == 1 { ids.first() } else { None });
    let Some(&id) = id else { return Err(place.error("no port channel for one of its targets")) };
    let (channel, link) = reader.link(place, ChannelType::Port, id)?;
    let strangers = sources.iter().chain(targets).filter_map(|end| match *end {
        End::Cells { rank, .. } => Some(rank),
        End::Message { .. } => None,
    });
    if let Some(rank) = strangers.into_iter().find(|r| ![place.gpu.id, link.peer].contains(r)) {
        let peer = link.peer;
        return Err(place.error(format!("channel {id} leads to GPU {peer}, not to GPU {rank}")));
    }
    Ok(Some(reader.port(place.gpu.id, channel)))
}

/// The ends that a reference stands for, and their number of cells.
fn ends(
    reader: &Reader<'_>,
    place: &Place<'_>,
    kind: Kind,
    reference: &Reference,
) -> Result<(Vec<End>, u32)> {
    let (first, count) = reader.range(place, reference)?;
    let fields = (reference.buffer, reference.buffer_id, reference.switch_channel_id);
    let (ranks, space) = match (kind, fields) {
        (Local | LocalPackets, (Some(buffer), None, None)) => (vec![place.gpu.id], space(buffer)),
        (Remote | RemotePackets, (None, Some(id), None)) => {
            let (rank, space) = place.remote(id)?;
            (vec![rank], space)
        }
        (Group | GroupPackets, (None, None, Some(id))) => {
            let (ranks, space) = place.group(id)?;
            (ranks.to_vec(), space)
        }
        (Local | LocalPackets, _) => return Err(place.error("a local range has a `type` alone")),
        (Remote | RemotePackets, _) => {
            return Err(place.error("a remote range has a `buffer_id` alone"));
        }
        (Group | GroupPackets, _) => {
            return Err(place.error("a multicast range has a `switch_channel_id` alone"));
        }
    };
    let packets = matches!(kind, LocalPackets | RemotePackets | GroupPackets);
    if packets && space != Space::Scratch {
        return Err(place.unsupported("not supported: packets outside of scratch memory"));
    }
    // A number beyond all buffers stays beyond them.
    let first = if packets { first.min(PACKETS - 1) + PACKETS } else { first.min(PACKETS - 1) };
    let end = |rank| End::Cells { rank, space, first };
    Ok((ranks.into_iter().map(end).collect(), count))
}

fn semaphores(reader: &Reader<'_>, place: &Place<'_>, lane: &mut Writer<'_>) -> Result<()> {
    for &id in &place.op.semaphore_ids {
        let (semaphore, relaxed, rounds) = (reader.semaphore(place, id)?, false, Rounds::default());
        lane.add(match place.op.name.as_str() {
            "sem_acquire" => PlanAction::Acquire { semaphore, relaxed, rounds },
            _ => PlanAction::Release { semaphore, relaxed, port: None, rounds },
        });
    }
    Ok(())
}

fn signals(
    reader: &mut Reader<'_>,
    place: &Place<'_>,
    relaxed: bool,
    lane: &mut Writer<'_>,
) -> Result<()> {
    let kind = channel_type(place)?;
    for &id in &place.op.channel_ids {
        let (channel, link) = reader.link(place, kind, id)?;
        let semaphore = reader.signal(place.gpu.id, link.peer, kind, link.ordinal);
        let port = (kind == ChannelType::Port).then(|| reader.port(place.gpu.id, channel));
        lane.add(PlanAction::Release { semaphore, relaxed, port, rounds: place.rounds });
    }
    Ok(())
}

fn waits(
    reader: &mut Reader<'_>,
    place: &Place<'_>,
    relaxed: bool,
    lane: &mut Writer<'_>,
) -> Result<()> {
    let kind = channel_type(place)?;
    for &id in &place.op.channel_ids {
        let (_, link) = reader.link(place, kind, id)?;
        let semaphore = reader.signal(link.peer, place.gpu.id, kind, link.ordinal);
        lane.add(PlanAction::Acquire { semaphore, relaxed, rounds: place.rounds });
    }
    Ok(())
}

fn flushes(reader: &mut Reader<'_>, place: &Place<'_>, lane: &mut Writer<'_>) -> Result<()> {
    if place.op.channel_type != Some(ChannelType::Port) {
        return Err(place.error("only port channels are flushed"));
    }
    for &id in &place.op.channel_ids {
        let (channel, _) = reader.link(place, ChannelType::Port, id)?;
        lane.add(PlanAction::Flush { port: reader.port(place.gpu.id, channel) });
    }
    Ok(())
}

/// The type of the channels that are signalled over.
fn channel_type(place: &Place<'_>) -> Result<ChannelType> {
    if place.op.channel_ids.is_empty() {
        return Err(place.error("`channel_ids` is empty"));
    }
    match place.op.channel_type {
        Some(ChannelType::Switch) => Err(place.error("a switch channel has no signals")),
        Some(kind) => Ok(kind),
        None => Err(place.error("`channel_type` is missing")),
    }
}
