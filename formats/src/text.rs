//! Texts of files: their length and lines, what of them is ignored, and names as messages and XML show them.

use ringwood_base::{Error, Result};
use std::cell::RefCell;
use std::collections::BTreeMap;

/// A plan file larger than this is refused.
pub(crate) const MOST_BYTES: usize = 64 << 20;
/// So many kinds of extras are warned of.
const MOST_IGNORED: usize = 32;

pub(crate) fn check_length(bytes: usize) -> Result<()> {
    if bytes <= MOST_BYTES {
        return Ok(());
    }
    Err(Error::unsupported(format!("a plan file of {bytes} bytes is larger than {MOST_BYTES}")))
}

/// A name of the file, as messages show it.
pub(crate) fn shown(name: &str) -> String {
    name.chars().take(40).collect()
}

/// The text as XML has it, in elements and in attributes. Characters that XML has not, and those that
/// nobody sees, are written as Rust writes them: `\u{7}`.
pub(crate) fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\u{fffe}' | '\u{ffff}' => out.extend(c.escape_default()),
            c if c.is_control() => out.extend(c.escape_default()),
            c => out.push(c),
        }
    }
    out
}

/// Where the lines of a text end.
pub(crate) struct Lines(Vec<usize>);

impl Lines {
    pub(crate) fn of(text: &str) -> Self {
        Self(text.bytes().enumerate().filter(|(_, b)| *b == b'\n').map(|(at, _)| at).collect())
    }

    /// The line of a byte, from 1, and the bytes before it there.
    pub(crate) fn place(&self, at: usize) -> (usize, usize) {
        let before = self.0.partition_point(|end| *end < at);
        let start = before.checked_sub(1).map_or(0, |last| self.0[last] + 1);
        (before + 1, at - start)
    }
}

/// What is ignored of a text, each kind with what it stands in and the first line.
#[derive(Default)]
pub(crate) struct Ignored(RefCell<BTreeMap<(String, String), usize>>);

impl Ignored {
    /// Notes an extra that stands `within` something; `within` is empty if that is the whole text.
    pub(crate) fn note(&self, within: impl Into<String>, what: String, line: usize) {
        let mut ignored = self.0.borrow_mut();
        if ignored.len() < MOST_IGNORED {
            ignored.entry((within.into(), what)).or_insert(line);
        }
    }

    /// What is ignored, in words: `` line 2, <algo>: attribute `maxcount` is ignored ``.
    pub(crate) fn warnings(self) -> impl Iterator<Item = String> {
        self.0.into_inner().into_iter().map(|((within, what), line)| match within.as_str() {
            "" => format!("{what} is ignored"),
            _ => format!("line {line}, {within}: {what} is ignored"),
        })
    }
}
