//! Graph JSON and parameter files of TVM: read, run, written, refused.

use bytes::Bytes;
use ringwood_backend_cpu as _;
use ringwood_base::{DType, ErrorKind, Result};
use ringwood_device::device::Device;
use ringwood_graph::graph::{Graph, TensorType};
use ringwood_kernels as _;
use ringwood_models::tvm;
use std::path::PathBuf;

/// A file that goes when the test ends.
struct File(PathBuf);

impl File {
    fn new(name: &str) -> Self {
        Self(std::env::temp_dir().join(format!("ringwood-{}-{name}", std::process::id())))
    }

    fn of(name: &str, content: &[u8]) -> Self {
        let file = Self::new(name);
        std::fs::write(&file.0, content).unwrap();
        file
    }
}

impl Drop for File {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.0);
    }
}

/// A graph JSON of one function of two inputs.
fn of_two(function: &str, x: &[usize], bias: &[usize]) -> String {
    format!(
        r#"{{"nodes": [
          {{"op": "null", "name": "x", "inputs": []}}, {{"op": "null", "name": "bias", "inputs": []}},
          {{"op": "tvm_op", "name": "y", "inputs": [[0, 0, 0], [1, 0, 0]], "attrs":
            {{"func_name": "{function}", "num_inputs": "2", "num_outputs": "1", "flatten_data": "0"}}}}],
        "arg_nodes": [0, 1], "node_row_ptr": [0, 1, 2, 3], "heads": [[2, 0, 0]], "attrs": {{
          "shape": ["list_shape", [{x:?}, {bias:?}, {x:?}]],
          "dltype": ["list_str", ["float32", "float32", "float32"]],
          "storage_id": ["list_int", [0, 1, 2]]}}}}"#
    )
}

#[test]
fn a_bias_is_added_along_the_channels() {
    let file = File::of("bias.json", of_two("nn_bias_add", &[1, 2, 2], &[2]).as_bytes());
    let cpu = Device::named("cpu:0").unwrap();
    let tensor = |elements: &[f32], dims: &[usize]| {
        cpu.tensor_with(elements, ringwood_base::Shape::new(dims).unwrap()).unwrap()
    };
    let (x, bias) = (tensor(&[0.0; 4], &[1, 2, 2]), tensor(&[1.0, 2.0], &[2]));
    let mut plan = Graph::load(&file.0).unwrap().plan(std::slice::from_ref(&cpu)).unwrap();
    let y = plan.run(&[("x", &x), ("bias", &bias)]).unwrap();
    assert_eq!(y[0].to_vec::<f32>().unwrap(), [1.0, 1.0, 2.0, 2.0]);
    let odd = File::of("odd.json", of_two("nn_bias_add", &[1, 3, 2], &[2]).as_bytes());
    assert!(Graph::load(&odd.0).is_err());
}

#[test]
fn a_sum_is_no_bias_of_tvm() {
    let softmax = "tvmgen_default_fused_add_nn_softmax_1";
    let file = File::of("sum.json", of_two(softmax, &[2, 4], &[2, 4]).as_bytes());
    let again = File::new("sum-again.json");
    tvm::save(&again.0, &Graph::load(&file.0).unwrap(), &[]).unwrap();
    let text = std::fs::read_to_string(&again.0).unwrap();
    assert!(text.contains("\"add\"") && text.contains("\"nn_softmax\""), "{text}");
}

