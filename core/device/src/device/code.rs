//! The compiled kernels of a device.

use super::hardware::Hardware;
use super::lock;
use crate::kernel::{Code, Kernel};
use ringwood_base::sync::Mutex;
use ringwood_base::{Bounded, Result};
use std::collections::HashMap;

/// The codes of the last so many kernels are kept, and up to twice as many.
const KEPT: usize = 512;

/// The codes of one device that were asked for lately.
pub(crate) struct CodeCache(Mutex<Bounded<Kernel, Code>>);

impl Default for CodeCache {
    fn default() -> Self {
        Self(Mutex::new(Bounded::new(KEPT)))
    }
}

impl CodeCache {
    /// How many codes there are.
    pub(crate) fn len(&self) -> usize {
        lock(&self.0).len()
    }

    /// The code of one kernel, compiled if it is not there.
    pub(crate) fn get(&self, hardware: &Hardware, kernel: &Kernel) -> Result<Code> {
        if let Some(code) = lock(&self.0).get(kernel) {
            return Ok(code);
        }
        Ok(self.compile(hardware, std::slice::from_ref(kernel))?.remove(0))
    }

    /// Compiles what is not there, in one batch; one code for each kernel, in order.
    pub(crate) fn compile(&self, hardware: &Hardware, kernels: &[Kernel]) -> Result<Vec<Code>> {
        hardware.reclaiming(|| self.compile_missing(hardware, kernels))
    }

    /// As [`CodeCache::compile`], with the memory that there is: nobody waits for more in the cache.
    fn compile_missing(&self, hardware: &Hardware, kernels: &[Kernel]) -> Result<Vec<Code>> {
        let mut cache = lock(&self.0);
        let mut codes = HashMap::new();
        let mut missing: Vec<&Kernel> = Vec::new();
        for kernel in kernels {
            if !codes.contains_key(kernel) {
                let code = cache.get(kernel);
                missing.extend(code.is_none().then_some(kernel));
                codes.insert(kernel, code);
            }
        }
        if !missing.is_empty() {
            let compiled = hardware.backend.compile(&hardware.handle, &missing)?;
            for (kernel, code) in missing.into_iter().zip(compiled) {
                cache.insert(kernel.clone(), code.clone());
                codes.insert(kernel, Some(code));
            }
        }
        Ok(kernels
            .iter()
            .map(|kernel| codes[kernel].clone().expect("what was missing is compiled"))
            .collect())
    }
}
