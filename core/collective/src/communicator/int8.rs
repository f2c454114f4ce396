//! All-reduce in 8 bits: lossy, with two roundings.

use super::{Call, Communicator};
use ringwood_base::{DType, Error, Result};
use ringwood_schedule::{
    BufferMode, Invocation, Operation, Order, Params, ReduceOp, Request, count_roundings,
};

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
    /// Any other operator than sum and mean, an order other than linear, an algorithm that merges
    /// where elements travel, or fewer [`Call::roundings`] allowed than there are; otherwise as
    /// [`Call::run`]. After any error `data` is as it was.
    pub fn all_reduce_int8(self, data: &mut [f32], op: ReduceOp) -> Result<()> {
        match self.in_int8(op, data.len()) {
            Ok((call, op)) => call.all_reduce(data, op),
            Err(error) => self.refuse(error),
        }
    }

    /// How often [`Call::all_reduce_int8`] rounds each of `elements` elements to 8 bits, counted in
    /// the schedule that it runs: 2, and 0 for a group of one rank; see
    /// [`count_roundings`](ringwood_schedule::count_roundings).
    ///
    /// # Errors
    /// There is no schedule for the group.
    pub fn int8_roundings(self, elements: usize) -> Result<usize> {
        let Communicator { rank, shared, .. } = self.communicator;
        let what = Invocation::new(Operation::AllReduce, DType::F32).reduce(ReduceOp::Int8Sum);
        let (mode, arrangement) = (Some(BufferMode::InPlace), shared.arrangement.clone());
        let request = Request { what, ranks: rank.group_size(), elements, mode, arrangement };
        let (registry, order) = (&shared.registry, Some(Order::Linear));
        let collective = shared.selector.select(registry, self.algorithm, order, &request)?;
        count_roundings(&*collective, &Params::resolved(&*collective, &request)?)
    }

    /// The call, and the operator, as it runs.
    fn in_int8(self, op: ReduceOp, elements: usize) -> Result<(Self, ReduceOp)> {
        let refuse = |message: String| Err(Error::unsupported(message));
        let op = match op {
            ReduceOp::Sum => ReduceOp::Int8Sum,
            ReduceOp::Mean => ReduceOp::Int8Mean,
            _ => {
                let message = format!("an all-reduce in 8 bits takes a sum or a mean, not `{op}`");
                return refuse(message);
            }
        };
        if let Some(order) = self.order.filter(|order| *order != Order::Linear) {
            return refuse(format!("an all-reduce in 8 bits has the order linear, not {order}"));
        }
        let call = Self { order: Some(Order::Linear), ..self };
        let Some(most) = self.roundings else { return Ok((call, op)) };
        match self.int8_roundings(elements)? {
            times if times <= most => Ok((call, op)),
            times => refuse(format!(
                "an all-reduce in 8 bits rounds an element {times} times, {most} are allowed"
            )),
        }
    }
}
