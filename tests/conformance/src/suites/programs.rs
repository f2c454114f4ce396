//! Programs and contexts that several suites use: nodes of 64 `u32`.

use super::{native, standard};
use crate::bench::{Bench, WAIT};
use crate::case::{Check, ensure_holds};
use ringwood_base::registry::EntryMeta;
use ringwood_base::{DType, Result, Shape};
use ringwood_device::device::{
    Bindings, Context, Device, Kernel, LaunchProgram, Node, NodeId, Role, Routine, Step, StepArg,
    Stream, Symbol, Tensor,
};
use ringwood_device::kernel::{Instance, KernelDef, KernelSpec};

pub(super) const X: NodeId = NodeId(0);
pub(super) const Y: NodeId = NodeId(1);
pub(super) const Z: NodeId = NodeId(2);
/// The elements of each node.
pub(super) const LEN: usize = 64;

const fn instance(spec: KernelSpec<'static>) -> Instance {
    let KernelSpec { params, ir, native, sites, .. } = spec;
    Instance { ir, native, sites, rank: 1, ..Instance::new(params) }
}

/// `y[i] = 10 y[i] + a`.
static APPEND: KernelDef = KernelDef {
    meta: EntryMeta {
        package: "ringwood",
        name: "append",
        module_path: module_path!(),
        file: file!(),
        line: line!(),
    },
    form: native::APPEND.form,
    devices: &[],
    instances: &[instance(native::APPEND)],
};

/// `y[i] = y[17]`.
static FAULT: KernelDef = KernelDef {
    meta: EntryMeta {
        package: "ringwood",
        name: "faults",
        module_path: module_path!(),
        file: file!(),
        line: line!(),
    },
    form: native::FAULT.form,
    devices: &[],
    instances: &[instance(native::FAULT)],
};

pub(super) fn node(id: NodeId, role: Role) -> Node {
    let name = ["x", "y", "z"][id.0 as usize].to_owned();
    Node { id, name, shape: Shape::vector(LEN), dtype: DType::U32, role }
}

pub(super) fn program(name: &str, nodes: &[Node], steps: Vec<Step>) -> LaunchProgram {
    LaunchProgram { name: name.into(), nodes: nodes.to_vec(), symbols: Vec::new(), steps }
}

/// `out = x + y`.
pub(super) fn add(x: StepArg, y: StepArg, out: NodeId) -> Step {
    let kernel = standard::kernel("add", DType::U32);
    Step { kernel, domain: Shape::vector(LEN), args: vec![x, y, StepArg::node(out)] }
}

/// `z = x + y`, of given nodes.
pub(super) fn sum() -> LaunchProgram {
    let nodes = [node(X, Role::Given), node(Y, Role::Given), node(Z, Role::Scratch)];
    program("sum", &nodes, vec![add(StepArg::node(X), StepArg::node(Y), Z)])
}

/// `x += x`, as the merge slot holds it.
pub(super) fn merge() -> LaunchProgram {
    let slot = StepArg::Merge { node: X, strides: None };
    program("merge", &[node(X, Role::Given)], vec![add(StepArg::node(X), slot, X)])
}

/// `node = 10 node + i`, with `i` in 1..10; `node` starts as zeros.
pub(super) fn append(node: NodeId) -> LaunchProgram {
    let kernel = Kernel::new(&APPEND, &APPEND.instances[0]);
    let args = vec![StepArg::Index(0), StepArg::node(node)];
    let step = Step { kernel, domain: Shape::vector(LEN), args };
    let symbols = vec![Symbol { name: "i".into(), range: 1..10 }];
    LaunchProgram { symbols, ..program("append", &[self::node(node, Role::Working)], vec![step]) }
}

/// Reads element 17 of `X`, which has `len`.
pub(super) fn fault(len: usize) -> LaunchProgram {
    let kernel = Kernel::new(&FAULT, &FAULT.instances[0]);
    let step = Step { kernel, domain: Shape::vector(4), args: vec![StepArg::node(X)] };
    let node = Node { shape: Shape::vector(len), ..node(X, Role::Given) };
    program("fault", &[node], vec![step])
}

/// A tensor of one value.
pub(super) fn tensor(device: &Device, value: u32) -> Result<Tensor> {
    device.tensor(&[value; LEN])
}

/// An empty root on a stream of its own.
pub(super) fn root(bench: &Bench) -> Result<Context> {
    Ok(Context::new(&bench.device().new_stream(bench.kind())?))
}

/// A root on a stream in which each node has one value everywhere.
pub(super) fn holding(stream: &Stream, nodes: &[(NodeId, u32)]) -> Result<Context> {
    nodes.iter().try_fold(Context::new(stream), |context, (node, value)| {
        context.with(*node, &tensor(stream.device(), *value)?)
    })
}

/// As [`holding`], on a stream of its own.
pub(super) fn context(bench: &Bench, nodes: &[(NodeId, u32)]) -> Result<Context> {
    holding(root(bench)?.stream(), nodes)
}

/// Submits a routine without bindings and waits for its end.
pub(super) fn run(routine: &Routine) -> Result<()> {
    routine.submit(&Bindings::new())?.wait(WAIT)
}

/// Checks that a node holds one value everywhere.
pub(super) fn holds(context: &Context, node: NodeId, value: u32) -> Check {
    let got = context.tensor(node)?.to_vec::<u32>()?;
    let wrong = got.iter().find(|&&v| v != value);
    ensure_holds!(wrong.is_none(), "node {node} holds {wrong:?}, not {value}");
    Ok(())
}
