//! Statements.

use super::{Local, Maker, Role, usize_literal};
use ringwood_ir::{
    Array, Atomic, AtomicOp, BinaryOp, Buffer, Expr, ExprKind, GroupOp, Space, Stmt, Type, Variable,
};

impl Maker {
    pub(super) fn declare(&mut self, ty: Type, uniform: bool, frozen: bool) -> u32 {
        let index = self.kernel.vars.len() as u32;
        let name = ["v", "k_cell", "for", "x"][self.below(4)];
        self.kernel.vars.push(Variable { name: name.into(), ty });
        self.scope.push(Local { index, ty, uniform, frozen });
        index
    }

    /// The arrays of the kernel, and the statements that fill them.
    pub(super) fn arrays(&mut self) -> Vec<Stmt> {
        let mut body = Vec::new();
        for _ in 0..self.below(3) {
            let shared = self.is_group() && self.below(3) > 0;
            let ty = if self.below(6) == 0 { Type::Usize } else { self.pick(self.memory()) };
            let array = self.kernel.arrays.len() as u32;
            let size = self.kernel.group.unwrap_or([1; 3]);
            let flat = usize::from(self.plain);
            let dims = match (shared, self.kernel.rank, self.below(2).max(flat)) {
                (true, 2, 0) => vec![size[1], size[0]],
                (true, ..) => vec![self.kernel.group_size() as u32],
                (false, _, 0) => vec![2, 3],
                (false, ..) => vec![4],
            };
            let (space, name) =
                if shared { (Space::Shared, "tile") } else { (Space::Local, "own") };
            self.kernel.arrays.push(Array { name: name.into(), ty, dims, space });
            if shared {
                if matches!(ty, Type::I32 | Type::U32) && !self.plain && self.below(2) == 0 {
                    self.counted.push(array);
                }
                body.extend(self.exchange(array));
            } else {
                let value = self.expr(ty, 1, false);
                body.push(Stmt::Fill(array, value));
            }
            self.ready.push(array);
        }
        body
    }

    /// Every work-item writes its element of a shared array, which the statements do not read.
    pub(super) fn exchange(&mut self, array: u32) -> Vec<Stmt> {
        let ready = self.ready.clone();
        self.ready.retain(|a| *a != array);
        let body = self.write(array);
        self.ready = ready;
        body
    }

    pub(super) fn write(&mut self, array: u32) -> Vec<Stmt> {
        let Array { ty, dims, .. } = self.kernel.arrays[array as usize].clone();
        let value = self.expr(ty, 2, false);
        let indices = if dims.len() == 2 {
            [1, 0].map(|d| self.node(Type::Usize, ExprKind::Lid(d))).to_vec()
        } else {
            vec![self.lane()]
        };
        let buffer = Buffer::Array(array);
        let store = Stmt::Store { buffer, indices, value, site: self.site() };
        let mut body = vec![Stmt::Barrier(self.site()), store, Stmt::Barrier(self.site())];
        if self.counted.contains(&array) {
            let op = self.pick(&[AtomicOp::Add, AtomicOp::Max, AtomicOp::Xor]);
            for _ in 0..2 {
                let (indices, value) = (self.indices(array, false), self.expr(ty, 1, false));
                body.push(self.atomic(op, buffer, indices, vec![value], None));
            }
            body.push(Stmt::Barrier(self.site()));
        }
        body
    }

    pub(super) fn atomic(
        &mut self,
        op: AtomicOp,
        buffer: Buffer,
        indices: Vec<Expr>,
        values: Vec<Expr>,
        old: Option<u32>,
    ) -> Stmt {
        let site = self.site();
        Stmt::Atomic(Box::new(Atomic { op, buffer, indices, values, old, site }))
    }

    /// A store to an element of the work-item.
    pub(super) fn output(&mut self) -> Stmt {
        let ty = self.pick(self.memory());
        let ((param, indices), value) =
            (self.element(Role::Output, ty, false), self.expr(ty, 3, false));
        Stmt::Store { buffer: Buffer::Param(param), indices, value, site: self.site() }
    }

    pub(super) fn total(&mut self) -> Stmt {
        let ty = self.pick(&[Type::I32, Type::U32, Type::I64, Type::U64]);
        let op = self.pick(&[
            AtomicOp::Add,
            AtomicOp::Min,
            AtomicOp::Max,
            AtomicOp::And,
            AtomicOp::Or,
            AtomicOp::Xor,
        ]);
        let (param, indices) = self.element(Role::Total(op), ty, false);
        let Role::Total(op) = self.uses[param as usize].role else { return Stmt::Barrier(0) };
        let value = self.expr(ty, 2, false);
        self.atomic(op, Buffer::Param(param), indices, vec![value], None)
    }

