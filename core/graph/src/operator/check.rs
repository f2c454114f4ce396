//! What the compiler checks of a declaration: that its rules read like rules, and that what they need is
//! declared.

use super::AttributeDef;
use crate::graph::AttributeKind;
use ringwood_base::ScalarType;

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

/// The first symbol of the results alone that is not declared as an attribute of type `usize`; empty if
/// there is none. `shape` is a shape rule.
pub const fn undeclared<'a>(shape: &'a str, attributes: &[AttributeDef]) -> &'a str {
    let text = shape.as_bytes();
    let (mut at, mut arrow) = (0, text.len());
    while at < text.len() {
        let end = word(text, at);
        if starts(text, at, b"->") {
            arrow = at;
            at += 2;
        } else if end == at {
            at += 1;
        } else {
            let symbol = shape.split_at(at).1.split_at(end - at).0;
            let open = text[end - 1] == b'.' || text[at].is_ascii_digit();
            if arrow < at && !open && !occurs(text, arrow, symbol) && !declares(attributes, symbol)
            {
                return symbol;
            }
            at = end;
        }
    }
    ""
}

/// The type of numbers of this name.
///
/// # Panics
/// No type has this name: a declaration with it does not compile.
pub const fn scalar_type(name: &str) -> ScalarType {
    let mut i = 0;
    while i < ScalarType::ALL.len() {
        if same(ScalarType::ALL[i].name(), name) {
            return ScalarType::ALL[i];
        }
        i += 1;
    }
    panic!("{}", Complaint::about_type(name).text())
}

/// Whether a symbol is a dimension of an operand: one of those before `arrow`.
const fn occurs(text: &[u8], arrow: usize, symbol: &str) -> bool {
    let mut at = 0;
    while at < arrow {
        let end = word(text, at);
        if end == at + symbol.len() && starts(text, at, symbol.as_bytes()) {
            return true;
        }
        at = if end == at { at + 1 } else { end };
    }
    false
}

const fn declares(attributes: &[AttributeDef], symbol: &str) -> bool {
    let mut i = 0;
    while i < attributes.len() {
        let AttributeDef { name, kind } = attributes[i];
        if same(name, symbol) && matches!(kind, AttributeKind::Scalar(ScalarType::Usize)) {
            return true;
        }
        i += 1;
    }
    false
}

/// What the compiler says of a symbol that is [`undeclared`], or of a type of attributes that is none.
pub struct Complaint {
    bytes: [u8; 256],
    len: usize,
}

impl Complaint {
    /// The complaint about a symbol; a long name is cut.
    pub const fn about(symbol: &str) -> Self {
        let said = Self { bytes: [0; 256], len: 0 };
        let said = said.and("the symbol `").and(symbol);
        let said = said.and(
            "` stands in the results alone, so each application gives it: write `attributes: { ",
        );
        said.and(symbol).and(": usize }`")
    }

    /// The complaint about a word where the type of an attribute stands.
    const fn about_type(name: &str) -> Self {
        let said = Self { bytes: [0; 256], len: 0 }.and("`").and(name);
        said.and("` is no type of an attribute; write one of Rust's numbers, `bool`, `str`, `dtype`, `[i64]`, `[f32]` or `[str]`")
    }

    const fn and(mut self, text: &str) -> Self {
        let mut i = 0;
        while i < text.len() && self.len < self.bytes.len() {
            self.bytes[self.len] = text.as_bytes()[i];
            (i, self.len) = (i + 1, self.len + 1);
        }
        self
    }

    /// The text.
    pub const fn text(&self) -> &str {
        match std::str::from_utf8(self.bytes.split_at(self.len).0) {
            Ok(text) => text,
            Err(_) => "",
        }
    }
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

const fn same(a: &str, b: &str) -> bool {
    a.len() == b.len() && starts(a.as_bytes(), 0, b.as_bytes())
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
