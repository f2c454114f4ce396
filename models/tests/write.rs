//! Graphs that are written as ONNX: read back, they give the same bits; ONNX Runtime gives close numbers.
//!
//! ONNX Runtime is that of `python3`, with numpy (`PYTHONPATH` names where they are).

#[path = "support/training.rs"]
mod training;
#[path = "support/types.rs"]
mod types;

use ringwood_backend_cpu as _;
use ringwood_base::{DType, ErrorKind, Result};
use ringwood_device::device::{Device, Tensor};
use ringwood_graph::graph::{Attribute, Graph, Model, TensorType, Value};
use ringwood_graph::lazy::{Lazy, jit};
use ringwood_kernels::lazy::Operations;
use ringwood_models::{npz, onnx};
use ringwood_nn::{Attention, Convolution, Key, LayerNorm, Linear, set_weights};
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Command;

fn folder(name: &str) -> PathBuf {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    fs::create_dir_all(&path).unwrap();
    path
}

/// A graph, and a tensor for each of its inputs.
struct Case {
    graph: Graph,
    inputs: Vec<(&'static str, TensorType, Vec<u8>)>,
}

/// Numbers in 0.25..1.25, where every function is defined.
fn numbers(count: usize, seed: usize) -> Vec<f32> {
    (0..count).map(|i| 0.25 + ((i * 37 + seed * 11) % 97) as f32 / 97.0).collect()
}

impl Case {
    fn new() -> Self {
        Self { graph: Graph::new(), inputs: Vec::new() }
    }

    fn input(&mut self, name: &'static str, dims: &[usize]) -> Value {
        let ty = TensorType::new(DType::F32, dims).unwrap();
        let elements = numbers(ty.shape.elements(), self.inputs.len());
        self.inputs.push((name, ty, bytemuck::cast_slice(&elements).to_vec()));
        self.graph.input(name, DType::F32, dims).unwrap()
    }

    fn output(
        &mut self,
        name: &str,
        operator: &str,
        operands: &[Value],
        with: &[(&str, Attribute)],
    ) {
        let value = self.graph.apply_with(operator, operands, with);
        let value = value.unwrap_or_else(|e| panic!("{operator}: {e}"));
        self.graph.output(name, value).unwrap();
    }

