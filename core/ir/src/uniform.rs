//! Which values are the same for all work-items that run side by side.

use crate::{Atomic, Buffer, Expr, ExprKind, Kernel, Space, Stmt};

/// Which values are uniform: the same for every work-item of a group, or, in a kernel without groups,
/// for every work-item of a row of the domain, where only `gid(0)` differs.
///
/// | value | |
/// |---|---|
/// | literals, parameters, lengths, extents, `grp`, results of group operations | uniform |
/// | `gid(1)`, `gid(2)`; `lid` along a dimension in which the group has one work-item | uniform |
/// | `gid(0)`, `lid`, the variable of a shared loop, the old value of an atomic operation | varying |
/// | a variable | varying if one of its values is, or is given under control that varies |
/// | a load | uniform if its indices are, of what no work-item has for itself |
/// | anything else | uniform if its operands are |
///
/// That a load is uniform holds in a kernel without races: of a buffer with atomic operations, and
/// of a mutable one in a `racy` kernel, loads are taken to vary.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Uniformity {
    /// Whether each variable varies.
    vars: Vec<bool>,
    /// Buffers that a work-item may read differently from its neighbour.
    private: Vec<Buffer>,
    /// Whether `lid` varies along each dimension.
    lanes: [bool; 3],
    divergences: Vec<Divergence>,
}

/// An operation of the group that not every work-item of the group may reach, or not as often.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Divergence {
    /// The site of the operation: a barrier, a reduction, the count of a shared loop.
    pub operation: u32,
    /// The site of a value that differs between work-items, on which the branch or loop around the
    /// operation, or the count of a shared loop, depends.
    pub value: u32,
}

impl Uniformity {
    /// Analyses a kernel.
    pub fn of(kernel: &Kernel) -> Self {
        let lanes = kernel.group.map_or([true, false, false], |size| size.map(|n| n > 1));
        let vars = vec![false; kernel.vars.len()];
        let mut uniformity =
            Uniformity { vars, private: private(kernel), lanes, divergences: Vec::new() };
        while uniformity.block(&kernel.body, None) {}
        let mut divergences = Vec::new();
        uniformity.diverge(&kernel.body, None, &mut divergences);
        uniformity.divergences = divergences;
        uniformity
    }

    /// Whether a variable is uniform.
    pub fn var(&self, var: u32) -> bool {
        !self.vars.get(var as usize).copied().unwrap_or(true)
    }

    /// Whether the value of an expression is uniform.
    pub fn expr(&self, e: &Expr) -> bool {
        self.varying(e).is_none()
    }

    /// Whether the work-items that reach a branch or a loop together go through it together: the same
    /// way and as often.
    pub fn together(&self, stmt: &Stmt) -> bool {
        self.inner(stmt, None).is_none()
    }

    /// The operations of the group in the reach of varying control, in the order of the source.
    /// A kernel that has any is invalid.
    pub fn divergences(&self) -> Vec<Divergence> {
        self.divergences.clone()
    }

