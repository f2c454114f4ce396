//! How applications of operators are written.

use super::Writer;
use crate::file::malformed;
use crate::onnx::proto::{AttributeProto, attribute_type, data_type};
use crate::onnx::table::NAMES;
use crate::onnx::tensor::code;
use ringwood_base::{DType, Result, Scalar, Shape};
use ringwood_graph::graph::{Attribute, Node, TensorType, ValueId};

/// Operators whose applications are written as these, with the attributes left out, beside those of [`NAMES`].
const ALSO: &[(&str, &str)] = &[
    ("Abs", "abs"),
    ("Gather", "gather"),
    ("Gelu", "gelu"),
    ("Identity", "copy"),
    ("LogSoftmax", "log_softmax"),
    ("MatMul", "batched_matmul"),
    ("MatMul", "matmul"),
    ("MatMul", "matmul_batch"),
    ("Max", "max"),
    ("Min", "min"),
    ("Pow", "powf"),
    ("Softmax", "softmax"),
    ("Transpose", "transpose"),
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
    ("convolution", |c| c.convolution()),
    ("cross_entropy", |c| {
        let ([x, labels], last) = (c.operands(), c.list("last", &[-1])?);
        let rows = c.part("LogSoftmax", "rows", &[&x], vec![integer("axis", -1)]);
        let label = c.part("Unsqueeze", "label", &[&labels, &last], Vec::new());
        let picked =
            c.part("GatherElements", "picked", &[&rows, &label], vec![integer("axis", -1)]);
        let picked = c.part("Squeeze", "row", &[&picked, &last], Vec::new());
        c.end("Neg", &[&picked])
    }),
    ("cross_entropy_grad", |c| {
        let ([x, totals, labels, g], last) = (c.operands(), c.list("last", &[-1])?);
        let totals = c.part("Unsqueeze", "totals", &[&totals, &last], Vec::new());
        let shares = c.part("Sub", "below", &[&x, &totals], Vec::new());
        let shares = c.part("Exp", "shares", &[&shares], Vec::new());
        let hits = c.one_hot(&labels, &last)?;
        let rest = c.part("Sub", "rest", &[&shares, &hits], Vec::new());
        let g = c.part("Unsqueeze", "g", &[&g, &last], Vec::new());
        c.end("Mul", &[&rest, &g])
    }),
    ("gelu_tanh", |c| {
        let tanh = AttributeProto { s: Some("tanh".into()), ..typed(attribute_type::STRING) };
        c.node("Gelu", vec![named("approximate", tanh)])
    }),
    ("if_less", |c| {
        let [a, b, x, y] = c.operands();
        let less = c.part("Less", "less", &[&a, &b], Vec::new());
        c.end("Where", &[&less, &x, &y])
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
    ("log_sum_exp", |c| {
        c.attributes.push(integer("keepdims", 0));
        c.known("ReduceLogSumExp", &[&[-1]])
    }),
    ("matmul_nt", |c| c.node("Gemm", vec![integer("transB", 1)])),
    ("matmul_tn", |c| c.node("Gemm", vec![integer("transA", 1)])),
    ("max_pool", |c| c.pool("MaxPool")),
    ("mean", |c| c.reduction("ReduceMean", false)),
    ("mean_all", |c| c.node("ReduceMean", vec![integer("keepdims", 0)])),
    ("mean_pool", |c| c.pool("AveragePool")),
    ("permute", |c| {
        let axes = c.integers("axes")?;
        c.node("Transpose", vec![integers("perm", axes)])
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
    same(operator).is_some() || OTHERS.iter().any(|(known, _)| *known == operator)
}

/// What ONNX calls an operator that it has as well.
fn same(operator: &str) -> Option<&'static str> {
    let mut all = NAMES.iter().chain(ALSO);
    all.find(|(_, known)| *known == operator).map(|(op_type, _)| *op_type)
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
    shapes: Vec<Option<Shape>>,
) -> Result<()> {
    let mut call = Call { writer, node, result, shapes, attributes: Vec::new() };
    if let Some(op_type) = same(operator) {
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
    /// The shapes of the operands that have one.
    shapes: Vec<Option<Shape>>,
    /// Attributes to come before those of the node.
    attributes: Vec<AttributeProto>,
}

impl Call<'_> {
    fn node(&mut self, op_type: &str, attributes: Vec<AttributeProto>) -> Result<()> {
        self.given(op_type, Vec::new(), attributes)
    }

    /// A node of the operands, and of lists of integers after them.
    fn known(&mut self, op_type: &str, lists: &[&[i64]]) -> Result<()> {
        let names = lists.iter().enumerate().map(|(i, list)| self.list(&i.to_string(), list));
        let names = names.collect::<Result<_>>()?;
        self.given(op_type, names, Vec::new())
    }

    /// The name of a list of integers.
    fn list(&mut self, place: &str, list: &[i64]) -> Result<String> {
        let name = format!("{}.{place}", self.writer.name(self.result));
        let elements: Vec<u8> = list.iter().flat_map(|n| n.to_ne_bytes()).collect();
        let ty = TensorType::new(DType::I64, &[list.len()])?;
        self.writer.initializer(name.clone(), ty, &elements);
        Ok(name)
    }

    /// The names of the operands.
    fn operands<const N: usize>(&self) -> [String; N] {
        std::array::from_fn(|i| self.writer.name(self.node.operands[i]))
    }

    /// A node before that of the result, under a name of its own.
    fn part(
        &mut self,
        op_type: &str,
        name: &str,
        operands: &[&String],
        attributes: Vec<AttributeProto>,
    ) -> String {
        let name = format!("{}.{name}", self.writer.name(self.result));
        let operands = operands.iter().copied().cloned().collect();
        self.writer.push(op_type, operands, name.clone(), attributes);
        name
    }

    /// The node of the result.
    fn end(&mut self, op_type: &str, operands: &[&String]) -> Result<()> {
        let operands = operands.iter().copied().cloned().collect();
        self.writer.push(op_type, operands, self.writer.name(self.result), Vec::new());
        Ok(())
    }

    /// A value in another shape, under a name of its own.
    fn reshaped(&mut self, value: &String, name: &str, shape: &[usize]) -> Result<String> {
        let shape: Vec<_> = shape.iter().map(|&extent| extent as i64).collect();
        let list = self.list(&format!("{name}.shape"), &shape)?;
        Ok(self.part("Reshape", name, &[value, &list], Vec::new()))
    }

    /// 1 at the label of each row of the result, and 0 elsewhere. `last` says which dimension is the last.
    fn one_hot(&mut self, labels: &String, last: &String) -> Result<String> {
        let Some(&classes) = self.shape(0)?.last() else {
            return Err(malformed("a number alone has no labels"));
        };
        let classes = self.list("classes", &(0..classes as i64).collect::<Vec<_>>())?;
        let to = integer("to", data_type::INT64.into());
        let labels = self.part("Cast", "labels", &[labels], vec![to]);
        let labels = self.part("Unsqueeze", "label", &[&labels, last], Vec::new());
        let hits = self.part("Equal", "hits", &[&labels, &classes], Vec::new());
        let to = integer("to", code(self.node.results[0].dtype).into());
        Ok(self.part("Cast", "ones", &[&hits], vec![to]))
    }

    fn shape(&self, operand: usize) -> Result<Shape> {
        self.shapes[operand].ok_or_else(|| {
            malformed("a window is written for images of one size: give it with `with_shapes`")
        })
    }

    /// Windows of images: the groups of a batch are those of its channels.
    fn convolution(&mut self) -> Result<()> {
        let (x, weights) = (self.shape(0)?, self.shape(1)?);
        let (&[b, e, d, h, w], &[g, f, _, i, j, k]) = (&x[..], &weights[..]) else {
            return Err(malformed("images have 5 dimensions, and filters 6"));
        };
        for name in ["spread_d", "spread_h", "spread_w"] {
            if self.number(name)? != 1 {
                return Err(malformed("images whose numbers are spread are not written"));
            }
        }
        let axis = |window: usize, [count, stride, padding, dilation]: [&str; 4]| {
            let (count, stride) = (self.number(count)?, self.number(stride)?);
            Ok([count, window as i64, stride, self.number(padding)?, self.number(dilation)?])
        };
        let axes = [
            axis(i, ["p", "stride_p", "padding_d", "dilation_i"])?,
            axis(j, ["q", "stride_q", "padding_h", "dilation_j"])?,
            axis(k, ["r", "stride_r", "padding_w", "dilation_k"])?,
        ];
        let windows = self.windows(&[d, h, w], &axes)?;
        let [images, filters] = self.operands();
        let images = self.reshaped(&images, "images", &[b / g, g * e, d, h, w])?;
        let filters = self.reshaped(&filters, "filters", &[g * f, e, i, j, k])?;
        let attributes = windows.into_iter().chain([integer("group", g as i64)]).collect();
        let whole = self.part("Conv", "whole", &[&images, &filters], attributes);
        let [p, q, r] = axes.map(|axis| axis[0]);
        let shape = self.list("shape", &[b as i64, f as i64, p, q, r])?;
        self.end("Reshape", &[&whole, &shape])
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
        let [operand] = self.operands();
        let place = self.part(op_type, "0", &[&operand], attributes);
        let to = integer("to", data_type::INT32.into());
        self.writer.push("Cast", vec![place], self.writer.name(self.result), vec![to]);
        Ok(())
    }

    /// The attributes of windows over an image: `[count, extent, stride, padding, dilation]` of each dimension.
    fn windows(&self, image: &[usize], axes: &[[i64; 5]]) -> Result<Vec<AttributeProto>> {
        let after = |(&n, &[count, window, stride, padding, dilation]): (&usize, &[i64; 5])| {
            let reach = (count - 1) * stride + (window - 1) * dilation + 1;
            (reach - n as i64 - padding).max(0)
        };
        if axes.iter().any(|axis| axis[3] < 0) {
            return Err(malformed("windows that begin inside of an image are not written"));
        }
        let each = |number: usize| axes.iter().map(|axis| axis[number]).collect::<Vec<_>>();
        let pads = each(3).into_iter().chain(image.iter().zip(axes).map(after)).collect();
        Ok(vec![
            integers("kernel_shape", each(1)),
            integers("strides", each(2)),
            integers("pads", pads),
            integers("dilations", each(4)),
        ])
    }

    fn pool(&mut self, op_type: &str) -> Result<()> {
        let (window, stride) = (self.index("window")?, self.index("stride")?);
        let axes = [self.index("p")?, self.index("q")?].map(|n| [n, window, stride, 0, 1]);
        let windows = self.windows(&self.shape(0)?[2..], &axes)?;
        self.node(op_type, windows)
    }

    /// An attribute that is an integer.
    fn number(&self, name: &str) -> Result<i64> {
        match self.node.attributes.find(name).and_then(Attribute::scalar) {
            Some(Scalar::I64(number)) => Ok(number),
            _ => self.index(name),
        }
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

fn integers(name: &str, ints: Vec<i64>) -> AttributeProto {
    named(name, AttributeProto { ints, ..typed(attribute_type::INTS) })
}
