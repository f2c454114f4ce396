//! The `ringwood` command.

fn main() -> std::process::ExitCode {
    ringwood::cli::main()
}
