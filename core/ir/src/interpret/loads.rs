//! How often a launch loads from a buffer.

use super::memory::Memory;
use super::run::Run;
use crate::facts::LaunchFacts;
use crate::{Buffer, Expr, ExprKind, Kernel, Stmt, Value, statements};

/// The most statements of the functions in the bounds of loops.
const STEPS: u64 = 1 << 16;

/// How many loads from a buffer a launch makes at most: for each load in the source, the work-items
/// times the turns of the loops around it, as if both sides of every branch were taken. `None` if a
/// loop around one is as long as a work-item or an element says.
///
/// ```
/// use ringwood_ir::interpret::loads;
/// use ringwood_ir::prove::{Fact, LaunchFacts};
/// use ringwood_ir::{Buffer, decode};
///
/// // fn copy(x: &[f32], y: &mut [f32]) { y[gid(0)] = x[gid(0)]; }
/// let copy = decode(
///     "kir2 copy 1 - 0 2 x c f32 y m f32 0 0 0 0 1 \
///      st p1 1 1 gid usize:0 0 ld f32:2 p0 1 gid usize:1 0 void",
/// )?;
/// let facts = LaunchFacts { domain: &[8], args: &[Fact::Len(8), Fact::Len(8)] };
/// assert_eq!(loads(&copy, Buffer::Param(0), &facts), Some(8));
/// # Ok::<(), ringwood_ir::Malformed>(())
/// ```
pub fn loads(kernel: &Kernel, buffer: Buffer, facts: &LaunchFacts<'_>) -> Option<u128> {
    if !facts.fit(kernel) {
        return None;
    }
    let mut memory = Memory::known(kernel, facts.args);
    let mut steps = STEPS;
    let mut run = Run::new(kernel, facts.domain, &mut memory, &mut steps);
    run.begin(0);
    let group = kernel.group_size() as u128;
    let items = facts.domain.iter().try_fold(group, |n, extent| n.checked_mul(*extent as u128));
    let mut given = vec![0; kernel.vars.len()];
    statements(&kernel.body).filter_map(Stmt::target).for_each(|var| given[var as usize] += 1);
    let known = vec![false; kernel.vars.len()];
    Count { run, buffer, group, given, known }.block(&kernel.body, items)
}

struct Count<'a> {
    run: Run<'a>,
    buffer: Buffer,
    /// The work-items of a group.
    group: u128,
    given: Vec<usize>,
    /// The variables whose only value is one of the launch, which `run` holds.
    known: Vec<bool>,
}

impl Count<'_> {
    /// The loads of statements that all work-items together run so many `times`.
    fn block(&mut self, body: &[Stmt], times: Option<u128>) -> Option<u128> {
        let mut total = 0_u128;
        for stmt in body {
            let (own, inner) = match stmt {
                Stmt::While(..) => (None, None),
                Stmt::For(_, from, to, _) => (times, self.turns(Some(from), to, times)),
                Stmt::ForGroup(_, n, _) => {
                    let groups = times.map(|times| times / self.group);
                    (times, self.turns(None, n, groups))
                }
                _ => (times, times),
            };
            for e in stmt.exprs() {
                total = total.checked_add(self.of(e, own)?)?;
            }
            if let Stmt::Let(var, e) = stmt {
                self.set(*var, e);
            }
            for body in stmt.bodies() {
                total = total.checked_add(self.block(body, inner)?)?;
            }
        }
        Some(total)
    }

    /// The loads of an expression.
    fn of(&self, e: &Expr, times: Option<u128>) -> Option<u128> {
        let mut loads = 0;
        e.walk(&mut |e| {
            loads += u128::from(matches!(e.kind, ExprKind::Load(b, _) if b == self.buffer));
        });
        if loads == 0 { Some(0) } else { times?.checked_mul(loads) }
    }

    /// The turns of a loop that is entered so many `times`.
    fn turns(&mut self, from: Option<&Expr>, to: &Expr, times: Option<u128>) -> Option<u128> {
        let from = from.map_or(Some(0), |from| self.integer(from))?;
        let turns = self.integer(to)?.saturating_sub(from).max(0);
        times?.checked_mul(turns as u128)
    }

    /// Keeps the value of a variable, if it is one of the launch.
    fn set(&mut self, var: u32, e: &Expr) {
        if self.given[var as usize] == 1
            && let Some(value) = self.value(e)
        {
            *self.run.var(var, 0) = value;
            self.known[var as usize] = true;
        }
    }

    fn integer(&mut self, e: &Expr) -> Option<i128> {
        self.value(e)?.integer()
    }

    /// The value of an expression over what is known of the launch.
    fn value(&mut self, e: &Expr) -> Option<Value> {
        use ExprKind::{Gid, Group, Lid, Load};
        let open = e.any(&|e| match e.kind {
            ExprKind::Var(var) => !self.known[var as usize],
            Load(..) | Gid(_) | Lid(_) | Group(_) => true,
            _ => false,
        });
        if open { None } else { self.run.eval(e, 0).ok() }
    }
}

#[cfg(test)]
mod tests;
