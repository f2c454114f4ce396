//! The order of device names: runs of digits compare as numbers, so `cpu:2` is before `cpu:10`.

use std::cmp::Ordering;

pub(super) fn by_number(a: &str, b: &str) -> Ordering {
    let (mut a_rest, mut b_rest) = (a.as_bytes(), b.as_bytes());
    loop {
        let (Some(x), Some(y)) = (a_rest.first(), b_rest.first()) else {
            return a_rest.len().cmp(&b_rest.len()).then_with(|| a.cmp(b));
        };
        if x.is_ascii_digit() && y.is_ascii_digit() {
            let (m, n) = (take_number(&mut a_rest), take_number(&mut b_rest));
            match m.len().cmp(&n.len()).then_with(|| m.cmp(n)) {
                Ordering::Equal => {}
                unequal => return unequal,
            }
        } else if x == y {
            (a_rest, b_rest) = (&a_rest[1..], &b_rest[1..]);
        } else {
            return x.cmp(y);
        }
    }
}

/// The digits at the start, without leading zeros: of any length, so nothing overflows.
fn take_number<'a>(text: &mut &'a [u8]) -> &'a [u8] {
    let end = text.iter().position(|c| !c.is_ascii_digit()).unwrap_or(text.len());
    let (digits, rest) = text.split_at(end);
    *text = rest;
    let zeros = digits.iter().take_while(|c| **c == b'0').count();
    &digits[zeros..]
}

#[cfg(test)]
mod tests;
