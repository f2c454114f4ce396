use super::*;
use crate::prove::Fact;
use crate::tests::saxpy;
use crate::{Array, ExprKind, Kernel, Space, Stmt, Type, decode};

fn floats(values: &[f32]) -> Argument {
    Argument::Slice(values.iter().map(|v| Value::F32(*v)).collect())
}

fn words(values: &[u32]) -> Argument {
    Argument::Slice(values.iter().map(|v| Value::U32(*v)).collect())
}

/// A group kernel of eight work-items over `y: &mut [u32]`, with the arrays, variables and statements
/// of a text.
fn group(tables: &str, body: &str) -> Kernel {
    let text = format!("kir2 k 1 n 3 8 1 1 1 y m u32 {tables} 0 0 {body} void");
    decode(&text).unwrap_or_else(|e| panic!("{e}: {text}"))
}

fn run(kernel: &Kernel, groups: usize, y: &[u32]) -> Result<Vec<u32>, Refusal> {
    let mut args = [words(y)];
    assert_eq!(grid(kernel, &[groups], &mut args, 10_000)?, None);
    let Argument::Slice(values) = &args[0] else { panic!("a slice stays one") };
    Ok(values.iter().map(|v| if let Value::U32(v) = v { *v } else { panic!("{v}") }).collect())
}

const LID: &str = "lid usize:0 0";
/// The index of the work-item in the launch.
const GID: &str = "+ usize:0 lid usize:0 0 * usize:0 grp usize:0 0 i usize:0 8";

#[test]
fn a_grid_kernel_runs_every_work_item() {
    let mut args = [Argument::Scalar(Value::F32(2.0)), floats(&[1.0, 2.0]), floats(&[5.0, 7.0])];
    assert_eq!(grid(&saxpy(), &[2], &mut args, 100), Ok(None));
    assert_eq!(args[2], floats(&[7.0, 11.0]));
}

#[test]
fn an_access_out_of_bounds_reads_zero_and_the_first_one_is_reported() {
    let mut args = [Argument::Scalar(Value::F32(2.0)), floats(&[1.0]), floats(&[5.0, 7.0])];
    let fault = grid(&saxpy(), &[3], &mut args, 100).unwrap();
    assert_eq!(fault, Some(OutOfBounds { site: 4, index: 1, len: 1 }));
    assert_eq!(args[2], floats(&[7.0, 7.0]));
}

#[test]
fn wrong_arguments_and_endless_runs_are_refused() {
    let mut args = [floats(&[1.0])];
    assert!(matches!(grid(&saxpy(), &[1], &mut args, 9), Err(Refusal::Arguments(_))));
    let mut args = [Argument::Scalar(Value::F64(2.0)), floats(&[]), floats(&[])];
    assert!(matches!(grid(&saxpy(), &[1], &mut args, 9), Err(Refusal::Arguments(_))));
    let mut args = [Argument::Scalar(Value::F32(2.0)), floats(&[1.0]), floats(&[5.0])];
    assert_eq!(grid(&saxpy(), &[1], &mut args, 1), Err(Refusal::Steps));
}

/// `t[lid] = y[gid]; barrier; y[gid] = t[7 - lid]`, with or without the barrier.
fn reverse(barrier: &str) -> Kernel {
    group(
        "1 t g u32 1 8 0",
        &format!(
            "3 st a0 1 1 {LID} ld u32:2 p0 1 {GID} {barrier} \
             st p0 4 1 {GID} ld u32:5 a0 1 - usize:0 i usize:0 7 {LID}"
        ),
    )
}

#[test]
fn writes_to_a_shared_array_are_visible_after_a_barrier() {
    let y: Vec<u32> = (0..16).collect();
    let expected: Vec<u32> = (0..8).rev().chain((8..16).rev()).collect();
    assert_eq!(run(&reverse("barrier 3"), 2, &y), Ok(expected));
}

