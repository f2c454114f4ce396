use super::storage::blocks;
use super::*;
use crate::graph::{NodeKind, TensorType, Value};
use crate::register_operator;
use ringwood_base::DType::F32;
use ringwood_base::registry::{Entry, EntryMeta, Registry, RegistryBuilder};
use ringwood_base::{DType, ErrorKind};
use ringwood_device::kernel::{Form, Instance, KernelDef, Param, ParamKind};
use std::collections::BTreeMap;

register_operator! { pub(crate) Plus = "pass_plus"; shape: "..., ... -> ..." }
register_operator! { pub(crate) Join = "pass_join"; shape: "n, m -> n" }

const fn slice(name: &'static str, mutable: bool) -> Param {
    Param { name, kind: ParamKind::Slice { dtype: F32, mutable } }
}

const BINARY: &[Instance] =
    &[Instance::new(&[slice("x", false), slice("y", false), slice("z", true)])];

const fn meta(name: &'static str, line: u32) -> EntryMeta<'static> {
    let (package, module_path, file) = ("ringwood", "tests", "src/tests.rs");
    EntryMeta { package, name, module_path, file, line }
}

const PLUS: KernelDef = KernelDef {
    meta: meta("pass_plus", 3),
    form: Form::Map,
    devices: &["a", "b"],
    instances: BINARY,
};
const JOIN: KernelDef =
    KernelDef { meta: meta("pass_join", 7), form: Form::Host, devices: &["a"], ..PLUS };

fn graph() -> Graph {
    let entries =
        [Plus::ENTRY, Join::ENTRY, Entry::new(PLUS.meta, &PLUS), Entry::new(JOIN.meta, &JOIN)];
    let builder = entries.into_iter().fold(Registry::builder(), RegistryBuilder::register);
    Graph::with_registry(builder.build().unwrap())
}

fn on(devices: &[&str]) -> Placement {
    let devices = devices.iter().map(ToString::to_string).collect();
    Placement { devices, ..Placement::default() }
}

fn devices(graph: &Graph) -> Vec<&str> {
    graph.nodes().iter().map(|n| n.device.as_deref().unwrap_or("-")).collect()
}

fn plus(g: &mut Graph, a: Value, b: Value) -> Value {
    g.apply("pass_plus", &[a, b]).unwrap()
}

#[test]
fn pruning_keeps_what_outputs_need_and_what_callers_give() {
    let mut g = graph();
    let x = g.input("x", F32, &[2]).unwrap();
    g.input("unused", F32, &[2]).unwrap();
    let dead = plus(&mut g, x, x);
    plus(&mut g, dead, x);
    let y = plus(&mut g, x, x);
    g.output("y", y).unwrap();
    let pruned = prune(&g);
    assert_eq!(
        pruned.to_string(),
        "%0 = input \"x\": f32[2]\n%1 = input \"unused\": f32[2]\n\
         %2 = pass_plus(%0, %0): f32[2]\noutput \"y\" = %2\n"
    );
    assert_eq!(prune(&pruned), pruned);
}

#[test]
fn placement_follows_the_node_then_the_data_then_the_order_of_devices() {
    let mut g = graph();
    let x = g.input("x", F32, &[8]).unwrap();
    let w = g.parameter("w", F32, &[100]).unwrap();
    g.place(w, "b:0").unwrap();
    let y = plus(&mut g, x, x);
    let z = g.apply("pass_join", &[w, y]).unwrap();
    let u = plus(&mut g, w, w);
    let v = plus(&mut g, y, y);
    g.place(v, "b:0").unwrap();
    for (name, value) in [("z", z), ("u", u), ("v", v)] {
        g.output(name, value).unwrap();
    }
    let placed = place(&g, &on(&["a:0", "b:0"])).unwrap();
    assert_eq!(devices(&placed), ["a:0", "b:0", "a:0", "a:0", "b:0", "b:0"]);
    assert!(fallbacks(&g, &placed).is_empty());
}

#[test]
fn policies_place_by_name_by_kernel_by_data_and_by_cost() {
    let mut g = graph();
    let x = g.input("x", F32, &[1000]).unwrap();
    let small = g.input("small", F32, &[2]).unwrap();
    g.place(x, "b:0").unwrap();
    let y = plus(&mut g, x, x);
    let s = plus(&mut g, small, small);
    let t = plus(&mut g, s, s);
    let j = g.apply("pass_join", &[y, x]).unwrap();
    for (name, value) in [("t", t), ("j", j)] {
        g.output(name, value).unwrap();
    }
    let by = |policy| place(&g, &Placement { policy, ..on(&["a:0", "b:0"]) });
    let error = by(Policy::Explicit).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Device);
    assert!(error.to_string().contains("names no device") && error.to_string().contains("%2"));
    // `pass_join` is on `a` alone.
    let placed = |policy| devices(&by(policy).unwrap())[2..].join(" ");
    assert_eq!(placed(Policy::Kernel), "a:0 a:0 a:0 a:0");
    assert_eq!(placed(Policy::Data), "b:0 a:0 a:0 a:0");
    let rates = |launch_ns, points_per_us| Rates { launch_ns, points_per_us, bytes_per_us: 1000 };
    let cost = |b| Policy::Cost([("a:0".into(), rates(100, 10)), ("b:0".into(), b)].into());
    assert_eq!(placed(cost(rates(5000, 10_000))), "b:0 a:0 a:0 a:0");
    assert_eq!(placed(cost(rates(50, 10_000))), "b:0 b:0 b:0 a:0");
    assert_eq!(placed(cost(rates(1_000_000, 10_000))), "a:0 a:0 a:0 a:0");
    let error = by(Policy::Cost(BTreeMap::new())).unwrap_err().to_string();
    assert!(error.contains("no rates of device a:0"), "{error}");
}

