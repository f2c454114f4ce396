//! Kernels that together use every operation, type and statement.

use crate::build::*;
use crate::generator::{self, Generator};
use crate::values;
use ringwood_ir::interpret::{self, Argument};
use ringwood_ir::{BinaryOp, Expr, MathFn, ParamKind, Stmt, Type, Value};

pub(crate) use crate::launch::Launch as Case;

const MEMORY: [Type; 13] = [
    Type::Bool,
    Type::U8,
    Type::I8,
    Type::I16,
    Type::U16,
    Type::I32,
    Type::U32,
    Type::I64,
    Type::U64,
    Type::F16,
    Type::BF16,
    Type::F32,
    Type::F64,
];

/// The types of scalars that printers know.
const TYPES: [Type; 8] =
    [Type::Bool, Type::I32, Type::U32, Type::I64, Type::U64, Type::Usize, Type::F32, Type::F64];

pub(crate) fn all() -> Vec<Case> {
    let mut cases: Vec<_> = Type::ALL.into_iter().map(operations).collect();
    cases.extend(MEMORY.into_iter().map(casts));
    cases.extend([collatz(), loops(), cube(), scalars(), outside(), logic(), empty()]);
    cases
}

/// Random kernels for one work-item, as their stores may meet, which end.
pub(crate) fn random(count: usize) -> Vec<Case> {
    let case = |seed| {
        let elements = |ty| Argument::Slice(values::special(ty)[..12].to_vec());
        let args = generator::MEMORY.map(elements).to_vec();
        Case { kernel: Generator::kernel(seed, &[]), args, domain: vec![1] }
    };
    let ends = |case: &Case| {
        interpret::grid(&case.kernel, &case.domain, &mut case.args.clone(), 1000).is_ok()
    };
    (0..).map(case).filter(ends).take(count).collect()
}

fn memory(ty: Type) -> Type {
    if ty == Type::Usize { Type::U64 } else { ty }
}

/// Every operation of a type on all pairs of special values.
fn operations(ty: Type) -> Case {
    let (a, b) = (var(1, ty), var(2, ty));
    let mut results: Vec<Expr> = Vec::new();
    for o in BinaryOp::ALL {
        let taken = match ty {
            Type::Bool => o.is_logical() || o.is_bitwise(),
            _ => !(o.is_logical() || ty.is_float() && (o.is_bitwise() || o.is_shift())),
        };
        if o.is_comparison() || taken {
            results.push(cast(op(o, a.clone(), b.clone()), ty));
        }
        if o.is_shift() && ty.is_integer() {
            let other = if ty == Type::I32 { Type::I64 } else { Type::I32 };
            results.push(op(o, a.clone(), cast(b.clone(), other)));
        }
    }
    if ty.is_signed() {
        results.push(neg(a.clone()));
    }
    if !ty.is_float() {
        results.push(not(a.clone()));
    }
    for f in MathFn::ALL.iter().copied().filter(|f| f.takes(ty)) {
        let operands = [a.clone(), cast(b.clone(), f.operand(1, ty)), a.clone()];
        results.push(math(f, &operands.each_ref()[..f.arity()]));
    }
    let stride = results.len() as i128;
    let at = |j| {
        let first = op(BinaryOp::Mul, var(0, Type::Usize), int(stride, Type::Usize));
        op(BinaryOp::Add, first, int(j, Type::Usize))
    };
    let memory = memory(ty);
    let loaded = |p| cast(load(p, var(0, Type::Usize), memory), ty);
    let mut body = vec![Stmt::Let(0, gid(0)), Stmt::Let(1, loaded(0)), Stmt::Let(2, loaded(1))];
    let count = results.len();
    for (j, result) in results.into_iter().enumerate() {
        body.push(store(2, at(j as i128), cast(result, memory)));
    }
    let (left, right) = values::pairs(memory);
    let (n, zero) = (left.len(), Value::zero(memory));
    Case {
        kernel: kernel(
            &format!("operations_{ty}"),
            1,
            &[shared(memory), shared(memory), mutable(memory)],
            &[Type::Usize, ty, ty],
            body,
            None,
        ),
        args: vec![
            Argument::Slice(left),
            Argument::Slice(right),
            Argument::Slice(vec![zero; n * count]),
        ],
        domain: vec![n],
    }
}

