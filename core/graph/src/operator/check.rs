//! What the compiler checks of a declaration: that its rules read like rules.

/// Whether `text` is written like a [`ShapeRule`](super::ShapeRule).
pub const fn is_shape_rule(text: &str) -> bool {
    let text = text.as_bytes();
    let (mut at, mut arrows) = (0, 0);
    while at < text.len() {
        match text[at] {
            b' ' | b',' => at += 1,
            b'-' if starts(text, at, b"->") => {
                arrows += 1;
                at += 2;
            }
            _ => {
                let end = word(text, at);
                let closed = end == text.len() || matches!(text[end], b' ' | b',' | b'-');
                if end == at || !closed {
                    return false;
                }
                at = end;
            }
        }
    }
    arrows == 1
}

/// Whether two rules have as many operands, and as many results; an empty dtype rule fits all.
pub const fn same_arity(shape: &str, dtype: &str) -> bool {
    let (a, b) = (arity(shape.as_bytes()), arity(dtype.as_bytes()));
    dtype.is_empty() || (a.0 == b.0 && a.1 == b.1)
}

/// The end of the dimension that starts at `at`; `at` if none does.
const fn word(text: &[u8], at: usize) -> usize {
    let mut end = at;
    if text[at].is_ascii_digit() {
        while end < text.len() && text[end].is_ascii_digit() {
            end += 1;
        }
        return end;
    }
    while end < text.len()
        && (text[end].is_ascii_lowercase()
            || (end > at && (text[end].is_ascii_digit() || text[end] == b'_')))
    {
        end += 1;
    }
    if starts(text, end, b"...") { end + 3 } else { end }
}

const fn starts(text: &[u8], at: usize, with: &[u8]) -> bool {
    let mut i = 0;
    while i < with.len() {
        if at + i >= text.len() || text[at + i] != with[i] {
            return false;
        }
        i += 1;
    }
    true
}

/// The numbers of patterns before and after the arrow.
const fn arity(text: &[u8]) -> (usize, usize) {
    let (mut at, mut operands, mut results) = (0, 1, 0);
    while at < text.len() {
        if starts(text, at, b"->") {
            results = 1;
        } else if text[at] == b',' && results == 0 {
            operands += 1;
        } else if text[at] == b',' {
            results += 1;
        }
        at += 1;
    }
    (operands, results)
}

#[cfg(test)]
mod tests;
