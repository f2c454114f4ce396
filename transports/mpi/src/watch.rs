//! The thread that ends this process, and with it the job, where others keep it waiting for ever.

use crate::holder::Holder;
use crate::launch::{Launch, Launcher};
use crate::life::{Life, Process};
use ringwood_base::Result;
use ringwood_base::sync::lock;
use ringwood_session::__private::spawn;
use ringwood_transport::Failure;
use ringwood_transport::process::leave;
use std::collections::BTreeMap;
use std::fmt;
use std::io::{self, Write};
use std::os::unix::process::parent_id;
use std::sync::{Arc, Mutex, Weak};
use std::thread;
use std::time::{Duration, Instant};

/// Ends this process where a call of MPI that has no bound does not end in time, or the launcher dies.
pub(crate) struct Watch {
    /// This process, in words.
    name: String,
    launcher: Life,
    holder: Mutex<Option<Holder>>,
    waits: Mutex<BTreeMap<u64, Waiting>>,
}

/// A call that waits for other processes.
struct Waiting {
    what: &'static str,
    since: Instant,
    within: Duration,
    /// Of the group that calls.
    failure: Option<Arc<Failure>>,
    /// Why it will not end, and when that was found.
    why: Option<(String, Instant)>,
}

/// Prints what the user has to know. A standard error that nobody reads any more is no reason to panic.
pub(crate) fn warn(text: fmt::Arguments<'_>) {
    let _ = writeln!(io::stderr(), "ringwood: {text}");
}

/// How long what has no bound of its own waits for others.
pub(crate) const PATIENCE: Duration = Duration::from_secs(60);
/// The exit code of a job that is ended.
pub(crate) const CODE: i32 = 71;
/// Who has failed, or sees that another one has, gets so long to say so before the process ends.
pub(crate) const LAST_WORDS: Duration = Duration::from_secs(1);
/// Between looks at the calls.
const LOOK: Duration = Duration::from_millis(50);

impl Watch {
    /// Watches until it is dropped.
    pub(crate) fn start(launch: &Launch) -> Result<Arc<Self>> {
        let name = match (launch.rank, launch.size) {
            (Some(rank), Some(size)) => format!("rank {rank} of {size}"),
            (Some(rank), None) => format!("rank {rank}"),
            _ => "this process".to_owned(),
        };
        // Without a launcher the one that has started this process may end before it.
        let launcher = match launch.launcher {
            Launcher::None => Life::default(),
            _ => Life::of(Process { id: parent_id(), ..Process::this() }),
        };
        let holder = Mutex::new(Holder::start(launch.launcher));
        let watch = Arc::new(Self { name, launcher, holder, waits: Mutex::default() });
        let weak = Arc::downgrade(&watch);
        let failed = "cannot start the thread that watches calls of MPI";
        spawn("mpi-watch", failed, move || run(&weak)).map(|_| watch)
    }

    /// Bounds a call until what this gives is dropped.
    pub(crate) fn bound(
        &self,
        what: &'static str,
        within: Duration,
        failure: Option<&Arc<Failure>>,
    ) -> impl Drop {
        let (since, failure) = (Instant::now(), failure.cloned());
        let mut waits = lock(&self.waits);
        let number = waits.last_key_value().map_or(0, |(last, _)| last + 1);
        waits.insert(number, Waiting { what, since, within, failure, why: None });
        Bound { watch: self, number }
    }

    /// The end of this process is none that others have to say anything of.
    pub(crate) fn release(&self) {
        lock(&self.holder).take();
    }

    fn end(&self, why: &str) -> ! {
        warn(format_args!("{} ends the job{why}", self.name));
        leave(CODE)
    }
}

struct Bound<'a> {
    watch: &'a Watch,
    number: u64,
}

impl Drop for Bound<'_> {
    fn drop(&mut self) {
        lock(&self.watch.waits).remove(&self.number);
    }
}

fn run(watch: &Weak<Watch>) {
    while let Some(watch) = watch.upgrade() {
        for waiting in lock(&watch.waits).values_mut() {
            match &waiting.why {
                None => waiting.why = waiting.hopeless().map(|why| (why, Instant::now())),
                Some((why, found)) if found.elapsed() >= LAST_WORDS => {
                    watch.end(&format!(" in {}: {why}", waiting.what));
                }
                Some(_) => {}
            }
        }
        if watch.launcher.is_over() {
            watch.release();
            watch.end(": its launcher has died");
        }
        drop(watch);
        thread::sleep(LOOK);
    }
}

impl Waiting {
    /// Why it will not end, if it will not.
    fn hopeless(&self) -> Option<String> {
        match self.failure.as_ref().and_then(|failure| failure.get()) {
            Some(error) => Some(error.to_string()),
            None => (self.since.elapsed() >= self.within)
                .then(|| format!("it did not end within {:?}", self.within)),
        }
    }
}
