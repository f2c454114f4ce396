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

mod forms;
mod values;
mod words;

use crate::{Kernel, check};
use std::fmt;
use words::{Text, Words};

const VERSION: &str = "kir2";

/// Expressions and statements nest at most this deep in a text.
const MAX_DEPTH: usize = 400;

/// A text that is not a kernel.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Malformed {
    /// The number of words before the one at fault.
    pub position: usize,
    /// What is wrong.
    pub message: String,
}

impl fmt::Display for Malformed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "malformed kernel text at word {}: {}", self.position, self.message)
    }
}

impl std::error::Error for Malformed {}

type Result<T> = std::result::Result<T, Malformed>;

/// What a part of a kernel is written as.
trait Code: Sized {
    /// Writes the words.
    fn put(&self, text: &mut Text);
    /// Reads what [`put`](Self::put) writes.
    fn take(words: &mut Words<'_>) -> Result<Self>;
}

/// The text of a kernel; [`decode`](crate::decode) inverts it.
pub fn encode(kernel: &Kernel) -> String {
    let mut text = Text(String::from(VERSION));
    kernel.put(&mut text);
    text.0
}

/// The kernel of a text.
///
/// # Errors
/// The text is not one that [`encode`](crate::encode) produces from a kernel that passes
/// [`check`](crate::check()).
pub fn decode(text: &str) -> Result<Kernel> {
    let mut words = Words { rest: text.split_ascii_whitespace(), position: 0, depth: 0 };
    let version = words.word()?;
    if version != VERSION {
        return words.fail(format!("expected `{VERSION}`, found `{version}`"));
    }
    let kernel = Kernel::take(&mut words)?;
    if words.rest.next().is_some() {
        return words.fail("text goes on after the kernel");
    }
    if let Err(invalid) = check(&kernel) {
        return words.fail(invalid);
    }
    let own = encode(&kernel);
    if own == text {
        return Ok(kernel);
    }
    let position =
        own.split(' ').zip(text.split(' ')).take_while(|(own, word)| own == word).count();
    let word = own.split(' ').nth(position).unwrap_or_default();
    Err(Malformed { position, message: format!("a kernel has one text, which has `{word}` here") })
}

#[cfg(test)]
mod tests;
