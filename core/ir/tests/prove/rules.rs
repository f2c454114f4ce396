//! One test for each rule of the analysis that could be wrong.

use crate::build::*;
use ringwood_ir::BinaryOp::*;
use ringwood_ir::prove::{Fact, LaunchFacts, prove};
use ringwood_ir::unique::requirements;
use ringwood_ir::{
    Array, Buffer, Expr, ExprKind, GroupOp, MathFn, Param, ParamKind, Space, Stmt, Type, Variable,
};

fn let_(v: u32, e: Expr) -> Stmt {
    Stmt::Let(v, e)
}

fn set(v: u32, e: Expr) -> Stmt {
    Stmt::Assign(v, e)
}

fn if_(c: Expr, a: Vec<Stmt>) -> Stmt {
    Stmt::If(c, a, Vec::new())
}

#[test]
fn an_index_of_the_work_item_is_below_its_extent() {
    assert!(needs(&kernel(None, vec![store(gid())]), 40, 0, 40));
    let affine = op(Add, op(Mul, gid(), n()), int(2));
    assert!(needs(&kernel(None, vec![store(affine)]), 10, 3, 30));
    let group = of(Type::Usize, ExprKind::Group(0));
    let item = op(Add, op(Mul, group, int(64)), lid());
    assert!(needs(&kernel(Some(64), vec![store(item)]), 5, 0, 320));
}

#[test]
fn a_failing_proof_names_the_sites() {
    let k = kernel(None, vec![let_(0, loaded(gid(), 7)), store(op(Rem, var(0), n()))]);
    assert_eq!(launch(&k, 10, [4, 9], 4).failing, [7]);
    assert_eq!(launch(&k, 10, [4, 9], 5).failing, [7, STORE]);
    assert!(launch(&k, 10, [4, 10], 4).unchecked());
}

#[test]
fn a_value_that_leaves_its_type_is_unknown() {
    // Below 0: 3 - 5 of `usize` is no small number, and neither is what is made of it.
    let k = kernel(None, vec![store(op(Add, op(Sub, n(), int(5)), int(4)))]);
    assert!(!launch(&k, 1, [100, 0], 3).unchecked());
    assert!(launch(&k, 1, [100, 0], 5).unchecked());
    // At 2^64: the product is 0 modulo 2^64 for some work-items only.
    let k = kernel(None, vec![store(op(Div, op(Mul, gid(), int(1 << 62)), int(1 << 60)))]);
    assert!(!launch(&k, 9, [10, 0], 0).unchecked());
    // In 32 bits: the sum wraps to a negative number, which is a large index.
    let narrow = of(Type::I32, ExprKind::Cast(Box::new(n())));
    let sum = op(Add, narrow.clone(), of(Type::I32, ExprKind::Int(1)));
    let k = kernel(None, vec![store(of(Type::Usize, ExprKind::Cast(Box::new(sum))))]);
    assert!(launch(&k, 1, [11, 0], 9).unchecked());
    assert!(!launch(&k, 1, [11, 0], i32::MAX as usize).unchecked());
    let less = of(Type::I32, ExprKind::Neg(Box::new(narrow)));
    let k = kernel(None, vec![store(of(Type::Usize, ExprKind::Cast(Box::new(less))))]);
    assert!(!launch(&k, 1, [11, 0], 3).unchecked());
    assert!(launch(&k, 1, [11, 0], 0).unchecked());
}

#[test]
fn a_product_of_bounds_saturates() {
    let max = int(u64::MAX.into());
    let square = op(Mul, op(Mul, max.clone(), max.clone()), op(Mul, max.clone(), max));
    assert!(!launch(&kernel(None, vec![store(square)]), 1, [9, 0], 0).unchecked());
}

