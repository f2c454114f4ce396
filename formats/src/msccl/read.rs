//! Reading MSCCL XML.

use super::element::{Element, File};
use crate::moves::{End, Writer};
use crate::text::shown;
use ringwood_base::Result;
use ringwood_schedule::plan::{Buffers, ExecutionPlan, Goal, Origin, PlanAction, PlanLane, PlanOp};
use ringwood_schedule::{BufferMode, Space};
use std::collections::{HashMap, HashSet};

/// The largest number of chunks of a buffer, blocks of a GPU, steps of a block, channels.
const MOST: u32 = 1 << 20;

const ALGO: &str =
    "name proto nchannels nchunksperloop ngpus coll inplace outofplace minBytes maxBytes redop";
const GPU: &str = "id i_chunks o_chunks s_chunks";
const TB: &str = "id send recv chan";
const STEP: &str = "s type srcbuf srcoff dstbuf dstoff cnt depid deps hasdep";

/// Reads a plan; nothing is checked yet but the file itself.
///
/// ```
/// let text = r#"
/// <algo name="hello" proto="Simple" nchannels="1" nchunksperloop="2" ngpus="2" coll="allgather" inplace="0">
///   <gpu id="0" i_chunks="1" o_chunks="2" s_chunks="0">
///     <tb id="0" send="1" recv="1" chan="0">
///       <step s="0" type="s" srcbuf="i" srcoff="0" dstbuf="o" dstoff="0" cnt="1" depid="-1" deps="-1" hasdep="0"/>
///       <step s="1" type="r" srcbuf="i" srcoff="0" dstbuf="o" dstoff="1" cnt="1" depid="-1" deps="-1" hasdep="0"/>
///       <step s="2" type="cpy" srcbuf="i" srcoff="0" dstbuf="o" dstoff="0" cnt="1" depid="-1" deps="-1" hasdep="0"/>
///     </tb>
///   </gpu>
///   <gpu id="1" i_chunks="1" o_chunks="2" s_chunks="0">
///     <tb id="0" send="0" recv="0" chan="0">
///       <step s="0" type="s" srcbuf="i" srcoff="0" dstbuf="o" dstoff="1" cnt="1" depid="-1" deps="-1" hasdep="0"/>
///       <step s="1" type="r" srcbuf="i" srcoff="0" dstbuf="o" dstoff="0" cnt="1" depid="-1" deps="-1" hasdep="0"/>
///       <step s="2" type="cpy" srcbuf="i" srcoff="0" dstbuf="o" dstoff="1" cnt="1" depid="-1" deps="-1" hasdep="0"/>
///     </tb>
///   </gpu>
/// </algo>"#;
/// let plan = ringwood_formats::msccl::read(text)?;
/// assert_eq!((plan.name.as_str(), plan.ranks.len(), plan.lanes.len()), ("hello", 2, 2));
/// # Ok::<(), ringwood_base::Error>(())
/// ```
///
/// # Errors
/// The file is not XML, declares a document type, is too large, or an element or attribute is
/// missing or out of range: the error names line, element and attribute. What may be right, but is not
/// read here, is [`ErrorKind::Unsupported`](ringwood_base::ErrorKind::Unsupported). Unknown elements and
/// attributes are ignored, and are among the plan's warnings.
pub fn read(text: &str) -> Result<ExecutionPlan> {
    let file = File::parse(text)?;
    let root = file.element(file.document.root_element());
    let mut reader = Reader::of(&root)?;
    for gpu in root.children("gpu") {
        reader.gpu(&gpu?)?;
    }
    let (has, ranks) = (reader.plan.ranks.len(), reader.ranks);
    if has != ranks as usize {
        return Err(root.error(format!("`ngpus` is {ranks}, but there are {has} GPUs")));
    }
    let mut plan = reader.plan;
    file.ignored.warnings().for_each(|warning| plan.warn(warning));
    Ok(plan)
}

struct Reader {
    plan: ExecutionPlan,
    ranks: u32,
    channels: u32,
    /// The input and output that the operation needs; `None` if it is not stated.
    needs: Option<Buffers>,
}

/// A block whose steps are read.
struct Block {
    id: u32,
    rank: u32,
    /// The peers that it may send to and receive from.
    send: Option<u32>,
    recv: Option<u32>,
    channel: u16,
    ops: Vec<PlanOp>,
    /// The number of its steps.
    steps: u32,
    /// The steps that publish, each with the place of its last operation.
    published: Vec<(u32, u32)>,
    /// The places of dependencies: (operation, block, step).
    after: Vec<(u32, u32, u32)>,
}

