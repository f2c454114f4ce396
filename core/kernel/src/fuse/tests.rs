use super::*;
use crate::{
    Fault, Instance, KernelDef, Library, MapBody, Native, NativeArg, NativeLaunch, NativeSlice,
    run_native,
};
use ringwood_base::ErrorKind;
use ringwood_base::registry::EntryMeta;
use ringwood_base::{Scalar, Shape};
use ringwood_ir::Input;
use std::ops::Range;
use std::ptr::NonNull;

enum Add {}

impl MapBody for Add {
    type Inputs = (f32, f32);
    type Out = f32;

    fn element<const INLINE: bool>(_: &NativeLaunch<'_>, (a, b): (f32, f32)) -> f32 {
        a + b
    }
}

enum Wide {}

impl MapBody for Wide {
    type Inputs = (f32,);
    type Out = f64;

    fn element<const INLINE: bool>(_: &NativeLaunch<'_>, (a,): (f32,)) -> f64 {
        f64::from(a) * 2.0
    }
}

const fn meta(name: &'static str, file: &'static str, line: u32) -> EntryMeta<'static> {
    EntryMeta { package: "ringwood", name, module_path: "tests", file, line }
}

const ADD: KernelDef = KernelDef {
    meta: meta("add", "src/tests.rs", 1),
    form: Form::Map,
    devices: &["cpu", "opencl"],
    instances: &[Instance::written(
        Form::Map,
        &[
            slice("a", DType::F32, false),
            slice("b", DType::F32, false),
            slice("result", DType::F32, true),
        ],
        Some("kir2 add 0 - 0 2 a s f32 b s f32 0 0 0 0 0 + f32:0 p f32:0 0 p f32:0 1"),
        Some(Native::map::<Add>()),
    )],
};

const WIDE: KernelDef = KernelDef {
    meta: meta("wide", "src/tests.rs", 1),
    devices: &["cpu"],
    instances: &[Instance::written(
        Form::Map,
        &[slice("a", DType::F32, false), slice("result", DType::F64, true)],
        Some(
            "kir2 wide 0 - 0 1 a s f32 0 0 0 0 0 * f64:0 as f64:0 p f32:0 0 f f64:0 4000000000000000",
        ),
        Some(Native::map::<Wide>()),
    )],
    ..ADD
};

static ADD_DEF: KernelDef = ADD;
static WIDE_DEF: KernelDef = WIDE;

fn only(def: &'static KernelDef) -> Kernel {
    Kernel::new(def, &def.instances[0])
}

fn part(def: &'static KernelDef, operands: &[Source]) -> FusedPart {
    FusedPart { kernel: only(def), operands: operands.into() }
}

/// `wide((x0 + x1) + (x2 + x0))`
fn parts() -> [FusedPart; 4] {
    use Source::{Param, Part};
    [
        part(&ADD_DEF, &[Param(0), Param(1)]),
        part(&ADD_DEF, &[Param(2), Param(0)]),
        part(&ADD_DEF, &[Part(0), Part(1)]),
        part(&WIDE_DEF, &[Part(2)]),
    ]
}

fn argument<'a, T>(data: &'a mut [T], strides: Option<&'a [usize]>) -> NativeArg<'a> {
    let bytes = size_of_val(data);
    // SAFETY: the elements are borrowed for as long as the argument, and one thread runs.
    NativeArg::Slice(unsafe { NativeSlice::new(NonNull::from(data).cast(), bytes, strides) })
}

