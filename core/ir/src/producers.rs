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
mod tests;