#[test]
fn without_a_barrier_they_race_and_both_sites_are_named() {
    // Something in the place of the barrier.
    let Err(Refusal::Race(race)) = run(&reverse("if b bool:3 0 0 0"), 1, &[1; 8]) else {
        panic!("no race");
    };
    assert_eq!((race.buffer.as_str(), race.element), ("t", 7));
    assert_eq!((race.first.site, race.first.lane, race.first.kind), (1, 7, AccessKind::Write));
    assert_eq!((race.second.site, race.second.lane, race.second.kind), (5, 0, AccessKind::Read));
    let text = race.to_string();
    assert!(text.contains("element 7 of `t`") && text.contains("site 5"), "{text}");
}

#[test]
fn groups_race_whatever_their_barriers() {
    // Every group writes its own sum to the same element.
    let kernel = group(
        "0 1 s u32",
        "3 sum 0 1 i u32:2 1 barrier 3 if == bool:0 lid usize:0 0 i usize:0 0 \
         1 st p0 4 1 i usize:0 0 v u32:5 0 0",
    );
    assert_eq!(run(&kernel, 1, &[0]), Ok(vec![8]));
    let Err(Refusal::Race(race)) = run(&kernel, 2, &[0]) else { panic!("no race") };
    assert_eq!((race.first.group, race.second.group, race.second.site), (0, 1, 4));
    let racy = Kernel { modes: crate::Modes { racy: true, ..kernel.modes }, ..kernel };
    assert_eq!(run(&racy, 2, &[0]), Ok(vec![8]));
}

#[test]
fn a_shared_element_that_nobody_wrote_is_no_value() {
    let kernel = group("1 t g u32 1 8 0", &format!("1 st p0 1 1 {GID} ld u32:2 a0 1 {LID}"));
    let refusal = run(&kernel, 1, &[0; 8]).unwrap_err();
    assert_eq!(refusal, Refusal::Unwritten { array: "t".into(), site: 2 });
}

/// The kernel with `lid` in place of `grp`, which the checker refuses where a group must agree.
fn diverge(mut kernel: Kernel) -> Kernel {
    fn expr(e: &mut Expr) {
        if let ExprKind::Group(d) = e.kind {
            e.kind = ExprKind::Lid(d);
        }
        e.operands_mut().into_iter().for_each(expr);
    }
    fn block(body: &mut [Stmt]) {
        for stmt in body {
            stmt.exprs_mut().into_iter().for_each(expr);
            stmt.bodies_mut().into_iter().for_each(|body| block(body));
        }
    }
    block(&mut kernel.body);
    kernel
}

#[test]
fn a_barrier_that_some_work_items_miss_is_refused() {
    let refusal = |tables, body: &str| {
        let kernel = group(tables, &format!("1 {body}"));
        assert_eq!(run(&kernel, 1, &[]), Ok(vec![]));
        run(&diverge(kernel), 1, &[]).unwrap_err()
    };
    let first_half = "if < bool:0 grp usize:0 0 i usize:0 4";
    let half = format!("{first_half} 1 barrier 9 0");
    assert_eq!(refusal("0 0", &half), Refusal::Divergent { site: 9 });
    // Everyone meets as many barriers, but not the same ones.
    let both = format!("{first_half} 1 barrier 9 1 barrier 8");
    assert_eq!(refusal("0 0", &both), Refusal::Divergent { site: 9 });
    let turns = "for 0 i usize:0 0 grp usize:0 0 1 barrier 7";
    assert_eq!(refusal("0 1 i usize", turns), Refusal::Divergent { site: 7 });
    assert_eq!(refusal("0 1 k usize", "share 0 grp usize:5 0 0"), Refusal::Uneven { site: 5 });
}

#[test]
fn a_reduction_combines_by_the_pinned_tree() {
    // The function 2 a + b shows the order: at each level the lower half counts twice.
    let tree = "kir2 k 1 n 3 8 1 1 1 y m u32 0 1 r u32 \
        1 f 2 u32 u32 u32 + f 0 - 0 2 a s u32 b s u32 0 0 0 0 0 + u32:0 * u32:0 p u32:0 0 i u32:0 2 p u32:0 1 \
        0 2 combine 0 1 0 as u32:0 lid usize:0 0 st p0 2 1 lid usize:0 0 v u32:0 0 void";
    let text = tree.replace("combine 0 1 0", "combine 0 0 1");
    let kernel = decode(&text).unwrap_or_else(|e| panic!("{e}"));
    let f = |a: u32, b: u32| 2 * a + b;
    let (a, b, c, d) = (f(0, 4), f(1, 5), f(2, 6), f(3, 7));
    assert_eq!(run(&kernel, 1, &[0; 8]), Ok(vec![f(f(a, c), f(b, d)); 8]));
}

