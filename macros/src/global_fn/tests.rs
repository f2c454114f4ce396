use super::*;
use crate::tests::{assert_expansion, assert_no_default_path};
use quote::quote;

fn run(args: TokenStream, item: TokenStream) -> Output {
    expand(args, item, Krate::facade())
}

fn messages(item: TokenStream) -> Vec<String> {
    run(quote!(), item).errors.messages()
}

#[test]
fn a_function_is_kept_and_gets_its_companion() {
    let output = run(
        quote!(),
        quote! {
            /// One step.
            #[cfg(unix)]
            pub fn train_step(w: &Worker, mut batch: Tensor, rate: f32) -> Result<Tensor> {
                body()
            }
        },
    );
    assert!(output.errors.is_empty(), "{:?}", output.errors.messages());
    assert_expansion("global_fn", &output.tokens);
}

#[test]
fn a_worker_arguments_and_a_result_are_optional() {
    let output = run(
        quote!(name = "say_hello"),
        quote!(
            fn hello() {}
        ),
    );
    assert!(output.errors.is_empty(), "{:?}", output.errors.messages());
    assert_expansion("global_fn_empty", &output.tokens);
}

#[test]
fn a_crate_path_replaces_the_default() {
    let output = run(
        quote!(crate = crate::rt),
        quote!(
            fn f(w: &Worker, a: i64) -> i64 {
                a
            }
        ),
    );
    assert!(output.errors.is_empty());
    assert_no_default_path(&output.tokens);
}

#[test]
fn every_mistake_of_a_signature_is_reported() {
    let item = quote! {
        async unsafe extern "C" fn f<T>(&self, x: &str, (a, b): (i64, i64), c: impl Copy)
            -> impl Copy {}
    };
    let output = run(quote!(), item.clone());
    let messages = output.errors.messages();
    for expected in [
        "cannot be `async`",
        "cannot be `unsafe`",
        "cannot be `extern`",
        "cannot be generic",
        "cannot be a method",
        "`&str` does not live on another worker\nhelp: take `x: String`",
        "needs a name, not a pattern",
        "`impl Copy` names no type",
    ] {
        assert!(messages.iter().any(|m| m.contains(expected)), "{expected}: {messages:#?}");
    }
    assert_eq!(messages.iter().filter(|m| m.contains("`impl Copy`")).count(), 2);
    assert_eq!(output.tokens.to_string(), item.to_string());
}

#[test]
fn the_worker_comes_first_and_by_shared_reference() {
    let by_value = messages(quote!(
        fn f(w: Worker) {}
    ));
    assert!(by_value[0].contains("help: write `w: &Worker`"), "{by_value:?}");
    let mutable = messages(quote!(
        fn f(w: &mut session::Worker) {}
    ));
    assert!(mutable[0].contains("help: write `w: &session::Worker`"), "{mutable:?}");
    let late = messages(quote!(
        fn f(a: i64, w: &Worker) {}
    ));
    assert!(late[0].contains("the worker is the first parameter"), "{late:?}");
}

#[test]
fn a_half_typed_body_does_no_harm() {
    assert_eq!(messages(quote!(fn f(a: i64) -> i64 { a. })), [] as [String; 0]);
}

#[test]
fn other_items_are_refused() {
    assert!(
        messages(quote!(
            struct S;
        ))[0]
            .contains("`#[global_fn]` stands on a function")
    );
    assert!(
        messages(quote!(
            fn f(a: i64);
        ))[0]
            .contains("has no body")
    );
}
