use super::*;
use crate::tests::{assert_expansion, assert_no_default_path};
use quote::quote;

fn run(args: TokenStream, item: TokenStream) -> Output {
    expand(args, item, Krate::facade())
}

fn messages(args: TokenStream, item: TokenStream) -> Vec<String> {
    run(args, item).errors.messages()
}

#[test]
fn an_impl_is_kept_and_gets_its_entry() {
    let output = run(
        quote!(name = "mychip"),
        quote! {
            impl Backend for MyChip {
                type Device = ();
            }
        },
    );
    assert!(output.errors.is_empty());
    assert_expansion("backend", &output.tokens);
}

#[test]
fn what_the_devices_run_is_a_part_of_the_entry() {
    let args = quote!(name = "mychip", kernels_of = [opencl, cpu], dialect = printed::MY_C);
    let output = run(args, quote!(impl Backend for MyChip {}));
    assert!(output.errors.is_empty());
    assert_expansion("backend_kernels", &output.tokens);
    let one = run(quote!(name = "mychip", kernels_of = cpu), quote!(impl Backend for MyChip {}));
    let text = one.tokens.to_string();
    assert!(text.contains(r#"KERNELS_OF : & 'static [& 'static str] = & ["cpu"]"#), "{text}");
    assert!(!text.contains("DIALECT"), "{text}");
}

#[test]
fn kernels_are_of_other_backends_each_named_once() {
    let args = quote!(name = "mychip", kernels_of = [cpu, cpu, mychip, "Open CL"], dialect = "c");
    let messages = messages(args, quote!(impl Backend for MyChip {}));
    assert_eq!(messages.len(), 4, "{messages:#?}");
    assert!(messages[0].starts_with("`cpu` adds no kernels"), "{messages:#?}");
    assert!(messages[1].starts_with("`mychip` adds no kernels"), "{messages:#?}");
    assert!(messages[2].contains("write `open_c_l`"), "{messages:#?}");
    assert!(
        messages[3].contains("`dialect` takes the path of a static `Dialect`"),
        "{messages:#?}"
    );
}

#[test]
fn a_crate_path_replaces_the_default() {
    let output =
        run(quote!(name = "mychip", crate = crate::runtime), quote!(impl Backend for MyChip {}));
    assert!(output.errors.is_empty());
    assert_no_default_path(&output.tokens);
}

#[test]
fn mistakes_in_arguments_and_item_are_reported_together() {
    let item = quote!(
        impl<T> Driver for Chip<T> {}
    );
    let output = run(quote!(name = "My Chip", colour = 3), item.clone());
    let messages = output.errors.messages();
    assert_eq!(messages.len(), 4, "{messages:#?}");
    assert!(messages[0].starts_with("unknown key `colour`"));
    assert!(messages.iter().any(|m| m.contains("write `my_chip`")));
    assert!(messages.iter().any(|m| m.contains("`impl Driver for …` is not `impl Backend`")));
    assert!(messages.iter().any(|m| m.contains("cannot be generic")));
    assert_eq!(output.tokens.to_string(), item.to_string());
}

#[test]
fn other_items_are_refused_and_kept() {
    let item = quote!(
        struct MyChip;
    );
    let output = run(quote!(name = "mychip"), item.clone());
    assert!(output.errors.messages()[0].contains("stands on `impl Backend for …`"));
    assert_eq!(output.tokens.to_string(), item.to_string());
    let inherent = messages(quote!(name = "mychip"), quote!(impl MyChip {}));
    assert!(inherent[0].contains("implements no trait"), "{inherent:?}");
    let negative = messages(quote!(name = "mychip"), quote!(impl !Backend for MyChip {}));
    assert!(negative[0].contains("denies the trait"), "{negative:?}");
}

#[test]
fn a_name_is_required_and_the_type_proposes_one() {
    let missing = messages(quote!(), quote!(impl Backend for gpu::MyChip {}));
    assert_eq!(missing.len(), 1);
    assert!(missing[0].contains("help: write `#[backend(name = \"my_chip\")]`"), "{missing:?}");
}

#[test]
fn a_class_of_devices_is_no_name_of_a_backend() {
    let told = messages(quote!(name = "gpu"), quote!(impl Backend for Gpu {}));
    assert!(told.len() == 1 && told[0].starts_with("`gpu` is a class of devices"), "{told:?}");
}

/// What the body lacks, the compiler tells.
#[test]
fn the_body_may_be_half_typed() {
    let output = run(quote!(name = "mychip"), quote!(impl Backend for Chip { fn launch }));
    assert!(output.errors.is_empty(), "{:?}", output.errors.messages());
}
