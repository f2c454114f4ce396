//! How the input and the output of a call relate.

/// How input and output relate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum BufferMode {
    /// Chunk `c` of the input and chunk `c` of the output are the same memory, and every rank has
    /// all chunks; those that the operation leaves unspecified are free for use.
    InPlace,
    /// The output starts without values; the input is read only.
    OutOfPlace,
}
