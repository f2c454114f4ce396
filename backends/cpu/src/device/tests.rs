use super::{Device, fuses, physical_memory, warnings};

#[test]
fn a_processor_without_fused_multiply_add_is_warned_of() {
    assert_eq!(warnings(true), Vec::<String>::new());
    let [warning] = &warnings(false)[..] else { panic!("one warning") };
    assert!(warning.contains("fused multiply-add") && warning.contains("slower"), "{warning}");
    assert_eq!(Device::new().capabilities().warnings.is_empty(), fuses());
}

#[test]
fn a_quarter_of_the_machine_s_memory_is_left_to_others() {
    let limit = Device::new().capabilities().memory_bytes;
    assert_eq!(limit, physical_memory().map(|bytes| bytes / 4 * 3));
}
