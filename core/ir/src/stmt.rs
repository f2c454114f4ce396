//! Statements.

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
        /// The element, evaluated first.
        index: Expr,
        /// The value, evaluated second.
        value: Expr,
        /// The place in the source.
        site: u32,
    },
    /// Runs the first list if the condition holds, else the second.
    If(Expr, Vec<Stmt>, Vec<Stmt>),
    /// Runs the list for each value of the variable from the first expression up to, without, the
    /// second; both are evaluated once.
    For(u32, Expr, Expr, Vec<Stmt>),
    /// Runs the list as long as the condition holds.
    While(Expr, Vec<Stmt>),
}

impl Stmt {
    /// The expressions of this statement itself, in the order of their evaluation.
    pub fn exprs(&self) -> Vec<&Expr> {
        match self {
            Stmt::Let(_, e) | Stmt::Assign(_, e) | Stmt::If(e, ..) | Stmt::While(e, _) => vec![e],
            Stmt::Store { index, value, .. } => vec![index, value],
            Stmt::For(_, a, b, _) => vec![a, b],
        }
    }

    /// The expressions of this statement itself, to change.
    pub fn exprs_mut(&mut self) -> Vec<&mut Expr> {
        match self {
            Stmt::Let(_, e) | Stmt::Assign(_, e) | Stmt::If(e, ..) | Stmt::While(e, _) => vec![e],
            Stmt::Store { index, value, .. } => vec![index, value],
            Stmt::For(_, a, b, _) => vec![a, b],
        }
    }

    /// The statement lists below this statement.
    pub fn bodies(&self) -> Vec<&[Stmt]> {
        match self {
            Stmt::If(_, a, b) => vec![a, b],
            Stmt::For(.., body) | Stmt::While(_, body) => vec![body],
            _ => Vec::new(),
        }
    }

    /// The statement lists below this statement, to change.
    pub fn bodies_mut(&mut self) -> Vec<&mut Vec<Stmt>> {
        match self {
            Stmt::If(_, a, b) => vec![a, b],
            Stmt::For(.., body) | Stmt::While(_, body) => vec![body],
            _ => Vec::new(),
        }
    }
}