    /// The same of each of several results.
    fn outputs(&mut self, name: &str, operator: &str, of: &[Value], with: &[(&str, Attribute)]) {
        let values = self.graph.apply_all(operator, of, with);
        let values = values.unwrap_or_else(|e| panic!("{operator}: {e}"));
        for (i, value) in values.into_iter().enumerate() {
            self.graph.output(&format!("{name}.{i}"), value).unwrap();
        }
    }
}

/// Every operator that is written, each with an output of its own.
fn every_operator() -> Case {
    let mut case = Case::new();
    let (x, y) = (case.input("x", &[3, 4]), case.input("y", &[3, 4]));
    let (m, cube) = (case.input("m", &[4, 3]), case.input("cube", &[2, 3, 4]));
    let unary = "abs acos asin atan ceil copy cos cosh erf exp floor gelu gelu_tanh ln log_softmax neg recip \
        relu sigmoid sin sinh softmax sqrt tan tanh transpose mean_all sum_all";
    for operator in unary.split_whitespace() {
        let name = format!("{operator} of x");
        // The arc functions of ONNX are those of numbers up to 1.
        let operand = match operator {
            "acos" | "asin" => case.graph.apply("sin", &[x]).unwrap(),
            _ => x,
        };
        case.output(&name, operator, &[operand], &[]);
    }
    for operator in
        "add div equal greater greater_equal less less_equal max min mul powf sub".split(' ')
    {
        case.output(operator, operator, &[x, y], &[]);
    }
    case.output("matmul", "matmul", &[x, m], &[]);
    case.output("batched_matmul", "batched_matmul", &[cube, m], &[]);
    case.output("matmul_nt", "matmul_nt", &[x, y], &[]);
    case.output("matmul_tn", "matmul_tn", &[x, y], &[]);
    for operator in "largest smallest sum mean product sum_keep argmax argmin".split(' ') {
        for axis in 0..3_usize {
            let name = format!("{operator}.{axis}");
            case.output(&name, operator, &[cube], &[("axis", axis.into())]);
        }
    }
    let list = |list: &[i64]| Attribute::from(list);
    case.output("reshape", "reshape", &[cube], &[("shape", list(&[4, -1]))]);
    case.output("permute", "permute", &[cube], &[("axes", list(&[2, 0, 1]))]);
    case.output("broadcast_to", "broadcast_to", &[x], &[("shape", list(&[2, 3, 4]))]);
    let part = [("axis", 1), ("start", 0), ("end", 4), ("step", 2)];
    let part: Vec<_> = part.iter().map(|(name, n)| (*name, Attribute::from(*n as usize))).collect();
    case.output("slice", "slice", &[x], &part);
    case.output("join", "concat", &[x, y], &[("axis", 1_i64.into())]);
    let weight = bytemuck::cast_slice::<f32, u8>(&numbers(4000, 5)).to_vec();
    let table = case.graph.weight("table", DType::F32, &[1000, 4], weight.into()).unwrap();
    let places = case.graph.constant(&[2, 2], &[7_i32, 0, 3, 999]).unwrap();
    case.output("gather", "gather", &[table, places], &[]);
    let scale = case.graph.constant(&[4], &[0.5_f32, 1.0, 1.5, 2.0]).unwrap();
    case.output("layer_norm", "layer_norm", &[x, scale, scale], &[("epsilon", 1e-5_f32.into())]);
    let (less, more) =
        (case.graph.apply("less", &[x, y]).unwrap(), case.graph.apply("less", &[y, x]).unwrap());
    let image = case.input("image", &[2, 3, 5, 6]);
    let pool = [("p", 2), ("q", 3), ("window", 2), ("stride", 2)];
    let pool: Vec<_> = pool.iter().map(|(name, n)| (*name, Attribute::from(*n as usize))).collect();
    let filters = case.graph.constant(&[6, 1, 2, 3], &numbers(36, 7)).unwrap();
    let convolve =
        [("strides", list(&[1, 2])), ("pads", list(&[1, 0, 1, 2])), ("dilations", list(&[2, 1]))];
    case.output("convolution", "convolve", &[image, filters], &convolve);
    case.output("max_pool", "max_pool", &[image], &pool);
    case.output("mean_pool", "mean_pool", &[image], &pool);
    for operator in ["and", "or", "xor"] {
        case.output(operator, operator, &[less, more], &[]);
    }
    case.output("not", "not", &[less], &[]);
    case.output("select", "select", &[less, x, y], &[]);
    case.output("if_less", "if_less", &[x, y, y, x], &[]);
    case.output("log_sum_exp", "log_sum_exp", &[cube], &[]);
    case
}

/// What operators of files are made of: windows that go back, pools with pads, positions and images of other extents.
fn parts_of_files() -> Case {
    let mut case = Case::new();
    let image = case.input("image", &[2, 4, 5, 6]);
    let row = TensorType::new(DType::F32, &[2, 3, 7]).unwrap();
    case.inputs.push(("row", row, bytemuck::cast_slice(&numbers(42, 1)).to_vec()));
    // What is applied to it is made of others by `with_shapes`, where constants are known.
    let row = case.graph.open_input("row", DType::F32, &["n".into(), 3.into(), 7.into()]).unwrap();
    let list = |list: &[i64]| Attribute::from(list);
    let filters = case.graph.constant(&[4, 3, 2, 3], &numbers(72, 7)).unwrap();
    let transposed = [
        ("strides", list(&[1, 3])),
        ("pads", list(&[0, 1, 0, 0])),
        ("dilations", list(&[2, 1])),
        ("output_padding", list(&[0, 2])),
        ("group", 2_usize.into()),
    ];
    for (name, with) in [("cut", &transposed[..2]), ("apart", &transposed)] {
        case.output(name, "convolve_transposed", &[image, filters], with);
    }
    let pool = [
        ("kernel_shape", list(&[3, 2])),
        ("strides", list(&[2, 3])),
        ("pads", list(&[1, 0, 2, 1])),
        ("ceil_mode", true.into()),
        ("results", 2_usize.into()),
        ("storage_order", true.into()),
    ];
    let along =
        [("kernel_shape", list(&[3])), ("pads", list(&[1, 1])), ("count_include_pad", true.into())];
    case.outputs("largest", "pool_largest", &[image], &pool);
    case.outputs("largest in rows", "pool_largest", &[image], &pool[..5]);
    case.outputs("largest of a row", "pool_largest", &[row], &along[..2]);
    case.outputs("mean", "pool_mean", &[image], &pool[..4]);
    case.outputs("mean of a row", "pool_mean", &[row], &along);
    let (two, axis) =
        (case.graph.constant(&[1], &[2_i64]).unwrap(), case.graph.constant(&[], &[1_i64]).unwrap());
    let smallest = [("axis", 1_i64.into()), ("largest", false.into())];
    case.outputs("top", "top_k", &[row, two], &smallest);
    let scan = [("exclusive", true.into()), ("reverse", true.into())];
    case.output("running", "running_sum", &[row, axis], &scan);
    case.output("running from the first", "running_sum", &[row, axis], &[]);
    let scales = case.graph.constant(&[3], &[1.0_f32, 2.0, 1.4]).unwrap();
    for mode in ["nearest", "linear", "cubic"] {
        let how = [("mode", mode.into()), ("absent", list(&[1]))];
        case.output(mode, "resize", &[row, scales], &how);
    }
    let x = case.input("x", &[3, 2]);
    let negative = case.graph.apply("neg", &[x]).unwrap();
    let [ones, at] = [x, negative].map(|x| case.graph.apply("to_i64", &[x]).unwrap());
    let updates = case.input("updates", &[3, 7]);
    let add = [("reduction", "add".into())];
    case.output("scattered", "scatter_nd", &[row, at, updates], &add);
    let turned = case.graph.apply("transpose", &[ones]).unwrap();
    case.output("integers", "shifted_matmul", &[turned, at], &[]);
    case.output("rem", "rem", &[row, updates], &[]);
    for operator in ["asinh", "silu"] {
        case.output(operator, operator, &[image], &[]);
    }
    let large = case.input("large", &[5, 1000]);
    for operator in ["sum_all", "mean_all"] {
        case.output(operator, operator, &[large], &[]);
    }
    case.graph = case.graph.with_shapes(&[("row", &[2, 3, 7])]).unwrap();
    case
}

/// The outputs of a graph on the processor: their types and elements.
fn run(graph: Graph, case: &Case) -> Result<Vec<(TensorType, Vec<u8>)>> {
    let device = Device::named("cpu:0")?;
    let tensors = case.inputs.iter().map(|(name, ty, elements)| {
        Ok((*name, device.tensor_of_bytes(elements, ty.shape, ty.dtype)?))
    });
    let tensors: Vec<(&str, Tensor)> = tensors.collect::<Result<_>>()?;
    let given: Vec<_> = tensors.iter().map(|(name, tensor)| (*name, tensor)).collect();
    let outputs = Model::new(graph, &[device]).run(&given)?;
    outputs.iter().map(|output| Ok((TensorType::of(output), output.to_bytes()?))).collect()
}

#[test]
fn what_is_written_and_read_gives_the_same_bits() {
    for (file, case) in [("all", every_operator()), ("parts", parts_of_files())] {
        let path = folder("bits").join(format!("{file}.onnx"));
        onnx::save(&case.graph, &path).unwrap();
        let read = onnx::load(&path).unwrap();
        let names =
            |graph: &Graph| graph.outputs().iter().map(|o| o.name.clone()).collect::<Vec<_>>();
        assert_eq!(names(&read), names(&case.graph));
        let (before, after) = (run(case.graph.clone(), &case).unwrap(), run(read, &case).unwrap());
        for ((name, before), after) in names(&case.graph).iter().zip(&before).zip(&after) {
            assert_eq!(before, after, "{name}");
        }
    }
}

#[test]
fn open_extents_stay_open() {
    let mut graph = Graph::new();
    let x = graph.open_input("x", DType::F32, &["n".into(), 3.into()]).unwrap();
    let weight = graph.constant(&[3, 2], &[1.0_f32; 6]).unwrap();
    let y = graph.apply("matmul", &[x, weight]).unwrap();
    graph.output("y", y).unwrap();
    let path = folder("open").join("open.onnx");
    onnx::save(&graph, &path).unwrap();
    let summary = onnx::inspect(&path).unwrap();
    assert_eq!(
        (summary.inputs[0].ty.as_str(), summary.outputs[0].ty.as_str()),
        ("f32[n, 3]", "f32[?, 2]")
    );
    let read = onnx::load(&path).unwrap().with_shapes(&[("x", &[5, 3])]).unwrap();
    let y = read.type_of(read.value(read.outputs()[0].value).unwrap()).unwrap();
    assert_eq!(y.to_string(), "f32[5, 2]");
}

#[test]
fn an_input_may_be_an_output_and_a_value_two_of_them() {
    let mut case = Case::new();
    let x = case.input("x", &[2]);
    case.output("a", "neg", &[x], &[]);
    let a = case.graph.outputs()[0].value;
    let a = case.graph.value(a).unwrap();
    case.graph.output("b", a).unwrap();
    case.graph.output("same", x).unwrap();
    case.graph.output("x", x).unwrap();
    let path = folder("twice").join("twice.onnx");
    onnx::save(&case.graph, &path).unwrap();
    let read = run(onnx::load(&path).unwrap(), &case).unwrap();
    assert_eq!(read, run(case.graph.clone(), &case).unwrap());
}

#[test]
fn an_output_may_have_a_number_as_its_name() {
    let mut case = Case::new();
    let x = case.input("0.1", &[2, 3]);
    case.output("0", "argmax", &[x], &[("axis", 1_usize.into())]);
    let path = folder("numbers").join("numbers.onnx");
    onnx::save(&case.graph, &path).unwrap();
    let read = run(onnx::load(&path).unwrap(), &case).unwrap();
    assert_eq!(read, run(case.graph.clone(), &case).unwrap());
}

#[test]
fn what_onnx_has_not_is_named() {
    let path = folder("refused").join("refused.onnx");
    let mut graph = Graph::new();
    let x = graph.input("x", DType::F32, &[2]).unwrap();
    for operator in ["exp_m1", "ln_1p"] {
        let y = graph.apply(operator, &[x]).unwrap();
        graph.output(operator, y).unwrap();
    }
    let error = onnx::save(&graph, &path).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Unsupported);
    let text = error.to_string();
    assert!(text.contains("not written as ONNX: exp_m1, ln_1p ("), "{text}");
    assert!(text.ends_with("; `package::save` writes a graph of any operators"), "{text}");
    let read = onnx::load("../data/digits.onnx").unwrap();
    let error = onnx::save(&read, &path).unwrap_err().to_string();
    assert!(
        error.contains("not written as ONNX: onnx (") && error.contains("with_shapes"),
        "{error}"
    );

