//! A node of a file, for the functions that build it.

use ringwood_base::{DType, Error, ErrorKind, Result};
use ringwood_graph::graph::{Attribute, Attributes, Graph, TensorType, Value};
use std::borrow::Cow;

/// A node of a file whose operands have types: what it is given, and the graph that it is built in.
pub(super) struct Call<'a> {
    pub(super) graph: &'a mut Graph,
    /// The operands in their places; `None` where the file leaves one out.
    operands: Vec<Option<Value>>,
    attributes: &'a Attributes,
    /// The version of the operator set.
    pub(super) opset: i64,
    /// The number of results that the file names.
    pub(super) results: usize,
}

impl<'a> Call<'a> {
    /// The node with these attributes, as the reader wrote them.
    ///
    /// # Errors
    /// An attribute of the reader is missing.
    pub(super) fn new(
        graph: &'a mut Graph,
        operands: &[Value],
        attributes: &'a Attributes,
    ) -> Result<Self> {
        let absent = match attributes.find("absent") {
            Some(_) => attributes.value::<Vec<i64>>("onnx", "absent")?,
            None => Vec::new(),
        };
        let mut given = operands.iter().copied().map(Some);
        let places = 0..(operands.len() + absent.len()) as i64;
        let operand = |place| if absent.contains(&place) { None } else { given.next().flatten() };
        let operands = places.map(operand).collect();
        let opset = attributes.value("onnx", "opset")?;
        let results = attributes.value("onnx", "results")?;
        Ok(Self { graph, operands, attributes, opset, results })
    }

    /// The operand in place `i`, if there is one.
    pub(super) fn maybe(&self, i: usize) -> Option<Value> {
        self.operands.get(i).copied().flatten()
    }

    /// The operand in place `i`.
    ///
    /// # Errors
    /// The file leaves it out.
    pub(super) fn operand(&self, i: usize) -> Result<Value> {
        self.maybe(i).ok_or_else(|| invalid(format!("operand {} is missing", i + 1)))
    }

    /// The operands that are there.
    pub(super) fn operands(&self) -> Vec<Value> {
        self.operands.iter().flatten().copied().collect()
    }

    /// The type of an operand.
    pub(super) fn type_of(&self, value: Value) -> Result<TensorType> {
        self.graph.type_of(value)
    }

    /// The extents of a value of rank `N`.
    pub(super) fn extents<const N: usize>(&self, value: Value) -> Result<[usize; N]> {
        let ty = self.type_of(value)?;
        <[usize; N]>::try_from(&ty.shape[..])
            .map_err(|_| misshapen(format!("{ty} has not {N} dimensions")))
    }

    /// The rank of a value.
    pub(super) fn rank(&self, value: Value) -> Result<usize> {
        Ok(self.type_of(value)?.shape.len())
    }

    /// An attribute, if the file gives it.
    pub(super) fn attribute<T>(&self, name: &str) -> Result<Option<T>>
    where
        T: for<'b> TryFrom<&'b Attribute, Error = Error>,
    {
        match self.attributes.find(name) {
            Some(_) => self.attributes.value("onnx", name).map(Some),
            None => Ok(None),
        }
    }

    /// An attribute, or what the standard says where it is left out.
    pub(super) fn or<T>(&self, name: &str, default: T) -> Result<T>
    where
        T: for<'b> TryFrom<&'b Attribute, Error = Error>,
    {
        self.attribute(name).map(|value| value.unwrap_or(default))
    }

    /// An attribute that is a word.
    pub(super) fn text(&self, name: &str, default: &str) -> Result<String> {
        self.or(name, default.to_owned())
    }

    /// An attribute that is 0 or 1.
    pub(super) fn flag(&self, name: &str, default: bool) -> Result<bool> {
        self.or(name, i64::from(default)).map(|value| value != 0)
    }

    /// A tensor among the attributes.
    pub(super) fn tensor(&self, name: &str) -> Option<(TensorType, &'a [u8])> {
        match self.attributes.find(name) {
            Some(Attribute::Tensor(ty, bytes)) => Some((*ty, bytes)),
            _ => None,
        }
    }

    /// The axes of an operand in place `i`, or, in older operator sets, of the attribute `axes`; `None`
    /// where both are left out.
    pub(super) fn axes(&mut self, i: usize) -> Result<Option<Vec<i64>>> {
        match self.maybe(i) {
            Some(axes) => self.graph.integers(axes).map(Some),
            None => self.attribute("axes"),
        }
    }

    /// The elements of a value, which are needed before a run.
    pub(super) fn numbers(&mut self, value: Value) -> Result<Vec<f64>> {
        let wide = self.cast(value, DType::F64)?;
        let words = self.graph.require(wide)?.as_chunks().0;
        Ok(words.iter().map(|word| f64::from_ne_bytes(*word)).collect())
    }

    /// The dimension of a value that an axis names.
    pub(super) fn dimension(&self, value: Value, axis: i64) -> Result<usize> {
        dimension(axis, self.rank(value)?)
    }

    /// Applies an operator of Ringwood.
    pub(super) fn apply(&mut self, operator: &str, operands: &[Value]) -> Result<Value> {
        self.apply_with(operator, operands, Attributes::default())
    }

    /// Applies an operator of Ringwood with attributes.
    pub(super) fn apply_with(
        &mut self,
        operator: &str,
        operands: &[Value],
        attributes: impl Into<Attributes>,
    ) -> Result<Value> {
        self.graph.apply_with(&format!("ringwood::{operator}"), operands, attributes)
    }

