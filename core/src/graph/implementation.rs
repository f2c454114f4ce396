//! Which kernel computes a node on a backend, and how its arguments are ordered.

use super::{Graph, Node, TensorType};
use crate::kernel::{Instance, KernelDef, ParamKind};
use crate::{DType, Error, ErrorKind, Result, Scalar, ScalarType};

/// The kernel that computes one node on one backend.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Implementation {
    pub(crate) def: &'static KernelDef,
    pub(crate) instance: &'static Instance,
}

/// One argument of a node's kernel.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Role {
    Operand(usize),
    Result(usize),
    Scalar(Scalar),
}

impl Implementation {
    /// The kernel called like the node's operator, for `backend` and the node's dtypes.
    ///
    /// # Errors
    /// There is no such kernel, not for this backend, or not for these dtypes.
    pub(crate) fn find(graph: &Graph, node: &Node, backend: &str) -> Result<Self> {
        let name = node.operator().unwrap_or("copy");
        let def = graph.registry()?.kernel(name, backend)?;
        let operands: Vec<_> = node.operands.iter().map(|&v| graph.value_type(v).dtype).collect();
        let results: Vec<_> = node.results.iter().map(|t| t.dtype).collect();
        let fits = |i: &&Instance| {
            slices(i, false).eq(operands.iter().copied())
                && slices(i, true).eq(results.iter().copied())
        };
        match def.instances.iter().find(fits) {
            Some(instance) => Ok(Self { def, instance }),
            None => {
                let wanted = signature(operands.iter().copied(), results.iter().copied());
                let known: Vec<_> = def.instances.iter().map(describe).collect();
                let known = known.join(", ");
                let message =
                    format!("kernel `{name}` for `{backend}` takes {known}, not {wanted}");
                Err(Error::new(ErrorKind::DType, message))
            }
        }
    }

    /// What each parameter of the kernel receives: operands and results in their order, scalars by
    /// name from the symbols of the shape rule and from the attributes.
    ///
    /// # Errors
    /// A scalar parameter is called like neither, or has another type.
    pub(crate) fn roles(&self, graph: &Graph, node: &Node) -> Result<Vec<Role>> {
        let operator = graph.registry()?.operator(self.def.name)?;
        let types: Vec<TensorType> = node.operands.iter().map(|&v| graph.value_type(v)).collect();
        let symbols = operator.infer(&types, &node.attributes)?.symbols;
        let (mut operands, mut results) = (0.., 0..);
        let role = |param: &crate::kernel::Param| {
            Ok(match param.kind {
                ParamKind::Slice { mutable: false, .. } => {
                    Role::Operand(operands.next().unwrap_or(0))
                }
                ParamKind::Slice { mutable: true, .. } => Role::Result(results.next().unwrap_or(0)),
                ParamKind::Scalar(kind) => {
                    let symbol = symbols.iter().find(|(name, _)| name == param.name);
                    let symbol = symbol.map(|&(_, extent)| Scalar::Usize(extent));
                    let value = symbol.or_else(|| node.attributes.find(param.name));
                    Role::Scalar(self.scalar(param.name, kind, value)?)
                }
            })
        };
        self.instance.params.iter().map(role).collect()
    }

    fn scalar(&self, name: &str, kind: ScalarType, value: Option<Scalar>) -> Result<Scalar> {
        let kernel = self.def.name;
        match value {
            Some(value) if value.scalar_type() == kind => Ok(value),
            Some(value) => {
                let (want, got) = (kind.name(), value.scalar_type().name());
                let message = format!(
                    "kernel `{kernel}`: parameter `{name}` is {want}, but its operator gives {got}"
                );
                Err(Error::new(ErrorKind::DType, message))
            }
            None => {
                let message = format!(
                    "kernel `{kernel}`: parameter `{name}` is neither a symbol nor an attribute of the operator"
                );
                Err(Error::new(ErrorKind::NotFound, message))
            }
        }
    }
}

fn slices(instance: &Instance, written: bool) -> impl Iterator<Item = DType> {
    instance.params.iter().filter_map(move |p| match p.kind {
        ParamKind::Slice { dtype, mutable } if mutable == written => Some(dtype),
        _ => None,
    })
}

fn describe(instance: &Instance) -> String {
    signature(slices(instance, false), slices(instance, true))
}

fn signature(
    operands: impl Iterator<Item = DType>,
    results: impl Iterator<Item = DType>,
) -> String {
    let join = |names: Vec<&str>| names.join(", ");
    let operands = join(operands.map(DType::name).collect());
    format!("({operands}) -> {}", join(results.map(DType::name).collect()))
}
