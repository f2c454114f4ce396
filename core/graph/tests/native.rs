//! Native code of one kernel in the declaration of another: it neither runs nor is fused.

use ringwood_backend_cpu::Cpu;
use ringwood_base::registry::{Entry, Registry};
use ringwood_base::{DType, ErrorKind, Result};
use ringwood_device::backend::Registered;
use ringwood_device::device::Runtime;
use ringwood_device::kernel;
use ringwood_device::kernel::{Instance, KernelDef, Native};
use ringwood_graph::graph::{Graph, Planner};
use ringwood_graph::register_operator;

#[kernel(map, device = cpu)]
fn plus(a: f32, b: f32) -> f32 {
    a + b
}

register_operator! {
    Plus = plus;
    shape: "..., ... -> ...",
}

/// Writes elements twice as large as those of [`plus`].
#[kernel(map, device = cpu)]
fn wide(a: f64, b: f64) -> f64 {
    a + b
}

fn native(entry: Entry) -> Native<'static> {
    entry.declared::<KernelDef>().unwrap().instances[0].native.unwrap()
}

/// The operator `plus` of a kernel with this native code.
fn graph(native: Native<'static>) -> Result<Graph> {
    let plus: &'static KernelDef = plus::ENTRY.declared().unwrap();
    let instance = Instance { native: Some(native), ..plus.instances[0] };
    let def = KernelDef { instances: vec![instance].leak(), ..*plus };
    let kernel = Entry::made(plus.meta, def);
    let builder = Registry::builder().register(Cpu::ENTRY).register(Plus::ENTRY);
    let mut graph = Graph::with_registry(builder.register(kernel).build()?);
    let x = graph.input("x", DType::F32, &[16])?;
    let twice = graph.apply("plus", &[x, x])?;
    let more = graph.apply("plus", &[twice, x])?;
    graph.output("y", more)?;
    Ok(graph)
}

#[test]
fn native_code_of_another_kernel_is_refused_fused_or_not() -> Result<()> {
    for fuse in [false, true] {
        let plan = |native| {
            let graph = graph(native)?;
            let device = Runtime::new(graph.registry()?.clone()).device("cpu:0")?;
            Planner::new(std::slice::from_ref(&device)).fuse(fuse).plan(&graph)
        };
        plan(native(plus::ENTRY))?;
        let error = plan(native(wide::ENTRY)).map(drop).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::InvalidArgument, "{error}");
        assert!(error.to_string().contains("native code of kernel `plus` was written for another"));
    }
    Ok(())
}
