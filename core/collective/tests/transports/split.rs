//! Groups of some ranks of a group: what they are, and what a failure of either is to the other.

use crate::{ALL, group};
use ringwood_base::{DType, Error, ErrorKind, Result};
use ringwood_collective::{Communicator, Group};
use ringwood_schedule::{Invocation, Operation, Order, ReduceOp};
use ringwood_transport::{Buffers, Socket};
use std::sync::{Barrier, Mutex};
use std::time::{Duration, Instant};

fn sum(comm: &Communicator, count: usize) -> Result<u64> {
    let mut data = vec![1 + comm.rank() as u64; count];
    comm.with("ring").all_reduce(&mut data, ReduceOp::Sum)?;
    assert!(data.iter().all(|sum| *sum == data[0]));
    Ok(data[0])
}

#[test]
fn ranks_of_one_colour_are_a_group_in_the_order_of_their_keys() {
    for (name, transport) in ALL {
        let places = group(transport, 7).spmd(|comm| {
            let rank = comm.rank();
            // Ranks 0 to 4 by twos with the highest first, 5 alone, 6 nowhere.
            let colour = (rank != 6).then_some(if rank == 5 { 9 } else { rank % 2 });
            let Some(part) = comm.split(colour, -(rank as i64 / 2))? else { return Ok(None) };
            assert_eq!(sum(&part, 3)?, [6, 3, 6, 3, 6, 1][rank]);
            assert_eq!(sum(&part, 70_000)?, [6, 3, 6, 3, 6, 1][rank]);
            // A part of the part, and the whole again.
            let pair = part.split(Some(part.rank() / 2), 0)?.expect("a colour");
            Ok(Some((part.rank(), part.size(), pair.rank(), pair.size())))
        });
        let of_three = [(2, 3, 0, 1), (1, 3, 1, 2), (0, 3, 0, 2)].map(Some);
        let of_two = [(1, 2, 1, 2), (0, 2, 0, 2)].map(Some);
        let wanted =
            [of_three[0], of_two[0], of_three[1], of_two[1], of_three[2], Some((0, 1, 0, 1)), None];
        assert_eq!(places.unwrap(), wanted, "{name}");
    }
}

#[test]
fn equal_keys_leave_the_order_of_the_ranks_and_all_in_one_part_are_the_whole_again() {
    let places = group(&Socket, 3).spmd(|comm| {
        let all = comm.split(Some(4), 7)?.expect("a colour");
        Ok((all.rank(), sum(&all, 10)?, sum(comm, 10)?))
    });
    assert_eq!(places.unwrap(), [(0, 6, 6), (1, 6, 6), (2, 6, 6)]);
}

#[test]
fn a_part_that_is_left_leaves_the_whole_usable() {
    for (name, transport) in ALL {
        let sums = group(transport, 4).spmd(|comm| {
            for round in 0..20 {
                let part = comm.split(Some((comm.rank() + round) % 2), 0)?.expect("a colour");
                assert_eq!(sum(&part, 100)?, 3);
            }
            sum(comm, 5_000)
        });
        assert_eq!(sums.unwrap(), [10; 4], "{name}");
    }
}

#[test]
fn a_failure_of_a_part_reaches_its_ranks_alone_and_names_them_in_both_groups() {
    for (name, transport) in ALL {
        let said = group(transport, 4).spmd(|comm| {
            let part = comm.split(Some(comm.rank() % 2), 0)?.expect("a colour");
            let mut said = String::new();
            match comm.rank() {
                // Rank 1 of its part leaves it.
                2 => drop(part),
                0 => {
                    said = sum(&part, 100).unwrap_err().to_string();
                    assert_eq!(part.check().unwrap_err().to_string(), said);
                }
                _ => assert_eq!(sum(&part, 100)?, 3),
            }
            sum(comm, 100).map(|whole| (said, whole))
        });
        let said = said.unwrap();
        assert!(said[0].0.starts_with("rank 1 of 2 left"), "{name}: {}", said[0].0);
        assert!(said[0].0.contains("split from: ranks 0, 2"), "{name}: {}", said[0].0);
        assert!(said.iter().all(|(_, whole)| *whole == 10), "{name}");
    }
}

#[test]
fn an_error_of_a_part_names_its_ranks_also_when_the_group_it_is_of_has_failed() {
    for (name, transport) in ALL {
        for late in [true, false] {
            let all_are_in = Barrier::new(3);
            let said = group(transport, 4).spmd(|comm| {
                let part = comm.split((comm.rank() > 0).then_some(0), 0)?;
                let Some(part) = part else { return Ok(None) };
                let pair = part.split((part.rank() > 0).then_some(0), 0);
                // A rank that has not left the split yet would fail in it.
                all_are_in.wait();
                let Some(pair) = pair? else { return Ok(None) };
                if pair.rank() == 0 {
                    return Ok(None);
                }
                let call = pair.with("ring").timeout(Duration::from_millis(50));
                let sum = || call.all_reduce(&mut [1.0_f32; 10], ReduceOp::Sum);
                if late {
                    sum().unwrap_err();
                }
                part.abort(Error::new(ErrorKind::Backend, "no more"));
                Ok(Some([&part, &pair].map(|group| group.check().unwrap_err().to_string())))
            });
            let [part, pair] = said.unwrap().pop().flatten().expect("what rank 3 was told");
            assert_eq!(part, "no more (split from: ranks 1, 2, 3)", "{name}");
            let own = pair.starts_with("rank 0 of 2 ") && pair.contains("split from: ranks 1, 2)");
            assert!(if late { own } else { pair == part }, "{name}: {pair}");
        }
    }
}

