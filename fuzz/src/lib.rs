//! What every fuzz target does: the bytes are a file, which is read or refused.

#[path = "../../models/tests/support/readers.rs"]
mod readers;

use std::path::PathBuf;
use std::sync::OnceLock;

/// Reads these bytes as a file of a target.
///
/// # Panics
/// The reader does; the file cannot be written.
pub fn read(target: &str, bytes: &[u8]) {
    static FILE: OnceLock<PathBuf> = OnceLock::new();
    let (extension, read) = readers::reader(target);
    let file = FILE.get_or_init(|| {
        let memory = PathBuf::from("/dev/shm");
        let folder = if memory.is_dir() { memory } else { std::env::temp_dir() };
        folder.join(format!("ringwood-fuzz-{target}-{}.{extension}", std::process::id()))
    });
    std::fs::write(file, bytes).expect("a file is written");
    let _ = read(file);
}
