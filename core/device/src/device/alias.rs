//! Which arguments of a launch may share memory.

use super::Buffer;
use crate::backend::Region;
use crate::kernel::Form;
use ringwood_base::{Error, ErrorKind, Result};

/// What matters of an argument.
pub(crate) struct Argument<'a> {
    pub(crate) region: Region<'a, Buffer>,
    pub(crate) written: bool,
    /// Whether the launch takes the elements in order, each once.
    pub(crate) dense: bool,
}

/// Refuses arguments that share memory with one that is written. Only a map may write exactly the
/// elements that it reads.
pub(crate) fn check<'a>(
    kernel: &str,
    form: Form,
    count: usize,
    argument: impl Fn(usize) -> Option<Argument<'a>>,
) -> Result<()> {
    for i in 0..count {
        let Some(target) = argument(i).filter(|a| a.written) else { continue };
        for j in (0..count).filter(|j| *j != i) {
            let Some(other) = argument(j) else { continue };
            let (x, y) = (target.region, other.region);
            let in_place = form == Form::Map
                && !other.written
                && other.dense
                && Buffer::span(&x) == Buffer::span(&y);
            if overlap(&x, &y) && !in_place {
                let message = format!("`{kernel}` writes memory that argument {j} shares");
                return Err(Error::new(ErrorKind::InvalidArgument, message)
                    .with("written argument", i)
                    .help("pass a copy, made with `duplicate`"));
            }
        }
    }
    Ok(())
}

/// Whether two regions share a byte.
pub fn overlap(a: &Region<'_, Buffer>, b: &Region<'_, Buffer>) -> bool {
    let (x, y) = (Buffer::span(a), Buffer::span(b));
    a.memory.shares(b.memory)
        && x.start < y.end
        && y.start < x.end
        && !x.is_empty()
        && !y.is_empty()
}
