//! Layers, batches and checkpoints: against formulas written out, and against what users do wrong.

use ringwood_backend_cpu as _;
use ringwood_base::{DType, Result};
use ringwood_graph::graph::NodeKind;
use ringwood_graph::lazy::{Lazy, Tensors, grad, jit, value_and_grad};
use ringwood_kernels::lazy::Operations;
use ringwood_nn::{
    Attention, BatchNorm, Column, Convolution, Data, GroupNorm, Key, LayerNorm, Linear, Moments,
    Sgd, digits, load, parse_digits, save,
};
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// A file that is removed at the end of a test.
struct Scratch(PathBuf);

impl Scratch {
    fn new(name: &str) -> Self {
        Self(std::env::temp_dir().join(format!("ringwood-nn-{}-{name}", std::process::id())))
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.0);
    }
}

#[test]
fn linear_takes_any_number_of_outer_dimensions() -> Result<()> {
    let layer = Linear::init(&Key::new(3), 4, 2);
    let row = layer.apply(&Lazy::full(&[4], 0.5_f32)).to_vec::<f32>()?;
    for dims in [&[3, 4][..], &[2, 3, 4], &[1, 1, 1, 4]] {
        let y = layer.apply(&Lazy::full(dims, 0.5_f32));
        assert_eq!(y.shape()?[..], [&dims[..dims.len() - 1], &[2]].concat());
        assert_eq!(y.to_vec::<f32>()?[..2], row[..2], "{dims:?}");
    }
    let error = layer.apply(&Lazy::full(&[2, 3, 5], 0.5_f32)).to_vec::<f32>().unwrap_err();
    assert!(error.to_string().contains("nn.rs"), "{error}");
    Ok(())
}

#[test]
fn attention_does_not_look_ahead() -> Result<()> {
    let layer = Attention::init(&Key::new(5), 8, 2);
    let x = Key::new(6).normal(&[1, 5, 8]);
    let tail = Key::new(7).normal(&[1, 2, 8]);
    let other = x.slice(1, 0, 3).concat(&[&tail], 1);
    let (y, z) = (layer.apply(&x), layer.apply(&other));
    assert_eq!(y.slice(1, 0, 3).to_vec::<f32>()?, z.slice(1, 0, 3).to_vec::<f32>()?);
    assert_ne!(y.slice(1, 3, 4).to_vec::<f32>()?, z.slice(1, 3, 4).to_vec::<f32>()?);
    Ok(())
}

#[test]
fn attention_keeps_no_mask_of_all_pairs_of_positions() -> Result<()> {
    let layers = [1, 2].map(|seed| Attention::init(&Key::new(seed), 8, 2));
    let apply = |(layers, x): ([Attention; 2], Lazy)| layers[1].apply(&layers[0].apply(&x));
    let graph = jit(apply).graph(&(layers, Lazy::placeholder(DType::F32, &[1, 40, 8])))?;
    let constants = graph.nodes().iter().filter_map(|node| match &node.kind {
        NodeKind::Constant(bytes) => Some(bytes.len()),
        _ => None,
    });
    assert_eq!(constants.max(), Some(40 * size_of::<i64>()));
    Ok(())
}

#[test]
fn a_checkpoint_of_another_struct_is_refused_with_every_difference() -> Result<()> {
    let file = Scratch::new("other.safetensors");
    let two = (Linear::init(&Key::new(1), 2, 3), Lazy::scalar(1_i32));
    save(&file.0, &two)?;
    let other = (Linear::init(&Key::new(1), 2, 4), (), Lazy::scalar(1_i32));
    let error = load(&file.0, &other).err().expect("it is another struct").to_string();
    for part in [
        "`0.weight` is f32[2, 3], not f32[2, 4]",
        "`2`: i32[] is missing",
        "`1`: i32[] is none of its",
    ] {
        assert!(error.contains(part), "{part}: {error}");
    }
    let back = load(&file.0, &two)?;
    assert_eq!(back.0.weight.to_bytes()?, two.0.weight.to_bytes()?);
    Ok(())
}

