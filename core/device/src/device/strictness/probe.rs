//! How a device computes with floating-point numbers, by trying.

use super::Strictness;
use super::cases::{self, Cases};
use crate::backend::queue::quarantine;
use crate::backend::{Handle, Region, Status};
use crate::device::hardware::Hardware;
use crate::device::{Device, lock};
use crate::kernel::{Arg, Code, Form, Kernel, KernelSpec, Param, ParamKind};
use ringwood_base::sync::atomic::Ordering;
use ringwood_base::{DType, Error, ErrorKind, Result, Shape};
use std::sync::mpsc::sync_channel;
use std::time::Duration;

/// How long a probe may take, with the start of the device's compiler.
const LIMIT: Duration = Duration::from_secs(120);

impl Device {
    /// How the device computes with floating-point numbers: found out by a small kernel that multiplies,
    /// adds, divides, takes roots and reaches subnormal numbers, once for the device. What its driver
    /// says counts too.
    ///
    /// # Errors
    /// The device cannot run the kernel.
    pub fn strictness(&self) -> Result<Strictness> {
        let hardware = self.hardware();
        hardware.reclaiming(|| known(hardware)).map_err(|e| {
            let message = format!("the arithmetic of device `{}` cannot be probed", self.name());
            Error::new(e.kind(), message).because(e)
        })
    }

    /// Runs strict kernels also if the device gives other bits than other devices do; without this
    /// they are refused. [`Device::strictness`] still says what it does.
    pub fn accept_approximate(&self) {
        self.hardware().strictness.cleared.store(true, Ordering::Release);
    }

    /// Refuses kernels with floating-point numbers on a device that would change their bits.
    pub(in crate::device) fn check_strict(&self, kernels: &[Kernel]) -> Result<()> {
        let cleared = &self.hardware().strictness.cleared;
        if cleared.load(Ordering::Acquire) || !kernels.iter().any(is_float) {
            return Ok(());
        }
        let Strictness::Approximate(flaws) = self.strictness()? else { return Ok(()) };
        let strict = |kernel: &&Kernel| is_float(kernel) && !is_relaxed(kernel);
        let Some(kernel) = kernels.iter().find(strict) else { return Ok(()) };
        let (name, flaws) = (kernel.name(), flaws.join(", "));
        Err(Error::unsupported(format!(
            "kernel `{name}` has the same bits on every device, but `{}` {flaws}",
            self.name()
        ))
        .help("run it on another device, or accept other bits with `Device::accept_approximate`"))
    }
}

/// Whether a kernel computes with floating-point numbers, as far as its IR tells. Those of 16 bits are
/// computed in `f32`.
fn is_float(kernel: &Kernel) -> bool {
    let float = |param: &Param| match param.kind {
        ParamKind::Slice { dtype, .. } | ParamKind::View { dtype, .. } => dtype.is_float(),
        ParamKind::Scalar(ty) => ty.is_float(),
    };
    let inside = |ir: ringwood_ir::Kernel| {
        ir.any(&|e| e.ty.is_float()) || ir.functions.iter().any(|f| f.result.is_float())
    };
    let spec = kernel.spec();
    spec.ir.is_some() && (kernel.params().iter().any(float) || spec.kernel().is_ok_and(inside))
}

/// Whether a kernel is declared to differ between devices.
fn is_relaxed(kernel: &Kernel) -> bool {
    kernel.spec().kernel().is_ok_and(|kernel| kernel.modes.relaxed)
}

/// What is known, or else is tried with the memory that there is: nobody waits for more meanwhile.
fn known(hardware: &Hardware) -> Result<Strictness> {
    let mut known = lock(&hardware.strictness.known);
    if let Some(strictness) = &*known {
        return Ok(strictness.clone());
    }
    let strictness = probe(hardware)?;
    if !matches!(strictness, Strictness::Approximate(_)) {
        hardware.strictness.cleared.store(true, Ordering::Release);
    }
    Ok(known.insert(strictness).clone())
}

