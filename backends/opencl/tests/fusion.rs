//! Fused element-wise operators, alone and in the kernels that load their results: one printed kernel,
//! with the bits of the operators one by one on the device and on the CPU.

#[path = "../../../tests/support/element_wise.rs"]
mod element_wise;
mod support;

use element_wise::{bits, program, values};
use ringwood_backend_cpu as _;
use ringwood_base::DType::{self, F16, F32, F64};
use ringwood_base::{Error, ErrorKind, Result};
use ringwood_device::device::Device;
use ringwood_device::kernel;
use ringwood_graph::graph::pass::PlanMemory;
use ringwood_graph::graph::{Attributes, Graph, GraphPlan, Node, Planner, Value};
use ringwood_graph::register_operator;
use ringwood_kernels as _;

/// The bits of the outputs of a plan for a device; `None` if it lacks a kernel.
fn run(g: &Graph, device: &Device, seed: u64, fuse: bool) -> Option<(Vec<Vec<u64>>, GraphPlan)> {
    let mut plan = Planner::new(std::slice::from_ref(device)).fuse(fuse).plan(g).ok()?;
    let wanted: Vec<_> = plan.inputs().map(|(name, ty, _)| (name.to_owned(), ty)).collect();
    for (i, (name, ty)) in (0..).zip(wanted) {
        plan.set_input(&name, &values(device, ty.dtype, &ty.shape, seed + i)).unwrap();
    }
    let outputs = plan.run(&[]).unwrap().iter().map(bits).collect();
    Some((outputs, plan))
}

/// Whether the last operator of a fused node is no map: those of these tests have attributes, or
/// reduce all elements.
fn loads_maps(node: &Node) -> bool {
    let last = node.fused().and_then(<[_]>::last);
    last.is_some_and(|last| !last.attributes.is_empty() || last.operator.ends_with("_all"))
}

#[test]
fn a_byte_that_is_not_0_is_true() {
    let Some(device) = support::opencl().map(|_| Device::named("opencl:0").unwrap()) else {
        return;
    };
    let mut x = device.tensor(&[false; 3]).unwrap();
    x.write_bytes(&[7, 0, 255]).unwrap();
    assert_eq!(x.to_vec::<bool>().unwrap(), [true, false, true]);
    let ones = device.tensor(&[true; 3]).unwrap();
    let same = ringwood_kernels::function::equal::launch(&x, &ones).unwrap();
    assert_eq!(same.to_bytes().unwrap(), [1, 0, 1]);
    let not = ringwood_kernels::function::not::launch(&x).unwrap();
    assert_eq!(not.to_bytes().unwrap(), [0, 1, 0]);
    let mut all = device.tensor(&[false; 6]).unwrap();
    ringwood_kernels::shapes::join::launch(&x, &x, &mut all, 3, 3, 1).unwrap();
    assert_eq!(all.to_bytes().unwrap(), [1, 0, 1, 1, 0, 1]);
}

#[test]
fn random_graphs_give_the_same_bits_fused_and_unfused_on_opencl_and_on_the_cpu() {
    if support::opencl().is_none() {
        return;
    }
    let (opencl, cpu) = (Device::named("opencl:0").unwrap(), Device::named("cpu:0").unwrap());
    let (mut compared, mut fused, mut fed) = (0, 0, 0);
    for seed in 0..40 {
        let g = program(Graph::new(), seed);
        let Some((ours, plan)) = run(&g, &opencl, seed, true) else { continue };
        let (apart, _) = run(&g, &opencl, seed, false).unwrap();
        assert_eq!(ours, apart, "seed {seed}\n{plan}");
        let (native, _) = run(&g, &cpu, seed, true).unwrap();
        assert_eq!(ours, native, "seed {seed}\n{plan}");
        compared += 1;
        fused += plan.graph().nodes().iter().filter(|n| n.fused().is_some()).count();
        fed += plan.graph().nodes().iter().filter(|n| loads_maps(n)).count();
    }
    let counts = format!("{compared} graphs, {fused} fused nodes, {fed} of them reductions");
    assert!(compared > 20 && fused > 20 && fed > 5, "{counts}");
}

/// Adds elements of two slices, those of the second one `shift` further on.
#[kernel(device = [cpu, opencl])]
fn fusion_shifted(first: &[f32], second: &[f32], y: &mut [f32], shift: usize) {
    let i = gid(0);
    y[i] = first[i] + second[i + shift];
}

register_operator! {
    /// `first[i] + second[i + shift]`.
    pub(crate) Shifted = "fusion_shifted";
    shape: "n, n -> n",
    attributes: { shift: usize },
}

