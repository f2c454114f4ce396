//! Statements.

use crate::named::named;
use crate::{Buffer, Expr};

/// A statement. Control flow is structured only.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Stmt {
    /// Gives a local variable its first value.
    Let(u32, Expr),
    /// Gives a local variable another value.
    Assign(u32, Expr),
    /// Writes an element of a buffer; nothing outside of it.
    Store {
        /// The buffer.
        buffer: Buffer,
        /// The element, slowest dimension first, evaluated first.
        indices: Vec<Expr>,
        /// The value, evaluated second.
        value: Expr,
        /// The place in the source.
        site: u32,
    },
    /// Gives every element of a local array this value.
    Fill(u32, Expr),
    /// Changes an element of a buffer in one step that no other work-item interrupts.
    Atomic(Box<Atomic>),
    /// Runs the first list if the condition holds, else the second.
    If(Expr, Vec<Stmt>, Vec<Stmt>),
    /// Runs the list for each value of the variable from the first expression up to, without, the
    /// second; both are evaluated once.
    For(u32, Expr, Expr, Vec<Stmt>),
    /// Runs the list for each value of the variable from 0 up to, without, the expression, shared
    /// among the work-items of a group: one whose linear index is `l` takes `l`, `l + W`, `l + 2 W` …
    /// in a group of `W`. The expression is the same for the group.
    ForGroup(u32, Expr, Vec<Stmt>),
    /// Runs the list as long as the condition holds.
    While(Expr, Vec<Stmt>),
    /// Ends the innermost loop of the work-item; the loop contains no operation of the group.
    Break,
    /// Goes on with the next turn of the innermost loop; the loop contains no operation of the group.
    Continue,
    /// Waits until every work-item of the group is here; their writes are visible after it. All of
    /// them get here.
    Barrier(u32),
    /// Combines a value of every work-item of the group; all of them get here, and get the result.
    ///
    /// Work-items `l` and `l + h` are combined for `h = W/2, W/4, …, 1` in a group of `W`.
    GroupReduce {
        /// The variable that gets the result.
        var: u32,
        /// How two values combine.
        op: GroupOp,
        /// The value of a work-item.
        value: Expr,
        /// The place in the source.
        site: u32,
    },
}

/// How a [`Stmt::GroupReduce`] combines two values.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum GroupOp {
    /// The sum.
    Sum,
    /// The smaller one, as `min`.
    Min,
    /// The larger one, as `max`.
    Max,
    /// The function of the kernel with this index.
    Function(u32),
}

/// An atomic operation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Atomic {
    /// What is done.
    pub op: AtomicOp,
    /// The buffer; never a local array.
    pub buffer: Buffer,
    /// The element; outside of the buffer, nothing happens and the old value is 0.
    pub indices: Vec<Expr>,
    /// The operands: one, or the expected and the new value of a compare-exchange.
    pub values: Vec<Expr>,
    /// The variable that gets the old value.
    pub old: Option<u32>,
    /// The place in the source.
    pub site: u32,
}

named! {
    /// What an [`Atomic`] does. Integers wrap.
    #[allow(missing_docs, reason = "the names say it")]
    pub enum AtomicOp {
        Add "add",
        Min "min",
        Max "max",
        And "and",
        Or "or",
        Xor "xor",
        Exchange "exchange",
        CompareExchange "compare_exchange",
    }
    /// The name, after `atomic_` in a kernel.
    fn name;
}

impl AtomicOp {
    /// The number of operands.
    pub const fn arity(self) -> usize {
        if matches!(self, AtomicOp::CompareExchange) { 2 } else { 1 }
    }

    /// Whether the final content depends on the order of the work-items, whatever the type.
    pub const fn is_ordered(self) -> bool {
        matches!(self, AtomicOp::Exchange | AtomicOp::CompareExchange)
    }
}

/// Every statement of a list and below it, each before those below it.
pub fn statements(body: &[Stmt]) -> impl Iterator<Item = &Stmt> {
    let mut open = vec![body.iter()];
    std::iter::from_fn(move || {
        loop {
            match open.last_mut()?.next() {
                None => drop(open.pop()),
                Some(stmt) => {
                    open.extend(stmt.bodies().into_iter().rev().map(<[Stmt]>::iter));
                    return Some(stmt);
                }
            }
        }
    })
}

/// Whether statements contain `jump`, a `break` or `continue`, of the loop that they are the body of.
pub fn jumps(body: &[Stmt], jump: &Stmt) -> bool {
    body.iter().any(|stmt| match stmt {
        Stmt::If(_, a, b) => jumps(a, jump) || jumps(b, jump),
        other => other == jump,
    })
}

macro_rules! exprs {
    ($stmt:expr, $iter:ident) => {
        match $stmt {
            Stmt::Let(_, e)
            | Stmt::Assign(_, e)
            | Stmt::Fill(_, e)
            | Stmt::If(e, ..)
            | Stmt::ForGroup(_, e, _)
            | Stmt::While(e, _)
            | Stmt::GroupReduce { value: e, .. } => vec![e],
            Stmt::Store { indices, value, .. } => indices.$iter().chain([value]).collect(),
            Stmt::For(_, a, b, _) => vec![a, b],
            Stmt::Atomic(_) | Stmt::Break | Stmt::Continue | Stmt::Barrier(_) => Vec::new(),
        }
    };
}

macro_rules! bodies {
    ($stmt:expr) => {
        match $stmt {
            Stmt::If(_, a, b) => vec![a, b],
            Stmt::For(.., body) | Stmt::ForGroup(.., body) | Stmt::While(_, body) => vec![body],
            _ => Vec::new(),
        }
    };
}

impl Stmt {
    /// The expressions of this statement itself, in the order of their evaluation.
    pub fn exprs(&self) -> Vec<&Expr> {
        match self {
            Stmt::Atomic(atomic) => atomic.indices.iter().chain(&atomic.values).collect(),
            other => exprs!(other, iter),
        }
    }

    /// The expressions of this statement itself, to change.
    pub fn exprs_mut(&mut self) -> Vec<&mut Expr> {
        match self {
            Stmt::Atomic(atomic) => {
                let Atomic { indices, values, .. } = &mut **atomic;
                indices.iter_mut().chain(values).collect()
            }
            other => exprs!(other, iter_mut),
        }
    }

    /// The statement lists below this statement.
    pub fn bodies(&self) -> Vec<&[Stmt]> {
        bodies!(self)
    }

    /// The statement lists below this statement, to change.
    pub fn bodies_mut(&mut self) -> Vec<&mut Vec<Stmt>> {
        bodies!(self)
    }

    /// The variable that this statement itself gives a value.
    pub fn target(&self) -> Option<u32> {
        match self {
            Stmt::Let(v, _) | Stmt::Assign(v, _) | Stmt::For(v, ..) | Stmt::ForGroup(v, ..) => {
                Some(*v)
            }
            Stmt::GroupReduce { var, .. } => Some(*var),
            Stmt::Atomic(atomic) => atomic.old,
            _ => None,
        }
    }

    /// Whether every work-item of the group takes part in this statement: a barrier, a reduction, a
    /// shared loop.
    pub fn is_collective(&self) -> bool {
        matches!(self, Stmt::Barrier(_) | Stmt::GroupReduce { .. } | Stmt::ForGroup(..))
    }
}
