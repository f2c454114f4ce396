//! Enums whose variants have names.

/// An enum with `ALL`, the name of a variant and the variant of a name.
#[doc(hidden)]
#[macro_export]
macro_rules! named {
    (
        $(#[$meta:meta])*
        pub enum $enum:ident {
            $($(#[$doc:meta])* $variant:ident $name:literal,)*
        }
        $(#[$method_doc:meta])*
        fn $method:ident;
    ) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum $enum {
            $($(#[$doc])* $variant,)*
        }

        impl $enum {
            /// Every one.
            pub const ALL: [$enum; [$($name),*].len()] = [$($enum::$variant),*];

            $(#[$method_doc])*
            pub const fn $method(self) -> &'static str {
                match self {
                    $($enum::$variant => $name,)*
                }
            }

            /// The one of this name.
            pub fn parse(name: &str) -> Option<$enum> {
                $enum::ALL.into_iter().find(|one| one.$method() == name)
            }
        }
    };
}
pub(crate) use named;
