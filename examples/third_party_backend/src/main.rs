//! The `ringwood` command with this crate's items in it: `cargo run -- devices`.

use third_party_backend as _;
use std::process::ExitCode;

fn main() -> ExitCode {
    ringwood::cli::main()
}
