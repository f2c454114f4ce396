//! Groups of some of the ranks of a group.

use super::Communicator;
use crate::agreement::list_ranks;
use crate::transport::Buffers;
use bytemuck::{cast_slice, cast_slice_mut};
use ringwood_base::{DType, Error, Result};
use ringwood_schedule::{Invocation, Operation};

impl Communicator {
    /// Groups the ranks by colour: all ranks call it, and those of one colour get communicators of a
    /// group of their own, ordered by `key` and, where keys are equal, by their ranks here. A rank
    /// without a colour gets none. Equivalent to `MPI_Comm_split`, `ncclCommSplit`.
    ///
    /// The new group has the transport, the bounds, the order, the cost model and the registry of this
    /// one, and calls of its own: it proves and agrees on them by itself, and what fails there reaches
    /// its ranks alone. A failure of this group is one of the new group, too. Dropping the
    /// communicator leaves the new group only. Where ranks are processes, calls of the new group are
    /// not for an [`Executor`](crate::executor::Executor).
    ///
    /// Errors of the new group number its ranks, and say under `split from` which ranks here these
    /// are, in their order.
    ///
    /// ```no_run
    /// use ringwood_schedule::ReduceOp;
    ///
    /// let sums = ringwood_collective::spmd(4, |comm| {
    ///     let half = comm.split(Some(comm.rank() / 2), 0)?.expect("every rank has a colour");
    ///     let mut sum = [comm.rank() as u32];
    ///     half.all_reduce(&mut sum, ReduceOp::Sum)?;
    ///     Ok(sum[0])
    /// })?;
    /// assert_eq!(sums, [1, 1, 5, 5]);
    /// # Ok::<(), ringwood_base::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`Call::run`](super::Call::run) of an all-gather, which tells every rank the colours; or the
    /// transport cannot connect the new group, or some of its ranks do not come in time.
    pub fn split(&self, colour: Option<usize>, key: i64) -> Result<Option<Communicator>> {
        let Some(ranks) = self.ranks_like(colour, key)? else { return Ok(None) };
        let call = (self.joined(), self.rank());
        let endpoint = &mut self.local.borrow_mut().endpoint;
        let mut part = self.shared.part(&mut **endpoint, call, &ranks)?;
        part.split_from = Some(list_ranks(&ranks));
        Ok(Some(part))
    }

    /// The ranks of this rank's colour, in the order of their keys.
    fn ranks_like(&self, colour: Option<usize>, key: i64) -> Result<Option<Vec<usize>>> {
        let own = [i64::from(colour.is_some()), colour.unwrap_or(0) as i64, key];
        let mut all = vec![0; own.len() * self.size()];
        // With a shape, which calls on slices do not have: it agrees with no other all-gather.
        let what = Invocation::new(Operation::AllGather, DType::I64);
        let what = Invocation { shape: vec![own.len()].into(), ..what };
        let (input, output) = (cast_slice(&own), cast_slice_mut(&mut all));
        self.call().run(&what, Buffers::Apart { input, output })?;
        let rows: Vec<&[i64]> = all.chunks_exact(own.len()).collect();
        let mut ranks: Vec<usize> =
            (0..rows.len()).filter(|&rank| rows[rank][..2] == own[..2]).collect();
        ranks.sort_by_key(|&rank| rows[rank][2]);
        Ok(colour.map(|_| ranks))
    }

    /// An error of a call, for who knows the ranks of the group that this one was split from.
    pub(super) fn report(&self, error: Error) -> Error {
        match &self.split_from {
            // What is the failure of that group has its numbers already.
            Some(ranks) if self.shared.failure.of_whole().is_none() => {
                error.with("split from", ranks)
            }
            _ => error,
        }
    }
}
