//! What most programs name: `use ringwood::prelude::*;`.

#[cfg(feature = "lazy")]
pub use crate::Tensors;
pub use crate::backend::Backend;
#[cfg(feature = "collectives")]
pub use crate::collective::{Chunks, Collective, Descriptor, Lane, Params, Rank, ReduceOp, spmd};
pub use crate::device::{Device, Tensor};
#[cfg(feature = "sessions")]
pub use crate::global_fn;
#[cfg(feature = "kernels")]
pub use crate::graph::{Graph, Value};
#[cfg(feature = "lazy")]
pub use crate::kernels::lazy::Operations;
#[cfg(feature = "lazy")]
pub use crate::lazy::{Lazy, Ranks, Tensors, grad, jit, value_and_grad};
#[cfg(feature = "collectives")]
pub use crate::register_collective;
#[cfg(feature = "kernels")]
pub use crate::register_operator;
#[cfg(feature = "sessions")]
pub use crate::session::{DRef, HostTensor, Session, Worker};
pub use crate::{DType, Shape};
pub use crate::{backend, device_fn, kernel};