fn run(domain: &[usize], args: &[NativeArg<'_>], range: Range<usize>) -> Result<()> {
    let kernel = fuse(&parts())?;
    let fault = Fault::default();
    let launch = NativeLaunch::new(Shape::new(domain)?, args, &fault);
    let spec = kernel.spec();
    spec.check_native()?;
    // SAFETY: the kernel runs with its own code, and the arguments are for the parameters of its parts.
    unsafe { run_native(&spec, &launch, range) }
}

#[test]
fn equal_parts_are_one_kernel() {
    let kernel = fuse(&parts()).unwrap();
    assert!(std::ptr::eq(kernel.params(), fuse(&parts()).unwrap().params()), "it is kept");
    assert_eq!(kernel, define(&parts()).unwrap(), "and is equal to another");
    assert_eq!(kernel.name(), "add_add_add_and_1_more");
    let names: Vec<_> = kernel.params().iter().map(|p| (p.name, p.kind.dtype().unwrap())).collect();
    let (narrow, wide) = (DType::F32, DType::F64);
    assert_eq!(names, [("a", narrow), ("b", narrow), ("a", narrow), ("result", wide)]);
    assert_ne!(kernel, fuse(&parts()[..2]).unwrap());
}

#[test]
fn inputs_broadcast_along_any_dimension_and_ranges_begin_anywhere() {
    let dims = [3, 5, 130];
    let count = dims.iter().product();
    let mut dense: Vec<f32> = (0..count).map(|i| i as f32).collect();
    let mut row: Vec<f32> = (0..130).map(|i| 0.5 * i as f32).collect();
    let mut column: Vec<f32> = (0..5).map(|i| 1000.0 * i as f32).collect();
    for (x1, x1_strides) in [(&mut row, [0, 0, 1]), (&mut column, [0, 1, 0])] {
        for x2_strides in [[0, 0, 0], [0, 0, 1], [650, 130, 1], [1, 130, 5]] {
            let mut out = vec![f64::NAN; count];
            let mut x2 = dense.clone();
            let expected: Vec<f64> = (0..count)
                .map(|i| {
                    let index = [i / 650, i / 130 % 5, i % 130];
                    let at = |s: [usize; 3]| (0..3).map(|d| index[d] * s[d]).sum::<usize>();
                    let (x0, x1, x2) = (dense[i], x1[at(x1_strides)], x2[at(x2_strides)]);
                    f64::from((x0 + x1) + (x2 + x0)) * 2.0
                })
                .collect();
            for range in [0..7, 7..1100, 1100..count] {
                let args = [
                    argument(&mut dense, None),
                    argument(x1, Some(&x1_strides)),
                    argument(&mut x2, Some(&x2_strides)),
                    argument(&mut out, None),
                ];
                run(&dims, &args, range).unwrap();
            }
            assert_eq!(out, expected, "{x1_strides:?} {x2_strides:?}");
        }
    }
}

#[test]
fn the_result_may_replace_an_input() {
    use Source::{Param, Part};
    let parts = [part(&ADD_DEF, &[Param(0), Param(1)]), part(&ADD_DEF, &[Part(0), Param(0)])];
    let kernel = fuse(&parts).unwrap();
    let mut x: Vec<f32> = (0..2000).map(|i| i as f32).collect();
    let mut y = [0.25_f32];
    // Both name the same elements, as the input of a map and its result may.
    let data = NonNull::from(&mut x[..]);
    // SAFETY: the elements live as long as the launch, and one thread runs.
    let whole = || NativeArg::Slice(unsafe { NativeSlice::new(data.cast(), 8000, None) });
    let args = [whole(), argument(&mut y, Some(&[0])), whole()];
    let fault = Fault::default();
    let launch = NativeLaunch::new(Shape::vector(2000), &args, &fault);
    // SAFETY: as in `run`.
    unsafe { run_native(&kernel.spec(), &launch, 0..2000).unwrap() };
    assert!(x.iter().zip(0..).all(|(x, i)| *x == (i as f32 + 0.25) + i as f32));
}

#[test]
fn launches_with_other_arguments_are_refused() {
    let refused = |bytes: [usize; 4], strides: Option<&[usize]>, end: usize| {
        let mut memory = [[0_u64; 16]; 4];
        let scalar = NativeArg::Scalar(Scalar::F32(1.0));
        let arg = |(i, memory): (usize, &mut [u64; 16])| match bytes[i] {
            0 => scalar,
            // SAFETY: the memory is that large, lives as long as the launch, and one thread runs.
            bytes => NativeArg::Slice(unsafe {
                NativeSlice::new(NonNull::from(memory).cast(), bytes, strides.filter(|_| i == 3))
            }),
        };
        let args: Vec<_> = memory.iter_mut().enumerate().map(arg).collect();
        run(&[8], &args, 0..end).unwrap_err().to_string()
    };
    assert!(
        refused([32, 28, 32, 64], None, 8).contains("7 elements are too few for the domain [8]")
    );
    assert!(refused([32, 0, 32, 64], None, 8).contains("fused maps take slices"));
    assert!(
        refused([32, 32, 32, 128], Some(&[2]), 8).contains("the result of fused maps is dense")
    );
    assert!(refused([32, 32, 32, 64], Some(&[1, 1]), 8).contains("strides of another rank"));
    assert!(refused([32, 32, 32, 64], None, 9).contains("range 0..9 exceeds the domain [8]"));
    assert!(refused([32, 32, 32, 60], None, 8).contains("aligned elements of 8 bytes"));
}

#[test]
fn what_is_no_strict_map_of_the_macro_is_no_part() {
    static GRID: KernelDef = KernelDef {
        form: Form::Grid,
        instances: &[Instance {
            ir: ADD.instances[0].ir,
            ..Instance::new(ADD.instances[0].params)
        }],
        ..ADD
    };
    static BY_HAND: KernelDef = KernelDef {
        instances: &[Instance {
            ir: ADD.instances[0].ir,
            native: Some(Native::new(|_, _| Ok(()))),
            ..Instance::new(ADD.instances[0].params)
        }],
        ..ADD
    };
    static ARRAYS: KernelDef = KernelDef {
        instances: &[Instance {
            ir: Some(
                "kir2 a 0 - 0 1 x s f32 1 t l f32 1 4 0 0 0 1 fill 0 p f32:0 0 ld f32:1 a0 1 i usize:0 9",
            ),
            ..Instance::new(WIDE.instances[0].params)
        }],
        ..ADD
    };
    static RELAXED: KernelDef = KernelDef {
        instances: &[Instance {
            ir: Some("kir2 add 0 f 0 2 a s f32 b s f32 0 0 0 0 0 + f32:0 p f32:0 0 p f32:0 1"),
            ..Instance::new(ADD.instances[0].params)
        }],
        ..ADD
    };
    static OF_ANOTHER: KernelDef = KernelDef {
        instances: &[Instance { native: WIDE.instances[0].native, ..ADD.instances[0] }],
        ..ADD
    };
    for def in [&GRID, &BY_HAND, &ARRAYS, &RELAXED, &OF_ANOTHER] {
        assert!(decode(def.instances[0].ir.unwrap()).is_ok());
        assert!(!fuses(&only(def)));
        let error = fuse(&[part(def, &[Source::Param(0), Source::Param(1)])]).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Unsupported);
    }
    assert!(fuses(&only(&ADD_DEF)));
}

