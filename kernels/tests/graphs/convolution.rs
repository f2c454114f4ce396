//! Convolutions: the order of additions of docs/numerics.md, bit by bit, and what is refused.

use crate::support::{cpu, graph, random, tensor};
use ringwood_base::DType::F32;
use ringwood_base::{ErrorKind, Result};
use ringwood_graph::graph::{Attribute, Attributes, Graph, GraphPlan};

/// A convolution: the extents of images and filters, strides, pads, dilations, and what is only of a transposed
/// one: more places after each dimension.
struct Case {
    operator: &'static str,
    image: &'static [usize],
    filter: &'static [usize],
    strides: &'static [i64],
    pads: &'static [i64],
    dilations: &'static [i64],
    more: &'static [i64],
    group: usize,
}

const fn case(
    image: &'static [usize],
    filter: &'static [usize],
    strides: &'static [i64],
    pads: &'static [i64],
    dilations: &'static [i64],
) -> Case {
    let operator = "convolve";
    Case { operator, image, filter, strides, pads, dilations, more: &[], group: 1 }
}

const fn transposed(case: Case, more: &'static [i64], group: usize) -> Case {
    Case { operator: "convolve_transposed", more, group, ..case }
}

const CASES: &[Case] = &[
    case(&[2, 3, 9], &[4, 3, 3], &[1], &[0, 0], &[1]),
    case(&[1, 2, 11], &[3, 2, 2], &[3], &[1, 2], &[4]),
    case(&[2, 3, 7, 9], &[5, 3, 3, 3], &[1, 1], &[1, 1, 1, 1], &[1, 1]),
    case(&[1, 40, 13, 50], &[17, 40, 3, 3], &[1, 1], &[1, 1, 1, 1], &[1, 1]),
    case(&[1, 3, 20, 21], &[8, 3, 7, 7], &[2, 2], &[3, 3, 3, 3], &[1, 1]),
    case(&[2, 4, 8, 9], &[6, 4, 2, 3], &[2, 3], &[0, 1, 2, 3], &[3, 2]),
    case(&[1, 2, 3, 3], &[2, 2, 5, 5], &[1, 1], &[4, 4, 4, 4], &[1, 1]),
    case(&[2, 300, 5, 7], &[3, 300, 1, 1], &[1, 1], &[0, 0, 0, 0], &[1, 1]),
    case(&[1, 6, 5, 7], &[3, 6, 1, 1], &[2, 2], &[0, 0, 0, 0], &[1, 1]),
    case(&[2, 6, 9, 8], &[6, 1, 3, 3], &[1, 1], &[1, 1, 1, 1], &[1, 1]),
    case(&[1, 4, 9, 40], &[8, 1, 5, 5], &[2, 2], &[2, 2, 2, 2], &[1, 1]),
    case(&[1, 2, 40, 40], &[2, 1, 17, 17], &[1, 1], &[3, 0, 0, 3], &[1, 1]),
    case(&[2, 6, 9, 8], &[4, 3, 3, 3], &[1, 2], &[1, 0, 0, 1], &[2, 1]),
    case(&[1, 2, 4, 5, 6], &[3, 2, 2, 3, 2], &[1, 2, 1], &[1, 0, 1, 0, 1, 1], &[1, 1, 2]),
    case(&[1, 2, 6, 5], &[3, 2, 6, 5], &[1, 1], &[0, 0, 0, 0], &[1, 1]),
    case(&[1, 31, 7, 7], &[100, 31, 3, 3], &[1, 1], &[1, 1, 1, 1], &[1, 1]),
    case(&[2, 140, 6, 5], &[150, 70, 2, 2], &[1, 1], &[0, 0, 0, 0], &[1, 1]),
    case(&[2, 300, 1, 1], &[27, 300, 1, 1], &[1, 1], &[0, 0, 0, 0], &[1, 1]),
    transposed(case(&[2, 3, 9], &[3, 4, 3], &[1], &[0, 0], &[1]), &[0], 1),
    transposed(case(&[1, 4, 5, 6], &[4, 3, 2, 2], &[2, 2], &[0, 0, 0, 0], &[1, 1]), &[0, 0], 1),
    transposed(case(&[2, 140, 2, 3], &[140, 2, 2, 2], &[2, 2], &[0, 0, 0, 0], &[1, 1]), &[0, 0], 1),
    transposed(case(&[2, 6, 3], &[6, 2, 4], &[4], &[0, 0], &[1]), &[0], 2),
    transposed(case(&[2, 4, 5, 6], &[4, 3, 3, 4], &[3, 2], &[1, 2, 0, 1], &[1, 2]), &[2, 1], 2),
    transposed(case(&[1, 2, 3, 3], &[2, 1, 3, 3], &[3, 2], &[0, 0, -1, 0], &[1, 1]), &[0, 1], 1),
    transposed(case(&[1, 2, 3, 3], &[2, 1, 1, 1], &[1, 1], &[1, 1, 1, 0], &[1, 1]), &[0, 0], 1),
    transposed(
        case(&[1, 2, 3, 2, 4], &[2, 2, 2, 2, 3], &[2, 1, 2], &[1, 0, 0, 0, 0, 1], &[1, 1, 1]),
        &[0, 0, 1],
        1,
    ),
];