#[test]
fn a_kernel_missing_on_a_device_is_an_error_that_names_both_and_where_it_exists() {
    let mut g = graph();
    let x = g.input("x", F32, &[8]).unwrap();
    let y = g.apply("pass_join", &[x, x]).unwrap();
    g.output("y", y).unwrap();
    let nowhere = place(&g, &on(&["b:0", "b:1"])).unwrap_err();
    assert_eq!(nowhere.kind(), ErrorKind::NotFound);
    g.place(y, "b:0").unwrap();
    let error = place(&g, &on(&["a:0", "b:0"])).unwrap_err().to_string();
    assert!(error.contains("no kernel `pass_join` for device `b`; it exists for a"), "{error}");
    assert!(error.contains("on: b:0, node: %1") && error.contains("src/tests.rs:7"), "{error}");
    g.place(y, "c:0").unwrap();
    let error = place(&g, &on(&["a:0", "b:0"])).unwrap_err().to_string();
    assert!(error.contains("device c:0 is not among those of the plan: a:0, b:0"), "{error}");
    assert!(place(&g, &on(&[])).is_err());
}

#[test]
fn a_fallback_is_asked_for_and_counted() {
    let mut g = graph();
    let x = g.input("x", F32, &[8]).unwrap();
    let y = g.apply("pass_join", &[x, x]).unwrap();
    g.place(y, "b:0").unwrap();
    g.output("y", y).unwrap();
    let asked = Placement { fallback: vec!["a:0".into()], ..on(&["b:0", "a:0"]) };
    let placed = place(&g, &asked).unwrap();
    assert_eq!(devices(&placed), ["a:0", "a:0"]);
    assert_eq!(fallbacks(&g, &placed), [(1, "a:0".to_owned())]);
    let unknown = Placement { fallback: vec!["c:0".into()], ..on(&["a:0"]) };
    assert!(place(&g, &unknown).unwrap_err().to_string().contains("device c:0"));
}

