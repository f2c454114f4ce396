//! `register_operator!`.

/// Declares an operator and registers it.
///
/// The declaration makes an empty enum with the constants `OPERATOR` and `ENTRY`; the latter is
/// for registration by hand. `MatMul = matmul;` names the operator as the kernel `matmul`, which must be in
/// scope; `MatMul = "matmul";` takes the kernel of that name of the same package, wherever it stands. A
/// text that is no rule is a compile error. Fields other than `shape` may be left out; they come in this order:
///
/// | field | value | default |
/// |---|---|---|
/// | `shape` | a [`ShapeRule`](crate::operator::ShapeRule) | |
/// | `dtype` | a [`DTypeRule`](crate::operator::DTypeRule) | all operands and results have one dtype |
/// | `attributes` | `{ name: type, … }`, types as in [`Scalar`](ringwood_base::Scalar); a symbol of the results alone is one, `usize` | none |
/// | `kernels` | `[path, …]` to kernels, the best first | the kernel of the operator's name |
/// | `first` | a function of the [`Application`](crate::operator::Application): the first of `kernels` that it may take | 0 |
/// | `gradient` | a [`Gradient`](crate::operator::Gradient) | none: asking for it is an error |
///
/// ```
/// use ringwood_graph::graph::Graph;
/// use ringwood_base::{DType, Result};
/// use ringwood_graph::register_operator;
/// use ringwood_base::registry::Registry;
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
/// ringwood_graph::register_operator! { pub Swap = "swap"; shape: "m n => n m" }
/// ```
#[macro_export]
macro_rules! register_operator {
    (@kind bool) => { $crate::__private::ScalarType::Bool };
    (@kind i32) => { $crate::__private::ScalarType::I32 };
    (@kind u32) => { $crate::__private::ScalarType::U32 };
    (@kind i64) => { $crate::__private::ScalarType::I64 };
    (@kind u64) => { $crate::__private::ScalarType::U64 };
    (@kind usize) => { $crate::__private::ScalarType::Usize };
    (@kind f32) => { $crate::__private::ScalarType::F32 };
    (@kind f64) => { $crate::__private::ScalarType::F64 };
    (@kind u8) => { $crate::__private::ScalarType::U8 };
    (@kind i8) => { $crate::__private::ScalarType::I8 };
    (@kind i16) => { $crate::__private::ScalarType::I16 };
    (@kind u16) => { $crate::__private::ScalarType::U16 };
    (@kind f16) => { $crate::__private::ScalarType::F16 };
    (@kind bf16) => { $crate::__private::ScalarType::BF16 };
    (@kernels $name:tt) => { &[$crate::register_operator!(@kernel $name)] };
    (@kernels $name:tt $($kernel:path)+) => { &[$($crate::__private::KernelName::of::<$kernel>()),+] };
    (@kernel $name:literal) => {
        $crate::__private::KernelName { package: $crate::__private::package_here!(), name: $name }
    };
    (@kernel $name:ident) => { $crate::__private::KernelName::of::<$name>() };
    (@name $name:literal) => { $name };
    (@name $name:ident) => { ::core::stringify!($name) };
    (
        $(#[$meta:meta])*
        $vis:vis $type:ident = $name:tt;
        shape: $shape:literal
        $(, dtype: $dtype:literal)?
        $(, attributes: { $($attribute:ident: $kind:ident),* $(,)? })?
        $(, kernels: [$($kernel:path),+ $(,)?])?
        $(, first: $first:expr)?
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
                    $(first: $first,)?
                    kernels: $crate::register_operator!(@kernels $name $($($kernel)+)?),
                    $(gradient: ::core::option::Option::Some($gradient),)?
                    ..$crate::operator::Operator {
                        name: $crate::register_operator!(@name $name),
                        shape: $shape,
                        dtype: "",
                        attributes: &[],
                        kernels: &[],
                        first: |_| 0,
                        gradient: ::core::option::Option::None,
                    }
                };

            /// The entry for registration by hand.
            $vis const ENTRY: $crate::__private::Entry =
                $crate::__private::Entry::new(
                    $crate::__private::meta!($type::OPERATOR.name),
                    $type::OPERATOR,
                );
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
            const UNDECLARED: &str = $crate::operator::undeclared(
                $type::OPERATOR.shape,
                $type::OPERATOR.attributes,
            );
            ::core::assert!(
                UNDECLARED.is_empty(),
                "{}",
                $crate::operator::Complaint::about(UNDECLARED).text()
            );
            $crate::__private::submit! { $type::ENTRY }
        };
    };
}
