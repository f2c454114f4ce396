//! The launches of a program.

use super::NodeId;
use crate::kernel::{Kernel, KernelName};
use ringwood_base::{Scalar, StridedShape};
use std::fmt;

/// One kernel launch of a program.
#[derive(Clone, Debug)]
pub struct Step {
    /// The kernel.
    pub kernel: StepKernel,
    /// One argument for each parameter of the kernel.
    pub args: Vec<StepArg>,
}

/// The kernel of a step.
#[derive(Clone, Debug)]
pub enum StepKernel {
    /// The one of this name, with or without its package, for the device that the program is compiled
    /// for and for the types of the step's nodes.
    Named(String),
    /// This one.
    Known(Kernel),
}

impl From<&str> for StepKernel {
    fn from(name: &str) -> Self {
        Self::Named(name.to_owned())
    }
}

impl From<KernelName> for StepKernel {
    fn from(KernelName { package, name }: KernelName) -> Self {
        Self::Named(format!("{package}::{name}"))
    }
}

impl From<Kernel> for StepKernel {
    fn from(kernel: Kernel) -> Self {
        Self::Known(kernel)
    }
}

impl fmt::Display for StepKernel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Named(name) => name,
            Self::Known(kernel) => kernel.name(),
        })
    }
}

/// One argument of a step.
#[derive(Clone, Debug, PartialEq)]
pub enum StepArg {
    /// All elements of a node.
    Node(NodeId),
    /// Elements of a node at steps from its first one, for a parameter that is read: of a map, or a
    /// `View<T, R>`.
    View(NodeId, Box<StridedShape>),
    /// The merge slot, which must hold this node's elements as another context has them.
    Merge(NodeId),
    /// A value.
    Scalar(Scalar),
    /// The number of the stream's log file, for a parameter of type `u64`: the native code of the
    /// kernel passes it to [`log`](crate::device::log).
    Log,
    /// The value bound to a symbol of the program.
    Symbol(String),
}

impl StepArg {
    /// The value bound to a symbol of the program.
    pub fn symbol(name: impl Into<String>) -> Self {
        Self::Symbol(name.into())
    }

    /// The node whose own elements the argument is.
    pub(crate) fn own_node(&self) -> Option<NodeId> {
        match self {
            Self::Node(node) | Self::View(node, _) => Some(*node),
            _ => None,
        }
    }
}

impl From<NodeId> for StepArg {
    fn from(node: NodeId) -> Self {
        Self::Node(node)
    }
}

impl<T: Into<Scalar>> From<T> for StepArg {
    fn from(value: T) -> Self {
        Self::Scalar(value.into())
    }
}

/// The arguments of a step: a tuple, an array or a vector of what becomes a [`StepArg`].
///
/// ```
/// use ringwood_device::device::{NodeId, StepArg, StepArgs};
///
/// let (x, y) = (NodeId(0), NodeId(1));
/// let args = (2.0_f32, x, StepArg::symbol("row"), StepArg::Merge(y)).into_args();
/// assert_eq!(args[1], StepArg::Node(x));
/// ```
pub trait StepArgs {
    /// The arguments, in order.
    fn into_args(self) -> Vec<StepArg>;
}

impl<A: Into<StepArg>> StepArgs for Vec<A> {
    fn into_args(self) -> Vec<StepArg> {
        self.into_iter().map(Into::into).collect()
    }
}

impl<A: Into<StepArg>, const N: usize> StepArgs for [A; N] {
    fn into_args(self) -> Vec<StepArg> {
        self.map(Into::into).into()
    }
}

macro_rules! tuples {
    ($($first:ident $($rest:ident)*)?) => {
        $(
            impl<$first: Into<StepArg>, $($rest: Into<StepArg>),*> StepArgs for ($first, $($rest,)*) {
                #[allow(non_snake_case, reason = "a value is named as its type")]
                fn into_args(self) -> Vec<StepArg> {
                    let ($first, $($rest,)*) = self;
                    vec![$first.into(), $($rest.into()),*]
                }
            }

            tuples! { $($rest)* }
        )?
    };
}

tuples! { A B C D E F G H I J K L }

impl fmt::Display for StepArg {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Node(node) => write!(f, "{node}"),
            Self::View(node, shape) => write!(f, "{node} as {shape:?}"),
            Self::Merge(node) => write!(f, "merge({node})"),
            Self::Scalar(value) => write!(f, "{value}"),
            Self::Log => f.write_str("log"),
            Self::Symbol(name) => f.write_str(name),
        }
    }
}
