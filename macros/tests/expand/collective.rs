///The registry entry of the collective `two_tree`, for registration by hand.
#[allow(dead_code, unreachable_pub)]
pub const TWO_TREE: ::ringwood::__private::Entry = {
    static INSTANCE: &dyn ::ringwood::__private::Collective = &(TwoTree::new(8));
    ::ringwood::__private::Entry::collective(
        ::ringwood::__private::meta!("two_tree"),
        INSTANCE,
    )
};
const _: () = {
    ::ringwood::__private::submit! {
        TWO_TREE
    }
};
