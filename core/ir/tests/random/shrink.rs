//! Makes a launch smaller as long as it still fails.

use crate::launch::Launch;
use ringwood_ir::interpret::Argument;
use ringwood_ir::{Buffer, Expr, ExprKind, ParamKind, Stmt, Type, check};

/// The most launches that are tried.
const TRIES: usize = 1000;

/// A launch with the failure, from whose kernel no statement can be taken, no loop or branch opened and
/// no expression replaced by an operand or by a literal without losing it; nor can a view lose a
/// dimension, its steps or its offset. `fails` gets kernels that pass the checker; they may be ones
/// that do not end.
pub(crate) fn shrink(launch: &Launch, mut fails: impl FnMut(&Launch) -> bool) -> Launch {
    let (mut best, mut tries, mut at) = (launch.clone(), 0, 0);
    loop {
        // One change after the other; after the last, from the start if one of them helped.
        let mut helped = false;
        while let Some(smaller) = changed(&best, at) {
            tries += 1;
            if tries > TRIES {
                return best;
            }
            if check(&smaller.kernel).is_ok() && fails(&smaller) {
                (best, helped) = (smaller, true);
            } else {
                at += 1;
            }
        }
        if !helped {
            return best;
        }
        at = 0;
    }
}

/// The launch with its change number `at`; `None` if it has no more.
fn changed(launch: &Launch, at: usize) -> Option<Launch> {
    let mut launch = launch.clone();
    let mut left = at;
    let is_changed = block(&mut launch.kernel.body, &mut left)
        || (0..launch.args.len()).any(|param| view(&mut launch, param, &mut left));
    is_changed.then_some(launch)
}

/// The changes of an argument, if it is a view.
fn view(launch: &mut Launch, param: usize, left: &mut usize) -> bool {
    let Argument::View { elements, offset, shape, strides } = &mut launch.args[param] else {
        return false;
    };
    if let Some(d) = (0..shape.len()).find(|_| count(left)) {
        let extent = shape.remove(d);
        strides.remove(d);
        if let ParamKind::View { rank, .. } = &mut launch.kernel.params[param].kind {
            *rank -= 1;
        }
        without(&mut launch.kernel.body, Buffer::Param(param as u32), d, extent);
        return true;
    }
    let dense: Vec<_> = (0..shape.len()).map(|d| shape[d + 1..].iter().product()).collect();
    let (count_of, is_dense) = (shape.iter().product(), *offset == 0 && *strides == dense);
    if is_dense || elements.len() < count_of || !count(left) {
        return false;
    }
    (*offset, *strides) = (0, dense);
    true
}

/// Takes the indices along a dimension from the accesses to a buffer.
fn without(body: &mut [Stmt], buffer: Buffer, d: usize, extent: usize) {
    fn expr(e: &mut Expr, buffer: Buffer, d: usize, extent: usize) {
        match &mut e.kind {
            ExprKind::Load(of, indices) if *of == buffer => {
                indices.remove(d);
            }
            ExprKind::Dim(of, dim) if *of == buffer => match usize::from(*dim) {
                this if this == d => *e = Expr::index(extent, e.site),
                this => *dim -= u8::from(this > d),
            },
            _ => {}
        }
        e.operands_mut().into_iter().for_each(|e| expr(e, buffer, d, extent));
    }
    for stmt in body {
        match stmt {
            Stmt::Store { buffer: of, indices, .. } if *of == buffer => {
                indices.remove(d);
            }
            Stmt::Atomic(atomic) if atomic.buffer == buffer => {
                atomic.indices.remove(d);
            }
            _ => {}
        }
        stmt.exprs_mut().into_iter().for_each(|e| expr(e, buffer, d, extent));
        stmt.bodies_mut().into_iter().for_each(|body| without(body, buffer, d, extent));
    }
}

/// Counts `left` down by the changes of a block, and makes the one at which it is 0.
fn block(body: &mut Vec<Stmt>, left: &mut usize) -> bool {
    for at in 0..body.len() {
        let inner: Vec<Vec<Stmt>> = body[at].bodies().into_iter().map(<[_]>::to_vec).collect();
        // Without the statement, or with one of the blocks that it consists of in its place.
        for with in std::iter::once(Vec::new()).chain(inner) {
            if count(left) {
                body.splice(at..=at, with);
                return true;
            }
        }
        for inner in body[at].bodies_mut() {
            if block(inner, left) {
                return true;
            }
        }
        if body[at].exprs_mut().into_iter().any(|e| expr(e, left)) {
            return true;
        }
    }
    false
}

fn expr(e: &mut Expr, left: &mut usize) -> bool {
    let mut simpler: Vec<Expr> =
        e.operands().into_iter().filter(|operand| operand.ty == e.ty).cloned().collect();
    let literal = match e.ty {
        Type::Bool => ExprKind::Bool(false),
        ty if ty.is_float() => ExprKind::Float(0),
        _ => ExprKind::Int(0),
    };
    if !matches!(e.kind, ExprKind::Bool(_) | ExprKind::Float(_) | ExprKind::Int(_)) {
        simpler.push(Expr { kind: literal, ..e.clone() });
    }
    for simpler in simpler {
        if count(left) {
            *e = simpler;
            return true;
        }
    }
    e.operands_mut().into_iter().any(|operand| expr(operand, left))
}

/// Whether this is the change to make.
fn count(left: &mut usize) -> bool {
    let is_this = *left == 0;
    *left = left.saturating_sub(1);
    is_this
}
