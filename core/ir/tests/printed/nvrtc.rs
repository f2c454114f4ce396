//! Printed CUDA C through NVRTC, without a device.

use crate::parallel::Parallel;
use crate::{build, cases, maps, random, skip};
use libloading::{Library, Symbol};
use ringwood_ir::print::{CUDA, Facts, Layout, Options, Program};
use ringwood_ir::{BinaryOp, ExprKind, Kernel, MathFn, ParamKind, Type};
use std::ffi::{CString, c_char, c_int, c_void};

type Handle = *mut c_void;

struct Nvrtc(Library);

fn open() -> Result<Nvrtc, String> {
    let names = ["libnvrtc.so", "libnvrtc.so.13", "libnvrtc.so.12", "libnvrtc.so.11.2"];
    // SAFETY: loading NVRTC runs nothing but its own initialisers.
    let library = names.into_iter().find_map(|name| unsafe { Library::new(name) }.ok());
    library.map(Nvrtc).ok_or_else(|| format!("none of {} can be loaded", names.join(", ")))
}

impl Nvrtc {
    /// Calls a function of NVRTC that returns a status.
    ///
    /// # Safety
    /// `F` is the type of the function of that name, and `call` passes what it takes.
    unsafe fn call<F: Copy>(&self, name: &str, call: impl FnOnce(F) -> c_int) {
        // SAFETY: the caller's promise.
        let function: Symbol<'_, F> = unsafe { self.0.get(name.as_bytes()) }.unwrap();
        assert_eq!(call(*function), 0, "{name}");
    }

    /// The text that a pair of functions, of its size and of its bytes, returns.
    fn text(&self, program: Handle, size: &str, bytes: &str) -> String {
        let mut count = 0_usize;
        // SAFETY: the types are those of `nvrtcGetPTX`, `nvrtcGetProgramLog` and their sizes; the
        // vector has the size asked for.
        unsafe {
            type Size = unsafe extern "C" fn(Handle, *mut usize) -> c_int;
            type Bytes = unsafe extern "C" fn(Handle, *mut u8) -> c_int;
            self.call::<Size>(size, |f| f(program, &mut count));
            let mut text = vec![0_u8; count];
            self.call::<Bytes>(bytes, |f| f(program, text.as_mut_ptr()));
            String::from_utf8_lossy(&text).trim_end_matches('\0').to_owned()
        }
    }

    fn ptx(&self, source: &str, arch: &str) -> String {
        type Create = unsafe extern "C" fn(
            *mut Handle,
            *const c_char,
            *const c_char,
            c_int,
            *const *const c_char,
            *const *const c_char,
        ) -> c_int;
        type Compile = unsafe extern "C" fn(Handle, c_int, *const *const c_char) -> c_int;
        let text = CString::new(source).unwrap();
        let mut flags = (CUDA.flags)(&Facts::default());
        flags.push(arch);
        let flags: Vec<_> = flags.into_iter().map(|f| CString::new(f).unwrap()).collect();
        let pointers: Vec<_> = flags.iter().map(|f| f.as_ptr()).collect();
        let mut program = std::ptr::null_mut();
        let none = std::ptr::null::<*const c_char>();
        let mut status = 0;
        // SAFETY: the types are those of NVRTC's header; strings and lists outlive the calls, and
        // the program is used after its creation only.
        unsafe {
            self.call::<Create>("nvrtcCreateProgram", |f| {
                f(&mut program, text.as_ptr(), none.cast(), 0, none, none)
            });
            self.call::<Compile>("nvrtcCompileProgram", |f| {
                status = f(program, pointers.len() as c_int, pointers.as_ptr());
                0
            });
        }
        let log = self.text(program, "nvrtcGetProgramLogSize", "nvrtcGetProgramLog");
        assert_eq!(status, 0, "{log}\n{source}");
        self.text(program, "nvrtcGetPTXSize", "nvrtcGetPTX")
    }
}

#[test]
fn every_printed_kernel_compiles_as_cuda_c() {
    let nvrtc = match open() {
        Ok(nvrtc) => nvrtc,
        Err(why) => return skip("cuda-nvrtc", &why),
    };
    let mut program = Program::new(&CUDA, &Facts::default());
    for case in cases::all().into_iter().chain(cases::random(100)) {
        program.add(&case.kernel, &Options::default());
        program.add(&case.kernel, &Options { checked: false, ..Options::default() });
    }
    for launch in (0..40).map(|seed| Parallel::new(seed).launch(seed)) {
        for options in random::variants(&launch) {
            program.add(&launch.kernel, &options);
        }
    }
    for case in maps::all() {
        let layout = case.collapsed().layout();
        program.add(&case.kernel, &Options { layout, ..Options::default() });
    }
    let source = program.source();
    for arch in [80, 90] {
        let ptx = nvrtc.ptx(&source, &format!("--gpu-architecture=compute_{arch}"));
        let entries = ["operations_f64_kernel", "tanh_f32_kernel", "random39_kernel"];
        for entry in entries.map(|name| format!(".entry {name}(")) {
            assert!(ptx.contains(&entry), "{entry} is missing for {arch}");
        }
    }
}

/// The PTX of a map of `f32` with three inputs.
fn map_ptx(nvrtc: &Nvrtc, result: ringwood_ir::Expr) -> String {
    let inputs = [ParamKind::Scalar(Type::F32); 3];
    let kernel: Kernel = build::kernel("probe", 0, &inputs, &[], vec![], Some(result));
    let mut program = Program::new(&CUDA, &Facts::default());
    program.add(&kernel, &Options { layout: Layout::Dense { single: 0 }, ..Options::default() });
    nvrtc.ptx(&program.source(), "--gpu-architecture=compute_80")
}

#[test]
fn nothing_is_contracted_or_approximated() {
    let nvrtc = match open() {
        Ok(nvrtc) => nvrtc,
        Err(why) => return skip("cuda-nvrtc", &why),
    };
    let p = |i| build::param(i, Type::F32);
    let product = build::op(BinaryOp::Mul, p(0), p(1));
    let quotient = build::op(BinaryOp::Div, build::op(BinaryOp::Add, product, p(2)), p(1));
    let math = |f, e: &ringwood_ir::Expr| build::math(f, &[e]);
    let ptx = map_ptx(&nvrtc, math(MathFn::Sqrt, &quotient));
    assert!(!ptx.contains("fma"), "{ptx}");
    assert!(!ptx.contains(".ftz") && !ptx.contains(".approx"), "{ptx}");
    assert!(ptx.contains("div.rn.f32") && ptx.contains("sqrt.rn.f32"), "{ptx}");
    for function in [MathFn::Exp, MathFn::Ln, MathFn::Tanh, MathFn::Sin, MathFn::Cos] {
        let ptx = map_ptx(&nvrtc, math(function, &p(0)));
        assert!(!ptx.contains("fma") && !ptx.contains(".approx"), "{}: {ptx}", function.name());
    }
    let fused = build::expr(ExprKind::Math(MathFn::MulAdd, vec![p(0), p(1), p(2)]), Type::F32);
    assert!(map_ptx(&nvrtc, fused).contains("fma.rn.f32"));
}
