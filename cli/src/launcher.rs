//! The launchers of MPI, and how they start processes of this command.

use std::process::Command;

/// An MPI library, and how its processes are started.
pub(super) struct Launcher {
    pub(super) name: &'static str,
    pub(super) program: &'static str,
    options: &'static [&'static str],
    pub(super) library: &'static str,
}

/// Open MPI refuses more ranks than cores, and to run as root, unless told otherwise.
pub(super) const LAUNCHERS: [Launcher; 2] = [
    Launcher {
        name: "Open MPI",
        program: "mpirun.openmpi",
        options: &["--allow-run-as-root", "--oversubscribe"],
        library: "libmpi.so.40",
    },
    Launcher { name: "MPICH", program: "mpirun.mpich", options: &[], library: "libmpich.so.12" },
];

impl Launcher {
    /// Starts so many processes of the program that is to be given.
    pub(super) fn command(&self, ranks: usize) -> Command {
        let mut command = Command::new(self.program);
        command.args(self.options).args(["-n", &ranks.to_string()]);
        command
    }
}
