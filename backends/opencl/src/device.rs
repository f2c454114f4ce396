//! Devices: how they are found and what they can do.

use crate::error::Status;
use crate::sys::{Context, DeviceId, number, turns};
use opencl3::device::{
    CL_DEVICE_AVAILABLE, CL_DEVICE_COMPILER_AVAILABLE, CL_DEVICE_DOUBLE_FP_CONFIG,
    CL_DEVICE_EXTENSIONS, CL_DEVICE_GLOBAL_MEM_SIZE, CL_DEVICE_LOCAL_MEM_SIZE,
    CL_DEVICE_MAX_COMPUTE_UNITS, CL_DEVICE_MAX_MEM_ALLOC_SIZE, CL_DEVICE_NAME,
    CL_DEVICE_SINGLE_FP_CONFIG, CL_DEVICE_TYPE, CL_DEVICE_TYPE_ALL, CL_DEVICE_TYPE_CPU,
    CL_DEVICE_VERSION, CL_DRIVER_VERSION, cl_device_info, get_device_data, get_device_ids,
    get_device_info,
};
use opencl3::platform::platform::{CL_PLATFORM_NAME, get_platform_ids, get_platform_info};
use ringwood_base::{DType, Error, Result};
use ringwood_device::backend::{Capabilities, opened};
use ringwood_ir::print::Facts;
use std::ffi::OsStr;
use std::sync::{Arc, OnceLock};

/// The one kind of streams.
pub(crate) const QUEUE: &str = "queue";

const CL_FP_DENORM: u64 = 1;
const CL_FP_CORRECTLY_ROUNDED_DIVIDE_SQRT: u64 = 1 << 7;

/// One OpenCL device with a context of its own.
#[derive(Clone)]
pub struct Device(Arc<State>);

struct State {
    id: DeviceId,
    context: Context,
    facts: Facts,
    compiler: bool,
    largest: usize,
    units: usize,
    capabilities: Capabilities,
    identity: String,
}

/// The devices of all platforms: platforms by name, then as their drivers list them.
///
/// Drivers are asked once for the life of the process: not all of them bear to be opened by two threads at a
/// time.
///
/// A platform or a device that fails, is not available, or is older than OpenCL 1.2, hides no other: why,
/// beside the devices.
pub(crate) fn all() -> Result<(Vec<Device>, Vec<Error>)> {
    static FOUND: OnceLock<Result<(Vec<Device>, Vec<Error>)>> = OnceLock::new();
    FOUND.get_or_init(find).clone()
}

fn find() -> Result<(Vec<Device>, Vec<Error>)> {
    let ids = get_platform_ids().map_err(|code| Status(code).unavailable())?;
    let (mut platforms, mut unopened) = (Vec::new(), Vec::new());
    for id in ids {
        let name = match get_platform_info(id, CL_PLATFORM_NAME) {
            Ok(name) => text(&name.to_string()),
            Err(code) => {
                unopened.push(Status(code).during("naming a platform"));
                continue;
            }
        };
        turns::needed_by(&name);
        platforms.push((name, id));
    }
    platforms.sort_by(|(a, _), (b, _)| a.cmp(b));
    let mut devices = Vec::new();
    for (name, platform) in &platforms {
        let failed = |error: Error| error.with("platform", name);
        let ids = match get_device_ids(*platform, CL_DEVICE_TYPE_ALL) {
            Ok(ids) => ids,
            Err(code) => {
                unopened.push(failed(Status(code).during("listing the devices of a platform")));
                continue;
            }
        };
        for id in ids {
            match Device::open(name, &Query(DeviceId(id))) {
                Ok(device) => devices.push(device),
                Err(error) => unopened.push(failed(error)),
            }
        }
    }
    let (devices, unopened) = opened(devices, unopened)?;
    if devices.is_empty() {
        let names: Vec<_> = platforms.iter().map(|(name, _)| name.as_str()).collect();
        let message = format!("no platform has a device: {}", names.join(", "));
        return Err(Error::unavailable(message));
    }
    Ok((devices, unopened))
}

/// A text of a driver, which may end in zeros and spaces.
fn text(raw: &str) -> String {
    raw.trim_matches(|c: char| c == '\0' || c.is_whitespace()).to_owned()
}

/// Asks a device about itself.
struct Query(DeviceId);

impl Query {
    fn text(&self, what: cl_device_info) -> Result<String> {
        let info = get_device_info(self.0.0, what).map_err(|code| self.failed(code))?;
        Ok(text(&info.to_string()))
    }

    fn number(&self, what: cl_device_info) -> Result<u64> {
        let data = get_device_data(self.0.0, what).map_err(|code| self.failed(code))?;
        Ok(number(&data))
    }

    fn failed(&self, code: i32) -> Error {
        Status(code).during("asking a device about itself")
    }

    fn is_processor(&self) -> Result<bool> {
        Ok(self.number(CL_DEVICE_TYPE)? & CL_DEVICE_TYPE_CPU != 0)
    }

    fn facts(&self) -> Result<Facts> {
        let single = self.number(CL_DEVICE_SINGLE_FP_CONFIG)?;
        // A device without `f64` may refuse the question.
        let double = self.number(CL_DEVICE_DOUBLE_FP_CONFIG).unwrap_or(0) != 0;
        Ok(Facts {
            double,
            rounds_division: single & CL_FP_CORRECTLY_ROUNDED_DIVIDE_SQRT != 0,
            keeps_subnormals: single & CL_FP_DENORM != 0,
            wide_atomics: self.text(CL_DEVICE_EXTENSIONS).is_ok_and(|all| {
                ["base", "extended"]
                    .iter()
                    .all(|kind| all.contains(&format!("cl_khr_int64_{kind}_atomics")))
            }),
            // It runs the work-items of a group one after the other, or as the lanes of a vector.
            item_per_point: self.is_processor()?,
        })
    }
}

