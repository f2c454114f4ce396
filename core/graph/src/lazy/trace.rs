//! The recorder: one graph, whose nodes know their lines.

use super::{Lazy, Line, State, at, cache, create};
use crate::engine::within;
use crate::graph::{Attributes, Graph, Node, NodeKind, TensorType, Value, ValueId};
use ringwood_base::sync::lock;
use ringwood_base::{Error, ErrorKind, Result};
use ringwood_device::device::{Device, Tensor};
use std::cell::RefCell;
use std::collections::HashMap;
use std::ops::Range;
use std::sync::{Arc, Mutex, MutexGuard};

thread_local! {
    /// The traces that run on this thread, the innermost last.
    static RUNNING: RefCell<Vec<Arc<Trace>>> = const { RefCell::new(Vec::new()) };
}

/// The innermost trace that runs on this thread.
pub(super) fn current() -> Option<Arc<Trace>> {
    RUNNING.with_borrow(|running| running.last().cloned())
}

/// Says that what is recorded on this thread depends on the rank.
pub(super) fn asks_for_ranks() {
    RUNNING.with_borrow(|running| running.iter().for_each(|trace| trace.lock().ranked = true));
}

/// The error of a tensor that a trace uses and was not given.
pub(super) fn captured() -> Error {
    Error::invalid("a tensor from outside is used inside of a trace").help(
        "pass it as an argument: what a function is not given cannot change between its calls",
    )
}

/// The trace that an operation on tensors is part of: that of one of them, or the innermost that runs on this thread.
pub(super) fn of<'a>(tensors: impl IntoIterator<Item = &'a Lazy>) -> Option<Arc<Trace>> {
    tensors.into_iter().find_map(traced).map(|traced| traced.trace.clone()).or_else(current)
}

/// A value of a program that is being recorded.
#[derive(Clone)]
pub(crate) struct Traced {
    pub(super) trace: Arc<Trace>,
    pub(super) value: Value,
    pub(super) ty: TensorType,
    /// Its device; a constant goes where it is used.
    pub(super) device: Option<Device>,
}

impl From<Traced> for Lazy {
    fn from(traced: Traced) -> Self {
        Self::with_state(State::Traced(traced))
    }
}

/// A program that is being recorded.
pub(super) struct Trace {
    /// Where it runs if no operand says otherwise.
    device: Device,
    /// Whether tensors from outside become inputs, as in what runs once.
    pub(super) lifts: bool,
    recorder: Mutex<Recorder>,
}

#[derive(Default)]
pub(super) struct Recorder {
    pub(super) graph: Graph,
    /// Where its values may be. Of several, each node names its own.
    devices: Vec<Device>,
    /// The tensors that became inputs, in order.
    inputs: Vec<Lazy>,
    /// Nodes whose values gradients do not keep.
    pub(super) blocks: Vec<Range<usize>>,
    /// The values for which others stood in while a gradient was recorded.
    pub(super) stand_ins: HashMap<ValueId, Value>,
    open: bool,
    /// Whether it depends on the rank that records it.
    ranked: bool,
}

impl Trace {
    /// A trace on a device, of which tensors from outside become inputs.
    pub(super) fn once(device: &Device) -> Arc<Self> {
        Self::new(std::slice::from_ref(device), true)
    }

    /// A trace over the operators of these devices, of which the first is preferred; `lifts` says whether tensors from
    /// outside become inputs.
    pub(super) fn new(devices: &[Device], lifts: bool) -> Arc<Self> {
        let device = devices[0].clone();
        let recorder = Recorder {
            graph: Graph::with_registry(device.registry().clone()),
            devices: devices.to_vec(),
            open: true,
            ..Recorder::default()
        };
        Arc::new(Self { device, lifts, recorder: Mutex::new(recorder) })
    }

    /// Runs a function whose operations without operands are recorded here.
    pub(super) fn run<T>(self: &Arc<Self>, f: impl FnOnce() -> T) -> T {
        within(&RUNNING, self.clone(), f)
    }

    /// What was recorded, with these outputs, and the tensors that are its inputs by name, which is their position.
    /// Values of the trace are of no use from then on.
    pub(super) fn finish(&self, outputs: &[Value]) -> Result<(Graph, Vec<Lazy>)> {
        let mut recorder = self.lock();
        recorder.open = false;
        let mut graph = std::mem::take(&mut recorder.graph);
        for (i, &output) in outputs.iter().enumerate() {
            graph.output(&i.to_string(), recorder.resolve(output))?;
        }
        Ok((crate::graph::pass::needed(&graph), std::mem::take(&mut recorder.inputs)))
    }

