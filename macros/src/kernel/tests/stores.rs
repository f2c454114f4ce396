//! The proof that no two work-items store to one element: what it follows, and what it refuses.

use super::*;

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
        (
            quote!(for c in (0..3).step_by(2) {
                y[i * 3 + c] = 1.0;
            }),
            &[],
        ),
        (
            quote!(for c in 1..4 {
                y[i * 4 + c] = y[i * 4 + c - 1];
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
            &["((k * 2_usize) <= (18446744073709551615_usize - (k * 2_usize)))"],
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
        (
            quote!(y[i / n] = 1.0),
            "work-items that differ in `gid(0)` alone may have the same index",
        ),
        (
            quote!(y[i % n * 4] = 1.0),
            "work-items that differ in `gid(0)` alone may have the same index",
        ),
        (
            quote!(y[gid(1)] = 1.0),
            "work-items that differ in `gid(0)` alone may have the same index",
        ),
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
        let item = quote!(
            fn f(x: &[f32], y: &mut [f32], n: usize, m: usize, s: usize, items: usize) {
                #body;
            }
        );
        let written = body.to_string();
        let rank = (1..=3).rev().find(|d| written.contains(&format!("gid ({})", d - 1)));
        let domain = vec![quote!(items); rank.unwrap_or(1)];
        let messages = run(quote!(device = cpu, domain = (#(#domain),*)), item).errors.messages();
        assert!(messages.is_empty(), "{body}: {messages:?}");
    }
}
