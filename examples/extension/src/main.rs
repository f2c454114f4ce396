//! The `ringwood` command with this crate's items in it: `cargo run -- devices`.

use ringwood_extension as _;
use std::process::ExitCode;

fn main() -> ExitCode {
    ringwood::cli::main()
}
