//! Expressions.

use super::{Dim, Maker, Role, SCALARS, Use, usize_literal};
use ringwood_ir::{
    Array, BinaryOp, Buffer, Expr, ExprKind, Function, Kernel, MathFn, Param, ParamKind, Space,
    Stmt, Type,
};

impl Maker {
    /// A slice of a role and type, or a scalar.
    pub(super) fn param(&mut self, role: Role, ty: Type) -> u32 {
        let kind = match role {
            Role::Scalar => ParamKind::Scalar(ty),
            _ => ParamKind::Slice { ty, mutable: role != Role::Input },
        };
        self.find(role, kind).unwrap_or_else(|| self.add(role, kind, Vec::new()))
    }

    /// The parameter of a role and kind, whatever the rank of a view.
    pub(super) fn find(&self, role: Role, kind: ParamKind) -> Option<u32> {
        let same = |(u, p): (&Use, &Param)| {
            let total = matches!((u.role, role), (Role::Total(_), Role::Total(_)));
            let kind = match (p.kind, kind) {
                (ParamKind::View { ty: a, .. }, ParamKind::View { ty: b, .. }) => a == b,
                (a, b) => a == b,
            };
            (u.role == role || total) && kind
        };
        self.uses.iter().zip(&self.kernel.params).position(same).map(|index| index as u32)
    }

    pub(super) fn add(&mut self, role: Role, kind: ParamKind, dims: Vec<Dim>) -> u32 {
        let name = match role {
            Role::Input => "x",
            Role::Output => "y",
            Role::Total(_) => "total",
            Role::Cell { shifted: false } => "cell",
            Role::Cell { shifted: true } => "next",
            Role::Scalar => "a",
        };
        let name = match kind {
            ParamKind::Scalar(ty) | ParamKind::Slice { ty, .. } => format!("{name}_{ty}"),
            ParamKind::View { ty, .. } => format!("{name}_view_{ty}"),
        };
        self.kernel.params.push(Param { name, kind });
        self.uses.push(Use { role, dims });
        self.uses.len() as u32 - 1
    }

    /// The linear index of the work-item in its group.
    pub(super) fn lane(&mut self) -> Expr {
        let size = self.kernel.group.unwrap_or([1; 3]);
        let mut lane = self.node(Type::Usize, ExprKind::Lid(self.kernel.rank - 1));
        for d in (0..self.kernel.rank - 1).rev() {
            let scaled =
                self.binary(BinaryOp::Mul, lane, usize_literal(size[usize::from(d)] as usize));
            let lid = self.node(Type::Usize, ExprKind::Lid(d));
            lane = self.binary(BinaryOp::Add, scaled, lid);
        }
        lane
    }

    /// The linear index in the domain: of the group, or of the work-item without groups.
    pub(super) fn point(&mut self) -> Expr {
        let group = self.is_group();
        let kind = |d| if group { ExprKind::Group(d) } else { ExprKind::Gid(d) };
        let mut point = self.node(Type::Usize, kind(self.kernel.rank - 1));
        for d in (0..self.kernel.rank - 1).rev() {
            let extent = self.node(Type::Usize, ExprKind::Extent(d));
            let scaled = self.binary(BinaryOp::Mul, point, extent);
            let next = self.node(Type::Usize, kind(d));
            point = self.binary(BinaryOp::Add, scaled, next);
        }
        point
    }

    /// The linear index of the work-item in the launch.
    pub(super) fn item(&mut self) -> Expr {
        let point = self.point();
        if !self.is_group() {
            return point;
        }
        let size = usize_literal(self.kernel.group_size());
        let first = self.binary(BinaryOp::Mul, point, size);
        let lane = self.lane();
        self.binary(BinaryOp::Add, first, lane)
    }

    /// One of the two elements of the work-item.
    pub(super) fn own(&mut self) -> Expr {
        let item = self.item();
        let twice = self.binary(BinaryOp::Mul, item, usize_literal(2));
        let which = usize_literal(self.below(2));
        self.binary(BinaryOp::Add, twice, which)
    }

    /// An index, mostly below `limit`.
    pub(super) fn index(&mut self, limit: usize, uniform: bool) -> Expr {
        if self.below(12) == 0 {
            return self.expr(Type::Usize, 1, uniform);
        }
        if self.below(3) == 0 {
            return usize_literal(self.below(limit));
        }
        let any = self.expr(Type::Usize, 1, uniform);
        self.binary(BinaryOp::Rem, any, usize_literal(limit))
    }

