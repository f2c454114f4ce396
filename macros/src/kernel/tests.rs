//! The macro without the compiler: what is lowered, required and refused.

mod atomic;
mod forms;
mod group;
mod language;

use super::*;
use crate::testing::{assert_no_default_path, pretty};
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
fn what_only_a_launch_knows_becomes_a_requirement() {
    let of = |item| ir(quote!(device = cpu), item);
    let rows = of(quote!(
        fn f(y: &mut [f32], k: usize) {
            let base = gid(0) * k;
            for c in 0..k {
                y[base + c] = 1.0;
            }
        }
    ));
    assert!(rows.contains("requires ((extent(0) == 0_usize) || (k <= (1844"), "{rows}");
    let image = of(quote!(
        fn f(y: &mut [f32], w: usize) {
            y[gid(0) + gid(1) * w] = 1.0;
        }
    ));
    assert!(image.contains("requires (extent(0) <= w)"), "{image}");
    let plain = of(quote!(
        fn f(y: &mut [f32], offset: usize) {
            y[gid(0) + offset] = 1.0;
        }
    ));
    assert!(!plain.contains("requires"), "{plain}");
}

#[test]
fn one_to_one_indices_are_followed() {
    for (body, requires) in [
        (quote!(y[n - 1 - i] = 1.0), &[][..]),
        (quote!(y[n - i - 1] = 1.0), &[]),
        (
            quote!(for c in (0..3).rev() {
                y[i * 3 + c] = 1.0;
            }),
            &[],
        ),
        (
            quote!(for c in (0..6).step_by(3) {
                y[i * 6 + c] = 1.0;
            }),
            &[],
        ),
        (quote!(y[n - (i + 1)] = 1.0), &[]),
        (quote!(y[n - i] = 1.0), &[]),
        (
            quote!(if i > 0 {
                y[i - 1] = 1.0;
            }),
            &[],
        ),
        (
            quote!({
                let (r, c) = (i / n, i % n);
                y[r * n + c] = 1.0;
            }),
            &["0_usize < n"],
        ),
        (
            quote!({
                let (r, c) = (i / n, i % n);
                y[c * m + r] = 1.0;
            }),
            &["<= m"],
        ),
        (
            quote!({
                let (a, b, c) = (i / (n * m), i / m % n, i % m);
                y[(c * n + b) * k + a] = 1.0;
            }),
            &["<= k", "0_usize < m", "0_usize < n"],
        ),
        (
            quote!({
                let rest = i % (n * m);
                y[(rest % m * n + rest / m) * k + i / (n * m)] = 1.0;
            }),
            &["<= k"],
        ),
        (quote!(y[i * n + (n - 1 - i % n)] = 1.0), &["0_usize < n"]),
        (
            quote!(for c in (0..n).rev() {
                y[i * n + c] = 1.0;
            }),
            &[],
        ),
        (
            quote!(for c in 0..n {
                y[i * n + (n - 1 - c)] = y[i * n + c];
            }),
            &[],
        ),
        // The stores of a Stockham transform, in the ways that they are written.
        (
            quote!({
                let c = i % n;
                let j = (i / n) * 2 * n + c;
                y[j] = 1.0;
                y[j + n] = 2.0;
            }),
            &["0_usize < n"],
        ),
        (
            quote!({
                let c = i % n;
                let j = ((i - c) << 1) + c;
                y[j] = 1.0;
                y[j + n] = 2.0;
            }),
            &["0_usize < n"],
        ),
        (
            quote!({
                let c = i % n;
                let j = (i / n) * (4 * n) + c;
                y[j] = 1.0;
                y[j + n] = 2.0;
                y[j + 2 * n] = 3.0;
                y[j + n * 3] = 4.0;
            }),
            &["0_usize < n"],
        ),
        // Two stores that a condition keeps apart.
        (
            quote!(if i < k {
                y[i] = x[i] + x[i + k];
                y[i + k] = x[i] - x[i + k];
            }),
            &["(k <= (18446744073709551615_usize - k))"],
        ),
        (
            quote!({
                if i >= n / 2 {
                    return;
                }
                let j = n - 1 - i;
                let left = y[i];
                y[i] = y[j];
                y[j] = left;
            }),
            &[],
        ),
        (
            quote!(if i < k {
                y[2 * i] = 1.0;
                y[2 * i + 1] = 1.0;
                y[2 * (i + k)] = 1.0;
                y[2 * (i + k) + 1] = 1.0;
            }),
            &["<= (k * 2_usize)"],
        ),
        (
            quote!(if i / n < m / 2 {
                y[i / n * n + i % n] = 1.0;
                y[(m - 1 - i / n) * n + i % n] = 1.0;
            }),
            &["0_usize < n"],
        ),
        // Loads may overlap.
        (
            quote!(if i < k {
                y[i] = y[i + k] + y[n - 1 - i];
            }),
            &["(k <= (n - k))"],
        ),
        // The domain keeps them apart.
        (
            quote!({
                y[i] = 1.0;
                y[i + m] = 1.0;
            }),
            &["(extent(0) == n)", "(n <= m)"],
        ),
        // A variable has the value that it has there.
        (
            quote!({
                let mut i = gid(0);
                y[i] = 1.0;
                i += 5;
                let v = x[i];
                i = 7;
                if v > 0.0 {
                    i = gid(0);
                    y[i] = v;
                }
            }),
            &[],
        ),
        (
            quote!({
                let mut i = gid(0);
                if i >= n {
                    return;
                }
                i = n - 1 - i;
                y[i] = 1.0;
            }),
            &[],
        ),
        (
            quote!({
                let row = i / n;
                if row >= m || gid(1) >= k {
                    return;
                }
                y[row * n + i % n] = 1.0;
            }),
            &["0_usize < n"],
        ),
    ] {
        let domain = if body.to_string().contains("gid (1)") { quote!((1, n)) } else { quote!(n) };
        let text = ir(
            quote!(device = cpu, domain = #domain),
            quote!(
                fn f(x: &[f32], y: &mut [f32], n: usize, m: usize, k: usize) {
                    let i = gid(0);
                    #body
                }
            ),
        );
        for part in requires {
            let found = text.lines().any(|l| l.contains("requires") && l.contains(part));
            assert!(found, "{part}: {text}");
        }
        assert!(!requires.is_empty() || !text.contains("requires (0_usize"), "{text}");
    }
}

#[test]
fn the_term_that_cannot_be_followed_is_named() {
    for (body, term) in [
        (quote!(y[x[i] as usize] = 1.0), "`x[i] as usize` is the term"),
        (quote!(y[i * n + i * i] = 1.0), "`i * i` is the term"),
        (quote!(y[i / n] = 1.0), "the same for work-items that differ in `gid(0)` alone"),
        (quote!(y[i % n * 4] = 1.0), "the same for work-items that differ in `gid(0)` alone"),
        (quote!(y[gid(1)] = 1.0), "the same for work-items that differ in `gid(0)` alone"),
        (
            quote!({
                let mut s = i;
                while s > n {
                    s -= n;
                    y[s] = 1.0;
                }
            }),
            "`s` is the term",
        ),
        (
            quote!({
                y[i] = 1.0;
                y[n - 1 - i] = 1.0;
            }),
            "`y[i]` is the other index: each alone is of one work-item",
        ),
    ] {
        let messages = messages(quote!(
            fn f(x: &[f32], y: &mut [f32], n: usize) {
                let i = gid(0);
                #body;
            }
        ));
        assert!(messages.join("\n").contains(term), "{term}: {messages:?}");
    }
}

#[test]
fn an_index_that_two_work_items_may_share_is_refused() {
    for body in [
        quote!({
            let (r, c) = (gid(0) / n, gid(0) % 3);
            y[r * n + c] = 1.0
        }),
        quote!(y[n - 1 - gid(0) / 2] = 1.0),
        quote!(y[(n - 1 - gid(0)) * (n - 1 - gid(0))] = 1.0),
        quote!({
            let mut i = gid(0);
            for k in 0..n {
                y[i] = 1.0;
                i += 1;
            }
        }),
        quote!({
            let mut i = gid(0);
            if n > 3 {
                i = 0;
            }
            y[i] = 1.0;
        }),
        quote!({
            let c = gid(0) % n;
            let j = (gid(0) / n) * 2 * n + c;
            y[j] = 1.0;
            y[j + 2 * n] = 1.0;
        }),
        quote!({
            let mut a = [n; 2];
            if a[0] % 8 < 4 {
                a[0] = 7;
                y[gid(0) * 4 + a[0] % 8] = 1.0;
            }
        }),
        quote!(if gid(0) < n {
            y[gid(0)] = 1.0;
            y[n - 1 - gid(0)] = 1.0;
        }),
        quote!(if gid(0) < n {
            y[gid(0)] = 1.0;
            y[gid(0) + 1] = 1.0;
        }),
        quote!(if gid(0) < n + 1 {
            y[gid(0)] = 1.0;
            y[gid(0) + n] = 1.0;
        }),
        quote!(if gid(0) < n || gid(0) < m {
            y[gid(0)] = 1.0;
            y[gid(0) + n] = 1.0;
        }),
        // A condition on a variable that changes after it.
        quote!({
            let mut j = n;
            while j > m {
                if j % 4 < 2 {
                    for c in 0..3 {
                        y[gid(0) * 2 + j % 4] = 1.0;
                        j += 1;
                    }
                }
            }
        }),
        quote!(y[gid(0) / 2] = 1.0),
        quote!(y[0] = 1.0),
        quote!(y[n] = 1.0),
        quote!(y[gid(0) % n] = 1.0),
        quote!(y[gid(1)] = 1.0),
        quote!({
            let mut i = gid(0);
            i = 0;
            y[i] = 1.0
        }),
        quote!(for c in 0..n {
            y[gid(0) + c] = 1.0;
        }),
        quote!(for c in 0..5 {
            y[gid(0) * 4 + c] = 1.0;
        }),
        quote!({
            y[gid(0) * 2] = 1.0;
            y[gid(0) * 2 + 2] = 1.0;
        }),
        quote!(y[n * gid(0) - gid(0) * n] = 1.0),
        quote!(y[gid(1) * n * m + gid(0)] = y[gid(1) * n + gid(0)]),
        quote!(for r in 0..n {
            for c in 0..m + 1 {
                y[gid(0) * n * m + r * m + c] = 1.0;
            }
        }),
        quote!(for c in 0..8 {
            y[s + gid(0) * 8 + c] = 1.0;
            y[s + 1 + gid(0) * 8 + c] = 1.0;
        }),
        quote!(for c in 0..x[0] as usize {
            y[gid(0) * n + c] = 1.0;
        }),
        quote!({
            y[gid(0)] = 1.0;
            y[gid(0) * 2] = 1.0;
        }),
        quote!({
            y[gid(0)] = 1.0;
            y[gid(0) + 1] = 1.0;
        }),
        quote!(y[gid(0)] = y[n]),
        quote!(y[x[gid(0)] as usize] = 1.0),
    ] {
        let item = quote!(fn f(x: &[f32], y: &mut [f32], n: usize, m: usize, s: usize) { #body; });
        let messages = messages(item);
        assert!(messages.iter().any(|m| m.contains("work-item")), "{body}: {messages:?}");
    }
}

#[test]
fn an_index_that_only_one_work_item_has_is_accepted() {
    for body in [
        quote!(y[gid(0)] += y[gid(0)]),
        quote!({
            let i = gid(0);
            let j = i;
            y[j] = 1.0
        }),
        quote!(for c in 1..n {
            y[c + gid(0) * n] = 1.0;
        }),
        quote!(for c in 0..4 {
            y[gid(0) * 4 + c] = 1.0;
        }),
        quote!({
            y[gid(0) * 2] = 1.0;
            y[2 * gid(0) + 1] = 1.0;
        }),
        quote!(y[(gid(1) * n + gid(0)) * 3 + 2] = 1.0),
        quote!(y[gid(0) + gid(0)] = 1.0),
        quote!(y[gid(0) * 2 + 2] = 1.0),
        quote!(y[s + gid(1) * n + gid(0)] = 1.0),
        quote!(for c in 0..4 {
            y[1 + gid(0) * 4 + c] = 1.0;
        }),
        // Three levels, in the ways that they are written.
        quote!(y[gid(2) * n * m + gid(1) * m + gid(0)] = 1.0),
        quote!(y[gid(2) * (n * m) + gid(1) * m + gid(0)] = 1.0),
        quote!(y[gid(0) + gid(1) * m + gid(2) * m * n] = 1.0),
        quote!(y[(gid(2) * n + gid(1)) * m + gid(0)] = 1.0),
        quote!({
            let plane = n * m;
            y[gid(2) * plane + gid(1) * m + gid(0)] = 1.0;
        }),
        quote!({
            let base = gid(1) * n * 8;
            if gid(0) < n {
                for c in 0..8 {
                    y[base + gid(0) * 8 + c] = 1.0;
                }
            }
        }),
        quote!({
            let i = s + gid(0);
            y[2 * i] = 1.0;
            y[2 * i + 1] = 1.0;
        }),
        // The stores of a transform whose pairs lie beside each other.
        quote!(if n > 0 {
            let k = gid(0) % n;
            y[2 * (2 * gid(0) - k)] = 1.0;
            y[2 * (2 * gid(0) - k) + 1] = 1.0;
            y[2 * (2 * gid(0) - k + n)] = 1.0;
            y[2 * (2 * gid(0) - k + n) + 1] = 1.0;
        }),
        quote!(y[(gid(2) * n + gid(1)) * x.len() + gid(0)] = 1.0),
        quote!(if gid(0) < n {
            y[gid(0)] = x[gid(0) / 2 + 7];
        }),
    ] {
        let item = quote!(fn f(x: &[f32], y: &mut [f32], n: usize, m: usize, s: usize) { #body; });
        let messages = messages(item);
        assert!(messages.is_empty(), "{body}: {messages:?}");
    }
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
fn an_index_of_a_view_that_need_not_tell_the_work_item_may_be_any() {
    let view = |index: TokenStream| {
        ir(
            quote!(device = cpu, domain = y.extent(0)),
            quote! {
                fn any(a: usize, y: ViewMut<f32, 2>) {
                    y[[gid(0), #index]] = 1.0;
                    y[[gid(0), 0]] = 2.0;
                }
            },
        )
    };
    for index in [quote!(gid(0) * a), quote!(gid(0) * a + 3), quote!(gid(0) % a), quote!(a)] {
        let text = view(index);
        assert!(!text.contains("requires"), "{text}");
    }
    let needed = ir(
        quote!(device = cpu, domain = (a, 5)),
        quote!(
            fn one(a: usize, y: ViewMut<f32, 2>) {
                y[[gid(0) * a, gid(1) * a + gid(0)]] = 1.0;
            }
        ),
    );
    assert_eq!(needed.matches("requires").count(), 2, "{needed}");
    assert!(needed.contains("requires (5_usize <= a)"), "{needed}");
}
