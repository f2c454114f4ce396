//! Crates outside of the workspace, copied from `examples`: they build, their tests pass, and the
//! commands that they build know their items.

#[path = "support/outside.rs"]
mod outside;

use outside::Outside;
use serde_json::Value;
use std::fs;
use std::path::Path;

/// The last line of what a command prints with `--json`.
fn json(outside: &Outside, program: &str, arguments: &[&str]) -> Value {
    let output = outside.run(program, &[arguments, &["--json"]].concat());
    let last = output.lines().last().unwrap_or_default();
    serde_json::from_str(last).unwrap_or_else(|e| panic!("{arguments:?}: {e}: {output}"))
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
fn a_crate_of_ones_own_adds_a_device_and_a_kernel() {
    let backend = Outside::copy("examples/third_party_backend", "../..");
    backend.cargo(&["test", "--quiet"]);
    backend.cargo(&["build", "--quiet"]);
    let program = "debug/third-party-backend";
    for (verb, own, built_in) in [("devices", "abacus:0", "cpu:0"), ("kernels", "smooth", "add")] {
        let listed = json(&backend, program, &[verb]);
        assert!(mentions(&listed, own), "{verb} does not list {own}: {listed}");
        assert!(mentions(&listed, built_in), "{verb} does not list {built_in}: {listed}");
        let text = backend.run(program, &[verb]);
        assert!(text.contains(own), "{verb} does not show {own}: {text}");
    }
}

#[test]
fn a_crate_of_ones_own_adds_a_collective() {
    let collective = Outside::copy("examples/custom_collective", "../..");
    collective.cargo(&["build", "--quiet"]);
    let program = "debug/custom-collective";
    let listed = json(&collective, program, &["collectives"]);
    assert!(mentions(&listed, "star") && mentions(&listed, "ring"), "{listed}");
    let verdicts = json(&collective, program, &["verify", "star", "--ranks", "1..=16"]);
    assert_eq!(verdicts["verdicts"].as_array().map(Vec::len), Some(16), "{verdicts}");
    // Proved, explained, simulated, drawn and run, one after the other.
    let text = collective.run(program, &[]);
    for part in ["$ ringwood verify", "$ ringwood explain", "$ ringwood simulate", "[10.0, 5.0]"] {
        assert!(text.contains(part), "{part} is missing: {text}");
    }
}

/// Lines that are neither empty nor comments.
fn lines_of_code(path: &Path) -> usize {
    if path.is_dir() {
        let entries =
            fs::read_dir(path).unwrap().map(|entry| lines_of_code(&entry.unwrap().path()));
        return entries.sum();
    }
    count(&fs::read_to_string(path).unwrap())
}

fn count(text: &str) -> usize {
    text.lines().map(str::trim).filter(|l| !l.is_empty() && !l.starts_with("//")).count()
}

#[test]
fn the_guides_say_how_many_lines_an_author_writes() {
    let repository = Path::new(env!("CARGO_MANIFEST_DIR"));
    let lines = |path: &str| lines_of_code(&repository.join(path));
    let backend = lines("examples/third_party_backend/src/abacus")
        + lines("examples/third_party_backend/src/abacus.rs");
    let collective = lines("examples/custom_collective/src/main.rs");
    let text = fs::read_to_string(repository.join("examples/third_party_backend/src/abacus.rs"));
    let text = text.unwrap();
    let (_, body) = text.split_once("impl Backend for Abacus {").expect("the impl");
    let (body, _) = body.split_once("\n}").expect("its end");
    let methods = count(body) + 2;
    println!("a backend: {backend} lines of code, of which the impl has {methods}");
    println!("a collective with its main: {collective}");
    let guide = fs::read_to_string(repository.join("docs/adding-a-backend.md")).unwrap();
    let told = format!("of which the impl has {methods}");
    assert!(guide.contains(&told), "docs/adding-a-backend.md: {methods} lines of the impl");
    for (guide, lines) in [("adding-a-backend", backend), ("adding-a-collective", collective)] {
        let text = fs::read_to_string(repository.join(format!("docs/{guide}.md"))).unwrap();
        assert!(text.contains(&format!("{lines} lines of code")), "docs/{guide}.md: {lines} lines");
    }
    assert!(collective < 60, "{collective} lines");
}
