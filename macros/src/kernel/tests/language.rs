//! Constants, ranges, `return`, tuples: lowered to what the IR has.

use super::*;

/// The IR of a grid kernel over `x`, `y` and `n` with this body.
fn of(body: TokenStream) -> String {
    ir(
        quote!(device = cpu),
        quote!(
            fn f(x: &[f32], y: &mut [f32], n: usize) {
                #body
            }
        ),
    )
}

#[track_caller]
fn assert_parts(text: &str, parts: &[&str]) {
    for part in parts {
        assert!(text.contains(part), "{part}: {text}");
    }
}

#[test]
fn a_constant_of_the_body_is_a_literal_of_its_type() {
    let text = of(quote! {
        let i = gid(0);
        let t = [0.0; WIDTH * 2];
        y[i] = x[i * WIDTH] * SCALE + t[1];
        const WIDTH: usize = 4;
        const SCALE: f32 = 0.5;
    });
    assert_parts(&text, &["x[(i_0 * 4_usize)] * 0.5_f32", "local t: f32 [8];"]);
    let text = of(quote! {
        const WEIGHTS: [f32; 3] = [0.25, 0.5, 0.25];
        y[gid(0)] = WEIGHTS[n % WEIGHTS.len()];
    });
    assert_parts(&text, &["WEIGHTS", "% 3_usize"]);
}

#[test]
fn a_power_written_with_stars_is_told_its_method() {
    let messages = messages(quote!(
        fn f(x: &[f32], y: &mut [f32]) {
            let i = gid(0);
            y[i] = x[i] * *2.0;
        }
    ));
    assert_eq!(messages.len(), 1, "{messages:?}");
    assert_parts(&messages[0], &["no operator `**`", "`x.powi(2)` or `x.powf(2.0)`"]);
}

#[test]
fn a_constant_of_the_body_is_computed_where_it_is_declared() {
    let text = of(quote! {
        const A: usize = 3;
        const B: usize = A + 1;
        let i = gid(0);
        y[i] = x[0];
        if n > 1 {
            const A: usize = 5;
            y[i] = x[B] + x[A];
        } else {
            const A: usize = B * 2;
            const C: f32 = -HALF;
            const HALF: f32 = 0.5;
            y[i] = x[A] * C;
        }
    });
    assert_parts(&text, &["(x[4_usize] + x[5_usize])", "(x[8_usize] * -0.5_f32)"]);
    let messages = messages(quote!(
        fn f(y: &mut [f32]) {
            const A: usize = B + 1;
            const B: usize = A;
            y[gid(0) + A] = 1.0;
        }
    ));
    assert!(messages[0].starts_with("the constant `A` is computed of itself"), "{messages:?}");
}

#[test]
fn a_shift_in_a_constant_loses_the_bits_that_its_type_has_not() {
    let text = of(quote! {
        const KEPT: u32 = (3 << 4) / 8;
        const LOST: u32 = (0x9E3779B9 << 3) / 8;
        const SIGN: i32 = 1 << 31;
        const AMOUNT: u32 = 1 << (200_u8 << 1) / 16;
        y[gid(0)] = (KEPT + LOST + AMOUNT) as f32 + SIGN as f32;
    });
    assert_parts(
        &text,
        &[
            "6_u32 + ((2654435769_u32 << 3_i32) / 8_u32)",
            "+ (1_u32 << ((200_u8 << 1_i32) / 16_u8)))",
            "(1_i32 << 31_i32)",
        ],
    );
}

