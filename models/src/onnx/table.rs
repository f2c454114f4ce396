//! What the operators of ONNX are made of.

mod attention;
mod attributes;
mod control;
mod loops;
mod own;
pub(super) mod random;
mod sequences;

pub(super) use attributes::OF_THE_READER;

use super::read::is_standard;
use super::tensor;
use ringwood_base::{Error, Result, ScalarType};
use ringwood_graph::compose::Call;
use ringwood_graph::graph::{Attribute, AttributeKind, Attributes, Value};
use ringwood_graph::operator::{AttributeDef, Operator};
use ringwood_graph::register_operator;

/// Builds a node of a file: adds operators of Ringwood, and returns its results.
type Build = fn(&mut Call<'_>) -> Result<Vec<Value>>;

/// Operators of the standard domain, by groups.
const TABLES: &[&[(&str, Build)]] = &[control::TABLE, own::TABLE, random::TABLE, sequences::TABLE];

/// Pairs of names.
macro_rules! pairs {
    ($($name:literal $operator:literal;)*) => { &[$(($name, $operator)),*] };
}

/// Operators that Ringwood has as well, and what it calls them: read and written with the same operands.
pub(super) const NAMES: &[(&str, &str)] = pairs! {
    "Acos" "acos"; "Acosh" "acosh"; "Add" "add"; "And" "and"; "Asin" "asin"; "Asinh" "asinh"; "Atan" "atan"; "Atanh" "atanh"; "BitwiseAnd" "bit_and";
    "BitwiseNot" "bit_not"; "BitwiseOr" "bit_or"; "BitwiseXor" "bit_xor"; "Ceil" "ceil";
    "Cos" "cos"; "Cosh" "cosh"; "Div" "div"; "Equal" "equal"; "Erf" "erf"; "Exp" "exp";
    "Floor" "floor"; "Greater" "greater"; "GreaterOrEqual" "greater_equal"; "Less" "less";
    "LessOrEqual" "less_equal"; "Log" "ln"; "Mul" "mul"; "Neg" "neg"; "Not" "not"; "Or" "or";
    "Reciprocal" "recip"; "Relu" "relu"; "Round" "round_ties_even"; "Sigmoid" "sigmoid";
    "Sin" "sin"; "Sinh" "sinh"; "Sqrt" "sqrt"; "Sub" "sub"; "Tan" "tan"; "Tanh" "tanh";
    "Where" "select"; "Xor" "xor";
};

/// Operators that Ringwood has with the same operands and attributes.
const ALIKE: &[(&str, &str)] = pairs! {
    "Abs" "magnitude"; "Adagrad" "adagrad"; "Adam" "adam"; "AffineGrid" "affine_grid";
    "ArgMax" "arg_largest"; "ArgMin" "arg_smallest";
    "Attention" "attention"; "AveragePool" "pool_mean";
    "BitCast" "bit_cast"; "BitShift" "shift"; "BlackmanWindow" "blackman_window";
    "CausalConvWithState" "causal_convolution"; "Celu" "celu"; "CenterCropPad" "center_crop_pad";
    "Clip" "clip"; "Col2Im" "fold"; "Compress" "compress"; "Concat" "concat";
    "CumProd" "running_product"; "CumSum" "running_sum";
    "DeformConv" "deform_convolve"; "DepthToSpace" "depth_to_space"; "DequantizeLinear" "dequantize";
    "Det" "determinant"; "DynamicQuantizeLinear" "dynamic_quantize"; "Einsum" "einsum"; "Elu" "elu";
    "EyeLike" "eye_like"; "Flatten" "flatten"; "GRU" "gru"; "Gather" "take";
    "GatherElements" "gather_elements"; "GatherND" "gather_nd"; "Gemm" "gemm";
    "GlobalAveragePool" "image_mean"; "GlobalLpPool" "image_norm"; "GlobalMaxPool" "image_largest";
    "GridSample" "grid_sample"; "GroupNormalization" "group_norm"; "HammingWindow" "hamming_window";
    "HannWindow" "hann_window"; "HardSigmoid" "hard_sigmoid"; "HardSwish" "hard_swish";
    "InstanceNormalization" "instance_norm"; "IsInf" "is_inf"; "IsNaN" "is_nan";
    "LRN" "local_response_norm"; "LSTM" "lstm"; "LayerNormalization" "layer_norm_from";
    "LeakyRelu" "leaky_relu"; "LinearAttention" "linear_attention"; "LpNormalization" "lp_normalize";
    "LpPool" "pool_norm"; "MatMul" "batched_matmul"; "MatMulInteger" "shifted_matmul"; "Max" "max_of";
    "MaxPool" "pool_largest"; "MaxUnpool" "unpool"; "Mean" "mean_of";
    "MeanVarianceNormalization" "mean_variance_norm"; "MelWeightMatrix" "mel_weights"; "Min" "min_of";
    "Mish" "mish"; "Mod" "modulo"; "Momentum" "momentum"; "NegativeLogLikelihoodLoss" "nll_loss";
    "NonMaxSuppression" "non_max_suppression"; "NonZero" "non_zero"; "OneHot" "one_hot"; "PRelu" "p_relu";
    "Pad" "pad"; "Pow" "power"; "QLinearMatMul" "quantized_matmul"; "QuantizeLinear" "quantize";
    "RMSNormalization" "rms_norm_from"; "RNN" "rnn"; "Range" "range"; "ReduceL1" "reduce_l1";
    "ReduceL2" "reduce_l2"; "ReduceLogSum" "reduce_log_sum"; "ReduceLogSumExp" "reduce_log_sum_exp";
    "ReduceMax" "reduce_max"; "ReduceMean" "reduce_mean"; "ReduceMin" "reduce_min";
    "ReduceProd" "reduce_prod"; "ReduceSum" "reduce_sum"; "ReduceSumSquare" "reduce_sum_square";
    "ReverseSequence" "reverse_sequence"; "RotaryEmbedding" "rotary_embedding"; "STFT" "spectrogram";
    "Scatter" "scatter_elements"; "ScatterElements" "scatter_elements"; "ScatterND" "scatter_nd";
    "Selu" "selu"; "Shape" "shape_of"; "Shrink" "shrink"; "Sign" "sign"; "Size" "size_of";
    "Slice" "strided_slice"; "SoftmaxCrossEntropyLoss" "softmax_cross_entropy"; "Softplus" "softplus";
    "Softsign" "softsign"; "SpaceToDepth" "space_to_depth"; "Squeeze" "squeeze";
    "Sum" "sum_of"; "Swish" "swish"; "TensorScatter" "write_cache"; "ThresholdedRelu" "thresholded_relu";
    "Tile" "tile"; "TopK" "top_k"; "Trilu" "trilu"; "Unique" "unique"; "Unsqueeze" "unsqueeze";
};

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
    let built = match find(&domain, &op_type) {
        Some(Found::Build(build)) => attributes::check(c, &op_type, None).and_then(|()| build(c)),
        Some(Found::Same(operator)) => named(c, operator)
            .and_then(|known| attributes::check(c, &op_type, Some(&known)))
            .and_then(|()| same(c, operator)),
        None => {
            let dot = if domain.is_empty() { "" } else { "." };
            return Err(Error::unsupported(format!(
                "there is no operator for {domain}{dot}{op_type}"
            )));
        }
    };
    built.map_err(|e| e.with("op_type", &op_type))
}

