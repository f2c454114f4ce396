//! What a launch is refused for.

use super::*;
use ringwood_base::{Scalar, ScalarType};

const fn slice(name: &'static str, mutable: bool) -> Param {
    Param { name, kind: ParamKind::Slice { dtype: DType::U32, mutable } }
}

const A: Param = Param { name: "a", kind: ParamKind::Scalar(ScalarType::F32) };
const X: Param = slice("x", false);
const Y: Param = slice("y", true);

/// Requires `x.len() == y.len() && a > 0`.
const PAIRED: &str = "kir2 paired 1 - 0 3 a s f32 x c u32 y m u32 0 0 0 1 \
    && bool:0 == bool:0 len usize:0 p1 len usize:0 p2 > bool:0 p f32:0 0 f f32:0 0 \
    1 st p2 1 1 gid usize:2 0 ld u32:3 p1 1 gid usize:4 0 void";

fn at<'a>(offset: usize, elements: usize, strides: Option<&'a [usize]>) -> Arg<'a, ()> {
    let region = Region { memory: &(), offset: offset * 4, bytes: elements * 4 };
    Arg::Slice { region, strides }
}

fn dense(offset: usize, elements: usize) -> Arg<'static, ()> {
    at(offset, elements, None)
}

fn code(form: Form, params: &[Param], ir: Option<&str>) -> Code<()> {
    let spec = KernelSpec { ir, file: "k.rs", line: 7, ..KernelSpec::new("probe", form, params) };
    Code::new(Kernel::from(&spec), ()).unwrap()
}

