//! Elements by their positions, running totals and bits: values, and what bad positions do.

use half::f16;
use ringwood_backend_cpu as _;
use ringwood_base::registry::Registry;
use ringwood_base::{DType, Element, ErrorKind, Result, Shape};
use ringwood_device::device::{Device, Runtime, Tensor};
use ringwood_graph::graph::{Attributes, Graph};
use ringwood_kernels as _;

/// A device of its own run time, whose failures are its own.
fn device() -> Device {
    Runtime::new(Registry::global().unwrap().clone()).device("cpu:0").unwrap()
}

/// The extents and the elements of an operand.
type Of<'a, T> = (&'a [usize], &'a [T]);

/// One operand.
trait Given {
    fn tensor(&self, device: &Device) -> Tensor;
}

impl<T: Element> Given for Of<'_, T> {
    fn tensor(&self, device: &Device) -> Tensor {
        device.tensor_with(self.1, Shape::new(self.0).unwrap()).unwrap()
    }
}

/// Runs an operator on operands of any types.
fn run<T: Element>(
    operator: &str,
    operands: &[&dyn Given],
    attributes: impl Into<Attributes>,
) -> Result<(Vec<usize>, Vec<T>)> {
    let device = device();
    let tensors: Vec<_> = operands.iter().map(|given| given.tensor(&device)).collect();
    let names: Vec<_> = (0..tensors.len()).map(|i| format!("x{i}")).collect();
    let mut g = Graph::new();
    let mut values = Vec::new();
    for (name, tensor) in names.iter().zip(&tensors) {
        values.push(g.input(name, tensor.dtype(), &tensor.shape())?);
    }
    let y = g.apply_with(operator, &values, attributes)?;
    g.output("y", y)?;
    let inputs: Vec<_> = names.iter().map(String::as_str).zip(&tensors).collect();
    let y = g.plan(&[device])?.run(&inputs)?.remove(0);
    Ok((y.shape().to_vec(), y.to_vec()?))
}

const X: Of<'static, f32> = (&[2, 3], &[1.0, 2.0, 3.0, 4.0, 5.0, 6.0]);

#[test]
fn elements_are_taken_along_a_dimension() {
    let at: Of<'_, i64> = (&[2, 2], &[2, 0, -1, 1]);
    let y = run::<f32>("take_along", &[&X, &at], [("axis", 1_usize)]).unwrap();
    assert_eq!(y, (vec![2, 2], vec![3.0, 1.0, 6.0, 5.0]));
    // One list of positions for all rows, and for all columns.
    let at: Of<'_, i64> = (&[1, 2], &[1, 1]);
    let y = run::<f32>("take_along", &[&X, &at], [("axis", 1_usize)]).unwrap();
    assert_eq!(y.1, [2.0, 2.0, 5.0, 5.0]);
    let at: Of<'_, i64> = (&[3, 1], &[1, 0, -1]);
    let y = run::<f32>("take_along", &[&X, &at], [("axis", 0_usize)]).unwrap();
    assert_eq!(y, (vec![3, 3], vec![4.0, 5.0, 6.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0]));
    let truths: Of<'_, bool> = (&[2], &[true, false]);
    let at: Of<'_, i64> = (&[3], &[1, 0, 1]);
    let y = run::<bool>("take_along", &[&truths, &at], [("axis", 0_usize)]).unwrap();
    assert_eq!(y.1, [false, true, false]);
}

