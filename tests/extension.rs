//! A crate outside of the workspace, copied from `examples/extension`: it builds, its tests pass,
//! and the command that it builds lists its items.

#[path = "support/outside.rs"]
mod outside;

use outside::Outside;
use serde_json::Value;

/// The last line of what the extension's command prints with `--json`.
fn listed(extension: &Outside, verb: &str) -> Value {
    let output = extension.run("debug/ringwood-extension", &[verb, "--json"]);
    let last = output.lines().last().unwrap_or_default();
    serde_json::from_str(last).unwrap_or_else(|e| panic!("{verb} --json: {e}: {output}"))
}

/// Whether a text stands anywhere in a value.
fn mentions(value: &Value, text: &str) -> bool {
    match value {
        Value::String(found) => found == text,
        Value::Array(values) => values.iter().any(|v| mentions(v, text)),
        Value::Object(fields) => fields.values().any(|v| mentions(v, text)),
        _ => false,
    }
}

#[test]
fn a_crate_of_ones_own_adds_a_device_a_kernel_and_a_collective() {
    let extension = Outside::copy("examples/extension", "../..");
    extension.cargo(&["test", "--quiet"]);
    extension.cargo(&["build", "--quiet"]);
    for (verb, own, built_in) in [
        ("devices", "abacus:0", "cpu:0"),
        ("kernels", "smooth", "add"),
        ("collectives", "star", "ring"),
    ] {
        let listed = listed(&extension, verb);
        assert!(mentions(&listed, own), "{verb} does not list {own}: {listed}");
        assert!(mentions(&listed, built_in), "{verb} does not list {built_in}: {listed}");
        let text = extension.run("debug/ringwood-extension", &[verb]);
        assert!(text.contains(own), "{verb} does not show {own}: {text}");
    }
}
