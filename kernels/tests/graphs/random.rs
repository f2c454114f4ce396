//! Random numbers: known words, distributions, and that they follow from their key alone.

use crate::support::{cpu, graph, tensor};
use ringwood_base::{DType, Element, ErrorKind, Result};
use ringwood_graph::graph::{Attribute, Attributes, Graph, Planner, Value};
use std::f64::consts::{FRAC_1_SQRT_2, PI};

const KEY: [u32; 2] = [2024, 7];

/// What a graph makes of a key, on one kind of stream.
fn on<T: Element>(
    streams: &str,
    key: [u32; 2],
    build: impl FnOnce(&mut Graph, Value) -> Result<Value>,
) -> Result<Vec<T>> {
    let (device, mut g) = (cpu(), graph());
    let given = g.input("key", DType::U32, &[2])?;
    let y = build(&mut g, given)?;
    g.output("y", y)?;
    let key = tensor(&device, &[2], &key);
    let mut plan = Planner::new(&[device]).streams(streams).plan(&g)?;
    plan.run(&[("key", &key)])?[0].to_vec()
}

fn run<T: Element>(operator: &str, key: [u32; 2], attributes: &Attributes) -> Result<Vec<T>> {
    on("threaded", key, |g, key| g.apply_with(operator, &[key], attributes.clone()))
}

fn shaped(shape: &[i64], more: &[(&str, Attribute)]) -> Attributes {
    let shape = [("shape", Attribute::from(shape.to_vec()))];
    shape.into_iter().chain(more.iter().cloned()).collect()
}

fn of(dtype: DType, n: i64) -> Attributes {
    shaped(&[n], &[("dtype", dtype.into())])
}

/// The answers of Random123, `kat_vectors`.
#[test]
fn words_are_those_of_philox() {
    let words = |counter: [u32; 4], key: [u32; 2], n: usize| -> Vec<u32> {
        let build = |g: &mut Graph, key| {
            let counter = g.constant(&[4], &counter)?;
            g.apply_with("philox", &[key, counter], [("n", n)])
        };
        on("threaded", key, build).unwrap()
    };
    let zero = [0x6627_e8d5, 0xe169_c58d, 0xbc57_ac4c, 0x9b00_dbd8];
    assert_eq!(words([0; 4], [0; 2], 4), zero);
    let ones = [0x408f_276d, 0x41c8_3b0e, 0xa20b_c7c6, 0x6d54_51fd];
    assert_eq!(words([u32::MAX; 4], [u32::MAX; 2], 4), ones);
    let counter = [0x243f_6a88, 0x85a3_08d3, 0x1319_8a2e, 0x0370_7344];
    let pi = [0xd16c_fe09, 0x94fd_cceb, 0x5001_e420, 0x2412_6ea1];
    assert_eq!(words(counter, [0xa409_3822, 0x299f_31d0], 4), pi);
    // The block that follows is the next counter; its first half carries over to the second.
    let before = words([u32::MAX, 4, 9, 8], KEY, 8);
    assert_eq!(before[4..], words([0, 5, 9, 8], KEY, 4));
    let last = words([u32::MAX, u32::MAX, 9, 8], KEY, 6);
    assert_eq!(last[4..], words([0, 0, 9, 8], KEY, 2));
}

#[test]
fn words_depend_neither_on_their_number_nor_on_streams() {
    let bits = |n: i64| run::<u32>("random_bits", KEY, &shaped(&[n], &[])).unwrap();
    let all = bits(10_001);
    for n in [0, 1, 3, 6, 4097] {
        assert_eq!(bits(n), all[..n as usize], "{n}");
    }
    let shape = shaped(&[73, 137], &[]);
    let build = |g: &mut Graph, key| g.apply_with("random_bits", &[key], shape.clone());
    for streams in ["sync", "chaos:5"] {
        assert_eq!(on::<u32>(streams, KEY, build).unwrap(), all, "{streams}");
    }
    assert_ne!(run::<u32>("random_bits", [2024, 8], &shaped(&[4], &[])).unwrap(), all[..4]);
}

/// Mean and variance.
fn moments(x: &[f64]) -> (f64, f64) {
    let n = x.len() as f64;
    let mean = x.iter().sum::<f64>() / n;
    (mean, x.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / n)
}

/// Fails if so many values of `of` equally likely ones are less regular than 1 sample in 10,000, or more.
fn is_even(values: impl IntoIterator<Item = usize>, of: usize) {
    let mut counts = vec![0_usize; of];
    values.into_iter().for_each(|value| counts[value] += 1);
    let expected = counts.iter().sum::<usize>() as f64 / of as f64;
    let square: f64 = counts.iter().map(|&n| (n as f64 - expected).powi(2) / expected).sum();
    // The distribution of chi-square is nearly a normal one in its cubic root: Wilson and Hilferty.
    let (free, third) = (of as f64 - 1.0, 1.0 / 3.0);
    let spread = 2.0 / (9.0 * free);
    let size = ((square / free).powf(third) - (1.0 - spread)) / spread.sqrt();
    assert!(size.abs() < 3.72, "{square} for {free} degrees of freedom: {size}");
}

