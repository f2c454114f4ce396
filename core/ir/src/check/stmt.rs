//! Statements.

use super::{Checker, Invalid, fail};
use crate::{Atomic, AtomicOp, Buffer, GroupOp, Space, Stmt, Type, statements};

/// The innermost loop around a statement.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Loop {
    None,
    /// One that a work-item may leave.
    Free,
    /// One that the work-items of a group run together.
    Collective,
}

impl Checker<'_> {
    pub(super) fn block(&self, body: &[Stmt], around: Loop) -> Result<(), Invalid> {
        body.iter().try_for_each(|stmt| self.stmt(stmt, around))
    }

    fn stmt(&self, stmt: &Stmt, around: Loop) -> Result<(), Invalid> {
        match stmt {
            Stmt::Let(v, e) | Stmt::Assign(v, e) => self.expr(e, self.var(*v, e.site)?),
            Stmt::Store { buffer, indices, value, site } => {
                let info = self.access(*buffer, indices, *site)?;
                if !info.mutable {
                    return fail(*site, "a store to a shared slice");
                }
                self.expr(value, info.ty)
            }
            Stmt::Fill(array, value) => match self.0.arrays.get(*array as usize) {
                Some(array) if array.space == Space::Local => self.expr(value, array.ty),
                _ => fail(value.site, format!("no local array {array}")),
            },
            Stmt::Atomic(atomic) => self.atomic(atomic),
            Stmt::If(c, a, b) => {
                self.expr(c, Type::Bool)?;
                self.block(a, around)?;
                self.block(b, around)
            }
            Stmt::For(v, a, b, body) => {
                let ty = self.counter(*v, a.site)?;
                self.expr(a, ty)?;
                self.expr(b, ty)?;
                self.block(body, kind_of_loop(body))
            }
            Stmt::ForGroup(v, n, body) => {
                self.collective(n.site)?;
                if self.counter(*v, n.site)? != Type::Usize {
                    return fail(n.site, "a shared loop counts in `usize`");
                }
                self.expr(n, Type::Usize)?;
                if statements(body).any(Stmt::is_collective) {
                    return fail(n.site, "an operation of the group in a shared loop");
                }
                self.block(body, Loop::Free)
            }
            Stmt::While(c, body) => {
                self.expr(c, Type::Bool)?;
                self.block(body, kind_of_loop(body))
            }
            Stmt::Break | Stmt::Continue if around == Loop::Free => Ok(()),
            Stmt::Break | Stmt::Continue => {
                fail(0, "`break` or `continue` outside of a loop without operations of the group")
            }
            Stmt::Barrier(site) => self.collective(*site),
            Stmt::GroupReduce { var, op, value, site } => {
                self.collective(*site)?;
                let ty = self.var(*var, *site)?;
                self.combines(*op, ty, *site)?;
                self.expr(value, ty)
            }
        }
    }

    fn counter(&self, var: u32, site: u32) -> Result<Type, Invalid> {
        let ty = self.var(var, site)?;
        if ty.is_integer() { Ok(ty) } else { fail(site, format!("a loop over {ty}")) }
    }

    fn collective(&self, site: u32) -> Result<(), Invalid> {
        match self.0.group {
            Some(_) => Ok(()),
            None => fail(site, "an operation of the group in a kernel without groups"),
        }
    }

    fn combines(&self, op: GroupOp, ty: Type, site: u32) -> Result<(), Invalid> {
        let fits = match op {
            GroupOp::Sum | GroupOp::Min | GroupOp::Max => ty != Type::Bool,
            GroupOp::Function(f) => self
                .0
                .functions
                .get(f as usize)
                .is_some_and(|f| f.params == [ty, ty] && f.result == ty),
        };
        if fits { Ok(()) } else { fail(site, format!("no such reduction of {ty}")) }
    }

    fn atomic(&self, atomic: &Atomic) -> Result<(), Invalid> {
        let site = atomic.site;
        let info = self.access(atomic.buffer, &atomic.indices, site)?;
        let local = match atomic.buffer {
            Buffer::Array(index) => self.0.arrays[index as usize].space == Space::Local,
            Buffer::Param(_) => !info.mutable,
        };
        if local {
            return fail(site, "an atomic operation on what no one else writes");
        }
        let ordered = atomic.op.is_ordered() || atomic.old.is_some();
        let nondeterministic = self.0.modes.nondeterministic;
        match info.ty {
            Type::I32 | Type::U32 | Type::I64 | Type::U64 if nondeterministic || !ordered => {}
            Type::F32 if nondeterministic && atomic.op == AtomicOp::Add => {}
            ty => {
                let name = atomic.op.name();
                return fail(site, format!("`atomic_{name}` of {ty} in a kernel of these modes"));
            }
        }
        if atomic.values.len() != atomic.op.arity() {
            return fail(site, "an atomic operation with another number of operands");
        }
        atomic.values.iter().try_for_each(|value| self.expr(value, info.ty))?;
        match atomic.old {
            Some(var) if self.var(var, site)? != info.ty => {
                fail(site, "the old value of an atomic operation has another type")
            }
            _ => Ok(()),
        }
    }
}

fn kind_of_loop(body: &[Stmt]) -> Loop {
    if statements(body).any(Stmt::is_collective) { Loop::Collective } else { Loop::Free }
}
