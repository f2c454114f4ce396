//! Which values are the same for all work-items that run side by side.

use crate::{Buffer, Expr, ExprKind, Kernel, Space, Stmt, statements};

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
    let unproved = kernel.modes.racy || kernel.modes.unique;
    let params = (0..kernel.params.len() as u32).map(Buffer::Param);
    let arrays = (0..kernel.arrays.len() as u32).map(Buffer::Array);
    let local = |buffer: Buffer| match buffer {
        Buffer::Array(index) => kernel.arrays[index as usize].space == Space::Local,
        Buffer::Param(_) => false,
    };
    let mutable = |buffer| kernel.buffer(buffer).is_some_and(|info| info.mutable);
    let changes = |buffer| {
        statements(&kernel.body).any(|stmt| matches!(stmt, Stmt::Atomic(a) if a.buffer == buffer))
    };
    params.chain(arrays).filter(|b| local(*b) || changes(*b) || unproved && mutable(*b)).collect()
}

#[cfg(test)]
mod tests;
