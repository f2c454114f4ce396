//! An application of an operator, as nodes of ONNX.

use super::Writer;
use super::table::same;
use crate::file::malformed;
use crate::onnx::proto::{AttributeProto, attribute_type};
use crate::onnx::tensor::code;
use ringwood_base::{DType, Result, Scalar, Shape};
use ringwood_graph::compose::{Formula, v};
use ringwood_graph::graph::{Attribute, Graph, Node, TensorType, ValueId};

/// An application of an operator that is being written.
pub(super) struct Call<'a> {
    pub(super) writer: &'a mut Writer,
    pub(super) node: &'a Node,
    /// The names of the operands and of the result.
    pub(super) operands: Vec<String>,
    pub(super) result: String,
    /// The type of the elements of the first operand.
    pub(super) dtype: DType,
    /// The shapes of the operands that have one.
    pub(super) shapes: Vec<Option<Shape>>,
    pub(super) value: ValueId,
    /// How many values were named beside it.
    pub(super) parts: usize,
}

/// What is computed of values of a file.
pub(super) type Named = Formula<String>;

impl<'a> Call<'a> {
    pub(super) fn of(
        writer: &'a mut Writer,
        graph: &Graph,
        node: &'a Node,
        value: ValueId,
    ) -> Self {
        let shape = |id: &ValueId| {
            let results = &graph.nodes()[id.node as usize].results;
            results.get(id.result as usize).map(|ty| ty.shape)
        };
        Self {
            node,
            operands: node.operands.iter().map(|&id| writer.name(id)).collect(),
            result: writer.name(value),
            dtype: node.operands.first().map_or(DType::F32, |&id| writer.dtype(id)),
            shapes: node.operands.iter().map(shape).collect(),
            value,
            parts: 0,
            writer,
        }
    }

    /// The node of the result, of the operands.
    pub(super) fn node(&mut self, op_type: &str, attributes: Vec<AttributeProto>) -> Result<()> {
        self.known(op_type, &[], attributes)
    }

    /// The node of the result, of the operands, and of lists of integers after them.
    pub(super) fn known(
        &mut self,
        op_type: &str,
        lists: &[&[i64]],
        attributes: Vec<AttributeProto>,
    ) -> Result<()> {
        let mut operands = self.operands.clone();
        for list in lists {
            operands.push(self.list(list)?);
        }
        self.writer.push(op_type, operands, vec![self.result.clone()], attributes);
        Ok(())
    }

    /// The names of the operands.
    pub(super) fn operands<const N: usize>(&self) -> [String; N] {
        std::array::from_fn(|i| self.operands[i].clone())
    }

    /// The operands in a formula.
    pub(super) fn formulas<const N: usize>(&self) -> [Named; N] {
        self.operands().map(v)
    }

    /// A name for a value beside the result.
    pub(super) fn fresh(&mut self) -> String {
        self.parts += 1;
        self.writer.part(self.value, self.parts)
    }

    /// The name of a list of integers.
    pub(super) fn list(&mut self, list: &[i64]) -> Result<String> {
        self.integers_of(list, &[list.len()])
    }

    /// The name of a tensor of integers.
    pub(super) fn integers_of(&mut self, list: &[i64], dims: &[usize]) -> Result<String> {
        let name = self.fresh();
        let elements: Vec<u8> = list.iter().flat_map(|n| n.to_ne_bytes()).collect();
        self.writer.initializer(name.clone(), TensorType::new(DType::I64, dims)?, &elements);
        Ok(name)
    }

    /// A number of the type of the first operand.
    pub(super) fn number(&mut self, number: f64) -> Result<String> {
        let name = self.fresh();
        self.writer.initializer(
            name.clone(),
            TensorType::new(DType::F64, &[])?,
            &number.to_ne_bytes(),
        );
        Ok(self.like(&name))
    }

    /// A value as the type of the first operand.
    pub(super) fn like(&mut self, value: &str) -> String {
        let [operand] = self.operands();
        self.part("CastLike", &[value, &operand], Vec::new())
    }

    /// A node before that of the result.
    pub(super) fn part(
        &mut self,
        op_type: &str,
        operands: &[&str],
        attributes: Vec<AttributeProto>,
    ) -> String {
        let name = self.fresh();
        let operands = operands.iter().map(ToString::to_string).collect();
        self.writer.push(op_type, operands, vec![name.clone()], attributes);
        name
    }

    /// A node before that of the result, of its second result.
    pub(super) fn second(
        &mut self,
        op_type: &str,
        operands: &[&str],
        attributes: Vec<AttributeProto>,
    ) -> String {
        let names = [self.fresh(), self.fresh()];
        let operands = operands.iter().map(ToString::to_string).collect();
        self.writer.push(op_type, operands, names.to_vec(), attributes);
        let [_, second] = names;
        second
    }

    /// The node of the result.
    pub(super) fn end(&mut self, op_type: &str, operands: &[&str]) -> Result<()> {
        self.end_with(op_type, operands, Vec::new())
    }

