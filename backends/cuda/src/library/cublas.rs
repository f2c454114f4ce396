//! cuBLAS: one handle for each stream, created by the first product.

use super::Call;
use crate::device::Device;
use crate::error::{Failure, during};
use crate::memory::Memory;
use cudarc::cublas::result as blas;
use cudarc::cublas::sys::{self, cublasHandle_t, cublasMath_t, cublasOperation_t};
use cudarc::driver::result;
use cudarc::driver::sys::CUstream;
use ringwood_base::sync::lock;
use ringwood_base::{DType, Result};
use std::sync::{Arc, Mutex};

/// What a stream computes products with.
pub(crate) struct Products {
    device: Device,
    opened: Mutex<Option<Arc<Handle>>>,
}

/// A handle, and the memory that its kernels work in. A graph keeps the address of that memory, so it is
/// the same for every product of the stream, which runs them one after the other.
pub(crate) struct Handle {
    raw: Mutex<Raw>,
    workspace: Memory,
    device: Device,
}

struct Raw(cublasHandle_t);

// SAFETY: a handle may be used from every thread, one at a time.
unsafe impl Send for Raw {}

impl Products {
    pub(crate) fn new(device: &Device) -> Self {
        Self { device: device.clone(), opened: Mutex::default() }
    }

    /// The handle; the device is entered.
    ///
    /// # Errors
    /// cuBLAS refuses a handle, or there is no memory for it.
    pub(crate) fn open(&self) -> Result<Arc<Handle>> {
        let mut opened = lock(&self.opened);
        if let Some(handle) = &*opened {
            return Ok(Arc::clone(handle));
        }
        let handle = Arc::new(Handle::new(&self.device)?);
        Ok(Arc::clone(opened.insert(handle)))
    }

    /// What lives until the products under way have run.
    pub(crate) fn take(&self) -> Option<Arc<Handle>> {
        lock(&self.opened).take()
    }
}

impl Handle {
    fn new(device: &Device) -> Result<Self> {
        let opening = || during("opening cuBLAS");
        let workspace = Memory::new(device, workspace(device.arch()))?;
        let raw = Raw(device.reclaiming(blas::create_handle).map_err(opening())?);
        let handle = Self { raw: Mutex::new(raw), workspace, device: device.clone() };
        // Neither TF32 nor another precision than that of the elements.
        let mode = cublasMath_t::CUBLAS_PEDANTIC_MATH;
        // SAFETY: the handle lives.
        let set = handle.with(|raw| unsafe { sys::cublasSetMathMode(raw, mode) });
        set.result().map_err(opening())?;
        Ok(handle)
    }

    fn with<T>(&self, call: impl FnOnce(cublasHandle_t) -> T) -> T {
        call(lock(&self.raw).0)
    }

    /// Submits a product, also to a stream that captures.
    ///
    /// # Safety
    /// The stream is one of the device, which is entered. The addresses are those of as many elements as
    /// the extents say. Until the product has run, their memories and the handle live, and no product of
    /// the handle runs on another stream.
    pub(crate) unsafe fn submit(&self, queue: CUstream, call: &Call) -> Result<(), Failure> {
        if call.gemm.is_zero() {
            // SAFETY: the caller's promise; zeros are zero bytes.
            unsafe { result::memset_d8_async(call.c, 0, call.bytes, queue) }?;
            return Ok(());
        }
        self.with(|raw| {
            // SAFETY: the handle and the stream live; the workspace has this size. A stream is set before
            // the workspace, which it resets.
            unsafe {
                blas::set_stream(raw, queue.cast())?;
                let (address, bytes) = (self.workspace.at(0), workspace(self.device.arch()));
                sys::cublasSetWorkspace_v2(raw, address as *mut _, bytes).result()?;
            }
            // SAFETY: the caller's promise.
            let submitted = unsafe { product(raw, call) };
            // The next call sets its own stream: this one may be gone by then.
            // SAFETY: the handle lives, and the default stream always does.
            unsafe { blas::set_stream(raw, std::ptr::null_mut()) }?;
            Ok(submitted?)
        })
    }
}

/// The bytes that cuBLAS recommends, by compute capability.
fn workspace(arch: u32) -> usize {
    if arch >= 90 { 32 << 20 } else { 4 << 20 }
}

/// # Safety
/// As for [`Handle::submit`]; the handle has the stream and the workspace.
unsafe fn product(raw: cublasHandle_t, call: &Call) -> Result<(), blas::CublasError> {
    let operation = |transposed| match transposed {
        true => cublasOperation_t::CUBLAS_OP_T,
        false => cublasOperation_t::CUBLAS_OP_N,
    };
    let gemm = &call.gemm;
    let [left, right] = [gemm.left_transposed, gemm.right_transposed].map(operation);
    let ([rows, columns, terms], [of_left, of_right, of_c]) = (gemm.extents, gemm.leading);
    macro_rules! call {
        ($function:path, $one:expr, $zero:expr) => {
            // SAFETY: the caller's promise; 1 and 0 are read before the call returns.
            unsafe {
                $function(
                    raw,
                    left,
                    right,
                    rows,
                    columns,
                    terms,
                    &$one,
                    call.b as *const _,
                    of_left,
                    call.a as *const _,
                    of_right,
                    &$zero,
                    call.c as *mut _,
                    of_c,
                )
            }
        };
    }
    match call.dtype {
        DType::F64 => call!(blas::dgemm, 1.0_f64, 0.0_f64),
        _ => call!(blas::sgemm, 1.0_f32, 0.0_f32),
    }
}

impl Drop for Handle {
    fn drop(&mut self) {
        self.device.visit(|| {
            // SAFETY: the handle is owned, and its products have run. A failure changes nothing.
            let _ = self.with(|raw| unsafe { blas::destroy_handle(raw) });
        });
    }
}
