//! Which kernel computes a node on a backend.

use super::{Attributes, Graph, Node, TensorType, fused};
use crate::operator::{Application, Operator};
use ringwood_base::{DType, Error, ErrorKind, Result};
use ringwood_device::device::Kernel;
use ringwood_device::kernel::{self, Instance, KernelDef};

/// The kernel called like the node's operator, or the first that the operator names and `backend`
/// has, for the node's dtypes.
///
/// # Errors
/// There is no such kernel, not for this backend, or not for these dtypes.
pub(crate) fn find_kernel(graph: &Graph, node: &Node, backend: &str) -> Result<Kernel> {
    if node.fused().is_some() {
        return fused::kernel(graph, node, backend);
    }
    let operands: Vec<_> = node.operands.iter().map(|&v| graph.value_type(v)).collect();
    match node.operator() {
        None => find_instance(graph, "ringwood::copy", backend, &operands, &node.results),
        Some(name) => find_best(graph, name, &node.attributes, backend, &operands, &node.results),
    }
}

/// The kernel for an application of the operator `name`.
pub(super) fn find_best(
    graph: &Graph,
    name: &str,
    attributes: &Attributes,
    backend: &str,
    operands: &[TensorType],
    results: &[TensorType],
) -> Result<Kernel> {
    let registry = graph.registry()?;
    let entry = registry.entry::<Operator>(name)?;
    let operator = entry.item::<Operator>().expect("an entry holds an item of its kind");
    let names = match operator.kernels {
        None => &[operator.name],
        Some(kernels) => kernels(&operator.infer(operands, attributes)?),
    };
    let own = |name: &&str| kernel::find_exact(registry, entry.meta.package, name, backend);
    match (names.iter().find_map(own), names.last()) {
        (Some(def), _) => instance(def, backend, operands, results),
        (None, Some(last)) => {
            let name = format!("{}::{last}", entry.meta.package);
            find_instance(graph, &name, backend, operands, results)
        }
        (None, None) => Err(nameless(name)),
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
    instance(kernel::find(graph.registry()?, name, backend)?, backend, operands, results)
}

/// The instance of a kernel for these dtypes.
fn instance(
    def: &'static KernelDef,
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
        return Ok(Kernel::new(def, instance));
    }
    let wanted = signature(operands.iter().copied(), results.iter().copied());
    let describe = |i: &Instance| signature(slices(i, false), slices(i, true));
    let known: Vec<_> = def.instances.iter().map(describe).collect();
    let message =
        format!("kernel `{}` for `{backend}` takes {}, not {wanted}", def.name, known.join(", "));
    Err(Error::new(ErrorKind::DType, message))
}

fn nameless(name: &str) -> Error {
    let message = format!("operator `{name}` is declared wrongly: it names no kernel");
    Error::new(ErrorKind::NotFound, message)
}

/// What a node's operator yields for its operands, or the last operator of a fused node.
///
/// # Errors
/// The operator is not registered, or the operands do not fit it.
pub(super) fn application(graph: &Graph, node: &Node) -> Result<Application> {
    if let Some(applications) = node.fused() {
        return fused::last(graph, node, applications);
    }
    let types: Vec<TensorType> = node.operands.iter().map(|&v| graph.value_type(v)).collect();
    let operator = graph.registry()?.find::<Operator>(node.operator().unwrap_or("copy"))?;
    operator.infer(&types, &node.attributes)
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