    /// A part of an expression that varies, and no operand of which does.
    fn varying<'a>(&self, e: &'a Expr) -> Option<&'a Expr> {
        let varies = match &e.kind {
            ExprKind::Var(v) => !self.var(*v),
            ExprKind::Gid(d) | ExprKind::Lid(d) => {
                self.lanes.get(usize::from(*d)).copied().unwrap_or(true)
            }
            ExprKind::Load(buffer, _) => self.private.contains(buffer),
            _ => false,
        };
        let inner = e.operands().into_iter().find_map(|operand| self.varying(operand));
        inner.or_else(|| varies.then_some(e))
    }

    /// Marks the variables that vary; whether any was marked for the first time. `control` is a
    /// varying value that decides whether a work-item gets here.
    fn block(&mut self, body: &[Stmt], control: Option<&Expr>) -> bool {
        let mut changed = false;
        for stmt in body {
            if let Some(var) = stmt.target() {
                changed |= self.assign(stmt, var, control);
            }
            let inner = self.inner(stmt, control);
            for body in stmt.bodies() {
                changed |= self.block(body, inner);
            }
        }
        changed
    }

    fn assign(&mut self, stmt: &Stmt, var: u32, control: Option<&Expr>) -> bool {
        let varies = match stmt {
            Stmt::ForGroup(..) | Stmt::Atomic(_) => true,
            Stmt::GroupReduce { .. } => false,
            Stmt::For(..) => self.inner(stmt, control).is_some(),
            other => {
                control.is_some() || other.exprs().into_iter().any(|e| self.varying(e).is_some())
            }
        };
        match self.vars.get_mut(var as usize) {
            Some(marked) if varies && !*marked => {
                *marked = true;
                true
            }
            _ => false,
        }
    }

    /// The control below a statement.
    fn inner<'a>(&self, stmt: &'a Stmt, control: Option<&'a Expr>) -> Option<&'a Expr> {
        let own = match stmt {
            Stmt::If(c, ..) => self.varying(c),
            Stmt::While(c, body) => self.varying(c).or_else(|| self.exit(body, None)),
            Stmt::For(_, a, b, body) => {
                self.varying(a).or_else(|| self.varying(b)).or_else(|| self.exit(body, None))
            }
            // Some work-items take part in the last turn, some do not.
            Stmt::ForGroup(_, n, _) => return Some(n),
            _ => None,
        };
        control.or(own)
    }

    /// What decides whether a work-item leaves the loop around `body`, or a turn of it, before
    /// others do.
    fn exit<'a>(&self, body: &'a [Stmt], control: Option<&'a Expr>) -> Option<&'a Expr> {
        body.iter().find_map(|stmt| match stmt {
            Stmt::Break | Stmt::Continue => control,
            Stmt::If(c, a, b) => {
                let control = control.or_else(|| self.varying(c));
                self.exit(a, control).or_else(|| self.exit(b, control))
            }
            _ => None,
        })
    }

    fn diverge(&self, body: &[Stmt], control: Option<&Expr>, found: &mut Vec<Divergence>) {
        for stmt in body {
            let (operation, own) = match stmt {
                Stmt::Barrier(site) | Stmt::GroupReduce { site, .. } => (*site, None),
                Stmt::ForGroup(_, n, _) => (n.site, self.varying(n)),
                _ => (0, None),
            };
            if let Some(value) = control.or(own).filter(|_| stmt.is_collective()) {
                found.push(Divergence { operation, value: value.site });
            }
            let inner = self.inner(stmt, control);
            stmt.bodies().into_iter().for_each(|body| self.diverge(body, inner, found));
        }
    }
}

/// The buffers whose elements a work-item may read differently from its neighbour.
fn private(kernel: &Kernel) -> Vec<Buffer> {
    let params = (0..kernel.params.len() as u32).map(Buffer::Param);
    let arrays = (0..kernel.arrays.len() as u32).map(Buffer::Array);
    let local = |buffer: Buffer| match buffer {
        Buffer::Array(index) => kernel.arrays[index as usize].space == Space::Local,
        Buffer::Param(_) => false,
    };
    let mutable = |buffer| kernel.buffer(buffer).is_some_and(|info| info.mutable);
    let mut changed = Vec::new();
    atomics(&kernel.body, &mut |atomic| changed.push(atomic.buffer));
    params
        .chain(arrays)
        .filter(|b| local(*b) || changed.contains(b) || kernel.modes.racy && mutable(*b))
        .collect()
}