/// `tanh(x * w + y)` with one `w`.
fn maps(g: &mut Graph, dtype: DType, shape: &[usize]) -> Result<Value> {
    let (x, y) = (g.input("x", dtype, shape)?, g.input("y", dtype, shape)?);
    let w = g.input("w", dtype, &[1])?;
    let product = g.apply("mul", &[x, w])?;
    let sum = g.apply("add", &[product, y])?;
    g.apply("tanh", &[sum])
}

/// The outputs of a graph on OpenCL, which is not to depend on fusion or the device; and its text.
fn same_everywhere(g: &Graph, seed: u64) -> (Vec<Vec<u64>>, String) {
    let (opencl, cpu) = (Device::named("opencl:0").unwrap(), Device::named("cpu:0").unwrap());
    let (ours, plan) = run(g, &opencl, seed, true).unwrap();
    let (apart, unfused) = run(g, &opencl, seed, false).unwrap();
    let text = plan.to_string();
    assert_eq!(ours, apart, "{text}");
    assert_eq!(ours, run(g, &cpu, seed, true).unwrap().0, "{text}");
    let shared = |plan: &GraphPlan| plan.memory().iter().map(PlanMemory::shared).sum::<usize>();
    assert!(shared(&plan) <= shared(&unfused), "{text}{unfused}");
    (ours, text)
}

#[test]
fn reductions_compute_maps_where_they_load() {
    if support::opencl().is_none() {
        return;
    }
    let along = |axis: usize| Attributes::from([("axis", axis)]);
    let all = Attributes::default;
    let cases: [(DType, &[usize], &str, Attributes, &str); 11] = [
        (F32, &[6, 40], "sum", along(1), "($2, axis = 1_usize): f32[6]"),
        (F32, &[40, 6], "sum_keep", along(0), "($2, axis = 0_usize): f32[1, 6]"),
        (F16, &[3, 200], "sum", along(1), "($2, axis = 1_usize): f16[3]"),
        (F64, &[2, 30, 7], "mean", along(1), "($2, axis = 1_usize): f64[2, 7]"),
        (F32, &[5, 130], "mean", along(1), "($2, axis = 1_usize): f32[5]"),
        (F32, &[6, 40], "largest", along(0), "($2, axis = 0_usize): f32[40]"),
        (F16, &[3, 300], "smallest", along(1), "($2, axis = 1_usize): f16[3]"),
        (F32, &[4, 10], "product", along(1), "($2, axis = 1_usize): f32[4]"),
        (F32, &[7, 9], "sum_all", all(), "($2): f32[]"),
        (F32, &[5000], "mean_all", all(), "($2): f32[]"),
        (F32, &[0, 40], "sum_all", all(), "($2): f32[]"),
    ];
    for (dtype, shape, operator, attributes, shown) in cases {
        let mut g = Graph::new();
        let y = maps(&mut g, dtype, shape).unwrap();
        let result = g.apply_with(operator, &[y], attributes).unwrap();
        g.output("result", result).unwrap();
        let (_, text) = same_everywhere(&g, 7);
        let shown = format!("%3 = fused mul(%0, %2), add($0, %1), tanh($1), {operator}{shown}");
        assert!(text.contains(&shown), "{text}");
    }
}

#[test]
fn a_kernel_computes_maps_of_one_of_its_operands() {
    if support::opencl().is_none() {
        return;
    }
    let graph = |second: bool, shift: usize| -> Result<Graph> {
        let mut g = Graph::new();
        let other = g.input("other", F32, &[300])?;
        let y = maps(&mut g, F32, &[300])?;
        let operands = if second { [other, y] } else { [y, other] };
        let z = g.apply_with("fusion_shifted", &operands, [("shift", shift)])?;
        g.output("z", z)?;
        Ok(g)
    };
    let name = "fusion_shifted";
    for (second, shown) in
        [(true, "(%0, $2, shift = 0_usize)"), (false, "($2, %0, shift = 0_usize)")]
    {
        let (_, text) = same_everywhere(&graph(second, 0).unwrap(), 3);
        assert!(text.contains(&format!(", tanh($1), {name}{shown}: f32[300]")), "{text}");
    }
    // The index that is out of bounds is reported as before, but for the name of the kernel.
    let opencl = Device::named("opencl:0").unwrap();
    let fault = |fuse: bool| -> Error {
        let mut plan = Planner::new(std::slice::from_ref(&opencl))
            .fuse(fuse)
            .plan(&graph(true, 1).unwrap())
            .unwrap();
        assert_eq!(plan.graph().nodes().iter().any(|node| loads_maps(node)), fuse);
        let wanted: Vec<_> = plan.inputs().map(|(name, ty, _)| (name.to_owned(), ty)).collect();
        for (name, ty) in wanted {
            plan.set_input(&name, &values(&opencl, ty.dtype, &ty.shape, 1)).unwrap();
        }
        // Only the stream of the plan fails by this.
        plan.run_timed(&[]).unwrap_err()
    };
    let (fused, apart) = (fault(true), fault(false));
    assert_eq!((fused.kind(), fused.get("at")), (ErrorKind::OutOfBounds, apart.get("at")));
    assert!(fused.get("at").is_some_and(|at| at.contains("tests/fusion.rs")), "{fused}");
    let what = "index 300 out of bounds for length 300 of `second`";
    assert!(fused.to_string().contains(what) && apart.to_string().contains(what), "{fused}");
}

