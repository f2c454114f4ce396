//! What the processes of a group have found out and need not all find out by themselves.

use crate::process::memory::{create, is_sealed};
use ringwood_base::Error;
use ringwood_base::sync::lock;
use rustix::fs::SealFlags;
use std::collections::HashMap;
use std::fs::{File, OpenOptions, Permissions, TryLockError};
use std::hash::{BuildHasher, RandomState};
use std::io;
use std::os::fd::AsRawFd;
use std::os::unix::fs::{FileExt, PermissionsExt};
use std::path::Path;
use std::sync::Mutex;
use std::thread::sleep;
use std::time::{Duration, Instant};

/// A file in memory of questions and their answers, one after the other, each behind its length. Who has
/// no answer holds a lock on it while he finds one; however his process ends, the system gives it up.
pub(super) struct Answers(Mutex<Known>);

/// The file, and what this process has read of it.
struct Known {
    file: File,
    mark: u64,
    read: Read,
    /// Who finds an answer kept this process waiting for too long the last time.
    tired: bool,
}

struct Read {
    /// By question; where nothing was found, nothing.
    answers: HashMap<Vec<u8>, Option<String>>,
    /// Where the last whole answer ends.
    end: u64,
}

/// How long others wait for an answer before they find it themselves.
pub(super) struct Wait<'a> {
    pub(super) end: Instant,
    /// Whether the group has failed, so that no answer is of use.
    pub(super) over: &'a dyn Fn() -> bool,
}

/// The file is one of these.
const SEALS: SealFlags = SealFlags::SEAL;
/// The bytes of its mark, which is first in it, and of every length.
const MARK: u64 = 8;
/// The bytes of a file that takes no more answers.
const FULL: u64 = 16 << 20;
/// Between two looks whether the lock is free, at first and at last.
const PAUSES: [Duration; 2] = [Duration::from_millis(1), Duration::from_millis(10)];

impl Answers {
    pub(super) fn create() -> Result<Self, Error> {
        let mark = RandomState::new().hash_one(0);
        let fill = |file: &mut File| {
            file.set_permissions(Permissions::from_mode(0o600))?;
            file.write_all_at(&mark.to_le_bytes(), 0)
        };
        let message = "no file in memory that processes share";
        let file = create(c"ringwood-answers", SEALS, fill);
        file.map(|f| Self::of(f, mark)).map_err(|e| Error::out_of_memory(message).because(e))
    }

    /// Those of another process, with this mark.
    pub(super) fn open(path: &Path, mark: u64) -> Result<Self, Error> {
        let message = || format!("cannot open the answers of an arena at `{}`", path.display());
        let file = OpenOptions::new().read(true).write(true).open(path);
        let file = file.map_err(|cause| Error::not_found(message()).because(cause))?;
        // The descriptor may be of another file by now.
        if !is_sealed(&file, SEALS) || number(&file, 0) != Some(mark) {
            return Err(Error::protocol(message()));
        }
        Ok(Self::of(file, mark))
    }

    fn of(file: File, mark: u64) -> Self {
        let read = Read { answers: HashMap::new(), end: MARK };
        Self(Mutex::new(Known { file, mark, read, tired: false }))
    }

    /// The descriptor and the mark.
    pub(super) fn place(&self) -> [u64; 2] {
        let known = lock(&self.0);
        [known.file.as_raw_fd() as u64, known.mark]
    }

    /// The answer to a question, found here if nobody has found it yet.
    pub(super) fn ask(
        &self,
        question: &str,
        find: &mut dyn FnMut() -> Option<String>,
        wait: &Wait<'_>,
    ) -> Option<String> {
        // Threads of one process do not wait for each other: those of a group share what they choose anyway.
        let Ok(mut known) = self.0.try_lock() else { return find() };
        let Known { file, read, tired, .. } = &mut *known;
        read.go_on(file);
        if !read.knows(question) && read.end < FULL {
            let end = if *tired { Instant::now() } else { wait.end };
            let locked = Locked::take(file, &Wait { end, ..*wait }, || {
                read.go_on(file);
                read.knows(question)
            });
            if !read.knows(question) {
                *tired = locked.is_none();
                let Some(_locked) = locked else { return find() };
                let answer = find();
                // An answer that is not written is found again.
                let _ = write(file, read.end, question, answer.as_deref().unwrap_or(""));
                return answer;
            }
        }
        let known = read.answers.get(question.as_bytes()).cloned().flatten();
        known.or_else(find)
    }
}

impl Read {
    fn knows(&self, question: &str) -> bool {
        self.answers.contains_key(question.as_bytes())
    }

    /// Reads the whole answers that have come since. The system makes a file longer when the bytes are there, so one that
    /// is being written is not whole.
    fn go_on(&mut self, file: &File) {
        let length = file.metadata().map_or(0, |file| file.len());
        while let Some((question, end)) = part(file, self.end, length)
            && let Some((answer, end)) = part(file, end, length)
        {
            let answer = String::from_utf8(answer).ok().filter(|answer| !answer.is_empty());
            self.answers.insert(question, answer);
            self.end = end;
        }
    }
}

/// A lock on a file, which ends with this value.
struct Locked<'f>(&'f File);

impl<'f> Locked<'f> {
    /// Takes the lock, unless the wait ends or what is waited for is known before. It is looked for once more behind
    /// whoever had the lock.
    fn take(file: &'f File, wait: &Wait<'_>, mut known: impl FnMut() -> bool) -> Option<Self> {
        let [mut pause, longest] = PAUSES;
        loop {
            match file.try_lock() {
                Ok(()) => {
                    known();
                    return Some(Self(file));
                }
                Err(TryLockError::WouldBlock) if Instant::now() < wait.end && !(wait.over)() => {
                    sleep(pause);
                    pause = (2 * pause).min(longest);
                    if known() {
                        return None;
                    }
                }
                Err(_) => return None,
            }
        }
    }
}

impl Drop for Locked<'_> {
    fn drop(&mut self) {
        let _ = self.0.unlock();
    }
}

/// The part of a file of `length` bytes whose length is at `at`, and where it ends, if it is whole.
fn part(file: &File, at: u64, length: u64) -> Option<(Vec<u8>, u64)> {
    let start = at + MARK;
    let bytes = number(file, at)?;
    let end = start.checked_add(bytes).filter(|end| *end <= length.min(2 * FULL))?;
    let mut part = vec![0; bytes as usize];
    file.read_exact_at(&mut part, start).ok()?;
    Some((part, end))
}

fn number(file: &File, at: u64) -> Option<u64> {
    let mut bytes = [0; 8];
    file.read_exact_at(&mut bytes, at).ok().map(|()| u64::from_le_bytes(bytes))
}

/// Adds an answer at `end`, in the place of what a process has left that died over it.
fn write(file: &File, end: u64, question: &str, answer: &str) -> io::Result<()> {
    let mut text = Vec::new();
    for part in [question, answer] {
        text.extend((part.len() as u64).to_le_bytes());
        text.extend(part.as_bytes());
    }
    if text.len() as u64 > FULL {
        return Ok(());
    }
    file.set_len(end)?;
    file.write_all_at(&text, end)
}

#[cfg(test)]
mod tests;
