//! A kernel call on tensors.

use super::alias;
use super::code::{Kernel, is_written};
use super::stream::{Use, unify};
use super::{Buffer, Code, Device, Tensor};
use crate::backend::Region;
use crate::kernel::{Arg, Form, KernelDef, Launch, Operand};
use crate::{Error, ErrorKind, Result, Scalar, Shape};

/// One argument of a kernel call.
pub enum LaunchArg<'a> {
    /// Elements that the kernel reads.
    Read(&'a Tensor),
    /// Elements that the kernel writes, and may read.
    Write(&'a mut Tensor),
    /// A value.
    Scalar(Scalar),
}

impl LaunchArg<'_> {
    fn tensor(&self) -> Option<&Tensor> {
        match self {
            Self::Read(tensor) => Some(tensor),
            Self::Write(tensor) => Some(tensor),
            Self::Scalar(_) => None,
        }
    }

    fn operand(&self) -> Operand {
        let tensor =
            |t: &Tensor, mutable| Operand::Tensor { dtype: t.dtype(), shape: t.shape(), mutable };
        match self {
            Self::Read(t) => tensor(t, false),
            Self::Write(t) => tensor(t, true),
            Self::Scalar(value) => Operand::Scalar(*value),
        }
    }
}

/// Runs a kernel on the default stream of the device that holds the tensors; asynchronous.
///
/// The domain of a map is the shape of its result, to which its inputs broadcast; a map may write
/// exactly the elements that it reads. That of a grid or group kernel is [`KernelDef::domain`].
///
/// # Errors
/// The arguments do not fit the parameters; tensors on two devices; no kernel for the device or
/// the element types; a tensor that is written overlaps another argument; the stream's failure.
pub fn launch(def: &'static KernelDef, args: &[LaunchArg<'_>]) -> Result<()> {
    let device = common_device(def.name, args)?;
    let kernel = choose(def, device, args)?;
    let operands: Vec<_> = args.iter().map(LaunchArg::operand).collect();
    kernel.def.check(kernel.instance, &operands)?;
    let code = device.code(kernel)?;
    let written = args.iter().find(|arg| matches!(arg, LaunchArg::Write(_)));
    let domain = match kernel.def.form {
        Form::Grid | Form::Group => kernel.def.domain(kernel.instance, &operands)?,
        _ => written.and_then(LaunchArg::tensor).map_or(Shape::scalar(), Tensor::shape),
    };
    alias::check(def.name, kernel.def.form, args.len(), |i| {
        let tensor = args[i].tensor()?;
        let written = matches!(args[i], LaunchArg::Write(_));
        let dense = tensor.shape() == domain;
        Some(alias::Argument { region: tensor.region(), written, dense })
    })?;
    if domain.elements() == 0 && kernel.def.form != Form::Host {
        return Ok(());
    }
    submit(device, &code, domain, args).map_err(|e| match e.kind() {
        ErrorKind::Shape => e.with("kernel", def.name),
        _ => e,
    })
}

fn common_device<'a>(name: &str, args: &'a [LaunchArg<'_>]) -> Result<&'a Device> {
    let mut tensors = args.iter().filter_map(LaunchArg::tensor);
    let Some(first) = tensors.next() else {
        let message = format!("`{name}` has no tensor argument that says on which device to run");
        return Err(Error::new(ErrorKind::InvalidArgument, message));
    };
    match tensors.find(|tensor| tensor.device() != first.device()) {
        None => Ok(first.device()),
        Some(other) => {
            let (here, there) = (first.device(), other.device().told_from(first.device()));
            let message = format!("`{name}` got tensors on {here} and on {there}");
            Err(Error::new(ErrorKind::Device, message).help("move one with `to_device`"))
        }
    }
}

/// The kernel for the device's backend and the tensors' element types.
fn choose(def: &'static KernelDef, device: &Device, args: &[LaunchArg<'_>]) -> Result<Kernel> {
    let backend = device.backend_name();
    let def = if def.devices.contains(&backend) { def } else { missing_here(def, device)? };
    let dtypes: Vec<_> = args.iter().filter_map(LaunchArg::tensor).map(Tensor::dtype).collect();
    Kernel::of(def, &dtypes)
}

fn missing_here(def: &'static KernelDef, device: &Device) -> Result<&'static KernelDef> {
    device.registry().kernel(def.name, device.backend_name()).map_err(|error| {
        if device.registry().kernels(def.name).is_ok() {
            return error.with("on", device);
        }
        let (name, known) = (def.name, def.devices.join(", "));
        let message = format!("no kernel `{name}` for device `{device}`; it exists for {known}");
        Error::new(ErrorKind::NotFound, message)
    })
}

fn submit(device: &Device, code: &Code, domain: Shape, args: &[LaunchArg<'_>]) -> Result<()> {
    let mut strides = Vec::new();
    if code.form() == Form::Map {
        for tensor in args.iter().filter_map(LaunchArg::tensor) {
            strides.push(broadcast_strides(tensor.shape(), domain)?);
        }
    }
    let mut strides = strides.iter().map(Option::as_deref);
    let mut uses = Vec::with_capacity(args.len());
    let mut resolved = Vec::with_capacity(args.len());
    for (arg, param) in args.iter().zip(code.params()) {
        resolved.push(match arg {
            LaunchArg::Scalar(value) => Arg::Scalar(*value),
            LaunchArg::Read(_) | LaunchArg::Write(_) => {
                let region: Region<'_, Buffer> =
                    arg.tensor().map(Tensor::region).expect("the argument is a tensor");
                uses.push(Use::new(region.memory, is_written(param)));
                let strides = strides.next().flatten();
                Arg::Slice { region: Buffer::resolve(region), strides }
            }
        });
    }
    unify(&mut uses);
    let launch = Launch { domain, args: &resolved };
    let stream = device.stream()?;
    stream.lane().submit(&uses, |b, s| b.launch(s, code.handle(), &launch)).map(drop)
}

/// The step along each dimension of `domain` for elements of `shape`; `None` if they are dense.
///
/// # Errors
/// [`ErrorKind::Shape`]: `shape` does not broadcast to `domain`.
pub(crate) fn broadcast_strides(shape: Shape, domain: Shape) -> Result<Option<Vec<usize>>> {
    if shape == domain {
        return Ok(None);
    }
    if shape.broadcast(&domain).ok() != Some(domain) {
        let message = format!("shape {shape} does not broadcast to {domain}");
        return Err(Error::new(ErrorKind::Shape, message));
    }
    let own = shape.strides();
    let missing = domain.len() - shape.len();
    let step = |d: usize| match d.checked_sub(missing) {
        Some(own_d) if shape[own_d] == domain[d] => own[own_d],
        _ => 0,
    };
    Ok(Some((0..domain.len()).map(step).collect()))
}