#[test]
fn a_variable_that_a_loop_assigns_is_unknown_inside_of_it() {
    let grows = set(0, op(Add, var(0), int(1)));
    let k = kernel(
        None,
        vec![let_(0, int(0)), Stmt::For(1, int(0), n(), vec![store(var(0)), grows.clone()])],
    );
    assert!(!launch(&k, 1, [3, 0], 10).unchecked());
    // Within the turn, it is known again once it is assigned.
    let reset = vec![set(0, int(2)), store(var(0)), grows];
    let k = kernel(None, vec![let_(0, int(0)), Stmt::For(1, int(0), n(), reset)]);
    assert!(needs(&k, 1, 10, 3));
}

#[test]
fn a_variable_that_only_divides_stays_below_its_start() {
    let halves = |last: Expr| {
        let add = store(op(Add, lid(), var(0)));
        let body = vec![if_(op(Lt, lid(), var(0)), vec![add]), Stmt::Barrier(9), set(0, last)];
        kernel(Some(256), vec![let_(0, int(128)), Stmt::While(op(Gt, var(0), int(0)), body)])
    };
    assert!(needs(&halves(op(Div, var(0), int(2))), 1, 0, 256));
    assert!(needs(&halves(op(Shr, var(0), int(1))), 1, 0, 256));
    // One assignment that does not divide is enough.
    assert!(!launch(&halves(op(Mul, var(0), int(2))), 1, [256, 0], 0).unchecked());
}

#[test]
fn a_signed_variable_that_divides_may_change_its_sign() {
    let signed = |kind| of(Type::I64, kind);
    let v = || signed(ExprKind::Var(0));
    let index = of(Type::Usize, ExprKind::Cast(Box::new(v())));
    let turn = set(0, op(Div, v(), signed(ExprKind::Int(-2))));
    let mut k = kernel(None, Vec::new());
    k.vars[0].ty = Type::I64;
    k.body = vec![
        let_(0, signed(ExprKind::Int(8))),
        Stmt::For(1, int(0), n(), vec![store(index), turn]),
    ];
    assert!(!launch(&k, 1, [9, 0], 2).unchecked());
}

#[test]
fn a_loop_may_run_zero_times() {
    // let j = 1000; for i in 0..lid(0) { j = 0 } y[j]
    let inner = vec![set(0, int(0))];
    let after = |looped: Stmt| kernel(Some(64), vec![let_(0, int(1000)), looped, store(var(0))]);
    assert!(!launch(&after(Stmt::For(1, int(0), lid(), inner.clone())), 1, [10, 0], 0).unchecked());
    assert!(!launch(&after(Stmt::ForGroup(1, n(), inner.clone())), 1, [10, 0], 8).unchecked());
    let condition = op(Lt, var(0), loaded(lid(), 5));
    assert!(!launch(&after(Stmt::While(condition, inner)), 1, [10, 64], 8).unchecked());
}

#[test]
fn a_loop_counts_from_its_start_to_before_its_end() {
    let body = || vec![store(op(Add, var(0), int(2)))];
    let k = kernel(None, vec![Stmt::For(0, int(1), n(), body())]);
    assert!(needs(&k, 1, 10, 12));
    assert!(launch(&k, 1, [0, 0], 1).unchecked(), "no turn, no access");
    let k = kernel(Some(32), vec![Stmt::ForGroup(0, n(), body())]);
    assert!(needs(&k, 1, 10, 12));
    // The body may assign the variable; the count goes on.
    let k = kernel(None, vec![Stmt::For(0, int(0), n(), vec![set(0, int(99)), store(var(0))])]);
    assert!(needs(&k, 1, 5, 100));
    // After the loop, the variable has had any value.
    let k = kernel(None, vec![Stmt::For(0, int(0), n(), Vec::new()), store(var(0))]);
    assert!(!launch(&k, 1, [3, 0], 10).unchecked());
}

