//! The macro without the compiler: what is lowered, required and refused.

mod atomic;
mod forms;
mod group;
mod language;
mod requirements;
mod rows;
mod stores;

use super::*;
use crate::tests::{assert_no_default_path, pretty};
use quote::quote;

fn run(args: TokenStream, item: TokenStream) -> Output {
    expand(args, item, Krate::facade())
}

fn messages(item: TokenStream) -> Vec<String> {
    run(quote!(device = cpu), item).errors.messages()
}

/// The IR of the first instance, printed.
fn ir(args: TokenStream, item: TokenStream) -> String {
    let output = run(args, item);
    assert!(output.errors.is_empty(), "{:?}", output.errors.messages());
    let text = output.tokens.to_string();
    let start = text.find("\"kir2").unwrap();
    let end = text[start + 1..].find('"').unwrap();
    ringwood_ir::decode(&text[start + 1..start + 1 + end]).unwrap().to_string()
}

#[test]
fn saxpy_becomes_ir_whose_literals_take_the_type_of_what_they_meet() {
    let text = ir(
        quote!(device = cpu),
        quote! {
            fn saxpy(a: f32, x: &[f32], y: &mut [f32]) {
                let i = gid(0);
                y[i] = a * x[i] + y[i] * 0.1;
            }
        },
    );
    assert!(text.contains("let i_0: usize = gid(0);"), "{text}");
    assert!(text.contains("y[i_0] = ((a * x[i_0]) + (y[i_0] * 0.1_f32));"), "{text}");
}

#[test]
fn a_type_found_late_reaches_every_literal_before_it() {
    let text = ir(
        quote!(map, device = cpu, T in [f64, f32]),
        quote! {
            fn f<T>(x: T) -> T {
                let mut s = 0.0;
                let mut n = 1;
                while n < 3_u64 {
                    s += 0.5;
                    n <<= 1;
                }
                s + x
            }
        },
    );
    assert!(text.contains("let s_0: f64 = 0.0_f64;"), "{text}");
    assert!(text.contains("n_1 = (n_1 << 1_i32);"), "{text}");
}

#[test]
fn a_class_of_devices_is_refused_by_name() {
    let item = quote!(
        fn f(y: &mut [f32]) {
            y[gid(0)] = 1.0;
        }
    );
    for class in ["gpu", "any", "all"] {
        let told = run(quote!(device = [cpu, #class]), item.clone()).errors.messages();
        assert_eq!(told.len(), 1, "{told:?}");
        assert!(told[0].starts_with(&format!("`{class}` is a class of devices")), "{told:?}");
        assert!(told[0].contains("as in `[cpu, opencl, cuda]`"), "{told:?}");
    }
}

#[test]
fn shadowed_names_are_different_variables() {
    let text = ir(
        quote!(map, device = cpu),
        quote! {
            fn f(x: f32) -> f32 {
                let x = x * 2.0;
                if x > 1.0 {
                    let x = 1;
                }
                x
            }
        },
    );
    assert!(text.contains("let x_1: i32 = 1_i32;"), "{text}");
    assert!(text.ends_with("    x_0\n}"), "{text}");
}

#[test]
fn an_instance_that_differs_is_reported_with_its_type() {
    let output = run(
        quote!(map, device = cpu, T in [f32, i64]),
        quote!(
            fn f<T>(x: T) -> T {
                x * 2.0
            }
        ),
    );
    let messages = output.errors.messages();
    assert_eq!(messages.len(), 1, "{messages:?}");
    assert!(messages[0].contains("in the instance for T = i64"), "{messages:?}");
}

#[test]
fn options_that_contradict_are_reported_together() {
    let output = run(
        quote!(map, host, device = [cpu, cpu, "My Chip"], domain = n, T in [u8, f33]),
        quote!(
            fn f(x: f32) -> f32 {
                x
            }
        ),
    );
    let messages = output.errors.messages().join("\n");
    for expected in [
        "a kernel is either `map` or `host`",
        "device `cpu` is named twice",
        "`My Chip` cannot be the name of a backend",
        "only a grid kernel declares its domain",
        "`f33` is not an element type",
        "`T` is not a type parameter of the kernel",
    ] {
        assert!(messages.contains(expected), "{expected}: {messages}");
    }
}

#[test]
fn a_crate_path_replaces_the_default_and_the_expansion_parses() {
    for (args, item) in [
        (
            quote!(map, T in [f32, i32]),
            quote!(
                fn f<T>(x: T) -> T {
                    x + x
                }
            ),
        ),
        (
            quote!(domain = n),
            quote!(
                fn f(y: &mut [f32], n: usize) {
                    y[gid(0)] = 1.0;
                }
            ),
        ),
        (
            quote!(host),
            quote!(
                fn f(y: &mut [f32]) {}
            ),
        ),
    ] {
        let output = run(quote!(device = cpu, crate = crate::runtime, #args), item);
        assert!(output.errors.is_empty(), "{:?}", output.errors.messages());
        assert_no_default_path(&output.tokens);
        pretty(&output.tokens);
    }
}

#[test]
fn a_kernel_with_mistakes_keeps_its_signature() {
    let output = run(
        quote!(device = cpu),
        quote!(
            pub fn f(a: f32, y: &mut [f32]) {
                y[gid(0)] = wrong;
            }
        ),
    );
    assert_eq!(output.errors.len(), 1);
    let source = pretty(&output.tokens);
    assert!(source.contains("y: &mut ::ringwood::__private::kernel::Tensor"), "{source}");
    assert!(source.contains("pub const ENTRY"), "{source}");
}

#[test]
fn deep_nesting_is_an_error_and_no_overflow() {
    let mut sum = quote!(x);
    for _ in 0..450 {
        sum = quote!(#sum + x);
    }
    let output = run(quote!(map, device = cpu), quote!(fn f(x: f32) -> f32 { #sum }));
    assert!(output.errors.messages()[0].contains("cannot be encoded"));
}

#[test]
fn a_parameter_of_another_type_is_told_what_to_take_instead() {
    for (ty, instead) in [
        (quote!(&f32), "take it by value: `f32`, or take a slice: `&[f32]`"),
        (quote!(&mut f32), "take a slice: `&mut [f32]`"),
        (quote!(Vec<f64>), "take a slice: `&[f64]`"),
        (quote!(&Vec<f64>), "take a slice: `&[f64]`"),
        (quote!(&mut Vec<f64>), "take a slice: `&mut [f64]`"),
        (quote!(&Tensor), "take a slice of its elements, as in `&[f32]`"),
        (quote!(&mut Tensor), "take a slice of its elements, as in `&mut [f32]`"),
        (quote!(&str), "kernels take numbers"),
        (quote!(&mut View<f32, 2>), "a view is passed by value: `ViewMut<f32, 2>`"),
        (quote!((f32, f32)), "take a scalar (`f32`, `usize`, …)"),
    ] {
        let found = messages(quote!(fn f(x: #ty, y: &mut [f32]) { y[gid(0)] = 1.0; }));
        assert!(found[0].contains(instead), "{ty}: {found:?}");
    }
}
