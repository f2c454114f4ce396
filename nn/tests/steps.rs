//! Steps of training: optimisers and clipped gradients against formulas written out, and what recorded steps take.

use ringwood_backend_cpu as _;
use ringwood_base::{DType, Result};
use ringwood_device::device::Device;
use ringwood_graph::graph::{GraphPlan, NodeKind, TensorType, ValueId};
use ringwood_graph::lazy::{Lazy, Static, Tensors, grad, jit, value_and_grad};
use ringwood_kernels::lazy::Operations;
use ringwood_nn::{
    Adam, Attention, BatchNorm, Decay, Key, LayerNorm, Linear, Moments, Rate, Sgd, clip, digits,
};

/// The message of the error that a tensor keeps.
fn message(x: &Lazy) -> String {
    x.error().expect("an error").to_string()
}

#[test]
fn adam_moves_as_the_paper_says() -> Result<()> {
    let adam = Adam { weight_decay: 0.1, ..Adam::default() };
    let (mut x, mut m, mut v) = (3.0_f64, 0.0_f64, 0.0_f64);
    let mut weight = Lazy::scalar(3.0_f32);
    let mut state = adam.init(&weight);
    for t in 1..=20 {
        let gradient = grad(&weight, |x| x * x);
        (weight, state) = adam.update(&Lazy::scalar(0.1_f32), weight, &gradient, state);
        let g = 2.0 * x;
        m = 0.9 * m + 0.1 * g;
        v = 0.999 * v + 0.001 * g * g;
        let (mean, square) = (m / (1.0 - 0.9_f64.powi(t)), v / (1.0 - 0.999_f64.powi(t)));
        x -= 0.1 * (mean / (square.sqrt() + 1e-8) + 0.1 * x);
        assert!((f64::from(weight.item::<f32>()?) - x).abs() < 1e-4, "step {t}");
    }
    Ok(())
}

#[test]
fn adam_moves_64_bit_weights_in_64_bits() -> Result<()> {
    let adam = Adam::default();
    let (beta1, beta2) = (f64::from(adam.beta1), f64::from(adam.beta2));
    let (mut x, mut m, mut v) = (3.0_f64, 0.0_f64, 0.0_f64);
    let mut weight = Lazy::scalar(x);
    let mut state = adam.init(&weight);
    for t in 1..=20 {
        let gradient = grad(&weight, |x| x * x);
        (weight, state) = adam.update(&Lazy::scalar(0.1_f64), weight, &gradient, state);
        let g = 2.0 * x;
        m = beta1 * m + (1.0 - beta1) * g;
        v = beta2 * v + (1.0 - beta2) * g * g;
        let (mean, square) = (m / (1.0 - beta1.powi(t)), v / (1.0 - beta2.powi(t)));
        x -= 0.1 * mean / (square.sqrt() + f64::from(adam.epsilon));
        assert!((weight.item::<f64>()? - x).abs() < 1e-12, "step {t}");
    }
    Ok(())
}

#[test]
fn sgd_keeps_its_velocity() -> Result<()> {
    let sgd = Sgd { momentum: 0.5 };
    let (mut weight, gradient) = (Lazy::scalar(10.0_f32), Lazy::scalar(1.0_f32));
    let mut velocity = sgd.init(&weight);
    let mut seen = Vec::new();
    for _ in 0..3 {
        (weight, velocity) = sgd.update(&Lazy::scalar(2.0_f32), weight, &gradient, velocity);
        seen.push(weight.item::<f32>()?);
    }
    assert_eq!(seen, [8.0, 5.0, 1.5]);
    Ok(())
}

