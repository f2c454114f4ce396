use super::*;
use ringwood_base::aside::ABANDONED;
use std::fs::File;
use std::io::Write as _;
use std::process::Command;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

/// A folder of its own, removed at the end.
struct Folder(PathBuf);

impl Folder {
    fn new() -> Self {
        static NEXT: AtomicUsize = AtomicUsize::new(0);
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let name = format!("ringwood-cache-{}-{number}", std::process::id());
        Self(std::env::temp_dir().join(name))
    }

    fn cache(&self, limit: u64) -> CompileCache {
        CompileCache::at(&self.0, limit)
    }

    fn files(&self) -> Vec<PathBuf> {
        fs::read_dir(&self.0).unwrap().map(|entry| entry.unwrap().path()).collect()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn key(source: &str) -> CacheKey {
    CacheKey::new("test").with("source", source)
}

#[test]
fn what_was_kept_is_found_by_its_whole_key() {
    let folder = Folder::new();
    let cache = folder.cache(1 << 20);
    assert_eq!(cache.get(&key("a")), None, "there is not even a folder");
    cache.put(&key("a"), b"code of a").unwrap();
    cache.put(&key("empty"), b"").unwrap();
    assert_eq!(cache.get(&key("a")).unwrap(), b"code of a");
    assert_eq!(cache.get(&key("empty")).unwrap(), b"");
    assert_eq!(cache.get(&key("b")), None);
    cache.put(&key("a"), b"other code").unwrap();
    assert_eq!(cache.get(&key("a")).unwrap(), b"other code");
    // Another key whose file has the same name.
    fs::rename(folder.0.join(key("a").file_name()), folder.0.join(key("b").file_name())).unwrap();
    assert_eq!(cache.get(&key("b")), None);
}

#[test]
fn a_damaged_entry_is_as_an_absent_one_and_is_written_anew() {
    let folder = Folder::new();
    let cache = folder.cache(1 << 20);
    cache.put(&key("a"), b"some code").unwrap();
    let path = folder.0.join(key("a").file_name());
    let whole = fs::read(&path).unwrap();
    for at in 0..whole.len() {
        let mut bytes = whole.clone();
        bytes[at] ^= 0x10;
        fs::write(&path, &bytes).unwrap();
        assert_eq!(cache.get(&key("a")), None, "byte {at}");
    }
    for len in 0..whole.len() {
        fs::write(&path, &whole[..len]).unwrap();
        assert_eq!(cache.get(&key("a")), None, "cut at {len}");
    }
    fs::write(&path, [&whole[..], b"more"].concat()).unwrap();
    assert_eq!(cache.get(&key("a")), None);
    cache.put(&key("a"), b"some code").unwrap();
    assert_eq!(cache.get(&key("a")).unwrap(), b"some code");
}

#[cfg(unix)]
#[test]
fn only_the_user_may_read_and_write() {
    use std::os::unix::fs::PermissionsExt;
    let folder = Folder::new();
    let cache = folder.cache(1 << 20);
    cache.put(&key("a"), b"code").unwrap();
    let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
    assert_eq!(mode(&folder.0), 0o700);
    assert_eq!(mode(&folder.0.join(key("a").file_name())), 0o600);
    // A folder in which others may put code is not trusted.
    fs::set_permissions(&folder.0, fs::Permissions::from_mode(0o777)).unwrap();
    assert_eq!(cache.get(&key("a")), None);
    let error = cache.put(&key("a"), b"code").unwrap_err();
    assert_eq!(error.kind(), io::ErrorKind::PermissionDenied);
}

#[test]
fn the_entries_not_used_for_longest_make_room() {
    let folder = Folder::new();
    let content = vec![7; 1000];
    let cache = folder.cache(5000);
    for (age, name) in [(40, "a"), (30, "b"), (20, "c")] {
        cache.put(&key(name), &content).unwrap();
        let file = File::options().append(true).open(folder.0.join(key(name).file_name())).unwrap();
        file.set_modified(SystemTime::now() - Duration::from_secs(age)).unwrap();
    }
    assert!(cache.get(&key("a")).is_some(), "which makes it the one used last");
    cache.put(&key("d"), &content).unwrap();
    cache.put(&key("e"), &content).unwrap();
    let found = ["a", "b", "c", "d", "e"].map(|name| cache.get(&key(name)).is_some());
    assert_eq!(found, [true, false, true, true, true]);
    cache.put(&key("f"), &vec![0; 6000]).unwrap();
    assert_eq!(cache.get(&key("f")), None, "larger than the cache");
    let bytes: u64 = folder.files().iter().map(|f| fs::metadata(f).unwrap().len()).sum();
    assert!(bytes <= 5000, "{bytes}");
}

#[test]
fn what_a_writer_left_unfinished_is_removed_after_a_while() {
    let folder = Folder::new();
    let cache = folder.cache(1 << 20);
    cache.put(&key("a"), b"code").unwrap();
    let old = 2 * ABANDONED;
    let others = ["saxpy.cl", "a.part", "weights.bin"];
    let files = [("1-0.part", old), ("2-0.part", Duration::ZERO)];
    for (name, age) in files.into_iter().chain(others.map(|name| (name, old))) {
        let file = File::create(folder.0.join(name)).unwrap();
        file.set_modified(SystemTime::now() - age).unwrap();
    }
    cache.put(&key("b"), b"code").unwrap();
    let left = |name| folder.0.join(name).exists();
    assert!(!left("1-0.part") && left("2-0.part"));
    assert!(others.into_iter().all(left), "files of others stay");
}

/// A folder that cannot be made or written, whoever runs the test.
#[test]
fn without_a_folder_to_write_nothing_is_kept_and_the_reason_is_known() {
    let folder = Folder::new();
    fs::create_dir(&folder.0).unwrap();
    fs::write(folder.0.join("file"), "").unwrap();
    let cache = CompileCache::at(folder.0.join("file").join("kernels"), 1 << 20);
    assert!(cache.put(&key("a"), b"code").is_err());
    assert_eq!(cache.get(&key("a")), None);
    let cache = CompileCache::at("/proc/self/ringwood", 1 << 20);
    assert!(cache.put(&key("a"), b"code").is_err());
    let off = CompileCache::off();
    off.put(&key("a"), b"code").unwrap();
    assert_eq!((off.get(&key("a")), off.folder()), (None, None));
}

/// A file system of one page, if the machine lets the test make one.
#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_leaves_no_trace() {
    let folder = Folder::new();
    fs::create_dir(&folder.0).unwrap();
    let mount = |command: &mut Command| command.output().is_ok_and(|o| o.status.success());
    let size = ["-t", "tmpfs", "-o", "size=16k,mode=0700", "tmpfs"];
    if !mount(Command::new("mount").args(size).arg(&folder.0)) {
        // The test harness captures `eprintln!` of a test that passes.
        let _ = writeln!(io::stderr(), "skipped: no tmpfs can be mounted here");
        return;
    }
    let cache = folder.cache(1 << 20);
    let kept = cache.put(&key("small"), &[1; 100]);
    let error = cache.put(&key("large"), &vec![1; 100_000]);
    let left = (folder.files().len(), cache.get(&key("large")), cache.get(&key("small")));
    assert!(mount(Command::new("umount").arg(&folder.0)), "the file system stays mounted");
    kept.unwrap();
    assert_eq!(error.unwrap_err().kind(), io::ErrorKind::StorageFull);
    assert_eq!(left, (1, None, Some(vec![1; 100])));
}

#[test]
fn many_writers_and_readers_see_whole_entries() {
    let folder = Folder::new();
    let content = |i: usize| vec![i as u8; 10_000 + i];
    std::thread::scope(|scope| {
        for i in 0..4 {
            let folder = &folder;
            scope.spawn(move || {
                let cache = folder.cache(1 << 20);
                for _ in 0..100 {
                    cache.put(&key("a"), &content(i)).unwrap();
                    let found = cache.get(&key("a")).expect("an entry that is never removed");
                    assert!((0..4).any(|i| found == content(i)));
                }
            });
        }
    });
    assert_eq!(folder.files().len(), 1);
}

const WRITER: &str = "RINGWOOD_TEST_CACHE_WRITER";

/// Runs in the processes that the next test starts.
#[test]
fn writer() {
    let Some(folder) = std::env::var_os(WRITER) else { return };
    let cache = CompileCache::at(folder, 1 << 20);
    for i in 0..200_usize {
        cache.put(&key("a"), &vec![i as u8; 5000]).unwrap();
        let found = cache.get(&key("a")).expect("an entry that is never removed");
        assert!(found.len() == 5000 && found.iter().all(|byte| *byte == found[0]));
    }
}

#[test]
fn two_processes_share_a_folder() {
    let folder = Folder::new();
    folder.cache(1 << 20).put(&key("a"), &[0; 5000]).unwrap();
    let start = || {
        let mut test = Command::new(std::env::current_exe().unwrap());
        test.args(["cache::tests::writer", "--exact"]).env(WRITER, &folder.0);
        test.stdout(std::process::Stdio::null()).spawn().unwrap()
    };
    for mut process in [start(), start()] {
        assert!(process.wait().unwrap().success());
    }
    assert_eq!(folder.files().len(), 1);
    assert_eq!(folder.cache(1 << 20).get(&key("a")).unwrap(), [199; 5000]);
}

#[test]
fn the_environment_says_where_and_whether() {
    let folder = |vars: &[(&str, &'static str)]| {
        let find = |name: &str| vars.iter().find(|(n, _)| *n == name).map(|(_, value)| *value);
        CompileCache::from_env(find).folder
    };
    let path = |text: &str| Some(PathBuf::from(text));
    let home = ("HOME", "/home/u");
    assert_eq!(folder(&[home]), path("/home/u/.cache/ringwood/kernels"));
    assert_eq!(folder(&[home, ("XDG_CACHE_HOME", "/c")]), path("/c/ringwood/kernels"));
    let own = ("RINGWOOD_CACHE_DIR", "/own");
    assert_eq!(folder(&[home, ("XDG_CACHE_HOME", "/c"), own]), path("/own/kernels"));
    assert_eq!(folder(&[own, ("RINGWOOD_CACHE", "off")]), None);
    assert_eq!(folder(&[own, ("RINGWOOD_CACHE", "on")]), path("/own/kernels"));
    let error = is_off("0".as_ref()).unwrap_err().to_string();
    assert!(error.contains("RINGWOOD_CACHE is `0`: the cache is on"), "{error}");
    assert!(error.contains("give `on` or `off`"), "{error}");
    assert_eq!(folder(&[("RINGWOOD_CACHE_DIR", "here")]), path("here/kernels"));
    assert_eq!(
        folder(&[home, ("RINGWOOD_CACHE_DIR", "")]),
        path("/home/u/.cache/ringwood/kernels")
    );
    assert_eq!(folder(&[("XDG_CACHE_HOME", "relative")]), None);
    assert_eq!(folder(&[]), None);
}
