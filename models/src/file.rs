//! What readers and writers of files have in common.

use bytes::Bytes;
use ringwood_base::aside::remove_abandoned;
use ringwood_base::{DType, Error, Result};
use ringwood_graph::graph::TensorType;
use std::borrow::Cow;
use std::ffi::OsString;
use std::fs::{self, File};
use std::io::Write;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};

/// A malformed file; the reader adds its name.
pub(crate) fn malformed(message: impl Into<String>) -> Error {
    Error::invalid(message.into())
}

/// The elements in the byte order of the host.
pub(crate) fn host_order(bytes: Bytes, dtype: DType, big_endian: bool) -> Bytes {
    if cfg!(target_endian = "big") == big_endian || dtype.size() == 1 {
        return bytes;
    }
    swapped(&bytes, dtype).into()
}

/// The elements with the lowest byte first, of elements in the byte order of the host.
pub(crate) fn little_endian(elements: &[u8], dtype: DType) -> Cow<'_, [u8]> {
    match cfg!(target_endian = "big") {
        true => swapped(elements, dtype).into(),
        false => elements.into(),
    }
}

fn swapped(elements: &[u8], dtype: DType) -> Vec<u8> {
    let mut swapped = elements.to_vec();
    swapped.chunks_exact_mut(dtype.size()).for_each(<[u8]>::reverse);
    swapped
}

/// Checks that a tensor to be written has the bytes of its type.
///
/// # Errors
/// It has another number of them.
pub(crate) fn check(name: &str, ty: TensorType, elements: &[u8]) -> Result<()> {
    if ty.bytes() == elements.len() {
        return Ok(());
    }
    let (want, got) = (ty.bytes(), elements.len());
    Err(Error::shape(format!("tensor `{name}` of type {ty} has {want} bytes, not {got}")))
}

/// Writes a file of these parts, one after the other.
///
/// It takes the name, and the permissions of an older file of the name, when it is whole and on the disk: what is mapped of
/// that stays as it is. Where a link leads is written, and devices and pipes stay what they are. What a process that was
/// killed while it wrote a file of the name has left is removed after an hour.
///
/// # Errors
/// It cannot be written.
pub fn write<'a>(path: &Path, parts: impl IntoIterator<Item = &'a [u8]>) -> Result<()> {
    static WRITES: AtomicU64 = AtomicU64::new(0);
    // A link may lead to a file that is not there yet.
    let linked = || fs::read_link(path).map(|to| path.with_file_name("").join(to));
    let target = path.canonicalize().or_else(|_| linked()).unwrap_or_else(|_| path.to_owned());
    // Threads and processes may write one file at one time.
    let write = WRITES.fetch_add(1, Ordering::Relaxed);
    let mut name = OsString::from(".");
    name.push(target.file_name().unwrap_or_default());
    name.push(format!(".{}.{write}.unfinished", std::process::id()));
    let unfinished = target.with_file_name(name);
    let there = fs::metadata(&target);
    let written = match &there {
        Ok(there) if !there.is_file() => File::options()
            .write(true)
            .open(&target)
            .and_then(|mut file| parts.into_iter().try_for_each(|part| file.write_all(part))),
        _ => File::create(&unfinished).and_then(|mut file| {
            if let Ok(there) = &there {
                file.set_permissions(there.permissions())?;
            }
            parts.into_iter().try_for_each(|part| file.write_all(part))?;
            file.sync_all()?;
            fs::rename(&unfinished, &target)?;
            remove_left(&target);
            Ok(())
        }),
    };
    written.map_err(|cause| {
        let _ = fs::remove_file(&unfinished);
        Error::unavailable(format!("{} cannot be written", path.display())).because(cause)
    })
}

/// Removes unfinished files of a name that nobody has written to for an hour.
fn remove_left(target: &Path) {
    let (Some(folder), Some(name)) = (target.parent(), target.file_name()) else { return };
    let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    let begin = format!(".{}.", name.display());
    for file in fs::read_dir(folder).into_iter().flatten().flatten() {
        remove_abandoned(&file, &begin, ".", ".unfinished");
    }
}

#[cfg(test)]
mod tests;