    let mut graph = Graph::new();
    let w = graph.parameter("w", DType::F32, &[2]).unwrap();
    graph.output("y", w).unwrap();
    assert!(onnx::save(&graph, &path).unwrap_err().to_string().contains("`w` has no value"));
    let mut graph = Graph::new();
    let x = graph.input("x", DType::F32, &[2]).unwrap();
    graph.output("x", x).unwrap();
    graph.output("x.out", x).unwrap();
    assert_eq!(onnx::save(&graph, &path).unwrap_err().kind(), ErrorKind::Duplicate);
    assert!(!path.exists());
}

const SCRIPT: &str = "
import sys, numpy, onnx, onnxruntime
model, given, found = sys.argv[1:]
onnx.checker.check_model(model, full_check=True)
session = onnxruntime.InferenceSession(model, providers=['CPUExecutionProvider'])
names = [output.name for output in session.get_outputs()]
results = session.run(names, dict(numpy.load(given)))
numpy.savez(found, **{f'{i}': result for i, result in enumerate(results)})
";

/// Whether `python3` has ONNX Runtime; a line says if not.
fn has_onnx_runtime() -> bool {
    let available =
        Command::new("python3").args(["-c", "import numpy, onnx, onnxruntime"]).output();
    if !available.is_ok_and(|output| output.status.success()) {
        let message = "python3 has no numpy, onnx and onnxruntime";
        let required = std::env::var("RINGWOOD_REQUIRE").unwrap_or_default();
        assert!(!required.split(',').any(|name| name.trim() == "onnxruntime"), "{message}");
        // The test harness captures `eprintln!` of a test that passes.
        let _ = writeln!(std::io::stderr(), "skipped: {message}");
        return false;
    }
    true
}

