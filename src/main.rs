//! The `ringwood` command.

fn main() {}
