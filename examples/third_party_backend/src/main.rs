//! The `ringwood` command with this crate's items in it: `cargo run -- devices`.

use std::process::ExitCode;
use third_party_backend as _;

fn main() -> ExitCode {
    ringwood::cli::main()
}