#[test]
fn a_step_is_recorded_anew_when_a_number_of_its_optimiser_changes() -> Result<()> {
    let by_adam = jit(|(Static(adam), weight, gradient): (Static<Adam>, Lazy, Lazy)| {
        let state = adam.init(&weight);
        adam.update(&Lazy::scalar(0.5_f32), weight, &gradient, state).0
    });
    let by_sgd = jit(|(Static(sgd), weight, gradient): (Static<Sgd>, Lazy, Lazy)| {
        let velocity = weight.clone();
        sgd.update(&Lazy::scalar(0.5_f32), weight, &gradient, velocity).0
    });
    let (weight, gradient) = (Lazy::scalar(1.0_f32), Lazy::scalar(2.0_f32));
    for (decay, traces) in [(0.0, 1), (1.0, 2), (0.0, 2), (-0.0, 3)] {
        let adam = Adam { weight_decay: decay, ..Adam::default() };
        let moved = by_adam.call((Static(adam), weight.clone(), gradient.clone()))?;
        assert!((moved.item::<f32>()? - (0.5 - 0.5 * decay)).abs() < 1e-5);
        let sgd = Static(Sgd { momentum: decay });
        let moved = by_sgd.call((sgd, weight.clone(), gradient.clone()))?;
        assert_eq!(moved.item::<f32>()?, -0.5 * decay);
        assert_eq!((by_adam.stats().traces, by_sgd.stats().traces), (traces, traces));
    }
    let rate = Rate { peak: f32::NAN, warmup: 0, steps: 1, decay: Decay::None };
    assert_eq!(rate, Rate { steps: 1, ..rate });
    assert_ne!(rate, Rate { peak: 0.0, ..rate });
    Ok(())
}

#[test]
fn rates_stay_within_their_course() {
    let rate = Rate { peak: 2.0, warmup: 0, steps: 4, decay: Decay::Linear };
    assert_eq!([0, 1, 2, 3, 4, 9].map(|step| rate.at(step)), [2.0, 1.5, 1.0, 0.5, 0.0, 0.0]);
    let constant = Rate { peak: 2.0, warmup: 2, steps: 3, decay: Decay::None };
    assert_eq!([0, 1, 2, 3, 1000].map(|step| constant.at(step)), [1.0, 2.0, 2.0, 2.0, 2.0]);
    let unending = Rate { steps: 0, ..constant };
    assert_eq!([0, 1, 2].map(|step| unending.at(step)), [1.0, 2.0, 2.0]);
}

/// A layer, a norm of batches and a layer, and the moments that batches have had.
type Normed = ((Linear, BatchNorm, Linear), Moments);

fn step_of_normed(((network, moments), images, labels): (Normed, Lazy, Lazy)) -> (Normed, Lazy) {
    let ((loss, of_batch), gradient) = value_and_grad(&network, |(hidden, norm, output)| {
        let (y, of_batch) = norm.train(&hidden.apply(&images));
        (output.apply(&y.relu()).cross_entropy(&labels).mean_all(), of_batch)
    });
    let network = network.zip(&gradient, |weight, gradient| weight - gradient * 0.1);
    ((network, moments.towards(&of_batch, 0.1)), loss)
}

#[test]
fn a_norm_of_batches_trains_alike_at_once_and_recorded() -> Result<()> {
    let [hidden, output] = Key::new(4).split();
    let network = (Linear::init(&hidden, 64, 8), BatchNorm::init(8), Linear::init(&output, 8, 10));
    let mut at_once = (network, Moments::init(8));
    let mut recorded = at_once.clone();
    let step = jit(step_of_normed);
    let mut losses = Vec::new();
    for batch in digits()?.batches(16, 1).take(40) {
        let [images, labels] = batch?;
        let (own, other);
        (at_once, own) = step_of_normed((at_once, images.clone(), labels.clone()));
        (recorded, other) = step.call((recorded, images, labels))?;
        assert_eq!(own.to_bytes()?, other.to_bytes()?);
        losses.push(own.item::<f32>()?);
    }
    for ((own, other), name) in at_once.leaves().iter().zip(recorded.leaves()).zip(recorded.names())
    {
        assert_eq!(own.to_bytes()?, other.to_bytes()?, "{name}");
    }
    assert!(losses[39] < 0.7 * losses[0], "{losses:?}");
    // The moments are those of data: with them, images are told one by one.
    let ((hidden, norm, output), moments) = at_once;
    let [images, labels] = digits()?.all()?;
    let scores = output.apply(&norm.apply(&hidden.apply(&images), &moments).relu());
    let right = scores.argmax(-1).eq(&labels).cast(DType::F32).mean_all().item::<f32>()?;
    assert!(right > 0.5, "{right}");
    Ok(())
}

