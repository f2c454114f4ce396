//! The processors of the machine that threads run on.

use ringwood_base::sync::lock;
use ringwood_base::{Error, Result};
use std::sync::Mutex;

/// Where the threads of pools run, which several threads share, while one of these is bound.
static SHARED: Mutex<Shared> = Mutex::new(Shared { bound: 0, processors: Vec::new() });

struct Shared {
    /// The threads that are bound.
    bound: usize,
    /// As the first of them says; none while none is bound.
    processors: Vec<usize>,
}

/// Those that this thread may run on, by number; none where the system does not say.
pub fn allowed() -> Vec<usize> {
    #[cfg(target_os = "linux")]
    return system::allowed();
    #[cfg(not(target_os = "linux"))]
    Vec::new()
}

/// Has this thread, and those that it starts later, run on `own` alone, until it calls [`release`]. The threads of a
/// [`Pool`](crate::pool::Pool) that is made meanwhile run on `shared`, as the first of the threads that are bound says.
///
/// # Errors
/// The system refuses: `own` holds no processor that this process may use, or this is no Linux.
pub fn bind(own: &[usize], shared: &[usize]) -> Result<()> {
    run_on(own)?;
    let mut all = lock(&SHARED);
    if all.bound == 0 {
        all.processors = shared.to_vec();
    }
    all.bound += 1;
    Ok(())
}

/// Has this thread, which is bound, run on `all` again, as before [`bind`]; after the last one that is bound, pools that are
/// made later run as the thread that makes them. The threads of one that is there already stay where they are.
pub fn release(all: &[usize]) {
    let mut shared = lock(&SHARED);
    shared.bound = shared.bound.saturating_sub(1);
    if shared.bound == 0 {
        shared.processors.clear();
    }
    drop(shared);
    // Where these are gone meanwhile, those that it has are as right.
    let _ = run_on(all);
}

/// Has this thread of a pool run where those of a pool do.
pub(crate) fn join_shared() {
    let shared = lock(&SHARED);
    if !shared.processors.is_empty() {
        // A pool is as right on the processors of the thread that made it.
        let _ = run_on(&shared.processors);
    }
}

#[cfg(target_os = "linux")]
fn run_on(processors: &[usize]) -> Result<()> {
    system::run_on(processors).map_err(|cause| {
        let message = format!("cannot run on the processors {processors:?} alone");
        Error::unavailable(message).because(cause)
    })
}

#[cfg(not(target_os = "linux"))]
fn run_on(_: &[usize]) -> Result<()> {
    Err(Error::unsupported("threads are bound to processors on Linux alone"))
}

#[cfg(target_os = "linux")]
mod system {
    use std::io;
    use std::mem::{size_of, zeroed};

    const MOST: usize = libc::CPU_SETSIZE as usize;

    fn none() -> libc::cpu_set_t {
        // SAFETY: a set is an array of bits; all of them 0 is the empty one.
        unsafe { zeroed() }
    }

    pub(super) fn allowed() -> Vec<usize> {
        let mut set = none();
        // SAFETY: the system writes no more than the size of the set, which lives through the call.
        let got = unsafe { libc::sched_getaffinity(0, size_of_val(&set), &raw mut set) };
        // SAFETY: the number is below that of the bits.
        let holds = |&number: &usize| unsafe { libc::CPU_ISSET(number, &set) };
        if got == 0 { (0..MOST).filter(holds).collect() } else { Vec::new() }
    }

    pub(super) fn run_on(processors: &[usize]) -> io::Result<()> {
        let mut set = none();
        for &number in processors.iter().filter(|&&number| number < MOST) {
            // SAFETY: the number is below that of the bits.
            unsafe { libc::CPU_SET(number, &mut set) };
        }
        // SAFETY: the system reads the set, which lives through the call.
        match unsafe { libc::sched_setaffinity(0, size_of::<libc::cpu_set_t>(), &raw const set) } {
            0 => Ok(()),
            _ => Err(io::Error::last_os_error()),
        }
    }
}

#[cfg(all(test, target_os = "linux"))]
mod tests;