#[test]
fn a_strided_while_is_bounded_by_its_condition() {
    let body = vec![store(var(0)), set(0, op(Add, var(0), int(256)))];
    let k = kernel(Some(256), vec![let_(0, lid()), Stmt::While(op(Lt, var(0), n()), body)]);
    let proof = launch(&k, 1, [1000, 0], 1000);
    assert!(proof.unchecked() && proof.narrow, "{proof:?}");
    assert!(!launch(&k, 1, [999, 0], 1000).unchecked());
    // The last step leaves 32 bits.
    assert!(!launch(&k, 1, [u32::MAX as usize, 0], u32::MAX as usize).narrow);
}

#[test]
fn after_a_while_its_condition_does_not_hold_unless_it_was_left() {
    let grow = set(0, op(Mul, var(0), int(2)));
    let ends = |body: Vec<Stmt>| {
        let looped = Stmt::While(op(Lt, var(0), n()), body);
        let index = op(Sub, var(0), n());
        kernel(None, vec![let_(0, int(1)), looped, store(op(BitAnd, index, int(0)))])
    };
    // v >= n after the loop, so that v - n does not wrap and 32 bits are enough.
    assert!(launch(&ends(vec![grow.clone()]), 1, [1, 0], 64).narrow);
    let left = vec![if_(op(Gt, loaded(gid(), 5), int(3)), vec![Stmt::Break]), grow];
    assert!(!launch(&ends(left), 1, [1, 9], 64).narrow);
}

#[test]
fn a_break_leaves_what_the_turn_had_assigned() {
    let body = vec![set(0, int(1000)), Stmt::Break];
    for looped in [
        Stmt::While(op(Lt, loaded(gid(), 5), int(3)), body.clone()),
        Stmt::For(1, int(0), n(), body),
    ] {
        let k = kernel(None, vec![let_(0, int(0)), looped, store(var(0))]);
        assert!(!launch(&k, 1, [10, 9], 4).unchecked(), "{k}");
    }
}

#[test]
fn a_continue_starts_the_next_turn_with_what_it_left() {
    let skip = if_(op(Lt, loaded(gid(), 5), int(3)), vec![set(0, int(1000)), Stmt::Continue]);
    let body = vec![store(var(0)), skip, set(0, int(1))];
    let k = kernel(None, vec![let_(0, int(0)), Stmt::For(1, int(0), n(), body)]);
    assert!(!launch(&k, 1, [10, 9], 4).unchecked());
    // What a turn passed over does not reach its rest.
    let body = vec![if_(op(Ge, var(1), int(4)), vec![Stmt::Continue]), store(var(1))];
    assert!(needs(&kernel(None, vec![Stmt::For(1, int(0), n(), body)]), 1, 90, 4));
}

#[test]
fn a_condition_holds_in_its_branch_only() {
    let guarded = if_(op(Lt, gid(), n()), vec![store(gid())]);
    assert!(needs(&kernel(None, vec![guarded.clone()]), 100, 7, 7));
    let k = kernel(None, vec![guarded, store(gid())]);
    assert!(!launch(&k, 100, [7, 0], 7).unchecked());
    let k = kernel(None, vec![Stmt::If(op(Ge, gid(), n()), Vec::new(), vec![store(gid())])]);
    assert!(needs(&k, 100, 7, 7));
    // A branch that cannot be taken has no access.
    let k = kernel(None, vec![if_(op(Gt, n(), int(5)), vec![store(int(1 << 40))])]);
    assert!(launch(&k, 1, [1, 0], 5).unchecked() && !launch(&k, 1, [1, 0], 6).unchecked());
}

#[test]
fn both_ends_of_a_branch_are_joined() {
    let body = |then: i128, other: i128| {
        let c = op(Lt, loaded(gid(), 5), int(3));
        let branch = Stmt::If(c, vec![set(0, int(then))], vec![set(0, int(other))]);
        kernel(None, vec![let_(0, int(50)), branch, store(var(0))])
    };
    for (then, other) in [(3, 8), (8, 3)] {
        assert!(launch(&body(then, other), 1, [9, 9], 0).unchecked());
        assert!(!launch(&body(then, other), 1, [8, 9], 0).unchecked());
    }
}