    /// Runs what was recorded once, on the tensors that became inputs.
    pub(super) fn run_once(&self, what: &str, outputs: &[Traced]) -> Result<Vec<Lazy>> {
        let outputs: Vec<_> = outputs.iter().map(|traced| traced.value).collect();
        let devices = self.lock().devices.clone();
        let (graph, inputs) = self.finish(&outputs)?;
        let own = |input: &Lazy| match &*input.state {
            State::Ready(ready) if devices.contains(&ready.device) => ready.own(),
            _ => Err(two_devices(what, &self.device, &input.device()?)),
        };
        let tensors = inputs.iter().map(own).collect::<Result<Vec<_>>>()?;
        let (program, own) = cache::program(graph, &devices)?;
        let results = program.run_once(&tensors).map_err(|error| own.why(error))?;
        Ok(results.into_iter().map(Lazy::ready).collect())
    }

    /// Whether other ranks may record something else.
    pub(super) fn is_ranked(&self) -> bool {
        self.lock().ranked
    }

    pub(super) fn lock(&self) -> MutexGuard<'_, Recorder> {
        lock(&self.recorder)
    }

    pub(super) fn device_of(&self, traced: &Traced) -> Device {
        traced.device.as_ref().unwrap_or(&self.device).clone()
    }

    /// A tensor as an input of the program.
    pub(super) fn input(self: &Arc<Self>, tensor: &Lazy, line: Line) -> Result<Traced> {
        let (ty, device) = (tensor.tensor_type()?, tensor.device()?);
        if self.lifts {
            self.lock().reach(&device);
        }
        self.record(line, Some(device), |recorder| {
            let name = Some(recorder.inputs.len().to_string());
            recorder.inputs.push(tensor.clone());
            Ok(recorder.graph.push(Node { name, ..Node::new(NodeKind::Input, vec![ty]) }))
        })
    }

    pub(super) fn traced(
        self: &Arc<Self>,
        value: Value,
        ty: TensorType,
        device: Option<Device>,
    ) -> Traced {
        Traced { trace: self.clone(), value, ty, device }
    }

    /// The value for which nodes are added: they have the line and, where each names its own, the device.
    pub(super) fn record(
        self: &Arc<Self>,
        line: Line,
        device: Option<Device>,
        add: impl FnOnce(&mut Recorder) -> Result<Value>,
    ) -> Result<Traced> {
        let one = self.record_all(line, device, |recorder| add(recorder).map(|value| vec![value]));
        one.map(|mut one| one.remove(0))
    }

    fn record_all(
        self: &Arc<Self>,
        line: Line,
        device: Option<Device>,
        add: impl FnOnce(&mut Recorder) -> Result<Vec<Value>>,
    ) -> Result<Vec<Traced>> {
        let mut recorder = self.lock();
        recorder.check_open()?;
        let start = recorder.graph.nodes.len();
        let values = add(&mut recorder)?;
        recorder.mark(start, line);
        if let Some(device) = device.as_ref().filter(|_| recorder.devices.len() > 1) {
            for node in start..recorder.graph.nodes.len() {
                recorder.graph.node_mut(node).device = Some(device.name().to_owned());
            }
        }
        let typed = |value| Ok(self.traced(value, recorder.graph.type_of(value)?, device.clone()));
        values.into_iter().map(typed).collect()
    }

    /// A constant of the program: these bytes, or one element of them for all. What runs once takes it as an input, so
    /// that the program serves for other numbers, and keeps none: on this device, or the one of the trace.
    pub(super) fn constant(
        self: &Arc<Self>,
        ty: TensorType,
        bytes: &[u8],
        device: Option<&Device>,
        line: Line,
    ) -> Result<Lazy> {
        if self.lifts {
            return create::ready(ty, bytes, device.unwrap_or(&self.device));
        }
        let constant = self.record(line, None, |recorder| {
            let whole = bytes.len() == ty.bytes();
            let dims: &[usize] = if whole { &ty.shape } else { &[] };
            let value = recorder.graph.shared_constant(ty.dtype, dims, bytes)?;
            if whole {
                return Ok(value);
            }
            let shape = [("shape", &ty.shape[..])];
            recorder.graph.apply_with("ringwood::broadcast_to", &[value], shape)
        });
        constant.map(Lazy::from)
    }

    /// The results of an operator.
    pub(super) fn apply(
        self: &Arc<Self>,
        operator: &str,
        operands: &[&Lazy],
        attributes: Attributes,
        line: Line,
    ) -> Result<Vec<Traced>> {
        self.lock().check_open()?;
        let lifted =
            operands.iter().map(|operand| self.lift(operand, line)).collect::<Result<Vec<_>>>()?;
        let mut devices = lifted.iter().filter_map(|operand| operand.device.as_ref());
        let device = devices.next();
        if let Some((first, other)) = device.and_then(|d| Some((d, devices.find(|o| *o != d)?))) {
            return Err(two_devices(operator, first, other));
        }
        let record = |lifted: &[Traced]| {
            self.record_all(line, device.cloned(), |recorder| {
                let values: Vec<_> = lifted.iter().map(|t| recorder.resolve(t.value)).collect();
                recorder.graph.apply_all(operator, &values, attributes.clone())
            })
        };
        // Outside of `jit`, it may need to know elements, which are there.
        let asks = |results: &Result<Vec<Traced>>| {
            let error = results.as_ref().err();
            self.lifts && error.is_some_and(|error| error.kind() == ErrorKind::Unsupported)
        };
        let mut results = record(&lifted);
        if !asks(&results) {
            return results;
        }
        // Those of a shape before those of what has it, which would be a part of the program.
        let mut smallest: Vec<_> = (0..operands.len()).collect();
        smallest.sort_by_key(|&operand| lifted[operand].ty.bytes());
        let mut known = lifted.clone();
        for operand in smallest {
            known[operand] = self.known(operands[operand], &lifted[operand], line)?;
            results = record(&known);
            if !asks(&results) {
                break;
            }
        }
        results
    }

    /// The elements of a tensor that is there, as a constant; another value as it is.
    fn known(self: &Arc<Self>, tensor: &Lazy, lifted: &Traced, line: Line) -> Result<Traced> {
        let State::Ready(ready) = &*tensor.state else { return Ok(lifted.clone()) };
        let bytes = ready.with(Tensor::to_bytes)?;
        self.record(line, lifted.device.clone(), |recorder| {
            recorder.graph.constant_bytes(ready.ty.dtype, &ready.ty.shape, &bytes)
        })
    }

    /// A copy of a value on another device.
    pub(super) fn copy(
        self: &Arc<Self>,
        traced: &Traced,
        device: &Device,
        line: Line,
    ) -> Result<Lazy> {
        if self.lifts {
            self.lock().reach(device);
        }
        let several = self.lock().devices.len() > 1;
        // Constants go where they are used.
        let goes = traced.device.is_none() && (several || self.device == *device);
        if goes || traced.device.as_ref() == Some(device) {
            return Ok(Traced { device: Some(device.clone()), ..traced.clone() }.into());
        }
        if !several {
            let message = format!("the trace runs on {} alone, not on {device}", self.device);
            return Err(Error::device(message).help("pass an argument on that device"));
        }
        let copy = self.record(line, Some(device.clone()), |recorder| {
            recorder.graph.copy(recorder.resolve(traced.value), device.name())
        });
        copy.map(Lazy::from)
    }

    /// A tensor as a value of this trace.
    pub(super) fn lift(self: &Arc<Self>, tensor: &Lazy, line: Line) -> Result<Traced> {
        match &*tensor.state {
            State::Traced(traced) if Arc::ptr_eq(&traced.trace, self) => Ok(traced.clone()),
            State::Traced(traced) => {
                traced.trace.lock().check_open()?;
                Err(Error::invalid("values of two traces are used in one operation")
                    .help("return values from the inner function instead of storing them outside"))
            }
            State::Failed(error) => Err(error.clone()),
            State::Ready(_) if !self.lifts => Err(captured()),
            State::Empty(..) => Err(at(Error::invalid("a placeholder has no value"), line)),
            State::Ready(_) => {
                let same = |known: &Lazy| Arc::ptr_eq(&known.state, &tensor.state);
                let known = self.lock().inputs.iter().position(same);
                match known {
                    None => self.input(tensor, line),
                    Some(known) => {
                        let value = self.lock().graph.named(&known.to_string())?;
                        Ok(self.traced(value, tensor.tensor_type()?, tensor.device().ok()))
                    }
                }
            }
        }
    }
}

