//! Archives: ZIP as NumPy writes it, with entries that are stored or deflated.

use crate::file::malformed;
use bytes::Bytes;
use miniz_oxide::inflate::decompress_to_vec_with_limit;
use ringwood_base::{Error, ErrorKind, Result};
use std::borrow::Cow;
use std::ops::Range;

const LOCAL: u32 = 0x0403_4b50;
const CENTRAL: u32 = 0x0201_4b50;
const END: u32 = 0x0605_4b50;
const END_64: u32 = 0x0606_4b50;
const LOCATOR_64: u32 = 0x0706_4b50;
/// The bytes of these records, without names and comments.
const LOCAL_BYTES: usize = 30;
const CENTRAL_BYTES: usize = 46;
const END_BYTES: usize = 22;
const LOCATOR_64_BYTES: usize = 20;

/// The names of the entries of an archive in its order, and what they hold: parts of it, where they are stored.
///
/// # Errors
/// It is malformed or truncated; an entry is encrypted, packed in another way, or does not match its checksum.
pub(crate) fn entries(file: &Bytes) -> Result<Vec<(String, Bytes)>> {
    let at = Fields(file);
    let (count, mut place) = directory(&at)?;
    let (mut entries, mut packed_in_all) = (Vec::new(), 0_usize);
    for _ in 0..count {
        if at.u32(place)? != CENTRAL {
            return Err(malformed("the directory of the archive is damaged"));
        }
        let name_end = place + CENTRAL_BYTES + at.u16(place + 28)?;
        let name = at.bytes(place + CENTRAL_BYTES..name_end)?;
        let name = str::from_utf8(name).map_err(|e| malformed("a name is no text").because(e))?;
        let entry = Entry::read(&at, place, name_end).map_err(|e| e.with("entry", name))?;
        // Entries that share their bytes would grow without an end.
        packed_in_all = packed_in_all.saturating_add(entry.packed);
        if packed_in_all > file.len() {
            return Err(malformed("the entries have more bytes than the archive"));
        }
        entries.push((name.to_owned(), entry.contents(file).map_err(|e| e.with("entry", name))?));
        place = name_end + at.u16(place + 30)? + at.u16(place + 32)?;
    }
    Ok(entries)
}

/// The number of entries, and where their directory starts.
fn directory(at: &Fields<'_>) -> Result<(usize, usize)> {
    let last = at.0.len().checked_sub(END_BYTES).ok_or_else(|| malformed("it is no archive"))?;
    let first = last.saturating_sub(usize::from(u16::MAX));
    let end = (first..=last).rev().find(|&place| at.u32(place).is_ok_and(|word| word == END));
    let end = end.ok_or_else(|| malformed("it is no archive, or its end is missing"))?;
    let (count, start) = (at.u16(end + 10)?, at.u32(end + 16)?);
    if count != usize::from(u16::MAX) && start != u32::MAX {
        return Ok((count, start as usize));
    }
    let locator = end.checked_sub(LOCATOR_64_BYTES);
    let locator = locator.filter(|&place| at.u32(place).is_ok_and(|word| word == LOCATOR_64));
    let Some(locator) = locator else { return Ok((count, start as usize)) };
    let end = at.u64(locator + 8)?;
    match at.u32(end)? {
        END_64 => Ok((at.u64(end.saturating_add(32))?, at.u64(end.saturating_add(48))?)),
        _ => Err(malformed("the end of the archive is damaged")),
    }
}

/// An entry of the directory.
struct Entry {
    encrypted: bool,
    method: usize,
    checksum: u32,
    packed: usize,
    unpacked: usize,
    /// Where its contents start.
    start: usize,
}

impl Entry {
    /// The entry at a place of the directory, whose name ends at another.
    fn read(at: &Fields<'_>, place: usize, name_end: usize) -> Result<Self> {
        let mut sizes = [
            at.u32(place + 24)? as usize,
            at.u32(place + 20)? as usize,
            at.u32(place + 42)? as usize,
        ];
        let mut extra = name_end;
        let extras_end = name_end + at.u16(place + 30)?;
        while extra + 4 <= extras_end {
            let mut field = extra + 4;
            for size in sizes.iter_mut().filter(|size| **size == u32::MAX as usize) {
                if at.u16(extra)? == 1 {
                    *size = at.u64(field)?;
                    field += 8;
                }
            }
            extra += 4 + at.u16(extra + 2)?;
        }
        let [unpacked, packed, local] = sizes;
        if at.u32(local)? != LOCAL {
            return Err(malformed("the entry is not where the directory says"));
        }
        Ok(Self {
            encrypted: at.u16(place + 8)? & 1 == 1,
            method: at.u16(place + 10)?,
            checksum: at.u32(place + 16)?,
            packed,
            unpacked,
            start: local + LOCAL_BYTES + at.u16(local + 26)? + at.u16(local + 28)?,
        })
    }