#[test]
fn what_a_kernel_loads_often_or_others_read_is_computed_before_it() {
    if support::opencl().is_none() {
        return;
    }
    let opencl = Device::named("opencl:0").unwrap();
    let fed = |build: &dyn Fn(&mut Graph) -> Result<()>| {
        let mut g = Graph::new();
        build(&mut g).unwrap();
        let plan = g.plan(std::slice::from_ref(&opencl)).unwrap();
        plan.graph().nodes().iter().any(|node| loads_maps(node))
    };
    let reduced = |operator: &'static str, shape: &'static [usize], axis: usize| {
        fed(&move |g: &mut Graph| {
            let y = maps(g, F32, shape)?;
            let y = g.apply_with(operator, &[y], [("axis", axis)])?;
            g.output("y", y)
        })
    };
    assert!(reduced("sum", &[6, 40], 1));
    assert!(!reduced("argmax", &[6, 40], 1), "it loads each element twice");
    assert!(reduced("sum", &[64, 3], 0) && !reduced("sum", &[65, 3], 0), "three work-items");
    assert!(reduced("largest", &[2, 40], 0) && !reduced("largest", &[1, 40], 0), "the first twice");
    let with = |more: &dyn Fn(&mut Graph, Value) -> Result<()>| {
        fed(&|g: &mut Graph| {
            let y = maps(g, F32, &[6, 40])?;
            let sum = g.apply_with("sum", &[y], [("axis", 1_usize)])?;
            g.output("sum", sum)?;
            more(g, y)
        })
    };
    assert!(with(&|_, _| Ok(())));
    assert!(!with(&|g, y| g.output("y", y)), "it is an output");
    let read = |g: &mut Graph, y: Value| {
        let z = g.apply("transpose", &[y])?;
        g.output("z", z)
    };
    assert!(!with(&read), "another kernel reads it");
    let repeated = fed(&|g: &mut Graph| {
        let (x, row) = (g.input("x", F32, &[6, 40])?, g.input("row", F32, &[40])?);
        let y = g.apply("add", &[x, row])?;
        let sum = g.apply_with("sum", &[y], [("axis", 1_usize)])?;
        g.output("sum", sum)
    });
    assert!(!repeated, "an operand of the map is repeated");
    let both = fed(&|g: &mut Graph| {
        let y = maps(g, F32, &[40])?;
        let z = g.apply_with("fusion_shifted", &[y, y], [("shift", 0_usize)])?;
        g.output("z", z)
    });
    assert!(!both, "two slices hold it");
}

#[test]
fn a_reduction_of_maps_is_timed_as_one_and_survives_serialisation() {
    if support::opencl().is_none() {
        return;
    }
    let mut g = Graph::new();
    let y = maps(&mut g, F32, &[6, 200]).unwrap();
    let sum = g.apply_with("sum", &[y], [("axis", 1_usize)]).unwrap();
    g.output("sum", sum).unwrap();
    let opencl = Device::named("opencl:0").unwrap();
    let (expected, mut plan) = run(&g, &opencl, 1, true).unwrap();
    let times = plan.run_timed(&[]).unwrap();
    assert_eq!(times.len(), 1);
    assert_eq!(times[0].operator, "mul+add+tanh+sum");

    let json = serde_json::to_string(plan.graph()).unwrap();
    let read: Graph = serde_json::from_str(&json).unwrap();
    assert_eq!(read, *plan.graph());
    let (again, plan) = run(&read, &opencl, 1, false).unwrap();
    assert_eq!((again, plan.graph()), (expected, &read));
    let refused = |from: &str, to: &str| {
        assert!(json.contains(from), "{json}");
        let read: Graph = serde_json::from_str(&json.replacen(from, to, 1)).unwrap();
        read.plan(std::slice::from_ref(&opencl)).unwrap_err().to_string()
    };
    let other = refused(r#"[{"result":2}]"#, r#"[{"result":1}]"#);
    assert!(other.contains("`sum` in a fused node reads not just the last map, once"), "{other}");
    let cpu = Device::named("cpu:0").unwrap();
    let elsewhere: Graph = serde_json::from_str(&json.replace("opencl:0", "cpu:0")).unwrap();
    let error = elsewhere.plan(&[cpu]).unwrap_err().to_string();
    assert!(error.contains("loads what maps compute, which `cpu` does not fuse"), "{error}");
}