impl Reader {
    fn of(root: &Element<'_, '_>) -> Result<Self> {
        root.check("algo", ALGO)?;
        let ranks = root.number("ngpus", 1, ExecutionPlan::MOST_RANKS as u32)? as u32;
        let chunks = root.number("nchunksperloop", 1, MOST)? as u32;
        let channels = root.number("nchannels", 1, 1 << 16)? as u32;
        let proto = root.text("proto")?;
        if !["Simple", "LL", "LL128"].contains(&proto) {
            return Err(root.unsupported("attribute `proto` is not Simple, LL or LL128"));
        }
        let coll = root.text("coll")?;
        let goal = Goal::named(coll).ok_or_else(|| {
            let coll = shown(coll);
            root.unsupported(format!(
                "what `coll=\"{coll}\"` leaves in the buffers is not known here"
            ))
            .help("known are allreduce, allgather, reducescatter, alltoall and custom")
        })?;
        let needs = match goal {
            Goal::Operation(_) => {
                Some(goal.sizes(ranks, chunks).map_err(|e| root.error(e.message()))?)
            }
            Goal::Unstated => None,
        };
        let mut plan = ExecutionPlan::new(root.text("name")?, goal, modes(root)?, bytes(root)?);
        proto.clone_into(&mut plan.protocol);
        Ok(Self { plan, ranks, channels, needs })
    }

    fn gpu(&mut self, gpu: &Element<'_, '_>) -> Result<()> {
        gpu.check("gpu", GPU)?;
        let id = gpu.count("id", MOST)?;
        let rank = self.plan.ranks.len() as u32;
        if id != rank || rank >= self.ranks {
            return Err(gpu.error(format!("GPU {id} where GPU {rank} of {} belongs", self.ranks)));
        }
        self.plan.ranks.push(self.buffers(gpu)?);
        let (mut blocks, mut private) = (Vec::new(), 0);
        let (mut ids, mut ends) = (HashSet::new(), HashSet::new());
        for tb in gpu.children("tb") {
            let tb = tb?;
            let block = self.block(&tb, rank, &mut private)?;
            if !ids.insert(block.id) {
                return Err(tb.error(format!("block {} is there twice", block.id)));
            }
            for (peer, what) in [(block.send, "send"), (block.recv, "receive")] {
                if peer.is_some_and(|peer| !ends.insert((peer, block.channel, what))) {
                    let why = format!("a second block of GPU {rank} may {what} on this channel");
                    return Err(tb.error(why).help("one of the two needs another channel"));
                }
            }
            blocks.push(block);
        }
        self.link(blocks, gpu)
    }

    fn buffers(&self, gpu: &Element<'_, '_>) -> Result<Buffers> {
        let (input, output) = (gpu.count("i_chunks", MOST)?, gpu.count("o_chunks", MOST)?);
        let scratch = gpu.count("s_chunks", MOST)?;
        let Some(needs) = self.needs else { return Ok(Buffers { input, output, scratch }) };
        let due = [(input, needs.input, "i_chunks"), (output, needs.output, "o_chunks")];
        for (has, most, what) in due {
            if has > most {
                let why = format!("`{what}` is {has}, but this operation has {most} such chunks");
                return Err(gpu.error(why));
            }
        }
        Ok(Buffers { scratch, ..needs })
    }

    fn block(&self, tb: &Element<'_, '_>, rank: u32, private: &mut u32) -> Result<Block> {
        tb.check("tb", TB)?;
        let id = tb.count("id", MOST)?;
        let channel = tb.count("chan", MOST)?;
        if channel >= self.channels {
            return Err(tb.error(format!("channel {channel} of {}", self.channels)));
        }
        let peer = |attribute| -> Result<Option<u32>> {
            let peer = tb.number(attribute, -1, self.ranks - 1)?;
            let Ok(peer) = u32::try_from(peer) else { return Ok(None) };
            if peer == rank {
                return Err(tb.error(format!("attribute `{attribute}` is the GPU itself")));
            }
            Ok(Some(peer))
        };
        let (send, recv) = (peer("send")?, peer("recv")?);
        let (ops, published, after) = (Vec::new(), Vec::new(), Vec::new());
        let channel = channel as u16;
        let mut block = Block { id, rank, send, recv, channel, ops, steps: 0, published, after };
        let mut lane = Writer::new(rank, private);
        for step in tb.children("step") {
            block.step(&step?, &mut lane)?;
        }
        block.ops = lane.ops;
        Ok(block)
    }

    /// Finds what each dependency waits for, and adds the blocks as lanes.
    fn link(&mut self, mut blocks: Vec<Block>, gpu: &Element<'_, '_>) -> Result<()> {
        let base = self.plan.lanes.len() as u32;
        let index: HashMap<u32, usize> =
            blocks.iter().enumerate().map(|(i, b)| (b.id, i)).collect();
        for i in 0..blocks.len() {
            for (at, id, step) in std::mem::take(&mut blocks[i].after) {
                let Some(&other) = index.get(&id) else {
                    let why =
                        format!("block {} depends on block {id}, which is not there", blocks[i].id);
                    return Err(gpu.error(why));
                };
                let steps = &blocks[other].published;
                let op = steps.get(steps.partition_point(|(s, _)| *s < step)).map(|(_, op)| *op);
                blocks[i].ops[at as usize].action =
                    PlanAction::After { lane: base + other as u32, step, op };
            }
        }
        let lane = |b: Block| PlanLane { rank: b.rank, id: b.id, ops: b.ops };
        self.plan.lanes.extend(blocks.into_iter().map(lane));
        Ok(())
    }
}