impl Case {
    fn attributes(&self) -> Attributes {
        let lists = [("strides", self.strides), ("pads", self.pads), ("dilations", self.dilations)];
        let mut all: Vec<(String, Attribute)> =
            lists.iter().map(|(name, list)| ((*name).to_owned(), (*list).into())).collect();
        if self.operator == "convolve_transposed" {
            all.push(("output_padding".to_owned(), self.more.into()));
            all.push(("group".to_owned(), self.group.into()));
        }
        all.into_iter().collect()
    }

    /// The convolution of so many images, with filters of every run or kept ones.
    fn plan(&self, images: usize, kept: bool) -> Result<(Vec<usize>, GraphPlan)> {
        let mut g = graph();
        let filters = if kept { Graph::parameter } else { Graph::input };
        let image = [&[images], &self.image[1..]].concat();
        let operands = [g.input("x", F32, &image)?, filters(&mut g, "w", F32, self.filter)?];
        let y = g.apply_with(self.operator, &operands, self.attributes())?;
        g.output("y", y)?;
        Ok((g.type_of(y)?.shape.to_vec(), g.plan(&[cpu()])?))
    }

    fn run_with(&self, x: &[f32], weights: &[f32], kept: bool) -> Result<(Vec<usize>, Vec<f32>)> {
        let images = x.len() / self.image[1..].iter().product::<usize>();
        let (shape, mut plan) = self.plan(images, kept)?;
        let device = plan.inputs().next().expect("images").2.clone();
        let image = [&[images], &self.image[1..]].concat();
        let given = [tensor(&device, &image, x), tensor(&device, self.filter, weights)];
        let y = plan.run(&[("x", &given[0]), ("w", &given[1])])?[0].to_vec()?;
        Ok((shape, y))
    }

    fn run(&self, x: &[f32], weights: &[f32]) -> Result<(Vec<usize>, Vec<f32>)> {
        self.run_with(x, weights, false)
    }

    /// Each term of the element at `o` of filter `f`: where it is in an image, and in the weights.
    fn terms(&self, f: usize, o: &[usize]) -> Vec<Option<(usize, usize)>> {
        let rank = o.len();
        let (extents, window) = (&self.image[2..], &self.filter[2..]);
        let back = self.operator == "convolve_transposed";
        let (channels, filters) = match back {
            false => (self.filter[1], self.filter[0] / (self.image[1] / self.filter[1])),
            true => (self.image[1] / self.group, self.filter[1]),
        };
        let first = f / filters * channels;
        let size = window.iter().product::<usize>();
        let term = |l: usize| {
            let (channel, mut rest) = (first + l / size, l % size);
            let filter =
                if back { channel * filters + f % filters } else { f * channels + l / size };
            let (mut at, mut pitch) = (0, 1);
            for d in (0..rank).rev() {
                let k = (rest % window[d]) as i64 * self.dilations[d];
                rest /= window[d];
                let place = match back {
                    false => o[d] as i64 * self.strides[d] + k - self.pads[d],
                    true => o[d] as i64 + self.pads[d] - k,
                };
                let apart = if back { self.strides[d] } else { 1 };
                if place < 0 || place % apart != 0 || place / apart >= extents[d] as i64 {
                    return None;
                }
                at += (place / apart) as usize * pitch;
                pitch *= extents[d];
            }
            Some((channel * pitch + at, filter * size + l % size))
        };
        (0..channels * size).map(term).collect()
    }

    /// The rule of the guide.
    fn expected(&self, shape: &[usize], x: &[f32], weights: &[f32]) -> Vec<f32> {
        let image = self.image[1..].iter().product::<usize>();
        let places: usize = shape[2..].iter().product();
        let element = |i: usize| {
            let (n, f, mut at) = (i / (places * shape[1]), i / places % shape[1], i % places);
            let mut o = vec![0; shape.len() - 2];
            for d in (0..o.len()).rev() {
                o[d] = at % shape[d + 2];
                at /= shape[d + 2];
            }
            let terms = self.terms(f, &o);
            let block = |block: &[Option<(usize, usize)>]| {
                let term =
                    |s: f32, (at, w): (usize, usize)| x[n * image + at].mul_add(weights[w], s);
                block.iter().flatten().copied().fold(0.0, term)
            };
            terms.chunks(256).map(block).fold(0.0, |sum, block| sum + block)
        };
        (0..shape.iter().product()).map(element).collect()
    }
}

fn numbers(seed: u64, extents: &[usize]) -> Vec<f32> {
    random(seed, extents.iter().product()).into_iter().map(|x| x as f32).collect()
}

fn bits(numbers: &[f32]) -> Vec<u32> {
    numbers.iter().map(|x| x.to_bits()).collect()
}

