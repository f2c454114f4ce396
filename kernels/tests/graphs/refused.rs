//! Operands and attributes that operators refuse.

use crate::support::graph;
use ringwood_base::DType::{F32, I32, I64, U8};
use ringwood_base::{ErrorKind, Result};
use ringwood_graph::graph::Attribute;
use ringwood_graph::lazy::Lazy;
use ringwood_kernels::lazy::Operations;

fn zeros(shape: &[usize]) -> Lazy {
    Lazy::zeros(F32, shape)
}

/// The message of the error that a tensor keeps.
fn message(x: &Lazy) -> String {
    x.error().expect("an error").to_string()
}

/// The extents of the first result, or the kind of the error.
fn shape(
    operator: &str,
    operands: &[&Lazy],
    attributes: &[(&str, Attribute)],
) -> Result<Vec<usize>, ErrorKind> {
    let results = Lazy::apply_all(operator, operands, attributes).map_err(|e| e.kind())?;
    // What a run refuses counts, too.
    results[0].to_bytes().map_err(|e| e.kind())?;
    Ok(results[0].shape().unwrap().to_vec())
}

#[test]
fn norms_take_a_number_for_each_channel() {
    let images = zeros(&[2, 4, 3, 3]);
    let batch = |counts: [usize; 4], training: bool| {
        let numbers = counts.map(|count| zeros(&[count]));
        let [a, b, c, d] = &numbers;
        let training = [("training_mode", training.into()), ("results", 1_usize.into())];
        shape("batch_norm", &[&images, a, b, c, d], &training)
    };
    for training in [false, true] {
        assert_eq!(batch([4; 4], training).unwrap(), [2, 4, 3, 3]);
        for place in 0..4 {
            for wrong in [1, 5] {
                let mut counts = [4; 4];
                counts[place] = wrong;
                assert_eq!(batch(counts, training), Err(ErrorKind::Shape), "{counts:?}");
            }
        }
    }
    let group = |counts: [usize; 2]| {
        let [scale, bias] = counts.map(|count| zeros(&[count]));
        shape("group_norm", &[&images, &scale, &bias], &[("num_groups", 2_i64.into())])
    };
    assert_eq!(group([4, 4]).unwrap(), [2, 4, 3, 3]);
    assert_eq!(group([2, 1]).unwrap(), [2, 4, 3, 3]);
    for wrong in [[0, 4], [3, 4], [4, 8]] {
        assert_eq!(group(wrong), Err(ErrorKind::Shape), "{wrong:?}");
    }
    let [image, two] = [zeros(&[1, 1, 2, 2]), zeros(&[2])];
    assert_eq!(shape("group_norm", &[&image, &two, &two], &[]), Err(ErrorKind::Shape));
    let none = [zeros(&[2, 0, 3]), zeros(&[0])];
    assert_eq!(shape("instance_norm", &[&none[0], &none[1], &none[1]], &[]).unwrap(), [2, 0, 3]);
}

#[test]
fn positions_beyond_32_bits_are_refused() {
    let many = 1 << 32;
    let mut g = graph();
    let table = g.input("table", U8, &[many + 8]).unwrap();
    let known = g.constant(&[1], &[many as i64]).unwrap();
    for (place, dtype) in [I64, I32].into_iter().enumerate() {
        let at = g.input(&format!("at{place}"), dtype, &[1]).unwrap();
        for at in [known, at] {
            let error = g.apply("take", &[table, at]).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::Unsupported, "{error}");
        }
    }
    let most = g.input("most", U8, &[i32::MAX as usize]).unwrap();
    g.apply("take", &[most, known]).unwrap();
    let (rows, index) = (g.input("rows", F32, &[2, 1]).unwrap(), g.input("i", I32, &[2]).unwrap());
    let error = g.apply_with("scatter_add", &[rows, index], [("v", many)]).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Unsupported, "{error}");
}

