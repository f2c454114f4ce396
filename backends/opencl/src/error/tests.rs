use super::*;

#[test]
fn codes_have_kinds_and_names() {
    let error = Status(-4).during("allocating 5 bytes");
    assert_eq!(error.kind(), ErrorKind::OutOfMemory);
    assert!(error.message().contains("CL_MEM_OBJECT_ALLOCATION_FAILURE (-4)"), "{error}");
    assert_eq!(Status(-5).during("x").kind(), ErrorKind::Backend);
    let gone = Status(-2).during("submitting a copy");
    assert_eq!(gone.kind(), ErrorKind::Unavailable);
    assert!(gone.to_string().contains("the device is gone"), "{gone}");
}

#[test]
fn absence_says_what_to_install() {
    for code in [NO_LIBRARY, NO_PLATFORM, NO_FUNCTION] {
        let error = Status(code).unavailable();
        assert_eq!(error.kind(), ErrorKind::Unavailable);
        assert!(error.to_string().contains("pocl-opencl-icd"), "{error}");
    }
    assert_eq!(Status(-30).unavailable().kind(), ErrorKind::Backend);
}
