//! Archives: ZIP as NumPy writes it, with entries that are stored or deflated.

use crate::file::malformed;
use bytes::Bytes;
use miniz_oxide::inflate::TINFLStatus::HasMoreOutput;
use miniz_oxide::inflate::{DecompressError, decompress_to_vec_with_limit};
use ringwood_base::{Error, Result};
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
/// The bytes that an entry is known by before it is unpacked: more than a header of `.npy` has.
const START: usize = 1 << 17;

/// The names of the entries of an archive in its order, and what they hold: parts of it, where they are stored.
///
/// # Errors
/// It is malformed or truncated; an entry is encrypted, packed in another way, or does not match its checksum. `check`
/// refuses what a deflated entry starts with, and how many bytes it is to have.
pub(crate) fn entries(
    file: &Bytes,
    check: impl Fn(&[u8], usize) -> Result<()>,
) -> Result<Vec<(String, Bytes)>> {
    listed(&Fields(file), |entry, name| {
        let contents = entry.contents(file, &check).map_err(|e| e.with("entry", name))?;
        Ok((name.to_owned(), contents))
    })
}

/// What `take` makes of each entry of an archive and of its name, in its order.
fn listed<'a, T>(at: &Fields<'a>, take: impl Fn(Entry, &'a str) -> Result<T>) -> Result<Vec<T>> {
    let (count, mut place) = directory(at)?;
    let (mut entries, mut packed_in_all) = (Vec::new(), 0_usize);
    for _ in 0..count {
        if at.u32(place)? != CENTRAL {
            return Err(malformed("the directory of the archive is damaged"));
        }
        let name_end = place + CENTRAL_BYTES + at.u16(place + 28)?;
        let name = at.bytes(place + CENTRAL_BYTES..name_end)?;
        let name = str::from_utf8(name).map_err(|e| malformed("a name is no text").because(e))?;
        let entry = Entry::read(at, place, name_end).map_err(|e| e.with("entry", name))?;
        // Entries that share their bytes would grow without an end.
        packed_in_all = packed_in_all.saturating_add(entry.packed);
        if packed_in_all > at.0.len() {
            return Err(malformed("the entries have more bytes than the archive"));
        }
        entries.push(take(entry, name)?);
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

    fn contents(&self, file: &Bytes, check: impl Fn(&[u8], usize) -> Result<()>) -> Result<Bytes> {
        let end = self.start.checked_add(self.packed).filter(|end| *end <= file.len());
        let Some(end) = end else {
            let message = format!("the entry has {} bytes, more than the archive", self.packed);
            return Err(malformed(message));
        };
        let packed = file.slice(self.start..end);
        let contents = match self.method {
            _ if self.encrypted => return Err(unsupported("the entry is encrypted".into())),
            0 => packed,
            8 => {
                let failed = |e| malformed("the entry cannot be unpacked").because(e);
                let start = match decompress_to_vec_with_limit(&packed, START) {
                    Err(DecompressError { status: HasMoreOutput, output }) => output,
                    whole => whole.map_err(failed)?,
                };
                check(&start, self.unpacked)?;
                decompress_to_vec_with_limit(&packed, self.unpacked).map_err(failed)?.into()
            }
            other => return Err(unsupported(format!("the entry is packed by method {other}"))),
        };
        if contents.len() != self.unpacked || !fits(&contents, self.checksum) {
            return Err(malformed("the contents of the entry do not match its size and checksum"));
        }
        Ok(contents)
    }
}

/// Whether contents match a checksum. All do while the reader is fuzzed, as no search finds some that match.
#[allow(unexpected_cfgs, reason = "cargo fuzz sets it")]
pub(crate) fn fits(contents: &[u8], checksum: u32) -> bool {
    cfg!(fuzzing) || crc32fast::hash(contents) == checksum
}

fn unsupported(message: String) -> Error {
    Error::unsupported(message).help("entries that are stored or deflated are read")
}

/// Numbers in a file, the lowest byte first.
struct Fields<'a>(&'a [u8]);

