//! Every form of every declaration, in a crate that denies warnings and forbids `unsafe`.
#![forbid(unsafe_code)]
#![deny(warnings, missing_docs)]

#[path = "support/chip.rs"]
mod chip;

/// A crate that hides Ringwood behind a path of its own.
pub mod vendor {
    pub mod runtime {
        //! What expansions with `crate = crate::vendor::runtime` name.
        pub use ringwood::*;
    }
}

/// Declarations as a program writes them.
pub mod declared {
    use ringwood::backend::Backend;
    use ringwood::collective::{Collective, Descriptor, Lane, Params, Rank};
    use ringwood::session::Worker;
    use ringwood::{Error, Result, backend, global_fn, kernel, register_collective};

    /// A backend.
    pub struct Chip;

    #[backend(name = "declared_chip")]
    impl Backend for Chip {
        crate::chip::body!();
    }

    /// A collective with a parameter.
    pub struct Tree {
        fan_out: usize,
    }

    impl Tree {
        /// A tree of that fan-out.
        pub const fn new(fan_out: usize) -> Self {
            Self { fan_out }
        }
    }

    impl Collective for Tree {
        fn describe(&self) -> Descriptor {
            assert!(self.fan_out > 1);
            Descriptor::all_reduce("tree")
        }

        fn schedule(&self, _: &Params, _: Rank, _: &mut Lane) {}
    }

    register_collective!(declared_tree, Tree::new(2));
    register_collective!("declared_tree_4", Tree { fan_out: 4 },);

    /// A kernel of two element types.
    #[kernel(map, device = [cpu, declared_chip], T in [f32, i32])]
    pub fn declared_twice<T>(x: T) -> T {
        x + x
    }

    /// A worker, values, and a fallible result.
    #[global_fn]
    pub fn declared_scale(w: &Worker, mut factor: f64, items: Vec<f64>) -> Result<Vec<f64>> {
        if items.is_empty() {
            return Err(Error::invalid("no items"));
        }
        factor *= (w.rank() + 1) as f64;
        Ok(items.into_iter().map(|item| item * factor).collect())
    }

    /// Neither a worker nor a `Result`; parameters called like what the expansion names.
    #[global_fn(name = "declared_sum")]
    pub(crate) fn arguments(session: i64, worker: i64, arguments: Option<i64>) -> i64 {
        session + worker + arguments.unwrap_or(0)
    }

    #[global_fn]
    fn declared_nothing() {}

    /// The entries of this module, those of private items too.
    pub fn entries() -> Vec<ringwood::registry::Entry> {
        use ringwood::backend::Registered;
        vec![
            Chip::ENTRY,
            declared_tree::ENTRY,
            declared_tree_4::ENTRY,
            declared_twice::ENTRY,
            declared_scale::ENTRY,
            arguments::ENTRY,
            declared_nothing::ENTRY,
        ]
    }
}

/// Declarations that reach Ringwood by another path.
pub mod renamed {
    /// Far from the path that it names.
    pub mod nested {
        use crate::vendor::runtime::backend::Backend;
        use crate::vendor::runtime::collective::{Collective, Descriptor, Lane, Params, Rank};

        /// A backend.
        pub struct Chip;

        #[crate::vendor::runtime::backend(name = "renamed_chip", crate = crate::vendor::runtime)]
        impl Backend for Chip {
            crate::chip::body!();
        }

        struct Pair;

        impl Collective for Pair {
            fn describe(&self) -> Descriptor {
                Descriptor::all_reduce("pair")
            }

            fn schedule(&self, _: &Params, _: Rank, _: &mut Lane) {}
        }

        crate::vendor::runtime::register_collective!(
            renamed_pair,
            Pair,
            crate = crate::vendor::runtime
        );

        /// Half of each element.
        #[crate::vendor::runtime::kernel(map, device = cpu, crate = crate::vendor::runtime)]
        pub fn renamed_half(x: f32) -> f32 {
            x / 2.0
        }

        /// Twice the argument.
        #[crate::vendor::runtime::global_fn(crate = crate::vendor::runtime)]
        pub fn renamed_double(x: i64) -> i64 {
            2 * x
        }
    }
}

use ringwood::registry::{Entry, Registry};
use ringwood::session::Session;

fn find<'a>(registry: &'a Registry, kind: &str, name: &str) -> &'a Entry {
    let mut entries = registry.entries().iter();
    entries.find(|entry| (entry.kind(), entry.meta().name) == (kind, name)).expect(name)
}

#[test]
fn every_declaration_is_discovered_with_its_place() {
    let registry = Registry::global().unwrap();
    for (kind, name) in [
        ("backend", "declared_chip"),
        ("backend", "renamed_chip"),
        ("collective", "declared_tree"),
        ("collective", "declared_tree_4"),
        ("collective", "renamed_pair"),
        ("global_fn", "declared_nothing"),
        ("global_fn", "declared_scale"),
        ("global_fn", "declared_sum"),
        ("global_fn", "renamed_double"),
        ("kernel", "declared_twice"),
        ("kernel", "renamed_half"),
    ] {
        let entry = find(registry, kind, name);
        assert_eq!(entry.meta().file, file!());
        assert!(entry.meta().module_path.starts_with("declarations::"), "{:?}", entry.meta());
        assert!(entry.meta().line > 0);
    }
}

#[test]
fn discovered_and_constant_entries_are_the_same() {
    let registry = Registry::global().unwrap();
    for entry in declared::entries() {
        let found = find(registry, entry.kind(), entry.meta().name);
        assert_eq!(found.meta(), entry.meta());
    }
}

#[test]
fn a_global_function_is_called_directly_and_by_every_worker() {
    use declared::declared_scale;

    let session = Session::threads(2).unwrap();
    let once = declared_scale::call(&session, 2.0, vec![1.0, 3.0]).unwrap();
    assert_eq!(once.gather().unwrap(), [[2.0, 6.0], [4.0, 12.0]]);
    let twice = declared_scale::call(&session, 10.0, &once).unwrap();
    assert_eq!(twice.get(1).unwrap(), [80.0, 240.0]);

    assert_eq!(declared::arguments(1, 2, None), 3);
    let sum = declared::arguments::call(&session, 1, 2, Some(3)).unwrap();
    assert_eq!(sum.gather().unwrap(), [6, 6]);
    let double = renamed::nested::renamed_double::call(&session, &sum).unwrap();
    assert_eq!(double.get(0).unwrap(), 12);

    let failed = declared_scale::call(&session, 1.0, vec![]).unwrap().get(0).unwrap_err();
    assert!(failed.to_string().contains("declared_scale"), "{failed}");
    assert!(failed.to_string().contains("no items"), "{failed}");
}