#[test]
fn native_code_of_maps_runs_for_their_kernel_alone() {
    let kernel = fuse(&parts()).unwrap();
    let spec = kernel.spec();
    spec.check_native().unwrap();
    let kinds = |at: usize, dtype, mutable| {
        let mut params = spec.params.to_vec();
        params[at].kind = ParamKind::Slice { dtype, mutable };
        params
    };
    let (same_size, read) = (kinds(0, DType::I32, false), kinds(3, DType::F64, false));
    for wrong in [
        KernelSpec { ir: ADD.instances[0].ir, ..spec },
        KernelSpec { ir: None, ..spec },
        KernelSpec { form: Form::Grid, ..spec },
        KernelSpec { params: &same_size, ..spec },
        KernelSpec { params: &read, ..spec },
        KernelSpec { params: &spec.params[1..], ..spec },
    ] {
        assert!(wrong.check_native().unwrap_err().to_string().contains("was written for another"));
    }
}

#[test]
fn code_that_is_written_from_a_declaration_stays_of_it() {
    let Instance { ir, native, .. } = ADD.instances[0];
    let again = Instance::written(Form::Map, WIDE.instances[0].params, ir, native);
    let spec = KernelSpec { ir, native: again.native, ..KernelSpec::new("add", Form::Map, &[]) };
    assert!(KernelSpec { params: again.params, ..spec }.check_native().is_err());
    assert!(KernelSpec { params: ADD.instances[0].params, ..spec }.check_native().is_ok());
}

/// `fn shift(x: &[f32], y: &mut [f32], n: usize) { y[gid(0)] = x[gid(0) + n]; }`
const SHIFT: KernelDef = KernelDef {
    meta: meta("shift", "src/shift.rs", 4),
    form: Form::Grid,
    devices: &["cpu", "cuda", "opencl"],
    instances: &[Instance {
        ir: Some(
            "kir2 shift 1 - 0 3 x c f32 y m f32 n s usize 0 0 0 0 1 st p1 1 1 gid usize:1 0 \
             ld f32:2 p0 1 + usize:3 gid usize:3 0 p usize:3 2 void",
        ),
        sites: &[(0, 0), (5, 1), (5, 8)],
        rank: 1,
        ..Instance::new(&[
            slice("x", DType::F32, false),
            slice("y", DType::F32, true),
            Param { name: "n", kind: ParamKind::Scalar(ringwood_base::ScalarType::Usize) },
        ])
    }],
};

fn consumer(kernel: Kernel) -> Consumer {
    use Source::{Param, Part};
    let maps = vec![part(&ADD_DEF, &[Param(1), Param(0)]), part(&ADD_DEF, &[Part(0), Param(2)])];
    Consumer { maps, inputs: vec![Input::One, Input::Each, Input::Each], kernel, param: 0 }
}

