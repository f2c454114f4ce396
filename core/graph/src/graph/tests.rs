use super::*;
use crate::register_operator;
use ringwood_base::registry::{Entry, EntryMeta, RegistryBuilder};
use ringwood_base::{DType, ErrorKind, Scalar};
use std::collections::HashSet;

register_operator! {
    pub(crate) Add = "add";
    shape: "..., ... -> ...",
    gradient: |c| {
        let g = c.gradient()?;
        c.add(0, g)?;
        c.add(1, g)
    },
}

register_operator! {
    pub(crate) Mul = "mul";
    shape: "..., ... -> ...",
    gradient: |c| {
        let (a, b, g) = (c.operand(0), c.operand(1), c.gradient()?);
        let (to_a, to_b) = (c.apply("mul", &[g, b])?, c.apply("mul", &[g, a])?);
        c.add(0, to_a)?;
        c.add(1, to_b)
    },
}

register_operator! {
    pub(crate) MatMul = "matmul";
    shape: "m k, k n -> m n",
}

register_operator! {
    pub(crate) Sum = "sum";
    shape: "a... n b... -> a... b...",
    attributes: { axis: usize },
}

register_operator! {
    pub(crate) SumKeep = "sum_keep";
    shape: "a... n b... -> a... 1 b...",
    attributes: { axis: usize },
}

register_operator! {
    pub(crate) SumAll = "sum_all";
    shape: "... ->",
    gradient: |c| {
        let (g, x) = (c.gradient()?, c.operand(0));
        let g = c.apply("like", &[g, x])?;
        c.add(0, g)
    },
}

register_operator! {
    pub(crate) Like = "like";
    shape: "..., ... -> ...",
}

register_operator! {
    pub(crate) Split = "split";
    shape: "m 2 -> m, m",
}

register_operator! {
    pub(crate) Late = "late";
    decompose: |c| {
        c.graph.shared_constant(DType::U8, &[5000], &[7; 5000])?;
        Err(Error::invalid("it fails behind its constant"))
    },
}

pub(crate) fn graph() -> Graph {
    let entries = [
        Add::ENTRY,
        Mul::ENTRY,
        MatMul::ENTRY,
        Sum::ENTRY,
        SumKeep::ENTRY,
        SumAll::ENTRY,
        Like::ENTRY,
        Split::ENTRY,
    ];
    let builder = entries.into_iter().fold(Registry::builder(), RegistryBuilder::register);
    Graph::with_registry(builder.build().unwrap())
}

fn small() -> Graph {
    let mut g = graph();
    let x = g.input("x", DType::F32, &[2, 3]).unwrap();
    let b = g.parameter("b", DType::F32, &[3]).unwrap();
    let half = g.constant(&[], &[0.5_f32]).unwrap();
    let y = g.apply("mul", &[x, half]).unwrap();
    let y = g.apply("add", &[y, b]).unwrap();
    let y = g.apply_with("sum", &[y], [("axis", 0_usize)]).unwrap();
    g.place(y, "cpu:0").unwrap();
    g.output("y", y).unwrap();
    g
}

const SMALL: &str = "\
%0 = input \"x\": f32[2, 3]
%1 = parameter \"b\": f32[3]
%2 = constant 4 bytes: f32[]
%3 = mul(%0, %2): f32[2, 3]
%4 = add(%3, %1): f32[2, 3]
%5 = sum(%4, axis = 0_usize): f32[3] on cpu:0
output \"y\" = %5
";

#[test]
fn a_graph_prints_one_line_for_each_node() {
    assert_eq!(small().to_string(), SMALL);
}

#[test]
fn equal_programs_are_equal_and_hash_equal_whoever_built_them() {
    let set: HashSet<Graph> = [small(), small(), small().clone()].into();
    assert_eq!(set.len(), 1);
    let mut other = small();
    let y = other.named("x").unwrap();
    other.place(y, "cpu:0").unwrap();
    assert!(!set.contains(&other));
}

#[test]
fn a_graph_survives_serialisation() {
    let text = serde_json::to_string(&small()).unwrap();
    let read: Graph = serde_json::from_str(&text).unwrap();
    assert_eq!(read, small());
    assert_eq!(read.to_string(), SMALL);
}

