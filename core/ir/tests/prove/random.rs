//! Random kernels and launches: what is proved holds in the run of the interpreter.

#[path = "../random/generator.rs"]
mod generator;

use crate::narrow::narrow;
use generator::{Generator, MEMORY, VIEWS};
use ringwood_ir::interpret::{Argument, OutOfBounds, grid};
use ringwood_ir::prove::{Fact, LaunchFacts, prove};
use ringwood_ir::{BinaryOp, Buffer, Expr, ExprKind, Kernel, MathFn, Stmt, Type, Value, check};

/// Statements after which a run is given up.
const STEPS: u64 = 400;

struct Random(u64);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695);
        (self.0 >> 33) as usize % n
    }
}

/// Brings most indices near the length of their buffer: left alone, few of them are in bounds.
fn tame(kernel: &mut Kernel, random: &mut Random) {
    fn index(e: &mut Expr, len: ExprKind, random: &mut Random) {
        let usize_ = |kind| Expr { kind, ty: Type::Usize, site: 0 };
        let old = std::mem::replace(e, Expr::index(0, 0));
        let len = usize_(len);
        *e = match random.below(6) {
            0 => old,
            1 | 2 => Expr::binary(BinaryOp::Rem, old, len, 0),
            3 => {
                let last = Expr::binary(BinaryOp::Sub, len, Expr::index(1, 0), 0);
                usize_(ExprKind::Math(MathFn::Min, vec![old, last]))
            }
            4 => {
                let inside = Expr::binary(BinaryOp::Lt, old.clone(), len, 0);
                let [c, a, b] = [inside, old, Expr::index(0, 0)].map(Box::new);
                usize_(ExprKind::Select(c, a, b))
            }
            _ => Expr::binary(BinaryOp::BitAnd, old, Expr::index(3, 0), 0),
        };
    }
    fn expr(e: &mut Expr, random: &mut Random) {
        e.operands_mut().into_iter().for_each(|e| expr(e, random));
        if let ExprKind::Load(buffer, of) = &mut e.kind {
            indices(*buffer, of, random);
        }
    }
    fn indices(buffer: Buffer, of: &mut [Expr], random: &mut Random) {
        let is_view = matches!(buffer, Buffer::Param(p) if p as usize >= MEMORY.len());
        for (e, d) in of.iter_mut().zip(0..) {
            let len = if is_view { ExprKind::Dim(buffer, d) } else { ExprKind::Len(buffer) };
            index(e, len, random);
        }
    }
    fn block(body: &mut [Stmt], random: &mut Random) {
        for stmt in body {
            stmt.exprs_mut().into_iter().for_each(|e| expr(e, random));
            if let Stmt::Store { buffer, indices: of, .. } = stmt {
                indices(*buffer, of, random);
            }
            stmt.bodies_mut().into_iter().for_each(|body| block(body, random));
        }
    }
    block(&mut kernel.body, random);
}

fn arguments(random: &mut Random) -> Vec<Argument> {
    let value = |ty, random: &mut Random| match random.below(4) {
        0 => Value::from(-1_i64).cast(ty),
        1 => Value::from(i64::MAX).cast(ty),
        _ => Value::from(random.below(20) as u64).cast(ty),
    };
    let elements = |ty, len, random: &mut Random| (0..len).map(|_| value(ty, random)).collect();
    let mut args: Vec<_> = MEMORY
        .iter()
        .map(|ty| {
            let len = random.below(9);
            Argument::Slice(elements(*ty, len, random))
        })
        .collect();
    for (ty, rank) in VIEWS {
        let shape: Vec<_> = (0..rank).map(|_| 1 + random.below(5)).collect();
        let step = |n: &usize| match *n {
            // Never taken.
            1 => 1 << 40,
            _ => random.below(5),
        };
        let strides: Vec<_> = shape.iter().map(step).collect();
        let last: usize = shape.iter().zip(&strides).map(|(n, step)| (n - 1) * step).sum();
        let offset = random.below(3);
        let elements = elements(ty, offset + last + 1, random);
        args.push(Argument::View { elements, offset, shape, strides });
    }
    args
}

fn fact(arg: &Argument) -> Fact<'_> {
    match arg {
        Argument::Slice(values) => Fact::Len(values.len()),
        Argument::View { shape, strides, .. } => Fact::View { shape, strides },
        Argument::Scalar(value) => Fact::Scalar(*value),
    }
}

fn run(kernel: &Kernel, domain: usize, args: &[Argument]) -> Option<(Option<OutOfBounds>, String)> {
    let mut args = args.to_vec();
    let fault = grid(kernel, &[domain], &mut args, STEPS).ok()?;
    // Every NaN is the same.
    Some((fault, format!("{args:?}")))
}

#[test]
fn what_is_proved_holds_in_the_run() {
    let (mut unchecked, mut narrowed, mut faults) = (0, 0, 0);
    for seed in 0..4000 {
        let mut random = Random(seed);
        let mut kernel = Generator::kernel(seed, &VIEWS);
        kernel.modes.racy = true;
        tame(&mut kernel, &mut random);
        check(&kernel).unwrap_or_else(|error| panic!("{error}\n{kernel}"));
        for _ in 0..3 {
            let domain = random.below(7);
            let args = arguments(&mut random);
            let facts: Vec<_> = args.iter().map(fact).collect();
            let proof = prove(&kernel, &LaunchFacts { domain: &[domain], args: &facts });
            let Some((fault, result)) = run(&kernel, domain, &args) else { continue };
            faults += usize::from(fault.is_some());
            if let Some(fault) = fault {
                assert!(proof.failing.contains(&fault.site), "{seed}: {fault:?}\n{kernel}");
            }
            unchecked += usize::from(proof.unchecked());
            if proof.narrow {
                narrowed += 1;
                let short = narrow(&kernel);
                check(&short).unwrap_or_else(|error| panic!("{error}\n{short}"));
                let (fault_32, result_32) = run(&short, domain, &args).expect("as many steps");
                assert_eq!((fault_32, &result_32), (fault, &result), "{seed}\n{kernel}");
            }
        }
    }
    assert!(
        unchecked > 1000 && narrowed > 300 && faults > 300,
        "{unchecked} without checks, {narrowed} in 32 bits, {faults} out of bounds"
    );
}