#[test]
fn parts_agree_on_their_calls_by_themselves() {
    for (name, transport) in ALL {
        let said = group(transport, 4).spmd(|comm| {
            let part = comm.split(Some(comm.rank() / 2), 0)?.expect("a colour");
            let count = [5, 5, 6, 7][comm.rank()];
            let outcome = sum(&part, count).map_err(|error| error.to_string());
            assert_eq!((sum(&part, 9)?, sum(comm, 9)?), (3, 10));
            Ok(outcome)
        });
        let said = said.unwrap();
        assert_eq!(said[..2], [Ok(3), Ok(3)], "{name}");
        let error = said[2].as_ref().unwrap_err();
        assert!(error.contains("in count: rank 0 has 6, rank 1 has 7"), "{name}: {error}");
        assert!(error.contains("split from: ranks 2, 3"), "{name}: {error}");
        assert_eq!(said[2], said[3], "{name}");
    }
}

#[test]
fn a_rank_that_fails_is_the_failure_of_all_also_of_those_that_wait_in_a_part() {
    for (name, transport) in ALL {
        for trial in 0..20 {
            let start = Instant::now();
            let (heard, all_are_in) = (Mutex::new(Vec::new()), Barrier::new(4));
            let outcome = group(transport, 4).spmd(|comm| {
                let part = comm.split(Some(comm.rank() / 2), 0)?.expect("a colour");
                all_are_in.wait();
                match comm.rank() {
                    3 if trial % 2 == 0 => panic!("no more"),
                    3 => return Err(Error::new(ErrorKind::Backend, "no more")),
                    _ => {}
                }
                let waits = || -> Result<()> {
                    loop {
                        sum(&part, 10)?;
                    }
                };
                let error = waits().unwrap_err();
                heard.lock().unwrap().push(error.to_string());
                Err::<(), _>(error)
            });
            let error = outcome.unwrap_err().to_string();
            assert!(error.contains("no more"), "{name}: {error}");
            let heard = heard.into_inner().unwrap();
            assert!(heard.len() == 3 && heard.iter().all(|e| *e == error), "{name}: {heard:?}");
            assert!(start.elapsed() < Duration::from_secs(5), "{name}");
        }
    }
}

#[test]
fn a_rank_that_does_not_come_to_a_part_is_named_in_time() {
    for (name, transport) in ALL {
        let said = group(transport, 4).spmd(|comm| {
            let part = comm.split(Some(comm.rank() % 2), 0)?.expect("a colour");
            let call = part.with("ring").timeout(Duration::from_millis(50));
            let outcome = match comm.rank() {
                2 => call.all_reduce(&mut [1.0_f32; 10], ReduceOp::Sum),
                _ => Ok(()),
            };
            // Nobody has left meanwhile.
            assert_eq!(sum(comm, 9)?, 10);
            Ok(outcome.map_or_else(|error| error.to_string(), |()| String::new()))
        });
        let said = &said.unwrap()[2];
        assert!(said.starts_with("rank 0 of 2 did not "), "{name}: {said}");
    }
}

#[test]
fn a_split_agrees_with_no_other_call_and_a_group_without_an_all_gather_has_none() {
    let said = group(&Socket, 2).spmd(|comm| {
        if comm.rank() == 0 {
            return Ok(comm.split(None, 0).err().map(|error| error.to_string()));
        }
        let (own, mut all) = ([0_i64; 3], [0_i64; 6]);
        Ok(comm.all_gather_into(&own, &mut all).err().map(|error| error.to_string()))
    });
    let said = said.unwrap();
    assert_eq!(said[0], said[1]);
    assert!(
        said[0].as_ref().unwrap().contains("in operation: rank 0 has split, rank 1 has all_gather"),
        "{said:?}"
    );
    let bare = Group::builder(2).registry(ringwood_base::registry::Registry::default());
    let kinds = bare.spmd(|comm| Ok(comm.split(Some(0), 0).err().map(|error| error.kind())));
    assert_eq!(kinds.unwrap(), [Some(ErrorKind::NotFound); 2]);
}

#[test]
fn a_part_keeps_the_order_of_merges_and_the_bounds() {
    let order = Order::Linear;
    let said = group(&Socket, 3).order(order).spmd(|comm| {
        let part = comm.split(Some(0), 0)?.expect("a colour");
        let what = Invocation::new(Operation::AllReduce, DType::F32).reduce(ReduceOp::Sum);
        let refused = part.with("ring").run(&what, Buffers::InPlace(&mut [0; 12]));
        let whole = comm.with("ring").run(&what, Buffers::InPlace(&mut [0; 12]));
        Ok((refused.unwrap_err().message().to_owned(), whole.unwrap_err().message().to_owned()))
    });
    assert!(said.unwrap().iter().all(|(part, whole)| part == whole));
}
