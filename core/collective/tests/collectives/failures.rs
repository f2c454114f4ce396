//! Ranks that disagree, fail, leave or do not come: every rank gets the same error, in time, and
//! nobody hangs.

use crate::group;
use crate::support::{registry, registry_of};
use ringwood_base::registry::{Entry, EntryMeta, Registry};
use ringwood_base::{DType, Error, ErrorKind, Result};
use ringwood_collective::{Communicator, Group, spmd};
use ringwood_schedule::ReduceOp::{self, Max, Mean, Sum};
use ringwood_schedule::{CollectiveDef, Invocation, Operation};
use ringwood_transport::Buffers;
use std::sync::{Arc, Barrier};
use std::thread;
use std::time::{Duration, Instant};

/// The outcome of `body` on every rank of a group.
fn outcomes<R: Send>(n: usize, body: impl Fn(Communicator) -> Result<R> + Sync) -> Vec<Result<R>> {
    let ranks = group(n).open().unwrap();
    thread::scope(|scope| {
        let threads: Vec<_> = ranks.into_iter().map(|comm| scope.spawn(|| body(comm))).collect();
        threads.into_iter().map(|t| t.join().unwrap()).collect()
    })
}

/// The one error that all outcomes are.
fn same_error<R: std::fmt::Debug>(outcomes: Vec<Result<R>>) -> Error {
    let errors: Vec<Error> = outcomes.into_iter().map(|r| r.unwrap_err()).collect();
    for error in &errors {
        assert_eq!(error.to_string(), errors[0].to_string());
        assert_eq!(error.kind(), errors[0].kind());
    }
    errors[0].clone()
}

/// Ranks call `body` with whether they are the odd one; afterwards a right call works.
fn mismatch(
    n: usize,
    odd: usize,
    body: impl Fn(&Communicator, bool) -> Result<()> + Sync,
) -> Error {
    same_error(outcomes(n, |comm| {
        let outcome = body(&comm, comm.rank() == odd);
        let mut data = [1.0_f32; 3];
        comm.with("ring").all_reduce(&mut data, Sum).expect("the group is still usable");
        assert_eq!(data, [n as f32; 3]);
        outcome
    }))
}

fn untouched(comm: &Communicator, count: usize, op: ReduceOp, algorithm: &str) -> Result<()> {
    let before: Vec<f32> = (0..count).map(|i| (comm.rank() + i) as f32).collect();
    let mut data = before.clone();
    let outcome = comm.with(algorithm).all_reduce(&mut data, op);
    assert_eq!(data, before, "data moved before the ranks agreed");
    outcome
}

#[test]
fn a_rank_with_another_count_is_named_on_every_rank() {
    for (n, odd) in [(3, 0), (4, 2), (5, 4)] {
        let error = mismatch(n, odd, |comm, odd| {
            untouched(comm, if odd { 1024 } else { 4096 }, Sum, "ring")
        });
        assert_eq!(error.kind(), ErrorKind::Mismatch);
        assert!(error.message().contains("call #1 in count"), "{error}");
        assert!(error.message().ends_with(&format!("rank {odd} has 1024")), "{error}");
        assert_eq!(error.get("odd ones out"), Some(format!("rank {odd}").as_str()));
    }
}

#[test]
fn a_rank_with_another_operator_type_or_algorithm_is_named() {
    let error = mismatch(3, 1, |comm, odd| untouched(comm, 8, if odd { Max } else { Sum }, "ring"));
    assert!(error.message().contains("in reduce operator: ranks 0, 2 have sum, rank 1 has max"));
    let error =
        mismatch(3, 2, |comm, odd| untouched(comm, 8, Sum, if odd { "one_shot" } else { "ring" }));
    assert!(error.message().contains("in algorithm: ranks 0, 1 have ring, rank 2 has one_shot"));
    let error = mismatch(2, 1, |comm, odd| {
        if odd {
            comm.with("ring").all_reduce(&mut [1_i32; 8], Sum)
        } else {
            untouched(comm, 8, Sum, "ring")
        }
    });
    assert!(error.message().ends_with("in dtype: rank 0 has f32, rank 1 has i32"), "{error}");
}

