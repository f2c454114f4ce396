#[doc(hidden)]
#[allow(dead_code, non_camel_case_types, unreachable_pub)]
pub enum __collective_two_tree {}
///The collective `two_tree`; `ENTRY` registers it by hand.
#[allow(dead_code, non_camel_case_types, unreachable_pub)]
pub type two_tree = __collective_two_tree;
const _: () = {
    static DEF: ::ringwood::__private::CollectiveDef = ::ringwood::__private::CollectiveDef {
        collective: ::ringwood::__private::Shared::Declared(&(TwoTree::new(8))),
    };
    impl __collective_two_tree {
        /// The registry entry, for registration by hand.
        #[allow(dead_code, unreachable_pub)]
        pub const ENTRY: ::ringwood::__private::Entry = ::ringwood::__private::Entry::new(
            ::ringwood::__private::meta!("two_tree"),
            &DEF,
        );
    }
    ::ringwood::__private::submit! {
        __collective_two_tree::ENTRY
    }
};
