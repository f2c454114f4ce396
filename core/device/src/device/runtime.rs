//! The registered backends of a program, opened on first use.

use super::hardware::{Hardware, Shared};
use super::hazard::Omitted;
use super::memory::Memory;
use super::transfer::RouteCounts;
use super::{Device, NodeId};
use crate::backend::{BackendDef, opened};
use ringwood_base::registry::{Entry, EntryMeta, Registry, unknown};
use ringwood_base::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use ringwood_base::{Error, ErrorKind, Result};
use std::fmt::Write;
use std::sync::{Arc, OnceLock};

/// The backends and devices of a registry; a clone is another handle to the same ones.
///
/// A backend is opened on first use, once. One that cannot be opened hides no other.
///
/// ```
/// use ringwood_device::device::Runtime;
/// use ringwood_base::registry::Registry;
///
/// let runtime = Runtime::new(Registry::builder().build()?);
/// assert!(runtime.devices()?.is_empty());
/// assert!(runtime.device("cpu:0").unwrap_err().to_string().starts_with("no device `cpu:0`"));
/// # Ok::<(), ringwood_base::Error>(())
/// ```
#[derive(Clone)]
pub struct Runtime(Arc<Inner>);

struct Inner {
    shared: Arc<Shared>,
    slots: Vec<Slot>,
}

struct Slot {
    entry: Entry,
    def: ringwood_base::Shared<BackendDef>,
    devices: OnceLock<Result<Opened>>,
}

/// The devices of a backend, and why others of it could not be opened.
type Opened = (Vec<Device>, Vec<Error>);

/// A registered backend, and what became of it.
#[derive(Clone, Debug)]
pub struct BackendState<'a> {
    /// The name, as in `mychip:0`.
    pub name: &'static str,
    /// Where it is declared.
    pub meta: EntryMeta<'a>,
    /// Its devices, or why there are none.
    pub devices: Result<Vec<Device>>,
}

