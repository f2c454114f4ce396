//! Group kernels: what is lowered, which stores are accepted, what diverges.

use super::{ir, run};
use proc_macro2::TokenStream;
use quote::quote;

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
fn a_constant_of_the_body_is_known_to_the_options() {
    let body = quote!(
        fn f(y: &mut [f32]) {
            const TILE: usize = 4 * SIDE;
            const SIDE: usize = 2;
            shared!(tile: [f32; TILE]);
            tile[lid(0)] = 1.0;
            barrier();
            y[grp(0) * TILE + lid(0)] = tile[TILE - 1 - lid(0)];
        }
    );
    let text = ir(quote!(device = cpu, group = TILE, groups = y.len() / TILE), body);
    assert!(text.contains("[8]"), "{text}");
    let outside = quote!(
        fn f(y: &mut [f32]) {
            const TILE: usize = 2 * WIDTH;
            y[grp(0)] = 1.0;
        }
    );
    let output = run(quote!(device = cpu, group = TILE, groups = 1), outside);
    let messages = output.errors.messages().join("\n");
    assert!(messages.contains("`TILE` is `2 * WIDTH`, and the value"), "{messages}");
}

#[test]
fn a_group_that_no_number_counts_is_refused_by_its_size() {
    let item = quote!(
        fn f(y: &mut [f32]) {
            y[grp(0)] = 1.0;
        }
    );
    let size = quote!((4294967295, 4294967295, 4294967295));
    let messages = run(quote!(device = cpu, group = #size, groups = 1), item).errors.messages();
    let messages = messages.join("\n");
    assert!(messages.contains("a group of 79228162458924105385300197375 work-items"), "{messages}");
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
        quote!(if !(lid(0) >= 1) && !(lid(1) != 0 || n == 7) {
            y[grp(1) * n + grp(0)] = 1.0;
        }),
        quote!(if lid(0) < 1 && lid(1) < 1 {
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
fn the_order_of_addends_does_not_matter() {
    for index in [
        quote!(grp(0) * 32 + lid(0) + 8 * j),
        quote!(grp(0) * 32 + (j * 8 + lid(0))),
        quote!(lid(0) + j * 8 + 32 * grp(0)),
        quote!(8 * (j + grp(0) * 4) + lid(0)),
        quote!(s + lid(0) + grp(0) * 64 + 8 * j + 32),
    ] {
        let text = ir(
            quote!(device = cpu, group = 8, groups = y.len().div_ceil(32)),
            quote!(
                fn small(y: &mut [f32], s: usize) {
                    for j in 0..4 {
                        let i = #index;
                        if i < y.len() {
                            y[i] = 1.0;
                        }
                    }
                }
            ),
        );
        assert!(!text.contains("<= 8_usize"), "{text}");
    }
    for index in [
        quote!(grp(0) * 16 + lid(0) + 8 * j),
        quote!(grp(0) * 32 + lid(0) + 4 * j),
        quote!(8 * j + grp(0) + lid(0)),
    ] {
        let item = quote!(
            fn small(y: &mut [f32], s: usize) {
                for j in 0..4 {
                    y[#index] = 1.0;
                }
            }
        );
        let output = run(quote!(device = cpu, group = 8, groups = y.len().div_ceil(32)), item);
        assert!(!output.errors.is_empty(), "{index}");
    }
}

#[test]
fn stores_of_a_group_kernel_that_several_work_items_share_are_refused() {
    for (expected, body) in [
        ("several work-items", quote!(y[grp(1) * n + grp(0)] = 1.0;)),
        ("that differ in `lid(0)` alone", quote!(y[grp(1) * n + grp(0)] = 1.0;)),
        (
            "that differ in `lid(1)` alone",
            quote!(if lid(0) < 1 && lid(1) < 2 {
                y[grp(1) * n + grp(0)] = 1.0;
            }),
        ),
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
            "note: `lid(0)` is not",
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
            "note: `v` is not",
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

/// What is known behind a loop that may run for ever is not known before it.
#[test]
fn an_element_is_not_read_before_the_loop_that_its_bounds_are_known_of() {
    let read_first = |middle: TokenStream| {
        let output = run(
            quote!(device = cpu, group = 64, groups = 1),
            quote!(
                fn f(idx: &[u32], x: &[f32], y: &mut [f32]) {
                    let i = idx[0] as usize;
                    let mut turn = lid(0);
                    #middle
                    let found = x[i];
                    if lid(0) == 0 {
                        y[0] = found + turn as f32;
                    }
                }
            ),
        );
        assert!(output.errors.is_empty(), "{:?}", output.errors.messages());
        let text = output.tokens.to_string();
        text.find("p1_x . load").unwrap() < text.find("lid0 = lane").unwrap()
    };
    assert!(read_first(quote!(turn += 1;)));
    assert!(!read_first(quote!(while i + turn >= x.len() {
        turn = 0;
    })));
}
