//! Every operation against an oracle: small calls and large ones, in place and with a separate
//! output, whichever of the two the schedule has.

use crate::schedules::ALL;
use crate::{TRANSPORT, support};
use ringwood_base::{DType, Result};
use ringwood_collective::{Communicator, GroupBuilder};
use ringwood_schedule::{BufferMode, Collective, Descriptor, Invocation, Operation, ReduceOp};
use ringwood_transport::Buffers;

/// What a test calls.
#[derive(Clone)]
struct Case {
    algorithm: &'static str,
    operation: Operation,
    mode: BufferMode,
    n: usize,
    root: usize,
    op: Option<ReduceOp>,
    /// The elements of each block; for a vector one number, for all-to-all a matrix.
    counts: Vec<usize>,
    /// Whether the counts are passed, since they differ.
    varying: bool,
    permutation: Vec<usize>,
}

const UNSPECIFIED: u64 = 0xDEAD;

/// What rank `rank` contributes: element `i` of block `block`.
fn value(rank: usize, block: usize, i: usize) -> u64 {
    (rank * 1_000_003 + block * 1009 + i * 7 + 1) as u64
}

impl Case {
    fn count(&self, from: usize, to: usize) -> usize {
        match self.operation {
            Operation::AllToAll => self.counts[from * self.n + to],
            o if o.blocked() => self.counts[to],
            _ => self.counts[0],
        }
    }

    fn blocks(&self) -> usize {
        if self.operation.blocked() { self.n } else { 1 }
    }

    /// The blocks of `rank`'s input that hold values, or of its output that are specified.
    fn held(&self, rank: usize, output: bool) -> std::ops::Range<usize> {
        use Operation::{AllGather, Barrier, Broadcast, Gather, Reduce, ReduceScatter, Scatter};
        let (all, own, root) = (0..self.blocks(), rank..rank + 1, rank == self.root);
        match (self.operation, output) {
            (Barrier, _) => 0..0,
            (AllGather | Gather, false) | (Scatter | ReduceScatter, true) => own,
            (Broadcast | Scatter, false) | (Reduce | Gather, true) if !root => 0..0,
            _ => all,
        }
    }

    fn block_of_input(&self, rank: usize, block: usize) -> Vec<u64> {
        let count = match self.operation {
            Operation::AllToAll => self.count(rank, block),
            _ => self.count(0, block),
        };
        (0..count).map(|i| value(rank, block, i)).collect()
    }

    /// What block `block` of the output of `rank` must hold.
    fn block_of_output(&self, rank: usize, block: usize) -> Vec<u64> {
        let merged = || {
            // Those of each rank grow by 7 from element to element.
            let (first, n) = ((0..self.n).map(|r| value(r, block, 0)).sum::<u64>(), self.n as u64);
            let sums = (0..self.count(0, block) as u64).map(|i| first + n * 7 * i);
            match self.op {
                Some(ReduceOp::Mean) => sums.map(|s| s / n).collect(),
                _ => sums.collect(),
            }
        };
        match self.operation {
            o if o.reduces() => merged(),
            Operation::Broadcast | Operation::Scatter => self.block_of_input(self.root, block),
            Operation::AllGather | Operation::Gather => self.block_of_input(block, block),
            Operation::AllToAll => self.block_of_input(block, rank),
            Operation::Permute => {
                let from = self.permutation.iter().position(|&to| to == rank).unwrap_or(rank);
                self.block_of_input(from, block)
            }
            _ => Vec::new(),
        }
    }

    /// The buffer of `rank` in place: the blocks of its input, the rest without meaning.
    fn in_place(&self, rank: usize) -> Vec<u64> {
        let held = self.held(rank, false);
        let block = |b: usize| match held.contains(&b) {
            true => self.block_of_input(rank, b),
            false => vec![UNSPECIFIED; self.count(rank, b)],
        };
        (0..self.blocks()).flat_map(block).collect()
    }

