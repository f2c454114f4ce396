//! Expressions.

use super::body::Body;
use super::{literal, names};
use crate::{BinaryOp, Expr, ExprKind, MathFn, ParamKind, Type};

/// The unsigned type in which a signed one wraps.
pub(super) fn unsigned(ty: Type) -> Type {
    match ty {
        Type::I8 => Type::U8,
        Type::I16 => Type::U16,
        Type::I32 => Type::U32,
        Type::I64 => Type::U64,
        other => other,
    }
}

impl Body<'_> {
    pub(super) fn expr(&mut self, e: &Expr) -> String {
        let ty = self.ty(e.ty);
        match &e.kind {
            ExprKind::Float(bits) => literal::float(*bits, ty),
            ExprKind::Int(value) => literal::integer(*value, ty),
            ExprKind::Bool(value) => value.to_string(),
            ExprKind::Var(v) => names::variable(self.kernel, *v),
            ExprKind::Param(p) => self.param(*p as usize),
            ExprKind::Len(buffer) => self.dim(*buffer, 0),
            ExprKind::Dim(buffer, d) => self.dim(*buffer, (*d).into()),
            ExprKind::Load(buffer, indices) => self.load(*buffer, indices, e),
            ExprKind::Binary(op, a, b) => self.binary(*op, a, b),
            ExprKind::Neg(a) if ty.is_float() => format!("(-{})", self.expr(a)),
            ExprKind::Neg(a) => format!("({ty})(0u - ({}){})", unsigned(ty), self.expr(a)),
            ExprKind::Not(a) if ty == Type::Bool => format!("(!{})", self.expr(a)),
            ExprKind::Not(a) => {
                let value = format!("(~{})", self.expr(a));
                self.rounded(ty, value)
            }
            ExprKind::Cast(a) => self.cast(a, ty),
            ExprKind::Math(function, args) => self.math(*function, args),
            ExprKind::Select(c, a, b) => {
                format!("({} ? {} : {})", self.expr(c), self.expr(a), self.expr(b))
            }
            ExprKind::Gid(d) => format!("k_gid{d}"),
            ExprKind::Extent(d) => format!("k_extent{d}"),
            ExprKind::Lid(d) => format!("k_lid{d}"),
            ExprKind::Group(d) => format!("k_group{d}"),
            ExprKind::Call(function, args) => {
                let args: Vec<_> = args.iter().map(|a| self.expr(a)).collect();
                format!("{}({})", self.function(*function), args.join(", "))
            }
        }
    }

    /// A `bool` and a small integer are passed to an entry point as a `u32`.
    fn param(&self, index: usize) -> String {
        let name = names::param(self.kernel, index);
        match self.kernel.params[index].kind {
            ParamKind::Scalar(Type::Bool) if self.kernel.rank > 0 => format!("({name} != 0)"),
            ParamKind::Scalar(ty) if ty.is_small() && self.kernel.rank > 0 => {
                format!("(({ty}){name})")
            }
            _ => name,
        }
    }

    /// A value of a type that is computed with in a larger one.
    pub(super) fn rounded(&mut self, ty: Type, value: String) -> String {
        match ty {
            _ if ty.is_small() => format!("({ty}){value}"),
            _ if ty.is_narrow() => format!("{}({value})", self.prelude.name("round", ty)),
            _ => value,
        }
    }

    fn binary(&mut self, op: BinaryOp, a: &Expr, b: &Expr) -> String {
        let value = self.unrounded(op, a, b);
        if op.is_comparison() { value } else { self.rounded(a.ty, value) }
    }

    fn unrounded(&mut self, op: BinaryOp, a: &Expr, b: &Expr) -> String {
        let (left, right, ty) = (self.expr(a), self.expr(b), self.ty(a.ty).computed());
        let symbol = op.symbol();
        match op {
            BinaryOp::Div | BinaryOp::Rem if ty.is_integer() => {
                let family = if op == BinaryOp::Div { "div" } else { "rem" };
                format!("{}({left}, {right})", self.prelude.name(family, ty))
            }
            BinaryOp::Rem => format!("rem_{ty}({left}, {right})"),
            BinaryOp::Div if ty == Type::F32 && self.prelude.divides_in_double() => {
                format!("{}({left}, {right})", self.prelude.name("div", ty))
            }
            BinaryOp::Add => sum(ty, &left, &right),
            BinaryOp::Sub | BinaryOp::Mul => wrapped(ty, &left, symbol, &right),
            BinaryOp::Shl | BinaryOp::Shr => {
                let mask = 8 * a.ty.size() - 1;
                let amount = format!("((u32){right} & {mask}u)");
                if op == BinaryOp::Shl && ty.is_signed() {
                    format!("({ty})(({}){left} << {amount})", unsigned(ty))
                } else {
                    format!("({left} {symbol} {amount})")
                }
            }
            _ => format!("({left} {symbol} {right})"),
        }
    }

    fn cast(&mut self, a: &Expr, ty: Type) -> String {
        let value = self.expr(a);
        if self.ty(a.ty) == ty {
            value
        } else if a.ty.is_float() && ty.is_integer() {
            format!("{}({value})", self.prelude.saturating(a.ty.computed(), ty))
        } else if ty.is_narrow() {
            self.rounded(ty, format!("(f32){value}"))
        } else {
            format!("({ty}){value}")
        }
    }

    fn math(&mut self, function: MathFn, args: &[Expr]) -> String {
        let (narrow, ty) = (args[0].ty, args[0].ty.computed());
        let args: Vec<_> = args.iter().map(|a| self.expr(a)).collect();
        let library = function.accuracy().library.filter(|_| self.kernel.modes.relaxed);
        let name = match function {
            _ if library.is_some() => {
                let name = library.map_or("", |(name, _)| name);
                format!("device_{name}_{ty}")
            }
            MathFn::Abs if ty.is_float() => format!("abs_{ty}"),
            MathFn::Sqrt if ty == Type::F32 && self.prelude.divides_in_double() => {
                self.prelude.name("sqrt", ty)
            }
            MathFn::Sqrt | MathFn::MulAdd => format!("{}_{ty}", function.name()),
            _ => self.prelude.name(function.name(), ty),
        };
        let value = format!("{name}({})", args.join(", "));
        let same = function.result(narrow) == narrow;
        if same { self.rounded(narrow, value) } else { value }
    }
}

/// A sum, which wraps once it is [rounded](Body::rounded).
pub(super) fn sum(ty: Type, left: &str, right: &str) -> String {
    wrapped(ty, left, "+", right)
}

/// A sum, a difference or a product, which wraps once it is rounded. C computes with small integers in
/// `int`, where an overflow means nothing.
fn wrapped(ty: Type, left: &str, symbol: &str, right: &str) -> String {
    match ty {
        _ if ty.is_small() => format!("((u32){left} {symbol} (u32){right})"),
        Type::I32 | Type::I64 => {
            let wide = unsigned(ty);
            format!("({ty})(({wide}){left} {symbol} ({wide}){right})")
        }
        _ => format!("({left} {symbol} {right})"),
    }
}
