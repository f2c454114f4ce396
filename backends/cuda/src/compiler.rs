//! CUDA C to PTX, by NVRTC. Needs no device.

use crate::sys;
use cudarc::nvrtc::result as nvrtc;
use cudarc::nvrtc::sys as raw;
use ringwood_core::kernel::{CacheKey, CompileCache};
use ringwood_core::{Error, ErrorKind, Result};
use ringwood_ir::print::{CUDA, Facts};
use std::ffi::{CString, c_char};

/// Compiles CUDA C for devices of compute capability `arch` (90 for 9.0) and later: PTX, ending in a
/// zero.
///
/// The newest architecture that NVRTC knows is used for later ones: their drivers translate it.
///
/// # Errors
/// NVRTC is absent ([`ErrorKind::Unavailable`]), knows only later architectures, or refuses the
/// text: the error carries its log.
pub fn compile(source: &str, arch: u32) -> Result<Vec<u8>> {
    sys::nvrtc()?;
    let arch = newest(&architectures()?, arch)?;
    let text = CString::new(source).map_err(|cause| {
        Error::new(ErrorKind::InvalidArgument, "the text has a zero in it").because(cause)
    })?;
    let program = Program(nvrtc::create_program(&text, None).map_err(during("reading a program"))?);
    let mut flags: Vec<String> =
        (CUDA.flags)(&Facts::default()).into_iter().map(Into::into).collect();
    flags.push(format!("--gpu-architecture=compute_{arch}"));
    // SAFETY: the program is alive.
    unsafe { nvrtc::compile_program(program.0, &flags) }
        .map_err(|code| during("compiling")(code).with("log", program.log()))?;
    // SAFETY: as above, and it is compiled.
    let ptx = unsafe { nvrtc::get_ptx(program.0) }.map_err(during("taking the PTX"))?;
    Ok(bytes(&ptx))
}

/// As [`compile`], from an earlier run if there was one.
pub(crate) fn compile_once(source: &str, arch: u32) -> Result<Vec<u8>> {
    sys::nvrtc()?;
    let (mut major, mut minor) = (0, 0);
    // SAFETY: the pointers are valid.
    unsafe { raw::nvrtcVersion(&raw mut major, &raw mut minor) }
        .result()
        .map_err(during("asking for its version"))?;
    let key = CacheKey::new("cuda")
        .with("nvrtc", format!("{major}.{minor}"))
        .with("architecture", arch.to_string())
        .with("options", (CUDA.flags)(&Facts::default()).join(" "))
        .with("source", source);
    let cache = CompileCache::global();
    if let Some(ptx) = cache.get(&key).filter(|ptx| ptx.last() == Some(&0)) {
        return Ok(ptx);
    }
    let ptx = compile(source, arch)?;
    // A cache that takes no more is no failure of the kernel.
    let _ = cache.put(&key, &ptx);
    Ok(ptx)
}

/// The newest of the known architectures that devices of `arch` can run.
fn newest(known: &[u32], arch: u32) -> Result<u32> {
    known.iter().copied().filter(|&known| known <= arch).max().ok_or_else(|| {
        let message = format!("cuda: NVRTC compiles for none of {known:?} that runs on sm_{arch}");
        Error::new(ErrorKind::Unsupported, message).help("install the NVRTC of an earlier CUDA")
    })
}

fn architectures() -> Result<Vec<u32>> {
    let mut count = 0;
    // SAFETY: the pointer is valid.
    unsafe { raw::nvrtcGetNumSupportedArchs(&raw mut count) }
        .result()
        .map_err(during("counting architectures"))?;
    let mut known = vec![0; usize::try_from(count).unwrap_or(0)];
    // SAFETY: the list has as many places as NVRTC said that it fills.
    unsafe { raw::nvrtcGetSupportedArchs(known.as_mut_ptr()) }
        .result()
        .map_err(during("listing architectures"))?;
    Ok(known.into_iter().filter_map(|arch| u32::try_from(arch).ok()).collect())
}

fn during(what: &'static str) -> impl FnOnce(nvrtc::NvrtcError) -> Error {
    move |error| Error::new(ErrorKind::Backend, format!("cuda: NVRTC, {what}: {error}"))
}

struct Program(raw::nvrtcProgram);

impl Program {
    /// What the compiler said.
    fn log(&self) -> String {
        // SAFETY: the program is alive.
        let log = unsafe { nvrtc::get_program_log(self.0) }.unwrap_or_default();
        String::from_utf8_lossy(&bytes(&log)).trim_end_matches(['\0', '\n']).to_owned()
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        // SAFETY: the program is owned, and not used again. Its failure changes nothing.
        let _ = unsafe { nvrtc::destroy_program(self.0) };
    }
}

fn bytes(text: &[c_char]) -> Vec<u8> {
    text.iter().map(|&c| c as u8).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_newest_architecture_that_runs_is_taken() {
        assert_eq!(newest(&[70, 80, 90, 100], 90).unwrap(), 90);
        assert_eq!(newest(&[70, 80, 90], 120).unwrap(), 90);
        let error = newest(&[75, 80], 61).unwrap_err();
        assert!(error.message().contains("sm_61"), "{error}");
    }
}
