//! Launches of portable kernels on the first OpenCL device.

use super::scalar;
use super::values;
use ringwood::kernel::{Arg, KernelSpec, Launch};
use ringwood::{Error, ErrorKind, Result, Shape};
use ringwood_backend_opencl::{Code, OpenCl};
use ringwood_core::backend::{Backend, Region};
use ringwood_ir::Value;
use ringwood_ir::interpret::Argument;
use std::io::Write;
use std::sync::mpsc::channel;
use std::time::Duration;

/// The longest wait for a launch.
const WAIT: Duration = Duration::from_secs(60);

pub(crate) struct OnOpenCl(OpenCl);

type Memory = <OpenCl as Backend>::Memory;

impl OnOpenCl {
    /// `None` without a device, unless `RINGWOOD_REQUIRE` lists `opencl`.
    pub(crate) fn open() -> Option<Self> {
        match OpenCl::open() {
            Ok(opencl) => Some(Self(opencl)),
            Err(error) => {
                let required = std::env::var("RINGWOOD_REQUIRE").unwrap_or_default();
                assert!(!required.split(',').any(|name| name.trim() == "opencl"), "{error}");
                // The test harness captures `eprintln!` of a test that passes.
                let _ = writeln!(std::io::stderr(), "skipped: {error}");
                None
            }
        }
    }

    pub(crate) fn compile(&self, spec: KernelSpec<'_>) -> Result<Code> {
        let device = &self.0.devices()?[0];
        Ok(self.0.compile(device, &[spec])?.swap_remove(0))
    }

    /// The slices after a launch, and whether an access was out of bounds.
    pub(crate) fn run(
        &self,
        code: &Code,
        domain: &[usize],
        args: &[Argument],
    ) -> Result<(Vec<Option<Vec<Value>>>, bool)> {
        let device = &self.0.devices()?[0];
        let stream = self.0.stream(device, "queue")?;
        let mut memories = Vec::new();
        for arg in args {
            let Argument::Slice(elements) = arg else {
                memories.push(None);
                continue;
            };
            let bytes = values::to_bytes(elements);
            let memory = self.0.allocate(device, bytes.len())?;
            let count = bytes.len();
            self.0.write(&stream, bytes.into(), region(&memory, count))?;
            memories.push(Some((memory, count)));
        }
        let arg = |(arg, memory): (&Argument, _)| match (arg, memory) {
            (_, &Some((ref memory, bytes))) => {
                Arg::Slice { region: region(memory, bytes), strides: None }
            }
            (Argument::Scalar(value), None) => Arg::Scalar(scalar(*value)),
            (other, None) => panic!("{other:?} is no argument of these kernels"),
        };
        let launched: Vec<_> = args.iter().zip(&memories).map(arg).collect();
        let launch = Launch { domain: Shape::new(domain)?, args: &launched };
        self.0.launch(&stream, code, &launch)?;
        let outside = match self.0.block(&self.0.record(&stream)?, WAIT) {
            Err(error) if error.kind() == ErrorKind::OutOfBounds => true,
            other => other.map(|()| false)?,
        };
        // A stream that failed takes no more work.
        let reader = self.0.stream(device, "queue")?;
        let read = |(memory, bytes): &(Memory, usize)| {
            let (sender, receiver) = channel();
            let sink = move |read: Result<&[u8]>| {
                let _ = sender.send(read.map(<[u8]>::to_vec));
            };
            self.0.read(&reader, region(memory, *bytes), Box::new(sink))?;
            let late = |_| Error::new(ErrorKind::Timeout, "a read did not end");
            receiver.recv_timeout(WAIT).map_err(late)?
        };
        let mut slices = Vec::new();
        for (memory, arg) in memories.iter().zip(args) {
            slices.push(match (memory, arg) {
                (Some(memory), Argument::Slice(elements)) => {
                    Some(values::from_bytes(elements[0].ty(), &read(memory)?))
                }
                _ => None,
            });
        }
        Ok((slices, outside))
    }
}

fn region(memory: &Memory, bytes: usize) -> Region<'_, Memory> {
    Region { memory, offset: 0, bytes }
}
