//! A kernel compiled for one device, and what its launches are checked against.

use super::launch::Proven;
use super::{Arg, Form, Kernel, KernelSpec, Launch, OfArgs, Param, ParamKind};
use crate::handle::Handle;
use crate::region::Region;
use ringwood_base::{DType, Error, ErrorKind, Result, Shape, StridedShape};
use ringwood_ir as ir;
use ringwood_ir::interpret::sides;
use ringwood_ir::prove::{Fact, LaunchFacts, Prover};
use std::fmt;
use std::sync::Arc;

/// A kernel compiled for one device; cheap to clone. `C` is what the backend made of it.
pub struct Code<C = Handle>(Arc<Inner<C>>);

struct Inner<C> {
    kernel: Kernel,
    body: Option<Body>,
    compiled: C,
}

/// The IR of a grid or group kernel: what it requires, and what can be proved of its launches.
struct Body {
    ir: ir::Kernel,
    prover: Prover,
    /// Whether the IR has the statements that run, and not the declaration of a source alone.
    whole: bool,
}

impl Body {
    fn of(spec: &KernelSpec<'_>) -> Result<Option<Self>> {
        let whole = spec.ir.is_some();
        let ir = match spec.form {
            Form::Grid | Form::Group if whole => spec.kernel()?,
            Form::Grid | Form::Group if spec.sources.is_some() => spec.declaration()?,
            _ => return Ok(None),
        };
        Ok(Some(Self { ir, prover: Prover::default(), whole }))
    }
}

impl<C> Code<C> {
    pub(crate) fn new(kernel: Kernel, compiled: C) -> Result<Self> {
        let spec = kernel.spec();
        spec.check_native()?;
        let body = Body::of(&spec)?;
        Ok(Self(Arc::new(Inner { kernel, body, compiled })))
    }

    pub(crate) fn compiled(&self) -> &C {
        &self.0.compiled
    }

    /// The name of the kernel.
    pub fn name(&self) -> &str {
        self.0.kernel.name()
    }

    /// How the body relates to the domain.
    pub fn form(&self) -> Form {
        self.0.kernel.form()
    }

    /// The parameters of a launch, in order.
    pub fn params(&self) -> &[Param] {
        self.0.kernel.params()
    }

    /// Whether the kernel requires anything of a launch.
    pub(crate) fn requires(&self) -> bool {
        self.0.body.as_ref().is_some_and(|body| !body.ir.requires.is_empty())
    }

