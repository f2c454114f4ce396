//! Recurrent nodes, in both directions and for sequences of several lengths: what ONNX's own tests leave out.

use ringwood_backend_cpu as _;
use ringwood_base::{DType, Result, Shape};
use ringwood_device::device::{Device, Tensor};
use ringwood_graph::graph::{Attribute, Graph};
use ringwood_kernels as _;
use ringwood_models as _;

const INPUTS: usize = 3;
const SIZE: usize = 4;

/// Numbers between −1 and 1 that are the same in each run.
fn numbers(count: usize, seed: u64) -> Vec<f32> {
    let mut state = seed;
    let next = || {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 40) as f32 / (1 << 23) as f32 - 1.0
    };
    std::iter::repeat_with(next).take(count).collect()
}

/// The results of a node for `x` of `[length, batch, INPUTS]` and weights for `directions`.
fn results(
    (op_type, gates): (&str, usize),
    (x, length, batch): (&[f32], usize, usize),
    (direction, first, directions): (&str, usize, usize),
    lengths: Option<&[i32]>,
) -> Result<Vec<Vec<f32>>> {
    let mut graph = Graph::new();
    let mut weights = |columns: usize, seed: u64| {
        let each = gates * SIZE * columns;
        let all = numbers(2 * each, seed);
        graph.constant(
            &[directions, gates * SIZE, columns],
            &all[first * each..(first + directions) * each],
        )
    };
    let (w, r) = (weights(INPUTS, 1)?, weights(SIZE, 2)?);
    let bias = weights(2, 3)?;
    let shape = vec![directions as i64, 2 * (gates * SIZE) as i64];
    let bias = graph.apply_with("reshape", &[bias], [("shape", shape)])?;
    let input = graph.input("x", DType::F32, &[length, batch, INPUTS])?;
    let mut operands = vec![input, w, r, bias];
    if let Some(lengths) = lengths {
        operands.push(graph.constant(&[batch], lengths)?);
    }
    let attributes: Vec<(&str, Attribute)> = vec![
        ("op_type", op_type.into()),
        ("opset", 22_i64.into()),
        ("results", 2_usize.into()),
        ("direction", direction.into()),
        ("hidden_size", (SIZE as i64).into()),
    ];
    let values = graph.apply_all("onnx", &operands, attributes.as_slice())?;
    for (name, value) in ["y", "h"].into_iter().zip(values) {
        graph.output(name, value)?;
    }
    let device = Device::named("cpu:0")?;
    let x = device.tensor_with(x, Shape::new(&[length, batch, INPUTS])?)?;
    let outputs = graph.with_shapes(&[])?.plan(&[device])?.run(&[("x", &x)])?;
    outputs.iter().map(Tensor::to_vec).collect()
}

/// Each sequence of a batch gives what it gives alone, in each direction; what is after its end is 0.
fn sequences_do_not_see_each_other(kind: (&str, usize)) {
    let (length, lengths) = (5, [5, 2, 3]);
    let batch = lengths.len();
    let x = numbers(length * batch * INPUTS, 4);
    let all = (x.as_slice(), length, batch);
    let together = results(kind, all, ("bidirectional", 0, 2), Some(&lengths)).unwrap();
    for (b, &own) in lengths.iter().enumerate() {
        let own = own as usize;
        let row = |t: usize| &x[(t * batch + b) * INPUTS..][..INPUTS];
        let alone: Vec<f32> = (0..own).flat_map(row).copied().collect();
        for (d, direction) in ["forward", "reverse"].into_iter().enumerate() {
            let part = (alone.as_slice(), own, 1);
            let expected = results(kind, part, (direction, d, 1), None).unwrap();
            let got = |t: usize| &together[0][((t * 2 + d) * batch + b) * SIZE..][..SIZE];
            let got_all: Vec<f32> = (0..own).flat_map(got).copied().collect();
            assert_eq!(got_all, expected[0], "{kind:?}, sequence {b}, {direction}");
            assert!((own..length).flat_map(got).all(|value| *value == 0.0));
            assert_eq!(together[1][(d * batch + b) * SIZE..][..SIZE], expected[1]);
        }
    }
    assert!(together[0].iter().any(|value| *value != 0.0));
}

#[test]
fn sequences_of_plain_networks_do_not_see_each_other() {
    sequences_do_not_see_each_other(("RNN", 1));
}

#[test]
fn sequences_of_gated_networks_do_not_see_each_other() {
    sequences_do_not_see_each_other(("GRU", 3));
}

#[test]
fn sequences_of_networks_with_memory_do_not_see_each_other() {
    sequences_do_not_see_each_other(("LSTM", 4));
}

#[test]
fn a_length_beyond_the_steps_is_named() {
    for (wrong, lengths) in
        [("sequence 1 has the length 4", [3, 4]), ("sequence 0 has the length -1", [-1, 3])]
    {
        let x = numbers(3 * 2 * INPUTS, 5);
        let error = results(("GRU", 3), (&x, 3, 2), ("forward", 0, 1), Some(&lengths)).unwrap_err();
        assert!(
            error.to_string().contains(&format!("{wrong}, which is not from 0 to 3")),
            "{error}"
        );
    }
}
