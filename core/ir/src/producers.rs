//! A map that is computed where a kernel loads.

use crate::check::{Invalid, check};
use crate::compose::function;
use crate::{Buffer, Expr, ExprKind, Kernel, Param, ParamKind, Stmt, Type};

/// Which element of an input a map takes in place of element `i` of its result.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Input {
    /// Element `i`.
    Each,
    /// The only one.
    One,
}

/// The kernel that computes a map wherever `kernel` loads from the slice `param`, which would hold the
/// results of the map.
///
/// Each load `x[i]` becomes a call of the map with element `i` of its inputs, or the only one. The
/// first input with as many elements as the slice takes its place among the parameters, so that its
/// length and the positions of the others stay; the other inputs follow the parameters of the kernel.
/// All of them have the name of the slice, and the loads the site of the load that they replace, so
/// that an index out of bounds is reported as before.
///
/// ```
/// use ringwood_ir::{Input, decode, fuse_producers};
///
/// // fn copy(x: &[f32], y: &mut [f32]) { y[gid(0)] = x[gid(0)]; }
/// let copy = decode(
///     "kir2 copy 1 - 0 2 x c f32 y m f32 0 0 0 0 1 \
///      st p1 1 1 gid usize:0 0 ld f32:2 p0 1 gid usize:1 0 void",
/// )?;
/// let mul = decode("kir2 mul 0 - 0 2 a s f32 b s f32 0 0 0 0 0 * f32:0 p f32:0 0 p f32:0 1")?;
/// let scaled = fuse_producers(&copy, 0, &mul, &[Input::Each, Input::One]).unwrap();
/// assert_eq!(scaled.params.len(), 3);
/// # Ok::<(), ringwood_ir::Malformed>(())
/// ```
///
/// # Errors
/// The parameter is no slice to read of the type of the map's result; an index into it is loaded from
/// it; the inputs are not those of the map, or none of them has an element for each.
pub fn fuse_producers(
    kernel: &Kernel,
    param: u32,
    map: &Kernel,
    inputs: &[Input],
) -> Result<Kernel, Invalid> {
    let wrong = |what: &str| Invalid {
        site: 0,
        message: format!("map `{}` into `{}`: {what}", map.name, kernel.name),
    };
    let result = map.result.as_ref().ok_or_else(|| wrong("it is no map"))?.ty;
    let name = match kernel.params.get(param as usize) {
        Some(Param { name, kind: ParamKind::Slice { ty, mutable: false } }) if *ty == result => {
            name
        }
        _ => return Err(wrong("it takes no slice of the result")),
    };
    let Some(first) = inputs.iter().position(|input| *input == Input::Each) else {
        return Err(wrong("no input is as long as the slice"));
    };
    if inputs.len() != map.params.len() {
        return Err(wrong("the inputs are not those of the map"));
    }
    let mut whole = kernel.clone();
    let mut loads = Vec::with_capacity(inputs.len());
    for (position, (input, Param { kind, .. })) in inputs.iter().zip(&map.params).enumerate() {
        let ParamKind::Scalar(ty) = *kind else { return Err(wrong("it is no map")) };
        let slice = Param { name: name.clone(), kind: ParamKind::Slice { ty, mutable: false } };
        let index = if position == first { param } else { whole.params.len() as u32 };
        match whole.params.get_mut(index as usize) {
            Some(place) => *place = slice,
            None => whole.params.push(slice),
        }
        loads.push((Buffer::Param(index), *input, ty));
    }
    let function = function(&mut whole, map, result);
    let calls = Calls { slice: Buffer::Param(param), function, loads };
    let mut body = std::mem::take(&mut whole.body);
    if !calls.block(&mut body) {
        return Err(wrong("an index is loaded from the slice itself"));
    }
    whole.body = body;
    check(&whole)?;
    Ok(whole)
}

/// What stands in place of the loads of a slice: calls of the map.
struct Calls {
    slice: Buffer,
    function: u32,
    loads: Vec<(Buffer, Input, Type)>,
}

impl Calls {
    /// Replaces the loads of statements; `false` if one is within another.
    fn block(&self, body: &mut [Stmt]) -> bool {
        body.iter_mut().all(|stmt| {
            stmt.exprs_mut().into_iter().all(|e| self.expr(e))
                && stmt.bodies_mut().into_iter().all(|body| self.block(body))
        })
    }

    fn expr(&self, e: &mut Expr) -> bool {
        if !self.replaces(e) {
            return e.operands_mut().into_iter().all(|operand| self.expr(operand));
        }
        let mut nested = 0;
        e.walk(&mut |e| nested += usize::from(self.replaces(e)));
        let ExprKind::Load(_, indices) = &e.kind else { return false };
        let load = |&(buffer, input, ty): &(Buffer, Input, Type)| {
            let indices = match input {
                Input::Each => indices.clone(),
                Input::One => vec![Expr::index(0, e.site)],
            };
            Expr { kind: ExprKind::Load(buffer, indices), ty, site: e.site }
        };
        e.kind = ExprKind::Call(self.function, self.loads.iter().map(load).collect());
        nested == 1
    }

    fn replaces(&self, e: &Expr) -> bool {
        matches!(e.kind, ExprKind::Load(buffer, _) if buffer == self.slice)
    }
}

#[cfg(test)]
mod tests {
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
                let of = |i: usize, k: usize| {
                    Value::F32(values[k][if inputs[k] == Each { i } else { 0 }])
                };
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
}
