//! The body of a kernel, cut where its work-items act together.
//!
//! Between two such places the lanes, that is the work-items of a group or of a piece of a row, may
//! run in any order: a run of statements becomes one loop over them, inside of the uniform control
//! flow around it.

use ringwood_ir::{Buffer, Expr, ExprKind, GroupOp, Kernel, Space, Stmt, Uniformity};

/// A part of a body that is emitted at once.
pub(super) enum Region<'a> {
    /// Statements of each lane.
    Run(usize, Vec<&'a Stmt>),
    /// A uniform variable gets a value.
    Set(u32, &'a Expr),
    /// A value of each lane is combined.
    Reduce { run: usize, var: u32, op: GroupOp, value: &'a Expr },
    /// The lanes share the turns of a loop.
    Shared { run: usize, var: u32, count: &'a Expr, body: &'a [Stmt] },
    /// A branch that all lanes take.
    If(&'a Expr, Vec<Region<'a>>, Vec<Region<'a>>),
    /// A loop that all lanes run.
    For(u32, &'a Expr, &'a Expr, Vec<Region<'a>>),
    /// A loop that all lanes run.
    While(&'a Expr, Vec<Region<'a>>),
    /// `break` or `continue` of such a loop.
    Leave(&'a Stmt),
}

/// The regions of a kernel, and the number of its runs.
pub(super) fn regions<'a>(kernel: &'a Kernel, uniform: &Uniformity) -> (Vec<Region<'a>>, usize) {
    let mut cut = Cut { kernel, uniform, runs: 0 };
    let regions = cut.block(&kernel.body);
    (regions, cut.runs)
}

/// Whether a kernel without groups has a loop that the lanes run together.
pub(super) fn has_uniform_loop(body: &[Stmt], uniform: &Uniformity) -> bool {
    body.iter().any(|stmt| match stmt {
        Stmt::For(..) | Stmt::While(..) => uniform.together(stmt),
        Stmt::If(_, a, b) if uniform.together(stmt) => {
            has_uniform_loop(a, uniform) || has_uniform_loop(b, uniform)
        }
        _ => false,
    })
}

struct Cut<'a, 'u> {
    kernel: &'a Kernel,
    uniform: &'u Uniformity,
    runs: usize,
}

impl<'a> Cut<'a, '_> {
    fn block(&mut self, body: &'a [Stmt]) -> Vec<Region<'a>> {
        let (mut regions, mut pending) = (Vec::new(), Vec::new());
        for stmt in body {
            match stmt {
                // No statement of a lane changes what this reads, so it need not cut their run.
                Stmt::Let(v, value) if self.uniform.var(*v) && self.is_constant(value) => {
                    regions.push(Region::Set(*v, value));
                }
                stmt if self.cuts(stmt) => {
                    self.close(&mut pending, &mut regions);
                    regions.extend(self.region(stmt));
                }
                stmt => pending.push(stmt),
            }
        }
        self.close(&mut pending, &mut regions);
        regions
    }

    fn close(&mut self, pending: &mut Vec<&'a Stmt>, regions: &mut Vec<Region<'a>>) {
        if !pending.is_empty() {
            let run = self.run();
            regions.push(Region::Run(run, std::mem::take(pending)));
        }
    }

    fn run(&mut self) -> usize {
        self.runs += 1;
        self.runs - 1
    }

    /// Whether a statement is none of a lane.
    fn cuts(&self, stmt: &Stmt) -> bool {
        match stmt {
            Stmt::Let(v, _) | Stmt::Assign(v, _) => self.uniform.var(*v),
            Stmt::Barrier(_) | Stmt::GroupReduce { .. } | Stmt::ForGroup(..) => true,
            Stmt::For(..) | Stmt::While(..) => self.uniform.together(stmt),
            // One with statements of lanes alone stays with its neighbours.
            Stmt::If(_, a, b) => {
                self.uniform.together(stmt) && a.iter().chain(b).any(|stmt| self.cuts(stmt))
            }
            Stmt::Break | Stmt::Continue => true,
            Stmt::Store { .. } | Stmt::Fill(..) | Stmt::Atomic(_) => false,
        }
    }

    fn region(&mut self, stmt: &'a Stmt) -> Option<Region<'a>> {
        Some(match stmt {
            Stmt::Let(v, value) | Stmt::Assign(v, value) => Region::Set(*v, value),
            Stmt::GroupReduce { var, op, value, .. } => {
                Region::Reduce { run: self.run(), var: *var, op: *op, value }
            }
            Stmt::ForGroup(var, count, body) => {
                Region::Shared { run: self.run(), var: *var, count, body }
            }
            Stmt::If(c, a, b) => Region::If(c, self.block(a), self.block(b)),
            Stmt::For(v, a, b, body) => Region::For(*v, a, b, self.block(body)),
            Stmt::While(c, body) => Region::While(c, self.block(body)),
            Stmt::Break | Stmt::Continue => Region::Leave(stmt),
            _ => return None,
        })
    }

    /// Whether a value reads nothing that a kernel may write.
    fn is_constant(&self, value: &Expr) -> bool {
        let mut constant = true;
        value.walk(&mut |e| {
            if let ExprKind::Load(buffer, _) = &e.kind {
                constant &= self.kernel.buffer(*buffer).is_some_and(|info| !info.mutable);
            }
        });
        constant
    }
}

/// Every variable and every local array that a statement and those below it mention.
pub(super) fn mentions(
    kernel: &Kernel,
    stmt: &Stmt,
    var: &mut impl FnMut(u32),
    array: &mut impl FnMut(u32),
) {
    let mut local = |index: u32| {
        if kernel.arrays[index as usize].space == Space::Local {
            array(index);
        }
    };
    match stmt {
        Stmt::Store { buffer: Buffer::Array(index), .. } | Stmt::Fill(index, _) => local(*index),
        _ => {}
    }
    stmt.target().into_iter().for_each(&mut *var);
    for e in stmt.exprs() {
        expr_mentions(kernel, e, var, array);
    }
    for stmt in stmt.bodies().into_iter().flatten() {
        mentions(kernel, stmt, var, array);
    }
}

/// As [`mentions`], of an expression.
pub(super) fn expr_mentions(
    kernel: &Kernel,
    e: &Expr,
    var: &mut impl FnMut(u32),
    array: &mut impl FnMut(u32),
) {
    e.walk(&mut |e| match &e.kind {
        ExprKind::Var(v) => var(*v),
        ExprKind::Load(Buffer::Array(index), _)
            if kernel.arrays[*index as usize].space == Space::Local =>
        {
            array(*index);
        }
        _ => {}
    });
}
