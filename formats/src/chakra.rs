//! Chakra execution traces: writing, for simulators such as ASTRA-sim.
//!
//! The traces are those of MLCommons Chakra 0.0.4, one file for each rank, as ASTRA-sim's custom
//! collective algorithms take them: `GlobalMetadata`, then a `Node` for each send, receive and merge,
//! every message with its length before it. Sends and receives that belong together have the same
//! tag; nodes depend on what touched their chunks before.

mod wire;

use crate::lower::messages;
use crate::touched::Touched;
use ringwood_base::{DType, Error, Result};
use ringwood_schedule::{
    Action, Bytes, Layout, Operation, Params, Request, Schedule, Step, verify_schedule,
};
use std::collections::{BTreeMap, HashMap};
use wire::Message;

/// The files of a schedule, one for each rank, for a buffer of `bytes`.
///
/// ASTRA-sim takes them as `PREFIX.0.et`, `PREFIX.1.et` and so on. One-sided steps become the
/// messages that they amount to. Chunks that are empty have no nodes.
///
/// # Errors
/// The schedule is a barrier, moves nothing between several ranks, does not pass the verifier, sends chunks of one size to chunks of another for this
/// number of bytes, or sends more than 2^31 messages between two ranks.
pub fn write(schedule: &Schedule, params: &Params, bytes: Bytes) -> Result<Vec<Vec<u8>>> {
    let name = &schedule.collective;
    let nothing =
        || Error::unsupported(format!("`{name}` moves nothing: a trace has messages only"));
    if params.operation() == Operation::Barrier {
        return Err(nothing());
    }
    verify_schedule(schedule, params)?.into_result()?;
    let schedule = messages(schedule, params)?;
    let blocks = if params.operation().blocked() { params.ranks() as u64 } else { 1 };
    let elements = usize::try_from(bytes.0 / blocks).unwrap_or(usize::MAX);
    let request = Request::new(params.operation(), params.ranks(), elements, DType::U8);
    let layout = Layout::new(params, &request)?;
    let mut tags = Tags::default();
    let (mut traces, mut nodes) = (Vec::new(), 0);
    for (rank, steps) in schedule.lanes.iter().enumerate() {
        let mut trace = Trace::new(rank, params, &layout);
        for step in steps {
            trace.step(step, &mut tags)?;
        }
        nodes += trace.nodes;
        traces.push(trace.file);
    }
    // Of one rank nothing is expected to move.
    if nodes == 0 && params.ranks() > 1 {
        return Err(nothing());
    }
    match tags.sizes.into_values().find(|sizes| sizes.0 != sizes.1) {
        None => Ok(traces),
        Some((sent, received)) => {
            let message = format!("{sent} bytes are sent where {received} are received");
            Err(Error::invalid(message).help("choose a size that the number of chunks divides"))
        }
    }
}

/// The tags of messages: their number among those from a rank to another on a channel.
#[derive(Default)]
struct Tags {
    /// By sender, receiver, channel and end: the messages so far.
    next: HashMap<(u32, u32, u16, bool), u32>,
    /// By sender, receiver, channel and number: the bytes sent and received.
    sizes: BTreeMap<(u32, u32, u16, u32), (usize, usize)>,
}

impl Tags {
    fn take(&mut self, from: u32, to: u32, step: &Step, sends: bool, bytes: usize) -> Result<i32> {
        let next = self.next.entry((from, to, step.channel, sends)).or_default();
        let (sent, received) = self.sizes.entry((from, to, step.channel, *next)).or_default();
        *(if sends { sent } else { received }) = bytes;
        // Channels share the tags, each with a part of them.
        let tag = u64::from(*next) << 4 | u64::from(step.channel & 15);
        *next += 1;
        i32::try_from(tag).ok().filter(|_| step.channel < 16).ok_or_else(|| {
            let message = format!("rank {from} to rank {to}: message {tag} has no tag");
            Error::unsupported(message).help("a trace has 16 channels and 2^27 messages of each")
        })
    }
}

/// `NodeType` of the schema.
const COMPUTE: u64 = 4;
const SEND: u64 = 5;
const RECEIVE: u64 = 6;

/// One rank's file.
struct Trace<'a> {
    rank: usize,
    layout: &'a Layout,
    file: Vec<u8>,
    nodes: u64,
    touched: Touched<u64>,
}

impl<'a> Trace<'a> {
    fn new(rank: usize, params: &Params, layout: &'a Layout) -> Self {
        let mut file = Vec::new();
        Message::default().text(1, "0.0.4").append_to(&mut file);
        Self { rank, layout, file, nodes: 0, touched: Touched::new(params) }
    }

    fn step(&mut self, step: &Step, tags: &mut Tags) -> Result<()> {
        let bytes = self.layout.bytes(self.rank, step.chunks).len();
        if bytes == 0 {
            return Ok(());
        }
        let (own, peer) = (self.rank as u32, step.peer);
        let name = step.to_string();
        match step.action {
            Action::Send => {
                let tag = tags.take(own, peer, step, true, bytes)?;
                let after = self.touched.before(&[step.chunks], &[]);
                let node = self.node(SEND, &name, &after, &transfer(own, peer, bytes, tag));
                self.touched.note(node, &[step.chunks], &[]);
            }
            Action::Recv | Action::RecvReduce => {
                let tag = tags.take(peer, own, step, false, bytes)?;
                let merges = step.action == Action::RecvReduce;
                // What is merged arrives in memory of its own.
                let written = if merges { &[][..] } else { &[step.chunks] };
                let after = self.touched.before(&[], written);
                let node = self.node(RECEIVE, &name, &after, &transfer(peer, own, bytes, tag));
                self.touched.note(node, &[], written);
                if merges {
                    self.compute(&name, Some(node), step, bytes);
                }
            }
            _ => self.compute(&name, None, step, bytes),
        }
        Ok(())
    }

    /// A copy or a merge.
    fn compute(&mut self, name: &str, received: Option<u64>, step: &Step, bytes: usize) {
        let reads = if step.merges() { vec![step.source, step.chunks] } else { vec![step.source] };
        let mut after = self.touched.before(&reads, &[step.chunks]);
        after.extend(received);
        let bytes = bytes as u64;
        let attributes = [
            Message::default().text(1, "num_ops").number(9, bytes),
            Message::default().text(1, "tensor_size").number(13, bytes),
        ];
        let node = self.node(COMPUTE, name, &after, &attributes);
        self.touched.note(node, &reads, &[step.chunks]);
    }

    fn node(&mut self, kind: u64, name: &str, after: &[u64], attributes: &[Message]) -> u64 {
        self.nodes += 1;
        let mut node = Message::default().number(1, self.nodes).text(2, name).number(3, kind);
        node = node.numbers(5, after);
        node = node.message(10, &Message::default().text(1, "is_cpu_op").number(27, 0));
        for attribute in attributes {
            node = node.message(10, attribute);
        }
        node.append_to(&mut self.file);
        self.nodes
    }
}

fn transfer(from: u32, to: u32, bytes: usize, tag: i32) -> [Message; 4] {
    let attribute =
        |name: &str, field, value: u64| Message::default().text(1, name).number(field, value);
    [
        attribute("comm_src", 7, from.into()),
        attribute("comm_dst", 7, to.into()),
        attribute("comm_size", 9, bytes as u64),
        attribute("comm_tag", 7, tag as u64),
    ]
}
