//! The command that this crate builds has its items and those of Ringwood.

use std::process::Command;

fn run(args: &[&str]) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_third-party-backend")).args(args).output();
    let output = output.expect("the command starts");
    let [text, errors] = [&output.stdout, &output.stderr].map(|t| String::from_utf8_lossy(t));
    assert!(output.status.success(), "{args:?}: {text}{errors}");
    text.into_owned()
}

#[test]
fn the_command_lists_the_device_and_the_kernels() {
    for (args, own, built_in) in [
        (&["devices"][..], "abacus:0", "cpu:0"),
        (&["kernels"], "smooth", "matmul"),
        (&["kernels", "--backend", "abacus"], "smooth", "matmul"),
    ] {
        let text = run(args);
        assert!(text.contains(own), "{args:?} does not list {own}: {text}");
        assert!(text.contains(built_in), "{args:?} does not list {built_in}: {text}");
    }
}

/// The main job: its graph is planned for the device, and two workers on it sum their gradients.
#[test]
fn the_network_learns_digits_on_the_device_with_the_bits_of_the_processor() {
    let learned = |device| {
        let job = ["train", "--workers", "2", "--epochs", "3", "--json", "--device"];
        let text = run(&[&job[..], &[device]].concat());
        assert!(text.contains(&format!(r#""devices":["{device}"]"#)), "{text}");
        let (_, hash) = text.split_once(r#""weights_hash":""#).expect("the hash of the weights");
        hash.split('"').next().expect("its end").to_owned()
    };
    assert_eq!(learned("abacus:0"), learned("cpu:0"));
}