#[test]
fn a_shared_loop_gives_each_work_item_its_share() {
    let kernel = group(
        "0 1 k usize",
        "1 share 0 len usize:0 p0 1 st p0 1 1 v usize:0 0 as u32:0 lid usize:0 0",
    );
    let expected: Vec<u32> = (0..19).map(|k| k % 8).collect();
    assert_eq!(run(&kernel, 1, &[9; 19]), Ok(expected));
    assert_eq!(run(&kernel, 1, &[]), Ok(vec![]));
}

#[test]
fn work_items_leave_loops_one_by_one() {
    // The count of odd numbers below `lid`, by `continue` and `break`.
    let kernel = group(
        "0 2 n u32 i usize",
        &format!(
            "3 let 0 i u32:0 0 for 1 i usize:0 0 i usize:0 100 3 \
             if >= bool:0 v usize:0 1 {LID} 1 break 0 \
             if == bool:0 % usize:0 v usize:0 1 i usize:0 2 i usize:0 0 1 continue 0 \
             set 0 + u32:0 v u32:0 0 i u32:0 1 \
             st p0 1 1 {GID} v u32:0 0"
        ),
    );
    assert_eq!(run(&kernel, 1, &[9; 8]), Ok(vec![0, 0, 1, 1, 2, 2, 3, 3]));
}

#[test]
fn atomic_operations_meet_without_a_race() {
    let add = "atomic add p0 1 1 i usize:0 0 as u32:0 lid usize:0 0 into 0";
    let kernel = group("0 1 o u32", &format!("1 {add}"));
    assert_eq!(run(&kernel, 2, &[5]), Ok(vec![5 + 2 * 28]));
    // A plain read of the same epoch does race.
    let read = group("0 1 o u32", &format!("2 {add} let 0 ld u32:2 p0 1 i usize:0 0"));
    assert!(matches!(run(&read, 1, &[5]), Err(Refusal::Race(_))));
    let swap = "atomic compare_exchange p0 1 1 i usize:0 0 i u32:0 5 as u32:0 lid usize:0 0 into 0";
    assert_eq!(run(&group("0 1 o u32", &format!("1 {swap}")), 1, &[5]), Ok(vec![0]));
    let outside = "atomic max p0 6 1 i usize:0 3 i u32:0 5 drop";
    let mut args = [words(&[1])];
    let fault = grid(&group("0 0", &format!("1 {outside}")), &[1], &mut args, 99);
    assert_eq!(fault, Ok(Some(OutOfBounds { site: 6, index: 3, len: 1 })));
}

#[test]
fn every_work_item_has_local_arrays_of_its_own() {
    let kernel = group(
        "1 t l u32 2 2 3 0",
        &format!(
            "3 fill 0 as u32:0 {LID} st a0 1 2 i usize:0 1 i usize:0 2 i u32:0 50 \
             st p0 2 1 {GID} + u32:0 ld u32:3 a0 2 i usize:0 1 i usize:0 2 ld u32:4 a0 2 i usize:0 1 i usize:0 1"
        ),
    );
    assert_eq!(run(&kernel, 1, &[0; 8]), Ok((50..58).collect()));
    let outside = group(
        "1 t l u32 2 2 3 0",
        "2 fill 0 i u32:0 1 st a0 1 2 i usize:0 1 i usize:0 3 i u32:0 0",
    );
    let fault = grid(&outside, &[1], &mut [words(&[])], 99);
    assert_eq!(fault, Ok(Some(OutOfBounds { site: 1, index: 3, len: 3 })));
}

