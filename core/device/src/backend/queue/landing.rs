//! Host memory that a device uses while the host goes on.

use super::{Follow, Lost, quarantine};
use ringwood_base::Result;

/// What follows a command that uses `value`, such as the source of a write: it is dropped when the
/// command is final; if nobody knows that, it is held until the process ends.
pub fn keep(value: impl Send + 'static) -> Follow {
    Box::new(move |end| {
        if let Err(Lost::Unknown(_)) = end {
            quarantine(value, || false);
        }
        Ok(())
    })
}

/// Host memory that a device writes to.
pub trait Landing: Send + 'static {
    /// The bytes.
    ///
    /// # Safety
    /// No command that writes here is under way, and all of the bytes were written.
    unsafe fn bytes(&self) -> &[u8];
}

/// What follows the command that writes all of `memory`: `look` sees the bytes, or the failure of the
/// stream. If nobody knows whether the command still runs, the memory is held until the process ends.
pub fn landed(
    memory: impl Landing,
    look: impl FnOnce(Result<&[u8]>) -> Result<()> + Send + 'static,
) -> Follow {
    Box::new(move |end| match end {
        // SAFETY: the command is final, and ran.
        Ok(()) => look(Ok(unsafe { memory.bytes() })),
        Err(Lost::Failed(error)) => look(Err(error)),
        Err(Lost::Unknown(error)) => {
            quarantine(memory, || false);
            look(Err(error))
        }
    })
}

#[cfg(test)]
mod tests;
