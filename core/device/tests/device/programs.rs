//! What a program declares and launches, checked when it is compiled.

use crate::kernels::{ADD, SAXPY};
use crate::routines::{X, Y, Z, append, at, holding, merge, program, root, run};
use crate::{device, fails, shape};
use ringwood_base::registry::EntryMeta;
use ringwood_base::{DType, ErrorKind, ScalarType, Shape};
use ringwood_device::device::{Kernel, LaunchProgram, Role, StepArg, StepKernel, Symbol};
use ringwood_device::kernel::{Form, Instance, KernelDef, KernelSpec, Operands, Param, ParamKind};

#[test]
fn programs_that_make_no_sense_are_refused_at_compile() {
    let device = device("toy:0");
    let known = Kernel::new(&ADD, &ADD.instances[0]);
    let given = || program("odd", &[(X, Role::Given), (Y, Role::Given)]);
    let refused = |program, needle: &str| fails(device.compile(program), needle);
    let error = refused(given().launch(known.clone(), [X, Z, Y]), "node n2 is not declared");
    assert_eq!((error.get("routine"), error.get("step")), (Some("odd"), Some("0")));
    assert_eq!((error.get("kernel"), error.get("parameter")), (Some("add"), Some("y")));
    assert!(error.to_string().contains("`given`, `working`, `scratch` or `constant`"), "{error}");
    refused(given().launch("add", [X, Z, Y]), "node n2 is not declared");
    for count in [known.into(), "add".into()].map(|kernel: StepKernel| given().launch(kernel, [X]))
    {
        refused(count, "takes 3 arguments (x, y, out), the step has 1");
    }
    let error = refused(given().launch("ad", [X, Y, X]), "did you mean `add`");
    assert_eq!((error.get("kernel"), error.get("step")), (Some("ad"), Some("0")));
    refused(given().launch("elsewhere", [X]), "no kernel `elsewhere` for device `toy`");
    let scalar = given().launch("add", (X, 1.0_f32, Y));
    let error = refused(scalar, "the parameter is `&[f32]`, the step gives 1");
    assert_eq!(error.get("parameter"), Some("y"));
    let scale = |a: StepArg| given().launch("scale", (a, Y));
    let error = refused(scale(1.0_f64.into()), "the parameter is `f32`, the step gives 1");
    assert_eq!(error.get("parameter"), Some("a"));
    refused(scale(StepArg::symbol("i")), "symbol `i` is not declared");
    let saxpy = Kernel::new(&SAXPY, &SAXPY.instances[0]);
    let aliased = given().launch(saxpy, (1.0_f32, Y, StepArg::Node(Y)));
    refused(aliased, "written and is argument 1 too");
    let slots = (StepArg::Merge(X), StepArg::Merge(Y), X);
    refused(given().launch("add", slots), "merges one node, this one merges n0 and n1");
    let slot = (X, Y, StepArg::Merge(X));
    refused(given().launch("add", slot), "only read");
    let twice = given().given(X, "again", Shape::vector(4), DType::F32);
    refused(twice, "node n0 is declared twice, as `x` and `again`");
    let unset = program("odd", &[(X, Role::Given), (Z, Role::Scratch)]);
    let unset = unset.launch("add", [X, Z, X]);
    refused(unset, "scratch node `z` is read before it is written");
    let doubles = LaunchProgram::new("odd").given(X, "x", Shape::vector(4), DType::F64);
    let error = refused(doubles.clone().launch("add", [X; 3]), "no instance for (f64, f64, f64)");
    assert_eq!(error.kind(), ErrorKind::DType);
    let known = Kernel::new(&ADD, &ADD.instances[0]);
    let error = refused(doubles.launch(known, [X; 3]), "is f64");
    assert_eq!(error.kind(), ErrorKind::DType);
    let long = given().scratch(Z, "z", Shape::vector(5), DType::F32);
    let error =
        refused(long.clone().launch("add", [X, Y, Z]), "inputs of [4], but a result of [5]");
    assert_eq!((error.kind(), error.get("kernel")), (ErrorKind::Shape, Some("add")));
    refused(long.launch("add", [X, Z, Y]), "[5]");
}

