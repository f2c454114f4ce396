//! How applications of operators are written.

use super::Writer;
use crate::file::malformed;
use crate::onnx::proto::{AttributeProto, attribute_type, data_type};
use ringwood_base::{DType, Result};
use ringwood_graph::graph::{Node, TensorType, ValueId};

/// Operators that ONNX has under another name, with the same operands and the attributes left out.
const SAME: &[(&str, &str)] = &[
    ("abs", "Abs"),
    ("acos", "Acos"),
    ("add", "Add"),
    ("and", "And"),
    ("asin", "Asin"),
    ("atan", "Atan"),
    ("batched_matmul", "MatMul"),
    ("ceil", "Ceil"),
    ("copy", "Identity"),
    ("cos", "Cos"),
    ("cosh", "Cosh"),
    ("div", "Div"),
    ("equal", "Equal"),
    ("erf", "Erf"),
    ("exp", "Exp"),
    ("floor", "Floor"),
    ("gather", "Gather"),
    ("gelu", "Gelu"),
    ("greater", "Greater"),
    ("greater_equal", "GreaterOrEqual"),
    ("less", "Less"),
    ("less_equal", "LessOrEqual"),
    ("ln", "Log"),
    ("log_softmax", "LogSoftmax"),
    ("matmul", "MatMul"),
    ("max", "Max"),
    ("min", "Min"),
    ("mul", "Mul"),
    ("neg", "Neg"),
    ("not", "Not"),
    ("or", "Or"),
    ("powf", "Pow"),
    ("recip", "Reciprocal"),
    ("relu", "Relu"),
    ("select", "Where"),
    ("sigmoid", "Sigmoid"),
    ("sin", "Sin"),
    ("sinh", "Sinh"),
    ("softmax", "Softmax"),
    ("sqrt", "Sqrt"),
    ("sub", "Sub"),
    ("tan", "Tan"),
    ("tanh", "Tanh"),
    ("transpose", "Transpose"),
    ("xor", "Xor"),
];

/// Writes an application of an operator.
type Write = fn(&mut Call<'_>) -> Result<()>;

/// Operators that are written otherwise.
const OTHERS: &[(&str, Write)] = &[
    ("argmax", |c| c.argument("ArgMax")),
    ("argmin", |c| c.argument("ArgMin")),
    ("broadcast_to", |c| {
        let shape = c.integers("shape")?;
        c.known("Expand", &[&shape])
    }),
    ("gelu_tanh", |c| {
        let tanh = AttributeProto { s: Some("tanh".into()), ..typed(attribute_type::STRING) };
        c.node("Gelu", vec![named("approximate", tanh)])
    }),
    ("join", |c| {
        let axis = c.index("axis")?;
        c.node("Concat", vec![integer("axis", axis)])
    }),
    ("largest", |c| c.reduction("ReduceMax", false)),
    ("layer_norm", |c| {
        let epsilon = c.node.attributes.value("layer_norm", "epsilon")?;
        let epsilon = AttributeProto { f: Some(epsilon), ..typed(attribute_type::FLOAT) };
        c.node("LayerNormalization", vec![named("epsilon", epsilon)])
    }),
    ("matmul_nt", |c| c.node("Gemm", vec![integer("transB", 1)])),
    ("matmul_tn", |c| c.node("Gemm", vec![integer("transA", 1)])),
    ("mean", |c| c.reduction("ReduceMean", false)),
    ("mean_all", |c| c.node("ReduceMean", vec![integer("keepdims", 0)])),
    ("permute", |c| {
        let axes = AttributeProto { ints: c.integers("axes")?, ..typed(attribute_type::INTS) };
        c.node("Transpose", vec![named("perm", axes)])
    }),
    ("product", |c| c.reduction("ReduceProd", false)),
    ("reshape", |c| {
        let shape = c.integers("shape")?;
        let empty = i64::from(shape.contains(&0));
        c.attributes.push(integer("allowzero", empty));
        c.known("Reshape", &[&shape])
    }),
    ("slice", |c| {
        let of = |name| c.index(name);
        let (start, end, axis, step) = (of("start")?, of("end")?, of("axis")?, of("step")?);
        c.known("Slice", &[&[start], &[end], &[axis], &[step]])
    }),
    ("smallest", |c| c.reduction("ReduceMin", false)),
    ("sum", |c| c.reduction("ReduceSum", false)),
    ("sum_all", |c| c.node("ReduceSum", vec![integer("keepdims", 0)])),
    ("sum_keep", |c| c.reduction("ReduceSum", true)),
];

/// Whether applications of an operator are written.
pub(super) fn is_written(operator: &str) -> bool {
    let others = OTHERS.iter().map(|(known, _)| known);
    SAME.iter().map(|(known, _)| known).chain(others).any(|known| *known == operator)
}

/// Writes an application of such an operator, whose result is this value.
///
/// # Errors
/// An attribute cannot be written.
pub(super) fn write(
    writer: &mut Writer,
    operator: &str,
    node: &Node,
    result: ValueId,
) -> Result<()> {
    let mut call = Call { writer, node, result, attributes: Vec::new() };
    if let Some((_, op_type)) = SAME.iter().find(|(known, _)| *known == operator) {
        return call.node(op_type, Vec::new());
    }
    let other = OTHERS.iter().find(|(known, _)| *known == operator);
    let (_, write) = other.expect("the caller has asked whether the operator is written");
    write(&mut call)
}

/// An application of an operator that is being written.
struct Call<'a> {
    writer: &'a mut Writer,
    node: &'a Node,
    result: ValueId,
    /// Attributes to come before those of the node.
    attributes: Vec<AttributeProto>,
}

