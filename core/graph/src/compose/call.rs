//! An application of an operator for which others are added to the graph.

use super::{dimension, fits, last, line};
use crate::graph::{Attribute, Attributes, Graph, Loop, TensorType, Value, float_bytes};
use ringwood_base::registry::RINGWOOD;
use ringwood_base::{DType, Error, Result, Scalar};
use std::borrow::Cow;
use std::ops::Range;

/// An application of an operator that is made of others, or whose gradient is, to operands whose types are known: what it
/// is given, and the graph that is built in. For Ringwood's operators, a short name means another operator of Ringwood, and
/// no other package's.
pub struct Call<'a> {
    /// The graph that nodes are added to.
    pub graph: &'a mut Graph,
    /// The package that declares the operator.
    pub(crate) package: &'static str,
    pub(crate) operator: &'a str,
    /// The operands in their places; `None` where one is left out.
    pub(crate) operands: Vec<Option<Value>>,
    pub(crate) attributes: &'a Attributes,
}

impl<'a> Call<'a> {
    /// The application; its attribute `absent` says which operands are left out.
    ///
    /// # Errors
    /// `absent` is no list of integers.
    pub(crate) fn new(
        graph: &'a mut Graph,
        package: &'static str,
        operator: &'a str,
        operands: &[Value],
        attributes: &'a Attributes,
    ) -> Result<Self> {
        let operands = operands.iter().copied().map(Some).collect();
        let mut call = Self { graph, package, operator, operands, attributes };
        let absent: Vec<i64> = call.or("absent", Vec::new())?;
        if !absent.is_empty() {
            let mut given = call.operands().into_iter();
            let places = 0..(call.operands.len() + absent.len()) as i64;
            let operand = |place| if absent.contains(&place) { None } else { given.next() };
            call.operands = places.map(operand).collect();
        }
        Ok(call)
    }

    /// The operand in place `i`, if there is one.
    pub fn maybe(&self, i: usize) -> Option<Value> {
        self.operands.get(i).copied().flatten()
    }

    /// The operand in place `i`.
    ///
    /// # Errors
    /// The application leaves it out.
    pub fn operand(&self, i: usize) -> Result<Value> {
        self.maybe(i).ok_or_else(|| Error::invalid(format!("operand {} is missing", i + 1)))
    }

    /// The operand in place `i` as another type, if there is one.
    pub fn maybe_as(&mut self, i: usize, dtype: DType) -> Result<Option<Value>> {
        self.maybe(i).map(|value| self.cast(value, dtype)).transpose()
    }

    /// The operands that are there.
    pub fn operands(&self) -> Vec<Value> {
        self.operands.iter().flatten().copied().collect()
    }

    /// The type of an operand.
    pub fn type_of(&self, value: Value) -> Result<TensorType> {
        self.graph.type_of(value)
    }

    /// The extents of a value of rank `N`.
    pub fn extents<const N: usize>(&self, value: Value) -> Result<[usize; N]> {
        let ty = self.type_of(value)?;
        <[usize; N]>::try_from(&ty.shape[..])
            .map_err(|_| Error::shape(format!("{ty} has not {N} dimensions")))
    }

    /// The rank of a value.
    pub fn rank(&self, value: Value) -> Result<usize> {
        Ok(self.type_of(value)?.shape.len())
    }

    /// All operands, of which none is left out.
    ///
    /// # Errors
    /// There are not `N`.
    pub fn exactly<const N: usize>(&self) -> Result<[Value; N]> {
        self.operands().try_into().map_err(|given: Vec<_>| {
            let plural = if N == 1 { "" } else { "s" };
            Error::invalid(format!("takes {N} operand{plural}, not {}", given.len()))
        })
    }

    /// How many results the application names.
    ///
    /// # Errors
    /// Its attribute `results` is no number of them.
    pub fn results(&self) -> Result<usize> {
        self.or("results", 1)
    }

