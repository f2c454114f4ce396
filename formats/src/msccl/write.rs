//! Writing MSCCL XML.

use super::blocks::{Block, Row, assign};
use crate::lower::{check_size, messages};
use crate::text::escape;
use ringwood_base::{Error, Result};
use ringwood_schedule::plan::{Buffers, Goal};
use ringwood_schedule::{
    BufferMode, ChunkRange, Operation, Params, Schedule, Space, Step, verify_schedule,
};
use std::fmt::Write;
use std::ops::RangeInclusive;

/// What the head of a file says beside its schedule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Head {
    /// The protocol: `Simple`, `LL` or `LL128`.
    pub protocol: String,
    /// The sizes of the larger buffer, in bytes, that the plan is meant for.
    pub bytes: RangeInclusive<u64>,
}

/// For all sizes, with the protocol `Simple`.
impl Default for Head {
    fn default() -> Self {
        Self { protocol: "Simple".to_owned(), bytes: 0..=u64::MAX }
    }
}

/// A file, and what not every run time takes of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Written {
    /// The file.
    pub text: String,
    /// The limits of RCCL that it exceeds, and what of the schedule it does not say, in words.
    pub warnings: Vec<String>,
}

/// RCCL takes so many steps of a thread block, and so many thread blocks of a GPU.
const RCCL_MOST: usize = 64;

/// Writes a schedule as MSCCL XML.
///
/// Each pair of a peer sent to and a peer received from becomes a thread block; steps of different
/// blocks that touch the same chunk depend on each other; a receive whose chunks are sent on at once
/// is fused with that send. The file has no one-sided steps and no signals: a schedule with such
/// steps is written as the messages that it amounts to.
///
/// # Errors
/// The operation has no name in the format (it has all-reduce, all-gather, reduce-scatter and
/// all-to-all), or the schedule is not one that passes the verifier.
pub fn write(schedule: &Schedule, params: &Params, head: &Head) -> Result<Written> {
    let Some(coll) = Goal::name_of(params.operation()) else {
        let message = format!("MSCCL XML has no name for {}", params.operation());
        return Err(Error::unsupported(message)
            .help("it has allreduce, allgather, reducescatter and alltoall"));
    };
    check_size(schedule)?;
    verify_schedule(schedule, params)?.into_result()?;
    let schedule = messages(schedule, params)?;
    let mut text = algo(&schedule, params, coll, head);
    let goal = Goal::Operation(params.operation());
    let Buffers { input, output, .. } =
        goal.sizes(params.ranks() as u32, params.chunks() as u32)?;
    let (mut most_blocks, mut most_steps) = (0, 0);
    for (rank, steps) in schedule.lanes.iter().enumerate() {
        let sizes =
            format!(r#"i_chunks="{input}" o_chunks="{output}" s_chunks="{}""#, scratch(steps));
        let _ = writeln!(text, r#"  <gpu id="{rank}" {sizes}>"#);
        let blocks = assign(params, steps);
        most_blocks = most_blocks.max(blocks.len());
        for (id, block) in blocks.iter().enumerate() {
            most_steps = most_steps.max(block.rows.len());
            write_block(&mut text, id, block, |chunks| place(params, rank, chunks));
        }
        text.push_str("  </gpu>\n");
    }
    text.push_str("</algo>\n");
    let counts = [(most_blocks, "thread blocks of a GPU"), (most_steps, "steps of a thread block")];
    let exceeded = counts.into_iter().filter(|(count, _)| *count > RCCL_MOST);
    let warning = |(count, what)| format!("{count} {what}, of which RCCL takes {RCCL_MOST}");
    let sided = schedule.lanes.iter().flatten().any(|step| step.left);
    let sides = "merges from the left, of which the file says no side: an operator must commute";
    let sides = sided.then(|| sides.to_owned());
    Ok(Written { text, warnings: exceeded.map(warning).chain(sides).collect() })
}

fn algo(schedule: &Schedule, params: &Params, coll: &str, head: &Head) -> String {
    let steps = schedule.lanes.iter().flatten();
    let channels = steps.map(|step| u32::from(step.channel) + 1).max().unwrap_or(1);
    let in_place = u8::from(params.mode() == BufferMode::InPlace);
    let (name, proto) = (escape(&schedule.collective), escape(&head.protocol));
    let (chunks, ranks, out_of_place) = (params.chunks(), params.ranks(), 1 - in_place);
    // 0 is no bound; readers take numbers of 63 bits.
    let most = i64::try_from(*head.bytes.end()).unwrap_or(0);
    let least = (*head.bytes.start()).min(i64::MAX as u64);
    format!(
        "<algo name=\"{name}\" proto=\"{proto}\" nchannels=\"{channels}\" nchunksperloop=\"{chunks}\" \
         ngpus=\"{ranks}\" coll=\"{coll}\" inplace=\"{in_place}\" outofplace=\"{out_of_place}\" \
         minBytes=\"{least}\" maxBytes=\"{most}\">\n"
    )
}

/// One past the last scratch chunk of a rank.
fn scratch(steps: &[Step]) -> u32 {
    let chunks = steps.iter().flat_map(|step| [step.chunks, step.source]);
    let scratch = chunks.filter(|chunks| chunks.space == Space::Scratch);
    scratch.map(|chunks| chunks.first.saturating_add(chunks.count)).max().unwrap_or(0)
}

fn write_block(
    text: &mut String,
    id: usize,
    Block { send, recv, channel, rows, .. }: &Block,
    place: impl Fn(ChunkRange) -> (char, u32),
) {
    let [send, recv] = [send, recv].map(|peer| peer.map_or(-1, i64::from));
    let _ = writeln!(text, r#"    <tb id="{id}" send="{send}" recv="{recv}" chan="{channel}">"#);
    for (s, Row { name, source, target, depends, publishes }) in rows.iter().enumerate() {
        let count = source.or(*target).map_or(0, |chunks| chunks.count);
        let place = |chunks: Option<ChunkRange>| {
            chunks.map(&place).map_or(('i', -1), |(buffer, first)| (buffer, i64::from(first)))
        };
        let (srcbuf, srcoff) = place(source.or(*target));
        let (dstbuf, dstoff) = place(target.or(*source));
        let (depid, deps) = depends.map_or((-1, -1), |(b, s)| (b as i64, s as i64));
        let hasdep = u8::from(*publishes);
        let _ = writeln!(
            text,
            "      <step s=\"{s}\" type=\"{name}\" srcbuf=\"{srcbuf}\" srcoff=\"{srcoff}\" \
             dstbuf=\"{dstbuf}\" dstoff=\"{dstoff}\" cnt=\"{count}\" depid=\"{depid}\" \
             deps=\"{deps}\" hasdep=\"{hasdep}\"/>"
        );
    }
    text.push_str("    </tb>\n");
}

/// The buffer of a rank in which chunks lie, and the number of the first one there.
fn place(params: &Params, rank: usize, chunks: ChunkRange) -> (char, u32) {
    let in_place = params.mode() == BufferMode::InPlace;
    let (buffer, space) = match (chunks.space, params.operation()) {
        (Space::Scratch, _) => ('s', Space::Scratch),
        (_, Operation::ReduceScatter) if in_place => ('i', Space::Input),
        (Space::Input, _) if !in_place => ('i', Space::Input),
        _ => ('o', Space::Output),
    };
    (buffer, chunks.first.saturating_sub(params.begin(rank, space)))
}
