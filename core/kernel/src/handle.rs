//! One kernel for one combination of element types, wherever it comes from.

use super::{DomainFn, Form, Instance, KernelDef, KernelSpec, OwnedSpec, Param};
use ringwood_base::{DType, Error, Result, Shared};
use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

/// A kernel for one combination of element types: an instance that an item declares, or a kernel that a
/// pass made, which lives as long as its handles. Cheap to clone.
///
/// Two handles are equal if their kernels are, wherever these lie: name, place, parameters, code and
/// domain.
#[derive(Clone)]
pub struct Kernel(Origin);

#[derive(Clone)]
enum Origin {
    Declared(Shared<KernelDef>, &'static Instance),
    Made(Arc<Made>),
}

/// A kernel that no item declares.
struct Made {
    spec: OwnedSpec,
    rank: usize,
    domain: Option<DomainFn>,
}

impl Kernel {
    /// One of the instances of a declaration.
    pub fn new(def: impl Into<Shared<KernelDef>>, instance: &'static Instance) -> Self {
        Self(Origin::Declared(def.into(), instance))
    }

    /// A kernel that no item declares, whose domain is that of another.
    pub(super) fn like(other: &Kernel, spec: &KernelSpec<'_>) -> Self {
        let (rank, domain) = (other.rank(), other.domain_fn());
        Self(Origin::Made(Arc::new(Made { spec: spec.into(), rank, domain })))
    }

    /// The instance of `def` whose slices and views have these element types.
    ///
    /// # Errors
    /// No such instance; the error lists the instances.
    pub fn of(def: &Shared<KernelDef>, dtypes: &[DType]) -> Result<Kernel> {
        if let Some(instance) = def.instance(dtypes) {
            return Ok(Self::new(def.clone(), instance));
        }
        let known: Vec<_> =
            def.instances.iter().map(|i| names(&i.dtypes().collect::<Vec<_>>())).collect();
        let message = format!(
            "kernel `{}` has no instance for {}; it has {}",
            def.meta.name,
            names(dtypes),
            known.join(", ")
        );
        let fits = |instance: &Instance| instance.dtypes().count() == dtypes.len();
        let help = match def.instances.iter().any(fits) {
            true => "convert the arguments",
            false => "pass as many slices and views as it takes",
        };
        Err(Error::dtype(message).help(help))
    }

    /// The name.
    pub fn name(&self) -> &str {
        match &self.0 {
            Origin::Declared(def, _) => def.meta.name,
            Origin::Made(made) => made.spec.spec().name,
        }
    }

    /// How the body relates to the domain.
    #[inline]
    pub fn form(&self) -> Form {
        match &self.0 {
            Origin::Declared(def, _) => def.form,
            Origin::Made(made) => made.spec.form,
        }
    }

    /// The parameters of a launch, in order.
    #[inline]
    pub fn params(&self) -> &[Param] {
        match &self.0 {
            Origin::Declared(_, instance) => instance.params,
            Origin::Made(made) => &made.spec.params,
        }
    }

    /// What a backend compiles.
    pub fn spec(&self) -> KernelSpec<'_> {
        match &self.0 {
            Origin::Declared(def, instance) => def.spec(instance),
            Origin::Made(made) => made.spec.spec(),
        }
    }

    /// The number of dimensions of the domain of a grid or group kernel; 0 for other forms.
    pub(super) fn rank(&self) -> usize {
        match &self.0 {
            Origin::Declared(_, instance) => instance.rank,
            Origin::Made(made) => made.rank,
        }
    }

    /// The domain as the declaration computes it, if it does.
    pub(super) fn domain_fn(&self) -> Option<DomainFn> {
        match &self.0 {
            Origin::Declared(_, instance) => instance.domain,
            Origin::Made(made) => made.domain,
        }
    }

    /// Whether two handles are of one thing, which is then equal to itself.
    fn same(&self, other: &Kernel) -> bool {
        match (&self.0, &other.0) {
            (Origin::Declared(def, instance), Origin::Declared(other, twin)) => {
                std::ptr::eq(&**def, &**other) && std::ptr::eq(*instance, *twin)
            }
            (Origin::Made(made), Origin::Made(other)) => Arc::ptr_eq(made, other),
            _ => false,
        }
    }
}

/// A kernel that no item declares, of the rank that its IR has.
impl From<&KernelSpec<'_>> for Kernel {
    fn from(spec: &KernelSpec<'_>) -> Self {
        let rank = spec.kernel().map_or(0, |ir| usize::from(ir.rank));
        Self(Origin::Made(Arc::new(Made { spec: spec.into(), rank, domain: None })))
    }
}

impl PartialEq for Kernel {
    fn eq(&self, other: &Kernel) -> bool {
        if self.same(other) {
            return true;
        }
        let domains = match (self.domain_fn(), other.domain_fn()) {
            (None, None) => true,
            (Some(a), Some(b)) => std::ptr::fn_addr_eq(a, b),
            _ => false,
        };
        domains && self.rank() == other.rank() && self.spec() == other.spec()
    }
}

impl Eq for Kernel {}

/// Of what tells most kernels apart; the rest is left to the comparison.
impl Hash for Kernel {
    fn hash<H: Hasher>(&self, state: &mut H) {
        let spec = self.spec();
        let kinds = spec.params.iter().filter_map(|param| param.kind.dtype());
        let kinds =
            kinds.fold(spec.params.len(), |kinds, dtype| kinds.wrapping_mul(16) + dtype as usize);
        (spec.name, spec.line, spec.ir.map(str::len), kinds).hash(state);
    }
}

impl fmt::Debug for Kernel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.spec(), f)
    }
}

fn names(dtypes: &[DType]) -> String {
    let names: Vec<_> = dtypes.iter().map(|d| d.name()).collect();
    format!("({})", names.join(", "))
}
