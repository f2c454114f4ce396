//! Every registered kernel with a portable body has a text in every dialect.

use ringwood::kernel::{emit, emit_targets};
use ringwood::registry::Registry;

#[test]
fn every_portable_kernel_prints_in_every_dialect() -> ringwood::Result<()> {
    let mut printed = 0;
    for (_, def) in Registry::global()?.of::<ringwood::kernel::KernelDef>() {
        for spec in def.instances.iter().map(|i| def.spec(i)).filter(|s| s.ir.is_some()) {
            for target in emit_targets() {
                let text = emit(&spec, target)?;
                assert!(text.contains(spec.name), "{text}");
                assert_eq!(text, emit(&spec, target)?, "`{}` prints differently", spec.name);
                printed += 1;
            }
        }
    }
    assert!(printed > 30, "only {printed} texts");
    Ok(())
}
