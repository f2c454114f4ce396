//! The text of a kernel: prefix notation, separated by blanks, versioned.
//!
//! ```text
//! kir2 KERNEL
//! KERNEL:
//! NAME RANK MODES                              modes: `-`, or letters of `f` relaxed, `r` racy, `u` unique, `n`
//! (0 | 3 N N N)                                size of a group
//! N (NAME KIND)*                               parameters: s TYPE, c TYPE, m TYPE (shared, mutable
//!                                              slice), vc TYPE RANK, vm TYPE RANK (views)
//! N (NAME (l | g) TYPE N EXTENT*)*             arrays: of a work-item, of a group
//! N (NAME TYPE)*                               variables
//! N (NAME N TYPE* TYPE (- | + KERNEL))*        functions: parameters, result, body if known
//! N EXPR*                                      requirements
//! N STMT*                                      body
//! (void | EXPR)                                result
//! ```
//!
//! An expression starts with its operation, then its type and site as `TYPE:SITE`.

mod decode;
mod encode;

pub use decode::{Malformed, decode};
pub use encode::encode;

const VERSION: &str = "kir2";

/// Expressions and statements nest at most this deep in a text.
const MAX_DEPTH: usize = 400;

#[cfg(test)]
mod tests;
