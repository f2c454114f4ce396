//! Which arguments of a launch may share memory.

use super::Buffer;
use crate::backend::Region;
use crate::kernel::Form;
use crate::{Error, ErrorKind, Result};

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
                && (x.offset, x.bytes) == (y.offset, y.bytes);
            if x.memory.same(y.memory) && overlap(&x, &y) && !in_place {
                let message = format!("`{kernel}` writes memory that argument {j} shares");
                return Err(Error::new(ErrorKind::InvalidArgument, message)
                    .with("written argument", i)
                    .help("pass a copy, made with `duplicate`"));
            }
        }
    }
    Ok(())
}

/// Whether two regions of one buffer share a byte.
pub(crate) fn overlap(a: &Region<'_, Buffer>, b: &Region<'_, Buffer>) -> bool {
    a.offset < b.offset + b.bytes && b.offset < a.offset + a.bytes && a.bytes > 0 && b.bytes > 0
}
