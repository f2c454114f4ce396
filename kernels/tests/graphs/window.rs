//! Reductions of windows of images, against loops over their numbers.

use crate::support::{cpu, graph, random, tensor};
use ringwood_base::{DType, Element};
use ringwood_graph::graph::{Attribute, Attributes};
use ringwood_graph::lazy::Lazy;

/// Along each dimension: extent, size, stride, padding, dilation and number of windows.
type Axes = [[usize; 6]; 3];

const CASES: [Axes; 4] = [
    [[1, 1, 1, 0, 1, 1], [7, 3, 2, 1, 1, 4], [9, 2, 1, 0, 3, 6]],
    [[4, 2, 2, 1, 2, 2], [5, 3, 1, 1, 1, 5], [150, 4, 1, 2, 1, 151]],
    [[1, 1, 1, 0, 1, 1], [1, 1, 1, 0, 1, 1], [6, 3, 3, 2, 1, 3]],
    // The first window is outside.
    [[1, 1, 1, 0, 1, 1], [1, 1, 1, 0, 1, 1], [2, 2, 1, 3, 1, 3]],
];

fn attributes(axes: &Axes, more: &[(&str, usize)]) -> Attributes {
    let names = [
        ["i", "stride_p", "padding_d", "dilation_i", "p"],
        ["j", "stride_q", "padding_h", "dilation_j", "q"],
        ["k", "stride_r", "padding_w", "dilation_k", "r"],
    ];
    let along = names.iter().zip(axes).flat_map(|(names, axis)| names.iter().zip(&axis[1..]));
    let all = along.map(|(name, number)| (*name, *number)).chain(more.iter().copied());
    all.map(|(name, number)| (name.to_owned(), Attribute::from(number))).collect()
}

fn run<T: Element, U: Element>(
    operator: &str,
    axes: &Axes,
    x: &[T],
    more: &[(&str, usize)],
) -> Vec<U> {
    let device = cpu();
    let mut g = graph();
    let dims = [2, 3, axes[0][0], axes[1][0], axes[2][0]];
    let value = g.input("x", T::DTYPE, &dims).unwrap();
    let y = g.apply_with(operator, &[value], attributes(axes, more)).unwrap();
    g.output("y", y).unwrap();
    let x = tensor(&device, &dims, x);
    g.plan(&[device]).unwrap().run(&[("x", &x)]).unwrap()[0].to_vec().unwrap()
}

/// Where the numbers of each window are, among all.
fn windows(axes: &Axes) -> Vec<Vec<usize>> {
    let counts = axes.map(|axis| axis[5]);
    let volume: usize = axes.iter().map(|axis| axis[0]).product();
    let window = |o: usize| {
        let starts = [o / (counts[1] * counts[2]), o / counts[2] % counts[1], o % counts[2]];
        let along = |d: usize| {
            let [extent, size, stride, padding, dilation, _] = axes[d];
            let places = (0..size).map(move |k| starts[d] * stride + k * dilation);
            places.filter_map(move |place| place.checked_sub(padding)).filter(move |p| *p < extent)
        };
        let rows = along(0).flat_map(|d| along(1).map(move |h| d * axes[1][0] + h));
        rows.flat_map(|row| along(2).map(move |w| row * axes[2][0] + w)).collect::<Vec<_>>()
    };
    let image = |n: usize| {
        let windows = (0..counts.iter().product()).map(window);
        windows.map(move |window| window.into_iter().map(|at| n * volume + at).collect())
    };
    (0..6).flat_map(image).collect()
}

#[test]
fn windows_have_their_largest_number_its_place_and_their_sum() {
    for axes in &CASES {
        let count = 6 * axes.iter().map(|axis| axis[0]).product::<usize>();
        let x: Vec<f32> = random(7, count).into_iter().map(|x| (x * 8.0).round() as f32).collect();
        let windows = windows(axes);
        let largest = |window: &Vec<usize>| {
            window.iter().fold(f32::NEG_INFINITY, |most: f32, at| most.max(x[*at]))
        };
        let largest: Vec<_> = windows.iter().map(largest).collect();
        assert_eq!(run::<f32, f32>("window_max", axes, &x, &[]), largest);
        let sums: Vec<_> = windows.iter().map(|w| w.iter().fold(0.0, |s, at| s + x[*at])).collect();
        assert_eq!(run::<f32, f32>("window_sum", axes, &x, &[]), sums);
        let [_, h, w] = axes.map(|axis| axis[0]);
        let weights = [("weight_d", h * w), ("weight_h", w), ("weight_w", 1)];
        let places = run::<f32, i64>("window_argmax", axes, &x, &weights);
        for ((window, largest), place) in windows.iter().zip(&largest).zip(places) {
            let first = window.iter().find(|at| x[**at] == *largest);
            assert!(first.is_none_or(|at| *at as i64 == place), "{axes:?}: {place}");
        }
    }
}

#[test]
fn small_integers_have_a_largest_number_too() {
    let axes = &CASES[2];
    let x: Vec<i8> = (0..36).map(|i| -1 - i * 3 % 36).collect();
    let expected: Vec<i8> =
        windows(axes).iter().map(|window| window.iter().map(|at| x[*at]).max().unwrap()).collect();
    assert_eq!(run::<i8, i8>("window_max", axes, &x, &[]), expected);
}

#[test]
fn a_window_of_an_image_without_numbers_is_the_lowest_number() {
    let none = Lazy::zeros(DType::F32, &[1, 1, 0]);
    let given = [("kernel_shape", vec![1_i64]), ("pads", vec![1, 1])];
    let pool = |operator| none.apply(operator, &[], given.clone()).to_vec::<f32>().unwrap();
    assert_eq!(pool("pool_largest"), [f32::NEG_INFINITY; 2]);
    assert!(pool("pool_mean").iter().all(|mean| mean.is_nan()));
    assert_eq!(pool("pool_norm"), [0.0; 2]);
}

#[test]
fn a_mean_counts_the_numbers_of_its_window_along_each_dimension() {
    let given = [("kernel_shape", vec![3_i64, 2]), ("pads", vec![1, 0, 1, 1])];
    let x: Vec<f32> = (0..20).map(|i| (i * i % 13) as f32).collect();
    let means = Lazy::new(&[1, 1, 4, 5], &x).apply("pool_mean", &[], given);
    let mut expected = Vec::new();
    for (row, column) in (0..20).map(|i| (i / 5, i % 5)) {
        let (rows, end) = (row.max(1) - 1..(row + 2).min(4), (column + 2).min(5));
        let count = (rows.len() * (end - column)) as f32;
        expected.push(rows.flat_map(|row| &x[row * 5..][column..end]).sum::<f32>() / count);
    }
    assert_eq!(means.to_vec::<f32>().unwrap(), expected);
    let mut g = graph();
    let large = g.input("large", DType::F32, &[1, 1, 8192, 8192]).unwrap();
    let given = [("kernel_shape", vec![3_i64, 3]), ("pads", vec![1; 4])];
    g.apply_with("pool_mean", &[large], given).unwrap();
}
