//! Joins the text of a kernel with those of the functions that it calls, when a crate is compiled.

/// The text of a function without its version, as a part of the text of a kernel.
pub const fn body(ir: &'static str) -> &'static str {
    let bytes = ir.as_bytes();
    let mut blank = 0;
    while blank < bytes.len() && bytes[blank] != b' ' {
        blank += 1;
    }
    let start = if blank < bytes.len() { blank + 1 } else { blank };
    text(bytes.split_at(start).1)
}

/// The type of a parameter of a function, by the function's text; empty if the function has mistakes.
pub const fn parameter(ir: &'static str, index: usize) -> &'static str {
    // Six words before the parameters, and before each type its name and kind.
    let (mut rest, mut word) = (body(ir), 1);
    while word < 8 + 3 * index {
        rest = body(rest);
        word += 1;
    }
    let end = rest.len() - body(rest).len();
    let blank = !body(rest).is_empty() as usize;
    text(rest.as_bytes().split_at(end - blank).0)
}

/// Whether a type that was guessed is the declared one, if that is known.
pub const fn fits(guessed: &str, declared: &str) -> bool {
    let (a, b) = (guessed.as_bytes(), declared.as_bytes());
    let (mut at, mut same) = (0, a.len() == b.len());
    while same && at < a.len() {
        same = a[at] == b[at];
        at += 1;
    }
    same || b.is_empty()
}

/// The most digits of a number in a text, with its sign.
pub const DIGITS: usize = 20;

/// The decimal digits of a literal of an integer type, after blanks.
pub const fn integer(value: i128) -> [u8; DIGITS] {
    let mut written = digits(value.unsigned_abs(), 10);
    if value < 0 {
        let mut sign = DIGITS - 1;
        while written[sign] != b' ' {
            sign -= 1;
        }
        written[sign] = b'-';
    }
    written
}

/// The hexadecimal digits of the bits of a literal of a floating-point type, after blanks.
pub const fn bits(bits: u64) -> [u8; DIGITS] {
    digits(bits as u128, 16)
}

const fn digits(mut value: u128, radix: u128) -> [u8; DIGITS] {
    let (mut written, mut at) = ([b' '; DIGITS], DIGITS);
    while value > 0 || at == DIGITS {
        at -= 1;
        written[at] = b"0123456789abcdef"[(value % radix) as usize];
        value /= radix;
    }
    written
}

/// Digits without the blanks before them.
pub const fn trimmed(digits: &'static [u8; DIGITS]) -> &'static str {
    let mut blanks = 0;
    while digits[blanks] == b' ' {
        blanks += 1;
    }
    text(digits.split_at(blanks).1)
}

/// The length of the joined parts, in bytes.
pub const fn len(parts: &[&str]) -> usize {
    let (mut total, mut part) = (0, 0);
    while part < parts.len() {
        total += parts[part].len();
        part += 1;
    }
    total
}

/// The joined parts; `N` is their [`len`].
pub const fn join<const N: usize>(parts: &[&str]) -> [u8; N] {
    let (mut joined, mut at, mut part) = ([0; N], 0, 0);
    while part < parts.len() {
        let bytes = parts[part].as_bytes();
        let mut i = 0;
        while i < bytes.len() {
            joined[at] = bytes[i];
            at += 1;
            i += 1;
        }
        part += 1;
    }
    joined
}

/// The text of joined parts.
pub const fn text(bytes: &'static [u8]) -> &'static str {
    match std::str::from_utf8(bytes) {
        Ok(text) => text,
        Err(_) => panic!("joined texts are a text"),
    }
}

#[cfg(test)]
mod tests;
