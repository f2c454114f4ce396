//! A kernel: parameters, variables, statements.

use crate::{Expr, ExprKind, Stmt, Type};

/// One instance of a kernel.
///
/// A grid kernel has a `rank` from 1 to 3 and no `result`; a map kernel has rank 0, scalar
/// parameters only, and a `result`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Kernel {
    /// The name in the source.
    pub name: String,
    /// The number of dimensions of the domain; 0 for a map.
    pub rank: u8,
    /// The parameters, in order.
    pub params: Vec<Param>,
    /// The local variables, numbered by their position.
    pub vars: Vec<Variable>,
    /// What must hold at a launch, over parameters, lengths and extents; else nothing runs. The
    /// uniqueness of stores may rest on it.
    pub requires: Vec<Expr>,
    /// The statements.
    pub body: Vec<Stmt>,
    /// The value of a map, evaluated after the statements.
    pub result: Option<Expr>,
}

/// A parameter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Param {
    /// The name in the source.
    pub name: String,
    /// What it holds.
    pub kind: ParamKind,
}

/// What a parameter holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ParamKind {
    /// A value.
    Scalar(Type),
    /// Elements.
    Slice {
        /// The type of an element.
        ty: Type,
        /// Whether the kernel may write them.
        mutable: bool,
    },
}

/// A local variable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Variable {
    /// The name in the source; several variables may share one.
    pub name: String,
    /// Its type.
    pub ty: Type,
}

/// What a load or store refers to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Buffer {
    /// The slice parameter with this index.
    Param(u32),
}

impl Kernel {
    /// Visits every expression, outermost first, in the order of the source.
    pub fn walk<'a>(&'a self, visit: &mut impl FnMut(&'a Expr)) {
        fn block<'a>(body: &'a [Stmt], visit: &mut impl FnMut(&'a Expr)) {
            for stmt in body {
                stmt.exprs().into_iter().for_each(|e| e.walk(visit));
                stmt.bodies().into_iter().for_each(|b| block(b, visit));
            }
        }
        self.requires.iter().for_each(|e| e.walk(visit));
        block(&self.body, visit);
        self.result.iter().for_each(|e| e.walk(visit));
    }

    /// The parameter behind a buffer, its element type, and whether it may be written.
    pub fn buffer(&self, buffer: Buffer) -> Option<(&str, Type, bool)> {
        let Buffer::Param(index) = buffer;
        let param = self.params.get(index as usize)?;
        match param.kind {
            ParamKind::Slice { ty, mutable } => Some((&param.name, ty, mutable)),
            ParamKind::Scalar(_) => None,
        }
    }

    /// Whether an expression has the same value for every work-item of a launch: it consists of
    /// parameters, lengths, extents and literals.
    pub fn is_uniform(expr: &Expr) -> bool {
        let mut uniform = true;
        expr.walk(&mut |e| {
            uniform &= !matches!(e.kind, ExprKind::Var(_) | ExprKind::Load(..) | ExprKind::Gid(_));
        });
        uniform
    }
}
