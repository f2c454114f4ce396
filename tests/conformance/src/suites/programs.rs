//! Programs and contexts that several suites use: nodes of 64 `u32`.

use super::{native, standard};
use crate::bench::{Bench, WAIT};
use crate::case::{Check, ensure_holds};
use ringwood_base::registry::EntryMeta;
use ringwood_base::{DType, Result, Shape};
use ringwood_device::device::{
    Bindings, Context, Device, Kernel, LaunchProgram, Node, NodeId, Role, Routine, StepArg, Stream,
    Tensor,
};
use ringwood_device::kernel::{Instance, KernelDef};

pub(super) const X: NodeId = NodeId(0);
pub(super) const Y: NodeId = NodeId(1);
pub(super) const Z: NodeId = NodeId(2);
/// The elements of each node.
pub(super) const LEN: usize = 64;

/// `y[i] = y[17]` for the first 4 elements, be they there or not.
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
    instances: &[Instance {
        ir: native::FAULT.ir,
        native: native::FAULT.native,
        rank: 1,
        domain: Some(|_| Ok(Shape::vector(4))),
        ..Instance::new(native::FAULT.params)
    }],
};

/// A program without steps of nodes of [`LEN`] `u32`.
pub(super) fn program(name: &str, nodes: &[(NodeId, Role)]) -> LaunchProgram {
    nodes.iter().fold(LaunchProgram::new(name), |program, (id, role)| {
        let name = ["x", "y", "z"][id.0 as usize].to_owned();
        let (shape, dtype, role) = (Shape::vector(LEN), DType::U32, role.clone());
        program.node(Node { id: *id, name, shape, dtype, role })
    })
}

/// The sum of two `u32`.
pub(super) fn add() -> Kernel {
    standard::kernel("add", DType::U32)
}

/// `z = x + y`, of given nodes.
pub(super) fn sum() -> LaunchProgram {
    let nodes = [(X, Role::Given), (Y, Role::Given), (Z, Role::Scratch)];
    program("sum", &nodes).launch(add(), [X, Y, Z])
}

/// `x += x`, as the merge slot holds it.
pub(super) fn merge() -> LaunchProgram {
    program("merge", &[(X, Role::Given)]).launch(add(), (X, StepArg::Merge(X), X))
}

/// `node = 10 node + i`, with `i` in 1..10; `node` starts as zeros.
pub(super) fn append(node: NodeId) -> LaunchProgram {
    program("append", &[(node, Role::Working)])
        .symbol("i", 1..10)
        .launch(Kernel::from(&native::APPEND), (StepArg::symbol("i"), node))
}

/// Reads element 17 of `X`, which has `len`.
pub(super) fn fault(len: usize) -> LaunchProgram {
    LaunchProgram::new("fault")
        .given(X, "x", Shape::vector(len), DType::U32)
        .launch(Kernel::new(&FAULT, &FAULT.instances[0]), [X])
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