impl<'a> Fields<'a> {
    fn bytes(&self, range: Range<usize>) -> Result<&'a [u8]> {
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

/// An entry of an archive that [`stored`] wrote.
#[derive(Debug)]
pub(crate) struct Part {
    pub(crate) name: String,
    pub(crate) contents: Bytes,
    /// The checksum that the contents should have.
    pub(crate) checksum: u32,
}

/// The entries of an archive that [`stored`] wrote with this alignment; their contents are not looked at.
///
/// # Errors
/// Any byte beside the contents is another than would be written.
pub(crate) fn parts(file: &Bytes, align: usize) -> Result<Vec<Part>> {
    let at = Fields(file);
    let about: Vec<_> = listed(&at, |entry, name| Ok((name, entry.packed, entry.checksum)))?;
    let (mut place, mut parts) = (0_usize, Vec::new());
    for (i, frame) in frames(&about, align).into_iter().enumerate() {
        let end = place.saturating_add(frame.len());
        if file.get(place..end) != Some(&frame) {
            let (where_, name) = match about.get(i) {
                Some((name, ..)) => ("before", name),
                None => ("after the last", &"part"),
            };
            return Err(malformed(format!("the archive is damaged {where_} `{name}`")));
        }
        let Some(&(name, size, checksum)) = about.get(i) else {
            place = end;
            break;
        };
        place = end.saturating_add(size);
        if place > file.len() {
            let message = format!("`{name}` has {size} bytes, more than there are");
            return Err(malformed(message));
        }
        parts.push(Part { name: name.to_owned(), contents: file.slice(end..place), checksum });
    }
    match file.len() - place {
        0 => Ok(parts),
        more => Err(malformed(format!("{more} bytes follow the end of the archive"))),
    }
}

/// The parts of an archive of entries that are stored: each is the name, and the parts of its contents, which
/// start at a multiple of `align` bytes.
///
/// # Errors
/// A name is longer than archives have them.
pub(crate) fn stored<'a>(
    entries: &'a [(String, Vec<&'a [u8]>)],
    align: usize,
) -> Result<Vec<Cow<'a, [u8]>>> {
    let mut about = Vec::new();
    for (name, contents) in entries {
        if name.len() > usize::from(u16::MAX) {
            return Err(unsupported(format!("a name of {} bytes is too long", name.len())));
        }
        let mut checksum = crc32fast::Hasher::new();
        contents.iter().for_each(|part| checksum.update(part));
        let size = contents.iter().map(|part| part.len()).sum();
        about.push((name.as_str(), size, checksum.finalize()));
    }
    let mut frames = frames(&about, align).into_iter().map(Cow::Owned);
    let mut parts = Vec::new();
    for (_, contents) in entries {
        parts.extend(frames.next());
        parts.extend(contents.iter().map(|part| Cow::Borrowed(*part)));
    }
    parts.extend(frames);
    Ok(parts)
}

/// What stands before the contents of each of these entries, and after the last: of names, sizes and checksums.
pub(crate) fn frames(entries: &[(&str, usize, u32)], align: usize) -> Vec<Vec<u8>> {
    let (mut frames, mut directory, mut offset) = (Vec::new(), Vec::new(), 0_usize);
    let most = entries.iter().map(|(name, size, _)| size.saturating_add(name.len() + align + 256));
    let bytes = most.fold(0, usize::saturating_add);
    // Numbers of 64 bits, in a field of their own.
    let wide = bytes >= u32::MAX as usize || entries.len() >= usize::from(u16::MAX);
    let short = |n: usize| if wide { u32::MAX } else { n as u32 };
    let field = |numbers: &[usize]| {
        let numbers = numbers.iter().flat_map(|n| (*n as u64).to_le_bytes());
        let field: Vec<u8> = numbers.collect();
        let head = [1, 0, field.len() as u8, 0];
        if wide { [&head[..], &field].concat() } else { Vec::new() }
    };
    for (name, size, checksum) in entries {
        let mut about = Vec::new();
        // The version, names in UTF-8, stored, midnight of 1 January 1980.
        let version = if wide { 45_u16 } else { 20 };
        for field in [version, 1 << 11, 0, 0, 0x21] {
            about.extend(field.to_le_bytes());
        }
        for field in [*checksum, short(*size), short(*size)] {
            about.extend(field.to_le_bytes());
        }
        about.extend((name.len() as u16).to_le_bytes());
        let mut extra = field(&[*size, *size]);
        if align > 1 {
            // The field by which zipalign aligns: the alignment, then zeros.
            let start = offset + LOCAL_BYTES + name.len() + extra.len() + 6;
            let zeros = start.next_multiple_of(align) - start;
            for field in [0xd935, 2 + zeros as u16, align as u16] {
                extra.extend(field.to_le_bytes());
            }
            extra.resize(extra.len() + zeros, 0);
        }
        let length = (extra.len() as u16).to_le_bytes();
        let local = [&LOCAL.to_le_bytes()[..], &about, &length, name.as_bytes(), &extra].concat();
        let extra = field(&[*size, *size, offset]);
        directory.extend([&CENTRAL.to_le_bytes()[..], &version.to_le_bytes(), &about].concat());
        directory.extend((extra.len() as u16).to_le_bytes());
        directory.extend([0; 10]);
        directory.extend(short(offset).to_le_bytes());
        directory.extend([name.as_bytes(), &extra].concat());
        offset = offset.saturating_add(local.len()).saturating_add(*size);
        frames.push(local);
    }
    frames.push(end(directory, offset, entries.len(), wide));
    frames
}

/// The directory that starts at an offset, and what follows it.
fn end(directory: Vec<u8>, offset: usize, count: usize, wide: bool) -> Vec<u8> {
    let (size, mut end) = (directory.len(), directory);
    if wide {
        let last = offset.saturating_add(size) as u64;
        end.extend(END_64.to_le_bytes());
        end.extend(44_u64.to_le_bytes());
        end.extend([45, 0, 45, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
        for field in [count, count, size, offset] {
            end.extend((field as u64).to_le_bytes());
        }
        end.extend(LOCATOR_64.to_le_bytes());
        end.extend([0; 4]);
        end.extend(last.to_le_bytes());
        end.extend(1_u32.to_le_bytes());
    }
    end.extend(END.to_le_bytes());
    let count = if wide { u16::MAX } else { count as u16 };
    for field in [0, 0, count, count] {
        end.extend(field.to_le_bytes());
    }
    for field in [size, offset] {
        end.extend(if wide { u32::MAX } else { field as u32 }.to_le_bytes());
    }
    end.extend([0, 0]);
    end
}