#[test]
fn an_attribute_in_a_body_is_refused_unless_it_says_nothing_to_the_kernel() {
    for item in [
        quote!(
            fn f(y: &mut [f32]) {
                #[cfg(debug_assertions)]
                y[0] = 2.0;
                y[gid(0)] = 1.0;
            }
        ),
        quote!(
            fn f(y: &mut [f32]) {
                #[cfg(test)]
                const A: f32 = 2.0;
                y[gid(0)] = A;
            }
        ),
        quote!(
            fn f(y: &mut [f32]) {
                y[gid(0)] = match 1 {
                    #[cfg(test)]
                    1 => 2.0,
                    _ => 1.0,
                };
            }
        ),
        quote!(
            fn f(y: &mut [f32], #[cfg(test)] n: usize) {
                y[gid(0)] = 1.0;
            }
        ),
    ] {
        let messages = messages(item);
        assert!(messages.len() == 1 && messages[0].contains("`#[cfg"), "{messages:?}");
    }
    let text = of(quote! {
        #[allow(unused_variables)]
        let i = gid(0);
        /// What is documented.
        #[rustfmt::skip]
        const A: f32 = 1.0;
        y[i] = A;
    });
    assert_parts(&text, &["y[i_0] = 1.0_f32;"]);
}

#[test]
fn a_constant_of_the_crate_gets_its_digits_when_that_is_compiled() {
    let output = run(
        quote!(device = cpu),
        quote!(
            fn f(x: &[f32], y: &mut [f32]) {
                y[gid(0)] = x[gid(0) * TILE] * config::SCALE + core::f32::consts::PI;
            }
        ),
    );
    assert!(output.errors.is_empty(), "{:?}", output.errors.messages());
    let source = pretty(&output.tokens);
    assert_parts(
        &source,
        &[
            "const __VALUE: usize = TILE;",
            "const __VALUE: f32 = config::SCALE;",
            "link::bits(__VALUE.to_bits() as u64)",
            "link::integer(__VALUE as i128)",
            "trimmed(&__DIGITS_0_0)",
            " 0 1 st p1:",
        ][..5],
    );
    assert!(!source.contains("17014118346046923"), "every mark is replaced: {source}");
    let messages = messages(quote!(
        fn f(y: &mut [f32]) {
            y[gid(0)] = K as f32;
        }
    ));
    assert!(messages[0].contains("a constant that is declared outside"), "{messages:?}");
}

#[test]
fn ranges_count_in_every_way_that_rust_s_do() {
    for (range, parts) in [
        (quote!(0..=9), &["for c_0 in 0_usize..10_usize"][..]),
        (quote!(1..=n), &["for c_0 in 1_usize..(n + 1_usize)"]),
        (quote!((0..n).rev()), &["in 0_usize..n", "= ((n - 1_usize) - c_turn"]),
        (quote!((0..n).step_by(3)), &["(n % 3_usize) != 0_usize", "* 3_usize"]),
        (quote!((2..n).rev()), &["2_usize < n", "(2_usize + "]),
        (quote!((0..=n).rev().step_by(2)), &["(n + 1_usize)", "- (c_turn"]),
        (quote!((0..3).step_by(2)), &["in 0_usize..2_usize", "* 2_usize"]),
        (quote!(0..=255), &["in 0_usize..256_usize"]),
    ] {
        let text = of(quote! {
            let mut s = 0.0;
            for c in #range {
                s += x[c];
            }
            y[gid(0)] = s;
        });
        assert_parts(
            &text.replace("s_0", "s"),
            &parts
                .iter()
                .map(|p| p.replace("c_0", "c_1"))
                .collect::<Vec<_>>()
                .iter()
                .map(String::as_str)
                .collect::<Vec<_>>(),
        );
    }
}

#[test]
fn a_range_may_go_up_to_the_greatest_value_of_its_type() {
    for (ty, range) in [
        (quote!(u8), quote!(0..=255)),
        (quote!(i8), quote!(-128..=127)),
        (quote!(u64), quote!(1..=18446744073709551615)),
    ] {
        let text = ir(
            quote!(device = cpu),
            quote!(
                fn f(y: &mut [u32]) {
                    let mut sum: #ty = 0;
                    for c in #range {
                        sum += c;
                    }
                    y[gid(0)] = sum as u32;
                }
            ),
        );
        assert_parts(&text, &["sum_0 = (sum_0 + c_"]);
    }
}

