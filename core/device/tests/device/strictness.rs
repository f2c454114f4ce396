//! Devices whose floating-point numbers have other bits.

use super::toy::{Gate, KIND, ON_FREE, REFUSING};
use super::{fails, kernels, runtime};
use ringwood_base::ErrorKind;
use ringwood_device::device::{Kernel, Strictness};
use ringwood_device::kernel::KernelSpec;
use ringwood_ir::{Expr, ExprKind, Param, ParamKind, Type};
use std::cell::Cell;
use std::rc::Rc;

/// `add`, as if the macro had declared it with its IR.
fn portable(relaxed: bool) -> Kernel {
    let float = |i| Expr { kind: ExprKind::Param(i), ty: Type::F32, site: 0 };
    let mut ir = ringwood_ir::Kernel {
        name: "add".into(),
        params: ["x", "y"]
            .map(|n| Param { name: n.into(), kind: ParamKind::Scalar(Type::F32) })
            .into(),
        result: Some(Expr::binary(ringwood_ir::BinaryOp::Add, float(0), float(1), 0)),
        ..Default::default()
    };
    ir.modes.relaxed = relaxed;
    let text = ringwood_ir::encode(&ir);
    let native = kernels::ADD.spec(&kernels::ADD.instances[0]);
    Kernel::from(&KernelSpec { ir: Some(&text), ..native })
}

#[test]
fn a_device_of_native_code_has_nothing_to_probe() {
    let device = runtime().device("toy:0").unwrap();
    assert_eq!(device.strictness().unwrap(), Strictness::Native);
    device.code(&portable(false)).unwrap();
}

#[test]
fn a_device_that_changes_bits_refuses_strict_kernels_until_that_is_accepted() {
    let device = runtime().device("toy:1").unwrap();
    let error = device.code(&portable(false)).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Unsupported);
    for part in
        ["kernel `add`", "`toy:1`", "does not round / correctly (f32)", "accept_approximate"]
    {
        assert!(error.to_string().contains(part), "{part}: {error}");
    }
    let Strictness::Approximate(flaws) = device.strictness().unwrap() else {
        panic!("its results are all zero")
    };
    assert_eq!(flaws.len(), 4, "{flaws:?}");
    device.code(&portable(true)).unwrap();
    device.accept_approximate();
    device.code(&portable(false)).unwrap();
    assert!(device.strictness().unwrap().to_string().starts_with("approximate: "));
}

#[test]
fn a_probe_that_is_refused_keeps_the_memory_that_its_stream_still_writes() {
    let device = runtime().device("toy:1").unwrap();
    let (gate, freed) = (Gate::closed(), Rc::new(Cell::new(0)));
    let count = freed.clone();
    ON_FREE.set(Some(Box::new(move || count.set(count.get() + 1))));
    KIND.set(Some(gate.kind()));
    REFUSING.set(Some(0));
    fails(device.strictness(), "not now");
    assert_eq!(freed.get(), 0, "the writes of the arguments have not run");
    KIND.set(None);
    REFUSING.set(None);
    ON_FREE.set(None);
    gate.open();
    assert!(matches!(device.strictness().unwrap(), Strictness::Approximate(_)));
}
