//! Values of one word, and those made of others.

use super::words::{Text, Words};
use super::{Code, Result};
use crate::{AtomicOp, Buffer, Expr, Type};

/// Types of one word: how it is written, how it is read, and what is wrong with another.
macro_rules! one_word {
    ($($($type:ty)|+ = $write:expr, $read:expr, $wrong:literal;)*) => {$($(
        impl Code for $type {
            fn put(&self, text: &mut Text) {
                let write: fn(&$type) -> _ = $write;
                text.word(write(self));
            }

            fn take(words: &mut Words<'_>) -> Result<Self> {
                let read: fn(&str) -> Option<$type> = $read;
                let word = words.word()?;
                read(word).map_or_else(|| words.fail(format_args!($wrong, word)), Ok)
            }
        }
    )+)*};
}

one_word! {
    u8 | u32 | usize | i128 = |n| *n, |word| word.parse().ok(), "`{}` is no number that fits here";
    u64 = |bits| format!("{bits:x}"), |word| u64::from_str_radix(word, 16).ok(), "`{}` are no bits";
    bool = |b| u8::from(*b), |word| word.parse().ok().map(|b: u8| b != 0), "`{}` is no number that fits here";
    String = String::clone, |word| Some(word.into()), "{}";
    Type = |ty| ty.name(), Type::parse, "`{}` is no type";
    AtomicOp = |op| op.name(), AtomicOp::parse, "unknown atomic operation `{}`";
    Buffer = buffer_word, buffer_of, "`{}` is no buffer";
}

fn buffer_word(buffer: &Buffer) -> String {
    match buffer {
        Buffer::Param(index) => format!("p{index}"),
        Buffer::Array(index) => format!("a{index}"),
    }
}

fn buffer_of(word: &str) -> Option<Buffer> {
    let index = |prefix| word.strip_prefix(prefix)?.parse().ok();
    index('p').map(Buffer::Param).or_else(|| index('a').map(Buffer::Array))
}

impl<T: Code> Code for Box<T> {
    fn put(&self, text: &mut Text) {
        (**self).put(text);
    }

    fn take(words: &mut Words<'_>) -> Result<Self> {
        T::take(words).map(Box::new)
    }
}

impl<T: Code> Code for Vec<T> {
    fn put(&self, text: &mut Text) {
        text.put(&self.len()).all(self);
    }

    fn take(words: &mut Words<'_>) -> Result<Self> {
        let count = usize::take(words)?;
        words.all(count)
    }
}

/// The sizes of a group.
impl Code for Option<[u32; 3]> {
    fn put(&self, text: &mut Text) {
        text.put(&self.map_or_else(Vec::new, Vec::from));
    }

    fn take(words: &mut Words<'_>) -> Result<Self> {
        let sizes = Vec::take(words)?;
        match (sizes.is_empty(), sizes.try_into()) {
            (true, _) => Ok(None),
            (_, Ok(sizes)) => Ok(Some(sizes)),
            _ => words.fail("a group has three sizes"),
        }
    }
}

/// The result of a kernel.
impl Code for Option<Expr> {
    fn put(&self, text: &mut Text) {
        match self {
            Some(result) => result.put(text),
            None => {
                text.word("void");
            }
        }
    }

    fn take(words: &mut Words<'_>) -> Result<Self> {
        if words.rest.clone().next() == Some("void") {
            return words.word().map(|_| None);
        }
        Expr::take(words).map(Some)
    }
}