/// Runs ONNX Runtime on a model; `None` with a line that says why it is skipped.
fn onnx_runtime(model: &Path, case: &Case) -> Option<Vec<(String, TensorType, bytes::Bytes)>> {
    let (given, found) = (model.with_extension("in.npz"), model.with_extension("out.npz"));
    let tensors: Vec<_> = case.inputs.iter().map(|(name, ty, e)| (*name, *ty, &e[..])).collect();
    npz::save(&given, &tensors).unwrap();
    if !has_onnx_runtime() {
        return None;
    }
    let output =
        Command::new("python3").args(["-c", SCRIPT]).args([model, &given, &found]).output();
    let output = output.unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    Some(npz::load(found).unwrap())
}

#[test]
fn onnx_runtime_accepts_what_is_written_and_gives_close_numbers() {
    for (file, case) in [("all", every_operator()), ("parts", parts_of_files())] {
        let path = folder("runtime").join(format!("{file}.onnx"));
        onnx::save(&case.graph, &path).unwrap();
        agrees(&path, &case);
    }
}

#[test]
fn onnx_runtime_agrees_on_the_network_of_digits() {
    let path = folder("digits").join("digits.onnx");
    fs::copy("../data/digits.onnx", &path).unwrap();
    let mut case = Case::new();
    case.input("pixels", &[16, 64]);
    case.graph = onnx::load(&path).unwrap();
    agrees(&path, &case);
}

