//! Models on workers: created, given inputs, run and fetched by calls.

use super::{DRef, HostTensor, IntoArgument, Session, Worker};
use ringwood_base::registry::Entry;
use ringwood_base::{Error, Result};
use ringwood_device::device::Tensor;
use ringwood_graph::graph::{Graph, Model, TensorType};
use ringwood_session::global_fn;
use std::collections::{BTreeMap, HashMap};
use std::sync::atomic::{AtomicI64, Ordering};

/// A model on some workers of a session, each with its device and its inputs.
///
/// All calls are asynchronous, as calls of functions are; what fails on a worker shows when a result of it is
/// asked for. A session that was started again has no models of before: their calls are errors.
///
/// Equivalent to a module of TVM's graph executor behind a Disco session.
///
/// ```
/// use ringwood_base::DType;
/// use ringwood_graph::graph::Graph;
/// use ringwood_session::{HostTensor, Session};
/// # use {ringwood_backend_cpu as _, ringwood_kernels as _};
///
/// let mut graph = Graph::new();
/// let x = graph.open_input("x", DType::F32, &["n".into()])?;
/// let y = graph.apply("neg", &[x])?;
/// graph.output("y", y)?;
///
/// let session = Session::threads(3)?;
/// let model = session.model(&graph, &[0, 2])?;
/// model.set("x", &HostTensor::new(&[2], &[1.0_f32, 2.0])?)?;
/// model.run()?;
/// let y = model.fetch("y")?;
/// assert_eq!(y.get(2)?.to_vec::<f32>()?, [-1.0, -2.0]);
/// assert!(y.get(1).is_err()); // not among the workers
/// # Ok::<(), ringwood_base::Error>(())
/// ```
pub struct SessionModel<'s> {
    session: &'s Session,
    /// Its number, on every worker; the error of a worker that could not make it.
    id: DRef<i64>,
}

impl Session {
    /// Makes a model of a graph on these workers, with the values that its parameters have.
    ///
    /// # Errors
    /// There is no such worker; the graph is not serialisable; as [`Session::call`].
    pub fn model(&self, graph: &Graph, workers: &[usize]) -> Result<SessionModel<'_>> {
        static NEXT: AtomicI64 = AtomicI64::new(0);
        if let Some(worker) = workers.iter().find(|worker| **worker >= self.workers()) {
            let message = format!("there is no worker {worker}; there are {}", self.workers());
            return Err(Error::not_found(message));
        }
        let id = NEXT.fetch_add(1, Ordering::Relaxed);
        let text = serde_json::to_string(graph)
            .map_err(|e| Error::invalid("the graph cannot be sent").because(e))?;
        let workers: Vec<_> = workers.iter().map(|&worker| worker as i64).collect();
        // The graph is a tensor of bytes: as text it would have a bound.
        let text = HostTensor::new(&[text.len()], text.as_bytes())?;
        let id = model_create::call(self, id, workers, text)?;
        // Workers forget the model if a weight does not get to them.
        let model = SessionModel { session: self, id };
        for (name, ty, bytes) in graph.weights() {
            let value = HostTensor::from_bytes(ty.dtype, ty.shape, bytes.clone())?;
            model_weight::call(self, &model.id, name, value)?;
        }
        Ok(model)
    }
}

impl SessionModel<'_> {
    /// Gives an input its value for the runs that follow: one tensor, or what each worker holds. Where that
    /// fails, the input has none.
    ///
    /// # Errors
    /// As [`Session::call`].
    pub fn set(&self, name: &str, value: impl IntoArgument<Tensor>) -> Result<DRef<()>> {
        // A value that has failed keeps the worker from the call, and from the value before.
        model_unset::call(self.session, &self.id, name)?;
        model_set::call(self.session, &self.id, name, value)
    }

    /// Runs on the inputs that were set.
    ///
    /// # Errors
    /// As [`Session::call`]; those of [`Model::run`] when the result is waited for.
    pub fn run(&self) -> Result<DRef<()>> {
        model_run::call(self.session, &self.id)
    }

    /// An output of the last run, on each worker that has the model.
    ///
    /// # Errors
    /// As [`Session::call`]; there is no such output, or no run was without an error, when the result is asked
    /// for.
    pub fn fetch(&self, name: &str) -> Result<DRef<HostTensor>> {
        Ok(model_fetch::call(self.session, &self.id, name)?.typed())
    }
}