fn launch(form: Form, params: &[Param], args: &[Arg<'_, ()>], domain: &[usize]) -> Result<()> {
    let domain = Shape::new(domain)?;
    code(form, params, None).launch(domain, args.iter().copied()).map(drop)
}

#[test]
fn arguments_of_the_wrong_number_or_kind_are_refused() {
    let refused = |params: &[Param], args: &[Arg<'_, ()>]| {
        launch(Form::Grid, params, args, &[4]).unwrap_err().to_string()
    };
    let (one, long) = (Arg::Scalar(Scalar::F32(1.0)), Arg::Scalar(Scalar::F64(1.0)));
    assert!(refused(&[X, Y], &[dense(0, 4)]).contains("takes 2 arguments (x, y), got 1"));
    assert!(refused(&[Y], &[one]).contains("`y` is &mut [u32], got a scalar"));
    assert!(refused(&[A], &[long]).contains("`a` is f32, got f64"));
    assert!(refused(&[A], &[dense(0, 4)]).contains("`a` is f32, got a slice"));
    assert!(refused(&[Y], &[at(0, 4, Some(&[1]))]).contains("`y` takes strides in a map alone"));
    let region = Region { memory: &(), offset: 2, bytes: 4 };
    let text = refused(&[Y], &[Arg::Slice { region, strides: None }]);
    assert!(text.contains("`y` is not a whole number of u32 elements"), "{text}");
    assert!(launch(Form::Grid, &[A, Y], &[one, dense(0, 4)], &[4]).is_ok());
}

#[test]
fn a_view_fits_its_rank_and_its_memory() {
    let view =
        Param { name: "v", kind: ParamKind::View { dtype: DType::U32, rank: 2, mutable: true } };
    let shape = |strides| StridedShape::new(Shape::new(&[4, 4]).unwrap(), strides).unwrap();
    let (whole, far, meeting) = (shape(&[4, 1]), shape(&[5, 1]), shape(&[1, 1]));
    let row = StridedShape::dense(Shape::vector(4));
    let region = Region { memory: &(), offset: 0, bytes: 64 };
    let run = |shape| launch(Form::Grid, &[view], &[Arg::View { region, shape }], &[4, 4]);
    run(&whole).unwrap();
    assert_eq!(
        [run(&far), run(&meeting), run(&row)].map(|r| r.unwrap_err().kind()),
        [ErrorKind::Shape; 3]
    );
    let error = launch(Form::Grid, &[view], &[dense(0, 16)], &[4, 4]).unwrap_err();
    assert!(error.message().contains("got a slice"), "{error}");
}

#[test]
fn what_a_kernel_writes_overlaps_nothing_else() {
    let run = |form, params: &[Param], args: &[Arg<'_, ()>]| launch(form, params, args, &[8]);
    for form in [Form::Grid, Form::Map] {
        let error = run(form, &[X, Y], &[dense(0, 8), dense(4, 8)]).unwrap_err();
        assert!(
            error.message().contains("`probe` writes memory that argument 0 shares"),
            "{error}"
        );
        run(form, &[X, Y], &[dense(0, 8), dense(8, 8)]).unwrap();
    }
    let same = [dense(0, 8), dense(0, 8)];
    run(Form::Map, &[X, Y], &same).unwrap();
    assert!(run(Form::Map, &[Y, Y], &same).is_err(), "two results in one place");
    assert!(run(Form::Grid, &[X, Y], &same).is_err(), "a grid is not element-wise");
    run(Form::Grid, &[X, X], &same).unwrap();
    let broadcast = [at(0, 8, Some(&[0])), dense(0, 8)];
    assert!(run(Form::Map, &[X, Y], &broadcast).is_err(), "other elements in place");
}

#[test]
fn the_strides_of_a_map_stay_inside_and_apart() {
    let map = |x: &[usize], y: &[usize]| {
        launch(Form::Map, &[X, Y], &[at(0, 4, Some(x)), at(4, 6, Some(y))], &[2, 3])
            .map_err(|e| e.message().to_owned())
    };
    map(&[0, 1], &[3, 1]).unwrap();
    map(&[1, 0], &[1, 2]).unwrap();
    assert!(map(&[3, 1], &[3, 1]).unwrap_err().contains("`x` has 4 elements"));
    assert!(map(&[0, 0], &[0, 1]).unwrap_err().contains("`y` is written, and its steps repeat"));
    assert!(map(&[0, 0], &[2, 1]).unwrap_err().contains("`y` is written, and its steps repeat"));
    assert!(map(&[0, usize::MAX], &[3, 1]).is_err());
    assert!(map(&[1], &[3, 1]).unwrap_err().contains("1 steps for the 2 dimensions"));
    let short = launch(Form::Map, &[X, Y], &[dense(0, 5), dense(8, 6)], &[2, 3]).unwrap_err();
    assert!(short.message().contains("`x` has 5 elements for the 6 points"), "{short}");
}

#[test]
fn a_broken_requirement_is_refused_with_both_values_and_the_declaration() {
    let code = code(Form::Grid, &[A, X, Y], Some(PAIRED));
    let run = |a: f32, x, y| {
        let args = [Arg::Scalar(Scalar::F32(a)), dense(0, x), dense(100, y)];
        code.launch(Shape::vector(y), args).map(|launch| launch.in_bounds())
    };
    assert!(run(1.0, 4, 4).unwrap());
    let error = run(1.0, 8, 4).unwrap_err();
    assert_eq!(
        (error.kind(), error.get("declared at")),
        (ErrorKind::InvalidArgument, Some("k.rs:7"))
    );
    let text = error.message();
    assert!(text.contains("x.len() == y.len()") && text.ends_with("launch: 8 and 4"), "{text}");
    let error = run(-2.0, 4, 4).unwrap_err();
    assert!(error.message().ends_with("launch: -2.0 and 0.0"), "{error}");
    assert!(run(1.0, 4, 4).unwrap());
    assert!(run(1.0, 8, 0).is_err(), "also where nothing would run");
    let error = code.launch(
        Shape::new(&[2, 2]).unwrap(),
        [Arg::Scalar(Scalar::F32(1.0)), dense(0, 4), dense(8, 4)],
    );
    assert!(error.err().unwrap().message().contains("rank 1"));
}