#[test]
fn data_that_is_no_graph_is_refused_with_the_node() {
    let text = serde_json::to_string(&small()).unwrap();
    for (from, to, why) in [
        ("[[3,0],[1,0]]", "[[4,0],[1,0]]", "node %4: operand %4 does not exist before it"),
        ("[[3,0],[1,0]]", "[[3,1],[1,0]]", "operand %3.1 does not exist"),
        ("\"value\":[5,0]", "\"value\":[6,0]", "output `y` is %6"),
        ("0000003f", "00003f", "node %2: it holds 3 bytes"),
        ("0000003f", "0000003", "no hexadecimal text"),
        ("\"name\":\"b\"", "\"name\":\"x\"", "node %1: its name is taken"),
        (
            "\"operands\":[[3,0]",
            "\"name\":\"z\",\"operands\":[[3,0]",
            "node %4: it is called `z`, and",
        ),
        ("\"outputs\"", "\"surprise\"", "unknown field `surprise`"),
        ("\"value\":[5,0]", "\"value\":[5,0],\"over\":[9,0]", "`y` over %9: it does not exist"),
        (
            "\"value\":[5,0]",
            "\"value\":[5,0],\"over\":[2,0]",
            "%2: it is neither input nor parameter",
        ),
        (
            "\"value\":[5,0]",
            "\"value\":[5,0],\"over\":[0,0]",
            "cannot lie in memory of type f32[2, 3]",
        ),
        (
            "\"value\":[5,0]",
            "\"value\":[5,0],\"over\":[1,0]},{\"name\":\"z\",\"value\":[1,0],\"over\":[1,0]",
            "output `y` over %1: another output takes its memory",
        ),
        (
            "[[3,0],[1,0]]",
            "[[3,0],[1,0]],\"kept\":true",
            "node %4: it is kept, and computed of more",
        ),
    ] {
        assert!(text.contains(from), "{text}");
        let error = serde_json::from_str::<Graph>(&text.replacen(from, to, 1)).unwrap_err();
        assert!(error.to_string().contains(why), "{error}");
    }
}

#[test]
fn more_results_than_a_text_may_list_are_refused() {
    let text = |results: u64| {
        format!(
            "{{\"nodes\":[{{\"kind\":{{\"apply\":\"onnx\"}},\"open\":{{\"results\":{results}}}}}],\"outputs\":[]}}"
        )
    };
    serde_json::from_str::<Graph>(&text(3)).unwrap();
    for results in [1 << 17, u64::from(u32::MAX)] {
        let error = serde_json::from_str::<Graph>(&text(results)).unwrap_err();
        assert!(
            error.to_string().contains(&format!("node %0: it has {results} results")),
            "{error}"
        );
    }
}

#[test]
fn an_output_whose_size_is_open_lies_in_the_memory_of_no_input() {
    let mut g = graph();
    let x = g.open_input("x", DType::F32, &["n".into()]).unwrap();
    let y = g.apply("add", &[x, x]).unwrap();
    g.output("y", y).unwrap();
    let error = g.alias("y", x).unwrap_err();
    assert_eq!(error.to_string(), "output `y` over %0: their sizes are open");
}

#[test]
fn an_output_of_a_taken_name_is_refused_in_copies_of_a_graph_too() {
    let g = small();
    let read: Graph = serde_json::from_str(&serde_json::to_string(&g).unwrap()).unwrap();
    for mut graph in [g.clone(), pass::prune(&g), read, g.until("y").unwrap(), g] {
        let value = graph.value(graph.outputs()[0].value).unwrap();
        let error = graph.output("y", value).unwrap_err();
        assert_eq!(error.to_string(), "the graph has an output `y` already");
        graph.output("z", value).unwrap();
        assert!(graph.output("z", value).is_err() && graph.outputs().len() == 2);
    }
}

#[test]
fn a_shared_constant_of_a_node_that_failed_is_added_again() {
    let registry = Registry::builder().register(Late::ENTRY).build().unwrap();
    let mut g = Graph::with_registry(registry);
    let x = g.open_input("x", DType::F32, &["n".into()]).unwrap();
    for _ in 0..2 {
        g.apply("late", &[x]).unwrap();
    }
    let failures = g.failures(&[("x", &[2])]);
    let failed = failures.into_iter().map(|(node, _, error)| (node, error.unwrap().to_string()));
    let failed: Vec<_> = failed.collect();
    assert_eq!(failed.iter().map(|(node, _)| *node).collect::<Vec<_>>(), [1, 2]);
    assert!(failed.iter().all(|(_, error)| error.starts_with("it fails behind")), "{failed:?}");
}

#[test]
fn verify_finds_types_that_do_not_follow() {
    let mut g = small();
    g.verify().unwrap();
    g.node_mut(4).results[0] = TensorType::new(DType::F32, &[3, 2]).unwrap();
    let error = g.verify().unwrap_err().to_string();
    assert!(error.starts_with("node %4: its type must be f32[2, 3], but it is `add"), "{error}");
}

