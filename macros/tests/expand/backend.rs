impl Backend for MyChip {
    type Device = ();
}
const _: () = {
    impl ::ringwood::__private::Registered for MyChip {
        const NAME: &'static str = "mychip";
        const ENTRY: ::ringwood::__private::Entry = ::ringwood::__private::Entry::new(
            ::ringwood::__private::meta!("mychip"),
            const { &::ringwood::__private::BackendDef::new::<Self>() },
        );
    }
    ::ringwood::__private::submit! {
        < MyChip as ::ringwood::__private::Registered > ::ENTRY
    }
};
