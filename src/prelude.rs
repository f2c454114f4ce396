//! What most programs name: `use ringwood::prelude::*;`.

pub use crate::backend::Backend;
pub use crate::collective::{Chunks, Collective, Descriptor, Lane, Params, Rank, ReduceOp};
pub use crate::device::{Device, Tensor};
pub use crate::graph::Graph;
pub use crate::session::{DRef, HostTensor, Session, Worker};
pub use crate::{DType, Shape};
pub use crate::{backend, global_fn, kernel, register_collective};
