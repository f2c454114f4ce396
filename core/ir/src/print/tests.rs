use super::{CUDA, Dialect, Facts, Layout, OPENCL, Options, Program, Slot, print};
use crate::sample::saxpy;
use crate::{Kernel, Type, decode};
use std::path::PathBuf;

/// `tanh(a * b)` as a map.
fn map() -> Kernel {
    decode("kir2 squash 0 - 0 2 a s f32 b s f32 0 0 0 0 0 tanh f32:3 * f32:2 p f32:0 0 p f32:1 1")
        .unwrap()
}

/// Compares with the file in `expected`, or writes it if `RINGWOOD_BLESS` is set.
fn expect(name: &str, text: &str) {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("src/print/expected").join(name);
    if std::env::var_os("RINGWOOD_BLESS").is_some() {
        std::fs::write(&path, text).unwrap();
    }
    let expected = std::fs::read_to_string(&path).unwrap();
    assert_eq!(text, expected, "{name}: run with RINGWOOD_BLESS=1 if the change is meant");
}

fn source(kernel: &Kernel, dialect: &Dialect, options: Options) -> String {
    print(kernel, dialect, &Facts::default(), &options).source
}

#[test]
fn the_text_of_a_grid_kernel_is_pinned() {
    let unchecked = Options { checked: false, ..Options::default() };
    expect("saxpy.cl", &source(&saxpy(), &OPENCL, unchecked));
    expect("saxpy.checked.cl", &source(&saxpy(), &OPENCL, Options::default()));
    expect("saxpy.checked.cu", &source(&saxpy(), &CUDA, Options::default()));
}

#[test]
fn the_text_of_a_map_is_pinned() {
    let strided = Options { layout: Layout::Strided { rank: 3 }, ..Options::default() };
    expect("squash.cl", &source(&map(), &OPENCL, strided));
    let single = Options { layout: Layout::Dense { single: 0b10 }, ..Options::default() };
    expect("squash.single.cu", &source(&map(), &CUDA, single));
}

#[test]
fn the_slots_are_the_parameters_of_the_text() {
    for layout in [Layout::Dense { single: 0 }, Layout::Strided { rank: 4 }] {
        for kernel in [saxpy(), map()] {
            let options = Options { layout, ..Options::default() };
            let printed = print(&kernel, &OPENCL, &Facts::default(), &options);
            let (_, entry) = printed.source.split_once("__kernel void ").unwrap();
            let (params, _) = entry.split_once(')').unwrap();
            assert_eq!(params.split(',').count(), printed.slots.len(), "{params}");
        }
    }
    let printed = print(&saxpy(), &OPENCL, &Facts::default(), &Options::default());
    assert_eq!(printed.slots[0], Slot::Scalar { param: 0, ty: Type::F32 });
    assert_eq!(printed.slots.last(), Some(&Slot::Fault));
}

#[test]
fn printing_twice_gives_the_same_text() {
    for dialect in Dialect::ALL {
        assert_eq!(
            source(&map(), dialect, Options::default()),
            source(&map(), dialect, Options::default())
        );
    }
}

#[test]
fn kernels_of_one_name_share_a_program_and_its_functions() {
    let mut program = Program::new(&OPENCL, &Facts::default());
    let first = program.add(&map(), &Options::default());
    let second =
        program.add(&map(), &Options { layout: Layout::Strided { rank: 1 }, ..Options::default() });
    assert_eq!((first.name.as_str(), second.name.as_str()), ("squash_kernel", "squash_kernel2"));
    assert_eq!(program.source().matches("float k_tanh_f32(").count(), 1);
}

#[test]
fn names_of_the_user_meet_neither_keywords_nor_internal_names() {
    let text = "kir2 while 1 - 0 3 float s f32 k_cell m f32 ÖÄ s usize 0 1 int usize 0 0 2 \
                let 0 gid usize:0 0 st p1 1 1 v usize:1 0 p f32:2 0 void";
    let kernel = decode(text).unwrap_or_else(|e| panic!("{e}"));
    let source = source(&kernel, &OPENCL, Options::default());
    for name in
        ["while_kernel(", "float float_,", "k_cell_,", "ulong k_p2,", "ulong int_0 = k_gid0;"]
    {
        assert!(source.contains(name), "{name} in {source}");
    }
}

#[test]
fn division_is_computed_in_double_where_it_does_not_round_correctly() {
    let facts = Facts { rounds_division: false, ..Facts::default() };
    assert!(facts.strict().is_ok());
    assert!(Facts { double: false, ..facts }.strict().is_err());
    let source = print(&map(), &OPENCL, &facts, &Options::default()).source;
    assert!(source.contains("return (float)((double)a / (double)b);"), "{source}");
    assert!(source.contains("cl_khr_fp64"));
    assert_eq!((OPENCL.flags)(&facts), ["-cl-std=CL1.2", "-w"]);
    assert!((CUDA.flags)(&facts).contains(&"--fmad=false"));
}