    fn run(&self, comm: &Communicator) -> Result<()> {
        let (rank, permutes) = (comm.rank(), self.operation == Operation::Permute);
        let what = Invocation {
            reduce: self.op,
            root: self.root,
            permutation: permutes.then(|| (&self.permutation).into()),
            counts: self.varying.then(|| (&self.counts).into()),
            ..Invocation::new(self.operation, DType::U64)
        };
        let call = comm.with(self.algorithm);
        let wanted = self.held(rank, true);
        if self.mode == BufferMode::InPlace {
            let mut data = self.in_place(rank);
            call.run(&what, Buffers::InPlace(bytemuck::cast_slice_mut(&mut data)))?;
            let mut at = 0;
            for block in 0..self.blocks() {
                let count = match self.operation {
                    Operation::AllToAll => self.count(block, rank),
                    _ => self.count(0, block),
                };
                if wanted.contains(&block) {
                    let got = &data[at..at + count];
                    assert_eq!(got, self.block_of_output(rank, block), "{} {rank}", self.title());
                }
                at += count;
            }
        } else {
            let blocks = |held: std::ops::Range<usize>, f: &dyn Fn(usize) -> Vec<u64>| {
                held.flat_map(f).collect::<Vec<_>>()
            };
            let input = blocks(self.held(rank, false), &|b| self.block_of_input(rank, b));
            let want = blocks(wanted, &|b| self.block_of_output(rank, b));
            let mut output = vec![UNSPECIFIED; want.len()];
            let bytes = bytemuck::cast_slice_mut(&mut output);
            call.run(&what, Buffers::Apart { input: bytemuck::cast_slice(&input), output: bytes })?;
            assert_eq!(output, want, "{} {rank}", self.title());
            let before = blocks(self.held(rank, false), &|b| self.block_of_input(rank, b));
            assert_eq!(input, before, "{} wrote the input of rank {rank}", self.title());
        }
        Ok(())
    }

    fn title(&self) -> String {
        let Case { algorithm, mode, n, root, counts, .. } = self;
        format!("{algorithm} {mode:?} of {n} ranks, root {root}, counts {counts:?}: rank")
    }
}

/// The cases of a schedule in a group of `n` with blocks of about `count` elements.
fn cases(n: usize, count: usize) -> Vec<Case> {
    let mut cases = Vec::new();
    let runs = |d: &Descriptor| TRANSPORT.capabilities().covers(d.needs) && d.constraint.allows(n);
    for written in ALL.iter().filter(|w| runs(&w.descriptor)) {
        let (algorithm, operation) = (&*written.descriptor.name, written.descriptor.operation);
        let roots = if operation.rooted() { vec![0, n - 1, n / 2] } else { vec![0] };
        let ops = match operation.reduces() {
            true => vec![Some(ReduceOp::Sum), Some(ReduceOp::Mean)],
            false => vec![None],
        };
        // Blocks that move to other places must be alike; a vector in segments need not be.
        let count = if algorithm.ends_with("bruck") { count.next_multiple_of(8) } else { count };
        for mode in [BufferMode::InPlace, BufferMode::OutOfPlace] {
            for &root in &roots {
                for &op in &ops {
                    let numbers = if operation == Operation::AllToAll { n * n } else { n };
                    cases.push(Case {
                        algorithm,
                        operation,
                        mode,
                        n,
                        root,
                        op,
                        counts: vec![
                            if operation == Operation::Barrier { 0 } else { count };
                            numbers
                        ],
                        varying: false,
                        permutation: match operation {
                            Operation::Permute => (0..n).map(|r| (r * 2 + 1) % n).collect(),
                            _ => Vec::new(),
                        },
                    });
                }
            }
        }
    }
    // Doubling is a permutation of odd groups only.
    cases.iter_mut().filter(|c| n.is_multiple_of(2) && !c.permutation.is_empty()).for_each(|c| {
        c.permutation = (0..n).rev().collect();
    });
    cases
}

