//! Every registered kernel that names `cuda`, compiled by NVRTC and assembled by `ptxas`, neither of
//! which needs a device.

use ringwood_backend_cuda::{compile, compile_cubin};
use ringwood_base::registry::{Entry, Registry};
use ringwood_base::{DType, Error, ErrorKind};
use ringwood_device::backend::emit;
use ringwood_device::kernel;
use ringwood_device::kernel::{Instance, KernelDef, Portable};
use ringwood_ir::print::{CUDA, Facts, Layout, Options, Program, print};
use ringwood_ir::{Input, Kernel, Part, Source, compose, fuse_producers};
use ringwood_kernels as _;
use std::collections::BTreeSet;
use std::io::Write;
use std::process::Command;

/// One of each operation that a looser compiler changes, beside the registered kernels.
#[kernel(map, T in [f32, f64], device = [cpu, cuda])]
fn tempting<T>(x: T, y: T, z: T) -> T {
    (x * y + z) / (x.mul_add(y, z) + z.abs().sqrt())
}

/// Written by hand.
#[kernel(cuda = include_str!("support/scaled.cu"), requires(x.len() == y.len()))]
fn scaled(a: f32, x: &[f32], y: &mut [f32]);

#[kernel(
    T in [f32, f16],
    const LANES: usize in [8, 32],
    group = LANES,
    groups = y.len() / LANES,
    cuda = include_str!("support/reversed.cu")
)]
fn reversed<T, const LANES: usize>(x: &[T], y: &mut [T]);

#[kernel(cuda = "__global__ void overloaded(float* y, unsigned n, unsigned long long items) {
    y[0] = n;
}")]
fn overloaded(y: &mut [f32]);

#[kernel(cuda = "
extern \"C\" __global__ void narrow(float* y, unsigned n, unsigned long long items) {
    y[0] = n;
}")]
fn narrow(y: &mut [f32]);

#[kernel(
    cuda = "__global__ void broken(float* y, unsigned long long n, unsigned long long items) {
    y[0] = no_such_name;
}"
)]
fn broken(y: &mut [f32]);

/// The architectures that must work: A100 and H100.
const ARCHITECTURES: [u32; 2] = [80, 90];

/// Says that a test is skipped; a failure if `RINGWOOD_REQUIRE` names what it needs.
fn skipped(needs: &str, why: &dyn std::fmt::Display) {
    let required = std::env::var("RINGWOOD_REQUIRE").unwrap_or_default();
    assert!(!required.split(',').any(|name| name == needs), "{needs}: {why}");
    let _ = writeln!(std::io::stderr(), "skipped: {why}");
}

/// Whether NVRTC is there; `RINGWOOD_REQUIRE=cuda-nvrtc` makes its absence a failure.
fn usable(error: &Error) -> bool {
    if error.kind() != ErrorKind::Unavailable {
        return true;
    }
    skipped("cuda-nvrtc", error);
    false
}

/// The kernels that have a portable form for `cuda`.
fn kernels() -> impl Iterator<Item = (&'static KernelDef, &'static Instance)> {
    let registry = Registry::global().unwrap();
    let kernels = registry.of::<KernelDef>().map(|(_, def)| def);
    let kernels = kernels.filter(|def| def.devices.contains(&"cuda"));
    let instances =
        kernels.flat_map(|def| def.instances.iter().map(move |instance| (def, instance)));
    instances.filter(|(_, instance)| instance.ir.is_some())
}

/// The typed IR of a kernel by its name, of `f32`.
fn named(name: &str) -> Kernel {
    let float =
        |i: &Instance| i.params.iter().all(|p| p.kind.dtype().is_none_or(|d| d == DType::F32));
    let found = kernels().find(|(def, instance)| def.meta.name == name && float(instance));
    let (def, instance) = found.unwrap_or_else(|| panic!("a kernel `{name}` of f32"));
    def.spec(instance).kernel().unwrap()
}

/// Element-wise operators composed into one kernel, as plans fuse them: `sqrt(gelu(x * w + b) / x)`.
fn fused() -> Kernel {
    use Source::{Param, Part as Result};
    let maps = ["mul", "add", "gelu", "div", "sqrt"].map(named);
    let operands = [
        vec![Param(0), Param(1)],
        vec![Result(0), Param(2)],
        vec![Result(1)],
        vec![Result(2), Param(0)],
        vec![Result(3)],
    ];
    let parts: Vec<_> =
        maps.iter().zip(operands).map(|(map, operands)| Part { map, operands }).collect();
    compose("fused", &parts).unwrap()
}

