//! Random kernels.

use ringwood_ir::{
    BinaryOp, Buffer, Expr, ExprKind, Kernel, MathFn, Param, ParamKind, Stmt, Type, Variable,
};

pub(crate) struct Generator {
    state: u64,
    site: u32,
    vars: Vec<Variable>,
}

/// The type of each buffer and of the scalar parameter with the next index.
pub(crate) const MEMORY: [Type; 6] =
    [Type::I32, Type::U32, Type::I64, Type::U64, Type::F32, Type::F64];

/// The types of scalars that printers know.
const TYPES: [Type; 8] =
    [Type::Bool, Type::I32, Type::U32, Type::I64, Type::U64, Type::Usize, Type::F32, Type::F64];

impl Generator {
    fn below(&mut self, n: usize) -> usize {
        self.state = self.state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(99_991);
        (self.state >> 33) as usize % n
    }

    fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.below(from.len())]
    }

    fn node(&mut self, ty: Type, kind: ExprKind) -> Expr {
        self.site += 1;
        Expr { kind, ty, site: self.site }
    }

    fn boxed(&mut self, ty: Type, depth: usize) -> Box<Expr> {
        Box::new(self.expr(ty, depth))
    }

    fn expr(&mut self, ty: Type, depth: usize) -> Expr {
        let kind = if depth == 0 { self.leaf(ty) } else { self.inner(ty, depth - 1) };
        self.node(ty, kind)
    }

    fn leaf(&mut self, ty: Type) -> ExprKind {
        let vars: Vec<u32> =
            (0..self.vars.len() as u32).filter(|v| self.vars[*v as usize].ty == ty).collect();
        if !vars.is_empty() && self.below(2) == 0 {
            return ExprKind::Var(self.pick(&vars));
        }
        match ty {
            Type::Bool => ExprKind::Bool(self.below(2) == 0),
            Type::Usize if self.below(2) == 0 => ExprKind::Gid(0),
            Type::F32 => ExprKind::Float(u64::from(self.below(usize::MAX) as u32)),
            Type::F64 => ExprKind::Float((self.below(usize::MAX) as u64) << 33),
            integer => {
                let (min, max) = integer.integer_range().unwrap();
                let near = self.below(70) as i128;
                ExprKind::Int(self.pick(&[min, max, near]))
            }
        }
    }

    fn inner(&mut self, ty: Type, depth: usize) -> ExprKind {
        use BinaryOp::*;
        let both = |this: &mut Self, op, ty| {
            ExprKind::Binary(op, this.boxed(ty, depth), this.boxed(ty, depth))
        };
        if ty == Type::Bool {
            let op = self.pick(&[Eq, Ne, Lt, Le, Gt, Ge, And, Or, BitXor]);
            let operands = if op.is_comparison() { self.pick(&TYPES) } else { Type::Bool };
            return both(self, op, operands);
        }
        match self.below(8) {
            0 => {
                let from = self.pick(&TYPES);
                ExprKind::Cast(self.boxed(from, depth))
            }
            1 => ExprKind::Select(
                self.boxed(Type::Bool, depth),
                self.boxed(ty, depth),
                self.boxed(ty, depth),
            ),
            2 if ty == Type::Usize => ExprKind::Len(Buffer::Param(self.below(MEMORY.len()) as u32)),
            2 => {
                let buffer = MEMORY.iter().position(|m| *m == ty).unwrap() as u32;
                ExprKind::Load(Buffer::Param(buffer), vec![*self.boxed(Type::Usize, depth)])
            }
            3 => {
                let of = |from: Type| MathFn::ALL.iter().map(move |f| (*f, from));
                let fits = |(f, from): &(MathFn, Type)| f.takes(*from) && f.result(*from) == ty;
                let all: Vec<_> = TYPES.into_iter().flat_map(of).filter(fits).collect();
                let (function, from) = self.pick(&all);
                let args = (0..function.arity())
                    .map(|i| self.expr(function.operand(i, from), depth))
                    .collect();
                ExprKind::Math(function, args)
            }
            4 if ty.is_signed() => ExprKind::Neg(self.boxed(ty, depth)),
            4 | 5 if ty.is_integer() => {
                let op = self.pick(&[Shl, Shr, BitAnd, BitOr, BitXor]);
                if self.below(5) == 0 {
                    return ExprKind::Not(self.boxed(ty, depth));
                }
                let amount = self.pick(&[Type::I32, Type::Usize, Type::U64]);
                let right = if op.is_shift() { amount } else { ty };
                ExprKind::Binary(op, self.boxed(ty, depth), self.boxed(right, depth))
            }
            _ => {
                let op = self.pick(&[Add, Sub, Mul, Div, Rem]);
                both(self, op, ty)
            }
        }
    }

    fn block(&mut self, depth: usize) -> Vec<Stmt> {
        (0..1 + self.below(3)).map(|_| self.stmt(depth)).collect()
    }

    fn declare(&mut self, ty: Type) -> u32 {
        self.vars.push(Variable { name: "v".into(), ty });
        self.vars.len() as u32 - 1
    }

    fn stmt(&mut self, depth: usize) -> Stmt {
        let ty = self.pick(&MEMORY);
        match self.below(if depth == 0 { 3 } else { 6 }) {
            0 => {
                let value = self.expr(ty, 3);
                Stmt::Let(self.declare(ty), value)
            }
            1 if !self.vars.is_empty() => {
                let var = self.below(self.vars.len());
                Stmt::Assign(var as u32, self.expr(self.vars[var].ty, 3))
            }
            3 => Stmt::If(self.expr(Type::Bool, 2), self.block(depth - 1), self.block(depth - 1)),
            4 => {
                let (from, to) = (self.expr(Type::I32, 1), self.expr(Type::I32, 1));
                let var = self.declare(Type::I32);
                Stmt::For(var, from, to, self.block(depth - 1))
            }
            5 => Stmt::While(self.expr(Type::Bool, 2), self.block(depth - 1)),
            _ => {
                let buffer = Buffer::Param(self.below(MEMORY.len()) as u32);
                let Buffer::Param(index) = buffer else { unreachable!() };
                let (index_expr, value) =
                    (self.expr(Type::Usize, 2), self.expr(MEMORY[index as usize], 3));
                self.site += 1;
                Stmt::Store { buffer, indices: vec![index_expr], value, site: self.site }
            }
        }
    }

    /// A grid kernel of rank 1 with a slice of each type in memory.
    pub(crate) fn kernel(seed: u64) -> Kernel {
        let mut generator = Generator { state: seed, site: 0, vars: Vec::new() };
        let body = generator.block(3);
        let slice = |ty| ParamKind::Slice { ty, mutable: true };
        let params = MEMORY.map(|ty| Param { name: format!("m_{ty}"), kind: slice(ty) });
        Kernel {
            name: "random".into(),
            rank: 1,
            params: params.into(),
            vars: generator.vars,
            body,
            ..Kernel::default()
        }
    }
}
