//! A launch on the host, by the interpreter of a kernel's IR.

use super::{Form, Kernel, Operand, ParamKind};
use ringwood_base::{DType, Error, Result, Shape, StridedShape};
use ringwood_ir::Value;
use ringwood_ir::interpret::{self, Argument};

/// The statements after which a run is given up.
const STEPS: u64 = 1_000_000;

/// Runs a kernel once, for values that are needed before there is a device: shapes that a program
/// computes. Slow, and with the bits of every device.
///
/// `operands` has one entry for each parameter; `elements`, the bytes of each tensor that is only read, in
/// order. Returns the bytes of each tensor that is written, in order; they are zeros before.
///
/// ```no_run
/// use ringwood_base::{DType, Shape};
/// use ringwood_kernel::{Kernel, Operand, evaluate};
///
/// # fn example(double: &Kernel) -> ringwood_base::Result<()> {
/// let (dtype, shape) = (DType::I64, Shape::vector(2));
/// let tensor = |mutable| Operand::Tensor { dtype, shape, mutable };
/// let given = [3_i64, 4].map(i64::to_ne_bytes).concat();
/// let doubled = evaluate(double, &[tensor(false), tensor(true)], &[&given])?;
/// assert_eq!(doubled[0], [6_i64, 8].map(i64::to_ne_bytes).concat());
/// # Ok(())
/// # }
/// ```
///
/// # Errors
/// The kernel has no IR, the operands are not those of its parameters, or it takes over a million
/// statements.
pub fn evaluate(kernel: &Kernel, operands: &[Operand], elements: &[&[u8]]) -> Result<Vec<Vec<u8>>> {
    let (domain, ir) = (kernel.domain(operands)?, kernel.spec().kernel()?);
    let mut given = elements.iter();
    let mut args = Vec::with_capacity(operands.len());
    for (operand, param) in operands.iter().zip(kernel.params()) {
        args.push(match *operand {
            Operand::Scalar(value) => Argument::Scalar(value),
            Operand::Tensor { dtype, shape, mutable } => {
                let elements = match mutable {
                    true => vec![Value::zero(dtype.into()); shape.elements()],
                    false => values(dtype, given.next().copied().unwrap_or_default()),
                };
                argument(param.kind, shape, elements)
            }
        });
    }
    let refused = |refusal| {
        Error::invalid(format!("kernel `{}` was not evaluated: {refusal}", kernel.name()))
    };
    if kernel.form() == Form::Map {
        return map(&ir, domain, operands, &args).map(|bytes| vec![bytes]).map_err(refused);
    }
    if let Some(fault) = interpret::grid(&ir, &domain, &mut args, STEPS).map_err(refused)? {
        let (index, len) = (fault.index, fault.len);
        let message = format!("kernel `{}` uses element {index} of {len}", kernel.name());
        return Err(Error::out_of_bounds(message));
    }
    let written = operands.iter().zip(&args).filter_map(|(operand, arg)| match (operand, arg) {
        (Operand::Tensor { mutable: true, .. }, Argument::Slice(elements))
        | (Operand::Tensor { mutable: true, .. }, Argument::View { elements, .. }) => {
            Some(elements.iter().flat_map(|value| value.to_bytes()).collect())
        }
        _ => None,
    });
    Ok(written.collect())
}

/// The result of a map, element by element.
fn map(
    ir: &ringwood_ir::Kernel,
    domain: Shape,
    operands: &[Operand],
    args: &[Argument],
) -> std::result::Result<Vec<u8>, interpret::Refusal> {
    let strides = domain.strides();
    let places = operands.iter().map(|operand| match operand {
        Operand::Tensor { shape, .. } => StridedShape::dense(*shape).broadcast(domain).ok(),
        Operand::Scalar(_) => None,
    });
    let places: Vec<_> = places.collect();
    let mut bytes = Vec::new();
    for point in 0..domain.elements() {
        let index = strides.iter().zip(domain.iter()).map(|(step, extent)| point / step % extent);
        let index: Vec<usize> = index.collect();
        let at = |place: &Option<StridedShape>| -> usize {
            place.iter().flat_map(|p| p.strides().iter().zip(&index)).map(|(s, i)| s * i).sum()
        };
        let read = args.iter().zip(&places).zip(operands).filter_map(|((arg, place), operand)| {
            match (arg, operand) {
                (Argument::Scalar(value), _) => Some(*value),
                (_, Operand::Tensor { mutable: true, .. }) => None,
                (Argument::Slice(elements), _) => elements.get(at(place)).copied(),
                (Argument::View { .. }, _) => None,
            }
        });
        bytes.extend(interpret::map(ir, &read.collect::<Vec<_>>(), STEPS)?.to_bytes());
    }
    Ok(bytes)
}

/// A tensor of these elements for a parameter of this kind.
pub(super) fn argument(kind: ParamKind, shape: Shape, elements: Vec<Value>) -> Argument {
    match kind {
        ParamKind::View { .. } => {
            Argument::View { elements, offset: 0, shape: shape.to_vec(), strides: shape.strides() }
        }
        _ => Argument::Slice(elements),
    }
}

/// The elements that these bytes are.
fn values(dtype: DType, bytes: &[u8]) -> Vec<Value> {
    let whole = bytes.chunks_exact(dtype.size());
    whole.filter_map(|element| Value::from_bytes(dtype.into(), element)).collect()
}