/// Reductions that compute these operators where they load, as plans fuse them, with one `w`.
fn reductions_of_fused() -> [Kernel; 4] {
    ["sum", "sum_rows", "largest_rows", "mean_all_group"].map(|name| {
        let whole =
            fuse_producers(&named(name), 0, &fused(), &[Input::Each, Input::One, Input::Each]);
        Kernel { name: format!("fused_{name}"), ..whole.unwrap() }
    })
}

/// One text of all strict kernels: of maps the dense and the strided variant, of grids the checked and the
/// unchecked one; of fused maps, and of reductions that compute them. But with `test.sh --long`, only the first
/// instance of a kernel has the second variant.
fn all() -> (String, usize) {
    let mut program = Program::new(&CUDA, &Facts::default());
    let dense = Options::default();
    let variants = [
        dense,
        Options { layout: Layout::Strided { rank: 3 }, ..dense },
        Options { checked: false, ..dense },
    ];
    let (mut entries, mut seen) = (0, BTreeSet::new());
    for (def, instance) in kernels() {
        let kernel = def.spec(instance).kernel().unwrap();
        if kernel.modes.relaxed {
            continue;
        }
        let second = if kernel.result.is_some() { variants[1] } else { variants[2] };
        let both = seen.insert(def.meta.full_name()) || long();
        for options in &[dense, second][..1 + usize::from(both)] {
            program.add(&kernel, options);
            entries += 1;
        }
    }
    let fused = fused();
    variants[..2].iter().for_each(|options| drop(program.add(&fused, options)));
    entries += 2;
    for reduction in reductions_of_fused() {
        for options in [variants[0], variants[2], Options { narrow: true, ..variants[2] }] {
            program.add(&reduction, &options);
            entries += 1;
        }
    }
    (program.source(), entries)
}

/// Whether `test.sh --long` asks: [`all`] takes minutes for each architecture.
fn long() -> bool {
    std::env::var_os("RINGWOOD_LONG").is_some()
}

/// The architectures that [`all`] is compiled for.
fn searched() -> &'static [u32] {
    if long() { &ARCHITECTURES } else { &ARCHITECTURES[ARCHITECTURES.len() - 1..] }
}

/// The text as PTX, or `None` without NVRTC.
fn ptx(source: &str, arch: u32) -> Option<String> {
    match compile(source, arch) {
        Ok(ptx) => Some(String::from_utf8(ptx).unwrap().trim_end_matches('\0').to_owned()),
        Err(error) if usable(&error) => panic!("sm_{arch}: {error}"),
        Err(_) => None,
    }
}

/// What a text of one kernel needs of its own, its head and helpers, does not depend on the instance; all
/// instances are compiled in one text by the other tests.
#[test]
fn every_registered_kernel_compiles_by_itself() {
    let (mut seen, mut compiled) = (BTreeSet::new(), 0);
    for (def, instance) in kernels().filter(|(def, _)| seen.insert(def.meta.full_name())) {
        let source = emit(Registry::global().unwrap(), &def.spec(instance), "cuda").unwrap();
        let Some(ptx) = ptx(&source, ARCHITECTURES[0]) else { return };
        assert!(ptx.contains(".target sm_80") && ptx.contains(".entry"), "{}", def.meta.name);
        compiled += 1;
    }
    assert!(compiled > 50, "{compiled} compilations");
}

/// What stands in for the explicit fused operations of a text, with a mark that only this test knows, so that every
/// other `fma` of the PTX is one that the compiler made; and for `fmod`, which is exact by such steps of its own.
const EXPLICIT: &str = r#"
static __device__ inline float test_fma32(float a, float b, float c) {
    float d; asm("fma.rn.f32 %0, %1, %2, %3; // explicit" : "=f"(d) : "f"(a), "f"(b), "f"(c)); return d;
}
static __device__ inline double test_fma64(double a, double b, double c) {
    double d; asm("fma.rn.f64 %0, %1, %2, %3; // explicit" : "=d"(d) : "d"(a), "d"(b), "d"(c)); return d;
}
static __device__ inline float test_rem32(float a, float b) {
    float d; asm("div.rn.f32 %0, %1, %2;" : "=f"(d) : "f"(a), "f"(b)); return d;
}
static __device__ inline double test_rem64(double a, double b) {
    double d; asm("div.rn.f64 %0, %1, %2;" : "=d"(d) : "d"(a), "d"(b)); return d;
}
"#;

/// The text with [`EXPLICIT`] for `mul_add`.
fn disguised(source: &str) -> String {
    let stands_in = [
        ("__fmaf_rn", "test_fma32"),
        ("__fma_rn", "test_fma64"),
        ("fmodf(", "test_rem32("),
        ("fmod(", "test_rem64("),
    ];
    let replace = |text: String, (from, to)| text.replace(from, to);
    format!("{EXPLICIT}{}", stands_in.into_iter().fold(source.to_owned(), replace))
}

