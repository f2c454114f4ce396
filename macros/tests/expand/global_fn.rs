/// One step.
#[cfg(unix)]
pub fn train_step(w: &Worker, mut batch: Tensor, rate: f32) -> Result<Tensor> {
    body()
}
#[cfg(unix)]
///The global function [`train_step`](fn@train_step), as sessions call it.
#[allow(non_camel_case_types, unreachable_pub, dead_code)]
pub enum train_step {}
#[cfg(unix)]
#[allow(unreachable_pub, dead_code)]
impl train_step {
    /// The registry entry, for registration by hand.
    pub const ENTRY: ::ringwood::__private::Entry = {
        const FUNCTION: &::ringwood::__private::GlobalFn = &::ringwood::__private::GlobalFn {
            name: "train_step",
            parameters: &[
                ::ringwood::__private::Parameter::of::<Tensor>("batch"),
                ::ringwood::__private::Parameter::of::<f32>("rate"),
            ],
            run: |worker, mut arguments| {
                <Result<
                    Tensor,
                > as ::ringwood::__private::Outcome>::into_outcome(
                    train_step(worker, arguments.take()?, arguments.take()?),
                )
            },
        };
        ::ringwood::__private::Entry::new(
            ::ringwood::__private::meta!("train_step"),
            FUNCTION,
        )
    };
    ///Calls [`train_step`](fn@train_step) on every worker of a session.
    ///
    /// The result stays on the workers, in the register that is returned.
    ///
    /// # Errors
    /// The session is closed or does not know the function.
    #[allow(clippy::too_many_arguments)]
    pub fn call(
        session: &::ringwood::__private::Session,
        batch: impl ::ringwood::__private::IntoArgument<Tensor>,
        rate: impl ::ringwood::__private::IntoArgument<f32>,
    ) -> ::ringwood::__private::Result<
        ::ringwood::__private::DRef<
            <Result<Tensor> as ::ringwood::__private::Outcome>::Output,
        >,
    > {
        ::ringwood::__private::call(
            session,
            Self::ENTRY,
            [
                ::ringwood::__private::IntoArgument::<Tensor>::into_argument(batch),
                ::ringwood::__private::IntoArgument::<f32>::into_argument(rate),
            ],
        )
    }
}
#[cfg(unix)]
const _: () = {
    ::ringwood::__private::submit! {
        train_step::ENTRY
    }
};
