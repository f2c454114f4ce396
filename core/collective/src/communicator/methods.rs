//! Methods of a communicator and of a call with options, declared once.

/// Methods of [`Communicator`](super::Communicator), and the same of [`Call`](super::Call), which hand
/// an invocation and its data to the method `$run` of a call, by `$by`.
macro_rules! operations {
    ($run:ident, $by:ident; $(
        $(#[$doc:meta])*
        $name:ident $(<$t:ident: $bound:ident>)? ($($arg:ident: $ty:ty),*) = $what:expr, $data:expr;
    )*) => {
        impl Communicator {
            $(
                $(#[$doc])*
                ///
                /// # Errors
                #[doc = concat!("See [`Call::", stringify!($run), "`].")]
                pub fn $name$(<$t: $bound>)?(&self, $($arg: $ty),*) -> Result<()> {
                    self.call().$name($($arg),*)
                }
            )*
        }

        impl Call<'_> {
            $(
                #[doc = concat!("[`Communicator::", stringify!($name), "`] with these options.")]
                ///
                /// # Errors
                #[doc = concat!("See [`Call::", stringify!($run), "`].")]
                pub fn $name$(<$t: $bound>)?(self, $($arg: $ty),*) -> Result<()> {
                    self.$by(&$what, $data)
                }
            )*
        }
    };
}

pub(super) use operations;
