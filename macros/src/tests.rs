//! What the unit tests of all macros share.

use proc_macro2::{TokenStream, TokenTree};
use std::path::PathBuf;
use std::{env, fs};

/// The source of an expansion, formatted.
pub(crate) fn pretty(tokens: &TokenStream) -> String {
    let file = syn::parse2(tokens.clone())
        .unwrap_or_else(|error| panic!("the expansion is not a file: {error}\n{tokens}"));
    prettyplease::unparse(&file)
}

/// Compares an expansion with `tests/expand/<name>.rs`; `RINGWOOD_BLESS=1` rewrites that file.
pub(crate) fn assert_expansion(name: &str, tokens: &TokenStream) {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join(format!("tests/expand/{name}.rs"));
    let actual = pretty(tokens);
    if env::var_os("RINGWOOD_BLESS").is_some() {
        fs::write(&path, &actual).unwrap();
    }
    let expected = fs::read_to_string(&path).unwrap_or_default();
    assert_eq!(actual, expected, "{}: RINGWOOD_BLESS=1 accepts the new text", path.display());
}

/// Proves that `crate = …` removed the default path: none of the default's names is left.
pub(crate) fn assert_no_default_path(tokens: &TokenStream) {
    for token in tokens.clone() {
        match token {
            TokenTree::Group(group) => assert_no_default_path(&group.stream()),
            TokenTree::Ident(ident) => {
                let name = ident.to_string();
                assert!(!["ringwood", "ringwood_core"].contains(&name.as_str()), "names `{name}`");
            }
            TokenTree::Punct(_) | TokenTree::Literal(_) => {}
        }
    }
}
