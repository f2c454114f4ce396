impl Backend for MyChip {}
const _: () = {
    impl ::ringwood::__private::Registered for MyChip {
        const NAME: &'static str = "mychip";
        const KERNELS_OF: &'static [&'static str] = &["opencl", "cpu"];
        const DIALECT: ::core::option::Option<&'static ::ringwood::__private::Dialect> = ::core::option::Option::Some(
            &printed::MY_C,
        );
        const ENTRY: ::ringwood::__private::Entry = ::ringwood::__private::Entry::new(
            ::ringwood::__private::meta!("mychip"),
            const { &::ringwood::__private::BackendDef::new::<Self>() },
        );
    }
    ::ringwood::__private::submit! {
        < MyChip as ::ringwood::__private::Registered > ::ENTRY
    }
};