/// The first floating-point instruction of PTX that strict kernels must not have.
fn loose(ptx: &str) -> Option<&str> {
    ptx.lines().map(str::trim).filter(|line| !line.ends_with("// explicit")).find(|line| {
        let mut words = line.split_whitespace();
        let word = words.next().unwrap_or_default();
        // A predicate comes before the instruction.
        let instruction =
            if word.starts_with('@') { words.next().unwrap_or_default() } else { word };
        let float = instruction.contains(".f32") || instruction.contains(".f64");
        let begins = |name: &str| instruction.split('.').next() == Some(name);
        let rounds = instruction.contains(".rn");
        float
            && (begins("fma")
                || begins("mad")
                || instruction.contains(".ftz")
                || instruction.contains(".approx")
                || ((begins("div") || begins("sqrt")) && !rounds))
    })
}

#[test]
fn what_is_not_strict_is_found_in_ptx() {
    let source = "extern \"C\" __global__ void k(float* x, float y) {
        x[0] = __fmaf_rn(x[0], y, y); x[1] = DIRTY; x[2] = x[1] * y + x[0]; x[3] = x[2] / y; }";
    let dirty = ["fmaf(x[0], y, 2.0f)", "__fdividef(x[0], y)", "__expf(x[0])"];
    for (dirty, is_loose) in dirty.into_iter().map(|d| (d, true)).chain([("x[0]", false)]) {
        let Some(ptx) = ptx(&disguised(&source.replace("DIRTY", dirty)), 90) else { return };
        assert_eq!(loose(&ptx).is_some(), is_loose, "{dirty}: {:?}", loose(&ptx));
    }
}

/// What `ptxas -v` says of a text.
fn assemble(ptx: &str, arch: u32) -> std::io::Result<String> {
    let name = format!("ringwood-{}-{arch}.ptx", std::process::id());
    let file = std::env::temp_dir().join(name);
    std::fs::write(&file, ptx)?;
    let mut ptxas = Command::new("ptxas");
    let output =
        ptxas.args(["-v", &format!("-arch=sm_{arch}"), "-o", "/dev/null"]).arg(&file).output();
    std::fs::remove_file(&file)?;
    let output = output?;
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "sm_{arch}: {text}");
    Ok(text)
}

/// The kernels of `ptxas -v` that spill registers, and how many it assembled.
fn spills(report: &str) -> (Vec<String>, usize) {
    let (mut spilling, mut entry, mut count) = (Vec::new(), "", 0);
    for line in report.lines() {
        if let Some((_, rest)) = line.split_once("Compiling entry function '") {
            entry = rest.split('\'').next().unwrap_or(rest);
            count += 1;
        }
        let spilled =
            line.contains("spill") && !line.contains("0 bytes spill stores, 0 bytes spill loads");
        if spilled {
            spilling.push(format!("{entry}: {}", line.trim()));
        }
    }
    (spilling, count)
}

/// One text for both questions, since it takes long to compile.
#[test]
fn ptx_is_strict_and_ptxas_assembles_every_kernel_without_spills() {
    let (source, entries) = all();
    for &arch in searched() {
        let Some(ptx) = ptx(&disguised(&source), arch) else { return };
        assert_eq!(loose(&ptx), None, "sm_{arch}");
        for found in ["fma.rn.f32", "fma.rn.f64", "div.rn.f32", "sqrt.rn.f32"] {
            assert!(ptx.contains(found), "sm_{arch}: no kernel has `{found}`");
        }
        assembles_without_spills(&ptx, arch, entries);
    }
    // The remainder itself, for which the text above has another instruction.
    let mut program = Program::new(&CUDA, &Facts::default());
    program.add(&named("rem"), &Options::default());
    let Some(ptx) = ptx(&program.source(), ARCHITECTURES[0]) else { return };
    assembles_without_spills(&ptx, ARCHITECTURES[0], 1);
}

fn assembles_without_spills(ptx: &str, arch: u32, entries: usize) {
    if let Err(error) = Command::new("ptxas").arg("--version").output() {
        let help = "install the Python package nvidia-cuda-nvcc-cu12";
        return skipped("cuda-ptxas", &format!("ptxas does not start: {error}; {help}"));
    }
    let (spilling, count) = spills(&assemble(ptx, arch).unwrap());
    assert_eq!(spilling, Vec::<String>::new(), "sm_{arch}");
    assert_eq!(count, entries, "sm_{arch}");
}

