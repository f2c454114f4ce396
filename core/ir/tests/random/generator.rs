//! Random kernels.

use ringwood_ir::{
    BinaryOp, Buffer, Expr, ExprKind, Kernel, MathFn, Param, ParamKind, Stmt, Type, Variable,
};

pub(crate) struct Generator {
    state: u64,
    site: u32,
    vars: Vec<Variable>,
    views: &'static [(Type, u8)],
}

/// The type of each buffer and of the scalar parameter with the next index.
pub(crate) const MEMORY: [Type; 6] =
    [Type::I32, Type::U32, Type::I64, Type::U64, Type::F32, Type::F64];

/// The type and rank of each view, if there are any: the parameters after those of [`MEMORY`].
#[allow(dead_code, reason = "not every test has views")]
pub(crate) const VIEWS: [(Type, u8); 3] = [(Type::I32, 2), (Type::F32, 3), (Type::U64, 1)];

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
            2 if ty == Type::Usize => self.extent(),
            2 => {
                let (buffer, indices) = self.element(ty, depth);
                ExprKind::Load(buffer, indices)
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

    /// A length or an extent of a view.
    fn extent(&mut self) -> ExprKind {
        let at = self.below(MEMORY.len() + self.views.len());
        let buffer = Buffer::Param(at as u32);
        match at.checked_sub(MEMORY.len()) {
            Some(view) => ExprKind::Dim(buffer, self.below(self.views[view].1.into()) as u8),
            None => ExprKind::Len(buffer),
        }
    }

    /// An element of a slice or view, with indices of a depth.
    fn element(&mut self, ty: Type, depth: usize) -> (Buffer, Vec<Expr>) {
        let all = MEMORY.map(|ty| (ty, 1)).into_iter().chain(self.views.iter().copied());
        let fitting: Vec<_> = all.zip(0..).filter(|((of, _), _)| *of == ty).collect();
        let ((_, rank), param) = if let [one] = *fitting { one } else { self.pick(&fitting) };
        let indices = (0..rank).map(|_| self.expr(Type::Usize, depth)).collect();
        (Buffer::Param(param), indices)
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
                let ty = self.pick(&MEMORY);
                let ((buffer, indices), value) = (self.element(ty, 2), self.expr(ty, 3));
                self.site += 1;
                Stmt::Store { buffer, indices, value, site: self.site }
            }
        }
    }

    /// A grid kernel of rank 1 with a slice of each type in memory, and with views.
    pub(crate) fn kernel(seed: u64, views: &'static [(Type, u8)]) -> Kernel {
        let mut generator = Generator { state: seed, site: 0, vars: Vec::new(), views };
        let body = generator.block(3);
        let slice = |ty| ParamKind::Slice { ty, mutable: true };
        let slices = MEMORY.map(|ty| Param { name: format!("m_{ty}"), kind: slice(ty) });
        let views = views.iter().map(|&(ty, rank)| Param {
            name: format!("v_{ty}"),
            kind: ParamKind::View { ty, rank, mutable: true },
        });
        Kernel {
            name: "random".into(),
            rank: 1,
            params: slices.into_iter().chain(views).collect(),
            vars: generator.vars,
            body,
            ..Kernel::default()
        }
    }
}