#[test]
fn four_hundred_and_forty_steps_are_recorded_once() -> Result<()> {
    let [hidden, output] = Key::new(1).split();
    let mut layers = (Linear::init(&hidden, 64, 8), Linear::init(&output, 8, 10));
    let step = jit(|(layers, images, labels, rate): ((Linear, Linear), Lazy, Lazy, Lazy)| {
        let (loss, gradient) = value_and_grad(&layers, |(hidden, output)| {
            output.apply(&hidden.apply(&images).relu()).cross_entropy(&labels).mean_all()
        });
        (layers.zip(&gradient, |weight, gradient| weight - gradient * &rate), loss)
    });
    let data = digits()?;
    for batch in data.batches(4, 1).take(440) {
        let [images, labels] = batch?;
        (layers, _) = step.call((layers, images, labels, Lazy::scalar(0.1_f32)))?;
    }
    assert_eq!(step.stats().to_string(), "traces 1, compiles 1, calls 440");
    assert_eq!(step.stats().left_bytes, 0);
    Ok(())
}

/// The most bytes that a run needs at one time beside inputs: of values from the node that gives them to the last one
/// that reads them.
fn live(plan: &GraphPlan) -> usize {
    let graph = plan.graph();
    let base = |mut id: ValueId| {
        while let NodeKind::View(_) = graph.nodes()[id.node as usize].kind {
            id = graph.nodes()[id.node as usize].operands[0];
        }
        id.node as usize
    };
    let mut last: Vec<_> = (0..graph.nodes().len()).collect();
    for (i, node) in graph.nodes().iter().enumerate().filter(|(_, node)| node.has_work()) {
        node.operands.iter().for_each(|&operand| last[base(operand)] = i);
    }
    let over: Vec<_> = plan.aliased().into_iter().map(|(output, _)| output).collect();
    let mut own = vec![true; last.len()];
    for output in graph.outputs() {
        last[base(output.value)] = last.len() - 1;
        own[base(output.value)] = !over.contains(&output.name.as_str());
    }
    let bytes = |i: usize| graph.nodes()[i].results.iter().map(TensorType::bytes).sum::<usize>();
    let at = |now: usize| {
        let alive = |&i: &usize| graph.nodes()[i].has_work() && own[i] && last[i] >= now;
        (0..=now).filter(alive).map(bytes).sum::<usize>()
    };
    (0..last.len()).map(at).max().unwrap_or(0)
}

type Block = (LayerNorm, Attention, LayerNorm, Linear, Linear);

#[test]
fn a_step_takes_the_memory_of_what_it_keeps_and_of_what_is_alive() -> Result<()> {
    let sgd = Sgd { momentum: 0.9 };
    let [attention, wide, narrow] = Key::new(2).split();
    let block: Block = (
        LayerNorm::init(128),
        Attention::init(&attention, 128, 4),
        LayerNorm::init(128),
        Linear::init(&wide, 128, 512),
        Linear::init(&narrow, 512, 128),
    );
    let step = jit(move |(block, velocity, x): (Block, Block, Lazy)| {
        let (loss, gradient) = value_and_grad(&block, |(norm1, attention, norm2, wide, narrow)| {
            let x = &x + attention.apply(&norm1.apply(&x));
            let y = &x + narrow.apply(&wide.apply(&norm2.apply(&x)).gelu());
            y.square().mean_all()
        });
        let rate = Lazy::scalar(0.1_f32);
        let (block, velocity) = sgd.update(&rate, block, &gradient, velocity);
        (block, velocity, loss)
    });
    let x = Lazy::placeholder(DType::F32, &[16, 64, 128]);
    let graph = step.graph(&(block.clone(), sgd.init(&block), x))?;
    let plan = graph.plan(&[Device::named("cpu:0")?])?;
    let weights: usize = block.leaves().iter().map(|leaf| leaf.to_bytes().unwrap().len()).sum();
    let memory = plan.memory().swap_remove(0);
    assert_eq!(memory.inputs, 2 * weights + 16 * 64 * 128 * 4);
    let (got, most) = (memory.shared(), live(&plan));
    assert!(got * 10 <= most * 11, "{got} bytes for {most} that are alive: {memory}");
    Ok(())
}

