//! Launches of native code, on host memory.

use super::given::{Given, Slices};
use ringwood::kernel::{Fault, KernelSpec, NativeArg, NativeLaunch, NativeSlice, run_native};
use ringwood::{Result, Shape};
use ringwood_ir::interpret::Argument;
use ringwood_ir::{Type, Value};
use std::ops::Range;
use std::ptr::NonNull;

/// Memory of a slice, aligned for every type.
struct Memory {
    words: Vec<u64>,
    bytes: usize,
    ty: Type,
}

impl Memory {
    fn new(values: &[Value], ty: Type) -> Self {
        let bytes: Vec<u8> = values.iter().flat_map(|v| v.to_bytes()).collect();
        let word = |chunk: &[u8]| {
            let mut word = [0; 8];
            word[..chunk.len()].copy_from_slice(chunk);
            u64::from_ne_bytes(word)
        };
        Memory { words: bytes.chunks(8).map(word).collect(), bytes: bytes.len(), ty }
    }

    fn values(&self) -> Vec<Value> {
        let bytes: Vec<u8> = self.words.iter().flat_map(|w| w.to_ne_bytes()).collect();
        let size = Value::zero(self.ty).to_bytes().len();
        let value = |chunk| Value::from_bytes(self.ty, chunk).expect("the bytes of an element");
        bytes[..self.bytes].chunks_exact(size).map(value).collect()
    }

    /// The memory from one of its elements on.
    fn native<'a>(&'a mut self, first: usize, strides: Option<&'a [usize]>) -> NativeSlice<'a> {
        let before = first * Value::zero(self.ty).to_bytes().len();
        assert!(before <= self.bytes);
        let data = NonNull::from(self.words.as_mut_slice()).cast::<u8>();
        // SAFETY: the words are borrowed mutably for as long as the argument lives, hold that many
        // bytes and are aligned for every element; ranges run one after the other. So many bytes are in
        // front of the first element, and none of them is used.
        unsafe { NativeSlice::new(data.add(before), self.bytes - before, strides) }
    }
}

/// How a launch ended.
pub(crate) struct Ended {
    pub(crate) slices: Slices,
    /// Site, index and length of the first access out of bounds.
    pub(crate) fault: Option<(u32, usize, usize)>,
    /// Of each range.
    pub(crate) results: Vec<Result<()>>,
}

/// Runs the ranges of a launch one after the other; in bounds means without checks.
///
/// # Safety
/// If it is in bounds, no access of the launch is outside of its buffer.
pub(crate) unsafe fn run(
    spec: &KernelSpec<'_>,
    domain: Shape,
    args: &[Given],
    ranges: &[Range<usize>],
    in_bounds: bool,
) -> Ended {
    let memory = |given: &Given| Some(Memory::new(given.elements()?, given.ty));
    let mut memories: Vec<_> = args.iter().map(memory).collect();
    let shapes: Vec<_> = args.iter().map(Given::shape).collect();
    let each = memories.iter_mut().zip(args).zip(&shapes);
    let natives = each.map(|((memory, given), shape)| match (memory, &given.arg) {
        (Some(memory), Argument::View { .. }) => {
            NativeArg::View(memory.native(given.offset(), None), shape)
        }
        (Some(memory), _) => NativeArg::Slice(memory.native(0, given.strides.as_deref())),
        (None, Argument::Scalar(value)) => NativeArg::Scalar(*value),
        (None, other) => unreachable!("{other:?} has elements"),
    });
    let mut natives: Vec<_> = natives.collect();
    for (at, given) in args.iter().enumerate() {
        if let Some(same) = given.same {
            natives[at] = natives[same];
        }
    }
    let fault = Fault::default();
    let mut launch = NativeLaunch::new(domain, &natives, &fault);
    if in_bounds {
        // SAFETY: the caller's promise.
        launch = unsafe { launch.assume_in_bounds() };
    }
    // SAFETY: the arguments are for the parameters of the kernel, as its declaration has it.
    let run = |range: &_| unsafe { run_native(spec, &launch, Clone::clone(range)) };
    let results = ranges.iter().map(run).collect();
    let slice = |at: usize| Some(memories[args[at].same.unwrap_or(at)].as_ref()?.values());
    let slices = (0..args.len()).map(slice).collect();
    Ended { slices, fault: fault.get(), results }
}