#[test]
fn an_algorithm_that_one_rank_misspells_is_an_error_on_every_rank() {
    let error =
        mismatch(3, 1, |comm, odd| untouched(comm, 8, Sum, if odd { "rnig" } else { "ring" }));
    assert_eq!(error.kind(), ErrorKind::NotFound);
    assert!(error.to_string().contains("did you mean `ring`?"), "{error}");
    assert_eq!(error.get("refused by"), Some("rank 1"));
}

#[test]
fn a_wrong_collective_is_refused_with_its_verdict() {
    let error = mismatch(4, 0, |comm, _| untouched(comm, 8, Sum, "broken"));
    assert_eq!(error.kind(), ErrorKind::NotVerified);
    let text = error.to_string();
    assert!(text.contains("broken  4 ranks  WRONG: rank 0 chunk 0"), "{text}");
    assert!(text.contains("support.rs:"), "{text}");
}

#[test]
fn a_group_size_or_type_that_does_not_fit_is_refused() {
    let error = mismatch(3, 0, |comm, _| untouched(comm, 8, Sum, "doubling"));
    assert!(error.message().contains("works for a power of two of ranks, not for 3"), "{error}");
    let error = mismatch(2, 0, |comm, _| comm.with("ring").all_reduce(&mut [1_i64; 8], Sum));
    assert_eq!(error.message(), "no native kernel `ringwood::add` merges i64 elements for `sum`");
    let error = mismatch(2, 0, |comm, _| comm.with("ring").all_reduce(&mut [1_i64; 8], Mean));
    assert_eq!(error.message(), "no native kernel `ringwood::add` merges i64 elements for `mean`");
    let nothing = ReduceOp::Kernel("nothing");
    let error = mismatch(2, 0, |comm, _| untouched(comm, 8, nothing, "ring"));
    assert_eq!(error.kind(), ErrorKind::NotFound);
}

#[test]
fn a_kernel_of_another_package_does_not_merge_for_an_operator_of_ringwood() {
    let group = group(2).registry(Arc::new(registry_of("mine", [])));
    let outcomes = group.spmd(|comm| {
        let run = |op| comm.with("ring").all_reduce(&mut [2.0_f32, 3.0], op);
        Ok([Sum, Mean, ReduceOp::Kernel("add")].map(run))
    });
    for [sum, mean, named] in outcomes.unwrap() {
        assert_eq!([sum, mean].map(|o| o.unwrap_err().kind()), [ErrorKind::NotFound; 2]);
        named.unwrap();
    }
}

#[test]
fn algorithms_of_one_name_in_two_packages_are_called_by_both_and_are_not_the_same() {
    let known = registry();
    let (ring, def) = (known.entry::<CollectiveDef>("ring"), known.find::<CollectiveDef>("ring"));
    let (ring, collective) = (ring.unwrap().meta(), def.unwrap().collective.clone());
    let meta = EntryMeta { package: "mine", ..ring };
    let mine = Entry::made(meta, CollectiveDef { collective });
    let both = Registry::builder().register_all(known.entries().to_vec()).register(mine);
    let group = group(2).registry(Arc::new(both.build().unwrap()));
    let outcomes = group.spmd(|comm| {
        let call = |name| comm.with(name).all_reduce(&mut [1.0_f32; 8], Sum);
        call("mine::ring")?;
        Ok(call([&*ring.full_name(), "mine::ring"][comm.rank()]))
    });
    for outcome in outcomes.unwrap() {
        let error = outcome.unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Mismatch);
        assert!(error.message().contains("rank 1 has mine::ring"), "{error}");
    }
}

