//! The answer to an unknown name: the known ones and the nearest.

use crate::Error;
use ringwood_ir::nearest;

/// As many known names are listed: a line or two.
const LISTED: usize = 12;

/// The error for an unknown `name` of a `noun`: the nearest of the `known` names first, then some or
/// all of them.
pub fn unknown(noun: &str, name: &str, known: &[&str]) -> Error {
    let (listed, more) = known.split_at(known.len().min(LISTED));
    let mut list = match listed {
        [] => "none is registered".to_owned(),
        _ => format!("registered: {}", listed.join(", ")),
    };
    if !more.is_empty() {
        list += &format!(" and {} more", more.len());
    }
    let error = |tail: String| Error::not_found(format!("no {noun} `{name}`{tail}"));
    match nearest(name, known) {
        Some(near) => error(format!(", did you mean `{near}`?")).help(list),
        None => error(format!("; {list}")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_name_is_offered_only_when_it_is_near() {
        let known = ["cpu", "cuda", "opencl"];
        assert!(unknown("backend", "cdua", &known).to_string().contains("did you mean `cuda`?"));
        assert!(unknown("backend", "CUDA", &known).to_string().contains("did you mean `cuda`?"));
        for (name, known) in [("nab", "abs"), ("nope", "copy")] {
            assert!(!unknown("kernel", name, &[known]).to_string().contains("did you mean"));
        }
        assert!(!unknown("backend", "tensix", &known).to_string().contains("did you mean"));
    }
}