#[test]
fn a_spill_is_read_from_the_report() {
    let report = "ptxas info    : Compiling entry function 'a' for 'sm_90'
    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
ptxas info    : Compiling entry function 'b' for 'sm_90'
    8 bytes stack frame, 4 bytes spill stores, 4 bytes spill loads";
    let (spilling, count) = spills(report);
    assert_eq!(count, 2);
    assert!(spilling.len() == 1 && spilling[0].starts_with("b: 8 bytes"), "{spilling:?}");
}

#[test]
fn cubins_are_for_known_architectures() {
    let source = "extern \"C\" __global__ void k(float* x) { x[0] = 1; }";
    for arch in ARCHITECTURES {
        match compile_cubin(source, arch) {
            Ok(cubin) => assert!(cubin.starts_with(b"\x7fELF") && cubin.len() > 500, "sm_{arch}"),
            Err(error) if usable(&error) => panic!("{error}"),
            Err(_) => return,
        }
    }
    let error = compile_cubin(source, 81).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Unsupported, "{error}");
}

#[test]
fn an_error_of_the_compiler_points_at_the_line_of_the_kernel() {
    let def = tempting::ENTRY.declared::<KernelDef>().unwrap();
    let spec = def.spec(&def.instances[0]);
    let mut printed = print(&spec.kernel().unwrap(), &CUDA, &Facts::default(), &Options::default());
    // As if the one statement, the result, were wrong.
    let (line, _) = *printed.sites.last().unwrap();
    let mut lines: Vec<_> = printed.source.lines().map(str::to_owned).collect();
    lines[line as usize - 1].insert_str(0, "no_such_function();");
    printed.source = lines.join("\n");
    let error = compile(&printed.source, 90).unwrap_err();
    if usable(&error) {
        let place = spec.refused(error, &printed);
        let expected = format!("compile.rs:{}:5", def.meta.line + 2);
        assert!(place.get("at").unwrap().ends_with(&expected), "{place}");
    }
}

/// What a kernel that is written by hand compiles to, or the error with its place.
fn written(entry: &Entry, arch: u32) -> Vec<Result<String, Error>> {
    let def = entry.declared::<KernelDef>().unwrap();
    let compiled = |instance| {
        let spec = def.spec(instance);
        let portable = Portable::in_dialect(&spec, &CUDA).unwrap();
        let printed = portable.print(&CUDA, &Facts::default(), &Options::default());
        let ptx = compile(&printed.source, arch).map_err(|error| spec.refused(error, &printed))?;
        Ok(String::from_utf8(ptx).unwrap())
    };
    def.instances.iter().map(compiled).collect()
}

#[test]
fn what_is_written_by_hand_compiles_with_its_entry_point() {
    let [wide, narrow] = reversed::ENTRIES;
    let kernels = [(scaled::ENTRY, "scaled"), (wide, "reversed"), (narrow, "reversed")];
    for ((entry, name), arch) in kernels.iter().flat_map(|k| ARCHITECTURES.map(|arch| (k, arch))) {
        for compiled in written(entry, arch) {
            match compiled {
                Ok(ptx) => assert!(ptx.contains(&format!(".entry {name}(")), "{ptx}"),
                Err(error) if usable(&error) => panic!("{error}"),
                Err(_) => return,
            }
        }
    }
}

#[test]
fn a_mistake_in_what_is_written_by_hand_is_shown_where_it_stands() {
    let refused = |entry: Entry| written(&entry, 90).remove(0).unwrap_err();
    let error = refused(broken::ENTRY);
    if !usable(&error) {
        return;
    }
    let at = |entry: Entry, lines| {
        let def = entry.declared::<KernelDef>().unwrap();
        let source = def.spec(&def.instances[0]).source("cuda").unwrap();
        format!("compile.rs:{}", source.line + lines)
    };
    assert!(error.get("at").unwrap().ends_with(&at(broken::ENTRY, 1)), "{error}");
    // Parameters of other types than those of the declaration, with C linkage and without.
    let error = refused(narrow::ENTRY);
    assert!(error.get("at").unwrap_or_default().ends_with(&at(narrow::ENTRY, 1)), "{error}");
    let error = refused(overloaded::ENTRY);
    assert!(error.get("log").unwrap().contains("overloaded"), "{error}");
}

#[test]
fn what_does_not_compile_shows_the_compilers_log() {
    let error = compile("__global__ void f() { no_such_function(); }", 90).unwrap_err();
    if usable(&error) {
        assert_eq!(error.kind(), ErrorKind::Backend);
        assert!(error.get("log").unwrap().contains("no_such_function"), "{error}");
    }
}