#[test]
fn a_failed_tensor_is_not_saved_over_a_checkpoint() -> Result<()> {
    let file = Scratch::new("failed.safetensors");
    save(&file.0, &Lazy::scalar(1_i32))?;
    let wrong = Lazy::full(&[2], 1.0_f32) + Lazy::full(&[3], 1.0_f32);
    assert!(save(&file.0, &wrong).is_err());
    assert_eq!(load(&file.0, &Lazy::scalar(0_i32))?.item::<i32>()?, 1);
    Ok(())
}

/// The file that a process saves until it is killed.
const SAVED_FOREVER: &str = "RINGWOOD_TEST_SAVED_FOREVER";

#[test]
fn saves_until_it_is_killed() -> Result<()> {
    let Some(path) = std::env::var_os(SAVED_FOREVER) else { return Ok(()) };
    (0..).try_for_each(|i| save(&path, &Lazy::full(&[100_000], i as f32)))
}

#[test]
fn a_checkpoint_is_whole_whenever_its_process_is_killed() -> Result<()> {
    let file = Scratch::new("killed.safetensors");
    let saved_at = || std::fs::metadata(&file.0).and_then(|saved| saved.modified()).ok();
    for turn in 0..6 {
        let mut process = Command::new(std::env::current_exe().unwrap());
        process.args(["--exact", "saves_until_it_is_killed"]).env(SAVED_FOREVER, &file.0);
        let (start, mut before) = (Instant::now(), saved_at());
        let mut process = process.stdout(Stdio::null()).spawn().unwrap();
        for _ in 0..2 {
            while saved_at() == before && start.elapsed() < Duration::from_secs(20) {
                std::thread::sleep(Duration::from_millis(1));
            }
            before = saved_at();
        }
        std::thread::sleep(Duration::from_millis(7 * turn));
        process.kill().unwrap();
        process.wait().unwrap();
        let saved = load(&file.0, &Lazy::zeros(DType::F32, &[100_000]))?.to_vec::<f32>()?;
        assert!(saved.iter().all(|x| *x == saved[0]), "turn {turn}");
        assert!(saved[0] >= 1.0, "the process of turn {turn} did not save twice");
    }
    let unfinished = format!(".{}.", file.0.file_name().unwrap().display());
    for left in std::fs::read_dir(file.0.parent().unwrap()).unwrap().flatten() {
        if left.file_name().to_string_lossy().starts_with(&unfinished) {
            std::fs::remove_file(left.path()).unwrap();
        }
    }
    Ok(())
}

#[test]
fn batches_are_every_row_once_in_an_order_of_the_seed() -> Result<()> {
    let rows: Vec<i32> = (0..10).collect();
    let data = Data::new([Column::new(&[10], &rows)?])?;
    let pass = |seed| -> Result<Vec<i32>> {
        let mut seen = Vec::new();
        for batch in data.batches(3, seed) {
            let [rows] = batch?;
            seen.extend(rows.to_vec::<i32>()?);
        }
        Ok(seen)
    };
    let (first, again, other) = (pass(1)?, pass(1)?, pass(2)?);
    assert_eq!(first, again);
    assert_ne!(first, other);
    let mut sorted = first.clone();
    sorted.sort_unstable();
    sorted.dedup();
    assert_eq!(sorted.len(), 9, "a tenth row fills no batch: {first:?}");
    let (mut whole, mut rest) = (data.batches(3, 1), data.batches(3, 1).skip(1));
    assert_eq!((whole.len(), rest.len()), (3, 2));
    whole.next();
    let [second, also] = [whole.next().unwrap()?, rest.next().unwrap()?];
    assert_eq!(second[0].to_vec::<i32>()?, also[0].to_vec::<i32>()?);
    assert_eq!((whole.len(), rest.len()), (1, 1));
    let mut few = data.batches(11, 1);
    let error = few.next().expect("an error").unwrap_err().to_string();
    assert!(error.contains("10 rows do not fill one batch of 11"), "{error}");
    assert!(few.next().is_none());
    let in_order = data.in_order(4).map(|batch| batch?[0].to_vec::<i32>());
    assert_eq!(in_order.len(), 3);
    assert_eq!(in_order.collect::<Result<Vec<_>>>()?, [&rows[..4], &rows[4..8], &rows[8..]]);
    let shards = (0..3).map(|rank| data.shard(rank, 3).map(|shard| shard.rows()));
    assert_eq!(shards.collect::<Result<Vec<_>>>()?, [3; 3], "the tenth row is left out");
    assert!(data.shard(3, 3).is_err() && data.split(11, 1).is_err());
    let columns = [Column::new(&[10], &rows)?, Column::new(&[5, 2], &rows)?];
    assert!(Data::new(columns).unwrap_err().to_string().contains("[10, 5] rows"));
    Ok(())
}

