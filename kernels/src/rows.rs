//! Which kernel takes rows: one for each work-item, or one for each group.

use ringwood_core::operator::Application;

/// Rows of at least this many elements are worth a group of work-items each.
const LONG: usize = 128;

/// Whether the rows of extent `n` are long.
pub(crate) fn long(application: &Application) -> bool {
    application.extent("n") >= LONG
}

/// Whether the rows of extent `n` are long, and their elements lie side by side: `b` is 1.
pub(crate) fn side_by_side(application: &Application) -> bool {
    long(application) && application.extent("b") == 1
}

/// Whether the elements, `n` of them, are worth a group of the largest size.
pub(crate) fn many(application: &Application) -> bool {
    application.extent("n") >= 4096
}
