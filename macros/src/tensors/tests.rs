use super::expand;
use crate::krate::Krate;
use crate::tests::{assert_expansion, assert_no_default_path};
use quote::quote;

#[test]
fn a_struct_of_tensors_and_configuration() {
    let output = expand(
        quote! {
            struct Layer<P, const N: usize> where P: Clone {
                weight: Lazy,
                rest: [P; N],
                r#in: Lazy,
                #[tensors(configuration)]
                stride: usize,
            }
        },
        Krate::facade(),
    );
    assert_eq!(output.errors.messages(), Vec::<String>::new());
    assert_expansion("tensors_struct", &output.tokens);
}

#[test]
fn tuples_and_empty_structs_have_their_places_as_names() {
    let output = expand(
        quote!(
            struct Pair(Lazy, Vec<Lazy>);
        ),
        Krate::facade(),
    );
    assert_expansion("tensors_tuple", &output.tokens);
    let output = expand(
        quote!(
            struct Nothing;
        ),
        Krate::facade(),
    );
    assert_expansion("tensors_empty", &output.tokens);
}

#[test]
fn another_crate_is_named_everywhere() {
    let item = quote! {
        #[tensors(crate = ::elsewhere::floor)]
        struct Layer<P> { weight: Lazy, rest: P }
    };
    let output = expand(item, Krate::facade());
    assert!(output.errors.is_empty());
    assert_no_default_path(&output.tokens);
}

#[test]
fn all_mistakes_are_reported() {
    let item = quote! {
        #[tensors(skip)]
        struct Layer {
            #[tensors(configration)]
            stride: usize,
            #[tensors = 3]
            weight: Lazy,
        }
    };
    let messages = expand(item, Krate::facade()).errors.messages();
    assert_eq!(messages.len(), 3, "{messages:?}");
    assert!(messages[0].contains("`crate = path` alone"), "{messages:?}");
    assert!(messages[1].contains("did you mean `configuration`?"), "{messages:?}");
    assert!(messages[2].contains("takes one word"), "{messages:?}");
    for item in [
        quote!(
            enum Either {
                One,
                Other,
            }
        ),
        quote!(union Either { one: u8 }),
    ] {
        let output = expand(item, Krate::facade());
        assert_eq!(output.errors.len(), 1);
        assert!(output.tokens.is_empty());
    }
}
