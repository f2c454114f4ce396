//! Writing MSCCL XML.

use super::blocks::{Block, Row, assign};
use crate::lower::messages;
use crate::plan::{Action, Buffers, End, ExecutionPlan, Goal, Layout};
use crate::schedule;
use ringwood_base::{Error, ErrorKind, Result};
use ringwood_schedule::{BufferMode, Params, Schedule, Space};
use std::fmt::Write;

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
pub fn write(schedule: &Schedule, params: &Params) -> Result<String> {
    let plan = schedule::plan(messages(schedule, params)?.as_ref(), params)?;
    plan.check_size()?;
    if plan.goal == Goal::Unstated {
        let message = format!("MSCCL XML has no name for {}", params.operation());
        return Err(Error::new(ErrorKind::Unsupported, message)
            .help("it has allreduce, allgather, reducescatter and alltoall"));
    }
    Ok(render(&plan, params))
}

fn render(plan: &ExecutionPlan, params: &Params) -> String {
    let layout = Layout::new(plan, params.mode());
    let channels = plan.queues.iter().map(|q| q.2 + 1).max().unwrap_or(1);
    let in_place = u8::from(params.mode() == BufferMode::InPlace);
    let coll = plan.goal.name();
    let mut out = String::new();
    let _ = writeln!(
        out,
        "<algo name=\"{}\" proto=\"Simple\" nchannels=\"{channels}\" nchunksperloop=\"{}\" \
         ngpus=\"{}\" coll=\"{coll}\" inplace=\"{in_place}\" outofplace=\"{}\">",
        escape(&plan.name),
        params.chunks(),
        params.ranks(),
        1 - in_place,
    );
    for (rank, lane) in plan.lanes.iter().enumerate() {
        let Buffers { input, output, scratch } = plan.ranks[rank];
        let _ = writeln!(
            out,
            "  <gpu id=\"{rank}\" i_chunks=\"{input}\" o_chunks=\"{output}\" s_chunks=\"{scratch}\">"
        );
        for (id, block) in assign(plan, &layout, lane).iter().enumerate() {
            write_block(&mut out, id, block);
        }
        out.push_str("  </gpu>\n");
    }
    out.push_str("</algo>\n");
    out
}

fn write_block(out: &mut String, id: usize, block: &Block) {
    let peer = |peer: Option<u32>| peer.map_or(-1, i64::from);
    let _ = writeln!(
        out,
        "    <tb id=\"{id}\" send=\"{}\" recv=\"{}\" chan=\"{}\">",
        peer(block.send),
        peer(block.recv),
        block.channel
    );
    for (s, row) in block.rows.iter().enumerate() {
        let Row { name, source, target, count, depends, publishes } = row;
        let (depid, deps) = depends.map_or((-1, -1), |(b, s)| (b as i64, s as i64));
        let _ = writeln!(
            out,
            "      <step s=\"{s}\" type=\"{name}\" {} {} cnt=\"{count}\" depid=\"{depid}\" \
             deps=\"{deps}\" hasdep=\"{}\"/>",
            place("src", source.or(*target)),
            place("dst", target.or(*source)),
            u8::from(*publishes),
        );
    }
    out.push_str("    </tb>\n");
}

/// `srcbuf="o" srcoff="3"`.
fn place(side: &str, end: Option<End>) -> String {
    let (buffer, offset) = match end {
        Some(End::Cells { space: Space::Input, first, .. }) => ("i", i64::from(first)),
        Some(End::Cells { space: Space::Output, first, .. }) => ("o", i64::from(first)),
        Some(End::Cells { space: Space::Scratch, first, .. }) => ("s", i64::from(first)),
        _ => ("i", -1),
    };
    format!("{side}buf=\"{buffer}\" {side}off=\"{offset}\"")
}

fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            c if c.is_control() => out.push(' '),
            c => out.push(c),
        }
    }
    out
}

/// The sources and targets of an operation; none but for moves.
pub(super) fn ends(action: &Action) -> Option<(u32, &[End], &[End])> {
    match action {
        Action::Move { cells, sources, targets, .. } => Some((*cells, sources, targets)),
        _ => None,
    }
}
