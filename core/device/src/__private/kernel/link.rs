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
mod tests {
    use super::*;

    #[test]
    fn parts_are_joined_when_the_crate_is_compiled() {
        const PARTS: &[&str] = &["kir2 é ", body("kir2 f 0"), " + ", body("kir2")];
        const TEXT: [u8; len(PARTS)] = join(PARTS);
        assert_eq!(text(&TEXT), "kir2 é f 0 + ");
    }
}
