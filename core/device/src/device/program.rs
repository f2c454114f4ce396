//! Kernel launches over named nodes: what is compiled for a device and linked to a context.

mod check;
mod compiled;

pub use compiled::Compiled;

use super::Kernel;
use ringwood_base::{DType, Scalar, Shape};
use std::fmt;
use std::ops::Range;

/// The identity of a node: a value that programs name and contexts hold.
#[derive(
    Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, serde::Serialize, serde::Deserialize,
)]
pub struct NodeId(pub u64);

impl fmt::Display for NodeId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "n{}", self.0)
    }
}

impl fmt::Debug for NodeId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// Where a node's tensor comes from when a program is linked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, serde::Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Role {
    /// The context must hold it.
    Given,
    /// The context's, else fresh memory, zeroed.
    Working,
    /// The context's, else fresh memory, not zeroed: the program writes all of it before it reads
    /// any.
    Scratch,
}

/// A node as a program declares it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Node {
    /// The identity.
    pub id: NodeId,
    /// What messages call it.
    pub name: String,
    /// The extents.
    pub shape: Shape,
    /// The element type.
    pub dtype: DType,
    /// Where its tensor comes from.
    pub role: Role,
}

/// An integer that each submission binds: a static index.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Symbol {
    /// The name, unique in the program.
    pub name: String,
    /// The values that may be bound.
    pub range: Range<i64>,
}

/// Kernel launches, in order, over named nodes.
///
/// Nodes are declared in the order in which they are to be placed in memory.
#[derive(Clone, Debug, Default)]
pub struct LaunchProgram {
    /// What messages call it.
    pub name: String,
    /// Every node that a step mentions.
    pub nodes: Vec<Node>,
    /// The integers that each submission binds.
    pub symbols: Vec<Symbol>,
    /// The launches.
    pub steps: Vec<Step>,
}

/// One kernel launch of a program.
#[derive(Clone, Debug)]
pub struct Step {
    /// The kernel.
    pub kernel: Kernel,
    /// The domain, slowest dimension first.
    pub domain: Shape,
    /// One argument for each parameter of the kernel.
    pub args: Vec<StepArg>,
}

/// One argument of a step.
#[derive(Clone, Debug, PartialEq)]
pub enum StepArg {
    /// All elements of a node.
    Node {
        /// The node.
        node: NodeId,
        /// For maps: the step in elements along each dimension of the domain (0: broadcast).
        /// `None` means dense, row-major.
        strides: Option<Vec<usize>>,
    },
    /// The merge slot, which must hold this node's elements as another context has them.
    Merge {
        /// The node.
        node: NodeId,
        /// As in [`StepArg::Node`].
        strides: Option<Vec<usize>>,
    },
    /// A value.
    Scalar(Scalar),
    /// The number of the stream's log file, for a parameter of type `u64`: the native code of the
    /// kernel passes it to [`log`](super::log).
    Log,
    /// The value bound to the symbol with this position in [`LaunchProgram::symbols`].
    Index(usize),
}

impl StepArg {
    /// All elements of `node`, dense.
    pub fn node(node: NodeId) -> Self {
        Self::Node { node, strides: None }
    }
}

/// One line for each node, symbol and step.
impl fmt::Display for LaunchProgram {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "program {}", self.name)?;
        for node in &self.nodes {
            let (id, name, dtype, shape) = (node.id, &node.name, node.dtype, node.shape);
            writeln!(f, "  {:?} {id} {name}: {dtype} {shape}", node.role)?;
        }
        for symbol in &self.symbols {
            writeln!(f, "  symbol {} in {:?}", symbol.name, symbol.range)?;
        }
        for step in &self.steps {
            write!(f, "  {} over {}:", step.kernel.name(), step.domain)?;
            for arg in &step.args {
                match arg {
                    StepArg::Node { node, .. } => write!(f, " {node}")?,
                    StepArg::Merge { node, .. } => write!(f, " merge({node})")?,
                    StepArg::Scalar(value) => write!(f, " {value}")?,
                    StepArg::Log => f.write_str(" log")?,
                    StepArg::Index(i) => match self.symbols.get(*i) {
                        Some(symbol) => write!(f, " {}", symbol.name)?,
                        None => write!(f, " symbol {i}")?,
                    },
                }
            }
            writeln!(f)?;
        }
        Ok(())
    }
}

/// The integers bound to symbols for one submission.
///
/// ```
/// use ringwood_device::device::Bindings;
///
/// let bindings = Bindings::new().set("row", 3);
/// assert_eq!(bindings.value("row"), Some(3));
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Bindings(Vec<(String, i64)>);

impl Bindings {
    /// No bindings.
    pub const fn new() -> Self {
        Self(Vec::new())
    }

    /// Binds a symbol, anew if it is bound already.
    #[must_use]
    pub fn set(mut self, symbol: &str, value: i64) -> Self {
        match self.0.iter_mut().find(|(name, _)| name == symbol) {
            Some((_, bound)) => *bound = value,
            None => self.0.push((symbol.to_owned(), value)),
        }
        self
    }

    /// The value bound to a symbol.
    pub fn value(&self, symbol: &str) -> Option<i64> {
        self.0.iter().find(|(name, _)| name == symbol).map(|(_, value)| *value)
    }
}
