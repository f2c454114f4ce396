//! Which attributes nodes have beside those of the operators that they become.

use crate::onnx::body::FUNCTIONS;
use ringwood_base::{Error, Result};
use ringwood_graph::compose::Call;
use ringwood_graph::operator::Operator;

/// Attributes of operators that are built in a way of their own; and those that change nothing here, as the types
/// of intermediate values and numbers that the operands say as well.
const MORE: &[(&str, &[&str])] = &[
    ("BatchNormalization", &["epsilon", "momentum", "spatial", "training_mode"]),
    ("Bernoulli", &["dtype", "seed"]),
    ("Cast", &["round_mode", "saturate", "to"]),
    ("CastLike", &["round_mode", "saturate"]),
    ("ConcatFromSequence", &["axis", "new_axis"]),
    ("ConstantOfShape", &["value"]),
    ("Conv", CONVOLUTION),
    ("ConvInteger", CONVOLUTION),
    ("ConvTranspose", TRANSPOSED),
    ("DFT", &["axis", "inverse", "onesided"]),
    ("Dropout", &["ratio", "seed"]),
    ("FlexAttention", &["prob_mod", "scale", "score_mod", "softmax_precision"]),
    ("GRU", &["hidden_size"]),
    ("Gelu", &["approximate"]),
    ("GroupNormalization", &["stash_type"]),
    ("Hardmax", &["axis"]),
    ("If", &["else_branch", "then_branch"]),
    ("LSTM", &["hidden_size"]),
    ("LinearAttention", &["chunk_size"]),
    ("LogSoftmax", &["axis"]),
    ("Loop", &["body"]),
    ("Multinomial", &["dtype", "sample_size", "seed"]),
    ("QLinearConv", CONVOLUTION),
    ("QuantizeLinear", &["saturate"]),
    ("RNN", &["hidden_size"]),
    ("RandomNormal", &["dtype", "mean", "scale", "seed", "shape"]),
    ("RandomNormalLike", &["dtype", "mean", "scale", "seed"]),
    ("RandomUniform", &["dtype", "high", "low", "seed", "shape"]),
    ("RandomUniformLike", &["dtype", "high", "low", "seed"]),
    ("Range", &["stash_type"]),
    ("Reshape", &["allowzero"]),
    ("Resize", RESIZE),
    ("RoiAlign", REGION),
    ("Scan", SCAN),
    ("SequenceEmpty", &["dtype"]),
    ("Softmax", &["axis"]),
    ("Split", &["axis", "num_outputs", "split"]),
    ("SplitToSequence", &["axis", "keepdims"]),
    ("Transpose", &["perm"]),
    ("Upsample", &["mode", "scales"]),
];

const CONVOLUTION: &[&str] = &["auto_pad", "dilations", "group", "kernel_shape", "pads", "strides"];

const TRANSPOSED: &[&str] = &[
    "auto_pad",
    "dilations",
    "group",
    "kernel_shape",
    "output_padding",
    "output_shape",
    "pads",
    "strides",
];

const RESIZE: &[&str] = &[
    "antialias",
    "axes",
    "coordinate_transformation_mode",
    "cubic_coeff_a",
    "exclude_outside",
    "extrapolation_value",
    "keep_aspect_ratio_policy",
    "mode",
    "nearest_mode",
];

const REGION: &[&str] = &[
    "coordinate_transformation_mode",
    "mode",
    "output_height",
    "output_width",
    "sampling_ratio",
    "spatial_scale",
];

const SCAN: &[&str] = &[
    "body",
    "directions",
    "num_scan_inputs",
    "scan_input_axes",
    "scan_input_directions",
    "scan_output_axes",
    "scan_output_directions",
];

/// What the reader says of a node beside the attributes of the file.
pub(in crate::onnx) const OF_THE_READER: &[&str] =
    &["absent", "domain", FUNCTIONS, "node", "op_type", "opset", "own", "results"];

/// Checks that a node has no attribute but those of the operator of Ringwood that it becomes, if it becomes one,
/// and those of [`MORE`].
///
/// # Errors
/// It has another one, which would be of no effect: the error lists those that there are.
pub(super) fn check(c: &Call<'_>, op_type: &str, operator: Option<&Operator>) -> Result<()> {
    let defs = operator.into_iter().flat_map(|known| known.attributes.iter().chain(known.optional));
    let more = MORE.iter().filter(|(name, _)| *name == op_type).flat_map(|(_, more)| *more);
    let known: Vec<_> = defs.map(|def| def.name).chain(more.copied()).collect();
    let is_known = |name: &str| known.contains(&name) || OF_THE_READER.contains(&name);
    let Some((name, _)) = c.attributes().iter().find(|(name, _)| !is_known(name)) else {
        return Ok(());
    };
    let known = if known.is_empty() { "none".to_owned() } else { known.join(", ") };
    Err(Error::invalid(format!("there is no attribute `{name}`; known: {known}")))
}
