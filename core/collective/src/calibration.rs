//! What a calibration found, and where it is kept: one file for each machine and version, in the user's cache.

use ringwood_base::sync::cores;
use ringwood_base::{Error, Result};
use ringwood_schedule::{Capabilities, CostModel};
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::{env, fmt, fs, process};

/// What was measured on a machine.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Calibration {
    /// Which machine, and which version of this library.
    pub machine: Machine,
    /// What steps cost.
    pub model: CostModel,
    /// The number of calls that the model was fitted to.
    pub samples: usize,
    /// The median of how far the model is off before corrections: 0.2 is a fifth.
    #[serde(rename = "deviation", alias = "error")]
    pub error: f64,
}

/// What a calibration holds for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Machine {
    /// The processor, as the operating system names it.
    pub processor: String,
    /// The cores that this process may use.
    pub cores: usize,
    /// The version of this library.
    pub version: String,
}

impl Machine {
    /// This one.
    pub fn this() -> Self {
        let info = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
        let model = info.lines().find_map(|line| line.strip_prefix("model name")?.split_once(':'));
        let processor = model.map_or(env::consts::ARCH, |(_, name)| name.trim()).to_owned();
        let cores = cores();
        Self { processor, cores, version: env!("CARGO_PKG_VERSION").to_owned() }
    }

    /// `0.1.0-2-AMD-EPYC-7B13.json`.
    pub(crate) fn file_name(&self) -> String {
        let safe = |c: char| if c.is_ascii_alphanumeric() { c } else { '-' };
        let processor: String = self.processor.chars().map(safe).collect();
        format!("{}-{}-{processor}.json", self.version, self.cores)
    }
}

/// Where the costs of a machine come from.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Stored {
    /// They were measured, and are kept in this file.
    Measured(PathBuf),
    /// Nothing was measured yet: they are assumed.
    Assumed,
    /// They are assumed because the file cannot be used, for this reason.
    Unusable(String),
}

/// `measured, kept in PATH`.
impl fmt::Display for Stored {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Stored::Measured(path) => write!(f, "measured, kept in {}", path.display()),
            Stored::Assumed => {
                f.write_str("assumed: nothing was measured yet by `ringwood calibrate`")
            }
            Stored::Unusable(why) => write!(f, "assumed: {why}"),
        }
    }
}

/// The file for this machine: `ringwood/calibration/` in `$XDG_CACHE_HOME`, or else in
/// `$HOME/.cache`. `None` if neither is set to an absolute path.
pub fn path() -> Option<PathBuf> {
    let absolute = |name: &str| env::var_os(name).map(PathBuf::from).filter(|p| p.is_absolute());
    let cache = absolute("XDG_CACHE_HOME").or_else(|| Some(absolute("HOME")?.join(".cache")))?;
    Some(cache.join("ringwood/calibration").join(Machine::this().file_name()))
}

/// What steps cost between threads of this machine, and where that comes from; read once.
pub fn cost_model() -> &'static (CostModel, Stored) {
    static MODEL: OnceLock<(CostModel, Stored)> = OnceLock::new();
    MODEL.get_or_init(|| {
        let assumed = || CostModel::of_transport(Capabilities::PEER_MEMORY, cores());
        let Some(path) = path() else { return (assumed(), Stored::Assumed) };
        match Calibration::read(&path) {
            Ok(Some(calibration)) => (calibration.model, Stored::Measured(path)),
            Ok(None) => (assumed(), Stored::Assumed),
            Err(error) => {
                eprintln!("warning: {error}");
                (assumed(), Stored::Unusable(error.to_string()))
            }
        }
    })
}

impl Calibration {
    /// Reads a calibration of this machine; `None` if there is no such file.
    ///
    /// # Errors
    /// The file cannot be read, holds no calibration, or one of another machine.
    pub fn read(path: &Path) -> Result<Option<Self>> {
        let unusable = |what: &str| {
            Error::invalid(format!("the calibration `{}` {what}", path.display()))
                .help("assumed costs are used; measure again with `ringwood calibrate`")
        };
        let text = match fs::read_to_string(path) {
            Ok(text) => text,
            Err(cause) if cause.kind() == std::io::ErrorKind::NotFound => return Ok(None),
            Err(cause) => return Err(unusable("cannot be read").because(cause)),
        };
        let calibration: Self =
            serde_json::from_str(&text).map_err(|cause| unusable("is damaged").because(cause))?;
        calibration.model.check().map_err(|cause| unusable("is damaged").because(cause))?;
        if calibration.machine != Machine::this() {
            return Err(unusable("is of another machine"));
        }
        Ok(Some(calibration))
    }

    /// Writes it, whole or not at all.
    ///
    /// # Errors
    /// The folder cannot be made, or the file not written.
    pub fn write(&self, path: &Path) -> Result<()> {
        let failed = |cause: std::io::Error| {
            let message = format!("cannot write the calibration `{}`", path.display());
            Error::unavailable(message).because(cause)
        };
        let text = serde_json::to_string_pretty(self)
            .map_err(|cause| Error::protocol("the calibration has no JSON form").because(cause))?;
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder).map_err(failed)?;
        }
        let draft = path.with_extension(format!("{}.draft", process::id()));
        let written = fs::write(&draft, text).and_then(|()| fs::rename(&draft, path));
        written.map_err(|cause| {
            // What is left of the draft is of no use; that it cannot be removed says nothing new.
            let _ = fs::remove_file(&draft);
            failed(cause)
        })
    }
}