#[test]
fn a_past_has_the_places_before_the_first() {
    let [x, weights] = [zeros(&[1, 2, 5]), zeros(&[2, 1, 3])];
    let with = |state: &[usize]| {
        let absent = [("absent", Attribute::from(vec![2_i64]))];
        shape("causal_convolution", &[&x, &weights, &zeros(state)], &absent)
    };
    assert_eq!(with(&[1, 2, 2]).unwrap(), [1, 2, 5]);
    for wrong in [[1, 2, 1], [1, 2, 3], [1, 1, 2]] {
        assert_eq!(with(&wrong), Err(ErrorKind::Shape), "{wrong:?}");
    }
}

#[test]
fn numbers_are_turned_in_pairs() {
    let turned = |size: usize, dim: i64, half: usize| {
        let (x, angles) = (zeros(&[1, 1, 2, size]), zeros(&[1, 2, half]));
        let dim = [("rotary_embedding_dim", dim.into())];
        shape("rotary_embedding", &[&x, &angles, &angles], &dim)
    };
    assert_eq!(turned(4, 2, 1).unwrap(), [1, 1, 2, 4]);
    assert_eq!(turned(4, 3, 1), Err(ErrorKind::InvalidArgument));
    assert_eq!(turned(3, 0, 1), Err(ErrorKind::InvalidArgument));
}

#[test]
fn many_slices_of_no_elements_are_not_told_apart() {
    let mut g = graph();
    for (count, fits) in [(4, true), (1 << 40, false)] {
        let none = g.constant(&[0, count], &[0_i64; 0]).unwrap();
        let unique = g.apply_with("unique", &[none], [("axis", 1_i64)]);
        assert_eq!(unique.is_ok(), fits, "{count}");
    }
}

#[test]
fn windows_of_images_follow_each_other() {
    let images = zeros(&[1, 1, 4, 4]);
    let size = |name, n: usize| (name, Attribute::from(n));
    let both = |stride| [size("window", 2), size("stride", stride)];
    let pool = |stride| [&[size("p", 2), size("q", 2)], &both(stride)[..]].concat();
    for operator in ["max_pool", "mean_pool"] {
        assert_eq!(shape(operator, &[&images], &pool(2)).unwrap(), [1, 1, 2, 2]);
        assert_eq!(shape(operator, &[&images], &pool(0)), Err(ErrorKind::InvalidArgument));
    }
    let few = zeros(&[1, 1, 2, 2]);
    let back = shape("max_pool_grad", &[&images, &few, &few], &both(0));
    assert_eq!(back, Err(ErrorKind::InvalidArgument));
}

#[test]
fn no_more_elements_are_in_order_than_there_are() {
    let two = zeros(&[2]);
    let top = |m: usize| {
        let given = [("axis", 0_usize.into()), ("m", m.into()), ("largest", 1_usize.into())];
        shape("top", &[&two], &given)
    };
    assert_eq!(top(2).unwrap(), [2]);
    assert_eq!(top(3), Err(ErrorKind::InvalidArgument));
}

#[test]
fn an_equation_tells_what_does_not_fit() {
    let said = |extents: [usize; 2], equation: &str| {
        let (a, b) = (zeros(&[2, extents[0]]), zeros(&[extents[1], 2]));
        message(&a.apply("einsum", &[&b], [("equation", equation)]))
    };
    assert!(said([3, 4], "ij,jk->ik").contains("extents 3 and 4 have one label `j`"));
    assert!(said([3, 3], "ij,jk->ii").contains("the result has the label `i` twice"));
}

#[test]
fn a_range_has_an_end() {
    let range = |from: i64| {
        let [start, limit, none] = [from, 5, 0].map(Lazy::scalar);
        let floats = [&start, &limit, &none].map(|x| x.cast(F32));
        let whole = message(&start.apply("range", &[&limit, &none], ()));
        [whole, message(&floats[0].apply("range", &[&floats[1], &floats[2]], ()))]
    };
    for said in range(1) {
        assert!(said.contains("from 1 to 5 in steps of 0 there is no end"), "{said}");
    }
}