    pub(super) fn expr(&mut self, ty: Type, depth: usize, uniform: bool) -> Expr {
        if depth == 0 || self.below(5) == 0 {
            self.leaf(ty, uniform)
        } else {
            self.inner(ty, depth - 1, uniform)
        }
    }

    pub(super) fn boxed(&mut self, ty: Type, depth: usize, uniform: bool) -> Box<Expr> {
        Box::new(self.expr(ty, depth, uniform))
    }

    pub(super) fn leaf(&mut self, ty: Type, uniform: bool) -> Expr {
        let vars: Vec<u32> = self
            .scope
            .iter()
            .filter(|v| v.ty == ty && (v.uniform || !uniform))
            .map(|v| v.index)
            .collect();
        if !vars.is_empty() && self.below(3) > 0 {
            let var = self.pick(&vars);
            return self.node(ty, ExprKind::Var(var));
        }
        if self.below(5) == 0 && self.kernel.rank > 0 && SCALARS.contains(&ty) {
            let param = self.param(Role::Scalar, ty);
            return self.node(ty, ExprKind::Param(param));
        }
        if ty == Type::Usize && self.kernel.rank > 0 && self.below(2) == 0 {
            return self.position(uniform);
        }
        let kind = self.literal(ty);
        self.node(ty, kind)
    }

    /// An index of the work-item or of the group, or an extent.
    pub(super) fn position(&mut self, uniform: bool) -> Expr {
        let d = self.below(self.kernel.rank.into()) as u8;
        let kind = match (self.is_group(), self.below(3)) {
            (_, 0) => ExprKind::Extent(d),
            (true, 1) if !uniform => ExprKind::Lid(d),
            (true, _) => ExprKind::Group(d),
            (false, _) if uniform => ExprKind::Extent(d),
            (false, _) => ExprKind::Gid(d),
        };
        self.node(Type::Usize, kind)
    }

    pub(super) fn literal(&mut self, ty: Type) -> ExprKind {
        const FLOATS: [f64; 12] =
            [0.0, -0.0, 1.0, -1.0, 0.5, -2.75, 0.1, 1e-40, 3e38, f64::NAN, f64::INFINITY, 1e9];
        match ty {
            Type::Bool => ExprKind::Bool(self.below(2) == 0),
            Type::F16 => ExprKind::Float(half::f16::from_f64(self.pick(&FLOATS)).to_bits().into()),
            Type::BF16 => {
                ExprKind::Float(half::bf16::from_f64(self.pick(&FLOATS)).to_bits().into())
            }
            Type::F32 => ExprKind::Float((self.pick(&FLOATS) as f32).to_bits().into()),
            Type::F64 => ExprKind::Float(self.pick(&FLOATS).to_bits()),
            Type::Usize => ExprKind::Int(self.pick(&[0, 1, 2, 3, 7, 31, 32, 40, 63, 64])),
            integer => {
                let (min, max) = integer.integer_range().unwrap_or_default();
                let near = self.below(70) as i128;
                ExprKind::Int(self.pick(&[min, max, near, 0, 1, 2, 33, min.max(-1)]))
            }
        }
    }

