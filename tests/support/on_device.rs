//! Launches of portable kernels on the first device of a backend.

use super::given::{Given, Slices};
use ringwood::kernel::{Arg, Code, KernelSpec};
use ringwood::{Error, ErrorKind, Result, Shape};
use ringwood_core::backend::{Backend, Region, Registered};
use ringwood_ir::interpret::Argument;
use ringwood_ir::{Type, Value};
use std::io::Write;
use std::sync::mpsc::channel;
use std::time::Duration;

/// The longest wait for a launch.
const WAIT: Duration = Duration::from_secs(60);

/// Elements in front of each slice and behind it, which stay as they are.
const PAD: usize = 3;

pub(crate) struct OnDevice<B: Backend> {
    backend: B,
    stream: B::Stream,
}

/// Memory of a slice, and its bytes with those of the pads.
struct Slice<M> {
    memory: M,
    bytes: Vec<u8>,
    ty: Type,
}

impl<B: Backend> OnDevice<B> {
    /// `None` without a device, unless `RINGWOOD_REQUIRE` lists the backend.
    pub(crate) fn open() -> Option<Self>
    where
        B: Registered,
    {
        match B::open().and_then(Self::new) {
            Ok(device) => Some(device),
            Err(error) => {
                let required = std::env::var("RINGWOOD_REQUIRE").unwrap_or_default();
                assert!(!required.split(',').any(|name| name.trim() == B::NAME), "{error}");
                // The test harness captures `eprintln!` of a test that passes.
                let _ = writeln!(std::io::stderr(), "skipped: {error}");
                None
            }
        }
    }

    fn new(backend: B) -> Result<Self> {
        let stream = Self::stream(&backend)?;
        Ok(Self { backend, stream })
    }

    fn stream(backend: &B) -> Result<B::Stream> {
        let device = &backend.devices()?[0];
        backend.stream(device, &backend.capabilities(device).stream_kinds[0])
    }

    pub(crate) fn compile(&self, spec: KernelSpec<'_>) -> Result<Code<B::Code>> {
        let device = &self.backend.devices()?[0];
        Code::compile(&self.backend, device, &spec)
    }

    /// The slices after a launch, and whether an access was out of bounds.
    ///
    /// # Errors
    /// The launch was refused, or failed; or it wrote next to a slice.
    pub(crate) fn run(
        &mut self,
        code: &Code<B::Code>,
        domain: Shape,
        args: &[Given],
    ) -> Result<(Slices, bool)> {
        let slices: Vec<_> = args.iter().map(|given| self.slice(given)).collect::<Result<_>>()?;
        let shapes: Vec<_> = args.iter().map(Given::shape).collect();
        let launched = args.iter().enumerate().map(|(at, given)| {
            match (&given.arg, &slices[given.same.unwrap_or(at)]) {
                (Argument::View { .. }, Some(slice)) => {
                    Arg::View { region: slice.region(given.offset()), shape: &shapes[at] }
                }
                (_, Some(slice)) => {
                    Arg::Slice { region: slice.region(0), strides: given.strides.as_deref() }
                }
                (Argument::Scalar(value), None) => Arg::Scalar(*value),
                (other, None) => unreachable!("{other:?} has elements"),
            }
        });
        self.backend.launch(&self.stream, &code.launch(domain, launched)?)?;
        let event = self.backend.record(&self.stream);
        let outside = match event.and_then(|event| self.backend.block(&event, WAIT)) {
            Err(error) if error.kind() == ErrorKind::OutOfBounds => true,
            other => other.map(|()| false)?,
        };
        if outside {
            // A stream that failed takes no more work.
            self.stream = Self::stream(&self.backend)?;
        }
        let read = |at: usize| match &slices[args[at].same.unwrap_or(at)] {
            Some(slice) => self.read(slice).map(Some),
            None => Ok(None),
        };
        Ok(((0..args.len()).map(read).collect::<Result<_>>()?, outside))
    }

    /// Memory with the elements of an argument, unless it is a scalar.
    fn slice(&self, given: &Given) -> Result<Option<Slice<B::Memory>>> {
        let Some(elements) = given.elements() else { return Ok(None) };
        let pad = vec![85; PAD * given.ty.size()];
        let elements = elements.iter().flat_map(|v| v.to_bytes()).collect();
        let bytes = [pad.clone(), elements, pad].concat();
        let memory = self.backend.allocate(&self.backend.devices()?[0], bytes.len())?;
        let whole = Region { memory: &memory, offset: 0, bytes: bytes.len() };
        self.backend.write(&self.stream, bytes.clone().into(), whole)?;
        Ok(Some(Slice { memory, bytes, ty: given.ty }))
    }

    /// The elements of a slice.
    fn read(&self, slice: &Slice<B::Memory>) -> Result<Vec<Value>> {
        let (sender, receiver) = channel();
        let sink = move |read: Result<&[u8]>| {
            let _ = sender.send(read.map(<[u8]>::to_vec));
        };
        let whole = Region { memory: &slice.memory, offset: 0, bytes: slice.bytes.len() };
        self.backend.read(&self.stream, whole, Box::new(sink))?;
        let late = |_| Error::timeout("a read did not end");
        let bytes = receiver.recv_timeout(WAIT).map_err(late)??;
        let inside = slice.inside();
        if [0..inside.start, inside.end..bytes.len()]
            .into_iter()
            .any(|r| bytes[r.clone()] != slice.bytes[r])
        {
            return Err(Error::out_of_bounds("a kernel wrote next to a slice"));
        }
        let value = |chunk| Value::from_bytes(slice.ty, chunk).expect("the bytes of an element");
        Ok(bytes[inside].chunks_exact(slice.size()).map(value).collect())
    }
}

impl<M> Slice<M> {
    fn size(&self) -> usize {
        Value::zero(self.ty).to_bytes().len()
    }

    /// The bytes between the pads.
    fn inside(&self) -> std::ops::Range<usize> {
        PAD * self.size()..self.bytes.len() - PAD * self.size()
    }

    /// The memory from one of the elements on.
    fn region(&self, first: usize) -> Region<'_, M> {
        let mut inside = self.inside();
        inside.start += first * self.size();
        Region { memory: &self.memory, offset: inside.start, bytes: inside.len() }
    }
}
