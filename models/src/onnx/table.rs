//! What the operators of ONNX are made of.

mod activation;
mod arrange;
mod attention;
mod boxes;
mod control;
mod convolution;
mod data;
mod elementwise;
mod loops;
mod loss;
mod normalize;
mod positions;
mod product;
mod quantize;
mod recurrent;
mod reduce;
mod resize;
mod sample;
mod shape;
mod signal;
mod training;
mod window;

use super::read::is_standard;
use ringwood_base::Result;
use ringwood_graph::compose::{Call, unsupported};
use ringwood_graph::graph::Value;
use ringwood_graph::register_operator;

/// Builds a node of a file: adds operators of Ringwood, and returns its results.
type Build = fn(&mut Call<'_>) -> Result<Vec<Value>>;

/// Operators of the standard domain, by groups.
const TABLES: &[&[(&str, Build)]] = &[
    activation::TABLE,
    arrange::TABLE,
    attention::TABLE,
    control::TABLE,
    data::TABLE,
    convolution::TABLE,
    elementwise::TABLE,
    SAME,
    loss::TABLE,
    normalize::TABLE,
    positions::TABLE,
    product::TABLE,
    recurrent::TABLE,
    quantize::TABLE,
    reduce::TABLE,
    resize::TABLE,
    sample::TABLE,
    shape::TABLE,
    signal::TABLE,
    training::TABLE,
];

macro_rules! same {
    ($($name:literal $operator:literal;)*) => {
        const SAME: &[(&str, Build)] = &[$(($name, |c| elementwise::same(c, $operator))),*];

        /// Operators that Ringwood has as well, and what it calls them: read and written with the same operands.
        pub(super) const NAMES: &[(&str, &str)] = &[$(($name, $operator)),*];
    };
}

same! {
    "Acos" "acos"; "Add" "add"; "And" "and"; "Asin" "asin"; "Atan" "atan"; "BitwiseAnd" "bit_and";
    "BitwiseNot" "bit_not"; "BitwiseOr" "bit_or"; "BitwiseXor" "bit_xor"; "Ceil" "ceil";
    "Cos" "cos"; "Cosh" "cosh"; "Div" "div"; "Equal" "equal"; "Erf" "erf"; "Exp" "exp";
    "Floor" "floor"; "Greater" "greater"; "GreaterOrEqual" "greater_equal"; "Less" "less";
    "LessOrEqual" "less_equal"; "Log" "ln"; "Mul" "mul"; "Neg" "neg"; "Not" "not"; "Or" "or";
    "Reciprocal" "recip"; "Relu" "relu"; "Round" "round_ties_even"; "Sigmoid" "sigmoid";
    "Sin" "sin"; "Sinh" "sinh"; "Sqrt" "sqrt"; "Sub" "sub"; "Tan" "tan"; "Tanh" "tanh";
    "Where" "select"; "Xor" "xor";
}

/// Domains of operators that are to become standard; their names are none of the standard ones.
const PREVIEWS: &[&str] = &["ai.onnx.preview", "ai.onnx.preview.training"];

register_operator! {
    /// A node of an ONNX file: `op_type`, `opset` and `domain` say which operator it is, `node` how the file
    /// calls it, `absent` which operands the file leaves out; the other attributes are those of the file.
    pub Onnx = "onnx";
    decompose: build,
    attributes: any,
}

fn build(c: &mut Call<'_>) -> Result<Vec<Value>> {
    let (op_type, domain): (String, _) = (c.value("op_type")?, c.text("domain", "")?);
    let Some(build) = find(&domain, &op_type) else {
        let dot = if domain.is_empty() { "" } else { "." };
        return Err(unsupported(format!("there is no operator for {domain}{dot}{op_type}")));
    };
    build(c).map_err(|e| e.with("op_type", &op_type))
}

/// The version of the operator set of a node.
fn opset(c: &Call<'_>) -> Result<i64> {
    c.value("opset")
}

/// Whether there is an operator for nodes of this set and type.
pub(crate) fn is_known(domain: &str, op_type: &str) -> bool {
    find(domain, op_type).is_some()
}

/// How an operator is built; `None` if it is not known.
fn find(domain: &str, op_type: &str) -> Option<Build> {
    let here = is_standard(domain) || PREVIEWS.contains(&domain);
    let mut known = TABLES.iter().copied().flatten().filter(|_| here);
    known.find(|(name, _)| *name == op_type).map(|(_, build)| *build)
}
