//! Expressions.

use crate::{BinaryOp, Buffer, MathFn, Type};

/// A typed expression at a numbered site of the source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Expr {
    /// What is computed.
    pub kind: ExprKind,
    /// The type of the value.
    pub ty: Type,
    /// The index into the kernel's table of source positions.
    pub site: u32,
}

/// What an expression computes. Operands are evaluated from left to right.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ExprKind {
    /// The bits of a literal of a floating-point type; those of an `f32` in the lower half.
    Float(u64),
    /// A literal of an integer type.
    Int(i128),
    /// A literal of type `bool`.
    Bool(bool),
    /// The value of a local variable.
    Var(u32),
    /// The value of a scalar parameter.
    Param(u32),
    /// The number of elements of a slice.
    Len(Buffer),
    /// The extent of a buffer along a dimension, of which 0 is the slowest.
    Dim(Buffer, u8),
    /// An element of a buffer, slowest dimension first; 0 outside of it.
    Load(Buffer, Vec<Expr>),
    /// A binary operation.
    Binary(BinaryOp, Box<Expr>, Box<Expr>),
    /// The negative; wraps.
    Neg(Box<Expr>),
    /// The complement of an integer, or the negation of a `bool`.
    Not(Box<Expr>),
    /// Rust's `as`.
    Cast(Box<Expr>),
    /// A math function.
    Math(MathFn, Vec<Expr>),
    /// The second operand if the first is true, else the third; the other one is not evaluated.
    Select(Box<Expr>, Box<Expr>, Box<Expr>),
    /// The index of the work-item along a dimension; 0 is contiguous.
    Gid(u8),
    /// The extent of the domain along a dimension, of which 0 is contiguous: work-items of a grid
    /// kernel, groups of a group kernel.
    Extent(u8),
    /// The index of the work-item in its group along a dimension; 0 is contiguous.
    Lid(u8),
    /// The index of the group along a dimension; 0 is contiguous.
    Group(u8),
    /// The result of the function of the kernel with this index.
    Call(u32, Vec<Expr>),
}

macro_rules! operands {
    ($kind:expr, $iter:ident) => {
        match $kind {
            ExprKind::Neg(e) | ExprKind::Not(e) | ExprKind::Cast(e) => vec![e],
            ExprKind::Binary(_, a, b) => vec![a, b],
            ExprKind::Select(a, b, c) => vec![a, b, c],
            ExprKind::Load(_, args) | ExprKind::Math(_, args) | ExprKind::Call(_, args) => {
                args.$iter().collect()
            }
            _ => Vec::new(),
        }
    };
}

impl Expr {
    /// A literal of type `usize`.
    pub fn index(value: usize, site: u32) -> Self {
        Expr { kind: ExprKind::Int(value as i128), ty: Type::Usize, site }
    }

    /// A binary operation; its type follows from the operator.
    pub fn binary(op: BinaryOp, left: Expr, right: Expr, site: u32) -> Self {
        let ty = if op.is_comparison() || op.is_logical() { Type::Bool } else { left.ty };
        Expr { kind: ExprKind::Binary(op, Box::new(left), Box::new(right)), ty, site }
    }

    /// The operands, in the order of their evaluation.
    pub fn operands(&self) -> Vec<&Expr> {
        operands!(&self.kind, iter)
    }

    /// The operands, to change.
    pub fn operands_mut(&mut self) -> Vec<&mut Expr> {
        operands!(&mut self.kind, iter_mut)
    }

    /// Visits this expression and everything below it.
    pub fn walk<'a>(&'a self, visit: &mut impl FnMut(&'a Expr)) {
        visit(self);
        for operand in self.operands() {
            operand.walk(visit);
        }
    }

    /// Whether this expression, or one below it, is of a kind.
    pub fn any(&self, kind: &impl Fn(&Expr) -> bool) -> bool {
        kind(self) || self.operands().into_iter().any(|operand| operand.any(kind))
    }

    /// Visits this expression and everything below it, to change it.
    pub fn walk_mut(&mut self, visit: &mut impl FnMut(&mut Expr)) {
        visit(self);
        self.operands_mut().into_iter().for_each(|operand| operand.walk_mut(visit));
    }

    /// Whether two expressions compute the same, whatever their sites.
    pub fn same(&self, other: &Expr) -> bool {
        self.without_sites() == other.without_sites()
    }

    /// The expression, wherever it stands.
    pub(crate) fn without_sites(&self) -> Expr {
        let mut e = self.clone();
        e.walk_mut(&mut |e| e.site = 0);
        e
    }
}
