use super::{CUDA, Dialect, Facts, Layout, OPENCL, Options, Program, Slot, group_memory, print};
use crate::tests::saxpy;
use crate::{Kernel, Type, decode};
use std::path::PathBuf;

/// `tanh(a * b)` as a map.
fn map() -> Kernel {
    decode("kir2 squash 0 - 0 2 a s f32 b s f32 0 0 0 0 0 tanh f32:3 * f32:2 p f32:0 0 p f32:1 1")
        .unwrap()
}

/// A kernel of groups of 4 x 2: a shared array, a barrier, a reduction, a shared loop, a loop that a
/// work-item leaves, atomic changes of buffer and array.
fn group() -> Kernel {
    let text = "kir2 tile 2 n 3 4 2 1 3 x c f32 y m i64 n s usize 1 t g u32 2 2 4 \
        3 s f32 k usize o u32 0 0 7 \
        let 0 f f32:0 0 \
        st a0 1 2 lid usize:2 1 lid usize:3 0 as u32:4 grp usize:4 0 \
        barrier 5 \
        share 1 p usize:6 2 2 if == bool:7 v usize:7 1 i usize:7 63 1 break 0 \
            set 0 + f32:8 v f32:8 0 ld f32:9 p0 1 v usize:9 1 \
        sum 0 10 v f32:10 0 \
        atomic add a0 11 2 i usize:11 1 lid usize:11 0 i u32:11 3 into 2 \
        atomic max p1 12 1 >> usize:12 p usize:12 2 i u32:12 1 as i64:13 v u32:13 2 drop void";
    decode(text).unwrap_or_else(|e| panic!("{e}"))
}

