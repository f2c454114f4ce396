//! `register_operator!`.

/// Declares an operator and registers it.
///
/// The declaration makes an empty enum with the constants `OPERATOR` and `ENTRY`; the latter is
/// for registration by hand; and, with the feature `lazy`, with `MatMul::on(&[&x, &w], ())`, which applies it to lazy
/// tensors. `MatMul = matmul;` names the operator as the kernel `matmul`, which must be in
/// scope; `MatMul = "matmul";` takes the kernel of that name of the same package, wherever it stands. A
/// text that is no rule is a compile error. Fields other than `shape` may be left out; they come in this order:
///
/// | field | value | default |
/// |---|---|---|
/// | `shape` | a [`ShapeRule`](crate::operator::ShapeRule) | |
/// | `dtype` | a [`DTypeRule`](crate::operator::DTypeRule) | all operands and results have one dtype |
/// | `attributes` | `{ name: type, … }`, types as in [`Scalar`](ringwood_base::Scalar), lists `[i64]` and `[f32]`, texts `str` and `[str]`, or `dtype`; a symbol of the results alone is one, `usize` | none |
/// | `fits` | a [`Fit`](crate::operator::Fit): what the rules cannot say of the operands | everything fits |
/// | `kernels` | `[path, …]` to kernels, the best first | the kernel of the operator's name |
/// | `first` | a function of the [`Application`](crate::operator::Application): the first of `kernels` that it may take | 0 |
/// | `computes` | texts: what it [computes](crate::operator::Operator::computes) in place of other operators | nothing |
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
/// An operator that moves no data has a `view` instead of `shape`, `dtype` and `kernels`, and a text for its
/// name: a [`ViewRule`](crate::operator::ViewRule), which says where the elements of the result are in the
/// only operand.
///
/// ```
/// use ringwood_base::registry::Registry;
/// use ringwood_base::{DType, Result};
/// use ringwood_graph::graph::{Graph, View};
/// use ringwood_graph::register_operator;
///
/// register_operator! {
///     /// The dimensions in reverse order.
///     pub Reversed = "reversed";
///     view: |operand, _| {
///         let order: Vec<_> = (0..operand.extents().len()).rev().collect();
///         Ok(Some(View { first: 0, layout: operand.permute(&order)? }))
///     },
/// }
///
/// # fn main() -> Result<()> {
/// let registry = Registry::builder().register(Reversed::ENTRY).build()?;
/// let mut graph = Graph::with_registry(registry);
/// let x = graph.input("x", DType::F32, &[8, 3])?;
/// let y = graph.apply("reversed", &[x])?;
/// assert_eq!(graph.type_of(y)?.to_string(), "f32[3, 8]");
/// # Ok(())
/// # }
/// ```
///
/// An operator that is made of others has a [`Decomposition`](crate::operator::Decomposition) instead,
/// `decompose`, of a [`Call`](crate::compose::Call), which may ask for values that are known before a run, as
/// [`Graph::integers`] gives them. Attributes that an application may leave out stand behind the others, as
/// `optional: { name: type, … }`; with `attributes: any`, it may give any.
///
/// ```
/// # use ringwood_graph::register_operator;
/// register_operator! {
///     /// The first operand with the shape that the second holds.
///     pub ShapedAs = "shaped_as";
///     decompose: |c| {
///         let [x, like] = c.exactly()?;
///         let shape = c.graph.integers(like)?;
///         Ok(vec![c.apply_with("reshape", &[x], [("shape", shape)])?])
///     },
/// }
/// ```
///
/// [`Graph::integers`]: crate::graph::Graph::integers
///
/// ```compile_fail
/// ringwood_graph::register_operator! { pub Swap = "swap"; shape: "m n => n m" }
/// ```
#[macro_export]
macro_rules! register_operator {
    (@attributes $($name:ident: $kind:tt),*) => {
        &[$($crate::operator::AttributeDef {
            name: ::core::stringify!($name),
            kind: $crate::register_operator!(@kind $kind),
        }),*]
    };
    (@kind [i64]) => { $crate::graph::AttributeKind::Integers };
    (@kind [f32]) => { $crate::graph::AttributeKind::Floats };
    (@kind str) => { $crate::graph::AttributeKind::Text };
    (@kind [str]) => { $crate::graph::AttributeKind::Texts };
    (@kind dtype) => { $crate::graph::AttributeKind::DType };
    (@kind $scalar:ident) => {
        $crate::graph::AttributeKind::Scalar($crate::operator::scalar_type(::core::stringify!($scalar)))
    };
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
        $vis:vis $type:ident = $name:literal;
        decompose: $decompose:expr,
        attributes: any
        $(,)?
    ) => {
        $crate::register_operator! {
            @item [$(#[$meta])*] $vis $type = $name;
            any_attributes: true,
            decompose: ::core::option::Option::Some($decompose),
        }
    };
    (
        $(#[$meta:meta])*
        $vis:vis $type:ident = $name:literal;
        decompose: $decompose:expr
        $(, attributes: { $($attribute:ident: $kind:tt),* $(,)? })?
        $(, optional: { $($option:ident: $option_kind:tt),* $(,)? })?
        $(,)?
    ) => {
        $crate::register_operator! {
            @item [$(#[$meta])*] $vis $type = $name;
            $(attributes: $crate::register_operator!(@attributes $($attribute: $kind),*),)?
            $(optional: $crate::register_operator!(@attributes $($option: $option_kind),*),)?
            decompose: ::core::option::Option::Some($decompose),
        }
    };
    (
        $(#[$meta:meta])*
        $vis:vis $type:ident = $name:literal;
        view: $view:expr
        $(, attributes: { $($attribute:ident: $kind:tt),* $(,)? })?
        $(, gradient: $gradient:expr)?
        $(,)?
    ) => {
        $crate::register_operator! {
            @item [$(#[$meta])*] $vis $type = $name;
            $(attributes: $crate::register_operator!(@attributes $($attribute: $kind),*),)?
            view: ::core::option::Option::Some($view),
            $(gradient: ::core::option::Option::Some($gradient),)?
        }
    };
    (
        $(#[$meta:meta])*
        $vis:vis $type:ident = $name:tt;
        shape: $shape:literal
        $(, dtype: $dtype:literal)?
        $(, attributes: { $($attribute:ident: $kind:tt),* $(,)? })?
        $(, fits: $fits:expr)?
        $(, kernels: [$($kernel:path),+ $(,)?])?
        $(, first: $first:expr)?
        $(, computes: [$($computes:literal),+ $(,)?])?
        $(, gradient: $gradient:expr)?
        $(,)?
    ) => {
        $crate::register_operator! {
            @item [$(#[$meta])*] $vis $type = $name;
            shape: $shape,
            $(dtype: $dtype,)?
            $(attributes: $crate::register_operator!(@attributes $($attribute: $kind),*),)?
            $(fits: $fits,)?
            $(first: $first,)?
            $(computes: &[$($computes),+],)?
            kernels: $crate::register_operator!(@kernels $name $($($kernel)+)?),
            $(gradient: ::core::option::Option::Some($gradient),)?
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
        };
    };
    (@item [$($meta:tt)*] $vis:vis $type:ident = $name:tt; $($fields:tt)*) => {
        $($meta)*
        #[derive(Clone, Copy, Debug)]
        $vis enum $type {}

        impl $type {
            /// The operator.
            #[allow(clippy::needless_update, dead_code)]
            $vis const OPERATOR: &'static $crate::operator::Operator = {
                // A static is compiled where it stands; what a constant refers to, wherever the constant is named.
                static __OPERATOR: $crate::operator::Operator = $crate::operator::Operator {
                    $($fields)*
                    ..$crate::operator::Operator {
                        name: $crate::register_operator!(@name $name),
                        shape: "",
                        dtype: "",
                        attributes: &[],
                        optional: &[],
                        any_attributes: false,
                        fits: |_, _| ::core::result::Result::Ok(()),
                        kernels: &[],
                        first: |_| 0,
                        view: ::core::option::Option::None,
                        decompose: ::core::option::Option::None,
                        computes: &[],
                        gradient: ::core::option::Option::None,
                    }
                };
                &__OPERATOR
            };

            /// The entry for registration by hand.
            $vis const ENTRY: $crate::__private::Entry =
                $crate::__private::Entry::new(
                    $crate::__private::meta!($type::OPERATOR.name),
                    $type::OPERATOR,
                );
        }

        $crate::__operator_on! { $vis $type }

        const _: () = {
            $crate::__private::submit! { $type::ENTRY }
        };
    };
}

/// The call of a declared operator, where there are lazy tensors.
#[cfg(feature = "lazy")]
#[doc(hidden)]
#[macro_export]
macro_rules! __operator_on {
    ($vis:vis $type:ident) => {
        impl $type {
            /// The operator applied to lazy tensors, with attributes by name.
            #[allow(dead_code)]
            #[track_caller]
            $vis fn on(
                operands: &[&$crate::lazy::Lazy],
                attributes: impl ::core::convert::Into<$crate::graph::Attributes>,
            ) -> $crate::lazy::Lazy {
                $crate::lazy::Lazy::applied($type::ENTRY, operands, attributes)
            }
        }
    };
}

/// Nothing, where there are no lazy tensors.
#[cfg(not(feature = "lazy"))]
#[doc(hidden)]
#[macro_export]
macro_rules! __operator_on {
    ($vis:vis $type:ident) => {};
}
