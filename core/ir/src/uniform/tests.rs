use super::*;
use crate::{Array, BinaryOp, GroupOp, Param, ParamKind, Type, Variable, check};

fn usize_expr(kind: ExprKind, site: u32) -> Expr {
    Expr { kind, ty: Type::Usize, site }
}

fn lid(site: u32) -> Expr {
    usize_expr(ExprKind::Lid(0), site)
}

fn group(site: u32) -> Expr {
    usize_expr(ExprKind::Group(0), site)
}

fn var(v: u32, site: u32) -> Expr {
    usize_expr(ExprKind::Var(v), site)
}

fn below_four(e: Expr) -> Expr {
    Expr::binary(BinaryOp::Lt, e, Expr::index(4, 90), 91)
}

/// A group kernel with three `usize` variables, a local and a shared array and a slice.
fn kernel(body: Vec<Stmt>) -> Kernel {
    let array =
        |name: &str, space| Array { name: name.into(), ty: Type::I32, dims: vec![8], space };
    let slice = ParamKind::Slice { ty: Type::I32, mutable: true };
    Kernel {
        name: "k".into(),
        rank: 1,
        group: Some([8, 1, 1]),
        params: vec![Param { name: "x".into(), kind: slice }],
        arrays: vec![array("own", Space::Local), array("tile", Space::Shared)],
        vars: ["a", "b", "c"].map(|name| Variable { name: name.into(), ty: Type::Usize }).to_vec(),
        body,
        ..Kernel::default()
    }
}

fn varying(body: Vec<Stmt>) -> Vec<u32> {
    let uniformity = Uniformity::of(&kernel(body));
    (0..3).filter(|v| !uniformity.var(*v)).collect()
}

#[test]
fn a_variable_varies_with_its_values_and_with_the_control_around_them() {
    let one = || Expr::index(1, 0);
    assert_eq!(varying(vec![Stmt::Let(0, lid(0)), Stmt::Let(1, group(1))]), [0]);
    let under = |c| {
        vec![
            Stmt::Let(0, one()),
            Stmt::If(below_four(c), vec![Stmt::Assign(0, one())], vec![]),
            Stmt::Let(1, var(0, 5)),
        ]
    };
    assert_eq!(varying(under(lid(0))), [0, 1]);
    assert_eq!(varying(under(group(0))), [0; 0]);
    // The value flows backwards through a loop: `b` is `a` of the turn before.
    let around = vec![
        Stmt::Let(0, one()),
        Stmt::Let(1, one()),
        Stmt::For(2, one(), group(0), vec![Stmt::Assign(1, var(0, 1)), Stmt::Assign(0, lid(2))]),
    ];
    assert_eq!(varying(around), [0, 1]);
}

#[test]
fn a_loop_that_some_leave_early_varies() {
    let leave = |c| {
        vec![
            Stmt::Let(0, Expr::index(0, 0)),
            Stmt::For(
                1,
                Expr::index(0, 1),
                Expr::index(9, 2),
                vec![
                    Stmt::If(below_four(c), vec![Stmt::Break], vec![]),
                    Stmt::Assign(0, var(1, 3)),
                ],
            ),
        ]
    };
    assert_eq!(varying(leave(lid(7))), [0, 1]);
    assert_eq!(varying(leave(group(7))), [0; 0]);
}

#[test]
fn loads_of_own_elements_and_of_changing_ones_vary() {
    let load = |buffer, index| {
        usize_expr(
            ExprKind::Cast(Box::new(Expr {
                kind: ExprKind::Load(buffer, vec![index]),
                ty: Type::I32,
                site: 0,
            })),
            1,
        )
    };
    let mut k = kernel(vec![
        Stmt::Let(0, load(Buffer::Array(1), group(0))),
        Stmt::Let(1, load(Buffer::Array(1), lid(0))),
        Stmt::Let(2, load(Buffer::Param(0), group(0))),
    ]);
    let vars = |k: &Kernel| {
        let uniformity = Uniformity::of(k);
        [0, 1, 2].map(|v| uniformity.var(v))
    };
    assert_eq!(vars(&k), [true, false, true]);
    k.modes.racy = true;
    assert_eq!(vars(&k), [false, false, false]);
    assert_eq!(varying(vec![Stmt::Let(0, load(Buffer::Array(0), group(0)))]), [0]);
}

#[test]
fn group_operations_give_uniform_values_and_reject_divergence() {
    let sum = |v, value| Stmt::GroupReduce { var: v, op: GroupOp::Sum, value, site: 40 };
    let fine = kernel(vec![
        sum(0, lid(1)),
        Stmt::While(below_four(var(0, 2)), vec![Stmt::Barrier(41), Stmt::Assign(0, group(3))]),
    ]);
    assert_eq!(Uniformity::of(&fine).divergences(), []);
    assert_eq!(check(&fine), Ok(()));

    let wrong = kernel(vec![
        Stmt::Let(0, lid(1)),
        Stmt::If(below_four(var(0, 12)), vec![Stmt::Barrier(41)], vec![sum(1, lid(2))]),
        Stmt::ForGroup(2, var(0, 13), vec![]),
    ]);
    let divergence = |operation, value| Divergence { operation, value };
    assert_eq!(
        Uniformity::of(&wrong).divergences(),
        [divergence(41, 12), divergence(40, 12), divergence(13, 13)]
    );
    assert_eq!(check(&wrong).unwrap_err().site, 41);
}

#[test]
fn rows_of_a_grid_and_thin_groups_are_uniform() {
    let mut k = kernel(vec![Stmt::Let(0, lid(0)), Stmt::Let(1, usize_expr(ExprKind::Lid(1), 0))]);
    k.rank = 2;
    let uniformity = Uniformity::of(&k);
    assert!(!uniformity.var(0) && uniformity.var(1));
    k.group = None;
    k.body = vec![
        Stmt::Let(0, usize_expr(ExprKind::Gid(0), 0)),
        Stmt::Let(1, usize_expr(ExprKind::Gid(1), 0)),
    ];
    let uniformity = Uniformity::of(&k);
    assert!(!uniformity.var(0) && uniformity.var(1));
    assert!(uniformity.expr(&var(1, 0)) && !uniformity.expr(&var(0, 0)));
}