impl Runtime {
    /// The run time over [`Registry::global`].
    ///
    /// # Errors
    /// Two items of the program share a name.
    pub fn global() -> Result<&'static Runtime> {
        static GLOBAL: OnceLock<Result<Runtime>> = OnceLock::new();
        let made = GLOBAL.get_or_init(|| Ok(Runtime::new(Registry::global()?.clone())));
        made.as_ref().map_err(Clone::clone)
    }

    /// A run time of its own over `registry`: identities are counted from 0.
    pub fn new(registry: Registry) -> Runtime {
        let slot = |(entry, _): (&Entry, &BackendDef)| {
            let (entry, def) = (entry.clone(), entry.shared()?);
            Some(Slot { entry, def, devices: OnceLock::new() })
        };
        let slots = registry.of::<BackendDef>().filter_map(slot).collect();
        let shared = Shared {
            registry,
            streams: AtomicU32::new(0),
            pools: AtomicU32::new(0),
            buffers: AtomicU64::new(0),
            nodes: AtomicU64::new(0),
        };
        Self(Arc::new(Inner { shared: Arc::new(shared), slots }))
    }

    /// The registered items.
    pub fn registry(&self) -> &Registry {
        &self.0.shared.registry
    }

    /// A node identity that no other node of this run time has.
    pub fn node(&self) -> NodeId {
        NodeId(self.0.shared.nodes.fetch_add(1, Ordering::Relaxed))
    }

    /// Every registered backend, sorted by name; opens those not opened yet.
    pub fn backends(&self) -> Vec<BackendState<'_>> {
        let slots = self.0.slots.iter();
        let state = slots.map(|slot| BackendState {
            name: slot.def.name,
            meta: slot.entry.meta(),
            devices: self.open(slot).map(|(devices, _)| devices.clone()),
        });
        state.collect()
    }

    /// All devices of all available backends, by backend name and ordinal.
    ///
    /// # Errors
    /// A backend failed otherwise than by being unavailable on this machine.
    pub fn devices(&self) -> Result<Vec<Device>> {
        let mut devices = Vec::new();
        for slot in &self.0.slots {
            match self.open(slot) {
                Ok((found, _)) => devices.extend_from_slice(found),
                Err(error) if error.kind() == ErrorKind::Unavailable => {}
                Err(error) => return Err(error.with("backend", slot.def.name)),
            }
        }
        Ok(devices)
    }

    /// The device called `name`: `cpu:1`, or `cpu` for `cpu:0`.
    ///
    /// # Errors
    /// [`ErrorKind::NotFound`] lists the known devices and the nearest, and says why the backend has not
    /// opened others; an unavailable backend says why.
    pub fn device(&self, name: &str) -> Result<Device> {
        let (backend, ordinal) = name.split_once(':').unwrap_or((name, "0"));
        let Some(slot) = self.0.slots.iter().find(|slot| slot.def.name == backend) else {
            return Err(self.no_device(name));
        };
        let (devices, unopened) = self.open(slot)?;
        let found = ordinal.parse::<usize>().ok().and_then(|i| devices.get(i));
        let told = |error: Error, why: &Error| error.with("not opened", why);
        found.cloned().ok_or_else(|| unopened.iter().fold(self.no_device(name), told))
    }

    /// The device to use when the program names none: the first accelerator that runs kernels,
    /// else `cpu:0`, else any device that runs kernels. The reference backend `null` is never
    /// chosen.
    ///
    /// # Errors
    /// No device runs kernels; the error says why for each backend.
    pub fn best(&self) -> Result<Device> {
        let (device, why) = self.choose();
        device.ok_or_else(|| {
            let message = format!("no device runs kernels; {why}");
            Error::unavailable(message).help(
                "link a backend, `use ringwood_backend_cpu as _;`; without the feature `inventory`, \
                 register it by hand and take a run time of that registry",
            )
        })
    }

    /// Which device [`Runtime::best`] chooses and what is said for and against each one.
    pub fn explain_best(&self) -> String {
        match self.choose() {
            (Some(device), why) => format!("{device} is chosen; {why}"),
            (None, why) => format!("none is chosen; {why}"),
        }
    }

    fn choose(&self) -> (Option<Device>, String) {
        let (mut best, mut why) = (None::<(u8, Device)>, String::new());
        let mut say = |name: &str, text: &str| {
            let comma = if why.is_empty() { "" } else { ", " };
            let _ = write!(why, "{comma}{name}: {text}");
        };
        for slot in &self.0.slots {
            let (devices, unopened) = match self.open(slot) {
                Ok(opened) => opened,
                Err(error) => {
                    say(slot.def.name, error.message());
                    continue;
                }
            };
            for device in devices {
                let (rank, text) = rank(device);
                say(device.name(), text);
                if rank > 0 && best.as_ref().is_none_or(|(known, _)| rank > *known) {
                    best = Some((rank, device.clone()));
                }
            }
            unopened.iter().for_each(|error| say(slot.def.name, error.message()));
        }
        if why.is_empty() {
            why.push_str("no backend is registered");
        }
        (best.map(|(_, device)| device), why)
    }

    fn no_device(&self, name: &str) -> Error {
        let opened = self.0.slots.iter().filter_map(|slot| self.open(slot).ok());
        let known: Vec<_> = opened.flat_map(|(devices, _)| devices).map(Device::name).collect();
        unknown("device", name, &known)
    }

    fn open<'a>(&self, slot: &'a Slot) -> Result<&'a Opened> {
        let opened = slot.devices.get_or_init(|| self.open_now(slot));
        opened.as_ref().map_err(Clone::clone)
    }

    fn open_now(&self, slot: &Slot) -> Result<Opened> {
        let backend = (slot.def.open)()?;
        let handles = backend.devices()?;
        let device = |(ordinal, handle)| {
            let capabilities = backend.capabilities(&handle)?;
            let memory = Memory::new(capabilities.memory_bytes);
            Ok(Device::new(Arc::new(Hardware {
                shared: self.0.shared.clone(),
                backend: backend.clone(),
                handle,
                ordinal,
                name: format!("{}:{ordinal}", slot.def.name),
                capabilities,
                memory,
                omitted: Omitted::default(),
                routes: RouteCounts::default(),
                strictness: Default::default(),
            })))
        };
        let devices: Vec<_> = handles.into_iter().enumerate().map(device).collect::<Result<_>>()?;
        let (devices, unopened) = opened(devices, backend.unopened()?)?;
        if devices.is_empty() {
            let message = format!("backend `{}` lists no device", slot.def.name);
            return Err(Error::unavailable(message));
        }
        Ok((devices, unopened))
    }
}

impl Device {
    /// The device that [`Runtime::best`] of the global run time chooses.
    ///
    /// # Errors
    /// No device runs kernels; the error says why for each backend.
    pub fn best() -> Result<Device> {
        Runtime::global()?.best()
    }

    /// The device called `name` in the global run time, as [`Runtime::device`].
    ///
    /// # Errors
    /// No such device, or its backend is unavailable.
    pub fn named(name: &str) -> Result<Device> {
        Runtime::global()?.device(name)
    }
}

/// How much a device is preferred (0: never), and why.
fn rank(device: &Device) -> (u8, &'static str) {
    let capabilities = device.capabilities();
    match device.backend_name() {
        "null" => (0, "the reference backend, only by name"),
        _ if !capabilities.kernels => (0, "runs no kernels"),
        "cpu" => (2, "runs kernels on the host"),
        _ if capabilities.accelerator => (3, "an accelerator that runs kernels"),
        _ => (1, "runs kernels on the processor"),
    }
}