#[test]
fn a_position_outside_is_an_error_of_the_run() {
    for bad in [3, -4, i64::MAX, i64::MIN, 1 << 32] {
        let at: Of<'_, i64> = (&[2, 1], &[0, bad]);
        let taken = run::<f32>("take_along", &[&X, &at], [("axis", 1_usize)]).unwrap_err();
        assert_eq!(taken.kind(), ErrorKind::OutOfBounds, "{bad}: {taken}");
        let updates: Of<'_, f32> = (&[2, 1], &[7.0, 8.0]);
        let put = run::<f32>("put_along", &[&X, &at, &updates], [("axis", 1_usize), ("how", 0)]);
        assert_eq!(put.unwrap_err().kind(), ErrorKind::OutOfBounds, "{bad}");
    }
    let extents: Of<'_, i64> = (&[2], &[2, 3]);
    let at: Of<'_, i64> = (&[4, 2], &[1, 2, -2, -1, 0, 3, -3, 0]);
    let flat = run::<i64>("flat_index", &[&at, &extents], Attributes::default()).unwrap();
    assert_eq!(flat, (vec![4], vec![5, 2, i64::MAX, i64::MAX]));
}

#[test]
fn positions_of_other_extents_are_refused_when_the_graph_is_built() {
    let mut g = Graph::new();
    let x = g.input("x", DType::F32, &[4, 3, 2]).unwrap();
    let axis = [("axis", 1_usize)];
    for (extents, fits) in [
        ([4, 5, 2], true),
        ([1, 5, 2], true),
        ([4, 5, 1], true),
        ([2, 5, 2], false),
        ([4, 5, 4], false),
    ] {
        let name = format!("{extents:?}");
        let at = g.input(&name, DType::I64, &extents).unwrap();
        let u = g.input(&format!("u {name}"), DType::F32, &[4, 5, 2]).unwrap();
        let put = [("axis", 1_usize), ("how", 0)];
        for result in [
            g.apply_with("take_along", &[x, at], axis),
            g.apply_with("put_along", &[x, at, u], put),
        ] {
            let Err(error) = result else {
                assert!(fits, "{name}");
                continue;
            };
            assert!(!fits && error.kind() == ErrorKind::Shape, "{name}: {error}");
            let needle = format!("positions of {name} along dimension 1 of [4, 3, 2]");
            assert!(error.message().contains(&needle), "{error}");
        }
    }
}

#[test]
fn elements_put_twice_are_put_in_their_order() {
    let at: Of<'_, i64> = (&[2, 3], &[1, -2, 1, 0, 2, 0]);
    let updates: Of<'_, f32> = (&[2, 3], &[10.0, 20.0, 30.0, 40.0, 50.0, 60.0]);
    let cases: [(usize, [f32; 6]); 5] = [
        (0, [1.0, 30.0, 3.0, 60.0, 5.0, 50.0]),
        (1, [1.0, 62.0, 3.0, 104.0, 5.0, 56.0]),
        (2, [1.0, 12_000.0, 3.0, 9600.0, 5.0, 300.0]),
        (3, [1.0, 2.0, 3.0, 4.0, 5.0, 6.0]),
        (4, [1.0, 30.0, 3.0, 60.0, 5.0, 50.0]),
    ];
    for (how, expected) in cases {
        let attributes = [("axis", 1_usize), ("how", how)];
        let y = run::<f32>("put_along", &[&X, &at, &updates], attributes).unwrap();
        assert_eq!(y.1, expected, "how = {how}");
    }
    // Sums are rounded one after the other, as 16-bit numbers: 2048 + 1 is 2048, twice.
    let [zero, one] = [f16::from_f32(2048.0), f16::from_f32(1.0)];
    let x: Of<'_, f16> = (&[1], &[zero]);
    let at: Of<'_, i64> = (&[2], &[0, 0]);
    let updates: Of<'_, f16> = (&[2], &[one, one]);
    let attributes = [("axis", 0_usize), ("how", 1)];
    let y = run::<f16>("put_along", &[&x, &at, &updates], attributes).unwrap();
    assert_eq!(y.1[0].to_f32(), 2048.0);
    // Nothing is put into nothing.
    let none: Of<'_, f32> = (&[0, 3], &[]);
    let at: Of<'_, i64> = (&[0, 3], &[]);
    let y = run::<f32>("put_along", &[&none, &at, &none], [("axis", 0_usize), ("how", 0)]).unwrap();
    assert_eq!(y.0, [0, 3]);
}