#[test]
fn gradients_of_any_float_are_shortened() -> Result<()> {
    let short = Lazy::full(&[100_000], 1.0_f32).cast(DType::F16);
    let (clipped, length) = clip(short, 1.0);
    assert!((length.item::<f32>()? - 100_000.0_f32.sqrt()).abs() < 0.1);
    let first = clipped.slice(0, 0, 1).cast(DType::F32).to_vec::<f32>()?[0];
    assert!((first - 1.0 / 100_000.0_f32.sqrt()).abs() < 1e-5, "{first}");
    let both = (Lazy::new(&[1], &[3.0_f32]), Lazy::new(&[1], &[4.0_f64]));
    let ((three, four), length) = clip(both, 1.0);
    assert_eq!((length.item::<f64>()?, three.item::<f32>()?), (5.0, 0.6));
    assert_eq!(four.dtype()?, DType::F64);
    Ok(())
}

#[test]
fn adam_moves_weights_of_any_float() -> Result<()> {
    for dtype in [DType::F64, DType::F16, DType::BF16] {
        let adam = Adam::default();
        let weight = Lazy::new(&[2], &[1.0_f32, 2.0]).cast(dtype);
        let gradient = Lazy::new(&[2], &[0.5_f32, -4.0]).cast(dtype);
        let (rate, state) = (Lazy::scalar(0.5_f32).cast(dtype), adam.init(&weight));
        let (weight, _) = adam.update(&rate, weight, &gradient, state);
        let moved = weight.cast(DType::F32).to_vec::<f32>()?;
        assert!((moved[0] - 0.5).abs() < 0.01 && (moved[1] - 2.5).abs() < 0.02, "{moved:?}");
    }
    Ok(())
}

#[test]
fn adam_moves_16_bit_weights_by_small_gradients_and_not_by_none() -> Result<()> {
    let adam = Adam::default();
    for dtype in [DType::F16, DType::BF16] {
        let weight = Lazy::new(&[2], &[1.0_f32, 2.0]).cast(dtype);
        let gradient = Lazy::new(&[2], &[0.0_f32, 1e-4]).cast(dtype);
        let (rate, state) = (Lazy::scalar(0.5_f32), adam.init(&weight));
        let (weight, state) = adam.update(&rate, weight, &gradient, state);
        assert_eq!((weight.dtype()?, state.square.dtype()?), (dtype, DType::F32));
        assert_eq!(weight.cast(DType::F32).to_vec::<f32>()?, [1.0, 1.5]);
    }
    Ok(())
}

#[test]
fn steps_of_16_bit_weights_are_computed_wide() -> Result<()> {
    let sgd = Sgd { momentum: 0.5 };
    // One and a half of each gradient is no 16-bit float of its type.
    for (dtype, size, rate) in
        [(DType::F16, 0.5_f32.powi(24), 1e6), (DType::BF16, 1.007_812_5, 0.1)]
    {
        let mut weight = Lazy::scalar(1.0_f32).cast(dtype);
        let (gradient, mut velocity) = (Lazy::scalar(size).cast(dtype), sgd.init(&weight));
        assert_eq!(velocity.dtype()?, DType::F32);
        for _ in 0..2 {
            (weight, velocity) = sgd.update(&Lazy::scalar(rate), weight, &gradient, velocity);
        }
        assert_eq!((weight.dtype()?, velocity.dtype()?), (dtype, DType::F32));
        assert_eq!(velocity.item::<f32>()?, size * 1.5);
        let moved = weight.cast(DType::F32).item::<f32>()?;
        assert!((moved - (1.0 - 2.5 * rate * size)).abs() < 0.01, "{dtype}: {moved}");
    }
    Ok(())
}

