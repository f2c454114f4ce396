//! The macro without the compiler: what is lowered, required and refused.

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
fn an_index_that_two_work_items_may_share_is_refused() {
    for body in [
        quote!(y[gid(0) / 2] = 1.0),
        quote!(y[0] = 1.0),
        quote!(y[n] = 1.0),
        quote!(y[gid(0) % n] = 1.0),
        quote!(y[gid(0) + gid(0)] = 1.0),
        quote!(y[gid(1)] = 1.0),
        quote!(y[gid(0) * n + gid(0) * n] = 1.0),
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
            y[gid(0) * 2 + 2] = 1.0;
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
        let item = quote!(fn f(x: &[f32], y: &mut [f32], n: usize) { #body; });
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
        quote!(y[(gid(2) * n + gid(1)) * x.len() + gid(0)] = 1.0),
        quote!(if gid(0) < n {
            y[gid(0)] = x[gid(0) / 2 + 7];
        }),
    ] {
        let item = quote!(fn f(x: &[f32], y: &mut [f32], n: usize) { #body; });
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
fn a_group_kernel_becomes_shared_loops_and_reductions_of_their_own() {
    let text = ir(
        quote!(device = cpu, group = 256, groups = y.len() / n),
        quote!(
            fn softmax(x: &[f32], y: &mut [f32], n: usize) {
                let row = grp(0) * n;
                let mut m = f32::NEG_INFINITY;
                for k in group_range(n) {
                    m = m.max(x[row + k]);
                }
                let mx = group_max(m);
                let mut s = 0.0;
                for k in group_range(n) {
                    s += (x[row + k] - mx).exp();
                }
                let inv = 1.0 / group_sum(s);
                for k in group_range(n) {
                    y[row + k] = (x[row + k] - mx).exp() * inv;
                }
            }
        ),
    );
    for part in ["grp(0)", "in group_range(n)", "group_sum(s_5)"] {
        assert!(text.contains(part), "{part}: {text}");
    }
}

#[test]
fn arrays_barriers_and_jumps_are_lowered() {
    let text = ir(
        quote!(device = cpu, group = (8, 32), groups = (groups_y, 1)),
        quote!(
            fn f(x: &[i32], y: &mut [i32], groups_y: usize) {
                shared!(tile: [[i32; 33]; 8]);
                let table = [1, 2, 3];
                let mut count = [0; 4 * 2];
                tile[lid(1)][lid(0)] = x[lid(0)];
                barrier();
                for i in 0..tile.len() {
                    if tile[i][0] < 0 {
                        continue;
                    }
                    count[i] += table[0];
                    if i > 4 {
                        break;
                    }
                }
                y[grp(1) * 256 + lid(1) * 32 + lid(0)] = count[0];
            }
        ),
    );
    for part in ["[8, 33]", "barrier()", "continue;", "break;"] {
        assert!(text.contains(part), "{part}: {text}");
    }
}

#[test]
fn what_a_group_cannot_do_is_refused_where_it_stands() {
    for (expected, body) in [
        (
            "in a branch of an `if`",
            quote!(let s = if lid(0) < 3 { group_sum(1.0_f32) } else { 0.0 };),
        ),
        ("after `&&` or `||`", quote!(if n > 1 && group_sum(n) > 3 {})),
        ("in the condition of a `while`", quote!(while group_sum(n) > 3 {})),
        (
            "in a loop over `group_range`",
            quote!(for k in group_range(n) {
                barrier();
            }),
        ),
        (
            "`break` in a loop",
            quote!(for k in 0..n {
                barrier();
                if n > 3 {
                    break;
                }
            }),
        ),
        ("`break` outside of a loop", quote!(break;)),
        ("a group kernel has no `gid`", quote!(y[gid(0)] = 1.0;)),
        ("a constant", quote!(let a = [0.0; n];)),
        ("has 2 dimensions, found 1", quote!(shared!(t: [[f32; 4]; 4]); t[0] = 1.0;)),
        (
            "at the top of the kernel",
            quote!(if n > 2 {
                shared!(t: [f32; 4]);
            }),
        ),
        ("take 65536 bytes", quote!(shared!(t: [f64; 8192]); t[lid(0)] = 1.0;)),
        ("cannot be written", quote!(let a = [0.0_f32; 4]; a[0] = 1.0;)),
    ] {
        let item = quote!(fn f(y: &mut [f32], n: usize) { #body y[grp(0) * 256 + lid(0)] = 1.0; });
        let output = run(quote!(device = cpu, group = 256, groups = 1), item);
        let messages = output.errors.messages().join("\n");
        assert!(messages.contains(expected), "{expected}: {messages}");
    }
}

fn group_messages(body: TokenStream) -> Vec<String> {
    let item = quote!(
        fn f(x: &[f32], y: &mut [f32], n: usize, m: usize) {
            shared!(t: [f32; 256]);
            #body
        }
    );
    run(quote!(device = cpu, group = (16, 16), groups = (m, n)), item).errors.messages()
}

#[test]
fn stores_of_a_group_kernel_that_one_work_item_owns_are_accepted() {
    for body in [
        quote!(y[(grp(1) * n + grp(0)) * 256 + lid(1) * 16 + lid(0)] = 1.0;),
        quote!(y[((grp(1) * n + grp(0)) * 16 + lid(1)) * 16 + lid(0)] += 1.0;),
        quote!(
            let row = grp(1) * 16 + lid(1);
            let column = grp(0) * 16 + lid(0);
            if row < m && column < n {
                y[row * n + column] = 1.0;
            }
        ),
        quote!(
            for k in group_range(n) {
                y[(grp(1) * m + grp(0)) * n + k] = x[k];
            }
            for j in group_range(n) {
                y[(grp(1) * m + grp(0)) * n + j] *= 2.0;
            }
        ),
        quote!(if lid(0) == 0 && lid(1) == 0 {
            y[grp(1) * n + grp(0)] = 1.0;
        }),
        quote!(
            let l = lid(1) * 16 + lid(0);
            t[l] = 1.0;
            barrier();
            t[255 - l] += 1.0;
            if l == 0 {
                t[0] = 2.0;
            }
            barrier();
            if lid(0) == 0 && lid(1) == 3 {
                y[grp(1) * n + grp(0)] = t[3];
            }
        ),
    ] {
        let messages = group_messages(body.clone());
        assert!(messages.is_empty(), "{body}: {messages:?}");
    }
}

#[test]
fn stores_of_a_group_kernel_that_several_work_items_share_are_refused() {
    for (expected, body) in [
        ("several work-items", quote!(y[grp(1) * n + grp(0)] = 1.0;)),
        (
            "several work-items",
            quote!(if lid(0) == 0 {
                y[grp(1) * n + grp(0)] = 1.0;
            }),
        ),
        ("several work-items", quote!(y[lid(1) * 16 + lid(0)] = 1.0;)),
        ("several work-items", quote!(y[grp(0) * 256 + lid(1) * 16 + lid(0)] = 1.0;)),
        (
            "several work-items",
            quote!(y[((grp(1) * n + grp(0)) * 8 + lid(1)) * 16 + lid(0)] = 1.0;),
        ),
        (
            "by the other index",
            quote!(
                if lid(0) == 0 && lid(1) == 0 { y[grp(1) * n + grp(0)] = 1.0; }
                if lid(0) == 1 && lid(1) == 0 { y[grp(1) * n + grp(0)] = 2.0; }
            ),
        ),
        (
            "another work-item writes it",
            quote!(for k in group_range(n) {
                y[(grp(1) * m + grp(0)) * n + k] = y[(grp(1) * m + grp(0)) * n];
            }),
        ),
        (
            "by every work-item of the group",
            quote!(t[n] = 1.0; if lid(0) == 0 && lid(1) == 0 { y[grp(1) * n + grp(0)] = 1.0; }),
        ),
    ] {
        let messages = group_messages(body.clone()).join("\n");
        assert!(messages.contains(expected), "{body}: {messages}");
    }
}

#[test]
fn an_operation_of_the_group_under_varying_control_names_what_varies() {
    for (operation, varies, body) in [
        (
            "`barrier()`",
            "`lid(0)` at line",
            quote!(if lid(0) < 3 {
                barrier();
            }),
        ),
        (
            "`barrier()`",
            "not the same for all",
            quote!(for i in 0..lid(1) {
                barrier();
            }),
        ),
        (
            "`group_range(n)`",
            "`lid(0)`",
            quote!(if lid(0) < n {
                for k in group_range(n) {
                    t[k] = 1.0;
                }
            }),
        ),
        (
            "`group_sum(1.0_f32)`",
            "`v` at line",
            quote!(
                let v = x[lid(0)];
                if v > 0.0 { let s = group_sum(1.0_f32); }
            ),
        ),
    ] {
        let store = quote!(if lid(0) == 0 && lid(1) == 0 {
            y[grp(1) * n + grp(0)] = 1.0;
        });
        let messages = group_messages(quote!(#body #store)).join("\n");
        for expected in [operation, varies, "some would wait forever"] {
            assert!(messages.contains(expected), "{expected}: {messages}");
        }
    }
}

#[test]
fn atomic_operations_and_requirements_are_lowered() {
    let text = ir(
        quote!(device = cpu, nondeterministic, requires(x.len() >= n, n > 0)),
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
        quote!(device = cpu, racy, fp = relaxed),
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

#[test]
fn a_call_takes_the_type_of_its_use_and_embeds_the_function() {
    let output = run(
        quote!(map, device = cpu),
        quote!(
            fn f(x: f32) -> f32 {
                let n: u32 = crate::a::count(x);
                half(x) + half(2.0) * (n as f32)
            }
        ),
    );
    assert!(output.errors.is_empty(), "{:?}", output.errors.messages());
    let source = pretty(&output.tokens);
    for part in [
        "const _: fn(f32) -> u32 = crate::a::count;",
        "const _: fn(f32) -> f32 = half;",
        "half::DEF.name",
        "body(half::DEF.ir)",
        "crate::a::count::native(",
    ] {
        assert!(source.contains(part), "{part}: {source}");
    }
}

#[test]
fn a_device_function_is_refused_with_the_reason() {
    for (expected, item) in [
        (
            "cannot call itself",
            quote!(
                fn f(x: f32) -> f32 {
                    f(x)
                }
            ),
        ),
        (
            "takes and returns scalars",
            quote!(
                fn f(x: &[f32]) -> f32 {
                    1.0
                }
            ),
        ),
        (
            "is not known here",
            quote!(
                fn f(x: f32) -> f32 {
                    let y = g(x);
                    x
                }
            ),
        ),
        (
            "did you mean `group_sum`?",
            quote!(
                fn f(x: f32) -> f32 {
                    group_summ(x)
                }
            ),
        ),
        (
            "got 1 arguments before, now 2",
            quote!(
                fn f(x: f32) -> f32 {
                    g(x) + g(x, x)
                }
            ),
        ),
        (
            "a device function is not generic",
            quote!(
                fn f<T>(x: f32) -> f32 {
                    x
                }
            ),
        ),
        (
            "a device function has no `gid`",
            quote!(
                fn f(x: f32) -> f32 {
                    gid(0) as f32
                }
            ),
        ),
        (
            "a device function returns what it computes",
            quote!(
                fn f(x: f32) {}
            ),
        ),
    ] {
        let output = device_fn(quote!(), item, Krate::facade());
        let messages = output.errors.messages().join("\n");
        assert!(messages.contains(expected), "{expected}: {messages}");
    }
}

#[test]
fn each_value_of_a_compile_time_parameter_is_a_kernel() {
    let output = run(
        quote!(device = cpu, const TILE: usize in [8, 16], group = (TILE, TILE), groups = (n.div_ceil(TILE), 1)),
        quote!(
            pub fn tile<const TILE: usize>(y: &mut [f32], n: usize) {
                shared!(t: [[f32; TILE]; TILE]);
                t[lid(1)][lid(0)] = 1.0;
                barrier();
                y[(grp(1) * TILE + lid(1)) * TILE + lid(0)] = t[lid(0)][lid(1)];
            }
        ),
    );
    assert!(output.errors.is_empty(), "{:?}", output.errors.messages());
    let source = pretty(&output.tokens);
    for part in [
        "name: \"tile_8\"",
        "name: \"tile_16\"",
        "pub fn launch<const TILE: usize>(",
        "tile: TILE is 8 or 16",
        "pub const ENTRIES: [",
        "const TILE: usize = 16;",
    ] {
        assert!(source.replace('`', "").contains(part), "{part}: {source}");
    }
}

#[test]
fn a_compile_time_parameter_is_declared_and_listed() {
    for (expected, args, item) in [
        (
            "is out of range",
            quote!(const N: u32 in [5_000_000_000]),
            quote!(
                fn f<const N: u32>(y: &mut [f32]) {}
            ),
        ),
        (
            "is listed twice",
            quote!(const N: usize in [1, 1]),
            quote!(
                fn f<const N: usize>(y: &mut [f32]) {}
            ),
        ),
        (
            "is an integer",
            quote!(const N: f32 in [1]),
            quote!(
                fn f<const N: f32>(y: &mut [f32]) {}
            ),
        ),
        (
            "is not a compile-time parameter",
            quote!(const N: usize in [1]),
            quote!(
                fn f(y: &mut [f32]) {}
            ),
        ),
        (
            "are not listed",
            quote!(domain = 1),
            quote!(
                fn f<const N: usize>(y: &mut [f32]) {}
            ),
        ),
        (
            "in the instance for N = 0",
            quote!(const N: usize in [4, 0]),
            quote!(
                fn f<const N: usize>(y: &mut [f32]) {
                    let a = [0.0; N];
                    y[gid(0)] = a[0];
                }
            ),
        ),
    ] {
        let messages = run(quote!(device = cpu, #args), item).errors.messages().join("\n");
        assert!(messages.contains(expected), "{expected}: {messages}");
    }
}

#[test]
fn a_reduction_becomes_a_group_kernel_over_rows() {
    let text = ir(
        quote!(reduce(identity = T::NEG_INFINITY), device = cpu, T in [f64, f32]),
        quote!(
            fn largest<T>(a: T, b: T) -> T {
                a.max(b)
            }
        ),
    );
    for part in [
        "largest(x: &[f64], result: &mut [f64], n: usize)",
        "in group_range(n)",
        "let part_1: f64 = -inf_f64",
        "combine_f64",
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
    let integer = quote!(
        fn add(a: f32, b: f32) -> f32 {
            a + b
        }
    );
    let text = ir(quote!(reduce(identity = 0), device = cpu), integer);
    assert!(text.contains("let part_1: f32 = 0.0_f32"), "{text}");
}

#[test]
fn a_function_that_cannot_reduce_is_refused() {
    for (expected, args, item) in [
        (
            "names the value that changes nothing",
            quote!(reduce),
            quote!(
                fn f(a: f32, b: f32) -> f32 {
                    a + b
                }
            ),
        ),
        (
            "combines two scalars of one type",
            quote!(reduce(identity = 0.0)),
            quote!(
                fn f(a: f32) -> f32 {
                    a
                }
            ),
        ),
        (
            "combines two scalars of one type",
            quote!(reduce(identity = 0.0)),
            quote!(
                fn f(a: f32, b: u32) -> f32 {
                    a
                }
            ),
        ),
        (
            "the identity is a number",
            quote!(reduce(identity = a)),
            quote!(
                fn f(a: f32, b: f32) -> f32 {
                    a + b
                }
            ),
        ),
        (
            "calls no other function",
            quote!(reduce(identity = 0.0)),
            quote!(
                fn f(a: f32, b: f32) -> f32 {
                    a + half(b)
                }
            ),
        ),
        (
            "a kernel is either `reduce` or `map`",
            quote!(reduce(identity = 0.0), map),
            quote!(
                fn f(a: f32, b: f32) -> f32 {
                    a + b
                }
            ),
        ),
    ] {
        let messages = run(quote!(device = cpu, #args), item).errors.messages().join("\n");
        assert!(messages.contains(expected), "{expected}: {messages}");
    }
}

#[test]
fn literals_of_16_bit_floats_are_rounded_once() {
    let text = ir(
        quote!(device = cpu, T in [bf16, f16, f32]),
        quote!(
            fn f<T>(x: &[T], y: &mut [T]) {
                y[gid(0)] = (x[gid(0)] * 0.1).max(T::NEG_INFINITY);
            }
        ),
    );
    assert!(text.contains("bf16"), "{text}");
    let output = run(
        quote!(device = cpu, T in [f32, f16]),
        quote!(
            fn f<T>(a: T, y: &mut [T]) {
                y[gid(0)] = a;
            }
        ),
    );
    let messages = output.errors.messages().join("\n");
    assert!(messages.contains("`a` is passed by value, which a `f16` cannot be"), "{messages}");
}