#[test]
fn the_digits_are_1797_images_of_ten_classes() -> Result<()> {
    let [images, labels] = digits()?.all()?;
    assert_eq!(images.shape()?[..], [1797, 64]);
    let labels = labels.to_vec::<i32>()?;
    assert!((0..10).all(|digit| labels.contains(&digit)));
    assert_eq!(images.to_vec::<f32>()?.into_iter().fold(0.0, f32::max), 1.0);
    Ok(())
}

#[test]
fn a_malformed_line_of_digits_is_named() {
    let good = format!("{}7\n", "3,".repeat(64));
    assert_eq!(parse_digits(&good, "x.csv").unwrap().rows(), 1);
    let cases = [
        (format!("{good}1,2,3\n"), "expected 65 fields, found 3 (file: x.csv, line: 2)"),
        (good.replacen('3', "17", 1), "field 1, `17`, is not a pixel (0 to 16)"),
        (good.replace('7', "ten"), "field 65, `ten`, is not a digit (0 to 9)"),
    ];
    for (text, expected) in cases {
        let error = parse_digits(&text, "x.csv").unwrap_err().to_string();
        assert!(error.contains(expected), "{error}");
    }
}

#[test]
fn dropout_and_initial_weights_follow_from_the_key() -> Result<()> {
    let x = Lazy::full(&[1000], 1.0_f32);
    let step = jit(|(key, x): (Key, Lazy)| key.dropout(&x, 0.25));
    let (a, b) = (step.call((Key::new(1), x.clone()))?, Key::new(1).dropout(&x, 0.25));
    let a = a.to_vec::<f32>()?;
    assert_eq!(a, b.to_vec::<f32>()?, "recorded or not");
    let dropped = a.iter().filter(|&&x| x == 0.0).count();
    assert!((200..300).contains(&dropped), "{dropped}");
    let folded =
        |i: i32| Key::new(1).fold(&Lazy::scalar(i)).uniform(&[4], 0.0, 1.0).to_vec::<f32>();
    assert_ne!(folded(1)?, folded(2)?);
    Ok(())
}

#[test]
fn norms_have_their_formulas_and_train() -> Result<()> {
    let x = Key::new(3).normal(&[6, 4, 3, 2]) * 2.0 + 1.0;
    let (layer, moments) = (BatchNorm::init(4), Moments::init(4));
    let step = jit(|((layer, moments), x): ((BatchNorm, Moments), Lazy)| {
        let ((loss, of_batch), gradient) = value_and_grad(&layer, |layer| {
            let (y, of_batch) = layer.train(&x);
            ((y - 0.5).square().mean_all(), of_batch)
        });
        let layer = layer.zip(&gradient, |weight, gradient| weight - gradient);
        ((layer, moments.towards(&of_batch, 0.5)), loss)
    });
    let (y, of_batch) = layer.train(&x);
    let numbers = x.permute(&[1, 0, 2, 3]).reshape(&[4, -1]).to_vec::<f32>()?;
    let normal = y.permute(&[1, 0, 2, 3]).reshape(&[4, -1]).to_vec::<f32>()?;
    for (channel, (x, y)) in numbers.chunks(36).zip(normal.chunks(36)).enumerate() {
        let mean = x.iter().sum::<f32>() / 36.0;
        let variance = x.iter().map(|x| (x - mean).powi(2)).sum::<f32>() / 36.0;
        assert!((of_batch.mean.to_vec::<f32>()?[channel] - mean).abs() < 1e-5);
        let unbiased = of_batch.variance.to_vec::<f32>()?[channel];
        assert!((unbiased - variance * 36.0 / 35.0).abs() < 1e-4);
        let near = |(x, y): (&f32, &f32)| (y - (x - mean) / (variance + 1e-5).sqrt()).abs() < 1e-4;
        assert!(x.iter().zip(y).all(near), "channel {channel}");
    }
    let ((next, moments), first) = step.call(((layer, moments), x.clone()))?;
    let expected = Moments::init(4).towards(&of_batch, 0.5);
    assert_eq!(moments.mean.to_vec::<f32>()?, expected.mean.to_vec::<f32>()?);
    let (_, second) = step.call(((next, moments), x.clone()))?;
    assert!(second.item::<f32>()? < first.item::<f32>()?);
    // One number has the variance 0.
    let (_, alone) = BatchNorm::init(4).train(&x.slice(0, 0, 1).slice(2, 0, 1).slice(3, 0, 1));
    assert_eq!(alone.variance.to_vec::<f32>()?, [0.0; 4]);
    // A group of one channel is its own.
    let each = GroupNorm::init(4, 4).apply(&x).reshape(&[24, -1]);
    let want = LayerNorm::init(6).apply(&x.reshape(&[24, -1]));
    let near = |(a, b): (&f32, &f32)| (a - b).abs() < 1e-4;
    assert!(each.to_vec::<f32>()?.iter().zip(&want.to_vec::<f32>()?).all(near));
    Ok(())
}