#[test]
fn convolutions_add_in_the_order_of_the_rule() {
    for case in CASES {
        let (x, weights) = (numbers(1, case.image), numbers(2, case.filter));
        let (shape, y) = case.run(&x, &weights).unwrap();
        let what = format!("{} {:?} {:?} -> {shape:?}", case.operator, case.image, case.filter);
        assert_eq!(bits(&y), bits(&case.expected(&shape, &x, &weights)), "{what}");
        let (_, kept) = case.run_with(&x, &weights, true).unwrap();
        assert_eq!(bits(&kept), bits(&y), "{what}, of kept filters");
    }
}

#[test]
fn a_plan_packs_filters_once_in_memory_that_it_counts() {
    for case in CASES.iter().filter(|case| case.operator == "convolve") {
        let launches = |plan: &GraphPlan| {
            let nodes = plan.graph().nodes().iter();
            nodes
                .filter_map(|node| Some((node.operator()?.to_owned(), node.kept)))
                .collect::<Vec<_>>()
        };
        let [(_, given), (_, kept)] = [false, true].map(|kept| case.plan(2, kept).unwrap());
        // A window that is the image makes a product of matrices.
        let whole = case.image[1..] == case.filter[1..] && case.pads.iter().all(|n| *n == 0);
        let [plain, pack, packed] = match whole {
            true => ["matmul_nt", "matmul_pack_nt", "matmul_packed"],
            false => ["convolution", "convolution_pack", "convolution_packed"],
        };
        assert_eq!(launches(&given), [(plain.into(), false)]);
        assert_eq!(launches(&kept), [(pack.into(), true), (packed.into(), false)]);
        let bytes = 4 * case.filter.iter().product::<usize>();
        assert_eq!([given, kept].map(|plan| plan.memory()[0].kept), [0, bytes]);
    }
}

#[test]
fn an_image_alone_has_the_bits_of_that_image_in_a_batch() {
    for case in CASES.iter().filter(|case| case.image[0] > 1) {
        let (x, weights) = (numbers(3, case.image), numbers(4, case.filter));
        let (shape, batch) = case.run(&x, &weights).unwrap();
        let (image, result) = (x.len() / shape[0], batch.len() / shape[0]);
        for n in 0..shape[0] {
            let (_, y) = case.run(&x[n * image..][..image], &weights).unwrap();
            assert_eq!(bits(&y), bits(&batch[n * result..][..result]), "image {n}");
        }
    }
}

#[test]
fn what_lies_outside_of_an_image_counts_as_zero() {
    let outside = case(&[1, 1, 2], &[1, 1, 1], &[1], &[0, 3], &[1]);
    assert_eq!(outside.run(&[2.0, 3.0], &[0.5]).unwrap().1, [1.0, 1.5, 0.0, 0.0, 0.0]);
}

#[test]
fn windows_that_reach_too_far_for_any_memory_are_an_error() {
    const FAR: i64 = 1 << 30;
    let far = case(&[1, 1, 4, 4], &[1, 1, 2, 2], &[1, 1], &[FAR, FAR, 0, 0], &[FAR, FAR]);
    let error = far.run(&[1.0; 16], &[1.0; 4]).unwrap_err();
    assert!(error.message().contains("no memory for"), "{error}");
}

#[test]
fn a_convolution_that_cannot_be_is_refused_with_what_is_wrong() {
    let wrong = [
        (case(&[1, 3, 4], &[2, 2, 3], &[1], &[0, 0], &[1]), "filters have the channels of a group"),
        (case(&[1, 4, 4], &[3, 2, 3], &[1], &[0, 0], &[1]), "groups equally many filters"),
        (
            case(&[1, 3, 4], &[2, 3, 5], &[1], &[0, 0], &[1]),
            "a window of 5 does not fit into dimension 2, of 4",
        ),
        (
            case(&[1, 3, 4], &[2, 3, 3], &[0], &[0, 0], &[1]),
            "`strides` is [0], not 1 numbers of at least 1",
        ),
        (
            case(&[1, 3, 4], &[2, 3, 3], &[1], &[0], &[1]),
            "`pads` is [0], not 2 numbers of at least 0",
        ),
        (case(&[1, 3], &[2, 3], &[], &[], &[]), "one to three of places"),
        (
            transposed(case(&[1, 3, 4], &[2, 3, 3], &[1], &[0, 0], &[1]), &[0], 1),
            "filters have the channels of the image",
        ),
        (
            transposed(case(&[1, 3, 1], &[3, 3, 2], &[1], &[1, 1], &[1]), &[0], 1),
            "dimension 2 has 0 elements: 2 without pads",
        ),
    ];
    for (case, expected) in wrong {
        let error = case.run(&numbers(1, case.image), &numbers(1, case.filter)).unwrap_err();
        assert!(error.message().contains(expected), "{error}");
        assert!(matches!(error.kind(), ErrorKind::Shape | ErrorKind::InvalidArgument), "{error}");
    }
}
