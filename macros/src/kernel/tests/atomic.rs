//! Atomic operations, and what a kernel gives up.

use super::{ir, messages, run};
use quote::quote;

#[test]
fn atomic_operations_and_requirements_are_lowered() {
    let text = ir(
        quote!(device = cpu, nondeterministic, domain = x.len(), requires(x.len() >= n, n > 0)),
        quote!(
            fn f(x: &[u32], bins: &mut [u32], y: &mut [u32], n: usize) {
                atomic_add(&mut bins[x[gid(0)] as usize % n], 1);
                let at = atomic_compare_exchange(&mut bins[0], 1, 2) as usize;
                y[gid(0)] = at as u32;
            }
        ),
    );
    for part in ["requires (x.len() >= n)", "requires (n > 0_usize)", "atomic_add", "old_"] {
        assert!(text.contains(part), "{part}: {text}");
    }
}

#[test]
fn an_atomic_operation_that_has_no_meaning_is_refused() {
    for (expected, body) in [
        ("a sum of floats depends on the order", quote!(atomic_add(&mut y[0], 1.0);)),
        ("`atomic_min` does not exist for `f32`", quote!(atomic_min(&mut y[0], 1.0);)),
        (
            "the old value depends",
            quote!(let old = atomic_add(&mut k[0], 1); y[gid(0)] = old as f32;),
        ),
        ("what stays depends", quote!(atomic_exchange(&mut k[0], 1);)),
        ("part of a larger expression", quote!(let a = 1 + atomic_add(&mut k[0], 1);)),
        ("takes an element", quote!(atomic_add(k[0], 1);)),
        ("takes an element", quote!(atomic_add(&mut k[0], 1, 2);)),
        ("is a shared slice", quote!(atomic_add(&mut x[0], 1);)),
        ("only this work-item", quote!(let mut a = [0; 4]; atomic_add(&mut a[0], 1);)),
        ("changes it atomically", quote!(atomic_add(&mut k[0], 1); y[gid(0)] = k[0] as f32;)),
    ] {
        let item = quote!(fn f(x: &[u32], k: &mut [u32], y: &mut [f32]) { #body });
        let messages = messages(item).join("\n");
        assert!(messages.contains(expected), "{expected}: {messages}");
    }
}

#[test]
fn a_racy_kernel_may_store_where_others_do() {
    let text = ir(
        quote!(device = cpu, racy, fp = relaxed, domain = x.len()),
        quote!(
            fn f(x: &[u32], y: &mut [u32]) {
                y[x[gid(0)] as usize] = 1;
            }
        ),
    );
    assert!(text.contains("y[(x[gid(0)] as usize)] = 1_u32"), "{text}");
    let output = run(
        quote!(map, racy, fp = fast, device = cpu, requires(x > 0.0)),
        quote!(
            fn f(x: f32) -> f32 {
                x
            }
        ),
    );
    let messages = output.errors.messages().join("\n");
    assert!(messages.contains("`racy` is about stores"), "{messages}");
    assert!(messages.contains("`fp` takes `strict` or `relaxed`"), "{messages}");
}
