//! What the system says of processes and of what they hold.

use std::fs;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

/// The variable that marks all processes of a case.
pub(super) const MARKED: &str = "RINGWOOD_FAULT_CASE";

/// Sends a signal, and waits until one that stops has stopped.
pub(crate) fn signal(process: u32, signal: &str) {
    // The shell has it also where there is no program of that name.
    let _ = Command::new("sh").args(["-c", &format!("kill -{signal} {process}")]).status();
    until(Duration::from_secs(1), || signal != "STOP" || state(process) == Some('T'));
}

/// Waits until something holds; whether it does within a time.
pub(super) fn until(within: Duration, holds: impl Fn() -> bool) -> bool {
    let start = Instant::now();
    while !holds() {
        if start.elapsed() > within {
            return false;
        }
        std::thread::sleep(Duration::from_millis(2));
    }
    true
}

/// The state of a process as a letter; `None` if there is none.
fn state(process: u32) -> Option<char> {
    stat(process).map(|(state, _)| state)
}

pub(super) fn is_there(process: u32) -> bool {
    state(process).is_some_and(|state| state != 'Z')
}

/// The state of a process and the number of its parent.
fn stat(process: u32) -> Option<(char, u32)> {
    let stat = fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
    let mut words = stat.rsplit(')').next()?.split_whitespace();
    Some((words.next()?.chars().next()?, words.next()?.parse().ok()?))
}

fn processes() -> Vec<u32> {
    let all = fs::read_dir("/proc").into_iter().flatten().flatten();
    all.filter_map(|entry| entry.file_name().to_str()?.parse().ok()).collect()
}

/// The processes that a process has started, by what their command lines hold.
pub(super) fn children_of(parent: u32, named: &str) -> Vec<u32> {
    let is = |&process: &u32| {
        stat(process).is_some_and(|(_, of)| of == parent)
            && file(process, "cmdline").contains(named)
    };
    processes().into_iter().filter(is).collect()
}

/// The processes that are left of a case, or of those of a command, whose marks begin so.
pub(super) fn marked(start: &str) -> Vec<u32> {
    let start = format!("{MARKED}={start}");
    let marked = |&process: &u32| {
        let environment = file(process, "environ");
        is_there(process) && environment.split('\0').any(|one| one.starts_with(&start))
    };
    processes().into_iter().filter(marked).collect()
}

/// Whether a process was started with this variable.
pub(super) fn has(process: u32, name: &str, value: &str) -> bool {
    let variable = format!("{name}={value}");
    file(process, "environ").split('\0').any(|one| one == variable)
}

/// Whether the command line of a process holds a word.
pub(super) fn runs(process: u32, word: &str) -> bool {
    file(process, "cmdline").split('\0').any(|one| one == word)
}

/// Whether Ctrl-C does not end this process, nor those that it starts: so a shell starts what runs in the background.
pub(super) fn ignores_interrupts() -> bool {
    let status = file(std::process::id(), "status");
    let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let signals = ignored.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
    signals.is_some_and(|signals| signals & 0b10 != 0)
}

pub(super) fn parent(process: u32) -> Option<u32> {
    stat(process).map(|(_, parent)| parent)
}

fn file(process: u32, name: &str) -> String {
    let bytes = fs::read(format!("/proc/{process}/{name}")).unwrap_or_default();
    String::from_utf8_lossy(&bytes).into_owned()
}

/// How many things a folder holds.
pub(super) fn entries(folder: impl AsRef<Path>) -> usize {
    fs::read_dir(folder).map_or(0, Iterator::count)
}

/// What this process holds.
pub(super) const HELD: [&str; 4] = ["threads", "descriptors", "mapped memory files", "children"];

/// How much of each of [`HELD`].
pub(super) fn held() -> [usize; 4] {
    let maps = fs::read_to_string("/proc/self/maps").unwrap_or_default();
    let mapped = maps.lines().filter(|line| line.contains("memfd:")).count();
    let children = children_of(std::process::id(), "").len();
    [entries("/proc/self/task"), entries("/proc/self/fd"), mapped, children]
}

/// The bytes of memory in use.
pub(super) fn resident() -> usize {
    let pages = fs::read_to_string("/proc/self/statm").unwrap_or_default();
    let pages = pages.split_whitespace().nth(1).and_then(|pages| pages.parse::<usize>().ok());
    pages.unwrap_or(0) * 4096
}

/// The listening sockets of a process.
pub(super) fn listening(process: u32) -> Vec<String> {
    let folder = fs::read_dir(format!("/proc/{process}/fd")).into_iter().flatten().flatten();
    let links = folder.filter_map(|entry| fs::read_link(entry.path()).ok());
    let sockets: Vec<_> = links.map(|link| link.display().to_string()).collect();
    let mine = |inode: &str| sockets.iter().any(|link| *link == format!("socket:[{inode}]"));
    // The state of a listening socket of TCP, the flag of one of the Unix domain.
    let tcp = ["tcp", "tcp6"].map(|name| file(process, &format!("net/{name}"))).concat();
    let unix = file(process, "net/unix");
    let column = |line: &str, at: usize| line.split_whitespace().nth(at).map(str::to_owned);
    let tcp = tcp.lines().filter(|line| column(line, 3).as_deref() == Some("0A"));
    let tcp = tcp.filter_map(|line| column(line, 9));
    let unix = unix.lines().filter(|line| column(line, 3).as_deref() == Some("00010000"));
    let unix = unix.filter_map(|line| column(line, 6));
    tcp.chain(unix).filter(|inode| mine(inode)).collect()
}
