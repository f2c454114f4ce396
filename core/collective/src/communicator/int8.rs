//! All-reduce in 8 bits: a lossy two-shot.

use super::{Call, Communicator};
use crate::engine::NativeKernel;
use crate::transport::Buffers;
use crate::{Invocation, refusal};
use bytemuck::{cast_slice, cast_slice_mut};
use ringwood_base::registry::Registry;
use ringwood_base::{DType, Error, ErrorKind, Result};
use ringwood_schedule::{BufferMode, Operation, Order, ReduceOp, Request, count_roundings};

/// The elements of a block, and the words in which it travels.
const ELEMENTS: usize = 32;
const WORDS: usize = 9;
/// The words before what a rank sends to another: what it calls.
const HEADER: usize = 3;

/// What a rank keeps from one call to the next.
#[derive(Default)]
pub(super) struct Blocks {
    /// The kernels that encode, and add what is decoded.
    kernels: Option<[NativeKernel; 2]>,
    /// What this rank sends, and what it gets.
    words: Vec<u32>,
    gathered: Vec<u32>,
    /// The sums of this rank's part.
    sums: Vec<f32>,
}

impl Communicator {
    /// Replaces the elements of every rank by their sum or mean, with errors: what travels are 8-bit
    /// integers, 1.125 bytes for an element instead of 4.
    ///
    /// Each rank encodes its elements as blocks of 32 with a common power of two as their scale,
    /// sends every rank its part, adds up its own part in `f32` in the order of the ranks, encodes
    /// the sums and gathers those of all. So an element is rounded to 8 bits twice, however many
    /// ranks there are, and every rank gets the same bits, which depend neither on the run nor on
    /// the algorithms.
    ///
    /// Where `m(r)` is the largest magnitude in a block of rank `r` and `M` the sum of them all, the
    /// error of each sum in the block is at most `M (2/127 + 1/127²)`, beside the rounding of sums in
    /// `f32`; for a mean, that divided by the number of ranks. Magnitudes below 2^-126 count as that.
    /// A block in which any rank has a NaN or an infinity, or whose sum overflows, is NaN as a whole
    /// on every rank. A group of one rank leaves its elements as they are.
    ///
    /// Blocks are those of MXINT8: OCP Microscaling Formats (MX) specification 1.0, 2023.
    ///
    /// # Errors
    /// See [`Call::all_reduce_int8`].
    pub fn all_reduce_int8(&self, data: &mut [f32], op: ReduceOp) -> Result<()> {
        self.call().all_reduce_int8(data, op)
    }
}

impl Call<'_> {
    /// [`Communicator::all_reduce_int8`] with these options.
    ///
    /// # Errors
    /// Any other operator than sum and mean, an algorithm that was insisted on (there are two), an
    /// order other than linear, or fewer [`Call::roundings`] allowed than there are; otherwise as
    /// [`Call::run`]. After any error `data` is as it was.
    pub fn all_reduce_int8(self, data: &mut [f32], op: ReduceOp) -> Result<()> {
        let ranks = self.communicator.size();
        let mut blocks = self.communicator.blocks.borrow_mut();
        let blocks = &mut *blocks;
        let registry = &self.communicator.shared.registry;
        let checked = self.check_int8(op, data.len());
        if let Err(error) = checked.and_then(|()| blocks.encode(registry, data, op, ranks)) {
            return self.refuse(error);
        }
        if ranks == 1 {
            return Ok(());
        }
        let failed = |error| self.communicator.abort(error);
        let call = Call { order: None, ..self };
        let exchange = Invocation::new(Operation::AllToAll, DType::U32);
        call.run(&exchange, apart(&blocks.words, &mut blocks.gathered))?;
        blocks.agree(self.communicator.joined(), ranks)?;
        let own = blocks.sum(ranks, op).map_err(failed)?;
        let gather = Invocation::new(Operation::AllGather, DType::U32);
        let Blocks { words, gathered, .. } = blocks;
        call.run(&gather, apart(&words[..own], &mut gathered[..own * ranks]))?;
        blocks.decode(data).map_err(failed)
    }

    /// How often [`Call::all_reduce_int8`] rounds each of `elements` elements to 8 bits, counted in
    /// the schedules that it runs: 2, and 0 for a group of one rank; see
    /// [`count_roundings`](ringwood_schedule::count_roundings).
    ///
    /// # Errors
    /// There is no schedule for the group.
    pub fn int8_roundings(self, elements: usize) -> Result<usize> {
        let Communicator { rank, shared, .. } = self.communicator;
        let words = blocks_of_rank(elements, rank.group_size()) * WORDS;
        let request = Request::new(rank.group_size(), words, DType::U32);
        let request = request.mode(BufferMode::OutOfPlace);
        let roundings = |operation| {
            let registry = &shared.registry;
            let collective = shared.selector.select(registry, None, None, operation, &request)?;
            count_roundings(collective, &collective.resolve(&request)?)
        };
        Ok(roundings(Operation::AllToAll)? + roundings(Operation::AllGather)?)
    }

    fn check_int8(self, op: ReduceOp, elements: usize) -> Result<()> {
        let refuse = |message: String| Err(Error::new(ErrorKind::Unsupported, message));
        if !matches!(op, ReduceOp::Sum | ReduceOp::Mean) {
            return refuse(format!("an all-reduce in 8 bits takes a sum or a mean, not `{op}`"));
        }
        if let Some(name) = self.algorithm {
            return refuse(format!(
                "an all-reduce in 8 bits is an all-to-all and an all-gather: it is not run by `{name}`"
            ));
        }
        if let Some(order) = self.order.filter(|order| *order != Order::Linear) {
            return refuse(format!("an all-reduce in 8 bits has the order linear, not {order}"));
        }
        let Some(most) = self.roundings else { return Ok(()) };
        match self.int8_roundings(elements)? {
            times if times <= most => Ok(()),
            times => refuse(format!(
                "an all-reduce in 8 bits rounds an element {times} times, {most} are allowed"
            )),
        }
    }
}

