//! Nodes that cannot be: each is an error that names the operator, none a panic or an endless list.

use ringwood_base::DType;
use ringwood_graph::graph::{Attribute, Graph};
use ringwood_kernels as _;
use ringwood_models as _;

/// An operand: its element type and extents, or a number that is known.
enum Operand {
    Floats(&'static [usize]),
    Doubles(&'static [usize]),
    Integer(i64),
}

use Operand::{Doubles, Floats, Integer};

type Given = (&'static str, Vec<Operand>, Vec<(&'static str, Attribute)>);

fn refused() -> Vec<Given> {
    let huge = i64::MAX;
    vec![
        (
            "AveragePool",
            vec![Floats(&[1, 1, 4, 4])],
            vec![("kernel_shape", vec![2_i64, 2].into()), ("pads", vec![huge / 2, 0, 0, 0].into())],
        ),
        (
            "AveragePool",
            vec![Floats(&[1, 1, 4])],
            vec![("kernel_shape", vec![2_i64].into()), ("pads", vec![1_i64 << 30, 0].into())],
        ),
        ("DepthToSpace", vec![Floats(&[1, 8, 2, 3])], vec![("blocksize", (1_i64 << 40).into())]),
        (
            "QuantizeLinear",
            vec![Floats(&[3, 4]), Floats(&[2])],
            vec![("axis", 1_i64.into()), ("block_size", 2_i64.into())],
        ),
        (
            "QuantizeLinear",
            vec![Floats(&[0, 4]), Floats(&[0, 4])],
            vec![("axis", 1_i64.into()), ("block_size", (1_i64 << 62).into())],
        ),
        ("Einsum", vec![Floats(&[2, 3]), Floats(&[3, 4])], vec![("equation", "i.j,jk->ik".into())]),
        ("Einsum", vec![Floats(&[2, 3])], vec![("equation", "....ij->ij".into())]),
        ("Attention", vec![Floats(&[1, 2, 8]), Floats(&[1, 2, 8]), Floats(&[1, 2, 8])], vec![]),
        (
            "Attention",
            vec![Floats(&[1, 3, 2, 4]), Floats(&[1, 2, 2, 4]), Floats(&[1, 2, 2, 4])],
            vec![],
        ),
        (
            "Attention",
            vec![Floats(&[1, 2, 2, 4]), Floats(&[1, 2, 2, 4]), Floats(&[1, 2, 2, 4])],
            vec![("qk_matmul_output_mode", (-1_i64).into())],
        ),
        (
            "BatchNormalization",
            vec![Floats(&[4]), Floats(&[4]), Floats(&[4]), Floats(&[4]), Floats(&[4])],
            vec![("training_mode", 1_i64.into())],
        ),
        (
            "Attention",
            vec![
                Floats(&[1, 2, 2, 4]),
                Floats(&[1, 2, 2, 4]),
                Floats(&[1, 2, 2, 4]),
                Floats(&[1, 2, 1, 4]),
            ],
            vec![("absent", vec![3_i64].into())],
        ),
        ("CausalConvWithState", vec![Floats(&[1, 2, 3]), Floats(&[2, 1, 0])], vec![]),
        ("CausalConvWithState", vec![Floats(&[1, 1, 3]), Floats(&[1, 1, 1 << 40])], vec![]),
        (
            "ConvTranspose",
            vec![Floats(&[1, 1 << 40, 1, 1]), Floats(&[1 << 40, 1, 2, 2])],
            vec![("strides", vec![2_i64, 2].into())],
        ),
        (
            "DeformConv",
            vec![
                Floats(&[1, 1, 1 << 13, 1 << 13]),
                Floats(&[1, 1, 1, 1]),
                Floats(&[1, 2, 1 << 13, 1 << 13]),
            ],
            vec![],
        ),
        ("Einsum", vec![Floats(&[2, 3])], vec![("equation", "ij->ijk".into())]),
        ("Gemm", vec![Floats(&[1, 2]), Floats(&[2, 3]), Floats(&[4, 3])], vec![]),
        ("GridSample", vec![Doubles(&[1, 1, 4, 4]), Doubles(&[1, 2, 2, 2])], vec![]),
        ("DFT", vec![Floats(&[1, 4, 3])], vec![]),
        ("DFT", vec![Floats(&[1, 4, 1]), Integer(huge)], vec![]),
        ("DFT", vec![Floats(&[1, 4, 1]), Integer(0)], vec![]),
        ("DFT", vec![Floats(&[4])], vec![]),
        (
            "RoiAlign",
            vec![Floats(&[1, 1, 4, 4]), Floats(&[1, 4]), Floats(&[1])],
            vec![("sampling_ratio", (1_i64 << 40).into())],
        ),
        ("GroupNormalization", vec![Floats(&[4]), Floats(&[4]), Floats(&[4])], vec![]),
        ("HannWindow", vec![Integer(huge)], vec![]),
        ("HannWindow", vec![Integer(-1)], vec![]),
        ("LRN", vec![Floats(&[3])], vec![("size", huge.into())]),
        ("LRN", vec![Floats(&[1, 1 << 40, 1])], vec![("size", (1_i64 << 31).into())]),
        (
            "LSTM",
            vec![Floats(&[2, 1, 2]), Floats(&[2, 12, 2]), Floats(&[2, 12, 3])],
            vec![("direction", "forward".into())],
        ),
        ("LSTM", vec![Floats(&[20_000, 1, 2]), Floats(&[1, 12, 2]), Floats(&[1, 12, 3])], vec![]),
        (
            "LSTM",
            vec![Floats(&[2, 1, 2]), Floats(&[1, 12, 2]), Floats(&[1, 12, 3])],
            vec![("activations", Attribute::Texts(vec!["Relu".into()]))],
        ),
        (
            "GRU",
            vec![Floats(&[2, 1, 2]), Floats(&[1, 9, 2]), Floats(&[1, 9, 3])],
            vec![("activations", Attribute::Texts(vec!["Soft".into(), "Tanh".into()]))],
        ),
        (
            "LayerNormalization",
            vec![Floats(&[2, 3]), Floats(&[3])],
            vec![("absent", vec![1_i64].into())],
        ),
        ("LpNormalization", vec![Floats(&[2, 3])], vec![("p", 3_i64.into())]),
        (
            "LinearAttention",
            vec![Floats(&[1, 2, 4]), Floats(&[1, 2, 4]), Floats(&[1, 2, 4])],
            vec![("q_num_heads", 0_i64.into()), ("kv_num_heads", 2_i64.into())],
        ),
        (
            "MelWeightMatrix",
            vec![Integer(1 << 25), Integer(1 << 25), Integer(8), Integer(0), Integer(4)],
            vec![],
        ),
        ("MeanVarianceNormalization", vec![Floats(&[2, 3])], vec![]),
        ("NegativeLogLikelihoodLoss", vec![Floats(&[2, 3]), Floats(&[3])], vec![]),
        ("NegativeLogLikelihoodLoss", vec![Floats(&[1, 1 << 40]), Floats(&[1])], vec![]),
        ("OneHot", vec![Floats(&[2]), Integer(3), Floats(&[2])], vec![("axis", (-3_i64).into())]),
        ("Pad", vec![Floats(&[2, 2])], vec![("pads", vec![1_i64, 1].into())]),
        ("RoiAlign", vec![Doubles(&[1, 1, 4, 4]), Doubles(&[1, 4]), Floats(&[1])], vec![]),
        ("STFT", vec![Floats(&[1, 8, 1]), Integer(0)], vec![]),
        ("Split", vec![Floats(&[6])], vec![("split", vec![2_i64, 2, 2].into())]),
        ("SoftmaxCrossEntropyLoss", vec![Floats(&[2]), Floats(&[2])], vec![]),
    ]
}

#[test]
fn nodes_that_cannot_be_are_errors_that_name_the_operator() {
    for (op_type, operands, mut attributes) in refused() {
        let mut graph = Graph::new();
        let mut values = Vec::new();
        for (i, operand) in operands.iter().enumerate() {
            values.push(match operand {
                Floats(dims) => graph.input(&i.to_string(), DType::F32, dims).unwrap(),
                Doubles(dims) => graph.input(&i.to_string(), DType::F64, dims).unwrap(),
                Integer(number) => graph.constant(&[], &[*number]).unwrap(),
            });
        }
        attributes.extend([
            ("op_type", op_type.into()),
            ("opset", 20_i64.into()),
            ("results", 1_usize.into()),
        ]);
        let value = graph.apply_all("onnx", &values, attributes.as_slice()).unwrap();
        graph.output("y", value[0]).unwrap();
        let error = graph.with_shapes(&[]).expect_err(op_type).to_string();
        assert!(error.contains(op_type), "{error}");
    }
}

#[test]
fn windows_that_reach_beyond_all_channels_are_cut() {
    let mut graph = Graph::new();
    let x = graph.constant(&[1, 3, 1], &[1.0_f32, 2.0, 3.0]).unwrap();
    let attributes: Vec<(&str, Attribute)> = vec![
        ("op_type", "LRN".into()),
        ("opset", 20_i64.into()),
        ("results", 1_usize.into()),
        ("size", i64::MAX.into()),
        ("beta", 1.0_f32.into()),
    ];
    let y = graph.apply_with("onnx", &[x], attributes.as_slice()).unwrap();
    graph.output("y", y).unwrap();
    let sized = graph.with_shapes(&[]).unwrap();
    let y = sized.value(sized.outputs()[0].value).unwrap();
    // The sum of squares is divided by the size, so that the bias alone is left.
    let bytes = [1.0_f32, 2.0, 3.0].map(f32::to_ne_bytes).concat();
    assert_eq!(sized.known(y).unwrap(), Some(bytes.as_slice()));
}

#[test]
fn a_node_that_names_more_results_than_there_are_is_an_error() {
    let mut graph = Graph::new();
    let x = graph.input("x", DType::F32, &[2]).unwrap();
    let attributes: Vec<(&str, Attribute)> =
        vec![("op_type", "Relu".into()), ("opset", 20_i64.into()), ("results", 2_usize.into())];
    let values = graph.apply_all("onnx", &[x], attributes.as_slice()).unwrap();
    graph.output("y", values[1]).unwrap();
    let error = graph.with_shapes(&[]).unwrap_err().to_string();
    assert!(error.contains("gives 1 results, and 2 are asked for"), "{error}");
}