    /// An atomic operation on the element that only this work-item changes, so that its old value is
    /// the same in every run.
    pub(super) fn cell(&mut self) -> Stmt {
        let ty = self.pick(&[Type::I32, Type::U32, Type::I64, Type::U64, Type::F32]);
        let op = if ty == Type::F32 { AtomicOp::Add } else { self.pick(&AtomicOp::ALL) };
        self.kernel.modes.nondeterministic = true;
        // A parameter has its elements at their place, or all of them one further.
        let shifted = self.below(12) == 0;
        let (param, indices) = self.element(Role::Cell { shifted }, ty, false);
        let values = (0..op.arity()).map(|_| self.expr(ty, 2, false)).collect();
        let old = (self.below(3) > 0).then(|| self.declare(ty, false, false));
        self.atomic(op, Buffer::Param(param), indices, values, old)
    }

    /// A variable with the result of a function.
    pub(super) fn call(&mut self) -> Stmt {
        let Some(ty) = self.kernel.functions.first().map(|f| f.result) else {
            return self.output();
        };
        let args = vec![self.expr(ty, 1, false), self.expr(ty, 1, false)];
        let value = self.node(ty, ExprKind::Call(0, args));
        Stmt::Let(self.declare(ty, false, false), value)
    }

    /// Statements with variables of their own.
    pub(super) fn block(&mut self, depth: usize) -> Vec<Stmt> {
        let open = self.scope.len();
        let body = (0..1 + self.below(3)).flat_map(|_| self.stmt(depth)).collect();
        self.scope.truncate(open);
        body
    }

    /// Statements under control that varies.
    pub(super) fn apart(&mut self, depth: usize) -> Vec<Stmt> {
        let together = std::mem::replace(&mut self.together, false);
        let body = self.block(depth);
        self.together = together;
        body
    }

    /// The body of a loop.
    pub(super) fn turn(&mut self, depth: usize, uniform: bool) -> Vec<Stmt> {
        let leaves = std::mem::replace(&mut self.leaves, !uniform);
        let body = if uniform { self.block(depth) } else { self.apart(depth) };
        self.leaves = leaves;
        body
    }

    pub(super) fn stmt(&mut self, depth: usize) -> Vec<Stmt> {
        if self.together && self.below(2) == 0 {
            return self.collective(depth);
        }
        let assignable: Vec<Local> =
            self.scope.iter().filter(|v| !v.frozen && !v.uniform).copied().collect();
        match self.below(if depth == 0 { 8 } else { 12 }) {
            6 => vec![self.cell()],
            7 => vec![self.call()],
            0 | 1 => {
                let ty = self.any_type();
                let value = self.expr(ty, 2, false);
                vec![Stmt::Let(self.declare(ty, false, false), value)]
            }
            2 if !assignable.is_empty() => {
                let var = self.pick(&assignable);
                vec![Stmt::Assign(var.index, self.expr(var.ty, 3, false))]
            }
            3 => vec![self.total()],
            4 => self.change(),
            5 if self.leaves => {
                let leave = if self.below(2) == 0 { Stmt::Break } else { Stmt::Continue };
                vec![Stmt::If(self.expr(Type::Bool, 2, false), vec![leave], vec![])]
            }
            8 | 9 => {
                let condition = self.expr(Type::Bool, 2, false);
                let yes = self.apart(depth - 1);
                let no = if self.below(2) == 0 { self.apart(depth - 1) } else { vec![] };
                vec![Stmt::If(condition, yes, no)]
            }
            10 => self.count(depth, false),
            11 => self.repeat(depth, false),
            _ => vec![self.output()],
        }
    }

    /// A store to a local array.
    pub(super) fn change(&mut self) -> Vec<Stmt> {
        let is_local = |a: &u32| self.kernel.arrays[*a as usize].space == Space::Local;
        let locals: Vec<u32> = self.ready.iter().copied().filter(is_local).collect();
        if locals.is_empty() {
            return vec![self.output()];
        }
        let array = self.pick(&locals);
        let ty = self.kernel.arrays[array as usize].ty;
        let (indices, value) = (self.indices(array, false), self.expr(ty, 2, false));
        let buffer = Buffer::Array(array);
        vec![Stmt::Store { buffer, indices, value, site: self.site() }]
    }

