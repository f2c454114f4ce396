//! Lazy tensors: ordinary Rust that records one program.
//!
//! A [`Lazy`] is a tensor whose operations run at once, or are recorded if they are part of a [`jit`] function. What is
//! recorded is a [`Graph`](crate::graph::Graph), and nothing else: it is planned once for each signature of the
//! arguments, and later calls only run.
//!
//! | item | what |
//! |---|---|
//! | [`Lazy`] | a tensor: ready, recorded, or failed |
//! | [`Tensors`] | structs of tensors: arguments and results of functions |
//! | [`jit`] | a function that is recorded, planned and kept |
//! | [`grad`], [`value_and_grad`], [`recompute`] | the gradient of a function of tensors |
//! | [`Ranks`] | who takes part in collectives, and how |
//! | [`default_device`], [`set_default_device`] | where new tensors are |

mod apply;
mod cache;
mod collective;
mod create;
mod devices;
mod gradient;
mod jit;
mod ops;
mod program;
mod ready;
mod signature;
mod stats;
mod step;
mod tensors;
mod trace;

pub use crate::graph::Ranks;
pub use apply::IntoOperand;
pub use cache::set_limit;
pub use devices::{default_device, devices, set_default_device, set_fallback, with_default_device};
pub use gradient::{grad, recompute, value_and_grad};
pub use jit::{IntoTensors, Jit, jit};
pub use ringwood_schedule::{Order, ReduceOp};
pub use stats::{JitStats, Stats, stats};
pub use tensors::{Configuration, Static, Tensors, Visitor};

use crate::graph::TensorType;
use ready::Ready;
use ringwood_base::{DType, Element, Error, Result, Shape};
use ringwood_device::device::{Device, Tensor};
use std::cell::Cell;
use std::fmt;
use std::panic::Location;
use std::sync::Arc;
use trace::Traced;

/// The line of a program that an operation stands in.
pub(crate) type Line = &'static Location<'static>;

/// A tensor whose operations are recorded inside of [`jit`], and run at once elsewhere.
///
/// A clone is another handle to the same value, and values never change. Operations return a tensor and no
/// [`Result`], so that expressions read as mathematics: shapes and element types are checked when the line runs, and
/// what is wrong is kept, with the line, by the tensor and by everything that is computed of it, until [`Lazy::to_vec`],
/// [`Lazy::shape`] or the end of a `jit` call return it.
///
/// ```
/// # use ringwood_backend_cpu as _;
/// # mod operators {
/// #     use ringwood_device::kernel;
/// #     /// x * x
/// #     #[kernel(map, device = cpu)]
/// #     pub fn lazy_square(x: f32) -> f32 { x * x }
/// #     ringwood_graph::register_operator! { pub LazySquare = lazy_square; shape: "... -> ..." }
/// # }
/// use ringwood_graph::lazy::Lazy;
///
/// let x = Lazy::new(&[2, 2], &[1.0_f32, 2.0, 3.0, 4.0]);
/// let y = x.apply("lazy_square", &[], ());
/// assert_eq!(y.to_vec::<f32>()?, [1.0, 4.0, 9.0, 16.0]);
///
/// let wrong = x.apply("lazy_square", &[&y], ());
/// assert!(wrong.to_vec::<f32>().unwrap_err().to_string().contains("lazy_square"));
/// # Ok::<(), ringwood_base::Error>(())
/// ```
#[derive(Clone)]
pub struct Lazy {
    state: Arc<State>,
}

/// What a tensor is.
pub(crate) enum State {
    /// Elements on a device.
    Ready(Ready),
    /// A type and a device, and no elements.
    Empty(TensorType, Device),
    /// A value of a program that is being recorded.
    Traced(Traced),
    /// What went wrong.
    Failed(Error),
}

impl Lazy {
    fn with_state(state: State) -> Self {
        Self { state: Arc::new(state) }
    }

