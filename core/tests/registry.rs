//! Discovery at link time and registration by hand give the same registry: every test below runs
//! on both (on the second alone without the feature `inventory`).

extern crate ringwood_core as ringwood;

#[path = "../../tests/support/chip.rs"]
mod chip;

mod items {
    use ringwood_core::backend::{Backend, Registered};
    use ringwood_core::collective::transport::entries::{arena, peer_memory, socket};
    use ringwood_core::collective::{Collective, Descriptor, Lane, Params, Rank};
    use ringwood_core::graph::graph_json;
    use ringwood_core::registry::Entry;
    use ringwood_core::session::entries::{processes, threads};
    use ringwood_core::{backend, global_fn, register_collective, register_operator};

    pub(super) struct Chip;

    #[backend(name = "chip")]
    impl Backend for Chip {
        crate::chip::body!();
    }

    struct Ring;

    impl Collective for Ring {
        fn describe(&self) -> Descriptor {
            Descriptor::all_reduce("ring")
        }

        fn schedule(&self, _: &Params, _: Rank, _: &mut Lane) {}
    }

    register_collective!(ring, Ring);

    register_operator! {
        pub(super) Twice = "twice";
        shape: "... -> ...",
    }

    #[global_fn]
    pub(super) fn step(x: i64) -> i64 {
        x + 1
    }

    pub(super) mod nested {
        ringwood_core::register_collective!(a_tree, super::Ring);
    }

    /// The list that a program without discovery writes: those above, and some of what the floors register.
    const ENTRIES: [Entry; 10] = [
        step::ENTRY,
        nested::a_tree::ENTRY,
        Twice::ENTRY,
        ring::ENTRY,
        peer_memory::ENTRY,
        socket::ENTRY,
        arena::ENTRY,
        threads::ENTRY,
        processes::ENTRY,
        Chip::ENTRY,
    ];

    /// All of it.
    pub(super) fn entries() -> Vec<Entry> {
        let floors = ringwood_core::session::ENTRIES.into_iter().chain([graph_json::ENTRY]);
        ENTRIES.into_iter().chain(floors).collect()
    }
}

use items::entries;
use ringwood_core::ErrorKind;
use ringwood_core::collective::CollectiveDef;
use ringwood_core::kernel::KernelDef;
use ringwood_core::operator::Operator;
use ringwood_core::registry::{Entry, EntryMeta, Kind, Registry};
use ringwood_core::session::GlobalFn;

fn registries() -> Vec<Registry> {
    let by_hand = Registry::builder().register_all(entries()).build().unwrap();
    let discovered = Registry::global().unwrap();
    if cfg!(feature = "inventory") {
        vec![by_hand, discovered.clone()]
    } else {
        assert!(discovered.entries().is_empty());
        vec![by_hand]
    }
}

#[test]
fn every_item_is_found_by_kind_and_name() {
    for registry in registries() {
        assert_eq!(
            registry.find::<ringwood_core::backend::BackendDef>("chip").unwrap().name,
            "chip"
        );
        let opened = (registry.find::<ringwood_core::backend::BackendDef>("chip").unwrap().open)();
        assert_eq!(opened.err().unwrap().kind(), ErrorKind::Unavailable);
        assert_eq!(
            registry.find::<CollectiveDef>("ring").unwrap().collective.describe().name,
            "ring"
        );
        assert_eq!(registry.find::<Operator>("twice").unwrap().name, "twice");
        assert_eq!(registry.find::<GlobalFn>("step").unwrap().parameters.len(), 1);
    }
}

#[test]
fn entries_are_sorted_by_kind_and_name_with_their_places() {
    for registry in registries() {
        let listed: Vec<_> = registry.entries().iter().map(|e| (e.kind(), e.meta().name)).collect();
        assert_eq!(
            listed,
            [
                ("backend", "chip"),
                ("collective", "a_tree"),
                ("collective", "ring"),
                ("global_fn", "model_create"),
                ("global_fn", "model_drop"),
                ("global_fn", "model_fetch"),
                ("global_fn", "model_run"),
                ("global_fn", "model_set"),
                ("global_fn", "model_unset"),
                ("global_fn", "model_weight"),
                ("global_fn", "step"),
                ("model_format", "graph_json"),
                ("operator", "twice"),
                ("session_kind", "processes"),
                ("session_kind", "threads"),
                ("transport", "arena"),
                ("transport", "peer_memory"),
                ("transport", "socket"),
            ]
        );
        let tree = registry.entry::<CollectiveDef>("a_tree").unwrap().meta();
        assert_eq!((tree.file, tree.module_path), (file!(), "registry::items::nested"));
        let line = include_str!("registry.rs").lines().position(|l| l.contains("(a_tree,"));
        assert_eq!(Some(tree.line as usize - 1), line);
    }
}

#[test]
fn the_order_of_registration_does_not_show() {
    let reversed = entries().into_iter().rev();
    let reversed = Registry::builder().register_all(reversed).build().unwrap().to_string();
    for registry in registries() {
        assert_eq!(registry.to_string(), reversed);
    }
}

