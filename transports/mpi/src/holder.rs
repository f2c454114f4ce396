//! Time for last words, where the launcher gives none.

use crate::launch::Launcher;
use std::io::Write;
use std::os::unix::process::parent_id;
use std::process::{Child, Command, Stdio};

/// A child of this process that holds the launcher back for half a second when this process has died.
///
/// Hydra kills all ranks as soon as the connections of one close before the end of MPI, or as it wakes for anything
/// else and finds one that a signal has killed: no rank can say which one has died, and Hydra does not either. The child
/// has the same connections open, and stops Hydra's process of this machine, the parent of this one. Others wait longer
/// before they end the job: Hydra drops what it has not passed on by then.
pub(crate) struct Holder(Child);

/// `$0` is the parent. The standard input ends with the process that has started this, which writes there only to say
/// that no launcher is to be held. Both shells wait for that, so that nothing has to start before the parent stops, and
/// whichever of them is killed meanwhile, the other one lets the parent go on.
const SCRIPT: &str = "exec 3<&0; (read line <&3 && exit; sleep 0.5; kill -CONT $0) & \
    read line && exit; kill -STOP $0; wait; kill -CONT $0";

impl Holder {
    /// To be called before MPI is initialised. None where another launcher has started this process; where there is
    /// no shell there is none either, and Hydra does as ever.
    pub(crate) fn start(launcher: Launcher) -> Option<Self> {
        let mut command = Command::new("sh");
        command.args(["-c", SCRIPT, &parent_id().to_string()]).stdin(Stdio::piped());
        let child = (launcher == Launcher::Hydra).then(|| command.spawn().ok());
        child.flatten().map(Self)
    }
}

/// The launcher hears of the end of this process at once.
impl Drop for Holder {
    fn drop(&mut self) {
        // A line for each of the two shells; those that are gone hold nothing.
        let _ = self.0.stdin.take().map(|mut input| input.write_all(b"\n\n"));
        let _ = self.0.wait();
    }
}