    fn ready(tensor: Tensor) -> Self {
        Self::with_state(State::Ready(Ready::new(tensor, false)))
    }

    fn failed(error: Error) -> Self {
        Self::with_state(State::Failed(error))
    }

    /// The tensor that an operation gives, or its failure with the line.
    fn or_failed(result: Result<Self>, line: Line) -> Self {
        result.unwrap_or_else(|error| Self::failed(at(error, line)))
    }

    /// A tensor, or one that keeps an error, with the line of the caller unless it names one.
    #[track_caller]
    pub fn of_result(result: Result<Lazy>) -> Lazy {
        Self::or_failed(result, Location::caller())
    }

    /// The failure, if the tensor or something that it was computed of has failed.
    pub fn error(&self) -> Option<&Error> {
        match &*self.state {
            State::Failed(error) => Some(error),
            _ => None,
        }
    }

    /// The element type and the shape; nothing runs.
    ///
    /// # Errors
    /// The failure that the tensor keeps.
    pub fn tensor_type(&self) -> Result<TensorType> {
        match &*self.state {
            State::Ready(ready) => Ok(ready.ty),
            State::Empty(ty, _) => Ok(*ty),
            State::Traced(traced) => Ok(traced.ty),
            State::Failed(error) => Err(error.clone()),
        }
    }

    /// The shape; nothing runs.
    ///
    /// # Errors
    /// The failure that the tensor keeps.
    pub fn shape(&self) -> Result<Shape> {
        self.tensor_type().map(|ty| ty.shape)
    }

    /// The element type; nothing runs.
    ///
    /// # Errors
    /// The failure that the tensor keeps.
    pub fn dtype(&self) -> Result<DType> {
        self.tensor_type().map(|ty| ty.dtype)
    }

    /// The device; nothing runs. A constant inside of a trace is on that of the trace.
    ///
    /// # Errors
    /// The failure that the tensor keeps.
    pub fn device(&self) -> Result<Device> {
        match &*self.state {
            State::Ready(ready) => Ok(ready.device.clone()),
            State::Empty(_, device) => Ok(device.clone()),
            State::Traced(traced) => Ok(traced.trace.device_of(traced)),
            State::Failed(error) => Err(error.clone()),
        }
    }

    /// Whether there are elements to read: a placeholder, a value inside of a trace and a failure have none.
    pub fn has_value(&self) -> bool {
        matches!(*self.state, State::Ready(_))
    }

    /// Gives the tensor another value of the same type; clones keep theirs.
    ///
    /// # Errors
    /// A placeholder or value of another type; the failure of either.
    #[track_caller]
    pub fn assign(&mut self, value: &Lazy) -> Result<()> {
        let (want, got) = (self.tensor_type()?, value.tensor_type()?);
        if want != got {
            let message = format!("a tensor of type {want} is given a value of type {got}");
            return Err(at(Error::shape(message), Location::caller()));
        }
        self.state = value.state.clone();
        Ok(())
    }

    /// The elements in row-major order, after the work that computes them.
    ///
    /// # Errors
    /// The failure that the tensor keeps, or that of the work; another element type; the tensor is a placeholder, or
    /// the value is read inside of a trace, or is one of a trace that has ended: the error names the line.
    #[track_caller]
    pub fn to_vec<T: Element>(&self) -> Result<Vec<T>> {
        self.read(Location::caller(), Tensor::to_vec)
    }

    /// The only element.
    ///
    /// # Errors
    /// There is not exactly one element; otherwise as [`Lazy::to_vec`].
    #[track_caller]
    pub fn item<T: Element>(&self) -> Result<T> {
        self.read(Location::caller(), Tensor::item)
    }

    /// The bytes of the elements in row-major order.
    ///
    /// # Errors
    /// As [`Lazy::to_vec`].
    #[track_caller]
    pub fn to_bytes(&self) -> Result<Vec<u8>> {
        self.read(Location::caller(), Tensor::to_bytes)
    }