#[test]
fn an_unknown_name_lists_the_known_ones_and_the_nearest() {
    for registry in registries() {
        let error = registry.find::<CollectiveDef>("rnig").err().unwrap();
        assert_eq!(error.kind(), ErrorKind::NotFound);
        assert_eq!(
            error.to_string(),
            "no collective `rnig`, did you mean `ring`?; registered: a_tree, ring"
        );
        let error = registry.find::<CollectiveDef>("elsewhere::ring").err().unwrap().to_string();
        let ring = registry.entry::<CollectiveDef>("ring").unwrap().meta().full_name();
        assert_eq!(error, format!("no collective `elsewhere::ring`, did you mean `{ring}`?"));
        // The name of an item of another kind is not known.
        let error =
            registry.find::<ringwood_core::backend::BackendDef>("ring").err().unwrap().to_string();
        assert_eq!(error, "no backend `ring`; registered: chip");
        let error = registry.find::<KernelDef>("twice").err().unwrap().to_string();
        assert_eq!(error, "no kernel `twice`; none is registered");
    }
}

#[test]
fn a_listing_names_kind_name_and_place_as_text_and_as_json() {
    for registry in registries() {
        let ring = registry.entry::<CollectiveDef>("ring").unwrap();
        assert_eq!(
            ring.to_string(),
            format!("collective `ring` ({}:{})", file!(), ring.meta().line)
        );
        assert_eq!(registry.to_string().lines().count(), entries().len());
        let json = serde_json::to_value(&registry).unwrap();
        assert_eq!(json.as_array().unwrap().len(), entries().len());
        let step = json.as_array().unwrap().iter().find(|entry| entry["name"] == "step").unwrap();
        assert_eq!(step["kind"], "global_fn");
        assert_eq!(step["file"], file!());
        assert_eq!(step["module_path"], "registry::items");
    }
}

static RING: Entry = items::ring::ENTRY;
static TREE: Entry = items::nested::a_tree::ENTRY;
static STEP: Entry = items::step::ENTRY;

/// The item of an entry under another name or at another place.
fn redeclared<K: Kind>(
    entry: &'static Entry,
    meta: impl FnOnce(EntryMeta<'static>) -> EntryMeta<'static>,
) -> Entry {
    Entry::new(meta(entry.meta()), entry.declared::<K>().unwrap())
}

#[test]
fn a_second_item_of_the_same_name_is_refused_with_both_places() {
    let again =
        redeclared::<CollectiveDef>(&RING, |ring| EntryMeta { file: "other.rs", line: 7, ..ring });
    let error = Registry::builder().register_all(entries()).register(again).build().unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Duplicate);
    let text = error.to_string();
    let first = format!("at {}:{}", file!(), items::ring::ENTRY.meta().line);
    assert!(text.contains("collective `ring` is registered twice"), "{text}");
    assert!(text.contains(&first) && text.contains("at other.rs:7"), "{text}");
    // Nothing is wrong with one name for items of different kinds.
    let function = redeclared::<GlobalFn>(&STEP, |step| EntryMeta { name: "ring", ..step });
    assert!(Registry::builder().register(items::ring::ENTRY).register(function).build().is_ok());
}

#[test]
fn every_clash_is_named_at_once() {
    let again = |entry, file| {
        redeclared::<CollectiveDef>(entry, |meta| EntryMeta { file, line: 7, ..meta })
    };
    let twice = [again(&RING, "one.rs"), again(&TREE, "two.rs")];
    let error =
        Registry::builder().register_all(entries()).register_all(twice).build().unwrap_err();
    let text = error.to_string();
    assert!(text.contains("at one.rs:7") && text.contains("at two.rs:7"), "{text}");
}

/// `items::ring::ENTRY` as if another package declared it.
fn ring_of(package: &'static str) -> Entry {
    redeclared::<CollectiveDef>(&RING, |ring| EntryMeta { package, ..ring })
}

#[test]
fn a_name_belongs_to_its_package_and_the_short_form_means_the_one_of_ringwood() {
    let registry = Registry::builder().register_all(entries()).register(ring_of("mine")).build();
    let registry = registry.unwrap();
    let package = |name| registry.entry::<CollectiveDef>(name).unwrap().meta().package;
    assert_eq!(
        ["ring", "ringwood::ring", "mine::ring"].map(package),
        ["ringwood", "ringwood", "mine"]
    );
    let ring = registry.entry::<CollectiveDef>("ring").unwrap();
    let also: Vec<_> = registry.also(ring).map(|entry| entry.meta().full_name()).collect();
    assert_eq!(also, ["mine::ring"]);
    let shortest = |name| registry.shortest_name::<CollectiveDef>(name).unwrap();
    assert_eq!(
        ["ring", "ringwood::ring", "mine::ring"].map(shortest),
        ["ring", "ring", "mine::ring"]
    );
    assert!(registry.entry::<CollectiveDef>("mine::a_tree").is_err());
}

