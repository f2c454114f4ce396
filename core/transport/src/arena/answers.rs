//! What the processes of a group have found out and need not all find out by themselves.

use crate::process::memory::create;
use ringwood_base::{Error, Result};
use rustix::fs::SealFlags;
use std::fs::{File, OpenOptions, Permissions, TryLockError};
use std::io;
use std::ops::Range;
use std::os::fd::{AsRawFd, RawFd};
use std::os::unix::fs::{FileExt, PermissionsExt};
use std::path::Path;
use std::sync::Mutex;
use std::thread::sleep;
use std::time::{Duration, Instant};

/// A file in memory of questions and their answers, one after the other, each behind its length. Who has
/// no answer holds the lock while he finds one; however his process ends, the system gives it up.
pub(super) struct Answers(Mutex<File>);

/// How long others wait for an answer, before they find it themselves.
const PATIENCE: Duration = Duration::from_secs(5);
/// Between two looks whether the lock is free.
const PAUSE: Duration = Duration::from_millis(2);
/// The most bytes of a file; what is asked after that, all find themselves.
const MOST: u64 = 64 << 20;

impl Answers {
    pub(super) fn create() -> Result<Self> {
        let fill = |file: &mut File| file.set_permissions(Permissions::from_mode(0o600));
        let file = create(c"ringwood-answers", SealFlags::empty(), fill);
        let message = "no file in memory that processes share";
        file.map(Self::of).map_err(|cause| Error::out_of_memory(message).because(cause))
    }

    /// Those of another process.
    pub(super) fn open(path: &Path) -> Result<Self> {
        let file = OpenOptions::new().read(true).write(true).open(path);
        let message = || format!("cannot open the answers of an arena at `{}`", path.display());
        file.map(Self::of).map_err(|cause| Error::not_found(message()).because(cause))
    }

    fn of(file: File) -> Self {
        Self(Mutex::new(file))
    }

    /// The descriptor.
    pub(super) fn number(&self) -> RawFd {
        self.0.lock().unwrap_or_else(std::sync::PoisonError::into_inner).as_raw_fd()
    }

    /// The answer to a question, found here if nobody has found it yet.
    pub(super) fn ask(
        &self,
        question: &str,
        find: &mut dyn FnMut() -> Option<String>,
    ) -> Option<String> {
        let Ok(file) = self.0.try_lock() else { return find() };
        let end = Instant::now() + PATIENCE;
        if locked(|| file.try_lock_shared(), end) {
            let (known, _) = look_up(&file, question);
            let _ = file.unlock();
            if known.is_some() {
                return known;
            }
        }
        if !locked(|| file.try_lock(), end) {
            return find();
        }
        let (known, end) = look_up(&file, question);
        let answer = known.or_else(|| {
            find().inspect(|answer| {
                // An answer that is not written is found again.
                let _ = write(&file, end, question, answer);
            })
        });
        let _ = file.unlock();
        answer
    }
}

fn locked(lock: impl Fn() -> std::result::Result<(), TryLockError>, end: Instant) -> bool {
    loop {
        match lock() {
            Ok(()) => return true,
            Err(TryLockError::WouldBlock) if Instant::now() < end => sleep(PAUSE),
            Err(_) => return false,
        }
    }
}

/// The answer to a question, or else where the last whole answer ends.
fn look_up(file: &File, question: &str) -> (Option<String>, u64) {
    let length = file.metadata().map_or(0, |file| file.len());
    let mut end = 0;
    // Every turn goes on by two lengths at the least, so it ends with the file.
    while let Some(asked) = part(file, end, length) {
        let Some(answer) = part(file, asked.end, length) else { break };
        end = answer.end;
        let alike = asked.end - asked.start == question.len() as u64;
        if alike && read(file, asked).is_some_and(|asked| asked == question.as_bytes()) {
            return (read(file, answer).and_then(|answer| String::from_utf8(answer).ok()), end);
        }
    }
    (None, end)
}

/// Where the part lies whose length is at `at`, if it is whole in a file of `length` bytes.
fn part(file: &File, at: u64, length: u64) -> Option<Range<u64>> {
    let mut bytes = [0; 8];
    file.read_exact_at(&mut bytes, at).ok()?;
    let start = at + 8;
    let end = start.checked_add(u64::from_le_bytes(bytes))?;
    (end <= length.min(MOST)).then_some(start..end)
}

fn read(file: &File, part: Range<u64>) -> Option<Vec<u8>> {
    let mut bytes = vec![0; (part.end - part.start) as usize];
    file.read_exact_at(&mut bytes, part.start).ok().map(|()| bytes)
}

/// Adds an answer at `end`, in the place of what a process has left that died over it.
fn write(file: &File, end: u64, question: &str, answer: &str) -> io::Result<()> {
    let mut text = Vec::new();
    for part in [question, answer] {
        text.extend((part.len() as u64).to_le_bytes());
        text.extend(part.as_bytes());
    }
    if end + text.len() as u64 > MOST {
        return Ok(());
    }
    file.set_len(end)?;
    file.write_all_at(&text, end)
}

#[cfg(test)]
mod tests;
