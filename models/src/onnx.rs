//! ONNX: files of version 3 and later of the format, operator sets 7 to 27.
//!
//! ```no_run
//! use ringwood_models::onnx;
//!
//! let model = onnx::load("model.onnx")?;
//! let graph = model.with_shapes(&[("image", &[1, 3, 224, 224])])?;
//! # Ok::<(), ringwood_base::Error>(())
//! ```

mod attribute;
mod body;
mod function;
mod inspect;
mod message;
mod nibbles;
mod nodes;
mod order;
mod part;
mod proto;
mod read;
mod table;
mod tensor;
mod write;

pub use inspect::inspect;
pub(crate) use part::unknown;
pub use read::{load, load_tensor, onnx};
pub use table::Onnx;
pub(crate) use table::is_known;
pub use write::save;
