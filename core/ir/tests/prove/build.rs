//! Kernels in few words: `y[..] = …` over `y: &mut [f32]`, `z: &[u32]` and the scalar `n: usize`.

use ringwood_ir::prove::{Fact, LaunchFacts, Proof, prove};
use ringwood_ir::{
    BinaryOp, Buffer, Expr, ExprKind, Kernel, Param, ParamKind, Stmt, Type, Value, Variable, check,
};

/// The parameters.
pub(crate) const Y: Buffer = Buffer::Param(0);
pub(crate) const Z: Buffer = Buffer::Param(1);

/// The site of the store that [`store`] makes.
pub(crate) const STORE: u32 = 100;

pub(crate) fn of(ty: Type, kind: ExprKind) -> Expr {
    Expr { kind, ty, site: 0 }
}

pub(crate) fn int(value: i128) -> Expr {
    of(Type::Usize, ExprKind::Int(value))
}

pub(crate) fn var(v: u32) -> Expr {
    of(Type::Usize, ExprKind::Var(v))
}

/// The scalar parameter.
pub(crate) fn n() -> Expr {
    of(Type::Usize, ExprKind::Param(2))
}

pub(crate) fn gid() -> Expr {
    of(Type::Usize, ExprKind::Gid(0))
}

pub(crate) fn lid() -> Expr {
    of(Type::Usize, ExprKind::Lid(0))
}

pub(crate) fn op(op: BinaryOp, a: Expr, b: Expr) -> Expr {
    Expr::binary(op, a, b, 0)
}

/// An element of `z`, as an index.
pub(crate) fn loaded(index: Expr, site: u32) -> Expr {
    let load = Expr { kind: ExprKind::Load(Z, vec![index]), ty: Type::U32, site };
    of(Type::Usize, ExprKind::Cast(Box::new(load)))
}

/// `y[index] = 0.0`.
pub(crate) fn store(index: Expr) -> Stmt {
    let value = of(Type::F32, ExprKind::Float(0));
    Stmt::Store { buffer: Y, indices: vec![index], value, site: STORE }
}

/// A kernel with four variables of type `usize`.
pub(crate) fn kernel(group: Option<u32>, body: Vec<Stmt>) -> Kernel {
    let param = |name: &str, kind| Param { name: name.into(), kind };
    let kernel = Kernel {
        name: "k".into(),
        rank: 1,
        group: group.map(|width| [width, 1, 1]),
        params: vec![
            param("y", ParamKind::Slice { ty: Type::F32, mutable: true }),
            param("z", ParamKind::Slice { ty: Type::U32, mutable: false }),
            param("n", ParamKind::Scalar(Type::Usize)),
        ],
        vars: (0..4).map(|v| Variable { name: format!("v{v}"), ty: Type::Usize }).collect(),
        body,
        ..Kernel::default()
    };
    check(&kernel).unwrap_or_else(|error| panic!("{error}\n{kernel}"));
    kernel
}

/// The proof of a launch with this extent, these lengths of `y` and `z`, and this `n`.
pub(crate) fn launch(kernel: &Kernel, extent: usize, lens: [usize; 2], n: usize) -> Proof {
    let args = [Fact::Len(lens[0]), Fact::Len(lens[1]), Fact::Scalar(Value::Usize(n))];
    prove(kernel, &LaunchFacts { domain: &[extent], args: &args })
}

/// Whether every access is proved with this length of `y`, and not with one element less.
pub(crate) fn needs(kernel: &Kernel, extent: usize, n: usize, len: usize) -> bool {
    let z = 1 << 20;
    launch(kernel, extent, [len, z], n).unchecked()
        && !launch(kernel, extent, [len - 1, z], n).unchecked()
}