    /// A copy of the elements as a device tensor.
    ///
    /// # Errors
    /// As [`Lazy::to_vec`].
    #[track_caller]
    pub fn tensor(&self) -> Result<Tensor> {
        self.read(Location::caller(), |tensor| cache::with_memory(|| tensor.duplicate()))
    }

    fn read<T>(&self, line: Line, read: impl FnOnce(&Tensor) -> Result<T>) -> Result<T> {
        match &*self.state {
            State::Failed(error) => return Err(error.clone()),
            State::Ready(ready) if trace::current().is_none() => {
                return ready.with(read).map_err(|e| at(e, line));
            }
            State::Empty(ty, _) => {
                let error = Error::invalid(format!("a placeholder of type {ty} has no value"));
                return Err(at(error.help("give it one with `assign`"), line));
            }
            State::Traced(traced) => traced.trace.lock().check_open().map_err(|e| at(e, line))?,
            State::Ready(_) => {}
        }
        let error = Error::invalid("a value is read inside of a trace");
        Err(at(error.help("return it from the function, and read it after the call"), line))
    }

    /// The same value on another device: itself if it is there, else a copy.
    #[track_caller]
    #[must_use]
    pub fn to_device(&self, device: &Device) -> Lazy {
        let moved = match &*self.state {
            State::Failed(_) => return self.clone(),
            // What a gradient outside of `jit` is not given is a constant there.
            State::Ready(ready) if trace::current().is_none_or(|trace| trace.lifts) => {
                if ready.device == *device {
                    return self.clone();
                }
                let copy = || ready.with(|tensor| tensor.to_device(device));
                cache::with_memory(copy).map(Self::ready)
            }
            State::Empty(ty, _) => Ok(Self::with_state(State::Empty(*ty, device.clone()))),
            State::Ready(_) => Err(trace::captured()),
            State::Traced(traced) => traced.trace.copy(traced, device, Location::caller()),
        };
        Self::or_failed(moved, Location::caller())
    }
}

thread_local! {
    /// The line of what this thread runs in [`as_caller`].
    static CALLED: Cell<Option<Line>> = const { Cell::new(None) };
}

/// Runs `f`; what goes wrong in it is said to be of the caller's line. For functions with `#[track_caller]`, which does
/// not reach the closures in them.
///
/// ```
/// use ringwood_graph::lazy::{Tensors, as_caller};
///
/// #[track_caller]
/// fn total<T: Tensors>(a: T, b: &T) -> T {
///     as_caller(|| a.zip(b, |a, b| a + b))
/// }
/// ```
#[track_caller]
pub fn as_caller<R>(f: impl FnOnce() -> R) -> R {
    struct Restored(Option<Line>);
    impl Drop for Restored {
        fn drop(&mut self) {
            CALLED.set(self.0);
        }
    }
    let before = Restored(CALLED.get());
    CALLED.set(before.0.or(Some(Location::caller())));
    f()
}

/// The line of what this thread runs in [`as_caller`], else this one.
fn called(line: Line) -> Line {
    CALLED.get().unwrap_or(line)
}

/// The error with the line, unless it names one.
fn at(error: Error, line: Line) -> Error {
    match error.get("at") {
        Some(_) => error,
        None => error.with("at", called(line)),
    }
}

/// `f32[2, 3] on cpu:0`, and its elements are not read.
impl fmt::Debug for Lazy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &*self.state {
            State::Ready(ready) => write!(f, "Lazy({} on {})", ready.ty, ready.device),
            State::Empty(ty, device) => write!(f, "Lazy({ty} on {device}, without a value)"),
            State::Traced(traced) => {
                write!(f, "Lazy({}: {}, recorded)", traced.value.id(), traced.ty)
            }
            State::Failed(error) => write!(f, "Lazy(failed: {error})"),
        }
    }
}
