//! The text of a file: the objects in it, their lines, and what of them is ignored.

use super::schema::{File, Op};
use crate::text::{Ignored, Lines, shown};
use ringwood_base::{Error, Result};
use serde::Deserialize;
use serde_ignored::Path;
use serde_json::value::RawValue;

/// The most objects of a file; each operation is one, and has some.
const MOST_OBJECTS: usize = 1 << 20;
/// Fields that only older schemas have.
const OLDER: [&str; 4] = ["inputChunks", "i_buff", "i_cids", "connectedTo"];

/// A text that knows where its lines begin.
pub(super) struct Text<'f> {
    text: &'f str,
    lines: Lines,
    pub(super) ignored: Ignored,
}

impl<'f> Text<'f> {
    /// # Errors
    /// The text has too many objects.
    pub(super) fn new(text: &'f str) -> Result<Self> {
        if text.bytes().filter(|byte| *byte == b'{').count() > MOST_OBJECTS {
            let message = format!("an MSCCL++ plan of more than {MOST_OBJECTS} objects");
            return Err(Error::unsupported(message));
        }
        Ok(Self { text, lines: Lines::of(text), ignored: Ignored::default() })
    }

    /// The line of a part of the text, from 1.
    pub(super) fn line(&self, part: &RawValue) -> u32 {
        self.place(part).0 as u32
    }

    /// The line of a part of the text, from 1, and the bytes before it there.
    fn place(&self, part: &RawValue) -> (usize, usize) {
        self.lines.place(part.get().as_ptr().addr() - self.text.as_ptr().addr())
    }

    /// What the whole text describes.
    ///
    /// # Errors
    /// It describes no plan; the error names the line.
    pub(super) fn file(&self) -> Result<File<'f>> {
        self.object(self.text, "", (1, 0))
    }

    /// An operation that a part of the text describes.
    ///
    /// # Errors
    /// It describes none; the error names the line.
    pub(super) fn operation(&self, part: &'f RawValue) -> Result<Op<'f>> {
        self.object(part.get(), "an operation", self.place(part))
    }

    /// What a part of the text that begins at a line, after so many bytes, describes.
    fn object<T: Deserialize<'f>>(
        &self,
        part: &'f str,
        within: &str,
        (line, before): (usize, usize),
    ) -> Result<T> {
        let mut older = None;
        let mut from = serde_json::Deserializer::from_str(part);
        let read = serde_ignored::deserialize(&mut from, |path| {
            let field = fields(&path);
            older = older.or(OLDER.into_iter().find(|old| field.ends_with(old)));
            self.ignored.note(within, format!("field `{field}`"), line);
        });
        let read = read.and_then(|read| from.end().map(|()| read));
        if let Some(field) = older {
            let message = format!("an MSCCL++ plan of an older schema: it has the field `{field}`");
            return Err(Error::unsupported(message)
                .help("write the plan again with a current version of MSCCL++"));
        }
        read.map_err(|e| {
            let text = e.to_string();
            let why = text.rsplit_once(" at line ").map_or(text.as_str(), |(why, _)| why);
            let column = if e.line() > 1 { e.column() } else { before + e.column() };
            let line = line + e.line().saturating_sub(1);
            Error::invalid(format!("not an MSCCL++ plan: {why} at line {line} column {column}"))
        })
    }
}

/// The names of the fields that lead to a place, without the places in lists.
fn fields(path: &Path<'_>) -> String {
    match path {
        Path::Root => String::new(),
        Path::Map { parent, key } => {
            let key = shown(key);
            match fields(parent) {
                parent if parent.is_empty() => key,
                parent => format!("{parent}.{key}"),
            }
        }
        Path::Seq { parent, .. }
        | Path::Some { parent }
        | Path::NewtypeStruct { parent }
        | Path::NewtypeVariant { parent } => fields(parent),
    }
}