/// A type to every type, `usize` and `bool` included.
fn casts(from: Type) -> Case {
    let i = || gid(0);
    let value = || load(0, i(), from);
    let mut params = vec![shared(from)];
    let mut body = Vec::new();
    let source = [values::special(from), values::random(from, 500)].concat();
    let mut args = vec![Argument::Slice(source.clone())];
    let mut result = |e: Expr| {
        let at = params.len() as u32;
        let to = memory(e.ty);
        params.push(mutable(to));
        body.push(store(at, i(), cast(e, to)));
        args.push(Argument::Slice(vec![Value::zero(to); source.len()]));
    };
    let positive = || match from {
        Type::Bool => value(),
        _ => op(BinaryOp::Gt, value(), cast(int(0, Type::I32), from)),
    };
    for to in Type::ALL {
        if from == to || to != Type::Bool {
            result(cast(value(), to));
        }
        result(cast(positive(), to));
    }
    let kernel = kernel(&format!("casts_{from}"), 1, &params, &[], body, None);
    Case { kernel, args, domain: vec![source.len()] }
}

/// `while`, `if` and `else`, and a variable with several assignments.
fn collatz() -> Case {
    let (n, c) = (|| var(0, Type::U32), || var(1, Type::U32));
    let lit = |v| int(v, Type::U32);
    let even = op(BinaryOp::Eq, op(BinaryOp::BitAnd, n(), lit(1)), lit(0));
    let half = Stmt::Assign(0, op(BinaryOp::Div, n(), lit(2)));
    let triple = op(BinaryOp::Add, op(BinaryOp::Mul, n(), lit(3)), lit(1));
    let going = op(BinaryOp::And, op(BinaryOp::Gt, n(), lit(1)), op(BinaryOp::Lt, c(), lit(200)));
    let body = vec![
        Stmt::Let(0, load(0, gid(0), Type::U32)),
        Stmt::Let(1, lit(0)),
        Stmt::While(
            going,
            vec![
                Stmt::If(even, vec![half], vec![Stmt::Assign(0, triple)]),
                Stmt::Assign(1, op(BinaryOp::Add, c(), lit(1))),
            ],
        ),
        store(1, gid(0), c()),
    ];
    let n = 333;
    Case {
        kernel: kernel(
            "collatz",
            1,
            &[shared(Type::U32), mutable(Type::U32)],
            &[Type::U32, Type::U32],
            body,
            None,
        ),
        args: vec![
            Argument::Slice((0..n).map(Value::U32).collect()),
            Argument::Slice(vec![Value::U32(9); n as usize]),
        ],
        domain: vec![n as usize],
    }
}

/// `for` over signed and unsigned bounds; a body that changes its variable; a variable that is used
/// outside of the block it is declared in; a loop that runs not once.
fn loops() -> Case {
    let (j, sum, last) = (|| var(0, Type::I32), || var(1, Type::I32), || var(2, Type::I32));
    let lit = |v| int(v, Type::I32);
    let add = |a, b| op(BinaryOp::Add, a, b);
    let end = || load(0, gid(0), Type::I32);
    let body = vec![
        Stmt::Let(1, lit(0)),
        Stmt::For(
            0,
            lit(-3),
            end(),
            vec![
                Stmt::Let(2, j()),
                Stmt::Assign(0, op(BinaryOp::Mul, j(), j())),
                Stmt::Assign(1, add(sum(), j())),
            ],
        ),
        Stmt::For(
            3,
            int(0, Type::Usize),
            len(0),
            vec![Stmt::Assign(1, add(sum(), load(0, var(3, Type::Usize), Type::I32)))],
        ),
        store(1, gid(0), select(op(BinaryOp::Ge, end(), lit(-2)), add(sum(), last()), sum())),
    ];
    let ends = [-5, -3, -2, 0, 4, 9];
    Case {
        kernel: kernel(
            "loops",
            1,
            &[shared(Type::I32), mutable(Type::I32)],
            &[Type::I32, Type::I32, Type::I32, Type::Usize],
            body,
            None,
        ),
        args: vec![
            Argument::Slice(ends.map(Value::I32).to_vec()),
            Argument::Slice(vec![Value::I32(0); ends.len()]),
        ],
        domain: vec![ends.len()],
    }
}

