//! A kernel call on tensors.

use super::code::is_written;
use super::stream::{Use, unify};
use super::{Buffer, Code, Device, Tensor, TensorView, TensorViewMut, alias};
use crate::kernel::{self, Arg, Form, Kernel, KernelDef, Launch, Operand, Param, ParamKind};
use ringwood_base::registry::Entry;
use ringwood_base::{Error, ErrorKind, Result, Scalar, Shape, Shared, StridedShape};

/// One argument of a kernel call.
pub enum LaunchArg<'a> {
    /// Elements that the kernel reads.
    Read(&'a Tensor),
    /// Elements that the kernel writes, and may read.
    Write(&'a mut Tensor),
    /// Elements at steps that the kernel reads.
    View(TensorView<'a>),
    /// Elements at steps that the kernel writes, and may read.
    ViewMut(TensorViewMut<'a>),
    /// A value.
    Scalar(Scalar),
}

impl LaunchArg<'_> {
    fn view(&self) -> Option<TensorView<'_>> {
        match self {
            Self::Read(tensor) => Some(tensor.view()),
            Self::Write(tensor) => Some(tensor.view()),
            Self::View(view) => Some(*view),
            Self::ViewMut(view) => Some(view.as_view()),
            Self::Scalar(_) => None,
        }
    }

    fn mutable(&self) -> bool {
        matches!(self, Self::Write(_) | Self::ViewMut(_))
    }
}

/// An argument with its elements, if it has any.
#[derive(Clone, Copy)]
enum Given<'a> {
    Scalar(Scalar),
    Elements { view: TensorView<'a>, mutable: bool },
}

impl<'a> Given<'a> {
    fn of(arg: &'a LaunchArg<'_>) -> Self {
        match (arg, arg.view()) {
            (LaunchArg::Scalar(value), _) => Given::Scalar(*value),
            (_, Some(view)) => Given::Elements { view, mutable: arg.mutable() },
            (_, None) => unreachable!("what is no scalar has elements"),
        }
    }

    fn view(&self) -> Option<&TensorView<'a>> {
        match self {
            Given::Scalar(_) => None,
            Given::Elements { view, .. } => Some(view),
        }
    }

    fn operand(&self) -> Operand {
        match self {
            Given::Scalar(value) => Operand::Scalar(*value),
            Given::Elements { view, mutable } => {
                Operand::Tensor { dtype: view.dtype(), shape: view.shape(), mutable: *mutable }
            }
        }
    }
}

/// Runs a kernel on the default stream of the device that holds the tensors; asynchronous.
///
/// The domain of a map is the shape of its result, to which its inputs broadcast; a map may write
/// exactly the elements that it reads. That of a grid or group kernel is [`Kernel::domain`].
///
/// A slice takes a view whose elements have no gaps and are in order; the inputs of a map may be any
/// views.
///
/// # Errors
/// The arguments do not fit the parameters; tensors on two devices; no kernel for the device or
/// the element types; the memory from the first to the last element of a tensor or view that is
/// written overlaps that of another argument; the stream's failure.
pub fn launch(def: &'static KernelDef, args: &[LaunchArg<'_>]) -> Result<()> {
    let args: Vec<_> = args.iter().map(Given::of).collect();
    let device = common_device(def.name, &args)?;
    let kernel = choose(def, device, &args)?;
    let operands: Vec<_> = args.iter().map(Given::operand).collect();
    kernel.check(&operands)?;
    let code = device.code(&kernel)?;
    let written = args.iter().find(|arg| matches!(arg, Given::Elements { mutable: true, .. }));
    let domain = match kernel.form() {
        Form::Grid | Form::Group => kernel.domain(&operands)?,
        _ => written.and_then(Given::view).map_or(Shape::scalar(), TensorView::shape),
    };
    alias::check(def.name, kernel.form(), args.len(), |i| {
        let Given::Elements { view, mutable: written } = args[i] else { return None };
        let dense = view.shape() == domain && view.strided().is_dense();
        Some(alias::Argument { region: view.region(), written, dense })
    })?;
    if domain.elements() == 0 && kernel.form() != Form::Host {
        return Ok(());
    }
    submit(device, &code, domain, &args).map_err(|e| match e.kind() {
        ErrorKind::Shape => e.with("kernel", def.name),
        _ => e,
    })
}

fn common_device<'a>(name: &str, args: &[Given<'a>]) -> Result<&'a Device> {
    let mut devices = args.iter().filter_map(Given::view).map(TensorView::device);
    let Some(first) = devices.next() else {
        let message = format!("`{name}` has no tensor argument that says on which device to run");
        return Err(Error::new(ErrorKind::InvalidArgument, message));
    };
    match devices.find(|device| *device != first) {
        None => Ok(first),
        Some(other) => {
            let (here, there) = (first, other.told_from(first));
            let message = format!("`{name}` got tensors on {here} and on {there}");
            Err(Error::new(ErrorKind::Device, message).help("move one with `to_device`"))
        }
    }
}

