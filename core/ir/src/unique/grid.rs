//! What a grid rests on that has the shape of what its kernel writes first.

use super::facts::{Access, Facts, Guard, Kind};
use super::sum;
use crate::{Buffer, Expr, ExprKind, Kernel};

/// A position of the work-item as an index.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Along {
    /// The access.
    pub site: u32,
    /// The `d` of `gid(d)`.
    pub position: u8,
    /// The dimension of the buffer, of which 0 is the slowest.
    pub dimension: usize,
}

/// Whether each work-item changes elements of its own only, if it changes any of the buffer.
pub fn has_own_elements(kernel: &Kernel, buffer: Buffer) -> bool {
    Facts::of(kernel, &[]).proved(buffer, |access| access.kind != Kind::Load).is_ok()
}

/// Along which dimensions of a buffer the work-item changes elements at its positions, where no condition
/// limits them.
pub fn along(kernel: &Kernel, buffer: Buffer) -> Vec<Along> {
    let facts = Facts::of(kernel, &[]);
    let mut all = Vec::new();
    for access in changes(&facts, buffer) {
        for (dimension, index) in access.indices.iter().enumerate() {
            let positions = positions(index).into_iter().filter(|d| !limited(access, *d));
            all.extend(positions.map(|position| Along { site: access.site, position, dimension }));
        }
    }
    all
}

fn changes<'a>(facts: &'a Facts<'_>, buffer: Buffer) -> impl Iterator<Item = &'a Access> {
    facts.accesses.iter().filter(move |a| a.buffer == buffer && a.kind != Kind::Load)
}

/// The positions of the work-item that an index counts: other than by a quotient or remainder.
fn positions(index: &Expr) -> Vec<u8> {
    let position = |value: Expr| match value.kind {
        ExprKind::Gid(d) => Some(d),
        _ => None,
    };
    let terms = sum::terms(index).unwrap_or_default();
    terms.into_iter().filter_map(|term| position(term.value?)).collect()
}

/// Whether a condition around an access limits a position of the work-item.
fn limited(access: &Access, position: u8) -> bool {
    access.guards.iter().any(|guard| {
        let Guard::Below(value, _) = guard else { return false };
        value.any(&|e| e.kind == ExprKind::Gid(position))
    })
}
