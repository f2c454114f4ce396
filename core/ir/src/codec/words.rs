//! The words of a text, written and read.

use super::{Code, MAX_DEPTH, Malformed, Result};
use std::fmt::{Display, Write};
use std::str::SplitAsciiWhitespace;

/// A text that is written.
pub(super) struct Text(pub(super) String);

impl Text {
    pub(super) fn word(&mut self, word: impl Display) -> &mut Self {
        let _ = write!(self.0, " {word}");
        self
    }

    pub(super) fn put(&mut self, item: &impl Code) -> &mut Self {
        item.put(self);
        self
    }

    pub(super) fn all(&mut self, items: &[impl Code]) -> &mut Self {
        items.iter().for_each(|item| item.put(self));
        self
    }
}

/// A text that is read.
pub(super) struct Words<'a> {
    pub(super) rest: SplitAsciiWhitespace<'a>,
    pub(super) position: usize,
    pub(super) depth: usize,
}

impl<'a> Words<'a> {
    pub(super) fn word(&mut self) -> Result<&'a str> {
        self.position += 1;
        self.rest.next().map_or_else(|| self.fail("the text ends early"), Ok)
    }

    pub(super) fn all<T: Code>(&mut self, count: usize) -> Result<Vec<T>> {
        (0..count).map(|_| T::take(self)).collect()
    }

    pub(super) fn nested<T>(&mut self, take: impl FnOnce(&mut Self) -> Result<T>) -> Result<T> {
        if self.depth == MAX_DEPTH {
            return self.fail(format!("nests deeper than {MAX_DEPTH}"));
        }
        self.depth += 1;
        let result = take(self);
        self.depth -= 1;
        result
    }

    /// An error at the word read last.
    pub(super) fn fail<T>(&self, message: impl Display) -> Result<T> {
        let position = self.position.saturating_sub(1);
        Err(Malformed { position, message: message.to_string() })
    }
}