#[test]
fn uniform_numbers_are_even() {
    let n = 40_000;
    let single: Vec<f32> = run("random_uniform", KEY, &of(DType::F32, n)).unwrap();
    let double: Vec<f64> = run("random_uniform", KEY, &of(DType::F64, n)).unwrap();
    assert!(double.iter().any(|x| (x * 2_f64.powi(30)).fract() != 0.0), "more bits than 30");
    for x in [single.into_iter().map(f64::from).collect(), double] {
        assert!(x.iter().all(|x| (0.0..1.0).contains(x)));
        let (mean, variance) = moments(&x);
        assert!((mean - 0.5).abs() < 0.006, "{mean}");
        assert!((variance - 1.0 / 12.0).abs() < 0.002, "{variance}");
        is_even(x.iter().map(|x| (x * 256.0) as usize), 256);
        // Neighbours are independent.
        is_even(
            x.chunks_exact(2).map(|p| (p[0] * 16.0) as usize * 16 + (p[1] * 16.0) as usize),
            256,
        );
    }
}

/// The distribution function of the standard normal distribution, by its series around 0.
fn normal(x: f64) -> f64 {
    let (mut term, mut sum) = (x, x);
    for k in 1..120 {
        term *= -x * x / 2.0 / f64::from(k);
        sum += term / f64::from(2 * k + 1);
    }
    (0.5 + sum / (2.0 * PI).sqrt()).clamp(0.0, 1.0 - 1e-12)
}

#[test]
fn normal_numbers_are_normal() {
    assert!((normal(FRAC_1_SQRT_2) - 0.760_249_938_906_523_3).abs() < 1e-12);
    let n = 40_000;
    let single: Vec<f32> = run("random_normal", KEY, &of(DType::F32, n)).unwrap();
    let double: Vec<f64> = run("random_normal", KEY, &of(DType::F64, n)).unwrap();
    for x in [single.into_iter().map(f64::from).collect(), double] {
        let (mean, variance) = moments(&x);
        assert!(mean.abs() < 0.02, "{mean}");
        assert!((variance - 1.0).abs() < 0.03, "{variance}");
        is_even(x.iter().map(|x| (normal(*x) * 128.0) as usize), 128);
        is_even(
            x.chunks_exact(2).map(|p| usize::from(p[0] > 0.0) * 2 + usize::from(p[1] > 0.0)),
            4,
        );
    }
}

#[test]
fn integers_stay_in_their_range() {
    let between = |dtype: DType, low: i64, high: i64| {
        shaped(&[30_000], &[("dtype", dtype.into()), ("low", low.into()), ("high", high.into())])
    };
    let dice: Vec<i32> = run("random_integers", KEY, &between(DType::I32, -3, 94)).unwrap();
    is_even(dice.iter().map(|x| usize::try_from(x + 3).unwrap()), 97);
    let (low, high) = (i64::MAX - (1 << 32), i64::MAX);
    let far: Vec<i64> = run("random_integers", KEY, &between(DType::I64, low, high)).unwrap();
    is_even(far.iter().map(|x| usize::try_from((x - low) >> 24).unwrap()), 256);
    let one: Vec<i32> = run("random_integers", KEY, &between(DType::I32, 5, 6)).unwrap();
    assert!(one.iter().all(|x| *x == 5));
    let wrong = [
        between(DType::I32, 5, 5),
        between(DType::I64, 0, (1 << 32) + 1),
        between(DType::I32, 0, 1 << 32),
        between(DType::F32, 0, 6),
        between(DType::I64, i64::MIN, i64::MAX),
    ];
    for attributes in wrong {
        let error = run::<i32>("random_integers", KEY, &attributes).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::InvalidArgument, "{error}");
    }
}

#[test]
fn permutations_are_equally_likely() {
    let permutation =
        |key, n: usize| -> Vec<i32> { run("permutation", key, &[("n", n)].into()).unwrap() };
    // The longest would take minutes if each were compared with all.
    for n in [0, 1, 2, 1000, 1 << 18] {
        let mut order = permutation(KEY, n);
        order.sort_unstable();
        assert_eq!(order, (0..n as i32).collect::<Vec<_>>());
    }
    // All 6 orders of 3, each key another.
    let (device, mut g) = (cpu(), graph());
    let key = g.input("key", DType::U32, &[2]).unwrap();
    let order = g.apply_with("permutation", &[key], [("n", 3_usize)]).unwrap();
    g.output("order", order).unwrap();
    let mut plan = Planner::new(std::slice::from_ref(&device)).streams("sync").plan(&g).unwrap();
    let orders = (0..1200).map(|key| {
        let key = tensor(&device, &[2], &[key, 1_u32]);
        let order = plan.run(&[("key", &key)]).unwrap()[0].to_vec::<i32>().unwrap();
        order[0] as usize * 2 + usize::from(order[1] > order[2])
    });
    is_even(orders, 6);
    let moved = permutation(KEY, 1000).iter().zip(0..).filter(|(to, from)| *to != from).count();
    assert!(moved > 985, "{moved} of 1000 are moved");
    let equals = on::<i32>("threaded", KEY, |g, _| {
        let x = g.constant(&[5], &[7_u64, 1, 7, u64::MAX, 1])?;
        g.apply("ranks", &[x])
    });
    assert_eq!(equals.unwrap(), [2, 0, 3, 4, 1]);
}

