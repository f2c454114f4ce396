//! The body of a kernel, cut where its work-items act together.
//!
//! Between two such places the lanes, that is the work-items of a group or of a piece of a row, may
//! run in any order: a run of statements becomes one loop over them, inside of the uniform control
//! flow around it.

use ringwood_ir::{Buffer, Expr, ExprKind, Kernel, Space, Stmt, Uniformity, statements};

/// A part of a body that is emitted at once, with the number of its run over the lanes, if it has one.
pub(super) enum Region<'a> {
    /// Statements of each lane.
    Run(usize, Vec<&'a Stmt>),
    /// A value of each lane is combined, or the lanes share the turns of a loop.
    Group(usize, &'a Stmt),
    /// What all lanes do alike: a uniform variable gets a value, a branch or a loop with the regions of each
    /// of its bodies, a way out of a loop.
    Uniform(&'a Stmt, Vec<Vec<Region<'a>>>),
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
        let (mut regions, mut pending) = (Vec::new(), Vec::<&Stmt>::new());
        for stmt in body {
            match stmt {
                // No statement of a lane changes what this reads, so it need not cut their run.
                Stmt::Let(v, value)
                    if self.uniform.var(*v)
                        && self.is_constant(value)
                        && !(reads(value) && pending.iter().any(|stmt| may_stay(stmt))) =>
                {
                    regions.push(Region::Uniform(stmt, Vec::new()));
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
        match stmt {
            Stmt::Barrier(_) => None,
            Stmt::GroupReduce { .. } | Stmt::ForGroup(..) => Some(Region::Group(self.run(), stmt)),
            _ => {
                let bodies = stmt.bodies().into_iter().map(|body| self.block(body)).collect();
                Some(Region::Uniform(stmt, bodies))
            }
        }
    }

    /// Whether a value reads nothing that a kernel may write.
    fn is_constant(&self, value: &Expr) -> bool {
        let mutable = |buffer| self.kernel.buffer(buffer).is_none_or(|info| info.mutable);
        !value.any(&|e| matches!(e.kind, ExprKind::Load(buffer, _) if mutable(buffer)))
    }
}

/// Whether a value is read from a buffer.
fn reads(value: &Expr) -> bool {
    value.any(&|e| matches!(e.kind, ExprKind::Load(..)))
}

/// Whether a statement may never end, so that what its end says of values does not hold before it.
fn may_stay(stmt: &Stmt) -> bool {
    statements(std::slice::from_ref(stmt)).into_iter().any(|s| matches!(s, Stmt::While(..)))
}

/// A variable, or a local array.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Mention {
    Var(u32),
    Array(u32),
}

/// What a statement and those below it mention.
pub(super) fn mentions(kernel: &Kernel, stmt: &Stmt) -> Vec<Mention> {
    let mut found = Vec::new();
    for stmt in statements(std::slice::from_ref(stmt)) {
        found.extend(stmt.target().map(Mention::Var));
        if let Stmt::Store { buffer: Buffer::Array(index), .. } | Stmt::Fill(index, _) = stmt {
            found.extend(local_array(kernel, *index));
        }
        found.extend(stmt.exprs().into_iter().flat_map(|e| expr_mentions(kernel, e)));
    }
    found
}

/// As [`mentions`], of an expression.
pub(super) fn expr_mentions(kernel: &Kernel, e: &Expr) -> Vec<Mention> {
    let mut found = Vec::new();
    e.walk(&mut |e| match &e.kind {
        ExprKind::Var(v) => found.push(Mention::Var(*v)),
        ExprKind::Load(Buffer::Array(index), _) => found.extend(local_array(kernel, *index)),
        _ => {}
    });
    found
}

fn local_array(kernel: &Kernel, index: u32) -> Option<Mention> {
    let local = kernel.arrays[index as usize].space == Space::Local;
    local.then_some(Mention::Array(index))
}