/// The workers forget the model.
impl Drop for SessionModel<'_> {
    fn drop(&mut self) {
        // A session that is closed has dropped its workers' models.
        let _ = model_drop::call(self.session, &self.id);
    }
}

/// A model that a worker has.
struct Held {
    model: Model,
    given: BTreeMap<String, Tensor>,
    outputs: Vec<Tensor>,
}

/// The models that a worker has, by number.
type Models = HashMap<i64, Held>;

/// The functions that [`Session::model`] calls, for registration by hand.
pub const ENTRIES: [Entry; 7] = [
    model_create::ENTRY,
    model_weight::ENTRY,
    model_unset::ENTRY,
    model_set::ENTRY,
    model_run::ENTRY,
    model_fetch::ENTRY,
    model_drop::ENTRY,
];

/// Does something to a model, if the worker has it.
fn with<T>(
    worker: &Worker,
    id: i64,
    act: impl FnOnce(&mut Held) -> Result<T>,
) -> Result<Option<T>> {
    let models = worker.state(|| Ok(Models::new()))?;
    let mut models = models.borrow_mut();
    models.get_mut(&id).map(act).transpose()
}

#[global_fn(crate = ::ringwood_session)]
fn model_create(worker: &Worker, id: i64, workers: Vec<i64>, graph: HostTensor) -> Result<i64> {
    if workers.contains(&(worker.rank() as i64)) {
        let graph: Graph = serde_json::from_slice(graph.bytes())
            .map_err(|e| Error::invalid("this is no graph").because(e))?;
        let model = Model::new(graph, std::slice::from_ref(worker.device()?));
        let held = Held { model, given: BTreeMap::new(), outputs: Vec::new() };
        worker.state(|| Ok(Models::new()))?.borrow_mut().insert(id, held);
    }
    Ok(id)
}

#[global_fn(crate = ::ringwood_session)]
fn model_weight(worker: &Worker, id: i64, name: String, value: HostTensor) -> Result<()> {
    let ty = TensorType { dtype: value.dtype(), shape: value.shape() };
    with(worker, id, |held| held.model.set_weight(&name, ty, value.bytes().clone())).map(drop)
}

#[global_fn(crate = ::ringwood_session)]
fn model_unset(worker: &Worker, id: i64, name: String) -> Result<()> {
    with(worker, id, |held| Ok(held.given.remove(&name))).map(drop)
}

#[global_fn(crate = ::ringwood_session)]
fn model_set(worker: &Worker, id: i64, name: String, value: Tensor) -> Result<()> {
    let set = |held: &mut Held| {
        held.model.graph().named(&name)?;
        held.given.insert(name, value);
        Ok(())
    };
    with(worker, id, set).map(drop)
}

#[global_fn(crate = ::ringwood_session)]
fn model_run(worker: &Worker, id: i64) -> Result<()> {
    let run = |held: &mut Held| {
        held.outputs.clear();
        let given: Vec<_> = held.given.iter().map(|(name, value)| (name.as_str(), value)).collect();
        held.outputs = held.model.run(&given)?;
        Ok(())
    };
    with(worker, id, run).map(drop)
}

#[global_fn(crate = ::ringwood_session)]
fn model_fetch(worker: &Worker, id: i64, name: String) -> Result<Option<Tensor>> {
    let fetch = |held: &mut Held| {
        let outputs = held.model.graph().outputs();
        let place = outputs.iter().position(|output| output.name == name).ok_or_else(|| {
            let names: Vec<_> = outputs.iter().map(|output| output.name.as_str()).collect();
            Error::not_found(format!("no output `{name}`; known: {}", names.join(", ")))
        })?;
        held.outputs
            .get(place)
            .cloned()
            .ok_or_else(|| Error::not_found("the model has not run, or its last run failed"))
    };
    with(worker, id, fetch)
}

#[global_fn(crate = ::ringwood_session)]
fn model_drop(worker: &Worker, id: i64) -> Result<()> {
    worker.state(|| Ok(Models::new()))?.borrow_mut().remove(&id);
    Ok(())
}