fn probe(hardware: &Hardware) -> Result<Strictness> {
    let declared = &hardware.capabilities.approximate;
    let mut flaws = declared.clone();
    lock(&hardware.strictness.images).clear();
    for dtype in [DType::F32, DType::F64] {
        if !hardware.capabilities.dtypes.contains(&dtype) {
            continue;
        }
        let cases = Cases::new(dtype);
        match compile(hardware, dtype) {
            Ok(code) => {
                let found = cases.judge(&run(hardware, &code, &cases)?);
                // What a driver does not give is compiled in other processes, too.
                let images = hardware.backend.images(&code).unwrap_or_default();
                lock(&hardware.strictness.images).extend(images);
                flaws.extend(found.into_iter().filter(|flaw| !declared.contains(flaw)));
            }
            Err(error) if error.kind() == ErrorKind::Unsupported && flaws.is_empty() => {
                return Ok(Strictness::Native);
            }
            Err(error) => return Err(error),
        }
    }
    Ok(if flaws.is_empty() { Strictness::Strict } else { Strictness::Approximate(flaws) })
}

/// The kernel without native code, which a device that runs only that refuses.
fn compile(hardware: &Hardware, dtype: DType) -> Result<Code> {
    let ir = ringwood_ir::encode(&cases::kernel(dtype));
    let slice = |name, dtype, mutable| Param { name, kind: ParamKind::Slice { dtype, mutable } };
    let params = [
        slice("op", DType::U32, false),
        slice("x", dtype, false),
        slice("y", dtype, false),
        slice("z", dtype, false),
        slice("result", dtype, true),
    ];
    let spec = KernelSpec {
        ir: Some(&ir),
        file: file!(),
        line: line!(),
        ..KernelSpec::new("strictness", Form::Map, &params)
    };
    Ok(hardware.backend.compile(&hardware.handle, &[&Kernel::from(&spec)])?.remove(0))
}

fn whole(memory: &Handle, bytes: usize) -> Region<'_, Handle> {
    Region { memory, offset: 0, bytes }
}

/// The bytes of the results.
fn run(hardware: &Hardware, code: &Code, cases: &Cases) -> Result<Vec<u8>> {
    let backend = &hardware.backend;
    let kind = hardware.capabilities.stream_kinds.first().map_or("", |kind| kind.as_str());
    let stream = backend.stream(&hardware.handle, kind)?;
    let mut memories = Vec::new();
    let results = run_on(hardware, &stream, code, cases, &mut memories);
    if results.is_err() {
        // The device may still write there.
        let end = backend.record(&stream).or_else(|_| backend.record_failed(&stream));
        let backend = backend.clone();
        let over =
            move |end: &Handle| matches!(backend.poll(end), Status::Done | Status::Failed(_));
        quarantine(memories, move || end.as_ref().is_ok_and(&over));
    }
    results
}

/// As [`run`], on a stream; adds the memory that the stream uses, with its bytes.
fn run_on(
    hardware: &Hardware,
    stream: &Handle,
    code: &Code,
    cases: &Cases,
    memories: &mut Vec<(Handle, usize)>,
) -> Result<Vec<u8>> {
    let (backend, device) = (&*hardware.backend, &hardware.handle);
    for argument in cases.arguments() {
        let bytes = argument.len();
        let memory = backend.allocate(device, bytes)?;
        memories.push((memory.clone(), bytes));
        backend.write(stream, argument.into(), whole(&memory, bytes))?;
    }
    let bytes = cases.len() * cases.dtype.size();
    memories.push((backend.allocate(device, bytes)?, bytes));
    let mut args = Vec::new();
    for (memory, bytes) in &*memories {
        args.push(Arg::Slice { region: whole(memory, *bytes), strides: None });
    }
    let launch = code.launch(Shape::vector(cases.len()), args)?;
    let (send, receive) = sync_channel(1);
    backend.launch(stream, &launch)?;
    let sink = move |bytes: Result<&[u8]>| {
        let _ = send.send(bytes.map(<[u8]>::to_vec));
    };
    backend.read(stream, whole(&memories[4].0, bytes), Box::new(sink))?;
    let late = |_| Error::timeout(format!("no result after {LIMIT:?}"));
    receive.recv_timeout(LIMIT).map_err(late)?
}
