//! Every registered kernel with a portable body has a text in every dialect, also in one that a backend of
//! another crate brings.

use crate::chip;
use ringwood::backend::{Backend, dialect, emit, emit_targets, find};
use ringwood::ir::print::{Dialect, Facts, Options, Program};
use ringwood::kernel::{Form, KernelDef, KernelSpec};
use ringwood::registry::Registry;
use ringwood::{backend, kernel};
use std::io::Write;
use std::process::{Command, Stdio};

/// C as `cc` takes it: one work-item computes a whole launch.
static PLAIN_C: Dialect = Dialect {
    name: "plain_c",
    header: include_str!("plain_c.h"),
    double: "",
    wide_atomics: "",
    group: "void",
    closing: "",
    single: "f",
    words: &[
        ("u8", "uint8_t"),
        ("u16", "uint16_t"),
        ("i8", "int8_t"),
        ("i16", "int16_t"),
        ("i32", "int32_t"),
        ("u32", "uint32_t"),
        ("i64", "int64_t"),
        ("u64", "uint64_t"),
        ("usize", "uint64_t"),
        ("f32", "float"),
        ("f16", "float"),
        ("bf16", "float"),
        ("f64", "double"),
        ("kernel", "void"),
        ("fn", "static inline"),
        ("global", ""),
        ("item0", "UINT64_C(0)"),
        ("item1", "UINT64_C(0)"),
        ("item2", "UINT64_C(0)"),
        ("items0", "1"),
        ("items1", "1"),
        ("items2", "1"),
        ("atomic_add32", "__sync_fetch_and_add"),
        ("atomic_and32", "__sync_fetch_and_and"),
        ("atomic_or32", "__sync_fetch_and_or"),
        ("atomic_xor32", "__sync_fetch_and_xor"),
        ("atomic_add64", "__sync_fetch_and_add"),
        ("atomic_and64", "__sync_fetch_and_and"),
        ("atomic_or64", "__sync_fetch_and_or"),
        ("atomic_xor64", "__sync_fetch_and_xor"),
        ("atomic_min32", "keep_less"),
        ("atomic_max32", "keep_greater"),
        ("atomic_min64", "keep_less"),
        ("atomic_max64", "keep_greater"),
        ("atomic_exchange32", "__sync_lock_test_and_set"),
        ("atomic_exchange64", "__sync_lock_test_and_set"),
        ("atomic_cas64", "__sync_val_compare_and_swap"),
        ("cas", "__sync_val_compare_and_swap"),
        ("abs_f32", "fabsf"),
        ("abs_f64", "fabs"),
        ("sqrt_f32", "sqrtf"),
        ("sqrt_f64", "sqrt"),
        ("rem_f32", "fmodf"),
        ("rem_f64", "fmod"),
        ("mul_add_f32", "fmaf"),
        ("mul_add_f64", "fma"),
    ],
    flags: |_| vec!["-std=gnu11", "-ffp-contract=off"],
};

/// A device that compiles plain C: what is declared for OpenCL is for it, too.
struct PlainC;

#[backend(name = "plain_c", kernels_of = opencl, dialect = PLAIN_C)]
impl Backend for PlainC {
    chip::body!();
}

#[kernel(device = opencl)]
fn scaled_sum(a: f32, x: &[f32], y: &mut [f32]) {
    let i = gid(0);
    y[i] = a * x[i] + y[i].sqrt();
}

fn specs(registry: &Registry) -> impl Iterator<Item = KernelSpec<'_>> {
    let defs = registry.of::<KernelDef>();
    defs.flat_map(|(_, def)| def.instances.iter().map(|i| def.spec(i))).filter(|s| s.ir.is_some())
}

#[test]
fn every_portable_kernel_prints_in_every_dialect() -> ringwood::Result<()> {
    let registry = Registry::global()?;
    assert!(emit_targets(registry).any(|target| target == "plain_c"));
    let mut printed = 0;
    for spec in specs(registry) {
        for target in emit_targets(registry) {
            let text = emit(registry, &spec, target)?;
            assert!(text.contains(spec.name), "{text}");
            assert_eq!(text, emit(registry, &spec, target)?, "`{}` prints differently", spec.name);
            printed += 1;
        }
    }
    assert!(printed > 30, "only {printed} texts");
    Ok(())
}

/// Runs `cc` on a text.
fn cc(text: &str, arguments: &[&str]) {
    let mut command = Command::new("cc");
    let flags = (PLAIN_C.flags)(&Facts::default());
    command.args(flags).args(["-x", "c", "-"]).args(arguments).args(["-x", "none", "-lm"]);
    let mut compiler = command.stdin(Stdio::piped()).spawn().expect("a C compiler starts");
    compiler.stdin.take().expect("its input").write_all(text.as_bytes()).expect("it reads");
    assert!(compiler.wait().expect("it ends").success(), "cc refused:\n{text}");
}

#[test]
fn a_compiler_takes_the_kernels_in_a_dialect_of_another_crate() -> ringwood::Result<()> {
    let registry = Registry::global()?;
    assert_eq!(dialect(registry, "plain_c").map(|dialect| dialect.name), Some("plain_c"));
    let mut program = Program::new(&PLAIN_C, &Facts::default());
    let alone = |spec: &KernelSpec<'_>| matches!(spec.form, Form::Map | Form::Grid);
    for spec in specs(registry).filter(alone) {
        program.add(&spec.kernel()?, &Options::default());
    }
    cc(&program.source(), &["-fsyntax-only"]);
    Ok(())
}

#[test]
fn a_text_in_a_dialect_of_another_crate_computes_the_kernel() -> ringwood::Result<()> {
    let registry = Registry::global()?;
    let def = find(registry, "scaled_sum", "plain_c")?;
    let text = emit(registry, &def.spec(&def.instances[0]), "plain_c")?;
    let main = r#"
        #include <stdio.h>
        int main(void) {
            float x[3] = {1, 2, 3}, y[3] = {4, 9, 16};
            uint32_t cell[8] = {0};
            scaled_sum_kernel(2, x, 0, 3, y, 0, 3, 3, cell);
            printf("%g %g %g, %u\n", y[0], y[1], y[2], cell[0]);
            return 0;
        }
    "#;
    let program = concat!(env!("CARGO_TARGET_TMPDIR"), "/scaled_sum");
    cc(&(text + main), &["-o", program]);
    let output = Command::new(program).output().expect("the program starts");
    assert_eq!(String::from_utf8_lossy(&output.stdout), "4 7 10, 0\n");
    Ok(())
}