#[test]
fn totals_run_both_ways() {
    let scan = |operator: &str, axis: usize, exclusive: usize, reverse: usize| {
        let attributes = [("axis", axis), ("exclusive", exclusive), ("reverse", reverse)];
        run::<f32>(operator, &[&X], attributes).unwrap().1
    };
    assert_eq!(scan("cumsum", 1, 0, 0), [1.0, 3.0, 6.0, 4.0, 9.0, 15.0]);
    assert_eq!(scan("cumsum", 1, 1, 0), [0.0, 1.0, 3.0, 0.0, 4.0, 9.0]);
    assert_eq!(scan("cumsum", 1, 0, 1), [6.0, 5.0, 3.0, 15.0, 11.0, 6.0]);
    assert_eq!(scan("cumsum", 1, 1, 1), [5.0, 3.0, 0.0, 11.0, 6.0, 0.0]);
    assert_eq!(scan("cumsum", 0, 0, 0), [1.0, 2.0, 3.0, 5.0, 7.0, 9.0]);
    assert_eq!(scan("cumprod", 1, 0, 0), [1.0, 2.0, 6.0, 4.0, 20.0, 120.0]);
    assert_eq!(scan("cumprod", 0, 1, 1), [4.0, 5.0, 6.0, 1.0, 1.0, 1.0]);
    let none: Of<'_, i32> = (&[2, 0], &[]);
    let attributes = [("axis", 1_usize), ("exclusive", 0), ("reverse", 0)];
    assert_eq!(run::<i32>("cumsum", &[&none], attributes).unwrap(), (vec![2, 0], vec![]));
}

#[test]
fn the_first_of_equals_is_the_first_of_the_largest() {
    let top = |x: &dyn Given, axis: usize, m: usize, largest: usize| {
        run::<i64>("top", &[x], [("axis", axis), ("m", m), ("largest", largest)]).unwrap()
    };
    let x: Of<'_, f32> = (&[6], &[2.0, f32::NAN, 3.0, 2.0, -0.0, 0.0]);
    assert_eq!(top(&x, 0, 6, 1).1, [1, 2, 0, 3, 4, 5]);
    assert_eq!(top(&x, 0, 6, 0).1, [4, 5, 0, 3, 2, 1]);
    assert_eq!(top(&x, 0, 2, 1), (vec![2], vec![1, 2]));
    let columns: Of<'_, i8> = (&[3, 2], &[1, -128, 127, 0, 1, 5]);
    assert_eq!(top(&columns, 0, 2, 1), (vec![2, 2], vec![1, 2, 0, 1]));
    assert_eq!(top(&columns, 0, 0, 1).0, [0, 2]);
    let many: Vec<f32> = (0..1000).map(|i| ((i * 7919) % 613) as f32).collect();
    let mut sorted: Vec<_> = (0..1000_i64).collect();
    sorted.sort_by(|a, b| many[*b as usize].total_cmp(&many[*a as usize]));
    let x: Of<'_, f32> = (&[1000], &many);
    assert_eq!(top(&x, 0, 1000, 1).1, sorted);
}

