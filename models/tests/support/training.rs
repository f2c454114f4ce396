//! Steps of training, with the layers of the examples, and operators of gradients.

use super::{Case, agrees, close, folder, numbers, run};
use ringwood_base::DType;
use ringwood_device::device::Device;
use ringwood_graph::graph::{Attribute, TensorType};
use ringwood_graph::lazy::{Lazy, Tensors, jit, value_and_grad};
use ringwood_graph::operator::Operator;
use ringwood_kernels::lazy::Operations;
use ringwood_models::onnx;
use ringwood_nn::{
    Adam, AdamState, Attention, Convolution, Embedding, Key, LayerNorm, Linear, Sgd, clip,
    set_weights,
};
use std::collections::BTreeSet;

/// A step as a graph, of a state and two inputs.
fn step<T: Tensors + 'static>(
    state: &T,
    x: TensorType,
    rows: usize,
    step: impl Fn((T, Lazy, Lazy)) -> (T, Lazy) + 'static,
) -> Case {
    let mut case = Case::new();
    let classes = |count: usize| (0..count).map(|i| (i * 7 + 2) as i32 % 3).collect::<Vec<_>>();
    let elements = match x.dtype {
        DType::I32 => bytemuck::cast_slice(&classes(x.shape.elements())).to_vec(),
        _ => bytemuck::cast_slice(&numbers(x.shape.elements(), 3)).to_vec(),
    };
    let labels = TensorType::new(DType::I32, &[rows]).unwrap();
    case.inputs.push(("1", x, elements));
    case.inputs.push(("2", labels, bytemuck::cast_slice(&classes(rows)).to_vec()));
    let [x, labels] = [x, labels].map(|ty| Lazy::placeholder(ty.dtype, &ty.shape));
    case.graph = jit(step).graph(&(state.clone(), x, labels)).unwrap();
    set_weights(&mut case.graph, "0", state).unwrap();
    case
}

type Layers = (Linear, Linear);

/// That of `examples/train_digits`.
fn digits() -> Case {
    let [hidden, output] = Key::new(5).split();
    let network = (Linear::init(&hidden, 6, 8), Linear::init(&output, 8, 3));
    let sgd = Sgd { momentum: 0.9 };
    let state = (network.clone(), sgd.init(&network));
    let x = TensorType::new(DType::F32, &[4, 6]).unwrap();
    step(&state, x, 4, move |((network, velocity), x, labels): ((Layers, Layers), Lazy, Lazy)| {
        let (loss, gradient) = value_and_grad(&network, |(hidden, output)| {
            output.apply(&hidden.apply(&x).relu()).cross_entropy(&labels).mean_all()
        });
        (sgd.update(&Lazy::scalar(0.5_f32), network, &gradient, velocity), loss)
    })
}

/// A state of training that has begun: the first step goes by signs, which rounding decides where a slope is zero.
fn begun<T: Tensors>(network: T) -> (T, AdamState<T>) {
    let state = Adam::default().init(&network);
    let square = state.square.map(&mut |leaf| leaf + 0.1);
    (network, AdamState { square, ..state })
}

type Images = (Convolution, Convolution, Linear);

/// That of `examples/train_convnet`, whose second windows overlap and lie apart.
fn convnet() -> Case {
    let [first, second, output] = Key::new(6).split();
    let first = Convolution { padding: 1, ..Convolution::init(&first, 1, 4, 3) };
    let second = Convolution { stride: 2, padding: 1, ..Convolution::init(&second, 4, 6, 3) };
    let network = (first, second, Linear::init(&output, 24, 3));
    let adam = Adam::default();
    let state = begun(network);
    let x = TensorType::new(DType::F32, &[3, 1, 8, 8]).unwrap();
    type State = (Images, AdamState<Images>);
    step(&state, x, 3, move |((network, state), x, labels): (State, Lazy, Lazy)| {
        let (loss, gradient) = value_and_grad(&network, |(first, second, output)| {
            let x = first.apply(&x).relu().max_pool2d(2, 1);
            let x = second.apply(&x).relu().max_pool2d(2, 2);
            output.apply(&x.reshape(&[3, -1])).cross_entropy(&labels).mean_all()
        });
        (adam.update(&Lazy::scalar(0.01_f32), network, &gradient, state), loss)
    })
}