impl Block {
    fn step(&mut self, step: &Element<'_, '_>, lane: &mut Writer<'_>) -> Result<()> {
        step.check("step", STEP)?;
        let (s, due) = (step.count("s", MOST)?, self.steps);
        if s != due {
            return Err(step.error(format!("step {s} where step {due} belongs")));
        }
        let name = name(step)?;
        lane.origin = Origin { name, step: s, line: step.line() };
        let depends = step.number("depid", -1, MOST)?;
        if let Ok(block) = u32::try_from(depends) {
            self.after.push((lane.ops.len() as u32, block, step.count("deps", MOST)?));
            lane.add(PlanAction::Nop);
        }
        let publishes = step.flag("hasdep")?;
        self.write(step, name, lane)?;
        self.steps += 1;
        if publishes {
            self.published.push((s, lane.ops.len() as u32 - 1));
        }
        Ok(())
    }

    /// Adds what a step does; at least one operation, which is its last.
    fn write(&self, step: &Element<'_, '_>, name: &str, lane: &mut Writer<'_>) -> Result<()> {
        let (rank, channel) = (self.rank, self.channel);
        let message = |peer: Option<u32>, what: &str| match peer {
            Some(peer) => Ok(End::Message { peer, channel }),
            None => Err(step.error(format!("`{name}` in a block that has nobody to {what}"))),
        };
        let (sent, received) =
            (|| message(self.send, "send to"), || message(self.recv, "receive from"));
        let src = || cells(step, rank, "srcbuf", "srcoff");
        let dst = || cells(step, rank, "dstbuf", "dstoff");
        let (sources, targets) = match name {
            "s" => (vec![src()?], vec![sent()?]),
            "r" => (vec![received()?], vec![dst()?]),
            "rcs" => (vec![received()?], vec![dst()?, sent()?]),
            "rrc" => (vec![src()?, received()?], vec![dst()?]),
            "rrs" => (vec![src()?, received()?], vec![sent()?]),
            "rrcs" => (vec![src()?, received()?], vec![dst()?, sent()?]),
            "cpy" => (vec![src()?], vec![dst()?]),
            "re" => (vec![dst()?, src()?], vec![dst()?]),
            _ => {
                lane.add(PlanAction::Nop);
                return Ok(());
            }
        };
        let (cells, before) = (step.number("cnt", 1, MOST)? as u32, lane.ops.len());
        lane.carry(cells, &sources, &targets, None);
        if lane.ops.len() == before {
            lane.add(PlanAction::Nop);
        }
        Ok(())
    }
}

fn name(step: &Element<'_, '_>) -> Result<&'static str> {
    const NAMES: [&str; 9] = ["s", "r", "rcs", "rrc", "rrs", "rrcs", "cpy", "re", "nop"];
    let text = step.text("type")?;
    NAMES.into_iter().find(|n| *n == text).ok_or_else(|| {
        step.unsupported(format!("unknown type `{}`", shown(text)))
            .help(format!("types are {}", NAMES.join(", ")))
    })
}

fn cells(step: &Element<'_, '_>, rank: u32, buffer: &str, offset: &str) -> Result<End> {
    let space = match step.text(buffer)? {
        "i" => Space::Input,
        "o" => Space::Output,
        "s" => Space::Scratch,
        _ => return Err(step.error(format!("attribute `{buffer}` is not i, o or s"))),
    };
    Ok(End::Cells { rank, space, first: step.count(offset, MOST)? })
}

fn modes(root: &Element<'_, '_>) -> Result<Vec<BufferMode>> {
    let in_place = root.flag("inplace")?;
    let out_of_place = match root.optional("outofplace") {
        Some(_) => root.flag("outofplace")?,
        None => !in_place,
    };
    let modes = [(in_place, BufferMode::InPlace), (out_of_place, BufferMode::OutOfPlace)];
    let modes: Vec<_> = modes.into_iter().filter(|(on, _)| *on).map(|(_, mode)| mode).collect();
    if modes.is_empty() {
        return Err(root.error("neither `inplace` nor `outofplace` is 1"));
    }
    Ok(modes)
}

/// The sizes that the plan is for; an upper bound of 0 is none.
fn bytes(root: &Element<'_, '_>) -> Result<std::ops::RangeInclusive<u64>> {
    let bound = |attribute: &str| match root.optional(attribute) {
        None => Ok(0),
        Some(text) => text
            .parse::<u64>()
            .map_err(|_| root.error(format!("attribute `{attribute}` is not a number of bytes"))),
    };
    let (least, most) = (bound("minBytes")?, bound("maxBytes")?);
    let most = if most == 0 { u64::MAX } else { most };
    if least > most {
        return Err(root.error("`minBytes` exceeds `maxBytes`"));
    }
    Ok(least..=most)
}