#[test]
fn norms_of_16_bits_take_numbers_whose_squares_are_too_large() -> Result<()> {
    let numbers = [-3000.0_f32, 1000.0, -1000.0, 3000.0];
    // The signs of the four over the root of 5, times 3 and 1.
    let (large, small) = (1.341_640_8, 0.447_213_6);
    for dtype in [DType::F16, DType::BF16] {
        let x = Lazy::new(&[4, 1], &numbers).cast(dtype);
        let layer = BatchNorm::init(1).map(&mut |leaf| leaf.cast(dtype));
        let (trained, moments) = layer.train(&x);
        assert_eq!((trained.dtype()?, moments.variance.dtype()?), (dtype, DType::F32));
        let grouped = GroupNorm::init(1, 1).apply(&x.reshape(&[1, 1, 4])).reshape(&[4, 1]);
        for y in [trained, grouped] {
            assert_eq!(y.dtype()?, dtype);
            let y = y.cast(DType::F32).to_vec::<f32>()?;
            let near = |(y, want): (&f32, f32)| (y - want).abs() < 0.01;
            assert!(y.iter().zip([-large, small, -small, large]).all(near), "{y:?}");
        }
        // Moments keep the type that they have.
        let short = Moments::init(1).map(&mut |leaf| leaf.cast(dtype));
        assert_eq!(short.towards(&moments, 0.001).variance.dtype()?, dtype);
        let slope = grad(&layer, |layer| layer.train(&x).0.square().mean_all());
        assert!((slope.scale.cast(DType::F32).item::<f32>()? - 2.0).abs() < 0.02);
    }
    Ok(())
}

#[test]
fn what_there_is_none_of_is_empty_or_an_error() -> Result<()> {
    let none = Data::new([Column::new::<f32>(&[0, 2], &[])?])?;
    assert_eq!(none.all()?[0].shape()?.to_vec(), [0, 2]);
    assert_eq!(none.in_order(2).len(), 0);
    let biases = Linear::init(&Key::new(0), 0, 3).apply(&Lazy::zeros(DType::F32, &[2, 0]));
    assert_eq!(biases.to_vec::<f32>()?, [0.0; 6]);
    let x = Lazy::zeros(DType::F32, &[1, 3, 4]);
    for heads in [0, 3] {
        let error = Attention::init(&Key::new(0), 4, heads).apply(&x).error().unwrap().to_string();
        assert!(
            error.contains(&format!("4 features are not divided into {heads} heads")),
            "{error}"
        );
    }
    let matrix = Attention::init(&Key::new(0), 4, 2).apply(&Lazy::zeros(DType::F32, &[3, 4]));
    let wanted = "a layer of [batch, positions, features] takes no [3, 4]";
    assert!(message(&matrix).contains(wanted), "{matrix:?}");
    Ok(())
}

#[test]
fn a_layer_of_one_channel_takes_no_images_of_two() {
    for (inputs, channels) in [(1, 2), (2, 1)] {
        let images = Lazy::zeros(DType::F32, &[1, channels, 4, 4]);
        let y = Convolution::init(&Key::new(0), inputs, 4, 3).apply(&images);
        let wanted =
            format!("images [1, {channels}, 4, 4] and filters [4, {inputs}, 3, 3] in 1 groups");
        assert!(message(&y).contains(&wanted), "{y:?}");
    }
}