/// The kernel for the device's backend and the tensors' element types.
fn choose(def: &'static KernelDef, device: &Device, args: &[Given<'_>]) -> Result<Kernel> {
    let backend = device.backend_name();
    let def = match def.devices.contains(&backend) {
        true => Shared::Declared(def),
        false => missing_here(def, device)?,
    };
    let dtypes: Vec<_> = args.iter().filter_map(Given::view).map(TensorView::dtype).collect();
    Kernel::of(&def, &dtypes)
}

fn missing_here(def: &KernelDef, device: &Device) -> Result<Shared<KernelDef>> {
    let (package, name) = (def.package, def.name);
    let found = kernel::find_exact(device.registry(), package, name, device.backend_name());
    found.ok_or_else(|| {
        let devices = known_devices(def, device);
        let known = devices.join(", ");
        let message = format!("no kernel `{name}` for device `{device}`; it exists for {known}");
        let error = Error::new(ErrorKind::NotFound, message)
            .with("declared at", format!("{}:{}", def.file, def.line));
        match kernel::unknown_backends(device.registry(), &devices) {
            Some(help) => error.help(help),
            None => error,
        }
    })
}

/// The backends that have the kernel: those that its items name.
fn known_devices(def: &KernelDef, device: &Device) -> Vec<&'static str> {
    let entries = device.registry().of_package::<KernelDef>(def.package, def.name);
    let registered = entries.iter().filter_map(Entry::item::<KernelDef>);
    let mut devices: Vec<_> =
        registered.chain([def]).flat_map(|def| def.devices).copied().collect();
    devices.sort_unstable();
    devices.dedup();
    devices
}

fn submit(device: &Device, code: &Code, domain: Shape, args: &[Given<'_>]) -> Result<()> {
    let of = |(arg, param): (&Given<'_>, &Param)| match (arg.view(), param.kind) {
        (Some(view), ParamKind::Slice { .. }) => steps(code.form(), view, param, domain),
        _ => Ok(None),
    };
    let steps = args.iter().zip(code.params()).map(of).collect::<Result<Vec<_>>>()?;
    let mut uses = Vec::with_capacity(args.len());
    let mut resolved = Vec::with_capacity(args.len());
    for ((arg, param), steps) in args.iter().zip(code.params()).zip(&steps) {
        resolved.push(match arg {
            Given::Scalar(value) => Arg::Scalar(*value),
            Given::Elements { view, .. } => {
                uses.push(Use::new(view.region().memory, is_written(param)));
                let region = Buffer::resolve(view.region());
                match param.kind {
                    ParamKind::View { .. } => Arg::View { region, shape: view.strided() },
                    _ => Arg::Slice { region, strides: steps.as_ref().map(StridedShape::strides) },
                }
            }
        });
    }
    unify(&mut uses);
    let launch = Launch { domain, args: &resolved };
    let stream = device.stream()?;
    stream.timeline().submit(&uses, |b, s| b.launch(s, code.handle(), &launch)).map(drop)
}

/// The steps of the elements of a slice along each dimension of the domain of a map; `None` if they
/// are dense.
///
/// # Errors
/// [`ErrorKind::Shape`]: a slice of another kernel, or the result of a map, has gaps; the elements do
/// not broadcast.
fn steps(
    form: Form,
    view: &TensorView<'_>,
    param: &Param,
    domain: Shape,
) -> Result<Option<StridedShape>> {
    let dense = view.strided().is_dense();
    if form == Form::Map && !(dense && view.shape() == domain) && !is_written(param) {
        return view.strided().broadcast(domain).map(Some);
    }
    if dense {
        return Ok(None);
    }
    let (name, shape) = (param.name, view.strided());
    let message = format!("`{name}` takes elements without gaps, got a view of {shape:?}");
    Err(Error::new(ErrorKind::Shape, message).help("declare it `View<T, R>`, or pass a copy"))
}

/// The step along each dimension of `domain` for elements of `shape`; `None` if they are dense.
///
/// # Errors
/// [`ErrorKind::Shape`]: `shape` does not broadcast to `domain`.
pub fn broadcast_strides(shape: Shape, domain: Shape) -> Result<Option<Vec<usize>>> {
    if shape == domain {
        return Ok(None);
    }
    let steps = StridedShape::dense(shape).broadcast(domain)?;
    Ok(Some(steps.strides().to_vec()))
}
