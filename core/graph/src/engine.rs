//! Who runs the collectives of programs.

use crate::graph::Collective;
use ringwood_base::{Error, Result};
use ringwood_device::device::Tensor;
use std::cell::RefCell;
use std::rc::Rc;
use std::thread::LocalKey;

/// A rank of a group, as the collectives of a program need it; a worker of a session is one, and [`Alone`].
pub trait Engine {
    /// This rank's number, and the number of ranks: of all, or of the group of this one.
    fn place(&self, group: bool) -> (usize, usize);

    /// Compares what all ranks are about to run, before a program's first run; a program that was compared before is
    /// known by its number.
    ///
    /// # Errors
    /// Ranks differ: every one gets the same error, which names the first collective that does.
    fn agree(&self, program: &Agreement) -> Result<()>;

    /// Runs a collective; with no input, on the elements of the output. Returns when the output is there.
    ///
    /// # Errors
    /// That of the collective.
    fn run(&self, call: &Collective, input: Option<&Tensor>, output: &mut Tensor) -> Result<()>;
}

/// What the ranks that run a program have to have alike.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Agreement {
    /// Whether groups run it for themselves: none of its collectives is of all ranks.
    pub group: bool,
    /// A number that other sequences do not have, but for a chance of 2^-64.
    pub fingerprint: u64,
    /// Its collectives in their order, each with the type of its operand.
    pub calls: Vec<String>,
}

thread_local! {
    static HERE: RefCell<Vec<Rc<dyn Engine>>> = const { RefCell::new(Vec::new()) };
}

/// Runs a function in which programs of this thread have an engine for their collectives.
pub fn with_engine<T>(engine: Rc<dyn Engine>, f: impl FnOnce() -> T) -> T {
    within(&HERE, engine, f)
}

/// Runs a function in which a value is the last one of a list of this thread.
pub(crate) fn within<V, T>(
    list: &'static LocalKey<RefCell<Vec<V>>>,
    value: V,
    f: impl FnOnce() -> T,
) -> T {
    struct Inside<V: 'static>(&'static LocalKey<RefCell<Vec<V>>>);
    impl<V> Drop for Inside<V> {
        fn drop(&mut self) {
            self.0.with_borrow_mut(Vec::pop);
        }
    }
    list.with_borrow_mut(|list| list.push(value));
    let _inside = Inside(list);
    f()
}

/// The engine of this thread, if there is one.
pub(crate) fn find() -> Option<Rc<dyn Engine>> {
    HERE.with_borrow(|here| here.last().cloned())
}

/// The place of a rank among all, and in its group.
#[cfg(feature = "lazy")]
pub(crate) type Places = [(usize, usize); 2];

/// The places of the rank that this thread is, if it is one.
#[cfg(feature = "lazy")]
pub(crate) fn places() -> Option<Places> {
    find().map(|engine| [false, true].map(|group| engine.place(group)))
}

/// The engine of this thread.
pub(crate) fn current() -> Result<Rc<dyn Engine>> {
    find().ok_or_else(|| {
        Error::unavailable("a collective needs ranks, and this thread is none").help(
            "call it inside of a `#[global_fn]`; `with_engine(Rc::new(Alone), …)` is a single rank",
        )
    })
}

/// The only rank of a group: what it merges and gathers is its own.
///
/// ```
/// # use ringwood_backend_cpu as _;
/// use ringwood_graph::engine::{Alone, with_engine};
/// use ringwood_graph::lazy::Lazy;
/// use ringwood_schedule::ReduceOp;
/// use std::rc::Rc;
///
/// let x = Lazy::new(&[2], &[1.0_f32, 2.0]);
/// let sum = with_engine(Rc::new(Alone), || x.all_reduce(ReduceOp::Sum));
/// assert_eq!(sum.to_vec::<f32>()?, [1.0, 2.0]);
/// assert!(x.all_reduce(ReduceOp::Sum).error().unwrap().to_string().contains("needs ranks"));
/// # Ok::<(), ringwood_base::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct Alone;

impl Engine for Alone {
    fn place(&self, _: bool) -> (usize, usize) {
        (0, 1)
    }

    fn agree(&self, _: &Agreement) -> Result<()> {
        Ok(())
    }

    fn run(&self, _: &Collective, input: Option<&Tensor>, output: &mut Tensor) -> Result<()> {
        // What replaces its elements leaves them.
        match input.filter(|input| !input.is_empty()) {
            Some(input) => input.device().stream()?.copy(input.region(), output.region()),
            None => Ok(()),
        }
    }
}
