//! The command that this crate builds has its items and those of Ringwood.

use std::process::Command;

#[test]
fn the_command_lists_the_device_and_the_kernel() {
    for (verb, own, built_in) in [("devices", "abacus:0", "cpu:0"), ("kernels", "smooth", "matmul")]
    {
        let output = Command::new(env!("CARGO_BIN_EXE_third-party-backend")).arg(verb).output();
        let output = output.expect("the command starts");
        let text = String::from_utf8_lossy(&output.stdout);
        assert!(output.status.success(), "{verb}: {text}");
        assert!(text.contains(own), "{verb} does not list {own}: {text}");
        assert!(text.contains(built_in), "{verb} does not list {built_in}: {text}");
    }
}
