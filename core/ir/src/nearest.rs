//! The name that one which is not known was meant to be.

/// The known name nearest to `name`, within an edit distance of 2: one edit takes a name of two letters, two take
/// one of five. An edit inserts, removes or replaces a letter, or swaps two neighbours. Capitals do not count, nor
/// does the order of the known names.
///
/// ```
/// use ringwood_ir::nearest;
///
/// assert_eq!(nearest("CDUA", &["cpu", "cuda"]), Some("cuda"));
/// assert_eq!(nearest("tensix", &["cpu", "cuda"]), None);
/// ```
pub fn nearest<'a>(name: &str, known: &[&'a str]) -> Option<&'a str> {
    let name = name.to_lowercase();
    let distance = |k: &str| strsim::osa_distance(&name, &k.to_lowercase());
    let scored = known.iter().map(|k| (distance(k), *k));
    scored.filter(|(d, k)| *d <= 2 && d * d < k.len()).min().map(|(_, best)| best)
}

#[cfg(test)]
mod tests {
    use super::nearest;

    #[test]
    fn few_edits_take_a_name_that_is_long_enough() {
        assert_eq!(nearest("x", &["y", "xs"]), Some("xs"));
        assert_eq!(nearest("foo", &["cos"]), None);
        assert_eq!(nearest("nope", &["copy"]), None);
        assert_eq!(nearest("f23", &["f16", "f32"]), Some("f32"));
        assert_eq!(nearest("sitting", &["kitten"]), None);
        assert_eq!(nearest("ab", &["abd", "abc"]), nearest("ab", &["abc", "abd"]));
    }
}