    /// A launch over `domain`, slowest dimension first.
    ///
    /// ```
    /// use ringwood_base::registry::Registry;
    /// use ringwood_base::{DType, Shape};
    /// use ringwood_device::backend::Region;
    /// use ringwood_device::kernel::{Arg, Code, Form, KernelSpec, Param, ParamKind};
    /// # fn checked<C>(code: &Code<C>) -> ringwood_base::Result<()> {
    ///
    /// // Of `fn fill(y: &mut [f32]) { y[gid(0)] = 0.0; }`
    /// let y = Arg::Slice { region: Region { memory: &(), offset: 0, bytes: 32 }, strides: None };
    /// assert!(code.launch(Shape::vector(8), [y])?.in_bounds());
    /// assert!(!code.launch(Shape::vector(9), [y])?.in_bounds());
    /// assert!(code.launch(Shape::vector(8), [y, y]).is_err());
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// The arguments are not those that the kernel takes, or share memory that it writes, or a
    /// requirement of the kernel does not hold: see [`Launch`].
    #[inline]
    pub fn launch<'a, M>(
        &'a self,
        domain: Shape,
        args: impl IntoIterator<Item = Arg<'a, M>>,
    ) -> Result<Launch<'a, C, M>> {
        let args: Vec<_> = args.into_iter().collect();
        let proven = self.check(domain, &args)?;
        Ok(self.checked(domain, args, proven))
    }

    /// A launch for which [`Code::check`] proved this.
    #[inline]
    pub(crate) fn checked<'a, M>(
        &'a self,
        domain: Shape,
        args: Vec<Arg<'a, M>>,
        proven: Proven,
    ) -> Launch<'a, C, M> {
        let Inner { kernel, compiled: code, .. } = &*self.0;
        Launch { code, kernel, domain, args, proven }
    }

    /// Checks all that a [`Launch`] promises, and proves what it can.
    pub(crate) fn check<M>(&self, domain: Shape, args: &[Arg<'_, M>]) -> Result<Proven> {
        self.check_fit(domain, args)?;
        self.prove(domain, args)
    }

    /// Checks what does not depend on the values of scalars: number, kinds, lengths and aliases.
    pub(crate) fn check_fit<M>(&self, domain: Shape, args: &[Arg<'_, M>]) -> Result<()> {
        self.check_count(args.len())?;
        for (arg, param) in args.iter().zip(self.params()) {
            if let Some((kind, why)) = misfit(self.form(), domain, param.kind, arg) {
                let message = format!("kernel `{}`: `{}` {why}", self.name(), param.name);
                return Err(Error::new(kind, message));
            }
        }
        self.check_aliases(args)
    }

    pub(crate) fn check_count(&self, got: usize) -> Result<()> {
        let params = self.params();
        if params.len() == got {
            return Ok(());
        }
        let names: Vec<_> = params.iter().map(|p| p.name).collect();
        let (name, count, names) = (self.name(), params.len(), names.join(", "));
        Err(Error::invalid(format!("kernel `{name}` takes {count} arguments ({names}), got {got}")))
    }

    /// Refuses arguments that share memory with one that is written. Only a map may write exactly the
    /// elements that it reads.
    pub(crate) fn check_aliases<M>(&self, args: &[Arg<'_, M>]) -> Result<()> {
        let params = self.params();
        let size = |i: usize| params[i].kind.dtype().map(DType::size);
        for (i, target) in args.iter().enumerate().filter(|(i, _)| params[*i].kind.is_written()) {
            for (j, other) in args.iter().enumerate().filter(|(j, _)| *j != i) {
                let (Some(x), Some(y)) = (target.region(), other.region()) else { continue };
                if !overlap(&x, &y) {
                    continue;
                }
                let in_place = self.form() == Form::Map
                    && !params[j].kind.is_written()
                    && size(i) == size(j)
                    && (x.offset, x.bytes) == (y.offset, y.bytes)
                    && strides(target) == strides(other);
                if !in_place {
                    return Err(self.shared(i, j));
                }
            }
        }
        Ok(())
    }

    #[cold]
    fn shared(&self, written: usize, with: usize) -> Error {
        Error::invalid(format!("`{}` writes memory that argument {with} shares", self.name()))
            .with("written argument", written)
            .help("pass a copy, made with `duplicate`")
    }

    /// Checks what the kernel requires of arguments that fit it, and proves what it can.
    pub(crate) fn prove<M>(&self, domain: Shape, args: &[Arg<'_, M>]) -> Result<Proven> {
        let Some(Body { ir, prover, whole }) = &self.0.body else {
            return Ok(Proven::default());
        };
        if domain.len() != usize::from(ir.rank) {
            let (name, rank) = (self.name(), ir.rank);
            let message =
                format!("kernel `{name}`: a domain of rank {rank} is needed, got {domain}");
            return Err(Error::shape(message));
        }
        let mut known = OfArgs::new();
        known.extend(self.params().iter().zip(args).map(fact));
        let facts = LaunchFacts { domain: &domain, args: &known };
        let proof = prover.prove(ir, &facts);
        match proof.broken {
            Some(broken) => Err(self.refusal(ir, broken, &facts)),
            None => Ok(Proven { in_bounds: *whole && proof.unchecked(), narrow: proof.narrow }),
        }
    }

    /// The error of a launch for which a requirement of the kernel does not hold.
    #[cold]
    fn refusal(&self, ir: &ir::Kernel, broken: usize, facts: &LaunchFacts<'_>) -> Error {
        let (name, text) = (self.name(), ir.show(&ir.requires[broken]));
        let text = text.strip_prefix('(').and_then(|t| t.strip_suffix(')')).unwrap_or(&text);
        let spec = self.0.kernel.spec();
        // A requirement that was not declared stands at the access that rests on it.
        let site = ir.requires[broken].site;
        let derived = ir
            .slice_at(site)
            .map(|slice| format!(", so that no two work-items meet in one element of `{slice}`"));
        let why = derived.as_deref().unwrap_or("");
        let mut message =
            format!("kernel `{name}` requires {text}{why}, which does not hold for this launch");
        if let Some([a, b]) = sides(ir, facts, broken) {
            message.push_str(&format!(": {} and {}", a.literal(), b.literal()));
        }
        let error = Error::invalid(message);
        let error = match (derived, spec.sites.get(site as usize)) {
            (Some(_), Some((line, column))) => {
                error.with("at", format!("{}:{line}:{column}", spec.file))
            }
            _ => error,
        };
        spec.declared(error)
    }
}

impl<C> Clone for Code<C> {
    fn clone(&self) -> Self {
        Self(Arc::clone(&self.0))
    }
}

impl<C> fmt::Debug for Code<C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Code({})", self.name())
    }
}

/// What is wrong with an argument, if it is not what the parameter takes.
fn misfit<M>(
    form: Form,
    domain: Shape,
    kind: ParamKind,
    arg: &Arg<'_, M>,
) -> Option<(ErrorKind, String)> {
    let invalid = |why| Some((ErrorKind::InvalidArgument, why));
    let shape = |why: Option<String>| why.map(|why| (ErrorKind::Shape, why));
    match (kind, arg) {
        (ParamKind::Scalar(ty), Arg::Scalar(value)) => {
            let got = value.ty();
            (got != ty).then(|| (ErrorKind::DType, format!("is {kind}, got {}", got.name())))
        }
        (ParamKind::Slice { dtype, .. }, Arg::Slice { region, .. })
        | (ParamKind::View { dtype, .. }, Arg::View { region, .. })
            if !is_whole(region, dtype) =>
        {
            invalid(format!("is not a whole number of {dtype} elements"))
        }
        (ParamKind::Slice { dtype, mutable }, Arg::Slice { region, strides }) => {
            let elements = region.bytes / dtype.size();
            match strides {
                Some(_) if form != Form::Map => invalid("takes strides in a map alone".into()),
                Some(strides) => shape(match StridedShape::new(domain, strides) {
                    Ok(steps) => steps.misfit(domain.len() as u8, mutable, elements),
                    Err(error) => Some(format!("has {}", error.message())),
                }),
                None if form == Form::Map && elements < domain.elements() => {
                    let points = domain.elements();
                    shape(Some(format!(
                        "has {elements} elements for the {points} points of the domain {domain}"
                    )))
                }
                None => None,
            }
        }
        (ParamKind::View { dtype, rank, mutable }, Arg::View { region, shape: steps }) => {
            shape(steps.misfit(rank, mutable, region.bytes / dtype.size()))
        }
        (_, Arg::Scalar(_)) => invalid(format!("is {kind}, got a scalar")),
        (_, Arg::Slice { .. }) => invalid(format!("is {kind}, got a slice")),
        (_, Arg::View { .. }) => invalid(format!("is {kind}, got a view")),
    }
}

fn is_whole<M>(region: &Region<'_, M>, dtype: DType) -> bool {
    // The size is a power of two.
    (region.bytes | region.offset).is_multiple_of(dtype.size())
}

fn strides<'a, M>(arg: &Arg<'a, M>) -> Option<&'a [usize]> {
    match *arg {
        Arg::Slice { strides, .. } => strides,
        Arg::View { shape, .. } => Some(shape.strides()),
        Arg::Scalar(_) => None,
    }
}

/// Whether two regions share a byte.
fn overlap<M>(a: &Region<'_, M>, b: &Region<'_, M>) -> bool {
    std::ptr::eq(a.memory, b.memory)
        && a.offset < b.offset.saturating_add(b.bytes)
        && b.offset < a.offset.saturating_add(a.bytes)
        && a.bytes.min(b.bytes) > 0
}

/// What is known of an argument that the parameter takes.
fn fact<'a, M>((param, arg): (&Param, &Arg<'a, M>)) -> Fact<'a> {
    match arg {
        Arg::Scalar(value) => Fact::Scalar(*value),
        Arg::Slice { region, .. } => {
            Fact::Len(region.bytes / param.kind.dtype().map_or(1, DType::size))
        }
        Arg::View { shape, .. } => Fact::View { shape: shape.extents(), strides: shape.strides() },
    }
}

#[cfg(test)]
mod tests;
