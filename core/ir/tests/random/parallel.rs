//! Random kernels without races, which end: of grids and of groups, over several work-items.
//!
//! Control is uniform or not, and only uniform control contains operations of the group. A work-item
//! writes elements of its own; what it reads of others lies behind a barrier, or was never written.

use ringwood_ir::{
    Array, Atomic, AtomicOp, BinaryOp, Buffer, Expr, ExprKind, Function, GroupOp, Kernel, MathFn,
    Param, ParamKind, Space, Stmt, Type, Variable,
};

/// The types of slices.
const MEMORY: [Type; 6] = [Type::I32, Type::U32, Type::I64, Type::U64, Type::F32, Type::F64];

const TYPES: [Type; 8] =
    [Type::Bool, Type::I32, Type::U32, Type::I64, Type::U64, Type::Usize, Type::F32, Type::F64];

/// The elements of every slice that is only read.
pub(crate) const INPUTS: usize = 12;
/// The elements of every slice that is changed atomically.
pub(crate) const TOTALS: usize = 5;
/// The extents of every view that is only read.
pub(crate) const VIEW: [usize; 2] = [3, 4];

/// What a parameter is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Role {
    /// [`INPUTS`] elements to read.
    Input,
    /// Two elements for each work-item, which reads and writes them.
    Output,
    /// [`TOTALS`] elements, changed by one atomic operation.
    Total(AtomicOp),
    /// A view of the extents [`VIEW`] to read.
    View,
    /// A value.
    Scalar,
}

