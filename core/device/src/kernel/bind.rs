//! A launch of a printed kernel: which variant it needs, and what its parameters are set to.

use super::portable::{facts, size};
use super::{Arg, Launch, Portable};
use crate::backend::Region;
use ringwood_base::{Error, ErrorKind, Result, Scalar, StridedShape};
use ringwood_ir::print::{Collapsed, Options, Slot};
use ringwood_ir::prove::LaunchFacts;
use ringwood_ir::{Kernel, ParamKind, Type, interpret};

/// A launch of a printed kernel, checked.
///
/// A backend that compiles [printed](ringwood_ir::print) kernels makes one for each launch, prints
/// and compiles the variant [`BoundLaunch::options`] unless it did before, sets the parameters to
/// what [`BoundLaunch::value`] says, and runs about [`BoundLaunch::items`] work-items, with
/// [`Facts::item_per_point`](ringwood_ir::print::Facts::item_per_point) at least as many.
pub struct BoundLaunch<'a, M> {
    portable: &'a Portable,
    kernel: &'a Kernel,
    launch: &'a Launch<'a, M>,
    /// Of a map.
    collapsed: Option<Collapsed>,
}

/// What one parameter of a printed kernel is set to.
pub enum Bound<'a, M> {
    /// The pointer to a buffer.
    Memory(&'a M),
    /// The pointer to the first byte of a part of a buffer.
    Start(Region<'a, M>),
    /// The pointer to the fault cell of the launch.
    Fault,
    /// A value of 4 bytes.
    Word(u32),
    /// A value of 8 bytes.
    DoubleWord(u64),
}

impl<'a, M> BoundLaunch<'a, M> {
    /// A launch of a kernel.
    ///
    /// # Errors
    /// The arguments are not those of the kernel, a tensor or view is too short for its strides, or
    /// a requirement of the kernel does not hold.
    pub fn new(portable: &'a Portable, launch: &'a Launch<'a, M>) -> Result<Self> {
        let kernel = portable.ir();
        let mut bound = Self { portable, kernel, launch, collapsed: None };
        let expected = kernel.params.len() + usize::from(kernel.result.is_some());
        if launch.args.len() != expected {
            let message = format!("{} arguments for {expected} parameters", launch.args.len());
            return Err(bound.error(ErrorKind::InvalidArgument, message));
        }
        (0..expected).try_for_each(|param| bound.check(param))?;
        if kernel.result.is_some() {
            bound.collapsed = Some(bound.collapse()?);
        } else {
            bound.check_domain()?;
        }
        Ok(bound)
    }

    /// The variant to print: with the layout of the arguments, and with checks of bounds unless it is
    /// [proved](Portable::prove) that this launch needs none; then also with indices of 32 bits, if
    /// they are proved to be enough.
    pub fn options(&self) -> Options {
        let options = Options::default();
        match &self.collapsed {
            Some(collapsed) => Options { layout: collapsed.layout(), ..options },
            None if self.portable.is_source() => options,
            None => {
                let proof = self.portable.prove(self.launch);
                match proof.unchecked() {
                    true => Options { checked: false, narrow: proof.narrow, ..options },
                    false => options,
                }
            }
        }
    }

    /// The points of the domain along each dimension, the contiguous one first: elements of a map,
    /// work-items of a grid kernel, groups of a group kernel. With a 0 among them there is nothing to
    /// launch.
    pub fn items(&self) -> [usize; 3] {
        let mut items = [1; 3];
        match &self.collapsed {
            Some(collapsed) => items[0] = collapsed.elements(),
            None => {
                let extents = self.launch.domain.iter().rev();
                items.iter_mut().zip(extents).for_each(|(item, extent)| *item = *extent);
            }
        }
        items
    }

    /// What a parameter is set to.
    pub fn value(&self, slot: Slot) -> Bound<'a, M> {
        let wide = |count: usize| Bound::DoubleWord(count as u64);
        match slot {
            Slot::Fault => Bound::Fault,
            Slot::Scalar { param, .. } => match self.launch.args[param] {
                Arg::Scalar(value) => scalar(value),
                Arg::Slice { .. } | Arg::View { .. } => wide(0),
            },
            Slot::Data { param, .. } => match self.launch.args[param].region() {
                Some(region) => Bound::Memory(region.memory),
                None => wide(0),
            },
            Slot::Start { param, .. } => match self.launch.args[param].region() {
                Some(region) => Bound::Start(region),
                None => wide(0),
            },
            Slot::Offset { param } => wide(self.elements(param).0),
            Slot::Len { param } => wide(self.elements(param).1),
            Slot::Dim { param, dim } => wide(self.shape(param).map_or(0, |s| s.extents()[dim])),
            Slot::Stride { param, dim } => wide(self.shape(param).map_or(0, |s| s.strides()[dim])),
            Slot::Step { param, dim } => {
                wide(self.collapsed.as_ref().map_or(0, |c| c.step(param, dim)))
            }
            Slot::Extent { dim } => wide(match &self.collapsed {
                Some(collapsed) => collapsed.extent(dim),
                None => self.items()[dim],
            }),
        }
    }

    /// Whether the argument is what the parameter takes.
    fn check(&self, param: usize) -> Result<()> {
        let (name, ty) = self.param(param);
        let of_map = self.kernel.rank == 0;
        let kind = self.kernel.params.get(param).filter(|_| !of_map).map(|p| p.kind);
        let size = size(ty);
        let whole = |region: &Region<'_, M>| {
            region.offset.is_multiple_of(size) && region.bytes.is_multiple_of(size)
        };
        let (what, fits) = match (kind, &self.launch.args[param]) {
            (Some(ParamKind::Scalar(_)), Arg::Scalar(value)) => {
                ("a value".to_owned(), value.scalar_type().name() == ty.name())
            }
            (Some(ParamKind::Scalar(_)), _) => ("a value".to_owned(), false),
            (Some(ParamKind::View { rank, .. }), arg) => {
                let fits = matches!(arg, Arg::View { region, shape } if whole(region)
                    && shape.extents().len() == usize::from(rank)
                    && shape.reach() <= region.bytes / size);
                (format!("a view of rank {rank} inside of its memory"), fits)
            }
            (_, arg) => {
                let fits = matches!(arg, Arg::Slice { region, .. } if whole(region));
                ("whole elements".to_owned(), fits)
            }
        };
        if fits {
            return Ok(());
        }
        Err(self.error(ErrorKind::InvalidArgument, format!("`{name}` must be {what} of type {ty}")))
    }

    fn collapse(&self) -> Result<Collapsed> {
        let domain = self.launch.domain;
        let dense = domain.strides();
        let strides = self.launch.args.iter().map(|arg| match arg {
            Arg::Slice { strides: Some(strides), .. } => *strides,
            _ => &dense,
        });
        let strides: Vec<_> = strides.collect();
        if strides.iter().any(|s| s.len() != domain.len()) {
            return Err(
                self.error(ErrorKind::Shape, format!("strides of another rank than {domain}"))
            );
        }
        let collapsed = Collapsed::new(&domain, &strides);
        for param in 0..strides.len() {
            let len = self.elements(param).1;
            if collapsed.reach(param).is_none_or(|reach| reach > len) {
                let message = format!("{len} elements are too few for the domain {domain}");
                return Err(self.error(ErrorKind::Shape, message));
            }
        }
        Ok(collapsed)
    }

    fn check_domain(&self) -> Result<()> {
        let (domain, rank) = (self.launch.domain, usize::from(self.kernel.rank));
        if domain.len() != rank {
            let message = format!("a domain of rank {rank} is needed, got {domain}");
            return Err(self.error(ErrorKind::Shape, message));
        }
        if self.kernel.requires.is_empty() {
            return Ok(());
        }
        let args = facts(self.kernel, self.launch);
        let facts = LaunchFacts { domain: &domain, args: &args };
        match interpret::broken_requirement(self.kernel, &facts) {
            None => Ok(()),
            Some(broken) => {
                let text = self.kernel.show(&self.kernel.requires[broken]);
                Err(crate::__private::kernel::requirement(&self.kernel.name, &text))
            }
        }
    }

    /// Name and element type of a parameter; the result of a map is the last one.
    fn param(&self, param: usize) -> (&str, Type) {
        match (self.kernel.params.get(param), &self.kernel.result) {
            (Some(p), _) => match p.kind {
                ParamKind::Scalar(ty)
                | ParamKind::Slice { ty, .. }
                | ParamKind::View { ty, .. } => (&p.name, ty),
            },
            (None, result) => ("the result", result.as_ref().map_or(Type::F32, |e| e.ty)),
        }
    }

    /// The first element of a slice in its buffer, and their number.
    fn elements(&self, param: usize) -> (usize, usize) {
        let size = size(self.param(param).1);
        let region = self.launch.args[param].region();
        region.map_or((0, 0), |region| (region.offset / size, region.bytes / size))
    }

    /// The extents and steps of a view.
    fn shape(&self, param: usize) -> Option<&'a StridedShape> {
        match self.launch.args[param] {
            Arg::View { shape, .. } => Some(shape),
            _ => None,
        }
    }

    fn error(&self, kind: ErrorKind, message: String) -> Error {
        Error::new(kind, format!("kernel `{}`: {message}", self.kernel.name))
    }
}

