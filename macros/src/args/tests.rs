use super::*;
use quote::quote;
use syn::Path;

const KNOWN: &[&str] = &["device", "host", "name"];

fn parse(tokens: TokenStream) -> (Args, Errors) {
    let mut errors = Errors::default();
    let args = Args::parse(tokens, KNOWN, &mut errors);
    (args, errors)
}

#[test]
fn each_form_of_value_is_read() {
    let (args, mut errors) = parse(quote!(device = [cpu, a::b], host, name = "x",));
    let devices: Vec<Path> = args.list("device", "names", &mut errors).unwrap();
    assert_eq!(devices.len(), 2);
    assert!(args.flag("host", &mut errors));
    assert_eq!(args.value::<Name>("name", "a string", &mut errors).unwrap().text, "x");
    assert!(args.value::<Path>("crate", "a path", &mut errors).is_none());
    assert!(errors.is_empty(), "{:?}", errors.messages());
}

#[test]
fn one_value_is_a_list_of_one() {
    let (args, mut errors) = parse(quote!(device = cpu));
    assert_eq!(args.list::<Ident>("device", "names", &mut errors).unwrap().len(), 1);
}

#[test]
fn unknown_double_and_malformed_keys_are_reported_together() {
    let (_, errors) = parse(quote!(nam = "x", host, host, device cpu, name =, "loose"));
    let messages = errors.messages();
    assert_eq!(messages.len(), 5, "{messages:?}");
    assert_eq!(messages[0], "unknown key `nam`\nhelp: did you mean `name`?");
    assert!(messages[1].starts_with("`host` is given twice"));
    assert!(messages[2].contains("expected `=`, as in `device = …`"));
    assert!(messages[3].contains("`name =` has no value"));
}

#[test]
fn a_value_of_the_wrong_form_says_which_form_is_right() {
    let (args, mut errors) = parse(quote!(name = 7, host = yes, device));
    assert!(args.value::<Name>("name", "a string", &mut errors).is_none());
    args.flag("host", &mut errors);
    assert!(args.list::<Ident>("device", "a list of backends", &mut errors).is_none());
    assert_eq!(
        errors.messages(),
        [
            "`name` takes a string",
            "`host` takes no value\nhelp: write `host` alone",
            "`device` takes a list of backends",
        ]
    );
}

#[test]
fn a_name_is_lower_case_ascii() {
    let check = |text: &str| {
        let mut errors = Errors::default();
        let tokens = quote!(#text);
        Name { text: text.into(), tokens }.check("backend", &mut errors);
        errors.messages().pop()
    };
    assert_eq!(check("my_chip2"), None);
    assert!(check("MyChip").unwrap().ends_with("help: write `my_chip`"));
    assert!(check("my-chip").unwrap().ends_with("help: write `my_chip`"));
    assert!(check("2chips").unwrap().ends_with("help: write `chips`"));
    assert!(check("").is_some() && check("_x").is_some() && check("é").is_some());
}

fn krate(tokens: TokenStream) -> (String, Vec<String>) {
    let mut errors = Errors::default();
    let args = Args::parse(tokens, &["crate"], &mut errors);
    let krate = args.krate(Krate::facade(), &mut errors);
    (krate.to_token_stream().to_string().replace(' ', ""), errors.messages())
}

#[test]
fn an_absolute_path_replaces_the_default() {
    assert_eq!(krate(quote!()), ("::ringwood".into(), vec![]));
    assert_eq!(krate(quote!(crate = ::other)), ("::other".into(), vec![]));
    assert_eq!(krate(quote!(crate = crate::a::b)), ("crate::a::b".into(), vec![]));
}

#[test]
fn a_relative_path_is_refused_with_the_correction() {
    let help = |tokens| krate(tokens).1.remove(0);
    assert!(help(quote!(crate = ringwood)).contains("write `crate = ::ringwood` for"));
    assert!(help(quote!(crate = super::super::rt)).contains("`crate = crate::…::rt`"));
    assert!(help(quote!(crate = self::rt)).contains("`crate = crate::…::rt`"));
    assert!(help(quote!(crate = "ringwood")).contains("`crate` takes a path"));
}
