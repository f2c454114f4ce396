//! Every kernel of the CPU for every list of element types: nanoseconds for each element of its largest tensor.
//!
//! `RINGWOOD_THREADS=1 cargo bench -p ringwood-kernels --bench kernels [-- NAME]` prints a line for each, or why not.

use ringwood_backend_cpu as _;
use ringwood_base::registry::Registry;
use ringwood_base::{DType, Error, Result, Scalar, Shape};
use ringwood_device::device::{Device, LaunchArg, Tensor, launch};
use ringwood_device::kernel::{Instance, KernelDef, KernelName, Param, ParamKind};
use ringwood_graph::graph::{Attribute, AttributeKind, Attributes, TensorType};
use ringwood_graph::lazy::Lazy;
use ringwood_graph::operator::{Application, AttributeDef, Operator};
use ringwood_kernels::lazy::Operations;
use std::time::{Duration, Instant};

/// An operand has at most two to this elements, where nothing else is said.
const POWER: usize = 14;
/// How long a kernel is run again and again.
const TIME: Duration = Duration::from_millis(10);

/// Symbols and attributes of operators, and the sizes of kernels that are no operator's.
const SIZES: &str = "
    convolution convolution_packed: b 1 e 32 d 1 h 16 w 16 g 1 f 32 i 1 j 3 k 3 q 16 r 16 padding_d 0
    max_pool mean_pool max_pool_grad mean_pool_grad: n 1 c 8 h 32 w 32 p 15 q 15 window 3 stride 2
    interpolate interpolate_rows: b... 1 t 16 k 2
    window_max window_argmax window_sum: n 1 c 8 d 1 h 32 w 32 q 32 r 32 j 3 k 3 padding_d 0
    fill: value 3
    int8_encode: y 4608
    int8_add: x 4608
    reproducible_decode_f32: y 8192
    reproducible_encode_f32: x 8192
    reproducible_encode_f64: x 4096
    reproducible_decode_f64: y 4096
";

fn main() -> Result<()> {
    let name = std::env::args().skip(1).find(|arg| arg != "--bench");
    let device = Device::named("cpu:0")?;
    for (_, def) in Registry::global()?.of::<KernelDef>() {
        let wanted = name.as_deref().is_none_or(|name| name == def.meta.name);
        for instance in def.instances.iter().filter(|_| wanted && def.devices.contains(&"cpu")) {
            let types = instance.params.iter().filter_map(|param| param.kind.dtype());
            let types: Vec<_> = types.map(DType::name).collect();
            let why = |e: Error| format!("not run: {}", e.message());
            let figure = measure(&device, def, instance).map_or_else(why, |ns| format!("{ns:.3}"));
            println!("{} {} {figure}", def.meta.name, types.join(","));
        }
    }
    Ok(())
}

/// Nanoseconds for an element of the largest tensor of a launch, at best.
fn measure(device: &Device, def: &'static KernelDef, instance: &'static Instance) -> Result<f64> {
    let kernel = def.meta.name;
    let name = KernelName { package: def.meta.package, name: kernel };
    let elements = instance.params.iter().filter_map(|p| Some((p, p.kind.dtype()?)));
    let mut operators = Registry::global()?.of::<Operator>();
    let Application { results: types, symbols } =
        match operators.find(|(_, o)| o.kernels.contains(&name)) {
            Some((_, operator)) => applied(operator, kernel, elements)?,
            None => {
                let shape = |p: &Param| Shape::vector(size(kernel, p.name).unwrap_or(1 << POWER));
                let types = elements.map(|(p, dtype)| TensorType { dtype, shape: shape(p) });
                Application { results: types.collect(), symbols: Vec::new() }
            }
        };
    let mut tensors = types.iter().map(|ty| tensor(device, ty)).collect::<Result<Vec<_>>>()?;
    let (mut next, mut args) = (tensors.iter_mut(), Vec::with_capacity(instance.params.len()));
    for Param { name, kind } in instance.params {
        args.push(match kind {
            ParamKind::Scalar(ty) => {
                let symbol = symbols.iter().find(|(symbol, _)| symbol == name);
                let number = symbol.map(|(_, extent)| *extent).or_else(|| size(kernel, name));
                LaunchArg::Scalar(Scalar::Usize(number.unwrap_or(1)).cast(*ty))
            }
            kind if kind.is_written() => LaunchArg::Write(next.next().expect("one for each")),
            _ => LaunchArg::Read(next.next().expect("one for each")),
        });
    }
    // A failure sticks to the stream.
    let stream = device.new_stream("sync")?;
    device.set_stream(&stream)?;
    let (begun, mut best) = (Instant::now(), Duration::MAX);
    while begun.elapsed() < TIME {
        let start = Instant::now();
        launch(def, &args)?;
        best = best.min(start.elapsed());
        stream.synchronize(TIME)?;
    }
    let most = types.iter().map(|ty| ty.shape.elements()).max().unwrap_or_default();
    Ok(best.as_secs_f64() * 1e9 / most as f64)
}

