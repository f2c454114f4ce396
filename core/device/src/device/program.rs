//! Kernel launches over named nodes: what is compiled for a device and linked to a context.

mod bindings;
mod check;
mod compiled;
mod step;

pub use bindings::Bindings;
pub use compiled::Compiled;
pub use step::{Step, StepArg, StepArgs, StepKernel};

use ringwood_base::{DType, Element, Shape};
use std::fmt;
use std::ops::Range;
use std::sync::Arc;

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
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Role {
    /// The context must hold it.
    Given,
    /// The context's, else fresh memory, zeroed.
    Working,
    /// The context's, else fresh memory, not zeroed: the program writes all of it before it reads
    /// any.
    Scratch,
    /// The context's, else fresh memory with the elements that these bytes are; no step writes it.
    Constant(Arc<[u8]>),
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

/// Kernel launches, in order, over named nodes; for any device.
///
/// [`Device::compile`](super::Device::compile) finds the kernels and the domains of the launches, and
/// checks everything that is wrong.
///
/// ```no_run
/// use ringwood_base::{DType, Shape};
/// use ringwood_device::device::{Bindings, Context, Device, LaunchProgram, NodeId, StepArg};
/// use ringwood_device::kernel;
/// use ringwood_device::kernel::KernelName;
///
/// /// `y = a x + b + i`
/// #[kernel(device = cpu)]
/// fn line(a: f32, x: &[f32], b: &[f32], i: i32, y: &mut [f32]) {
///     let at = gid(0);
///     y[at] = a * x[at] + b[at] + i as f32;
/// }
///
/// # fn main() -> ringwood_base::Result<()> {
/// let (x, b, y) = (NodeId(0), NodeId(1), NodeId(2));
/// let shape = Shape::vector(3);
/// let program = LaunchProgram::new("line")
///     .given(x, "x", shape, DType::F32)
///     .constant(b, "b", shape, &[10.0_f32, 20.0, 30.0])
///     .scratch(y, "y", shape, DType::F32)
///     .symbol("i", 0..4)
///     .launch(KernelName::of::<line>(), (2.0_f32, x, b, StepArg::symbol("i"), y));
///
/// let device = Device::named("cpu:0")?;
/// let tensor = device.tensor(&[1.0_f32, 2.0, 3.0])?;
/// let context = Context::new(&device.stream()?).with(x, &tensor)?;
/// let routine = context.link(&device.compile(program)?)?;
/// routine.submit(&Bindings::new().set("i", 3))?;
/// assert_eq!(routine.context().tensor(y)?.to_vec::<f32>()?, [15.0, 27.0, 39.0]);
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug, Default)]
pub struct LaunchProgram {
    /// What messages call it.
    pub name: String,
    /// Every node that a step mentions, in the order in which they are to be placed in memory.
    pub nodes: Vec<Node>,
    /// The integers that each submission binds.
    pub symbols: Vec<Symbol>,
    /// The launches.
    pub steps: Vec<Step>,
}

impl LaunchProgram {
    /// A program without nodes and launches.
    #[must_use]
    pub fn new(name: impl Into<String>) -> Self {
        Self { name: name.into(), ..Self::default() }
    }

    /// Declares a node that the context must hold.
    #[must_use]
    pub fn given(self, id: NodeId, name: impl Into<String>, shape: Shape, dtype: DType) -> Self {
        self.node(Node { id, name: name.into(), shape, dtype, role: Role::Given })
    }

    /// Declares a node that starts as zeros, unless the context holds it.
    #[must_use]
    pub fn working(self, id: NodeId, name: impl Into<String>, shape: Shape, dtype: DType) -> Self {
        self.node(Node { id, name: name.into(), shape, dtype, role: Role::Working })
    }

    /// Declares a node that the program writes before it reads it.
    #[must_use]
    pub fn scratch(self, id: NodeId, name: impl Into<String>, shape: Shape, dtype: DType) -> Self {
        self.node(Node { id, name: name.into(), shape, dtype, role: Role::Scratch })
    }

    /// Declares a node with these elements, in row-major order, that no step writes.
    #[must_use]
    pub fn constant<T: Element>(
        self,
        id: NodeId,
        name: impl Into<String>,
        shape: Shape,
        elements: &[T],
    ) -> Self {
        let role = Role::Constant(Arc::from(bytemuck::cast_slice::<T, u8>(elements)));
        self.node(Node { id, name: name.into(), shape, dtype: T::DTYPE, role })
    }

    /// Declares a node.
    #[must_use]
    pub fn node(mut self, node: Node) -> Self {
        self.nodes.push(node);
        self
    }

    /// Declares an integer that each submission binds to a value of `range`.
    #[must_use]
    pub fn symbol(mut self, name: impl Into<String>, range: Range<i64>) -> Self {
        self.symbols.push(Symbol { name: name.into(), range });
        self
    }

    /// Launches a kernel with one argument for each of its parameters. The domain is
    /// [`Kernel::domain`](crate::kernel::Kernel::domain); the inputs of a map broadcast to it.
    #[must_use]
    pub fn launch(mut self, kernel: impl Into<StepKernel>, args: impl StepArgs) -> Self {
        self.steps.push(Step { kernel: kernel.into(), args: args.into_args() });
        self
    }
}

/// One line for each node, symbol and step.
impl fmt::Display for LaunchProgram {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "program {}", self.name)?;
        for Node { id, name, shape, dtype, role } in &self.nodes {
            let role = match role {
                Role::Given => "given",
                Role::Working => "working",
                Role::Scratch => "scratch",
                Role::Constant(_) => "constant",
            };
            writeln!(f, "  {role} {id} {name}: {dtype} {shape}")?;
        }
        for symbol in &self.symbols {
            writeln!(f, "  symbol {} in {:?}", symbol.name, symbol.range)?;
        }
        for step in &self.steps {
            write!(f, "  {}:", step.kernel)?;
            step.args.iter().try_for_each(|arg| write!(f, " {arg}"))?;
            writeln!(f)?;
        }
        Ok(())
    }
}
