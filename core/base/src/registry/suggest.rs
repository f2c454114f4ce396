//! The answer to an unknown name: the known ones and the nearest.

use crate::Error;

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

/// The known name within an edit distance of 2: one edit takes a name of two letters, two take one of five.
pub fn nearest<'a>(name: &str, known: &[&'a str]) -> Option<&'a str> {
    let name = name.to_lowercase();
    let scored = known.iter().map(|k| (distance(&name, &k.to_lowercase()), *k));
    scored.filter(|(d, k)| *d <= 2 && d * d < k.len()).min().map(|(_, best)| best)
}

/// Optimal string alignment distance: insertions, deletions, replacements, swaps of neighbours.
fn distance(a: &str, b: &str) -> usize {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    let mut table = vec![vec![0; b.len() + 1]; a.len() + 1];
    for i in 0..=a.len() {
        for j in 0..=b.len() {
            table[i][j] = if i == 0 || j == 0 {
                i + j
            } else {
                let replace = table[i - 1][j - 1] + usize::from(a[i - 1] != b[j - 1]);
                let mut best = replace.min(table[i - 1][j] + 1).min(table[i][j - 1] + 1);
                if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                    best = best.min(table[i - 2][j - 2] + 1);
                }
                best
            };
        }
    }
    table[a.len()][b.len()]
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
        assert_eq!(distance("kitten", "sitting"), 3);
    }
}