#[test]
fn bits_are_joined_shifted_and_read() {
    let none = Attributes::default;
    let (a, b): (Of<'_, u16>, Of<'_, u16>) = ((&[2], &[0b1100, 0xffff]), (&[2], &[0b1010, 4]));
    let of = |operator: &str| run::<u16>(operator, &[&a, &b], none()).unwrap().1;
    assert_eq!(of("bit_and"), [0b1000, 4]);
    assert_eq!(of("bit_or"), [0b1110, 0xffff]);
    assert_eq!(of("bit_xor"), [0b0110, 0xfffb]);
    assert_eq!(of("shift_left"), [0b1100 << 10, 0xfff0]);
    assert_eq!(of("shift_right"), [0, 0x0fff]);
    assert_eq!(run::<u16>("bit_not", &[&a], none()).unwrap().1, [0xfff3, 0]);
    let signed: Of<'_, i8> = (&[2], &[-128, 5]);
    let by: Of<'_, i8> = (&[], &[1]);
    assert_eq!(run::<i8>("shift_right", &[&signed, &by], none()).unwrap().1, [-64, 2]);
    let x: Of<'_, f64> = (&[2], &[1.5, -0.0]);
    let bits = run::<u64>("bits_of_f64", &[&x], none()).unwrap().1;
    assert_eq!(bits, [1.5_f64.to_bits(), 1 << 63]);
    let back = run::<f64>("f64_of_bits", &[&(&[2_usize] as &[_], &bits[..])], none()).unwrap();
    assert_eq!(back.1.into_iter().map(f64::to_bits).collect::<Vec<_>>(), bits);
}

#[test]
fn powers_of_integers_wrap_and_fractions_go_towards_0() {
    let x: Of<'_, i32> = (&[8], &[3, -2, 2, 5, 1, -1, -1, 0]);
    let y: Of<'_, i32> = (&[8], &[4, 3, 33, -1, -7, -3, -2, 0]);
    let powers = run::<i32>("powi", &[&x, &y], Attributes::default()).unwrap().1;
    assert_eq!(powers, [81, -8, 0, 0, 1, -1, 1, 1]);
    let x: Of<'_, i64> = (&[5], &[0, 2, -1, 3, 3]);
    let y: Of<'_, i64> = (&[5], &[1 << 32, (1 << 32) + 3, (1 << 32) + 1, (1 << 62) + 1, 4]);
    let powers = run::<i64>("powi", &[&x, &y], Attributes::default()).unwrap().1;
    assert_eq!(powers, [0, 0, -1, 3, 81]);
    let x: Of<'_, f32> = (&[5], &[0.5, 1.5, 2.5, -2.5, -0.5]);
    let rounded = run::<f32>("round_ties_even", &[&x], Attributes::default()).unwrap().1;
    assert_eq!(rounded, [0.0, 2.0, 2.0, -2.0, -0.0]);
}

#[test]
fn small_integers_are_computed_as_large_ones_are() {
    let none = Attributes::default;
    let (a, b): (Of<'_, i16>, Of<'_, i16>) = ((&[3], &[32_767, -5, 7]), (&[3], &[1, 3, -2]));
    let of = |operator: &str| run::<i16>(operator, &[&a, &b], none()).unwrap().1;
    assert_eq!(of("add"), [-32_768, -2, 5]);
    assert_eq!(of("div"), [32_767, -1, -3]);
    assert_eq!(of("rem"), [0, -2, 1]);
    assert_eq!(of("max"), [32_767, 3, 7]);
    let less = run::<bool>("less", &[&a, &b], none()).unwrap().1;
    assert_eq!(less, [false, true, false]);
    assert_eq!(run::<i8>("to_i8", &[&a], none()).unwrap().1, [-1, -5, 7]);
    assert_eq!(run::<u16>("to_u16", &[&a], none()).unwrap().1, [32_767, 65_531, 7]);
    let floats: Of<'_, f32> = (&[3], &[-1e9, f32::NAN, 200.0]);
    assert_eq!(run::<i8>("to_i8", &[&floats], none()).unwrap().1, [-128, 0, 127]);
    assert_eq!(run::<i16>("to_i16", &[&floats], none()).unwrap().1, [-32_768, 0, 200]);
    let axis = [("axis", 0_usize)];
    assert_eq!(run::<i16>("largest", &[&a], axis).unwrap(), (vec![], vec![32_767]));
    assert_eq!(run::<i32>("argmin", &[&a], axis).unwrap().1, [1]);
}

