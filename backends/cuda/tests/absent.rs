//! A machine without the driver: every way in answers why.

use ringwood_backend_cuda::Cuda;
use ringwood_base::ErrorKind;
use ringwood_device::backend::Backend;
use ringwood_device::device::Runtime;
use std::io::Write;

#[test]
fn without_a_driver_or_device_the_backend_is_unavailable_and_says_what_to_install() {
    let error = match Cuda::open() {
        Ok(cuda) => {
            assert!(!cuda.devices().unwrap().is_empty());
            let _ = writeln!(std::io::stderr(), "skipped: this machine has a CUDA device");
            return;
        }
        Err(error) => error,
    };
    assert_eq!(error.kind(), ErrorKind::Unavailable, "{error}");
    assert!(error.to_string().contains("CUDA"), "{error}");
    let state = Runtime::global().unwrap().backends().into_iter().find(|b| b.name == "cuda");
    let refused = state.expect("the backend is registered").devices.err().unwrap();
    assert_eq!(refused.kind(), ErrorKind::Unavailable, "{refused}");
    let refused = Runtime::global().unwrap().device("cuda:0").err().unwrap();
    assert_eq!(refused.kind(), ErrorKind::Unavailable, "{refused}");
}