    /// The elements of a value in their order, with other extents.
    pub(super) fn reshape(&mut self, value: Value, shape: &[usize]) -> Result<Value> {
        let shape: Vec<_> = shape.iter().map(|&n| n as i64).collect();
        self.apply_with("reshape", &[value], [("shape", shape)])
    }

    /// The dimensions of a value in another order.
    pub(super) fn permute(&mut self, value: Value, axes: &[usize]) -> Result<Value> {
        if axes.iter().copied().eq(0..axes.len()) {
            return Ok(value);
        }
        let axes: Vec<_> = axes.iter().map(|&d| d as i64).collect();
        self.apply_with("permute", &[value], [("axes", axes)])
    }

    /// A part of a value along a dimension.
    pub(super) fn slice(
        &mut self,
        value: Value,
        axis: usize,
        range: std::ops::Range<usize>,
        step: usize,
    ) -> Result<Value> {
        let part = [("axis", axis), ("start", range.start), ("end", range.end), ("step", step)];
        self.apply_with("slice", &[value], part)
    }

    /// The part of a value at a place of a dimension, which it has no more.
    pub(super) fn at(&mut self, value: Value, axis: usize, place: usize) -> Result<Value> {
        let mut shape = self.type_of(value)?.shape.to_vec();
        let part = self.slice(value, axis, place..place + 1, 1)?;
        shape.remove(axis);
        self.reshape(part, &shape)
    }

    /// A value with one more dimension, of extent 1.
    pub(super) fn unsqueeze(&mut self, value: Value, axis: i64) -> Result<Value> {
        self.apply_with("unsqueeze", &[value], [("axes", vec![axis])])
    }

    /// The elements repeated to other extents.
    pub(super) fn broadcast(&mut self, value: Value, shape: &[usize]) -> Result<Value> {
        let shape: Vec<_> = shape.iter().map(|&n| n as i64).collect();
        self.apply_with("broadcast_to", &[value], [("shape", shape)])
    }

    /// Each element `count` times in a row along a dimension.
    pub(super) fn repeated(&mut self, value: Value, axis: usize, count: usize) -> Result<Value> {
        let mut shape = self.type_of(value)?.shape.to_vec();
        let (before, after) = (shape[..=axis].iter().product(), shape[axis + 1..].iter().product());
        let column = self.reshape(value, &[before, 1, after])?;
        let wide = self.broadcast(column, &[before, count, after])?;
        shape[axis] *= count;
        self.reshape(wide, &shape)
    }

    /// Values one after the other along a dimension.
    pub(super) fn concat(&mut self, values: &[Value], axis: usize) -> Result<Value> {
        self.apply_with("concat", values, [("axis", axis as i64)])
    }

    /// A number of the element type of `value`.
    pub(super) fn like(&mut self, value: Value, number: f32) -> Result<Value> {
        let dtype = self.type_of(value)?.dtype;
        self.number(dtype, f64::from(number))
    }

    /// A number of the element type of `value`, in each place of a tensor.
    pub(super) fn filled(&mut self, value: Value, number: f32, shape: &[usize]) -> Result<Value> {
        let number = self.like(value, number)?;
        self.broadcast(number, shape)
    }

    /// A number of an element type, as a tensor of rank 0.
    pub(super) fn number(&mut self, dtype: DType, value: f64) -> Result<Value> {
        let constant = self.graph.constant(&[], &[value])?;
        self.cast(constant, dtype)
    }

    /// 0, 1, 2 … as `i64`, in row-major order of these extents.
    pub(super) fn counted(&mut self, shape: &[usize]) -> Result<Value> {
        let count = shape.iter().fold(1, |count: usize, &extent| count.saturating_mul(extent));
        fits(count, 1)?;
        let numbers: Vec<_> = (0..count as i64).collect();
        self.graph.constant(shape, &numbers)
    }

    /// The elements of a value in another type.
    pub(super) fn cast(&mut self, value: Value, dtype: DType) -> Result<Value> {
        match self.type_of(value)?.dtype == dtype {
            true => Ok(value),
            false => self.apply(&format!("to_{dtype}"), &[value]),
        }
    }
}

/// The dimension that an axis names; a negative one counts from the end.
pub(super) fn dimension(axis: i64, rank: usize) -> Result<usize> {
    let from_end = if axis < 0 { axis + rank as i64 } else { axis };
    let known = usize::try_from(from_end).ok().filter(|d| *d < rank);
    known.ok_or_else(|| misshapen(format!("axis {axis} is none of {rank} dimensions")))
}

/// The extents of a tensor of some rank that has 1 in all dimensions but `d`.
pub(super) fn line(rank: usize, d: usize, extent: usize) -> Vec<usize> {
    (0..rank).map(|other| if other == d { extent } else { 1 }).collect()
}

/// The error of a node that is given what it does not take.
pub(super) fn invalid(message: impl Into<Cow<'static, str>>) -> Error {
    Error::new(ErrorKind::InvalidArgument, message)
}

/// The error of a node whose operands have shapes that do not fit.
pub(super) fn misshapen(message: impl Into<Cow<'static, str>>) -> Error {
    Error::new(ErrorKind::Shape, message)
}

/// The most numbers that are computed before a run.
pub(super) const MOST: usize = 1 << 25;

/// Checks that a matrix which is computed before a run is not too large.
pub(super) fn fits(rows: usize, columns: usize) -> Result<()> {
    if rows.saturating_mul(columns) <= MOST {
        return Ok(());
    }
    Err(unsupported(format!("a matrix [{rows}, {columns}] is needed, which is too large")))
}

/// The error of a node that asks for what there is not.
pub(super) fn unsupported(message: impl Into<Cow<'static, str>>) -> Error {
    Error::new(ErrorKind::Unsupported, message)
}
