//! How a device computes a node: which kernel, and what its parameters receive.

mod fused;

pub(super) use fused::{infer, prints, takes};

use super::node::Uncompared;
use super::{Attribute, Graph, Node, TensorType, ValueId};
use crate::operator::{Application, Operator};
use ringwood_base::{DType, Error, Result, Scalar, ScalarType, Shared};
use ringwood_device::device::Kernel;
use ringwood_device::kernel::{Instance, KernelDef, KernelName, Operand, Param, ParamKind};
use std::sync::Arc;

/// How a device computes a node; found once, when the node is placed.
#[derive(Debug)]
pub(crate) struct Implementation {
    pub(crate) kernel: Kernel,
    /// The extent of each symbol of the shape rule: scalar arguments of the kernel.
    pub(crate) symbols: Vec<(String, usize)>,
    /// The operands of the node, by index, in the order of the kernel's parameters.
    pub(crate) order: Vec<u32>,
}

/// What placement found for a node, if anything. It is not written.
pub(crate) type Found = Uncompared<Option<Arc<Implementation>>>;

impl From<Implementation> for Found {
    fn from(implementation: Implementation) -> Self {
        Self(Some(Arc::new(implementation)))
    }
}

impl Graph {
    /// How the device of a node computes it: what placement found, else looked for now.
    ///
    /// # Errors
    /// As [`find`]; the node is on no device.
    pub(crate) fn implementation(&self, node: &Node) -> Result<Arc<Implementation>> {
        if let Some(found) = &node.found.0 {
            return Ok(Arc::clone(found));
        }
        let Some(device) = &node.device else {
            return Err(Error::device(format!("`{node}` is on no device")));
        };
        find(self, node, backend(device)).map(Arc::new)
    }
}

/// The kernel called like the node's operator, or the first that the operator names and `backend`
/// has, for the node's dtypes, and what its parameters receive.
///
/// # Errors
/// There is no such kernel, not for this backend, or not for these dtypes.
pub(crate) fn find(graph: &Graph, node: &Node, backend: &str) -> Result<Implementation> {
    if let Some(applications) = node.fused() {
        return fused::find(graph, node, applications, backend);
    }
    let operands: Vec<_> = node.operands.iter().map(|&v| graph.value_type(v)).collect();
    let order = (0..operands.len() as u32).collect();
    let Some(name) = node.operator() else {
        let kernel = find_instance(graph, "ringwood::copy", backend, &operands, &node.results)?;
        return Ok(Implementation { kernel, symbols: Vec::new(), order });
    };
    let declared = declared(graph, name)?;
    let yields = declared.infer(&operands, &node.attributes)?;
    let kernel = find_kernel(graph, declared, backend, &operands, &yields)?;
    Ok(Implementation { kernel, symbols: yields.symbols, order })
}

/// The operator of a name.
pub(super) fn declared<'a>(graph: &'a Graph, name: &str) -> Result<&'a Operator> {
    graph.registry()?.find::<Operator>(name)
}

/// The kernel for an application of an operator: the first that the operator names and `backend` has.
pub(super) fn find_kernel(
    graph: &Graph,
    operator: &Operator,
    backend: &str,
    operands: &[TensorType],
    yields: &Application,
) -> Result<Kernel> {
    let (registry, names) = (graph.registry()?, operator.kernels_for(yields));
    let own = |kernel: &KernelName| {
        ringwood_device::backend::find_exact(registry, kernel.package, kernel.name, backend)
    };
    match (names.iter().find_map(own), names.last()) {
        (Some(def), _) => instance(&def, backend, operands, &yields.results),
        (None, Some(KernelName { package, name })) => {
            let name = format!("{package}::{name}");
            find_instance(graph, &name, backend, operands, &yields.results)
        }
        (None, None) => Err(nameless(operator.name)),
    }
}

/// The kernel `name` for `backend` and these dtypes.
fn find_instance(
    graph: &Graph,
    name: &str,
    backend: &str,
    operands: &[TensorType],
    results: &[TensorType],
) -> Result<Kernel> {
    instance(
        &ringwood_device::backend::find(graph.registry()?, name, backend)?,
        backend,
        operands,
        results,
    )
}