#[test]
fn a_short_name_of_two_other_packages_is_refused_with_both() {
    let both = [ring_of("mine"), ring_of("yours")];
    let registry = Registry::builder().register_all(both).build().unwrap();
    assert_eq!(
        registry.entry::<CollectiveDef>("ring").unwrap_err().to_string(),
        "several packages have a collective `ring`: mine::ring, yours::ring; write the package, too"
    );
    assert!(registry.entry::<CollectiveDef>("yours::ring").is_ok());
    let twice = items::Twice::ENTRY;
    let of = |package| Entry::made(EntryMeta { package, ..twice.meta() }, *items::Twice::OPERATOR);
    let operators = Registry::builder().register_all([of("mine"), of("yours")]).build().unwrap();
    let told = operators.entry::<Operator>("twice").unwrap_err().to_string();
    assert!(told.starts_with("several packages have an operator `twice`: mine::twice"), "{told}");
    let shortest = |name| registry.shortest_name::<CollectiveDef>(name).unwrap();
    assert_eq!(shortest("yours::ring"), "yours::ring");
    let registry = Registry::builder().register(ring_of("mine")).build().unwrap();
    assert_eq!(registry.shortest_name::<CollectiveDef>("mine::ring").unwrap(), "ring");
}

#[test]
fn a_backend_has_its_name_in_the_whole_program() {
    static CHIP: Entry = <items::Chip as ringwood_core::backend::Registered>::ENTRY;
    let mine = |chip| EntryMeta { package: "mine", file: "chip.rs", line: 3, ..chip };
    let again = redeclared::<ringwood_core::backend::BackendDef>(&CHIP, mine);
    let error = Registry::builder().register(CHIP.clone()).register(again).build().unwrap_err();
    assert!(error.to_string().contains("at chip.rs:3"), "{error}");
}

#[test]
fn discovered_and_hand_registered_entries_do_not_mix_silently() {
    let both = Registry::builder().linked().register(items::ring::ENTRY).build();
    if cfg!(feature = "inventory") {
        assert_eq!(both.unwrap_err().kind(), ErrorKind::Duplicate);
    } else {
        assert_eq!(both.unwrap().entries().len(), 1);
    }
}

#[test]
fn items_of_one_kernel_may_have_other_element_types_but_not_other_arguments() {
    use ringwood::kernel::{Form, Instance, Param, ParamKind};
    use ringwood::{DType, ScalarType};

    const fn slice(dtype: DType, mutable: bool) -> Param {
        Param { name: "x", kind: ParamKind::Slice { dtype, mutable } }
    }
    const fn takes(params: &'static [Param]) -> Instance {
        Instance { rank: 1, ..Instance::new(params) }
    }
    const SCALAR: Param = Param { name: "a", kind: ParamKind::Scalar(ScalarType::F32) };
    const SINGLE: Instance = takes(&[slice(DType::F32, false), slice(DType::F32, true)]);
    const DOUBLE: Instance = takes(&[slice(DType::F64, false), slice(DType::F64, true)]);
    const fn of(devices: &'static [&'static str], instances: &'static [Instance]) -> KernelDef {
        KernelDef {
            meta: EntryMeta {
                package: "ringwood",
                name: "k",
                module_path: "tests",
                file: "k.rs",
                line: 1,
            },
            form: Form::Grid,
            devices,
            instances,
        }
    }
    static BOTH: KernelDef = of(&["a"], &[SINGLE, DOUBLE]);
    const OTHER: EntryMeta<'static> = EntryMeta {
        package: "ringwood",
        name: "k",
        module_path: "tests::other",
        file: "other.rs",
        line: 2,
    };
    static ELSEWHERE: KernelDef = KernelDef { meta: OTHER, ..of(&["b"], &[DOUBLE]) };
    static ONE: KernelDef = of(&["b"], &[DOUBLE]);
    static FEWER: KernelDef = of(&["b"], &[takes(&[slice(DType::F64, true)])]);
    static WRITTEN: KernelDef =
        of(&["b"], &[takes(&[slice(DType::F16, true), slice(DType::F16, true)])]);
    static SCALED: KernelDef = of(&["b"], &[takes(&[SCALAR, slice(DType::F16, true)])]);

    let entry = |def: &'static KernelDef| Entry::new(def.meta, def);
    let build = |other| Registry::builder().register(entry(&BOTH)).register(entry(other)).build();
    assert!(build(&ONE).is_ok());
    let elsewhere = Entry::new(ELSEWHERE.meta, &ELSEWHERE);
    let unrelated = Registry::builder().register(entry(&BOTH)).register(elsewhere).build();
    let text = unrelated.unwrap_err().to_string();
    for part in ["neither says `implements = …`", "k.rs:1", "other.rs:2"] {
        assert!(text.contains(part), "{part}: {text}");
    }
    for other in [&FEWER, &WRITTEN, &SCALED] {
        let text = build(other).unwrap_err().to_string();
        assert!(text.contains("two different signatures"), "{text}");
    }
}