#[test]
fn what_does_not_fit_a_parameter_is_an_error() -> Result<()> {
    let (weight, gradient) = (Lazy::new(&[2], &[1.0_f32, 2.0]), Lazy::full(&[3, 2], 1.0_f32));
    let (rate, velocity) = (Lazy::scalar(0.5_f32), Sgd { momentum: 0.9 }.init(&weight));
    let line = line!() + 1;
    let (moved, _) = Sgd { momentum: 0.9 }.update(&rate, weight, &gradient, velocity);
    let error = moved.error().unwrap().to_string();
    assert!(
        error.contains("a parameter of shape [2] takes no gradient of shape [3, 2]"),
        "{error}"
    );
    // The line of the caller.
    let at = moved.error().unwrap().get("at").unwrap();
    assert!(at.starts_with(&format!("{}:{line}:", file!())), "{at}");
    let x = Lazy::zeros(DType::F32, &[2, 4, 3]);
    let (y, _) = BatchNorm::init(1).train(&x);
    assert!(y.error().unwrap().to_string().contains("a norm of [1] channels takes no 4"));
    let none = Lazy::zeros(DType::F32, &[0, 4, 3]);
    assert_eq!(GroupNorm::init(2, 4).apply(&none).shape()?.to_vec(), [0, 4, 3]);
    Ok(())
}

/// The message of the error that a tensor keeps.
fn message(x: &Lazy) -> String {
    x.error().expect("an error").to_string()
}

#[test]
fn norms_tell_what_does_not_fit() {
    for (groups, channels) in [(3, 4), (4, 2), (0, 2)] {
        let x = Lazy::zeros(DType::F32, &[1, channels, 6]);
        let said = message(&GroupNorm::init(groups, channels).apply(&x));
        let wanted = format!("{channels} channels are not divided into {groups} groups");
        assert!(said.contains(&wanted), "{said}");
    }
    let (y, _) = BatchNorm::init(2).train(&Lazy::zeros(DType::F64, &[1, 2, 3]));
    assert!(message(&y).contains("f64") && message(&y).contains("f32"), "{y:?}");
    let (y, _) = BatchNorm::init(2).train(&Lazy::zeros(DType::F32, &[3, 3]));
    assert!(message(&y).contains("a norm of [2] channels takes no 3"), "{y:?}");
    let line = Lazy::zeros(DType::F32, &[2]);
    let norms = [
        BatchNorm::init(2).train(&line).0,
        BatchNorm::init(2).apply(&line, &Moments::init(2)),
        GroupNorm::init(1, 2).apply(&line),
    ];
    for y in norms {
        assert!(message(&y).contains("a layer of [n, channels, …] takes no [2]"), "{y:?}");
    }
    let failed = line.reshape(&[3]);
    assert_eq!(message(&GroupNorm::init(1, 2).apply(&failed)), message(&failed));
    let moments = Moments { mean: failed.clone(), variance: failed.clone() };
    let y = BatchNorm::init(2).apply(&Lazy::zeros(DType::F32, &[1, 2, 3]), &moments);
    assert_eq!(message(&y), message(&failed));
}

#[test]
fn attention_is_of_any_float() -> Result<()> {
    let x = Lazy::zeros(DType::F32, &[1, 3, 4]);
    for dtype in [DType::F64, DType::F16] {
        let layer = Attention::init(&Key::new(0), 4, 2).map(&mut |leaf| leaf.cast(dtype));
        assert_eq!(layer.apply(&x.cast(dtype)).dtype()?, dtype);
    }
    Ok(())
}

#[test]
fn bounds_of_random_numbers_are_in_order_and_finite() {
    for (low, high) in [(1.0, 0.0), (0.0, f32::NAN), (f32::MIN, f32::MAX)] {
        let said = message(&Key::new(1).uniform(&[2], low, high));
        assert!(said.contains(&format!("no random numbers from {low} to {high}")), "{said}");
    }
}

#[test]
fn uniform_numbers_stay_below_the_end() -> Result<()> {
    for seed in 0..4 {
        let numbers = Key::new(seed).uniform(&[1 << 18], 1000.0, 1001.0).to_vec::<f32>()?;
        assert!(numbers.iter().all(|x| (1000.0..1001.0).contains(x)));
    }
    Ok(())
}