/// The blocks that each of `ranks` ranks adds up.
fn blocks_of_rank(elements: usize, ranks: usize) -> usize {
    elements.div_ceil(ELEMENTS).div_ceil(ranks)
}

fn apart<'a>(input: &'a [u32], output: &'a mut [u32]) -> Buffers<'a> {
    Buffers::Apart { input: cast_slice(input), output: cast_slice_mut(output) }
}

impl Blocks {
    /// Encodes the elements of this rank into `words`: a part for each rank.
    fn encode(
        &mut self,
        registry: &Registry,
        data: &[f32],
        op: ReduceOp,
        ranks: usize,
    ) -> Result<()> {
        let find = |name, to| {
            let what = "carries elements in 8 bits";
            NativeKernel::find(registry, name, &[DType::U32, to], &what)
        };
        let [encode, _] = match self.kernels {
            Some(kernels) => kernels,
            None => *self
                .kernels
                .insert([find("int8_encode", DType::U32)?, find("int8_add", DType::F32)?]),
        };
        let blocks = blocks_of_rank(data.len(), ranks);
        let part = HEADER + blocks * WORDS;
        self.words.resize(part * ranks, 0);
        self.gathered.resize(part * ranks, 0);
        self.sums.resize(blocks * ELEMENTS, 0.0);
        for (rank, part) in self.words.chunks_mut(part).enumerate() {
            let (header, words) = part.split_at_mut(HEADER);
            let count = data.len() as u64;
            let mean = u32::from(op == ReduceOp::Mean);
            header.copy_from_slice(&[mean, count as u32, (count >> 32) as u32]);
            let border = |rank: usize| (rank * blocks * ELEMENTS).min(data.len());
            let own = &data[border(rank)..border(rank + 1)];
            encode.apply(blocks, cast_slice(own), cast_slice_mut(words))?;
        }
        Ok(())
    }

    /// Whether all ranks called the same.
    ///
    /// # Errors
    /// They did not: the same error on every rank.
    fn agree(&self, call: u64, ranks: usize) -> Result<()> {
        let parts = self.gathered.chunks(self.gathered.len() / ranks);
        let headers: Vec<&[u32]> = parts.map(|part| &part[..HEADER]).collect();
        if headers.iter().all(|header| *header == headers[0]) {
            return Ok(());
        }
        let statement = |header: &&[u32]| {
            let op = if header[0] == 0 { ReduceOp::Sum } else { ReduceOp::Mean };
            let count = u64::from(header[1]) | u64::from(header[2]) << 32;
            let fields = [("reduce operator", op.to_string()), ("count", count.to_string())];
            Ok(fields.map(|(name, value)| (name.into(), value)).to_vec())
        };
        Err(refusal(call, &headers.iter().map(statement).collect::<Vec<_>>()))
    }

    /// Adds up what the ranks sent this one, and encodes it at the beginning of `words`: so many.
    fn sum(&mut self, ranks: usize, op: ReduceOp) -> Result<usize> {
        let Self { kernels: Some([encode, add]), words, gathered, sums } = self else {
            return Ok(0);
        };
        sums.fill(0.0);
        for part in gathered.chunks(gathered.len() / ranks) {
            add.apply(sums.len(), cast_slice(&part[HEADER..]), cast_slice_mut(sums))?;
        }
        if op == ReduceOp::Mean {
            sums.iter_mut().for_each(|sum| *sum /= ranks as f32);
        }
        let own = sums.len() / ELEMENTS * WORDS;
        encode.apply(own / WORDS, cast_slice(sums), cast_slice_mut(&mut words[..own]))?;
        Ok(own)
    }

    /// Replaces `data` by the sums of all ranks.
    fn decode(&mut self, data: &mut [f32]) -> Result<()> {
        let Some([_, add]) = &self.kernels else { return Ok(()) };
        data.fill(0.0);
        add.apply(data.len(), cast_slice(&self.gathered), cast_slice_mut(data))
    }
}
