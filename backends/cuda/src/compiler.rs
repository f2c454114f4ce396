//! CUDA C to PTX or to cubins, by NVRTC. Needs no device.

use crate::sys;
use cudarc::nvrtc::{result as nvrtc, sys as raw};
use ringwood_base::{Error, ErrorKind, Result};
use ringwood_device::kernel::{CacheKey, CompileCache};
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
    let program = Program::new(source, &format!("compute_{arch}"))?;
    // SAFETY: the program is alive and compiled.
    let ptx = unsafe { nvrtc::get_ptx(program.0) }.map_err(during("taking the PTX"))?;
    Ok(bytes(&ptx))
}

/// Compiles CUDA C for devices of compute capability `arch` only: a cubin, which the driver loads as it
/// is.
///
/// # Errors
/// As [`compile`]; NVRTC does not know the architecture ([`ErrorKind::Unsupported`]).
pub fn compile_cubin(source: &str, arch: u32) -> Result<Vec<u8>> {
    sys::nvrtc()?;
    if !architectures()?.contains(&arch) {
        let message = format!("cuda: NVRTC makes no cubin for sm_{arch}");
        return Err(Error::unsupported(message).help("use PTX"));
    }
    let program = Program::new(source, &format!("sm_{arch}"))?;
    let mut size = 0;
    // SAFETY: the program is alive and compiled; the pointer is valid.
    let asked = unsafe { raw::nvrtcGetCUBINSize(program.0, &raw mut size) };
    asked.result().map_err(during("measuring the cubin"))?;
    let mut cubin = vec![0_u8; size];
    // SAFETY: as above; the list has as many bytes as NVRTC said that it fills.
    let taken = unsafe { raw::nvrtcGetCUBIN(program.0, cubin.as_mut_ptr().cast()) };
    taken.result().map_err(during("taking the cubin"))?;
    Ok(cubin)
}

/// All that the code of a source depends on.
pub(crate) fn key(source: &str, arch: u32) -> Result<CacheKey> {
    sys::nvrtc()?;
    let (mut major, mut minor) = (0, 0);
    // SAFETY: the pointers are valid.
    unsafe { raw::nvrtcVersion(&raw mut major, &raw mut minor) }
        .result()
        .map_err(during("asking for its version"))?;
    Ok(CacheKey::new("cuda")
        .with("nvrtc", format!("{major}.{minor}"))
        .with("architecture", arch.to_string())
        .with("options", (CUDA.flags)(&Facts::default()).join(" "))
        .with("source", source))
}

/// What the driver of a device of compute capability `arch` loads: a cubin, else PTX. From an earlier
/// run if there was one.
pub(crate) fn image(source: &str, arch: u32) -> Result<Vec<u8>> {
    let key = key(source, arch)?;
    let cache = CompileCache::global();
    if let Some(image) = cache.get(&key).filter(|image| is_whole(image)) {
        return Ok(image);
    }
    let image = match compile_cubin(source, arch) {
        Err(error) if error.kind() == ErrorKind::Unsupported => compile(source, arch),
        cubin => cubin,
    }?;
    // A cache that takes no more is no failure of the kernel.
    let _ = cache.put(&key, &image);
    Ok(image)
}

/// Whether the driver reads no further than the image: a cubin knows its size, PTX ends in a zero.
fn is_whole(image: &[u8]) -> bool {
    image.starts_with(b"\x7fELF") || image.last() == Some(&0)
}

/// The newest of the known architectures that devices of `arch` can run.
fn newest(known: &[u32], arch: u32) -> Result<u32> {
    known.iter().copied().filter(|&known| known <= arch).max().ok_or_else(|| {
        let message = format!("cuda: NVRTC compiles for none of {known:?} that runs on sm_{arch}");
        Error::unsupported(message).help("install the NVRTC of an earlier CUDA")
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
    move |error| Error::backend(format!("cuda: NVRTC, {what}: {error}"))
}

struct Program(raw::nvrtcProgram);

impl Program {
    /// The text, compiled for an architecture.
    fn new(source: &str, arch: &str) -> Result<Self> {
        let text = CString::new(source)
            .map_err(|cause| Error::invalid("the text has a zero in it").because(cause))?;
        let created = nvrtc::create_program(&text, None);
        let program = Self(created.map_err(during("reading a program"))?);
        let mut flags: Vec<String> =
            (CUDA.flags)(&Facts::default()).into_iter().map(Into::into).collect();
        flags.push(format!("--gpu-architecture={arch}"));
        // SAFETY: the program is alive.
        unsafe { nvrtc::compile_program(program.0, &flags) }
            .map_err(|code| during("compiling")(code).with("log", program.log()))?;
        Ok(program)
    }

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
