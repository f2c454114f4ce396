//! Bytes as hexadecimal text.

use serde::{Deserialize, Deserializer, Serializer, de};
use std::fmt::Write;
use std::sync::Arc;

/// Two digits for each byte.
pub(crate) fn text(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(2 * bytes.len());
    for byte in bytes {
        write!(text, "{byte:02x}").expect("a string takes any text");
    }
    text
}

/// The bytes of such a text.
pub(crate) fn bytes(text: &str) -> Option<Vec<u8>> {
    let digit = |c: u8| char::from(c).to_digit(16).map(|d| d as u8);
    let byte = |pair: &[u8]| match *pair {
        [high, low] => Some(digit(high)? << 4 | digit(low)?),
        _ => None,
    };
    text.as_bytes().chunks(2).map(byte).collect()
}

pub(crate) fn serialize<S: Serializer>(bytes: &[u8], s: S) -> Result<S::Ok, S::Error> {
    s.serialize_str(&text(bytes))
}

pub(crate) fn deserialize<'de, D: Deserializer<'de>>(d: D) -> Result<Arc<[u8]>, D::Error> {
    let bytes = bytes(&String::deserialize(d)?).map(Into::into);
    bytes.ok_or_else(|| de::Error::custom("a constant is no hexadecimal text"))
}