impl Recorder {
    /// Lets values be on another device, too.
    fn reach(&mut self, device: &Device) {
        if self.devices.contains(device) {
            return;
        }
        if let [first] = &self.devices[..] {
            for node in 0..self.graph.nodes.len() {
                if !matches!(self.graph.nodes[node].kind, NodeKind::Constant(_)) {
                    self.graph.node_mut(node).device = Some(first.name().to_owned());
                }
            }
        }
        self.devices.push(device.clone());
    }

    /// Gives the line to the nodes from `start` on that have none.
    pub(super) fn mark(&mut self, start: usize, line: Line) {
        let line = super::called(line);
        for node in start..self.graph.nodes.len() {
            self.graph.node_mut(node).line.0.get_or_insert(line);
        }
    }

    /// The value for which another one stood in.
    pub(super) fn resolve(&self, value: Value) -> Value {
        self.stand_ins.get(&value.id()).map_or(value, |of| self.resolve(*of))
    }

    pub(super) fn check_open(&self) -> Result<()> {
        if self.open {
            return Ok(());
        }
        Err(Error::invalid("a value of a trace is used after the trace has ended")
            .help("return it from the function instead of storing it outside"))
    }
}

/// The value of a program that a tensor is.
pub(super) fn traced(tensor: &Lazy) -> Option<&Traced> {
    match &*tensor.state {
        State::Traced(traced) => Some(traced),
        _ => None,
    }
}

/// The error of an operation over two devices.
fn two_devices(operator: &str, first: &Device, second: &Device) -> Error {
    let message = format!("{operator}: operands are on {first} and on {second}");
    Error::device(message).help("move one with `to_device`")
}
