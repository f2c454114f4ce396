//! `register_operator!`.

/// Declares an operator and registers it.
///
/// The declaration makes an empty enum with the constants `OPERATOR` and `ENTRY`; the latter is
/// for registration by hand. A text that is no rule is a compile error. Fields other than `shape` may be left out; they come in this order:
///
/// | field | value | default |
/// |---|---|---|
/// | `shape` | a [`ShapeRule`](crate::operator::ShapeRule) | |
/// | `dtype` | a [`DTypeRule`](crate::operator::DTypeRule) | all operands and results have one dtype |
/// | `attributes` | `{ name: type, … }`, types as in [`Scalar`](crate::Scalar) | none |
/// | `kernels` | a [`Kernels`](crate::operator::Kernels) | the kernel of the operator's name |
/// | `gradient` | a [`Gradient`](crate::operator::Gradient) | none: asking for it is an error |
///
/// ```
/// use ringwood_core::graph::Graph;
/// use ringwood_core::{DType, Result, register_operator};
/// use ringwood_core::registry::Registry;
///
/// register_operator! {
///     /// The difference of two tensors, squared.
///     pub SquaredDifference = "squared_difference";
///     shape: "..., ... -> ...",
///     dtype: "F, F -> F",
/// }
///
/// # fn main() -> Result<()> {
/// let registry = Registry::builder().register(SquaredDifference::ENTRY).build()?;
/// let mut graph = Graph::with_registry(registry);
/// let x = graph.input("x", DType::F32, &[8, 3])?;
/// let y = graph.input("y", DType::F32, &[3])?;
/// let d = graph.apply("squared_difference", &[x, y])?;
/// assert_eq!(graph.type_of(d)?.to_string(), "f32[8, 3]");
/// # Ok(())
/// # }
/// ```
///
/// ```compile_fail
/// ringwood_core::register_operator! { pub Swap = "swap"; shape: "m n => n m" }
/// ```
#[macro_export]
macro_rules! register_operator {
    (@kind bool) => { $crate::ScalarType::Bool };
    (@kind i32) => { $crate::ScalarType::I32 };
    (@kind u32) => { $crate::ScalarType::U32 };
    (@kind i64) => { $crate::ScalarType::I64 };
    (@kind u64) => { $crate::ScalarType::U64 };
    (@kind usize) => { $crate::ScalarType::Usize };
    (@kind f32) => { $crate::ScalarType::F32 };
    (@kind f64) => { $crate::ScalarType::F64 };
    (@kind u8) => { $crate::ScalarType::U8 };
    (@kind f16) => { $crate::ScalarType::F16 };
    (@kind bf16) => { $crate::ScalarType::BF16 };
    (
        $(#[$meta:meta])*
        $vis:vis $type:ident = $name:literal;
        shape: $shape:literal
        $(, dtype: $dtype:literal)?
        $(, attributes: { $($attribute:ident: $kind:ident),* $(,)? })?
        $(, kernels: $kernels:expr)?
        $(, gradient: $gradient:expr)?
        $(,)?
    ) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug)]
        $vis enum $type {}

        impl $type {
            /// The operator.
            #[allow(clippy::needless_update, dead_code)]
            $vis const OPERATOR: &'static $crate::operator::Operator =
                &$crate::operator::Operator {
                    $(dtype: $dtype,)?
                    $(attributes: &[$($crate::operator::AttributeDef {
                        name: ::core::stringify!($attribute),
                        kind: $crate::register_operator!(@kind $kind),
                    }),*],)?
                    $(kernels: ::core::option::Option::Some($kernels),)?
                    $(gradient: ::core::option::Option::Some($gradient),)?
                    ..$crate::operator::Operator {
                        name: $name,
                        shape: $shape,
                        dtype: "",
                        attributes: &[],
                        kernels: ::core::option::Option::None,
                        gradient: ::core::option::Option::None,
                    }
                };

            /// The entry for registration by hand.
            $vis const ENTRY: $crate::__private::Entry = $crate::__private::Entry {
                meta: $crate::__private::EntryMeta {
                    name: $name,
                    module_path: ::core::module_path!(),
                    file: ::core::file!(),
                    line: ::core::line!(),
                },
                item: $crate::__private::Item::Operator($type::OPERATOR),
            };
        }

        const _: () = {
            ::core::assert!(
                $crate::operator::is_shape_rule($type::OPERATOR.shape),
                "this is no shape rule; write one like `m k, k n -> m n` or `..., ... -> ...`"
            );
            ::core::assert!(
                $crate::operator::same_arity($type::OPERATOR.shape, $type::OPERATOR.dtype),
                "the dtype rule has another number of operands or results than the shape rule"
            );
            $crate::__private::submit! { $type::ENTRY }
        };
    };
}
