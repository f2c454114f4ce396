//! Looks for races of a kernel by the interpreter of its IR.

use super::evaluate::argument;
use super::{Form, Kernel, KernelDef, KernelSpec, Operand, ParamKind};
use ringwood_base::registry::Entry;
use ringwood_base::{DType, Error, Result};
use ringwood_ir::Value;
use ringwood_ir::interpret::{self, Argument, Race, Refusal};

/// The statements after which a run is given up.
const STEPS: u64 = 20_000_000;

/// Runs a grid or group kernel once in the interpreter of its IR, which knows who used each element: an
/// element that a work-item writes and another one uses without a barrier between is an error, and so is
/// an element of a shared array that is used before it is written.
///
/// `kernel` is the `ENTRY` of the kernel, `args` are the scalars and shapes of the launch; the elements
/// are small numbers. What depends on other elements, or on other shapes, is not seen. A `racy` kernel has
/// no races but on its shared arrays. Returns the number of work-items.
///
/// ```
/// use ringwood_base::{DType, Result, Shape, registry::Entry};
/// use ringwood_kernel::{Operand, check_races};
///
/// fn check(reversed: &Entry) -> Result<()> {
///     let shape = Shape::vector(512);
///     let tensor = |mutable| Operand::Tensor { dtype: DType::F32, shape, mutable };
///     assert_eq!(check_races(reversed, &[tensor(false), tensor(true)])?, 512);
///     Ok(())
/// }
/// ```
///
/// # Errors
/// [`ErrorKind::NotVerified`](ringwood_base::ErrorKind::NotVerified) names the places of both accesses. The arguments are not those of the
/// kernel, or break a requirement; the kernel has no IR.
pub fn check_races(kernel: &Entry, args: &[Operand]) -> Result<usize> {
    let def = kernel.shared::<KernelDef>().ok_or_else(|| {
        let message = format!("`{}` is no kernel", kernel.meta().full_name());
        Error::invalid(message).help("give the `ENTRY` of a kernel")
    })?;
    let dtypes: Vec<_> = args.iter().filter_map(dtype).collect();
    let kernel = Kernel::of(&def, &dtypes)?;
    let domain = kernel.domain(args)?;
    let spec = kernel.spec();
    if !matches!(spec.form, Form::Grid | Form::Group) {
        let message = format!("`{}` has no work-items that could meet", spec.name);
        return Err(Error::unsupported(message)
            .help("grid and group kernels have; each element of a map is computed alone"));
    }
    let unlike = args.iter().zip(spec.params).position(|(arg, param)| !is_for(arg, param.kind));
    if let Some(index) = unlike.or((args.len() != spec.params.len()).then_some(args.len())) {
        let message = format!("argument {index} of `{}` is not what it takes there", spec.name);
        return Err(Error::invalid(message)
            .help("give a scalar or tensor for each parameter, `mutable` where it is written"));
    }
    let ir = spec.kernel()?;
    let given = args.iter().zip(spec.params).map(|(arg, param)| given(arg, param.kind));
    let mut given: Vec<_> = given.collect();
    match interpret::grid(&ir, &domain, &mut given, STEPS) {
        Ok(_) => Ok(domain.elements() * ir.group_size()),
        Err(refusal) => Err(told(&spec, refusal)),
    }
}

fn is_for(operand: &Operand, kind: ParamKind) -> bool {
    match (operand, kind) {
        (Operand::Scalar(_), ParamKind::Scalar(_)) => true,
        (
            Operand::Tensor { mutable, .. },
            ParamKind::Slice { mutable: written, .. } | ParamKind::View { mutable: written, .. },
        ) => *mutable == written,
        _ => false,
    }
}

fn dtype(operand: &Operand) -> Option<DType> {
    match operand {
        Operand::Tensor { dtype, .. } => Some(*dtype),
        Operand::Scalar(_) => None,
    }
}

/// The argument, with elements that are valid indices of nearly all arrays.
fn given(operand: &Operand, kind: ParamKind) -> Argument {
    match operand {
        Operand::Scalar(value) => Argument::Scalar(*value),
        Operand::Tensor { dtype, shape, .. } => {
            let element = |i: usize| Value::Usize(i % 5).cast((*dtype).into());
            argument(kind, *shape, (0..shape.elements()).map(element).collect())
        }
    }
}

/// What the interpreter found, in the source.
fn told(spec: &KernelSpec<'_>, refusal: Refusal) -> Error {
    let at = |site: u32| match spec.sites.get(site as usize) {
        Some((line, column)) => format!("{}:{line}:{column}", spec.file),
        None => spec.file.to_owned(),
    };
    let name = spec.name;
    match refusal {
        Refusal::Race(race) => raced(name, spec.form, &race, at),
        Refusal::Unwritten { array, site } => Error::not_verified(format!(
            "`{name}` uses an element of `{array}` that nobody has written"
        ))
        .with("at", at(site))
        .help("write every element before it is used, with a `barrier();` between"),
        Refusal::Requirement(index) => Error::invalid(format!(
            "requirement {index} of `{name}` does not hold for these arguments"
        ))
        .help("give a launch that could run"),
        other => Error::invalid(format!("`{name}` cannot be checked: {other}"))
            .help("give a smaller launch"),
    }
}

fn raced(name: &str, form: Form, race: &Race, at: impl Fn(u32) -> String) -> Error {
    let Race { buffer, element, first, second } = race;
    let access = |access: &interpret::Access| {
        let (lane, group, verb) = (access.lane, access.group, access.kind.verb());
        let who = match form {
            Form::Grid => format!("work-item {group}"),
            _ => format!("work-item {lane} of group {group}"),
        };
        format!("{who} {verb} it at {}", at(access.site))
    };
    let (order, help) = match first.group == second.group {
        _ if form == Form::Grid => {
            ("in no order", "give each work-item elements of its own, or use an atomic operation")
        }
        true => ("without a barrier between", "put `barrier();` between the two"),
        false => ("in no order", "give each group elements of its own, or use an atomic operation"),
    };
    let (first, second) = (access(first), access(second));
    let message = format!(
        "a race in `{name}` on element {element} of `{buffer}`: {first}, {second}, {order}"
    );
    Error::not_verified(message).help(help)
}