/// A transposition of views, by way of a local array and a function that calls another one.
fn views() -> Kernel {
    let half = "kir2 half 0 - 0 1 a s f32 0 0 0 0 0 * f32:0 p f32:0 0 f f32:0 3f000000";
    let quarter = format!(
        "quarter 0 - 0 1 a s f32 1 l l f32 1 2 0 1 deep::half 1 f32 f32 + {} 0 \
         2 fill 0 p f32:0 0 st a0 1 1 len usize:0 a0 p f32:0 0 call f32:0 0 1 ld f32:2 a0 1 i usize:0 1",
        half.strip_prefix("kir2 ").unwrap()
    );
    let text = format!(
        "kir2 turn 2 - 0 2 x vc f32 2 y vm f32 2 0 0 1 quarter 1 f32 f32 + {quarter} \
         1 == bool:0 dim usize:0 p0 0 dim usize:0 p1 1 \
         1 st p1 1 2 gid usize:0 1 gid usize:0 0 call f32:3 0 1 ld f32:2 p0 2 gid usize:0 0 gid usize:0 1 void"
    );
    decode(&text).unwrap_or_else(|e| panic!("{e}"))
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
fn the_text_for_an_item_per_point_is_pinned() {
    let facts = Facts { item_per_point: true, ..Facts::default() };
    let narrow = Options { checked: false, narrow: true, ..Options::default() };
    expect("saxpy.point.cl", &print(&saxpy(), &OPENCL, &facts, &narrow).source);
    let text = print(&map(), &OPENCL, &facts, &Options::default()).source;
    assert!(text.contains("if (k_at < k_count) {") && !text.contains("for ("), "{text}");
}

#[test]
fn the_text_of_a_map_is_pinned() {
    let strided = Options { layout: Layout::Strided { rank: 3 }, ..Options::default() };
    expect("squash.cl", &source(&map(), &OPENCL, strided));
    let single = Options { layout: Layout::Dense { single: 0b10 }, ..Options::default() };
    expect("squash.single.cu", &source(&map(), &CUDA, single));
}

#[test]
fn the_text_of_a_group_kernel_is_pinned() {
    let narrow = Options { checked: false, narrow: true, ..Options::default() };
    expect("tile.checked.cl", &source(&group(), &OPENCL, Options::default()));
    expect("tile.narrow.cu", &source(&group(), &CUDA, narrow));
}

#[test]
fn the_text_of_views_and_functions_is_pinned() {
    let unchecked = Options { checked: false, ..Options::default() };
    expect("turn.cl", &source(&views(), &OPENCL, unchecked));
    expect("turn.checked.cu", &source(&views(), &CUDA, Options::default()));
}

#[test]
fn the_memory_of_a_group_is_that_of_its_arrays_and_reductions() {
    assert_eq!((group_memory(&saxpy()), group_memory(&group())), (0, 8 * 4 + 8 * 4));
    let mut halves = group();
    halves.arrays[0].ty = Type::F16;
    assert_eq!(group_memory(&halves), group_memory(&group()), "devices hold `f16` as `f32`");
}

#[test]
fn what_a_device_lacks_for_a_kernel_is_said() {
    let facts = Facts { double: false, wide_atomics: false, ..Facts::default() };
    assert_eq!(facts.lacks(&saxpy()), None);
    assert_eq!(facts.lacks(&group()), Some("atomic operations on integers of 64 bits"));
    let wide = decode("kir2 w 0 - 0 1 a s f32 0 0 0 0 0 as f32:0 as f64:0 p f32:0 0").unwrap();
    assert_eq!(facts.lacks(&wide), Some("f64"));
}

#[test]
fn functions_are_printed_once_for_all_kernels_of_a_program() {
    let mut program = Program::new(&CUDA, &Facts::default());
    program.add(&views(), &Options::default());
    program.add(&views(), &Options { checked: false, ..Options::default() });
    let source = program.source();
    for name in ["float quarter_function0(", "float half_function1("] {
        assert_eq!(source.matches(name).count(), 1, "{source}");
    }
    assert!(source.find("half_function1(").unwrap() < source.find("quarter_function0(").unwrap());
}

#[test]
fn the_slots_are_the_parameters_of_the_text() {
    for layout in [Layout::Dense { single: 0 }, Layout::Strided { rank: 4 }] {
        for kernel in [saxpy(), map(), views()] {
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
    assert!(facts.flaws().is_empty());
    let source = print(&map(), &OPENCL, &facts, &Options::default()).source;
    assert!(source.contains("return (float)((double)a / (double)b);"), "{source}");
    assert!(source.contains("cl_khr_fp64"));
    assert_eq!((OPENCL.flags)(&facts), ["-cl-std=CL1.2", "-w"]);
    assert!((CUDA.flags)(&facts).contains(&"--fmad=false"));
    let facts = Facts { double: false, ..facts };
    assert_eq!(facts.flaws()[0], "does not round / correctly (f32)");
    let source = print(&map(), &OPENCL, &facts, &Options::default()).source;
    assert!(!source.contains("double"), "{source}");
}

#[test]
fn a_relaxed_kernel_calls_the_functions_of_the_device() {
    let mut kernel = map();
    let strict = source(&kernel, &CUDA, Options::default());
    assert!(strict.contains("k_tanh_f32("), "{strict}");
    kernel.modes.relaxed = true;
    let cuda = source(&kernel, &CUDA, Options::default());
    assert!(cuda.contains("tanhf((a_ * b_))") && !cuda.contains("k_tanh"), "{cuda}");
    let opencl = source(&kernel, &OPENCL, Options::default());
    assert!(opencl.contains("tanh((a_ * b_))") && !opencl.contains("k_tanh"), "{opencl}");
}

/// A byte that is neither 0 nor 1 is no `bool`, and memory of a group may begin with one.
#[test]
fn elements_of_arrays_are_compared_with_0_where_they_are_bools() {
    let text = "kir2 pick 1 n 3 64 1 1 2 x c f32 y m f32 1 t g bool 1 64 0 0 0 1 \
        st p1 0 1 lid usize:0 0 ld f32:1 p0 1 as usize:1 ld bool:1 a0 1 lid usize:1 0 void";
    let kernel = decode(text).unwrap_or_else(|e| panic!("{e}"));
    for (checked, element) in
        [(false, "x_[(ulong)(t_0_a[k_lid0] != 0)]"), (true, "k_get_shared_bool(t_0_a, ")]
    {
        let options = Options { checked, ..Options::default() };
        let text = source(&kernel, &OPENCL, options);
        assert!(text.contains("__local uchar t_0_a[64];") && text.contains(element), "{text}");
        let get = "k_get_shared_bool(__local const uchar* data";
        assert!(!checked || text.contains(get), "{text}");
    }
}