/// Three dimensions with ragged extents.
fn cube() -> Case {
    let usize = |v| int(v, Type::Usize);
    let row = op(BinaryOp::Add, op(BinaryOp::Mul, gid(2), extent(1)), gid(1));
    let at = op(BinaryOp::Add, op(BinaryOp::Mul, row, extent(0)), gid(0));
    let tens = op(BinaryOp::Mul, gid(1), usize(10));
    let hundreds = op(BinaryOp::Mul, gid(2), usize(100));
    let value = op(BinaryOp::Add, op(BinaryOp::Add, gid(0), tens), hundreds);
    let kernel = kernel(
        "cube",
        3,
        &[mutable(Type::U64)],
        &[],
        vec![store(0, at, cast(value, Type::U64))],
        None,
    );
    Case {
        kernel,
        args: vec![Argument::Slice(vec![Value::U64(0); 3 * 5 * 7])],
        domain: vec![3, 5, 7],
    }
}

/// Scalars of every type.
fn scalars() -> Case {
    let mut params: Vec<_> = TYPES.into_iter().map(ParamKind::Scalar).collect();
    params.push(mutable(Type::F64));
    let body = TYPES.into_iter().enumerate();
    let body = body
        .map(|(i, ty)| store(8, int(i as i128, Type::Usize), cast(param(i as u32, ty), Type::F64)));
    let kernel = kernel("scalars", 1, &params, &[], body.collect(), None);
    let mut args: Vec<_> = [
        Value::Bool(true),
        Value::I32(-5),
        Value::U32(u32::MAX),
        Value::I64(i64::MIN),
        Value::U64(u64::MAX),
        Value::Usize(1 << 40),
        Value::F32(0.1),
        Value::F64(-0.1),
    ]
    .map(Argument::Scalar)
    .to_vec();
    args.push(Argument::Slice(vec![Value::F64(0.0); 8]));
    Case { kernel, args, domain: vec![1] }
}

/// The last work-item reads outside, a shifted store skips elements.
fn outside() -> Case {
    let next = op(BinaryOp::Add, gid(0), int(1, Type::Usize));
    let body = vec![store(1, gid(0), load(0, next, Type::F32))];
    let kernel = kernel("outside", 1, &[shared(Type::F32), mutable(Type::F32)], &[], body, None);
    let x = (0..100).map(|i| Value::F32(i as f32)).collect();
    Case {
        kernel,
        args: vec![Argument::Slice(x), Argument::Slice(vec![Value::F32(-1.0); 100])],
        domain: vec![100],
    }
}

/// Operations of `bool`, and a right side that is not evaluated.
fn logic() -> Case {
    let (a, b) = (|| load(0, gid(0), Type::I32), || load(1, gid(0), Type::I32));
    let zero = || int(0, Type::I32);
    let (p, q) = (|| op(BinaryOp::Gt, a(), zero()), || op(BinaryOp::Gt, b(), zero()));
    let far = load(0, int(1 << 40, Type::Usize), Type::I32);
    let never = op(BinaryOp::And, op(BinaryOp::Ne, a(), a()), op(BinaryOp::Eq, far, zero()));
    let results = [
        op(BinaryOp::And, p(), q()),
        op(BinaryOp::Or, p(), q()),
        op(BinaryOp::BitAnd, p(), q()),
        op(BinaryOp::BitOr, p(), q()),
        op(BinaryOp::BitXor, p(), q()),
        op(BinaryOp::Eq, p(), q()),
        op(BinaryOp::Lt, p(), q()),
        not(p()),
        never,
    ];
    let mut value = zero();
    for result in results {
        let doubled = op(BinaryOp::Shl, value, int(1, Type::I32));
        value = op(BinaryOp::BitOr, doubled, cast(result, Type::I32));
    }
    let params = [shared(Type::I32), shared(Type::I32), mutable(Type::I32)];
    let kernel = kernel("logic", 1, &params, &[], vec![store(2, gid(0), value)], None);
    let (a, b) = values::pairs(Type::I32);
    let n = a.len();
    Case {
        kernel,
        args: vec![Argument::Slice(a), Argument::Slice(b), Argument::Slice(vec![Value::I32(0); n])],
        domain: vec![n],
    }
}

/// Buffers without elements, and a domain of one.
fn empty() -> Case {
    let sum = op(BinaryOp::Add, len(0), len(1));
    let body = vec![store(1, gid(0), cast(load(0, sum, Type::F32), Type::U32))];
    let kernel = kernel("empty", 1, &[shared(Type::F32), mutable(Type::U32)], &[], body, None);
    Case { kernel, args: vec![Argument::Slice(vec![]), Argument::Slice(vec![])], domain: vec![1] }
}
