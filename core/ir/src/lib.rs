//! The typed kernel IR of Ringwood.
//!
//! `#[kernel]` lowers a function to a [`Kernel`], whose text ([`encode`], [`decode`]) travels in the
//! registry entry. Printers of device languages read it, [`interpret`] runs it: the oracle of the
//! differential tests.
//!
//! | module | noun |
//! |---|---|
//! | [`Kernel`], [`Stmt`], [`Expr`], [`Type`] | the representation: structured, typed, with numbered sites |
//! | [`encode`], [`decode`] | the text `kir2 …`; `decode(encode(k)) == k` |
//! | [`compose`] | several maps as one |
//! | [`fuse_producers`] | a map that is computed where a kernel loads |
//! | [`check`] | the rules that a kernel obeys; decoding applies them |
//! | [`Uniformity`] | which values are the same for a group, and which of its operations diverge |
//! | [`mod@print`] | the text of a kernel in OpenCL C, CUDA C and dialects that others add |
//! | [`mod@prove`] | what a launch can do without: checks of bounds, indices of 64 bits |
//! | [`mod@unique`] | that no two work-items touch one element of what a kernel writes |
//! | [`interpret`] | runs a kernel, one work-item after the other |
//! | [`math`] | the pinned meaning of arithmetic, and the table of math functions |
//! | [`nearest()`] | the name that one which is not known was meant to be |
//!
//! `Display` of a kernel prints it for people.
#![forbid(unsafe_code)]

mod buffer;
mod check;
mod codec;
mod compose;
mod display;
mod expr;
mod facts;
pub mod interpret;
mod kernel;
pub mod math;
mod named;
mod nearest;
mod op;
mod portable;
pub mod print;
mod producers;
pub mod prove;
mod stmt;
#[cfg(test)]
mod tests;
mod ty;
mod uniform;
pub mod unique;
mod value;

pub use buffer::{Buffer, BufferInfo};
pub use check::{Invalid, MAX_RANK, check};
pub use codec::{Malformed, decode, encode};
pub use compose::{Part, Source, compose};
pub use expr::{Expr, ExprKind};
pub use kernel::{Array, Function, Kernel, Modes, Param, ParamKind, Space, Variable};
pub use math::MathFn;
pub use nearest::nearest;
pub use op::BinaryOp;
pub use producers::{Input, fuse_producers};
pub use stmt::{Atomic, AtomicOp, GroupOp, Stmt, jumps, statements};
pub use ty::Type;
pub use uniform::{Divergence, Uniformity};
pub use value::{Mistyped, Value};