#[test]
fn conditions_speak_of_sums_products_and_both_sides_of_a_logical_operator() {
    let guarded = |c: Expr, index: Expr| kernel(None, vec![if_(c, vec![store(index)])]);
    let stencil = op(Lt, op(Add, gid(), int(1)), n());
    assert!(needs(&guarded(stencil, op(Add, gid(), int(1))), 100, 7, 7));
    let rows = op(Le, op(Mul, gid(), int(4)), n());
    assert!(needs(&guarded(rows, gid()), 100, 30, 8));
    let inner = op(And, op(Gt, gid(), int(0)), op(Lt, gid(), n()));
    assert!(needs(&guarded(inner.clone(), op(Sub, gid(), int(1))), 100, 7, 6));
    // Of `a || b`, neither need hold.
    let either = op(Or, op(Lt, gid(), n()), op(Lt, loaded(gid(), 5), int(3)));
    assert!(!launch(&guarded(either, gid()), 100, [7, 100], 7).unchecked());
    let outside = Stmt::If(inner, Vec::new(), vec![store(gid())]);
    assert!(!launch(&kernel(None, vec![outside]), 100, [7, 0], 7).unchecked());
    // The sum wraps: nothing follows for its terms.
    let wraps = op(Lt, op(Add, gid(), int(u64::MAX.into())), n());
    assert!(!launch(&guarded(wraps, gid()), 100, [7, 0], 7).unchecked());
}

#[test]
fn the_right_side_of_a_logical_operator_sees_the_left_one() {
    let both = op(And, op(Lt, gid(), n()), op(Lt, loaded(gid(), 5), int(3)));
    let k = kernel(None, vec![if_(both, vec![store(int(0))])]);
    assert!(launch(&k, 100, [1, 7], 7).unchecked());
    assert_eq!(launch(&k, 100, [1, 6], 7).failing, [5]);
    let either = op(Or, op(Ge, gid(), n()), op(Lt, loaded(gid(), 5), int(3)));
    let k = kernel(None, vec![if_(either, vec![store(int(0))])]);
    assert!(launch(&k, 100, [1, 7], 7).unchecked());
}

#[test]
fn loads_and_results_of_groups_are_unknown() {
    let k = kernel(None, vec![store(loaded(gid(), 5))]);
    assert_eq!(launch(&k, 4, [1 << 20, 4], 0).failing, [STORE]);
    let sum = Stmt::GroupReduce { var: 0, op: GroupOp::Max, value: lid(), site: 8 };
    let k = kernel(Some(64), vec![sum, store(var(0))]);
    let proof = launch(&k, 1, [1 << 20, 0], 0);
    assert!(!proof.unchecked() && !proof.narrow);
}

#[test]
fn extremes_bits_remainders_and_quotients_have_bounds() {
    let index = |e: Expr| kernel(None, vec![store(e)]);
    let unknown = || loaded(gid(), 5);
    assert!(needs(&index(op(Rem, unknown(), n())), 9, 7, 7));
    assert!(needs(&index(op(BitAnd, unknown(), int(15))), 9, 0, 16));
    assert!(needs(&index(op(Shr, unknown(), int(28))), 9, 0, 16));
    assert!(needs(&index(op(BitOr, gid(), int(8))), 8, 0, 16));
    let min = of(Type::Usize, ExprKind::Math(MathFn::Min, vec![unknown(), int(9)]));
    assert!(needs(&index(min), 9, 0, 10));
    // By 0, the quotient is 0, and so is the remainder.
    assert!(needs(&index(op(Div, unknown(), op(Mul, gid(), int(0)))), 9, 0, 1));
    assert!(!launch(&index(op(Rem, unknown(), n())), 9, [0, 9], 0).unchecked());
}

