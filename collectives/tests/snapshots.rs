//! Some schedules in full: what a rank does, step by step.

use ringwood_base::DType;
use ringwood_collectives::all_gather::Bruck;
use ringwood_collectives::all_reduce::{DoubleTree, Hierarchical, TwoShot};
use ringwood_schedule::{Arrangement, Collective, Operation, Params, Request, Schedule};

/// The steps of one rank.
fn lane(collective: &dyn Collective, params: &Params, rank: usize) -> Vec<String> {
    let schedule = Schedule::of(collective, params).unwrap();
    schedule.lanes[rank].iter().map(ToString::to_string).collect()
}

fn params(collective: &dyn Collective, ranks: usize) -> Params {
    let request = Request::new(collective.describe().operation, ranks, 100, DType::F32);
    collective.resolve(&request).unwrap()
}

#[test]
fn two_shot_takes_results_of_a_segment_while_the_next_is_merged() {
    let params = params(&TwoShot, 3).segmented(2).unwrap();
    let want = [
        "send(to 0, chunk 0)",
        "send(to 1, chunk 2)",
        "send(to 0, chunk 1)",
        "send(to 1, chunk 3)",
        "recv(from 0, scratch chunk 4)",
        "recv_reduce(from 1, scratch chunk 4)",
        "reduce(scratch chunk 4 into chunk 4, from the left)",
        "send(to 0, chunk 4)",
        "send(to 1, chunk 4)",
        "recv(from 0, scratch chunk 5)",
        "recv_reduce(from 1, scratch chunk 5)",
        "reduce(scratch chunk 5 into chunk 5, from the left)",
        "send(to 0, chunk 5)",
        "send(to 1, chunk 5)",
        "recv(from 0, chunk 0)",
        "recv(from 1, chunk 2)",
        "recv(from 0, chunk 1)",
        "recv(from 1, chunk 3)",
    ];
    assert_eq!(lane(&TwoShot, &params, 2), want);
}

#[test]
fn the_inner_rank_of_one_tree_is_a_leaf_of_the_other() {
    let want = [
        "recv_reduce(from 0, chunk 0, from the left)",
        "recv_reduce(from 2, chunk 0)",
        "send(to 3, chunk 0)",
        "send(to 2, chunk 1, channel 1)",
        "recv(from 3, chunk 0)",
        "send(to 0, chunk 0)",
        "send(to 2, chunk 0)",
        "recv(from 2, chunk 1, channel 1)",
    ];
    assert_eq!(lane(&DoubleTree, &params(&DoubleTree, 4), 1), want);
}

#[test]
fn only_one_chunk_of_a_share_leaves_its_task() {
    let tasks = Arrangement::of_tasks(&[2, 2]).unwrap();
    let request = Request::new(Operation::AllReduce, 4, 100, DType::F32).arrangement(tasks);
    let want = [
        "send(to 1, chunks 2..4)",
        "recv_reduce(from 1, chunks 0..2)",
        "send(to 2, chunk 1)",
        "recv_reduce(from 2, chunk 0)",
        "send(to 2, chunk 0)",
        "recv(from 2, chunk 1)",
        "send(to 1, chunks 0..2)",
        "recv(from 1, chunks 2..4)",
    ];
    assert_eq!(lane(&Hierarchical, &Hierarchical.resolve(&request).unwrap(), 0), want);
}

#[test]
fn a_run_of_blocks_goes_around_the_end_in_two_messages() {
    let want = [
        "send(to 3, chunk 4)",
        "recv(from 0, chunk 0)",
        "send(to 2, chunk 4)",
        "send(to 2, chunk 0)",
        "recv(from 1, chunks 1..3)",
        "send(to 0, chunk 4)",
        "recv(from 3, chunk 3)",
    ];
    assert_eq!(lane(&Bruck, &params(&Bruck, 5), 4), want);
}
