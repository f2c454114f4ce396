use super::miscompiles;
use std::ffi::OsStr;

const POCL: &str = "Portable Computing Language";

#[test]
fn drivers_that_miscompile_kernels_are_warned_of_with_the_way_out() {
    for driver in ["3.1+debian", "1.8"] {
        let warning = miscompiles(POCL, driver, None).unwrap();
        assert!(warning.contains("POCL_WORK_GROUP_METHOD=loops"), "{warning}");
        assert!(miscompiles(POCL, driver, Some(OsStr::new("loopvec"))).is_some());
        assert!(miscompiles(POCL, driver, Some(OsStr::new("loops"))).is_none());
    }
    assert!(miscompiles(POCL, "4.0", None).is_none());
    assert!(miscompiles(POCL, "unknown", None).is_none());
    assert!(miscompiles("Another platform", "3.1", None).is_none());
}