#[test]
fn arrays_and_views_are_checked_along_each_dimension() {
    let tile = |row: Expr, column: Expr| {
        let mut k = kernel(Some(64), Vec::new());
        k.arrays =
            vec![Array { name: "t".into(), ty: Type::F32, dims: vec![8, 9], space: Space::Shared }];
        let value = of(Type::F32, ExprKind::Float(0));
        let indices = vec![row, column];
        k.body = vec![Stmt::Store { buffer: Buffer::Array(0), indices, value, site: STORE }];
        launch(&k, 1, [0, 0], 0)
    };
    let (row, column) = (op(Div, lid(), int(8)), op(Rem, lid(), int(8)));
    assert!(tile(row.clone(), op(Add, column.clone(), int(1))).unchecked());
    // In the memory of the array, and in another row.
    assert!(!tile(row, op(Add, column, int(2))).unchecked());

    let mut k = kernel(None, Vec::new());
    k.params[0] =
        Param { name: "y".into(), kind: ParamKind::View { ty: Type::F32, rank: 2, mutable: true } };
    let value = of(Type::F32, ExprKind::Float(0));
    k.body = vec![Stmt::Store { buffer: Y, indices: vec![gid(), n()], value, site: STORE }];
    let view = |shape, strides: &[usize]| {
        let args = [Fact::View { shape, strides }, Fact::Len(0), Fact::Scalar(3_usize.into())];
        prove(&k, &LaunchFacts { domain: &[5], args: &args })
    };
    assert!(view(&[5, 4], &[4, 1]).unchecked() && view(&[5, 4], &[4, 1]).narrow);
    assert!(!view(&[4, 5], &[5, 1]).unchecked());
    assert!(!view(&[5, 3], &[3, 1]).unchecked());
    assert!(!view(&[5, 4], &[1 << 30, 1]).narrow, "the last element is beyond 32 bits");
}

#[test]
fn facts_of_another_kernel_prove_nothing() {
    let k = kernel(None, vec![store(gid()), store(n())]);
    let none = prove(&k, &LaunchFacts { domain: &[1], args: &[] });
    assert!(!none.unchecked() && !none.narrow);
    let args = [Fact::Len(9), Fact::Len(9), Fact::Scalar(3_u32.into())];
    assert!(!prove(&k, &LaunchFacts { domain: &[1], args: &args }).unchecked());
    let args = [Fact::Len(9), Fact::Len(9), Fact::Scalar(3_usize.into())];
    assert!(prove(&k, &LaunchFacts { domain: &[1], args: &args }).unchecked());
    assert!(!prove(&k, &LaunchFacts { domain: &[], args: &args }).unchecked());
}

#[test]
fn indices_of_32_bits_hold_every_value_of_the_launch() {
    let narrow = |e: Expr, n: usize| {
        launch(&kernel(None, vec![store(op(BitAnd, e, int(0)))]), 4, [1, 9], n).narrow
    };
    let top = u32::MAX as usize;
    assert!(narrow(n(), top) && !narrow(n(), top + 1));
    assert!(narrow(op(Add, n(), gid()), top - 3) && !narrow(op(Add, n(), gid()), top - 2));
    assert!(narrow(op(Sub, n(), gid()), 3) && !narrow(op(Sub, n(), gid()), 2), "below 0");
    assert!(!narrow(of(Type::Usize, ExprKind::Not(Box::new(n()))), 0));
    // Amounts of 32 and more mean something else in 32 bits.
    assert!(narrow(op(Shr, int(5), n()), 31) && !narrow(op(Shr, int(5), n()), 32));
    assert!(narrow(op(Shl, int(1), n()), 31) && !narrow(op(Shl, int(1), n()), 32));
    assert!(!narrow(op(Shr, int(5), loaded(gid(), 3)), 0));
}