#[test]
fn a_kernel_without_the_dtypes_is_an_error_that_lists_those_it_takes() {
    let mut g = graph();
    let x = g.input("x", DType::F64, &[8]).unwrap();
    let y = plus(&mut g, x, x);
    g.output("y", y).unwrap();
    let error = place(&g, &on(&["a:0"])).unwrap_err().to_string();
    assert!(
        error.contains("kernel `pass_plus` for `a` takes (f32, f32) -> f32, not (f64, f64) -> f64"),
        "{error}"
    );
}

#[test]
fn copies_are_nodes_one_for_each_value_and_device() {
    let mut g = graph();
    let x = g.input("x", F32, &[8]).unwrap();
    let one = g.constant(&[], &[1.0_f32]).unwrap();
    let y = plus(&mut g, x, one);
    let z = plus(&mut g, y, y);
    let t = plus(&mut g, z, y);
    let u = plus(&mut g, t, one);
    for (value, device) in [(x, "a:0"), (z, "b:0"), (t, "b:0"), (u, "b:0")] {
        g.place(value, device).unwrap();
    }
    g.output("u", u).unwrap();
    let placed = place(&g, &on(&["a:0", "b:0"])).unwrap();
    let copied = insert_copies(&placed);
    copied.verify().unwrap();
    assert_eq!(
        copied.to_string(),
        "%0 = input \"x\": f32[8] on a:0\n\
         %1 = constant 4 bytes: f32[] on a:0\n\
         %2 = pass_plus(%0, %1): f32[8] on a:0\n\
         %3 = constant 4 bytes: f32[] on b:0\n\
         %4 = copy(%2): f32[8] on b:0\n\
         %5 = pass_plus(%4, %4): f32[8] on b:0\n\
         %6 = pass_plus(%5, %4): f32[8] on b:0\n\
         %7 = pass_plus(%6, %3): f32[8] on b:0\n\
         output \"u\" = %7\n"
    );
    assert_eq!(insert_copies(&copied), copied);
}

#[test]
fn a_chain_of_maps_needs_one_block_and_the_report_says_so() {
    let mut g = graph();
    let x = g.input("x", F32, &[16]).unwrap();
    let mut y = plus(&mut g, x, x);
    for _ in 0..5 {
        y = plus(&mut g, y, x);
    }
    let z = g.apply("pass_join", &[y, x]).unwrap();
    g.output("z", z).unwrap();
    let placed = place(&g, &on(&["a:0"])).unwrap();
    let report = memory(&assign_storage(&placed, true));
    let (device, none) = ("a:0".into(), PlanMemory::default());
    let expected =
        PlanMemory { device, inputs: 64, outputs: 64, intermediates: 64, unshared: 7 * 64, ..none };
    assert_eq!(report, [expected]);
    let report = memory(&assign_storage(&placed, false));
    assert_eq!((report[0].outputs, report[0].shared()), (64, report[0].unshared));
}

/// Runs the graph in the mind: which value each storage holds after each node.
fn check_storage(graph: &Graph) {
    let mut held: Vec<Option<ValueId>> = vec![None; blocks(graph).len()];
    let storage = |v: ValueId| graph.nodes()[v.node as usize].storage[v.result as usize] as usize;
    for node in graph.nodes().iter().filter(|n| n.is_source()) {
        let position = graph.nodes().iter().position(|n| std::ptr::eq(n, node)).unwrap();
        let value = ValueId { node: position as u32, result: 0 };
        assert_eq!(held[storage(value)].replace(value), None);
    }
    for (i, node) in graph.nodes().iter().enumerate().filter(|(_, n)| !n.is_source()) {
        for &operand in &node.operands {
            assert_eq!(held[storage(operand)], Some(operand), "{operand} is lost before %{i}");
        }
        for (result, ty) in node.results.iter().enumerate() {
            let value = ValueId { node: i as u32, result: result as u32 };
            let same = |o: &&ValueId| storage(**o) == storage(value);
            for &operand in node.operands.iter().filter(same) {
                assert_eq!(node.operator(), Some("pass_plus"), "%{i} overwrites {operand}");
                assert_eq!(graph.value_type(operand), *ty, "%{i} overwrites {operand}");
            }
            held[storage(value)] = Some(value);
        }
    }
    for output in graph.outputs() {
        assert_eq!(held[storage(output.value)], Some(output.value), "output lost");
    }
    let bytes = blocks(graph);
    for (i, node) in graph.nodes().iter().enumerate() {
        for (&id, ty) in node.storage.iter().zip(&node.results) {
            let block = &bytes[id as usize];
            assert!(block.bytes >= ty.bytes(), "%{i} is larger than its storage");
            assert_eq!(Some(&block.device), node.device.as_ref(), "%{i} is elsewhere");
        }
    }
}

