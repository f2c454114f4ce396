//! Parameter files: names, then a tensor for each.

use super::file::{KINDS, dtype, word};
use crate::file::{check, host_order, little_endian, malformed, write};
use crate::map::map;
use bytes::{Buf, Bytes};
use ringwood_base::Result;
use ringwood_graph::graph::TensorType;
use std::path::Path;

/// The first eight bytes of a file, and those of each tensor.
const MAGIC: [u64; 2] = [0xf7e5_8d4f_0504_9cb7, 0xdd5e_40f0_96b4_a13f];

/// The number of the processor among types of devices; tensors are written from it.
const CPU: i32 = 1;

/// Reads the tensors of a parameter file in its order: name, type and elements of each.
///
/// The file is mapped: nobody may change it in place while the elements are held.
///
/// # Errors
/// The file cannot be read, is malformed or truncated, or holds vectors, or numbers of a type that tensors have not.
pub fn load_params(path: impl AsRef<Path>) -> Result<Vec<(String, TensorType, Bytes)>> {
    let path = path.as_ref();
    map(path).and_then(read).map_err(|e| e.with("file", path.display()))
}

fn read(mut file: Bytes) -> Result<Vec<(String, TensorType, Bytes)>> {
    if u64(&mut file)? != MAGIC[0] {
        return Err(malformed("this is no parameter file of TVM: its first bytes are others"));
    }
    u64(&mut file)?;
    let count = u64(&mut file)?;
    let name = |_| {
        let length = u64(&mut file)?;
        let name = take(&mut file, length)?.to_vec();
        String::from_utf8(name).map_err(|e| malformed("a name is no text").because(e))
    };
    let names = (0..count).map(name).collect::<Result<Vec<_>>>()?;
    if u64(&mut file)? != count {
        return Err(malformed("a parameter file has as many names as tensors, and this has not"));
    }
    let tensor = |name: String| {
        let (ty, bytes) = tensor(&mut file).map_err(|e| e.with("parameter", &name))?;
        Ok((name, ty, bytes))
    };
    names.into_iter().map(tensor).collect()
}

fn take(file: &mut Bytes, count: u64) -> Result<Bytes> {
    let count = usize::try_from(count).ok().filter(|count| *count <= file.len());
    count.map(|count| file.split_to(count)).ok_or_else(|| malformed("the file ends too early"))
}

fn u64(file: &mut Bytes) -> Result<u64> {
    Ok(take(file, 8)?.get_u64_le())
}

fn tensor(file: &mut Bytes) -> Result<(TensorType, Bytes)> {
    if u64(file)? != MAGIC[1] {
        return Err(malformed("no tensor begins here"));
    }
    u64(file)?;
    let mut head = take(file, 16)?;
    let (device, _, rank) = (head.get_i32_le(), head.get_i32_le(), head.get_i32_le());
    if device != CPU {
        return Err(malformed(format!("tensors are of the processor, {CPU}, not of {device}")));
    }
    if rank < 0 {
        return Err(malformed(format!("a tensor has {rank} dimensions")));
    }
    let (code, bits, lanes) = (head.get_u8(), head.get_u8(), head.get_u16_le());
    if lanes != 1 {
        return Err(malformed(format!("vectors of {lanes} numbers are not read")));
    }
    let kind = KINDS.iter().find(|(known, ..)| *known == code);
    let dtype = dtype(&format!("{}{bits}", kind.map_or("handle", |(_, word, _)| word)))?;
    let extent = |_| usize::try_from(u64(file)?).map_err(|_| malformed("an extent is too large"));
    let dims = (0..rank).map(extent).collect::<Result<Vec<_>>>()?;
    let (ty, bytes) = (TensorType::new(dtype, &dims)?, u64(file)?);
    if bytes != ty.bytes() as u64 {
        return Err(malformed(format!("{ty} has {} bytes, not {bytes}", ty.bytes())));
    }
    Ok((ty, host_order(take(file, bytes)?, dtype, false)))
}

/// Writes tensors, each by name, type and elements, in place of a file that may be there.
///
/// # Errors
/// A type has another number of bytes; the file cannot be written.
pub fn save_params(path: impl AsRef<Path>, tensors: &[(&str, TensorType, &[u8])]) -> Result<()> {
    let count = tensors.len() as u64;
    let mut bytes = Vec::new();
    [MAGIC[0], 0, count].iter().for_each(|n| bytes.extend(n.to_le_bytes()));
    for (name, ..) in tensors {
        bytes.extend((name.len() as u64).to_le_bytes());
        bytes.extend(name.as_bytes());
    }
    bytes.extend(count.to_le_bytes());
    for (name, ty, elements) in tensors {
        check(name, *ty, elements)?;
        [MAGIC[1], 0].iter().for_each(|n| bytes.extend(n.to_le_bytes()));
        [CPU, 0, ty.shape.len() as i32].iter().for_each(|n| bytes.extend(n.to_le_bytes()));
        let kind = KINDS.iter().find(|(_, kind, _)| word(ty.dtype).starts_with(kind));
        // A truth value is a `uint1`.
        let (code, bits) = kind.map_or((1, 1), |(code, ..)| (*code, 8 * ty.dtype.size() as u8));
        bytes.extend([code, bits, 1, 0]);
        ty.shape.iter().for_each(|n| bytes.extend((*n as u64).to_le_bytes()));
        bytes.extend((ty.bytes() as u64).to_le_bytes());
        bytes.extend(&*little_endian(elements, ty.dtype));
    }
    write(path.as_ref(), [bytes.as_slice()])
}