fn atomics(body: &[Stmt], visit: &mut impl FnMut(&Atomic)) {
    for stmt in body {
        if let Stmt::Atomic(atomic) = stmt {
            visit(atomic);
        }
        stmt.bodies().into_iter().for_each(|body| atomics(body, visit));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Array, BinaryOp, GroupOp, Param, ParamKind, Type, Variable, check};

    fn usize_expr(kind: ExprKind, site: u32) -> Expr {
        Expr { kind, ty: Type::Usize, site }
    }

    fn lid(site: u32) -> Expr {
        usize_expr(ExprKind::Lid(0), site)
    }

    fn group(site: u32) -> Expr {
        usize_expr(ExprKind::Group(0), site)
    }

    fn var(v: u32, site: u32) -> Expr {
        usize_expr(ExprKind::Var(v), site)
    }

    fn below_four(e: Expr) -> Expr {
        Expr::binary(BinaryOp::Lt, e, Expr::index(4, 90), 91)
    }

    /// A group kernel with three `usize` variables, a local and a shared array and a slice.
    fn kernel(body: Vec<Stmt>) -> Kernel {
        let array =
            |name: &str, space| Array { name: name.into(), ty: Type::I32, dims: vec![8], space };
        let slice = ParamKind::Slice { ty: Type::I32, mutable: true };
        Kernel {
            name: "k".into(),
            rank: 1,
            group: Some([8, 1, 1]),
            params: vec![Param { name: "x".into(), kind: slice }],
            arrays: vec![array("own", Space::Local), array("tile", Space::Shared)],
            vars: ["a", "b", "c"]
                .map(|name| Variable { name: name.into(), ty: Type::Usize })
                .to_vec(),
            body,
            ..Kernel::default()
        }
    }

    fn varying(body: Vec<Stmt>) -> Vec<u32> {
        let uniformity = Uniformity::of(&kernel(body));
        (0..3).filter(|v| !uniformity.var(*v)).collect()
    }

    #[test]
    fn a_variable_varies_with_its_values_and_with_the_control_around_them() {
        let one = || Expr::index(1, 0);
        assert_eq!(varying(vec![Stmt::Let(0, lid(0)), Stmt::Let(1, group(1))]), [0]);
        let under = |c| {
            vec![
                Stmt::Let(0, one()),
                Stmt::If(below_four(c), vec![Stmt::Assign(0, one())], vec![]),
                Stmt::Let(1, var(0, 5)),
            ]
        };
        assert_eq!(varying(under(lid(0))), [0, 1]);
        assert_eq!(varying(under(group(0))), [0; 0]);
        // The value flows backwards through a loop: `b` is `a` of the turn before.
        let around = vec![
            Stmt::Let(0, one()),
            Stmt::Let(1, one()),
            Stmt::For(
                2,
                one(),
                group(0),
                vec![Stmt::Assign(1, var(0, 1)), Stmt::Assign(0, lid(2))],
            ),
        ];
        assert_eq!(varying(around), [0, 1]);
    }

    #[test]
    fn a_loop_that_some_leave_early_varies() {
        let leave = |c| {
            vec![
                Stmt::Let(0, Expr::index(0, 0)),
                Stmt::For(
                    1,
                    Expr::index(0, 1),
                    Expr::index(9, 2),
                    vec![
                        Stmt::If(below_four(c), vec![Stmt::Break], vec![]),
                        Stmt::Assign(0, var(1, 3)),
                    ],
                ),
            ]
        };
        assert_eq!(varying(leave(lid(7))), [0, 1]);
        assert_eq!(varying(leave(group(7))), [0; 0]);
    }

    #[test]
    fn loads_of_own_elements_and_of_changing_ones_vary() {
        let load = |buffer, index| {
            usize_expr(
                ExprKind::Cast(Box::new(Expr {
                    kind: ExprKind::Load(buffer, vec![index]),
                    ty: Type::I32,
                    site: 0,
                })),
                1,
            )
        };
        let mut k = kernel(vec![
            Stmt::Let(0, load(Buffer::Array(1), group(0))),
            Stmt::Let(1, load(Buffer::Array(1), lid(0))),
            Stmt::Let(2, load(Buffer::Param(0), group(0))),
        ]);
        let vars = |k: &Kernel| {
            let uniformity = Uniformity::of(k);
            [0, 1, 2].map(|v| uniformity.var(v))
        };
        assert_eq!(vars(&k), [true, false, true]);
        k.modes.racy = true;
        assert_eq!(vars(&k), [false, false, false]);
        assert_eq!(varying(vec![Stmt::Let(0, load(Buffer::Array(0), group(0)))]), [0]);
    }

    #[test]
    fn group_operations_give_uniform_values_and_reject_divergence() {
        let sum = |v, value| Stmt::GroupReduce { var: v, op: GroupOp::Sum, value, site: 40 };
        let fine = kernel(vec![
            sum(0, lid(1)),
            Stmt::While(below_four(var(0, 2)), vec![Stmt::Barrier(41), Stmt::Assign(0, group(3))]),
        ]);
        assert_eq!(Uniformity::of(&fine).divergences(), []);
        assert_eq!(check(&fine), Ok(()));

        let wrong = kernel(vec![
            Stmt::Let(0, lid(1)),
            Stmt::If(below_four(var(0, 12)), vec![Stmt::Barrier(41)], vec![sum(1, lid(2))]),
            Stmt::ForGroup(2, var(0, 13), vec![]),
        ]);
        let divergence = |operation, value| Divergence { operation, value };
        assert_eq!(
            Uniformity::of(&wrong).divergences(),
            [divergence(41, 12), divergence(40, 12), divergence(13, 13)]
        );
        assert_eq!(check(&wrong).unwrap_err().site, 41);
    }

    #[test]
    fn rows_of_a_grid_and_thin_groups_are_uniform() {
        let mut k =
            kernel(vec![Stmt::Let(0, lid(0)), Stmt::Let(1, usize_expr(ExprKind::Lid(1), 0))]);
        k.rank = 2;
        let uniformity = Uniformity::of(&k);
        assert!(!uniformity.var(0) && uniformity.var(1));
        k.group = None;
        k.body = vec![
            Stmt::Let(0, usize_expr(ExprKind::Gid(0), 0)),
            Stmt::Let(1, usize_expr(ExprKind::Gid(1), 0)),
        ];
        let uniformity = Uniformity::of(&k);
        assert!(!uniformity.var(0) && uniformity.var(1));
        assert!(uniformity.expr(&var(1, 0)) && !uniformity.expr(&var(0, 0)));
    }
}
