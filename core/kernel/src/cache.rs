//! What devices' compilers made, kept on disk between runs.

mod file;
mod given;
mod key;

pub use given::{CodeCounts, Image};
pub use key::CacheKey;

use given::Given;
use ringwood_base::aside::remove_abandoned;
use ringwood_base::sync::lock;
use ringwood_base::{Error, Result};
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, OnceLock};
use std::time::SystemTime;
use std::{fs, io};

/// The most bytes that a cache keeps; the entries not used for longest go first.
const LIMIT: u64 = 256 << 20;

/// Whether a value of `RINGWOOD_CACHE` turns the cache off.
///
/// # Errors
/// It is none of those that the variable takes.
fn is_off(value: &OsStr) -> Result<bool> {
    match value.to_str() {
        Some("" | "on") => Ok(false),
        Some("off") => Ok(true),
        _ => {
            let message = format!("RINGWOOD_CACHE is `{}`: the cache is on", value.display());
            Err(Error::invalid(message).help("give `on` or `off`, or leave it out"))
        }
    }
}

/// A folder of compiled kernels, for backends that compile at run time.
///
/// | | |
/// |---|---|
/// | where | `RINGWOOD_CACHE_DIR`, else `$XDG_CACHE_HOME/ringwood`, else `~/.cache/ringwood`; none of them: no cache |
/// | off | `RINGWOOD_CACHE=off`; any other value but `on` and nothing is warned of |
/// | key | what the backend puts into a [`CacheKey`], and the version of Ringwood; compared in full |
/// | damage | each file has a digest; one that is cut, changed or of another key is as one that is absent, and is written anew |
/// | many processes | an entry is written aside and renamed: readers see all of it or nothing |
/// | full disk, no permission | nothing is kept, and everything works |
/// | size | 256 MiB; the entries not used for longest are removed |
/// | who may read | the user: folder 0700, files 0600. A folder that is another user's, or that others may write, is not used |
#[derive(Debug)]
pub struct CompileCache {
    /// `None`: off.
    folder: Option<PathBuf>,
    limit: u64,
    given: Mutex<Given>,
}

impl CompileCache {
    /// The cache of this process, by its environment.
    pub fn global() -> &'static Self {
        static CACHE: OnceLock<CompileCache> = OnceLock::new();
        CACHE.get_or_init(|| Self::from_env(|name| std::env::var_os(name)))
    }

    fn from_env<S: AsRef<OsStr>>(var: impl Fn(&str) -> Option<S>) -> Self {
        let off = var("RINGWOOD_CACHE").is_some_and(|value| {
            is_off(value.as_ref()).unwrap_or_else(|error| {
                eprintln!("warning: {error}");
                false
            })
        });
        let given = |name| var(name).map(|value| PathBuf::from(value.as_ref()));
        let path = |name| given(name).filter(|path| path.is_absolute());
        let folder = given("RINGWOOD_CACHE_DIR")
            .filter(|path| !path.as_os_str().is_empty())
            .or_else(|| path("XDG_CACHE_HOME").map(|dir| dir.join("ringwood")))
            .or_else(|| path("HOME").map(|dir| dir.join(".cache").join("ringwood")));
        let folder = folder.filter(|_| !off).map(|dir| dir.join("kernels"));
        Self { folder, limit: LIMIT, given: Mutex::default() }
    }

    /// A cache in `folder` that keeps at most `limit` bytes.
    pub fn at(folder: impl Into<PathBuf>, limit: u64) -> Self {
        Self { folder: Some(folder.into()), limit, given: Mutex::default() }
    }

    /// A cache that keeps nothing.
    pub fn off() -> Self {
        Self { folder: None, limit: 0, given: Mutex::default() }
    }

    /// Where the entries are, unless the cache is off.
    pub fn folder(&self) -> Option<&Path> {
        self.folder.as_deref()
    }

    /// Gives the process code that was compiled elsewhere: it is found before what the folder keeps, on or
    /// off. Whoever gives it trusts where it comes from, as a device runs it.
    pub fn give(&self, key: CacheKey, code: impl Into<Arc<[u8]>>) {
        self.given().add(key, code.into());
    }

    /// Where the codes come from that backends asked for since the process started.
    pub fn counts(&self) -> CodeCounts {
        self.given().counts.clone()
    }

    fn given(&self) -> std::sync::MutexGuard<'_, Given> {
        lock(&self.given)
    }

    /// What was given or kept under a key.
    pub fn get(&self, key: &CacheKey) -> Option<Vec<u8>> {
        if let Some(code) = self.given().find(key) {
            return Some(code.to_vec());
        }
        let kept = self.kept(key);
        self.given().counts.kept += u64::from(kept.is_some());
        kept
    }

    fn kept(&self, key: &CacheKey) -> Option<Vec<u8>> {
        let folder = self.folder.as_deref().filter(|folder| file::is_ours(folder))?;
        let path = folder.join(key.file_name());
        let content = file::read(&path, key)?;
        file::touch(&path);
        Some(content)
    }

    /// Keeps what was compiled under a key, and counts it.
    ///
    /// # Errors
    /// The disk is full, the folder cannot be written or is not this user's alone. What was compiled
    /// can be used all the same.
    pub fn put(&self, key: &CacheKey, content: &[u8]) -> io::Result<()> {
        self.given().counts.compiled += 1;
        let Some(folder) = &self.folder else { return Ok(()) };
        if content.len() as u64 > self.limit {
            return Ok(());
        }
        file::create_folder(folder)?;
        if !file::is_ours(folder) {
            let message = format!("{} is not this user's alone", folder.display());
            return Err(io::Error::new(io::ErrorKind::PermissionDenied, message));
        }
        self.make_room(folder)?;
        file::write(folder, key, content)?;
        self.make_room(folder)
    }

    /// Removes the entries not used for longest, and what writers left behind.
    fn make_room(&self, folder: &Path) -> io::Result<()> {
        let mut entries = Vec::new();
        for entry in fs::read_dir(folder)? {
            let entry = entry?;
            // One that another process has just removed is no entry.
            let Ok(meta) = entry.metadata() else { continue };
            let used = meta.modified().unwrap_or(SystemTime::UNIX_EPOCH);
            // A folder that the user gives may hold files of others.
            if file::is_entry(&entry.file_name()) {
                entries.push((used, meta.len(), entry.path()));
            } else {
                remove_abandoned(&entry, "", "-", file::ASIDE);
            }
        }
        entries.sort();
        let mut total: u64 = entries.iter().map(|(_, bytes, _)| bytes).sum();
        for (_, bytes, path) in entries {
            if total <= self.limit {
                break;
            }
            // If another process was faster, it is gone as well.
            let _ = fs::remove_file(path);
            total -= bytes;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests;
