//! The operations of a group, on elements.

use super::methods::operations;
use super::{Call, Communicator};
use bytemuck::cast_slice;
use ringwood_base::{Element, Error, Result, counted};
use ringwood_schedule::{Invocation, Operation, ReduceOp};
use ringwood_transport::Buffers;

fn what<T: Element>(operation: Operation) -> Invocation<'static> {
    Invocation::new(operation, T::DTYPE)
}

/// Elements that an operation replaces, and those that it reads if they are others.
struct Elements<'a, T> {
    input: Option<&'a [T]>,
    output: &'a mut [T],
}

fn in_place<T: Element>(output: &mut [T]) -> Elements<'_, T> {
    Elements { input: None, output }
}

fn apart<'a, T: Element>(input: &'a [T], output: &'a mut [T]) -> Elements<'a, T> {
    Elements { input: Some(input), output }
}

operations! { run, run_elements;
    /// Replaces the elements of every rank by their merge. Equivalent to `ncclAllReduce` and
    /// `MPI_Allreduce` in place.
    all_reduce<T: Element>(data: &mut [T], op: ReduceOp) =
        what::<T>(Operation::AllReduce).reduce(op), in_place(data);

    /// Puts the merge of the inputs of all ranks into every output, which is as long. Equivalent to
    /// `ncclAllReduce`, `MPI_Allreduce`.
    all_reduce_into<T: Element>(input: &[T], output: &mut [T], op: ReduceOp) =
        what::<T>(Operation::AllReduce).reduce(op), apart(input, output);

    /// Replaces the elements of the root by the merge of those of all ranks. On the other ranks
    /// `data` is left unspecified. Equivalent to `ncclReduce`, `MPI_Reduce` in place.
    reduce<T: Element>(data: &mut [T], op: ReduceOp, root: usize) =
        what::<T>(Operation::Reduce).reduce(op).root(root), in_place(data);

    /// Puts the merge of the inputs of all ranks into the output of the root; those of the others
    /// are empty. Equivalent to `ncclReduce`, `MPI_Reduce`.
    reduce_into<T: Element>(input: &[T], output: &mut [T], op: ReduceOp, root: usize) =
        what::<T>(Operation::Reduce).reduce(op).root(root), apart(input, output);

    /// Replaces the elements of every rank by those of the root. Equivalent to `ncclBroadcast`,
    /// `MPI_Bcast`.
    broadcast<T: Element>(data: &mut [T], root: usize) =
        what::<T>(Operation::Broadcast).root(root), in_place(data);

    /// Puts the inputs of all ranks, in their order, into every output: `size` times as long.
    /// Equivalent to `ncclAllGather`, `MPI_Allgather`.
    all_gather_into<T: Element>(input: &[T], output: &mut [T]) =
        what::<T>(Operation::AllGather), apart(input, output);

    /// [`Communicator::all_gather_into`] where each rank's input is its block of `data`.
    all_gather<T: Element>(data: &mut [T]) = what::<T>(Operation::AllGather), in_place(data);

    /// [`Communicator::all_gather_into`] of blocks with different lengths: `counts` has one for each rank,
    /// the same on all. Equivalent to `MPI_Allgatherv`.
    all_gather_v_into<T: Element>(input: &[T], counts: &[usize], output: &mut [T]) =
        what::<T>(Operation::AllGather).counts(counts), apart(input, output);

    /// Puts the inputs of all ranks, in their order, into the output of the root; those of the
    /// others are empty. Equivalent to `ncclGather`, `MPI_Gather`.
    gather_into<T: Element>(input: &[T], output: &mut [T], root: usize) =
        what::<T>(Operation::Gather).root(root), apart(input, output);

    /// [`Communicator::gather_into`] where every rank has room for all blocks and its input is its own
    /// one; on other ranks than the root the rest is left unspecified.
    gather<T: Element>(data: &mut [T], root: usize) =
        what::<T>(Operation::Gather).root(root), in_place(data);

    /// [`Communicator::gather_into`] of blocks with different lengths: `counts` has one for each rank, the
    /// same on all. Equivalent to `MPI_Gatherv`.
    gather_v_into<T: Element>(input: &[T], counts: &[usize], output: &mut [T], root: usize) =
        what::<T>(Operation::Gather).root(root).counts(counts), apart(input, output);

    /// Puts block `r` of the root's input into the output of rank `r`; the inputs of the others are
    /// empty. Equivalent to `ncclScatter`, `MPI_Scatter`.
    scatter_into<T: Element>(input: &[T], output: &mut [T], root: usize) =
        what::<T>(Operation::Scatter).root(root), apart(input, output);

    /// [`Communicator::scatter_into`] where every rank has room for all blocks and ends with its own one;
    /// the rest is left unspecified.
    scatter<T: Element>(data: &mut [T], root: usize) =
        what::<T>(Operation::Scatter).root(root), in_place(data);

    /// [`Communicator::scatter_into`] of blocks with different lengths: `counts` has one for each rank,
    /// the same on all. Equivalent to `MPI_Scatterv`.
    scatter_v_into<T: Element>(input: &[T], counts: &[usize], output: &mut [T], root: usize) =
        what::<T>(Operation::Scatter).root(root).counts(counts), apart(input, output);

    /// Puts the merge of block `r` of all inputs into the output of rank `r`. Inputs are `size` times
    /// as long as outputs. Equivalent to `ncclReduceScatter`, `MPI_Reduce_scatter_block`.
    reduce_scatter_into<T: Element>(input: &[T], output: &mut [T], op: ReduceOp) =
        what::<T>(Operation::ReduceScatter).reduce(op), apart(input, output);

    /// [`Communicator::reduce_scatter_into`] that leaves each rank's result in its block of `data`; the
    /// other blocks are left unspecified.
    reduce_scatter<T: Element>(data: &mut [T], op: ReduceOp) =
        what::<T>(Operation::ReduceScatter).reduce(op), in_place(data);

    /// [`Communicator::reduce_scatter_into`] of blocks with different lengths: `counts` has one for each
    /// rank, the same on all. Equivalent to `MPI_Reduce_scatter`.
    reduce_scatter_v_into<T: Element>(input: &[T], counts: &[usize], output: &mut [T], op: ReduceOp) =
        what::<T>(Operation::ReduceScatter).reduce(op).counts(counts), apart(input, output);

    /// Puts block `d` of the input of rank `s` into block `s` of the output of rank `d`. Equivalent to
    /// `ncclAlltoAll`, `MPI_Alltoall`.
    all_to_all_into<T: Element>(input: &[T], output: &mut [T]) =
        what::<T>(Operation::AllToAll), apart(input, output);

    /// [`Communicator::all_to_all_into`] that replaces the blocks of `data`.
    all_to_all<T: Element>(data: &mut [T]) = what::<T>(Operation::AllToAll), in_place(data);

    /// [`Communicator::all_to_all_into`] of blocks with different lengths: row `s` of the matrix `counts`
    /// has the elements that rank `s` sends to each rank, so it has `size * size` of them, the same
    /// on all ranks; [`Communicator::gather_counts`] collects them. Equivalent to `MPI_Alltoallv`.
    all_to_all_v_into<T: Element>(input: &[T], counts: &[usize], output: &mut [T]) =
        what::<T>(Operation::AllToAll).counts(counts), apart(input, output);

    /// Replaces the elements of rank `to[r]` by those of rank `r`; `to` is a permutation of the
    /// ranks, the same on all. Equivalent to TensorFlow's `CollectivePermute`.
    permute<T: Element>(data: &mut [T], to: &[usize]) =
        what::<T>(Operation::Permute).permutation(to), in_place(data);

    /// Puts the input of rank `r` into the output of rank `to[r]`.
    permute_into<T: Element>(input: &[T], output: &mut [T], to: &[usize]) =
        what::<T>(Operation::Permute).permutation(to), apart(input, output);

    /// Waits until every rank has come. Equivalent to `MPI_Barrier`.
    barrier() = what::<u8>(Operation::Barrier), in_place::<u8>(&mut []);
}

