use super::*;

#[test]
fn codes_have_kinds_and_names() {
    let error = during("allocating 5 bytes")(DriverError(CUresult::CUDA_ERROR_OUT_OF_MEMORY));
    assert_eq!(error.kind(), ErrorKind::OutOfMemory);
    assert_eq!(error.message(), "cuda: allocating 5 bytes: CUDA_ERROR_OUT_OF_MEMORY");
    let error = during("counting devices")(DriverError(CUresult::CUDA_ERROR_NO_DEVICE));
    assert_eq!(error.kind(), ErrorKind::Unavailable);
    let status = cublasStatus_t::CUBLAS_STATUS_ALLOC_FAILED;
    let error = during("opening cuBLAS")(CublasError(status));
    assert_eq!(error.kind(), ErrorKind::OutOfMemory);
    assert_eq!(error.message(), "cuda: opening cuBLAS: CUBLAS_STATUS_ALLOC_FAILED");
}
