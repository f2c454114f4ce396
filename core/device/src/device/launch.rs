//! A kernel call on tensors.

use super::stream::{Use, unify};
use super::{Buffer, Device, Tensor, TensorView, TensorViewMut};
use crate::backend::{self, Region};
use crate::kernel::{Arg, Form, Kernel, KernelDef, Operand, Param, ParamKind};
use ringwood_base::{DType, Error, ErrorKind, Result, Scalar, Shape, Shared, StridedShape};

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
    /// The elements, unless it is a value.
    fn view(&self) -> Option<TensorView<'_>> {
        match self {
            Self::Read(tensor) => Some(tensor.view()),
            Self::Write(tensor) => Some(tensor.view()),
            Self::View(view) => Some(*view),
            Self::ViewMut(view) => Some(view.as_view()),
            Self::Scalar(_) => None,
        }
    }

    /// All elements of a tensor, if it is one.
    fn tensor(&self) -> Option<&Tensor> {
        match self {
            Self::Read(tensor) => Some(tensor),
            Self::Write(tensor) => Some(tensor),
            _ => None,
        }
    }

    fn device(&self) -> Option<&Device> {
        self.tensor().map(Tensor::device).or_else(|| self.view().map(|view| view.device()))
    }

    fn dtype(&self) -> Option<DType> {
        self.tensor().map(Tensor::dtype).or_else(|| self.view().map(|view| view.dtype()))
    }

    fn region(&self) -> Option<Region<'_, Buffer>> {
        self.tensor().map(Tensor::region).or_else(|| self.view().map(|view| view.region()))
    }

    fn mutable(&self) -> bool {
        matches!(self, Self::Write(_) | Self::ViewMut(_))
    }

    fn operand(&self) -> Operand {
        match (self, self.view()) {
            (Self::Scalar(value), _) => Operand::Scalar(*value),
            (_, None) => unreachable!("what is no value has elements"),
            (_, Some(view)) => {
                let (dtype, shape) = (view.dtype(), view.shape());
                Operand::Tensor { dtype, shape, mutable: self.mutable() }
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
    let device = common_device(def.meta.name, args)?;
    let kernel = choose(def, device, args)?;
    let code = device.code(&kernel)?;
    code.check_count(args.len())?;
    let params = kernel.params();
    check_given(&kernel, args)?;
    let domain = domain(&kernel, args)?;
    let mut steps = Vec::new();
    for (i, (arg, param)) in args.iter().zip(params).enumerate() {
        let step =
            step(kernel.form(), arg, param, domain).map_err(|e| e.with("kernel", def.meta.name))?;
        if step.is_some() {
            steps.resize(i, None);
            steps.push(step);
        }
    }
    let mut uses = Vec::with_capacity(args.len());
    let resolved = args.iter().zip(params).enumerate().map(|(i, (arg, param))| {
        let (region, step) = match (arg, arg.region()) {
            (LaunchArg::Scalar(value), _) => return Arg::Scalar(*value),
            (_, region) => (region.expect("what is no value has elements"), steps.get(i)),
        };
        uses.push(Use::new(region.memory, param.kind.is_written()));
        let (region, step) = (Buffer::resolve(region), step.and_then(Option::as_ref));
        match (param.kind, step) {
            (ParamKind::View { .. }, Some(shape)) => Arg::View { region, shape },
            _ => Arg::Slice { region, strides: step.map(StridedShape::strides) },
        }
    });
    let launch = code.launch(domain, resolved)?;
    if domain.elements() == 0 && kernel.form() != Form::Host {
        return Ok(());
    }
    unify(&mut uses);
    device.stream()?.timeline().submit(&uses, |b, s| b.launch(s, &launch)).map(drop)
}

/// Checks what no [`Arg`] tells, and what the domain rests on: that what the kernel writes is not given
/// to read, and the ranks of views.
fn check_given(kernel: &Kernel, args: &[LaunchArg<'_>]) -> Result<()> {
    for (arg, param) in args.iter().zip(kernel.params()) {
        let to_read = matches!(arg, LaunchArg::Read(_) | LaunchArg::View(_));
        let (kind, why) = match param.kind {
            kind if kind.is_written() && to_read => {
                (ErrorKind::InvalidArgument, "is written, got a tensor to read".to_owned())
            }
            ParamKind::View { rank, .. } => {
                let misfit = |view: TensorView<'_>| view.strided().misfit(rank, false, usize::MAX);
                match arg.view().and_then(misfit) {
                    Some(why) => (ErrorKind::Shape, why),
                    None => continue,
                }
            }
            _ => continue,
        };
        let message = format!("kernel `{}`: `{}` {why}", kernel.name(), param.name);
        return Err(Error::new(kind, message));
    }
    Ok(())
}

fn domain(kernel: &Kernel, args: &[LaunchArg<'_>]) -> Result<Shape> {
    match kernel.form() {
        Form::Grid | Form::Group => {
            kernel.domain(&args.iter().map(LaunchArg::operand).collect::<Vec<_>>())
        }
        _ => {
            let written = args.iter().find(|arg| arg.mutable()).and_then(LaunchArg::view);
            Ok(written.map_or(Shape::scalar(), |view| view.shape()))
        }
    }
}

fn common_device<'a>(name: &str, args: &'a [LaunchArg<'_>]) -> Result<&'a Device> {
    let mut devices = args.iter().filter_map(LaunchArg::device);
    let Some(first) = devices.next() else {
        let message = format!("`{name}` has no tensor argument that says on which device to run");
        return Err(Error::invalid(message));
    };
    match devices.find(|device| *device != first) {
        None => Ok(first),
        Some(other) => {
            let (here, there) = (first, other.told_from(first));
            let message = format!("`{name}` got tensors on {here} and on {there}");
            Err(Error::device(message).help("move one with `to_device`"))
        }
    }
}

/// The kernel for the device's backend and the tensors' element types.
fn choose(def: &'static KernelDef, device: &Device, args: &[LaunchArg<'_>]) -> Result<Kernel> {
    let backend = device.backend_name();
    let def = match def.devices.contains(&backend) {
        true => Shared::Declared(def),
        false => taken_here(def, device, backend)?,
    };
    let dtypes: Vec<_> = args.iter().filter_map(LaunchArg::dtype).collect();
    Kernel::of(&def, &dtypes)
}

/// The item of the kernel that devices of a backend run which `def` does not name.
fn taken_here(
    def: &'static KernelDef,
    device: &Device,
    backend: &str,
) -> Result<Shared<KernelDef>> {
    let registry = device.registry();
    let found = backend::find_exact(registry, def.meta.package, def.meta.name, backend);
    let itself = || backend::serves(registry, def, backend).then_some(Shared::Declared(def));
    found.or_else(itself).ok_or_else(|| backend::missing(registry, def, backend, device.name()))
}

/// The steps of the elements of a view, or of a slice along each dimension of the domain of a map;
/// `None` if they are dense.
///
/// # Errors
/// [`ErrorKind::Shape`]: a slice of another kernel, or the result of a map, has gaps; the elements do
/// not broadcast.
fn step(
    form: Form,
    arg: &LaunchArg<'_>,
    param: &Param,
    domain: Shape,
) -> Result<Option<StridedShape>> {
    let is_view = matches!(param.kind, ParamKind::View { .. });
    let is_plain = |tensor: &Tensor| !is_view && (form != Form::Map || tensor.shape() == domain);
    if arg.tensor().is_some_and(is_plain) {
        return Ok(None);
    }
    let Some(view) = arg.view() else { return Ok(None) };
    let dense = view.strided().is_dense();
    if is_view {
        return Ok(Some(*view.strided()));
    }
    if form == Form::Map && !(dense && view.shape() == domain) && !param.kind.is_written() {
        return view.strided().broadcast(domain).map(Some);
    }
    if dense {
        return Ok(None);
    }
    let (name, shape) = (param.name, view.strided());
    let message = format!("`{name}` takes elements without gaps, got a view of {shape:?}");
    Err(Error::shape(message).help("declare it `View<T, R>`, or pass a copy"))
}

/// The step along each dimension of `domain` for elements of `shape`; `None` if they are dense.
///
/// # Errors
/// [`ErrorKind::Shape`]: `shape` does not broadcast to `domain`.
pub(super) fn broadcast_strides(shape: Shape, domain: Shape) -> Result<Option<Vec<usize>>> {
    if shape == domain {
        return Ok(None);
    }
    let steps = StridedShape::dense(shape).broadcast(domain)?;
    Ok(Some(steps.strides().to_vec()))
}