#[test]
fn bytes_that_are_not_aligned_whole_elements_are_refused() {
    let what = Invocation::new(Operation::AllReduce, DType::F32).reduce(Sum);
    let error = mismatch(2, 1, |comm, odd| {
        let mut words = [0_u64; 4];
        let bytes: &mut [u8] = bytemuck::cast_slice_mut(&mut words);
        let range = if odd { 1..9 } else { 0..8 };
        comm.with("ring").run(&what, Buffers::InPlace(&mut bytes[range]))
    });
    assert!(error.message().ends_with("are not aligned for elements of f32"), "{error}");
    let error = mismatch(1, 0, |comm, _| comm.call().run(&what, Buffers::InPlace(&mut [0; 7])));
    assert!(error.message().contains("not whole elements of f32"), "{error}");
}

#[test]
fn a_rank_that_never_comes_is_named_after_the_timeout() {
    let start = Instant::now();
    let done = Barrier::new(4);
    let outcomes = outcomes(4, |comm| {
        let mut data = [1.0_f32; 8];
        let absent = comm.rank() == 2;
        let call = comm.with("ring").timeout(Duration::from_secs(2));
        done.wait();
        let outcome = if absent { Ok(()) } else { call.all_reduce(&mut data, Sum) };
        done.wait();
        // Whoever comes late gets the same error at once.
        if absent { call.all_reduce(&mut data, Sum) } else { outcome }
    });
    let error = same_error(outcomes);
    assert_eq!(error.kind(), ErrorKind::Timeout);
    assert!(error.message().contains("rank 2 of 4 did not come to call #1"), "{error}");
    assert!(start.elapsed() < Duration::from_secs(10));
}

#[test]
fn a_call_may_wait_for_as_long_as_a_duration_can_say() {
    let sums = outcomes(2, |comm| {
        let mut data = [1.0_f32; 8];
        comm.call().timeout(Duration::MAX).all_reduce(&mut data, Sum)?;
        Ok(data[7])
    });
    assert!(sums.iter().all(|sum| matches!(sum, Ok(2.0))), "{sums:?}");
}

#[test]
fn a_rank_that_drops_its_communicator_releases_the_others_soon() {
    let start = Instant::now();
    let mut outcomes = outcomes(3, |comm| {
        comm.with("ring").all_reduce(&mut [1.0_f32; 8], Sum)?;
        if comm.rank() == 1 {
            return Ok(());
        }
        comm.with("ring").all_reduce(&mut [1.0_f32; 8], Sum)
    });
    assert!(outcomes.remove(1).is_ok());
    let error = same_error(outcomes);
    assert_eq!(error.kind(), ErrorKind::Aborted);
    assert_eq!(error.message(), "rank 1 of 3 left the group before call #2");
    assert!(start.elapsed() < Duration::from_secs(5), "{:?}", start.elapsed());
}

#[test]
fn a_panic_of_a_rank_reaches_the_others_with_its_text() {
    let start = Instant::now();
    let error = group(4)
        .spmd(|comm| {
            assert!(comm.rank() != 2, "out of cheese");
            comm.with("ring").all_reduce(&mut [1.0_f32; 8], Sum)
        })
        .unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Panic);
    assert_eq!(error.message(), "rank 2 of 4 panicked: out of cheese");
    assert!(start.elapsed() < Duration::from_secs(5));
}

#[test]
fn an_abort_reaches_ranks_inside_of_a_call_and_sticks() {
    let reason = || Error::new(ErrorKind::Aborted, "the user pressed a key");
    let error = same_error(outcomes(3, |comm| {
        let mut data = [1.0_f32; 8];
        if comm.rank() == 0 {
            thread::sleep(Duration::from_millis(20));
            comm.abort(reason());
            comm.abort(Error::new(ErrorKind::Backend, "a later failure"));
        }
        let first = comm.with("ring").all_reduce(&mut data, Sum).unwrap_err();
        let second = comm.with("ring").all_reduce(&mut data, Sum).unwrap_err();
        assert_eq!(first.to_string(), second.to_string());
        assert_eq!(comm.check().unwrap_err().to_string(), first.to_string());
        Err::<(), _>(first)
    }));
    assert_eq!(error.to_string(), reason().to_string());
}