#[test]
fn inputs_of_maps_broadcast() {
    let device = device("toy:0");
    let (row, column) = (shape(&[1, 3]), shape(&[2, 1]));
    let program = LaunchProgram::new("outer")
        .given(X, "row", row, DType::F32)
        .given(Y, "column", column, DType::F32)
        .scratch(Z, "z", shape(&[2, 3]), DType::F32)
        .launch("add", [X, Y, Z]);
    let (row, column) = (
        device.tensor_with(&[1.0_f32, 2.0, 3.0], row).unwrap(),
        device.tensor_with(&[10.0_f32, 20.0], column).unwrap(),
    );
    let context = root(&device).with_all([(X, &row), (Y, &column)]).unwrap();
    let routine = context.link(&device.compile(program).unwrap()).unwrap();
    run(&routine);
    assert_eq!(at(routine.context(), Z), [11.0, 12.0, 13.0, 21.0, 22.0, 23.0]);
}

#[test]
fn constants_hold_their_elements_and_are_only_read() {
    for name in ["toy:0", "shared:0"] {
        let device = device(name);
        let constant = |elements: &[f32]| {
            let given = program("plus", &[(X, Role::Given), (Z, Role::Scratch)]);
            given.constant(Y, "y", Shape::vector(4), elements).launch("add", [X, Y, Z])
        };
        let compiled = device.compile(constant(&[1.0, 2.0, 3.0, 4.0])).unwrap();
        let routine = holding(&device, 10.0).link(&compiled).unwrap();
        run(&routine);
        assert_eq!(at(routine.context(), Z), [11.0, 12.0, 13.0, 14.0]);
        // What the context holds goes first, as for working memory.
        let held = holding(&device, 10.0).with(Y, &device.tensor(&[0.0_f32; 4]).unwrap()).unwrap();
        let routine = held.link(&compiled).unwrap();
        run(&routine);
        assert_eq!(at(routine.context(), Z), [10.0; 4]);
        let short = fails(device.compile(constant(&[1.0; 3])), "constant `y` of shape [4] takes 4");
        assert_eq!((short.kind(), short.get("routine")), (ErrorKind::Shape, Some("plus")));
        let written = constant(&[1.0; 4]).launch("fail", [Y]);
        fails(device.compile(written), "constant `y` is written");
        let kind = ParamKind::View { dtype: DType::F32, rank: 1, mutable: true };
        let params = [Param { name: "y", kind }];
        let clears = Kernel::from(&KernelSpec::new("clears", Form::Host, &params));
        let written = constant(&[1.0; 4]).launch(clears, [Y]);
        fails(device.compile(written), "constant `y` is written");
    }
}

/// Would run over as many points as its argument says.
static COUNTED: KernelDef = KernelDef {
    meta: EntryMeta {
        package: "tests",
        name: "points",
        module_path: "programs",
        file: "programs.rs",
        line: 1,
    },
    form: Form::Grid,
    devices: &["toy"],
    instances: &[Instance {
        domain: Some(|operands| Ok(Shape::vector(Operands(operands).scalar::<usize>(0)?))),
        rank: 1,
        ..Instance::new(&[
            Param { name: "n", kind: ParamKind::Scalar(ScalarType::Usize) },
            Param { name: "y", kind: ParamKind::Slice { dtype: DType::F32, mutable: true } },
        ])
    }],
};

#[test]
fn a_domain_depends_on_no_symbol() {
    let device = device("toy:0");
    let program = program("points", &[(Y, Role::Working)])
        .symbol("n", 1..9)
        .launch(Kernel::new(&COUNTED, &COUNTED.instances[0]), (StepArg::symbol("n"), Y));
    let error = fails(device.compile(program), "a domain depends on no symbol: `n` has a value");
    assert_eq!((error.get("step"), error.get("kernel")), (Some("0"), Some("points")));
}

#[test]
fn symbols_are_checked_at_compile() {
    let device = device("toy:0");
    let with =
        |symbols: Vec<Symbol>| device.compile(LaunchProgram { symbols, ..append() }).map(drop);
    let symbol = |range| Symbol { name: "i".into(), range };
    #[expect(clippy::reversed_empty_ranges, reason = "the range is wrong on purpose")]
    let reversed = with(vec![symbol(3..3)]).and(with(vec![symbol(4..3)]));
    fails(reversed, "empty range");
    fails(with(vec![symbol(0..1), symbol(0..1)]), "declared twice");
    fails(with(vec![symbol(-1..1)]), "usize does not hold `i` in -1..1");
}

#[test]
fn a_program_prints_its_nodes_symbols_and_steps() {
    let text = append().to_string();
    assert!(text.contains("working n1 y: f32 [4]") && text.contains("symbol i in 1..9"), "{text}");
    assert!(text.contains("append: i n1"), "{text}");
    assert!(merge().to_string().contains("add: n0 merge(n0) n0"));
}
