//! Groups of some of the ranks of a group.

use super::text::{hear, tell};
use super::{Choice, Group, GroupBuilder};
use crate::Communicator;
use crate::communicator::Shared;
use bytemuck::{cast_slice, cast_slice_mut};
use ringwood_base::deadline::deadline;
use ringwood_base::{DType, Error, Result};
use ringwood_schedule::{Invocation, Operation};
use ringwood_transport::{Buffers, Endpoint, list_ranks};
use std::sync::Arc;

impl Communicator {
    /// Groups the ranks by colour: all ranks call it, and those of one colour get communicators of a
    /// group of their own, ordered by `key` and, where keys are equal, by their ranks here. A rank
    /// without a colour gets none. Equivalent to `MPI_Comm_split`, `ncclCommSplit`.
    ///
    /// The new group has the transport, the bounds, the order, the cost model and the registry of this
    /// one, and calls of its own: it proves and agrees on them by itself, and what fails there reaches
    /// its ranks alone. A failure of this group is one of the new group, too: over sockets a rank that is
    /// a process hears of it in its next call of this group, and tells its part. Dropping the communicator
    /// leaves the new group only. Where ranks are processes, calls of the new group are not for an
    /// [`Executor`](crate::executor::Executor).
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
    /// As [`Call::run`](crate::Call::run) of an all-gather, which tells every rank the colours; or the
    /// transport cannot connect the new group, or some of its ranks do not come in time.
    pub fn split(&self, colour: Option<usize>, key: i64) -> Result<Option<Communicator>> {
        let Some(ranks) = self.ranks_like(colour, key)? else { return Ok(None) };
        let call = (self.joined(), self.rank());
        let endpoint = &mut self.local.borrow_mut().endpoint;
        let mut part = self.shared.part(&mut **endpoint, call, &ranks)?;
        let of_whole = |&rank: &usize| self.part.as_ref().map_or(rank, |whole| whole[rank]);
        part.part = Some(ranks.iter().map(of_whole).collect());
        Ok(Some(part))
    }

    /// The ranks of this rank's colour, in the order of their keys.
    fn ranks_like(&self, colour: Option<usize>, key: i64) -> Result<Option<Vec<usize>>> {
        let own = [i64::from(colour.is_some()), colour.unwrap_or(0) as i64, key];
        let mut all = vec![0; own.len() * self.size()];
        let what = Invocation::new(Operation::AllGather, DType::I64);
        let (input, output) = (cast_slice(&own), cast_slice_mut(&mut all));
        self.call().part_of("split").run(&what, Buffers::Apart { input, output })?;
        let rows: Vec<&[i64]> = all.chunks_exact(own.len()).collect();
        let mut ranks: Vec<usize> =
            (0..rows.len()).filter(|&rank| rows[rank][..2] == own[..2]).collect();
        ranks.sort_by_key(|&rank| rows[rank][2]);
        Ok(colour.map(|_| ranks))
    }
}

impl Shared {
    /// The place of `rank` in a group of `ranks`, a part of this group, made in call `call`.
    fn part(
        &self,
        endpoint: &mut dyn Endpoint,
        (call, rank): (u64, usize),
        ranks: &[usize],
    ) -> Result<Communicator> {
        let at = ranks.iter().position(|&other| other == rank).unwrap_or(0);
        let key = (call, ranks[0]);
        if self.seats.is_some() || ranks.len() == 1 {
            let place = (at, ranks.len());
            return self.parts.take(key, place, || self.part_of(ranks).open());
        }
        let end = deadline(self.bounds.arrival);
        if at > 0 {
            let text = hear(endpoint, ranks[0], end)?;
            let address: Result<String> = serde_json::from_slice(&text).map_err(|cause| {
                let message = format!("rank {} names no place for a part of the group", ranks[0]);
                Error::protocol(message).because(cause)
            })?;
            return self.part_of(ranks).join(at, &address?);
        }
        // The others are told also if there is no place: they wait for it.
        let place = endpoint.bootstrap(self.transport, ranks.len());
        let address = place.as_ref().map(|place| place.address().to_owned());
        // An address or an error is text, which JSON can always hold.
        let text = serde_json::to_vec(&address.map_err(Clone::clone)).unwrap_or_default();
        ranks[1..].iter().try_for_each(|&other| tell(endpoint, other, &text, end))?;
        // The place is kept until all have joined.
        let place = place?;
        self.part_of(ranks).join(at, place.address())
    }

    fn part_of(&self, ranks: &[usize]) -> GroupBuilder {
        let setting = self.selector.setting();
        GroupBuilder {
            registry: Some(Arc::clone(&self.registry)),
            transport: Choice::Given(self.transport),
            bounds: self.bounds,
            model: Some((*setting.model).clone()),
            order: setting.order,
            arrangement: self.arrangement.of_part(ranks),
            whole: Some((Arc::clone(&self.failure), list_ranks(ranks))),
            ..Group::builder(ranks.len())
        }
    }
}