/// Rank, group and domain, contiguous dimension first.
type Geometry = (u8, Option<[u32; 3]>, &'static [usize]);

/// A kernel and its domain, contiguous dimension first.
pub(crate) struct Parallel {
    pub(crate) kernel: Kernel,
    pub(crate) roles: Vec<Role>,
    pub(crate) domain: Vec<usize>,
}

#[derive(Clone, Copy)]
struct Local {
    index: u32,
    ty: Type,
    uniform: bool,
    /// A counter, which only its loop changes.
    frozen: bool,
}

struct Maker {
    state: u64,
    site: u32,
    kernel: Kernel,
    roles: Vec<Role>,
    scope: Vec<Local>,
    /// The arrays that have a value.
    ready: Vec<u32>,
    /// The shared arrays with atomic operations.
    counted: Vec<u32>,
    /// Whether the whole group runs the statement.
    together: bool,
    /// Whether the innermost loop is one that a work-item may leave.
    leaves: bool,
}

impl Parallel {
    /// The kernel of a seed.
    pub(crate) fn new(seed: u64) -> Self {
        let shapes: [Geometry; 9] = [
            (1, None, &[37]),
            (2, None, &[5, 3]),
            (1, Some([8, 1, 1]), &[3]),
            (1, Some([16, 1, 1]), &[2]),
            (1, Some([64, 1, 1]), &[1]),
            (1, Some([1, 1, 1]), &[4]),
            (2, Some([4, 2, 1]), &[2, 2]),
            (3, Some([2, 2, 2]), &[1, 2, 2]),
            (1, Some([4, 1, 1]), &[0]),
        ];
        let mut maker = Maker {
            state: seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ 0x5bf0_3635,
            site: 0,
            kernel: Kernel { name: format!("random{seed}"), ..Kernel::default() },
            roles: Vec::new(),
            scope: Vec::new(),
            ready: Vec::new(),
            counted: Vec::new(),
            together: true,
            leaves: false,
        };
        let shape = if maker.below(30) == 0 { 8 } else { maker.below(8) };
        let (rank, group, domain) = shapes[shape];
        (maker.kernel.rank, maker.kernel.group) = (rank, group);
        maker.together = group.is_some();
        if maker.below(3) == 0 {
            maker.function();
        }
        let mut body = maker.arrays();
        body.extend((0..2 + maker.below(4)).flat_map(|_| maker.stmt(2)).collect::<Vec<_>>());
        body.push(maker.output());
        maker.kernel.body = body;
        Parallel { kernel: maker.kernel, roles: maker.roles, domain: domain.to_vec() }
    }

    /// The number of work-items.
    pub(crate) fn items(&self) -> usize {
        self.domain.iter().product::<usize>() * self.kernel.group_size()
    }
}

fn usize_literal(value: usize) -> Expr {
    Expr::index(value, 0)
}

impl Maker {
    fn below(&mut self, n: usize) -> usize {
        self.state ^= self.state << 13;
        self.state ^= self.state >> 7;
        self.state ^= self.state << 17;
        (self.state.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 33) as usize % n
    }

    fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.below(from.len())]
    }

    fn site(&mut self) -> u32 {
        self.site += 1;
        self.site
    }

    fn node(&mut self, ty: Type, kind: ExprKind) -> Expr {
        Expr { kind, ty, site: self.site() }
    }

    fn binary(&mut self, op: BinaryOp, a: Expr, b: Expr) -> Expr {
        let site = self.site();
        Expr::binary(op, a, b, site)
    }

    fn is_group(&self) -> bool {
        self.kernel.group.is_some()
    }

    /// The parameter of a role and type.
    fn param(&mut self, role: Role, ty: Type) -> u32 {
        let kind = match role {
            Role::Input => ParamKind::Slice { ty, mutable: false },
            Role::Output | Role::Total(_) => ParamKind::Slice { ty, mutable: true },
            Role::View => ParamKind::View { ty, rank: 2, mutable: false },
            Role::Scalar => ParamKind::Scalar(ty),
        };
        let same = |(r, p): (&Role, &Param)| {
            let total = matches!((r, role), (Role::Total(_), Role::Total(_)));
            (*r == role || total) && p.kind == kind
        };
        if let Some(index) = self.roles.iter().zip(&self.kernel.params).position(same) {
            return index as u32;
        }
        let name = match role {
            Role::Input => "x",
            Role::Output => "y",
            Role::Total(_) => "total",
            Role::View => "view",
            Role::Scalar => "a",
        };
        self.kernel.params.push(Param { name: format!("{name}_{ty}"), kind });
        self.roles.push(role);
        self.roles.len() as u32 - 1
    }

    /// The linear index of the work-item in its group.
    fn lane(&mut self) -> Expr {
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

    /// The linear index of the work-item in the launch.
    fn item(&mut self) -> Expr {
        let group = self.is_group();
        let kind = |d| if group { ExprKind::Group(d) } else { ExprKind::Gid(d) };
        let mut item = self.node(Type::Usize, kind(self.kernel.rank - 1));
        for d in (0..self.kernel.rank - 1).rev() {
            let extent = self.node(Type::Usize, ExprKind::Extent(d));
            let scaled = self.binary(BinaryOp::Mul, item, extent);
            let next = self.node(Type::Usize, kind(d));
            item = self.binary(BinaryOp::Add, scaled, next);
        }
        if !group {
            return item;
        }
        let size = usize_literal(self.kernel.group_size());
        let first = self.binary(BinaryOp::Mul, item, size);
        let lane = self.lane();
        self.binary(BinaryOp::Add, first, lane)
    }

    /// One of the two elements of the work-item.
    fn own(&mut self) -> Expr {
        let item = self.item();
        let twice = self.binary(BinaryOp::Mul, item, usize_literal(2));
        let which = usize_literal(self.below(2));
        self.binary(BinaryOp::Add, twice, which)
    }

    /// An index, mostly below `limit`.
    fn index(&mut self, limit: usize, uniform: bool) -> Expr {
        if self.below(12) == 0 {
            return self.expr(Type::Usize, 1, uniform);
        }
        if self.below(3) == 0 {
            return usize_literal(self.below(limit));
        }
        let any = self.expr(Type::Usize, 1, uniform);
        self.binary(BinaryOp::Rem, any, usize_literal(limit))
    }

    fn expr(&mut self, ty: Type, depth: usize, uniform: bool) -> Expr {
        if depth == 0 || self.below(5) == 0 {
            self.leaf(ty, uniform)
        } else {
            self.inner(ty, depth - 1, uniform)
        }
    }

    fn boxed(&mut self, ty: Type, depth: usize, uniform: bool) -> Box<Expr> {
        Box::new(self.expr(ty, depth, uniform))
    }

    fn leaf(&mut self, ty: Type, uniform: bool) -> Expr {
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
        if self.below(5) == 0 && self.kernel.rank > 0 {
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
    fn position(&mut self, uniform: bool) -> Expr {
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

    fn literal(&mut self, ty: Type) -> ExprKind {
        const FLOATS: [f64; 12] =
            [0.0, -0.0, 1.0, -1.0, 0.5, -2.75, 0.1, 1e-40, 3e38, f64::NAN, f64::INFINITY, 1e9];
        match ty {
            Type::Bool => ExprKind::Bool(self.below(2) == 0),
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

    fn inner(&mut self, ty: Type, depth: usize, uniform: bool) -> Expr {
        use BinaryOp::*;
        if ty == Type::Bool {
            let op = self.pick(&[Eq, Ne, Lt, Le, Gt, Ge, And, Or, BitXor]);
            let operands = if op.is_comparison() { self.pick(&TYPES) } else { Type::Bool };
            let (a, b) = (self.expr(operands, depth, uniform), self.expr(operands, depth, uniform));
            return self.binary(op, a, b);
        }
        let kind = match self.below(10) {
            0 => {
                let from = self.pick(&TYPES);
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
                let all: Vec<_> = TYPES.into_iter().flat_map(of).filter(fits).collect();
                if all.is_empty() {
                    return self.leaf(ty, uniform);
                }
                let (function, from) = self.pick(&all);
                let args = (0..function.arity()).map(|_| self.expr(from, depth, uniform));
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
            7 if self.callable(ty).is_some() => {
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

    fn callable(&self, ty: Type) -> Option<u32> {
        self.kernel.functions.iter().position(|f| f.result == ty).map(|f| f as u32)
    }

    /// A function of two values of one type.
    fn function(&mut self) {
        let ty = self.pick(&MEMORY);
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

    fn load(&mut self, ty: Type, uniform: bool) -> Expr {
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
        if !MEMORY.contains(&ty) {
            if ty == Type::Usize {
                let of = self.pick(&MEMORY);
                let param = Buffer::Param(self.param(Role::Input, of));
                return self.node(ty, ExprKind::Len(param));
            }
            return self.leaf(ty, uniform);
        }
        match self.below(8) {
            0 if !uniform => {
                let (param, at) = (self.param(Role::Output, ty), self.own());
                self.node(ty, ExprKind::Load(Buffer::Param(param), vec![at]))
            }
            1 => {
                let param = self.param(Role::View, ty);
                let indices = VIEW.map(|extent| self.index(extent, uniform)).to_vec();
                self.node(ty, ExprKind::Load(Buffer::Param(param), indices))
            }
            _ => {
                let (param, at) = (self.param(Role::Input, ty), self.index(INPUTS, uniform));
                self.node(ty, ExprKind::Load(Buffer::Param(param), vec![at]))
            }
        }
    }

    fn indices(&mut self, array: u32, uniform: bool) -> Vec<Expr> {
        let dims = self.kernel.arrays[array as usize].dims.clone();
        dims.into_iter().map(|extent| self.index(extent as usize, uniform)).collect()
    }

    fn declare(&mut self, ty: Type, uniform: bool, frozen: bool) -> u32 {
        let index = self.kernel.vars.len() as u32;
        let name = ["v", "k_cell", "for", "x"][self.below(4)];
        self.kernel.vars.push(Variable { name: name.into(), ty });
        self.scope.push(Local { index, ty, uniform, frozen });
        index
    }

    /// The arrays of the kernel, and the statements that fill them.
    fn arrays(&mut self) -> Vec<Stmt> {
        let mut body = Vec::new();
        for _ in 0..self.below(3) {
            let shared = self.is_group() && self.below(3) > 0;
            let ty =
                self.pick(&[Type::I32, Type::U32, Type::U64, Type::F32, Type::F64, Type::Usize]);
            let array = self.kernel.arrays.len() as u32;
            let size = self.kernel.group.unwrap_or([1; 3]);
            let dims = match (shared, self.kernel.rank, self.below(2)) {
                (true, 2, 0) => vec![size[1], size[0]],
                (true, ..) => vec![self.kernel.group_size() as u32],
                (false, _, 0) => vec![2, 3],
                (false, ..) => vec![4],
            };
            let (space, name) =
                if shared { (Space::Shared, "tile") } else { (Space::Local, "own") };
            self.kernel.arrays.push(Array { name: name.into(), ty, dims, space });
            if shared {
                if matches!(ty, Type::I32 | Type::U32) && self.below(2) == 0 {
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
    fn exchange(&mut self, array: u32) -> Vec<Stmt> {
        let ready = self.ready.clone();
        self.ready.retain(|a| *a != array);
        let body = self.write(array);
        self.ready = ready;
        body
    }

    fn write(&mut self, array: u32) -> Vec<Stmt> {
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
                body.push(self.atomic(op, buffer, indices, value));
            }
            body.push(Stmt::Barrier(self.site()));
        }
        body
    }

    fn atomic(&mut self, op: AtomicOp, buffer: Buffer, indices: Vec<Expr>, value: Expr) -> Stmt {
        let (values, site) = (vec![value], self.site());
        Stmt::Atomic(Box::new(Atomic { op, buffer, indices, values, old: None, site }))
    }

    /// A store to an element of the work-item.
    fn output(&mut self) -> Stmt {
        let ty = self.pick(&MEMORY);
        let (param, at, value) =
            (self.param(Role::Output, ty), self.own(), self.expr(ty, 3, false));
        Stmt::Store { buffer: Buffer::Param(param), indices: vec![at], value, site: self.site() }
    }

    fn total(&mut self) -> Stmt {
        let ty = self.pick(&[Type::I32, Type::U32, Type::I64, Type::U64]);
        let op = self.pick(&[
            AtomicOp::Add,
            AtomicOp::Min,
            AtomicOp::Max,
            AtomicOp::And,
            AtomicOp::Or,
            AtomicOp::Xor,
        ]);
        let param = self.param(Role::Total(op), ty);
        let Role::Total(op) = self.roles[param as usize] else { return Stmt::Barrier(0) };
        let (at, value) = (self.index(TOTALS, false), self.expr(ty, 2, false));
        self.atomic(op, Buffer::Param(param), vec![at], value)
    }

    /// Statements with variables of their own.
    fn block(&mut self, depth: usize) -> Vec<Stmt> {
        let open = self.scope.len();
        let body = (0..1 + self.below(3)).flat_map(|_| self.stmt(depth)).collect();
        self.scope.truncate(open);
        body
    }

    /// Statements under control that varies.
    fn apart(&mut self, depth: usize) -> Vec<Stmt> {
        let together = std::mem::replace(&mut self.together, false);
        let body = self.block(depth);
        self.together = together;
        body
    }

    /// The body of a loop.
    fn turn(&mut self, depth: usize, uniform: bool) -> Vec<Stmt> {
        let leaves = std::mem::replace(&mut self.leaves, !uniform);
        let body = if uniform { self.block(depth) } else { self.apart(depth) };
        self.leaves = leaves;
        body
    }

    fn stmt(&mut self, depth: usize) -> Vec<Stmt> {
        if self.together && self.below(2) == 0 {
            return self.collective(depth);
        }
        let assignable: Vec<Local> =
            self.scope.iter().filter(|v| !v.frozen && !v.uniform).copied().collect();
        match self.below(if depth == 0 { 6 } else { 10 }) {
            0 | 1 => {
                let ty = self.pick(&TYPES);
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
            6 | 7 => {
                let condition = self.expr(Type::Bool, 2, false);
                let yes = self.apart(depth - 1);
                let no = if self.below(2) == 0 { self.apart(depth - 1) } else { vec![] };
                vec![Stmt::If(condition, yes, no)]
            }
            8 => self.count(depth, false),
            9 => self.repeat(depth, false),
            _ => vec![self.output()],
        }
    }

    /// A store to a local array.
    fn change(&mut self) -> Vec<Stmt> {
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
    fn collective(&mut self, depth: usize) -> Vec<Stmt> {
        let assignable: Vec<Local> =
            self.scope.iter().filter(|v| !v.frozen && v.uniform).copied().collect();
        let shared: Vec<u32> = (0..self.kernel.arrays.len() as u32)
            .filter(|a| self.kernel.arrays[*a as usize].space == Space::Shared)
            .collect();
        match self.below(if depth == 0 { 5 } else { 9 }) {
            0 => {
                let ty = self.pick(&TYPES);
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

    fn reduce(&mut self) -> Vec<Stmt> {
        let ty = self.pick(&MEMORY);
        let value = self.expr(ty, 2, false);
        let op = match (self.below(4), self.callable(ty)) {
            (0, _) => GroupOp::Min,
            (1, _) => GroupOp::Max,
            (2, Some(f)) => GroupOp::Function(f),
            _ => GroupOp::Sum,
        };
        let var = self.declare(ty, true, false);
        vec![Stmt::GroupReduce { var, op, value, site: self.site() }]
    }

    /// A loop that the group shares.
    fn share(&mut self) -> Vec<Stmt> {
        let any = self.expr(Type::Usize, 1, true);
        let end = self.binary(BinaryOp::Rem, any, usize_literal(40));
        let open = self.scope.len();
        let var = self.declare(Type::Usize, false, true);
        let body = self.turn(0, false);
        self.scope.truncate(open);
        vec![Stmt::ForGroup(var, end, body)]
    }

    fn count(&mut self, depth: usize, uniform: bool) -> Vec<Stmt> {
        let (ty, start) = self.pick(&[(Type::Usize, 0), (Type::I32, -2), (Type::U32, 1)]);
        let from = self.node(ty, ExprKind::Int(start));
        let limit = self.node(ty, ExprKind::Int(4));
        let any = self.expr(ty, 1, uniform);
        let to = self.binary(BinaryOp::Rem, any, limit);
        let open = self.scope.len();
        let var = self.declare(ty, uniform, true);
        let body = self.turn(depth - 1, uniform);
        self.scope.truncate(open);
        vec![Stmt::For(var, from, to, body)]
    }

    fn repeat(&mut self, depth: usize, uniform: bool) -> Vec<Stmt> {
        let zero = self.node(Type::U32, ExprKind::Int(0));
        let end = self.node(Type::U32, ExprKind::Int(3));
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
