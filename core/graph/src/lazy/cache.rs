//! Programs that were recorded before: found by what they are, and forgotten when their plans take too much.

use super::devices::fallback;
use super::program::{Program, idle_bytes, idle_programs};
use super::stats::count;
use crate::graph::{Graph, NodeKind, Planner};
use ringwood_base::sync::lock;
use ringwood_base::{Error, ErrorKind, Result};
use ringwood_device::device::Device;
use std::collections::HashMap;
use std::hash::{Hash, Hasher};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, LazyLock, Mutex};

/// The bytes of plans that are kept, unless [`set_limit`] says otherwise.
static LIMIT: AtomicUsize = AtomicUsize::new(4 << 30);

/// The programs that keep plans, however few bytes they take: a plan has streams, which are threads on the processor. A
/// program has as many plans as calls of it that ran beside each other.
const MOST_PLANNED: usize = 256;

/// The programs that are kept, however few bytes their plans take.
const MOST_PROGRAMS: usize = 4096;

/// The programs that stay when there are more: each removal would sort all of them.
const LEAST_PROGRAMS: usize = MOST_PROGRAMS / 4 * 3;

/// What a program is found by. Devices are those of a process, which opens a version of a backend once; what devices
/// compile is kept on disk by its content and the version of their compiler.
#[derive(PartialEq, Eq)]
pub(super) struct Key {
    pub(super) graph: Graph,
    pub(super) devices: Vec<Device>,
    pub(super) fallback: Vec<Device>,
}

impl Hash for Key {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.graph.hash(state);
        self.devices.iter().for_each(|device| device.name().hash(state));
    }
}

impl Key {
    pub(super) fn planner(&self) -> Planner {
        Planner::new(&self.devices).fallback(&self.fallback)
    }

    /// Why a run failed: if the graph cannot be planned, with its own line instead of that of an equal one.
    pub(super) fn why(&self, error: Error) -> Error {
        self.planner().passes(&self.graph).err().unwrap_or(error)
    }
}

#[derive(Default)]
struct Cache(HashMap<Arc<Key>, Arc<Program>>);

static CACHE: LazyLock<Mutex<Cache>> = LazyLock::new(Mutex::default);

/// Keeps plans of at most so many bytes that no call uses, of at most 256 programs, and at least that of the last call:
/// those used least lately are dropped first, and made again by the next call of their function.
pub fn set_limit(bytes: usize) {
    LIMIT.store(bytes, Ordering::Relaxed);
    trim();
}

/// The programs that are kept, and the bytes of their plans that no call uses.
pub(super) fn kept() -> (usize, usize) {
    (lock(&CACHE).0.len(), idle_bytes())
}

/// The program of a graph on these devices, the preferred one first: one that was made before, or a new one. And what
/// it was asked by, which has the lines of this graph.
pub(super) fn program(mut graph: Graph, devices: &[Device]) -> Result<(Arc<Program>, Arc<Key>)> {
    let fallback = fallback();
    let mut all = devices.to_vec();
    if !fallback.is_empty() {
        stay(&mut graph, &devices[0])?;
        all.extend(fallback.iter().filter(|device| !devices.contains(device)).cloned());
    }
    let key = Arc::new(Key { graph, devices: all, fallback });
    let mut cache = lock(&CACHE);
    if let Some(program) = cache.0.get(&key) {
        program.touch();
        count(|stats| stats.hits += 1);
        return Ok((program.clone(), key));
    }
    count(|stats| stats.misses += 1);
    let program = Arc::new(Program::new(key.clone()));
    cache.0.insert(key.clone(), program.clone());
    if cache.0.len() > MOST_PROGRAMS {
        cache.trim(LEAST_PROGRAMS);
    }
    Ok((program, key))
}

/// What `make` gives; where a device has no memory for it, again without the plans that no call uses.
pub(super) fn with_memory<T>(mut make: impl FnMut() -> Result<T>) -> Result<T> {
    make().or_else(|error| match error.kind() {
        ErrorKind::OutOfMemory if drop_idle() => make(),
        _ => Err(error),
    })
}

/// Drops all plans that no call uses; whether there were some.
fn drop_idle() -> bool {
    let any = idle_bytes() > 0;
    lock(&CACHE).0.values().for_each(|program| program.drop_idle());
    any
}

/// Drops what was used least lately while plans take too much.
pub(super) fn trim() {
    if is_full() {
        lock(&CACHE).trim(MOST_PROGRAMS);
    }
}

fn is_full() -> bool {
    idle_bytes() > LIMIT.load(Ordering::Relaxed) || idle_programs() > MOST_PLANNED
}

impl Cache {
    /// Drops plans that take too much, and all but so many programs. Programs that a function has stay, so that their
    /// plans go on to count.
    fn trim(&mut self, most: usize) {
        let used = self.0.iter().map(|(key, program)| (program.used(), key.clone()));
        let mut used: Vec<_> = used.collect();
        used.sort_unstable_by_key(|(used, _)| *used);
        used.pop();
        for (_, key) in used {
            let is_held = Arc::strong_count(&self.0[&key]) > 1;
            if is_full() {
                self.0[&key].drop_idle();
            } else if self.0.len() <= most {
                return;
            }
            if !is_held {
                self.0.remove(&key);
            }
        }
    }
}

/// Makes every node ask for the device of the program, so that what another one takes is told, and results come back.
fn stay(graph: &mut Graph, device: &Device) -> Result<()> {
    for node in 0..graph.nodes.len() {
        let constant = matches!(graph.nodes[node].kind, NodeKind::Constant(_));
        if graph.nodes[node].device.is_none() && !constant {
            graph.node_mut(node).device = Some(device.name().to_owned());
        }
    }
    for output in 0..graph.outputs.len() {
        let value = graph.value(graph.outputs[output].value)?;
        let node = &graph.nodes[value.id().node as usize];
        if matches!(node.kind, NodeKind::Input) {
            continue;
        }
        let device = node.device.clone().unwrap_or_else(|| device.name().to_owned());
        graph.outputs[output].value = graph.copy(value, &device)?.id();
    }
    Ok(())
}
