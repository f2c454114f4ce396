use super::*;
use quote::quote;

#[test]
fn code_is_written_as_a_person_writes_it() {
    for (tokens, expected) in [
        (quote!(i & (half - 1)), "i & (half - 1)"),
        (quote!(y[i * n + c]), "y[i * n + c]"),
        (quote!(!(a < b) && -x > -1.0), "!(a < b) && -x > -1.0"),
        (quote!(n < m && m > n), "n < m && m > n"),
        (quote!(i >> 1 << k), "i >> 1 << k"),
        (quote!(x - -1), "x - -1"),
        (quote!((a, b) = (b, a)), "(a, b) = (b, a)"),
        (quote!(a[[i, j - 1]]), "a[[i, j - 1]]"),
        (quote!([0.0; 8]), "[0.0; 8]"),
        (quote!((0..=n).rev().step_by(3)), "(0..=n).rev().step_by(3)"),
        (quote!((x as f32).max(-y)), "(x as f32).max(-y)"),
        (quote!(core::f32::consts::PI), "core::f32::consts::PI"),
        (quote!(if i < n { x[i] } else { 0.0 }), "if i < n { x[i] } else { 0.0 }"),
        (quote!(return (a)), "return (a)"),
        (quote!(shared!(t: [f32; 16])), "shared!(t: [f32; 16])"),
        (quote!(atomic_add(&mut y[i], *v)), "atomic_add(&mut y[i], *v)"),
        (quote!(while s > 0 {}), "while s > 0 {}"),
        (quote!(s += x[k] ^ 1), "s += x[k] ^ 1"),
    ] {
        assert_eq!(text(&tokens), expected);
    }
}

#[test]
fn types_are_written_as_a_person_writes_them() {
    for (tokens, expected) in [
        (quote!(&mut View<f32, 2>), "&mut View<f32, 2>"),
        (quote!(&HashMap<u32, Vec<Vec<f32>>>), "&HashMap<u32, Vec<Vec<f32>>>"),
        (quote!(&'a [f32]), "&'a [f32]"),
        (quote!(scaled::<16>), "scaled::<16>"),
        (quote!(<T as Trait>::Item), "<T as Trait>::Item"),
        (quote!(fn(f32, &str) -> u32), "fn(f32, &str) -> u32"),
        (quote!(0 as Acc<T>), "0 as Acc<T>"),
        (quote!([[f32; 16]; 17]), "[[f32; 16]; 17]"),
    ] {
        assert_eq!(text(&tokens), expected);
    }
}