/// The version of the operator set of a node.
fn opset(c: &Call<'_>) -> Result<i64> {
    c.value("opset")
}

/// Whether there is an operator for nodes of this set and type.
pub(crate) fn is_known(domain: &str, op_type: &str) -> bool {
    find(domain, op_type).is_some()
}

/// How an operator is built.
enum Found {
    Build(Build),
    /// By an operator of Ringwood.
    Same(&'static str),
}

/// How an operator is built; `None` if it is not known.
fn find(domain: &str, op_type: &str) -> Option<Found> {
    if !is_standard(domain) && !PREVIEWS.contains(&domain) {
        return None;
    }
    let same = NAMES.iter().chain(ALIKE).map(|(name, operator)| (name, Found::Same(operator)));
    let built = TABLES.iter().copied().flatten().map(|(name, build)| (name, Found::Build(*build)));
    // What is read in a way of its own may be written as its name says.
    built.chain(same).find(|(name, _)| **name == op_type).map(|(_, found)| found)
}

/// The operator of Ringwood that does the same, with the attributes of the file that it knows.
fn same(c: &mut Call<'_>, operator: &str) -> Result<Vec<Value>> {
    same_with(c, operator, [])
}

/// The operator of Ringwood of a name.
fn named(c: &Call<'_>, operator: &str) -> Result<Operator> {
    let entry = c.graph.registry()?.entry::<Operator>(&format!("ringwood::{operator}"))?;
    Ok(*entry.item::<Operator>().expect("an entry holds an item of its kind"))
}

/// The operator of Ringwood that does the same, with attributes that the file may leave out.
fn same_with<const N: usize>(
    c: &mut Call<'_>,
    operator: &str,
    defaults: [(&'static str, Attribute); N],
) -> Result<Vec<Value>> {
    let known = named(c, operator)?;
    let mut attributes: Vec<(&str, Attribute)> = defaults.into();
    for def in known.attributes.iter().chain(known.optional) {
        attributes.extend(attribute(c, def)?.map(|value| (def.name, value)));
    }
    if known.decompose.is_some() {
        let own = |name| Some((name, c.attributes().find(name)?.clone()));
        attributes.extend(["absent", "results"].into_iter().filter_map(own));
    }
    let operands = c.operands();
    c.apply_all(operator, &operands, Attributes::from_iter(attributes))
}

/// An attribute of the file as an operator takes it: files have truth values, extents and types as `i64`.
fn attribute(c: &Call<'_>, def: &AttributeDef) -> Result<Option<Attribute>> {
    let number = || c.attribute::<i64>(def.name);
    Ok(match def.kind {
        AttributeKind::Scalar(ScalarType::Bool) => number()?.map(|n| (n != 0).into()),
        AttributeKind::Scalar(ScalarType::Usize) => number()?.map(|n| (n.max(0) as usize).into()),
        AttributeKind::DType => {
            let code = number()?.filter(|code| *code != 0);
            code.map(tensor::dtype).transpose()?.map(Attribute::from)
        }
        _ => c.attributes().find(def.name).cloned(),
    })
}