#[test]
fn a_kernel_with_maps_where_it_loads_keeps_its_place_and_the_positions_of_its_parameters() {
    static SHIFT_DEF: KernelDef = SHIFT;
    let kernel = fuse_producers(&consumer(only(&SHIFT_DEF))).unwrap();
    assert_eq!(kernel, fuse_producers(&consumer(only(&SHIFT_DEF))).unwrap());
    let spec = kernel.spec();
    assert_eq!((spec.name, spec.form, spec.file), ("add_add_shift", Form::Grid, "src/shift.rs"));
    let names: Vec<_> = spec.params.iter().map(|p| p.name).collect();
    assert_eq!(names, ["x", "y", "n", "x", "x"]);
    assert!(spec.native.is_none(), "native code loads from memory");
    assert_eq!(kernel.rank(), 1);
    let error = crate::out_of_bounds(&spec, (2, 9, 8)).to_string();
    assert!(error.contains("index 9 out of bounds for length 8 of `x`"), "{error}");
    assert!(error.contains("at: src/shift.rs:5:8"), "{error}");
}

#[test]
fn what_is_no_strict_grid_or_group_kernel_computes_no_maps() {
    static RELAXED: KernelDef = KernelDef {
        instances: &[Instance {
            ir: Some("kir2 shift 1 f 0 1 x c f32 0 0 0 0 0 void"),
            ..Instance::new(&[slice("x", DType::F32, false)])
        }],
        ..SHIFT
    };
    static LIBRARY: KernelDef = KernelDef {
        instances: &[Instance {
            libraries: &[Library { backend: "cuda", routine: "gemm" }],
            ir: SHIFT.instances[0].ir,
            ..Instance::new(SHIFT.instances[0].params)
        }],
        ..SHIFT
    };
    static HOST: KernelDef = KernelDef { form: Form::Host, ..SHIFT };
    for def in [&RELAXED, &LIBRARY, &HOST] {
        let error = fuse_producers(&consumer(only(def))).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Unsupported);
        assert!(error.to_string().contains("only the typed IR of a strict"), "{error}");
    }
    static SHIFT_DEF: KernelDef = SHIFT;
    let many = (0..60).map(|i| match i {
        0 => part(&ADD_DEF, &[Source::Param(0), Source::Param(1)]),
        i => part(&ADD_DEF, &[Source::Part(i - 1), Source::Param(i + 1)]),
    });
    let wide = Consumer {
        maps: many.collect(),
        inputs: vec![Input::Each; 61],
        ..consumer(only(&SHIFT_DEF))
    };
    assert!(fuse_producers(&wide).unwrap_err().to_string().contains("too many arguments"));
    // `y[gid(0)] = 1.0 + (1.0 + … x[gid(0) + n])`
    let nested = |depth| {
        let spec = SHIFT_DEF.spec(&SHIFT_DEF.instances[0]);
        let sums = "+ f32:2 f f32:2 3f800000 ".repeat(depth);
        let ir = spec.ir.unwrap().replace("ld f32", &format!("{sums}ld f32"));
        Kernel::from(&KernelSpec { ir: Some(&ir), ..spec })
    };
    assert!(fuse_producers(&consumer(nested(190))).is_ok());
    assert!(
        fuse_producers(&consumer(nested(200))).unwrap_err().to_string().contains("nest too deep")
    );
}

/// Sums of `x` and `y` and of earlier sums, as the digits of `number` say, and what the last one is.
fn sums(mut number: usize) -> (Vec<FusedPart>, impl Fn(f32, f32) -> f32) {
    use Source::{Param, Part};
    let mut pairs = vec![[0, 1]];
    while pairs.len() < 5 {
        let count = pairs.len() + 2;
        let mut digit = || {
            let digit = number % count;
            number /= count;
            digit
        };
        pairs.push([digit(), digit()]);
    }
    let source = |at: usize| if at < 2 { Param(at as u32) } else { Part(at as u32 - 2) };
    let parts = pairs.iter().map(|pair| part(&ADD_DEF, &pair.map(source))).collect();
    let value = move |x, y| {
        let mut values = vec![x, y];
        pairs.iter().for_each(|[a, b]| values.push(values[*a] + values[*b]));
        values[values.len() - 1]
    };
    (parts, value)
}

#[test]
fn kernels_that_were_dropped_and_are_made_again_compute_what_they_did() {
    const DIFFERENT: usize = 1_000;
    const { assert!(DIFFERENT > 2 * KEPT, "the first ones are dropped before they are made again") };
    for number in (0..DIFFERENT).chain(0..DIFFERENT) {
        let (parts, value) = sums(number);
        let (mut x, mut y, mut out) = ([0.1, 1.7], [10.3, -4.0], [0.0; 2]);
        let expected = [value(x[0], y[0]), value(x[1], y[1])];
        let args = [argument(&mut x, None), argument(&mut y, None), argument(&mut out, None)];
        let (kernel, fault) = (fuse(&parts).unwrap(), Fault::default());
        let launch = NativeLaunch::new(Shape::vector(2), &args, &fault);
        // SAFETY: as in `run`.
        unsafe { run_native(&kernel.spec(), &launch, 0..2).unwrap() };
        assert_eq!(out, expected, "{number}");
    }
}
