//! The domain of a launch, and what must be known of the arguments to compute it.

use super::{Form, Kernel};
use ringwood_base::{DType, Error, Result, Scalar, Shape};
use ringwood_ir::Mistyped;

/// What is known of an argument before a launch.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Operand {
    /// A value.
    Scalar(Scalar),
    /// Elements.
    Tensor {
        /// Their type.
        dtype: DType,
        /// Their shape.
        shape: Shape,
        /// Whether the launch may write them.
        mutable: bool,
    },
}

impl Kernel {
    /// The domain of a launch.
    ///
    /// A map has the shape that its inputs broadcast to. A grid kernel has what its declaration
    /// says, else the shape of the first slice or view that it writes, whose leading dimensions merge if
    /// there are more of them than the kernel uses. That of a group kernel is its number of groups,
    /// which its declaration says. A host kernel has one item.
    ///
    /// # Errors
    /// The inputs of a map do not broadcast, or to another shape than its result has; the domain of
    /// a grid kernel has too few dimensions.
    pub fn domain(&self, operands: &[Operand]) -> Result<Shape> {
        let shapes = || operands.iter().filter_map(shape);
        let named = |error: Error| error.with("kernel", self.name());
        match self.form() {
            Form::Host => Ok(Shape::scalar()),
            Form::Map => {
                let mut inputs = shapes().filter(|(_, mutable)| !mutable).map(|(shape, _)| shape);
                let domain = inputs.try_fold(Shape::scalar(), |domain, s| domain.broadcast(&s));
                let domain = domain.map_err(named)?;
                match shapes().find(|(_, mutable)| *mutable) {
                    Some((result, _)) if result != domain => Err(named(Error::shape(format!(
                        "inputs of {domain}, but a result of {result}"
                    )))),
                    _ => Ok(domain),
                }
            }
            Form::Grid => {
                let written = shapes().find(|(_, mutable)| *mutable);
                let domain = match (self.domain_fn(), written) {
                    (Some(domain), _) => domain(operands),
                    (None, Some((shape, _))) => fold(shape, self.rank()),
                    (None, None) => Ok(Shape::scalar()),
                };
                domain.map_err(named)
            }
            Form::Group => match self.domain_fn() {
                Some(domain) => domain(operands).map_err(named),
                None => Err(named(Error::invalid(
                    "a group kernel declares its number of groups: `groups = …`",
                ))),
            },
        }
    }
}

fn shape(operand: &Operand) -> Option<(Shape, bool)> {
    match operand {
        Operand::Scalar(_) => None,
        Operand::Tensor { shape, mutable, .. } => Some((*shape, *mutable)),
    }
}

/// The shape with its leading dimensions merged until `rank` are left.
fn fold(shape: Shape, rank: usize) -> Result<Shape> {
    let Some(extra) = shape.len().checked_sub(rank) else {
        let message = format!("the domain has {rank} dimensions, the slice written has {shape}");
        return if rank == 1 { Ok(Shape::vector(1)) } else { Err(Error::shape(message)) };
    };
    let mut dims = shape[extra..].to_vec();
    if let Some(first) = dims.first_mut() {
        *first *= shape[..extra].iter().product::<usize>();
    }
    Shape::new(&dims)
}

/// The domain with these extents, slowest first. One with an extent of 0 is empty whatever the others are:
/// they are kept where a shape has them, and are 0 else.
///
/// # Errors
/// There are more points than can be counted.
pub fn declared(extents: &[usize]) -> Result<Shape> {
    Shape::new(extents).or_else(|error| match extents.contains(&0) {
        true => Shape::new(&vec![0; extents.len()]),
        false => Err(error),
    })
}

/// A number in the `domain = …` of a declaration; `None` if it is too large for an index.
///
/// # Errors
/// There is none.
pub fn counted(number: Option<usize>) -> Result<usize> {
    number.ok_or_else(|| {
        Error::shape(
            "the domain of the launch has a sum or product that is too large to count, or a difference below 0",
        )
    })
}

/// The arguments as the `domain = …` of a declaration reads them, by position.
pub struct Operands<'a>(pub &'a [Operand]);

impl Operands<'_> {
    /// The value of a scalar argument.
    pub fn scalar<T: TryFrom<Scalar, Error = Mistyped>>(&self, index: usize) -> Result<T> {
        match self.0.get(index) {
            Some(Operand::Scalar(value)) => {
                T::try_from(*value).map_err(|e| Error::dtype(e.to_string()))
            }
            _ => Err(Error::invalid("expected a scalar argument")),
        }
    }

    /// The extents of a view argument, slowest dimension first.
    pub fn extents<const R: usize>(&self, index: usize) -> Result<[usize; R]> {
        let extents = match self.0.get(index) {
            Some(Operand::Tensor { shape, .. }) => <[usize; R]>::try_from(&**shape).ok(),
            _ => None,
        };
        extents.ok_or_else(|| Error::invalid("expected a view argument"))
    }

    /// The number of elements of a slice argument.
    pub fn elements(&self, index: usize) -> Result<usize> {
        match self.0.get(index) {
            Some(Operand::Tensor { shape, .. }) => Ok(shape.elements()),
            _ => Err(Error::invalid("expected a tensor argument")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn leading_dimensions_merge_until_the_rank_fits() {
        let shape = Shape::new(&[2, 3, 4]).unwrap();
        assert_eq!(*fold(shape, 1).unwrap(), [24]);
        assert_eq!(*fold(shape, 2).unwrap(), [6, 4]);
        assert_eq!(*fold(Shape::scalar(), 1).unwrap(), [1]);
        assert!(fold(Shape::vector(4), 2).is_err());
    }

    #[test]
    fn a_domain_with_an_extent_of_0_is_empty_whatever_the_others_are() {
        assert_eq!(*declared(&[0, 3]).unwrap(), [0, 3]);
        for extents in [[0, usize::MAX, 1], [usize::MAX, 0, 2], [usize::MAX, usize::MAX, 0]] {
            assert_eq!(declared(&extents).unwrap().elements(), 0, "{extents:?}");
        }
        assert!(declared(&[usize::MAX, 2]).is_err());
    }
}
