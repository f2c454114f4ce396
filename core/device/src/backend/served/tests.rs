use super::*;
use crate::kernel::{Form, Native, Source, Sources};
use ringwood_ir::print::OPENCL;

static PHONE_C: Dialect = Dialect { name: "phone", ..OPENCL };

/// The backends of a program, and what they take beside what names them.
const BACKENDS: [(&str, &[&str], Option<&Dialect>); 6] = [
    ("cpu", &[], None),
    ("simulator", &["cpu"], None),
    ("card", &["opencl", "cpu"], None),
    ("phone", &["opencl", "cpu"], Some(&PHONE_C)),
    ("plain", &[], None),
    ("ours", &[], None),
];

/// Rust that runs once for each launch.
static HOST: [Instance; 1] =
    [Instance { native: Some(Native::new(|_, _| Ok(()))), ..Instance::new(&[]) }];
/// A body in the kernel language.
static BODY: [Instance; 1] = [Instance { ir: Some(""), native: HOST[0].native, ..HOST[0] }];
/// OpenCL C, and no body.
static TEXT: [Instance; 1] = [Instance { native: None, sources: Some(&OPENCL_C), ..HOST[0] }];
static OPENCL_C: Sources = Sources {
    texts: &[Source { backend: "opencl", text: "", path: None, line: 1 }],
    entry: "k",
    declaration: "",
    names: &[],
};

fn registry(items: &[(&'static [&'static str], &'static [Instance], &'static str)]) -> Registry {
    let meta = |package, name| EntryMeta {
        package,
        name,
        module_path: "ringwood_kernels::pointwise",
        file: "chip.rs",
        line: 7,
    };
    let mut builder = Registry::builder();
    for (name, kernels_of, dialect) in BACKENDS {
        let open = || Err(Error::unavailable("a test has no device"));
        let package = if name == "plain" { "my_chip" } else { RINGWOOD };
        let def = BackendDef { name, kernels_of, dialect, open };
        builder = builder.register(Entry::made(meta(package, name), def));
    }
    for (devices, instances, file) in items {
        let meta = EntryMeta { file, line: 3, ..meta(RINGWOOD, "relu") };
        let def = KernelDef { meta, form: Form::Map, devices, instances };
        builder = builder.register(Entry::made(meta, def));
    }
    builder.build().unwrap()
}

/// The file of the item that a backend's devices run.
fn found(registry: &Registry, backend: &str) -> Option<&'static str> {
    find_exact(registry, RINGWOOD, "relu", backend).map(|def| def.meta.file)
}

#[test]
fn devices_run_the_kernels_of_the_backends_that_theirs_names() {
    let registry = registry(&[(&["cpu"], &HOST, "host"), (&["opencl", "cuda"], &BODY, "tiled")]);
    let found = |backend| found(&registry, backend);
    assert_eq!((found("cpu"), found("opencl")), (Some("host"), Some("tiled")));
    assert_eq!(found("simulator"), Some("host"));
    assert_eq!((found("card"), found("phone")), (Some("tiled"), Some("tiled")), "the first named");
    assert_eq!(found("plain"), None);
    let (_, tiled) = registry.of::<KernelDef>().find(|(_, def)| def.meta.file == "tiled").unwrap();
    assert_eq!(backends(&registry, tiled), ["opencl", "cuda", "card", "phone"]);
    assert!(serves(&registry, tiled, "card") && !serves(&registry, tiled, "simulator"));
}

#[test]
fn an_item_that_names_the_backend_comes_first() {
    let registry = registry(&[
        (&["cpu"], &BODY, "cpu"),
        (&["opencl"], &BODY, "opencl"),
        (&["phone", "simulator"], &BODY, "own"),
    ]);
    let found = |backend| found(&registry, backend);
    assert_eq!((found("phone"), found("simulator")), (Some("own"), Some("own")));
    assert_eq!((found("card"), found("cpu")), (Some("opencl"), Some("cpu")));
}

#[test]
fn devices_get_what_they_can_compile_or_run() {
    let host = registry(&[(&["cpu"], &HOST, "host")]);
    assert_eq!(found(&host, "simulator"), Some("host"));
    assert_eq!((found(&host, "card"), found(&host, "phone")), (None, None), "no IR to print");
    let text = registry(&[(&["opencl"], &TEXT, "text")]);
    assert_eq!(found(&text, "card"), Some("text"), "OpenCL C is its language");
    assert_eq!(found(&text, "phone"), None, "its language is another");
    let body = registry(&[(&["cpu"], &BODY, "body")]);
    assert_eq!((found(&body, "card"), found(&body, "phone")), (Some("body"), Some("body")));
}

#[test]
fn the_dialect_is_the_backends_own_or_that_of_the_first_whose_kernels_it_takes() {
    let registry = registry(&[]);
    let names = ["cpu", "simulator", "card", "phone", "opencl", "cuda"];
    let names = names.map(|name| dialect(&registry, name).map(|dialect| dialect.name));
    let [opencl, phone, cuda] = ["opencl", "phone", "cuda"].map(Some);
    assert_eq!(names, [None, None, opencl, phone, opencl, cuda]);
}

#[test]
fn the_error_of_a_missing_kernel_corrects_a_backend_that_is_misspelt() {
    let registry = registry(&[(&["cpu", "plan"], &HOST, "host")]);
    let told = find(&registry, "relu", "plain").unwrap_err().to_string();
    assert!(told.contains("names `plan`: did you mean the backend `plain`?"), "{told}");
}

#[test]
fn the_error_of_a_missing_kernel_says_what_to_do() {
    let registry = registry(&[(&["cpu"], &HOST, "host")]);
    let told = |backend| find(&registry, "relu", backend).unwrap_err().to_string();
    let plain = told("plain");
    for part in [
        "no kernel `relu` for device `plain`; it exists for cpu",
        "declared at: host:3",
        "#[kernel(device = plain, implements = ringwood::kernels::pointwise::relu)]",
        "`Planner::fallback` gives such nodes to other devices",
        "#[backend(name = \"plain\", kernels_of = cpu)] at chip.rs:7",
    ] {
        assert!(plain.contains(part), "{part} is not in: {plain}");
    }
    // Nobody is told to edit Ringwood, or to declare again what is declared.
    assert!(!told("ours").contains("kernels_of") && !told("card").contains("kernels_of"));
}
