//! A rank's share of a call, submitted to its device.

use super::part::{Coded, Kernels, Part};
use super::seats::{DONE, Memories, Seats};
use super::tensors::Tensors;
use ringwood_base::deadline::left;
use ringwood_base::{Error, Result, Shape};
use ringwood_device::backend::Region;
use ringwood_device::device::{Buffer, Code, Stream, Tensor};
use ringwood_device::kernel::Arg;
use ringwood_schedule::lower::{Address, Op};
use ringwood_transport::Failure;
use std::time::{Duration, Instant};

/// A call that the ranks have agreed on, as one of them runs it.
#[derive(Clone, Copy)]
pub(crate) struct Turn<'a> {
    pub rank: usize,
    pub ranks: usize,
    pub call: u64,
    pub deadline: Instant,
    pub failure: &'a Failure,
}

/// A part that runs.
struct Run<'a> {
    turn: &'a Turn<'a>,
    seats: &'a Seats,
    part: &'a Part,
    stream: Stream,
    /// The memories of this rank and its peers.
    memories: Vec<(u32, Memories)>,
}

impl Turn<'_> {
    pub(super) fn left(&self) -> Duration {
        left(self.deadline)
    }
}

impl Part {
    /// Submits what comes before the call: peers may read as soon as the ranks have agreed.
    pub(crate) fn encode(&self, tensors: &Tensors<'_>) -> Result<()> {
        match &self.coded {
            Some(coded) => coded.encode(&self.device.stream()?, tensors.input()),
            None => Ok(()),
        }
    }

    /// Runs the part on `tensors`, and waits until its result is there and every rank has its own.
    /// Returns the bytes taken from peers.
    pub(crate) fn run(&self, turn: &Turn<'_>, seats: &Seats, tensors: &Tensors<'_>) -> Result<u64> {
        let mut memories = vec![(turn.rank as u32, self.memories(tensors))];
        for &peer in &self.program.peers {
            memories.push((peer, seats.memories(peer as usize)?));
        }
        let stream = self.device.stream()?;
        let run = Run { turn, seats, part: self, stream, memories };
        for op in &self.program.ops {
            run.submit(op)?;
        }
        if let Some(coded) = &self.coded {
            coded.decode(&run.stream, tensors.output())?;
        }
        run.stream.record().wait(turn.left())?;
        seats.publish(turn.rank, turn.call, DONE);
        for other in 0..turn.ranks {
            seats.wait_for((turn.rank, other), turn.call, DONE, turn.deadline)?;
        }
        Ok(self.program.moved)
    }
}

impl Run<'_> {
    fn submit(&self, op: &Op) -> Result<()> {
        let (Turn { rank, call, deadline, .. }, seats) = (*self.turn, self.seats);
        let kernels = self.part.kernels.as_ref();
        match *op {
            Op::Await { rank: other, progress } => {
                seats.wait_for((rank, other as usize), call, u64::from(progress), deadline)
            }
            Op::Publish { progress } => {
                seats.publish(rank, call, u64::from(progress));
                Ok(())
            }
            Op::Copy { source, target, bytes } => {
                let (from, to) = (self.region(source, bytes), self.region(target, bytes));
                self.stream_for(to)?.copy_from_any(from, to, self.turn.left())
            }
            Op::Merge { source, target, bytes, left } => {
                let from = self.nearby(self.region(source, bytes))?;
                let own = self.region(target, bytes);
                kernels.map_or(Ok(()), |kernels| kernels.merge(&self.stream, from, own, left))
            }
            Op::Convert { .. } => Err(Error::unsupported(
                "sums in another form than what travels are kept by hosts alone",
            )),
            Op::Finish { target, bytes } => {
                let own = self.region(target, bytes);
                kernels.map_or(Ok(()), |kernels| kernels.finish(&self.stream, own))
            }
        }
    }

    /// The bytes of an address.
    fn region(&self, at: Address, bytes: usize) -> Region<'_, Buffer> {
        let known = self.memories.iter().find(|(rank, _)| *rank == at.rank);
        let (_, memories) = known.expect("a program reads the memory of its rank and peers alone");
        memories[at.memory as usize].region(at.offset, bytes)
    }

    /// The stream that writes a region: the own one, but for memory of another device.
    fn stream_for(&self, target: Region<'_, Buffer>) -> Result<Stream> {
        let device = target.memory.device();
        if *device == self.part.device { Ok(self.stream.clone()) } else { device.stream() }
    }

    /// The same bytes in memory that kernels of this device may read.
    fn nearby<'r>(&'r self, region: Region<'r, Buffer>) -> Result<Region<'r, Buffer>> {
        if *region.memory.device() == self.part.device {
            return Ok(region);
        }
        let staged = Region { memory: &self.part.staging, offset: 0, bytes: region.bytes };
        self.stream.copy_from_any(region, staged, self.turn.left())?;
        Ok(staged)
    }
}

impl Kernels {
    /// Merges the elements of `from` into those of `own`, as the left operands or the right ones.
    /// Accumulators commute.
    fn merge(
        &self,
        stream: &Stream,
        from: Region<'_, Buffer>,
        own: Region<'_, Buffer>,
        left: bool,
    ) -> Result<()> {
        let words = own.bytes / self.wire.size();
        if self.merge.params().len() == 2 {
            return launch(stream, &self.merge, words / self.words, [dense(from), dense(own)]);
        }
        let operands = if left { [from, own] } else { [own, from] };
        let [first, second] = operands.map(dense);
        launch(stream, &self.merge, words, [first, second, dense(own)])
    }

    /// Turns the complete merges in `own` into results.
    pub(super) fn finish(&self, stream: &Stream, own: Region<'_, Buffer>) -> Result<()> {
        let Some((code, divisor)) = &self.finish else { return Ok(()) };
        let divisor = Arg::Slice { region: divisor.region(), strides: Some(&[0]) };
        let words = own.bytes / self.wire.size();
        launch(stream, code, words, [dense(own), divisor, dense(own)])
    }
}

impl Coded {
    fn encode(&self, stream: &Stream, tensor: &Tensor) -> Result<()> {
        let args = [tensor.region(), self.input.region()].map(dense);
        launch(stream, &self.encode, tensor.len(), args)
    }

    fn decode(&self, stream: &Stream, tensor: &Tensor) -> Result<()> {
        let args = [self.output().region(), tensor.region()].map(dense);
        launch(stream, &self.decode, tensor.len(), args)
    }
}

fn dense(region: Region<'_, Buffer>) -> Arg<'_, Buffer> {
    Arg::Slice { region, strides: None }
}

/// Launches a kernel over `items` work-items, unless there are none.
fn launch<const N: usize>(
    stream: &Stream,
    code: &Code,
    items: usize,
    args: [Arg<'_, Buffer>; N],
) -> Result<()> {
    if items == 0 {
        return Ok(());
    }
    stream.launch(code, Shape::vector(items), &args)
}
