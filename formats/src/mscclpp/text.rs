//! The text of a file: the operations in it, and their lines.

use super::schema::Op;
use ringwood_base::{Error, ErrorKind, Result};
use serde_json::value::RawValue;

/// The most objects of a file; each operation is one, and has some.
const MOST_OBJECTS: usize = 1 << 20;

/// A text that knows where its lines begin.
pub(super) struct Text<'f> {
    text: &'f str,
    ends: Vec<usize>,
}

impl<'f> Text<'f> {
    /// # Errors
    /// The text has too many objects.
    pub(super) fn new(text: &'f str) -> Result<Self> {
        if text.bytes().filter(|byte| *byte == b'{').count() > MOST_OBJECTS {
            let message = format!("an MSCCL++ plan of more than {MOST_OBJECTS} objects");
            return Err(Error::new(ErrorKind::Unsupported, message));
        }
        let ends = text.bytes().enumerate().filter(|(_, byte)| *byte == b'\n');
        Ok(Self { text, ends: ends.map(|(at, _)| at).collect() })
    }

    /// The line of a part of the text, from 1.
    pub(super) fn line(&self, part: &RawValue) -> u32 {
        self.place(part).0 as u32
    }

    /// The line of a part of the text, from 1, and the bytes before it there.
    fn place(&self, part: &RawValue) -> (usize, usize) {
        let at = part.get().as_ptr().addr() - self.text.as_ptr().addr();
        let before = self.ends.partition_point(|end| *end < at);
        let start = before.checked_sub(1).map_or(0, |last| self.ends[last] + 1);
        (before + 1, at - start)
    }

    /// An operation that a part of the text describes.
    ///
    /// # Errors
    /// It describes none; the error names the line.
    pub(super) fn operation(&self, part: &'f RawValue) -> Result<Op<'f>> {
        serde_json::from_str(part.get()).map_err(|e| {
            let (line, before) = self.place(part);
            let column = if e.line() > 1 { e.column() } else { before + e.column() };
            misread(&e, (line + e.line().saturating_sub(1), column))
        })
    }
}

/// The error for a text that is not of the schema at a line and column.
pub(super) fn misread(error: &serde_json::Error, (line, column): (usize, usize)) -> Error {
    let text = error.to_string();
    let why = text.rsplit_once(" at line ").map_or(text.as_str(), |(why, _)| why);
    // A field that is not known here would mean something: the file may be right.
    let kind = match why.starts_with("unknown field") {
        true => ErrorKind::Unsupported,
        false => ErrorKind::InvalidArgument,
    };
    Error::new(kind, format!("not an MSCCL++ plan: {why} at line {line} column {column}"))
}
