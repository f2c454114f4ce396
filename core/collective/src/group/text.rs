//! Texts of one rank to another, of any length.

use ringwood_base::deadline::left;
use ringwood_base::{DType, Error, Result};
use ringwood_transport::Endpoint;
use std::time::Instant;

/// The most bytes of a text.
pub(super) const MOST: usize = 16 << 20;

/// Sends a text to rank `to`.
pub(super) fn tell(
    endpoint: &mut dyn Endpoint,
    to: usize,
    text: &[u8],
    end: Instant,
) -> Result<()> {
    let length = (text.len() as u64).to_le_bytes();
    endpoint.send(to, &length, DType::U8, left(end))?;
    endpoint.send(to, text, DType::U8, left(end))
}

/// The text that rank `from` sends.
pub(super) fn hear(endpoint: &mut dyn Endpoint, from: usize, end: Instant) -> Result<Vec<u8>> {
    let mut length = [0; 8];
    endpoint.recv(from, &mut length, DType::U8, left(end))?;
    let bytes = u64::from_le_bytes(length);
    let length = usize::try_from(bytes).ok().filter(|&length| length <= MOST).ok_or_else(|| {
        Error::invalid(format!("rank {from} tells {bytes} bytes, more than {MOST}"))
    })?;
    let mut text = vec![0; length];
    endpoint.recv(from, &mut text, DType::U8, left(end))?;
    Ok(text)
}