#[test]
fn a_reason_of_any_length_comes_to_all_ranks() {
    let outcomes = outcomes(3, |comm| {
        if comm.rank() == 0 {
            comm.abort(Error::new(ErrorKind::Backend, "no more ".repeat(300_000)));
        }
        let error = comm.with("ring").all_reduce(&mut [1.0_f32; 8], Sum).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Backend);
        assert!(error.to_string().contains("no more no more"), "{:.99}", error.to_string());
        Ok(())
    });
    outcomes.into_iter().for_each(Result::unwrap);
}

#[test]
fn a_merge_kernel_that_is_no_map_runs_once_for_a_chunk() {
    let sums = outcomes(3, |comm| {
        let mut data = vec![comm.rank() as f32 + 1.0; 30_000];
        comm.with("ring").all_reduce(&mut data, ReduceOp::Kernel("add_at_once"))?;
        Ok(data)
    });
    sums.into_iter().for_each(|sums| assert!(sums.unwrap().iter().all(|sum| *sum == 6.0)));
}

#[test]
fn a_panic_in_a_merge_kernel_is_an_error_on_every_rank() {
    let error = same_error(outcomes(4, |comm| {
        let explode = ReduceOp::Kernel("explode");
        comm.with("ring").all_reduce(&mut [1.0_f32; 64], explode)
    }));
    assert_eq!(error.kind(), ErrorKind::Panic);
    assert_eq!(error.message(), "kernel `explode` panicked: kernel on fire");
}

#[test]
fn aborts_at_random_times_leave_no_rank_behind() {
    for seed in 0..150_u64 {
        let outcomes = outcomes(3, |comm| {
            let mut data = vec![1.0_f32; 64 << (seed % 8)];
            for call in 0.. {
                if comm.rank() as u64 == seed % 3 && call == seed % 17 {
                    comm.abort(Error::new(ErrorKind::Aborted, "enough"));
                }
                comm.with("ring").all_reduce(&mut data, Max)?;
            }
            Ok(())
        });
        assert_eq!(same_error(outcomes).message(), "enough");
    }
}

#[test]
fn a_group_larger_than_a_process_is_refused_before_memory_is_taken() {
    for n in [100_000, usize::MAX] {
        let error = spmd(n, |_| Ok(())).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Unsupported);
        assert!(error.message().contains(&format!("{n} ranks")), "{error}");
    }
    // A large group costs memory in proportion to its size, not to its square.
    assert_eq!(Group::in_process(20_000).unwrap().len(), 20_000);
}

#[test]
fn a_group_of_no_ranks_is_refused() {
    assert_eq!(Group::in_process(0).err().unwrap().kind(), ErrorKind::InvalidArgument);
    assert_eq!(spmd(0, |_| Ok(())).unwrap_err().kind(), ErrorKind::InvalidArgument);
}

#[test]
fn the_first_fitting_algorithm_is_chosen_and_the_wrong_one_passed_over() {
    let outcomes = outcomes(3, |comm| {
        let mut data = [comm.rank() as f32; 8];
        comm.all_reduce(&mut data, Sum)?;
        Ok(data)
    });
    assert!(outcomes.into_iter().all(|data| data.unwrap() == [3.0; 8]));
}

#[test]
fn an_unknown_transport_is_answered_with_the_known_ones() {
    let error = Group::builder(2).registry(registry()).transport("carrier").open().err().unwrap();
    assert_eq!(error.message(), "no transport `carrier`; none is registered");
    let ranks = Group::builder(2).transport("peer_memory").open();
    assert_eq!(ranks.map_or(0, |r| r.len()), 2);
}
