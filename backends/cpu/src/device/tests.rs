use super::{Device, fuses, warnings};

#[test]
fn a_processor_without_fused_multiply_add_is_warned_of() {
    assert_eq!(warnings(true), Vec::<String>::new());
    let [warning] = &warnings(false)[..] else { panic!("one warning") };
    assert!(warning.contains("fused multiply-add") && warning.contains("slower"), "{warning}");
    assert_eq!(Device::new().capabilities().warnings.is_empty(), fuses());
}