#[test]
fn what_follows_a_return_is_the_other_branch() {
    let text = of(quote! {
        let i = gid(0);
        if i >= n {
            return;
        }
        y[i] = x[i];
    });
    assert_parts(&text, &["if (i_0 >= n) {", "} else {"]);
    assert!(!text.contains("left"), "{text}");
    let text = of(quote! {
        let i = gid(0);
        for c in 0..n {
            if x[c] > 1.0 {
                y[i] = 2.0;
                return;
            }
        }
        y[i] = 1.0;
    });
    assert_parts(&text, &["let left_2: bool = false;", "left_2 = true;", "break;", "if !left_2"]);
}

#[test]
fn a_map_returns_early() {
    let text = ir(
        quote!(map, device = cpu),
        quote!(
            fn f(x: f32) -> f32 {
                if x < 0.0 {
                    return 0.0;
                } else if x > 1.0 {
                    return 1.0;
                }
                x
            }
        ),
    );
    assert_parts(&text, &["let result_0: f32 = 0.0_f32;", "result_0 = x;"]);
    let messages = messages(quote!(
        fn f(y: &mut [f32]) {
            return 1.0;
        }
    ));
    assert!(messages[0].contains("returns nothing"), "{messages:?}");
}

#[test]
fn a_tuple_is_assigned_after_all_of_it_is_computed() {
    let text = of(quote! {
        let (mut a, mut b) = (1.0, x[0]);
        (a, b) = (b, a + b);
        y[gid(0)] = a * b;
    });
    assert_parts(&text, &["= b_1;", "= (a_0 + b_1);", "a_0 = value0_2;", "b_1 = value1_3;"]);
}

#[test]
fn a_match_of_a_tuple_compares_each_value() {
    let text = of(quote! {
        let i = gid(0);
        y[i] = match (i % 2, n) {
            (0, 1 | 2) => 1.0,
            (_, 3) => 2.0,
            (1, _) if n > 7 => 3.0,
            _ => 4.0,
        };
    });
    assert_parts(&text, &["let matched_1: usize = (i_0 % 2_usize);", "(n == 3_usize)"]);
}

#[test]
fn a_function_of_a_type_is_its_method() {
    let text = of(quote! {
        let i = gid(0);
        y[i] = f32::max(0.0, x[i]) + f32::sqrt(2.0);
    });
    assert_parts(&text, &["0.0_f32", "2.0_f32"]);
}

#[test]
fn what_is_refused_says_what_to_write() {
    for (body, expected, help) in [
        (quote!(y[gid(0)] = x[0..3]), "no slice of a slice", "for k in 0..3"),
        (quote!(y[gid(0)] = x.iter().sum()), "iterators are not", "sum += x[i]"),
        (quote!(y[gid(0)] = x.iter().map(|v| v * 2.0).sum()), "iterators are not", "sum += x[i]"),
        (quote!(y[gid(0)] = max(x[0], 0.0)), "`max` is not a kernel function", "`x.max(y)`"),
        (quote!(y[gid(0)] = max(x[0], 0.0)), "`max` is not", "by its path: `self::max(…)`"),
        (quote!(y[gid(0)] = expf(x[0])), "`expf` is not a kernel function", "`x.exp()`"),
        (quote!(y[gid(0)] = std::cmp::min(x[0], 1.0)), "`std::cmp::min` is not", "`x.min(y)`"),
        (
            quote!(std::mem::swap(&mut y[0], &mut y[1])),
            "`std::mem::swap` is not",
            "(a, b) = (b, a);",
        ),
        (quote!(__syncthreads()), "`__syncthreads` is not", "`barrier();`"),
        (quote!(let i = blockIdx.x), "fields are not", "`grp(0)` for `blockIdx.x`"),
        (quote!(let i = config.width), "fields are not", "pass each field"),
        (quote!(let v = &x[1..n]), "no slice of a slice", "for k in 1..n"),
        (quote!(let v = WEIGHTS[0]), "`WEIGHTS` is not", "const WEIGHTS: [f32; 3]"),
        (quote!(let v = [1.0; 4]; y[0] = v[[n]]), "`v` is no view", "write `v[n]`"),
        (quote!(let v = x.shape()[0]), "can be indexed", "`x.extent(0)`"),
        (quote!(y.swap(0, 1)), "methods of slices are not", "(y[i], y[j]) = (y[j], y[i])"),
        (quote!(y[j] = 1.0), "`j` is not a parameter", "let j = gid(0);"),
        (quote!((y[0], y[1]) = f()), "as many values", "(a, b) = (b, a)"),
        (quote!(for v in x.iter() {}), "iterates over `a..b`", "for i in 0..x.len()"),
        (quote!(for i in (0..n).step_by(0) {}), "no steps of 0", "at least 1"),
        (
            quote!(for i in (0..1000000000000000000000000000000000000000000).step_by(2) {}),
            "literal out of range for `usize`",
            "",
        ),
        (
            quote!(match (n, n) {
                0 => {}
                _ => {}
            }),
            "of 2 values",
            "(_, _) => …",
        ),
        (
            quote!(
                fn g() {}
            ),
            "no items but constants",
            "move it out",
        ),
    ] {
        let messages = messages(quote!(
            fn f(x: &[f32], y: &mut [f32], n: usize) {
                #body;
                y[gid(0)] = 0.0;
            }
        ))
        .join("\n");
        assert!(messages.contains(expected) && messages.contains(help), "{expected}: {messages}");
    }
}

