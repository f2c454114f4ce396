//! Ranges of bytes of a memory, and the checks that a backend owes them.

use ringwood_base::{Error, Result};
use std::fmt::Display;

/// A range of bytes of one memory.
///
/// ```
/// use ringwood_device::backend::Region;
///
/// let memory = [0_u8; 16];
/// let region = |offset, bytes| Region { memory: &memory, offset, bytes };
/// region(8, 8).check_within(memory.len(), "the target of a fill")?;
/// let error = region(9, 8).check_within(memory.len(), "the target of a fill").unwrap_err();
/// assert_eq!(error.message(), "the target of a fill is 8 bytes from byte 9 of a memory of 16 bytes");
/// region(0, 8).check_copy(region(8, 8))?;
/// assert!(region(0, 8).check_copy(region(7, 8)).is_err());
/// # Ok::<(), ringwood_base::Error>(())
/// ```
pub struct Region<'a, M> {
    /// The memory.
    pub memory: &'a M,
    /// The first byte.
    pub offset: usize,
    /// The number of bytes.
    pub bytes: usize,
}

impl<M> Clone for Region<'_, M> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<M> Copy for Region<'_, M> {}

impl<M> Region<'_, M> {
    /// Checks that the region, called `what` in the error, is inside of its memory of `size` bytes.
    ///
    /// # Errors
    /// It is not: [`ErrorKind::InvalidArgument`](ringwood_base::ErrorKind::InvalidArgument).
    pub fn check_within(self, size: usize, what: impl Display) -> Result<()> {
        let Self { offset, bytes, .. } = self;
        if offset.checked_add(bytes).is_some_and(|end| end <= size) {
            return Ok(());
        }
        invalid(format!("{what} is {bytes} bytes from byte {offset} of a memory of {size} bytes"))
    }

    /// Checks that the region is as long as the `source` bytes that are written to it.
    ///
    /// # Errors
    /// It is not: [`ErrorKind::InvalidArgument`](ringwood_base::ErrorKind::InvalidArgument).
    pub fn check_write(self, source: usize) -> Result<()> {
        if source == self.bytes {
            return Ok(());
        }
        invalid(format!("a write of {source} bytes to a region of {}", self.bytes))
    }

    /// Checks that the region can be copied to `target`: they have one size and do not overlap.
    ///
    /// # Errors
    /// They do not: [`ErrorKind::InvalidArgument`](ringwood_base::ErrorKind::InvalidArgument).
    pub fn check_copy(self, target: Self) -> Result<()> {
        if self.bytes != target.bytes {
            return invalid(format!(
                "a copy of {} bytes to a region of {}",
                self.bytes, target.bytes
            ));
        }
        let apart = self.offset.abs_diff(target.offset) >= self.bytes;
        if std::ptr::eq(self.memory, target.memory) && !apart {
            return invalid("source and target of a copy overlap".into());
        }
        Ok(())
    }
}

fn invalid(message: String) -> Result<()> {
    Err(Error::invalid(message))
}

#[cfg(test)]
mod tests;
