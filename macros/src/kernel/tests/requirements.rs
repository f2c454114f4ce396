//! What the proof of stores asks of a launch.

use super::*;

#[test]
fn what_only_a_launch_knows_becomes_a_requirement() {
    let of = |item| ir(quote!(device = cpu), item);
    let rows = ir(
        quote!(device = cpu, domain = rows),
        quote!(
            fn f(y: &mut [f32], rows: usize, k: usize) {
                let base = gid(0) * k;
                for c in 0..k {
                    y[base + c] = 1.0;
                }
            }
        ),
    );
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
fn an_assertion_replaces_what_the_proof_would_rest_on() {
    let of = |args: TokenStream| {
        let rows = quote!(
            fn f(y: &mut [f32], n: usize, w: usize) {
                y[gid(1) * w + gid(0)] = 1.0;
            }
        );
        ir(quote!(device = cpu, domain = (n, 4), #args), rows)
    };
    assert!(of(quote!()).contains("requires (4_usize <= w)"));
    assert!(!of(quote!(unique)).contains("requires"));
}

#[test]
fn a_requirement_that_no_launch_meets_is_refused() {
    let of = |domain: TokenStream, index: TokenStream| {
        let rows = quote!(
            fn f(y: &mut [f32], n: usize, w: usize) {
                y[#index] = 1.0;
            }
        );
        run(quote!(device = cpu, domain = #domain), rows).errors.messages().join("\n")
    };
    let narrow = of(quote!((n, w + 1)), quote!(gid(1) * w + gid(0)));
    assert!(narrow.contains("only where `extent(0) <= w`, and of many launches"), "{narrow}");
    assert_eq!(of(quote!((n, w)), quote!(gid(1) * w + gid(0))), "");
    // Met by large launches alone, and by one divisor alone.
    assert_eq!(of(quote!((n, 65_536)), quote!((gid(1) * w + gid(0)) * 4)), "");
    assert_eq!(of(quote!((n, w / 6 * 6)), quote!(gid(1) * (w / 12 * 12) + gid(0))), "");
}

#[test]
fn a_multiple_of_the_work_item_is_beyond_what_a_domain_of_its_elements_counts() {
    for (body, domain) in [
        (
            quote!(for k in 0..n {
                y[gid(0) * n + k] = 1.0;
            }),
            "y.len() / n",
        ),
        (
            quote!(for k in 0..4 {
                y[k + 4 * gid(0)] = 1.0;
            }),
            "y.len() / 4",
        ),
        (
            quote!({
                let (i, width) = (gid(0), n * 2);
                let start = i * width;
                y[start] = 1.0;
            }),
            "y.len() / (n * 2)",
        ),
        (quote!(y[(gid(0) + 1) * n * x.len()] = 1.0), "y.len() / (n * x.len())"),
    ] {
        let messages = messages(quote!(fn f(x: &[f32], y: &mut [f32], n: usize) { #body; }));
        assert_eq!(messages.len(), 1, "{body}: {messages:?}");
        assert!(messages[0].contains("is beyond the end of `y`"), "{messages:?}");
        assert!(messages[0].contains(&format!("`domain = {domain}`")), "{messages:?}");
    }
    for inside in [
        quote!(if gid(0) * n < y.len() {
            y[gid(0) * n] = 1.0;
        }),
        quote!(y[gid(0) * 1 + n] = 1.0),
        quote!(y[gid(0) / n * n + gid(0) % n] = 1.0),
        quote!({
            if gid(0) >= y.len() / n {
                return;
            }
            y[gid(0) * n] = 1.0;
        }),
    ] {
        let messages = messages(quote!(fn f(y: &mut [f32], n: usize) { #inside; }));
        assert!(messages.is_empty(), "{inside}: {messages:?}");
    }
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
    assert_eq!(needed.matches("requires").count(), 3, "{needed}");
    assert!(needed.contains("requires (5_usize <= a)"), "{needed}");
    assert!(needed.contains("requires (extent(0) == 5_usize)"), "{needed}");
}

#[test]
fn a_remainder_is_followed_only_where_its_divisor_is_not_0() {
    let of = |index: &TokenStream| {
        quote!(
            fn f(y: &mut [f32], n: usize, k: usize, m: usize) {
                let i = gid(0);
                for j in 0..k {
                    y[#index] = 1.0;
                }
            }
        )
    };
    for index in [
        quote!(i + (n - i - (n - i) % m) - (n - i) / m * m),
        quote!(i + (j - j % m) - j / m * m),
        quote!(i + (j - j % 0)),
    ] {
        assert!(!messages(of(&index)).is_empty(), "{index}");
    }
    let text = ir(quote!(device = cpu, domain = n), of(&quote!((i - i % m) * 2 + i % m)));
    assert!(text.contains("requires (0_usize < m)"), "{text}");
    let text = ir(quote!(device = cpu, domain = n), of(&quote!((i - i % 4) * 2 + i % 4)));
    assert!(!text.contains("0_usize <"), "{text}");
}
