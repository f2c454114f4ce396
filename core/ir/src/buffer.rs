//! What an access of a kernel refers to.

use crate::Type;

/// What an access refers to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Buffer {
    /// The slice or view parameter with this index.
    Param(u32),
    /// The array with this index.
    Array(u32),
}

/// What is known of a buffer from the declaration.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BufferInfo<'a> {
    /// The name in the source.
    pub name: &'a str,
    /// The type of an element.
    pub ty: Type,
    /// The number of indices of an access.
    pub rank: usize,
    /// Whether the kernel may write it.
    pub mutable: bool,
}