#[test]
fn a_softmax_is_along_its_axis() {
    let of = |x: &[usize], axis: &str| {
        let text = of_two("fused_add_nn_softmax", x, x);
        let text = text.replace("\"func_name\"", &format!("{axis}\"func_name\""));
        let file = File::of("softmax.json", text.as_bytes());
        let graph = Graph::load(&file.0)?;
        let cpu = Device::named("cpu:0")?;
        let x = cpu.tensor_with(&[0.0_f32; 4], ringwood_base::Shape::new(x)?)?;
        graph.plan(&[cpu])?.run(&[("x", &x), ("bias", &x)])?[0].to_vec::<f32>()
    };
    assert_eq!(of(&[1, 4], "").unwrap(), [0.25; 4]);
    assert_eq!(of(&[1, 4], r#""axis": "0", "#).unwrap(), [1.0; 4]);
    assert_eq!(of(&[1, 2, 2], r#""axis": "1", "#).unwrap(), [0.5; 4]);
    let error = of(&[1, 2, 2], "").unwrap_err().to_string();
    assert!(error.contains("the `axis` of `softmax` is not known"), "{error}");
}

/// `x` is doubled on one device and `bias` is added on another one, as TVM's exporter writes it.
const HETEROGENEOUS: &str = r#"{
  "nodes": [
    {"op": "null", "name": "x", "inputs": []},
    {"op": "tvm_op", "name": "double", "inputs": [[0, 0, 0], [0, 0]],
     "attrs": {"func_name": "fused_add", "num_inputs": "2", "num_outputs": "1", "flatten_data": "1"}},
    {"op": "tvm_op", "name": "__copy_double", "inputs": [[1, 0, 0]],
     "attrs": {"func_name": "__copy", "num_inputs": "1", "num_outputs": "1", "flatten_data": "0"}},
    {"op": "null", "name": "bias", "inputs": []},
    {"op": "tvm_op", "name": "add", "inputs": [[2, 0, 0], [3, 0, 0]], "control_deps": [0],
     "attr": {"func_name": "tvmgen_default_fused_add_nn_relu_1", "num_inputs": "2", "num_outputs": "1",
              "flatten_data": "0", "hash": "a0"}}
  ],
  "arg_nodes": [0, 3], "node_row_ptr": [0, 1, 2, 3, 4, 5], "heads": [[4, 0, 0]],
  "attrs": {
    "shape": ["list_shape", [[2, 3], [2, 3], [2, 3], [2, 3], [2, 3]]],
    "dltype": ["list_str", ["float32", "float", "float32", "float32", "float32"]],
    "storage_id": ["list_int", [0, 1, 2, 3, 4]],
    "dtype": ["list_int", [0, 0, 0, 0, 0]],
    "device_index": ["list_int", [4, 4, 1, 1, 1]]
  },
  "metadata": {"anything": [1]}
}"#;

fn run(graph: &Graph) -> Result<Vec<f32>> {
    let cpu = Device::named("cpu:0")?;
    let shape = ringwood_base::Shape::new(&[2, 3])?;
    let x = cpu.tensor_with(&[1.0_f32, -2.0, 3.0, -4.0, 5.0, -6.0], shape)?;
    let bias = cpu.tensor_with(&[1.0_f32; 6], shape)?;
    graph.plan(&[cpu])?.run(&[("x", &x), ("bias", &bias)])?[0].to_vec()
}

#[test]
fn a_file_over_two_devices_is_read_with_the_numbers_that_it_has() {
    let file = File::of("two.json", HETEROGENEOUS.as_bytes());
    let graph = tvm::load(&file.0, &[(1, "cpu:0"), (4, "cpu:0")]).unwrap();
    assert_eq!(graph.outputs()[0].name, "add:0");
    assert_eq!(run(&graph).unwrap(), [3.0, 0.0, 7.0, 0.0, 11.0, 0.0]);
    let other = tvm::load(&file.0, &[(1, "cpu:0"), (4, "gpu:1")]).unwrap();
    assert_eq!(other.nodes()[1].device.as_deref(), Some("gpu:1"));
    let error = tvm::load(&file.0, &[(0, "cpu:0")]).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Device);
    assert!(error.to_string().contains("no name is given for device 4"), "{error}");
    let error = Graph::load(&file.0).unwrap_err();
    assert!(error.to_string().contains("name its devices in `tvm::load`"), "{error}");
}

#[test]
fn a_graph_that_is_written_and_read_is_the_same() {
    let mut graph = Graph::new();
    let x = graph.input("x", DType::F32, &[2, 3]).unwrap();
    let bias = graph.parameter("bias", DType::F32, &[2, 3]).unwrap();
    let y = graph.apply("mul", &[x, bias]).unwrap();
    graph.place(y, "cpu:1").unwrap();
    let y = graph.copy(y, "cpu:0").unwrap();
    let y = graph.apply_with("sum", &[y], [("axis", 1_usize)]).unwrap();
    let y = graph.apply("ln", &[y]).unwrap();
    graph.output("ln_5:0", y).unwrap();
    for value in [x, bias] {
        graph.place(value, "cpu:0").unwrap();
    }
    for id in [4, 5] {
        let id = ringwood_graph::graph::ValueId { node: id, result: 0 };
        graph.place(graph.value(id).unwrap(), "cpu:0").unwrap();
    }
    let (file, again) = (File::new("round.json"), File::new("again.json"));
    let devices = ["cpu:0", "cpu:1"];
    tvm::save(&file.0, &graph, &devices).unwrap();
    let mut read = tvm::load(&file.0, &[(0, "cpu:0"), (1, "cpu:1")]).unwrap();
    tvm::save(&again.0, &read, &devices).unwrap();
    assert_eq!(std::fs::read(&file.0).unwrap(), std::fs::read(&again.0).unwrap());
    // Parameters are inputs in a graph JSON, until a parameter file gives them.
    let ty = TensorType::new(DType::F32, &[2, 3]).unwrap();
    let bytes = Bytes::from(vec![0_u8; 24]);
    read.set_weight("bias", ty, bytes).unwrap();
    assert_eq!(read.nodes(), graph.nodes());
}

#[test]
fn parameters_that_are_written_and_read_are_the_same() {
    let tensors = [
        ("weight", TensorType::new(DType::F32, &[2, 2]).unwrap(), vec![1_u8; 16]),
        ("count", TensorType::new(DType::I64, &[]).unwrap(), vec![2; 8]),
        ("mask", TensorType::new(DType::Bool, &[3]).unwrap(), vec![1, 0, 1]),
        ("half", TensorType::new(DType::BF16, &[1, 0]).unwrap(), vec![]),
    ];
    let given: Vec<_> = tensors.iter().map(|(name, ty, bytes)| (*name, *ty, &bytes[..])).collect();
    let file = File::new("round.params");
    tvm::save_params(&file.0, &given).unwrap();
    let read = tvm::load_params(&file.0).unwrap();
    let read: Vec<_> = read.iter().map(|(name, ty, bytes)| (&name[..], *ty, &bytes[..])).collect();
    assert_eq!(read, given);
    let whole = std::fs::read(&file.0).unwrap();
    for length in 0..whole.len() {
        let cut = File::of("cut.params", &whole[..length]);
        assert_eq!(tvm::load_params(&cut.0).unwrap_err().kind(), ErrorKind::InvalidArgument);
    }
    // A claim of 2^60 names in a small file.
    let mut claim = whole.clone();
    claim[16..24].copy_from_slice(&(1_u64 << 60).to_le_bytes());
    let claim = File::of("claim.params", &claim);
    assert!(tvm::load_params(&claim.0).is_err());
    let tensor =
        whole.windows(8).position(|bytes| bytes == 0xdd5e_40f0_96b4_a13f_u64.to_le_bytes());
    let rank = tensor.unwrap() + 24;
    let mut negative = whole;
    negative[rank..rank + 4].copy_from_slice(&(-1_i32).to_le_bytes());
    let error = tvm::load_params(&File::of("rank.params", &negative).0).unwrap_err().to_string();
    assert!(error.contains("a tensor has -1 dimensions"), "{error}");
}

#[test]
fn malformed_files_are_refused_with_the_place() {
    let refused = |from: &str, to: &str, needle: &str| {
        assert!(HETEROGENEOUS.contains(from), "{from}");
        let file = File::of("bad.json", HETEROGENEOUS.replacen(from, to, 1).as_bytes());
        let devices = &[(1, "cpu:0"), (4, "cpu:0")];
        let error = tvm::load(&file.0, devices).unwrap_err().to_string();
        assert!(error.contains(needle), "{error}");
        assert!(error.contains("bad.json"), "{error}");
    };
    refused("fused_add\"", "fused_warp_2\"", "no operators for the functions fused_warp_2");
    refused("fused_add\"", "fused_clip\"", "the attributes of `clip` are not known");
    refused(
        "[[0, 0, 0], [0, 0]]",
        "[[4, 0, 0], [0, 0]]",
        "no result 0 of node 4 before it is used",
    );
    refused("[[0, 0, 0], [0, 0]]", "[[9, 0, 0], [0, 0]]", "no result 0 of node 9");
    refused("[[0, 0, 0], [0, 0]]", "[[0], [0, 0]]", "is no node, result and version");
    refused(
        "[0, 1, 2, 3, 4, 5]",
        "[0, 1, 2, 3, 4]",
        "`node_row_ptr` counts the results of 5 nodes",
    );
    refused("[0, 1, 2, 3, 4]]", "[0, 1, 2, 3, -1]]", "result 4 has the storage -1");
    refused("[0, 1, 2, 3, 4]]", "[0, 1, 1, 3, 4]]", "storage 1 is on device 4 and on device 1");
    refused("\"float32\"", "\"float33\"", "no tensors of type `float33`");
    refused("[[2, 3], [2, 3], [2, 3], [2, 3], [2, 3]]", "[[2, 3]]", "has 1 values for 5 results");
    refused("[2, 3]]]", "[2, 4]]]", "it gives f32[2, 3], not f32[2, 4]");
    refused("\"bias\"", "\"x\"", "`x`");
    refused(
        "\"storage_id\": [\"list_int\"",
        "\"storage_id\": [\"size_t\"",
        "is a `list_int`, not a `size_t`",
    );
    refused(
        "\"dtype\": [\"list_int\"",
        "\"dtype\": [\"list_of\"",
        "column `dtype` of type `list_of`",
    );
    refused("\"heads\"", "\"head\"", "unknown field `head`");
    refused("\"func_name\"", "\"function\"", "needs the attribute `func_name`");
}

#[test]
fn a_result_may_be_given_twice() {
    let text = HETEROGENEOUS.replace("[[4, 0, 0]]", "[[4, 0, 0], [4, 0, 0]]");
    let file = File::of("twice.json", text.as_bytes());
    let graph = tvm::load(&file.0, &[(1, "cpu:0"), (4, "cpu:0")]).unwrap();
    let names: Vec<_> = graph.outputs().iter().map(|output| output.name.as_str()).collect();
    assert_eq!(names, ["add:0", "add:0 head 1"]);
}

#[test]
fn results_that_are_not_there_are_refused() {
    let four = [
        ("4, 5]", "4, 4]"),
        (", [2, 3]]]", "]]"),
        (r#"32", "float32"]]"#, r#"32"]]"#),
        ("3, 4]]", "3]]"),
        ("1, 1, 1]]", "1, 1]]"),
    ];
    let last =
        four.iter().fold(HETEROGENEOUS.to_owned(), |text, (old, new)| text.replace(old, new));
    let far = HETEROGENEOUS.replace("[[2, 0, 0]", "[[2, 18446744073709551615, 0]");
    let cases = [(last, "a node has a result"), (far, "no result 18446744073709551615 of node 2")];
    for (text, wanted) in cases {
        let file = File::of("results.json", text.as_bytes());
        let error = tvm::load(&file.0, &[(1, "cpu:0"), (4, "cpu:0")]).unwrap_err();
        assert!(error.to_string().contains(wanted), "{error}");
    }
}

#[test]
fn what_tvm_has_not_is_not_written() {
    let mut graph = Graph::new();
    let one = graph.constant(&[1], &[1.0_f32]).unwrap();
    graph.output("one", one).unwrap();
    let file = File::new("constant.json");
    let error = tvm::save(&file.0, &graph, &[]).unwrap_err();
    assert!(error.to_string().contains("give constants as parameters"), "{error}");
    assert!(!file.0.exists());
}
