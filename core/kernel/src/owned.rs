//! A kernel that outlives the call that compiles it.

use super::native::OwnedNative;
use super::{Form, KernelSpec, Library, Native, Param, Sources};

/// A [`KernelSpec`] of its own: what a backend's code keeps of a kernel, to launch it and to name it
/// in errors.
///
/// ```
/// use ringwood_kernel::{Form, KernelSpec, OwnedSpec};
///
/// let spec = KernelSpec {
///     file: "src/lib.rs",
///     line: 7,
///     ..KernelSpec::new("double", Form::Map, &[])
/// };
/// let kept = OwnedSpec::from(&spec);
/// assert_eq!((kept.spec().name, kept.spec().line), ("double", 7));
/// ```
#[derive(Clone, Debug)]
pub struct OwnedSpec {
    name: String,
    pub(super) form: Form,
    pub(super) params: Vec<Param>,
    ir: Option<String>,
    native: Option<OwnedNative>,
    sources: Option<&'static Sources>,
    libraries: &'static [Library],
    sites: Vec<(u32, u32)>,
    file: String,
    line: u32,
}

impl From<&KernelSpec<'_>> for OwnedSpec {
    fn from(spec: &KernelSpec<'_>) -> Self {
        Self {
            name: spec.name.into(),
            form: spec.form,
            params: spec.params.to_vec(),
            ir: spec.ir.map(Into::into),
            native: spec.native.map(Native::to_owned),
            sources: spec.sources,
            libraries: spec.libraries,
            sites: spec.sites.to_vec(),
            file: spec.file.into(),
            line: spec.line,
        }
    }
}

impl OwnedSpec {
    /// What it was made from.
    pub fn spec(&self) -> KernelSpec<'_> {
        KernelSpec {
            name: &self.name,
            form: self.form,
            params: &self.params,
            ir: self.ir.as_deref(),
            native: self.native.as_ref().map(OwnedNative::native),
            sources: self.sources,
            libraries: self.libraries,
            sites: &self.sites,
            file: &self.file,
            line: self.line,
        }
    }
}
