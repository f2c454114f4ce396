//! What NCCL runs, as data.

use cudarc::nccl::sys::{ncclDataType_t, ncclRedOp_t};
use ringwood_base::{DType, Error, Result};
use ringwood_schedule::{BufferMode, Operation, ReduceOp, Request};
use std::ffi::c_int;

/// The types of reductions.
const TYPES: [(DType, ncclDataType_t); 10] = [
    (DType::I8, ncclDataType_t::ncclInt8),
    (DType::U8, ncclDataType_t::ncclUint8),
    (DType::I32, ncclDataType_t::ncclInt32),
    (DType::U32, ncclDataType_t::ncclUint32),
    (DType::I64, ncclDataType_t::ncclInt64),
    (DType::U64, ncclDataType_t::ncclUint64),
    (DType::F16, ncclDataType_t::ncclFloat16),
    (DType::F32, ncclDataType_t::ncclFloat32),
    (DType::F64, ncclDataType_t::ncclFloat64),
    (DType::BF16, ncclDataType_t::ncclBfloat16),
];

const OPERATORS: [(ReduceOp, ncclRedOp_t); 4] = [
    (ReduceOp::Sum, ncclRedOp_t::ncclSum),
    (ReduceOp::Prod, ncclRedOp_t::ncclProd),
    (ReduceOp::Min, ncclRedOp_t::ncclMin),
    (ReduceOp::Max, ncclRedOp_t::ncclMax),
];

/// The operations, with NCCL's names and whether they run in place: its blocks lie elsewhere then.
const OPERATIONS: [(Operation, (&str, bool)); 5] = [
    (Operation::AllReduce, ("ncclAllReduce", true)),
    (Operation::Reduce, ("ncclReduce", true)),
    (Operation::Broadcast, ("ncclBroadcast", true)),
    (Operation::AllGather, ("ncclAllGather", false)),
    (Operation::ReduceScatter, ("ncclReduceScatter", false)),
];

/// A request in NCCL's numbers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Call {
    pub(crate) name: &'static str,
    pub(crate) operation: Operation,
    /// The elements of the vector or of a block.
    pub(crate) count: usize,
    pub(crate) dtype: c_int,
    /// 0 where nothing is merged.
    pub(crate) op: c_int,
    pub(crate) root: c_int,
}

impl Call {
    /// # Errors
    /// NCCL does not run it, or differently than a call that does not name it expects.
    pub(crate) fn of(request: &Request, asked: bool) -> Result<Self> {
        let what = &request.what;
        let (operation, root) = (what.operation, what.root as c_int);
        let (name, in_place) = row(&OPERATIONS, operation)
            .ok_or_else(|| Error::unsupported(format!("NCCL has no {operation} that is used")))?;
        if !in_place && request.mode == Some(BufferMode::InPlace) {
            return Err(Error::unsupported(format!("{operation} runs on NCCL out of place alone")));
        }
        if what.counts.is_some() {
            return Err(Error::unsupported("NCCL has no blocks of different lengths"));
        }
        // Who asks without an operator, to be told of the operation, is told of a sum.
        let sum = operation.reduces().then_some(ReduceOp::Sum);
        let Some(reduce) = what.reduce.or(sum) else {
            // What only moves has no type.
            let count = request.elements * what.dtype.size();
            let dtype = ncclDataType_t::ncclUint8 as c_int;
            return Ok(Self { name, operation, count, dtype, op: 0, root });
        };
        let dtype = row(&TYPES, what.dtype);
        let dtype =
            dtype.ok_or_else(|| Error::unsupported(format!("NCCL merges no {}", what.dtype)))?;
        let op = row(&OPERATORS, reduce);
        let op =
            op.ok_or_else(|| Error::unsupported(format!("NCCL has no operator `{reduce}`")))?;
        let rounds = matches!(reduce, ReduceOp::Sum | ReduceOp::Prod);
        if rounds && !asked && matches!(what.dtype, DType::F16 | DType::BF16) {
            let message =
                format!("NCCL rounds to {} at every merge: for calls that name it", what.dtype);
            return Err(Error::unsupported(message));
        }
        let (dtype, op) = (dtype as c_int, op as c_int);
        Ok(Self { name, operation, count: request.elements, dtype, op, root })
    }
}

fn row<K: PartialEq, V: Copy>(table: &[(K, V)], key: K) -> Option<V> {
    table.iter().find(|(known, _)| *known == key).map(|(_, value)| *value)
}

#[cfg(test)]
mod tests;