/// A network of images: what `set_weights` makes of a recorded function.
fn images() -> Case {
    let [first, second, last] = Key::new(3).split();
    let first = Convolution { padding: 1, ..Convolution::init(&first, 1, 4, 3) };
    let second = Convolution { stride: 2, ..Convolution::init(&second, 4, 6, 3) };
    let layers = (first, second, Linear::init(&last, 6, 10));
    let network = jit(|((first, second, last), x): ((Convolution, Convolution, Linear), Lazy)| {
        let x = first.apply(&x).relu().max_pool2d(2, 2);
        last.apply(&second.apply(&x).tanh().reshape(&[-1, 6])).softmax()
    });
    let mut case = Case::new();
    case.input("1", &[5, 1, 8, 7]);
    let x = Lazy::placeholder(DType::F32, &[5, 1, 8, 7]);
    case.graph = network.graph(&(layers.clone(), x)).unwrap();
    set_weights(&mut case.graph, "0", &layers).unwrap();
    case
}

/// A block of a transformer.
fn block() -> Case {
    let [attention, linear] = Key::new(4).split();
    let block =
        (LayerNorm::init(8), Attention::init(&attention, 8, 2), Linear::init(&linear, 8, 8));
    let forward = jit(|((norm, attention, linear), x): ((LayerNorm, Attention, Linear), Lazy)| {
        let x = &x + attention.apply(&norm.apply(&x));
        &x + linear.apply(&norm.apply(&x).gelu())
    });
    let mut case = Case::new();
    case.input("1", &[3, 4, 8]);
    let x = Lazy::placeholder(DType::F32, &[3, 4, 8]);
    case.graph = forward.graph(&(block.clone(), x)).unwrap();
    set_weights(&mut case.graph, "0", &block).unwrap();
    case
}

