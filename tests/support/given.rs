//! An argument of a launch on any device.

use ringwood::{Shape, StridedShape};
use ringwood_ir::interpret::Argument;
use ringwood_ir::{Type, Value};

/// The slices after a launch, in the order of the arguments.
pub(crate) type Slices = Vec<Option<Vec<Value>>>;

/// An argument, and how it lies in memory.
#[derive(Clone, Debug)]
pub(crate) struct Given {
    pub(crate) arg: Argument,
    /// Of the scalar, or of the elements.
    pub(crate) ty: Type,
    /// Of an argument of a map; dense without.
    pub(crate) strides: Option<Vec<usize>>,
    /// The argument whose memory this one is.
    pub(crate) same: Option<usize>,
}

impl Given {
    pub(crate) fn scalar(value: Value) -> Self {
        Given { arg: Argument::Scalar(value), ty: value.ty(), strides: None, same: None }
    }

    pub(crate) fn slice(values: Vec<Value>, ty: Type) -> Self {
        Given { arg: Argument::Slice(values), ty, strides: None, same: None }
    }

    /// A view of elements of a type.
    pub(crate) fn view(arg: Argument, ty: Type) -> Self {
        Given { arg, ty, strides: None, same: None }
    }

    /// The elements in front of the first one of a view, whose indices are 0.
    pub(crate) fn offset(&self) -> usize {
        if let Argument::View { offset, .. } = self.arg { offset } else { 0 }
    }

    /// The extents and steps of a view; those of one element for other arguments.
    pub(crate) fn shape(&self) -> StridedShape {
        match &self.arg {
            Argument::View { shape, strides, .. } => {
                StridedShape::new(Shape::new(shape).unwrap(), strides).unwrap()
            }
            _ => StridedShape::dense(Shape::scalar()),
        }
    }

    /// The elements, unless this is a scalar.
    pub(crate) fn elements(&self) -> Option<&[Value]> {
        match &self.arg {
            Argument::Slice(elements) | Argument::View { elements, .. } => Some(elements),
            Argument::Scalar(_) => None,
        }
    }
}

/// The slices of arguments.
pub(crate) fn slices(args: &[Argument]) -> Slices {
    let elements = |arg: &Argument| match arg {
        Argument::Slice(elements) | Argument::View { elements, .. } => Some(elements.clone()),
        Argument::Scalar(_) => None,
    };
    args.iter().map(elements).collect()
}

/// The first element that differs, of the first argument with one.
pub(crate) fn difference(got: &Slices, expected: &Slices) -> Option<String> {
    got.iter().zip(expected).enumerate().find_map(|(p, (got, expected))| {
        let (got, expected) = (got.as_deref()?, expected.as_deref()?);
        if got.len() != expected.len() {
            return Some(format!("parameter {p} has {} elements", got.len()));
        }
        let i = got.iter().zip(expected).position(|(g, e)| !g.same_bits(*e))?;
        Some(format!(
            "parameter {p}[{i}] is {} instead of {}",
            got[i].literal(),
            expected[i].literal()
        ))
    })
}