#[test]
fn values_belong_to_one_graph_and_its_later_clones() {
    let (mut g, mut other) = (graph(), graph());
    let x = g.input("x", DType::F32, &[2]).unwrap();
    let foreign = other.input("x", DType::F32, &[2]).unwrap();
    let error = g.apply("add", &[x, foreign]).unwrap_err();
    assert!(error.to_string().contains("%0 belongs to another graph"), "{error}");
    let mut clone = g.clone();
    assert!(clone.apply("add", &[x, x]).is_ok());
    let late = g.apply("add", &[x, x]).unwrap();
    assert!(clone.output("y", late).is_err());
    assert!(g.output("y", late).is_ok());
}

#[test]
fn shape_and_dtype_mismatches_are_found_when_a_node_is_added() {
    let mut g = graph();
    let x = g.input("x", DType::F32, &[32, 784]).unwrap();
    let w = g.parameter("w", DType::F32, &[64, 10]).unwrap();
    let d = g.parameter("d", DType::F64, &[784, 10]).unwrap();
    let error = g.apply("matmul", &[x, w]).unwrap_err();
    assert_eq!(
        error.to_string(),
        "matmul: k is 784 in operand 1 [32, 784] and 64 in operand 2 [64, 10]"
    );
    assert_eq!(error.kind(), ErrorKind::Shape);
    assert_eq!(g.apply("matmul", &[x, d]).unwrap_err().kind(), ErrorKind::DType);
    let unknown = g.apply("matmull", &[x, w]).unwrap_err().to_string();
    assert!(unknown.contains("no operator `matmull`") && unknown.contains("matmul"), "{unknown}");
    assert_eq!(g.nodes().len(), 3);
}

#[test]
fn names_are_unique_and_unknown_ones_list_the_known() {
    let mut g = small();
    assert_eq!(g.input("b", DType::F32, &[]).unwrap_err().kind(), ErrorKind::Duplicate);
    let b = g.named("b").unwrap();
    assert_eq!(g.output("y", b).unwrap_err().kind(), ErrorKind::Duplicate);
    assert_eq!(g.named("c").unwrap_err().to_string(), "no input or parameter `c`; known: x, b");
}

#[test]
fn an_operator_may_have_several_results() {
    let mut g = graph();
    let x = g.input("x", DType::F32, &[4, 2]).unwrap();
    assert!(g.apply("split", &[x]).unwrap_err().to_string().contains("has 2 results"));
    let halves = g.apply_all("split", &[x], Attributes::default()).unwrap();
    let y = g.apply("add", &halves).unwrap();
    g.output("y", y).unwrap();
    assert!(g.to_string().contains("%1 = split(%0): f32[4], f32[4]\n%2 = add(%1, %1.1)"), "{g}");
}

#[test]
fn constants_must_fill_their_shape() {
    let mut g = graph();
    assert!(g.constant(&[2, 0], &[0.0_f32; 0]).is_ok());
    let error = g.constant(&[2], &[1.0_f32]).unwrap_err();
    assert_eq!(error.to_string(), "a constant of type f32[2] has 8 bytes, not 4");
    // 2^64 bytes, which would wrap to none.
    assert_eq!(g.constant::<f64>(&[1 << 61], &[]).unwrap_err().kind(), ErrorKind::Shape);
}

#[test]
fn gradients_sum_over_uses_and_over_broadcast_dimensions() {
    let mut g = graph();
    let x = g.input("x", DType::F32, &[2, 3]).unwrap();
    let b = g.parameter("b", DType::F32, &[1, 3]).unwrap();
    let s = g.parameter("s", DType::F32, &[]).unwrap();
    let y = g.apply("mul", &[x, b]).unwrap();
    let y = g.apply("mul", &[y, b]).unwrap();
    let y = g.apply("add", &[y, s]).unwrap();
    let loss = g.apply("sum_all", &[y]).unwrap();
    let gradients = g.gradient(loss, &[b, s, x]).unwrap();
    let types: Vec<_> = gradients.iter().map(|&v| g.type_of(v).unwrap().to_string()).collect();
    assert_eq!(types, ["f32[1, 3]", "f32[]", "f32[2, 3]"]);
    g.verify().unwrap();
    let sums = g.nodes().iter().filter(|n| n.operator() == Some("sum")).count();
    assert_eq!(sums, 2, "only `s` needs two dimensions removed:\n{g}");
}