    /// Statements of the whole group.
    pub(super) fn collective(&mut self, depth: usize) -> Vec<Stmt> {
        let assignable: Vec<Local> =
            self.scope.iter().filter(|v| !v.frozen && v.uniform).copied().collect();
        let shared: Vec<u32> = (0..self.kernel.arrays.len() as u32)
            .filter(|a| self.kernel.arrays[*a as usize].space == Space::Shared)
            .collect();
        match self.below(if depth == 0 { 5 } else { 9 }) {
            0 => {
                let ty = self.any_type();
                let value = self.expr(ty, 2, true);
                vec![Stmt::Let(self.declare(ty, true, false), value)]
            }
            1 if !assignable.is_empty() => {
                let var = self.pick(&assignable);
                vec![Stmt::Assign(var.index, self.expr(var.ty, 2, true))]
            }
            2 if !shared.is_empty() => {
                let array = self.pick(&shared);
                self.exchange(array)
            }
            3 => self.reduce(),
            4 | 5 => self.share(),
            6 => {
                let condition = self.expr(Type::Bool, 2, true);
                let yes = self.block(depth - 1);
                let no = if self.below(2) == 0 { self.block(depth - 1) } else { vec![] };
                vec![Stmt::If(condition, yes, no)]
            }
            7 => self.count(depth, true),
            8 => self.repeat(depth, true),
            _ => vec![Stmt::Barrier(self.site())],
        }
    }

    pub(super) fn reduce(&mut self) -> Vec<Stmt> {
        let ty = match self.pick(self.memory()) {
            Type::Bool if self.callable(Type::Bool).is_none() => Type::U32,
            ty => ty,
        };
        let value = self.expr(ty, 2, false);
        let op = match (self.below(4), self.callable(ty)) {
            (_, Some(f)) if ty == Type::Bool => GroupOp::Function(f),
            (0, _) => GroupOp::Min,
            (1, _) => GroupOp::Max,
            (2, Some(f)) if !self.plain => GroupOp::Function(f),
            _ => GroupOp::Sum,
        };
        let var = self.declare(ty, true, false);
        vec![Stmt::GroupReduce { var, op, value, site: self.site() }]
    }

    /// A loop that the group shares.
    pub(super) fn share(&mut self) -> Vec<Stmt> {
        let any = self.expr(Type::Usize, 1, true);
        let end = self.binary(BinaryOp::Rem, any, usize_literal(40));
        let open = self.scope.len();
        let var = self.declare(Type::Usize, false, true);
        let body = self.turn(0, false);
        self.scope.truncate(open);
        vec![Stmt::ForGroup(var, end, body)]
    }

    /// The most turns of a loop: seldom many, as loops contain others.
    fn turns(&mut self, few: i128) -> i128 {
        if self.below(8) == 0 { 70 } else { few }
    }

    pub(super) fn count(&mut self, depth: usize, uniform: bool) -> Vec<Stmt> {
        let (ty, start) = self.pick(&[(Type::Usize, 0), (Type::I32, -2), (Type::U32, 1)]);
        let from = self.node(ty, ExprKind::Int(start));
        let limit = self.turns(4);
        let limit = self.node(ty, ExprKind::Int(limit));
        let any = self.expr(ty, 1, uniform);
        let to = self.binary(BinaryOp::Rem, any, limit);
        let open = self.scope.len();
        let var = self.declare(ty, uniform, true);
        let body = self.turn(depth - 1, uniform);
        self.scope.truncate(open);
        vec![Stmt::For(var, from, to, body)]
    }

    pub(super) fn repeat(&mut self, depth: usize, uniform: bool) -> Vec<Stmt> {
        let zero = self.node(Type::U32, ExprKind::Int(0));
        let end = self.turns(3);
        let end = self.node(Type::U32, ExprKind::Int(end));
        let one = self.node(Type::U32, ExprKind::Int(1));
        let open = self.scope.len();
        let var = self.declare(Type::U32, uniform, true);
        let counter = |this: &mut Self| this.node(Type::U32, ExprKind::Var(var));
        let at = counter(self);
        let below = self.binary(BinaryOp::Lt, at, end);
        let going = self.expr(Type::Bool, 1, uniform);
        let condition = self.binary(BinaryOp::And, below, going);
        let at = counter(self);
        let next = self.binary(BinaryOp::Add, at, one);
        let mut body = vec![Stmt::Assign(var, next)];
        body.extend(self.turn(depth - 1, uniform));
        self.scope.truncate(open);
        vec![Stmt::Let(var, zero), Stmt::While(condition, body)]
    }
}
