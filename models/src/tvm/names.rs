//! What Ringwood calls a function of TVM.

use ringwood_base::registry::Registry;
use ringwood_graph::operator::Operator;
use std::collections::HashSet;

/// Operators that Ringwood calls otherwise: TVM's name, ours.
pub(super) const NAMES: &[(&str, &str)] = &[
    ("divide", "div"),
    ("log", "ln"),
    ("maximum", "max"),
    ("minimum", "min"),
    ("multiply", "mul"),
    ("negative", "neg"),
    (BIAS, "add"),
    ("nn_dense", "matmul_nt"),
    ("nn_log_softmax", "log_softmax"),
    ("nn_relu", "relu"),
    ("nn_softmax", "softmax"),
    ("power", "powf"),
    ("subtract", "sub"),
];

/// TVM's sum with a number for each channel.
pub(super) const BIAS: &str = "nn_bias_add";

/// The functions of TVM along an axis; ours are along the last one.
pub(super) const ALONG: [&str; 2] = ["nn_log_softmax", "nn_softmax"];

/// An operator of a function.
#[derive(Clone, Copy)]
pub(super) struct Part {
    pub(super) operator: Operator,
    /// Whether it is TVM's [`BIAS`].
    pub(super) is_bias: bool,
    /// Whether it is one of [`ALONG`].
    pub(super) is_along: bool,
}

/// The operators that a function is made of, in order; none if one is not known.
///
/// `fused_nn_dense_add_2` is `matmul_nt`, then `add`: a number at the end tells functions of one name apart.
pub(super) fn parts(registry: &Registry, function: &str) -> Vec<Part> {
    if let Ok(operator) = registry.find::<Operator>(function) {
        return vec![Part { operator: *operator, is_bias: false, is_along: false }];
    }
    // A name that is looked for in vain is compared with all others, and words make many such names.
    let known: HashSet<_> = registry.of::<Operator>().map(|(_, operator)| operator.name).collect();
    let names = known.iter().copied().chain(NAMES.iter().map(|(theirs, _)| *theirs));
    let most = names.map(|name| name.split('_').count()).max().unwrap_or(0);
    let compiled = function.trim_start_matches("tvmgen_default_").trim_start_matches("fused_");
    let mut words: Vec<_> = compiled.split('_').collect();
    words.pop_if(|word| word.parse::<u64>().is_ok());
    let mut words = &words[..];
    let mut found = Vec::new();
    while !words.is_empty() {
        let longest = (1..=words.len().min(most)).rev().find_map(|count| {
            let name = words[..count].join("_");
            let ours = NAMES.iter().find(|(theirs, _)| *theirs == name).map_or(&*name, |(_, n)| n);
            let found = known.contains(ours).then(|| registry.find::<Operator>(ours).ok());
            let operator = *found.flatten()?;
            let is_along = ALONG.contains(&&*name);
            Some((Part { operator, is_bias: name == BIAS, is_along }, count))
        });
        let Some((part, count)) = longest else { return Vec::new() };
        found.push(part);
        words = &words[count..];
    }
    found
}
