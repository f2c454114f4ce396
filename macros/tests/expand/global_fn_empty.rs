fn hello() {}
///The global function [`hello`](fn@hello), as sessions call it.
#[allow(non_camel_case_types, unreachable_pub, dead_code)]
enum hello {}
#[allow(unreachable_pub, dead_code)]
impl hello {
    /// The registry entry, for registration by hand.
    pub const ENTRY: ::ringwood::__private::Entry = {
        const FUNCTION: &::ringwood::__private::GlobalFn = &::ringwood::__private::GlobalFn {
            name: "say_hello",
            parameters: &[],
            run: |_, _| { <() as ::ringwood::__private::Outcome>::into_outcome(hello()) },
        };
        ::ringwood::__private::Entry::new(
            ::ringwood::__private::meta!("say_hello"),
            FUNCTION,
        )
    };
    ///Calls [`hello`](fn@hello) on every worker of a session.
    ///
    /// The result stays on the workers, in the register that is returned.
    ///
    /// # Errors
    /// The session is closed or does not know the function.
    #[allow(clippy::too_many_arguments)]
    pub fn call(
        session: &::ringwood::__private::Session,
    ) -> ::ringwood::__private::Result<
        ::ringwood::__private::DRef<<() as ::ringwood::__private::Outcome>::Output>,
    > {
        ::ringwood::__private::call(session, Self::ENTRY, [])
    }
}
const _: () = {
    ::ringwood::__private::submit! {
        hello::ENTRY
    }
};
