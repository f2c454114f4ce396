//! Host memory that a device uses while the host goes on.

use super::{End, Follow, quarantine};
use ringwood_base::Result;

/// What follows a command that uses `value`, such as the source of a write: it is dropped when the
/// command is final; if nobody knows that, it is held until the process ends.
pub fn keep(value: impl Send + 'static) -> Follow {
    Box::new(move |end| {
        if let End::Unknown(_) = end {
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
        End::Done => look(Ok(unsafe { memory.bytes() })),
        End::Failed(error) => look(Err(error.clone())),
        End::Unknown(error) => {
            let error = error.clone();
            quarantine(memory, || false);
            look(Err(error))
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use ringwood_base::{Error, ErrorKind};
    use std::sync::Arc;

    struct Memory(#[allow(dead_code, reason = "counted")] Arc<()>);

    impl Landing for Memory {
        unsafe fn bytes(&self) -> &[u8] {
            &[7]
        }
    }

    #[test]
    fn what_a_device_may_still_use_is_never_freed() {
        let error = Error::new(ErrorKind::Backend, "broken");
        let ends = [
            (End::Done, 1, true),
            (End::Failed(&error), 1, false),
            (End::Unknown(&error), 2, false),
        ];
        for (end, left, seen) in ends {
            let memory = Arc::new(());
            keep(Arc::clone(&memory))(end).unwrap();
            assert_eq!(Arc::strong_count(&memory), left, "{end:?}");
            let memory = Arc::new(());
            let look = |bytes: Result<&[u8]>| bytes.map(|bytes| assert_eq!(bytes, [7]));
            let followed = landed(Memory(Arc::clone(&memory)), look)(end);
            assert_eq!((followed.is_ok(), Arc::strong_count(&memory)), (seen, left), "{end:?}");
        }
    }
}
