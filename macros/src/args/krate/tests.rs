use super::*;
use proc_macro2::TokenStream;
use quote::quote;

fn parse(tokens: TokenStream) -> (String, Vec<String>) {
    let mut errors = Errors::default();
    let args = Args::parse(tokens, &["crate"], &mut errors);
    let krate = args.krate(Krate::facade(), &mut errors);
    (krate.to_token_stream().to_string().replace(' ', ""), errors.messages())
}

#[test]
fn an_absolute_path_replaces_the_default() {
    assert_eq!(parse(quote!()), ("::ringwood".into(), vec![]));
    assert_eq!(parse(quote!(crate = ::other)), ("::other".into(), vec![]));
    assert_eq!(parse(quote!(crate = crate::a::b)), ("crate::a::b".into(), vec![]));
}

#[test]
fn a_relative_path_is_refused_with_the_correction() {
    let help = |tokens| parse(tokens).1.remove(0);
    assert!(help(quote!(crate = ringwood)).contains("write `crate = ::ringwood` for"));
    assert!(help(quote!(crate = super::super::rt)).contains("`crate = crate::…::rt`"));
    assert!(help(quote!(crate = self::rt)).contains("`crate = crate::…::rt`"));
    assert!(help(quote!(crate = "ringwood")).contains("`crate` takes a path"));
}
