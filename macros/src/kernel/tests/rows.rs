//! The proof of stores by two indices in each of many rows.

use super::*;

/// A kernel with these stores, over rows and columns.
fn of_rows(body: &TokenStream) -> TokenStream {
    quote!(
        fn f(x: &[f32], y: &mut [f32], n: usize, m: usize, p: usize) {
            #body
        }
    )
}

#[test]
fn pairs_in_each_of_many_rows_are_followed() {
    let halves = quote!(
        let (r, k) = (gid(1), gid(0));
        y[r * 2 * m + k] = 1.0;
        y[r * 2 * m + k + m] = 2.0;
    );
    let flipped = quote!(
        let (r, k) = (gid(1), gid(0));
        y[r * m + k] = 1.0;
        y[r * m + m - 1 - k] = 2.0;
    );
    let butterfly = quote!(
        let (r, i) = (gid(1), gid(0));
        let j = r * m + (i / p) * 2 * p + i % p;
        y[j] = 1.0;
        y[j + p] = 2.0;
    );
    for (domain, body, requires) in [
        (quote!((n, m)), halves.clone(), &["(extent(0) == m)"][..]),
        (
            quote!((n, m)),
            quote!(
                let (r, k) = (gid(1), gid(0));
                y[r * (2 * m) + (k + m)] = 2.0;
                y[r * (2 * m) + k] = 1.0;
            ),
            &["(extent(0) == m)"],
        ),
        (
            quote!((n, m)),
            quote!(
                let (r, k) = (gid(1), gid(0));
                y[(r * 2) * m + k] = 1.0;
                y[(r * 2 + 1) * m + k] = 2.0;
            ),
            &["(extent(0) == m)"],
        ),
        (
            quote!((n, m / 2)),
            quote!(
                let (r, k) = (gid(1), gid(0));
                y[r * m + k] = 1.0;
                y[r * m + k + m / 2] = 2.0;
            ),
            &["(extent(0) == (m / 2_usize))"],
        ),
        // The work-items of a condition.
        (
            quote!((n, p)),
            quote!(
                let (r, k) = (gid(1), gid(0));
                if k < m {
                    y[r * 2 * m + k] = 1.0;
                    y[r * 2 * m + k + m] = 2.0;
                }
            ),
            &[],
        ),
        // Real and imaginary parts of halves.
        (
            quote!((n, m)),
            quote!(
                let j = gid(1) * 2 * m + gid(0);
                y[2 * j] = 1.0;
                y[2 * j + 1] = 2.0;
                y[2 * (j + m)] = 3.0;
                y[2 * (j + m) + 1] = 4.0;
            ),
            &["(extent(0) == m)"],
        ),
        // The turns of a loop.
        (
            quote!(n),
            quote!(for k in 0..m / 2 {
                y[gid(0) * m + k] = 1.0;
                y[gid(0) * m + k + m / 2] = 2.0;
            }),
            &[],
        ),
        // Mirrored in a row, and from its second element on.
        (quote!((n, m / 2)), flipped.clone(), &["(extent(0) == (m / 2_usize))"]),
        (
            quote!((n, m / 2 - 1)),
            quote!(
                let (r, k) = (gid(1), gid(0) + 1);
                y[r * m + k] = 1.0;
                y[r * m + m - k] = 2.0;
            ),
            &["(extent(0) == ((m / 2_usize) - 1_usize))"],
        ),
        (quote!((n, m)), quote!(y[gid(1) * m + m - 1 - gid(0)] = x[gid(1) * m + gid(0)]), &[]),
        // Mirrored rows.
        (
            quote!((n / 2, m)),
            quote!(
                y[gid(1) * m + gid(0)] = 1.0;
                y[(n - 1 - gid(1)) * m + gid(0)] = 2.0;
            ),
            &["(extent(1) == (n / 2_usize))"],
        ),
        (
            quote!(n / 2 - 1),
            quote!(
                let k = gid(0) + 1;
                y[k] = 1.0;
                y[n - k] = 2.0;
            ),
            &["((n / 2_usize) - 1_usize) <= (n - (n / 2_usize))"],
        ),
        (
            quote!(n / 2 - 1),
            quote!(
                let i = gid(0);
                y[n - 1 - i] = 2.0;
                y[1 + i] = 1.0;
            ),
            &["((n / 2_usize) - 1_usize) <= (n - (n / 2_usize))"],
        ),
        // A stage of a transform of each row.
        (quote!((n, m / 2)), butterfly.clone(), &["(0_usize < p)", "<= m)"]),
    ] {
        let text = ir(quote!(device = cpu, domain = #domain), of_rows(&body));
        for part in requires {
            let found = text.lines().any(|l| l.contains("requires") && l.contains(part));
            assert!(found, "{part}: {text}");
        }
    }
    let grouped = ir(
        quote!(device = cpu, group = 64, groups = n),
        of_rows(&quote!(
            let row = grp(0) * m;
            for i in group_range(m / 2) {
                let j = row + (i / p) * 2 * p + i % p;
                y[j] = 1.0;
                y[j + p] = 2.0;
            }
        )),
    );
    assert!(grouped.contains("<= m)"), "{grouped}");
    for (domain, body) in [
        (quote!((n, m + 1)), halves),
        (quote!((n, m / 2 + 1)), flipped.clone()),
        (quote!((n, m)), flipped),
        (quote!((n, m)), butterfly),
        (
            quote!((n, m)),
            quote!(
                let (r, k) = (gid(1), gid(0));
                y[r * 2 * m + k] = 1.0;
                y[r * 2 * m + k + m + 1] = 2.0;
            ),
        ),
        (
            quote!((n, m)),
            quote!(
                let (r, k) = (gid(1), gid(0));
                y[r * m + k] = 1.0;
                y[r * m + k + m] = 2.0;
            ),
        ),
        (
            quote!((n, m / 2)),
            quote!(
                let (r, k) = (gid(1), gid(0));
                y[r * m + k] = 1.0;
                y[r * m + m - k] = 2.0;
            ),
        ),
        (
            quote!((n, m / 2 + 1)),
            quote!(
                let (r, k) = (gid(1), gid(0));
                y[r * m + k] = 1.0;
                y[r * m + k + m / 2] = 2.0;
            ),
        ),
        (
            quote!(n / 2 + 1),
            quote!(
                let k = gid(0) + 1;
                y[k] = 1.0;
                y[n - k] = 2.0;
            ),
        ),
        // The condition says nothing of what is `p` further on.
        (
            quote!((n, m)),
            quote!(
                let (r, i) = (gid(1), gid(0));
                let j = (i / p) * 2 * p + i % p;
                if j < m {
                    y[r * m + j] = 1.0;
                    y[r * m + j + p] = 2.0;
                }
            ),
        ),
    ] {
        let output = run(quote!(device = cpu, domain = #domain), of_rows(&body));
        let messages = output.errors.messages();
        assert!(messages.iter().any(|m| m.contains("work-item")), "{domain} {body}: {messages:?}");
    }
}

#[test]
fn a_condition_on_a_sum_of_both_signs_keeps_it_not_within_a_row() {
    // Where `c` is above `4 * a`, the second loop is in the row before, where the first one may be.
    let text = ir(
        quote!(device = cpu, domain = n),
        of_rows(&quote!(
            for a in 0..p {
                for c in 0..4 {
                    if a * 4 - c < m {
                        y[gid(0) * m + a * 4 - c] = 1.0;
                    }
                }
            }
            for a in 0..2 {
                for c in 0..4 {
                    y[gid(0) * m + a * 4 - c] = 2.0;
                }
            }
        )),
    );
    assert!(text.contains("requires ((p * 4_usize) <= m)"), "{text}");
}
