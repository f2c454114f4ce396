impl Backend for MyChip {
    type Device = ();
}
const _: () = {
    impl ::ringwood::__private::Registered for MyChip {
        const NAME: &'static str = "mychip";
        const ENTRY: ::ringwood::__private::Entry = ::ringwood::__private::Entry::backend::<
            Self,
        >(::ringwood::__private::meta!("mychip"));
    }
    ::ringwood::__private::submit! {
        < MyChip as ::ringwood::__private::Registered > ::ENTRY
    }
};