    /// The attributes.
    pub fn attributes(&self) -> &'a Attributes {
        self.attributes
    }

    /// An attribute that every application gives.
    ///
    /// # Errors
    /// There is none of this name, or it is of another type.
    pub fn value<T>(&self, name: &str) -> Result<T>
    where
        T: for<'b> TryFrom<&'b Attribute, Error = Error>,
    {
        self.attributes.value(self.operator, name)
    }

    /// An attribute, if the application gives it.
    pub fn attribute<T>(&self, name: &str) -> Result<Option<T>>
    where
        T: for<'b> TryFrom<&'b Attribute, Error = Error>,
    {
        match self.attributes.find(name) {
            Some(_) => self.value(name).map(Some),
            None => Ok(None),
        }
    }

    /// An attribute, or its default where it is left out.
    pub fn or<T>(&self, name: &str, default: T) -> Result<T>
    where
        T: for<'b> TryFrom<&'b Attribute, Error = Error>,
    {
        self.attribute(name).map(|value| value.unwrap_or(default))
    }

    /// An attribute that is a word.
    pub fn text(&self, name: &str, default: &str) -> Result<String> {
        self.or(name, default.to_owned())
    }

    /// An attribute that is one of these words; the first one where it is left out.
    ///
    /// # Errors
    /// It is none of them.
    pub fn choice(&self, name: &str, words: &[&'static str]) -> Result<&'static str> {
        let Some(given) = self.attribute::<String>(name)? else { return Ok(words[0]) };
        let known = words.iter().find(|word| **word == given).copied();
        known.ok_or_else(|| {
            Error::unsupported(format!("`{name}` is `{given}`, and none of {}", words.join(", ")))
        })
    }

    /// An attribute that is true or false, or 1 or 0.
    pub fn flag(&self, name: &str, default: bool) -> Result<bool> {
        match self.attributes.find(name) {
            Some(Attribute::Scalar(Scalar::Bool(value))) => Ok(*value),
            _ => self.or(name, i64::from(default)).map(|value| value != 0),
        }
    }

    /// A tensor among the attributes.
    pub fn tensor(&self, name: &str) -> Option<(TensorType, &'a [u8])> {
        match self.attributes.find(name) {
            Some(Attribute::Tensor(ty, bytes)) => Some((*ty, bytes)),
            _ => None,
        }
    }

    /// The integers of an operand in place `i`, or, without one, of an attribute; `None` where both are left out.
    pub fn list(&mut self, i: usize, name: &str) -> Result<Option<Vec<i64>>> {
        match self.maybe(i) {
            Some(list) => self.graph.integers(list).map(Some),
            None => self.attribute(name),
        }
    }

    /// A number of elements that an attribute gives, at least 1.
    pub fn count(&self, name: &str) -> Result<usize> {
        let count = self.or(name, 0_i64)?;
        let known = usize::try_from(count).ok().filter(|count| *count > 0);
        known.ok_or_else(|| Error::invalid(format!("`{name}` is {count}, and not at least 1")))
    }

    /// The elements of a value, which are needed before a run.
    pub fn numbers(&mut self, value: Value) -> Result<Vec<f64>> {
        let wide = self.cast(value, DType::F64)?;
        let words = self.graph.require(wide)?.as_chunks().0;
        Ok(words.iter().map(|word| f64::from_ne_bytes(*word)).collect())
    }

    /// The dimension of a value that an axis names.
    pub fn dimension(&self, value: Value, axis: i64) -> Result<usize> {
        dimension(axis, self.rank(value)?)
    }

    /// Applies an operator; see [`Call::apply_with`].
    pub fn apply(&mut self, operator: &str, operands: &[Value]) -> Result<Value> {
        self.apply_with(operator, operands, Attributes::default())
    }

    /// Applies an operator with attributes; see [`Graph::apply_with`].
    ///
    /// # Errors
    /// As [`Graph::apply_with`].
    pub fn apply_with(
        &mut self,
        operator: &str,
        operands: &[Value],
        attributes: impl Into<Attributes>,
    ) -> Result<Value> {
        self.graph.apply_with(&self.full(operator), operands, attributes)
    }

    /// Applies an operator that has several results; see [`Graph::apply_all`].
    pub fn apply_all(
        &mut self,
        operator: &str,
        operands: &[Value],
        attributes: impl Into<Attributes>,
    ) -> Result<Vec<Value>> {
        self.graph.apply_all(&self.full(operator), operands, attributes)
    }

    /// The name by which the graph finds an operator.
    fn full<'n>(&self, operator: &'n str) -> Cow<'n, str> {
        match self.package == RINGWOOD && !operator.contains("::") {
            true => format!("{RINGWOOD}::{operator}").into(),
            false => operator.into(),
        }
    }

    /// The elements of a value in their order, with other extents.
    pub fn reshape(&mut self, value: Value, shape: &[usize]) -> Result<Value> {
        if self.type_of(value)?.shape[..] == *shape {
            return Ok(value);
        }
        self.apply_with("reshape", &[value], [("shape", shape)])
    }

    /// The dimensions of a value in another order.
    pub fn permute(&mut self, value: Value, axes: &[usize]) -> Result<Value> {
        if axes.iter().copied().eq(0..axes.len()) {
            return Ok(value);
        }
        self.apply_with("permute", &[value], [("axes", axes)])
    }

    /// A part of a value along a dimension.
    pub fn slice(
        &mut self,
        value: Value,
        axis: usize,
        range: Range<usize>,
        step: usize,
    ) -> Result<Value> {
        let part = [("axis", axis), ("start", range.start), ("end", range.end), ("step", step)];
        self.apply_with("slice", &[value], part)
    }

    /// The part of a value at a place of a dimension, which it has no more.
    pub fn at(&mut self, value: Value, axis: usize, place: usize) -> Result<Value> {
        let mut shape = self.type_of(value)?.shape.to_vec();
        let part = self.slice(value, axis, place..place + 1, 1)?;
        shape.remove(axis);
        self.reshape(part, &shape)
    }

    /// A value with one more dimension, of extent 1.
    pub fn unsqueeze(&mut self, value: Value, axis: i64) -> Result<Value> {
        self.apply_with("unsqueeze", &[value], [("axes", vec![axis])])
    }

    /// The elements repeated to other extents.
    pub fn broadcast(&mut self, value: Value, shape: &[usize]) -> Result<Value> {
        self.apply_with("broadcast_to", &[value], [("shape", shape)])
    }

    /// Each element `count` times in a row along a dimension.
    pub fn repeated(&mut self, value: Value, axis: usize, count: usize) -> Result<Value> {
        let mut shape = self.type_of(value)?.shape.to_vec();
        let (before, after) = (shape[..=axis].iter().product(), shape[axis + 1..].iter().product());
        let column = self.reshape(value, &[before, 1, after])?;
        let wide = self.broadcast(column, &[before, count, after])?;
        let long = || {
            Error::invalid(format!("{} elements, each {count} times, are too many", shape[axis]))
        };
        shape[axis] = shape[axis].checked_mul(count).ok_or_else(long)?;
        self.reshape(wide, &shape)
    }

    /// The elements at positions along a dimension.
    pub fn take(&mut self, value: Value, at: Value, axis: usize) -> Result<Value> {
        let at = self.cast(at, DType::I64)?;
        self.apply_with("take_along", &[value, at], [("axis", axis)])
    }

    /// The parts of a value at positions along a dimension.
    pub fn picked(&mut self, value: Value, axis: usize, at: &[i64]) -> Result<Value> {
        let shape = line(self.rank(value)?, axis, at.len());
        let at = self.graph.constant(&shape, at)?;
        self.take(value, at, axis)
    }

    /// Values one after the other along a dimension.
    pub fn concat(&mut self, values: &[Value], axis: usize) -> Result<Value> {
        self.apply_with("concat", values, [("axis", axis as i64)])
    }

    /// A number of the element type of `value`.
    pub fn like(&mut self, value: Value, number: f32) -> Result<Value> {
        let dtype = self.type_of(value)?.dtype;
        self.number(dtype, f64::from(number))
    }

    /// A number of the element type of `value`, in each place of a tensor.
    pub fn filled(&mut self, value: Value, number: f32, shape: &[usize]) -> Result<Value> {
        let number = self.like(value, number)?;
        self.broadcast(number, shape)
    }

    /// A number of an element type, as a tensor of rank 0.
    pub fn number(&mut self, dtype: DType, value: f64) -> Result<Value> {
        match dtype {
            DType::I64 => self.graph.constant(&[], &[value as i64]),
            DType::I32 => self.graph.constant(&[], &[value as i32]),
            DType::U64 => self.graph.constant(&[], &[value as u64]),
            DType::U32 => self.graph.constant(&[], &[value as u32]),
            _ if dtype.is_float() => {
                self.graph.constant_bytes(dtype, &[], &float_bytes(dtype, value)?)
            }
            _ => self.constant(dtype, &[], &[value]),
        }
    }

    /// Numbers that are known now, as an element type.
    pub fn constant(&mut self, dtype: DType, shape: &[usize], numbers: &[f64]) -> Result<Value> {
        let constant = self.graph.constant(shape, numbers)?;
        self.cast(constant, dtype)
    }

    /// What is made of a value whose dimensions `axes` come last, with its dimensions in their places again.
    pub fn turned(
        &mut self,
        value: Value,
        axes: &[usize],
        make: impl FnOnce(&mut Self, Value) -> Result<Value>,
    ) -> Result<Value> {
        let (order, back) = last(self.rank(value)?, axes);
        let turned = self.permute(value, &order)?;
        let made = make(self, turned)?;
        self.permute(made, &back)
    }

    /// 0, 1, 2 … as `i64`, in row-major order of these extents.
    pub fn counted(&mut self, shape: &[usize]) -> Result<Value> {
        let count = shape.iter().fold(1, |count: usize, &extent| count.saturating_mul(extent));
        fits(count, 1)?;
        let numbers: Vec<_> = (0..count as i64).collect();
        self.graph.constant(shape, &numbers)
    }

    /// As [`Graph::repeat`], with an application of the same operator, without operands, to build the body in.
    ///
    /// # Errors
    /// As [`Graph::repeat`].
    pub fn repeat(
        &mut self,
        start: &Loop<'_>,
        body: impl FnOnce(&mut Call<'_>, Value, &[Value], &[Value]) -> Result<Vec<Value>>,
    ) -> Result<Vec<Value>> {
        let Call { package, operator, attributes, .. } = *self;
        self.graph.repeat(start, |graph, step, carried, captured| {
            let mut inner = Call { graph, package, operator, operands: Vec::new(), attributes };
            body(&mut inner, step, carried, captured)
        })
    }

    /// The elements of a value in another type.
    pub fn cast(&mut self, value: Value, dtype: DType) -> Result<Value> {
        match self.type_of(value)?.dtype == dtype {
            true => Ok(value),
            false => self.apply(&format!("to_{dtype}"), &[value]),
        }
    }
}
