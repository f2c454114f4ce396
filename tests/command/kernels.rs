//! `ringwood kernels` and `ringwood races`.

use super::{failure, json, ringwood, stdout};

#[test]
fn one_kernel_is_shown_with_its_ir_and_an_unknown_one_lists_the_known() {
    let shown = json(&["kernels", "relu", "--json"]);
    assert_eq!(shown["kernels"][0]["form"], "map");
    let ir = stdout(&ringwood(&["kernels", "relu", "--emit", "ir"]));
    assert!(ir.contains("relu"), "{ir}");
    let (kind, text) = failure(&["kernels", "rleu"]);
    assert_eq!(kind, "not_found");
    assert!(text.contains(", did you mean `relu`?"), "{text}");
    let opencl = stdout(&ringwood(&["kernels", "relu", "--emit", "opencl"]));
    assert!(opencl.contains("__kernel void relu_kernel("), "{opencl}");
    let cpu = stdout(&ringwood(&["kernels", "relu", "--emit", "cpu"]));
    assert!(cpu.contains("fn element<const INLINE: bool>("), "{cpu}");
    let cuda = stdout(&ringwood(&["kernels", "relu", "--emit", "cuda"]));
    assert!(cuda.contains("__global__ void relu_kernel("), "{cuda}");
    let (kind, text) = failure(&["kernels", "matmul", "--emit", "cpu"]);
    assert_eq!(kind, "unsupported", "{text}");
    assert!(text.starts_with("the item of `matmul` for `cpu` is a host kernel"), "{text}");
    let (_, text) = failure(&["kernels", "matmul_add_relu", "--emit", "opencl"]);
    assert!(text.starts_with("no item of `matmul_add_relu` has a text for `opencl`"), "{text}");
    assert!(text.contains("an item of your own for the device says `implements = …`"), "{text}");
    // Of its items, that for the processor has no portable body.
    let ir = stdout(&ringwood(&["kernels", "matmul", "--emit", "ir"]));
    assert!(ir.starts_with("kernel matmul(") && ir.contains("groups of 16 x 16"), "{ir}");
}

#[test]
fn one_kernel_is_shown_with_every_signature() {
    let text = stdout(&ringwood(&["kernels", "add"]));
    assert!(text.contains("&[f32]") && text.contains("&[u64]"), "{text}");
}

#[test]
fn races_of_a_kernel_are_looked_for_in_made_up_launches() {
    let report = json(&["kernels", "matmul_tn", "--check-races", "--json"]);
    assert!(report["launches"].as_u64().expect("a number") > 3, "{report}");
    assert!(report["work_items"].as_u64().expect("a number") > 100, "{report}");
    assert_eq!(report["races"], serde_json::json!([]));
    let (kind, text) = failure(&["kernels", "gelu", "--check-races"]);
    assert!(kind == "unsupported" && text.contains("maps have no races"), "{kind}: {text}");
    let (kind, text) = failure(&["kernels", "matmul_packed", "--check-races"]);
    assert!(kind == "unsupported" && text.contains("a host kernel is Rust"), "{kind}: {text}");
}

#[test]
fn every_kernel_compiles_for_every_device_that_it_names() {
    let report = json(&["kernels", "gelu", "--check", "--json"]);
    let checks = report["checks"].as_array().unwrap();
    let of = |device: &str| {
        let found = checks.iter().filter(|c| c["device"].as_str().unwrap().starts_with(device));
        found.map(|c| c["outcome"].as_str().unwrap()).collect::<Vec<_>>()
    };
    assert_eq!(of("cpu"), ["passed"]);
    for device in ["opencl", "cuda"] {
        let outcomes = of(device);
        assert!(!outcomes.is_empty(), "{report}");
        assert!(outcomes.iter().all(|o| ["passed", "skipped"].contains(o)), "{report}");
    }
    assert_eq!(report["failed"], 0);
    let skipped = checks.iter().filter(|c| c["outcome"] == "skipped");
    assert!(skipped.into_iter().all(|c| !c["reason"].as_str().unwrap().is_empty()), "{report}");
    let one = json(&["kernels", "gelu", "--check", "--backend", "cpu", "--json"]);
    assert_eq!(one["checks"].as_array().unwrap().len(), 1, "{one}");
    let (kind, text) = failure(&["kernels", "gelu", "--check", "--backend", "null"]);
    assert!(kind == "unsupported" && text.contains("nothing was checked"), "{kind}: {text}");
    let (_, text) = failure(&["kernels", "geluu", "--check"]);
    assert!(text.contains("gelu"), "{text}");
}

#[test]
fn a_backend_that_is_none_is_refused() {
    for args in [&["kernels"][..], &["kernels", "--check"]] {
        let (kind, text) = failure(&[args, &["--backend", "foo"]].concat());
        assert_eq!(kind, "not_found");
        assert!(text.starts_with("no backend `foo`; registered: cpu, "), "{text}");
        let (_, text) = failure(&[args, &["--device", "cpu:0"]].concat());
        assert!(text.contains("give a backend, as in `cpu`, not one of its devices"), "{text}");
    }
}
