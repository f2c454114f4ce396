//! Random graphs of element-wise operators and reductions, values for their inputs, and the bits of results.

use ringwood_base::DType::{self, BF16, Bool, F16, F32, F64, I32};
use ringwood_base::{Element, Shape};
use ringwood_device::device::{Device, Tensor};
use ringwood_graph::graph::{Graph, Value};

/// The bits of each element; those of a NaN are not pinned.
pub(crate) fn bits(tensor: &Tensor) -> Vec<u64> {
    fn all<T: Element>(tensor: &Tensor, bits: fn(T) -> u64) -> Vec<u64> {
        tensor.to_vec().unwrap().into_iter().map(bits).collect()
    }
    const NAN: u64 = u64::MAX;
    match tensor.dtype() {
        F16 => all(tensor, |x: half::f16| if x.is_nan() { NAN } else { x.to_bits().into() }),
        BF16 => all(tensor, |x: half::bf16| if x.is_nan() { NAN } else { x.to_bits().into() }),
        F32 => all(tensor, |x: f32| if x.is_nan() { NAN } else { x.to_bits().into() }),
        F64 => all(tensor, |x: f64| if x.is_nan() { NAN } else { x.to_bits() }),
        I32 => all(tensor, |x: i32| x as u64),
        Bool => all(tensor, |x: bool| x.into()),
        other => panic!("no bits of {other}"),
    }
}

/// A tensor of numbers around 0, some of them special.
pub(crate) fn values(device: &Device, dtype: DType, shape: &[usize], seed: u64) -> Tensor {
    let count: usize = shape.iter().product();
    let mut rng = Rng(seed.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
    let special = [f64::NAN, f64::INFINITY, -0.0, 0.0, 1e-40, -1e30];
    let number = |i: usize| match (i + seed as usize) % 23 {
        k if k < special.len() => special[k],
        _ => rng.below(6001) as f64 / 1000.0 - 3.0,
    };
    let numbers: Vec<f64> = (0..count).map(number).collect();
    fn tensor<T: Element>(d: &Device, dims: &[usize], all: &[f64], of: fn(f64) -> T) -> Tensor {
        let elements: Vec<T> = all.iter().map(|x| of(*x)).collect();
        d.tensor_with(&elements, Shape::new(dims).unwrap()).unwrap()
    }
    match dtype {
        F16 => tensor(device, shape, &numbers, half::f16::from_f64),
        BF16 => tensor(device, shape, &numbers, half::bf16::from_f64),
        F32 => tensor(device, shape, &numbers, |x| x as f32),
        F64 => tensor(device, shape, &numbers, |x| x),
        I32 => tensor(device, shape, &numbers, |x| (x * 1e9) as i32),
        Bool => tensor(device, shape, &numbers, |x| x > 0.0),
        other => panic!("no values of {other}"),
    }
}

struct Rng(u64);

impl Rng {
    fn below(&mut self, n: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 33) as usize % n
    }

    fn of<T: Copy>(&mut self, items: &[T]) -> T {
        items[self.below(items.len())]
    }
}

const UNARY: [&str; 8] = ["relu", "exp", "tanh", "sqrt", "to_f32", "to_f64", "to_f16", "to_bf16"];
const BINARY: [&str; 6] = ["add", "sub", "mul", "div", "min", "max"];
const TRUTHS: [&str; 6] = ["less", "equal", "greater_equal", "and", "or", "xor"];

const ALONG: [&str; 3] = ["sum", "sum_keep", "mean"];

/// The empty graph with random nodes, most of them element-wise, over a domain and what broadcasts to it.
pub(crate) fn program(mut g: Graph, seed: u64) -> Graph {
    let mut rng = Rng(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
    let domains: [&[usize]; 6] = [&[5], &[3000], &[7, 10], &[3, 700], &[2, 3, 400], &[0, 4]];
    let domain = rng.of(&domains);
    let mut values = Vec::new();
    for i in 0..2 + rng.below(4) {
        let mut shape = domain[if i == 0 { 0 } else { rng.below(domain.len() + 1) }..].to_vec();
        if i > 0 && !shape.is_empty() && rng.below(4) == 0 {
            let d = rng.below(shape.len());
            shape[d] = 1;
        }
        let dtype = rng.of(&[F32, F32, F32, F32, F64, F16, BF16, I32, Bool]);
        values.push(g.input(&format!("x{i}"), dtype, &shape).unwrap());
    }
    for _ in 0..3 + rng.below(20) {
        // Mostly what is new, so that chains come about.
        let pick = |rng: &mut Rng, values: &[Value]| match rng.below(3) {
            0 => rng.of(values),
            _ => values[values.len() - 1 - rng.below(values.len().min(3))],
        };
        let (a, b) = (pick(&mut rng, &values), pick(&mut rng, &values));
        let (c, d) = (pick(&mut rng, &values), pick(&mut rng, &values));
        let is_truth = |v: &Value| g.type_of(*v).unwrap().dtype == Bool;
        let (truth, of_truths) = (values.iter().copied().rev().find(is_truth), is_truth(&a));
        let applied = match rng.below(12) {
            0..4 => g.apply(rng.of(&UNARY), &[a]),
            4..10 if of_truths => g.apply("not", &[a]),
            4..7 => g.apply(rng.of(&BINARY), &[a, b]),
            7 => g.apply("if_less", &[a, b, c, d]),
            8 => g.apply_with(rng.of(&ALONG), &[a], [("axis", rng.below(2))]),
            9 => g.apply(rng.of(&["sum_all", "mean_all"]), &[a]),
            10 => g.apply(rng.of(&TRUTHS), &[a, b]),
            _ => g.apply("select", &[truth.unwrap_or(a), a, b]),
        };
        values.extend(applied);
    }
    for i in 0..=rng.below(3) {
        let value = values[values.len() - 1 - rng.below(values.len().min(4))];
        g.output(&format!("y{i}"), value).unwrap();
    }
    g
}