#[test]
fn onnx_runtime_agrees_on_recorded_functions() {
    for (name, case) in [("images", images()), ("block", block())] {
        let path = folder("recorded").join(format!("{name}.onnx"));
        onnx::save(&case.graph, &path).unwrap();
        let read = run(onnx::load(&path).unwrap(), &case).unwrap();
        assert_eq!(read, run(case.graph.clone(), &case).unwrap(), "{name}");
        assert!(ringwood_models::picture::svg(&case.graph).contains("matmul"));
        assert!(case.graph.to_string().contains("parameter \"0.2.weight\""), "{}", case.graph);
        agrees(&path, &case);
    }
}

#[test]
fn a_recorded_function_is_written_for_any_number_of_rows() {
    let layer = Linear::init(&Key::new(1), 3, 2);
    let x = Lazy::placeholder(DType::F32, &[1, 3]);
    let forward = jit(|(layer, x): (Linear, Lazy)| layer.apply(&x).relu());
    let mut case = Case::new();
    case.input("1", &[7, 3]);
    let mut program = forward.graph(&(layer.clone(), x.clone())).unwrap();
    set_weights(&mut program, "0", &layer).unwrap();
    case.graph = program.with_open(&[("1", &["rows".into(), 3.into()])]).unwrap();
    let path = folder("recorded").join("rows.onnx");
    onnx::save(&case.graph, &path).unwrap();
    assert_eq!(onnx::inspect(&path).unwrap().inputs[0].ty, "f32[rows, 3]");
    agrees(&path, &case);
    // A size that the function itself fixes is named, and so is an operator that ONNX has not.
    let fixed = jit(|x: Lazy| x.reshape(&[3, 1])).graph(&x).unwrap();
    let fixed = fixed.with_open(&[("argument", &["rows".into(), 3.into()])]).unwrap();
    let error = onnx::save(&fixed, &path).unwrap_err().to_string();
    assert!(error.contains("reshape"), "{error}");
    let noisy = jit(|(key, x): (Key, Lazy)| key.dropout(&x, 0.5)).graph(&(Key::new(1), x)).unwrap();
    let error = onnx::save(&noisy, &path).unwrap_err().to_string();
    assert!(error.contains("philox"), "{error}");
    let error = set_weights(&mut program, "2", &layer).unwrap_err().to_string();
    assert!(error.contains("no tensor of an argument `2`"), "{error}");
}

/// ONNX Runtime gives close numbers, and the same integers.
fn agrees(path: &Path, case: &Case) {
    let Some(expected) = onnx_runtime(path, case) else { return };
    let expected: Vec<_> = expected.into_iter().map(|(_, ty, elements)| (ty, elements)).collect();
    close(case, &expected);
}

/// A run gives numbers close to these, and the same integers.
fn close(case: &Case, expected: &[(TensorType, impl AsRef<[u8]>)]) {
    let found = run(case.graph.clone(), case).unwrap();
    assert_eq!(found.len(), expected.len());
    for ((output, (ty, elements)), (want, expected)) in
        case.graph.outputs().iter().zip(&found).zip(expected)
    {
        let expected = expected.as_ref();
        assert_eq!(ty, want, "{}", output.name);
        if ty.dtype != DType::F32 {
            assert_eq!(elements, expected, "{}", output.name);
            continue;
        }
        let number = |bytes: &[u8]| f32::from_ne_bytes(bytes.try_into().unwrap());
        for (got, want) in elements.chunks_exact(4).zip(expected.chunks_exact(4)) {
            let (got, want) = (number(got), number(want));
            assert!(
                (got - want).abs() <= 1e-5 * want.abs().max(1.0),
                "{}: {got} {want}",
                output.name
            );
        }
    }
}