    fn contents(&self, file: &Bytes) -> Result<Bytes> {
        let end = self.start.checked_add(self.packed).filter(|end| *end <= file.len());
        let Some(end) = end else {
            let message = format!("the entry has {} bytes, more than the archive", self.packed);
            return Err(malformed(message));
        };
        let packed = file.slice(self.start..end);
        let contents = match self.method {
            _ if self.encrypted => return Err(unsupported("the entry is encrypted".into())),
            0 => packed,
            8 => decompress_to_vec_with_limit(&packed, self.unpacked)
                .map_err(|e| malformed("the entry cannot be unpacked").because(e))?
                .into(),
            other => return Err(unsupported(format!("the entry is packed by method {other}"))),
        };
        if contents.len() != self.unpacked || crc32fast::hash(&contents) != self.checksum {
            return Err(malformed("the contents of the entry do not match its size and checksum"));
        }
        Ok(contents)
    }
}

fn unsupported(message: String) -> Error {
    Error::new(ErrorKind::Unsupported, message).help("entries that are stored or deflated are read")
}

/// Numbers in a file, the lowest byte first.
struct Fields<'a>(&'a [u8]);

impl Fields<'_> {
    fn bytes(&self, range: Range<usize>) -> Result<&[u8]> {
        self.0.get(range).ok_or_else(|| malformed("the archive is truncated"))
    }

    fn array<const N: usize>(&self, place: usize) -> Result<[u8; N]> {
        let bytes = self.bytes(place..place.saturating_add(N))?;
        Ok(bytes.try_into().expect("the range has this length"))
    }

    fn u16(&self, place: usize) -> Result<usize> {
        self.array(place).map(|bytes| u16::from_le_bytes(bytes).into())
    }

    fn u32(&self, place: usize) -> Result<u32> {
        self.array(place).map(u32::from_le_bytes)
    }

    /// A number that counts bytes; one that no memory has is larger than any file.
    fn u64(&self, place: usize) -> Result<usize> {
        self.array(place).map(|bytes| {
            let limit = usize::MAX / 2;
            usize::try_from(u64::from_le_bytes(bytes)).unwrap_or(limit).min(limit)
        })
    }
}

/// The parts of an archive of entries that are stored: each is the name, and the parts of its contents.
///
/// # Errors
/// It would have 4 GiB or more, or 65,535 entries.
pub(crate) fn stored<'a>(entries: &'a [(String, Vec<&'a [u8]>)]) -> Result<Vec<Cow<'a, [u8]>>> {
    let (mut parts, mut directory, mut offset) = (Vec::new(), Vec::new(), 0_usize);
    for (name, contents) in entries {
        let mut checksum = crc32fast::Hasher::new();
        contents.iter().for_each(|part| checksum.update(part));
        let size: usize = contents.iter().map(|part| part.len()).sum();
        let mut about = Vec::new();
        // Version 2.0, names in UTF-8, stored, midnight of 1 January 1980.
        for field in [20_u16, 1 << 11, 0, 0, 0x21] {
            about.extend(field.to_le_bytes());
        }
        for field in [checksum.finalize(), size as u32, size as u32, name.len() as u32] {
            about.extend(field.to_le_bytes());
        }
        let local = [&LOCAL.to_le_bytes()[..], &about, name.as_bytes()].concat();
        directory.extend([&CENTRAL.to_le_bytes()[..], &20_u16.to_le_bytes(), &about].concat());
        directory.extend([0; 10]);
        directory.extend((offset as u32).to_le_bytes());
        directory.extend(name.as_bytes());
        offset += local.len() + size;
        parts.push(local.into());
        parts.extend(contents.iter().map(|part| Cow::Borrowed(*part)));
    }
    let count = entries.len();
    let small = count < usize::from(u16::MAX) && offset + directory.len() < u32::MAX as usize;
    if !small || entries.iter().any(|(name, _)| name.len() > usize::from(u16::MAX)) {
        let message = "the archive would have 4 GiB, or 65,535 entries, or a name as long";
        return Err(Error::new(ErrorKind::Unsupported, message).help("write .safetensors instead"));
    }
    let mut end = END.to_le_bytes().to_vec();
    for field in [0, 0, count as u16, count as u16] {
        end.extend(field.to_le_bytes());
    }
    end.extend((directory.len() as u32).to_le_bytes());
    end.extend((offset as u32).to_le_bytes());
    end.extend([0, 0]);
    parts.extend([directory.into(), end.into()]);
    Ok(parts)
}
