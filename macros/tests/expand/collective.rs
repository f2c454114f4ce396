///The collective `two_tree`; `ENTRY` registers it by hand.
#[allow(dead_code, non_camel_case_types, unreachable_pub)]
pub enum two_tree {}
const _: () = {
    static DEF: ::ringwood::__private::CollectiveDef = ::ringwood::__private::CollectiveDef {
        collective: ::ringwood::__private::Shared::Declared(&(TwoTree::new(8))),
    };
    impl two_tree {
        /// The registry entry, for registration by hand.
        #[allow(dead_code, unreachable_pub)]
        pub const ENTRY: ::ringwood::__private::Entry = ::ringwood::__private::Entry::new(
            ::ringwood::__private::meta!("two_tree"),
            &DEF,
        );
    }
    ::ringwood::__private::submit! {
        two_tree::ENTRY
    }
};