#[test]
fn determinants_of_matrices_are_found_by_pivots() {
    let mut g = Graph::new();
    // A column that starts with 0, one that is all 0, and rows that stay where they are.
    let x: [f64; 27] = [
        0.0, 2.0, 1.0, 3.0, 1.0, -1.0, 4.0, -2.0, 5.0, // −48
        0.0, 1.0, 2.0, 0.0, 3.0, 4.0, 0.0, 5.0, 6.0, // 0
        2.0, 0.0, 0.0, 1.0, 3.0, 0.0, -1.0, 5.0, 4.0, // 24
    ];
    let value = g.input("x", DType::F64, &[3, 3, 3]).unwrap();
    let found = g.apply_all("determinant", &[value], Attributes::default()).unwrap();
    g.output("y", found[0]).unwrap();
    let device = device();
    let tensor = device.tensor_with(&x, Shape::new(&[3, 3, 3]).unwrap()).unwrap();
    let y = g.plan(&[device]).unwrap().run(&[("x", &tensor)]).unwrap();
    let y = y[0].to_vec::<f64>().unwrap();
    let expected = [-48.0, 0.0, 24.0];
    assert!(y.iter().zip(expected).all(|(y, e)| (y - e).abs() < 1e-12), "{y:?}");
}

#[test]
fn sums_of_products_are_those_of_their_equations() {
    let einsum = |equation: &str, operands: &[&dyn Given]| {
        run::<f32>("einsum", operands, [("equation", equation.to_owned())])
    };
    let a: Of<'_, f32> = (&[2, 2], &[1.0, 2.0, 3.0, 4.0]);
    let b: Of<'_, f32> = (&[2, 2], &[5.0, 6.0, 7.0, 8.0]);
    type Case<'a> = (&'a str, &'a [&'a dyn Given], &'a [usize], &'a [f32]);
    let cases: [Case<'_>; 10] = [
        ("ij->ji", &[&a], &[2, 2], &[1.0, 3.0, 2.0, 4.0]),
        ("ij -> i", &[&a], &[2], &[3.0, 7.0]),
        ("ij->", &[&a], &[], &[10.0]),
        ("ii->i", &[&a], &[2], &[1.0, 4.0]),
        ("ii", &[&a], &[], &[5.0]),
        ("ij,jk->ik", &[&a, &b], &[2, 2], &[19.0, 22.0, 43.0, 50.0]),
        ("ij,jk", &[&a, &b], &[2, 2], &[19.0, 22.0, 43.0, 50.0]),
        ("bi,bj->bij", &[&a, &b], &[2, 2, 2], &[5.0, 6.0, 10.0, 12.0, 21.0, 24.0, 28.0, 32.0]),
        ("...i,...i->...", &[&a, &b], &[2], &[17.0, 53.0]),
        ("ij,jk,kl->il", &[&a, &b, &a], &[2, 2], &[85.0, 126.0, 193.0, 286.0]),
    ];
    for (equation, operands, shape, expected) in cases {
        let y = einsum(equation, operands).unwrap_or_else(|e| panic!("{equation}: {e}"));
        assert_eq!(y, (shape.to_vec(), expected.to_vec()), "{equation}");
    }
    let row: Of<'_, f32> = (&[1, 2], &[1.0, 10.0]);
    assert_eq!(einsum("bi,bi->b", &[&a, &row]).unwrap().1, [21.0, 43.0]);
    for (equation, operands) in
        [("ij,jk->ik", &[&a as &dyn Given][..]), ("ijk->i", &[&a]), ("i->i", &[&a])]
    {
        let error = einsum(equation, operands).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::InvalidArgument, "{equation}: {error}");
    }
    // Digits are the labels of an ellipsis.
    for (equation, operands) in
        [("12,23", &[&a as &dyn Given, &b][..]), ("0...->0", &[&a]), ("ij->i-", &[&a])]
    {
        let error = einsum(equation, operands).unwrap_err();
        assert!(error.to_string().contains("is no letter"), "{equation}: {error}");
    }
}