#[test]
fn keys_that_are_made_of_one_differ() {
    let split = |n: usize| run::<u32>("key_split", KEY, &[("n", n)].into()).unwrap();
    let fold = |of: i64| -> Vec<u32> {
        let build = |g: &mut Graph, key| {
            let integer = g.constant(&[], &[of])?;
            g.apply("key_fold", &[key, integer])
        };
        on("threaded", KEY, build).unwrap()
    };
    assert_eq!(split(3), split(5)[..6]);
    let mut keys: Vec<Vec<u32>> = split(100).chunks(2).map(<[u32]>::to_vec).collect();
    keys.extend([0, 1, 2, -1, 1 << 32, i64::from(u32::MAX)].map(fold));
    keys.extend([KEY.to_vec(), run("random_bits", KEY, &shaped(&[2], &[])).unwrap()]);
    let count = keys.len();
    keys.sort_unstable();
    keys.dedup();
    assert_eq!(keys.len(), count);
    // An integer is the same in every type, also as the only element of a vector.
    let narrow = on::<u32>("threaded", KEY, |g, key| {
        let integer = g.constant(&[1], &[-1_i32])?;
        g.apply("key_fold", &[key, integer])
    });
    assert_eq!(narrow.unwrap(), fold(-1));
}

#[test]
fn dropout_keeps_the_mean_and_its_gradient_the_same_elements() {
    let (device, mut g) = (cpu(), graph());
    let x = g.input("x", DType::F32, &[200, 100]).unwrap();
    let key = g.constant(&[2], &KEY).unwrap();
    let y = g.apply_with("dropout", &[x, key], [("rate", 0.25_f32)]).unwrap();
    let loss = g.apply("sum_all", &[y]).unwrap();
    let gradient = g.gradient(loss, &[x]).unwrap()[0];
    g.output("y", y).unwrap();
    g.output("d", gradient).unwrap();
    let ones = tensor(&device, &[200, 100], &[3.0_f32; 20_000]);
    let mut plan = g.plan(std::slice::from_ref(&device)).unwrap();
    let results = plan.run(&[("x", &ones)]).unwrap();
    let (y, d): (Vec<f32>, Vec<f32>) = (results[0].to_vec().unwrap(), results[1].to_vec().unwrap());
    let kept = y.iter().filter(|y| **y == 4.0).count();
    assert_eq!(kept + y.iter().filter(|y| **y == 0.0).count(), 20_000);
    assert!((14_800..15_200).contains(&kept), "{kept} of 20000");
    assert!(y.iter().zip(&d).all(|(y, d)| *y == 3.0 * d));

    let with = |dtype: DType, rate: f32| {
        let mut g = graph();
        let x = g.input("x", dtype, &[2]).unwrap();
        let key = g.constant(&[2], &KEY).unwrap();
        g.apply_with("dropout", &[x, key], [("rate", rate)]).map(|_| ())
    };
    for dtype in [DType::F64, DType::F16, DType::BF16] {
        with(dtype, 0.0).unwrap();
    }
    assert_eq!(with(DType::I32, 0.5).unwrap_err().kind(), ErrorKind::DType);
    for rate in [1.0, -0.1, f32::NAN] {
        assert_eq!(with(DType::F32, rate).unwrap_err().kind(), ErrorKind::InvalidArgument);
    }
}

#[test]
fn a_key_is_two_words_and_shapes_are_checked() {
    let mut g = graph();
    let key = g.input("key", DType::U32, &[2]).unwrap();
    let short = g.input("short", DType::U32, &[1]).unwrap();
    let signed = g.input("signed", DType::I32, &[2]).unwrap();
    let mut bits = |key, shape: &[i64]| g.apply_with("random_bits", &[key], shaped(shape, &[]));
    assert_eq!(bits(short, &[3]).unwrap_err().kind(), ErrorKind::Shape);
    assert_eq!(bits(signed, &[3]).unwrap_err().kind(), ErrorKind::DType);
    assert_eq!(bits(key, &[3, -1]).unwrap_err().kind(), ErrorKind::Shape);
    bits(key, &[]).unwrap();
    for operator in ["random_uniform", "random_normal"] {
        let error = g.apply_with(operator, &[key], of(DType::F16, 3)).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::DType, "{error}");
    }
    let half = g.constant(&[], &[0.5_f32]).unwrap();
    let error = g.apply("key_fold", &[key, half]).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::InvalidArgument, "{error}");
}
