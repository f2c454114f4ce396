//! Run times: which devices there are, and what is said about those that are not.

use crate::toy::{ABSENT, BREAKING, Toy};
use crate::{fails, runtime};
use ringwood_base::registry::{Entry, EntryMeta, Registry};
use ringwood_base::{Error, ErrorKind, Result};
use ringwood_device::backend::{BackendDef, DynBackend, Registered};
use ringwood_device::device::Runtime;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

static OPENED: AtomicUsize = AtomicUsize::new(0);

fn gone() -> Result<Arc<dyn DynBackend>> {
    OPENED.fetch_add(1, Ordering::SeqCst);
    Err(Error::unavailable("no driver on this machine"))
}

fn away() -> Result<Arc<dyn DynBackend>> {
    Err(Error::unavailable("no driver on this machine"))
}

fn confused() -> Result<Arc<dyn DynBackend>> {
    Err(Error::backend("the driver is confused"))
}

static GONE: BackendDef = BackendDef { open: gone, ..def("gone") };
static AWAY: BackendDef = BackendDef { open: away, ..def("away") };
static CONFUSED: BackendDef = BackendDef { open: confused, ..def("confused") };

const fn def(name: &'static str) -> BackendDef {
    BackendDef { name, ..BackendDef::new::<Toy<false>>() }
}

fn entry(def: &'static BackendDef) -> Entry {
    let meta =
        EntryMeta { package: "tests", name: def.name, module_path: "m", file: "f.rs", line: 1 };
    Entry::new(meta, def)
}

fn with(defs: &[&'static BackendDef]) -> Runtime {
    let builder = Registry::builder().register(<Toy<false> as Registered>::ENTRY);
    let builder = defs.iter().fold(builder, |b, def| b.register(entry(def)));
    Runtime::new(builder.build().unwrap())
}

#[test]
fn devices_are_listed_by_backend_and_ordinal() {
    let devices = runtime().devices().unwrap();
    let names: Vec<_> = devices.iter().map(|d| d.name().to_owned()).collect();
    assert_eq!(names, ["shared:0", "shared:1", "toy:0", "toy:1"]);
    assert_eq!(devices[3].ordinal(), 1);
    assert_eq!(devices[3].backend_name(), "toy");
}

#[test]
fn a_device_is_found_by_name_and_is_the_same_one_each_time() {
    let runtime = runtime();
    let device = runtime.device("toy").unwrap();
    assert_eq!(device, runtime.device("toy:0").unwrap());
    assert_ne!(device, runtime.device("toy:1").unwrap());
    assert_ne!(device, crate::device("toy:0"), "another run time has devices of its own");
}

#[test]
fn an_unknown_device_lists_the_known_and_the_nearest() {
    let runtime = runtime();
    let error = fails(runtime.device("toi:0"), "no device `toi:0`");
    assert_eq!(error.kind(), ErrorKind::NotFound);
    fails(runtime.device("toi:0"), "shared:0, shared:1, toy:0, toy:1");
    fails(runtime.device("toi:0"), "did you mean `toy:0`?");
    for name in ["toy:2", "toy:", "toy:x", "toy:-1", ""] {
        assert_eq!(fails(runtime.device(name), "no device").kind(), ErrorKind::NotFound);
    }
}

#[test]
fn an_unavailable_backend_hides_no_other_and_says_why_once_asked() {
    let runtime = with(&[&GONE]);
    assert_eq!(runtime.devices().unwrap().len(), 2);
    let before = OPENED.load(Ordering::SeqCst);
    for _ in 0..3 {
        let error = fails(runtime.device("gone:0"), "no driver on this machine");
        assert_eq!(error.kind(), ErrorKind::Unavailable);
    }
    assert_eq!(OPENED.load(Ordering::SeqCst), before, "a backend is opened once");
    let states = runtime.backends();
    assert_eq!(states.iter().map(|s| s.name).collect::<Vec<_>>(), ["gone", "toy"]);
    assert!(states[0].devices.is_err() && states[1].devices.as_ref().unwrap().len() == 2);
    assert_eq!(runtime.best().unwrap().name(), "toy:0");
}

#[test]
fn a_device_that_cannot_be_opened_hides_no_other_and_is_told_to_who_asks_for_it() {
    BREAKING.set(true);
    let runtime = with(&[]);
    assert_eq!(runtime.devices().unwrap().len(), 1);
    let error = fails(runtime.device("toy:1"), "not opened: toy: opening device `abacus`");
    assert_eq!(error.kind(), ErrorKind::NotFound);
    assert_eq!(runtime.best().unwrap().name(), "toy:0");
    let why = runtime.explain_best();
    assert!(why.ends_with("toy: toy: opening device `abacus`: no power"), "{why}");
}

#[test]
fn a_backend_without_devices_says_so() {
    ABSENT.set(true);
    let runtime = with(&[]);
    assert!(runtime.devices().unwrap().is_empty());
    let told = runtime.backends().remove(0).devices.unwrap_err();
    assert_eq!(told.to_string(), "backend `toy` lists no device");
    assert_eq!(fails(runtime.device("toy:0"), "lists no device").kind(), ErrorKind::Unavailable);
    fails(runtime.best(), "no device runs kernels; toy: backend `toy` lists no device");
    BREAKING.set(true);
    let told = with(&[]).backends().remove(0).devices.unwrap_err();
    assert_eq!(told.to_string(), "toy: opening device `abacus`: no power");
}

#[test]
fn a_program_without_backends_is_told_how_it_gets_one() {
    let runtime = Runtime::new(Registry::builder().build().unwrap());
    fails(runtime.best(), "no backend is registered; link a backend");
    fails(runtime.best(), "without the feature `inventory`, register it by hand");
}

#[test]
fn a_backend_that_fails_otherwise_is_not_passed_over() {
    let runtime = with(&[&CONFUSED]);
    fails(runtime.devices(), "the driver is confused (backend: confused)");
    assert_eq!(runtime.device("toy:1").unwrap().name(), "toy:1");
}

#[test]
fn the_best_device_is_explained() {
    let runtime = runtime();
    assert_eq!(runtime.best().unwrap().name(), "toy:0", "an accelerator before the processor");
    let why = runtime.explain_best();
    assert!(why.starts_with("toy:0 is chosen; shared:0: runs kernels on the processor"), "{why}");
    let nothing = Runtime::new(Registry::builder().register(entry(&AWAY)).build().unwrap());
    let error = fails(nothing.best(), "away: no driver on this machine");
    assert_eq!(error.kind(), ErrorKind::Unavailable);
    let empty = Runtime::new(Registry::builder().build().unwrap());
    fails(empty.best(), "no backend is registered");
}

#[test]
fn nodes_are_numbered_by_the_run_time() {
    let runtime = runtime();
    assert_eq!([runtime.node().0, runtime.node().0], [0, 1]);
    assert_eq!(crate::runtime().node().0, 0);
}