/// The instance of a kernel for these dtypes.
fn instance(
    def: &Shared<KernelDef>,
    backend: &str,
    operands: &[TensorType],
    results: &[TensorType],
) -> Result<Kernel> {
    let dtypes = |types: &[TensorType]| types.iter().map(|ty| ty.dtype).collect::<Vec<_>>();
    let (operands, results) = (dtypes(operands), dtypes(results));
    let fits = |i: &&Instance| {
        slices(i, false).eq(operands.iter().copied()) && slices(i, true).eq(results.iter().copied())
    };
    if let Some(instance) = def.instances.iter().find(fits) {
        return Ok(Kernel::new(def.clone(), instance));
    }
    let wanted = signature(operands.iter().copied(), results.iter().copied());
    let describe = |i: &Instance| signature(slices(i, false), slices(i, true));
    let known: Vec<_> = def.instances.iter().map(describe).collect();
    Err(Error::dtype(format!(
        "kernel `{}` for `{backend}` takes {}, not {wanted}",
        def.meta.name,
        known.join(", ")
    )))
}

fn nameless(name: &str) -> Error {
    Error::not_found(format!("operator `{name}` is declared wrongly: it names no kernel"))
}

fn slices(instance: &Instance, written: bool) -> impl Iterator<Item = DType> {
    instance
        .params
        .iter()
        .filter(move |p| p.kind.is_written() == written)
        .filter_map(|p| p.kind.dtype())
}

fn signature(
    operands: impl Iterator<Item = DType>,
    results: impl Iterator<Item = DType>,
) -> String {
    let join = |names: Vec<&str>| names.join(", ");
    let operands = join(operands.map(DType::name).collect());
    format!("({operands}) -> {}", join(results.map(DType::name).collect()))
}

/// The backend of a device called `cpu:0`.
pub(crate) fn backend(device: &str) -> &str {
    device.split_once(':').map_or(device, |(backend, _)| backend)
}

/// What a parameter of a node's kernel receives.
pub(crate) enum Bound {
    /// An operand of the node.
    Operand(ValueId),
    /// A result of the node.
    Result(ValueId),
    /// A value.
    Scalar(Scalar),
}

impl Bound {
    pub(crate) fn operand(&self, graph: &Graph) -> Operand {
        let (value, mutable) = match *self {
            Bound::Operand(value) => (value, false),
            Bound::Result(value) => (value, true),
            Bound::Scalar(value) => return Operand::Scalar(value),
        };
        let TensorType { dtype, shape } = graph.value_type(value);
        Operand::Tensor { dtype, shape, mutable }
    }
}

/// Binds operands and results of node `i` in their order, and scalars by name: symbols of the shape
/// rule, then attributes.
pub(crate) fn bind(graph: &Graph, i: usize, implementation: &Implementation) -> Result<Vec<Bound>> {
    let node = &graph.nodes[i];
    let Implementation { kernel, symbols, order } = implementation;
    let attributes = match node.fused().and_then(<[_]>::last) {
        Some(last) => &last.attributes,
        None => &node.attributes,
    };
    let mut operands = order.iter().map(|&index| node.operands[index as usize]);
    let mut results = (0..).map(|result| ValueId { node: i as u32, result });
    let counted = "the kernel was found by the dtypes of operands and results";
    let bind = |param: &Param| {
        Ok(match param.kind {
            kind if kind.is_written() => Bound::Result(results.next().expect(counted)),
            ParamKind::Slice { .. } | ParamKind::View { .. } => {
                Bound::Operand(operands.next().expect(counted))
            }
            ParamKind::Scalar(kind) => {
                let symbol = symbols.iter().find(|(name, _)| name == param.name);
                let symbol = symbol.map(|&(_, extent)| Scalar::Usize(extent));
                let given = || attributes.find(param.name).and_then(Attribute::scalar);
                let value = symbol.or_else(given);
                Bound::Scalar(scalar(kernel, param.name, kind, value)?)
            }
        })
    };
    kernel.params().iter().map(bind).collect()
}

fn scalar(kernel: &Kernel, name: &str, kind: ScalarType, value: Option<Scalar>) -> Result<Scalar> {
    let title = kernel.name();
    match value {
        Some(value) if value.ty() == kind => Ok(value),
        Some(value) => {
            let (want, got) = (kind.name(), value.ty().name());
            let message =
                format!("kernel `{title}`: `{name}` is {want}, but its operator gives {got}");
            Err(Error::dtype(message))
        }
        None => Err(Error::not_found(format!(
            "kernel `{title}`: `{name}` is neither a symbol nor an attribute of its operator"
        ))),
    }
}