#[test]
fn hidden_steps_need_32_bits_too() {
    let k = kernel(None, vec![store(int(0))]);
    assert!(launch(&k, 1 << 30, [1, 0], 0).narrow);
    assert!(!launch(&k, 1 << 31, [1, 0], 0).narrow, "the step beyond the domain");
    assert!(!launch(&k, 1, [1 << 32, 0], 0).narrow, "the length of a slice");
    let k = kernel(Some(64), vec![Stmt::ForGroup(0, n(), vec![store(int(0))])]);
    let last = (1 << 32) - 64;
    assert!(launch(&k, 1, [1, 0], last - 1).narrow && !launch(&k, 1, [1, 0], last).narrow);
}

#[test]
fn a_function_is_looked_at_with_its_arguments() {
    let mut k = kernel(None, Vec::new());
    let body = ringwood_ir::Kernel {
        name: "half".into(),
        params: vec![Param { name: "i".into(), kind: ParamKind::Scalar(Type::Usize) }],
        vars: vec![Variable { name: "h".into(), ty: Type::Usize }],
        body: vec![let_(0, op(Div, of(Type::Usize, ExprKind::Param(0)), int(2)))],
        result: Some(op(Sub, var(0), int(0))),
        ..ringwood_ir::Kernel::default()
    };
    k.functions = vec![ringwood_ir::Function {
        name: "half".into(),
        params: vec![Type::Usize],
        result: Type::Usize,
        body: Some(Box::new(body)),
    }];
    k.body = vec![store(of(Type::Usize, ExprKind::Call(0, vec![gid()])))];
    assert!(needs(&k, 20, 0, 10));
    k.functions[0].body = None;
    assert!(!launch(&k, 20, [1 << 40, 0], 0).unchecked());
}

/// The first of forty values holds, so none of the others can.
#[test]
fn a_long_chain_of_conditions_takes_a_time_of_its_length() {
    let equals = |value| op(Eq, n(), int(value));
    let any = (1..40).fold(equals(0), |any, value| op(Or, any, equals(value)));
    let k = kernel(None, vec![if_(any, vec![store(n())])]);
    assert!(launch(&k, 1, [1, 0], 0).unchecked());
    assert!(!launch(&k, 1, [39, 0], 39).unchecked());
}

/// Each condition is looked at several times for the one that it stands in.
#[test]
fn conditions_in_one_another_take_a_bounded_time() {
    let select = |c, a, b| of(Type::Usize, ExprKind::Select(Box::new(c), Box::new(a), Box::new(b)));
    let choice = |depth| (0..depth).fold(n(), |c, _| select(op(Lt, c, gid()), int(1), int(2)));
    let both = |c, value| op(And, c, op(Lt, n(), int(value)));
    let either = |c, value| op(Or, both(c, value), op(Eq, n(), int(value)));
    let turns = (0..30).fold(op(Lt, n(), int(9)), either);
    for c in [op(Lt, choice(16), gid()), turns] {
        let start = std::time::Instant::now();
        let k = kernel(None, vec![if_(c, vec![store(n())])]);
        assert!(!launch(&k, 1, [1, 0], 1).unchecked());
        assert!(start.elapsed().as_secs() < 20, "{:?}", start.elapsed());
    }
    let few = op(Lt, choice(4), int(2));
    let k = kernel(None, vec![if_(few, vec![store(gid())])]);
    assert!(launch(&k, 7, [7, 0], 7).unchecked());
}

/// A launch may have another domain than the one that was declared.
#[test]
fn a_domain_of_numbers_is_required_of_launches() {
    let k = kernel(None, vec![store(int(0))]);
    let requires = requirements(&k, &[int(1)]).ok().expect("one work-item stores");
    let one = |e: &Expr| match &e.kind {
        ExprKind::Binary(Eq, a, b) => {
            (&a.kind, &b.kind) == (&ExprKind::Extent(0), &ExprKind::Int(1))
        }
        _ => false,
    };
    assert!(requires.iter().any(one), "{requires:?}");
    assert!(requirements(&k, &[n()]).is_err());
}