/// What [`SIZES`] says of a name of a kernel.
fn size(kernel: &str, name: &str) -> Option<usize> {
    let of_kernel = |(kernels, _): &(&str, &str)| kernels.split_whitespace().any(|k| k == kernel);
    let mut lines = SIZES.lines().filter_map(|line| line.split_once(": "));
    let mut words = lines.find(of_kernel)?.1.split(' ');
    words.find(|word| *word == name).and_then(|_| words.next()?.parse().ok())
}

/// The types of all parameters with elements, and the symbols, of an application of an operator.
fn applied<'p>(
    operator: &Operator,
    kernel: &str,
    elements: impl Iterator<Item = (&'p Param, DType)> + Clone,
) -> Result<Application> {
    let attribute = |def: &AttributeDef| {
        let AttributeKind::Scalar(ty) = def.kind else { return Err(unknown(def.name)) };
        let value = Scalar::Usize(size(kernel, def.name).unwrap_or(1)).cast(ty);
        Ok((def.name.to_owned(), Attribute::from(value)))
    };
    let attributes = operator.attributes.iter().map(attribute).collect::<Result<Attributes>>()?;
    let patterns = operator.shape.split("->").next().unwrap_or_default().split(',');
    let longest = patterns.clone().map(|p| p.split_whitespace().count()).max();
    let alike = 1 << (POWER / longest.unwrap_or(0).max(1));
    let extent = |word: &str| word.parse().ok().or_else(|| size(kernel, word)).unwrap_or(alike);
    let read = elements.clone().filter(|(param, _)| !param.kind.is_written());
    let operand = |(pattern, (_, dtype)): (&str, (_, DType))| {
        let extents: Vec<_> = pattern.split_whitespace().map(extent).collect();
        Ok(TensorType { dtype, shape: Shape::new(&extents)? })
    };
    let operands = patterns.zip(read).map(operand).collect::<Result<Vec<_>>>()?;
    let yields = operator.infer(&operands, &attributes)?;
    let (mut operands, mut results) = (operands.into_iter(), yields.results.into_iter());
    let types = elements.map(|(param, _)| {
        let next = if param.kind.is_written() { results.next() } else { operands.next() };
        next.ok_or_else(|| unknown(param.name))
    });
    Ok(Application { results: types.collect::<Result<_>>()?, symbols: yields.symbols })
}

fn unknown(name: &str) -> Error {
    Error::unsupported(format!("the bench does not know what `{name}` is"))
}

/// Small numbers: integers are indices of anything, too.
fn tensor(device: &Device, ty: &TensorType) -> Result<Tensor> {
    let numbers = (0..ty.shape.elements()).map(|i| (i * 7 % 61) as f32 / 64.0 + 0.25);
    let tensor = device.tensor_with(&numbers.collect::<Vec<_>>(), ty.shape)?;
    Lazy::of(tensor).cast(ty.dtype).tensor()
}