impl Communicator {
    /// The counts of all ranks as a matrix, one row for each, which
    /// [`Communicator::all_to_all_v_into`] takes; `own` is this rank's row.
    ///
    /// # Errors
    /// See [`Call::run`]; or the row of a rank does not have a count for each rank.
    pub fn gather_counts(&self, own: &[usize]) -> Result<Vec<usize>> {
        if own.len() != self.size() {
            let (given, needed) = (counted(own.len(), "count"), counted(self.size(), "rank"));
            let message =
                format!("{given} of rank {} for {needed}: one for each is needed", self.rank());
            self.call().refuse(Error::invalid(message))?;
        }
        let row: Vec<u64> = own.iter().map(|&count| count as u64).collect();
        let mut matrix = vec![0; row.len() * self.size()];
        self.all_gather_into(&row, &mut matrix)?;
        Ok(matrix.into_iter().map(|count| count as usize).collect())
    }
}

impl Call<'_> {
    fn run_elements<T: Element>(
        self,
        what: &Invocation<'_>,
        Elements { input, output }: Elements<'_, T>,
    ) -> Result<()> {
        T::write_bytes(output, |output| match input {
            None => self.run(what, Buffers::InPlace(output)),
            Some(input) => self.run(what, Buffers::Apart { input: cast_slice(input), output }),
        })
    }
}
