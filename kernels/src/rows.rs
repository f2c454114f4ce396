//! Which kernel takes rows: one for each work-item, or one for each group.
//!
//! Each function is for an operator of two kernels, the one for groups first, and says which of them is
//! the first that an application may take.

use ringwood_graph::operator::Application;

/// Rows of at least this many elements are worth a group of work-items each.
const LONG: usize = 128;

/// Groups take rows of extent `n` that are long.
pub(crate) fn long(application: &Application) -> usize {
    from_extent(application, LONG)
}

/// Groups take rows of extent `n` that are long and whose elements lie side by side: `b` is 1.
pub(crate) fn side_by_side(application: &Application) -> usize {
    if application.extent("b") == 1 { long(application) } else { 1 }
}

/// A group takes elements, `n` of them, that are worth one of the largest size.
pub(crate) fn many(application: &Application) -> usize {
    from_extent(application, 4096)
}

/// Groups take an extent `n` of at least `least`.
fn from_extent(a: &Application, least: usize) -> usize {
    usize::from(a.extent("n") < least)
}