fn group(n: usize) -> GroupBuilder {
    let all = ALL.iter().map(|c| (&*c.descriptor.name, c as &'static dyn Collective));
    crate::group(n).registry(support::registry_with(all))
}

fn check(cases: &[Case], n: usize) {
    let body = |comm: &Communicator| cases.iter().try_for_each(|case| case.run(comm));
    group(n).spmd(body).unwrap();
}

#[test]
fn small_calls_of_every_operation_equal_the_oracle() {
    for n in [1, 2, 3, 4, 7] {
        for count in [0, 1, 5, 13] {
            check(&cases(n, count), n);
        }
    }
}

#[test]
fn calls_beyond_the_arrival_and_in_tiles_equal_the_oracle() {
    for (n, count) in [(1, 5_000), (2, 3_001), (4, 2_503), (2, 20_009), (3, 26_001)] {
        check(&cases(n, count), n);
    }
}

#[test]
fn blocks_of_different_lengths_equal_the_oracle() {
    let varying = |n: usize, scale: usize| {
        let mut cases = cases(n, 0);
        let fixed = |c: &Case| c.algorithm.ends_with("bruck") || c.algorithm.ends_with("pairs");
        cases.retain(|c| c.operation.blocked() && !fixed(c));
        for case in &mut cases {
            case.varying = true;
            let count =
                |i: usize, j: usize| ((i * 5 + j * 5 + 3) % 7 * scale + i + j) * (i ^ j) % 997;
            case.counts = match case.operation {
                Operation::AllToAll => (0..n * n).map(|k| count(k / n, k % n)).collect(),
                _ => (0..n).map(|k| count(k, k + 1)).collect(),
            };
        }
        cases
    };
    for (n, scale) in [(2, 1), (3, 2), (4, 1), (4, 331), (5, 77)] {
        check(&varying(n, scale), n);
    }
}

#[test]
fn a_large_group_beyond_the_size_that_brings_inputs_along_works() {
    check(&cases(34, 3), 34);
}

#[test]
fn groups_that_share_threads_do_not_meet() {
    let (a, b) = (group(3).open().unwrap(), group(3).open().unwrap());
    let small = cases(3, 5);
    let large = cases(3, 4_000);
    std::thread::scope(|scope| {
        for (first, second) in a.into_iter().zip(b) {
            let (small, large) = (&small, &large);
            scope.spawn(move || {
                for (x, y) in small.iter().zip(large) {
                    y.run(&second).unwrap();
                    x.run(&first).unwrap();
                    x.run(&second).unwrap();
                    y.run(&first).unwrap();
                }
            });
        }
    });
}

/// The error that every rank gets; afterwards a right call works.
fn refused(n: usize, body: impl Fn(&Communicator) -> Result<()> + Sync) -> ringwood_base::Error {
    let body = |comm: &Communicator| {
        let error = body(comm).expect_err("the ranks disagree");
        let mut data = [1.0_f32; 3];
        comm.with("ring").all_reduce(&mut data, ReduceOp::Sum)?;
        assert_eq!(data, [n as f32; 3]);
        Ok(error)
    };
    let errors = group(n).spmd(body).unwrap();
    assert!(errors.iter().all(|e| e.to_string() == errors[0].to_string()), "{errors:?}");
    errors[0].clone()
}

#[test]
fn disagreement_on_any_argument_is_named_on_every_rank() {
    let odd = |comm: &Communicator| usize::from(comm.rank() == 1);
    let error = refused(3, |c| c.with("broadcast_flat").broadcast(&mut [1_u64; 4], odd(c)));
    assert!(error.message().ends_with("in root: ranks 0, 2 have 0, rank 1 has 1"), "{error}");
    let error = refused(3, |c| {
        let to = if odd(c) == 1 { [1, 2, 0] } else { [2, 0, 1] };
        c.with("permute_direct").permute(&mut [1_u64; 4], &to)
    });
    assert!(error.message().contains("in permutation: ranks 0, 2 have [2, 0, 1]"), "{error}");
    let error = refused(3, |c| {
        let counts = [2, 2, 2 + odd(c)];
        let mut output = vec![0_u64; 6 + odd(c)];
        c.with("gather_flat").all_gather_v_into(&[1_u64; 2], &counts, &mut output)
    });
    assert!(error.message().contains("computes gather, not all_gather"), "{error}");
    let error = refused(3, |c| {
        let counts = [2, 2, 2 + odd(c)];
        let mut output = vec![0_u64; 6 + odd(c)];
        c.with("all_gather_ring").all_gather_v_into(&[1_u64; 2], &counts, &mut output)
    });
    assert!(error.message().contains("rank 1 has"), "{error}");
    let error = refused(3, |c| match odd(c) {
        1 => c.with("ring").all_reduce_into(&[1.0_f32; 4], &mut [0.0; 4], ReduceOp::Sum),
        _ => c.with("ring").all_reduce(&mut [1.0_f32; 4], ReduceOp::Sum),
    });
    assert!(error.message().contains("in input and output: "), "{error}");
    let error = refused(3, |c| match odd(c) {
        1 => c.with("broadcast_flat").broadcast(&mut [1_u64; 4], 0),
        _ => c.with("reduce_flat").reduce(&mut [1_u64; 4], ReduceOp::Sum, 0),
    });
    assert!(error.message().contains("in operation: ranks 0, 2 have reduce"), "{error}");
}

#[test]
fn buffers_that_do_not_fit_are_refused_with_both_lengths() {
    let error = refused(3, |c| c.with("all_gather_ring").all_gather_into(&[1_u64; 2], &mut [0; 7]));
    let text = "the output of rank 0 has 7 elements, blocks of 2 ask for 6";
    assert!(error.message().ends_with(text), "{error}");
    let error = refused(3, |c| c.with("scatter_flat").scatter_into(&[1_u64; 9], &mut [0; 3], 3));
    assert_eq!(error.message(), "root 3 is not in a group of 3 ranks");
    let error = refused(3, |c| {
        let input = if c.rank() == 0 { &[1_u64; 8][..] } else { &[] };
        c.with("scatter_flat").scatter_into(input, &mut [0; 3], 0)
    });
    assert_eq!(error.get("refused by"), Some("rank 0"));
    assert!(error.message().contains("has 8 elements, blocks of 2 ask for 6"), "{error}");
    let error = refused(2, |c| c.with("permute_direct").permute(&mut [1_u64; 4], &[0, 0]));
    assert_eq!(error.message(), "[0, 0] is not a permutation of 2 ranks");
    let error = refused(3, |c| c.with("permute_direct").permute(&mut [1_u64; 4], &[]));
    assert_eq!(error.message(), "[] is not a permutation of 3 ranks");
    let error = refused(2, |c| {
        c.with("all_gather_bruck").all_gather_v_into(&[1_u64; 2], &[2, 2], &mut [0; 4])
    });
    assert!(error.message().contains("`all_gather_bruck`"), "{error}");
}

#[test]
fn counts_that_are_too_few_are_refused_with_the_number_that_is_needed() {
    let message = |number: usize, operation: &str, needed: usize| {
        format!("{number} counts for {operation} among 3 ranks, which takes {needed}")
    };
    for counts in [&[][..], &[1, 1]] {
        let error = refused(3, |c| {
            c.with("all_gather_ring").all_gather_v_into(&[1_u64], counts, &mut [0; 3])
        });
        assert_eq!(error.message(), message(counts.len(), "all_gather", 3));
        let error = refused(3, |c| {
            c.with("all_to_all_direct").all_to_all_v_into(&[1_u64; 3], counts, &mut [0; 3])
        });
        assert_eq!(error.message(), message(counts.len(), "all_to_all", 9));
    }
    let error = refused(3, |c| c.gather_counts(&vec![1; 2 * c.rank()]).map(drop));
    assert_eq!(error.message(), "0 counts of rank 0 for 3 ranks: one for each is needed");
    let error = refused(3, |c| c.gather_counts(&[1; 3][c.rank() / 2..]).map(drop));
    assert_eq!(error.message(), "2 counts of rank 2 for 3 ranks: one for each is needed");
}

#[test]
fn arguments_that_an_operation_does_not_have_are_refused() {
    let sum = || Invocation::new(Operation::AllReduce, DType::U64).reduce(ReduceOp::Sum);
    let shaped = |shape: &'static [usize]| Invocation { shape: shape.into(), ..sum() };
    let cases = [
        (sum().root(2), "all_reduce has no root"),
        (sum().permutation(vec![2, 1, 0]), "all_reduce has no permutation"),
        (sum().counts(vec![4]), "all_reduce has no blocks, and so no counts"),
        (sum().counts(vec![]), "all_reduce has no blocks, and so no counts"),
        (shaped(&[9, 2]), "all_reduce of 4 elements has no shape [9, 2]"),
        (Invocation { reduce: None, ..sum() }, "all_reduce needs a merge operator"),
    ];
    for (what, why) in cases {
        let error = refused(3, |c| {
            c.call().run(&what, Buffers::InPlace(bytemuck::cast_slice_mut(&mut [1_u64; 4])))
        });
        assert_eq!(error.message(), why);
    }
    let body = |c: &Communicator| {
        c.call().run(&shaped(&[2, 2]), Buffers::InPlace(bytemuck::cast_slice_mut(&mut [1_u64; 4])))
    };
    group(3).spmd(body).unwrap();
}

#[test]
fn counts_of_all_ranks_become_the_matrix_of_an_all_to_all() {
    let body = |comm: &Communicator| {
        let (rank, n) = (comm.rank(), comm.size());
        let own: Vec<usize> = (0..n).map(|to| rank + 2 * to).collect();
        let counts = comm.gather_counts(&own)?;
        let input = vec![rank as u64; own.iter().sum()];
        let mut output = vec![9; (0..n).map(|from| counts[from * n + rank]).sum()];
        comm.with("all_to_all_direct").all_to_all_v_into(&input, &counts, &mut output)?;
        let want: Vec<u64> = (0..n).flat_map(|s| vec![s as u64; s + 2 * rank]).collect();
        assert_eq!(output, want);
        comm.barrier()
    };
    group(3).spmd(body).unwrap();
}
