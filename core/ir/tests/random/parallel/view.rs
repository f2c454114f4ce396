//! Elements of slices and views.

use super::{Dim, INPUTS, Maker, Role, TOTALS, usize_literal};
use ringwood_ir::{BinaryOp, Buffer, Expr, ExprKind, ParamKind, Type};

/// The most dimensions of a view.
const RANK: usize = 6;
/// The most elements of a view, apart from those that work-items need for themselves.
const ELEMENTS: usize = 200;

impl Maker {
    /// A slice or view of a role and type, and the indices of an access to it.
    pub(super) fn element(&mut self, role: Role, ty: Type, uniform: bool) -> (u32, Vec<Expr>) {
        if self.views && self.below(2) == 0 {
            let param = self.view(role, ty);
            return (param, self.view_indices(param, uniform));
        }
        let param = self.param(role, ty);
        let index = match role {
            Role::Output => self.own(),
            Role::Cell { shifted } => {
                let item = self.item();
                self.shift(item, shifted)
            }
            Role::Total(_) => self.index(TOTALS, uniform),
            Role::Input | Role::Scalar => self.index(INPUTS, uniform),
        };
        (param, vec![index])
    }

    fn view(&mut self, role: Role, ty: Type) -> u32 {
        let kind = |rank| ParamKind::View { ty, rank, mutable: role != Role::Input };
        self.find(role, kind(0)).unwrap_or_else(|| {
            let dims = self.dims(role);
            self.add(role, kind(dims.len() as u8), dims)
        })
    }

    /// The dimensions of a view: those that tell the work-item, if it writes elements of its own, and
    /// others.
    fn dims(&mut self, role: Role) -> Vec<Dim> {
        let owned = matches!(role, Role::Output | Role::Cell { .. });
        let mut keys = if owned { self.keys() } else { Vec::new() };
        if let Role::Cell { shifted } = role {
            keys[0].1 = self.shift(keys[0].1.clone(), shifted);
        }
        let free = if owned {
            self.pick(&[0, 0, 1, 1, 2, 4])
        } else {
            self.pick(&[0, 1, 1, 2, 2, 2, 3, 3, 3, 4, 4, 5, 6])
        };
        let mut dims = Vec::new();
        for (extent, key) in keys {
            // Seldom one too few, at times some too many.
            let extent = match self.below(16) {
                0 => extent.saturating_sub(1),
                1 | 2 => extent + 1,
                _ => extent,
            };
            dims.insert(self.below(dims.len() + 1), Dim { extent, key: Some(key) });
        }
        let mut elements = 1;
        for _ in 0..free.min(RANK - dims.len()) {
            let extent = if self.below(60) == 0 { 0 } else { self.pick(&[1, 2, 2, 3, 3, 4, 5]) };
            let extent = if elements * extent > ELEMENTS { 1 } else { extent };
            elements *= extent.max(1);
            dims.insert(self.below(dims.len() + 1), Dim { extent, key: None });
        }
        dims
    }

    /// Indices that together tell the work-item, and what each is below.
    fn keys(&mut self) -> Vec<(usize, Expr)> {
        let lanes = self.kernel.group.unwrap_or([1; 3]);
        let (points, size) = (self.domain.iter().product(), self.kernel.group_size());
        let (rank, split) = (self.kernel.rank, self.below(3));
        let each = |this: &mut Self, kind: fn(u8) -> ExprKind| -> Vec<Expr> {
            (0..rank).map(|d| this.node(Type::Usize, kind(d))).collect()
        };
        if split == 0 {
            return vec![(points * size, self.item())];
        }
        let domain = self.domain.iter().copied();
        match (self.is_group(), split) {
            (false, _) => domain.zip(each(self, ExprKind::Gid)).collect(),
            (true, 1) => vec![(points, self.point()), (size, self.lane())],
            (true, _) => {
                let groups = domain.zip(each(self, ExprKind::Group));
                let lanes = lanes.into_iter().map(|n| n as usize).zip(each(self, ExprKind::Lid));
                groups.chain(lanes).collect()
            }
        }
    }

    fn shift(&mut self, index: Expr, shifted: bool) -> Expr {
        if shifted { self.binary(BinaryOp::Add, index, usize_literal(1)) } else { index }
    }

    fn view_indices(&mut self, param: u32, uniform: bool) -> Vec<Expr> {
        let dims = self.uses[param as usize].dims.clone();
        let index = |(d, dim): (usize, Dim)| match dim.key {
            Some(key) => key,
            None if self.below(2) == 0 => {
                let any = self.expr(Type::Usize, 1, uniform);
                let extent = self.extent(param, d);
                self.binary(BinaryOp::Rem, any, extent)
            }
            None => self.index(dim.extent.max(1), uniform),
        };
        dims.into_iter().enumerate().map(index).collect()
    }

    fn extent(&mut self, param: u32, d: usize) -> Expr {
        self.node(Type::Usize, ExprKind::Dim(Buffer::Param(param), d as u8))
    }

    /// An extent of a view, if there is one.
    pub(super) fn extent_of_view(&mut self) -> Option<Expr> {
        let ranks = self.uses.iter().map(|u| u.dims.len()).enumerate();
        let views: Vec<_> = ranks.filter(|(_, rank)| *rank > 0).collect();
        if views.is_empty() || self.below(2) == 0 {
            return None;
        }
        let (param, rank) = self.pick(&views);
        let d = self.below(rank);
        Some(self.extent(param as u32, d))
    }
}