type Text = ((Embedding, Embedding), Vec<(LayerNorm, Attention, LayerNorm, Layers)>, Linear);

/// That of `examples/train_text`.
fn text() -> Case {
    let [characters, places, attention, wide, narrow, output] = Key::new(7).split();
    let block = (
        LayerNorm::init(8),
        Attention::init(&attention, 8, 2),
        LayerNorm::init(8),
        (Linear::init(&wide, 8, 16), Linear::init(&narrow, 16, 8)),
    );
    let embeddings = (Embedding::init(&characters, 5, 8), Embedding::init(&places, 4, 8));
    let network: Text = (embeddings, vec![block], Linear::init(&output, 8, 5));
    let adam = Adam { weight_decay: 0.01, ..Adam::default() };
    let state = begun(network);
    let x = TensorType::new(DType::I32, &[3, 4]).unwrap();
    type State = (Text, AdamState<Text>);
    step(&state, x, 12, move |((network, state), x, next): (State, Lazy, Lazy)| {
        let (loss, gradient) =
            value_and_grad(&network, |((characters, places), blocks, output)| {
                let x = characters.apply(&x) + &places.table;
                let x = blocks.iter().fold(x, |x, (norm1, attention, norm2, (wide, narrow))| {
                    let x = &x + attention.apply(&norm1.apply(&x));
                    &x + narrow.apply(&wide.apply(&norm2.apply(&x)).gelu())
                });
                output.apply(&x).reshape(&[-1, 5]).cross_entropy(&next).mean_all()
            });
        let (gradient, _) = clip(gradient, 1.0);
        (adam.update(&Lazy::scalar(0.01_f32), network, &gradient, state), loss)
    })
}

#[test]
fn onnx_runtime_agrees_on_steps_of_training() {
    for (name, case) in [("digits", digits()), ("convnet", convnet()), ("text", text())] {
        let path = folder("recorded").join(format!("{name}-step.onnx"));
        onnx::save(&case.graph, &path).unwrap_or_else(|e| panic!("{name}: {e}"));
        let outputs = onnx::inspect(&path).unwrap().outputs;
        assert_eq!(outputs.last().unwrap().name, "1.out");
        assert!(outputs[0].name.starts_with("0.0.0") && outputs[0].name.ends_with(".out"));
        assert!(ringwood_models::picture::svg(&case.graph).contains("cross_entropy_grad"));
        assert!(case.graph.to_string().contains("cross_entropy_grad"));
        close(&case, &run(onnx::load(&path).unwrap(), &case).unwrap());
        agrees(&path, &case);
    }
}