    pub(super) fn inner(&mut self, ty: Type, depth: usize, uniform: bool) -> Expr {
        use BinaryOp::*;
        if ty == Type::Bool {
            if !self.plain && self.below(4) == 0 {
                return self.load(ty, uniform);
            }
            let op = self.pick(&[Eq, Ne, Lt, Le, Gt, Ge, And, Or, BitXor]);
            let operands = if op.is_comparison() { self.any_type() } else { Type::Bool };
            let (a, b) = (self.expr(operands, depth, uniform), self.expr(operands, depth, uniform));
            return self.binary(op, a, b);
        }
        let kind = match self.below(10) {
            0 => {
                let from = self.any_type();
                ExprKind::Cast(self.boxed(from, depth, uniform))
            }
            1 => ExprKind::Select(
                self.boxed(Type::Bool, depth, uniform),
                self.boxed(ty, depth, uniform),
                self.boxed(ty, depth, uniform),
            ),
            2 | 3 => return self.load(ty, uniform),
            4 => {
                // Most have a short text: the compilers are slow enough.
                let long = self.below(12) == 0;
                let of = |from: Type| MathFn::ALL.iter().map(move |f| (*f, from));
                let fits = |(f, from): &(MathFn, Type)| {
                    let short = f.accuracy().f32 <= 0.5;
                    f.takes(*from) && f.result(*from) == ty && (long || short)
                };
                let all: Vec<_> = self.memory().iter().copied().flat_map(of).filter(fits).collect();
                if all.is_empty() {
                    return self.leaf(ty, uniform);
                }
                let (function, from) = self.pick(&all);
                let args = (0..function.arity())
                    .map(|i| self.expr(function.operand(i, from), depth, uniform));
                ExprKind::Math(function, args.collect())
            }
            5 if ty.is_signed() => ExprKind::Neg(self.boxed(ty, depth, uniform)),
            5 | 6 if ty.is_integer() => {
                if self.below(5) == 0 {
                    ExprKind::Not(self.boxed(ty, depth, uniform))
                } else {
                    let op = self.pick(&[Shl, Shr, BitAnd, BitOr, BitXor]);
                    let amount = self.pick(&[Type::I32, Type::Usize, Type::U64]);
                    let right = if op.is_shift() { amount } else { ty };
                    let a = self.boxed(ty, depth, uniform);
                    ExprKind::Binary(op, a, self.boxed(right, depth, uniform))
                }
            }
            7 if self.callable(ty).is_some() && !self.plain => {
                let f = self.callable(ty).unwrap_or_default();
                ExprKind::Call(
                    f,
                    vec![self.expr(ty, depth, uniform), self.expr(ty, depth, uniform)],
                )
            }
            _ => {
                let op = self.pick(&[Add, Sub, Mul, Div, Rem]);
                let a = self.boxed(ty, depth, uniform);
                ExprKind::Binary(op, a, self.boxed(ty, depth, uniform))
            }
        };
        self.node(ty, kind)
    }

    pub(super) fn callable(&self, ty: Type) -> Option<u32> {
        self.kernel.functions.iter().position(|f| f.result == ty).map(|f| f as u32)
    }

    /// A function of two values of one type.
    pub(super) fn function(&mut self) {
        let ty = if self.plain { self.pick(&SCALARS[1..]) } else { self.pick(self.memory()) };
        let scalar = |name: &str| Param { name: name.into(), kind: ParamKind::Scalar(ty) };
        let kernel = std::mem::replace(
            &mut self.kernel,
            Kernel {
                name: "mix".into(),
                params: vec![scalar("a"), scalar("b")],
                ..Kernel::default()
            },
        );
        let arguments =
            [0, 1].map(|p| Stmt::Let(p, Expr { kind: ExprKind::Param(p), ty, site: 0 }));
        let vars = std::mem::take(&mut self.scope);
        (0..2).for_each(|_| {
            self.declare(ty, false, false);
        });
        let result = self.expr(ty, 3, false);
        self.scope = vars;
        let body = Kernel {
            body: arguments.into(),
            result: Some(result),
            ..std::mem::replace(&mut self.kernel, kernel)
        };
        let (params, body) = (vec![ty; 2], Some(Box::new(body)));
        self.kernel.functions.push(Function { name: "lib::mix".into(), params, result: ty, body });
    }

    pub(super) fn load(&mut self, ty: Type, uniform: bool) -> Expr {
        if self.kernel.rank == 0 {
            return self.leaf(ty, uniform);
        }
        let arrays = self.ready.clone();
        let fits = |array: &Array| array.ty == ty && !(uniform && array.space == Space::Local);
        let counted = self.counted.clone();
        let arrays: Vec<u32> = arrays
            .into_iter()
            .filter(|a| fits(&self.kernel.arrays[*a as usize]) && !(uniform && counted.contains(a)))
            .collect();
        if !arrays.is_empty() && self.below(2) == 0 {
            let array = self.pick(&arrays);
            let indices = self.indices(array, uniform);
            return self.node(ty, ExprKind::Load(Buffer::Array(array), indices));
        }
        if !self.memory().contains(&ty) {
            if ty == Type::Usize {
                if let Some(extent) = self.extent_of_view() {
                    return extent;
                }
                let of = self.pick(self.memory());
                let param = Buffer::Param(self.param(Role::Input, of));
                return self.node(ty, ExprKind::Len(param));
            }
            return self.leaf(ty, uniform);
        }
        let role = if self.below(8) == 0 && !uniform { Role::Output } else { Role::Input };
        let (param, indices) = self.element(role, ty, uniform);
        self.node(ty, ExprKind::Load(Buffer::Param(param), indices))
    }

    pub(super) fn indices(&mut self, array: u32, uniform: bool) -> Vec<Expr> {
        let dims = self.kernel.arrays[array as usize].dims.clone();
        dims.into_iter().map(|extent| self.index(extent as usize, uniform)).collect()
    }
}
