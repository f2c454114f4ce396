use super::Input::{Each, One};
use super::*;
use crate::interpret::{Argument, grid, map};
use crate::print::{CUDA, Facts, OPENCL, Options, print};
use crate::{Value, decode, encode};

/// `t = 0; for k in 0..n { t = t + x[grp * n + k]; } y[grp] = t;`, by a work-item or by a group.
fn sum(ty: &str, group: bool) -> Kernel {
    let (size, id, turns) = match group {
        true => ("3 4 1 1", "grp usize:1 0", "share 1 p usize:4 2"),
        false => ("0", "gid usize:1 0", "for 1 i usize:3 0 p usize:4 2"),
    };
    let at = format!("+ usize:7 * usize:7 {id} p usize:7 2 v usize:7 1");
    let add = format!("1 set 0 + {ty}:5 v {ty}:5 0 ld {ty}:6 p0 1 {at}");
    let total = if group { format!("sum 0 9 v {ty}:9 0") } else { format!("set 0 v {ty}:9 0") };
    let store = format!("if == bool:8 lid usize:8 0 i usize:8 0 1 st p1 8 1 {id} v {ty}:8 0 0");
    let store = if group { store } else { format!("st p1 8 1 {id} v {ty}:8 0") };
    decode(&format!(
        "kir2 sum 1 - {size} 3 x c {ty} y m {ty} n s usize 0 2 t {ty} k usize 0 0 \
         4 let 0 as {ty}:2 i i32:2 0 {turns} {add} {total} {store} void"
    ))
    .unwrap()
}

fn scaled(ty: &str) -> Kernel {
    let product = format!("* {ty}:0 p {ty}:0 0 p {ty}:0 1");
    decode(&format!("kir2 scaled 0 - 0 2 a s {ty} b s {ty} 0 0 0 0 0 {product}")).unwrap()
}

fn f32s(values: &[f32]) -> Argument {
    Argument::Slice(values.iter().map(|v| Value::F32(*v)).collect())
}

#[test]
fn the_kernel_has_the_results_of_the_map_and_then_the_kernel() {
    let (a, b): (Vec<f32>, _) = ((0..21).map(|i| 0.1 * i as f32).collect(), 3.3_f32);
    for group in [false, true] {
        let (sum, map_of) = (sum("f32", group), scaled("f32"));
        for inputs in [[Each, One], [One, Each], [Each, Each]] {
            let whole = fuse_producers(&sum, 0, &map_of, &inputs).unwrap();
            assert_eq!(decode(&encode(&whole)).unwrap(), whole);
            let values = inputs.map(|input| if input == Each { a.clone() } else { vec![b] });
            let of =
                |i: usize, k: usize| Value::F32(values[k][if inputs[k] == Each { i } else { 0 }]);
            let between = (0..21).map(|i| map(&map_of, &[of(i, 0), of(i, 1)], 10).unwrap());
            let n = || Argument::Scalar(Value::Usize(7));
            let mut apart = [Argument::Slice(between.collect()), f32s(&[0.0; 3]), n()];
            assert_eq!(grid(&sum, &[3], &mut apart, 1 << 20), Ok(None));
            // The first input with an element for each is in the place of the slice.
            let first = inputs.iter().position(|input| *input == Each).unwrap();
            let [slice, other] = [&values[first], &values[1 - first]];
            let mut args = [f32s(slice), f32s(&[0.0; 3]), n(), f32s(other)];
            assert_eq!(grid(&whole, &[3], &mut args, 1 << 20), Ok(None));
            assert_eq!(args[1], apart[1], "{inputs:?}");
        }
    }
}

#[test]
fn an_index_out_of_bounds_has_the_site_and_the_name_of_the_load() {
    let whole = fuse_producers(&sum("f32", false), 0, &scaled("f32"), &[One, Each]).unwrap();
    assert!(whole.params.iter().map(|p| p.name.as_str()).eq(["x", "y", "n", "x"]));
    let n = Argument::Scalar(Value::Usize(4));
    let mut args = [f32s(&[1.0; 5]), f32s(&[0.0; 2]), n, f32s(&[2.0])];
    let fault = grid(&whole, &[2], &mut args, 1 << 20).unwrap().unwrap();
    assert_eq!((fault.site, fault.index, fault.len), (6, 5, 5));
    for dialect in [&OPENCL, &CUDA] {
        let text = print(&whole, dialect, &Facts::default(), &Options::default()).source;
        assert!(text.contains("x_") && text.contains("k_p3"), "{text}");
    }
}

#[test]
fn what_cannot_be_fed_is_refused() {
    let (sum, product) = (sum("f32", true), scaled("f32"));
    let refused = |param, map: &Kernel, inputs: &[Input]| {
        fuse_producers(&sum, param, map, inputs).unwrap_err().message
    };
    let no_slice = "map `scaled` into `sum`: it takes no slice of the result";
    for param in [1, 2, 3] {
        assert_eq!(refused(param, &product, &[Each, Each]), no_slice);
    }
    assert_eq!(refused(0, &scaled("f64"), &[Each, Each]), no_slice);
    assert!(refused(0, &product, &[One, One]).contains("no input is as long"));
    assert!(refused(0, &product, &[Each]).contains("not those of the map"));
    assert!(refused(0, &sum, &[Each, Each, Each]).contains("it is no map"));
    // fn chase(x: &[u32], y: &mut [u32]) { y[gid(0)] = x[x[gid(0)] as usize]; }
    let chase = decode(
        "kir2 chase 1 - 0 2 x c u32 y m u32 0 0 0 0 1 st p1 1 1 gid usize:0 0 \
         ld u32:2 p0 1 as usize:3 ld u32:4 p0 1 gid usize:5 0 void",
    );
    let error = fuse_producers(&chase.unwrap(), 0, &scaled("u32"), &[Each, Each]);
    assert!(error.unwrap_err().message.contains("loaded from the slice itself"));
}