#[test]
fn a_view_reaches_its_elements_by_its_strides() {
    let text = "kir2 t 2 - 0 2 x vc f32 2 y vm f32 2 0 0 0 1 == bool:0 dim usize:0 p0 0 dim usize:0 p1 1 \
        1 st p1 1 2 gid usize:0 1 gid usize:0 0 ld f32:2 p0 2 gid usize:0 0 gid usize:0 1 void";
    let kernel = decode(text).unwrap_or_else(|e| panic!("{e}"));
    let view = |elements: Argument, offset, shape: [usize; 2], strides: [usize; 2]| {
        let Argument::Slice(elements) = elements else { panic!("a slice") };
        let (shape, strides) = (shape.into(), strides.into());
        Argument::View { elements, offset, shape, strides }
    };
    let x = || view(floats(&[0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0]), 1, [2, 3], [3, 1]);
    let mut args = [x(), view(floats(&[0.0; 6]), 0, [3, 2], [2, 1])];
    assert_eq!(grid(&kernel, &[3, 2], &mut args, 99), Ok(None));
    assert_eq!(args[1], view(floats(&[1.0, 4.0, 2.0, 5.0, 3.0, 6.0]), 0, [3, 2], [2, 1]));
    // All elements of a broadcast result are one.
    let mut args = [x(), view(floats(&[0.0]), 0, [3, 2], [0, 0])];
    assert!(matches!(grid(&kernel, &[3, 2], &mut args, 99), Err(Refusal::Race(_))));
    let mut args = [x(), view(floats(&[0.0; 5]), 0, [3, 2], [2, 1])];
    assert!(matches!(grid(&kernel, &[3, 2], &mut args, 99), Err(Refusal::Arguments(_))));
    let broken = |shape: &[usize]| {
        let view = |shape| Fact::View { shape, strides: &[1, 1] };
        let args = [view(&[2, 3]), view(shape)];
        broken_requirement(&kernel, &LaunchFacts { domain: &[3, 2], args: &args })
    };
    assert_eq!((broken(&[3, 3]), broken(&[3, 2])), (Some(0), None));
}

#[test]
fn to_look_at_requirements_takes_no_memory_for_arrays() {
    let mut kernel = saxpy();
    let (name, dims) = ("t".to_owned(), vec![u32::MAX; 2]);
    kernel.arrays.push(Array { name, ty: Type::F32, dims, space: Space::Shared });
    let args = [Fact::Scalar(Value::F32(2.0)), Fact::Len(8), Fact::Len(8)];
    assert_eq!(broken_requirement(&kernel, &LaunchFacts { domain: &[8], args: &args }), None);
}

#[test]
fn without_work_items_only_what_the_declaration_requires_counts() {
    let mut kernel = saxpy();
    let store = (0..99).find(|site| kernel.slice_at(*site) == Some("y")).unwrap();
    let args = [Fact::Scalar(Value::F32(2.0)), Fact::Len(8), Fact::Len(8)];
    for (site, empty) in [(store, None), (u32::MAX, Some(0))] {
        let (zero, one) = (Expr::index(0, site), Expr::index(1, site));
        kernel.requires = vec![Expr::binary(BinaryOp::Gt, zero, one, site)];
        let broken =
            |domain: &[usize]| broken_requirement(&kernel, &LaunchFacts { domain, args: &args });
        assert_eq!((broken(&[8]), broken(&[0])), (Some(0), empty));
        let mut slices = [Argument::Scalar(Value::F32(2.0)), floats(&[1.0]), floats(&[1.0])];
        let ran = grid(&kernel, &[0], &mut slices, 99);
        assert_eq!(ran, empty.map_or(Ok(None), |i| Err(Refusal::Requirement(i))));
    }
}

#[test]
fn a_function_that_was_not_found_is_named() {
    let text = "kir2 m 0 - 0 1 a s f32 0 0 1 g 1 f32 f32 - 0 0 call f32:0 0 1 p f32:0 0";
    let kernel = decode(text).unwrap_or_else(|e| panic!("{e}"));
    let refusal = map(&kernel, &[Value::F32(1.0)], 9).unwrap_err();
    assert!(refusal.to_string().contains("`g` was not found"), "{refusal}");
}
