//! Which kernel takes rows: one for each work-item, or one for each group.
//!
//! Each function is given the two kernels of an operator, the one for groups first, and says which of
//! them an application may take, best first.

use ringwood_graph::operator::Application;

/// Rows of at least this many elements are worth a group of work-items each.
const LONG: usize = 128;

type Kernels = &'static [&'static str; 2];

/// Groups take rows of extent `n` that are long.
pub(crate) fn long(application: &Application, kernels: Kernels) -> &'static [&'static str] {
    from_extent(application, LONG, kernels)
}

/// Groups take rows of extent `n` that are long and whose elements lie side by side: `b` is 1.
pub(crate) fn side_by_side(application: &Application, kernels: Kernels) -> &'static [&'static str] {
    if application.extent("b") == 1 { long(application, kernels) } else { &kernels[1..] }
}

/// A group takes elements, `n` of them, that are worth one of the largest size.
pub(crate) fn many(application: &Application, kernels: Kernels) -> &'static [&'static str] {
    from_extent(application, 4096, kernels)
}

/// Groups take an extent `n` of at least `least`.
fn from_extent(a: &Application, least: usize, kernels: Kernels) -> &'static [&'static str] {
    if a.extent("n") >= least { kernels } else { &kernels[1..] }
}
