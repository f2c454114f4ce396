//! What is known of a launch before it.

use crate::{Kernel, ParamKind, Value};

/// What is known of an argument before a launch.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Fact<'a> {
    /// The value of a scalar.
    Scalar(Value),
    /// The number of elements of a slice.
    Len(usize),
    /// What a view covers.
    View {
        /// The extent of each dimension, slowest first.
        shape: &'a [usize],
        /// The step in elements along each dimension.
        strides: &'a [usize],
    },
}

/// What is known of a launch before it.
#[derive(Clone, Copy, Debug)]
pub struct LaunchFacts<'a> {
    /// The domain, slowest dimension first: of work-items, or of groups for a group kernel.
    pub domain: &'a [usize],
    /// One fact for each parameter of the kernel.
    pub args: &'a [Fact<'a>],
}

impl LaunchFacts<'_> {
    /// Whether these are facts of the parameters of a kernel.
    pub(crate) fn fit(&self, kernel: &Kernel) -> bool {
        let kinds = kernel.params.iter().map(|p| p.kind);
        kinds.len() == self.args.len()
            && kinds.zip(self.args).all(|(kind, fact)| match (kind, fact) {
                (ParamKind::Scalar(ty), Fact::Scalar(value)) => value.ty() == ty,
                (ParamKind::Slice { .. }, Fact::Len(_)) => true,
                (ParamKind::View { rank, .. }, Fact::View { shape, strides }) => {
                    shape.len() == rank.into() && strides.len() == shape.len()
                }
                _ => false,
            })
    }
}
