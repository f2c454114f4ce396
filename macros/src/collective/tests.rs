use super::*;
use crate::tests::{assert_expansion, assert_no_default_path};
use quote::quote;

fn messages(input: TokenStream) -> Vec<String> {
    expand(input, Krate::facade()).errors.messages()
}

#[test]
fn a_value_gets_an_instance_and_an_entry() {
    let output = expand(quote!(two_tree, TwoTree::new(8)), Krate::facade());
    assert!(output.errors.is_empty());
    assert_expansion("collective", &output.tokens);
}

#[test]
fn a_crate_path_replaces_the_default() {
    let output = expand(quote!("ring", Ring, crate = crate::runtime,), Krate::facade());
    assert!(output.errors.is_empty(), "{:?}", output.errors.messages());
    assert_no_default_path(&output.tokens);
}

#[test]
fn missing_arguments_are_named() {
    for input in [quote!(), quote!(ring), quote!(ring,)] {
        let messages = messages(input);
        assert!(messages[0].contains("takes a name and a value"), "{messages:?}");
    }
    let swapped = messages(quote!(RingReducer));
    assert!(swapped[0].contains("register_collective!(ring_reducer, RingReducer)"));
}

#[test]
fn an_extra_argument_and_a_bad_name_are_reported_together() {
    let messages = messages(quote!(Ring, RingReducer, Tree, crat = ::x));
    assert_eq!(messages.len(), 3, "{messages:?}");
    assert!(messages[0].contains("`Tree` is one argument too many"));
    assert!(messages[1].contains("did you mean `crate`?"));
    assert!(messages[2].contains("help: write `ring`"));
}

#[test]
fn a_name_that_is_no_name_and_a_value_that_is_no_value_are_refused() {
    assert!(messages(quote!(7, Ring))[0].contains("expected a name"));
    assert!(messages(quote!(ring, struct))[0].contains("expected an expression"));
}
