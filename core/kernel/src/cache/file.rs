//! One entry: magic, key, content, digest of both.

use super::key::{CacheKey, EXTENSION, digest};
use std::ffi::OsStr;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::SystemTime;

const MAGIC: &[u8; 16] = b"ringwood cache 1";
/// Magic, length of the key, length of the content, digest.
const HEAD: usize = 16 + 8 + 8 + 16;

/// The content of the entry, if it is whole and has this key.
pub(super) fn read(path: &Path, key: &CacheKey) -> Option<Vec<u8>> {
    let mut bytes = fs::read(path).ok()?;
    let (head, body) = bytes.split_at_checked(HEAD)?;
    let number = |at: usize| Some(u64::from_le_bytes(head[at..at + 8].try_into().ok()?));
    let (key_len, content_len) = (number(16)?, number(24)?);
    let stored = u128::from_le_bytes(head[32..48].try_into().ok()?);
    let start = HEAD.checked_add(usize::try_from(key_len).ok()?)?;
    let whole = head.starts_with(MAGIC)
        && key_len.checked_add(content_len) == Some(body.len() as u64)
        && body.starts_with(key.bytes())
        && key.bytes().len() as u64 == key_len
        && digest(&[&head[..32], body]) == stored;
    whole.then(|| bytes.split_off(start))
}

/// Writes an entry aside, and puts it into its place.
pub(super) fn write(folder: &Path, key: &CacheKey, content: &[u8]) -> io::Result<()> {
    static NEXT: AtomicU64 = AtomicU64::new(0);
    let number = NEXT.fetch_add(1, Ordering::Relaxed);
    let aside = folder.join(format!("{}-{number}{ASIDE}", std::process::id()));
    let written =
        fill(&aside, key, content).and_then(|()| fs::rename(&aside, folder.join(key.file_name())));
    if written.is_err() {
        // It may not even exist.
        let _ = fs::remove_file(&aside);
    }
    written
}

/// The end of the name of a file that is being written.
pub(super) const ASIDE: &str = ".part";

/// Whether a file is called as entries are.
pub(super) fn is_entry(name: &OsStr) -> bool {
    let name = name.to_str().and_then(|name| name.rsplit_once('.'));
    name.is_some_and(|(stem, extension)| {
        let digits = stem.bytes().all(|b| b.is_ascii_digit() || (b'a'..=b'f').contains(&b));
        extension == EXTENSION && stem.len() == 32 && digits
    })
}

fn fill(path: &Path, key: &CacheKey, content: &[u8]) -> io::Result<()> {
    let mut head = Vec::with_capacity(HEAD + key.bytes().len());
    head.extend(MAGIC);
    head.extend((key.bytes().len() as u64).to_le_bytes());
    head.extend((content.len() as u64).to_le_bytes());
    head.extend(digest(&[&head, key.bytes(), content]).to_le_bytes());
    head.extend(key.bytes());
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let mut file = options.open(path)?;
    file.write_all(&head)?;
    file.write_all(content)
}

/// Makes the entry the one used last.
pub(super) fn touch(path: &Path) {
    // An entry of a disk that cannot be written keeps its time.
    let file = File::options().append(true).open(path);
    let _ = file.and_then(|file| file.set_modified(SystemTime::now()));
}

pub(super) fn create_folder(folder: &Path) -> io::Result<()> {
    let mut builder = fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(folder)
}

/// Whether a folder is this user's, and only this user may write it: code is loaded from it.
#[cfg(unix)]
pub(super) fn is_ours(folder: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    let Ok(meta) = fs::metadata(folder) else { return false };
    // Without `/proc`, the mode has to do.
    let user = fs::metadata("/proc/self").map_or(meta.uid(), |own| own.uid());
    meta.is_dir() && meta.uid() == user && meta.mode() & 0o022 == 0
}

#[cfg(not(unix))]
pub(super) fn is_ours(folder: &Path) -> bool {
    folder.is_dir()
}