/// The bytes that the greedy rule takes for what operators compute, as its source says it: nothing
/// writes over an operand, and what an operator reads last is released in the order of operands.
fn greedy_bytes(graph: &Graph) -> usize {
    let mut readers: BTreeMap<ValueId, usize> = BTreeMap::new();
    let read = graph.nodes().iter().flat_map(|node| node.operands.iter().copied());
    for value in read.chain(graph.outputs().iter().map(|output| output.value)) {
        *readers.entry(value).or_default() += 1;
    }
    let (mut blocks, mut of) = (Vec::<(usize, Option<String>)>::new(), BTreeMap::new());
    let mut free: Vec<usize> = Vec::new();
    for (i, node) in graph.nodes().iter().enumerate().filter(|(_, node)| !node.is_source()) {
        let mut unread = Vec::new();
        for (result, ty) in node.results.iter().enumerate() {
            let need = ty.bytes();
            let mut best: Option<usize> = None;
            for (at, &block) in free.iter().enumerate() {
                let (size, device) = &blocks[block];
                let better = |b: usize| size < &blocks[free[b]].0;
                if *device == node.device && (need..=16 * need).contains(size) {
                    best = if best.is_none_or(better) { Some(at) } else { best };
                }
            }
            for (at, &block) in
                free.iter().enumerate().filter(|_| best.is_none()).collect::<Vec<_>>()
            {
                let (size, device) = &blocks[block];
                let better = |b: usize| size >= &blocks[free[b]].0;
                if *device == node.device && (need / 16..need).contains(size) {
                    best = if best.is_none_or(better) { Some(at) } else { best };
                }
            }
            let block = match best {
                Some(at) => free.remove(at),
                None => {
                    blocks.push((0, node.device.clone()));
                    blocks.len() - 1
                }
            };
            blocks[block].0 = blocks[block].0.max(need);
            let value = ValueId { node: i as u32, result: result as u32 };
            of.insert(value, block);
            if !readers.contains_key(&value) {
                unread.push(block);
            }
        }
        for operand in &node.operands {
            let left = readers.get_mut(operand).expect("it is read here");
            *left -= 1;
            if *left == 0
                && let Some(&block) = of.get(operand)
            {
                free.push(block);
            }
        }
        free.extend(unread);
    }
    blocks.iter().map(|(bytes, _)| bytes).sum()
}

/// A random graph with broadcasts, dead ends, several sizes and two devices.
fn random(seed: u64) -> Graph {
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    let mut next = |n: usize| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 33) as usize % n
    };
    let mut g = graph();
    let sizes = [&[][..], &[1], &[4], &[3, 4], &[64], &[9, 64], &[0]];
    let mut values: Vec<Value> = Vec::new();
    for i in 0..4 {
        values.push(g.input(&format!("x{i}"), F32, sizes[next(sizes.len())]).unwrap());
    }
    for _ in 0..5 + next(40) {
        let (a, b) = (values[next(values.len())], values[next(values.len())]);
        let operator = if next(3) == 0 { "pass_join" } else { "pass_plus" };
        if let Ok(value) = g.apply(operator, &[a, b]) {
            if operator == "pass_plus" && next(2) == 0 {
                g.place(value, ["a:0", "b:0"][next(2)]).unwrap();
            }
            values.push(value);
        }
    }
    for i in 0..=next(3) {
        g.output(&format!("y{i}"), values[next(values.len())]).unwrap();
    }
    g
}