impl Call<'_> {
    fn node(&mut self, op_type: &str, attributes: Vec<AttributeProto>) -> Result<()> {
        self.given(op_type, Vec::new(), attributes)
    }

    /// A node of the operands, and of lists of integers after them.
    fn known(&mut self, op_type: &str, lists: &[&[i64]]) -> Result<()> {
        let mut names = Vec::new();
        for (i, list) in lists.iter().enumerate() {
            let name = format!("{}.{i}", self.writer.name(self.result));
            let elements: Vec<u8> = list.iter().flat_map(|n| n.to_ne_bytes()).collect();
            let ty = TensorType::new(DType::I64, &[list.len()])?;
            self.writer.initializer(name.clone(), ty, &elements);
            names.push(name);
        }
        self.given(op_type, names, Vec::new())
    }

    fn given(
        &mut self,
        op_type: &str,
        more: Vec<String>,
        attributes: Vec<AttributeProto>,
    ) -> Result<()> {
        let mut operands: Vec<_> =
            self.node.operands.iter().map(|&value| self.writer.name(value)).collect();
        operands.extend(more);
        let all = std::mem::take(&mut self.attributes).into_iter().chain(attributes).collect();
        let name = self.writer.name(self.result);
        self.writer.push(op_type, operands, name, all);
        Ok(())
    }

    /// A reduction along the attribute `axis`.
    fn reduction(&mut self, op_type: &str, keep: bool) -> Result<()> {
        let axis = self.index("axis")?;
        self.attributes.push(integer("keepdims", keep.into()));
        self.known(op_type, &[&[axis]])
    }

    /// A place along the attribute `axis`, of type `i64` in ONNX.
    fn argument(&mut self, op_type: &str) -> Result<()> {
        let attributes = vec![integer("axis", self.index("axis")?), integer("keepdims", 0)];
        let operand = self.writer.name(self.node.operands[0]);
        let result = self.writer.name(self.result);
        let place = format!("{result}.0");
        self.writer.push(op_type, vec![operand], place.clone(), attributes);
        let to = integer("to", data_type::INT32.into());
        self.writer.push("Cast", vec![place], result, vec![to]);
        Ok(())
    }

    fn integers(&self, name: &str) -> Result<Vec<i64>> {
        self.node.attributes.value(&self.node.to_string(), name)
    }

    fn index(&self, name: &str) -> Result<i64> {
        let index: usize = self.node.attributes.value(&self.node.to_string(), name)?;
        i64::try_from(index).map_err(|_| malformed(format!("attribute `{name}` is {index}")))
    }
}

fn typed(kind: i32) -> AttributeProto {
    AttributeProto { r#type: kind, ..AttributeProto::default() }
}

fn named(name: &str, attribute: AttributeProto) -> AttributeProto {
    AttributeProto { name: name.to_owned(), ..attribute }
}

fn integer(name: &str, value: i64) -> AttributeProto {
    named(name, AttributeProto { i: Some(value), ..typed(attribute_type::INT) })
}