#[test]
fn a_rate_may_be_a_float_of_another_type_than_the_weights() -> Result<()> {
    let (adam, sgd) = (Adam::default(), Sgd { momentum: 0.9 });
    for dtype in [DType::F32, DType::F64, DType::F16, DType::BF16] {
        for rate in [DType::F32, DType::F64, DType::F16] {
            let (weight, rate) = (Lazy::scalar(1.0_f32).cast(dtype), Lazy::scalar(0.5).cast(rate));
            let (by_adam, _) = adam.update(&rate, weight.clone(), &weight, adam.init(&weight));
            let (by_sgd, _) = sgd.update(&rate, weight.clone(), &weight, sgd.init(&weight));
            for moved in [by_adam, by_sgd] {
                assert_eq!(moved.dtype()?, dtype);
                let moved = moved.cast(DType::F32).item::<f32>()?;
                assert!((moved - 0.5).abs() < 1e-5, "{dtype}: {moved}");
            }
        }
    }
    Ok(())
}

#[test]
fn steps_and_gradients_have_the_shape_of_their_parameter() {
    let weight = || Lazy::new(&[2], &[1.0_f32, 2.0]);
    let (rates, narrow) = (Lazy::full(&[3, 1], 0.5_f32), Lazy::full(&[1], 1.0_f32));
    let (adam, sgd) = (Adam::default(), Sgd { momentum: 0.9 });
    let moved = |rate: &Lazy, gradient: &Lazy| {
        let by_adam = adam.update(rate, weight(), gradient, adam.init(&weight())).0;
        [by_adam, sgd.update(rate, weight(), gradient, sgd.init(&weight())).0]
    };
    for moved in moved(&rates, &weight()) {
        assert!(message(&moved).contains("[2] takes no step of shape [3, 2]"), "{moved:?}");
    }
    for moved in moved(&Lazy::scalar(0.5_f32), &narrow) {
        assert!(message(&moved).contains("[2] takes no gradient of shape [1]"), "{moved:?}");
    }
}

#[test]
fn what_cannot_be_shortened_is_an_error() -> Result<()> {
    let numbers = (Lazy::new(&[1], &[3.0_f32]), Lazy::new(&[1], &[3]));
    let ((three, _), _) = clip(numbers, 1.0);
    assert!(message(&three).contains("a gradient of type i32 cannot be shortened"));
    for most in [-1.0, f32::NAN] {
        let (three, _) = clip(Lazy::new(&[1], &[3.0_f32]), most);
        assert!(message(&three).contains(&format!("no length of at most {most}")));
    }
    let gradients = || Lazy::new(&[2], &[0.0_f32, 3.0]);
    assert_eq!(clip(gradients(), 0.0).0.to_vec::<f32>()?, [0.0, 0.0]);
    assert_eq!(clip(gradients() * 0.0, 0.0).0.to_vec::<f32>()?, [0.0, 0.0]);
    assert_eq!(clip(gradients(), f32::INFINITY).0.to_vec::<f32>()?, [0.0, 3.0]);
    Ok(())
}

#[test]
fn a_gradient_that_is_no_number_shows_in_all_that_are_clipped() -> Result<()> {
    let gradients = (Lazy::new(&[1], &[f32::NAN]), Lazy::new(&[1], &[1e6_f32]));
    let ((nan, other), length) = clip(gradients, 1.0);
    assert!(nan.item::<f32>()?.is_nan() && other.item::<f32>()?.is_nan());
    assert!(length.item::<f32>()?.is_nan());
    Ok(())
}
