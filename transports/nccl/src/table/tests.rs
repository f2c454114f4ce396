use super::*;

fn reduced(dtype: DType, op: ReduceOp, asked: bool) -> Result<Call> {
    let request = Request::new(Operation::AllReduce, 2, 7, dtype);
    let what = request.what.clone().reduce(op);
    Call::of(&Request { what, ..request }, asked)
}

#[test]
fn every_type_and_operator_of_the_tables_has_a_number_of_nccl_and_others_are_declined() {
    let types = [("i8", 0), ("u8", 1), ("i32", 2), ("u32", 3), ("i64", 4), ("u64", 5)];
    let types = types.into_iter().chain([("f16", 6), ("f32", 7), ("f64", 8), ("bf16", 9)]);
    let known: Vec<_> =
        TYPES.iter().map(|(dtype, value)| (dtype.name(), *value as c_int)).collect();
    assert_eq!(known, types.collect::<Vec<_>>());
    let operators =
        [(ReduceOp::Sum, 0), (ReduceOp::Prod, 1), (ReduceOp::Min, 3), (ReduceOp::Max, 2)];
    for &dtype in DType::ALL {
        for (op, number) in operators {
            match reduced(dtype, op, true) {
                Ok(call) => assert_eq!((call.count, call.op), (7, number)),
                Err(error) => {
                    assert_eq!(error.message(), format!("NCCL merges no {dtype}"));
                    assert!(TYPES.iter().all(|(known, _)| *known != dtype));
                }
            }
        }
    }
    let error = reduced(DType::F32, ReduceOp::Kernel("blend"), true).unwrap_err();
    assert_eq!(error.message(), "NCCL has no operator `blend`");
}

#[test]
fn what_is_rounded_at_every_merge_is_for_calls_that_name_the_library() {
    for (op, rounds) in [(ReduceOp::Sum, true), (ReduceOp::Prod, true), (ReduceOp::Max, false)] {
        for dtype in [DType::F16, DType::BF16] {
            assert!(reduced(dtype, op, true).is_ok());
            let free = reduced(dtype, op, false);
            assert_eq!(free.is_err(), rounds, "{free:?}");
        }
        assert!(reduced(DType::F32, op, false).is_ok());
    }
}

#[test]
fn what_only_moves_is_bytes_and_blocks_lie_apart() {
    let request = Request::new(Operation::AllGather, 4, 5, DType::U16);
    let apart = Call::of(&request.clone().mode(BufferMode::OutOfPlace), false).unwrap();
    assert_eq!((apart.count, apart.dtype), (10, ncclDataType_t::ncclUint8 as c_int));
    let refused = |request: &Request| Call::of(request, true).unwrap_err().message().to_owned();
    let in_place = refused(&request.clone().mode(BufferMode::InPlace));
    assert_eq!(in_place, "all_gather runs on NCCL out of place alone");
    let uneven = refused(&request.counts(vec![1, 2, 3, 5]));
    assert_eq!(uneven, "NCCL has no blocks of different lengths");
    let moved = refused(&Request::new(Operation::Permute, 2, 5, DType::F32));
    assert_eq!(moved, "NCCL has no permute that is used");
}
