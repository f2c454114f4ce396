//! A kernel's native code, found by name and run on the calling thread.

use ringwood_base::registry::Registry;
use ringwood_base::{DType, Error, Result, Shape};
use ringwood_kernel::{
    Fault, KernelDef, Native, NativeArg, NativeLaunch, NativeSlice, ParamKind, declarations,
};
use std::ops::Range;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::ptr::NonNull;

/// A kernel's native code for slices alone, the last of which it writes.
#[derive(Clone, Copy)]
pub struct NativeKernel {
    name: &'static str,
    native: Native<'static>,
}

impl NativeKernel {
    /// The kernel `name` for slices of these types; `what` is what it is needed for.
    ///
    /// # Errors
    /// It is not registered, has no native code for these types, takes anything else, or its code was
    /// written for another kernel.
    pub fn find(
        registry: &Registry,
        name: &'static str,
        dtypes: &[DType],
        what: &dyn std::fmt::Display,
    ) -> Result<Self> {
        let native = |def: &KernelDef| {
            let instance = def.instance(dtypes)?;
            let written = |kind| matches!(kind, ParamKind::Slice { mutable: true, .. });
            let expected = (1..=dtypes.len()).map(|i| i == dtypes.len());
            let fits = instance.params.iter().map(|p| written(p.kind)).eq(expected);
            instance.native.filter(|_| fits).map(|native| (native, def.spec(instance)))
        };
        match declarations(registry, name)?.find_map(|(_, def)| native(def)) {
            Some((native, spec)) => {
                spec.check_native()?;
                Ok(Self { name, native })
            }
            None => Err(Error::unsupported(format!("no native kernel `{name}` {what}"))),
        }
    }

    /// Runs a kernel of two slices over `items` work-items.
    ///
    /// # Errors
    /// A slice is not aligned whole elements, or the kernel fails or panics.
    pub fn apply(&self, items: usize, source: &[u8], target: &mut [u8]) -> Result<()> {
        let (from, to) = (NonNull::from(source).cast(), NonNull::from(&mut *target).cast());
        // SAFETY: the slices are initialised and valid for as long as they are borrowed, `target`
        // exclusively; the kernel checks their alignment and stays inside of them.
        let slices = unsafe {
            [NativeSlice::new(from, source.len(), None), NativeSlice::new(to, target.len(), None)]
        };
        self.run(items, slices)
    }

    /// Runs the kernel over `items` work-items.
    ///
    /// # Errors
    /// The kernel fails or panics.
    pub fn run<const N: usize>(&self, items: usize, slices: [NativeSlice<'_>; N]) -> Result<()> {
        self.run_in_blocks(items, slices, items.max(1), |_| ())
    }

    /// Whether [`NativeKernel::run_in_blocks`] gives what [`NativeKernel::run`] does.
    pub(crate) fn is_map(&self) -> bool {
        self.native.is_map()
    }

    /// Runs the kernel, a map, over `items` work-items, `block` of them after the other; before each block it is told which
    /// are next.
    ///
    /// # Errors
    /// As [`NativeKernel::run`].
    #[inline]
    pub(crate) fn run_in_blocks<const N: usize>(
        &self,
        items: usize,
        slices: [NativeSlice<'_>; N],
        block: usize,
        before: impl Fn(Range<usize>),
    ) -> Result<()> {
        let Self { name, native } = self;
        let args = slices.map(NativeArg::Slice);
        let fault = Fault::default();
        let launch = NativeLaunch::new(Shape::vector(items), &args, &fault);
        let run = || {
            (0..items).step_by(block).try_for_each(|first| {
                let next = first..items.min(first + block);
                before(next.clone());
                // SAFETY: `find` checked that it is the kernel's code, for slices the last of which is
                // written; who made these promised them for such a kernel.
                unsafe { native.run(&launch, next) }
            })
        };
        catch_unwind(AssertUnwindSafe(run))
            .unwrap_or_else(|p| Err(Error::from_panic(format!("kernel `{name}`"), p)))?;
        match fault.get() {
            None => Ok(()),
            Some((site, index, length)) => {
                let message = format!("kernel `{name}` accesses element {index} of {length}");
                Err(Error::out_of_bounds(message).with("site", site))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ringwood_base::registry::{Entry, EntryMeta};
    use ringwood_kernel::{Form, Instance, Param};

    const fn slice(name: &'static str, dtype: DType, mutable: bool) -> Param {
        Param { name, kind: ParamKind::Slice { dtype, mutable } }
    }

    const WIDE: &[Param] = &[slice("x", DType::F64, false), slice("y", DType::F64, true)];
    const NARROW: &[Param] = &[slice("x", DType::F32, false), slice("y", DType::F32, true)];
    const WRITTEN: Instance =
        Instance::written(Form::Grid, WIDE, None, Some(Native::new(|_, _| Ok(()))));

    static DEF: KernelDef = KernelDef {
        meta: EntryMeta {
            package: "tests",
            name: "same",
            module_path: "native",
            file: "native.rs",
            line: 1,
        },
        form: Form::Grid,
        devices: &["cpu"],
        instances: &[WRITTEN, Instance { native: WRITTEN.native, ..Instance::new(NARROW) }],
    };

    #[test]
    fn native_code_that_was_written_for_other_types_is_refused() {
        let entry = Entry::new(DEF.meta, &DEF);
        let registry = Registry::builder().register(entry).build().unwrap();
        let find = |dtype| NativeKernel::find(&registry, "same", &[dtype; 2], &"in a test");
        assert!(find(DType::F64).is_ok());
        let error = find(DType::F32).map(drop).unwrap_err();
        assert!(error.to_string().contains("was written for another form"), "{error}");
        let error = find(DType::I8).map(drop).unwrap_err();
        assert!(error.to_string().contains("no native kernel `same` in a test"), "{error}");
    }
}
