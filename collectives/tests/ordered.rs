//! An operator that does not commute runs on algorithms that merge the ranks in their order.

use ringwood_base::ErrorKind;
use ringwood_collective::spmd;
use ringwood_collectives as _;
use ringwood_device::kernel;
use ringwood_kernels as _;
use ringwood_schedule::ReduceOp;

/// The first operand that is not zero: associative, but not commutative.
#[kernel(map, device = cpu)]
pub fn left(a: i64, b: i64) -> i64 {
    if a == 0 { b } else { a }
}

const LEFT: ReduceOp = ReduceOp::Ordered("left");

#[test]
fn bools_are_merged_by_logic_which_errors_of_arithmetic_name() {
    let calls = [
        (ReduceOp::Max, "take `ReduceOp::Kernel(\"or\")`"),
        (ReduceOp::Min, "take `ReduceOp::Kernel(\"and\")`"),
        (ReduceOp::Mean, "reduce numbers, as 0 and 1 in `u32`"),
    ];
    let said = spmd(3, |comm| {
        let call = |op| {
            let mut one = [comm.rank() == 1];
            comm.all_reduce(&mut one, op).map(|()| one[0])
        };
        assert!(call(ReduceOp::Kernel("or"))? && !call(ReduceOp::Kernel("and"))?);
        Ok(calls.map(|(op, _)| call(op).unwrap_err().to_string()))
    });
    for said in said.unwrap() {
        for (said, (_, advice)) in said.iter().zip(calls) {
            assert!(said.ends_with(advice), "{said}");
        }
    }
}

#[test]
fn the_first_rank_wins_whatever_algorithm_is_chosen() {
    for ranks in 1..=6 {
        for count in [1, 5, 300, 70_000] {
            let results = spmd(ranks, |comm| {
                let mut data = vec![10 + comm.rank() as i64; count];
                comm.all_reduce(&mut data, LEFT)?;
                Ok(data)
            });
            for data in results.unwrap() {
                assert!(data.iter().all(|&value| value == 10), "{count} among {ranks}: {data:?}");
            }
        }
    }
}

#[test]
fn an_algorithm_that_exchanges_operands_is_refused_by_name() {
    let errors = spmd(4, |comm| {
        Ok(comm.with("ring").all_reduce(&mut [comm.rank() as i64; 8], LEFT).unwrap_err())
    });
    for error in errors.unwrap() {
        assert_eq!(error.kind(), ErrorKind::Unsupported);
        let text = error.message();
        assert!(text.contains("`ring` does not merge the ranks in their order"), "{text}");
    }
}
