//! Makes a kernel smaller as long as it still fails.

use ringwood_ir::{Expr, ExprKind, Kernel, Stmt, Type, check};

/// The most kernels that are tried.
const TRIES: usize = 1000;

/// A kernel with the failure, from which no statement can be taken, no loop or branch opened and no
/// expression replaced by an operand or by a literal without losing it. `fails` gets kernels that
/// pass the checker; they may be ones that do not end.
pub(crate) fn shrink(kernel: &Kernel, mut fails: impl FnMut(&Kernel) -> bool) -> Kernel {
    let (mut best, mut tries, mut at) = (kernel.clone(), 0, 0);
    loop {
        // One change after the other; after the last, from the start if one of them helped.
        let mut helped = false;
        while let Some(smaller) = changed(&best, at) {
            tries += 1;
            if tries > TRIES {
                return best;
            }
            if check(&smaller).is_ok() && fails(&smaller) {
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

/// The kernel with its change number `at`; `None` if it has no more.
fn changed(kernel: &Kernel, at: usize) -> Option<Kernel> {
    let mut kernel = kernel.clone();
    let mut left = at;
    (block(&mut kernel.body, &mut left)).then_some(kernel)
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
