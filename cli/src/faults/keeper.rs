//! A process that clears up behind the command, however that ends.

use super::run::kill;
use super::system;
use crate::{Error, Result};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;
use std::{env, fs, io};

/// The folder of the cases, and the process that removes it and ends what is left of them.
pub(super) struct Keeper {
    process: Child,
    folder: PathBuf,
}

impl Keeper {
    pub(super) fn start() -> Result<Self> {
        let command = std::process::id();
        let folder = env::temp_dir().join(format!("ringwood-faults-{command}"));
        let failed = |cause| Error::unavailable("cannot write temporary files").because(cause);
        fs::create_dir_all(&folder).map_err(failed)?;
        let process = env::current_exe().and_then(|program| {
            let mut keeper = Command::new(program);
            keeper.args(["faults", "--keeper", &command.to_string(), "--folder"]).arg(&folder);
            // Ctrl-C at a terminal goes to the group of the command.
            keeper.process_group(0).stdin(Stdio::piped()).stdout(Stdio::null()).spawn()
        });
        let failed = |cause| Error::unavailable("no process clears up").because(cause);
        Ok(Self { process: process.map_err(failed)?, folder })
    }

    pub(super) fn folder(&self) -> &Path {
        &self.folder
    }
}

impl Drop for Keeper {
    fn drop(&mut self) {
        // Its standard input closes, as it does where the command is killed.
        let _ = self.process.wait();
    }
}

/// Is the keeper of a command.
pub(super) fn keep(command: u32, folder: &Path) {
    let _ = io::copy(&mut io::stdin(), &mut io::sink());
    let within = Duration::from_secs(10);
    system::until(within, || {
        let left = system::marked(&format!("{command}|"));
        kill(&left);
        left.is_empty()
    });
    system::until(within, || fs::remove_dir_all(folder).is_ok() || !folder.exists());
}