#[test]
fn truth_values_are_elements_that_no_arithmetic_takes() {
    let text = ir(
        quote!(device = cpu, T in [bool, f32]),
        quote!(
            fn f<T>(x: View<T, 1>, keep: &[bool], y: &mut [f32], hit: &mut [bool]) {
                let i = gid(0);
                hit[i] = keep[i] && x[[i]] != 0 as T;
                y[i] = x[[i]] as f32;
            }
        ),
    );
    assert_parts(&text, &["hit: &mut [bool]", "!= false", "as f32)"]);
    let refused = messages(quote!(
        fn f(x: &[bool], n: &[usize], y: &mut [f32]) {
            y[gid(0)] = 0.0;
        }
    ));
    assert!(
        refused.len() == 1 && refused[0].starts_with("arrays do not hold `usize`"),
        "{refused:?}"
    );
    for (body, message) in [
        (quote!(y[gid(0)] = (x[gid(0)] + x[0]) as u32), "`+` does not exist for `bool`"),
        (quote!(y[gid(0)] = x[gid(0)] as f32 as u32), "cannot cast `bool` to `f32`"),
        (quote!(y[gid(0)] = (y[gid(0)] as bool) as u32), "cannot cast `u32` to `bool`"),
    ] {
        let refused = messages(quote!(fn f(x: &[bool], y: &mut [u32]) { #body; }));
        assert!(refused.len() == 1 && refused[0].starts_with(message), "{refused:?}");
    }
}

#[test]
fn advice_is_what_a_kernel_can_say() {
    for (body, message) in [
        (
            quote!(if y[0] {
                y[gid(0)] = 1.0;
            }),
            "help: compare it: `… != 0.0`",
        ),
        (
            quote!(if gid(0) {
                y[gid(0)] = 1.0;
            }),
            "help: compare it: `… != 0`",
        ),
        (
            quote!(for _k in 0..1.0 {
                y[gid(0)] = 1.0;
            }),
            "help: write both in one type",
        ),
        (
            quote!(y[gid(0)] = f32::sqrt(2.0, 3.0);),
            "`sqrt` takes 0 arguments after the value that it is called on, got 1",
        ),
    ] {
        let refused = messages(quote!(fn f(y: &mut [f32]) { #body }));
        assert!(refused.len() == 1 && refused[0].contains(message), "{refused:?}");
    }
    let refused = messages(quote!(
        fn f(mut y: &mut [f32]) {
            y[gid(0)] = 1.0;
        }
    ));
    assert!(refused[0].contains("help: drop `mut`"), "{refused:?}");
}