#[test]
fn no_value_is_overwritten_before_its_last_use_in_random_graphs() {
    let mut saved = 0;
    for seed in 0..400 {
        let graph = prune(&random(seed));
        let graph = insert_copies(&place(&graph, &on(&["a:0", "b:0"])).unwrap());
        graph.verify().unwrap();
        let planned = assign_storage(&graph, true);
        check_storage(&planned);
        check_storage(&assign_storage(&graph, false));
        for report in memory(&planned) {
            assert!(report.shared() <= report.unshared, "seed {seed}: {report:?}");
            saved += report.unshared - report.shared();
        }
    }
    assert!(saved > 0);
}

fn shared_bytes(graph: &Graph) -> usize {
    memory(&assign_storage(graph, true)).iter().map(PlanMemory::shared).sum()
}

#[test]
fn a_plan_is_never_larger_than_that_of_the_greedy_rule() {
    let mut smaller = 0;
    for seed in 0..2000 {
        let graph = prune(&random(seed));
        let graph = insert_copies(&place(&graph, &on(&["a:0", "b:0"])).unwrap());
        let (ours, rule) = (shared_bytes(&graph), greedy_bytes(&graph));
        assert!(ours <= rule, "seed {seed}: {ours} bytes, the rule takes {rule}: {graph}");
        smaller += usize::from(ours < rule);
    }
    assert!(smaller > 100, "{smaller}");
}

/// The example of the rule's source: two inputs of 40 and 4 bytes, and blocks of 40 and 40 bytes for
/// six operators.
#[test]
fn outputs_share_as_the_rule_says() {
    let mut g = graph();
    let x = g.input("x", F32, &[10]).unwrap();
    let y = g.input("y", F32, &[1]).unwrap();
    let exp = |g: &mut Graph, v: Value| g.apply("pass_join", &[v, v]).unwrap();
    let e = exp(&mut g, y);
    let mut z = plus(&mut g, x, e);
    for _ in 0..5 {
        z = exp(&mut g, z);
    }
    g.output("z", z).unwrap();
    let placed = place(&g, &on(&["a:0"])).unwrap();
    assert_eq!(greedy_bytes(&placed), 80);
    let report = memory(&assign_storage(&placed, true)).remove(0);
    assert_eq!((report.inputs, report.outputs, report.intermediates), (44, 40, 40));
}

#[test]
#[should_panic(expected = "is lost before")]
fn the_storage_checker_finds_an_overwritten_value() {
    let mut g = graph();
    let x = g.input("x", F32, &[4]).unwrap();
    let y = plus(&mut g, x, x);
    let z = plus(&mut g, y, x);
    let u = plus(&mut g, z, y);
    g.output("u", u).unwrap();
    let mut planned = assign_storage(&place(&g, &on(&["a:0"])).unwrap(), true);
    planned.node_mut(2).storage = planned.nodes[1].storage.clone();
    check_storage(&planned);
}

#[test]
fn an_explicit_copy_does_not_pull_its_operand_to_its_device() {
    let mut g = graph();
    let x = g.input("x", F32, &[4]).unwrap();
    let moved = g.copy(x, "b:0").unwrap();
    let y = plus(&mut g, moved, moved);
    g.output("y", y).unwrap();
    let placed = place(&g, &on(&["a:0", "b:0"])).unwrap();
    assert_eq!(devices(&placed), ["a:0", "b:0", "b:0"]);
    assert!(matches!(placed.nodes()[1].kind, NodeKind::Copy));
    assert_eq!(placed.nodes()[1].results, [TensorType::new(F32, &[4]).unwrap()]);
}