impl Device {
    fn open(platform: &str, query: &Query) -> Result<Self> {
        let (name, version) = (query.text(CL_DEVICE_NAME)?, query.text(CL_DEVICE_VERSION)?);
        if query.number(CL_DEVICE_AVAILABLE)? == 0 {
            return Err(Error::unavailable(format!("opencl: device `{name}` is not available")));
        }
        if !is_recent(&version) {
            let message = format!("opencl: device `{name}` is of {version}, older than 1.2");
            return Err(Error::unavailable(message));
        }
        Self::new(platform, query, &name, &version)
    }

    fn new(platform: &str, query: &Query, name: &str, version: &str) -> Result<Self> {
        let context = Context::new(query.0)
            .map_err(|status| status.during(&format!("opening device `{name}`")))?;
        let facts = query.facts()?;
        let compiler = query.number(CL_DEVICE_COMPILER_AVAILABLE)? != 0;
        let usable = |dtype: &DType| compiler && (facts.double || *dtype != DType::F64);
        let size = |what| query.number(what).map(|n| usize::try_from(n).unwrap_or(usize::MAX));
        let driver = query.text(CL_DRIVER_VERSION)?;
        let chosen = std::env::var_os("POCL_WORK_GROUP_METHOD");
        let capabilities = Capabilities {
            warnings: miscompiles(platform, &driver, chosen.as_deref()).into_iter().collect(),
            description: format!("{name} ({platform}, {version})"),
            stream_kinds: vec![QUEUE.into()],
            suggested_streams: 2,
            memory_bytes: Some(size(CL_DEVICE_GLOBAL_MEM_SIZE)?),
            dtypes: DType::ALL.iter().copied().filter(usable).collect(),
            kernels: compiler,
            approximate: facts.flaws().into_iter().map(String::from).collect(),
            accelerator: !query.is_processor()?,
            command_buffers: compiler,
            ..Default::default()
        };
        let (largest, units) =
            (size(CL_DEVICE_MAX_MEM_ALLOC_SIZE)?, size(CL_DEVICE_MAX_COMPUTE_UNITS)?);
        let id = query.0;
        let identity =
            format!("{}, driver {driver}{}", capabilities.description, driver_settings());
        let state = State { id, context, facts, compiler, largest, units, capabilities, identity };
        Ok(Self(Arc::new(state)))
    }

    pub(crate) fn id(&self) -> DeviceId {
        self.0.id
    }

    pub(crate) fn context(&self) -> &Context {
        &self.0.context
    }

    /// All that compiled code depends on: device, platform, versions, and settings of the driver.
    pub(crate) fn identity(&self) -> &str {
        &self.0.identity
    }

    pub(crate) fn capabilities(&self) -> &Capabilities {
        &self.0.capabilities
    }

    /// The most bytes of one memory.
    pub(crate) fn largest_memory(&self) -> usize {
        self.0.largest.min(self.0.capabilities.memory_bytes.unwrap_or(usize::MAX))
    }

    /// The most groups of a launch whose work-items share the points of a domain: as many as keep the
    /// device busy.
    pub(crate) fn groups(&self) -> usize {
        self.0.units.clamp(1, 1 << 16) * 64
    }

    /// The bytes of memory that the work-items of a group can share.
    pub(crate) fn group_memory(&self) -> Result<usize> {
        let bytes = Query(self.0.id).number(CL_DEVICE_LOCAL_MEM_SIZE)?;
        Ok(usize::try_from(bytes).unwrap_or(usize::MAX))
    }

    /// What printed kernels depend on.
    ///
    /// # Errors
    /// Nothing compiles them.
    pub(crate) fn facts(&self) -> Result<&Facts, &'static str> {
        if !self.0.compiler {
            return Err("the device has no compiler");
        }
        Ok(&self.0.facts)
    }
}

/// Whether a version is 1.2 or later: `OpenCL 3.0 …`.
fn is_recent(version: &str) -> bool {
    let number = version.split_whitespace().nth(1).and_then(|n| n.parse::<f32>().ok());
    number.is_none_or(|n| n >= 1.15)
}

/// What PoCL before 4.0 does wrong with its default method for work-groups, unless another one is
/// chosen.
fn miscompiles(platform: &str, driver: &str, chosen: Option<&OsStr>) -> Option<String> {
    let major: u32 = driver.split(|c: char| !c.is_ascii_digit()).next()?.parse().ok()?;
    let pocl = platform == "Portable Computing Language";
    let wrong = pocl && major < 4 && chosen.is_none_or(|method| method != "loops");
    wrong.then(|| {
        "miscompiles some kernels: set POCL_WORK_GROUP_METHOD=loops before the program starts, or \
         install PoCL 4.0 or later"
            .to_owned()
    })
}

/// The environment by which PoCL decides how to compile.
fn driver_settings() -> String {
    let mut settings: Vec<_> = std::env::vars_os()
        .filter(|(name, _)| name.to_string_lossy().starts_with("POCL_"))
        .map(|(name, value)| format!(", {}={}", name.display(), value.display()))
        .collect();
    settings.sort();
    settings.concat()
}

impl PartialEq for Device {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

#[cfg(test)]
mod tests;
