use super::*;
use quote::quote;

#[test]
fn every_mistake_becomes_one_compile_error_with_its_help() {
    let mut errors = Errors::default();
    errors.at(quote!(a), "first").help("do this");
    errors.at(quote!(b), "second");
    let tokens = Output {
        tokens: quote!(
            struct Kept;
        ),
        errors,
    }
    .into_tokens()
    .to_string();
    assert!(tokens.starts_with("struct Kept ;"), "{tokens}");
    assert_eq!(tokens.matches("compile_error").count(), 2);
    assert!(tokens.contains("first\\nhelp: do this"), "{tokens}");
}

#[test]
fn a_far_name_gets_the_list_and_a_near_one_gets_the_name() {
    let known = ["device", "name"];
    let text = |name: &str| {
        let mut errors = Errors::default();
        errors.at(quote!(x), "unknown key").suggest(name, &known);
        errors.messages().remove(0)
    };
    assert_eq!(text("devcie"), "unknown key\nhelp: did you mean `device`?");
    assert_eq!(text("tensor_size"), "unknown key\nhelp: known are `device` and `name`");
}