fn scalar<'a, M>(value: Scalar) -> Bound<'a, M> {
    match value {
        Scalar::Bool(v) => Bound::Word(v.into()),
        Scalar::I32(v) => Bound::Word(v as u32),
        Scalar::U32(v) => Bound::Word(v),
        Scalar::F32(v) => Bound::Word(v.to_bits()),
        Scalar::U8(v) => Bound::Word(v.into()),
        // The values of both are held as `f32`.
        Scalar::F16(v) => Bound::Word(v.to_f32().to_bits()),
        Scalar::BF16(v) => Bound::Word(v.to_f32().to_bits()),
        Scalar::I64(v) => Bound::DoubleWord(v as u64),
        Scalar::U64(v) => Bound::DoubleWord(v),
        Scalar::Usize(v) => Bound::DoubleWord(v as u64),
        Scalar::F64(v) => Bound::DoubleWord(v.to_bits()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernel::{Form, KernelSpec};
    use ringwood_base::Shape;
    use ringwood_ir::print::slots;

    const SCALE: &str = "kir2 scale 1 - 0 2 a s f32 y m f32 0 0 0 1 > bool:0 len usize:0 p1 i usize:0 2 1 \
        st p1 1 1 gid usize:2 0 p f32:3 0 void";
    const SUM: &str = "kir2 sum 0 - 0 2 a s f32 b s f32 0 0 0 0 0 + f32:0 p f32:0 0 p f32:0 1";

    fn slice<'a>(elements: usize, strides: Option<&'a [usize]>) -> Arg<'a, ()> {
        let region = Region { memory: &(), offset: 8, bytes: elements * 4 };
        Arg::Slice { region, strides }
    }

    fn portable(ir: &str) -> Portable {
        Portable::new(&KernelSpec { ir: Some(ir), ..KernelSpec::new("probe", Form::Grid, &[]) })
            .unwrap()
    }

    fn words(kernel: &Portable, launch: &Launch<'_, ()>) -> Result<Vec<String>> {
        let bound = BoundLaunch::new(kernel, launch)?;
        let word = |slot: &Slot| match bound.value(*slot) {
            Bound::Memory(()) | Bound::Start(_) => "memory".to_owned(),
            Bound::Fault => "fault".to_owned(),
            Bound::Word(word) => format!("{word:x}"),
            Bound::DoubleWord(word) => word.to_string(),
        };
        Ok(slots(kernel.ir(), &bound.options()).iter().map(word).collect())
    }

    #[test]
    fn every_parameter_of_a_grid_kernel_gets_its_value() {
        let kernel = portable(SCALE);
        let args = [Arg::Scalar(Scalar::F32(1.0)), slice(5, None)];
        let launch = Launch { domain: Shape::vector(6), args: &args };
        let expected = ["3f800000", "memory", "2", "5", "6", "fault"];
        assert_eq!(words(&kernel, &launch).unwrap(), expected);
        assert_eq!(BoundLaunch::new(&kernel, &launch).unwrap().items(), [6, 1, 1]);
    }

    #[test]
    fn a_launch_that_is_proved_needs_no_checks() {
        let kernel = portable(SCALE);
        let args = [Arg::Scalar(Scalar::F32(1.0)), slice(5, None)];
        let checked = |points| {
            let launch = Launch { domain: Shape::vector(points), args: &args };
            let options = BoundLaunch::new(&kernel, &launch).unwrap().options();
            (options.checked, options.narrow)
        };
        assert_eq!([checked(5), checked(6)], [(false, true), (true, false)]);
        let launch = Launch { domain: Shape::vector(5), args: &args };
        assert_eq!(words(&kernel, &launch).unwrap(), ["3f800000", "memory", "2", "5", "5"]);
    }

    #[test]
    fn a_launch_that_cannot_run_is_refused() {
        let kernel = portable(SCALE);
        let refused = |args: &[Arg<'_, ()>], domain: Shape| {
            words(&kernel, &Launch { domain, args }).unwrap_err().to_string()
        };
        let one = Arg::Scalar(Scalar::F32(1.0));
        let text = refused(&[one, slice(2, None)], Shape::vector(2));
        assert!(text.contains("requires") && text.contains("y.len()"), "{text}");
        let text = refused(&[Arg::Scalar(Scalar::F64(1.0)), slice(5, None)], Shape::vector(5));
        assert!(text.contains("`a` must be a value of type f32"), "{text}");
        assert!(refused(&[slice(5, None)], Shape::vector(5)).contains("1 arguments for 2"));
        let one = Arg::Scalar(Scalar::F32(1.0));
        assert!(refused(&[one, slice(5, None)], Shape::scalar()).contains("rank 1"));
    }

    #[test]
    fn a_map_gets_the_layout_of_its_arguments_if_they_are_long_enough() {
        let kernel = portable(SUM);
        let domain = Shape::new(&[2, 3]).unwrap();
        let args = [slice(6, None), slice(1, Some(&[0, 0])), slice(6, None)];
        let launch = Launch { domain, args: &args };
        assert_eq!(
            words(&kernel, &launch).unwrap(),
            ["memory", "2", "memory", "2", "memory", "2", "6"]
        );
        let args = [slice(6, None), slice(3, Some(&[0, 1])), slice(6, None)];
        let launch = Launch { domain, args: &args };
        assert_eq!(words(&kernel, &launch).unwrap().len(), 14);
        let args = [slice(6, None), slice(2, Some(&[0, 1])), slice(6, None)];
        let error = words(&kernel, &Launch { domain, args: &args }).unwrap_err().to_string();
        assert!(error.contains("2 elements are too few"), "{error}");
    }
}