    /// The node of the result, with attributes.
    pub(super) fn end_with(
        &mut self,
        op_type: &str,
        operands: &[&str],
        attributes: Vec<AttributeProto>,
    ) -> Result<()> {
        let operands = operands.iter().map(ToString::to_string).collect();
        self.writer.push(op_type, operands, vec![self.result.clone()], attributes);
        Ok(())
    }

    /// The value of a formula.
    pub(super) fn eval(&mut self, formula: impl Into<Named>) -> Result<String> {
        match formula.into() {
            Formula::Value(name) => Ok(name),
            Formula::Number(number) => self.number(number),
            Formula::Cast(formula, dtype) => {
                let value = self.eval(*formula)?;
                Ok(self.part("Cast", &[&value], to(dtype)))
            }
            Formula::Apply(operator, operands) => {
                let operands = self.eval_all(operands)?;
                let operands: Vec<_> = operands.iter().map(String::as_str).collect();
                Ok(self.part(same(operator).unwrap_or(operator), &operands, Vec::new()))
            }
        }
    }

    fn eval_all(&mut self, formulas: Vec<Named>) -> Result<Vec<String>> {
        formulas.into_iter().map(|formula| self.eval(formula)).collect()
    }

    /// The result is that of a formula.
    pub(super) fn give(&mut self, formula: Named) -> Result<()> {
        let (operator, operands) = match formula {
            Formula::Apply(operator, operands) => (operator, operands),
            other => ("copy", vec![other]),
        };
        let operands = self.eval_all(operands)?;
        let operands: Vec<_> = operands.iter().map(String::as_str).collect();
        self.end(same(operator).unwrap_or(operator), &operands)
    }

    /// A value in another shape.
    pub(super) fn reshaped(&mut self, value: &str, shape: &[usize]) -> Result<String> {
        let shape = self.list(&dims(shape))?;
        Ok(self.part("Reshape", &[value, &shape], Vec::new()))
    }

    /// The result is a value in its shape.
    pub(super) fn end_reshaped(&mut self, value: &str) -> Result<()> {
        let shape = self.list(&dims(&self.result_shape()?))?;
        self.end("Reshape", &[value, &shape])
    }

    /// The shape of the result.
    pub(super) fn result_shape(&self) -> Result<Shape> {
        let known = self.node.results.first().map(|ty| ty.shape);
        known.ok_or_else(|| self.open())
    }

    /// The shape of an operand.
    pub(super) fn shape(&self, operand: usize) -> Result<Shape> {
        self.shapes[operand].ok_or_else(|| self.open())
    }

    fn open(&self) -> ringwood_base::Error {
        let operator = self.node.operator().unwrap_or_default();
        malformed(format!("`{operator}` is written for one size: give it with `with_shapes`"))
    }

    /// An attribute that is an integer.
    pub(super) fn integer(&self, name: &str) -> Result<i64> {
        match self.node.attributes.find(name).and_then(Attribute::scalar) {
            Some(Scalar::I64(number)) => Ok(number),
            _ => self.index(name),
        }
    }

    pub(super) fn integers(&self, name: &str) -> Result<Vec<i64>> {
        self.node.attributes.value(&self.node.to_string(), name)
    }

    pub(super) fn index(&self, name: &str) -> Result<i64> {
        let index: usize = self.node.attributes.value(&self.node.to_string(), name)?;
        i64::try_from(index).map_err(|_| malformed(format!("attribute `{name}` is {index}")))
    }

    pub(super) fn float(&self, name: &str) -> Result<f32> {
        self.node.attributes.value(&self.node.to_string(), name)
    }
}

/// Extents as integers of a file.
pub(super) fn dims(shape: &[usize]) -> Vec<i64> {
    shape.iter().map(|&extent| extent as i64).collect()
}

fn typed(kind: i32) -> AttributeProto {
    AttributeProto { r#type: kind, ..AttributeProto::default() }
}

fn named(name: &str, attribute: AttributeProto) -> AttributeProto {
    AttributeProto { name: name.to_owned(), ..attribute }
}

pub(super) fn integer(name: &str, value: i64) -> AttributeProto {
    named(name, AttributeProto { i: Some(value), ..typed(attribute_type::INT) })
}

/// The attribute of a cast to a type.
pub(super) fn to(dtype: DType) -> Vec<AttributeProto> {
    vec![integer("to", code(dtype).into())]
}

pub(super) fn integers(name: &str, ints: Vec<i64>) -> AttributeProto {
    named(name, AttributeProto { ints, ..typed(attribute_type::INTS) })
}

pub(super) fn float(name: &str, value: f32) -> AttributeProto {
    named(name, AttributeProto { f: Some(value), ..typed(attribute_type::FLOAT) })
}

pub(super) fn text(name: &str, value: &str) -> AttributeProto {
    let value = value.to_owned().into_bytes();
    named(name, AttributeProto { s: Some(value.into()), ..typed(attribute_type::STRING) })
}