#[test]
fn a_gradient_passes_copies_between_devices() {
    let mut g = graph();
    let w = g.parameter("w", DType::F32, &[2]).unwrap();
    let moved = g.copy(w, "b:0").unwrap();
    let y = g.apply("mul", &[moved, moved]).unwrap();
    g.place(y, "b:0").unwrap();
    let loss = g.apply("sum_all", &[y]).unwrap();
    let gradient = g.gradient(loss, &[w]).unwrap()[0];
    let node = &g.nodes()[gradient.id().node as usize];
    assert_eq!((node.operator(), node.device.as_deref()), (Some("add"), Some("b:0")), "{g}");
    g.verify().unwrap();
}

/// The `like` of another package.
fn their_like() -> Entry {
    Entry::made(EntryMeta { package: "mine", ..Like::ENTRY.meta() }, *Like::OPERATOR)
}

#[test]
fn gradients_of_ringwoods_operators_use_no_operator_of_another_package() {
    let gradient = |entries: &[Entry]| {
        let builder = entries.iter().cloned().fold(Registry::builder(), RegistryBuilder::register);
        let mut g = Graph::with_registry(builder.build().unwrap());
        let x = g.input("x", DType::F32, &[2]).unwrap();
        let loss = g.apply("sum_all", &[x]).unwrap();
        let gradient = g.gradient(loss, &[x])?[0].id();
        Ok::<_, Error>(g.nodes()[gradient.node as usize].operator().unwrap().to_owned())
    };
    let both = [SumAll::ENTRY, Like::ENTRY, their_like()];
    assert_eq!(gradient(&both).unwrap(), "like");
    let error = gradient(&[SumAll::ENTRY, their_like()]).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::NotFound, "{error}");
}

#[test]
fn a_node_keeps_the_package_of_another_packages_operator() {
    let registry = Registry::builder().register(their_like()).build().unwrap();
    let mut g = Graph::with_registry(registry);
    let x = g.input("x", DType::F32, &[2]).unwrap();
    let y = g.apply("like", &[x, x]).unwrap();
    assert_eq!(g.nodes()[y.id().node as usize].operator(), Some("mine::like"));
    g.verify().unwrap();
}

#[test]
fn an_operator_without_gradient_is_named_and_the_graph_stays_as_it_was() {
    let mut g = graph();
    let x = g.input("x", DType::F32, &[2, 2]).unwrap();
    let w = g.parameter("w", DType::F32, &[2, 2]).unwrap();
    let y = g.apply("matmul", &[x, w]).unwrap();
    let loss = g.apply("sum_all", &[y]).unwrap();
    let before = g.clone();
    let error = g.gradient(loss, &[w]).unwrap_err();
    let text = error.to_string();
    assert!(
        text.contains("operator `matmul` has no gradient (node: %2 = matmul(%0, %1): "),
        "{error}"
    );
    assert_eq!(g, before);
}

#[test]
fn a_gradient_needs_a_scalar_float_loss_that_depends_on_the_parameter() {
    let mut g = graph();
    let x = g.input("x", DType::F32, &[2]).unwrap();
    let w = g.parameter("w", DType::F32, &[2]).unwrap();
    let n = g.input("n", DType::I32, &[2]).unwrap();
    let error = g.gradient(x, &[w]).unwrap_err();
    assert!(error.to_string().contains("of one number, not of f32[2]"), "{error}");
    let loss = g.apply("sum_all", &[x]).unwrap();
    let error = g.gradient(loss, &[w]).unwrap_err();
    assert!(error.to_string().contains("%3 does not depend on %1: `parameter \"w\""), "{error}");
    let whole = g.apply("sum_all", &[n]).unwrap();
    assert_eq!(g.gradient(whole, &[n]).unwrap_err().kind(), ErrorKind::DType);
}

#[test]
fn an_attribute_of_another_type_is_refused() {
    let mut g = graph();
    let x = g.input("x", DType::F32, &[2]).unwrap();
    let error = g.apply_with("sum", &[x], [("axis", Scalar::I32(0))]).unwrap_err();
    assert!(error.to_string().contains("attribute `axis` is 0_i32, not of type usize"), "{error}");
}

#[test]
fn a_name_that_was_taken_back_is_free() {
    let mut g = Graph::new();
    let short = Bytes::from_static(&[0]);
    assert_eq!(g.weight("w", DType::F32, &[2], short).unwrap_err().kind(), ErrorKind::Shape);
    assert_eq!(g.named("w").unwrap_err().kind(), ErrorKind::NotFound);
    g.input("x", DType::F32, &[2]).unwrap();
    let w = g.input("w", DType::F32, &[2]).unwrap();
    assert_eq!(g.named("w").unwrap(), w);
    assert_eq!(g.clone().named("w").unwrap().id(), w.id());
}