/// Operators of gradients and steps, each with an output of its own.
fn operators() -> Case {
    let mut case = Case::new();
    let (x, y) = (case.input("x", &[3, 4]), case.input("y", &[3, 4]));
    for operator in ["gelu_grad", "gelu_tanh_grad", "silu_grad", "sgd", "clamp", "not_equal"] {
        let operands = [x, y, x];
        let count = if matches!(operator, "sgd" | "clamp") { 3 } else { 2 };
        case.output(operator, operator, &operands[..count], &[]);
    }
    let signs = case.graph.constant(&[2, 2], &[0.0_f32, -0.0, -2.0, 3.0]).unwrap();
    case.output("signum", "signum", &[signs], &[]);
    let one = case.graph.constant(&[], &[1.5_f32]).unwrap();
    case.output("expand", "expand", &[one, x], &[]);
    for operator in ["silu", "rsqrt", "to_i32", "to_f64", "to_bool"] {
        case.output(operator, operator, &[x], &[]);
    }
    let row = case.graph.constant(&[4], &[0.5_f32, 1.0, 1.5, 2.0]).unwrap();
    let epsilon = [("epsilon", 1e-5_f32.into())];
    case.output("rms_norm", "rms_norm", &[x, row], &epsilon);
    for operator in ["layer_norm_grad", "rms_norm_grad"] {
        case.output(operator, operator, &[x, row, y], &epsilon);
    }
    for (start, step) in [(1, 2), (2, 1)] {
        let part = [("axis", 1), ("n", 11), ("start", start), ("step", step)];
        case.output(&format!("slice_grad.{step}"), "slice_grad", &[x], &counts(&part));
    }
    let rows = case.graph.constant(&[3], &[4, 1, 4]).unwrap();
    case.output("scatter_add", "scatter_add", &[x, rows], &counts(&[("v", 6)]));
    case.output("index_order", "index_order", &[rows], &[]);
    let order = case.graph.apply("index_order", &[rows]).unwrap();
    case.output("index_starts", "index_starts", &[rows, order], &counts(&[("n", 6)]));
    let labels = case.graph.constant(&[3], &[2, 0, 3]).unwrap();
    let totals = case.graph.apply("log_sum_exp", &[x]).unwrap();
    case.output("cross_entropy_grad", "cross_entropy_grad", &[x, totals, labels, totals], &[]);
    let places = case.graph.constant(&[1, 2], &[3_i64, -4]).unwrap();
    case.output("take_along", "take_along", &[x, places], &counts(&[("axis", 1)]));
    let u = case.graph.constant(&[3, 2], &numbers(6, 9)).unwrap();
    for how in 0..5 {
        let name = format!("put_along.{how}");
        case.output(&name, "put_along", &[x, places, u], &counts(&[("axis", 1), ("how", how)]));
    }
    windows(&mut case);
    case
}

/// Windows that overlap, equal numbers, windows that end outside, and numbers that lie apart.
fn windows(case: &mut Case) {
    let levels: Vec<_> = (0..2 * 2 * 5 * 6).map(|i| (i * 37 % 5) as f32).collect();
    let image = case.graph.constant(&[2, 2, 5, 6], &levels).unwrap();
    let g = case.input("g", &[2, 2, 2, 3]);
    let pool = counts(&[("p", 2), ("q", 3), ("window", 3), ("stride", 2)]);
    let largest = case.graph.apply_with("max_pool", &[image], &pool[..]).unwrap();
    case.output("max_pool_grad", "max_pool_grad", &[image, largest, g], &pool[2..]);
    let whole = [&counts(&[("h", 5), ("w", 6)])[..], &pool[2..]].concat();
    case.output("mean_pool_grad", "mean_pool_grad", &[g], &whole);
    let filters = case.graph.constant(&[2, 3, 2, 3], &numbers(36, 7)).unwrap();
    let list = |list: &[i64]| Attribute::from(list);
    let across = [
        ("strides", list(&[2, 3])),
        ("pads", list(&[0, 1, 2, 1])),
        ("dilations", list(&[1, 2])),
        ("output_padding", list(&[1, 0])),
        ("group", 1_usize.into()),
    ];
    case.output("convolution", "convolve_transposed", &[image, filters], &across);
}

fn counts(given: &[(&'static str, usize)]) -> Vec<(&'static str, Attribute)> {
    given.iter().map(|(name, n)| (*name, Attribute::from(*n))).collect()
}

#[test]
fn onnx_runtime_agrees_on_operators_of_training() {
    let case = operators();
    let path = folder("recorded").join("operators.onnx");
    onnx::save(&case.graph, &path).unwrap();
    close(&case, &run(onnx::load(&path).unwrap(), &case).unwrap());
    agrees(&path, &case);
}

#[test]
fn every_gradient_is_written() {
    let device = Device::named("cpu:0").unwrap();
    let written = operators().graph;
    let written: BTreeSet<_> = written.nodes().iter().filter_map(|node| node.operator()).collect();
    let known = device.registry().of::<Operator>().map(|(_, operator)| operator.name);
    let missing: Vec<_> =
        known.filter(|name| name.ends_with("_grad") && !written.contains(name)).collect();
    assert!(missing.is_empty(), "{missing:?}");
}
